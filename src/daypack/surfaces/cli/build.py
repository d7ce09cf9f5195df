"""Commands of click, made from rows (verbs/command.py), each when it is asked for."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from daypack.errors import DaypackError
from daypack.surfaces.cli import terminal
from daypack.surfaces.cli.context import CliContext, UnopenedStore, opened
from daypack.surfaces.cli.reading import READERS, TYPES, Json
from daypack.verbs.command import BadUsage, Command, Screen
from daypack.verbs.table import NOT_GIVEN, REQUIRED, Flag, Parameter, Positional

PLAIN = Flag()


# ---------------------------------------------------------------- groups


class Group(click.Group):
    """A group whose commands are rows of modules; using a command imports its module.

    They are listed in the order in which they were written, as a newcomer meets them.
    """

    def __init__(self, words: str, members: Mapping[str, str | click.Command], **named: Any) -> None:
        """`words` lead to the group. A member is a command, or the module whose row it is; a name that begins
        with "*" stands for all rows of a module.
        """
        super().__init__(words.rpartition(" ")[2] or None, **named)
        self._words, self._members = words, members

    def _rows(self, module: str) -> Iterator[Command]:
        for row in importlib.import_module(module).COMMANDS:
            if row.words.rpartition(" ")[0] == self._words:
                yield row

    def list_commands(self, ctx: click.Context) -> list[str]:
        found: list[str] = []
        for name, member in self._members.items():
            if name.startswith("*") and isinstance(member, str):
                found += [row.name for row in self._rows(member)]
            else:
                found.append(name)
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        member = self._members.get(cmd_name)
        if isinstance(member, click.Command):
            return member
        modules = [member] if member else [one for name, one in self._members.items() if name[0] == "*"]
        for row in (row for module in modules for row in self._rows(str(module))):
            if cmd_name == row.name or cmd_name in row.aliases:
                return RowCommand(row, hidden=cmd_name != row.name)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from None
            raise


# ---------------------------------------------------------------- options


class SetOption(click.Option):
    """An option whose default people can set by a variable or in a file, under the option's name. Help shows
    the one that we ship.
    """

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        given = ctx.find_object(CliContext)
        if not call or given is None or ctx.resilient_parsing:
            return super().get_default(ctx, call)
        return given.configuration[str(self.name)]


STORE = Parameter("store", "store", str, "The store to use.", None, flag=Flag(metavar="FOLDER", read="path"))
OWNED = (
    Parameter("owner", "owner", str, "Whose memories; no others are seen. [default: user]", None, flag=Flag(metavar="NAME")),
    Parameter("project", "project", str, "Of which project, in a store that several share.", None, flag=Flag(metavar="NAME")),
)  # fmt: skip
JSON = Parameter("json", "as_json", bool, "As one JSON object.", False)


class RowCommand(click.Command):
    """The command of a row. Its options are made when it is run or its own help is asked for: a list of
    commands shows none.
    """

    def __init__(self, row: Command, *, hidden: bool) -> None:
        settings = (
            {"ignore_unknown_options": True, "allow_interspersed_args": False} if row.passes_options else None
        )
        about = inspect.cleandoc(row.help or row.call.__doc__ or "")
        super().__init__(row.name, help=about, context_settings=settings, hidden=hidden)
        self._row = row
        del self.params  # click has set it; the property replaces it

    @cached_property
    def parameters(self) -> list[Parameter]:
        row = self._row
        known = {one.python for one in row.parameters}
        return [
            *row.parameters,
            *(one for one in row.show_parameters if one.python not in known),
            *(OWNED if row.owned else ()),
            *([JSON] if row.data else []),
            *([STORE] if row.opens != "none" else []),
        ]

    @cached_property
    def params(self) -> list[click.Parameter]:  # type: ignore[override]
        return [made for one in self.parameters for made in _click_parameters(one)]

    def invoke(self, ctx: click.Context) -> None:
        _execute(self._row, self.parameters, ctx)


def _click_parameters(one: Parameter) -> Iterator[click.Parameter]:
    flag = one.flag or PLAIN
    if flag.only_with and not os.environ.get(flag.only_with):
        return
    default = one.default if flag.default is REQUIRED else flag.default
    if default is NOT_GIVEN:
        default = None
    kind, many = _type(one, flag), one.type is list
    if isinstance(flag, Positional) or (one.flag is None and one.required):
        yield click.Argument(
            [one.python],
            type=kind,
            nargs=-1 if many else 1,
            required=default is REQUIRED,
            **({} if default is REQUIRED or many else {"default": default}),
            metavar=flag.metavar or None,
            shell_complete=_completion(flag),
        )
        return
    about = flag.help or one.about
    named: dict[str, Any] = {"help": about, "required": default is REQUIRED, "envvar": flag.envvar or None}
    names = flag.names.split() or [f"--{one.name.replace('_', '-')}"]
    for name, value, said in flag.switches:
        yield click.Option([name, one.python], flag_value=value, default=default, help=said)
    if flag.switches:
        return
    if one.type is bool:
        if default is True and not any("/" in name or name.startswith("--no-") for name in names):
            names = [f"{names[0]}/--no-{names[0][2:]}", *names[1:]]
        only_no = names[0].startswith("--no-")
        named |= {"is_flag": True, "default": default, **({"flag_value": False} if only_no else {})}
    else:
        if many and "[repeatable" not in about:
            named["help"] = f"{about} [repeatable]".lstrip()
        shown = default not in (None, "", (), REQUIRED) and "[default" not in about
        named |= {
            "type": kind,
            "multiple": many,
            "metavar": flag.metavar or None,
            **({} if default is REQUIRED else {"default": default}),
            "show_default": shown,
            "shell_complete": _completion(flag),
        }
    yield (SetOption if flag.setting else click.Option)([*names, one.python], **named)


def _type(one: Parameter, flag: Flag) -> click.ParamType[Any]:
    choices = flag.choices or one.choices
    if choices:
        return click.Choice(choices)
    if isinstance(flag.read, str) and flag.read in TYPES:
        return TYPES[flag.read]()
    if one.type in (dict, object) and not callable(flag.read):
        return Json()
    if issubclass(one.type, Path):
        return click.Path(path_type=Path)
    if one.type in (int, float) and not flag.read:
        if one.range is not None and not flag.unbounded:
            least, most = one.range.least, None if one.range.most == float("inf") else one.range.most
            if one.type is int:
                return click.IntRange(int(least), None if most is None else int(most))
            return click.FloatRange(least, most)
        return click.INT if one.type is int else click.FLOAT
    return click.STRING


def _completion(flag: Flag) -> Callable[..., Any] | None:
    if flag.complete is None:
        return None
    names_in = flag.complete

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG001
        from click.shell_completion import CompletionItem

        given = ctx.find_object(CliContext) or CliContext()
        store = ctx.params.get("store") or ctx.find_root().params.get("store")
        found = [name for name in names_in(given.place(store).store) if name.startswith(incomplete)]
        return [*map(CompletionItem, found)] or [CompletionItem(incomplete, type="file")]

    return complete


# ---------------------------------------------------------------- running


def _execute(row: Command, parameters: list[Parameter], context: click.Context) -> None:
    given = dict(context.params)
    as_json = bool(given.get("as_json"))
    arguments: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    try:
        for one in parameters:
            if given.get(one.python) not in (None, ()):
                given[one.python] = _read(one, given[one.python])
        arguments |= _those(row.parameters, given)
        shown |= _those(row.show_parameters, given)
        if "terminal" in inspect.signature(row.call).parameters:
            arguments["terminal"] = terminal
        if row.opens == "none":
            status = _print(row, row.call(**arguments), shown, as_json=as_json)
        elif row.opens == "later":
            later = UnopenedStore(context.obj, given["store"])
            status = _print(row, row.call(later, **arguments), shown, as_json=as_json)
        else:
            whose = {name: given[name] for name in ("owner", "project") if row.owned}
            with opened(context.obj, given["store"], row.opens, **whose) as daypack:
                status = _print(row, row.call(daypack, **arguments), shown, as_json=as_json)
    except BadUsage as error:
        raise click.UsageError(str(error), context) from None
    except DaypackError as error:
        if row.rescue is None:
            raise
        status = _print(row, row.rescue(error, arguments), shown, as_json=as_json)
    context.exit(status)


def _those(parameters: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that were given; a function's own defaults stand for the others."""
    return {one.python: given[one.python] for one in parameters if given.get(one.python) not in (None, ())}


def _read(one: Parameter, value: Any) -> Any:
    read = (one.flag or PLAIN).read
    reader = READERS.get(read) if isinstance(read, str) else read
    if isinstance(value, tuple):
        return [reader(item) if reader and isinstance(item, str) else item for item in value]
    return reader(value) if reader and isinstance(value, str) else value


def _print(row: Command, result: Any, shown: Mapping[str, Any], *, as_json: bool) -> int:
    """Print a result; the exit status."""
    screen = row.show(result, **shown) if row.show else result
    if isinstance(screen, str):
        screen = Screen(screen)
    elif not isinstance(screen, Screen):
        terminal.print_json(row.data(result) if row.data else result)
        return 0
    if as_json and row.data:
        terminal.print_json(row.data(result))
    else:
        for piece in [screen.text] if isinstance(screen.text, str) else screen.text:
            terminal.write(piece)
    for text in (*screen.notes, *(() if as_json else screen.hints)):
        terminal.note(text)
    for text in screen.asides:
        terminal.note(text, always=False)
    return screen.status
