"""Definitions in a syntax tree: their places, signatures, and first lines of documentation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from daypack.doors.code.graph.extraction.source import Captures, text_of
from daypack.doors.code.graph.facts import MODULE, VALUES
from daypack.doors.code.graph.languages import CodeLanguage
from daypack.text.syntax import Node
from daypack.types import SymbolKind

SIGNATURE_CHARACTERS = 300
DOC_CHARACTERS = 300


class Definition:
    """A definition that has no index as a symbol yet."""

    __slots__ = ("captures", "end", "kind", "last", "name", "node", "outer", "start")

    def __init__(
        self, node: Node, outer: Node, last: Node, name: Node, kind: SymbolKind, captures: Captures
    ) -> None:
        self.node, self.outer, self.last, self.name, self.kind, self.captures = (
            node,
            outer,
            last,
            name,
            kind,
            captures,
        )
        self.start, self.end = outer.start_byte, last.end_byte


class Scopes:
    """Definitions by place: the innermost one at an offset, and the parent of each. Of several names in one declaration the first
    stands for its place.
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._starts: list[int] = []
        self._scope: list[int] = []
        self.parents: list[int] = []
        stack: list[int] = []
        for index, found in enumerate(definitions):
            if (
                stack and definitions[stack[-1]].node == found.node
            ):  # `case low, high`: neither is inside the other
                self.parents.append(self.parents[stack[-1]])
                continue
            self._close(stack, definitions, found.start)
            self.parents.append(stack[-1] if stack else MODULE)
            self._change(found.start, index)
            stack.append(index)
        self._close(stack, definitions, None)

    def _close(self, stack: list[int], definitions: Sequence[Definition], until: int | None) -> None:
        while stack and (until is None or definitions[stack[-1]].end <= until):
            ended = stack.pop()
            self._change(definitions[ended].end, stack[-1] if stack else MODULE)

    def _change(self, offset: int, scope: int) -> None:
        self._starts.append(offset)
        self._scope.append(scope)

    def at(self, offset: int) -> int:
        place = bisect_right(self._starts, offset) - 1
        return self._scope[place] if place >= 0 else MODULE


def head_line(source: bytes, found: Definition, doc: Node | None) -> int:
    """The last line of a definition's signature; with a docstring below it, the first line of the docstring."""
    body = _body(source, found.node)
    last = last_row(_head_statement(found) or found.outer)
    if body is None:
        return min(last, found.name.start_point.row if found.kind in VALUES else last) + 1
    row = body.start_point.row
    if (
        source[body.start_byte : body.start_byte + 1] not in (b"{", b"(", b"[")
        and row > found.name.start_point.row
    ):
        row -= 1  # the body begins on the next line
    if doc is not None and doc.start_point.row <= row + 1:
        row = doc.start_point.row
    return max(found.name.start_point.row, min(row, last)) + 1


def signature(source: bytes, found: Definition) -> str:
    """The signature of a definition on one line, without the body."""
    body = _body(source, found.node)
    start = found.node.start_byte
    head_end = (_head_statement(found) or found.node).end_byte
    end = body.start_byte if body is not None and body.start_byte > found.name.end_byte else head_end
    head = source[start : min(end, start + 8 * SIGNATURE_CHARACTERS)]
    if any(sign in head for sign in _COMMENT_BEGINS):
        head = _without_comments(head, found.node)
    raw = head.decode("utf-8", "ignore")
    if found.kind in VALUES:
        raw = raw.split("\n", 1)[0]
    elif body is None:
        raw = raw[: _outer_brace(raw)]
    elif body.type == _KEYWORDS:
        raw = raw.rstrip().removesuffix(",")
    return " ".join(raw.split())[:SIGNATURE_CHARACTERS].rstrip(" {:=;")


def _head_statement(found: Definition) -> Node | None:
    """The statement with the name of a definition at its beginning: Fortran has no node for the body."""
    first = found.node.named_children[0] if found.node.named_children else None
    is_head = first is not None and first.type.endswith("_statement") and first.type != found.node.type
    return first if first is not None and is_head and first.end_byte >= found.name.end_byte else None


def _outer_brace(text: str) -> int:
    """The offset of the first brace outside of brackets, or the length of the text without one."""
    depth = 0
    for match in re.finditer(r"[(\[{)\]]", text):
        if match[0] == "{" and depth <= 0:
            return match.start()
        depth += {"(": 1, "[": 1, "{": 0}.get(match[0], -1)
    return len(text)


def _without_comments(head: bytes, node: Node) -> bytes:
    """The beginning of a node without its comments."""
    kept, start, at = b"", node.start_byte, 0
    stack = [node]
    while stack:
        current = stack.pop()
        if "comment" in current.type:
            kept += head[at : current.start_byte - start]
            at = current.end_byte - start
        else:
            stack += [child for child in reversed(current.children) if child.start_byte - start < len(head)]
    return kept + head[at:]


def doc_line(source: bytes, node: Node, skip: int = 0) -> str:
    """The first line of a docstring without its quotes and its first `skip` characters."""
    raw = text_of(source, node, 4 * DOC_CHARACTERS)[skip:]
    return _first_sentence(re.sub(r"^\w{0,3}(?:\"{3}|'{3}|\"|')|(?:\"{3}|'{3}|\"|')$", "", raw.strip()))


def comment_above(source: bytes, spec: CodeLanguage, found: Definition) -> str:
    """The first line of the comment directly above a definition, or of the attribute that documents it in some languages."""
    lines: list[str] = []
    node = _above(found.outer)
    if node is not None and spec.doc_above and (match := re.match(spec.doc_above, text_of(source, node))):
        return doc_line(source, node, match.end())
    row = found.outer.start_point.row
    while node is not None and "comment" in node.type and last_row(node) >= row - 1 and len(lines) < 40:
        lines[:0] = text_of(source, node, 2000).split("\n")
        row = node.start_point.row
        node = node.prev_sibling
    return _first_sentence("\n".join(_COMMENT_SIGNS.sub("", line) for line in lines))


_COMMENT_BEGINS = (b"//", b"/*", b"#")
_COMMENT_SIGNS = re.compile(
    r"^\s*(?:///?!?|/?\*+/?|#+[!']?|--+|;+|%+|!+[<>]?)\s?|</?(?:summary|remarks|para|value)>|\s*\*/\s*$"
)


def _above(node: Node) -> Node | None:
    """The node before a node; for the first node of a body, the node before the body."""
    if node.prev_sibling is None and node.parent is not None and node.parent.start_byte == node.start_byte:
        return node.parent.prev_sibling
    return node.prev_sibling


def _first_sentence(text: str) -> str:
    for line in text.split("\n"):
        if line.strip():
            return " ".join(line.split())[:DOC_CHARACTERS]
    return ""


def last_row(node: Node) -> int:
    """The last row of a node, from 0; a line end at the end of the node adds no row."""
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


_KEYWORDS = "keywords"  # of Elixir: def low(tide), do: tide


def _body(source: bytes, node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    if body is None and (value := node.child_by_field_name("value")) is not None:
        body = value.child_by_field_name("body")  # f = () => {…}
    if body is None:
        for child in node.named_children:
            if child.type.endswith(("body", "block", "declaration_list")):
                return child
            last = child.named_children[-1] if child.type == "arguments" and child.named_children else None
            if last is not None and last.type == _KEYWORDS and source.startswith(b"do:", last.start_byte):
                return last
    return body
