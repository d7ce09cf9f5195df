"""Merged cells of the tables of a web page, written out, so that each row of its Markdown has their values.

<tr><td rowspan=2>Monday<td>Ann<tr><td>Bob   →   <tr><td>Monday<td>Ann<tr><td>Monday</td><td>Bob
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from daypack.doors.reading.office.text import WIDEST, Covered, spread

_TOKEN = re.compile(r"<(/?)(table|tr|t[dh])\b", re.IGNORECASE)
# A value between quotation marks may hold < and >. Nothing is read twice.
_PART = r"""(?:[^<>"'=]++|=\s*+(?:"[^"]{0,LONGEST}+"|'[^']{0,LONGEST}+'|(?!["']))|["'])"""
_REST = re.compile(rf"{_PART.replace('LONGEST', '4000')}*+>")
LONGEST_TAG = 4_000  # characters of attributes; a table with a longer tag stays as it is
_SPAN = re.compile(r"""\s(row|col)span\s*=\s*["']?\s*(\d{1,5})[^\s"'>]{0,20}["']?""", re.IGNORECASE)
# bounded, because values that hold tags would be read again for each
_TAG = re.compile(rf"<(?:{_PART.replace('LONGEST', '300')}{{0,20}}+|[^<>]*)>")
_LAYOUT = re.compile(r"""role\s*=\s*["']?(?:presentation|none)\b""", re.IGNORECASE)


class _Cell(NamedTuple):
    """A cell of a page: the places of its tag and its content, and the rows and columns that it covers."""

    start: int
    content: int
    end: int
    after: int  # behind its end tag, if it has one
    high: int
    wide: int


class _Table:
    """A table while it is read. One that holds another arranges the page, and stays as it is, as one with a tag that is not
    understood does.
    """

    def __init__(self, *, is_layout: bool) -> None:
        self.rows: list[list[_Cell]] = []
        self.open: _Cell | None = None
        self.is_layout = is_layout

    def open_cell(self, start: int, content: int, attributes: str) -> None:
        if self.rows:
            spans = {found[1].lower(): max(1, int(found[2])) for found in _SPAN.finditer(attributes)}
            self.open = _Cell(start, content, 0, 0, spans.get("row", 1), spans.get("col", 1))

    def close_cell(self, end: int, after: int) -> None:
        if self.open is not None:
            self.rows[-1].append(self.open._replace(end=end, after=after))
            self.open = None


Edit = tuple[int, int, str]
"""The first and the last place of a stretch of the page, and its replacement."""


def with_merged_cells(text: str) -> str:
    """The page with a cell in each place that a merged one covers. A table that would become twice as long stays as it is."""
    lower = text.lower()
    if "rowspan" not in lower and "colspan" not in lower:
        return text
    edits = [edit for table in _tables(text) for edit in _edits(text, table)]
    parts, at = [], 0
    for first, last, added in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:first], added]
        at = last
    return "".join((*parts, text[at:]))


def _tables(text: str) -> Iterator[_Table]:
    """The tables of a page that end in it, the inner ones first."""
    stack = list[_Table]()
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() < end:  # in an attribute
            continue
        closes, name = bool(token[1]), token[2].lower()
        rest = _REST.match(text, token.end(), token.end() + LONGEST_TAG)
        if stack and (rest is None or (name == "table" and not closes)):
            stack[-1].is_layout = True
        attributes, end = (rest[0], rest.end()) if rest else ("", token.end())
        if name == "table" and not closes:
            stack.append(_Table(is_layout=rest is None or _LAYOUT.search(attributes) is not None))
        elif stack:
            table = stack[-1]
            is_cell = name != "table" and name != "tr"
            table.close_cell(token.start(), end if closes and is_cell else token.start())
            if name == "table":
                yield stack.pop()
            elif is_cell and not closes:
                table.open_cell(token.start(), end, attributes)
            elif not closes:
                table.rows.append([])


def _edits(text: str, table: _Table) -> list[Edit]:
    cells = [cell for row in table.rows for cell in row]
    if table.is_layout or all(cell.high == cell.wide == 1 for cell in cells):
        return []
    edits = [
        (cell.start, cell.content, _SPAN.sub("", text[cell.start : cell.content]))
        for cell in cells
        if cell.high > 1 or cell.wide > 1
    ]
    room = cells[-1].after - cells[0].start
    grid = list[list[str | Covered]]()
    for places in _grid(text, table.rows):
        grid.append(places)
        room -= sum(len(_ADDED) for place in places if isinstance(place, Covered))
        if room < 0:
            return []
    for row, places, shown in zip(table.rows, grid, spread(grid), strict=True):
        coming = [cell.start for cell in row[::-1]]
        for at, place in enumerate(places):
            if isinstance(place, str):
                coming.pop()
            elif row:
                where, value = coming[-1] if coming else row[-1].after, shown[at] if at < len(shown) else ""
                edits.append((where, where, _ADDED.format(value)))
                room -= len(value)
        if room < 0:
            return []
    return edits


_ADDED = "<td>{}</td>"


def _grid(text: str, rows: list[list[_Cell]]) -> Iterator[list[str | Covered]]:
    """The words of the cells of each row, with the places that others cover."""
    # column → the rows for which it is covered from here on, and the side of the covering cell
    covering: dict[int, tuple[int, Covered]] = {}
    for row in rows:
        places, begun = list[str | Covered](), dict[int, tuple[int, Covered]]()
        for cell in (*row, None):
            while (covered := covering.get(len(places))) is not None:
                places.append(covered[1])
            if cell is None or len(places) >= WIDEST:
                break
            last = min(WIDEST, len(places) + cell.wide)
            for at in range(len(places), last):
                begun[at] = cell.high, Covered.LEFT if at > len(places) else Covered.ABOVE
            places.append(" ".join(_TAG.sub(" ", text[cell.content : cell.end]).split()))
            places += [Covered.LEFT] * (last - len(places))
        covering = {at: (high - 1, side) for at, (high, side) in {**covering, **begun}.items() if high > 1}
        yield places
