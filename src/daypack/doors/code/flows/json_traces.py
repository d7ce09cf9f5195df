"""Stack traces in JSON, written as text: those of logs, of answers to a failed request, and of services that collect errors.

    {"file": "/app/Cart.php:7", "trace": ["/app/Till.php:7"]}                  Laravel: deepest call first
    {"file": "/app/Cart.php", "line": 7, "trace": [{"file": …, "line": 7}]}    PHP, Java, Ruby: deepest call first
    {"frames": [{"filename": "shop/cart.py", "lineno": 7, "function": …}]}     Sentry: deepest call last
    {"stack": "Error: …\n    at total (cart.js:12:5)"}                         a trace in a text

The text has the form of a trace of Python, whose frames name any file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from daypack.query.traces.frames import read_trace

Kind = TypeVar("Kind")
MOST_FRAMES = 200
_FILES = ("filename", "file", "fileName", "abs_path", "path")
_LINES = ("lineno", "line", "lineNumber", "line_number")
_FUNCTIONS = ("function", "method", "methodName", "func")
_TYPES = ("type", "class", "exception")
_MESSAGES = ("value", "message", "msg", "error")
_PLACE = re.compile(r"(\S.*\.\w{1,6}):(\d{1,7})")


class _Frame(NamedTuple):
    file: str
    line: int
    function: str


def unrolled(text: str) -> str:
    """The text with each trace in JSON written as lines; a text without one as it is. JSON is the whole text, or a line."""
    if "{" not in text:
        return text
    if (whole := _trace(text)) is not None:
        return whole
    lines = text.split("\n")
    return "\n".join(_trace(line) or line for line in lines)


def _trace(text: str) -> str | None:
    """The trace in a text of JSON; None for another text, and for JSON without frames."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        data = json.loads(text)
        frames = [*_frames(data)][:MOST_FRAMES]
        stacks = [stack for stack in _texts(data) if "\n" in stack and read_trace(stack.split("\n")).frames]
        said = next(_said(data), "")
    except (ValueError, RecursionError):
        return None
    logged = len(frames) == 1 and stacks  # the place is that of the line that logs the stack
    if frames and not logged:
        rows = [
            f'  File "{one.file}", line {one.line}{f", in {one.function}" if one.function else ""}'
            for one in reversed(frames)
        ]
        return "\n".join(["Traceback (most recent call last):", *rows, said, ""])
    return "\n".join([*stacks, ""]) if stacks else None


def _frames(value: Any) -> Iterator[_Frame]:
    """The frames in a value, the deepest call first."""
    match value:
        case Mapping():
            if (own := _frame(value)) is not None:
                yield own
            for name, item in value.items():
                yield from _frames(item[::-1] if name == "frames" and isinstance(item, list) else item)
        case list():
            for item in value:
                if isinstance(item, str) and (place := _PLACE.fullmatch(item)):
                    yield _Frame(place[1], int(place[2]), "")
                else:
                    yield from _frames(item)


def _frame(value: Mapping[str, Any]) -> _Frame | None:
    file, line = _first(value, _FILES, str), _first(value, _LINES, int)
    if file and line is None and (place := _PLACE.fullmatch(file)):
        return _Frame(place[1], int(place[2]), "")
    return _Frame(file, line, _first(value, _FUNCTIONS, str) or "") if file and line is not None else None


def _said(value: Any) -> Iterator[str]:
    """The type and the message of each error, as `KeyError: price`."""
    match value:
        case Mapping():
            kind, message = _first(value, _TYPES, str), _first(value, _MESSAGES, str)
            if kind and message:
                yield f"{kind}: {message}"
            for item in value.values():
                yield from _said(item)
        case list():
            for item in value:
                yield from _said(item)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)


def _first(value: Mapping[str, Any], names: tuple[str, ...], kind: type[Kind]) -> Kind | None:
    return next((one for name in names if type(one := value.get(name)) is kind), None)
