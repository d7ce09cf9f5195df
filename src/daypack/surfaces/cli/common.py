"""What every command of the command line is made of: groups, shared options, arguments, an opened store,
output.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from daypack.doors.registry import door_names
from daypack.surfaces.cli import terminal
from daypack.surfaces.cli.build import SetOption
from daypack.surfaces.cli.context import CliContext as Given
from daypack.surfaces.cli.context import context_of as standing_in
from daypack.surfaces.cli.context import load_configuration as told
from daypack.surfaces.cli.context import opened as context_opened
from daypack.surfaces.cli.reading import Tokens, query_argument, text_argument
from daypack.surfaces.cli.reading import date_argument as _date
from daypack.surfaces.cli.terminal import print_json, progress, write

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.verbs.command import Opening

__all__ = [
    "Given",
    "SetOption",
    "Tokens",
    "print_json",
    "progress",
    "query_argument",
    "standing_in",
    "text_argument",
    "told",
    "write",
]

VERSION = "0.1.0"
SHARED_STORE = "DAYPACK_PROJECT_DIR"
F = TypeVar("F", bound=Callable[..., Any])

# ---------------------------------------------------------------- groups


class Commands(click.Group):
    """Commands in the order in which they were written, as a newcomer meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], list(self.commands), n=1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from None
            raise


class Elsewhere(Commands):
    """A group whose commands stand in a module of their own, which is imported when one of them is asked for."""

    def __init__(self, *arguments: Any, module: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._module = module

    def list_commands(self, ctx: click.Context) -> list[str]:
        importlib.import_module(self._module)
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        importlib.import_module(self._module)
        return super().get_command(ctx, cmd_name)


# ---------------------------------------------------------------- shared options


def query_options(command: F) -> F:
    """Options of every command that searches."""
    options = [
        click.option("--store", metavar="FOLDER", help="The store to use."),
        click.option(
            "--vectors",
            cls=SetOption,
            type=click.Choice(["lazy", "all", "none"]),
            default="lazy",
            show_default=True,
            help="Which vectors to wait for: those of the best word matches, all, or none.",
        ),
        click.option(
            "--lexical", is_flag=True, help="The same as --vectors none: words only, no model is loaded."
        ),
        click.option(
            "--kind",
            "kinds",
            multiple=True,
            type=click.Choice(["document", "code", "memory", "event"]),
            help="Only records of this kind. [repeatable]",
        ),
        click.option(
            "--source",
            "sources",
            multiple=True,
            metavar="GLOB",
            help="Only files that match, as 'src/**/*.py' or 'docs/', and labels that hold it. [repeatable]",
        ),
        click.option(
            "--in",
            "doors",
            multiple=True,
            type=click.Choice([*door_names()]),
            help="Only what came in there; without it, everything that is yours to see. [repeatable]",
        ),
        click.option(
            "--language", metavar="NAME", help="Only this language or format, as python or markdown."
        ),
        click.option("--scope", metavar="NAME", help="Only records of this scope."),
        click.option(
            "--session",
            metavar="ID",
            help="Only records of this session, by its name or the begin of it; current, or all. [default: of sessions the current one]",
        ),
        click.option(
            "--since",
            metavar="DATE",
            help="Only records from this day on (2026-10-01, or with a time: 2026-10-01T14:00).",
        ),
        click.option("--before", metavar="DATE", help="Only records before this day."),
        click.option(
            "--filter",
            metavar="JSON",
            help='Only what passes, as \'{"status": "open"}\': documents by their fields, the rest by kind, uri, tags, metadata and so on.',
        ),
        *shared_options(),
        click.option(
            "--refresh/--no-refresh",
            default=True,
            help="Look at the disk first, or answer from what is stored.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def shared_options() -> list[Callable[[F], F]]:
    """What there is only where projects share a store, which is decided when the program starts."""
    if not os.environ.get(SHARED_STORE):
        return []
    return [
        click.option(
            "--project",
            metavar="PATH",
            help="Another project of the shared store by its path, or global for all. [default: this one]",
        )
    ]


def narrow_from(
    kinds: Sequence[str],
    sources: Sequence[str],
    doors: Sequence[str],
    language: str | None,
    scope: str | None,
    session: str | None,
    since: str | None,
    before: str | None,
    filter: str | None = None,
    project: str | None = None,
) -> dict[str, Any]:
    given: dict[str, Any] = {
        "language": language,
        "scope": scope,
        "session": session,
        "since": moment(since),
        "before": moment(before),
        "project": project,
    }
    if kinds:
        given["kind"] = list(kinds)
    if doors:
        given["door"] = list(doors)
    if sources:
        given["source"] = [text_argument(source) for source in sources]
    if filter is not None:
        from daypack.doors.documents.model.values import read_json

        given["filter"] = read_json(text_argument(filter), what="--filter")
    return {
        name: value if not isinstance(value, str) else text_argument(value)
        for name, value in given.items()
        if value is not None
    }


def moment(text: str | None) -> float | None:
    return None if text is None else _date(text)


# ---------------------------------------------------------------- plumbing


@contextmanager
def opened(
    context: click.Context,
    store: str | None,
    *,
    create: bool = True,
    first_use: bool = False,
    owner: str | None = None,
    project: str | None = None,
) -> Iterator[Daypack]:
    opening: Opening = "indexed" if first_use else "created" if create else "existing"
    with context_opened(context.obj, store, opening, owner=owner, project=project) as daypack:
        yield daypack


@contextmanager
def embedding(daypack: Daypack, vectors: str) -> Iterator[None]:
    """With --vectors all, make what is missing under a progress bar before the query waits for it."""
    if vectors == "all":
        with progress("embedding") as step:
            daypack.embed(progress=step)
    yield


def found_status(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    return 0 if found or reason in (EmptyReason.EMPTY_QUERY, EmptyReason.BUDGET_TOO_SMALL) else 1


def note(text: str, *, always: bool = False) -> None:
    terminal.note(text, always=always)


def line(text: str, limit: int = 110) -> str:
    """Stored text as part of a line: without line ends, and cut."""
    from daypack.guard.fences import one_line

    return one_line(text, limit)
