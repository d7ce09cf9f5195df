"""`daypack install` and `uninstall`: show the difference, write it, and print the path of the backup."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from daypack.settings.configuration import state_folder
from daypack.settings.places import project_of
from daypack.surfaces.cli.terminal import note, write
from daypack.surfaces.install.check import client_environment, tools_of
from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.installer import Change, Installer, Setup
from daypack.surfaces.toolsets import ALL, ON_DEMAND, offered
from daypack.system import WINDOWS
from daypack.verbs import Access


def _installer() -> Installer:
    home = Path.home()
    state = state_folder(os.environ, home) / "installed"
    return Installer(home, Path(project_of(str(Path.cwd()))), state, sys.platform, os.environ)


def _command(for_user: bool) -> tuple[str, ...]:
    """The command that starts this Daypack from a client's settings.

    A project's settings are shared, so they give the name where the client's own PATH leads here. All others give
    the path: the client has activated no environment.
    """
    program = Path(sysconfig.get_path("scripts"), "daypack.exe" if WINDOWS else "daypack")
    found = shutil.which("daypack", path=client_environment(os.environ).get("PATH", ""))
    if not for_user and found is not None and Path(found).resolve() == program.resolve():
        return ("daypack",)
    return (str(program),) if program.exists() else (sys.executable, "-m", "daypack")


def _show(changes: Sequence[Change]) -> None:
    write("".join(change.diff for change in changes))


def install(client: str, setup: Setup, *, dry_run: bool) -> None:
    tools, for_user = setup.tools, setup.for_user
    offered(tools, setup.access or Access.WRITE)  # raises for a toolset that the server would refuse
    if tools and not {"core", ALL, ON_DEMAND} & {*tools}:
        setup = setup._replace(tools=("core", *tools))
    installer, command, title = _installer(), _command(for_user), CLIENTS[client].title
    plan = installer.plan(client, command, setup)
    _show(plan.changes)
    for file in plan.left:
        note(f"left as it is, because Daypack did not write it: {file}")
    if dry_run:
        return
    for backup in installer.install(client, plan.changes):
        note(f"a backup is in {backup}")
    installer.also_for(client, for_user=for_user)
    if not plan.changes:
        write(f"{title} is set up already; nothing was changed\n")
    elif not for_user and command != ("daypack",):
        note(
            f"the settings name {command[0]}, which is on this machine only; before you share them, "
            "install Daypack with pipx or `uv tool install` and run this command again"
        )
    found = tools_of(
        title,
        installer.server(client, for_user=for_user),
        folder=installer.project,
        environment=client_environment(os.environ),
    )
    hooks = CLIENTS[client].hooks
    step = hooks.step if hooks is not None and (setup.hooks or setup.packs) else ""
    write(
        f"works: {title} starts Daypack and gets {len(found)} tools; restart it to use them. "
        f"{f'Its hooks run only after you {step}. ' if step else ''}"
        f"`daypack uninstall --client {client}{' --user' if for_user else ''}` removes it\n"
    )


def uninstall(client: str, *, for_user: bool, dry_run: bool) -> None:
    installer = _installer()
    plan = installer.plan_removal(client, for_user=for_user)
    for file in plan.left:
        note(f"left as it is, because Daypack did not write it so: {file}")
    if not plan.changes:
        write(f"the settings of {CLIENTS[client].title} have no entry of Daypack\n")
        return
    _show(plan.changes)
    if not dry_run:
        installer.uninstall(client, plan.changes)
        write(f"removed from {CLIENTS[client].title}\n")
