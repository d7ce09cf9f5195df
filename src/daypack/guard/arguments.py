"""Arguments of public methods, checked by their annotations before the method runs.

@checked
class RecordsDoor:
    def delete(self, ids: Sequence[str], *, scope: str = "") -> int: ...

door.delete("abc")             InputError: ids is a text; put it into a list: ids=['abc']
door.delete(["a"], scope=5)    InputError: scope is a number, 5; give a text
door.delete(["a"], scope=None) the method gets "", its default

Texts, numbers, paths and lists of texts are checked. Annotations of other kinds leave the check to the method, and so does
a moment (`float | str`), whose error names its forms.
"""

from __future__ import annotations

import errno
import inspect
import math
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from daypack.errors import DaypackError, InputError, clipped
from daypack.text.checks import check_seconds, check_text
from daypack.text.storable import is_storable

T = TypeVar("T")
Check = Callable[[str, object], object]
"""(argument, its value) → the value for the method. Raises InputError."""

LARGEST = (1 << 63) - 1  # number of a store; what is beyond is as good as it
LONGEST_QUOTE, SHORTENED = 200, 79  # characters of an argument in a message
_WANTED = {
    "after": "the id of an earlier pack",
    "query": "the question as a text",
    "reference": "a name, path:12-40, a path or a chunk id",
}
_OWN_ERRORS = frozenset({"budget", "budget_tokens", "token_budget"})  # BadBudget
_PARTS = re.compile(r"(?:[^\[\]|]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])+")


