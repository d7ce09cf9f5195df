"""One row a verb: the operations of the engine and the doors, for callers by name with plain data.

A verb is a plain function `(daypack, **arguments) -> answer`. Its signature is its row: annotations give
types, ranges, choices and one line of help, defaults are defaults. MCP tools, HTTP routes and commands
(command.py) are made from it. `Flag` and `Positional` say how a terminal writes a parameter, `TERMINAL` and
`AGENTS` mark a parameter that only one side offers.

    def recall(daypack: Daypack, key: Annotated[str, "The key.", Positional()]) -> Memory: ...

Names, descriptions and schemas are written here and never depend on the stored texts.
"""

from __future__ import annotations

import contextlib
import enum
import inspect
import json
import math
import re
import sys
import tomllib
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from daypack.errors import InputError, TooManyItems, did_you_mean
from daypack.guard.fences import one_line
from daypack.settings.former import todays
from daypack.types.servers import StoreConflict
from daypack.verbs.notes import (
    AGENTS,
    REQUIRED,
    TEAM,
    TERMINAL,
    AtMost,
    Check,
    Choices,
    Flag,
    Named,
    Only,
    Positional,
    Range,
    Reach,
)

__all__ = [
    "AGENTS", "LONGEST_TEXT", "MOST_QUESTIONS", "NOT_GIVEN", "REQUIRED", "TEAM", "TERMINAL", "VECTORS", "Access", "Answer", "AtMost",
    "Check", "Choices", "Flag", "Named", "Only", "Parameter", "Positional", "Range", "Reach", "Verb", "access_of", "parameters_of",
]  # fmt: skip
NOT_GIVEN = object()  # the default of an option that is left out when it is not given
MOST_QUESTIONS = 20  # of one call
LONGEST_TEXT = 2_000_000  # characters of one argument
TRIES = 3  # of a read


class Access(enum.StrEnum):
    """Rights of a verb, and the ceiling of a server. Refreshing the index counts as reading."""

    READ = "read"
    WRITE = "write"
    DANGEROUS = "dangerous"

    def allows(self, other: Access) -> bool:
        return _ORDER.index(other) <= _ORDER.index(self)


_ORDER = (Access.READ, Access.WRITE, Access.DANGEROUS)
_ALIASES = {"ro": Access.READ, "rw": Access.WRITE, "read-write": Access.WRITE, "all": Access.DANGEROUS}


def access_of(name: str) -> Access:
    """A ceiling from its name, or that of a seed (ro, rw, read-write, all). Raises InputError with the list."""
    try:
        return _ALIASES.get(name) or Access(name)
    except ValueError:
        raise InputError(
            f"unknown access {one_line(repr(name), 60)}; choose from {', '.join(Access)}"
        ) from None


class Parameter(NamedTuple):
    """`python` is the name in the function, `name` that of callers. `optional`: None is a value."""

    name: str
    python: str
    type: type
    about: str = ""
    default: Any = REQUIRED
    range: Range | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False
    flag: Flag | None = None
    only: Only | None = None
    check: Callable[[Any], object] | None = None
    most_items: int = 0  # of a list; 0 for any number
    reach: Reach | None = None

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    def schema(self) -> dict[str, Any]:
        """JSON Schema, as short as possible: it is in the context of every agent."""
        found: dict[str, Any] = dict(_SCHEMAS[self.type])
        if self.choices:
            choice = {"type": "string", "enum": [*self.choices]}
            found = {"type": "array", "items": choice} if self.type is list else choice
        if self.range is not None:
            found |= {"minimum": self.range.least, "maximum": self.range.most}
        if self.most_items:
            found["maxItems"] = self.most_items
        if self.about:
            found["description"] = self.about
        if not self.required and self.default not in (None, "", (), [], {}):
            found["default"] = self.default
        return found

    def checked(self, value: Any) -> Any:
        """The value as the function takes it, without lone surrogates, which JSON can say and no store can
        hold. Raises InputError.

        Agents write lists, objects and numbers in a string, or a single item instead of a list; all are
        accepted.
        """
        if value is None and (self.optional or not self.required):
            return self.default if not self.required else None
        if self.type in (int, float) and isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            value = float(value) if "." in value else int(value)
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value) if abs(value) < 1e300 else math.inf
        if self.type is int and isinstance(value, float) and value.is_integer():
            value = int(value)
        if self.type in (list, dict) and isinstance(value, str):
            value = _unwrapped(value, self.type)
        if self.check is not None:
            self.check(value)
            return value
        if not isinstance(value, self.type) or (isinstance(value, bool) and self.type is not bool):
            raise InputError(f"{self.name} must be {_WORDS[self.type]}, not {_shown(value)}")
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise InputError(
                f"{self.name} has {len(value):,} characters; at most {LONGEST_TEXT:,} are allowed"
            )
        if self.type is list and isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise InputError(f"{self.name} must be a list of strings; one of its items is not")
        if self.most_items and isinstance(value, list) and len(value) > self.most_items:
            raise TooManyItems(self.name, len(value), self.most_items)
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"{self.name} must be a finite number")
        if (
            self.range is not None
            and isinstance(value, (int, float))
            and not self.range.least <= value <= self.range.most
        ):
            raise InputError(
                f"{self.name} must be from {self.range.least:,} to {self.range.most:,}, not {_shown(value)}"
            )
        if isinstance(value, str):
            value = todays(self.name, value)
        if self.choices and (
            wrong := [
                item for item in (value if isinstance(value, list) else [value]) if item not in self.choices
            ]
        ):
            raise InputError(f"{self.name}: {_shown(wrong[0])} is not one of {', '.join(self.choices)}")
        try:
            return _without_surrogates(value)
        except RecursionError:
            raise InputError(f"{self.name} is nested too deeply") from None


