"""The questions of a suite put to a store.

The answers come from the same two verbs that users call; `judge` judges them.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Protocol, TypeVar, Unpack

import numpy as np

from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import FilterArguments
from daypack.engine.limits import check_limits
from daypack.errors import BadBudget, BadSuite, ModelError, QueryTooLong
from daypack.evaluate.cases import Case, Expected, Expects, Suite
from daypack.evaluate.judge import DEPTH, Answer, Instead, Passage, judge, path_lines
from daypack.evaluate.runs import Options, Run, StoreState, made_run
from daypack.filters import Filter, Not, OneOf
from daypack.index import census
from daypack.index.store import Store
from daypack.ports import Progress
from daypack.shapes.weights import described
from daypack.types import (
    Budget,
    Chunk,
    Excerpt,
    Pack,
    Packing,
    SearchResult,
    Tokenizer,
    VectorMode,
    cited_lines,
)

T = TypeVar("T")
_PLAIN = Options()


def counted(items: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """The items; `progress` is called with (done, total) before each and at the end."""
    for number, item in enumerate(items):
        if progress is not None:
            progress(number, len(items))
        yield item
    if progress is not None:
        progress(len(items), len(items))


class Files(Protocol):
    """The door of files, which knows the stored name of a file."""

    def name_of(self, path: str) -> str: ...


class Searchable(Protocol):
    """A store that suites are put to: its two verbs, and the engine that ranks for them."""

    @property
    def engine(self) -> Engine: ...

    @property
    def files(self) -> Files: ...

    def refresh_if_stale(self, refresh: bool | None) -> object:
        """Read changed files from the disk, unless `refresh` is False."""

    def search(
        self,
        query: str,
        *,
        limit: int,
        vectors: VectorMode,
        filter: Filter | None,
        refresh: bool,
        **filters: Unpack[FilterArguments],
    ) -> SearchResult: ...

    def pack(
        self,
        query: str,
        *,
        budget: int,
        tokenizer: Tokenizer,
        packing: Packing,
        vectors: VectorMode,
        filter: Filter | None,
        refresh: bool,
        **filters: Unpack[FilterArguments],
    ) -> Pack: ...

    def resolve_scope(
        self, query: str, *, filter: Filter | None, **filters: Unpack[FilterArguments]
    ) -> tuple[Engine, Filter | None]:
        """The engine that a search with these arguments asks, and its filter."""


def run_suite(
    store: Searchable,
    suite: Suite,
    options: Options,
    *,
    refresh: bool | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask every case and judge the answers. Raises BadSuite for a case that this store cannot answer."""
    names, aside = ready(store, suite, refresh, options)
    results = [
        judge(case, _answer(store, names, case, options, aside), options.limit)
        for case in counted(suite.cases, progress)
    ]
    return made_run(
        suite, results, options, store_state(store.engine, options.vectors), _versions(), store.engine.clock()
    )


def ready(
    store: Searchable, suite: Suite, refresh: bool | None, options: Options = _PLAIN
) -> tuple[Names, Filter | None]:
    """Refresh the store; returns the names of its records, and the filter of every case.

    Raises BadSuite for a case that cannot be asked.
    """
    for number, case in enumerate(suite.cases, 1):
        try:
            check_limits(case.query, Budget(_budget(case, options), options.tokenizer))
        except (QueryTooLong, BadBudget) as error:
            raise BadSuite(suite.name, f"case {number} {case.name!r}:", str(error)) from None
    store.refresh_if_stale(refresh)  # once: one state of the disk answers the whole suite
    names = Names(store.engine.store)
    for number, case in enumerate(suite.cases, 1):
        if problem := names.impossible_lines(case.expected):
            raise BadSuite(suite.name, f"case {number} {case.name!r}, field expected_paths", problem)
    # A suite inside an indexed folder holds every question, and would answer them all.
    own = store.files.name_of(suite.file) if suite.file else ""
    return names, Not(OneOf("uri", (own,))) if names.has_path(own) else None


def _budget(case: Case, options: Options) -> int:
    return options.budget if case.token_budget is None else case.token_budget


def _answer(store: Searchable, names: Names, case: Case, options: Options, aside: Filter | None) -> Answer:
    asked: dict[str, Any] = {"vectors": options.vectors, "refresh": False, "filter": aside, **case.filters}
    found = store.search(case.query, limit=max(DEPTH, options.limit), **asked)
    budget = _budget(case, options)
    pack = store.pack(
        case.query, budget=budget, tokenizer=options.tokenizer, packing=options.packing, **asked
    )
    packed = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    left_out = {omission.reference: omission.reason for omission in reversed(pack.omitted)}
    chunks = {candidate.chunk.id: candidate.chunk for candidate in pack.candidates}
    return Answer(
        ranked=tuple(names.passage(candidate.chunk) for candidate in found.candidates),
        packed=tuple(
            names.excerpt(excerpt, [chunks[i] for i in excerpt.citation.chunk_ids])
            for excerpt in pack.excerpts
        ),
        candidates=tuple(
            (names.passage(chunk), None if chunk.id in packed else left_out[chunk.reference])
            for chunk in chunks.values()
        ),
        text=pack.text,
        tokens_used=pack.tokens_used,
        budget=pack.budget,
        empty_search=found.empty_reason,
        empty_pack=pack.empty_reason,
        lacking=dict(names.lacking(case.expected)),
        degraded=tuple(dict.fromkeys((*found.stats.degraded, *pack.stats.degraded))),
        vectors_pending=pack.stats.vectors_pending,
        seconds=round(
            sum(s.retrieve_seconds + s.embed_seconds + s.pack_seconds for s in (found.stats, pack.stats)), 6
        ),
    )


