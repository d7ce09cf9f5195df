"""The layout of a PDF: lines with sizes and positions → Markdown with headings, paragraphs and code.

A heading is a line larger than most of the text, or a bold line with space above it. A paragraph ends when the distance to
the next line is larger than the usual distance. Lines of fixed-width letters are code, indented by their position.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from daypack.doors.reading.office.columns import Word, tables
from daypack.doors.reading.office.order import Place, reading_order, united
from daypack.doors.reading.office.text import escaped, table_lines
from daypack.guard.fences import fence

LARGER = 1.12  # times the usual size; in a line of text and code, the sizes of fonts differ by a tenth
APART = 1.35  # times the usual distance between lines
MOST_INDENTED = 40  # letters of indentation
LONGEST_HEADING, LONGEST_BOLD = 200, 100  # characters
MOST_BOLD = 3  # lines of a title; more are a bold paragraph. guess
MOST_SIZES = 4  # levels by size; the rare smaller sizes have the last of these levels
MOST_CODE = 0.6  # of all characters; a document with more fixed-width letters is typewritten
MOST_HEADINGS = 0.3  # of all lines; a document with more large lines is in large print, without headings
BOLD = 0.0
LEADERS = re.compile(r"(?:\.\s?){4}")  # the dots of a table of contents, which lead to a page
_UNFINISHED = (".", ",", ";", ":", "-")


class Letter(NamedTuple):
    """A letter: its box, in points from the lower left corner of the page, and its font."""

    height: float
    width: float
    left: float
    top: float
    bold: bool
    fixed: bool  # a fixed-width font
    tall: bool = False  # a bracket or letter of a formula, whose box is taller than those around it


class Line(NamedTuple):
    """A line of a page without blanks around it. `letters` are its first, middle and last letter, or others for those
    that have no box.
    """

    text: str
    letters: tuple[Letter, ...]
    words: tuple[Word, ...] = ()
    """Those of a page that may hold a table."""
    is_running: bool = False  # it counts the pages, or is repeated on them

    @property
    def size(self) -> float:
        return self._heights[-1] if self.letters else 0.0

    @property
    def least_size(self) -> float:
        """The height that two of three letters have, for the box of a sign may be taller than its line."""
        return self._heights[(len(self._heights) - 1) // 2] if self.letters else 0.0

    @property
    def _heights(self) -> list[float]:
        heights = sorted(letter.height for letter in self.letters if not letter.tall)
        return heights or sorted(letter.height for letter in self.letters)

    @property
    def top(self) -> float:
        return max((letter.top for letter in self.letters), default=0.0)

    @property
    def place(self) -> Place | None:
        """The place of a level line; None for a rotated one, and for one without letters."""
        middles = [letter.top - letter.height / 2 for letter in self.letters]
        if not middles or max(middles) - min(middles) > self.size:
            return None
        left = min(letter.left for letter in self.letters)
        right = max(letter.left + letter.width for letter in self.letters)
        middle = sum(middles) / len(middles)
        return Place(left, right, middle, middle, self.size)

    @property
    def is_bold(self) -> bool:
        return bool(self.letters) and all(letter.bold for letter in self.letters)

    @property
    def is_fixed(self) -> bool:
        return bool(self.letters) and all(letter.fixed for letter in self.letters)


class _Part(NamedTuple):
    """A line, or the lines of a table with its rows."""

    lines: Sequence[Line]
    rows: list[list[str]] | None = None


def arranged(pages: Sequence[Sequence[Line]]) -> list[str]:
    """The text of each page as Markdown."""
    lines = [line for page in pages for line in page]
    usual, code = _usual(lines), _holds_code(lines)
    ordered = [_ordered(page, usual, code=code) for page in pages]
    read = [[line for part in page for line in part.lines] for page in ordered]
    style = _Style(usual, _distance(read, usual), _levels(lines, usual), code)
    return [re.sub(r"\n{3,}", "\n\n", "\n".join(_arranged(page, style))).strip("\n") for page in ordered]


def _ordered(page: Sequence[Line], usual: float, *, code: bool) -> list[_Part]:
    """The lines and tables of a page in the order in which people read them."""
    begins = [bool(line.words) and not (code and line.is_fixed) for line in page]
    parts: list[_Part] = []
    done = 0
    for table in tables([line.words for line in page], usual, begins):
        parts += (_Part([line]) for line in page[done : table.start])
        parts.append(_Part(page[table.start : table.end], table.rows))
        done = table.end
    parts += (_Part([line]) for line in page[done:])
    return [parts[at] for at in reading_order([united(line.place for line in part.lines) for part in parts])]


class _Style(NamedTuple):
    """The usual size of letters and distance between lines in points, the level of each size of headings, and whether
    fixed-width letters are code.
    """

    usual: float
    distance: float
    levels: dict[float, int]
    code: bool

    def is_apart(self, above: Line | None, line: Line) -> bool:
        """True when a line begins a paragraph. A line that is higher than the one before begins a column, not a paragraph."""
        return above is None or above.top - line.top > APART * self.distance


def _holds_code(lines: Iterable[Line]) -> bool:
    """True when fixed-width letters are less than MOST_CODE of the characters, because a typewritten text has no others."""
    counts: Counter[bool] = Counter()
    for line in lines:
        counts[line.is_fixed] += len(line.text)
    return counts[True] < MOST_CODE * counts.total()


def _rounded(size: float) -> float:
    return round(2 * size) / 2


def _usual(lines: Iterable[Line]) -> float:
    """The size of most characters, in points."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[_rounded(line.size)] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def _distance(pages: Iterable[Sequence[Line]], usual: float) -> float:
    """The most common distance, in points, between neighbouring lines of the usual size; 0 without two such lines."""
    counts = Counter(
        _rounded(above.top - below.top)
        for page in pages
        for above, below in pairwise(page)
        if above.top > below.top and _rounded(above.size) == _rounded(below.size) == usual
    )
    return counts.most_common(1)[0][0] if counts else 0.0


