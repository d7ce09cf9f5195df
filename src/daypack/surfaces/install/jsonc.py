"""Edits of hand-written JSON files: adds or removes a member, and leaves all other bytes unchanged.

Comments, trailing commas and a byte order mark, which several clients allow in their settings, are accepted. Of a repeated key
the last counts, as for the clients. Pure: text in, text out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from daypack.errors import InputError

_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]*/\*.*?\*/)*(?:[ \t]*(//[^\r\n]*))?", re.DOTALL)  # comments behind a member
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[-+.\w]+")
_DEEPEST = 200
MARK = "\ufeff"  # the byte order mark, with which some editors begin a file


class NotJson(InputError, code="not_json"):
    """A text that is not JSON, with the position of the fault."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a text: its span, and its members or items."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()

    def index(self, key: str) -> int:
        """The place of a key among the members, or of an item by its number; -1 when it is missing."""
        return max((i for i, one in enumerate(self.members) if one.key == key), default=-1)


class Member(NamedTuple):
    """A member of an object, which starts at its key, or an item of a list under its number."""

    key: str
    start: int
    node: Node
    comma: int  # the position of the comma behind it, or -1


def read(text: str) -> Node:
    """The value in a text. Raises NotJson."""
    try:
        node, at = _value(text, _start(text), 0)
    except (IndexError, RecursionError):
        raise NotJson("the file ends in the middle of a value") from None
    if _after(text, at) != len(text):
        raise _wrong(text, _after(text, at), "text follows the end")
    return node


def value_of(text: str) -> Any:
    """The value in a text, and {} for one without a value. Raises NotJson."""
    return {} if _is_blank(text) else read(text).value


def _start(text: str) -> int:
    return _after(text, len(MARK) if text.startswith(MARK) else 0)


def _is_blank(text: str) -> bool:
    """True for a text of spaces and comments."""
    return _start(text) == len(text)


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
    members: list[Member] = []
    at = _after(text, start + 1)
    while text[at] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _wrong(text, at, "a key in double quotes is missing")
        colon = _after(text, key.end())
        if text[colon] != ":":
            raise _wrong(text, colon, "a colon is missing")
        node, end = _value(text, _after(text, colon + 1), depth + 1)
        comma, after = _separated(text, end, "}")
        members.append(Member(_key(text, key), at, node, comma))
        at = after
    return Node(start, at + 1, {one.key: one.node.value for one in members}, tuple(members)), at + 1


def _key(text: str, found: re.Match[str]) -> str:
    try:
        return str(json.loads(found[0], strict=False))
    except ValueError:
        raise _wrong(text, found.start(), "no JSON") from None


def _array(text: str, start: int, depth: int) -> tuple[Node, int]:
    items: list[Member] = []
    at = _after(text, start + 1)
    while text[at] != "]":
        node, end = _value(text, at, depth + 1)
        comma, after = _separated(text, end, "]")
        items.append(Member(str(len(items)), at, node, comma))
        at = after
    return Node(start, at + 1, [one.node.value for one in items], tuple(items)), at + 1


def _separated(text: str, end: int, closing: str) -> tuple[int, int]:
    """The position of the comma behind a value, or -1, and of the text that follows."""
    at = _after(text, end)
    if text[at] == ",":
        return at, _after(text, at + 1)
    if text[at] != closing:
        raise _wrong(text, at, f"a comma or {closing} is missing")
    return -1, at


