"""Rows, targets, and the table that they make."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("daypack", "apsw", "numpy", "onnxruntime", "PyStemmer", "splintr-rs", "tree-sitter", "bm25s")


@dataclass(frozen=True)
class Target:
    """A bound, `least` or not more than."""

    bound: float
    at_least: bool = False

    def met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound


@dataclass(frozen=True)
class SpeedRow:
    """One figure. `note` says how it was measured; `ratio` sets it against another one of the same run."""

    group: str
    what: str
    value: float
    unit: str
    target: Target | None = None
    ratio: str = ""
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "met" if self.target.met(self.value) else "MISSED"

    @property
    def target_text(self) -> str:
        return (
            ""
            if self.target is None
            else f"{'≥' if self.target.at_least else '≤'} {self.target.bound:g} {self.unit}"
        )


def figure(value: float) -> str:
    """Three digits, which is more than repeats."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def markdown(rows: Sequence[SpeedRow], facts: dict[str, Any]) -> str:
    lines = ["| | figure | target | | beside | how |", "|---|---:|---:|---|---|---|"]
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append(f"| **{group}** | | | | | |")
        lines.append(
            f"| {row.what} | {figure(row.value)} {row.unit} | {row.target_text} | {row.verdict} | {row.ratio} | {row.note} |"
        )
    judged = [row for row in rows if row.target is not None]
    met = sum(row.verdict == "met" for row in judged)
    head = [f"{met} of {len(judged)} targets met."]
    head += [f"{name}: {value}" for name, value in facts["corpora"].items()]
    loops = ", ".join(
        f"{milliseconds:.1f} {when}" for when, milliseconds in facts["loop_milliseconds"].items()
    )
    head.append(
        f"Machine: {facts['machine']}. How fast it was meanwhile: a fixed loop of plain Python took, in ms of CPU, {loops}."
    )
    head.append(
        "Versions: " + ", ".join(f"{name} {number}" for name, number in facts["versions"].items()) + "."
    )
    return "\n".join(["\n\n".join(head), "", *lines]) + "\n"


def as_data(rows: Sequence[SpeedRow], facts: dict[str, Any]) -> dict[str, Any]:
    return {
        **facts,
        "rows": [{**asdict(row), "target": row.target_text, "verdict": row.verdict} for row in rows],
    }


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"


def versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