def _levels(lines: Sequence[Line], usual: float) -> dict[float, int]:
    """Size of a heading → its level, from 1; BOLD → the level of bold lines of the usual size."""
    words = [
        line
        for line in lines
        if len(line.text) <= LONGEST_HEADING and _has_words(line.text) and not line.is_running
    ]
    if sum(line.size >= LARGER * usual for line in words) > MOST_HEADINGS * len(lines):
        return {BOLD: 1}
    large = {_rounded(line.least_size) for line in words if line.least_size >= LARGER * usual}
    sizes = sorted(large, reverse=True)
    levels = {size: min(level, MOST_SIZES) for level, size in enumerate(sizes, 1)}
    return {**levels, BOLD: min(len(sizes), MOST_SIZES) + 1}


def _has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]{2}", text) is not None


def _arranged(page: Sequence[_Part], style: _Style) -> Iterator[str]:
    """The parts of a page as Markdown."""
    above: Line | None = None
    for is_table, run in groupby(page, key=lambda part: part.rows is not None):
        parts = [*run]
        if is_table:
            for part in parts:
                yield from ("", *table_lines(part.rows or []), "")
        else:
            yield from _text([line for part in parts for line in part.lines], above, style)
        above = parts[-1].lines[-1]


def _text(page: Sequence[Line], above: Line | None, style: _Style) -> Iterator[str]:
    """Lines as Markdown, with code in fences."""
    for is_code, run in groupby(page, key=lambda line: style.code and line.is_fixed):
        lines = [*run]
        yield from _code(lines, style) if is_code else _paragraphs(lines, above, style)
        above = lines[-1]


def _code(lines: Sequence[Line], style: _Style) -> list[str]:
    """Lines of code in a fence, indented by their positions."""
    first = min(line.letters[0].left for line in lines)
    found: list[str] = []
    for number, line in enumerate(lines):
        if number and style.is_apart(lines[number - 1], line):
            found.append("")
        letter = line.letters[0]
        found.append(" " * min(MOST_INDENTED, round((letter.left - first) / letter.width)) + line.text)
    mark = fence("\n".join(found))
    return ["", mark, *found, mark, ""]


def _paragraphs(lines: Sequence[Line], above: Line | None, style: _Style) -> list[str]:
    """Lines of text as Markdown: each heading on one line with its mark, and blank lines between paragraphs."""
    found: list[str] = []
    level_above = 0
    for line, may_be_title in zip(lines, _may_be_titles(lines, style), strict=True):
        apart = style.is_apart(above, line)
        begins = may_be_title and (apart or level_above == style.levels[BOLD])
        level = _level(line, style.levels, begins=begins)
        if (
            level
            and level == level_above
            and above is not None
            and 0 < above.top - line.top < APART * line.size
        ):
            found[-1] += f" {line.text}"
        else:
            if apart or level or level_above:
                found.append("")
            found.append(f"{'#' * level} {line.text}" if level else escaped(line.text))
        above, level_above = line, level
    return found


def _may_be_titles(lines: Sequence[Line], style: _Style) -> Iterator[bool]:
    """False for the lines of a bold paragraph, as an abstract may be, and for those beside dots in a table of contents."""
    dots = [LEADERS.search(line.text) is not None for line in lines]
    starts = [
        at
        for at, line in enumerate(lines)
        if not at or style.is_apart(lines[at - 1], line) or not line.is_bold
    ]
    for start, end in pairwise([*starts, len(lines)]):
        for at in range(start, end):
            yield end - start <= MOST_BOLD and not any(dots[max(0, at - 1) : at + 2])


def _level(line: Line, levels: dict[float, int], *, begins: bool) -> int:
    """The level of a line that is a heading, from 1; 0 for other lines. A bold one of the usual size has to begin."""
    if line.is_running or len(line.text) > LONGEST_HEADING:
        return 0
    if not _has_words(line.text) or LEADERS.search(line.text):
        return 0
    if level := levels.get(_rounded(line.least_size)):
        return level
    is_title = (
        line.is_bold and begins and len(line.text) <= LONGEST_BOLD and not line.text.endswith(_UNFINISHED)
    )
    return levels[BOLD] if is_title else 0
