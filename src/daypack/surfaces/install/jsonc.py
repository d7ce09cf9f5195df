"""Edits of hand-written JSON files: adds or removes a member, and leaves all other bytes unchanged.

Comments and trailing commas, which several clients allow in their settings, are accepted. Pure: text in, text out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daypack.errors import InputError

_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[-+.\w]+")
_DEEPEST = 200


class NotJson(InputError, code="not_json"):
    """A text that is not JSON, with the position of the fault."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a text: its span, kind, and members or items. A member starts at its key."""

    start: int
    end: int
    value: Any
    members: tuple[tuple[str, int, Node], ...] = ()

    def member(self, key: str) -> tuple[str, int, Node] | None:
        return next((one for one in self.members if one[0] == key), None)


def read(text: str) -> Node:
    """The value in a text. Raises NotJson."""
    try:
        node, at = _value(text, _after(text, 0), 0)
    except (IndexError, RecursionError):
        raise NotJson("the file ends in the middle of a value") from None
    if _after(text, at) != len(text):
        raise _wrong(text, _after(text, at), "text follows the end")
    return node


def _after(text: str, at: int) -> int:
    match = _SKIPPED.match(text, at)
    return match.end() if match else at


def _wrong(text: str, at: int, what: str) -> NotJson:
    line = text.count("\n", 0, at) + 1
    return NotJson(f"{what}, line {line} column {at - text.rfind(chr(10), 0, at)}")


def _value(text: str, at: int, depth: int) -> tuple[Node, int]:
    if depth > _DEEPEST:
        raise _wrong(text, at, "nested too deeply")
    match text[at]:
        case "{":
            return _object(text, at, depth)
        case "[":
            return _array(text, at, depth)
    found = (_STRING if text[at] == '"' else _WORD).match(text, at)
    if found is None:
        raise _wrong(text, at, "no JSON")
    try:
        return Node(at, found.end(), json.loads(found[0], strict=False)), found.end()
    except ValueError:
        raise _wrong(text, at, "no JSON") from None


def _object(text: str, start: int, depth: int) -> tuple[Node, int]:
    members: list[tuple[str, int, Node]] = []
    at = _after(text, start + 1)
    while text[at] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _wrong(text, at, "a key in double quotes is missing")
        colon = _after(text, key.end())
        if text[colon] != ":":
            raise _wrong(text, colon, "a colon is missing")
        node, end = _value(text, _after(text, colon + 1), depth + 1)
        members.append((json.loads(key[0], strict=False), at, node))
        at = _separated(text, end, "}")
    return Node(start, at + 1, {name: node.value for name, _, node in members}, tuple(members)), at + 1


def _array(text: str, start: int, depth: int) -> tuple[Node, int]:
    items: list[tuple[str, int, Node]] = []
    at = _after(text, start + 1)
    while text[at] != "]":
        node, end = _value(text, at, depth + 1)
        items.append((str(len(items)), at, node))
        at = _separated(text, end, "]")
    return Node(start, at + 1, [node.value for _, _, node in items], tuple(items)), at + 1


def _separated(text: str, end: int, closing: str) -> int:
    at = _after(text, end)
    if text[at] == ",":
        return _after(text, at + 1)
    if text[at] != closing:
        raise _wrong(text, at, f"a comma or {closing} is missing")
    return at


# ---------------------------------------------------------------- edits


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with `value` at `path`; missing objects are added, an existing value is replaced. The last step "-" appends an
    item to a list. Raises NotJson.
    """
    if not text.strip():
        text = "{}\n"
    node = read(text)
    for depth, key in enumerate(path):
        if key == "-" and isinstance(node.value, list):
            return _inserted(text, node, None, value)
        if not isinstance(node.value, dict):
            raise _wrong(text, node.start, f"{'.'.join(path[:depth]) or 'the file'} is not an object")
        found = node.member(key)
        if found is None:
            rest = value
            for missing in reversed(path[depth + 1 :]):
                rest = [rest] if missing == "-" else {missing: rest}
            return _inserted(text, node, key, rest)
        node = found[2]
    indent = _indent_at(text, node.start)
    return text[: node.start] + _written(value, indent, _unit(text)) + text[node.end :]


def _inserted(text: str, node: Node, key: str | None, value: Any) -> str:
    unit = _unit(text)
    if node.members:
        first_start = node.members[0][1]
        own_line = "\n" in text[node.start : first_start]
        indent = _indent_at(text, first_start) if own_line else ""
        last = node.members[-1][2].end
        body = _member(key, value, indent, unit)
        return text[:last] + "," + (f"\n{indent}" if own_line else " ") + body + text[last:]
    outer = _indent_at(text, node.start)
    indent = outer + unit
    inside = text[node.start + 1 : node.end - 1]
    if inside.strip():  # only a comment
        return (
            text[: node.end - 1].rstrip()
            + f"\n{indent}"
            + _member(key, value, indent, unit)
            + f"\n{outer}"
            + text[node.end - 1 :]
        )
    opening, closing = text[node.start], text[node.end - 1]
    return (
        text[: node.start]
        + opening
        + f"\n{indent}"
        + _member(key, value, indent, unit)
        + f"\n{outer}"
        + closing
        + text[node.end :]
    )


def _member(key: str | None, value: Any, indent: str, unit: str) -> str:
    return ("" if key is None else json.dumps(key) + ": ") + _written(value, indent, unit)


def _written(value: Any, indent: str, unit: str) -> str:
    return json.dumps(value, indent=unit or None, ensure_ascii=False).replace("\n", f"\n{indent}")


def _unit(text: str) -> str:
    """One step of indentation, as the file has it."""
    match = re.search(r"\n([ \t]+)\S", text)
    return match[1] if match else "  "


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, or the item, which its index names; the same text if it is missing. Raises
    NotJson.

    An addition of `put` is removed without a trace. Objects that `put` added, and that are empty now, need further calls with
    their paths.
    """
    node, index = read(text), -1
    parent = node
    for key in path:
        index = next((i for i, one in enumerate(node.members) if one[0] == key), -1)
        if index < 0:
            return text
        parent, node = node, node.members[index][2]
    start, end = parent.members[index][1], node.end
    if index > 0:
        return text[: parent.members[index - 1][2].end] + text[end:]
    if len(parent.members) > 1:
        return text[:start] + text[parent.members[1][1] :]
    inside = text[parent.start + 1 : start] + text[end : parent.end - 1]
    kept = inside.rstrip() if inside.strip(", \t\r\n") else ""
    return text[: parent.start + 1] + kept + text[parent.end - 1 :]


def at(data: Any, path: Sequence[str]) -> Any:
    """The value under a path of keys and numbers, or None."""
    for key in path:
        if isinstance(data, Mapping) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data
