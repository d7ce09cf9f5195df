"""Tables that arrange a page, taken apart, so that code keeps its lines and a heading stays one.

<table><tr><td><pre>1 2</pre><td><pre>a()\nb()</pre></table>   →   <div><pre>a()\nb()</pre></div>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from daypack.doors.reading.pages.merged import merged_cells
from daypack.doors.reading.pages.tables import Cell, Edit, Table, words_in

_OPENS_CODE = re.compile(r"<pre\b[^<>]*>\s*(?:<code\b[^<>]*>\s*)?\Z", re.IGNORECASE)
_CLOSES_CODE = re.compile(r"\s*(?:</code\s*>\s*)?</pre\s*>", re.IGNORECASE)
_LEAST_ROWS = 2  # of several values; one such row is the body of a page below its banner. guess
_LONGEST_GUTTER = 200_000  # characters of the numbers of lines, with their tags


def arranges(table: Table) -> bool:
    """True if the page says so, if the table has one cell, if it has a heading and no head, or if most rows below its
    head hold code of several lines or tables, or headings below no names of columns, which a row of Markdown cannot.
    """
    cells = [cell for row in table.rows for cell in row]
    headed = any(cell.is_head for cell in cells)
    if table.is_presentation or len(cells) == 1 or (not headed and any(cell.has_heading for cell in cells)):
        return True
    heads = [row for row in table.rows if all(cell.is_head for cell in row)]
    rows = [row for row in table.rows if not all(cell.is_head for cell in row)]
    named = any(len(row) > 1 for row in heads)
    blocks = sum(
        any(cell.has_code or cell.has_table or (cell.has_heading and not named) for cell in row)
        for row in rows
    )
    return 2 * blocks > len(rows)


def titles(table: Table) -> list[Cell]:
    """The headings that stand alone in their rows above rows of values, as Doxygen writes them; none for other tables."""
    values = [row for row in table.rows if not _is_title(row)]
    several = sum(len(row) > 1 for row in values)
    if table.is_presentation or several < _LEAST_ROWS or 2 * several < len(values):
        return []
    if any(cell.has_code or cell.has_heading or cell.has_table for row in values for cell in row):
        return []
    return [row[0] for row in table.rows if _is_title(row)]


def _is_title(row: list[Cell]) -> bool:
    return len(row) == 1 and row[0].has_heading


def divided(text: str, table: Table, above: list[Cell]) -> Iterator[Edit]:
    """The edits that end the table above each of these titles, and begin another below. Empty rows are not shown."""
    for cell in above:
        yield cell.start, cell.content, "</tr></table><div>"
        yield cell.end, cell.after, "</div><table><tr>"
    yield from merged_cells(text, replace(table, rows=[row for row in table.rows if not _is_title(row)]))


def taken_apart(text: str, table: Table) -> Iterator[Edit]:
    """The edits that leave the contents of its cells, one below the other, without the numbers of lines beside code."""
    outer = _OPENS_CODE.search(text, max(0, table.start - 200), table.start)
    behind = _CLOSES_CODE.match(text, table.end) if outer else None
    if outer and behind:  # code in a table in code, as Rouge writes it
        yield outer.start(), outer.end(), ""
        yield behind.start(), behind.end(), ""
    for first, last in table.tags:
        yield first, last, "<div>" if first == table.start else "</div>" if last == table.end else ""
    for row in table.rows:
        codes = sum(cell.has_code for cell in row)
        for cell in row:
            if codes > cell.has_code and _numbers_lines(text, cell):
                yield cell.start, cell.after, ""
            else:
                yield cell.start, cell.content, "<div>"
                yield cell.end, cell.after, "</div>"


def _numbers_lines(text: str, cell: Cell) -> bool:
    """True if the cell holds the numbers of lines, one after the other, and nothing else."""
    if cell.has_table or cell.end - cell.content > _LONGEST_GUTTER:
        return False
    numbers = words_in(text[cell.content : cell.end]).split()
    if not numbers or not all(
        number.isascii() and number.isdigit() and len(number) < 8 for number in numbers
    ):
        return False
    first = int(numbers[0])
    return [*map(int, numbers)] == [*range(first, first + len(numbers))]
