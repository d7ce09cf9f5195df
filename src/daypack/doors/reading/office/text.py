"""The text of a document while it is read, and the exceptions that end the reading."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import chain
from typing import Any
from urllib.parse import quote

WIDEST = 200  # cells per row
LONGEST_REPEATED = 200  # characters of a merged cell; a longer one stands once. guess


class RefusedError(Exception):
    """A document cannot be read: a reason of `SkipReason`, and a sentence with the next step."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class FullError(Exception):
    """The text has reached its maximum length."""


class Text:
    """The text of a document while it is read, line by line, with the first lines of its pages."""

    def __init__(self, unit: str, most: int) -> None:
        self.unit, self.title = unit, ""
        self._most = most
        self._lines: list[str] = []
        self._size = 0
        self._begins: list[int] = []
        self._names: list[str] = []

    def begin(self, name: str = "") -> None:
        """Start a page, slide, sheet, chapter or paragraph with the next addition."""
        self._begins.append(len(self._lines) + 1)
        self._names.append(quote(name, safe=""))

    def add(self, text: str) -> None:
        """Add a paragraph, or lines that belong together. Raises FullError."""
        for line in _clean(text).split("\n"):
            self._size += len(line) + 1
            if self._size > self._most:
                raise FullError
            self._lines.append(line.rstrip())

    def gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def leave_out(self, what: str) -> None:
        self.gap()
        self._lines.append(f"[… {what} not read …]")

    def as_data(self) -> dict[str, Any]:
        kept = [begin for begin in self._begins if begin <= len(self._lines)]
        return {
            "text": "\n".join(self._lines).rstrip("\n") + "\n" if any(self._lines) else "",
            "title": self.title,
            "unit": self.unit,
            "lines": kept,
            "names": self._names[: len(kept)] if any(self._names) else [],
        }


# A word that is split at the end of a line. It keeps its hyphen after another hyphen (`--log-` `file`), and before a capital
# or a digit.
_HYPHEN = re.compile("(-[^\\s\u0002\ufffe]{0,80})?[\u0002\ufffe]\r?\n?([A-Z0-9])?")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def _joined(split: re.Match[str]) -> str:
    before, after = split[1] or "", split[2] or ""
    hyphen = "-" if (before or after) and not before.endswith("-") else ""
    return before + hyphen + after


def _clean(text: str) -> str:
    return _CONTROL.sub(
        "",
        _HYPHEN.sub(_joined, text)
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\u2028", "\n")
        .replace("\x0b", "\n"),
    )


# The beginnings of lines that Markdown reads as a heading, fence, table, quotation, comment, or underline of a heading.
_STRUCTURE = re.compile(r"#|```|~~~|\||>|<!--|(?:={2,}|-{2,})[ \t]*\Z")


def escaped(line: str) -> str:
    """The line, escaped where Markdown would read it as structure."""
    return "\\" + line if _STRUCTURE.match(line) else line


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


_COUNTED = re.compile(r"(?:\d|\b[IVXLCM]{1,7}|\b[nN])\Z")


def ends_ordinal(raised: str, before: str) -> bool:
    """True for the raised letter of 2ᵉ, XIXᵉ, nᵒ and 1ᵃ, in French, Spanish and Italian, which is not a power."""
    return raised in ("e", "o", "a") and _COUNTED.search(before) is not None


def in_percent(share: float) -> str:
    return f"{100 * share:.10g} %"


class Covered(Enum):
    """A place in a table that a merged cell covers: one that begins above, or to the left."""

    ABOVE = 1
    LEFT = 2


def spread(rows: Iterable[Sequence[str | Covered]]) -> Iterator[list[str]]:
    """The rows with the value of a merged cell in each row that it covers, and in each column of the head, the first row with several
    values: a reader of one row, or a question for it, needs the value there. A row without a value of its own stays empty.
    """
    above = list[str]()
    has_head = False
    for row in rows:
        own = sum(1 for cell in row if cell and not isinstance(cell, Covered))
        values, shown = list[str](), list[str]()
        for at, cell in enumerate(row):
            if isinstance(cell, str):
                value, is_shown = cell, True
            elif cell is Covered.ABOVE:
                value, is_shown = (above[at] if at < len(above) else ""), own > 0
            else:
                value, is_shown = (values[-1] if values else ""), own > 1 and not has_head
            values.append(value)
            shown.append(value if is_shown and (cell == value or len(value) <= LONGEST_REPEATED) else "")
        above, has_head = values, has_head or own > 1
        while shown and not shown[-1] and isinstance(row[len(shown) - 1], Covered):
            shown.pop()
        yield shown


def add_table(rows: Iterable[list[str]], text: Text) -> None:
    """Add rows as a Markdown table, with the first row as its head."""
    text.gap()
    for line in table_lines(rows):
        text.add(line)
    text.gap()


_MOST_LINES = 20  # of one cell, above a table or below it; guess


def in_sheet(rows: Iterable[list[str]], text: Text) -> None:
    """Add the rows of a sheet that are not empty as a table. Few lines of one cell above and below it are its titles and
    notes, which are neither its head nor its rows.
    """
    given = (_trimmed(row) for row in rows if any(row))
    above = list[list[str]]()
    for row in given:
        above.append(row)
        if not _is_line(row) or len(above) > _MOST_LINES:
            break
    if all(map(_is_line, above)):
        add_table(chain(above, given), text)
        return
    below = list[list[str]]()
    text.gap()
    for row in above[:-1]:
        text.add(escaped(_line(row)))
    add_table(_without_last_lines(chain(above[-1:], given), below), text)
    for row in below:
        text.add(escaped(_line(row)))


def _without_last_lines(rows: Iterable[list[str]], below: list[list[str]]) -> Iterator[list[str]]:
    """The rows up to the last one with several cells; the lines after it are left in `below`."""
    for row in rows:
        below.append(row)
        if not _is_line(row) or len(below) > _MOST_LINES:
            yield from below
            below.clear()


def _trimmed(row: list[str]) -> list[str]:
    while not row[-1]:
        row.pop()
    return row


def _is_line(row: list[str]) -> bool:
    return sum(map(bool, row)) < 2


def _line(row: list[str]) -> str:
    return " ".join(next(filter(None, row)).split())


def rows_of(text: str) -> Iterator[list[str]]:
    """The rows of comma-separated values, or of values that a semicolon or tab separates."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    with suppress(csv.Error):  # of a field that is too long
        for row in csv.reader(text.splitlines(), delimiter=delimiter):
            if any(row):
                yield row[:WIDEST]


def table_lines(rows: Iterable[list[str]]) -> Iterator[str]:
    """The lines of a Markdown table, with the first row as its head."""
    for number, cells in enumerate(rows):
        yield _row(cells)
        if not number:
            yield "|" + " --- |" * len(cells)
