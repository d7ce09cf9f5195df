"""Events in lanes on an axis of time: a wide picture for screens, and a tall one for phones.

Pure: moments in, marks in units of the picture out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LANE, HEAD = 34.0, 18.0  # heights: of a lane, and of its name above it in the tall picture
EDGE = 8.0  # half of the width of a mark
TICK = 22.0


class Moment(NamedTuple):
    """An event: its time, its colour, a text about it, and the target of a click."""

    time: float
    colour: int
    about: str
    link: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    colour: int
    about: str
    link: str


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Lanes:
    width: float
    height: float
    left: float
    rows: tuple[float, ...]  # the middle of each lane
    dots: tuple[Dot, ...]
    names: tuple[Label, ...]
    ticks: tuple[Label, ...]


def lanes(
    moments: Mapping[str, Sequence[Moment]],
    first: float,
    last: float,
    told: Callable[[float], str],
    *,
    width: float,
    beside: float = 0.0,
    ticks: int = 5,
) -> Lanes:
    """The lanes by name, the first on top. Names are in a column of the width `beside`, or, if that is 0, above the lanes.
    `told` formats a time of the axis, in Unix seconds.
    """
    span = max(last - first, 1e-9)
    left, right = beside + EDGE, width - EDGE
    above = 0.0 if beside else HEAD
    step = LANE + above
    rows = tuple(number * step + above + LANE / 2 for number in range(len(moments)))
    dots: list[Dot] = []
    names: list[Label] = []
    for y, (name, found) in zip(rows, moments.items(), strict=True):
        names.append(Label(0.0, y + 4 if beside else y - LANE / 2 - 3, name))
        dots += [
            Dot(round(left + (right - left) * (one.time - first) / span, 1), y, *one[1:]) for one in found
        ]
    height = len(moments) * step + TICK
    marks: list[Label] = []
    for number in range(ticks):
        share = number / (ticks - 1)
        anchor = "start" if not number else "end" if number == ticks - 1 else "middle"
        text = told(first + span * share)
        if not marks or marks[-1].text != text:  # minutes of a short span repeat
            marks.append(Label(round(left + (right - left) * share, 1), height - 5, text, anchor))
    return Lanes(width, height, left, rows, tuple(dots), tuple(names), tuple(marks))