# ---------------------------------------------------------------- edits


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with `value` at `path`; missing objects are added, an existing value is replaced. A number names an item of a
    list, and the last step "-" appends one. Raises NotJson.
    """
    text = _with_object(text)
    node = read(text)
    for depth, key in enumerate(path):
        is_list = isinstance(node.value, list)
        if key == "-" and is_list:
            return _inserted(text, node, None, value)
        if not isinstance(node.value, dict) and not (is_list and node.index(key) >= 0):
            raise _wrong(text, node.start, f"{'.'.join(path[:depth]) or 'the file'} is not an object")
        if node.index(key) < 0:
            rest = value
            for missing in reversed(path[depth + 1 :]):
                rest = [rest] if missing == "-" else {missing: rest}
            return _inserted(text, node, key, rest)
        node = node.members[node.index(key)].node
    return text[: node.start] + _written(text, value, _indent_at(text, node.start)) + text[node.end :]


def _with_object(text: str) -> str:
    """The text, with an empty object where it has no value."""
    if not _is_blank(text):
        return text
    mark = MARK if text.startswith(MARK) else ""
    comments = text.removeprefix(MARK).rstrip()
    newline = newline_of(text)
    return mark + (comments + newline if comments else "") + "{}" + newline


def _inserted(text: str, node: Node, key: str | None, value: Any) -> str:
    """The text with a member behind the last one, and behind the comments on its line."""
    newline, outer = newline_of(text), _indent_at(text, node.start)
    if not node.members:
        indent = outer + _unit(text)
        inside = text[node.start + 1 : node.end - 1].rstrip()  # nothing, or comments
        body = newline + indent + _member(text, key, value, indent) + newline + outer
        return text[: node.start + 1] + inside + body + text[node.end - 1 :]
    first, last = node.members[0], node.members[-1]
    comments = _SAME_LINE.match(text, last.comma + 1 if last.comma >= 0 else last.node.end)
    assert comments is not None
    on_lines = "\n" in text[node.start : first.start]
    indent = _indent_at(text, first.start) if on_lines else outer + _unit(text) if comments[1] else ""
    gap = newline + indent if on_lines or comments[1] else " "
    added = gap + _member(text, key, value, indent)
    at = comments.end()
    if last.comma >= 0:
        return text[:at] + added + "," + text[at:]
    return text[: last.node.end] + "," + text[last.node.end : at] + added + text[at:]


def _member(text: str, key: str | None, value: Any, indent: str) -> str:
    return ("" if key is None else json.dumps(key) + ": ") + _written(text, value, indent)


def _written(text: str, value: Any, indent: str) -> str:
    """A value as the text would have it."""
    return json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", newline_of(text) + indent)


def _unit(text: str) -> str:
    """One step of indentation, as the file has it."""
    match = re.search(r"\n([ \t]+)\S", text)
    return match[1] if match else "  "


def newline_of(text: str) -> str:
    """The line end of the file."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix(MARK)
    return line[: len(line) - len(line.lstrip())]


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, or the item, which its number names; the same text if it is missing. Comments
    around it stay. Raises NotJson.

    An addition of `put` is removed without a trace. Objects that `put` added, and that are empty now, need further calls with
    their paths.
    """
    if _is_blank(text):
        return text
    node, index = read(text), -1
    parent = node
    for key in path:
        index = node.index(key)
        if index < 0:
            return text
        parent, node = node, node.members[index].node
    member = parent.members[index]
    end = member.node.end
    if member.comma >= 0:
        text = text[: member.comma] + text[member.comma + 1 :]
    closing = parent.end - 1 - (member.comma >= 0)
    if len(parent.members) == 1 and not (text[parent.start + 1 : member.start] + text[end:closing]).strip():
        return text[: parent.start + 1] + text[closing:]
    before = parent.members[index - 1].comma if index else parent.start
    is_last = index == len(parent.members) - 1
    start, end = _cut(text, before + 1, member.start, end, closing, is_last=is_last)
    text = text[:start] + text[end:]
    return text[:before] + text[before + 1 :] if index and member.comma < 0 else text


def _cut(text: str, before: int, start: int, end: int, closing: int, *, is_last: bool) -> tuple[int, int]:
    """The span of a member with the space that goes with it. It lies between `before`, behind a comma, and `closing`."""
    left, right = len(text[:start].rstrip(" \t")), end + len(text[end:]) - len(text[end:].lstrip(" \t"))
    alone = text[:left].endswith("\n")
    if alone and text.startswith(("\n", "\r"), right):
        return left - (2 if text[:left].endswith("\r\n") else 1), right
    if is_last and right == closing and not text[before:start].strip():
        return before, end
    return (left, end) if is_last and not alone else (start, right)


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
