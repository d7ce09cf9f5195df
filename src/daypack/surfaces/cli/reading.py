"""From words of the command line to values: text, dates, budgets, JSON, standard input."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from daypack.errors import BadBudget, FilterError, InputError, QueryTooLong
from daypack.guard.fences import one_line
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES
from daypack.surfaces.cli.terminal import note
from daypack.text.storable import storable
from daypack.verbs.command import BadUsage


def text_argument(text: str) -> str:
    """An argument as text: bytes that are not UTF-8 are replaced, and a note says so."""
    try:
        clean = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # half a surrogate pair, which Windows allows in an argument
        clean = storable(text)
    if clean != text:
        note("an argument held bytes that are not UTF-8; they were replaced")
    return clean


def query_argument(text: str) -> str:
    """A query, or standard input for "-"; refused before a store is opened where it is empty or too long."""
    query = stdin_argument(text)
    if not query.strip():
        raise BadUsage("the question is empty")
    if (length := len(query.encode())) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    return query


def date_argument(text: str, *, end: bool = False) -> float:
    """Unix seconds of a date as people write it: 2026-10-01, yesterday, 3 days ago. With `end`, of the end of that day or other
    stretch. Raises BadDate.
    """
    from daypack.api.query_scope import end_of, moment_of
    from daypack.settings.zone import MachineZone

    return (end_of if end else moment_of)(text_argument(text), datetime.now(MachineZone()))


def filter_argument(text: str) -> dict[str, Any]:
    """A filter of JSON. Raises BadJson, and FilterError for other JSON than an object."""
    from daypack.shapes.strict_json import read_json

    found = read_json(text_argument(text), what="--filter")
    if not isinstance(found, dict):
        raise FilterError("", f'must be an object such as {{"status": "open"}}, not {found!r:.40}')
    return found


_DURATION = r"(\d{1,9})\s*([smhdw])"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def duration_argument(text: str) -> float:
    """Seconds of 45s, 90m, 12h, 30d or 2w. A bare number is refused: 30 may mean days. Raises InputError."""
    match = re.fullmatch(_DURATION, text.strip().lower())
    if match is None:
        if (number := text.strip()).isdecimal() and len(number) < 10:
            choices = ", ".join(f"{number}{unit}" for unit in "smhd")
            raise InputError(f"{number} has no unit; write {choices} or {number}w")
        raise InputError(f"{one_line(text, 40)!r} is not a valid duration; write 45s, 90m, 12h, 30d or 2w")
    return float(int(match[1]) * _SECONDS[match[2]])


def stdin_argument(text: str) -> str:
    """An argument as text, or standard input for "-". Raises NotReadable."""
    if text != "-":
        return text_argument(text)
    from daypack.guard.inputs import read_stream

    return read_stream(sys.stdin.buffer).decode("utf-8", "replace")


def path_argument(text: str) -> str:
    """A path exactly as typed: a file's name may be other than UTF-8. An address of a page stays as it is.
    Raises InputError.
    """
    from daypack.guard.inputs import checked_path

    return text if text.startswith(("https://", "http://")) else checked_path(text)


class Tokens(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    """A budget: a whole number that may be written as 10_000 or 10,000."""

    name = "tokens"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value

        try:
            limit = int(str(value).replace("_", "").replace(",", ""))
        except ValueError:
            raise BadBudget(value, LARGEST_BUDGET) from None
        if not 0 <= limit <= LARGEST_BUDGET:
            raise BadBudget(limit, LARGEST_BUDGET)
        return limit


class Json(click.ParamType):  # type: ignore[type-arg]
    """JSON, or @FILE."""

    name = "json|@file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        from daypack.guard.inputs import read_file
        from daypack.shapes.strict_json import read_json

        what = str(param.opts[0]) if param is not None else "JSON"
        if not value.startswith("@"):
            return read_json(text_argument(value), what=what)
        try:
            return read_json(read_file(value[1:]).decode("utf-8-sig"), what=value[1:])
        except UnicodeDecodeError as error:
            self.fail(f"{value[1:]} is not UTF-8 text: {error}", param, ctx)


class WholeNumber(click.IntRange):
    """A whole number within bounds, called an integer in help and in messages."""

    name = "integer"


class FiniteFloat(click.FloatRange):
    """A number within bounds, if it has any; nan is within none."""

    name = "number"

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a number to count with", param, ctx)
        return found


class FilePath(click.ParamType):  # type: ignore[type-arg]
    """A path of the file system, exactly as typed."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return Path(path_argument(value)) if isinstance(value, str) else value


READERS: dict[str, Callable[[str], Any]] = {
    "": text_argument,
    "date": date_argument,
    "end": partial(date_argument, end=True),
    "duration": duration_argument,
    "filter": filter_argument,
    "path": path_argument,
    "query": query_argument,
    "stdin": stdin_argument,
}
"""Readers by the names that `Flag.read` uses; "tokens" and "json" are the types above."""
TYPES: dict[str, type[click.ParamType[Any]]] = {"tokens": Tokens, "json": Json}
