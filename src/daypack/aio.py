"""`Daypack` for programs that await: one store, on a thread of its own.

async with AsyncDaypack.open(".daypack") as dp:
    await dp.files.add("docs/")
    pack = await dp.pack("how are refunds retried?", budget=600)
    found = await dp.sources.retrieve(RetrieveRequest("draft an update", user_id="u1"))
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from daypack.api import Daypack

T = TypeVar("T")


class AsyncDaypack:
    """Every method of `Daypack` and of its doors, under the same name and with the same arguments, is a
    coroutine here.

    The store is opened at the first call. Calls wait their turn; one that is cancelled before its turn is not
    made, and one that has begun runs to its end. Close it, or use it in `async with`.
    """

    def __init__(self, opened: Callable[[], Daypack]) -> None:
        """`opened` opens the store, on the thread that will use it."""
        self._opened = opened
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-async")
        self._daypack: Daypack | None = None

    @classmethod
    def open(cls, *arguments: Any, **named: Any) -> AsyncDaypack:
        """The store that `Daypack.open` opens with these arguments.

        What is wrong with them is raised by the first call.
        """
        return cls(functools.partial(Daypack.open, *arguments, **named))

    async def run(self, work: Callable[[Daypack], T]) -> T:
        """What `work` makes of the store, on its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._worked, work)

    def _worked(self, work: Callable[[Daypack], T]) -> T:
        if self._daypack is None:
            self._daypack = self._opened()
        return work(self._daypack)

    def __getattr__(self, name: str) -> _Awaited:
        if name.startswith("_"):
            raise AttributeError(f"AsyncDaypack has no attribute {name!r}")
        return _Awaited(self, (name,))

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._shut)
        self._thread.shutdown()

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


class _Awaited:
    """A method of the store, or a door on the way to one, by its path."""

    def __init__(self, owner: AsyncDaypack, path: tuple[str, ...]) -> None:
        self._owner, self._path = owner, path

    def __getattr__(self, name: str) -> _Awaited:
        if name.startswith("_"):
            raise AttributeError(f"{'.'.join(self._path)} has no attribute {name!r}")
        return _Awaited(self._owner, (*self._path, name))

    def __call__(self, *arguments: Any, **named: Any) -> Coroutine[Any, Any, Any]:
        def called(daypack: Daypack) -> Any:
            method: Any = functools.reduce(getattr, self._path, daypack)
            return method(*arguments, **named)

        return self._owner.run(called)
