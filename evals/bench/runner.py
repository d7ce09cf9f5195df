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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from daypack import __version__, tokens
from daypack.api import Daypack
from daypack.doors.sources import rules
from daypack.doors.sources.retrieval.assembly import assembly_text
from daypack.doors.sources.types import (
    MOST_ASSEMBLED,
    AssembledSection,
    AssembleRequest,
    RetrievedSource,
    RetrieveRequest,
    Source,
    SourceDraft,
)
from daypack.errors import BadSuite, InputError
from daypack.evaluate.cases import TermsScope
from daypack.guard.inputs import NotReadable, read_file
from daypack.settings import Settings
from daypack.types import Tokenizer
from evals.bench.page import page
from evals.bench.questions import BenchCase, BenchSuite, read_suite, suite_json
from evals.bench.scoring import Judged, Outcome, PlainBm25, judged, prefix_hit
from evals.bench.summary import Conditions, Summary, summed
from evals.bench.worlds import SESSIONS, USERS, Corpus, Variant, rows

Progress = Callable[[int, int], None]
BEGINNING = 1_790_000_000.0  # Unix seconds; any moment will do
_FIELDS = frozenset(
    {
        "source_key",
        "text",
        "kind",
        "scope",
        "title",
        "summary",
        "tags",
        "metadata",
        "user_id",
        "session_id",
        "structured_data",
        "data_schema",
    }
)


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options that a set is asked with. `max_records` of each owner, scope and kind stay; None keeps all."""

    limit: int = 6
    ranking: str = "common"
    vectors: str = "all"
    embedder: str = "minilm"
    tokenizer: Tokenizer = Tokenizer.O200K
    max_records: int | None = None


class SetRun(NamedTuple):
    """A set that was asked: the figures, the answers, and (source key, reason) of rows that could not be kept."""

    summary: Summary
    outcomes: list[Outcome]
    skipped: list[tuple[str, str]]


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


def read_rows(path: Path) -> list[dict[str, Any]]:
    """A set from a file with a JSON object a line. Raises BadSuite."""
    found = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadSuite(path.name, f"line {number}", f"is not JSON ({error})") from None
        if not isinstance(row, dict) or not isinstance(row.get("source_key"), str) or not row["source_key"]:
            raise BadSuite(path.name, f"line {number}", "must be an object with a source_key")
        found.append(row)
    if not found:
        raise BadSuite(path.name, "", "holds no record; a set has a JSON object a line")
    return found


def read_cases(path: Path, *, token_budget: int) -> BenchSuite:
    """A suite from a file. Raises BadSuite."""
    return read_suite(_text(path), path.name, token_budget=token_budget)


def _text(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8-sig")
    except NotReadable as error:
        raise BadSuite(path.name, "", f"cannot be read ({error.why})") from None
    except UnicodeDecodeError:
        raise BadSuite(path.name, "", "is not UTF-8 text") from None


# ---------------------------------------------------------------- asking


def run_set(
    found: Sequence[Mapping[str, Any]],
    suites: Sequence[BenchSuite],
    options: AskOptions,
    *,
    name: str,
    variant: str,
    seed: int | None,
    store: Path | None = None,
    progress: Progress | None = None,
) -> SetRun:
    """Keep the rows of a set, put every case of the suites to it, and sum up.

    Without `store` in one that is thrown away.
    """
    with _opened(store, options) as daypack:
        started = time.process_time()
        skipped, pruned = ingest(daypack, found)
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
    return SetRun(summed(conditions, outcomes), outcomes, skipped)


def run_jsonl(
    dataset: Path,
    cases: Path,
    store: Path,
    out: Path,
    *,
    suite_name: str,
    limit: int,
    token_budget: int,
    embedder: str,
) -> dict[str, Any]:
    """One suite put to one set, both from files, in a store that stays: what the result file holds. Raises
    BadSuite, InputError.

    A store that is there is taken as it is; what it holds of the set already is unchanged.
    """
    found, suite = read_rows(dataset), replace(read_cases(cases, token_budget=token_budget), name=suite_name)
    summary, outcomes, skipped = run_set(
        found,
        [suite],
        AskOptions(limit=limit, embedder=embedder),
        name=dataset.stem,
        variant=dataset.stem,
        seed=None,
        store=store,
    )
    (run,) = summary.runs
    result_path, report_path = out / "benchmark-result.json", out / "benchmark-report.html"
    result = {
        "suite_name": suite_name, "dataset_path": str(dataset), "cases_path": str(cases), "data_root": str(store), "output_dir": str(out),
        "runtime_seconds": run.seconds, "imported_records": summary.conditions.records,
        "skipped_records": [{"source_key": key, "reason": why} for key, why in skipped], "pruned_records_total": summary.conditions.pruned,
        "total_cases": run.cases, "retrieval_hits": run.hits, "assembly_hits": run.assembled, "retrieval_hit_rate": round(run.hits / run.cases, 6),
        "assembly_hit_rate": round(run.assembled / run.cases, 6), "prefix_hit_rate": round(summary.total.prefix.value, 6),
        "cases": [
            {
                "name": one.case.name, "query_text": one.case.query, "retrieval_hit": one.daypack.hit, "assembly_hit": one.daypack.assembled,
                "expected_source_keys": [*one.case.keys], "retrieved_source_keys": [*one.retrieved], "tokens_used": one.tokens,
            }
            for one in outcomes
        ],
        "result_path": str(result_path), "report_path": str(report_path),
    }  # fmt: skip
    try:
        out.mkdir(parents=True, exist_ok=True)
        result_path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        report_path.write_text(page([summary]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror})") from None
    return result


@contextlib.contextmanager
def _opened(store: Path | None, options: AskOptions) -> Iterator[Daypack]:
    settings = Settings(
        embedder=options.embedder,
        of_doors=()
        if options.max_records is None
        else (("max_records_per_scope_kind", str(options.max_records)),),
    )
    with contextlib.ExitStack() as stack:
        folder = (
            store
            if store is not None
            else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daypack-bench-"))) / ".daypack"
        )
        yield stack.enter_context(Daypack.open(folder, settings=settings, clock=_Clock()))


def ingest(daypack: Daypack, found: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[str, str]], int]:
    """Upsert every row; (source key, why) of those that cannot be kept, and how many records a capacity
    pruned for others.
    """
    skipped, pruned = [], 0
    for row in found:
        try:
            done = daypack.sources.upsert(
                row["source_key"],
                SourceDraft(
                    **{field: row[field] for field in _FIELDS - {"source_key"} if row.get(field) is not None}
                ),
            )
        except (InputError, TypeError, ValueError) as error:
            skipped.append((row["source_key"], str(error)))
        else:
            pruned += len(done.pruned.records) if done.pruned is not None else 0
    return skipped, pruned


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
        about: dict[str, Any] = {
            "user_id": case.user or None,
            "session_id": case.session or None,
            "include_user_scope": case.include_user,
            "include_global_scope": case.include_global,
            "ranking": self._options.ranking,
            "vectors": self._options.vectors,
        }
        sources = self._daypack.sources
        started = time.process_time()
        found = sources.retrieve(RetrieveRequest(case.query, limit=self._options.limit, **about))
        retrieved = time.process_time()
        text = sources.assemble(
            AssembleRequest(case.query, token_budget=case.budget, tokenizer=self._options.tokenizer, **about)
        )
        assembled = time.process_time()
        keys = tuple(item.source_key for item in found.items)
        view, words = self._view(case)
        return Outcome(
            suite=suite,
            case=case,
            retrieved=keys,
            prefix=prefix_hit(case, keys),
            daypack=judged(case, keys, self._where(case, found.items, text.context_text)),
            bm25=self._packed(case, [view[key] for key in words.ranked(case.query, MOST_ASSEMBLED)]),
            oracle=self._packed(case, [view[key] for key in case.keys if key in view]),
            tokens=text.tokens_used,
            retrieve_ms=round(1000 * (retrieved - started), 3),
            assemble_ms=round(1000 * (assembled - retrieved), 3),
        )

    def _where(self, case: BenchCase, items: Sequence[RetrievedSource], text: str) -> str:
        """Text in which the terms of a case are looked for."""
        return (
            text
            if case.terms_scope is TermsScope.ASSEMBLED_CONTEXT
            else "\n".join(item.text for item in items)
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
        return judged(case, [item.source_key for item in first], self._where(case, first, text))


def _whole(record: Source) -> RetrievedSource:
    primary = (record.data_schema or {}).get("primary_text_paths", ())
    text = rules.indexed_text(record.text, record.structured_fields, primary)
    return RetrievedSource(record, 0, text, 1.0, {"rank": 1.0}, 0, "")


def _versions() -> dict[str, str]:
    return {"daypack": __version__, "python": platform.python_version(), "numpy": np.__version__}
