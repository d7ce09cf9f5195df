"""The reference of the command line: one page for each group of commands, made from the program's help."""

from __future__ import annotations

import copy

import click

FOLDER = "docs/reference/cli"
TOP = "daypack"  # the page of the commands outside groups
WIDTH = 100
MADE = "<!-- Written by scripts/docs.py from the program's help. Do not edit it by hand. -->"


def commands() -> dict[str, click.Command]:
    """Name as typed (daypack pack) → the command, groups before their members."""
    from daypack.surfaces.cli.main import cli

    found: dict[str, click.Command] = {}

    def visit(name: str, command: click.Command) -> None:
        if command.hidden:
            return
        found[name] = command
        if isinstance(command, click.Group):
            for child in command.list_commands(click.Context(command)):
                member = command.get_command(click.Context(command), child)
                assert member is not None
                visit(f"{name} {child}", member)

    visit("daypack", cli)
    return found


def help_of(name: str, command: click.Command) -> str:
    """The help of a command as the terminal shows it, with the options that it leaves out as rarely used, regardless of earlier
    calls for the same help.
    """
    # A command keeps the help option that its first context gave it, in a field that click offers no way to
    # empty.
    fresh = copy.copy(command)
    fresh._help_option = None
    if not isinstance(command, click.Group):
        fresh.params = [listed(one) for one in command.params]
    context = click.Context(
        fresh,
        info_name=name,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    return fresh.get_help(context).rstrip() + "\n"


def listed(parameter: click.Parameter) -> click.Parameter:
    """A parameter that help lists, also where it is rarely used."""
    if not getattr(parameter, "advanced", False):
        return parameter
    shown = copy.copy(parameter)
    shown.hidden = shown.advanced = False  # type: ignore[attr-defined]
    return shown


def groups() -> dict[str, dict[str, click.Command]]:
    """The commands of each page, by the page's name: the group, or `daypack` for commands outside a group."""
    every = commands()
    names = [name for name, command in every.items() if isinstance(command, click.Group)]
    found: dict[str, dict[str, click.Command]] = {TOP: {}}
    for name, command in every.items():
        words = name.split()
        page = words[1] if len(words) > 1 and " ".join(words[:2]) in names else TOP
        found.setdefault(page, {})[name] = command
    return found


def title(group: str) -> str:
    return "Everyday and set-up commands" if group == TOP else f"daypack {group}"


def pages() -> dict[str, str]:
    """Path from the root → text, for every page of a group."""
    found = {}
    for group, members in groups().items():
        parts = [f"{MADE}\n\n# {title(group)}\n"]
        for name, command in members.items():
            parts.append(f"## {name}\n\n```text\n{help_of(name, command)}```\n")
        found[f"{FOLDER}/{group}.md"] = "\n".join(parts)
    return found


def table() -> str:
    """Every command with its first sentence, a table for each group; the links lead to its help."""
    parts = []
    for group, members in groups().items():
        rows = [f"## [{title(group)}]({group}.md)\n", "| Command | Use |", "|---|---|"]
        for name, command in members.items():
            if not isinstance(command, click.Group):
                about = command.get_short_help_str(limit=200).replace("|", "\\|")
                rows.append(f"| [`{name}`]({group}.md#{name.replace(' ', '-')}) | {about} |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)
