"""Heads of tables written in text: Markdown, Org, AsciiDoc, reStructuredText.

| State  | Meaning |      a head: the row beside a rule
|--------|---------|      a rule: |---|---|, |---+---|, +===+===+, === ===, |===
| `sent` | …       |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

COLUMN_MARK = " | "
_MARKS = "-=+|:~ \t"  # the characters of rules
_GAP = re.compile(r"\S[ \t]{2,}\S")  # between the columns of a table without bars
_CELLS = re.compile(r"[|`*]|[ \t]{2,}")


def is_rule(line: str) -> bool:
    """True for a line that separates rows, without blank ends."""
    return not line.strip(_MARKS) and ("-" in line or "=" in line)


# the end of a row of several lines: a blank line, a rule of a grid, the bullet of the next row of a list
_ROW_ENDS = (
    re.compile(r"\n[ \t]*\n+(?=[ \t]*(?:\d+[+*])?[^|\s]{0,3}\|)"),
    re.compile(r"\n[ \t]*\+[-=+]{3,}\+[ \t]*\n"),
    re.compile(r"\n(?=[ \t]*\*[ \t]+-[ \t])"),
)


_RULE_LINE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[ \t:|-]*$", re.MULTILINE)


def row_ends(table: str) -> list[int]:
    """The places behind the rows of a table whose rows have several lines; none where each line is a row."""
    if _RULE_LINE.search(table) is None:
        for end in _ROW_ENDS:
            found = [match.end() for match in end.finditer(table)]
            if len(found) > 1:
                return found
    return []


def head_rows(lines: Sequence[str]) -> range:
    """The numbers of the lines, or rows, with the names of the columns and the rule below; none in a later part of a table."""
    first = lines[0].rstrip().split("\n") if lines else []
    if any(is_rule(line.strip()) for line in first[:-1]):
        return range(1)  # several lines, with the rule
    if len(first) > 1 and (is_rule(first[-1].strip()) or any(":header-rows:" in line for line in first)):
        return range(2)  # a text above the table
    rules = [is_rule(line.strip()) for line in lines]
    for i, (above, row) in enumerate(pairwise([False, *rules])):
        below = i + 1 < len(rules) and rules[i + 1]
        if not row and (above or below):
            return range(i, i + 1 + below)
    return range(0)


def joined_columns(names: Iterable[str]) -> str:
    """The names of columns in one line: `Key | Action`."""
    return COLUMN_MARK.join(filter(None, (" ".join(name.split()) for name in names)))


def column_names(table: str) -> str:
    """The cells of the first row as one reads them; "" for a table without rows."""
    for line in table.split("\n"):
        row = line.strip()
        if row.strip(_MARKS) and ("|" in row or _GAP.search(row)):
            return joined_columns(_CELLS.split(row))
    return ""
