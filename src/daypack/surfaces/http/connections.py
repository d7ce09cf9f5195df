"""Connections of a server that cannot be held open for nothing: a head has a deadline, and idle ones give way.

A connection waits from its first byte, or from its last answer, until the head of the next request is
complete. Of the connections that wait, an address may have a number; one more closes the one that has waited
longest, so that a caller that sends its request at once is never refused because others do not.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEAD = 10.0  # seconds from the first byte of a head, or from connecting, to its end
MOST_WAITING = (
    64  # connections of one address without a request in work, that have waited for longer than PATIENCE
)
PATIENCE = 1.0  # seconds: many callers that connect at once have all sent their heads by then
MOST_AT_ONCE = 384  # connections of one address without a request in work, however short they have waited


class Waiting:
    """The connections of a server that have no request in work, by address, longest first."""

    def __init__(self, most: int, at_once: int) -> None:
        self._most, self._at_once = most, at_once
        self._by_address: dict[str, dict[PatientConnection, float]] = defaultdict(dict)

    def add(self, connection: PatientConnection) -> None:
        """Note a connection that waits, and close the one of its address that is too many."""
        known, now = self._by_address[connection.address], connection.loop.time()
        known.setdefault(connection, now)
        longest, since = next(iter(known.items()))
        if len(known) > self._at_once or (len(known) > self._most and now - since > PATIENCE):
            self.remove(longest)
            longest.transport.abort()

    def remove(self, connection: PatientConnection) -> None:
        known = self._by_address[connection.address]
        known.pop(connection, None)
        if not known:
            del self._by_address[connection.address]


class PatientConnection(H11Protocol):
    """A connection that is closed when the head of a request takes too long."""

    def __init__(
        self, *args: Any, waiting: Waiting, slowest_head: float = SLOWEST_HEAD, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self._waiting, self._slowest_head = waiting, slowest_head
        self._deadline: asyncio.TimerHandle | None = None
        self.address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._waiting.add(self)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        self._waiting.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """Begin or end to wait, by the state that the last event left."""
        if self.transport.is_closing():
            return
        # The rest of a body that was answered already is read and dropped, for as long as a head may take.
        answered = self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY
        if self.conn.their_state is not h11.IDLE and not answered:
            self._head_is_here()
            self._waiting.remove(self)
            return
        self._waiting.add(self)
        # uvicorn's own timer runs between two requests, until the next head begins
        if answered or self.conn.trailing_data[0]:
            self._expect_head()

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self._slowest_head, self._too_slow)

    def _head_is_here(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self.transport.abort()


def connections(
    *, slowest_head: float = SLOWEST_HEAD, most_waiting: int = MOST_WAITING, most_at_once: int = MOST_AT_ONCE
) -> Callable[..., PatientConnection]:
    """The maker of one server's connections, for uvicorn."""
    waiting = Waiting(most_waiting, most_at_once)

    def make(*args: Any, **named: Any) -> PatientConnection:
        return PatientConnection(*args, waiting=waiting, slowest_head=slowest_head, **named)

    return make
