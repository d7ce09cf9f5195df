"""A plot of bars side by side as SVG, with colours and type from the page's style.

Each bar has its content in words, under the pointer and in the label of the plot, so that colours are never needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from daypack.evaluate.report.text import percent

_SERIES = 4
"""Number of series with a colour of their own: classes s0 … s3 of the style."""
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 720, 290, 46, 34, 36  # the plot's frame in units of the picture
_LETTER = 6.4  # width of a letter of the plot's type


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with the ends of its interval, None where there is none."""

    value: float
    interval: tuple[float, float] | None = None


def grouped(title: str, groups: Mapping[str, Mapping[str, Bar]], *, unit: str = "%") -> str:
    """Bars side by side: group → series → bar, all series of the first group in every other.

    `unit` "%" is for shares from 0 to 1.
    """
    shares = unit == "%"
    names = list(next(iter(groups.values())))
    top = (
        1.0
        if shares
        else _rounded_up(max((bar.value for found in groups.values() for bar in found.values()), default=0.0))
    )
    high = _HEIGHT - _TOP - _BOTTOM

    def written(value: float) -> str:
        return percent(value) if shares else f"{value:,.3g} {unit}"

    def y(value: float) -> float:
        return _TOP + high * (1 - min(value, top) / top)

    label = escape(
        "; ".join(
            f"{group}: {', '.join(f'{name} {written(bar.value)}' for name, bar in found.items())}"
            for group, found in groups.items()
        )
    )
    parts = [
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}. {label}"><title>{escape(title)}</title>'
    ]
    for step in range(5):
        at = y(top * step / 4)
        parts.append(
            f'<path class="grid" fill="none" d="M{_LEFT} {at:.1f}H{_WIDTH}"/><text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{written(top * step / 4)}</text>'
        )
    across = (_WIDTH - _LEFT) / len(groups)
    thick = min(40.0, 0.8 * across / len(names))
    crowded = max(map(len, groups)) * _LETTER > across  # then every other label is a line lower
    for number, (group, found) in enumerate(groups.items()):
        middle = _LEFT + across * (number + 0.5)
        parts.append(
            f'<text x="{middle:.1f}" y="{_HEIGHT - (6 if crowded and number % 2 else 19)}" text-anchor="middle">{escape(group)}</text>'
        )
        for place, name in enumerate(names):
            bar = found[name]
            left, head = middle + (place - len(names) / 2) * thick, y(bar.value)
            told = escape(f"{group}, {name}: {written(bar.value)}")
            if bar.interval is not None:
                told += escape(f", 95 % interval {written(bar.interval[0])} to {written(bar.interval[1])}")
            parts.append(
                f'<rect class="s{place % _SERIES}" x="{left + 1:.1f}" y="{head:.1f}" width="{thick - 2:.1f}" height="{_TOP + high - head:.1f}"><title>{told}</title></rect>'
            )
            if bar.interval is not None:
                centre, (low, best) = left + thick / 2, bar.interval
                parts.append(
                    f'<path class="whisker" fill="none" d="M{centre:.1f} {y(best):.1f}V{y(low):.1f}"/>'
                )
    left = float(_LEFT)
    for place, name in enumerate(names):
        parts.append(
            f'<rect class="s{place % _SERIES}" x="{left:.0f}" y="6" width="12" height="12"/><text x="{left + 17:.0f}" y="17">{escape(name)}</text>'
        )
        left += 34 + _LETTER * len(name)
    return "".join([*parts, "</svg>"])


def _rounded_up(value: float) -> float:
    """The next of 1, 2, 4, 5, 8 times a power of ten: its quarters are short numbers. 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= value * 0.999999)
