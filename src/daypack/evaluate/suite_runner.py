"""The questions of a suite put to a store, and where runs are kept.

The room `evaluate` says what an answer is worth; here the answers are fetched, through the same two verbs
that users call.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from daypack import __version__
from daypack.engine.retrieve import weights_for
from daypack.errors import BadBudget, BadRun, BadSuite, DaypackError, ModelError, QueryTooLong, did_you_mean
from daypack.evaluate.arms import Arm, Asked, SelfCheck, checked
from daypack.evaluate.cases import Case, Expected, Expects, Suite, parse_suite
from daypack.evaluate.judge import DEPTH, Answer, Passage, judge, path_lines
from daypack.evaluate.known_items import Question, questions, sampling_key
from daypack.evaluate.runs import NAME, Options, Run, StoreState, from_json, is_run, made_run, to_json
from daypack.filters import Not, OneOf
from daypack.index.vectors import count_pending
from daypack.rank.blend import blend, without_vectors
from daypack.rank.tuned_weights import Factors, described
from daypack.types import Budget, Chunk, Excerpt, VectorMode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.api import Daypack
    from daypack.engine.engine import Engine, Ranked
    from daypack.filters import Filter
    from daypack.index.store import Store

FOLDER = "evals"
"""Inside the store's folder, which keeps itself out of git: runs hold questions and names of files."""
LARGEST_FILE = 64 << 20  # bytes; a run of 10,000 cases has some 10 MB

Progress = Callable[[int, int], None]
_PLAIN = Options()


def run_suite(
    daypack: Daypack,
    suite: Suite,
    options: Options,
    *,
    refresh: bool | None = None,
    progress: Progress | None = None,
) -> Run:
    """Ask every case, judge the answers. Raises BadSuite for a case that this store cannot be asked."""
    names, aside = ready(daypack, suite, refresh, options)
    results = []
    for number, case in enumerate(suite.cases):
        if progress is not None:
            progress(number, len(suite.cases))
        results.append(judge(case, _answer(daypack, names, case, options, aside), options.limit))
    if progress is not None:
        progress(len(suite.cases), len(suite.cases))
    return made_run(
        suite, results, options, _state(daypack.engine, options.vectors), _versions(), daypack.engine.clock()
    )


def ready(
    daypack: Daypack, suite: Suite, refresh: bool | None, options: Options = _PLAIN
) -> tuple[Names, Filter | None]:
    """What the store's records are called, and the filter that every case is asked with.

    Raises BadSuite for one that cannot be asked.
    """
    for number, case in enumerate(suite.cases, 1):
        try:
            daypack.engine.refuse(case.query, Budget(_budget(case, options), options.tokenizer))
        except (QueryTooLong, BadBudget) as error:
            raise BadSuite(suite.name, f"case {number} {case.name!r}:", str(error)) from None
    daypack.look(refresh)  # once: one state of the disk answers the whole suite
    names = Names(daypack.engine.store)
    # A suite that lies in an indexed folder holds every question, and would answer them all.
    own = daypack.files.name_of(suite.file) if suite.file else ""
    return names, Not(OneOf("uri", (own,))) if names.has_path(own) else None


def _budget(case: Case, options: Options) -> int:
    return options.budget if case.token_budget is None else case.token_budget


def _answer(daypack: Daypack, names: Names, case: Case, options: Options, aside: Filter | None) -> Answer:
    found = daypack.search(
        case.query,
        limit=max(DEPTH, options.limit),
        vectors=options.vectors,
        refresh=False,
        filter=aside,
        **case.narrow,
    )
    pack = daypack.pack(
        case.query,
        budget=_budget(case, options),
        tokenizer=options.tokenizer,
        packing=options.packing,
        vectors=options.vectors,
        refresh=False,
        filter=aside,
        **case.narrow,
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
            sum(
                s.retrieve_seconds + s.embed_seconds + s.rank_seconds + s.pack_seconds
                for s in (found.stats, pack.stats)
            ),
            6,
        ),
    )


