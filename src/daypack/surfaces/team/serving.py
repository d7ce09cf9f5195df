"""`daypack serve --team`: the page, the verbs as REST, and the protocol for agents, for the people of a team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from daypack import __version__
from daypack.surfaces.cli.terminal import note, write
from daypack.surfaces.http.app import make_app
from daypack.surfaces.http.listen import Listening, run
from daypack.surfaces.team.directory import Directory
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web.visitors import Visitors
from daypack.team.people import PROJECTS
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack


def serve(
    opened: Callable[[Path], Daypack],
    folder: Path,
    place: Listening,
    *,
    toolsets: Sequence[str],
    ceiling: Access,
) -> None:
    """Serve the team whose store is in `folder` until interrupted. `opened` opens a store, made when it is missing."""
    directory = Directory(lambda: opened(folder), place.token)
    seats = Seats(opened, folder / PROJECTS, toolsets=toolsets, ceiling=ceiling, directory=directory)
    app = make_app(
        seats,
        Visitors(directory),
        version=__version__,
        admission=directory,
        port=place.port,
        hosts=place.hosts,
    )

    def ready() -> None:
        write(f"{place.url}\n")
        note(
            "REST at /v1 (described at /docs), MCP at /mcp and the page take personal tokens; Ctrl-C ends the server"
        )
        note(f"/metrics takes the token in {place.token_file}")

    try:
        run(app, place.sock, ready=ready)
    finally:
        seats.close()
        directory.close()
