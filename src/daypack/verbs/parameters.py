"""Parameters of verbs and commands: read from the annotations of a function, described as JSON Schema, and checked.

key: Annotated[str, "The key.", Positional()]      a required string, with its help and its place on a terminal
limit: Annotated[int, Range(1, 100)] = 10          a number within bounds, with a default
"""

from __future__ import annotations

import inspect
import json
import math
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from daypack.errors import InputError, TooManyItems
from daypack.guard.fences import one_line
from daypack.settings.former import todays
from daypack.text.checks import choice_meant
from daypack.verbs.notes import REQUIRED, AtMost, Check, Choices, Flag, Named, Only, Range, Reach, Shaped

NOT_GIVEN = object()  # the default of an option that is left out when it is not given
LONGEST_TEXT = 2_000_000  # characters of one argument


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
    part: str = ""  # the parameter that takes a part of a choice, written CHOICE:PART
    shape: Mapping[str, Any] | None = None  # instead of the schema of its type

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def named_choices(self) -> list[str]:
        """The choices without "", which stands for no choice and is understood all the same."""
        return [one for one in self.choices if one]

    def schema(self) -> dict[str, Any]:
        """JSON Schema, as short as possible: it is in the context of every agent.

        Some programs refuse all tools of a server for one schema without a type, or with an empty choice.
        """
        found: dict[str, Any] = dict(_SCHEMAS[self.type] if self.shape is None else self.shape)
        if self.choices:
            choice = {"type": "string", "enum": self.named_choices}
            found = {"type": "array", "items": choice} if self.type is list else choice
        if self.range is not None:
            whole = int if self.type is int else (lambda bound: bound)
            found |= {"minimum": whole(self.range.least), "maximum": whole(self.range.most)}
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
        value = self._converted(value)
        if self.check is not None:
            self.check(value)
            return value
        self._check_form(value)
        if isinstance(value, str):
            value = todays(self.name, value)
        for item in value if isinstance(value, list) else [value]:
            if self.choices and item not in self.choices:
                meant = choice_meant(str(item), self.named_choices, self.part)
                raise InputError(
                    f"{self.name}: {_shown(item)} is not one of {', '.join(self.named_choices)}{meant}"
                )
        try:
            return _without_surrogates(value)
        except RecursionError:
            raise InputError(f"{self.name} is nested too deeply") from None

    def _converted(self, value: Any) -> Any:
        """A number, list or object that came as a string, or as a number of another kind."""
        if self.type in (int, float) and isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            value = float(value) if "." in value else int(value)
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value) if abs(value) < 1e300 else math.inf
        if self.type is int and isinstance(value, float) and value.is_integer():
            value = int(value)
        if self.type in (list, dict) and isinstance(value, str):
            value = _unwrapped(value, self.type, names=self.python not in _SENTENCES)
        if self.type is list and isinstance(value, list):
            value = [*map(_words_of, value)]
        return value

    def _check_form(self, value: Any) -> None:
        """Raise InputError for a value of another type, or beyond the bounds."""
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


_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?")
_SEVERAL = re.compile(r"[\w./*-]+(?:, ?[\w./*-]+)+")  # tags, globs or names in one text
_SENTENCES = ("queries", "history")  # lists of texts that may hold commas themselves


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
    """A value as JSON writes it, whichever surface it came from; a string in single quotes."""
    if isinstance(value, str):
        return one_line(repr(value[:80]), 60)
    written = json.dumps(value, default=repr, skipkeys=True, ensure_ascii=False)
    return one_line(_without_surrogates(written), 60)


def _words_of(item: Any) -> Any:
    """An item of a list; of a message with its role, as the API of a model writes it, the text."""
    content = item.get("content") if isinstance(item, dict) and "role" in item else None
    return content if isinstance(content, str) else item


def _unwrapped(text: str, wanted: type, *, names: bool) -> Any:
    """The list or object in a text; of another text the `names` between commas, or the text as the one item."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = text
        if isinstance(found, wanted):
            return found
    if wanted is not list:
        return text
    return re.split(", ?", text) if names and _SEVERAL.fullmatch(text) else [text]


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
    notes: list[Any] = []
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *notes = typing.get_args(annotation)
    arms = _arms(annotation)
    (written,) = (arm for arm in arms if arm is not type(None))
    kind, choices = _kind_and_choices(written)
    parameter = Parameter(name, name, kind, default=default, choices=choices, optional=type(None) in arms)
    for note in notes:
        parameter = parameter._replace(**_fields(note))
    return parameter


def _fields(note: object) -> dict[str, Any]:
    """The fields of a parameter that a note of its annotation sets."""
    match note:
        case str():
            return {"about": note}
        case Range():
            return {"range": note}
        case Named():
            return {"name": note.name}
        case Choices():
            return {"choices": note.values() if callable(note.values) else note.values, "part": note.part}
        case Flag():
            return {"flag": note}
        case Only():
            return {"only": note}
        case Check():
            return {"check": note.of}
        case AtMost():
            return {"most_items": note.items}
        case Reach():
            return {"reach": note}
        case Shaped():
            return {"shape": note.schema}
    return {}  # a note for others, as Positional


def _kind_and_choices(written: Any) -> tuple[type, tuple[str, ...]]:
    """The type of a parameter's value, and the texts that a Literal allows."""
    origin = typing.get_origin(written)
    if origin is Literal:
        return str, typing.get_args(written)
    if origin is list and typing.get_origin(item := typing.get_args(written)[0]) is Literal:
        return list, typing.get_args(item)
    return (object if written is Any else origin or written), ()


def _arms(annotation: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if is_union else (annotation,)
