"""A call as server-sent events: `progress` while it works, then one `result` or one `problem`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from daypack.ports import Progress
from daypack.surfaces.workers import seldom

MEDIA_TYPE = "text/event-stream"
QUIET_SECONDS = 15.0  # without news, before a comment keeps the connection open


def event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


async def stream(call: Callable[[Progress], Awaitable[tuple[str, Any]]]) -> AsyncIterator[bytes]:
    """The events of a call that ends with (name, data) of its last event. A reader who leaves cancels the call."""
    loop = asyncio.get_running_loop()
    news: asyncio.Queue[bytes | None] = asyncio.Queue()

    def report(done: int, total: int) -> None:  # on the thread of the store
        loop.call_soon_threadsafe(news.put_nowait, event("progress", {"done": done, "total": total}))

    async def run() -> None:
        try:
            await news.put(event(*await call(seldom(report))))
        finally:
            news.put_nowait(None)

    running = asyncio.create_task(run())
    try:
        while True:
            try:
                found = await asyncio.wait_for(news.get(), QUIET_SECONDS)
            except TimeoutError:
                yield b": working\n\n"
                continue
            if found is None:
                break
            yield found
        await running
    finally:
        running.cancel()
