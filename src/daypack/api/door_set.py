"""The doors of an opened store, by name and as attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from daypack.engine.open_store import OpenStore
from daypack.errors import InputError
from daypack.guard.arguments import checked

if TYPE_CHECKING:
    from daypack.doors.code.door import CodeDoor
    from daypack.doors.documents.door import DocumentsDoor
    from daypack.doors.files.door import FilesDoor
    from daypack.doors.knowledge.door import KnowledgeDoor
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.records.door import RecordsDoor
    from daypack.doors.sessions.door import SessionsDoor
    from daypack.doors.sources.door import SourcesDoor
    from daypack.doors.sources.tasks.door import TasksDoor
    from daypack.team.people import Team


D = TypeVar("D")


class Opened(Generic[D]):
    """The door of a name as an attribute, opened at its first use."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self.__doc__ = name, about

    def __get__(self, instance: DoorSet | None, owner: type) -> D:
        found: D = self if instance is None else instance.door(self._name)  # type: ignore[assignment]
        return found


@checked
class DoorSet:
    """The doors that the engine of a store was opened with. Each is opened at its first use."""

    files: Opened[FilesDoor] = Opened("files", "The door of files and folders, kept in step with the disk.")
    records: Opened[RecordsDoor] = Opened("records", "The door of records that a program hands over.")
    code: Opened[CodeDoor] = Opened(
        "code", "The door of code: packs with neighbours, symbols, callers, tests, and a map."
    )
    memories: Opened[MemoriesDoor] = Opened(
        "memories", "The door of the memories of this instance's owner and project."
    )
    sessions: Opened[SessionsDoor] = Opened(
        "sessions", "The door of sessions: events of the work of agents and people."
    )
    knowledge: Opened[KnowledgeDoor] = Opened("knowledge", "The door of labelled sources.")
    documents: Opened[DocumentsDoor] = Opened("docs", "The door of JSON documents and their collections.")
    sources: Opened[SourcesDoor] = Opened(
        "sources",
        "The door of scoped, versioned records with a policy; the default user is this instance's owner.",
    )

    def __init__(self, opened: OpenStore) -> None:
        self._opened = opened
        self._doors: dict[str, Any] = {}
        self._tasks: TasksDoor | None = None

    def __repr__(self) -> str:
        store = self._opened.engine.store
        return f"<Daypack {store.name!r}{' closed' if store.is_closed else ''}>"

    def door(self, name: str) -> Any:
        """The door of this name, as `--in` takes it; opened at its first use. Raises InputError."""
        if name not in self._doors:
            known = {door.name: door for door in self._opened.engine.doors}
            if name not in known:
                raise InputError(f"{name!r} is not a door; choose from {', '.join(known)}")
            self._doors[name] = known[name].open(self._opened)
        return self._doors[name]

    @property
    def tasks(self) -> TasksDoor:
        """The door of tasks: the envelope of a request, and its user's preferences."""
        if self._tasks is None:
            from daypack.doors.sources.tasks.door import TasksDoor

            self._tasks = TasksDoor(self.sources)
        return self._tasks

    @property
    def team(self) -> Team:
        """The people of a team server whose store this is."""
        from daypack.team.people import Team

        return Team(self._opened.engine.store, self._opened.engine.clock)

    def close_doors(self) -> None:
        """Close the opened doors; the store stays open."""
        for door in self._opened.engine.doors:
            if door.close is not None and door.name in self._doors:
                door.close(self._doors[door.name])
