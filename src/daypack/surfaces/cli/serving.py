"""`daypack mcp` and `daypack serve`: open the store under its roots, and serve the verbs of the table."""

from __future__ import annotations

import gc
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from daypack import __version__
from daypack.errors import DaypackError, MissingExtra, StoreNotFound, StoreVersionMismatch
from daypack.guard.paths import contained, is_contained
from daypack.settings.installation import adding
from daypack.settings.places import StorePlace
from daypack.surfaces.cli.context import CliContext, context_of, load_configuration, step_to_a_store
from daypack.surfaces.cli.terminal import note, write
from daypack.surfaces.host import Host
from daypack.team.walls import Walls
from daypack.types.servers import ServerAddress
from daypack.verbs import Access, access_of
from daypack.verbs.command import BadUsage

if TYPE_CHECKING:
    from collections.abc import Callable

    from daypack.api import Daypack
    from daypack.settings.context import ProjectContext
    from daypack.surfaces.cli.server_options import ServerOptions
    from daypack.surfaces.http.listen import Listening


class _Served(NamedTuple):
    """The place of a server's store, the folders where stores may be, and the way to open one."""

    place: StorePlace
    named: bool  # on the command line
    allowed: list[Path]
    chosen: bool  # the user named a folder where stores may be
    project: ProjectContext
    ceiling: Access
    open: Callable[[StorePlace], Daypack]


def _served(options: ServerOptions) -> _Served:
    """The store of a server. Raises BadUsage, and the faults of the first call."""
    given = click.get_current_context().find_object(CliContext) or CliContext()
    roots = options.get("roots", [])
    for root in roots:
        if not Path(root).is_dir():
            raise BadUsage(f"--root {Path(root).absolute()} is not a folder; name one that exists")
    ceiling = access_of(options["access"])
    project = context_of(Path(roots[0])) if roots else given.project
    place = project.place(given.store if options.get("store") is None else options["store"])
    allowed = [Path(root) for root in roots] or [
        place.root,
        place.folder.parent,
        *([Path(place.project)] if place.project else []),
    ]
    _check_inside(allowed, place.folder)
    load_configuration(project)
    # A command ends before the collector would find anything; a server would keep the garbage of some thousand answers.
    gc.set_threshold(10_000, 20, 20)

    named = given.names_a_store(options.get("store"))

    def opened(at: StorePlace) -> Daypack:
        from daypack.api import Daypack, check_not_around_projects

        chosen = roots or named or given.store or at.project  # by an option or a setting
        if not (chosen or at.exists or (at.folder / "daypack.db").exists()):
            check_not_around_projects(at.root, Path.home())  # some clients start servers there
        return Daypack.open_in(
            project,
            at,
            embedder=given.embedder,
            owner=options.get("owner"),
            project=options.get("project"),
            notes_use=ceiling is not Access.READ,
        )

    return _Served(place, named, allowed, bool(roots), project, ceiling, opened)


def _check_version(served: _Served) -> None:
    """Raise StoreVersionMismatch before an address is shown: no call could be answered, until an upgrade. Other faults may
    pass while a server runs, and each call reports its own.
    """
    if served.place.exists:
        try:
            served.open(served.place).close()
        except StoreVersionMismatch:
            raise
        except DaypackError:
            pass


def _toolsets(options: ServerOptions) -> list[str]:
    return [name for item in options["tools"] for name in item.split(",")]


def _make_host(served: _Served, options: ServerOptions) -> tuple[Host, Path]:
    """The host of a server, and the folder of its store."""
    place, project = served.place, served.project

    def opened_elsewhere(path: str) -> Daypack:
        """An existing store: a path in a question makes none."""
        other = project.place(str(_check_inside(served.allowed, project.start / path)))
        if not other.exists:
            raise StoreNotFound(path, "name the folder of a store, or leave out path for the project's own")
        return served.open(other)

    host = Host(
        lambda: served.open(place),
        toolsets=_toolsets(options),
        ceiling=served.ceiling,
        home=Path.home(),
        chosen=served.chosen,
        opened_elsewhere=opened_elsewhere,
        shared=bool(place.project),
    )
    return host, place.folder


def _check_inside(roots: list[Path], path: Path) -> Path:
    """The real path, below one of the roots. Raises OutsideRoot, which names the first."""
    root = next((root for root in roots if is_contained(root, path)), roots[0])
    return contained(root, path)


