"""The owner of the memories that an answer is about, and the engine that keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from daypack.doors.memories import spaces
from daypack.doors.memories.spaces import Space
from daypack.doors.memories.types import MemoryVersion
from daypack.engine.engine import Engine
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.types import SHARED

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """One owner in one project of a store. Without `notes_use` reading leaves no trace."""

    engine: Engine
    owner: str
    project: str
    notes_use: bool = True

    @property
    def store(self) -> Store:
        return self.engine.store

    def spaces(self, db: Connection) -> list[Space]:
        """The owner's own space and the shared one, as far as they exist."""
        found = (self.find_space(db, shared=shared) for shared in (False, True))
        return [space for space in found if space is not None]

    def find_space(self, db: Connection, *, shared: bool) -> Space | None:
        return spaces.find_space(db, SHARED if shared else self.owner, self.project)

    def make_space(self, db: Connection, *, shared: bool) -> Space:
        return spaces.make_space(db, SHARED if shared else self.owner, self.project)

    def shown(self, answer: T, versions: Sequence[MemoryVersion]) -> T:
        """The answer, noted as one that shows its reader these versions."""
        self.engine.writer.show(version.trust for version in versions)
        return answer
