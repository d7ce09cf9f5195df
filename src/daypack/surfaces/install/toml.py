"""Edits of hand-written TOML files: sets keys of a table or removes it, and leaves all other bytes unchanged.

Python reads TOML but does not write it, so this finds the statements of a file that Python has read without a fault. Pure: text in, text
out.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from daypack.errors import InputError
from daypack.surfaces.install.jsonc import MARK, at, newline_of

_SPACES = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:\s+|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*([\w-]+|"(?:\\.|[^"\\])*"|'[^']*')[ \t]*""", re.ASCII)
_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"""{1,3}|\'\'\'.*?\'\'\'{1,3}|"(?:\\.|[^"\\])*"|'[^']*'|\#[^\n]*|[\[\]{}]|[\r\n]+|.''',
    re.DOTALL,
)


class NotToml(InputError, code="not_toml"):
    """A text that is not TOML, with the position of the fault, or a table in a form that has no statement of its own."""


class Statement(NamedTuple):
    """A table's head, or a key with its value, without the comment behind it."""

    start: int
    end: int
    path: tuple[str, ...]
    value: int = -1  # where the value begins; -1 for a head


def value_of(text: str) -> dict[str, Any]:
    """The value in a text. Raises NotToml."""
    try:
        return tomllib.loads(text.removeprefix(MARK))
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from None
    except RecursionError:
        raise NotToml("nested too deeply") from None


def put(text: str, path: tuple[str, ...], members: Mapping[str, Any]) -> str:
    """The text with the members in the table at `path`, which is added at the end when it is missing. Raises NotToml."""
    newline, there = newline_of(text), at(value_of(text), path)
    if there is None:
        body = [f"[{'.'.join(path)}]", *(f"{key} = {_written(value)}" for key, value in members.items())]
        gap = newline if text.removeprefix(MARK).strip() else ""
        end = newline if gap and not text.endswith("\n") else ""
        return text + end + gap + newline.join(body) + newline
    for key, value in members.items():
        if not isinstance(there, dict) or there.get(key) != value:
            text = _with_key(text, path, key, value)
    return text


def _with_key(text: str, path: tuple[str, ...], key: str, value: Any) -> str:
    found = _statements(text)
    for one in found:
        if one.path == (*path, key) and one.value >= 0:
            return text[: one.value] + _written(value) + text[one.end :]
    number = next((i for i, one in enumerate(found) if one.path == path and one.value < 0), -1)
    if number < 0:
        raise NotToml(f"{'.'.join(path)} has no line [{'.'.join(path)}]")
    while number + 1 < len(found) and found[number + 1].value >= 0:
        number += 1
    end = _line_end(text, found[number].end)
    newline = newline_of(text)
    before = text[:end] if text[:end].endswith("\n") else text[:end] + newline
    return f"{before}{key} = {_written(value)}{newline}{text[end:]}"


def drop(text: str, path: tuple[str, ...]) -> str:
    """The text without the table at `path` and the tables in it, and without the comments between their lines. Raises NotToml."""
    value_of(text)
    found = _statements(text)
    ours = [one.path[: len(path)] == path for one in found]
    for number in reversed(range(len(found))):
        if not ours[number] or (number > 0 and ours[number - 1]):
            continue
        last = number
        while last + 1 < len(found) and ours[last + 1]:
            last += 1
        start = text.rfind("\n", 0, found[number].start) + 1 or (len(MARK) if text.startswith(MARK) else 0)
        text = _joined(text[:start], text[_line_end(text, found[last].end) :])
    return text


def _joined(before: str, after: str) -> str:
    """The texts around lines that were removed, without the empty line that set them apart."""
    next_is_empty = after.startswith(("\n", "\r\n"))
    if (next_is_empty or not after) and re.search(r"\n\r?\n\Z", before):
        return re.sub(r"\r?\n\Z", "", before) + after
    if next_is_empty and not before.removeprefix(MARK):
        return before + after[after.index("\n") + 1 :]
    return before + after


def _written(value: Any) -> str:
    """Strings and lists of strings: as in JSON, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


# ---------------------------------------------------------------- statements


def _statements(text: str) -> Sequence[Statement]:
    found: list[Statement] = []
    table: tuple[str, ...] = ()
    at = _gap(text, len(MARK) if text.startswith(MARK) else 0)
    while at < len(text):
        start, brackets = at, 2 if text.startswith("[[", at) else 1 if text[at] == "[" else 0
        path, at = _path(text, at + brackets)
        if brackets:
            table, at = path, at + brackets
            found.append(Statement(start, at, table))
        else:
            value = _behind_spaces(text, at + 1)
            at = _value_end(text, value)
            found.append(Statement(start, at, (*table, *path), value))
        at = _gap(text, at)
    return found


def _gap(text: str, at: int) -> int:
    match = _GAP.match(text, at)
    return match.end() if match else at


def _behind_spaces(text: str, at: int) -> int:
    match = _SPACES.match(text, at)
    return match.end() if match else at


def _path(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The keys of a dotted name, and the position behind them."""
    keys: list[str] = []
    while match := _KEY.match(text, at):
        key = match[1]
        keys.append(tomllib.loads(f"key = {key}")["key"] if key[0] in "\"'" else key)
        at = match.end()
        if not text.startswith(".", at):
            break
        at += 1
    return tuple(keys), at


def _value_end(text: str, at: int) -> int:
    depth, end = 0, at
    while match := _TOKEN.match(text, at):
        word = match[0]
        depth += (word in ("[", "{")) - (word in ("]", "}"))
        if not depth and word[0] in "#\r\n":
            break
        at = match.end()
        end = end if word.isspace() else at
    return end
