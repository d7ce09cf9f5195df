"""`daypack mcp`: open the store under its roots, and serve the verbs of the table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daypack.errors import MissingExtra
from daypack.guard.paths import contained
from daypack.settings import find_place, settings_from
from daypack.surfaces.cli.common import note, write
from daypack.surfaces.host import Host
from daypack.types import OWNER
from daypack.verbs import Access, access_of

if TYPE_CHECKING:
    from daypack.api import Daypack


def make_host(
    context: click.Context, *, store: str | None, roots: tuple[str, ...], scope: str, tools: tuple[str, ...], owner: str | None, project: str | None,
) -> tuple[Host, Path]:  # fmt: skip
    """The host of a server, and the folder of its store. Raises DaypackError for whatever would fail at the first call."""
    given, embedder = context.obj
    ceiling = access_of(scope)
    start = Path.cwd() if not roots else Path(roots[0])
    place = find_place(start, store=store or given)
    allowed = [Path(root) for root in roots] or [place.root, place.store.parent]
    if not any(_is_below(root, place.store) for root in allowed):
        contained(allowed[0], place.store)  # says which, and where
    environment = {**os.environ, **({"DAYPACK_EMBEDDER": embedder} if embedder else {})}
    settings = settings_from(environment)

    def opened() -> Daypack:
        from daypack.api import Daypack

        return Daypack.open(
            place.store, root=place.root, settings=settings, owner=owner or OWNER, project=project or "",
            notes_use=ceiling is not Access.READ,
        )  # fmt: skip

    host = Host(opened, toolsets=[name for item in tools for name in item.split(",")], ceiling=ceiling, home=Path.home())
    return host, place.store


def _is_below(root: Path, path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def serve_stdio(host: Host, *, version: str) -> None:
    with _sdk():
        import anyio

        from daypack.surfaces.mcp import stdio
        from daypack.surfaces.mcp.server import make_server
    try:
        anyio.run(stdio.serve, make_server(host, version=version))
    finally:
        host.close()


def serve_http(host: Host, folder: Path, *, version: str, address: str, port: int, beyond: bool, names: tuple[str, ...]) -> None:
    from daypack.surfaces.http.gate import LOOPBACK, read_token

    with _sdk():
        from daypack.surfaces.http.listen import listening, run
        from daypack.surfaces.mcp.http import PATH, http_app
        from daypack.surfaces.mcp.server import make_server

    sock = listening(address, port, beyond=beyond)
    folder.mkdir(parents=True, exist_ok=True)
    token, bound = read_token(folder / "token"), sock.getsockname()[1]
    app = http_app(make_server(host, version=version), token=token, port=bound, hosts=(*LOOPBACK, address, *names))
    shown = f"[{address}]" if ":" in address else address

    def ready() -> None:
        note(f"serving http://{shown}:{bound}{PATH}; the bearer token is in {folder / 'token'}", always=True)

    try:
        run(app, sock, ready=ready)
    finally:
        host.close()


def serve_page(
    host: Host, folder: Path, *, version: str, address: str, port: int, beyond: bool, names: tuple[str, ...], opens: bool
) -> None:
    from daypack.surfaces.http.gate import LOOPBACK, read_token

    with _sdk("serve"):
        from daypack.surfaces.http.app import make_app
        from daypack.surfaces.http.listen import listening, run
        from daypack.surfaces.web.views import Visitors

    sock = listening(address, port, beyond=beyond)
    folder.mkdir(parents=True, exist_ok=True)
    token, bound, visitors = read_token(folder / "token"), sock.getsockname()[1], Visitors()
    app = make_app(host, visitors, version=version, token=token, port=bound, hosts=(*LOOPBACK, address, *names))
    shown = f"[{address}]" if ":" in address else address
    link = f"http://{shown}:{bound}/enter?key={visitors.new_key()}"

    def ready() -> None:
        write(f"{link}\n")
        note("this link opens the page, once; Ctrl-C ends the server", always=True)
        note(f"REST at /api (described by /openapi.json) and MCP at /mcp take the bearer token in {folder / 'token'}", always=True)
        if opens:
            import webbrowser

            webbrowser.open(link)

    try:
        run(app, sock, ready=ready)
    finally:
        host.close()


@contextmanager
def _sdk(extra: str = "mcp") -> Iterator[None]:
    """Imports that need the extra. What is imported logs to standard error, and only what is wrong."""
    import logging

    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="daypack: %(name)s: %(message)s")
    try:
        yield
    except ImportError as error:
        raise MissingExtra(extra, f"the package {error.name}") from error
