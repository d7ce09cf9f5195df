"""JSON in the form that stores and people exchange: one value, read strictly, and its one written form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from daypack.errors import BadJson

DEEPEST = 100  # levels of objects and arrays, as MongoDB takes them


def read_json(text: str, *, what: str = "JSON") -> Any:
    """The one JSON value of a text. Raises BadJson with the place, also for repeated keys and NaN."""
    with _placed(text, what):
        return _DECODER.decode(text)


def read_values(text: str, *, what: str = "JSON") -> Iterator[tuple[Any, int]]:
    """(value, its first line) of JSON values one after another. Raises BadJson as `read_json`."""
    at, line = 0, 1
    while begin := _VALUE.search(text, at):
        line += text.count("\n", at, begin.start())
        with _placed(text, what):
            value, end = _DECODER.raw_decode(text, begin.start())
        yield value, line
        line += text.count("\n", begin.start(), end)
        at = end


@contextmanager
def _placed(text: str, what: str) -> Iterator[None]:
    """Turn what the decoder raises into BadJson with the place in a text."""
    try:
        yield
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:]
        raise BadJson(what, error.lineno, error.colno, problem) from None
    except _Twice as error:
        raise BadJson(what, *_where_twice(text), f"the key {error.key!r} is repeated in one object") from None
    except _NoNumber as error:
        at = text.find(error.token)
        raise BadJson(what, *_line_and_column(text, at), f"{error.token} is not a JSON number") from None
    except RecursionError:
        raise BadJson(what, 1, 1, f"nested deeper than {DEEPEST} levels") from None
    except ValueError as error:  # Python refuses to convert thousands of digits
        raise BadJson(what, 1, 1, str(error).partition(";")[0]) from None


class _Twice(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


class _NoNumber(Exception):
    def __init__(self, token: str) -> None:
        self.token = token


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        raise _Twice(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _constant(token: str) -> NoReturn:
    raise _NoNumber(token)


_VALUE = re.compile(r"[^ \t\r\n]")
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)


def _where_twice(text: str) -> tuple[int, int]:
    """Line and column of the first key that is repeated in its object; the text is well formed otherwise."""
    keys: list[set[str]] = []
    is_object: list[bool] = []
    before = ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            is_object.append(mark == "{")
            keys.append(set())
        elif mark in "}]":
            is_object.pop()
            keys.pop()
        elif mark[0] == '"' and is_object and is_object[-1] and before in ("{", ","):
            key = json.loads(mark)
            if key in keys[-1]:
                return _line_and_column(text, token.start())
            keys[-1].add(key)
        before = mark
    return 1, 1


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    at = max(0, at)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# Characters that drive a terminal or are invisible there are written by number.
_INVISIBLE = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> str:
    """A cleaned value in its one written form."""
    text = _WRITER.encode(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
