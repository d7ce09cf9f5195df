"""The order in which people read the parts of a PDF's page.

    as stored         as read
    Total 40          Invoice 7
    Paid 40           Total 40
    Invoice 7         Paid 40

A program may store a page from its end, or its heading last. A part that is above another one, and overlaps it from left to
right, is read before it; else the stored order holds, which tells columns apart. A part is a line, or a table: its lines are
found in the order in which they are stored, because other lines may be between them on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

MOST = 1_000  # parts of a page, because all pairs are compared
ABOVE = 0.6  # of the larger letters' height, between the middles of two lines
BESIDE = 0.5  # of the smaller letters' height, by which two parts overlap from left to right


class Place(NamedTuple):
    """The edges of a part, the middles of its first and last line, and the height of its letters."""

    left: float
    right: float
    first: float
    last: float
    size: float

    def is_above(self, other: Place) -> bool:
        """True when this part is above another one, in its column."""
        overlap = min(self.right, other.right) - max(self.left, other.left)
        distance = self.last - other.first
        return distance > ABOVE * max(self.size, other.size) and overlap > BESIDE * min(self.size, other.size)


def united(places: Iterable[Place | None]) -> Place | None:
    """The place of several lines together; None where none has one."""
    known = [place for place in places if place is not None]
    if not known:
        return None
    lefts, rights, firsts, lasts, sizes = zip(*known, strict=True)
    return Place(min(lefts), max(rights), max(firsts), min(lasts), max(sizes))


def reading_order(places: Sequence[Place | None]) -> list[int]:
    """The indexes of parts as people read them. A part without a place, as rotated text, stays behind the part before it."""
    if len(places) > MOST:
        return [*range(len(places))]
    groups: list[list[int]] = [[]]  # a part with a place, and those without one that follow it
    known: list[Place] = []
    for at, place in enumerate(places):
        if place is None:
            groups[-1].append(at)
        else:
            known.append(place)
            groups.append([at])
    order = groups[0]
    left = dict.fromkeys(range(len(known)))
    while left:
        waiting = [next(iter(left))]
        while waiting:
            place = known[waiting[-1]]
            above = next((other for other in left if known[other].is_above(place)), None)
            if above is not None:
                waiting.append(above)
            else:
                del left[waiting[-1]]
                order += groups[waiting.pop() + 1]
    return order
