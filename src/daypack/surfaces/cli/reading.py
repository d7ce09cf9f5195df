"""From words of the command line to values: text, dates, budgets, JSON, standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import click

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.surfaces.cli.terminal import note
from daypack.verbs.command import BadUsage


def text_argument(text: str) -> str:
    """An argument as text: bytes that are not UTF-8 are replaced, and a note says so."""
    clean = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if clean != text:
        note("an argument held bytes that are not UTF-8; they were replaced")
    return clean


def query_argument(text: str) -> str:
    """A query. One that is empty or too long is refused before anything is opened, made or indexed for it."""
    from daypack.errors import QueryTooLong
    from daypack.settings import LONGEST_QUERY_BYTES

    query = text_argument(text)
    if not query.strip():
        raise BadUsage("the question is empty")
    if (length := len(query.encode())) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    return query


def date_argument(text: str) -> float:
    """Unix seconds of a date as people write it: 2026-10-01, yesterday, 3 days ago. Raises BadDate."""
    import time

    from daypack.api.query_scope import moment

    return moment(text_argument(text), time.time())


_DURATION = r"(\d{1,9})\s*([smhdw]?)"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "": 1}


def duration_argument(text: str) -> float:
    """Seconds of 45s, 90m, 12h, 30d, 2w, or of a number of seconds. Raises InputError."""
    match = re.fullmatch(_DURATION, text.strip().lower())
    if match is None:
        raise InputError(f"{one_line(text, 40)!r} is not a valid duration; write 45s, 90m, 12h, 30d or 2w")
    return float(int(match[1]) * _SECONDS[match[2]])


def stdin_argument(text: str) -> str:
    """An argument as text, or standard input for "-"."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text_argument(text)


def path_argument(text: str) -> str:
    """A path exactly as typed: a file's name may be other than UTF-8."""
    return text


class Tokens(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    """A budget: a whole number that may be written as 10_000 or 10,000."""

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


class Json(click.ParamType):  # type: ignore[type-arg]
    """JSON, or @FILE."""

    name = "json|@file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        import json
        from pathlib import Path

        text = value
        if value.startswith("@"):
            try:
                text = Path(value[1:]).expanduser().read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                self.fail(f"{value[1:]} cannot be read: {error}", param, ctx)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"this is not JSON: {error}", param, ctx)


READERS: dict[str, Callable[[str], Any]] = {
    "": text_argument,
    "date": date_argument,
    "duration": duration_argument,
    "path": path_argument,
    "query": query_argument,
    "stdin": stdin_argument,
}
"""Readers by the names that `Flag.read` uses; "tokens" and "json" are the types above."""
TYPES: dict[str, type[click.ParamType[Any]]] = {"tokens": Tokens, "json": Json}