def checked(kind: type[T]) -> type[T]:
    """The class itself, once its public methods check their arguments. They raise InputError."""
    for name, member in list(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            setattr(kind, name, type(member)(_checking(member.__func__)))
        elif inspect.isfunction(member):
            setattr(kind, name, _checking(member))
    return kind


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def called(*given: Any, **named: Any) -> Any:
        given, named = _plan(method).settled(given, named)
        try:
            return method(*given, **named)
        except DaypackError as error:
            _shorten(error, [*given, *named.values()])
            raise
        except UnicodeEncodeError:
            if not (name := _plan(method).unstorable(given, named)):
                raise
            raise InputError(
                f"{name} holds half of a character (a lone surrogate); give valid text"
            ) from None
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise InputError(
                f"the path {clipped(str(error.filename))} is longer than a file's name may be; name a shorter one"
            ) from None

    return called


def check_fields(value: object) -> None:
    """Raise InputError for a field of a dataclass that is of another type than its annotation, as for an argument."""
    for one in fields(value):  # type: ignore[arg-type]
        check = None if one.name in _OWN_ERRORS else _check_of(str(one.type), one.default)
        if check is not None:
            check(one.name, getattr(value, one.name))


class _Plan(NamedTuple):
    names: tuple[str, ...]  # of the arguments by position
    rest: str  # the name of *arguments
    checks: Mapping[str, Check]

    def settled(
        self, given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the method takes them. Raises InputError."""
        places = [(name, self.checks.get(name)) for name, _ in self._placed(given)]
        return (
            tuple(
                check(name, value) if check is not None else value
                for (name, check), value in zip(places, given, strict=True)
            ),
            {
                name: check(name, value) if (check := self.checks.get(name)) is not None else value
                for name, value in named.items()
            },
        )

    def unstorable(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """The name of an argument with a text that no store can hold, "" without one."""
        values = [*self._placed(given), *named.items()]
        return next((name for name, value in values if not all(map(is_storable, _texts(value)))), "")

    def _placed(self, given: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
        for number, value in enumerate(given):
            yield (self.names[number] if number < len(self.names) else self.rest), value


@cache
def _plan(method: Callable[..., Any]) -> _Plan:
    names: list[str] = []
    rest, checks = "", dict[str, Check]()
    for one in inspect.signature(method).parameters.values():
        if one.kind is one.VAR_POSITIONAL:
            rest = one.name
        elif one.kind is one.POSITIONAL_OR_KEYWORD:
            names.append(one.name)
        if one.kind is not one.VAR_KEYWORD and isinstance(one.annotation, str):
            check = None if one.name in _OWN_ERRORS else _check_of(one.annotation, one.default)
            if check is not None:
                checks[one.name] = check
    return _Plan(tuple(names), rest, checks)


def _check_of(annotation: str, default: object) -> Check | None:
    """The check of an annotation, None for one of another kind. A None stands for an empty default."""
    parts = {part.strip() for part in _PARTS.findall(annotation)}
    optional = "None" in parts
    parts.discard("None")
    if parts == {"str"}:
        found: Check = _text
    elif parts == {"Path", "str"}:
        found = _path
    elif parts == {"Path"}:
        found = lambda name, value: Path(_path(name, value))  # type: ignore[arg-type]  # noqa: E731
    elif parts == {"int"}:
        found = _whole
    elif parts == {"float"}:
        found = _number
    elif parts == {"bool"}:
        found = _truth
    elif len(parts) == 1 and (part := next(iter(parts))).startswith("Sequence["):
        pairs = part == "Sequence[tuple[str, str]]"
        found = (
            _pairs_listed if pairs else _texts_listed if "str" in part and "tuple" not in part else _listed
        )
    else:
        return None
    if not optional and not (isinstance(default, (str, tuple)) and not default):
        return found
    instead = None if optional else default
    return lambda name, value: instead if value is None else found(name, value)


def _text(name: str, value: object) -> object:
    check_text(f"the {name}" if name in ("query", "reference") else name, value, _WANTED.get(name, "a text"))
    return value


def _path(name: str, value: object) -> object:
    if not isinstance(value, os.PathLike):
        told = "the path" if name in ("path", "paths") else name
        check_text(told, value, "the path of a file or folder")
    if "\0" in str(value):
        raise InputError(f"the path {clipped(str(value))} holds a NUL byte; no file can have this name")
    return value


def _whole(name: str, value: object) -> object:
    number = _index(value)
    if number is None:
        raise InputError(f"{name} is {_shown(value)}; give a whole number")
    if name == "limit" and number < 0:  # no limit, for SQL; from the end, for a list
        raise InputError(f"limit {number} is not a number of results; ask for 0 or more")
    return max(-LARGEST, min(number, LARGEST))


def _number(name: str, value: object) -> object:
    if name == "seconds" and (number := _real(value)) is not None and not 0 < number < math.inf:
        raise InputError(f"seconds is {_shown(value)}; give a number above 0")
    if _index(value) is not None:
        return _whole(name, value)
    number = _real(value)
    if number is None:
        if name.endswith("seconds"):
            check_seconds(name, value)
        raise InputError(f"{name} is {_shown(value)}; give a number")
    return number


def _truth(name: str, value: object) -> object:
    if _is_truth_of_numpy(value):
        return bool(value)
    if not isinstance(value, int):
        raise InputError(f"{name} is {_shown(value)}; give True or False")
    return value


def _index(value: Any) -> int | None:
    """A whole number of any library, None for another value."""
    if isinstance(value, bool) or _is_truth_of_numpy(value):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _real(value: Any) -> float | None:
    """A number of any library, None for another value: `float` reads texts too."""
    if isinstance(value, bool) or _is_truth_of_numpy(value) or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):  # an array, a fraction that no float can hold
        return None


def _is_truth_of_numpy(value: object) -> bool:
    """Most processes never load numpy, so its type is known by name."""
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_")


def _listed(name: str, value: object) -> object:
    """The value, read once where it is a generator."""
    if isinstance(value, str):
        raise InputError(f"{name} is a text; put it into a list: {name}=[{clipped(value)}]")
    if isinstance(value, (bytes, bytearray, Mapping)) or not isinstance(value, Iterable):
        check_text(name, value, "a list of texts")
    return value if isinstance(value, (list, tuple)) else (*value,)  # type: ignore[misc]


def _texts_listed(name: str, value: object) -> object:
    found = _listed(name, value)
    for number, one in enumerate(found):  # type: ignore[arg-type, var-annotated]
        check_text(f"{name}[{number}]", one)
    return found


def _pairs_listed(name: str, value: object) -> object:
    found = _listed(name, value)
    for number, one in enumerate(found):  # type: ignore[arg-type, var-annotated]
        if not isinstance(one, (tuple, list)) or len(one) != 2:
            raise InputError(f"{name}[{number}] is {_shown(one)}; give a pair of texts")
        for place, text in enumerate(one):
            check_text(f"{name}[{number}][{place}]", text)
    return found


def _shorten(error: DaypackError, values: Iterable[object]) -> None:
    """Shorten the texts of a call that the message of an error quotes."""
    if not error.args or not isinstance(message := error.args[0], str) or len(message) <= LONGEST_QUOTE:
        return
    for text in _texts([*values]):
        if len(text) > LONGEST_QUOTE:
            for quoted in (text, repr(text)[1:-1]):
                message = message.replace(quoted, f"{quoted[:SHORTENED]}…")
    error.args = (message, *error.args[1:])


def _shown(value: object) -> str:
    return "None" if value is None else clipped(repr(value))[1:-1]


def _texts(value: object) -> Iterator[str]:
    """The texts in an argument, in lists and mappings of any depth. Each is looked through once: one may hold itself."""
    waiting, seen = [value], dict[int, object]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, os.PathLike):
            yield str(one)
        elif isinstance(one, (list, tuple, Mapping)) and id(one) not in seen:
            seen[id(one)] = one
            waiting += [*one, *one.values()] if isinstance(one, Mapping) else one
