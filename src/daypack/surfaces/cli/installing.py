"""`daypack install` and `uninstall`: show what would change, write it, say where the backup is."""

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
    offered(tools, access_of(scope))  # raises for what the server would refuse
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
    write(
        f"{title} knows Daypack now; start it anew. `daypack uninstall --client {client}` takes it out again\n"
    )
    if shutil.which("daypack") is None:
        note(
            f"there is no `daypack` on the PATH, and {title} will look for one; {sys.executable} -m daypack is what runs now"
        )


def uninstall(client: str, *, for_user: bool, dry_run: bool) -> None:
    installer = _installer()
    changes = installer.plan_removal(client, for_user=for_user)
    if not changes:
        write(f"there is nothing of ours in the settings of {CLIENTS[client].title}\n")
        return
    _show(changes)
    if not dry_run:
        installer.uninstall(changes)
        write(f"taken out of {CLIENTS[client].title}\n")
