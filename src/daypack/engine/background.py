"""Embedding in the background of a long-lived process: a thread with a connection of its own, stopped at
will.

Each batch is a transaction, so stopping, or dying, loses at most one batch, and the next start goes on where
it was.
"""

from __future__ import annotations

import threading

from daypack.engine.engine import Engine
from daypack.engine.upkeep import fold_if_due
from daypack.errors import DaypackError, StoreBusy
from daypack.index.stores import open_store
from daypack.ports import Embedder


class BackgroundEmbedding:
    """Fills in missing vectors until every text has one, then looks again every `idle_seconds`.

    `error` is the reason why it gave up.
    """

    def __init__(self, beside: Engine, *, idle_seconds: float = 5.0, model: Embedder | None = None) -> None:
        """`beside` is the engine whose store and viewer this thread serves; the thread opens its own
        connection. `model` is a shared model; without it, the thread opens one.
        """
        self._model = model
        self._beside, self._idle_seconds = beside, idle_seconds
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._change = threading.Condition()
        # number of `wait` calls; number of those that a complete look has answered
        self._asked = self._answered = 0
        self._ended = False
        self.error: DaypackError | None = None
        self._thread = threading.Thread(target=self._run, name="daypack-embedding", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with open_store(self._beside.store.place, create=False) as store:
                engine = self._beside.beside(store, self._beside.settings)
                if self._model is not None:
                    engine.embedding.model = self._model
                complete = -1  # the state of the texts when each had its vector
                while not self._stopping.is_set():
                    self._wake.clear()
                    asked = self._asked
                    try:
                        # A look at 100,000 chunks costs .4 s of CPU, and only texts that were written can
                        # lack a vector.
                        if (sequence := store.sequences()[0]) != complete:
                            engine.embed_pending(stop=self._stopping.is_set)
                            fold_if_due(store)
                            complete = sequence
                    except StoreBusy:  # others write; the next look finds the same gaps
                        pass
                    else:
                        if not self._stopping.is_set():
                            self._tell(answered=asked)
                    self._wake.wait(self._idle_seconds)
        except DaypackError as error:
            self.error = error
        finally:
            self._ended = True
            self._tell()

    def _tell(self, answered: int = 0) -> None:
        with self._change:
            self._answered = max(self._answered, answered)
            self._change.notify_all()

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait for the vectors of all pending texts; False when the time ran out or it was stopped."""
        with self._change:
            self._asked += 1
            mine = self._asked
            self._wake.set()
            self._change.wait_for(lambda: self._answered >= mine or self._ended, timeout_seconds)
            return self._answered >= mine or self.error is not None

    def stop(self) -> None:
        """Stop after the current batch."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()
