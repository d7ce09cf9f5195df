"""What every command of the command line is made of: groups, shared options, arguments, an opened store,
output.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from daypack.doors.registry import door_names

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.settings.configuration import Configuration
    from daypack.settings.context import ProjectContext
    from daypack.settings.places import Place

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


# ---------------------------------------------------------------- what is set


class Given:
    """What stands before the command's name, and where one stands."""

    def __init__(self, store: str | None = None, embedder: str | None = None) -> None:
        self.store, self.embedder = store, embedder

    @cached_property
    def standing(self) -> ProjectContext:
        return standing_in(Path.cwd())

    def place(self, store: str | None = None) -> Place:
        """Where the store is: `store`, else what was named before the command, else the one of where one
        stands.
        """
        return self.standing.place(store or self.store)

    @cached_property
    def configuration(self) -> Configuration:
        """Of the project that one stands in. What waits for trust is said, once."""
        return told(self.standing)


def standing_in(folder: Path) -> ProjectContext:
    from daypack.settings.context import ProjectContext

    return ProjectContext(folder, os.environ, Path.home())


def told(standing: ProjectContext) -> Configuration:
    """What is set where one stands; a line for people says what waits for trust."""
    found = standing.configuration
    if found.waiting:
        names = ", ".join(waiting.setting.name for waiting in found.waiting)
        note(
            f"{found.waiting[0].origin} sets {names}, which has no effect before `daypack trust`", always=True
        )
    return found


class SetOption(click.Option):
    """An option whose default people can set by a variable or in a file, under the option's name. Help shows
    the one that we ship.
    """

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        given = ctx.find_object(Given)
        if not call or given is None or ctx.resilient_parsing:
            return super().get_default(ctx, call)
        return given.configuration[str(self.name)]


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
    """Unix seconds of a date as people write it; UTC where it names no zone."""
    if text is None:
        return None
    from datetime import UTC, datetime

    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is no date; write 2026-10-01 or 2026-10-01T14:00") from None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def text_argument(text: str) -> str:
    """An argument as text: bytes that are no UTF-8 are replaced, and that is said."""
    clean = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if clean != text:
        note("an argument held bytes that are no UTF-8; they were replaced", always=True)
    return clean


def query_argument(text: str) -> str:
    """A query, refused here when it is too long: before anything is opened, made or indexed for it."""
    from daypack.errors import QueryTooLong
    from daypack.settings import LONGEST_QUERY_BYTES

    query = text_argument(text)
    if (length := len(query.encode())) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    return query


class Tokens(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    name = "tokens"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        from daypack.errors import BadBudget
        from daypack.settings import LARGEST_BUDGET

        try:
            limit = int(str(value).replace("_", "").replace(",", ""))
        except ValueError:
            raise BadBudget(value, LARGEST_BUDGET) from None
        if not 0 <= limit <= LARGEST_BUDGET:
            raise BadBudget(limit, LARGEST_BUDGET)
        return limit


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
    from daypack.api import Daypack
    from daypack.errors import NotAProject, StoreNotFound

    given: Given = context.obj
    place = given.place(store)
    if not place.exists and not create:
        raise StoreNotFound(str(place.store))
    if not place.exists and first_use:
        from daypack.doors.reading.walk import looks_like_project

        # Asked before the store is made: a folder that is no project must be left as it was.
        folder = Path(place.project or place.root)
        problem = looks_like_project(folder, Path.home())
        if problem is not None:
            raise NotAProject(str(folder), problem)
    given.configuration  # noqa: B018 (says what waits for trust, before a store is made)
    with Daypack.open_in(
        given.standing, place, embedder=given.embedder, owner=owner, project=project
    ) as daypack:
        # Also where a store stands already: the first indexing may have been interrupted before it had
        # anything.
        if first_use and (not place.exists or (store or given.store) is None):
            with progress("indexing") as step:
                report = daypack.first_use(Path.home(), progress=step)
            if report is not None:
                note(
                    f"indexed {report.added:,} files ({report.bytes / 1e6:,.1f} MB, {report.chunks:,} chunks) into {place.store}"
                )
        yield daypack


@contextmanager
def embedding(daypack: Daypack, vectors: str) -> Iterator[None]:
    """With --vectors all, make what is missing under a progress bar before the query waits for it."""
    if vectors == "all":
        with progress("embedding") as step:
            daypack.embed(progress=step)
    yield


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def found_status(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    return 0 if found or reason in (EmptyReason.EMPTY_QUERY, EmptyReason.BUDGET_TOO_SMALL) else 1


def write(text: str) -> None:
    """Exactly this text to stdout; a terminal also gets the line end that it needs."""
    data = text.encode("utf-8", "replace")
    if sys.stdout.isatty() and data and not data.endswith(b"\n"):
        data += b"\n"
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader went away, as `head` does; what it wanted it has. Nothing is left to flush when Python
        # ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def note(text: str, *, always: bool = False) -> None:
    """A line for people; not for pipes, unless they must know."""
    if always or sys.stderr.isatty():
        click.echo(f"daypack: {text}", err=True)


def print_json(data: Any) -> None:
    """One JSON value on a line of its own."""
    import json

    write(json.dumps(data) + "\n")


def line(text: str, limit: int = 110) -> str:
    """Stored text as part of a line: without line ends, and cut."""
    from daypack.guard.fences import one_line

    return one_line(text, limit)
