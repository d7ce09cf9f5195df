"""Results of one system on one set: a line of JSON a query, and the summary that is kept.

    {"id": "q1", "ranked": [item, ...], "packs": {"250": [item, ...]}, "used": {"250": 243}, "cites": {"250": [3, 3]},
     "content": {"250": [221, 243]}, "ms": {"search": 9.1, "250": 14.0},
     "measures": {"RR": 0.5, ...}}

An item is a document id, {"doc_id", "start", "end", "score"} (characters) or {"doc_id", "start_line",
"end_line", "score"} for files. `used` are the tokens of the rendered pack, `cites` citations that lead back
to their text, and all; `content` the o200k tokens of the texts, and of the pack; `ms` is CPU time; `measures` are what the line is worth, absent where the query has no
answer. Whatever else answers a set writes `id`, `ranked` and `packs`.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from daypack.evaluate.choosing import Estimate, estimate
from evals.quality.datasets import Dataset
from evals.quality.measures import measured
from evals.quality.statistics import by_measure

Line = Mapping[str, Any]
PACKAGES = ("daypack", "numpy", "onnxruntime", "apsw", "tokenizers", "tree-sitter", "bm25s")


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def write_lines(path: Path, lines: Sequence[Line]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def with_measures(dataset: Dataset, lines: Sequence[Line]) -> list[dict[str, Any]]:
    """A line a query of the set, measured; a query without a line counts as unanswered."""
    lengths = {record["id"]: len(record["text"]) for record in dataset.records}
    budgets = {budget for line in lines for budget in line.get("packs") or {}}
    by_id = {line["id"]: line for line in lines}
    found = []
    for query in dataset.queries:
        line = by_id.get(
            query.id, {"id": query.id, "ranked": [], "packs": {budget: [] for budget in budgets}}
        )
        values = measured(dataset, lengths, line)
        found.append(
            {**line, "measures": {name: round(value, 6) for name, value in values.items()}}
            if values is not None
            else dict(line)
        )
    return found


def scores(lines: Iterable[Line]) -> dict[str, dict[str, float]]:
    """Query → measure → value, for the queries that have an answer."""
    return {line["id"]: line["measures"] for line in lines if "measures" in line}


def summary(
    dataset: Dataset, system: str, lines: Sequence[Line], *, size: int = 0, index_seconds: float | None = None
) -> dict[str, Any]:
    """Summary of measured lines: means with intervals, overall and by category, and what they were taken on.

    `size` is the number of chunks or pieces that were searched, of the largest collection.
    """
    rows = scores(lines)
    groups: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for query in dataset.queries:
        if query.id in rows and query.category:
            groups[query.category].append(rows[query.id])
    return {
        "set": dataset.name,
        "kind": dataset.kind.value,
        "digest": dataset.digest,
        "system": system,
        "queries": len(dataset.queries),
        "scored": len(rows),
        "measures": _estimates(by_measure(rows.values())),
        "categories": {
            name: {"scored": len(found), "measures": _estimates(by_measure(found))}
            for name, found in sorted(groups.items())
        }
        if len(groups) > 1
        else {},
        "size": size,
        "ms": _times(lines),
        "index_seconds": index_seconds,
        "made_with": provenance(),
    }


def _estimates(columns: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {name: _rounded(estimate(values)) for name, values in columns.items() if values}


def _rounded(found: Estimate) -> dict[str, Any]:
    return {
        "mean": round(found.mean, 4),
        "low": round(found.low, 4),
        "high": round(found.high, 4),
        "n": found.n,
    }


def _times(lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """CPU milliseconds by step: median and 95th percentile."""
    columns = by_measure(line["ms"] for line in lines if "ms" in line)
    return {
        step: {
            "p50": round(sorted(values)[len(values) // 2], 2),
            "p95": round(sorted(values)[int(0.95 * (len(values) - 1))], 2),
        }
        for step, values in columns.items()
    }


def provenance() -> dict[str, Any]:
    """Commit, versions and kind of machine; nothing that names a person, a place or a host."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        "packages": {name: version for name in PACKAGES if (version := _version(name))},
        "machine": {"system": platform.system(), "architecture": platform.machine(), "cpus": os.cpu_count()},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _commit() -> str:
    """The commit of this repository, with "+" where files differ from it; "" outside a repository."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        commit = subprocess.run(
            [*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
    return commit + ("+" if changed.strip() else "")
