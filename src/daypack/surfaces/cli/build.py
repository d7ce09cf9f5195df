"""Commands of click, made from rows (verbs/command.py), each at its first use."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import click

from daypack.errors import DaypackError
from daypack.surfaces.cli import terminal
from daypack.surfaces.cli.context import CliContext, UnopenedStore, opened
from daypack.surfaces.cli.options import (
    PLAIN,
    WRITTEN,
    Option,
    click_parameters,
    is_argument,
    retired_spellings,
)
from daypack.surfaces.cli.reading import READERS
from daypack.text.checks import nearest
from daypack.verbs.command import BadUsage, Command, Screen
from daypack.verbs.table import Flag, Parameter

LONGEST_SENTENCE = 1_000  # characters: no first sentence of a command's help is as long

# ---------------------------------------------------------------- help


class _Helpful(click.Command):
    """A command whose --help is written as answers are: click writes it by itself, and a lost output ends in a traceback.
    Faults of its words lead to its help.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser names no command where a value is missing
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


def _show_help(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        terminal.write(f"{context.get_help()}\n")
        context.exit()


# ---------------------------------------------------------------- groups


class Group(_Helpful, click.Group):
    """A group whose commands are rows of modules; using a command imports its module.

    They are listed in the order of writing, as a newcomer meets them. Its help begins with what it is for and
    an example; without a command it prints that.
    """

    def __init__(
        self, words: str, members: Mapping[str, str | click.Command], *, example: str = "", **named: Any
    ) -> None:
        """A member is a command or the module of its row; "*" stands for all rows of a module."""
        super().__init__(words.rpartition(" ")[2] or None, **named)
        self._words, self._members, self.example = words, members, example

    def list_commands(self, ctx: click.Context) -> list[str]:
        found: list[str] = []
        for name, member in self._members.items():
            if name.startswith("*") and isinstance(member, str):
                rows = importlib.import_module(member).COMMANDS
                found += [row.name for row in rows if row.words.rpartition(" ")[0] == self._words]
            else:
                found.append(name)
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        member = self._members.get(cmd_name)
        if isinstance(member, click.Command):
            return member
        modules = [member] if member else [one for name, one in self._members.items() if name[0] == "*"]
        words = f"{self._words} {cmd_name}".lstrip()
        for module in modules:
            for row in importlib.import_module(str(module)).COMMANDS:
                if words in row.everywhere:
                    return RowCommand(row, words)
        return None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            terminal.write(f"{ctx.get_help()}\n")
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if meant := self.meant(ctx, args[0]):
                raise click.UsageError(f"{error.message} Did you mean {meant}?", ctx) from None
            raise

    def meant(self, ctx: click.Context, word: str) -> str:
        """The command that an unknown word probably means, in quotes; "" for none."""
        from daypack.surfaces.meant import MEANT

        if meant := MEANT.get(f"{self._words} {word}".lstrip()):
            return f"`daypack {meant}`"
        near = nearest(word, self.list_commands(ctx))
        return f"'{near}'" if near else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with its whole first sentence, which click would cut after one line."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=LONGEST_SENTENCE))
                    for name, command in found
                    if command is not None and not command.hidden
                ]
            )

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_text(str(self.help))
        formatter.write(f"\n  {self.example}\n\n")
        self.format_usage(ctx, formatter)
        self.format_commands(ctx, formatter)
        self.format_epilog(ctx, formatter)


# ---------------------------------------------------------------- commands


STORE = Parameter("store", "store", str, "The store to use.", None, flag=Flag(metavar="FOLDER", read="path"))
OWNED = (
    Parameter("owner", "owner", str, "The owner whose memories are visible. [default: user]", None, flag=Flag(metavar="NAME")),
    Parameter("project", "project", str, "The project, in a store that several share.", None, flag=Flag(metavar="NAME")),
)  # fmt: skip
JSON = Parameter("json", "as_json", bool, "Print one JSON object.", False)
QUIET = Parameter("quiet", "quiet", bool, "Print the answer and errors only.", False)


