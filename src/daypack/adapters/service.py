"""The sources door under the names of a context store's service, awaited and not.

service = DaypackService() await service.ingest_source(DaypackSourceCreate(scope="user", user_id="u1",
kind="user_profile_note", text="Prefers short e-mails.")) found = await
service.retrieve_context(DaypackRetrieveRequest(query_text="draft an update", user_id="u1"))

`SyncDaypackService` has the same methods without `await`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from daypack.aio import AsyncDaypack
from daypack.api import Daypack
from daypack.doors import registry
from daypack.doors.sources import serialize as source_data
from daypack.doors.sources.tasks.types import TaskEnvelope, Taught
from daypack.doors.sources.types import AssembleRequest as DaypackAssembleRequest
from daypack.doors.sources.types import (
    Assembly,
    ImportedSources,
    Retrieval,
    Source,
    SourceReceipt,
    StoredSource,
)
from daypack.doors.sources.types import RetrieveRequest as DaypackRetrieveRequest
from daypack.doors.sources.types import SourceDraft as DaypackSourceCreate
from daypack.doors.sources.types import SourcePolicy as DaypackPolicy
from daypack.engine.health import Check
from daypack.settings.context import STORE, ProjectContext

__all__ = [
    "DaypackAssembleRequest",
    "DaypackPolicy",
    "DaypackRetrieveRequest",
    "DaypackService",
    "DaypackSourceCreate",
    "SyncDaypackService",
]


def _open(store: Path | str | None, environment: Mapping[str, str]) -> Daypack:
    """The store that is named, else the one that the command line would use from here."""
    standing = ProjectContext(Path.cwd(), environment, Path.home(), registry.settings())
    return Daypack.open_in(
        standing, standing.place(str(store) if store is not None else environment.get(STORE))
    )


class SyncDaypackService:
    """One store, for one thread, opened at the first call. Close it, or use it in a `with` block."""

    def __init__(
        self, store: Path | str | None = None, *, environment: Mapping[str, str] | None = None
    ) -> None:
        self._store, self._environment = store, os.environ if environment is None else environment
        self._opened: Daypack | None = None

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

    def store(self, kind: str, text: str, **facts: Any) -> StoredSource:
        return self.daypack.sources.store(kind, text, **facts)

    def ingest_source(self, source: DaypackSourceCreate) -> StoredSource:
        return self.daypack.sources.ingest(source)

    def upsert_source(self, source_key: str, source: DaypackSourceCreate) -> StoredSource:
        return self.daypack.sources.upsert(source_key, source)

    def import_path(
        self, path: Path | str, source: DaypackSourceCreate, *, recursive: bool = False
    ) -> ImportedSources:
        return self.daypack.sources.import_path(path, source, recursive=recursive)

    def delete_source(
        self,
        source_key: str,
        *,
        scope: str = "session",
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> SourceReceipt:
        return self.daypack.sources.delete(source_key, scope=scope, user_id=user_id, session_id=session_id)

    def get_record(
        self, record_id: str, *, user_id: str | None = None, session_id: str | None = None
    ) -> Source:
        return self.daypack.sources.get(record_id, user_id=user_id, session_id=session_id)

    def list_records(self, **narrow: Any) -> tuple[Source, ...]:
        return self.daypack.sources.list(**narrow)

    def export_training(
        self, *, user_id: str | None = None, session_id: str | None = None
    ) -> tuple[Source, ...]:
        return self.daypack.sources.export(user_id=user_id, session_id=session_id)

    def stats(self, *, user_id: str | None = None, session_id: str | None = None) -> dict[str, Any]:
        return self.daypack.sources.stats(user_id=user_id, session_id=session_id)

    def prune(self, **bounds: Any) -> tuple[SourceReceipt, ...]:
        return self.daypack.sources.prune(**bounds)

    def health(self) -> list[Check]:
        return self.daypack.doctor()

    def retrieve_context(self, request: DaypackRetrieveRequest) -> Retrieval:
        return self.daypack.sources.retrieve(request)

    def assemble_context(self, request: DaypackAssembleRequest) -> Assembly:
        return self.daypack.sources.assemble(request)

    def prepare_context(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """The assembled text as blocks, each with where it comes from."""
        return source_data.blocks_to_dict(self.assemble_context(request))

    def explain_context_selection(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """Why each item is in the assembled text, or is not."""
        return source_data.selection_to_dict(self.assemble_context(request))

    def prepare_task_envelope(self, request: DaypackAssembleRequest) -> TaskEnvelope:
        return self.daypack.tasks.envelope(request)

    def update_workflow_preference(
        self, approved_text: str, *, workflow: str = "", user_id: str | None = None
    ) -> Taught:
        return self.daypack.tasks.learn(approved_text, workflow=workflow, user_id=user_id)


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

    async def store(self, kind: str, text: str, **facts: Any) -> StoredSource:
        return await self._awaited.run(lambda daypack: daypack.sources.store(kind, text, **facts))

    async def ingest_source(self, source: DaypackSourceCreate) -> StoredSource:
        return await self._awaited.run(lambda daypack: daypack.sources.ingest(source))

    async def upsert_source(self, source_key: str, source: DaypackSourceCreate) -> StoredSource:
        return await self._awaited.run(lambda daypack: daypack.sources.upsert(source_key, source))

    async def import_path(
        self, path: Path | str, source: DaypackSourceCreate, *, recursive: bool = False
    ) -> ImportedSources:
        return await self._awaited.run(
            lambda daypack: daypack.sources.import_path(path, source, recursive=recursive)
        )

    async def delete_source(
        self,
        source_key: str,
        *,
        scope: str = "session",
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> SourceReceipt:
        return await self._awaited.run(
            lambda daypack: daypack.sources.delete(
                source_key, scope=scope, user_id=user_id, session_id=session_id
            )
        )

    async def get_record(
        self, record_id: str, *, user_id: str | None = None, session_id: str | None = None
    ) -> Source:
        return await self._awaited.run(
            lambda daypack: daypack.sources.get(record_id, user_id=user_id, session_id=session_id)
        )

    async def list_records(self, **narrow: Any) -> tuple[Source, ...]:
        return await self._awaited.run(lambda daypack: daypack.sources.list(**narrow))

    async def export_training(
        self, *, user_id: str | None = None, session_id: str | None = None
    ) -> tuple[Source, ...]:
        return await self._awaited.run(
            lambda daypack: daypack.sources.export(user_id=user_id, session_id=session_id)
        )

    async def stats(self, *, user_id: str | None = None, session_id: str | None = None) -> dict[str, Any]:
        return await self._awaited.run(
            lambda daypack: daypack.sources.stats(user_id=user_id, session_id=session_id)
        )

    async def prune(self, **bounds: Any) -> tuple[SourceReceipt, ...]:
        return await self._awaited.run(lambda daypack: daypack.sources.prune(**bounds))

    async def health(self) -> list[Check]:
        return await self._awaited.run(lambda daypack: daypack.doctor())

    async def retrieve_context(self, request: DaypackRetrieveRequest) -> Retrieval:
        return await self._awaited.run(lambda daypack: daypack.sources.retrieve(request))

    async def assemble_context(self, request: DaypackAssembleRequest) -> Assembly:
        return await self._awaited.run(lambda daypack: daypack.sources.assemble(request))

    async def prepare_context(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """The assembled text as blocks, each with where it comes from."""
        return source_data.blocks_to_dict(await self.assemble_context(request))

    async def explain_context_selection(self, request: DaypackAssembleRequest) -> dict[str, Any]:
        """Why each item is in the assembled text, or is not."""
        return source_data.selection_to_dict(await self.assemble_context(request))

    async def prepare_task_envelope(self, request: DaypackAssembleRequest) -> TaskEnvelope:
        return await self._awaited.run(lambda daypack: daypack.tasks.envelope(request))

    async def update_workflow_preference(
        self, approved_text: str, *, workflow: str = "", user_id: str | None = None
    ) -> Taught:
        return await self._awaited.run(
            lambda daypack: daypack.tasks.learn(approved_text, workflow=workflow, user_id=user_id)
        )
