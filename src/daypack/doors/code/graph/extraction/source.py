"""The text of a file while its facts are read: its matches, its imports, and the names that a capture has taken."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from daypack.doors.code.graph.extraction.spelling import expression, type_expression
from daypack.doors.code.graph.languages import CodeLanguage
from daypack.text.syntax import Node

LONGEST_NAME = 200  # bytes
_LONGEST_PATH = 4_000  # bytes of an expression or an import

Captures = dict[str, list["Node"]]


class Matches(NamedTuple):
    """The matches of a language's query in one text."""

    joint: dict[str, list[Captures]]  # by kind: captures that belong together, in the order of the text
    alone: Captures  # by kind: single nodes, in the order of the text


def text_of(source: bytes, node: Node, most: int = LONGEST_NAME) -> str:
    """The source text of a node, cut to `most` bytes."""
    return source[node.start_byte : min(node.end_byte, node.start_byte + most)].decode("utf-8", "ignore")


class Source:
    """The text of one file in its language."""

    def __init__(self, content: bytes, spec: CodeLanguage) -> None:
        self.content, self.spec = content, spec
        # Starts of the names that a capture of higher rank has taken. Setting a key is faster than adding to a set.
        self.taken: dict[int, None] = {}
        self.imports: list[tuple[int, int]] = []  # (start, end) of imports and the package, sorted

    def text(self, node: Node) -> str:
        return text_of(self.content, node)

    def long_text(self, node: Node) -> str:
        return text_of(self.content, node, _LONGEST_PATH)

    def type_of(self, captures: Captures) -> str:
        """The type that the captures of a name state, or the expression of its value; "" for neither."""
        if "type" in captures:
            return type_expression(self.text(captures["type"][0]), self.spec.transparent)
        if "value" in captures:
            value = expression(self.long_text(captures["value"][0]))
            return "" if value == "?" else value
        return ""

    def take(self, *nodes: Node) -> None:
        for node in nodes:
            self.taken[node.start_byte] = None

    def in_import(self, start: int) -> bool:
        """True for an offset inside an import or the package."""
        if not self.imports or start >= self.imports[-1][1]:
            return False  # the usual case: imports are at the top of a file
        at = bisect_right(self.imports, (start, len(self.content) + 1)) - 1
        return at >= 0 and start < self.imports[at][1]
