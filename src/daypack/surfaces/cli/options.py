"""Options and arguments of click, made from the parameters of rows.

An option knows spellings that its help does not show: those of tools that Daypack replaces, and those of an
earlier release, which earn a note.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from daypack.settings.former import todays
from daypack.surfaces.cli.context import CliContext
from daypack.surfaces.cli.reading import TYPES, FilePath, FiniteFloat, Json, WholeNumber
from daypack.text.checks import choice_meant
from daypack.verbs.table import NOT_GIVEN, REQUIRED, UNBOUNDED, Flag, Parameter, Positional

PLAIN = Flag()
WRITTEN = "daypack.written"  # in the `meta` of a context: the options of the command as the user wrote them
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

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The spelling that the user wrote, where help does not show it."""
        written = ctx.meta.get(WRITTEN, ()) if ctx is not None else ()
        hidden = [word for word in written if word in self.spellings]
        return f"'{hidden[0]}'" if hidden else super().get_error_hint(ctx)


class Choice(click.Choice[str]):
    """The values of a parameter, and those of an earlier release that stand for one of them."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.named_choices)
        self._of = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "" and value in self._of.choices:
            return ""
        try:
            return super().convert(todays(self._of.name, value), param, ctx)
        except click.BadParameter as error:
            meant = choice_meant(str(value), [*map(str, self.choices)], self._of.part)
            if not meant:
                raise
            self.fail(f"{error.message.rstrip('.')}{meant}", param, ctx)


class SettingOption(Option):
    """An option whose default a variable or a file can set. Help shows the one that we ship."""

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        context = ctx.find_object(CliContext)
        if not call or context is None or ctx.resilient_parsing:
            return super().get_default(ctx, call)
        return context.configuration[str(self.name)]


def spellings_of(flag: Flag) -> Iterator[Spelling]:
    for written, retired in ((flag.seed, False), (flag.retired, True)):
        for word in written.split():
            option, _, value = word.partition("=")
            yield Spelling(option, value or None, retired)


def retired_spellings(parameters: Sequence[Parameter]) -> dict[str, str]:
    """Options of an earlier release → what people write now."""
    instead: dict[str, str] = {}
    for parameter in parameters:
        flag = parameter.flag or PLAIN
        name = names_of(parameter)[0]
        if flag.instead:
            instead |= dict.fromkeys("/".join(names_of(parameter)).split("/"), flag.instead)
        for spelling in spellings_of(flag):
            if spelling.retired:
                instead[spelling.option] = _said_now(name, spelling.value, is_flag=parameter.type is bool)
    return instead


def _said_now(name: str, value: str | None, *, is_flag: bool) -> str:
    """The words that people write now for a spelling of the option `name` that stands for a value."""
    if value is None or (is_flag and _is_set_by(name, value)):
        return name
    return f"the default, without {name}" if is_flag else f"{name} {value}"


def _about(name: str, value: str, default: Any, *, is_flag: bool) -> str:
    """The help of a spelling that stands for a value of the option `name`."""
    if not is_flag:
        return f"The same as {name} {value}."
    if _is_set_by(name, value):
        return f"The same as {name}."
    return f"The opposite of {name}." if default is None else "The default."


def _is_set_by(name: str, value: str) -> bool:
    """True when the flag `name`, such as --no-open, sets this truth value."""
    return _TRUTH[value] is not name.startswith("--no-")


def names_of(parameter: Parameter) -> list[str]:
    """The names of an option as click takes them: "--limit", "-n", "--open/--no-open"."""
    flag = parameter.flag or PLAIN
    return flag.names.split() or [f"--{parameter.name.replace('_', '-')}"]


def is_argument(parameter: Parameter) -> bool:
    return isinstance(parameter.flag, Positional) or (parameter.flag is None and parameter.required)


def click_parameters(parameter: Parameter) -> Iterator[click.Parameter]:
    """The parameters of click for one of a row: an argument, or an option behind its hidden flags."""
    flag = parameter.flag or PLAIN
    if flag.only_with and not os.environ.get(flag.only_with):
        return
    default = parameter.default if flag.default is REQUIRED else flag.default
    if default is NOT_GIVEN:
        default = None
    parameter = _on_terminal(parameter, flag, default)
    if is_argument(parameter):
        yield _argument(parameter, flag, default)
        return
    spellings = [*spellings_of(flag)]
    # The last of several options of one name decides about the default.
    for spelling in spellings:
        if spelling.value is not None:
            value = _TRUTH[spelling.value] if parameter.type is bool else spelling.value
            about = _about(names_of(parameter)[0], spelling.value, default, is_flag=parameter.type is bool)
            yield click.Option(
                [spelling.option, parameter.python], flag_value=value, is_flag=True, hidden=True, help=about
            )
    option = _option(parameter, flag, default)
    option.spellings = tuple(spelling.option for spelling in spellings if spelling.value is None)
    option.advanced = flag.advanced
    yield option


def _on_terminal(parameter: Parameter, flag: Flag, default: Any) -> Parameter:
    """The parameter with the bounds and choices of a terminal. An empty value is a choice where it is the default: agents
    may write one to leave a parameter out.
    """
    choices = tuple(one for one in flag.choices or parameter.choices if one or default == "")
    return parameter._replace(choices=choices, range=flag.range or parameter.range)


def _argument(parameter: Parameter, flag: Flag, default: Any) -> click.Argument:
    many = parameter.type is list
    return click.Argument(
        [parameter.python],
        type=_type(parameter, flag),
        nargs=-1 if many else 1,
        required=default is REQUIRED,
        **({} if default is REQUIRED or many else {"default": default}),
        metavar=flag.metavar or None,
        shell_complete=_completion(parameter, flag),
    )


def _option(parameter: Parameter, flag: Flag, default: Any) -> Option:
    about, many = flag.help or parameter.about, parameter.type is list
    names = names_of(parameter)
    settings: dict[str, Any] = {
        "help": about,
        "required": default is REQUIRED,
        "envvar": flag.envvar or None,
        "hidden": flag.advanced or bool(flag.instead),
    }
    if parameter.type is bool:
        if default is True and not any("/" in name or name.startswith("--no-") for name in names):
            names = [f"{names[0]}/--no-{names[0][2:]}", *names[1:]]
        only_no = names[0].startswith("--no-")
        settings |= {"is_flag": True, "default": default, **({"flag_value": False} if only_no else {})}
    else:
        if many and "[repeatable" not in about:
            settings["help"] = f"{about} [repeatable]".lstrip()
        shown = default not in (None, "", (), REQUIRED) and "[default" not in about
        settings |= {
            "type": _type(parameter, flag),
            "multiple": many,
            "metavar": flag.metavar or None,
            **({} if default is REQUIRED else {"default": default}),
            "show_default": shown,
            "shell_complete": _completion(parameter, flag),
        }
    return (SettingOption if flag.setting else Option)([*names, parameter.python], **settings)


def shown_in_full(option: click.Option) -> click.Option:
    """The option as `daypack help COMMAND` shows it: a hidden one too, with every spelling."""
    full = copy.copy(option)
    full.hidden = False
    if isinstance(option, Option):
        full.opts = [*option.opts, *option.spellings]
        full.advanced = False  # type: ignore[attr-defined]
    return full


def _type(parameter: Parameter, flag: Flag) -> click.ParamType[Any]:
    if parameter.choices:
        return Choice(parameter)
    if isinstance(flag.read, str) and flag.read in TYPES:
        return TYPES[flag.read]()
    if parameter.type in (dict, object) and not flag.read:
        return Json()
    if issubclass(parameter.type, Path):
        return FilePath()
    if parameter.type in (int, float) and not flag.read:
        least, most = (None if math.isinf(bound) else bound for bound in parameter.range or UNBOUNDED)
        if parameter.type is float:
            return FiniteFloat(least, most)
        if least is most is None:
            return click.INT
        return WholeNumber(None if least is None else int(least), None if most is None else int(most))
    return click.STRING


def _completion(parameter: Parameter, flag: Flag) -> Callable[..., Any] | None:
    """The names that a shell offers for a value; None leaves them to its type. A script of completions that has no names
    must ask for those of files: a shell offers none by itself.
    """
    names_in, offered = flag.complete, _paths_offered(parameter, flag)
    if callable(names_in):

        def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
            from click.shell_completion import CompletionItem

            context = ctx.find_object(CliContext) or CliContext()
            store = ctx.params.get("store") or ctx.find_root().params.get("store")
            with ctx.scope(cleanup=False):
                names = [
                    name for name in names_in(context.place(store).folder) if name.startswith(incomplete)
                ]
            return [*map(CompletionItem, names)] or (offered(ctx, param, incomplete) if offered else [])

        return complete
    return offered


def _paths_offered(parameter: Parameter, flag: Flag) -> Callable[..., Any] | None:
    if flag.metavar == "FOLDER":
        return shell_folders
    is_path = flag.complete == "file" or flag.read == "path" or issubclass(parameter.type, Path)
    return shell_files if is_path or flag.metavar in ("GLOB", "PATH") else None


def shell_files(_: click.Context, __: click.Parameter, incomplete: str) -> list[Any]:
    """Leave a value to the shell, which offers files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def shell_folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[Any]:
    """Leave a value to the shell, which offers folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]
