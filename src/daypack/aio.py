"""`Daypack` for programs that await: one store, on a thread of its own.

async with AsyncDaypack.open(".daypack") as dp:
    await dp.files.add("docs/")
    pack = await dp.pack("how are refunds retried?", budget=600)
    found = await dp.sources.retrieve(RetrieveRequest("draft an update", user_id="u1"))
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from daypack.api import Daypack
from daypack.errors import StoreClosed
from daypack.projects import STORE_FOLDER

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

T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])
P = ParamSpec("P")


class awaited(Generic[P, T]):
    """A method of the store as a coroutine, with the same arguments and result."""

    def __init__(self, method: Callable[Concatenate[Any, P], T]) -> None:
        self._method = method

    def __get__(self, instance: Any, owner: object) -> Callable[P, Coroutine[Any, Any, T]]:
        def called(*arguments: P.args, **named: P.kwargs) -> Coroutine[Any, Any, T]:
            found: Coroutine[Any, Any, T] = instance.run(
                lambda daypack: self._method(daypack, *arguments, **named)
            )
            return found

        return _told_of(called, self._method)


class apart(Generic[P, T]):
    """A method that needs no open store as a coroutine, with the same arguments and result, on a thread of its own."""

    def __init__(self, method: Callable[P, T]) -> None:
        self._method = method

    def __get__(self, instance: object, owner: object) -> Callable[P, Coroutine[Any, Any, T]]:
        async def called(*arguments: P.args, **named: P.kwargs) -> T:
            return await asyncio.to_thread(self._method, *arguments, **named)

        return functools.wraps(self._method)(called)


class opening(Generic[P]):
    """A class method that opens a store, to be called on the thread that uses it."""

    def __init__(self, method: Callable[P, Daypack]) -> None:
        self._method = method

    def __get__(self, instance: object, owner: type[AsyncDaypack]) -> Callable[P, AsyncDaypack]:
        def called(*arguments: P.args, **named: P.kwargs) -> AsyncDaypack:
            return owner(functools.partial(self._method, *arguments, **named))

        return called


def _told_of(called: C, method: Callable[..., Any]) -> C:
    """`called` with the name, the docstring and the arguments of a method, without `self`."""
    told = functools.wraps(method)(called)
    told.__signature__ = _without_self(method)  # type: ignore[attr-defined]
    return told  # type: ignore[return-value]


@functools.cache
def _without_self(method: Callable[..., Any]) -> inspect.Signature:
    found = inspect.signature(method)
    return found.replace(parameters=[*found.parameters.values()][1:])


if (
    TYPE_CHECKING
):  # the doors as they are awaited; a test holds them to the doors, which are imported when used

    class _CodeDoor:
        asked_for = awaited(CodeDoor.asked_for)
        callers = awaited(CodeDoor.callers)
        edges = awaited(CodeDoor.edges)
        graph = awaited(CodeDoor.graph)
        map = awaited(CodeDoor.map)
        pack = awaited(CodeDoor.pack)
        ranks = awaited(CodeDoor.ranks)
        related = awaited(CodeDoor.related)
        symbol = awaited(CodeDoor.symbol)
        symbols = awaited(CodeDoor.symbols)
        tests_for = awaited(CodeDoor.tests_for)

    class _DocumentsDoor:
        apply = awaited(DocumentsDoor.apply)
        catch_up = awaited(DocumentsDoor.catch_up)
        collection = awaited(DocumentsDoor.collection)
        condition = awaited(DocumentsDoor.condition)
        slip = awaited(DocumentsDoor.slip)
        create = awaited(DocumentsDoor.create)
        describe = awaited(DocumentsDoor.describe)
        follow = awaited(DocumentsDoor.follow)
        inspect = awaited(DocumentsDoor.inspect)
        names = awaited(DocumentsDoor.names)
        pending = awaited(DocumentsDoor.pending)
        plans = awaited(DocumentsDoor.plans)
        rollback = awaited(DocumentsDoor.rollback)
        similar_name = awaited(DocumentsDoor.similar_name)

    class _FilesDoor:
        add = awaited(FilesDoor.add)
        add_text = awaited(FilesDoor.add_text)
        read_again = awaited(FilesDoor.read_again)
        below = awaited(FilesDoor.below)
        encoding_of = awaited(FilesDoor.encoding_of)
        remove_texts = awaited(FilesDoor.remove_texts)
        check = awaited(FilesDoor.check)
        covers = awaited(FilesDoor.covers)
        listing = awaited(FilesDoor.listing)
        name_of = awaited(FilesDoor.name_of)
        refresh = awaited(FilesDoor.refresh)
        remove = awaited(FilesDoor.remove)
        roots = awaited(FilesDoor.roots)
        skipped = awaited(FilesDoor.skipped)
        watch = awaited(FilesDoor.watch)
        why = awaited(FilesDoor.why)

    class _KnowledgeDoor:
        add_page = awaited(KnowledgeDoor.add_page)
        add_pages = awaited(KnowledgeDoor.add_pages)
        add_path = awaited(KnowledgeDoor.add_path)
        add_text = awaited(KnowledgeDoor.add_text)
        answers = awaited(KnowledgeDoor.answers)
        labels = awaited(KnowledgeDoor.labels)
        refresh = awaited(KnowledgeDoor.refresh)
        refresh_pages = awaited(KnowledgeDoor.refresh_pages)
        try_refresh = awaited(KnowledgeDoor.try_refresh)
        remove = awaited(KnowledgeDoor.remove)
        run = awaited(KnowledgeDoor.run)

    class _MemoriesDoor:
        accept = awaited(MemoriesDoor.accept)
        count = awaited(MemoriesDoor.count)
        forget = awaited(MemoriesDoor.forget)
        history = awaited(MemoriesDoor.history)
        list = awaited(MemoriesDoor.list)
        note_packed = awaited(MemoriesDoor.note_packed)
        pack = awaited(MemoriesDoor.pack)
        recall = awaited(MemoriesDoor.recall)
        recorded = awaited(MemoriesDoor.recorded)
        redact = awaited(MemoriesDoor.redact)
        refresh = awaited(MemoriesDoor.refresh)
        reject = awaited(MemoriesDoor.reject)
        related = awaited(MemoriesDoor.related)
        remember = awaited(MemoriesDoor.remember)
        restore = awaited(MemoriesDoor.restore)
        review = awaited(MemoriesDoor.review)
        search = awaited(MemoriesDoor.search)
        tags = awaited(MemoriesDoor.tags)

    class _RecordsDoor:
        add = awaited(RecordsDoor.add)
        delete = awaited(RecordsDoor.delete)

    class _SessionsDoor:
        add_steps = awaited(SessionsDoor.add_steps)
        add_transcripts = awaited(SessionsDoor.add_transcripts)
        import_spool = awaited(SessionsDoor.import_spool)
        have_read_outside = awaited(SessionsDoor.have_read_outside)
        in_scope = awaited(SessionsDoor.in_scope)
        names = awaited(SessionsDoor.names)
        purge = awaited(SessionsDoor.purge)
        resolve = awaited(SessionsDoor.resolve)
        resume = awaited(SessionsDoor.resume)
        sessions = awaited(SessionsDoor.sessions)
        sessions_as_data = awaited(SessionsDoor.sessions_as_data)
        snapshot = awaited(SessionsDoor.snapshot)
        timeline = awaited(SessionsDoor.timeline)
        try_import_spool = awaited(SessionsDoor.try_import_spool)
        usage = awaited(SessionsDoor.usage)

    class _SourcesDoor:
        assemble = awaited(SourcesDoor.assemble)
        audit = awaited(SourcesDoor.audit)
        close = awaited(SourcesDoor.close)
        delete = awaited(SourcesDoor.delete)
        export = awaited(SourcesDoor.export)
        get = awaited(SourcesDoor.get)
        import_path = awaited(SourcesDoor.import_path)
        ingest = awaited(SourcesDoor.ingest)
        list = awaited(SourcesDoor.list)
        listed = awaited(SourcesDoor.listed)
        parts_of = awaited(SourcesDoor.parts_of)
        prune = awaited(SourcesDoor.prune)
        retrieve = awaited(SourcesDoor.retrieve)
        revise = awaited(SourcesDoor.revise)
        stats = awaited(SourcesDoor.stats)
        store = awaited(SourcesDoor.store)
        upsert = awaited(SourcesDoor.upsert)

    class _TasksDoor:
        envelope = awaited(TasksDoor.envelope)
        learn = awaited(TasksDoor.learn)
        prefer = awaited(TasksDoor.prefer)
        preferences = awaited(TasksDoor.preferences)
        reset = awaited(TasksDoor.reset)


class AsyncDaypack:
    """Every method of `Daypack` and of its doors, under the same name and with the same arguments, is a
    coroutine here. Doors are attributes, so `door` and `close_doors` are not needed.

    The objects of `documents.collection`, `sessions.in_scope` and `files.watch` are those of `Daypack`: they do not await, and
    belong to the store's thread. Use them there: `await dp.run(lambda store: store.documents.collection("teas").count())`.

    The store is opened at the first call. Calls wait their turn; a call cancelled before its turn is not
    made, and a begun call runs to its end. Close it, or use it in `async with`.
    """

    def __init__(self, opened: Callable[[], Daypack]) -> None:
        """`opened` opens the store, on the thread that will use it."""
        self._opened = opened
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-async")
        self._daypack: Daypack | None = None
        self._closed, self._store = False, STORE_FOLDER

    open = opening(Daypack.open)
    """Open the store that `Daypack.open` opens with these arguments; the first call raises their faults."""

    pack = awaited(Daypack.pack)
    search = awaited(Daypack.search)
    get = awaited(Daypack.get)
    embed = awaited(Daypack.embed)
    embed_in_background = awaited(Daypack.embed_in_background)
    reindex = awaited(Daypack.reindex)
    status = awaited(Daypack.status)
    growth = awaited(Daypack.growth)
    doctor = awaited(Daypack.doctor)
    check = awaited(Daypack.check)
    backup = awaited(Daypack.backup)
    export = awaited(Daypack.export)
    export_file = awaited(Daypack.export_file)
    refresh_if_stale = awaited(Daypack.refresh_if_stale)
    resolve_scope = awaited(Daypack.resolve_scope)
    fit_to_budget = awaited(Daypack.fit_to_budget)
    first_use = awaited(Daypack.first_use)
    evaluate = awaited(Daypack.evaluate)
    self_check = awaited(Daypack.self_check)
    fit_ranker = awaited(Daypack.fit_ranker)
    unfit_ranker = awaited(Daypack.unfit_ranker)
    backups = apart(Daypack.backups)
    verify_backup = apart(Daypack.verify_backup)
    restore = apart(Daypack.restore)
    repair = apart(Daypack.repair)
    import_lines = apart(Daypack.import_lines)
    migrate = apart(Daypack.migrate)
    differences = apart(Daypack.differences)

    if TYPE_CHECKING:
        code: _CodeDoor
        documents: _DocumentsDoor
        files: _FilesDoor
        knowledge: _KnowledgeDoor
        memories: _MemoriesDoor
        records: _RecordsDoor
        sessions: _SessionsDoor
        sources: _SourcesDoor
        tasks: _TasksDoor
    else:

        def __getattr__(self, name: str) -> _Door:
            if name not in _DOORS:
                raise AttributeError(f"AsyncDaypack has no attribute {name!r}")
            return _Door(self, name)

    async def run(self, work: Callable[[Daypack], T]) -> T:
        """Call `work` on the store, on its thread; returns its result. Raises StoreClosed."""
        if self._closed:
            raise StoreClosed(self._store)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._worked, work)

    def _worked(self, work: Callable[[Daypack], T]) -> T:
        if self._daypack is None:
            self._daypack = self._opened()
            self._store = self._daypack.engine.store.name
        return work(self._daypack)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        shut = self._thread.submit(self._shut)
        self._thread.shutdown(wait=False)  # the thread ends after the calls that were made
        await asyncio.shield(
            asyncio.wrap_future(shut)
        )  # the store is closed also when this wait is cancelled

    def _shut(self) -> None:
        if self._daypack is not None:
            self._daypack.close()
            self._daypack = None

    async def __aenter__(self) -> AsyncDaypack:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


_DOORS = {
    "files": "daypack.doors.files.door.FilesDoor",
    "records": "daypack.doors.records.door.RecordsDoor",
    "code": "daypack.doors.code.door.CodeDoor",
    "memories": "daypack.doors.memories.door.MemoriesDoor",
    "sessions": "daypack.doors.sessions.door.SessionsDoor",
    "knowledge": "daypack.doors.knowledge.door.KnowledgeDoor",
    "documents": "daypack.doors.documents.door.DocumentsDoor",
    "sources": "daypack.doors.sources.door.SourcesDoor",
    "tasks": "daypack.doors.sources.tasks.door.TasksDoor",
}
"""Name → the class of a door, which is imported when it is used."""


class _Door:
    """A door on the store's thread: each of its methods is a coroutine."""

    def __init__(self, owner: AsyncDaypack, name: str) -> None:
        self._owner, self._name = owner, name

    def __dir__(self) -> list[str]:
        return [name for name in dir(_class_of(self._name)) if not name.startswith("_")]

    def __getattr__(self, method: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        member = None if method.startswith("_") else getattr(_class_of(self._name), method, None)
        if not inspect.isfunction(member):
            raise AttributeError(f"{self._name} has no method {method!r}")

        def called(*arguments: Any, **named: Any) -> Coroutine[Any, Any, Any]:
            return self._owner.run(
                lambda daypack: getattr(getattr(daypack, self._name), method)(*arguments, **named)
            )

        return _told_of(called, member)


@functools.cache
def _class_of(door: str) -> type:
    module, _, name = _DOORS[door].rpartition(".")
    found: type = getattr(importlib.import_module(module), name)
    return found
