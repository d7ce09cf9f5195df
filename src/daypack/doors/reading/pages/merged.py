"""Merged cells of the tables of a web page, written out, so that each row of its Markdown has their values.

<tr><td rowspan=2>Monday<td>Ann<tr><td>Bob   →   <tr><td>Monday<td>Ann<tr><td>Monday</td><td>Bob
"""

from __future__ import annotations

from collections.abc import Iterator

from daypack.doors.reading.office.text import WIDEST, Covered, spread
from daypack.doors.reading.pages.tables import Cell, Edit, Table, without_spans, words_in


def merged_cells(text: str, table: Table) -> list[Edit]:
    """The edits that give each place below a merged cell a cell. A table that would become twice as long has none."""
    cells = [cell for row in table.rows for cell in row]
    if any(cell.has_table for cell in cells) or all(cell.high == cell.wide == 1 for cell in cells):
        return []
    edits = [
        (cell.start, cell.content, without_spans(text[cell.start : cell.content]))
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


def _grid(text: str, rows: list[list[Cell]]) -> Iterator[list[str | Covered]]:
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
            places.append(words_in(text[cell.content : cell.end]))
            places += [Covered.LEFT] * (last - len(places))
        covering = {at: (high - 1, side) for at, (high, side) in {**covering, **begun}.items() if high > 1}
        yield places
