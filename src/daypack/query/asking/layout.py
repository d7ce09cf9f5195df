"""The layout of a text of several lines: the lines around a question, and lists.

    Hi, ⏎ Where are flags parsed? ⏎ Best, ⏎ Ann      Where are flags parsed?
    1. flags ⏎ 2. aliases                            flags. aliases.

A report stays as it is.
"""

from __future__ import annotations

import re

from daypack.query.asking.phrases import ASKING, SAYS_NOTHING, SENTENCE, THANKS

# before a list
_ANNOUNCES = r"(?i)[^\n]{0,60}\b(?:questions?|following|tasks?|things|points|items|todos?)\b[^\n]{0,40}:"
_MARKER = r"\A(?:[-*+•]|\d{1,2}[.)])\s+"
_ITEM = r"(?i)\A(?:[-*+•#>]\s*|\d{1,2}[.)]\s+|(?:instructions|rules|guidelines|constraints|important)\s*:\s*)"
# the end of a letter
_SIGNED = rf"(?i)(?:{THANKS}|(?:(?:kind|best|warm) )?regards|best(?: wishes)?|yours(?: sincerely)?|sincerely|all the best)[\s,.!–-]*"


def without_letterhead(text: str) -> str:
    """A text of several lines without the lines before and after it that address another."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    first, last = 0, len(lines)
    while first < last - 1 and says_nothing(lines[first]):
        first += 1
    while first < last - 1 and says_nothing(lines[last - 1]):
        last -= 1
    signed = next(
        (
            number
            for number in range(max(first + 1, last - 4), last)
            if re.fullmatch(_SIGNED, lines[number].strip())
        ),
        last,
    )
    return "\n".join(lines[first:signed]).strip()


def in_one_line(text: str, longest: int) -> str:
    """A list of at most `longest` characters as one line: none of its items is the title of the others. Any other text as it is."""
    items = items_of(text) if len(text) <= longest else []
    return " ".join(item if item.endswith((".", "?", "!")) else f"{item}." for item in items) or text


def items_of(text: str) -> list[str]:
    """The items of a text that is a list, or has a question in each line; none of any other text."""
    if "\n" not in text:
        return []
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if re.fullmatch(_ANNOUNCES, lines[0]):
        del lines[0]
    items = [re.sub(_MARKER, "", line) for line in lines]
    is_list = all(item and item != line for item, line in zip(items, lines, strict=True))
    return items if is_list or all(line.endswith("?") or ASKING.match(line) for line in lines) else []


def says_nothing(line: str) -> bool:
    """True of a blank line, a greeting, and a line on how to work."""
    sentences = re.split(SENTENCE, re.sub(_ITEM, "", line.strip()))
    return all(re.fullmatch(SAYS_NOTHING, sentence) for sentence in sentences if sentence)
