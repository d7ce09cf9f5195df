"""The memories door: what somebody wants remembered, by key, with its whole history, until it is forgotten.

    dp.memories.remember("release/cadence", "Weekly on Thursdays at 2pm UTC")
    dp.memories.recall("release/cadence").value
    dp.memories.pack("release process", budget_tokens=1500).text

A door belongs to one owner in one project and sees what is theirs and what is shared in the project, nothing
else. The value that holds is a record of the common index, so it is searched and ranked like any other text;
versions, validity and trust are kept beside it (`daypack.doors.memories.table`) and judged by rules without
side effects (`daypack.doors.memories.rules`).
"""

from __future__ import annotations

from daypack.doors.memories.files import MemoryFiles
from daypack.doors.memories.forgetting import MemoryForgetting
from daypack.doors.memories.packing import MemoryPacking
from daypack.doors.memories.writing import MemoryWriting
from daypack.engine.engine import Engine
from daypack.types import OWNER


class MemoriesDoor(MemoryWriting, MemoryPacking, MemoryForgetting):
    """One owner's memories in one project, and those that the project shares."""

    def __init__(
        self, engine: Engine, *, owner: str = OWNER, project: str = "", notes_use: bool = True
    ) -> None:
        super().__init__(engine, owner=owner, project=project, notes_use=notes_use)
        self.files = MemoryFiles(self)