class Names:
    """What the records of a store may be called. Read once for a whole suite."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records = store.record_names()
        self._symbols: frozenset[str] | None = None  # read when a case expects one

    def has_path(self, uri: str) -> bool:
        return any(name.uri == uri for name in self._records.values())

    def passage(self, chunk: Chunk) -> Passage:
        name = self._records.get(chunk.record_id)
        uid, source_key = (name.uid, name.source_key) if name is not None else ("", "")
        return Passage(
            chunk.uri,
            chunk.span.start_line,
            chunk.span.end_line,
            chunk.text,
            uid,
            source_key,
            (chunk.name,) if chunk.name else (),
        )

    def excerpt(self, excerpt: Excerpt, chunks: Sequence[Chunk]) -> Passage:
        """An excerpt by its own lines and text, and by the names of what it is made of."""
        span = excerpt.citation.span
        symbols = tuple(chunk.name for chunk in chunks if chunk.name)
        return replace(
            self.passage(chunks[0]),
            start_line=span.start_line,
            end_line=span.end_line,
            text=excerpt.text,
            symbols=symbols,
        )

    def lacking(self, expected: Iterable[Expected]) -> Iterator[tuple[Expected, str]]:
        """What nothing in the store is called, with the nearest name that something has."""
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
                    if path_lines(one.text)[0] in names:
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
                yield one, _nearest(path_lines(one.text)[0] if one.kind is Expects.PATH else one.text, names)


def _nearest(wanted: str, names: Iterable[str]) -> str:
    from rapidfuzz import process

    found = process.extractOne(wanted, sorted(names), score_cutoff=75)
    return found[0] if found is not None else ""


def _state(engine: Engine, vectors: VectorMode) -> StoreState:
    counts = engine.store.counts()
    sequence, vector_sequence = engine.store.sequences()
    model = ""
    if vectors is not VectorMode.NONE:
        with contextlib.suppress(ModelError):  # every case says that its dense arm could not answer
            model = engine.embedding.model.model_id
    missing = count_pending(engine.store, model) if model else 0
    return StoreState(
        counts["record"],
        counts["chunk"],
        sequence,
        vector_sequence,
        missing,
        model,
        described(engine.factors(model)),
    )


def _versions() -> dict[str, str]:
    import apsw

    return {
        "daypack": __version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "numpy": np.__version__,
    }


# ---------------------------------------------------------------- the store's own questions


def self_check(
    engine: Engine, *, items: int, seed: int, mode: VectorMode, progress: Progress | None = None
) -> SelfCheck:
    """Ask for `items` chunks of the store by questions made from them, and rank each in every arm."""
    found = _known_items(engine, items, seed)
    asked = []
    turned_away = 0
    for number, question in enumerate(found.questions):
        if progress is not None:
            progress(number, len(found.questions))
        ranked = engine.rank(question.text, mode=mode)
        turned_away += ranked.empty_reason is not None
        asked.append(Asked(question, _ranks(ranked, found.ids[question.chunk_hash], engine.factors(""))))
    if progress is not None:
        progress(len(found.questions), len(found.questions))
    state = _state(engine, mode)
    return checked(
        asked,
        seed=seed,
        items=found.items,
        vectors=mode,
        vectors_missing=state.vectors_missing,
        chunks=state.chunks,
        turned_away=turned_away,
    )


@dataclass(frozen=True, slots=True)
class _KnownItems:
    questions: list[Question]
    items: int  # chunks that they were made from
    ids: dict[str, set[int]]  # hash of a text → the chunks that have it


def _known_items(engine: Engine, items: int, seed: int) -> _KnownItems:
    ids: dict[str, set[int]] = {}
    for chunk_id, hash_ in engine.store.chunk_hashes():
        ids.setdefault(hash_, set()).add(chunk_id)
    order = sorted(ids, key=lambda hash_: sampling_key(hash_, seed))
    found: list[Question] = []
    used = 0
    with engine.store.reading() as db:
        view = engine.snapshot(vectors=False).view
        living = int(view.alive.sum())
        for first in range(0, len(order), 64):
            chunks = engine.store.chunks([min(ids[hash_]) for hash_ in order[first : first + 64]])
            for chunk in sorted(chunks.values(), key=lambda chunk: sampling_key(chunk.hash, seed)):
                if used == items:
                    return _KnownItems(found, used, ids)
                made = list(
                    questions(chunk, lambda term: len(view.postings(db, term).positions), living, seed)
                )
                found += made
                used += bool(made)
    return _KnownItems(found, used, ids)


def _ranks(ranked: Ranked, wanted: set[int], by_words: Factors) -> dict[Arm, int | None]:
    """Where the first of the wanted chunks stands when the pool is ordered by each arm alone, and by their
    fusion; `by_words` are the weights where words alone rank.
    """
    if ranked.pool is None or ranked.scored is None:
        return dict.fromkeys(Arm)
    features, scored = ranked.pool.features, ranked.scored
    ids = np.empty_like(scored.chunk_ids)
    ids[scored.order] = scored.chunk_ids
    words_only = blend(
        without_vectors(features), weights_for(ranked.query, ranked.pool, calibrated=False, factors=by_words)
    ).score

    def rank(values: NDArray[np.float32], has: NDArray[np.bool_]) -> int | None:
        order = np.lexsort((ids, -np.where(has, values, -np.inf)))[: int(has.sum())]
        return next(
            (place for place, chunk_id in enumerate(ids[order].tolist(), 1) if chunk_id in wanted), None
        )

    everything = np.ones(len(ids), dtype=bool)
    # an answer that was held back is no answer, however well it was ranked
    answered = ranked.empty_reason is None
    return {
        Arm.UNIT: rank(features.unit, features.unit > 0),
        Arm.CONTEXT: rank(features.context, features.context > 0),
        Arm.DENSE: rank(features.dense, ~np.isnan(features.dense)),
        Arm.WORDS_ONLY: rank(words_only, everything) if answered else None,
        Arm.FUSED: next(
            (place for place, chunk_id in enumerate(scored.chunk_ids.tolist(), 1) if chunk_id in wanted), None
        )
        if answered
        else None,
    }


# ---------------------------------------------------------------- files


def read_suite_file(path: Path) -> Suite:
    """A suite from a file. Raises BadSuite."""
    suite = parse_suite(_text(path, lambda problem: BadSuite(str(path), "", problem)), path.name)
    return replace(suite, file=os.path.abspath(path))


def _text(path: Path, error: Callable[[str], DaypackError]) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise error(f"has more than {LARGEST_FILE >> 20} MiB")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise error("is not UTF-8 text") from None
    except (OSError, ValueError) as trouble:  # ValueError: a name with NUL
        raise error(f"cannot be read ({getattr(trouble, 'strerror', None) or trouble})") from None


class RunFolder:
    """The runs of a store, each a JSON file that is called like it.

    Files elsewhere are named by their path.
    """

    def __init__(self, store: Path) -> None:
        self.folder = store / FOLDER

    def save(self, run: Run, name: str | None = None) -> tuple[Run, Path]:
        """Keep a run, and the run as it is called now. `name` is a name, or a path that ends in .json; a run
        of that name is replaced.

        Raises BadRun when it is no name, or the file there is something else.
        """
        self.check(name)
        path = self._path(name or run.id)
        if name is not None:
            run = replace(run, id=path.stem)
        try:
            if path.parent == self.folder:
                self.folder.mkdir(mode=0o700, exist_ok=True)
            _write_private(path, to_json(run))
        except OSError as error:
            raise BadRun(
                str(path), f"cannot be written ({error.strerror}); name a file with --as FILE.json"
            ) from None
        return run, path

    def check(self, name: str | None) -> None:
        """Raise BadRun for a name that a run cannot be saved as: asked before the work is done."""
        if name is None:
            return
        path = self._path(name)
        if path.exists() and not is_run_file(path):
            raise BadRun(name, "is there already, and is no run; it was left as it is, choose another name")
        if path.parent != self.folder and not path.parent.is_dir():
            raise BadRun(name, f"there is no folder {path.parent}; make it first")

    def load(self, name: str) -> Run:
        """A run by path, by name, by the start of its name, or `latest` and `latest~N`. Raises BadRun."""
        path = self.find(name)
        return from_json(_text(path, lambda problem: BadRun(name, problem)), name)

    def find(self, name: str) -> Path:
        """The file of a run, as `load` names it. Raises BadRun."""
        if name.endswith(".json") or os.sep in name:
            return Path(name)
        known = self.names()
        if match := re.fullmatch(r"latest(?:~(\d{1,6}))?", name):
            back = int(match[1] or 0)
            if back >= len(known):
                raise BadRun(name, f"there are {len(known)} saved runs; `daypack eval run SUITE` makes one")
            name = known[-1 - back]
        elif name not in known:
            near = [other for other in known if other.startswith(name)]
            if len(near) != 1:
                raise BadRun(name, _no_run(name, near, known))
            name = near[0]
        return self._path(name)

    def write_page(self, name: str, text: str, out: str | None) -> Path:
        """A page at `out`, or beside the run that `name` names. Raises BadRun when it cannot be written."""
        path = self.find(name).with_suffix(".html") if out is None else Path(out)
        try:
            _write_private(path, text)
        except OSError as error:
            raise BadRun(
                str(path), f"the page cannot be written ({error.strerror}); name a file with --out FILE"
            ) from None
        return path

    def names(self) -> list[str]:
        """Names of the saved runs, oldest first."""
        try:
            files = [(path.stat().st_mtime_ns, path.stem) for path in self.folder.glob("*.json")]
        except OSError:
            return []
        return [name for _, name in sorted(files)]

    def _path(self, name: str) -> Path:
        if name.endswith(".json"):
            return Path(name)
        if not NAME.fullmatch(name) or name.startswith("latest"):
            raise BadRun(
                name,
                "is no name for a run; use letters, digits, '.', '_' and '-', or a path that ends in .json",
            )
        return self.folder / f"{name}.json"


def _no_run(name: str, near: Sequence[str], known: Sequence[str]) -> str:
    if near:
        return f"may be any of {', '.join(near[:5])}; write more of its name"
    return f"is not saved; {did_you_mean(name, known, '`daypack eval runs` lists those that are')}"


def is_run_file(path: Path) -> bool:
    """Whether a file is a saved run, readable or of another version."""
    try:
        return is_run(json.loads(_text(path, lambda problem: BadRun(str(path), problem))))
    except (BadRun, ValueError, RecursionError):
        return False


def _write_private(path: Path, text: str) -> None:
    """The whole file or none of it, readable by its owner alone."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.stem[:40]}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
