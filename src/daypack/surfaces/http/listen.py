"""A socket to listen on: loopback, unless the user explicitly names another address."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from daypack.errors import ConfigError, StoreReadOnly
from daypack.settings.places import make_store_folder
from daypack.surfaces.http.connections import connections
from daypack.surfaces.http.gate import LONGEST_HEAD, LOOPBACK, is_loopback, read_token

SLOWEST_SECONDS = 30  # between two requests on one connection
MOST_CONNECTIONS = 512
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with an option, not a default


class CannotListen(ConfigError, code="cannot_listen"):
    """The server cannot listen on its address."""


@dataclass(frozen=True)
class Listening:
    """A server's socket, its names, and its token."""

    sock: socket.socket
    url: str
    port: int
    hosts: tuple[str, ...]
    token: str
    token_file: Path


def listening(folder: Path, *, address: str, port: int, beyond: bool, names: tuple[str, ...]) -> Listening:
    """A server's place, with the token of the store in `folder`. Raises CannotListen, UnsafeToken, StoreReadOnly."""
    sock = _bound(address, port, beyond=beyond)
    try:
        make_store_folder(folder)
        token, found = read_token(folder / "token"), sock.getsockname()[1]
    except OSError:
        sock.close()
        raise StoreReadOnly(str(folder)) from None
    url = f"http://{f'[{address}]' if ':' in address else address}:{found}"
    return Listening(sock, url, found, (*LOOPBACK, address, *names), token, folder / "token")


def _bound(host: str, port: int, *, beyond: bool) -> socket.socket:
    """A bound socket; port 0 takes a free one.

    Raises CannotListen, also for an address beyond this machine without `beyond`.
    """
    if not is_loopback(host) and not beyond:
        raise CannotListen(
            f"{host} can be reached from other machines; add --beyond-this-machine to allow it, or "
            f"leave --host out"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except (OSError, OverflowError) as error:
        found.close()
        raise CannotListen(
            f"cannot listen on {host} port {port} ({error}); choose another with --port"
        ) from error
    return found


def run(app: Any, sock: socket.socket, *, ready: Callable[[], None]) -> None:
    """Serve until interrupted. Running requests get five seconds to end."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=SLOWEST_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_graceful_shutdown=5,
        http=connections(),  # type: ignore[arg-type]  # a class, to its types; it is called like one
        ws="none",
        lifespan="on",
    )
    server = uvicorn.Server(config)
    sock.listen(128)
    with _ends_taken(server):
        ready()
        server.run(sockets=[sock])


@contextlib.contextmanager
def _ends_taken(server: uvicorn.Server) -> Iterator[None]:
    """Signals that interrupt a command end the server instead, from before its address is known: Python swallows an
    interrupt that comes while it destroys an object, and uvicorn takes Ctrl-C and SIGTERM alone, and only once it runs.
    """
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    taken = [number for number in numbers if signal.getsignal(number) is signal.default_int_handler]
    for number in taken:
        signal.signal(number, server.handle_exit)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.default_int_handler)
