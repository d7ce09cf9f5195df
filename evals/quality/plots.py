"""The report's plots, as SVG that a page takes in whole.

Text and axes are drawn in the colour of the text around them, so a plot reads on a light page and on a dark
one; lines and bars have colours that stand out from both, and are told apart for the colour-blind (Okabe &
Ito). Drawn by matplotlib, without dates and with fixed ids, so that the same figures give the same file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import matplotlib.lines
import matplotlib.ticker
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C8C8C", "#B8A600")
_INK = "#010203"  # stands for the colour of the text around, and is replaced by it
_STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "daypack", "font.family": "sans-serif", "font.size": 9, "axes.edgecolor": _INK, "axes.labelcolor": _INK,
    "text.color": _INK, "xtick.color": _INK, "ytick.color": _INK, "axes.spines.top": False, "axes.spines.right": False, "grid.color": _INK,
    "grid.alpha": 0.12, "axes.grid": True, "axes.axisbelow": True, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.linewidth": 0.6,
}  # fmt: skip

NOTHING = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="plot" style="max-width:400px" viewBox="0 0 400 40">'
    '<text y="25" font-size="14" fill="currentColor">Nothing of this kind was measured.</text></svg>'
)

Bar = tuple[float, float, float]
"""A mean and the ends of its interval."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points by x, each a mean with the ends of its interval."""

    name: str
    points: Mapping[int, Bar]


@dataclass(frozen=True, slots=True)
class Panel:
    """One set's part of a figure."""

    title: str
    curves: Sequence[Curve] = ()
    bars: Mapping[str, Mapping[str, Bar]] | None = None  # system → category → bar


def curves(panels: Sequence[Panel], names: Sequence[str], *, banded: Sequence[str], label: str) -> str:
    """Small multiples: a measure against the token budget. `names` are the lines in the order of their
    colours; `banded` ones have their interval around them.
    """
    if not panels:
        return NOTHING
    colours = _colours(names)
    with mpl.rc_context(_STYLE):
        columns = min(3, len(panels))
        rows = -(-len(panels) // columns)
        figure = Figure(figsize=(3.3 * columns, 2.5 * rows + 0.5), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False)
        for number, axes in enumerate(grid.flat):
            if number >= len(panels):
                axes.set_visible(False)
                continue
            panel = panels[number]
            for curve in panel.curves:
                _curve(axes, curve, colours[curve.name], band=curve.name in banded)
            axes.set_title(panel.title)
            axes.set_ylim(0, 1.02)
        grid[0][0].set_ylabel(label)
        drawn = {curve.name for panel in panels for curve in panel.curves}
        _legend(figure, {name: colour for name, colour in colours.items() if name in drawn})
        return _svg(figure)


def _curve(axes: Axes, curve: Curve, colour: str, *, band: bool) -> None:
    budgets = sorted(curve.points)
    means, lows, highs = zip(*(curve.points[budget] for budget in budgets), strict=True)
    axes.plot(budgets, means, color=colour, marker="o", markersize=2.5, linewidth=1.6 if band else 1.0)
    if band:
        axes.fill_between(budgets, lows, highs, color=colour, alpha=0.13, linewidth=0)
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()


def category_bars(panels: Sequence[Panel], names: Sequence[str], *, label: str) -> str:
    """Bars by category with whiskers for their intervals, a panel a set; `names` as in `curves`."""
    panels = [panel for panel in panels if panel.bars]
    if not panels:
        return NOTHING
    drawn = {name for panel in panels for name in panel.bars or {}}
    colours = {name: colour for name, colour in _colours(names).items() if name in drawn}
    heights = [0.42 * len(_categories(panel)) + 0.7 for panel in panels]
    with mpl.rc_context({**_STYLE, "axes.grid.axis": "x"}):
        figure = Figure(figsize=(8, sum(heights) + 0.6), layout="constrained")
        grid = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
        for axes, panel in zip(grid.flat, panels, strict=True):
            categories, systems = _categories(panel), list(panel.bars or {})
            thick = 0.8 / len(systems)
            for number, system in enumerate(systems):
                found = (panel.bars or {})[system]
                at = [
                    row + (number - (len(systems) - 1) / 2) * thick
                    for row, name in enumerate(categories)
                    if name in found
                ]
                bars = [found[name] for name in categories if name in found]
                axes.barh(at, [mean for mean, _, _ in bars], height=thick * 0.9, color=colours[system])
                axes.hlines(
                    at, [low for _, low, _ in bars], [high for _, _, high in bars], color=_INK, linewidth=0.8
                )
            axes.set_yticks(range(len(categories)), categories)
            axes.invert_yaxis()
            axes.set_xlim(0, 1.0)
            axes.set_title(panel.title, loc="left")
        grid[-1][0].set_xlabel(label)
        _legend(figure, colours)
        return _svg(figure)


def _categories(panel: Panel) -> list[str]:
    return list(dict.fromkeys(name for found in (panel.bars or {}).values() for name in found))


def latency(points: Mapping[str, Mapping[str, tuple[int, float]]], *, label: str) -> str:
    """Medians against the size of the index, both on logarithmic axes: series → set → (chunks, milliseconds)."""
    colours = _colours(list(points))
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7, 3.8), layout="constrained")
        axes = figure.subplots()
        for name, found in points.items():
            placed = sorted((*where, title) for title, where in found.items())
            axes.plot(
                [size for size, _, _ in placed],
                [ms for _, ms, _ in placed],
                "o",
                color=colours[name],
                markersize=5,
            )
        first = next(iter(points.values()), {})
        for title, (size, ms) in first.items():
            axes.annotate(
                title, (size, ms), xytext=(0, 7), textcoords="offset points", fontsize=7, ha="center"
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("chunks in the index")
        axes.set_ylabel(label)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(mpl.ticker.LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:,g}"))
            axis.set_minor_formatter(mpl.ticker.NullFormatter())
        _legend(figure, colours)
        return _svg(figure)


def growth(lines: Mapping[str, Mapping[int, float]], *, label: str) -> str:
    """Costs against the size of a store, both on logarithmic axes: what was done → chunks → milliseconds."""
    colours = _colours(list(lines))
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7, 4.6), layout="constrained")
        axes = figure.subplots()
        for name, found in lines.items():
            sizes = sorted(found)
            axes.plot(sizes, [found[size] for size in sizes], marker="o", markersize=3, color=colours[name])
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("chunks in the store")
        axes.set_ylabel(label)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:,g}"))
            axis.set_minor_formatter(mpl.ticker.NullFormatter())
        _legend(figure, colours)
        return _svg(figure)


def _colours(names: Sequence[str]) -> dict[str, str]:
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(dict.fromkeys(names))}


def _legend(figure: Figure, colours: Mapping[str, str]) -> None:
    handles = [
        mpl.lines.Line2D([], [], color=colour, marker="o", markersize=4, label=name)
        for name, colour in colours.items()
    ]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=min(int(figure.get_figwidth() // 1.9), len(handles)),
        frameon=False,
    )


def _svg(figure: Figure) -> str:
    """The figure as an <svg> element that is as wide as its place allows, and no wider than its text wants."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :].replace(_INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    widest = round(figure.get_figwidth() * 110)
    return re.sub(
        r'<svg ([^>]*?)(?:width|height)="[\d.]+pt" ([^>]*?)(?:width|height)="[\d.]+pt"',
        rf'<svg class="plot" style="max-width:{widest}px" \1\2',
        svg,
        count=1,
    )
