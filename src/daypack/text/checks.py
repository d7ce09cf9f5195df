"""Checks of the values of a call, with messages that name the likely meaning."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from enum import Enum
from typing import Any, TypeGuard, TypeVar

from daypack.errors import InputError, clipped

Choice = TypeVar("Choice", bound=Enum)


def nearest(word: str, among: Iterable[str]) -> str:
    """The likely one of `among` for a misspelt word, "" for none."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, [*among], n=1)), "")


def did_you_mean(word: str, among: Iterable[str], otherwise: str) -> str:
    """The end of a message about an unknown word: the likely one of `among`, else `otherwise`."""
    near = nearest(word, among)
    return f"did you mean {near}?" if near else otherwise


def likely_or_all(word: str, among: Collection[str], before: str = "choose from") -> str:
    """The same, else all of `among` behind the words `before`."""
    return did_you_mean(word, among, f"{before} {', '.join(among)}")


_MEANT = {
    "label": "knowledge",
    "labels": "knowledge",
    "document": "docs",
    "documents": "docs",
    "json": "docs",
}
"""Words for a door that pages use → its name."""


def choice_meant(value: str, choices: Iterable[str], part: str) -> str:
    """The end of a message about a value that is not among the choices: the one that is probably meant. The parameter `part`, if
    any, takes a part of a choice, as `docs:events` where `docs` is one.
    """
    known = [*choices]
    if part and ":" in value and value.partition(":")[0] in known:
        return f"; did you mean {part} {value}?"
    near = _MEANT[value] if _MEANT.get(value) in known else nearest(value, known)
    return f"; did you mean {near}?" if near else ""


def member(kind: type[Choice], value: Any) -> Choice:
    """A member of an enum from its value. Raises InputError with the choices."""
    try:
        return kind(value)
    except ValueError:
        noun = re.sub("(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
        article = "an" if noun[0] in "aeiou" else "a"
        choices = [item.value for item in kind]
        meant = likely_or_all(str(value), choices)
        raise InputError(f"{value!r:.60} is not {article} {noun}; {meant}") from None


def check_text(what: str, value: object, wanted: str = "a text") -> None:
    """Raise InputError for a value that is not text, with the step that makes it one."""
    match value:
        case str():
            return
        case bytes() | bytearray():
            raise InputError(f"{what} is bytes; decode it first, as in value.decode()")
        case None:
            raise InputError(f"{what} is None; give {wanted}")
    kind = "a number" if isinstance(value, (int, float)) else f"a {type(value).__name__}"
    raise InputError(f"{what} is {kind}, {clipped(repr(value))[1:-1]}; give {wanted}")


def check_seconds(what: str, value: object) -> None:
    """Raise InputError for a value that is not a number of seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        given = "None" if value is None else clipped(repr(value))[1:-1]
        raise InputError(f"{what} is {given}; give a number of seconds, as 86400 for a day")


def is_moment(value: object) -> TypeGuard[float]:
    """True for a number of seconds that has a date."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        datetime.fromtimestamp(value, UTC)
    except (OverflowError, ValueError, OSError):
        return False
    return True


def in_utc(moment: datetime) -> datetime:
    """A moment with a zone, which is UTC for one that names none."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def check_names(call: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise InputError for a name that a call does not know, with the likely one."""
    for name in given:
        if name not in known:
            meant = likely_or_all(name, known, "it takes")
            raise InputError(f"{call} has no argument {clipped(repr(name))[1:-1]}; {meant}")


def check_kind(what: str, value: object, kind: type, wanted: str) -> None:
    """Raise InputError for a value that is not of a kind, with an example of one."""
    if not isinstance(value, kind):
        given = "None" if value is None else f"a {type(value).__name__}, {clipped(repr(value))[1:-1]}"
        raise InputError(f"{what} is {given}; give {wanted}")


def check_texts(what: str, value: object) -> None:
    """Raise InputError for a value that is not a list of texts."""
    if not isinstance(value, (list, tuple, set, frozenset)) or not all(isinstance(one, str) for one in value):
        raise InputError(f'{what} must be a list of strings, as ["lease"]')


def check_count(name: str, value: object) -> None:
    """Raise InputError for a number of things that is neither None nor a whole number from 0 on."""
    if value is not None and (type(value) is not int or value < 0):
        raise InputError(f"{name} is a whole number from 0 on, not {value!r:.40}")
