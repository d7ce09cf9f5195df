"""Markdown in a text without a format, told from its lines.

    # Use  ```python  # Notes      headings and fences over sentences: Markdown
    | Key | Action |               a row of names over its rule: Markdown
    # build / cp a b / x = 1       a script or configuration whose comments look like headings: none

A text is Markdown only if it reads so: a script that was taken for Markdown would be cut at its comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.text.logs import is_log

FEWEST_HEADINGS = 2
SENTENCES_FOR_CODE = 4  # sentences for each line that looks like code (guess)
MOST_INDENTED = 0.5  # share of the lines; the body of a program has more (guess)
SAMPLE = 100_000  # characters that tell the format
WIDEST = 400  # characters of a line that are looked at

# A line matches in one way only: two ways would be 2**n for n lines.
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?:(?:[\w-]+:|[ \t]|- )[^\n]*\n)+---[ \t]*\r?\n")
_FENCE = re.compile(r" {0,3}(?P<mark>```+(?=[^`]*$)|~~~+)(?P<rest>.*)")
_RULE = re.compile(r" {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|){2,}[ \t]*")  # below the names of a table's columns
_MAY_BE = re.compile(r"^ {0,3}(?:#|```|~~~|\|[ \t:]*-)", re.MULTILINE)
_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})[ \t]+\S")
_CODE = re.compile(
    r"(?:[\w.\[\]\"'$*,-]+|\w+ [\w$]+)\s*(?:[-+*/|&?:]?=(?!=)|<-)"  # x = 1, let x = 1, x <- 1
    r"|(?:- )?[a-z_][\w.-]*:(?:\s|$)"  # key: value
    r"|(?:echo|puts|printf?|export|source|sudo|cd|cp|mv|rm|mkdir|git|pip|npm|apt(?:-get)?|docker|kubectl|curl|fi|done|esac|elif|def|class"
    r"|import|return|raise|RUN|COPY|FROM|ENV|SELECT|INSERT|CREATE)\b(?![.,])"
    r"|(?:if|for|while|case|with|else|try|switch|function)\b.*(?:[:{;]|\bthen|\bdo|\bin)$"
    r"|from [\w.]+ import\b"
    r"|@\w|\}|\"\"\"|\'\'\'|//|/\*|--(?=\s)"
    r"|[\w.:]+\(.*\)[:;{]?$"
    r"|.*[;{\\]$"
)
_SENTENCE = re.compile(r".*(?:[\w)\]\"'`*%][.!?:][)\"'*_`]{0,3}|[。！？：])$")
_ORDINARY = re.compile(
    r"(?<![\w$-])(?:the|a|an|of|to|is|are|and|in|that|it|you|with|or|be|this|not|by)(?![\w-])", re.IGNORECASE
)
_MARKED = re.compile(r"(?<!\w)\*\*\w|\[[^\]]+\]\([^)]+\)|^(?:>|\*|[-*] \[[ xX]\]|\d+\.)[ \t]+\S|^\|.*\|$")


def is_markdown(text: str) -> bool:
    """Tell whether a text shows the format of Markdown."""
    return _MAY_BE.search(text, 0, SAMPLE) is not None and _reads_so(text[:SAMPLE]) and not is_log(text)


def _reads_so(text: str) -> bool:
    headings = fences = code = said = lines = indented = deepest = level = 0
    for line in _outside_fences(text):
        above, level = level, 0
        if line is None or _RULE.fullmatch(line):
            fences += 1
        elif heading := _HEADING.match(line):
            level = len(heading["level"])
            headings += 1
            deepest = max(deepest, level)
            code += level == above  # the next line of a comment
        elif line := line.rstrip()[:WIDEST]:
            lines += 1
            # In Markdown an indented block is code or part of an item, elsewhere the body of anything.
            if line.startswith(("    ", "\t")):
                indented += 1
            elif _CODE.match(line) and not _MARKED.search(line):
                code += 1
            else:
                said += _is_said(line)
    if (not fences and headings < FEWEST_HEADINGS) or indented > MOST_INDENTED * lines:
        return False
    # The comments of a script have one level.
    wanted = 0 if fences else headings if deepest == 1 else headings / 2
    return said >= max(wanted, code * SENTENCES_FOR_CODE)


def _outside_fences(text: str) -> Iterator[str | None]:
    """The lines outside of fences, with None in the place of each fence, and those of a fence that is not closed."""
    front = _FRONT_MATTER.match(text)
    mark, held = "", list[str]()
    for line in text[front.end() if front else 0 :].splitlines():
        fence = _FENCE.match(line)
        if mark:
            held.append(line)
            if fence and fence["mark"].startswith(mark) and not fence["rest"].strip():
                mark = ""
                yield None
        elif fence:
            mark, held = fence["mark"], [line]
        else:
            yield line
    if mark:
        yield from held


def _is_said(line: str) -> bool:
    """True for a line that is, or looks like a part of, a sentence to people."""
    return (
        _MARKED.search(line) is not None
        or _SENTENCE.match(line) is not None
        or len(_ORDINARY.findall(line)) > 1
    )