class RowCommand(_Helpful):
    """The command of a row. Its options are made when it runs or shows its help, because a list of commands needs none."""

    def __init__(self, row: Command, words: str) -> None:
        """`words` are those that the user wrote: the row's own, or those of an earlier release or another tool."""
        settings = (
            {"ignore_unknown_options": True, "allow_interspersed_args": False} if row.passes_options else None
        )
        about = inspect.cleandoc(row.help or row.call.__doc__ or "")
        name = words.rpartition(" ")[2]
        hidden = row.hidden or words != row.words
        super().__init__(name, help=about, context_settings=settings, hidden=hidden)
        self._row, self._words = row, words
        del self.params  # click has set it; the property replaces it

    @cached_property
    def parameters(self) -> list[Parameter]:
        row = self._row
        names = {parameter.python for parameter in row.parameters}
        return [
            *sorted(row.parameters, key=lambda parameter: (parameter.flag or PLAIN).last),
            *(parameter for parameter in row.show_parameters if parameter.python not in names),
            *(OWNED if row.owned else ()),
            *([JSON] if row.data else []),
            QUIET,
            *([STORE] if row.opens != "none" else []),
        ]

    @cached_property
    def params(self) -> list[click.Parameter]:  # type: ignore[override]
        return [made for parameter in self.parameters for made in click_parameters(parameter)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        ctx.meta[WRITTEN] = [*dict.fromkeys(word.partition("=")[0] for word in options)]
        ctx.meta[_NOTES] = [*self._notes(ctx.meta[WRITTEN])]
        if self._row.store_first:
            args = self._without_store(ctx, args)
        return super().parse_args(ctx, args)

    def _notes(self, written: list[str]) -> Iterator[str]:
        """Notes on words of other tools and of earlier releases."""
        if self._words != self._row.words:
            now = "is now" if self._words in self._row.retired else "is"
            yield f"`daypack {self._words}` {now} `daypack {self._row.words}`"
        retired = retired_spellings(
            [parameter for parameter in self.parameters if not is_argument(parameter)]
        )
        for name in written:
            if name in retired:
                yield f"{name} is now {retired[name]}"

    def _without_store(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments of a command of another tool, whose first argument is the store, with the store as an option."""
        values, beyond, _ = self.make_parser(ctx).parse_args(list(args))
        arguments = [parameter for parameter in self.params if isinstance(parameter, click.Argument)]
        store = values.get(str(arguments[0].name)) if arguments else None
        is_path = isinstance(store, str) and store.endswith(_STORES_OF_SEEDS)
        if not isinstance(store, str) or not (len(beyond) == 1 or is_path):
            return args
        ctx.meta[_NOTES].append(f"the store is an option: `daypack {self._words} … --store {store}`")
        at = args.index(store)
        return [*args[:at], *args[at + 1 :], "--store", store]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if any(isinstance(parameter, Option) and parameter.advanced for parameter in self.params):
            formatter.write_paragraph()
            formatter.write_text(f"`daypack help {self._words}` shows more options.")

    def invoke(self, ctx: click.Context) -> None:
        if ctx.params.pop("quiet", False):
            terminal.be_quiet()
        for text in ctx.meta[_NOTES]:
            terminal.note(text)
        _execute(self._row, self.parameters, ctx)


_NOTES = "daypack.notes"
_STORES_OF_SEEDS = (".omgdb",)


# ---------------------------------------------------------------- running


def _execute(row: Command, parameters: list[Parameter], context: click.Context) -> None:
    """Call the function of a row with the values given on the command line, print its result, and exit."""
    values = dict(context.params)
    as_json = bool(values.get("as_json"))
    arguments: dict[str, Any] = {}
    show_arguments: dict[str, Any] = {}
    try:
        for parameter in parameters:
            if values.get(parameter.python) not in (None, ()):
                values[parameter.python] = _value_of(parameter, values[parameter.python])
        arguments |= _arguments_of(row.parameters, values)
        show_arguments |= _arguments_of(row.show_parameters, values)
        if row.check is not None:
            row.check(arguments)
        if "terminal" in inspect.signature(row.call).parameters:
            arguments["terminal"] = terminal
        with _store_for(row, context.obj, values) as store:
            status = _print(row, row.call(*store, **arguments), show_arguments, as_json=as_json)
    except DaypackError as error:
        try:
            status = _print(row, _rescued(row, error, arguments), show_arguments, as_json=as_json)
        except BadUsage as usage:
            raise click.UsageError(str(usage), context) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(row.interrupted) from None
    context.exit(status)


def _rescued(row: Command, error: DaypackError, arguments: dict[str, Any]) -> Any:
    if row.rescue is None:
        raise error
    return row.rescue(error, arguments)


@contextmanager
def _store_for(row: Command, context: CliContext, values: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The store as the first argument of a row's function: opened, unopened, or no argument."""
    if row.opens == "none":
        yield ()
    elif row.opens == "later":
        yield (UnopenedStore(context, values["store"]),)
    else:
        owned_by = {name: values[name] for name in ("owner", "project") if row.owned}
        with opened(context, values["store"], row.opens, words=row.words, **owned_by) as daypack:
            yield (daypack,)


def _arguments_of(parameters: tuple[Parameter, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """The given values of these parameters; the function's own defaults apply to the others."""
    return {
        parameter.python: values[parameter.python]
        for parameter in parameters
        if values.get(parameter.python) not in (None, ())
    }


def _value_of(parameter: Parameter, value: Any) -> Any:
    """The value of a parameter, read from its text as its flag says."""
    read = (parameter.flag or PLAIN).read
    reader = READERS.get(read) if isinstance(read, str) else read
    if isinstance(value, tuple):
        return [reader(item) if reader and isinstance(item, str) else item for item in value]
    return reader(value) if reader and isinstance(value, str) else value


def _print(row: Command, result: Any, show_arguments: Mapping[str, Any], *, as_json: bool) -> int:
    """Print a result; returns the exit status."""
    screen = row.show(result, **show_arguments) if row.show else result
    if isinstance(screen, str):
        screen = Screen(screen)
    elif not isinstance(screen, Screen):
        terminal.print_json(row.data(result) if row.data else result)
        return 0
    if as_json and row.data:
        terminal.print_json(row.data(result))
    else:
        if isinstance(screen.text, str):
            terminal.show(screen.text, screen.paint)
        else:
            pieces = iter(screen.text)
            try:
                for piece in pieces:
                    terminal.write(piece)
            finally:  # a generator that reads the store must end before the store is closed
                if isinstance(pieces, Generator):
                    pieces.close()
    for text in (*screen.notes, *(() if as_json else screen.hints)):
        terminal.note(text)
    for text in screen.asides:
        terminal.note(text, always=False)
    return screen.status
