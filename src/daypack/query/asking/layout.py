"""The layout of a text: the lines around a question, lists, and an object around it.

    Hi, ⏎ Where are flags parsed? ⏎ Best, ⏎ Ann      Where are flags parsed?
    Where are the flags of ⏎ a command parsed?       Where are the flags of a command parsed?
    1. flags ⏎ 2. aliases                            flags. aliases.
    {"query": "Where are flags parsed?"}             Where are flags parsed?

A report stays as it is.
"""

from __future__ import annotations

import json
import re

from daypack.query.asking.phrases import ASKING, GREETING, THANKS, instructs
from daypack.query.sentences import SENTENCE_END

# before a list
_ANNOUNCES = r"(?i)[^\n]{0,60}\b(?:questions?|following|tasks?|things|points|items|todos?)\b[^\n]{0,40}:"
# a line that does not go on: blank, code, a quotation, an item of a list, a heading, a line of a log
_OF_ITS_OWN = r"\s|$|[-*+•>#|<`~$]|\d+[.)]? |\[|(?:\d|\w+/)\S*:\d|[\w.]+: |.*:$"
# keys under which a tool sends a question
_KEYS = ("question", "query", "prompt", "task", "request", "message", "text", "input")
_NARROWEST = 30  # characters of a broken line
_MARKER = r"\A(?:[-*+•]|\d{1,2}[.)])\s+"
_ITEM = r"(?i)\A(?:[-*+•#>]\s*|\d{1,2}[.)]\s+|(?:instructions|rules|guidelines|constraints|important)\s*:\s*)"
# a heading of a form, which a text without a title begins with
_HEADS = (
    r"(?i)[#*_\s]*(?:(?:please )?describe (?:the|your) (?:bug|feature|issue|problem)|what happened|(?:the |current |actual )?(?:background|behaviou?r|bug(?: report)?|context|description|details"
    r"|issue|problem|question|situation|story|summary))[*_:?\s]*"
)
_GREETS = rf"(?i){GREETING}(?: (?!world)\w+)?[,.!:]*"
# the end of a letter
_SIGNED = rf"(?i)(?:{THANKS}|(?:(?:kind|best|warm) )?regards|best(?: wishes)?|yours(?: sincerely)?|sincerely|all the best)[\s,.!–-]*"


def unpacked(text: str) -> str:
    """The question of a JSON object, as a tool sends it; any other text as it is."""
    if not text.startswith("{") or not text.endswith("}"):
        return text
    try:
        sent: dict[str, object] = json.loads(text)
    except (ValueError, RecursionError):  # braces of code
        return text
    named = [sent.get(key) for key in _KEYS]
    return next((value.strip() for value in named if isinstance(value, str) and value.strip()), text)


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


def unwrapped(text: str) -> str:
    """A text whose first paragraph was broken at a width, with that paragraph as one line; any other text as it is."""
    first, blank, rest = text.partition("\n\n")
    lines = first.split("\n")
    if len(lines) < 2 or any(re.match(_OF_ITS_OWN, line) for line in lines):
        return text
    width = max(map(len, lines))
    words = [line.split(maxsplit=1)[0] for line in lines[1:]]
    is_full = all(len(line) + len(word) + 1 > width for line, word in zip(lines, words, strict=False))
    is_full = is_full and (len(lines) > 2 or words[0][:1].islower())  # two lines may be a title and its text
    return (
        " ".join(line.strip() for line in lines) + blank + rest if width >= _NARROWEST and is_full else text
    )


def in_one_line(text: str, longest: int) -> str:
    """A list of at most `longest` characters, or of sentences, as one line: none of its items is the title of the others. Any other
    text as it is.
    """
    items = items_of(text)
    if len(text) > longest and not all(item.endswith((".", "!")) for item in items):
        return text
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
    if re.fullmatch(_GREETS, line.strip()) or re.fullmatch(_HEADS, line):
        return True
    sentences = re.split(SENTENCE_END, re.sub(_ITEM, "", line.strip()))
    return all(instructs(sentence) for sentence in sentences if sentence)
