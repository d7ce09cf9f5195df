"""Tables of a PDF: words and their places → rows of cells.

A PDF has no tables, only letters at places. Lines whose words leave wide gaps above each other are taken for rows, and the
strips that no word enters for the borders of columns:

    Berth         Day      Remarks                   [["Berth", "Day", "Remarks"],
    up to 8 m   18.00      with electricity     →     ["up to 8 m", "18.00", "with electricity from May"],
                           from May                   ["8 to 12 m", "26.00", ""]]
    8 to 12 m   26.00

Distances are in points, tops grow upwards; `em` is the size of the letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

WIDE = 1.0  # em; a gap that no text has between two words
NARROW = 0.33  # em; the least gap between two cells, …
WIDER = 1.25  # … and so many times the least gap of its line, …
MOST_BLANK = 0.6  # em; … unless even this is wider than the blank of a justified text
LEVEL = 0.3  # em; words of one line differ by less, as its superscripts do
FAR = 3.0  # em; a table has no larger gap between two lines
APART = 1.15  # times the distance between the lines of a cell; rows are farther from each other
FEWEST_ROWS = 3  # of a table with two columns; one with more has two
MOST_COLUMNS = 30
MOST_LINES = 8  # of a row on average; where fewer lines have a first cell, each line is a row. guess


class Word(NamedTuple):
    """A word of a page: the places of its edges and of its base line."""

    text: str
    left: float
    right: float
    base: float


class Table(NamedTuple):
    """The table in the lines [start, end) of a page."""

    start: int
    end: int
    rows: list[list[str]]


class _Strip(NamedTuple):
    """A run of words, or a column: its edges."""

    left: float
    right: float

    def meets(self, other: _Strip) -> bool:
        return self.left < other.right and other.left < self.right


def tables(lines: Sequence[Sequence[Word]], em: float, begins: Sequence[bool]) -> list[Table]:
    """The tables of a page, in order. `begins` tells for each line whether a table may begin with it."""
    found: list[Table] = []
    at = 0
    while at < len(lines):
        if begins[at] and _gaps(_runs(lines[at], em), WIDE * em):
            end, columns = _grown(lines, at, em)
            start = _first(lines, found[-1].end if found else 0, at, em)
            words = [word for line in lines[start:end] for word in line]
            rows = _rows(words, columns, em)
            proper = _proper(columns, lines[start:end], rows[0], em)
            if len(proper) < len(columns):
                columns, rows = proper, _rows(words, proper, em)
            if len(rows) >= (FEWEST_ROWS if len(columns) == 2 else 2) and _is_filled(rows):
                found.append(Table(start, end, rows))
                at = end
                continue
        at += 1
    return found


def _runs(words: Sequence[Word], em: float) -> list[_Strip]:
    """The cells that a line may have, from left to right."""
    strips = sorted(_Strip(word.left, word.right) for word in words)
    least = min((right.left - left.right for left, right in pairwise(strips)), default=0.0)
    justified = len(strips) > 2 and least < MOST_BLANK * em
    return _united(strips, max(NARROW * em, WIDER * least) if justified else NARROW * em)


def _united(strips: Iterable[_Strip], gap: float = 0.0) -> list[_Strip]:
    """The strips from left to right, those joined that overlap or are nearer than `gap`."""
    found: list[_Strip] = []
    for strip in sorted(strips):
        if found and strip.left - found[-1].right < gap:
            found[-1] = _Strip(found[-1].left, max(found[-1].right, strip.right))
        else:
            found.append(strip)
    return found


def _gaps(runs: Sequence[_Strip], least: float) -> list[_Strip]:
    """The gaps between runs that have this width and more."""
    return [
        _Strip(left.right, right.left) for left, right in pairwise(runs) if right.left - left.right >= least
    ]


def _grown(lines: Sequence[Sequence[Word]], start: int, em: float) -> tuple[int, list[_Strip]]:
    """(the end of the table that begins at a line, its columns): a line belongs to it that leaves open a border in each wide
    gap of each line.
    """
    columns = _runs(lines[start], em)
    wide = _gaps(columns, WIDE * em)
    highest = max(word.base for word in lines[start]) + em
    lowest = min(word.base for word in lines[start])
    end, kept = start + 1, columns
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if not line or not lowest - FAR * em < min(word.base for word in line) <= highest:
            break
        runs = _runs(line, em)
        columns = _united([*columns, *runs])
        wide += _gaps(runs, WIDE * em)
        borders = _gaps(columns, 0.0)
        if len(columns) > MOST_COLUMNS or not all(any(map(gap.meets, borders)) for gap in wide):
            break
        lowest = min(lowest, *(word.base for word in line))
        if len(runs) > 1 or runs[0].left >= columns[0].right:
            end, kept = number + 1, columns
    return end, kept


def _proper(
    columns: Sequence[_Strip], lines: Sequence[Sequence[Word]], head: Sequence[str], em: float
) -> list[_Strip]:
    """The columns, those joined between which the head has no border, and of which no line with both has a wide gap."""
    placed = [_placed(line, columns) for line in lines]
    found = [columns[0]]
    for number, right in enumerate(columns[1:]):
        gaps = [
            min(word.left for word in cells[number + 1]) - max(word.right for word in cells[number])
            for cells in placed
            if number in cells and number + 1 in cells
        ]
        if not gaps or max(gaps) >= WIDE * em or (head[number] and head[number + 1]):
            found.append(right)
        else:
            found[-1] = _Strip(found[-1].left, right.right)
    return found


def _first(lines: Sequence[Sequence[Word]], least: int, start: int, em: float) -> int:
    """The first line of a table: those before `start`, down to `least`, which are nearer than lines of text, belong to its first
    row, whose short cells stand beside the middle of a long one.
    """
    while (
        start > least
        and lines[start - 1]
        and abs(lines[start - 1][0].base - max(word.base for word in lines[start])) < em
    ):
        start -= 1
    return start


def _rows(words: Sequence[Word], columns: Sequence[_Strip], em: float) -> list[list[str]]:
    """The cells of a table, row by row."""
    levels = _levels(words, em)
    placed = [_placed(level, columns) for level in levels]
    pitch = _pitch(levels, placed, len(columns))
    if pitch:
        rows = _joined(levels, placed, pitch)
    else:  # the lines of a cell are as far from each other as rows are
        rows = []
        continues = MOST_LINES * sum(0 in cells for cells in placed) >= len(placed)
        for cells in placed:
            if rows and continues and 0 not in cells:
                rows[-1].append(cells)
            else:
                rows.append([cells])
    return [
        [
            " ".join(word.text for cells in row for word in cells.get(number, ()))
            for number in range(len(columns))
        ]
        for row in rows
    ]


def _levels(words: Sequence[Word], em: float) -> list[list[Word]]:
    """The words of each line of the page, from the top, each from left to right."""
    found: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -word.base):
        if found and found[-1][0].base - word.base < LEVEL * em:
            found[-1].append(word)
        else:
            found.append([word])
    return [sorted(level, key=lambda word: word.left) for level in found]


def _placed(words: Sequence[Word], columns: Sequence[_Strip]) -> dict[int, list[Word]]:
    """Number of a column → its words in a line."""
    found: dict[int, list[Word]] = {}
    for word in words:
        number = next((at for at, column in enumerate(columns) if word.left < column.right), len(columns) - 1)
        found.setdefault(number, []).append(word)
    return found


def _pitch(levels: Sequence[Sequence[Word]], placed: Sequence[Mapping[int, list[Word]]], width: int) -> float:
    """The distance between two lines of one cell, where it is less than that between rows; 0 where no cell has two lines."""
    steps = [
        (levels[above][0].base - levels[below][0].base, len(placed[below]) < width)
        for above, below in _steps(placed)
    ]
    least = min((distance for distance, _ in steps), default=0.0)
    if not least or max(distance for distance, _ in steps) < APART * least:
        return 0.0
    near = [partial for distance, partial in steps if distance < APART * least]
    return least if 3 * sum(near) >= 2 * len(near) else 0.0


def _steps(placed: Sequence[Mapping[int, list[Word]]]) -> Iterator[tuple[int, int]]:
    """The neighbouring lines of each column: (above, below)."""
    for number in sorted({number for cells in placed for number in cells}):
        yield from pairwise(at for at, cells in enumerate(placed) if number in cells)


def _joined(
    levels: Sequence[Sequence[Word]], placed: Sequence[Mapping[int, list[Word]]], pitch: float
) -> list[list[Mapping[int, list[Word]]]]:
    """The lines of each row: those between the first and the last line of a cell belong together."""
    together = set()
    for above, below in _steps(placed):
        if levels[above][0].base - levels[below][0].base < APART * pitch:
            together |= {*range(above, below)}
    rows: list[list[Mapping[int, list[Word]]]] = []
    for at, cells in enumerate(placed):
        if at and at - 1 in together:
            rows[-1].append(cells)
        else:
            rows.append([cells])
    return rows


def _is_filled(rows: Sequence[Sequence[str]]) -> bool:
    """True when most rows have two cells and more."""
    return 2 * sum(sum(map(bool, row)) > 1 for row in rows) > len(rows)
