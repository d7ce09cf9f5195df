"""JSON in the arguments of a terminal: the text as it was written, and values that are objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from daypack.errors import BadJson


def reader(what: str, example: str) -> Callable[[str], Any]:
    """Read an argument that is JSON. Raises BadJson, also for null: an option that is not given means that."""

    def read(text: str) -> Any:
        value = _argument(text, what, example)
        if value is None:
            raise BadJson(what, 1, 1, "takes an object, not null; leave it out, or write {}")
        return value

    return read


def read_filter(what: str) -> Callable[[str], Any]:
    """Read a filter. Raises BadJson, and FilterError for other JSON than an object."""

    def read(text: str) -> Any:
        from daypack.doors.documents.filters.language import parse_filter

        condition = _argument(text, what, '{"status": "open"}')
        parse_filter(condition)
        return condition

    return read


def _argument(text: str, what: str, example: str) -> Any:
    from daypack.shapes.strict_json import read_json

    clean = text_of(text, what)
    with typed(example):
        return read_json(clean, what=what)


@contextmanager
def typed(example: str) -> Iterator[None]:
    """Around the reading of JSON from a command line, whose shell may have taken quotes away: its faults name the right ones.
    Raises BadJson.
    """
    try:
        yield
    except BadJson as error:
        problem = f"{error.problem}; write JSON in single quotes, as '{example}'"
        raise BadJson(error.what, error.line, error.column, problem) from None


def text_of(argument: str, what: str) -> str:
    """An argument as text, whatever encoding the terminal has. Raises BadJson for bytes that are not UTF-8: a document or a
    filter with other characters than were written would be another one.
    """
    try:
        return decoded(argument.encode("utf-8", "surrogateescape"), what)
    except UnicodeEncodeError as error:
        raise BadJson(
            what, 1, error.start + 1, "half a surrogate pair, which Windows allows, is not a character"
        ) from None


def decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise BadJson(name, line, column, "the bytes are not UTF-8") from None
