"""Names in the arguments of macros, which a grammar reads as tokens without structure.

    assert_eq!(cart.total(1), low)      a call of `total` of `cart`, a use of `cart` and one of `low`

A chain is a run of names, brackets and joints: `cart.total(1)`. It ends at any other token, as at the comma in `low, high(1)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from daypack.doors.code.graph.facts import Role
from daypack.text.syntax import Node

_JOINTS = frozenset({".", "::"})
_WORDS = frozenset({"identifier", "self", "super", "crate", "metavariable", "integer_literal", "await"})
_MARKS = frozenset({"?", "!"})  # that a chain continues after


class TokenName(NamedTuple):
    """A name among tokens; its owner is the source text from `of_start` to `of_end`, empty for none."""

    role: Role
    node: Node
    of_start: int
    of_end: int


def token_names(tree: Node) -> Iterator[TokenName]:
    """The names directly inside one pair of brackets."""
    tokens = tree.children[1:-1]
    start, end, joined, generic = -1, -1, False, False  # of the chain before the token; inside of ::<…>
    for at, token in enumerate(tokens):
        kind = token.type
        if generic:
            generic = kind != ">"
        elif kind in _JOINTS:
            if start < 0:  # "text".len(): the token before is the owner
                start = tokens[max(at - 1, 0)].start_byte
            end, joined = token.start_byte, True
        elif kind in _WORDS:
            if not joined:
                start = end = token.start_byte
            if kind == "identifier" and not _is_label(tokens, at):
                yield TokenName(_role(tokens, at), token, start, end)
            joined = False
        elif kind == "<" and joined:
            generic, joined = True, False
        elif kind == "token_tree" and not joined:
            start = start if start >= 0 else token.start_byte
        elif kind not in _MARKS or joined:
            start, joined = -1, False


def _role(tokens: list[Node], at: int) -> Role:
    """CALL for a name before "(", before "!" as a macro, or before types and "("."""
    while (following := [token.type for token in tokens[at + 1 : at + 3]]) == ["::", "<"]:
        at = next((i for i in range(at + 3, len(tokens)) if tokens[i].type == ">"), len(tokens))
    if following == ["!", "token_tree"]:
        return Role.CALL
    called = following[:1] == ["token_tree"] and [one.type for one in tokens[at + 1].children[:1]] == ["("]
    return Role.CALL if called else Role.USE


def _is_label(tokens: list[Node], at: int) -> bool:
    """True for the name of a field or parameter, as in `Cart { lines: 2 }`."""
    return at + 1 < len(tokens) and tokens[at + 1].type == ":"
