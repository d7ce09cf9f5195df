"""Tables that arrange a page, taken apart, so that code keeps its lines and a heading stays one.

<table><tr><td><pre>1 2</pre><td><pre>a()\nb()</pre></table>   →   <div><pre>a()\nb()</pre></div>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.doors.reading.pages.tables import Cell, Edit, Table, words_in

_OPENS_CODE = re.compile(r"<pre\b[^<>]*>\s*(?:<code\b[^<>]*>\s*)?\Z", re.IGNORECASE)
_CLOSES_CODE = re.compile(r"\s*(?:</code\s*>\s*)?</pre\s*>", re.IGNORECASE)
_LONGEST_GUTTER = 200_000  # characters of the numbers of lines, with their tags


def arranges(table: Table) -> bool:
    """True if the page says so, if the table has one cell, if it has a heading and no head, or if most rows below its
    head hold code of several lines, headings or tables, which a row of Markdown cannot.
    """
    cells = [cell for row in table.rows for cell in row]
    headed = any(cell.is_head for cell in cells)
    if table.is_presentation or len(cells) == 1 or (not headed and any(cell.has_heading for cell in cells)):
        return True
    rows = [row for row in table.rows if not all(cell.is_head for cell in row)]
    blocks = sum(any(cell.has_code or cell.has_heading or cell.has_table for cell in row) for row in rows)
    return 2 * blocks > len(rows)


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
