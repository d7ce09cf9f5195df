"""`daypack install` and `uninstall`: show the difference, write it, and print the path of the backup."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from daypack.settings.configuration import state_folder
from daypack.settings.places import project_root
from daypack.surfaces.cli.terminal import note, write
from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.installer import Change, Installer
from daypack.surfaces.toolsets import offered
from daypack.verbs import access_of


def _installer() -> Installer:
    home = Path.home()
    return Installer(home, project_root(Path.cwd()), state_folder(os.environ, home) / "installed")


def _command(for_user: bool) -> str:
    """The command that starts Daypack: by name in a team's settings, by path in a person's, whose agents may
    have another PATH.
    """
    found = shutil.which("daypack")
    if not for_user or found is None:
        return "daypack"
    return found


def _show(changes: list[Change]) -> None:
    write("".join(change.diff for change in changes))


def install(
    client: str, *, for_user: bool, hooks: bool, scope: str, tools: tuple[str, ...], dry_run: bool
) -> None:
    offered(tools, access_of(scope))  # raises for arguments that the server would refuse
    tools = ("core", *tools) if tools and not {"core", "all"} & {*tools} else tools
    installer = _installer()
    changes = installer.plan(
        client, _command(for_user), for_user=for_user, hooks=hooks, scope=access_of(scope).value, tools=tools
    )
    if not changes:
        write(f"{CLIENTS[client].title} is set up already; nothing was changed\n")
        return
    _show(changes)
    if dry_run:
        return
    for backup in installer.install(changes):
        note(f"a backup is in {backup}")
    title = CLIENTS[client].title
    write(f"{title} is set up; restart it to use Daypack. `daypack uninstall --client {client}` removes it\n")
    if shutil.which("daypack") is None:
        note(
            f"`daypack` is not on the PATH, where {title} will look for it; this process runs as "
            f"{sys.executable} -m daypack"
        )


def uninstall(client: str, *, for_user: bool, dry_run: bool) -> None:
    installer = _installer()
    changes = installer.plan_removal(client, for_user=for_user)
    if not changes:
        write(f"the settings of {CLIENTS[client].title} have no entry of Daypack\n")
        return
    _show(changes)
    if not dry_run:
        installer.uninstall(changes)
        write(f"removed from {CLIENTS[client].title}\n")
