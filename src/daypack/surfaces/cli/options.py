"""Options and arguments of click, made from the parameters of rows.

An option knows spellings that its help does not show: those of tools that Daypack replaces, and those of an
earlier release, which earn a note.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from daypack.settings.former import todays
from daypack.surfaces.cli.context import CliContext
from daypack.surfaces.cli.reading import TYPES, FilePath, FiniteFloat, Json, WholeNumber
from daypack.text.checks import part_meant
from daypack.verbs.table import NOT_GIVEN, REQUIRED, Flag, Parameter, Positional

PLAIN = Flag()
_TRUTH = {"true": True, "false": False}


class Spelling(NamedTuple):
    """A spelling that help does not show: of `option`, or of the flag that sets `value`."""

    option: str
    value: str | None
    retired: bool


class Option(click.Option):
    """An option whose parser knows `spellings` beside those that help shows."""

    spellings: tuple[str, ...] = ()
    advanced = False

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        shown = self.opts
        self.opts = [*shown, *self.spellings]
        super().add_to_parser(parser, ctx)
        self.opts = shown


class Choice(click.Choice[str]):
    """The values of the option `name`, and those of an earlier release that stand for one of them. `part` is the option for
    a part of a value.
    """

    def __init__(self, name: str, choices: Sequence[str], part: str) -> None:
        super().__init__(choices)
        self._of, self._part = name, part

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(todays(self._of, value), param, ctx)
        except click.BadParameter as error:
            meant = part_meant(str(value), [*map(str, self.choices)], self._part)
            if not meant:
                raise
            self.fail(f"{error.message.rstrip('.')}{meant}", param, ctx)


class SettingOption(Option):
    """An option whose default a variable or a file can set. Help shows the one that we ship."""

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        given = ctx.find_object(CliContext)
        if not call or given is None or ctx.resilient_parsing:
            return super().get_default(ctx, call)
        return given.configuration[str(self.name)]


def spellings_of(flag: Flag) -> Iterator[Spelling]:
    for written, retired in ((flag.seed, False), (flag.retired, True)):
        for word in written.split():
            option, _, value = word.partition("=")
            yield Spelling(option, value or None, retired)


def retired_spellings(parameters: Sequence[Parameter]) -> dict[str, str]:
    """Options of an earlier release → what people write now."""
    found: dict[str, str] = {}
    for one in parameters:
        flag = one.flag or PLAIN
        name = names_of(one)[0]
        if flag.instead:
            found |= dict.fromkeys(_each_name(names_of(one)), flag.instead)
        for spelling in spellings_of(flag):
            if spelling.retired:
                takes_value = one.type is not bool and spelling.value is not None
                found[spelling.option] = f"{name} {spelling.value}" if takes_value else name
    return found


def _each_name(names: Sequence[str]) -> list[str]:
    return [part for name in names for part in name.split("/")]


def names_of(one: Parameter) -> list[str]:
    """The names of an option as click takes them: "--limit", "-n", "--open/--no-open"."""
    flag = one.flag or PLAIN
    return flag.names.split() or [f"--{one.name.replace('_', '-')}"]


def is_argument(one: Parameter) -> bool:
    return isinstance(one.flag, Positional) or (one.flag is None and one.required)


def click_parameters(one: Parameter) -> Iterator[click.Parameter]:
    """The parameters of click for one of a row: an argument, or an option behind its hidden flags."""
    flag = one.flag or PLAIN
    if flag.only_with and not os.environ.get(flag.only_with):
        return
    default = one.default if flag.default is REQUIRED else flag.default
    if default is NOT_GIVEN:
        default = None
    if is_argument(one):
        yield _argument(one, flag, default)
        return
    spellings = [*spellings_of(flag)]
    # The last of several options of one name decides about the default.
    for spelling in spellings:
        if spelling.value is not None:
            value = _TRUTH[spelling.value] if one.type is bool else spelling.value
            about = f"The same as {names_of(one)[0]}{'' if one.type is bool else f' {value}'}."
            yield click.Option(
                [spelling.option, one.python], flag_value=value, is_flag=True, hidden=True, help=about
            )
    made = _option(one, flag, default)
    made.spellings = tuple(one.option for one in spellings if one.value is None)
    made.advanced = flag.advanced
    yield made


def _argument(one: Parameter, flag: Flag, default: Any) -> click.Argument:
    many = one.type is list
    return click.Argument(
        [one.python],
        type=_type(one, flag),
        nargs=-1 if many else 1,
        required=default is REQUIRED,
        **({} if default is REQUIRED or many else {"default": default}),
        metavar=flag.metavar or None,
        shell_complete=_completion(flag),
    )


def _option(one: Parameter, flag: Flag, default: Any) -> Option:
    about, many = flag.help or one.about, one.type is list
    names = names_of(one)
    named: dict[str, Any] = {
        "help": about,
        "required": default is REQUIRED,
        "envvar": flag.envvar or None,
        "hidden": flag.advanced or bool(flag.instead),
    }
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
            "type": _type(one, flag),
            "multiple": many,
            "metavar": flag.metavar or None,
            **({} if default is REQUIRED else {"default": default}),
            "show_default": shown,
            "shell_complete": _completion(flag),
        }
    return (SettingOption if flag.setting else Option)([*names, one.python], **named)


def shown_in_full(option: click.Option) -> click.Option:
    """The option as `daypack help COMMAND` shows it: a hidden one too, with every spelling."""
    full = copy.copy(option)
    full.hidden = False
    if isinstance(option, Option):
        full.opts = [*option.opts, *option.spellings]
        full.advanced = False  # type: ignore[attr-defined]
    return full


def _type(one: Parameter, flag: Flag) -> click.ParamType[Any]:
    if one.choices:
        return Choice(one.name, one.choices, one.part)
    if isinstance(flag.read, str) and flag.read in TYPES:
        return TYPES[flag.read]()
    if one.type in (dict, object) and not flag.read:
        return Json()
    if issubclass(one.type, Path):
        return FilePath()
    if one.type in (int, float) and not flag.read:
        if one.range is not None and not flag.unbounded:
            least, most = one.range.least, None if one.range.most == float("inf") else one.range.most
            if one.type is int:
                return WholeNumber(int(least), None if most is None else int(most))
            return FiniteFloat(least, most)
        return click.INT if one.type is int else FiniteFloat()
    return click.STRING


def _completion(flag: Flag) -> Callable[..., Any] | None:
    if flag.complete is None:
        return None
    names_in = flag.complete

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG001
        from click.shell_completion import CompletionItem

        given = ctx.find_object(CliContext) or CliContext()
        store = ctx.params.get("store") or ctx.find_root().params.get("store")
        found = [name for name in names_in(given.place(store).folder) if name.startswith(incomplete)]
        return [*map(CompletionItem, found)] or [CompletionItem(incomplete, type="file")]

    return complete
