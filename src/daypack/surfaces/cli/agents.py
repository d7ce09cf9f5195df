"""`daypack mcp`, `serve`, `install` and `uninstall`: what agents and browsers reach."""

from __future__ import annotations

import sys
from typing import Annotated, Literal, Unpack

from daypack.surfaces.cli.server_options import Scope, ServerOptions
from daypack.verbs.command import Command
from daypack.verbs.table import Flag

Client = Annotated[
    Literal["claude-code", "codex", "cursor", "gemini", "vscode"], "The agent to set up.", Flag("--client")
]
ForProject = Annotated[
    bool, "For this project, or for you wherever you work. [default: project]", Flag("--project/--user")
]
Dry = Annotated[bool, "Show what would change, and change nothing."]


def mcp(
    over_http: Annotated[
        bool, "Streamable HTTP instead of standard input and output.", Flag("--http")
    ] = False,
    **options: Unpack[ServerOptions],
) -> str:
    """Serve agents over the Model Context Protocol, on standard input and output, until the client goes away."""
    from daypack.surfaces.cli import serving

    (serving.serve_http if over_http else serving.serve_stdio)(options)
    return ""


def serve(
    opens: Annotated[
        bool | None, "Open the page in a browser. [default: on a terminal]", Flag("--open/--no-open")
    ] = None,
    **options: Unpack[ServerOptions],
) -> str:
    """Serve a page to look at packs, the verbs as REST, and MCP, on this machine."""
    from daypack.surfaces.cli import serving

    serving.serve_page(options, opens=sys.stdout.isatty() if opens is None else opens)
    return ""


def install(
    client: Client,
    for_project: ForProject = True,
    hooks: Annotated[
        bool, "Also let its hooks tell Daypack what happens, and be told where work stood."
    ] = False,
    scope: Scope = "read-write",
    tools: Annotated[
        list[str] | None, "A toolset to offer beside the core, or all.", Flag(metavar="NAME")
    ] = None,
    dry_run: Dry = False,
) -> str:
    """Set Daypack up in an agent: shows the difference, keeps a backup, and can be run again."""
    from daypack.surfaces.cli import installing

    installing.install(
        client, for_user=not for_project, hooks=hooks, scope=scope, tools=tuple(tools or ()), dry_run=dry_run
    )
    return ""


def uninstall(client: Client, for_project: ForProject = True, dry_run: Dry = False) -> str:
    """Take out of an agent's settings exactly what `install` added."""
    from daypack.surfaces.cli import installing

    installing.uninstall(client, for_user=not for_project, dry_run=dry_run)
    return ""


COMMANDS = (
    Command(mcp, at="mcp", opens="none"),
    Command(serve, at="serve", opens="none"),
    Command(install, at="install", opens="none"),
    Command(uninstall, at="uninstall", opens="none"),
)
