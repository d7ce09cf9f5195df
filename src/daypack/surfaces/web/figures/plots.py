"""Lines over an axis, as numbers for a template.

Pure: series in, points in units of the picture out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WIDTH = 360.0  # units of the picture, about the width of a phone, so that letters are readable there
LEFT, RIGHT, TOP, BOTTOM = 40.0, 350.0, 10.0, 160.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its text; a tick of an axis with its label."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    path: str  # of an SVG
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    lines: tuple[Line, ...]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    about: str


def plot(
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    top: float,
    about: str,
    across: Callable[[float], str],
    up: Callable[[float], str],
    steps: bool = False,
    marked: bool = True,
) -> Plot:
    """The picture of `series`, name → points from left to right, with at least one point. `across` and `up` format the values of
    the axes. The vertical axis goes from 0 to `top`. With `steps`, a value stays until the next point.
    """
    xs = [x for points in series.values() for x, _ in points]
    first, last = min(xs), max(xs)
    wide = last - first

    def place(x: float, y: float) -> tuple[float, float]:
        at = (x - first) / wide if wide else 0.5
        return round(LEFT + at * (RIGHT - LEFT), 1), round(
            BOTTOM - min(max(y / (top or 1.0), 0.0), 1.0) * (BOTTOM - TOP), 1
        )

    lines = []
    for name, points in series.items():
        placed = [place(x, y) for x, y in points]
        to = "H{0}V{1}" if steps else "L{0} {1}"
        path = "M{} {}".format(*placed[0]) + "".join(to.format(*one) for one in placed[1:])
        told = (
            Mark(*at, f"{name}: {up(y)} at {across(x)}") for at, (x, y) in zip(placed, points, strict=True)
        )
        lines.append(Line(name, path, tuple(told) if marked else ()))
    # by its text, since minutes of a short span repeat
    ticks = {across(x): x for x in ([last, first + wide / 2, first] if wide else [first])}
    return Plot(
        tuple(lines),
        tuple(Mark(*place(x, 0), text) for text, x in reversed(ticks.items())),
        tuple(Mark(LEFT, place(first, top * part / 4)[1], up(top * part / 4)) for part in range(5)),
        about,
    )


def rounded_up(value: float) -> float:
    """The smallest number 4 · d · 10ⁿ, with d from 1 to 10, that is at least `value` and at least 4."""
    if value <= 4:
        return 4.0
    power = 10.0 ** math.floor(math.log10(value / 4))
    return 4 * power * math.ceil(value / 4 / power)
