"""The first screen of `daypack --help`, and `daypack help`, which shows what that leaves out."""

from __future__ import annotations

import copy
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import click

from daypack.surfaces.cli.build import LONGEST_SENTENCE, Group
from daypack.surfaces.cli.options import shown_in_full
from daypack.verbs.command import BadUsage, Command
from daypack.verbs.table import Positional

# The first sentence of each command's help, so that the screen imports none of them; a test holds both together.
EVERYDAY = {
    "pack": "Pack what answers a question, with citations, in a token budget.",
    "search": "List what answers a question, best first.",
    "get": "Show the exact text behind a citation, a path or path:12-40.",
    "add": "Index each PATH: a folder, a file, or - for standard input.",
    "run": "Run a command, keep its output, and print what answers a question.",
    "remember": "Remember VALUE under KEY, for example under release/cadence.",
    "recall": "Show the memory under KEY.",
    "forget": "Erase a memory for good, with its history: KEY, a tag or a source.",
    "code": "Pack code with callers and tests, list symbols, map a repository.",
    "session": "Record what agents do, and resume where a session stopped.",
    "status": "Show the content of the store, its freshness, and the skipped files.",
}
SET_UP = {
    "install": "Set Daypack up in an agent such as Claude Code or Cursor.",
    "serve": "Serve a local page, a REST API and MCP.",
    "mcp": "Serve agents over the Model Context Protocol: stdio or HTTP.",
    "doctor": "Check the environment and the store; exit status 1 reports damage.",
    "config": "Show settings, and which file or variable sets each.",
}
BEHIND = ("memory", "docs", "source", "label", "eval", "audit", "team")
WIDTH = 100  # of other help, in columns


class FirstScreen(Group):
    """The command `daypack` itself: its help fits a terminal of 24 lines, and names only what is used most."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = [
            _entry(str(self.help)),
            _entry(f"Usage: {ctx.command_path} COMMAND …, for example: {self.example}"),
            "",
            "Every day:",
            *(_entry(about, f"  {name:<10}") for name, about in EVERYDAY.items()),
            "Setting up:",
            *(_entry(about, f"  {name:<10}") for name, about in SET_UP.items()),
            _entry(f"Groups: {' '.join(BEHIND)}. All: `daypack help all`."),
            _entry("Options: --store FOLDER, --embedder NAME, --quiet, --version; COMMAND --help."),
        ]
        formatter.write("".join(f"{line}\n" for line in lines))


def _entry(text: str, before: str = "") -> str:
    """A line of a list; where the terminal is narrow, its text goes on below itself."""
    width = max(shutil.get_terminal_size((WIDTH, 24)).columns, len(before) + 24)
    return textwrap.fill(
        text,
        width,
        initial_indent=before,
        subsequent_indent=" " * len(before),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _names_behind(_: Path) -> Iterable[str]:
    """The commands that may follow the words which a shell completes."""
    context = click.get_current_context()
    command: click.Command | None = context.find_root().command
    for word in context.params.get("words") or ():
        command = command.get_command(context, word) if isinstance(command, click.Group) else None
    return command.list_commands(context) if isinstance(command, click.Group) else ()


def help_(
    words: Annotated[
        list[str] | None, "A command, or all.", Positional(metavar="[all | COMMAND]", complete=_names_behind)
    ] = None,
) -> str:
    """Show the first screen, every command (all), or everything that one command takes."""
    root = click.get_current_context().find_root()
    if not words:
        return f"{root.get_help()}\n"
    if words == ["all"]:
        return "".join(_tree(root.command, root, ""))
    command, context = root.command, root
    for word in words:
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            meant = command.meant(context, word) if isinstance(command, Group) else ""
            advice = (
                f"did you mean {meant}? `daypack help all` lists all"
                if meant
                else "`daypack help all` lists them"
            )
            raise BadUsage(f"no command {' '.join(words)!r}; {advice}")
        command, context = _in_full(found), click.Context(found, parent=context, info_name=word)
    return f"{command.get_help(context)}\n"


def _tree(command: click.Command, context: click.Context, words: str) -> Iterator[str]:
    """A line for each command below a group, in the order of its help."""
    if not isinstance(command, click.Group):
        yield _entry(command.get_short_help_str(limit=LONGEST_SENTENCE), f"{words:<30}") + "\n"
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        if found is not None and not found.hidden:
            below = click.Context(found, parent=context, info_name=name)
            yield from _tree(found, below, f"{words} {name}".lstrip())


def _in_full(command: click.Command) -> click.Command:
    if isinstance(command, click.Group):
        return command
    full = copy.copy(command)
    full.params = [shown_in_full(one) if isinstance(one, click.Option) else one for one in command.params]
    return full


COMMANDS = (Command(help_, at="help", opens="none", hidden=True),)
