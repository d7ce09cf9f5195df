"""The sources door under the names of a context store's service, awaited and not.

service = DaypackService() await service.ingest_source(DaypackSourceCreate(scope="user", user_id="u1",
kind="user_profile_note", text="Prefers short e-mails.")) found = await
service.retrieve_context(DaypackRetrieveRequest(query_text="draft an update", user_id="u1"))

`SyncDaypackService` has the same methods without `await`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from daypack.aio import AsyncDaypack
from daypack.api import Daypack
from daypack.doors import registry
from daypack.doors.sources import serialize as source_data
from daypack.doors.sources.door import SourcesDoor
from daypack.doors.sources.tasks.types import TaskEnvelope, Taught
from daypack.doors.sources.types import AssembleRequest as DaypackAssembleRequest
from daypack.doors.sources.types import RetrieveRequest as DaypackRetrieveRequest
from daypack.doors.sources.types import SourceDraft as DaypackSourceCreate
from daypack.doors.sources.types import SourcePolicy as DaypackPolicy
from daypack.engine.checks import Check
from daypack.settings.context import STORE

__all__ = [
    "DaypackAssembleRequest",
    "DaypackPolicy",
    "DaypackRetrieveRequest",
    "DaypackService",
    "DaypackSourceCreate",
    "SyncDaypackService",
]

P = ParamSpec("P")
T = TypeVar("T")


def _open(store: Path | str | None, environment: Mapping[str, str]) -> Daypack:
    """The named store, else the one that the command line would use from here."""
    context = registry.context_of(Path.cwd(), environment)
    named = str(store) if store is not None else environment.get(STORE) or None
    return Daypack.open_in(context, context.place(named))


def _asks(
    method: Callable[Concatenate[SourcesDoor, P], T],
) -> Callable[Concatenate[SyncDaypackService, P], T]:
    """The method of the sources door, as one of the service."""

    @functools.wraps(method)
    def asked(self: SyncDaypackService, /, *arguments: P.args, **named: P.kwargs) -> T:
        return method(self.daypack.sources, *arguments, **named)

    return asked


class SyncDaypackService:
    """One store, for one thread, opened at the first call. Close it, or use it in a `with` block."""

    def __init__(
        self, store: Path | str | None = None, *, environment: Mapping[str, str] | None = None
    ) -> None:
        self._store, self._environment = store, os.environ if environment is None else environment
        self._opened: Daypack | None = None

    @classmethod
    def around(cls, daypack: Daypack) -> SyncDaypackService:
        """The service of an open store."""
        service = cls()
        service._opened = daypack
        return service

    @property
    def daypack(self) -> Daypack:
        """The store with all its doors."""
        if self._opened is None:
            self._opened = _open(self._store, self._environment)
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> SyncDaypackService:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    store = _asks(SourcesDoor.store)
    ingest_source = _asks(SourcesDoor.ingest)
    upsert_source = _asks(SourcesDoor.upsert)
    import_path = _asks(SourcesDoor.import_path)
    delete_source = _asks(SourcesDoor.delete)
    get_record = _asks(SourcesDoor.get)
    list_records = _asks(SourcesDoor.list)
    export_training = _asks(SourcesDoor.export)
    stats = _asks(SourcesDoor.stats)
    prune = _asks(SourcesDoor.prune)
    retrieve_context = _asks(SourcesDoor.retrieve)
    assemble_context = _asks(SourcesDoor.assemble)

    def health(self) -> list[Check]:
        return self.daypack.doctor()

    def prepare_context(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """The assembled text as blocks, each with its origin."""
        return source_data.blocks_to_dict(self.assemble_context(request))

    def explain_context_selection(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """Give the reason for each item that is in the assembled text, or is not."""
        return source_data.selection_to_dict(self.assemble_context(request))

    def prepare_task_envelope(self, request: DaypackAssembleRequest) -> TaskEnvelope:
        return self.daypack.tasks.envelope(request)

    def update_workflow_preference(
        self, approved_text: str, *, workflow: str = "", user_id: str | None = None
    ) -> Taught:
        return self.daypack.tasks.learn(approved_text, workflow=workflow, user_id=user_id)


def _awaited(
    method: Callable[Concatenate[SyncDaypackService, P], T],
) -> Callable[Concatenate[DaypackService, P], Coroutine[Any, Any, T]]:
    """The method of the synchronous service as an awaited one."""

    @functools.wraps(method)
    async def awaited(self: DaypackService, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await self.daypack.run(
            lambda daypack: method(SyncDaypackService.around(daypack), *arguments, **named)
        )

    return awaited


class DaypackService:
    """The same for programs that await, on a thread of its own: calls wait their turn.

    Close it, or use it in `async with`.
    """

    def __init__(
        self, store: Path | str | None = None, *, environment: Mapping[str, str] | None = None
    ) -> None:
        found = dict(os.environ if environment is None else environment)
        self._awaited = AsyncDaypack(lambda: _open(store, found))

    @property
    def daypack(self) -> AsyncDaypack:
        """The store with all its doors."""
        return self._awaited

    async def close(self) -> None:
        await self._awaited.close()

    async def __aenter__(self) -> DaypackService:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    store = _awaited(SyncDaypackService.store)
    ingest_source = _awaited(SyncDaypackService.ingest_source)
    upsert_source = _awaited(SyncDaypackService.upsert_source)
    import_path = _awaited(SyncDaypackService.import_path)
    delete_source = _awaited(SyncDaypackService.delete_source)
    get_record = _awaited(SyncDaypackService.get_record)
    list_records = _awaited(SyncDaypackService.list_records)
    export_training = _awaited(SyncDaypackService.export_training)
    stats = _awaited(SyncDaypackService.stats)
    prune = _awaited(SyncDaypackService.prune)
    health = _awaited(SyncDaypackService.health)
    retrieve_context = _awaited(SyncDaypackService.retrieve_context)
    assemble_context = _awaited(SyncDaypackService.assemble_context)
    prepare_context = _awaited(SyncDaypackService.prepare_context)
    explain_context_selection = _awaited(SyncDaypackService.explain_context_selection)
    prepare_task_envelope = _awaited(SyncDaypackService.prepare_task_envelope)
    update_workflow_preference = _awaited(SyncDaypackService.update_workflow_preference)
