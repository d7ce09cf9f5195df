"""Passages: the run of lines that is worth most for its size and reads as a piece, from one seam to another.

A run keeps a share of its worth: that of the seam where it begins, times that of the seam where it ends. Inside a block that it
opens it ends a little worse than behind it; one that goes on after the end of the block in which it begins is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TypeAlias

from daypack.pack.extracts.lines import EQUAL, MARGIN
from daypack.pack.extracts.seams import BROKEN, Seams

_Kept: TypeAlias = tuple[float, tuple[int, int]]
"""(the worth that a run keeps, the run)."""

UNCLOSED = 0.9  # the share of its worth that a run keeps which ends inside a block that it opens


def best_passages(
    lines: Sequence[str], joints: Seams, worth: Sequence[float], sizes: Sequence[int], held: int | None = None
) -> list[tuple[int, int]]:
    """For each size (first, end) of the consecutive lines, of at most so many characters or one line, that keep most of their
    worth; of equals the first. `sizes` ascend. No run begins or ends with a blank line; with `held` it has that line.
    """
    costs = [len(line.strip()) + MARGIN for line in lines]
    margins = _margins(joints.indents, joints.rests)
    best: list[_Kept] = [(0.0, (0, 1))] * len(sizes)
    indents, count, most = joints.indents, len(lines), sizes[-1]
    for first in range(count if held is None else held + 1):
        if costs[first] == MARGIN:
            continue
        level, begin = margins[first][0], joints.begins[first]
        total, cost, place, has_left = 0.0, 0, 0, False
        for at in range(first, count):
            total += worth[at] * begin
            cost += costs[at]
            if at > first:
                if cost > most:
                    break
                while cost > sizes[place]:
                    place += 1
            if -1 < indents[at] < level:
                has_left = True
            # no seam adds worth
            if total <= best[place][0] + EQUAL or costs[at] == MARGIN or (held is not None and at < held):
                continue
            margin, is_rest = margins[at + 1]
            inside = margin > level or (margin == level and is_rest)
            kept = total * joints.ends[at + 1] * (BROKEN if has_left else UNCLOSED if inside else 1.0)
            if kept > best[place][0] + EQUAL:
                best[place] = kept, (first, at + 1)
    return [run for _, run in accumulate(best, _better)]


def _better(one: _Kept, other: _Kept) -> _Kept:
    return other if other[0] > one[0] + EQUAL else one


def _margins(indents: Sequence[int], rests: Sequence[bool]) -> list[tuple[int, bool]]:
    """The indentation of the first line from each on that has one, and whether it is the rest of a block; -1 at the end."""
    margins = [(-1, False)]
    for indent, is_rest in zip(reversed(indents), reversed(rests), strict=True):
        margins.append((indent, is_rest) if indent >= 0 else margins[-1])
    return margins[::-1]
