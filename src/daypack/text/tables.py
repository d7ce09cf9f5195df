"""Heads of tables written in text: Markdown, Org, AsciiDoc, reStructuredText.

| State  | Meaning |      a head: the row beside a rule
|--------|---------|      a rule: |---|---|, |---+---|, +===+===+, === ===, |===
| `sent` | …       |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

COLUMN_MARK = " | "
MOST_NAMES = 2  # rows below the first that name the columns, as years and units do (guess)
_MARKS = "-=+|:~ \t"  # the characters of rules
_GAP = re.compile(r"\S[ \t]{2,}\S")  # between the columns of a table without bars
_CELLS = re.compile(r"[|`*]|[ \t]{2,}")
_UNLABELLED = re.compile(r"\|[ \t]*\|.*[^\W_]")  # a row that begins with an empty cell


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
            stop = i + 1 + below
            return range(i, stop + _more_names(lines[stop:]))
    return range(0)


def _more_names(rows: Sequence[str]) -> int:
    """The number of the first rows that name the columns further, as years below "Years ended" do: their first cell is empty,
    that of the row below them is not.
    """
    for count, row in enumerate(rows[: MOST_NAMES + 1]):
        if _UNLABELLED.match(row.strip()) is None:
            return count
    return 0


def joined_columns(names: Iterable[str]) -> str:
    """The names of columns in one line: `Key | Action`."""
    return COLUMN_MARK.join(filter(None, (" ".join(name.split()) for name in names)))


def column_names(table: str) -> str:
    """The cells of the first row, and of those below it that name the columns too, as one reads them; "" for a table without
    rows.
    """
    lines = map(str.strip, table.split("\n"))
    rows = (line for line in lines if line.strip(_MARKS) and ("|" in line or _GAP.search(line)))
    first = [*islice(rows, MOST_NAMES + 2)]
    return joined_columns(cell for row in first[: 1 + _more_names(first[1:])] for cell in _CELLS.split(row))
