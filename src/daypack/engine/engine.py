"""The engine wires a store, an embedder and a clock to the operations on them: ingest, search, pack, get.

A query takes two steps: retrieval/ ranks the chunks, and this module reads their texts and packs them. The engine
itself decides nothing about relevance.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from daypack import tokens
from daypack.engine import citations
from daypack.engine.doors import Door
from daypack.engine.embedding import Embedding
from daypack.engine.ingest import CHUNK_TOKENIZER, Ingestion
from daypack.engine.limits import Stopping, check_limits
from daypack.engine.questions import PLAIN, Conversation, Question
from daypack.engine.upkeep import drop_damaged_fold, refold
from daypack.engine.visibility import Visibility
from daypack.errors import DaypackError, ModelError, StoreDamaged
from daypack.guard.trust import Writer
from daypack.index import census
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.ports import Clock, Ladder, Progress, Viewer, Working
from daypack.settings import Settings
from daypack.system import cores
from daypack.text.paths import spellings
from daypack.text.storable import storable
from daypack.types import Budget, Found, IngestReport, Pack, Packing, SearchResult, Turn

if TYPE_CHECKING:
    from pathlib import PurePath

    from daypack.engine.retrieval.retriever import Ranked, Retriever
    from daypack.engine.retrieval.snapshots import Snapshots
    from daypack.types import Candidate

T = TypeVar("T")
KEPT_VIEWERS = 4  # beside the viewer that an engine was opened for
NOBODY = Viewer()
MOST_PROCESSES = 4  # that read a large folder: one writes what they make
_RANKINGS = 3  # of a question outside a transaction, while writers come


class Engine:
    """One store and the parts that search it, for one thread. `working` shows the progress of work that takes seconds; `here` is
    the folder below the root that callers name paths from, "" for the root.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        doors: Sequence[Door] = (),
        *,
        clock: Clock = time.time,
        zone: tzinfo = UTC,
        viewer: Viewer = NOBODY,
        embedding: Embedding | None = None,
        stopping: Stopping | None = None,
        writer: Writer | None = None,
    ) -> None:
        """Records that a door hides from `viewer` do not exist for this engine. `writer` is the one that it serves, and
        "yesterday" is a day of `zone`.
        """
        self.store = store
        self.settings = settings
        self.doors = tuple(doors)
        self.clock = clock
        self.zone = zone
        self.visibility = Visibility(viewer, self.doors)
        self.embedding = embedding or Embedding(store, settings)
        self.stopping = stopping or Stopping()
        self.writer = writer or Writer()
        self.working: Working = lambda _work: nullcontext()
        self.here = ""
        self.processes = min(settings.processes or MOST_PROCESSES, cores())
        self.ingestion = Ingestion(
            store,
            self.doors,
            clock=clock,
            embedding=self.embedding,
            stopping=self.stopping,
            processes=self.processes,
        )
        self._others: dict[Viewer, Engine] = {}

    @cached_property
    def snapshots(self) -> Snapshots:
        """The store in memory, as this engine's viewer sees it; loaded by the first query."""
        from daypack.engine.retrieval.snapshots import Snapshots

        return Snapshots(self.store, self.visibility, self.embedding)

    @cached_property
    def retriever(self) -> Retriever:
        """The first half of a query."""
        from daypack.engine.retrieval.retriever import Retriever

        return Retriever(
            self.store, self.settings, now=self.now, snapshots=self.snapshots, embedding=self.embedding
        )

    def now(self) -> datetime:
        """The time, with the zone in which "yesterday" is a day."""
        return datetime.fromtimestamp(self.clock(), self.zone)

    def name_of(self, path: str, root: PurePath | str) -> str:
        """A path or glob relative to the root: as seen from `here` where the store has files there, else from the root."""
        *below, plain = spellings(path, root, self.here)
        return next(filter(self._has_files, below), plain)

    def _has_files(self, glob: str) -> bool:
        from daypack.filters import Glob, to_sql
        from daypack.index.facts import any_record

        where, values = to_sql(Glob(storable(glob)))
        with self.store.reading() as db:
            visible, hiding = self.visibility.visible(db)
            return any_record(db, f"({visible}) AND ({where})", [*hiding, *values])

    def seen_by(self, viewer: Viewer) -> Engine:
        """An engine over the same store and model for another viewer. The last few are kept."""
        if viewer == self.visibility.viewer:
            return self
        if viewer not in self._others:
            while len(self._others) >= KEPT_VIEWERS:
                del self._others[next(iter(self._others))]
            self._others[viewer] = self._like(self.store, self.settings, viewer, self.embedding)
        return self._others[viewer]

    def beside(self, store: Store, settings: Settings) -> Engine:
        """Another engine over `store`, with the doors, the clock and the viewer of this one."""
        return self._like(store, settings, self.visibility.viewer)

    def _like(
        self, store: Store, settings: Settings, viewer: Viewer, embedding: Embedding | None = None
    ) -> Engine:
        own = partial(Engine, clock=self.clock, zone=self.zone, stopping=self.stopping, writer=self.writer)
        return own(store, settings, self.doors, viewer=viewer, embedding=embedding)

    def records_added(self, door: str) -> None:
        """Tell the doors that hold records of `door` that it has new texts."""
        for other in self.doors:
            if other.after_add is not None and door in other.handlings:
                other.after_add(self.store)

    def reindex(self) -> IngestReport:
        """Cut and index every record again from its stored text; vectors of unchanged text are kept."""
        with self.store.writing() as db:
            records, chunks = self.ingestion.rebuild(db)
            if hidden := self.visibility.hidden_ids(db):  # rebuilt as well, but not counted
                records -= len(hidden)
                chunks = census.count_chunks(db, self.visibility.visible(db))
        refold(self.store)
        return IngestReport(updated=records, chunks=chunks)

    def expect_long_run(self) -> None:
        """Prepare for a long run: the counter may start more slowly, runs faster and needs less memory."""
        tokens.expect(CHUNK_TOKENIZER, sys.maxsize)

    def preload(self) -> None:
        """Load everything that a first question waits for: the counter, the model, the index and its vectors."""
        tokens.counter(CHUNK_TOKENIZER)("unseenwordsstartit")
        try:
            self.embedding.vectors_of(["a question"])
            self.snapshots.current(vectors=True)
        except ModelError:  # every question reports the model's fault, and is answered by words
            self.snapshots.current(vectors=False)

    def embed_pending(
        self, *, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False
    ) -> int:
        """Embed the visible texts that have no vector: see `Embedding.fill`. Questions use these vectors from the next
        write on, or from `count_complete`.
        """
        with self.store.reading() as db:
            view = self.snapshots.current(vectors=False).view if self.visibility.hidden_ids(db) else None
        return self.embedding.fill(
            None if view is None else view.chunk_ids[view.alive].tolist(), progress=progress, stop=stop
        )

    def find(self, reference: str | int, root: PurePath | str = "", *, suggests: bool = True) -> Found:
        """The text behind a citation, a path or a chunk id. Raises NotFound and BadReference, with names that are alike where
        it `suggests` them: all names are read for that.
        """
        return self._shown(citations.find(self.store, self.visibility, reference, root, suggests=suggests))

    def find_record(self, record_id: int) -> Found:
        """The whole text of a record. Raises NotFound."""
        return self._shown(citations.find_record(self.store, self.visibility, record_id))

    def _shown(self, found: Found) -> Found:
        self.writer.show([found.trust])
        return found

    @contextmanager
    def translating_damage(self) -> Iterator[None]:
        """Turn any error that a damaged store causes into StoreDamaged; the errors of bugs stay as they are."""
        try:
            yield
        except DaypackError:
            raise
        except Exception as error:
            from daypack.engine.health import damage

            if drop_damaged_fold(self.store):
                for part in ("snapshots", "retriever"):  # they hold the fold
                    self.__dict__.pop(part, None)
                problem = "its fold was damaged, and is dropped"
                raise StoreDamaged(self.store.name, problem, "ask again") from error
            faults = damage(self.store, self.doors)
            if faults:
                mend = self.store.mend
                problem = f"{faults[0].name}: {faults[0].detail.removesuffix(f': {mend}')}"
                raise StoreDamaged(self.store.name, problem, mend) from error
            raise

    # ------------------------------------------------------------ search

    def search(
        self, text: str, question: Question = PLAIN, *, limit: int = 10, anchored: bool = True
    ) -> SearchResult:
        """The best chunks for a text, best first. Without `anchored`, a name, path or quotation that no stored text holds
        does not empty the answer.
        """
        from daypack.engine.answers import best_files, candidates_to_list, in_turn, told_apart

        with self.in_one_state(partial(self._rankings, text, question)) as (ranked, each):
            if not anchored and ranked.stats.anchors_missing and len(each) == 1:
                ranked = ranked._replace(empty_reason=None)
                each = [ranked]
            candidates = in_turn(
                [
                    candidates_to_list(self.store, self.snapshots, one, limit, question.condition)
                    for one in each
                ],
                lambda candidate: candidate.chunk.id,
            )
            found = [best_files(self.store, self.visibility, one, limit) for one in each]
            files = in_turn(found, lambda file: file.uri)[:limit]
            if question.revised is not None:
                candidates = question.revised(candidates)
            candidates = told_apart(self.store, self.visibility, candidates[:limit])
        self.writer.show(candidate.chunk.trust for candidate in candidates)
        reason = None if candidates else ranked.empty_reason
        return SearchResult(text, tuple(candidates), ranked.stats, reason, tuple(files))

    @contextmanager
    def in_one_state(self, rank: Callable[[], T]) -> Iterator[T]:
        """The result of `rank`, inside a transaction that reads the state of the store which was ranked.

        The ranking holds no transaction of its own, for it may wait for a model and keeps vectors. If a writer came
        meanwhile, chunks that it names may be gone, and `rank` is called again: at last inside the transaction, where no vector
        is kept, and which stays open while a model works.
        """
        for _ in range(_RANKINGS):
            sequence, _ = self.store.sequences()
            ranked = rank()
            if self.store.sequences()[0] == sequence:
                break
        with self.store.reading():
            yield ranked if self.store.sequences()[0] == sequence else rank()

    def _rankings(self, text: str, question: Question) -> tuple[Ranked, list[Ranked]]:
        """(the ranking for a text, those for the questions in it): of a text with one question both are the same. The text that is
        best for all of several questions comes before those that are best for each.
        """
        from daypack.query import questions_in  # only questions need this room

        whole = self._ranked(text, question)
        parts = questions_in(text) if question.query is None else []
        if not parts:
            return whole, [whole]
        before = [question.history + tuple(map(Turn, parts[:n])) for n in range(len(parts))]
        each = [
            self._ranked(part, question._replace(history=turns))
            for part, turns in zip(parts, before, strict=True)
        ]
        answered = [one for one in each if one.empty_reason is None]
        if not answered:
            return whole, [whole]
        stats = whole.stats._replace(weak=all(one.stats.weak for one in each))
        whole = whole._replace(stats=stats, empty_reason=None)
        return whole, [whole.best_alone, *answered]

    def _ranked(self, text: str, question: Question) -> Ranked:
        """The ranking for a text, or for the query that a door asks instead of it."""
        self.stopping.check()
        query = text if question.query is None else question.query
        ranked = self.retriever.rank(
            query,
            mode=question.mode,
            condition=question.condition,
            stats=question.stats,
            history=question.history,
        )
        self.stopping.check()
        if question.query is None:
            return ranked
        weak = ranked.stats.weak if question.by_words else bool(ranked.stats.weak_because)
        return ranked._replace(empty_reason=None, stats=ranked.stats._replace(weak=weak))

    # ------------------------------------------------------------ pack

    def pack(
        self,
        text: str,
        budget: Budget,
        question: Question = PLAIN,
        *,
        packing: Packing = Packing.AUTO,
        shape: str = "markdown",
        ladder: Ladder | None = None,
        page: int = 1,
        conversation: Conversation | None = None,
    ) -> Pack:
        """One cited pack for a text, whose rendered form counts at most `budget.limit`. `ladder` is a shape of the caller,
        instead of `shape`. An explanation is longer than its pack, so the limit is that of the pack in Markdown.

        A later page holds the candidates that did not fit into the earlier pages of the same arguments. With a
        `conversation`, the pack shows no text that was sent in it, and the store keeps what it shows. Raises PackNotKept.
        """
        from daypack import shapes  # `search` needs none of these
        from daypack.engine.packing import fitting_for, keep_sent, page_of, sent_before
        from daypack.pack.fit import pack_candidates

        check_limits(text, budget)
        text = storable(text)
        record_texts: dict[int, RecordText] = {}  # read with the candidates, for the excerpts
        explained = shape == "explain" and ladder is None
        counted = "markdown" if explained else shape
        ladder = ladder or shapes.ladder(counted)
        with self.in_one_state(partial(self._rankings, text, question)) as (ranked, each):
            started = time.perf_counter()
            sent = None if conversation is None else sent_before(self.store, conversation, self.visibility)
            fitting = fitting_for(self.store, budget, counted, ladder, ranked, record_texts, sent)
            candidates = self._to_pack(each, budget, question, record_texts)
            pack_of = partial(
                pack_candidates,
                text,
                budget=budget,
                packing=packing,
                fitting=fitting,
                stats=ranked.stats,
                empty_reason=ranked.empty_reason,
            )
            candidates, pack = page_of(pack_of, candidates, page, self.stopping)
        if sent is not None and sent.chain.kept and not keep_sent(self.store, pack):
            # The next pack cannot go on from this one, so this one must not offer an ID.
            unkept = sent._replace(chain=sent.chain._replace(kept=False))
            pack = pack_of(candidates, fitting=fitting._replace(sent=unkept))
        self.writer.show(excerpt.trust for excerpt in pack.excerpts)
        pack = replace(
            pack,
            page=page,
            stats=pack.stats._replace(pack_seconds=time.perf_counter() - started),
            renderer=shapes.render,
        )
        return replace(pack, text=pack.to(shape), shape=shape) if explained else pack

    def _to_pack(
        self, each: Sequence[Ranked], budget: Budget, question: Question, record_texts: dict[int, RecordText]
    ) -> list[Candidate]:
        """The candidates of rankings, in turn, that a pack chooses from; `record_texts` receives the texts that are read."""
        from daypack.engine.answers import candidates_to_pack, in_turn, told_apart
        from daypack.pack.fit import depth

        found = [
            candidates_to_pack(
                self.store,
                self.snapshots,
                one,
                question.depth or depth(budget, one.query.asks_for_change),
                question.condition,
                record_texts,
            )
            for one in each
        ]
        candidates = in_turn(found, lambda candidate: candidate.chunk.id)
        if question.revised is not None:
            candidates = question.revised(candidates)
        return told_apart(self.store, self.visibility, candidates)
