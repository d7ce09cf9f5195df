"""Wiring: a store, an embedder, a clock, and the four verbs on them: ingest, search, pack, get.

The engine decides nothing about relevance; it keeps snapshots warm, embeds what a query needs, and says what it did.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack import analysis, tokens
from daypack.embedding import Embedding, Progress
from daypack.errors import (
    BadBudget,
    BadReference,
    DaypackError,
    ModelError,
    NotFound,
    QueryTooLong,
    StoreDamaged,
)
from daypack.index import lexical as lexical_index
from daypack.index import spaces
from daypack.index import vectors as vector_index
from daypack.index.spaces import Viewer
from daypack.index.store import Prepared, RecordText, Store, storable
from daypack.index.vectors import VectorView
from daypack.pipeline import (
    Pool,
    Scored,
    Snapshot,
    filter_mask,
    gather,
    index_written,
    prepare,
    rank_files,
    repair,
    score,
    to_candidates,
    weights_for,
    with_exact,
    with_links,
    with_vectors,
)  # fmt: skip
from daypack.ports import Clock, Shape
from daypack.query import parse_query
from daypack.retrieve.lexical import Bm25
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES, Settings
from daypack.types import (
    AnchorKind,
    Budget,
    Candidate,
    Chunk,
    Contribution,
    EmptyReason,
    Found,
    IngestIssue,
    IngestReport,
    OmissionReason,
    Pack,
    Packing,
    Query,
    RankedFile,
    Record,
    SearchResult,
    SearchStats,
    Span,
    Tokenizer,
    VectorMode,
    reference_of,
)  # fmt: skip

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.filters import Filter
    from daypack.index.lexical import LexicalView

CHUNK_TOKENIZER = Tokenizer.O200K  # of `Chunk.tokens`
BATCH_CHARS = 4 << 20
BATCH_RECORDS = 2_000
MEMORIES = spaces.DOOR
KEPT_MASKS = 8
KEPT_VIEWERS = 4  # other than the one an engine was opened for
# An answer is called irrelevant when even its best chunk holds little of the query's idf mass, fewer than half of its terms, and
# lies far from it. On four sets asked their own 340 questions and each other's 1,020: .3 % of the own and 77 % of the foreign are
# turned away, and without vectors (the lexical bound alone) none of the own and 31 % of the foreign.
WEAK_COVERAGE = 0.45
WEAK_COSINE = 0.36  # of the default model
WEAK_COVERAGE_LEXICAL = 0.17
NOBODY = Viewer()
_WEAK_TERMS = 10  # a longer query is never covered by one chunk: the bounds shrink with its length


class Ranked(NamedTuple):
    """A ranked query before its texts are read."""

    query: Query
    pool: Pool | None
    scored: Scored | None
    stats: SearchStats
    empty_reason: EmptyReason | None
    term_weights: dict[str, float]


class Engine:
    """One store and what is needed to search it. Not for two threads at once; open one engine a thread."""

    def __init__(
        self, store: Store, settings: Settings, *, clock: Clock = time.time, sees: tuple[str, ...] = (), viewer: Viewer = NOBODY
    ) -> None:  # fmt: skip
        """`sees` names the scopes of memories that may be seen, and `viewer` is who asks for sources; what is not for them does not exist
        for this engine."""
        self.store = store
        self.settings = settings
        self.clock = clock
        self.sees = sees
        self.viewer = viewer
        self.embedding = Embedding(store, settings)
        self._others: dict[Viewer, Engine] = {}
        self._masks: dict[tuple[int, Filter], NDArray[np.bool_]] = {}
        self._snapshot: Snapshot | None = None
        self._before: Snapshot | None = None  # the last one that had vectors, when text was written since
        self._vector_sequence = -1
        self._vocabulary: tuple[int, list[str]] | None = None
        self._languages: tuple[int, frozenset[str]] | None = None

    # ------------------------------------------------------------ ingest

    def ingest(self, records: Iterable[Record | IngestIssue], *, expected: int = 0) -> IngestReport:
        """Write records that are new or changed, in transactions of some megabytes. Each commit is kept, whatever comes after.

        `expected` is about how many bytes of text will come, where that is known.
        """
        tokens.expect(CHUNK_TOKENIZER, expected)
        with _rare_collections():
            return self._ingest(records)

    def _ingest(self, records: Iterable[Record | IngestIssue]) -> IngestReport:
        report = IngestReport()
        issues: list[IngestIssue] = []
        batch: list[Prepared] = []
        size = length = redactions = 0
        for record in records:
            if isinstance(record, IngestIssue):
                issues.append(record)
                continue
            prepared, found = prepare(record, self._count_batch)
            batch.append(prepared)
            redactions += found
            length += len(record.text)
            size += len(record.text)
            if size >= BATCH_CHARS or len(batch) >= BATCH_RECORDS:
                report = self._write(batch, report)
                batch, size = [], 0
        if batch:
            report = self._write(batch, report)
        return replace(report, bytes=length, redactions=redactions, issues=tuple(issues))

    def _count_batch(self, texts: Sequence[str]) -> list[int]:
        return tokens.count_batch(CHUNK_TOKENIZER, texts)

    def _write(self, batch: Sequence[Prepared], report: IngestReport) -> IngestReport:
        if not self._differs(batch):
            return replace(report, unchanged=report.unchanged + len(batch))
        with self.store.writing() as db:
            # Looked at again inside the transaction: another process may have written the same in the meantime.
            known = self.store.stored_records(item.record for item in batch)
            fresh: dict[tuple[str, str, str], Prepared] = {}
            unchanged = added = 0
            for item in batch:
                key = (item.record.door, item.record.scope, item.record.uid)
                stored = known.get(key)
                if (
                    stored is not None
                    and stored.hash == item.hash
                    and not fresh.get(key)
                    and self.store.same_facts(db, stored.id, item.record)
                ):
                    unchanged += 1
                    if (stored.mtime_ns, stored.size) != (item.record.mtime_ns, item.record.size):
                        self.store.touch(*key, mtime_ns=item.record.mtime_ns, size=item.record.size)
                    continue
                if key not in fresh:
                    added += stored is None
                fresh[key] = item
            chunks = self.put(db, list(fresh.values()))
        return replace(
            report,
            added=report.added + added,
            updated=report.updated + len(fresh) - added,
            unchanged=report.unchanged + unchanged,
            chunks=report.chunks + chunks,
        )

    def stay(self) -> None:
        """Say that this process will answer for long: its counter may take longer to start, is faster then and needs less memory."""
        tokens.expect(CHUNK_TOKENIZER, sys.maxsize)

    def warm(self) -> None:
        """Bring into memory what a first question waits for: the counter, the model, the index and its vectors."""
        tokens.counter(CHUNK_TOKENIZER)("unseenwordsstartit")
        try:
            self.embedding.vectors_of(["a question"])
            self.snapshot(vectors=True)
        except ModelError:  # every question says what is wrong with it, and answers by words
            self.snapshot(vectors=False)

    def prepared(self, record: Record) -> Prepared:
        """A record ready for `put`: without secrets, cut and counted."""
        return prepare(record, self._count_batch)[0]

    def put(self, db: apsw.Connection, batch: Sequence[Prepared]) -> int:
        """Insert or replace records inside the transaction of the caller; how many chunks were written."""
        chunks = index_written(db, self.store.write_records(db, batch, now=self.clock()))
        lexical_index.merge_segments(db)
        return chunks

    def _differs(self, batch: Sequence[Prepared]) -> bool:
        """Whether a batch holds anything new: if not, nothing is locked and nothing is written."""
        with self.store.reading() as db:
            for item in batch:
                record = item.record
                stored = self.store.stored_record(record.door, record.scope, record.uid)
                if stored is None or (stored.hash, stored.mtime_ns, stored.size) != (item.hash, record.mtime_ns, record.size):
                    return True
                if not self.store.same_facts(db, stored.id, record):
                    return True
        return False

    def remove(self, door: str, scope: str, uids: Sequence[str]) -> int:
        """Delete records by uid; how many there were."""
        if not any(self.store.stored_record(door, scope, uid) for uid in uids):
            return 0
        with self.store.writing() as db:
            removed = self.store.remove_records(db, door, scope, uids)
            lexical_index.merge_segments(db)
        return removed

    def as_seen_by(self, viewer: Viewer) -> Engine:
        """An engine over the same store for whom another viewer's sources exist, and not this one's. Those of a few viewers are kept."""
        if viewer == self.viewer:
            return self
        if viewer not in self._others:
            while len(self._others) >= KEPT_VIEWERS:
                del self._others[next(iter(self._others))]
            other = Engine(self.store, self.settings, clock=self.clock, sees=self.sees, viewer=viewer)
            other.embedding = self.embedding  # one model is enough
            self._others[viewer] = other
        return self._others[viewer]

    def hidden(self, db: apsw.Connection) -> list[int]:
        """Ids of the records that may not be seen: memories of other people and projects, and sources that are not for the viewer."""
        others = self._scopes_of_others(db)
        memories = self.store.ids_of_scopes(db, MEMORIES, others) if others else []
        return [*memories, *spaces.hidden(db, self.viewer)]

    def has_memories(self) -> bool:
        """Whether there is anything here that time alone changes, or that not everybody sees."""
        with self.store.reading() as db:
            return bool(spaces.spaces(db))

    def _scopes_of_others(self, db: apsw.Connection) -> list[str]:
        return [scope for space in spaces.spaces(db) if (scope := spaces.scope_of(space.owner, space.project)) not in self.sees]

    def seen(self, db: apsw.Connection) -> tuple[str, list[str]]:
        """(condition, parameters) over the table `record`: what may be seen."""
        sources, parameters = spaces.seen(self.viewer)
        memories = "NOT (door = ? AND scope IN (SELECT value FROM json_each(?)))"
        return f"{memories} AND {sources}", [MEMORIES, json.dumps(self._scopes_of_others(db)), *parameters]

    def reindex(self) -> IngestReport:
        """Cut and index every record anew from its stored text; vectors of unchanged text are kept."""
        from daypack.index import code as code_index  # no query of another door needs its nouns

        with self.store.writing() as db:
            for table in ("posting", "segment", "tomb"):
                db.execute(f"DELETE FROM {table}")
            db.execute("DELETE FROM chunk")
            code_index.clear(db)
            chunks = size = count = 0
            batch: list[Prepared] = []
            ids = [row[0] for row in db.execute("SELECT id FROM record ORDER BY id")]
            for record_id in ids:
                record = self.store.read_record(db, record_id)
                prepared, _ = prepare(record, self._count_batch)
                batch.append(prepared)
                size += len(record.text)
                count += 1
                if size >= BATCH_CHARS:
                    chunks += index_written(db, self.store.write_records(db, batch, now=self.clock()))
                    batch, size = [], 0
            if batch:
                chunks += index_written(db, self.store.write_records(db, batch, now=self.clock()))
            lexical_index.merge_segments(db)
            hidden = self.hidden(db)
            if hidden:  # rebuilt as well, and nobody else's business
                where, parameters = self.seen(db)
                count -= len(hidden)
                chunks = db.execute(f"SELECT count(*) FROM chunk WHERE record_id IN (SELECT id FROM record WHERE {where})", parameters).get
        return IngestReport(updated=count, chunks=chunks)

    def embed_pending(self, *, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False) -> int:
        """Embed what has no vector yet and may be seen: see `Embedding.fill`."""
        with self.store.reading() as db:
            view = self.snapshot(vectors=False).view if self.hidden(db) else None
        return self.embedding.fill(None if view is None else view.chunk_ids[view.alive].tolist(), progress=progress, stop=stop)

    # ------------------------------------------------------------ search

    def snapshot(self, *, vectors: bool) -> Snapshot:
        """The store as it is now, from memory when nothing was written since."""
        with self.store.reading() as db:
            sequence, vector_sequence = self.store.sequences()
            snapshot = self._snapshot
            if snapshot is None or snapshot.sequence != sequence:
                if snapshot is not None and snapshot.vectors is not None:
                    self._before = snapshot
                view = lexical_index.load_view(db, self.hidden(db))
                self._masks.clear()
                snapshot = Snapshot(sequence, view, Bm25(view), None)
            if vectors and (snapshot.vectors is None or self._vector_sequence != vector_sequence):
                snapshot = replace(snapshot, vectors=self._vectors(db, snapshot.view, followed=self._vector_sequence == vector_sequence))
                self._vector_sequence, self._before = vector_sequence, None
            self._snapshot = snapshot
        return snapshot

    def _vectors(self, db: apsw.Connection, view: LexicalView, *, followed: bool) -> VectorView:
        """The vectors of a view; those that an earlier one had are kept where nobody added any that were not `followed`."""
        model, before = self.embedding.model, self._before
        if followed and before is not None and before.vectors is not None and before.vectors.model == model.model_id:
            return before.vectors.follow(db, before.view, view)
        return VectorView.load(db, view, model.model_id, model.dim)

    def _vocabulary_of(self, sequence: int) -> list[str]:
        if self._vocabulary is None or self._vocabulary[0] != sequence:
            self._vocabulary = (sequence, lexical_index.vocabulary(self.store.db))
        return self._vocabulary[1]

    def _languages_of(self, sequence: int) -> frozenset[str]:
        if self._languages is None or self._languages[0] != sequence:
            self._languages = (sequence, self.store.languages())
        return self._languages[1]

    def rank(
        self,
        text: str,
        *,
        mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
    ) -> Ranked:
        """Retrieve and rank; texts of the answer are read by the caller."""
        self.refuse(text)
        stats = stats or SearchStats()
        started = time.perf_counter()
        with self.store.reading():
            snapshot = self.snapshot(vectors=False)
            languages = self._languages_of(snapshot.sequence)
        query = parse_query(storable(text), now=self.clock(), languages=languages)
        stats = replace(stats, query_kind=query.kind)
        if not query.terms:
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_QUERY, {})
        if not snapshot.view.alive.any():  # not its length: what is hidden must not show
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_STORE, {})
        vector, degraded = self._query_vector(query, mode)
        embed_seconds = time.perf_counter() - started if vector is not None else 0.0
        try:
            if vector is not None and mode is VectorMode.ALL:
                self._embed_missing(condition)
            snapshot, pool = self._gathered(query, vector, condition)
        except ModelError as error:
            vector, degraded = None, (f"vectors: {error}",)
            snapshot, pool = self._gathered(query, None, condition)
        without = self.settings.without
        calibrated = vector is not None and self.embedding.model.model_id.startswith("minilm-")
        embedded = 0
        if vector is not None and mode is VectorMode.LAZY and np.isnan(pool.features.dense).any():
            lazy_started = time.perf_counter()
            by_words = score(pool, snapshot, weights_for(query, pool, calibrated=calibrated), lexical_only=True, without=without)
            assert snapshot.vectors is not None
            best = by_words.chunk_ids[: self.settings.lazy_candidates]
            embedded, commits, trouble = self.embedding.fill_within(self.settings.lazy_seconds, snapshot.vectors, snapshot.view, best)
            self._vector_sequence += commits
            degraded += trouble
            if embedded:
                pool = with_vectors(pool, snapshot, vector)
            embed_seconds += time.perf_counter() - lazy_started
        weights = weights_for(query, pool, calibrated=calibrated)
        scored = score(pool, snapshot, weights, without=without)
        with self.store.reading() as db:
            linked = with_links(db, pool, snapshot, scored, self.store.chunks)
        if linked is not pool:
            pool, scored = linked, score(linked, snapshot, weights, without=without)
        dense = pool.features.dense
        stats = replace(
            stats,
            chunks=pool.in_scope,
            candidates=len(pool.positions),
            vectors=mode if vector is not None else VectorMode.NONE,
            embedder=self.embedding.model.model_id if vector is not None else "",
            vectors_pending=int(np.isnan(dense).sum()) if vector is not None else 0,
            vectors_missing=int((snapshot.vectors.row_of[snapshot.view.alive] < 0).sum())
            if snapshot.vectors is not None and vector is not None
            else 0,
            embedded=embedded,
            degraded=stats.degraded + degraded,
            corrections=pool.corrections,
            anchors_missing=pool.anchors_missing,
            embed_seconds=embed_seconds,
            retrieve_seconds=time.perf_counter() - started - embed_seconds,
        )
        term_weights = {term.term: term.weight * term.idf for term in pool.lexical.terms}
        return Ranked(query, pool, scored, stats, _why_empty(pool, query, calibrated=calibrated), term_weights)

    def _embed_missing(self, condition: Filter | None) -> None:
        """Make the vectors that chunks inside the filter lack; on a warm snapshot that lacks none this costs nothing."""
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=True)
            assert snapshot.vectors is not None
            lacking = self._mask(db, snapshot, condition) & (snapshot.vectors.row_of < 0)
        if lacking.any():
            self.embedding.fill(snapshot.view.chunk_ids[lacking].tolist())

    def _gathered(self, query: Query, vector: NDArray[np.float32] | None, condition: Filter | None) -> tuple[Snapshot, Pool]:
        """The pool, from one state of the store: segments of a snapshot may be merged away by the next transaction of any process."""
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=vector is not None)
            mask = self._mask(db, snapshot, condition)
            pool = gather(db, snapshot, query, mask, vector, lambda: self._vocabulary_of(snapshot.sequence))
            quoted = [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]
            if quoted:
                pool = with_exact(pool, self.store.chunks(snapshot.view.chunk_ids[pool.positions].tolist()), snapshot, quoted)
        return snapshot, pool

    def _mask(self, db: apsw.Connection, snapshot: Snapshot, condition: Filter | None) -> NDArray[np.bool_]:
        """Which chunks pass, from memory for a filter that was asked with before: of 100,000 records it takes longer than the query."""
        if condition is None:
            return snapshot.view.alive
        key = (snapshot.sequence, condition)
        if key not in self._masks:
            while len(self._masks) >= KEPT_MASKS:
                del self._masks[next(iter(self._masks))]
            self._masks[key] = filter_mask(db, snapshot.view, condition)
        return self._masks[key]

    def _query_vector(self, query: Query, mode: VectorMode) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        if mode is VectorMode.NONE or not query.dense_text.strip():
            return None, ()
        try:
            vector = self.embedding.vectors_of([query.dense_text])[0]
        except ModelError as error:  # the lexical arm still answers, and says that it was alone
            return None, (f"vectors: {error}",)
        return (vector, ()) if vector.any() else (None, ())

    def refuse(self, text: str, budget: Budget | None = None) -> None:
        """Raise QueryTooLong or BadBudget, before anything is read or written for the question."""
        if (length := len(text.encode("utf-8", "replace"))) > LONGEST_QUERY_BYTES:
            raise QueryTooLong(length, LONGEST_QUERY_BYTES)
        if budget is not None and (
            isinstance(budget.limit, bool) or not isinstance(budget.limit, int) or not 0 <= budget.limit <= LARGEST_BUDGET
        ):
            raise BadBudget(budget.limit, LARGEST_BUDGET)

    @contextmanager
    def careful(self) -> Iterator[None]:
        """Inside, what a damaged store makes go wrong is StoreDamaged, wherever it comes to light; bugs stay bugs."""
        try:
            yield
        except DaypackError:
            raise
        except Exception as error:
            from daypack.health import damage

            found = damage(self.store)
            if found:
                raise StoreDamaged(str(self.store.folder), f"{found[0].name}: {found[0].detail}") from error
            raise

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
    ) -> SearchResult:
        """The best chunks for a query, best first."""
        ranked = self.rank(text, mode=mode, condition=condition, stats=stats)
        candidates = self._hydrated(ranked, limit)
        return SearchResult(text, tuple(candidates), ranked.stats, ranked.empty_reason, self._files(ranked, limit))

    def search_fused(
        self, text: str, *, limit: int = 10, condition: Filter | None = None, stats: SearchStats | None = None
    ) -> SearchResult:
        """The best chunks by the profile "ctx": stemmed and trigram lists fused by rank, and proximity. No vectors."""
        from daypack.rank.fusion import PROXIMITY, containing, fuse, proximity, stands_in

        self.refuse(text)
        stats = stats or SearchStats()
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=False)
            query = parse_query(storable(text), now=self.clock(), languages=self._languages_of(snapshot.sequence))
            terms = dict.fromkeys(analysis.content_terms(query.terms), 1.0)
            if not terms or not len(snapshot.view):
                return SearchResult(text, (), stats, EmptyReason.EMPTY_QUERY if not terms else EmptyReason.EMPTY_STORE)
            mask = self._mask(db, snapshot, condition)
            vocabulary = self._vocabulary_of(snapshot.sequence)
            stemmed = snapshot.bm25.score(db, terms, mask)
            corrections = repair(
                query, stemmed.unknown, lambda: vocabulary, lambda term: len(snapshot.view.postings(db, term).positions) > 0
            )
            if corrections:
                terms = {corrections.get(term, term): weight for term, weight in terms.items()}
                stemmed = snapshot.bm25.score(db, terms, mask)
            asked = {word.lower() for word in analysis.words(text) if not terms.keys().isdisjoint(analysis.ANALYZER[word])}
            asked.update(corrections.values())
            inside = snapshot.bm25.score(db, containing(asked, vocabulary), mask)
            depth = max(2 * limit, 10)
            lists = {"stemmed": _best(stemmed.unit, depth), "trigram": _best(inside.unit, 2 * depth)}
            pool = sorted({position for ranked in lists.values() for position in ranked})
            chunks = self.store.chunks(snapshot.view.chunk_ids[pool].tolist())
        holding = {chunk_id for chunk_id, chunk in chunks.items() if stands_in(asked, f"{chunk.uri} {chunk.title} {chunk.text}")}
        lists["trigram"] = [position for position in lists["trigram"] if int(snapshot.view.chunk_ids[position]) in holding][:depth]
        shares = fuse(lists)
        wanted = frozenset(terms)
        found = []
        for position, parts in shares.items():
            chunk = chunks.get(int(snapshot.view.chunk_ids[position]))
            if chunk is None:
                continue
            near = proximity(analysis.words(chunk.text), wanted, analysis.ANALYZER.__getitem__)
            parts = parts | ({"proximity": PROXIMITY * near * sum(parts.values())} if near else {})
            found.append(
                Candidate(chunk, sum(parts.values()), 0.0, tuple(Contribution(name, share, share) for name, share in parts.items()))
            )
        found.sort(key=lambda candidate: (-candidate.score, candidate.chunk.id))
        stats = replace(stats, chunks=int(mask.sum()), candidates=len(found), corrections=corrections, query_kind=query.kind)
        reason = None if found else EmptyReason.NOTHING_RELEVANT if mask.any() else EmptyReason.FILTERED_OUT
        return SearchResult(text, tuple(found[:limit]), stats, reason)

    def _files(self, ranked: Ranked, limit: int) -> tuple[RankedFile, ...]:
        if ranked.pool is None or ranked.scored is None or ranked.empty_reason is not None:
            return ()
        found = rank_files(ranked.pool, ranked.scored, limit)
        places = self.store.places([chunk_id for chunk_id, _ in found])
        return tuple(
            RankedFile(place.uri, score, reference_of(place.uri, place.start_line, place.end_line), place.name)
            for chunk_id, score in found
            if (place := places.get(chunk_id)) is not None
        )

    def _hydrated(self, ranked: Ranked, limit: int, read: dict[int, RecordText] | None = None) -> list[Candidate]:
        """The best with their texts. In `read` come the whole texts that those are parts of, by record."""
        if ranked.scored is None or ranked.empty_reason is not None:
            return []
        chunks = self.store.chunks(ranked.scored.chunk_ids[:limit].tolist(), read)
        return to_candidates(ranked.scored, chunks, limit)

    def _with_twins(self, candidates: list[Candidate], condition: Filter | None) -> list[Candidate]:
        """Candidates that know of equal chunks beyond the pool: the best of each kind stands for those that were not ranked."""
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=False)
            mask = self._mask(db, snapshot, condition)
            first_of = vector_index.twins(db, [candidate.chunk.id for candidate in candidates])
        positions = snapshot.view.positions_of(np.asarray(list(first_of), dtype=np.int64))
        inside = (positions >= 0) & mask[positions]
        counts = Counter(compress(first_of.values(), inside.tolist()))
        counts.subtract(Counter(first_of.get(candidate.chunk.id, 0) for candidate in candidates))
        return [
            replace(candidate, duplicates=beyond) if (beyond := counts.pop(first_of.get(candidate.chunk.id, 0), 0)) > 0 else candidate
            for candidate in candidates
        ]

    # ------------------------------------------------------------ pack

    def pack(
        self, text: str, budget: Budget, *, packing: Packing = Packing.AUTO, shape: str = "markdown", mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None, stats: SearchStats | None = None, revised: Callable[[list[Candidate]], list[Candidate]] | None = None,
        ladder: tuple[Shape, ...] | None = None, page: int = 1,
    ) -> Pack:  # fmt: skip
        """One cited pack whose rendered form counts at most `budget.limit`. `revised` may reorder or drop candidates first;
        `ladder` is that of a shape of the caller's own, in place of `shape`.

        A later page is packed from what the pages before it, made with the same arguments, had no room for.
        """
        from daypack import shapes  # `search` needs none of these
        from daypack.pack import pack_candidates
        from daypack.pack.fit import POOL, Fitting
        from daypack.pack.variants import term_weigher

        self.refuse(text, budget)
        text = storable(text)
        ranked = self.rank(text, mode=mode, condition=condition, stats=stats)
        started = time.perf_counter()
        count = tokens.counter_of_like_texts(budget.tokenizer)
        rungs = shapes.ladder(shape) if ladder is None else ladder
        read: dict[int, RecordText] = {}
        texts: dict[int, str] = {}

        def text_of(record_id: int) -> str:
            if record_id not in texts:
                texts[record_id] = self.store.checked(read.pop(record_id)) if record_id in read else self.store.record_text(record_id)
            return texts[record_id]

        def tokens_of(chunk: Chunk) -> int:
            return chunk.tokens if budget.tokenizer is CHUNK_TOKENIZER else count(chunk.text)

        fitting = Fitting(
            count=count, render=rungs[0], ladder=rungs, text_of=text_of, tokens_of=tokens_of,
            weight_of=term_weigher(ranked.term_weights, analysis.ANALYZER.__getitem__, analysis.words), shape=shape,
        )  # fmt: skip
        with self.store.reading():  # spans and the texts that they are cut from must be of one state
            candidates = self._with_twins(self._hydrated(ranked, POOL, read), condition)
            if revised is not None:
                candidates = revised(candidates)
            pack = pack_candidates(text, candidates, budget, packing, fitting, stats=ranked.stats, empty_reason=ranked.empty_reason)
            for _ in range(page - 1):
                candidates = _left_over(candidates, pack)
                pack = pack_candidates(text, candidates, budget, packing, fitting, stats=ranked.stats, empty_reason=ranked.empty_reason)
        return replace(pack, page=page, stats=replace(pack.stats, pack_seconds=time.perf_counter() - started), renderer=_rendered)

    # ------------------------------------------------------------ get

    def get(self, reference: str) -> Found:
        """The exact text behind `path:12-40`, `path:12`, `path`, any of them with `@hash`, or a chunk id."""
        reference = storable(reference)
        try:
            return self._get(reference)
        except NotFound:  # a file's name may begin with a space; what a terminal copied may as well
            if reference == reference.strip():
                raise
            return self._get(reference.strip())

    def _get(self, reference: str) -> Found:
        if not reference.strip() or "\0" in reference:
            raise BadReference(reference)
        if match := re.fullmatch(r"#?(\d{1,18})", reference):
            return self._get_chunk(int(match.group(1)), reference)
        bare, _, wanted_hash = reference.rpartition("@")
        if not bare or not re.fullmatch(r"[0-9a-f]{4,32}", wanted_hash):
            bare, wanted_hash = reference, ""
        records = self._seen(bare)
        first_line = last_line = None
        if not records and (match := re.fullmatch(r"(.+?):(\d{1,9})(?:-(\d{1,9}))?", bare, re.DOTALL)):
            bare, first_line = match.group(1), int(match.group(2))
            last_line = int(match.group(3)) if match.group(3) else first_line
            if not 0 < first_line <= last_line:
                raise BadReference(reference)
            records = self._seen(bare)
        page = ""
        if not records and "#" in bare:
            bare, _, page = bare.rpartition("#")
            records = [record for record in self._seen(bare) if self.store.pages_of(record[0]) is not None]
        if not records:
            raise NotFound(reference, "the store has no record of that name; `daypack search` shows references")
        # Records of several scopes may share a name: a citation's hash says which one was meant.
        record_id, uri, record_hash, text = next(
            (found for found in records if wanted_hash and found[2].startswith(wanted_hash)), records[0]
        )
        state = "changed" if wanted_hash and not record_hash.startswith(wanted_hash) else "current"
        lines = text.split("\n")
        pages = self.store.pages_of(record_id)
        if page and pages is not None:
            place = pages.find(f"#{page}")
            if place is None:
                raise NotFound(reference, f"{uri} has no {page}; its last is {pages.at(len(lines))[1:]}")
            if first_line is None:
                first_line, last_line = place
            elif state == "current" and pages.at(first_line) != f"#{page}":
                raise NotFound(reference, f"line {first_line:,} of {uri} stands on {pages.at(first_line)[1:]}")
        first_line, last_line = first_line or 1, last_line or len(lines)
        if first_line > len(lines):
            raise NotFound(reference, f"{uri} has {len(lines):,} lines")
        last_line = min(last_line, len(lines))
        start = sum(len(line) + 1 for line in lines[: first_line - 1])
        body = "\n".join(lines[first_line - 1 : last_line])
        cited = uri if pages is None else uri + pages.at(first_line)
        return Found(
            reference_of(cited, first_line, last_line), uri, Span(start, start + len(body), first_line, last_line), body, record_hash, state
        )

    def get_record(self, record_id: int) -> Found:
        """The whole text of the record with this id. Raises NotFound."""
        with self.store.reading() as db:
            row = db.execute("SELECT uri, hash, text FROM record WHERE id = ?", (record_id,)).fetchone()
            if row is None or record_id in self.hidden(db):
                raise NotFound(f"record {record_id}", "there is none of this id; search again")
        uri, record_hash, text = row
        return Found(uri, uri, Span(0, len(text), 1, 1 + text.rstrip("\n").count("\n")), text, record_hash)

    def _seen(self, uri: str) -> list[tuple[int, str, str, str]]:
        """Records of that name, but for those that may not be seen."""
        with self.store.reading() as db:
            found = self.store.find_records(uri)
            hidden = set(self.hidden(db)) if found else set()
        return [record for record in found if record[0] not in hidden]

    def _get_chunk(self, chunk_id: int, reference: str) -> Found:
        with self.store.reading() as db:
            chunk: Chunk | None = self.store.chunks([chunk_id]).get(chunk_id)
            hidden = chunk is not None and chunk.record_id in self.hidden(db)
        if chunk is None or hidden:
            raise NotFound(reference, "its text was deleted or changed since; search again")
        return Found(chunk.reference, chunk.uri, chunk.span, chunk.text, chunk.record_hash)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Inside, garbage in cycles is looked for after 100,000 new objects instead of 700. Cutting and indexing make many small objects
    and no cycles, and the usual search took 3 to 4 % of their time; whoever hands over the records may well make some."""
    usual = gc.get_threshold()
    if usual[0]:  # 0: never
        gc.set_threshold(max(usual[0], 100_000), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _left_over(candidates: Sequence[Candidate], pack: Pack) -> list[Candidate]:
    """Those that a pack neither shows nor calls duplicates of what it shows."""
    shown = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    same = {omission.reference for omission in pack.omitted if omission.reason is OmissionReason.DUPLICATE}
    return [one for one in candidates if one.chunk.id not in shown and one.chunk.reference not in same]


def _best(scores: NDArray[np.float32], depth: int) -> list[int]:
    """Positions of the highest positive scores, best first; ties by position."""
    positive = np.flatnonzero(scores > 0)
    order: list[int] = positive[np.lexsort((positive, -scores[positive]))][:depth].tolist()
    return order


def _rendered(pack: Pack, shape: str) -> str:
    from daypack import shapes

    return shapes.render(pack, shape)


def _why_empty(pool: Pool, query: Query, *, calibrated: bool) -> EmptyReason | None:
    """Why an answer would be noise; None when there is something worth showing.

    `calibrated` says that the dense features are cosines of the model that WEAK_COSINE was measured with; the cosines of
    another one are on a scale of its own, and words alone decide.
    """
    if not pool.in_scope:
        return EmptyReason.FILTERED_OUT
    if not len(pool.positions):
        return EmptyReason.ANCHOR_NOT_FOUND if pool.anchors_missing else EmptyReason.NOTHING_RELEVANT
    if pool.anchors_missing and query.text.strip().strip("\"'`“”") in pool.anchors_missing:
        return EmptyReason.ANCHOR_NOT_FOUND
    known = pool.features.dense[~np.isnan(pool.features.dense)] if calibrated else np.empty(0)
    if pool.features.path.any() or (len(known) and float(known.max()) >= WEAK_COSINE):
        return None
    if 2 * pool.best_terms >= len(query.terms):  # half of what was asked, in one place: in a small store no idf says more
        return None
    bound = WEAK_COVERAGE if len(known) else WEAK_COVERAGE_LEXICAL
    if pool.best_coverage < bound * min(1.0, _WEAK_TERMS / len(query.terms)):
        return EmptyReason.NOTHING_RELEVANT
    return None
