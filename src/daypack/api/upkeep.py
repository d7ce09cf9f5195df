"""The upkeep of an opened store: its base class brings the verbs on vectors, the index, and the state of the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from daypack.engine.background import BackgroundEmbedding
from daypack.engine.engine import Engine
from daypack.engine.open_store import OpenStore
from daypack.engine.upkeep import READER_VERSION
from daypack.errors import InputError, ModelError
from daypack.guard.arguments import checked
from daypack.index import census
from daypack.types import IngestReport

if TYPE_CHECKING:
    from daypack.doors.files.door import FilesDoor
    from daypack.engine.checks import Check


@checked
class Upkeep:
    """The verbs of upkeep on a store that is open."""

    engine: Engine
    _opened: OpenStore
    _background: BackgroundEmbedding | None = None

    def embed(self, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Make all missing vectors; returns their number. An interrupt keeps finished ones."""
        with self.engine.translating_damage():
            done = self.engine.embed_pending(progress=progress)
            self.engine.embedding.count_complete()
            return done

    def embed_in_background(self) -> BackgroundEmbedding:
        """Make missing vectors on a thread of its own until this instance is closed; for long-lived
        processes. Raises StoreClosed.
        """
        self.engine.store.check_open()  # the thread has a connection of its own
        if self._background is None:
            try:
                model = self.engine.embedding.model  # one in memory serves both
            except ModelError:
                model = None  # `error` of the background tells the fault, as does every query
            self._background = BackgroundEmbedding(self.engine, model=model)
        return self._background

    def reindex(self, *, progress: Callable[[int, int], None] | None = None) -> IngestReport:
        """Read the files again, then rebuild chunks and lexical index from the stored texts; vectors of equal text are kept.

        A store of an earlier version of Daypack answers as a new one afterwards. Texts whose files are not on this disk
        stay as they were read.
        """
        files: FilesDoor = self._opened.door("files")
        read = files.read_again(progress=progress)
        with self.engine.translating_damage():
            rebuilt = self.engine.reindex()
            with self.engine.store.writing() as db:
                self.engine.store.keep_reader_version(db, READER_VERSION)
        return rebuilt._replace(removed=read.removed, issues=read.issues)

    def status(self) -> dict[str, Any]:
        """Counts, sizes and freshness of the store. `embedder` is "" when the model cannot be used."""
        from daypack.api.overview import status

        with self.engine.translating_damage():
            return status(self._opened)

    def growth(self, *, steps: int = 60) -> list[tuple[float, int]]:
        """(moment, number of the present records that were stored by then), oldest first: at most `steps` + 1, none for
        an empty store. A record counts from its last reading on.
        """
        if steps < 1:
            raise InputError(f"steps {steps} are too few; ask for 1 or more")
        with self.engine.translating_damage(), self.engine.store.reading() as db:
            return census.growth(db, self.engine.visibility.visible(db), steps)

    def doctor(self) -> list[Check]:
        """The quick view: checks of the environment, and those of `check` that read no text."""
        from daypack.engine.health import diagnose

        return diagnose(self.engine.store, self.engine.doors)
