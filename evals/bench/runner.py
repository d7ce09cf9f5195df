"""Sets of the benchmark put to a store: each is kept once through the sources door, and asked all its questions.

A clock that moves by a second a look stands in for the real one, so that ids and ages are the same in every
run.
"""

from __future__ import annotations

import contextlib
import json
import platform
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from daypack import __version__, tokens
from daypack.api import Daypack
from daypack.doors.sources import rules
from daypack.doors.sources.retrieval.assembly import assembly_text
from daypack.doors.sources.retrieval.benchmark import ask, ingest
from daypack.doors.sources.types import (
    MOST_ASSEMBLED,
    AssembledSection,
    RetrievedSource,
    RetrieveRequest,
    Source,
)
from daypack.evaluate.benchmark import BenchCase, BenchSuite, Judged, judged, prefix_hit, searched_text
from daypack.evaluate.cases import TermsScope
from daypack.settings import Settings
from daypack.types import Tokenizer
from evals.bench.questions import suite_json
from evals.bench.scoring import Outcome, PlainBm25
from evals.bench.summary import Conditions, Summary, summed
from evals.bench.worlds import SESSIONS, USERS, Corpus, Variant, rows

Progress = Callable[[int, int], None]
BEGINNING = 1_790_000_000.0  # Unix seconds; any moment will do


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options that a set is asked with. `max_records` of each owner, scope and kind stay; None keeps all."""

    limit: int = 6
    ranking: str = "common"
    vectors: str = "all"
    embedder: str = "minilm"
    tokenizer: Tokenizer = Tokenizer.O200K
    max_records: int | None = None


class _Clock:
    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def dataset_name(corpus: Corpus, variant: Variant) -> str:
    """Name of the file of a set, without its ending."""
    return corpus.value if variant is Variant.MIXED else f"{corpus.value}_{variant.value}"


# ---------------------------------------------------------------- files


def write_sets(
    folder: Path, corpora: Sequence[Corpus], seed: int, suites: Mapping[Corpus, Sequence[BenchSuite]]
) -> list[tuple[Path, int]]:
    """Every variant of the corpora as JSONL, and their suites as JSON: the path of each set, with how many
    rows it has, and of each folder of suites.
    """
    written = []
    for corpus in corpora:
        for variant in Variant:
            path = folder / "datasets" / f"{dataset_name(corpus, variant)}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            found = rows(corpus, variant, seed)
            path.write_text(
                "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found), encoding="utf-8"
            )
            written.append((path, len(found)))
        cases = folder / "cases" / ("" if corpus is Corpus.BASE else corpus.value)
        cases.mkdir(parents=True, exist_ok=True)
        for suite in suites[corpus]:
            (cases / f"{suite.name}.json").write_text(suite_json(suite), encoding="utf-8")
        written.append((cases, len(suites[corpus])))
    return written


# ---------------------------------------------------------------- asking


def run_set(
    found: Sequence[Mapping[str, Any]],
    suites: Sequence[BenchSuite],
    options: AskOptions,
    *,
    name: str,
    variant: str,
    seed: int,
    progress: Progress | None = None,
) -> Summary:
    """Keep the rows of a set in a store that is thrown away, put every case of the suites to it, and sum up."""
    with _opened(options) as daypack:
        started = time.process_time()
        skipped, pruned = ingest(daypack.sources, found)
        if options.vectors == "all":
            _embed(daypack)
        ingested = time.process_time() - started
        asker = _Asker(daypack, options)
        total = sum(len(suite.cases) for suite in suites)
        outcomes: list[Outcome] = []
        for suite in suites:
            for case in suite.cases:
                if progress is not None:
                    progress(len(outcomes), total)
                outcomes.append(asker.outcome(suite.name, case))
        if progress is not None:
            progress(total, total)
        conditions = Conditions(
            name=name,
            variant=variant,
            seed=seed,
            limit=options.limit,
            ranking=options.ranking,
            vectors=options.vectors,
            embedder="" if options.vectors == "none" else daypack.engine.embedding.model.model_id,
            tokenizer=options.tokenizer.value,
            max_records=options.max_records,
            records=len(found) - len(skipped),
            skipped=len(skipped),
            pruned=pruned,
            ingest_seconds=round(ingested, 2),
            ask_seconds=round(time.process_time() - started - ingested, 2),
            versions=_versions(),
        )
    return summed(conditions, outcomes)


@contextlib.contextmanager
def _opened(options: AskOptions) -> Iterator[Daypack]:
    most = options.max_records
    settings = Settings(
        embedder=options.embedder,
        of_doors=() if most is None else (("max_records_per_scope_kind", str(most)),),
    )
    with (
        tempfile.TemporaryDirectory(prefix="daypack-bench-") as folder,
        Daypack.open(Path(folder) / ".daypack", settings=settings, clock=_Clock()) as daypack,
    ):
        yield daypack


def _embed(daypack: Daypack) -> None:
    """Make the vectors of whatever any asker may be shown, so that no question has to wait for them."""
    for user in USERS:
        for session in SESSIONS:
            daypack.sources.retrieve(
                RetrieveRequest("vectors", user_id=user, session_id=session, vectors="all")
            )


class _Asker:
    """Puts cases to a store, and to what they are held against."""

    def __init__(self, daypack: Daypack, options: AskOptions) -> None:
        self._daypack, self._options = daypack, options
        self._count = tokens.counter(options.tokenizer)
        self._views: dict[tuple[str, str, bool, bool], tuple[dict[str, RetrievedSource], PlainBm25]] = {}

    def outcome(self, suite: str, case: BenchCase) -> Outcome:
        how = self._options
        asked = ask(
            self._daypack.sources,
            case,
            limit=how.limit,
            ranking=how.ranking,
            vectors=how.vectors,
            tokenizer=how.tokenizer,
        )
        view, words = self._view(case)
        return Outcome(
            suite=suite,
            case=case,
            retrieved=asked.keys,
            prefix=prefix_hit(case, asked.keys),
            daypack=judged(case, asked.keys, searched_text(case, asked.texts, asked.assembled)),
            bm25=self._packed(case, [view[key] for key in words.ranked(case.query, MOST_ASSEMBLED)]),
            oracle=self._packed(case, [view[key] for key in case.keys if key in view]),
            tokens=asked.tokens,
            retrieve_ms=asked.retrieve_ms,
            assemble_ms=asked.assemble_ms,
        )

    def _view(self, case: BenchCase) -> tuple[dict[str, RetrievedSource], PlainBm25]:
        """Everything that the asker of a case may be shown, as whole records by key."""
        place = (case.user, case.session, case.include_user, case.include_global)
        if place not in self._views:
            records = self._daypack.sources.export(user_id=case.user or None, session_id=case.session or None)
            shown = {"session": True, "user": case.include_user, "global": case.include_global}
            view = {
                item.source_key: item
                for record in records
                if shown[record.scope.value]
                for item in [_whole(record)]
            }
            self._views[place] = view, PlainBm25({key: item.text for key, item in view.items()})
        return self._views[place]

    def _packed(self, case: BenchCase, ranked: Sequence[RetrievedSource]) -> Judged:
        """A ranking of whole records, assembled as the door does it: rendered alike, what has no room is
        passed over.
        """
        first = ranked[: self._options.limit]
        text = ""
        if case.terms_scope is TermsScope.ASSEMBLED_CONTEXT:
            chosen: list[RetrievedSource] = []
            for item in ranked:
                tried = assembly_text([AssembledSection("context", (*chosen, item))])
                if self._count(tried) <= case.budget:
                    chosen.append(item)
                    text = tried
        return judged(
            case,
            [item.source_key for item in first],
            searched_text(case, (item.text for item in first), text),
        )


def _whole(record: Source) -> RetrievedSource:
    primary = (record.data_schema or {}).get("primary_text_paths", ())
    text = rules.indexed_text(record.text, record.structured_fields, primary)
    return RetrievedSource(record, 0, text, 1.0, {"rank": 1.0}, 0, "")


def _versions() -> dict[str, str]:
    return {"daypack": __version__, "python": platform.python_version(), "numpy": np.__version__}
