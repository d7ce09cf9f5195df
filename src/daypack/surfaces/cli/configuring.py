"""`daypack config` and `daypack trust`: what is set, where, and whether a project's files may set it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from daypack.doors import registry
from daypack.settings.configuration import Trust, project_files, state_folder
from daypack.surfaces.cli.common import line, note, print_json, standing_in, write
from daypack.surfaces.cli.main import config


@config.command()
@click.option("--origin", is_flag=True, help="Also where each value comes from.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def show(origin: bool, as_json: bool) -> None:
    """Every setting with its value here.

    \b
    Each can be set by, strongest first:
      its variable                 DAYPACK_BUDGET=2000
      .daypack/config.toml         budget = 2000
      pyproject.toml               [tool.daypack], then the same
      ~/.config/daypack/config.toml
    """
    found = standing_in(Path.cwd()).configuration
    waiting = {one.setting.name for one in found.waiting}
    if as_json:
        print_json(
            {
                name: {
                    "value": one.shown,
                    "level": one.level.value,
                    "origin": one.origin,
                    "waits_for_trust": name in waiting,
                }
                for name, one in found.values.items()
            }
        )
        return
    shown = {name: _text(one.shown) for name, one in found.values.items()}
    names, values = max(map(len, shown)), max(map(len, shown.values()))
    for name, one in found.values.items():
        write(
            f"{name:<{names}}  {shown[name]:<{values}}  {(one.origin or one.level.value) if origin else one.setting.about}\n"
        )
    for one in found.waiting:
        note(
            f"{one.origin} sets {one.setting.name} to {_text(one.value)}, which has no effect before `daypack trust`",
            always=True,
        )


def _text(value: str | int | bool) -> str:
    return "-" if value == "" else line(str(value).lower() if isinstance(value, bool) else str(value))


def trust_project(*, revoke: bool) -> None:
    """Agree to what the project's files set, having shown it; or take that back."""
    root = _root()
    trust = Trust(state_folder(os.environ, Path.home()))
    if revoke:
        write(f"{root} is no longer trusted\n" if trust.withdraw(root) else f"{root} was not trusted\n")
        return
    files = project_files(root, registry.settings())
    if not files:
        write(f"no file of {root} sets anything; there is nothing to trust\n")
        return
    for file in files:
        write("".join(f"{file.path}: {name} = {_text(value)}\n" for name, value in file.table.items()))
    trust.give(root, files)
    write("trusted until one of these files sets something else; `daypack trust --revoke` takes it back\n")


def _root() -> Path:
    return standing_in(Path.cwd()).folder