_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?")


def _without_surrogates(value: Any) -> Any:
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode()
        case list():
            return [_without_surrogates(item) for item in value]
        case dict():
            return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


_SCHEMAS: dict[type, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, float: {"type": "number"}, bool: {"type": "boolean"},
    list: {"type": "array", "items": {"type": "string"}}, dict: {"type": "object"}, object: {},
}  # fmt: skip
_WORDS = {
    str: "a string", int: "a whole number", float: "a number", bool: "true or false", list: "a list of strings", dict: "an object",
    object: "JSON",
}  # fmt: skip


def _shown(value: Any) -> str:
    return one_line(repr(value) if not isinstance(value, str) else repr(value[:80]), 60)


def _unwrapped(text: str, wanted: type) -> Any:
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = text
        if isinstance(found, wanted):
            return found
    return [text] if wanted is list else text


VECTORS = "auto: rank by words and meaning at once; all: make every missing vector first; none: words alone."

PATH = Parameter("path", "path", str, "Another store, below the server's roots.", default=None, optional=True)


class Answer(NamedTuple):
    """The answer of a verb that gives text: the text, and facts about the text for programs."""

    text: str
    details: Mapping[str, Any] = types.MappingProxyType({})


@dataclass(frozen=True)
class Verb:
    """A function in the table.

    `cli` is its command; where it has none, `cli` is "-" followed by the reason. `result` is the JSON Schema
    of what it returns, or None when it returns text (a `str` or an `Answer`).
    """

    name: str
    toolset: str
    access: Access
    call: Callable[..., Any]
    cli: str
    result: Mapping[str, Any] | None = None
    details: Mapping[str, Any] | None = None  # JSON Schema of the facts beside its text, for programs
    idempotent: bool = True
    destructive: bool = False
    looks: bool = False  # answers from the index, so that a project is indexed first
    fetches: bool = False  # reaches beyond this machine, or runs a given command
    elsewhere: bool = False  # a caller of a server may name another store as `path`; the host takes it out
    shared_only: tuple[str, ...] = ()  # parameters that exist only where several projects share a store
    in_team: bool = False  # as a team server offers it
    plain: Callable[[Any], Any] | None = None  # turns an answer into data; None: it is data
    help: str = ""  # instead of the function's docstring, where several verbs call one function

    def in_shared_store(self) -> Verb:
        return replace(self, shared_only=()) if self.shared_only else self

    def for_team(self) -> Verb | None:
        """The verb as a server offers it to the people of a team: without parameters that name a user or a place on the
        server's disk; None for one that reaches beyond the store.
        """
        return None if self.fetches else replace(self, in_team=True, elsewhere=False)

    def asked_by(self, person: str) -> dict[str, str]:
        """The arguments by which a team server names the caller to the verb; the caller cannot give them."""
        return {one.python: person for one in parameters_of(self.call) if one.reach is Reach.USER}

    @cached_property
    def about(self) -> str:
        """The description of the verb, for an agent."""
        return " ".join((self.help or self.call.__doc__ or "").split())

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Tasks in users' words that this verb answers: those in the `tasks.toml` beside its function, or none.

        No agent is sent them with a list of tools: a chooser (choosing.py) and the reference read them.
        """
        beside = Path(inspect.getfile(self.call)).with_name("tasks.toml")
        return tuple(_tasks_in(beside).get(self.name, ())) if beside.is_file() else ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        own = tuple(
            one
            for one in parameters_of(self.call)
            if one.python not in self.shared_only
            and one.only is not TERMINAL
            and (one.only is not TEAM or self.in_team)
            and (one.reach is None or not self.in_team)
        )
        return (*own, PATH) if self.elsewhere else own

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        required = [one.name for one in self.parameters if one.required]
        found: dict[str, Any] = {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
        }
        if required:
            found["required"] = required
        return found | {"additionalProperties": False}

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Checked arguments by their Python names. Raises InputError for missing, unknown or wrong ones."""
        known = {one.name: one for one in self.parameters}
        given = {_own_name(name, known, given): value for name, value in given.items()}
        for name in given:
            if name not in known:
                raise InputError(
                    f"{self.name} has no argument {one_line(repr(name), 60)}; {_meant(name, known)}"
                )
        missing = [one.name for one in self.parameters if one.required and one.name not in given]
        if missing:
            raise InputError(f"{self.name} needs {' and '.join(missing)}")
        return {known[name].python: known[name].checked(value) for name, value in given.items()}

    def __call__(self, daypack: Any, given: Mapping[str, Any]) -> Any:
        return self.answer(daypack, self.arguments(given))

    def answer(self, daypack: Any, arguments: Mapping[str, Any]) -> Any:
        """The answer to checked arguments, as data or an `Answer`. A read that the store's server ended in favour of another
        transaction is made again.
        """
        found = self._called(daypack, arguments)
        return found if self.plain is None else self.plain(found)

    def _called(self, daypack: Any, arguments: Mapping[str, Any]) -> Any:
        for _ in range(TRIES - 1 if self.access is Access.READ else 0):
            with contextlib.suppress(StoreConflict):
                return self.call(daypack, **arguments)
        return self.call(daypack, **arguments)


