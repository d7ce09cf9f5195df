"""Embedding: the vectors of chunks are made by the model and kept in the store.

`fill` makes all missing vectors, batch by batch; `fill_chunks` makes those of a query's best candidates. Every chunk also
has an instant vector from the static table, made when it is written (`write_instant`), or, after a short command, by the
first question (`instant_of`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from daypack.embed import open_embedder, open_static
from daypack.embed.quantize import check, quantize
from daypack.errors import DaypackError, ModelError, ModelUnavailable, StoreBusy, StoreError
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.rows import Prepared, Written, embedding_heads, embedding_text
from daypack.index.store import Store
from daypack.index.vectors import complete, instant
from daypack.index.vectors.instant import InstantRows
from daypack.ports import Connection, Embedder, Progress, StaticTable
from daypack.settings import Settings
from daypack.types.arrays import Floats, Int8s, Ints, Vectors

if TYPE_CHECKING:
    from daypack.rank.views import LexicalView, VectorView
    from daypack.text.numbering import ReadTexts

BATCH = 64
MODELS_HERE = frozenset({"minilm", "folder"})
WRITTEN_CHUNKS = 32  # at most so many are embedded while they are written, in half a second
TABLE_CHUNKS = 32  # for so few written chunks a process does not read the static table
KEEPING_SECONDS = 0.2  # a question waits so long for another writer, to keep the vectors that it made
STEP = 64  # texts of a query that are embedded and kept together
SEGMENT_TEXTS = 1000  # texts that are read together to make instant vectors
QUESTIONS_KEPT = 64  # vectors, 100 KB


class Embedded(NamedTuple):
    """The outcome of embedding the best candidates of a query."""

    texts: int
    commits: int  # each raised the store's `vec_seq` by one
    degraded: tuple[str, ...]  # the reason why fewer were made than asked for


class _Made(NamedTuple):
    """Vectors of chunks, as they are stored."""

    ids: list[int]
    scales: Floats
    codes: Int8s


class Embedding:
    """One store and the model of its vectors; the model is opened at its first use."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._model: Embedder | None = None
        self.static_trouble = ""
        self._asked: dict[tuple[str, str], Floats] = {}  # by model and question, the latest last

    @cached_property
    def static(self) -> StaticTable | None:
        """The static table of the configured encoder; None when it has none, or a damaged one (see `static_trouble`)."""
        try:
            return open_static(self._settings.embedder)
        except ModelError as error:
            self.static_trouble = f"instant vectors: {error}"
            return None

    def is_word(self, word: str) -> bool:
        """Tell whether the static table knows a lower-case word by itself; False without a table."""
        try:
            return self.static is not None and self.static.has_word(word)
        except ModelError as error:
            self.static_trouble = f"instant vectors: {error}"
            return False

    def write_instant(
        self, db: Connection, segment_id: int, items: Sequence[Prepared], bodies: ReadTexts
    ) -> None:
        """Make the instant vectors of a segment inside the transaction that writes it. `bodies` are the texts of its chunks.

        Unless the table is in memory, those of a few texts are left to the first question or to the merge of the segment:
        reading the table takes longer than everything else that a command does to write a text.
        """
        if len(bodies.texts.sizes) <= TABLE_CHUNKS and "static" not in vars(self):
            return

        from daypack.text.numbering import ReadTexts, numbered

        def embed(table: StaticTable) -> Vectors:
            heads, whole = embedding_heads(items, longest=table.longest)
            before, own = numbered(bodies.known, heads), bodies.texts.only(whole)
            return table.embed_read(ReadTexts(bodies.known, before.followed_by(own)))

        if (rows := self._instant_rows(embed)) is not None:
            instant.put(db, segment_id, rows)

    def complete_instant(self, db: Connection, segment_ids: Sequence[int]) -> None:
        """Make the instant vectors of the segments that lack them, inside a write transaction, if other segments have them: a
        merge keeps instant vectors only if all of its segments have them.
        """
        lacking = instant.lacking(db, segment_ids)
        if len(lacking) < len(segment_ids):
            for segment_id in lacking:
                if (rows := self.instant_of(db, segment_id)) is not None:
                    instant.put(db, segment_id, rows)

    def instant_of(self, db: Connection, segment_id: int) -> InstantRows | None:
        """The instant vectors of a segment, from the texts of its chunks; None without a table."""
        from daypack.index.postings.lexical import chunk_ids

        ids = chunk_ids(db, segment_id)
        texts = dict.fromkeys(ids, "")
        for first in range(0, len(ids), SEGMENT_TEXTS):
            texts.update(self.texts_of(ids[first : first + SEGMENT_TEXTS]))
        return self._instant_rows(lambda table: table.embed([*texts.values()]))

    def _instant_rows(self, embed: Callable[[StaticTable], Vectors]) -> InstantRows | None:
        table = self.static
        if table is None:
            return None
        try:
            return InstantRows(table.model_id, *quantize(embed(table)))
        except ModelError as error:
            self.static_trouble = f"instant vectors: {error}"
            return None

    def keep_instant(self, made: Mapping[int, InstantRows], sequence: int) -> int:
        """Keep the instant vectors that a question made for the store at a sequence number; returns the number of commits.

        When text was written since, or another process writes, nothing is kept, and the next question makes them again.
        Raises StoreError.
        """
        if self._store.read_only:
            return 0
        try:
            with self._store.writing("vec_seq", busy_seconds=KEEPING_SECONDS) as db:
                # Else a text may have been deleted for good meanwhile.
                if self._store.sequences()[0] == sequence:
                    for segment_id, rows in made.items():
                        instant.put(db, segment_id, rows)
        except StoreBusy:
            return 0
        return 1

    def texts_of(self, ids: Sequence[int]) -> dict[int, str]:
        """Chunk id → the text that a model embeds, for chunks that are there."""
        return {
            chunk_id: embedding_text(chunk.name, chunk.trail, chunk.text, symbol=chunk.symbol is not None)
            for chunk_id, chunk in self._store.chunks(ids).items()
        }

    @property
    def model(self) -> Embedder:
        if self._model is None:
            try:
                self._model = open_embedder(
                    self._settings.embedder,
                    threads=self._settings.threads,
                    model=self._settings.embedder_model,
                    api_key=self._settings.embedder_key,
                )
            except ImportError as error:
                raise ModelUnavailable(self._settings.embedder, str(error)) from error
        return self._model

    @model.setter
    def model(self, model: Embedder) -> None:
        self._model = model

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """The checked vectors of texts. Any exception of a model becomes a ModelError, because other arms still answer."""
        model = self.model
        try:
            rows = model.embed(texts)
        except DaypackError:
            raise
        except Exception as error:
            raise ModelUnavailable(model.model_id, f"{type(error).__name__}: {error}") from error
        check(rows, dim=model.dim, model_id=model.model_id)
        return rows

    def question_vector(self, text: str) -> Floats:
        """The checked vector of a question. The latest are kept, because a pack often follows a search. Raises ModelError."""
        key = (self.model.model_id, text)
        vector = self._asked.pop(key, None)
        if vector is None:
            vector = self.vectors_of([text])[0].copy()
            vector.setflags(write=False)
        self._asked[key] = vector
        if len(self._asked) > QUESTIONS_KEPT:
            del self._asked[next(iter(self._asked))]
        return vector

    def fill(
        self,
        chunk_ids: Sequence[int] | None,
        *,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Embed the texts of these chunks, or of all, that have no vector; returns the number of chunks that got one. Equal
        texts are embedded once.

        Each batch is a commit, so an interrupt loses at most one; between batches `stop` tells whether to end.
        """
        model = self.model.model_id
        wanted = None if chunk_ids is None else set(chunk_ids)
        total = vector_index.count_pending(self._store, model) if wanted is None else len(wanted)
        done = after = 0
        if progress is not None:
            progress(0, total)
        while rows := vector_index.pending_chunks(self._store, model, after=after, limit=16 * BATCH):
            after = rows[-1][0]
            by_hash: dict[bytes, list[int]] = {}
            for chunk_id, hash_ in rows:
                if wanted is None or chunk_id in wanted:
                    by_hash.setdefault(hash_, []).append(chunk_id)
            copies = {members[0]: len(members) for members in by_hash.values()}
            for batch in self._by_length(list(copies)):
                if stop():
                    return done
                self._keep(self._embed(batch))
                done += sum(copies[chunk_id] for chunk_id in batch)
                if progress is not None:
                    progress(done, max(total, done))
        self._mark_complete(model)
        return done

    def lacking_files(self) -> Iterator[dict[bytes, str]]:
        """The texts of files without a vector of the model, by their hashes, some hundred in one go."""
        after, model = 0, self.model.model_id
        while True:
            with self._store.reading() as db:
                rows = vector_index.lacking_files(db, model, after=after, limit=4 * BATCH)
            if not rows:
                return
            after, hashes = rows[-1][0], dict(rows)
            yield {hashes[chunk_id]: text for chunk_id, text in self.texts_of([*hashes]).items()}

    def keep_vectors(self, rows: Iterable[tuple[bytes, float, bytes]]) -> None:
        """Keep (hash, scale, codes) that another process made of texts of this store, by the same model."""
        with self._store.writing("vec_seq") as db:
            vector_index.put_vectors(db, self.model.model_id, self.model.dim, rows)

    def kept_vectors(self, hashes: Iterable[bytes]) -> list[tuple[bytes, float, bytes]]:
        """(hash, scale, codes) of those of these texts that have a vector of the model."""
        with self._store.reading() as db:
            model_id = vector_index.find_model(db, self.model.model_id)
            return [] if model_id is None else vector_index.find_vectors(db, model_id, self.model.dim, hashes)

    def _mark_complete(self, model: str) -> None:
        with self._store.reading() as db:
            is_new = bool(complete.newly_complete(db, model))
        if is_new:
            with self._store.writing("vec_seq") as db:
                complete.mark_complete(db, model)
        if former := self._former():
            with self._store.reading() as db:
                is_complete = complete.is_complete(db, model)
            if is_complete:
                self._drop(former)

    def drop_former(self) -> None:
        """Delete the vectors of the model's former versions, which no program of this version compares with anything."""
        if former := self._former():
            self._drop(former)

    def _former(self) -> list[str]:
        """The former versions of the model that have vectors here."""
        if not (names := getattr(self.model, "former_ids", ())):
            return []
        with self._store.reading() as db:
            return [name for name in names if vector_index.find_model(db, name) is not None]

    def _drop(self, models: Sequence[str]) -> None:
        with self._store.writing("vec_seq") as db:
            vector_index.drop_models(db, models)

    def count_complete(self) -> None:
        """Let the vectors of complete places count for every question from now on."""
        with self._store.writing("vec_seq") as db:
            complete.count_complete(db)

    def embed_written(self, db: Connection, written: Sequence[tuple[Written, Prepared]]) -> None:
        """Embed new chunks of complete places inside the transaction that wrote them, and record which places are complete.

        It embeds only few chunks, by a model on this machine: a writer must not wait long, or for a network. When the model
        fails, the places are incomplete, the write succeeds, and the next question reports the fault.
        """
        places = {(item.record.door, item.record.scope) for _, item in written}
        new = range(written[0][0].chunk_ids.start, written[-1][0].chunk_ids.stop)
        name = ""
        if self._settings.embedder.partition(":")[0] in MODELS_HERE:
            with contextlib.suppress(ModelError):
                name = self.model.model_id
                marked = complete.complete_places(db, name, counting=False)
                wanted = [
                    chunk_id
                    for done, item in written
                    if item.handling.by_hand or (item.record.door, item.record.scope) in marked
                    for chunk_id in done.chunk_ids
                ]
                if 0 < len(wanted) <= WRITTEN_CHUNKS and (unknown := vector_index.unknown(db, name, wanted)):
                    self._put(db, self._embed(unknown))
        complete.settle(db, new, sorted(places), name)

    def _by_length(self, ids: Sequence[int]) -> Iterator[list[int]]:
        """Ids in batches of texts of similar length, so that little of a batch is padding."""
        with self._store.reading() as db:
            sizes = facts.chunk_lengths(db, ids)
        ordered = sorted(sizes, key=lambda chunk_id: (sizes[chunk_id], chunk_id))
        for first in range(0, len(ordered), BATCH):
            yield ordered[first : first + BATCH]

    def fill_chunks(self, vectors: VectorView, view: LexicalView, chunk_ids: Ints) -> Embedded:
        """Embed the chunks of a snapshot that have no vector, add the vectors to `vectors`, and keep them unless the caller
        holds a transaction that reads.
        """
        import numpy as np

        missing = chunk_ids[vectors.row_of[view.positions_of(chunk_ids)] < 0].tolist()
        texts = commits = 0
        degraded: tuple[str, ...] = ()
        for first in range(0, len(missing), STEP):
            # A chunk with the text of an earlier one has its vector by now.
            step = [
                i
                for i in missing[first : first + STEP]
                if vectors.row_of[view.positions_of(np.asarray([i]))[0]] < 0
            ]
            if not step:
                continue
            try:
                made = self._embed(step)
            except ModelError as error:
                return Embedded(texts, commits, (f"vectors: {error}",))
            try:
                if not self._store.is_reading:
                    self._keep(made, busy_seconds=KEEPING_SECONDS)
                    commits += 1
            except StoreBusy:
                pass  # the next question that needs them makes them again
            except StoreError as error:  # a full disk costs time at the next question, not this answer
                degraded = (f"vectors not kept: {error}",)
            # Also for every other chunk of the same text, as a snapshot that loads the vectors from disk has it.
            with self._store.reading() as db:
                duplicates = vector_index.duplicates_of(db, made.ids)
            row = {chunk_id: n for n, chunk_id in enumerate(made.ids)}
            rows = [row[chunk_id] for chunk_id in duplicates.values()]
            ids = np.asarray(list(duplicates), dtype=np.int64)
            vectors.add(view, ids, made.scales[rows], made.codes[rows])
            texts += len(made.ids)
        return Embedded(texts, commits, degraded)

    def _embed(self, ids: Sequence[int]) -> _Made:
        """Vectors of chunks, of those that are there."""
        texts = self.texts_of(ids)
        scales, codes = quantize(self.vectors_of([*texts.values()]))
        return _Made([*texts], scales, codes)

    def _keep(self, made: _Made, *, busy_seconds: float | None = None) -> None:
        """Keep vectors in the store. The zero row of a text without tokens marks it as done."""
        with self._store.writing("vec_seq", busy_seconds=busy_seconds) as db:
            self._put(db, made)

    def _put(self, db: Connection, made: _Made) -> None:
        hashes = vector_index.embed_hashes(db, made.ids)
        rows = (
            (hashes[chunk_id], float(scale), code.tobytes())
            for chunk_id, scale, code in zip(made.ids, made.scales, made.codes, strict=True)
            if chunk_id in hashes
        )
        vector_index.put_vectors(db, self.model.model_id, self.model.dim, rows)
