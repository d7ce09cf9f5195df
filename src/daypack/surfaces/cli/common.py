"""Parts that all commands share: groups, options, arguments, an opened store, output."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

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
    """A group whose commands stand in a module of their own; using a command imports it."""

    def __init__(self, *arguments: Any, module: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._module = module

    def list_commands(self, ctx: click.Context) -> list[str]:
        importlib.import_module(self._module)
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        importlib.import_module(self._module)
        return super().get_command(ctx, cmd_name)


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


def note(text: str, *, always: bool = False) -> None:
    terminal.note(text, always=always)


def line(text: str, limit: int = 110) -> str:
    """Stored text as part of a line: without line ends, and cut."""
    from daypack.guard.fences import one_line

    return one_line(text, limit)
