"""The sources door for programs that await: one store, on a thread of its own.

service = DaypackService()
await service.ingest_source(DaypackSourceCreate(scope="user", user_id="u1", kind="user_profile_note", text="Prefers short e-mails."))
found = await service.retrieve_context(DaypackRetrieveRequest(query_text="draft an update", user_id="u1"))
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from daypack.api import Daypack
from daypack.configuration import read_configuration
from daypack.settings import find_place
from daypack.source_types import (
    AssembleRequest as DaypackAssembleRequest,
)
from daypack.source_types import (
    Assembly,
    Retrieval,
    Source,
    SourceReceipt,
    StoredSource,
)
from daypack.source_types import (
    RetrieveRequest as DaypackRetrieveRequest,
)
from daypack.source_types import (
    SourceDraft as DaypackSourceCreate,
)
from daypack.source_types import (
    SourcePolicy as DaypackPolicy,
)

__all__ = ["DaypackAssembleRequest", "DaypackPolicy", "DaypackRetrieveRequest", "DaypackService", "DaypackSourceCreate"]

T = TypeVar("T")


class DaypackService:
    """Calls wait their turn for the one thread that has the store open. Opened at the first call; close it, or use it in `async with`.

    Without `store` it is the one that the command line would use from here.
    """

    def __init__(self, store: Path | str | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        self._place = find_place(Path.cwd(), store=str(store) if store is not None else found.get("DAYPACK_STORE"))
        configuration = read_configuration(self._place.root, found, Path.home())
        self._settings = configuration.settings()
        self._owner = configuration["owner"]
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-service")
        self._daypack: Daypack | None = None

    async def _call(self, function: Callable[[Daypack], T]) -> T:
        def called() -> T:
            if self._daypack is None:
                self._daypack = Daypack.open(self._place.store, root=self._place.root, settings=self._settings, owner=self._owner)
            return function(self._daypack)

        return await asyncio.get_running_loop().run_in_executor(self._thread, called)

    async def close(self) -> None:
        def closed() -> None:
            if self._daypack is not None:
                self._daypack.close()
                self._daypack = None

        await asyncio.get_running_loop().run_in_executor(self._thread, closed)
        self._thread.shutdown()

    async def __aenter__(self) -> DaypackService:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def store(self, kind: str, text: str, **facts: Any) -> StoredSource:
        return await self._call(lambda daypack: daypack.sources.store(kind, text, **facts))

    async def ingest_source(self, source: DaypackSourceCreate) -> StoredSource:
        return await self._call(lambda daypack: daypack.sources.ingest(source))

    async def upsert_source(self, source_key: str, source: DaypackSourceCreate) -> StoredSource:
        return await self._call(lambda daypack: daypack.sources.upsert(source_key, source))

    async def delete_source(
        self, source_key: str, *, scope: str = "session", user_id: str | None = None, session_id: str | None = None
    ) -> SourceReceipt:
        return await self._call(lambda daypack: daypack.sources.delete(source_key, scope=scope, user_id=user_id, session_id=session_id))

    async def get_record(self, record_id: str, *, user_id: str | None = None, session_id: str | None = None) -> Source:
        return await self._call(lambda daypack: daypack.sources.get(record_id, user_id=user_id, session_id=session_id))

    async def list_records(self, **narrow: Any) -> tuple[Source, ...]:
        return await self._call(lambda daypack: daypack.sources.list(**narrow))

    async def stats(self, *, user_id: str | None = None, session_id: str | None = None) -> dict[str, Any]:
        return await self._call(lambda daypack: daypack.sources.stats(user_id=user_id, session_id=session_id))

    async def prune(self, **bounds: Any) -> tuple[SourceReceipt, ...]:
        return await self._call(lambda daypack: daypack.sources.prune(**bounds))

    async def retrieve_context(self, request: DaypackRetrieveRequest) -> Retrieval:
        return await self._call(lambda daypack: daypack.sources.retrieve(request))

    async def assemble_context(self, request: DaypackAssembleRequest) -> Assembly:
        return await self._call(lambda daypack: daypack.sources.assemble(request))
