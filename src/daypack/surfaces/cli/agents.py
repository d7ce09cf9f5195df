"""`daypack mcp`, `serve`, `install` and `uninstall`: the commands that connect agents and browsers."""

from __future__ import annotations

import sys
from typing import Annotated, Literal, Unpack

from daypack.surfaces.cli.server_options import ACCESS, ServerOptions
from daypack.verbs import access_of
from daypack.verbs.command import Command
from daypack.verbs.table import Flag

Client = Annotated[
    Literal["claude-code", "claude-desktop", "cline", "codex", "copilot", "cursor", "gemini", "opencode", "vscode", "windsurf", "zed"],
    "The agent.",
    Flag("--client"),
]  # fmt: skip
ForUser = Annotated[
    bool, "For all of your projects. [default: for this one]", Flag("--user", retired="--project=false")
]
Dry = Annotated[bool, "Show the changes without making them."]


def mcp(
    over_http: Annotated[
        bool, "Streamable HTTP instead of standard input and output.", Flag("--http")
    ] = False,
    **options: Unpack[ServerOptions],
) -> str:
    """Serve agents over the Model Context Protocol: stdio or HTTP."""
    from daypack.surfaces.cli import serving

    (serving.serve_http if over_http else serving.serve_stdio)(options)
    return ""


def serve(
    opens: Annotated[
        bool | None,
        "Do not open the page in a browser, as `serve` does on a terminal.",
        Flag("--no-open", seed="--open=true"),
    ] = None,
    team: Annotated[bool, "Answer each caller as the user of their personal token (`daypack team`)."] = False,
    **options: Unpack[ServerOptions],
) -> str:
    """Serve a local page, a REST API and MCP."""
    from daypack.surfaces.cli import serving

    if team:
        serving.serve_team(options)
        return ""
    serving.serve_page(options, opens=sys.stdout.isatty() if opens is None else opens)
    return ""


def install(
    client: Client,
    for_user: ForUser = False,
    hooks: Annotated[
        bool, "Also install hooks that record events and hand the agent its last state."
    ] = False,
    packs: Annotated[
        bool,
        "Let the hooks also add a pack of at most 300 tokens to a prompt that has matches.",
        Flag("--packs", advanced=True),
    ] = False,
    skill: Annotated[
        bool, "Leave out the skill that tells the agent what to call when.", Flag("--no-skill", advanced=True)
    ] = True,
    access: Annotated[
        str | None, "Access that tools get. [default: write]", Flag(metavar=ACCESS, seed="--scope")
    ] = None,
    tools: Annotated[
        list[str] | None, "A toolset to offer beside the core, or all.", Flag(metavar="NAME")
    ] = None,
    dry_run: Dry = False,
) -> str:
    """Set Daypack up in an agent such as Claude Code or Cursor.

    The change is shown and a backup is kept. Run again, it keeps the options that you leave out.
    """
    from daypack.surfaces.cli import installing
    from daypack.surfaces.install.installer import Setup

    setup = Setup(
        for_user=for_user,
        hooks=hooks,
        packs=packs,
        skill=skill,
        access=access_of(access) if access else None,
        tools=tuple(tools or ()),
    )
    installing.install(client, setup, dry_run=dry_run)
    return ""


def uninstall(client: Client, for_user: ForUser = False, dry_run: Dry = False) -> str:
    """Remove from an agent's settings exactly the entries that `install` added."""
    from daypack.surfaces.cli import installing

    installing.uninstall(client, for_user=for_user, dry_run=dry_run)
    return ""


COMMANDS = (
    Command(mcp, at="mcp", opens="none"),
    Command(serve, at="serve", opens="none"),
    Command(install, at="install", opens="none"),
    Command(uninstall, at="uninstall", opens="none"),
)
