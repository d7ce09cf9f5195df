"""`daypack mcp`, `serve`, `install` and `uninstall`: what agents and browsers reach."""

from __future__ import annotations

import sys

import click

from daypack.surfaces.cli.common import VERSION, F


def _server_options(command: F) -> F:
    """Options of every command that serves."""
    options = [
        click.option(
            "--scope",
            default="read-write",
            show_default=True,
            metavar="SCOPE",
            help="read, read-write or dangerous: what tools may do.",
        ),
        click.option(
            "--tools",
            multiple=True,
            default=["core"],
            show_default=True,
            metavar="NAME",
            help="A toolset to offer, or all. [repeatable]",
        ),
        click.option(
            "--root",
            "roots",
            multiple=True,
            metavar="FOLDER",
            help="Where stores may be, and nowhere else. [repeatable]",
        ),
        click.option("--owner", metavar="NAME", help="Whose memories; no others are seen. [default: user]"),
        click.option("--project", metavar="NAME", help="Of which project, in a store that several share."),
        click.option(
            "--host", "address", default="127.0.0.1", show_default=True, help="The address to listen on."
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=8377,
            show_default=True,
            help="The port; 0 takes a free one.",
        ),
        click.option(
            "--name",
            "names",
            multiple=True,
            metavar="HOST",
            help="Another name that this server is called by. [repeatable]",
        ),
        click.option(
            "--beyond-this-machine",
            "beyond",
            is_flag=True,
            help="Allow an address that other machines reach.",
        ),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.option(
    "--http", "over_http", is_flag=True, help="Streamable HTTP instead of standard input and output."
)
@_server_options
@click.pass_context
def mcp(
    context: click.Context,
    scope: str,
    tools: tuple[str, ...],
    roots: tuple[str, ...],
    owner: str | None,
    project: str | None,
    over_http: bool,
    address: str,
    port: int,
    names: tuple[str, ...],
    beyond: bool,
    store: str | None,
) -> None:
    """Serve agents over the Model Context Protocol, on standard input and output, until the client goes away."""
    from daypack.surfaces.cli import serving

    host, folder = serving.make_host(
        context, store=store, roots=roots, scope=scope, tools=tools, owner=owner, project=project
    )
    if over_http:
        serving.serve_http(
            host, folder, version=VERSION, address=address, port=port, beyond=beyond, names=names
        )
    else:
        serving.serve_stdio(host, version=VERSION)


@click.command()
@_server_options
@click.option(
    "--open/--no-open", "opens", default=None, help="Open the page in a browser. [default: on a terminal]"
)
@click.pass_context
def serve(
    context: click.Context,
    scope: str,
    tools: tuple[str, ...],
    roots: tuple[str, ...],
    owner: str | None,
    project: str | None,
    address: str,
    port: int,
    names: tuple[str, ...],
    beyond: bool,
    store: str | None,
    opens: bool | None,
) -> None:
    """Serve a page to look at packs, the verbs as REST, and MCP, on this machine."""
    from daypack.surfaces.cli import serving

    host, folder = serving.make_host(
        context, store=store, roots=roots, scope=scope, tools=tools, owner=owner, project=project
    )
    show = sys.stdout.isatty() if opens is None else opens
    serving.serve_page(
        host, folder, version=VERSION, address=address, port=port, beyond=beyond, names=names, opens=show
    )


# ---------------------------------------------------------------- install, uninstall

AGENTS = ["claude-code", "codex", "cursor", "gemini", "vscode"]
_client_option = click.option(
    "--client", required=True, type=click.Choice(AGENTS), help="The agent to set up."
)
_place_option = click.option(
    "--project/--user",
    "for_project",
    default=True,
    help="For this project, or for you wherever you work. [default: project]",
)
_dry_option = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@click.command()
@_client_option
@_place_option
@click.option(
    "--hooks",
    is_flag=True,
    help="Also let its hooks tell Daypack what happens, and be told where work stood.",
)
@click.option(
    "--scope",
    default="read-write",
    show_default=True,
    metavar="SCOPE",
    help="read, read-write or dangerous: what tools may do.",
)
@click.option(
    "--tools", multiple=True, metavar="NAME", help="A toolset to offer beside the core, or all. [repeatable]"
)
@_dry_option
def install(
    client: str, for_project: bool, hooks: bool, scope: str, tools: tuple[str, ...], dry_run: bool
) -> None:
    """Set Daypack up in an agent: shows the difference, keeps a backup, and can be run again."""
    from daypack.surfaces.cli import installing

    installing.install(
        client, for_user=not for_project, hooks=hooks, scope=scope, tools=tools, dry_run=dry_run
    )


@click.command()
@_client_option
@_place_option
@_dry_option
def uninstall(client: str, for_project: bool, dry_run: bool) -> None:
    """Take out of an agent's settings exactly what `install` added."""
    from daypack.surfaces.cli import installing

    installing.uninstall(client, for_user=not for_project, dry_run=dry_run)
