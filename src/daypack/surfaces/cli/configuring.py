"""`daypack config` and `daypack trust`: the settings, their sources, and the trust in a project's files; and
the completion scripts of shells.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from daypack.guard.fences import one_line
from daypack.surfaces.cli.context import context_of
from daypack.verbs.command import Command, Screen
from daypack.verbs.table import Flag, Positional

if TYPE_CHECKING:
    from daypack.settings.configuration import Configuration


def show() -> Configuration:
    """List every setting with its value here.

    \b
    Each can be set by, strongest first:
      its variable                 DAYPACK_BUDGET=2000
      .daypack/config.toml         budget = 2000
      pyproject.toml               [tool.daypack], then the same
      ~/.config/daypack/config.toml
    """
    return context_of(Path.cwd()).configuration


def configuration_data(configuration: Configuration) -> dict[str, Any]:
    waiting = {value.setting.name for value in configuration.waiting}
    return {
        name: {
            "value": value.shown,
            "level": value.level.value,
            "origin": value.origin,
            "waits_for_trust": name in waiting,
        }
        for name, value in configuration.values.items()
    }


def configuration_screen(
    configuration: Configuration,
    origin: Annotated[bool, "Also show the source of each value.", Flag(instead="always shown")] = False,  # noqa: ARG001
) -> Screen:
    shown = {name: _text(value.shown) for name, value in configuration.values.items()}
    names, values = max(map(len, shown)), max(map(len, shown.values()))
    lines = (
        f"{name:<{names}}  {shown[name]:<{values}}  {value.setting.about}{f'  [{value.origin}]' if value.origin else ''}\n"
        for name, value in configuration.values.items()
    )
    waiting = (
        f"{value.origin} sets {value.setting.name} to {_text(value.value)}, which has no effect before "
        f"`daypack trust`"
        for value in configuration.waiting
    )
    return Screen("".join(lines), hints=tuple(waiting))


def _text(value: str | int | bool) -> str:
    return (
        "-" if value == "" else one_line(str(value).lower() if isinstance(value, bool) else str(value), 110)
    )


def trust(undo: Annotated[bool, "Revoke the trust.", Flag(retired="--revoke")] = False) -> str:
    """Let the settings of this project's files take effect: they may come from the authors of a cloned
    repository.

    They choose the model, an address that texts are sent to, the owner of memories, and the fetching of
    pages. When they change, they wait for trust again.
    """
    from daypack.doors import registry
    from daypack.settings.configuration import TrustedProjects, project_files, state_folder

    root = context_of(Path.cwd()).folder
    trusted = TrustedProjects(state_folder(os.environ, Path.home()))
    if undo:
        return f"{root} is no longer trusted\n" if trusted.withdraw(root) else f"{root} was not trusted\n"
    files = project_files(root, registry.settings())
    if not files:
        return f"no file of {root} contains settings that need trust\n"
    trusted.give(root, files)
    lines = [
        f"{file.path}: {name} = {_text(value)}\n" for file in files for name, value in file.table.items()
    ]
    return (
        "".join(lines)
        + "trusted until one of these files sets something else; `daypack trust --undo` takes it back\n"
    )


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], Positional()]) -> str:
    """Print the completion script for SHELL: source it, or put it into the completion folder of your shell."""
    from click.shell_completion import get_completion_class

    shell_class = get_completion_class(shell)
    assert shell_class is not None
    command = click.get_current_context().find_root().command
    return shell_class(command, {}, "daypack", "_DAYPACK_COMPLETE").source() + "\n"


COMMANDS = (
    Command(show, configuration_screen, "config show", configuration_data, opens="none"),
    Command(trust, at="trust", opens="none"),
    Command(completion, at="completion", opens="none"),
)
