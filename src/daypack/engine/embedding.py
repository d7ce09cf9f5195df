"""Vectors of chunks: which are missing, made by the model, kept in the store.

`fill` makes all missing vectors, batch by batch; `fill_within` makes those of a query's best candidates
within a deadline. Ranking decides how to use them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.embed import open_embedder
from daypack.embed.quantize import check, quantize
from daypack.errors import DaypackError, ModelError, ModelUnavailable, StoreError
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.rows import embedding_text
from daypack.index.store import Store
from daypack.ports import Embedder
from daypack.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Vectors
    from daypack.rank.views import LexicalView, VectorView

BATCH = 64
LAZY_STEP = 8  # texts between two looks at the clock

Progress = Callable[[int, int], None]
"""(done, total)."""


class Embedded(NamedTuple):
    """The outcome of embedding within a deadline."""

    texts: int
    commits: int  # each raised the store's `vec_seq` by one
    degraded: tuple[str, ...]  # the reason why fewer were made than asked for


class Embedding:
    """One store and the model of its vectors; the model is opened at its first use."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._model: Embedder | None = None

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
        """Vectors of texts, checked.

        Any exception of a model becomes a ModelError: it may cost an arm, never an answer.
        """
        model = self.model
        try:
            rows = model.embed(texts)
        except DaypackError:
            raise
        except Exception as error:
            raise ModelUnavailable(model.model_id, f"{type(error).__name__}: {error}") from error
        check(rows, dim=model.dim, model_id=model.model_id)
        return rows

    def fill(
        self,
        chunk_ids: Sequence[int] | None = None,
        *,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Embed the texts without a vector, of these chunks or of all, in order. Each batch is committed by
        itself: an interrupt loses at most one batch.

        `stop` is asked between batches. Returns the number of chunks that got a vector; equal texts are
        embedded once.
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
                self._embed(batch)
                done += sum(copies[chunk_id] for chunk_id in batch)
                if progress is not None:
                    progress(done, max(total, done))
        return done

    def _by_length(self, ids: Sequence[int]) -> Iterator[list[int]]:
        """Ids in batches of like length, so that little of a batch is padding."""
        with self._store.reading() as db:
            sizes = facts.chunk_lengths(db, ids)
        ordered = sorted(sizes, key=lambda chunk_id: (sizes[chunk_id], chunk_id))
        for first in range(0, len(ordered), BATCH):
            yield ordered[first : first + BATCH]

    def fill_within(
        self, seconds: float | None, vectors: VectorView, view: LexicalView, chunk_ids: NDArray[np.int64]
    ) -> Embedded:
        """Embed a snapshot's chunks without a vector, in the order given, until the time is up, and add the
        vectors to `vectors`.
        """
        missing = chunk_ids[vectors.row_of[view.positions_of(chunk_ids)] < 0].tolist()
        deadline = None if seconds is None else time.perf_counter() + seconds
        texts = commits = 0
        for first in range(0, len(missing), LAZY_STEP):
            if deadline is not None and time.perf_counter() >= deadline:
                break
            # Chunks that share their text with an earlier one have their vector by now.
            step = [
                i
                for i in missing[first : first + LAZY_STEP]
                if vectors.row_of[view.positions_of(np.asarray([i]))[0]] < 0
            ]
            if not step:
                continue
            try:
                ids, scales, codes = self._embed(step, busy_seconds=0.2)
            except StoreError as error:  # a full disk or a busy store costs the dense arm, not the answer
                return Embedded(texts, commits, (f"vectors not kept: {error}",))
            except ModelError as error:
                return Embedded(texts, commits, (f"vectors: {error}",))
            # Also for every other chunk of the same text, as in a snapshot that loads the vectors from disk.
            with self._store.reading() as db:
                duplicates = vector_index.duplicates_of(db, ids.tolist())
            row = {chunk_id: n for n, chunk_id in enumerate(ids.tolist())}
            rows = [row[chunk_id] for chunk_id in duplicates.values()]
            vectors.add(view, np.asarray(list(duplicates), dtype=np.int64), scales[rows], codes[rows])
            texts += len(ids)
            commits += 1
        return Embedded(texts, commits, ())

    def _embed(
        self, ids: Sequence[int], *, busy_seconds: float | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int8]]:
        """Embed chunks and keep their vectors: (chunk ids, scales, codes), in their stored form."""
        chunks = self._store.chunks(ids)
        present = [i for i in ids if i in chunks]
        texts = [
            embedding_text(
                chunks[i].name, chunks[i].trail, chunks[i].text, symbol=chunks[i].symbol is not None
            )
            for i in present
        ]
        model = self.model
        scales, codes = quantize(self.vectors_of(texts))
        with self._store.reading() as db:
            hashes = vector_index.embed_hashes(db, present)
        keep = [n for n, chunk_id in enumerate(present) if chunk_id in hashes]
        with self._store.writing("vec_seq", busy_seconds=busy_seconds) as db:
            # A text without any token has no direction: its zero row marks it as done, and is never near to
            # anything.
            vector_index.put_vectors(
                db,
                model.model_id,
                model.dim,
                ((hashes[present[n]], float(scales[n]), codes[n].tobytes()) for n in keep),
            )
        return np.asarray([present[n] for n in keep], dtype=np.int64), scales[keep], codes[keep]