def serve_stdio(options: ServerOptions) -> None:
    host, _ = _make_host(_served(options), options)
    import anyio

    from daypack.surfaces.mcp import stdio
    from daypack.surfaces.mcp.server import make_server

    _log_errors()
    typed = sys.stdin.isatty()  # a person tries it; the server takes the stream away

    def ready() -> None:
        if typed:
            note("waiting for a client; Ctrl-C ends it")

    try:
        anyio.run(stdio.serve, make_server(host, version=__version__), ready)
    finally:
        host.close()


def _listening(folder: Path, options: ServerOptions) -> Listening:
    from daypack.surfaces.http.listen import EVERY_ADDRESS, listening

    names = tuple(options.get("names", ()))
    place = listening(
        folder, address=options["address"], port=options["port"], beyond=options["beyond"], names=names
    )
    if options["address"] in EVERY_ADDRESS and not names:
        note("other machines are refused until --host-name HOST gives the name or address that they ask for")
    return place


def serve_http(options: ServerOptions) -> None:
    served = _served(options)
    _check_version(served)
    host, folder = _make_host(served, options)
    from daypack.surfaces.http.gate import Gate, OneToken
    from daypack.surfaces.http.listen import run
    from daypack.surfaces.mcp import sdk
    from daypack.surfaces.mcp.server import make_server

    _log_errors()
    place = _listening(folder, options)
    agents = sdk.http_app(make_server(host, version=__version__))
    app = Gate(agents, admission=OneToken(place.token), port=place.port, hosts=place.hosts)

    def ready() -> None:
        note(f"serving {place.url}{sdk.PATH}; the bearer token is in {place.token_file}")

    try:
        run(app, place.sock, ready=ready)
    finally:
        host.close()


def serve_page(options: ServerOptions, *, opens: bool) -> None:
    served = _served(options)
    _check_version(served)
    host, folder = _make_host(served, options)
    _log_errors()
    try:
        from daypack.surfaces.http.app import make_app
        from daypack.surfaces.http.gate import OneToken
        from daypack.surfaces.http.listen import run
        from daypack.surfaces.web.visitors import Visitors
    except ImportError as error:
        raise MissingExtra("serve", f"the package {error.name}", adding("serve")) from error
    place = _listening(folder, options)
    admission = OneToken(place.token)
    visitors = Visitors(admission, str(place.token_file))
    app = make_app(
        host, visitors, version=__version__, admission=admission, port=place.port, hosts=place.hosts
    )
    link = f"{place.url}/enter?key={visitors.new_key()}"

    def ready() -> None:
        write(f"{link}\n")
        note("this link opens the page, once; Ctrl-C ends the server")
        note(f"REST at /v1 (described at /docs) and MCP at /mcp take the bearer token in {place.token_file}")
        if opens:
            import webbrowser

            webbrowser.open(link)
        # opening would make a missing store, and no call has needed one yet
        if (folder / "daypack.db").exists():
            host.preload()

    try:
        run(app, place.sock, ready=ready)
    finally:
        host.close()


def serve_team(options: ServerOptions) -> None:
    """Serve the people of a team, whose tokens and projects are in the store. Raises StoreNotFound, BadUsage."""
    if "owner" in options or "project" in options:
        raise BadUsage(
            "--team takes the owner and the project from each caller's token; leave --owner and --project out"
        )
    served = _served(options)
    if not served.place.exists:
        raise StoreNotFound(
            str(served.place.store), step_to_a_store(served.place, "team", named=served.named)
        )
    _check_version(served)
    _log_errors()
    try:
        from daypack.surfaces.team.serving import serve
    except ImportError as error:
        raise MissingExtra("serve", f"the package {error.name}", adding("serve")) from error
    store, folder = served.place.store, served.place.folder
    walls = Walls(store) if isinstance(store, ServerAddress) else None

    def opened(at: Path) -> Daypack:
        place = at if walls is None else walls.place_of(at)
        return served.open(StorePlace(place, at, walls is not None or (at / "daypack.db").exists()))

    serve(opened, folder, _listening(folder, options), toolsets=_toolsets(options), ceiling=served.ceiling)


def _log_errors() -> None:
    """Let the libraries of servers log to standard error, errors only."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="daypack: %(name)s: %(message)s")