class Names:
    """Names of the records of a store. Read once for a whole suite."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records = store.record_names()
        self._symbols: frozenset[str] | None = None  # read when a case expects one

    def has_path(self, uri: str) -> bool:
        return any(name.uri == uri for name in self._records.values())

    def impossible_lines(self, expected: Iterable[Expected]) -> str:
        """The fault in the lines of an expected path that no file can have, "" without such a path."""
        for one in expected:
            if one.kind is not Expects.PATH or self.has_path(one.text):
                continue
            _, first, last = path_lines(one.text)
            if last < first:
                return f"{one.text!r} ends before it begins; write the first line first"
            if first < 1:
                return f"{one.text!r} begins at line {first}; lines are counted from 1"
        return ""

    def _last_line(self, uri: str) -> int:
        return max(self._lines(record_id) for record_id, name in self._records.items() if name.uri == uri)

    def _lines(self, record_id: int) -> int:
        """The last line of a record that a citation can show."""
        count = self._store.record_text(record_id).removesuffix("\n").count("\n") + 1
        return cited_lines(self._store.pages_of(record_id), 1, count)[1]

    def passage(self, chunk: Chunk) -> Passage:
        name = self._records.get(chunk.record_id)
        uid, source_key = (name.uid, name.source_key) if name is not None else ("", "")
        place, symbols = chunk.place, (chunk.name,) if chunk.name else ()
        return Passage(chunk.uri, place.start_line, place.end_line, chunk.text, uid, source_key, symbols)

    def excerpt(self, excerpt: Excerpt, chunks: Sequence[Chunk]) -> Passage:
        """An excerpt by its own lines and text, and by the names of its parts."""
        span, symbols = excerpt.citation.span, tuple(chunk.name for chunk in chunks if chunk.name)
        lines: dict[str, Any] = {"start_line": span.start_line, "end_line": span.end_line}
        return replace(self.passage(chunks[0]), **lines, text=excerpt.text, symbols=symbols)

    def lacking(self, expected: Iterable[Expected]) -> Iterator[tuple[Expected, Instead]]:
        """Yield the expected things that the store does not contain, each with what it has instead."""
        for one in expected:
            match one.kind:
                case Expects.ID:
                    names = {name.uid for name in self._records.values()}
                case Expects.SOURCE_KEY:
                    names = {
                        key for name in self._records.values() for key in (name.uid, name.source_key) if key
                    }
                case Expects.PATH:
                    names = {name.uri for name in self._records.values()}
                    uri, first, _ = path_lines(one.text)
                    if one.text not in names and uri in names:
                        if first > (last := self._last_line(uri)):
                            yield one, Instead(f"{uri}:1-{last}", last)
                        continue
                case Expects.SYMBOL:
                    if self._symbols is None:
                        found = self._store.symbols()
                        self._symbols = found | {symbol.rpartition(".")[2] for symbol in found}
                    names = set(self._symbols)
                    if any(name.endswith(f".{one.text}") for name in names):
                        continue
                case Expects.TERM:
                    continue
            if one.text not in names:
                wanted = path_lines(one.text)[0] if one.kind is Expects.PATH else one.text
                yield one, Instead(_nearest(wanted, names))


def _nearest(wanted: str, names: Iterable[str]) -> str:
    from rapidfuzz import process

    found = process.extractOne(wanted, sorted(names), score_cutoff=75)
    return found[0] if found is not None else ""


def store_state(engine: Engine, vectors: VectorMode) -> StoreState:
    """The state of the store, with the counts of `daypack status`: of the visible records alone."""
    sequence, vector_sequence = engine.store.sequences()
    model = ""
    if vectors is not VectorMode.NONE:
        with contextlib.suppress(ModelError):  # every case reports that its dense arm could not answer
            model = engine.embedding.model.model_id
    with engine.store.reading() as db:
        visible = engine.visibility.visible(db)
        kinds, _ = census.count_records(db, visible)
        places = census.chunks_by_place(db, visible, model)
    missing = sum(place.chunks - place.encoded for place in places) if model else 0
    return StoreState(
        sum(kinds.values()),
        sum(place.chunks for place in places),
        sequence,
        vector_sequence,
        missing,
        model,
        described(engine.snapshots.factors(model)),
    )


def _versions() -> dict[str, str]:
    import apsw

    return {
        "daypack": version("daypack"),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "numpy": np.__version__,
    }
