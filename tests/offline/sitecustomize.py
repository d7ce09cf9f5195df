"""Put on the path of every process that the suite starts: whoever reaches for another machine fails."""

from __future__ import annotations

import os
import socket
from typing import Any

LOOPBACK = ("127.", "::1", "localhost")


def guard() -> None:
    """Make connections to anything but this machine fail, by name and by address."""
    for method in ("connect", "connect_ex"):
        _wrap(method)


def _wrap(method: str) -> None:
    real = getattr(socket.socket, method)

    def connect(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX and not str(address[0]).startswith(LOOPBACK):
            raise AssertionError(f"the suite is offline, but something connects to {address}")
        return real(self, address)

    setattr(socket.socket, method, connect)


guard()
if "DAYPACK_TEST_SERVER" in os.environ:
    try:
        from offline import on_a_server
    except ImportError:  # in a program that the suite starts
        import on_a_server  # type: ignore[import-not-found, no-redef]
    on_a_server.turn_on()
