"""The knowledge base's search against plain BM25 and against the levels that were set for it: quality, and
CPU a question.

Quality is that of `Daypack.search`, which `daypack search` and the tool ctx_search call; a question's time is
that of its ten best results, its own embedding included, on a store that has its vectors and is warm.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.quality.answers import Answer, Options, since
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.daypack_system import DaypackSystem, filter_arguments

LIMIT = 10
CPU_MS = 25.0  # of the 95th percentile
LEVELS: Mapping[str, Mapping[str, float]] = {
    "locomo-a": {"ER@250": 0.70, "ER@500": 0.79, "ER@1000": 0.86, "ER@2000": 0.91},
    "beam-100k-a": {"nDCG@10": 0.47, "ER@1000": 0.52, "ER@4000": 0.68},
}
BUDGETS: Mapping[str, Sequence[int]] = {"locomo-a": (250, 500, 1000, 2000), "beam-100k-a": (1000, 4000)}
SHOWN = ("RR", "nDCG@10", "R@10")


class Knowledge(DaypackSystem):
    """Daypack with its vectors made, and a question asked once more as a user does."""

    def __init__(self, collection: Collection, store: Path, options: Options) -> None:
        super().__init__(collection, store, options)
        self._daypack.search("warm", limit=LIMIT)

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        started = time.process_time()
        self._daypack.search(query.text, limit=LIMIT, **filter_arguments(query))
        asked = since(started)
        found = super().answer(query, budgets)
        return Answer(found.ranked, found.packs, {**found.ms, "question": asked})


def compared(name: str, ours: Mapping[str, Any], bm25: Mapping[str, Any]) -> Iterator[str]:
    """Lines about one set: each measure beside BM25's and beside its level, then the time."""
    levels = LEVELS.get(name, {})
    for measure in dict.fromkeys((*SHOWN, *levels)):
        if measure not in ours["measures"]:
            continue
        mean, plain = ours["measures"][measure]["mean"], bm25["measures"][measure]["mean"]
        level = levels.get(measure, plain)
        what = f"level {level:.2f}" if measure in levels else "BM25"
        yield f"  {measure:<8} {mean:.3f}  BM25 {plain:.3f}  {'at or above' if mean >= level else 'below'} {what}"
    p50, p95 = ours["ms"]["question"]["p50"], ours["ms"]["question"]["p95"]
    yield f"  CPU      p50 {p50:.1f} ms  p95 {p95:.1f} ms  {'within' if p95 <= CPU_MS else 'above'} {CPU_MS:g} ms"
