"""`daypack mcp` and `daypack serve`: open the store under its roots, and serve the verbs of the table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daypack.errors import MissingExtra, StoreNotFound
from daypack.guard.paths import contained, is_contained
from daypack.settings.places import Place
from daypack.surfaces.cli.common import Given, note, standing_in, told, write
from daypack.surfaces.host import Host
from daypack.verbs import Access, access_of

if TYPE_CHECKING:
    from daypack.api import Daypack


def make_host(
    context: click.Context,
    *,
    store: str | None,
    roots: tuple[str, ...],
    scope: str,
    tools: tuple[str, ...],
    owner: str | None,
    project: str | None,
) -> tuple[Host, Path]:
    """The host of a server, and the folder of its store. Raises DaypackError for whatever would fail at the
    first call.
    """
    given: Given = context.obj
    ceiling = access_of(scope)
    standing = given.project if not roots else standing_in(Path(roots[0]))
    place = standing.place(store or given.store)
    allowed = [Path(root) for root in roots] or [
        place.root,
        place.store.parent,
        *([Path(place.project)] if place.project else []),
    ]
    _check_inside(allowed, place.store)
    told(standing)

    def opened(at: Place = place) -> Daypack:
        from daypack.api import Daypack

        return Daypack.open_in(
            standing,
            at,
            embedder=given.embedder,
            owner=owner,
            project=project,
            notes_use=ceiling is not Access.READ,
        )

    def opened_elsewhere(path: str) -> Daypack:
        """A store that is there already: a path in a question makes none."""
        other = standing.place(str(_check_inside(allowed, standing.start / path)))
        if not other.exists:
            raise StoreNotFound(path)
        return opened(other)

    host = Host(
        opened,
        toolsets=[name for item in tools for name in item.split(",")],
        ceiling=ceiling,
        home=Path.home(),
        opened_elsewhere=opened_elsewhere,
        shared=bool(place.project),
    )
    return host, place.store


def _check_inside(roots: list[Path], path: Path) -> Path:
    """The real path, below one of the roots. Raises OutsideRoot, which names the first."""
    root = next((root for root in roots if is_contained(root, path)), roots[0])
    return contained(root, path)


def serve_stdio(host: Host, *, version: str) -> None:
    with _sdk():
        import anyio

        from daypack.surfaces.mcp import stdio
        from daypack.surfaces.mcp.server import make_server
    try:
        anyio.run(stdio.serve, make_server(host, version=version))
    finally:
        host.close()


def serve_http(
    host: Host, folder: Path, *, version: str, address: str, port: int, beyond: bool, names: tuple[str, ...]
) -> None:
    with _sdk():
        from daypack.surfaces.http.listen import listening, run
        from daypack.surfaces.mcp.http import PATH, http_app
        from daypack.surfaces.mcp.server import make_server

    place = listening(folder, address=address, port=port, beyond=beyond, names=names)
    app = http_app(make_server(host, version=version), token=place.token, port=place.port, hosts=place.hosts)
    try:
        run(
            app,
            place.sock,
            ready=lambda: note(
                f"serving {place.url}{PATH}; the bearer token is in {place.token_file}", always=True
            ),
        )
    finally:
        host.close()


def serve_page(
    host: Host,
    folder: Path,
    *,
    version: str,
    address: str,
    port: int,
    beyond: bool,
    names: tuple[str, ...],
    opens: bool,
) -> None:
    with _sdk("serve"):
        from daypack.surfaces.http.app import make_app
        from daypack.surfaces.http.listen import listening, run
        from daypack.surfaces.web.shell import Visitors

    place, visitors = listening(folder, address=address, port=port, beyond=beyond, names=names), Visitors()
    app = make_app(host, visitors, version=version, token=place.token, port=place.port, hosts=place.hosts)
    link = f"{place.url}/enter?key={visitors.new_key()}"

    def ready() -> None:
        write(f"{link}\n")
        note("this link opens the page, once; Ctrl-C ends the server", always=True)
        note(
            f"REST at /api (described by /openapi.json) and MCP at /mcp take the bearer token in {place.token_file}",
            always=True,
        )
        if opens:
            import webbrowser

            webbrowser.open(link)
        # opening makes a store where there is none, and nobody asked for one yet
        if (folder / "daypack.db").exists():
            host.warm()

    try:
        run(app, place.sock, ready=ready)
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
