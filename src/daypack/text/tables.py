"""Heads of tables written in text: Markdown, Org, AsciiDoc, reStructuredText.

| State  | Meaning |      a head: the row beside a rule
|--------|---------|      a rule: |---|---|, |---+---|, +===+===+, === ===, |===
| `sent` | …       |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_MARKS = "-=+|:~ \t"  # the characters of rules
_GAP = re.compile(r"\S[ \t]{2,}\S")  # between the columns of a table without bars
_CELLS = re.compile(r"[|`*]|[ \t]{2,}")


def is_rule(line: str) -> bool:
    """True for a line that separates rows, without blank ends."""
    return not line.strip(_MARKS) and ("-" in line or "=" in line)


def head_rows(lines: Sequence[str]) -> range:
    """The numbers of the lines with the names of the columns and the rule below; none in a later part of a table."""
    rules = [is_rule(line.strip()) for line in lines]
    for i, (above, row) in enumerate(pairwise([False, *rules])):
        below = i + 1 < len(rules) and rules[i + 1]
        if not row and (above or below):
            return range(i, i + 1 + below)
    return range(0)


def column_names(table: str) -> str:
    """The cells of the first row as one reads them; "" for a table without rows."""
    for line in table.split("\n"):
        row = line.strip()
        if row.strip(_MARKS) and ("|" in row or _GAP.search(row)):
            return " ".join(_CELLS.sub(" ", row).split())
    return ""
