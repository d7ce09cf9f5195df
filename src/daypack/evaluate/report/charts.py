"""Charts as SVG inside a page: pure functions of numbers, with colours and type from the page's style.

Each has its content in words, as a label and under the pointer, so that colours are never needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daypack.evaluate.report.text import percent
from daypack.evaluate.runs import Rate


def rate_bar(rate: Rate) -> str:
    """A bar of the rate, and a line for its 95 % interval."""
    low, high = rate.interval
    label = f"{percent(rate.value)}, 95 % interval {percent(low)} to {percent(high)}"
    return (
        f'<svg viewBox="0 0 300 16" role="img" aria-label="{label}"><title>{label}</title><rect class="track" y="3" width="300" height="10" rx="3"/>'
        f'<rect class="bar" y="3" width="{300 * rate.value:.1f}" height="10" rx="3"/>'
        f'<path class="whisker" fill="none" d="M{1 + 298 * low:.1f} 1V15M{1 + 298 * low:.1f} 8H{1 + 298 * high:.1f}M{1 + 298 * high:.1f} 1V15"/></svg>'
    )


def plain_bar(part: int, whole: int) -> str:
    width = 300 * min(1.0, part / whole) if whole else 0.0
    return (
        '<svg viewBox="0 0 300 16" aria-hidden="true"><rect class="track" y="3" width="300" height="10" rx="3"/>'
        f'<rect class="bar" y="3" width="{width:.1f}" height="10" rx="3"/></svg>'
    )


def counts(found: Sequence[tuple[str, int]]) -> Iterator[str]:
    """A row a label, as long as its count; at least one count must not be 0."""
    most = max(count for _, count in found)
    yield f'<svg viewBox="0 0 360 {22 * len(found)}" style="max-width:32rem" role="img" aria-label="{", ".join(f"{label}: {count}" for label, count in found)}">'
    for row, (label, count) in enumerate(found):
        y = 22 * row
        width = 240 * count / most
        yield (
            f'<text x="44" y="{y + 15}" text-anchor="end">{label}</text><rect class="bar" x="52" y="{y + 4}" width="{width:.1f}" height="14" rx="3"/>'
            f'<text x="{58 + width:.1f}" y="{y + 15}">{count:,}</text>'
        )
    yield "</svg>"
