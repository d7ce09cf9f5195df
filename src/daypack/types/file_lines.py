"""The lines of a file behind the lines of the text that was made of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple


class FileLine(NamedTuple):
    """A line of a text, and the first and the last line of the file with its words."""

    number: int
    first: int
    last: int


class FileLines(NamedTuple):
    """The lines of a file behind those of its text, for a format that is rendered on the way in and whose file has lines: a page,
    mail, a chat. Its citations name the lines of the file.

    The lines `starts` of the text are on the lines from `firsts` to `lasts` of the file; below each, all three rise one by one.
    """

    starts: tuple[int, ...]
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    size: int  # of the lines of the text
    unit: str = "line"

    @classmethod
    def of(cls, found: Iterable[FileLine], count: int) -> FileLines:
        """From the lines of a text that are not blank, in order."""
        rows: list[FileLine] = []
        expected = None
        for row in found:
            number, first, last = row
            if expected != (number - first, last - first):
                rows.append(row)
                expected = number - first, last - first
        starts, firsts, lasts = zip(*rows, strict=True)
        return cls(starts, firsts, lasts, count)

    @classmethod
    def from_metadata(cls, stored: Mapping[str, Any]) -> FileLines:
        steps: Sequence[int] = stored["steps"]
        firsts = tuple(accumulate(steps[1::3]))
        lasts = tuple(first + more for first, more in zip(firsts, steps[2::3], strict=True))
        return cls(tuple(accumulate(steps[::3])), firsts, lasts, stored["count"])

    def to_metadata(self) -> dict[str, Any]:
        """As metadata store them: by how much both numbers rise, and how many lines of the file are below the first."""
        steps = list[int]()
        before = (0, 0)
        for start, first, last in zip(self.starts, self.firsts, self.lasts, strict=True):
            steps += (start - before[0], first - before[1], last - first)
            before = start, first
        return {"steps": steps, "count": self.size}

    def in_file(self, first: int, last: int) -> tuple[int, int]:
        """The lines of the file that hold lines of the text."""
        begin = self._first(first)
        return begin, max(begin, self._last(last))

    def in_text(self, first: int, last: int) -> tuple[int, int]:
        """The lines of the text that lines of the file hold; the last is before the first where they hold none."""
        numbers = range(1, self.size + 1)
        return bisect_left(numbers, first, key=self._last) + 1, bisect_right(numbers, last, key=self._first)

    def at(self, _line: int) -> str:
        """The fragment of a citation, as of `Pages`: the lines of the file need none."""
        return ""

    def find(self, fragment: str) -> None:
        """No lines, as of `Pages`: no fragment names any."""

    def _first(self, line: int) -> int:
        return self._of(self.firsts, line)

    def _last(self, line: int) -> int:
        return self._of(self.lasts, line)

    def _of(self, lines: Sequence[int], line: int) -> int:
        at = bisect_right(self.starts, line)
        found = lines[at - 1] + line - self.starts[at - 1] if at else lines[0]
        return min(found, lines[at]) if at < len(lines) else found