@cache
def _tasks_in(path: Path) -> Mapping[str, list[str]]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _own_name(name: str, known: Mapping[str, Parameter], given: Mapping[str, Any]) -> str:
    """The parameter's name: `query` is `queries` of one, where a verb takes several."""
    return (
        "queries"
        if name == "query" and name not in known and "queries" in known and "queries" not in given
        else name
    )


def _meant(name: str, known: Mapping[str, Parameter]) -> str:
    return did_you_mean(name, known, f"it takes {', '.join(known) or 'none'}")


def parameters_of(function: Callable[..., Any], *, after: int = 1) -> tuple[Parameter, ...]:
    """The parameters of a function without the first ones, which are not data: the store, or a result.

    `**options: Unpack[Options]` stands for the keys of the TypedDict, none of which is required.
    """
    parameters = [*inspect.signature(function).parameters.values()][after:]
    # Only these are evaluated: type checkers alone import the classes of the first ones.
    written = function.__annotations__
    behind = types.SimpleNamespace(__annotations__={one.name: written[one.name] for one in parameters})
    annotations = typing.get_type_hints(behind, vars(sys.modules[function.__module__]), include_extras=True)
    found = []
    for one in parameters:
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            (options,) = typing.get_args(annotations[one.name])
            found += [
                _parameter(name, NOT_GIVEN, annotation)
                for name, annotation in typing.get_type_hints(options, include_extras=True).items()
            ]
        elif one.name != "terminal":
            found.append(_parameter(one.name, one.default, annotations[one.name]))
    return tuple(found)


def _parameter(name: str, default: Any, annotation: Any) -> Parameter:
    python, about, limits = name, "", None
    choices: tuple[str, ...] = ()
    flag, only, check, most_items, reach = None, None, None, 0, None
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *notes = typing.get_args(annotation)
        for note in notes:
            match note:
                case str():
                    about = note
                case Range():
                    limits = note
                case Named():
                    name = note.name
                case Choices():
                    choices = note.values() if callable(note.values) else note.values
                case Flag():
                    flag = note
                case Only():
                    only = note
                case Check():
                    check = note.of
                case AtMost():
                    most_items = note.items
                case Reach():
                    reach = note
    arms = [arm for arm in _arms(annotation) if arm is not type(None)]
    optional = len(arms) < len(_arms(annotation))
    (kind,) = arms
    origin = typing.get_origin(kind)
    if origin is Literal:
        choices, kind = typing.get_args(kind), str
    elif origin is list and typing.get_origin(typing.get_args(kind)[0]) is Literal:
        choices, kind = typing.get_args(typing.get_args(kind)[0]), list
    elif origin is not None:
        kind = origin
    elif kind is Any:
        kind = object
    return Parameter(
        name, python, kind, about, default, limits, choices, optional, flag, only, check, most_items, reach
    )


def _arms(annotation: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if is_union else (annotation,)
