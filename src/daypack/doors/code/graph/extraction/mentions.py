"""The names that one file mentions: calls, bases, and other uses.

A name counts once: what a capture of higher rank has taken is not noted again. Bases come first, then names in the
arguments of macros, names with an expression before their dot, bare names, and names in text that the grammar does not
parse.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from daypack.doors.code.graph.extraction.definitions import Scopes
from daypack.doors.code.graph.extraction.source import LONGEST_NAME, Captures, Matches, Source
from daypack.doors.code.graph.extraction.spelling import expression, type_expression
from daypack.doors.code.graph.extraction.tokens import token_names
from daypack.doors.code.graph.facts import MODULE, Mention, Role
from daypack.text.syntax import Node

MOST_LINES = 50  # that are recorded for a mention
MOST_MENTIONS = 60_000  # per file; a file with more is a generated table
# In unparsed text: a string, a character or a comment, or a name with its owner. A sign without its end takes the rest of the
# line or text, or nothing: to look for its end again and again takes too long.
_NAMED = re.compile(
    rb"""\"(?:\\(?:\r?\n|.)?|[^\"\\\n])*+\"?|'(?:\\.|[^'\\\n]){1,8}+'|//.*|/\*(?>[\s\S]*?\*/|[\s\S]*+)"""
    rb"""|(?<![#\w])((?:[A-Za-z_]\w*+(?:\.|->|::)(?=[A-Za-z_]))*+)([A-Za-z_]\w*+)(?!\s*##)(\s*\()?"""
)
_KEYWORDS = frozenset(
    b"if else for while do switch case default break continue goto return catch throw try new delete this sizeof alignof decltype"
    b" defined typeof void bool char short int long float double signed unsigned auto const volatile static inline extern struct union"
    b" enum class typename template operator namespace using true false nullptr".split()
)


def mentions_of(
    source: Source,
    scopes: Scopes,
    hidden: Mapping[int, frozenset[str]],
    loose: frozenset[str],
    matches: Matches,
    macros: Iterable[re.Match[bytes]],
) -> tuple[Mention, ...]:
    """The mentions of a file. `hidden` has, by scope, the names that a function binds; `loose` those that code outside of
    functions binds, which are variables where they are not called; `macros` are matches of a name and "(".
    """
    mentions = _Mentions(source, scopes, hidden, loose)
    for captures in matches.joint.get("extends", ()):
        for node in captures["extends"]:
            mentions.add_base(node)
    for node in matches.alone.get("tokens", ()):
        mentions.add_tokens(node)
    for captures in matches.joint.get("case", ()):
        mentions.add_label(captures["case"][0], captures["of"][0])
    for node in matches.alone.get("outer", ()):
        mentions.add_outer(node)
    for role in (Role.CALL, Role.USE):
        mentions.add_names(role, matches.joint.get(role.value, ()), matches.alone.get(role.value, ()))
    for node in matches.alone.get("calls", ()):
        mentions.add_unparsed(node)
    for macro in macros:
        mentions.add(Role.CALL if macro[2] else Role.USE, *macro.span(1), "")
    return mentions.all()


class _Mentions:
    """The mentions of one file as they are found."""

    def __init__(
        self, source: Source, scopes: Scopes, hidden: Mapping[int, frozenset[str]], loose: frozenset[str]
    ) -> None:
        self._source, self._scopes, self._hidden, self._loose = source, scopes, hidden, loose
        self._content, self._taken, self._self_words = source.content, source.taken, source.spec.self_words
        self._line_ends = [match.end() for match in re.finditer(rb"\n", source.content)]
        self._imports_end = source.imports[-1][1] if source.imports else 0
        self._lines: dict[tuple[Role, str, str, int], list[int]] = {}  # by role, name, owner and scope

    def all(self) -> tuple[Mention, ...]:
        ordered = sorted(self._lines.items(), key=lambda item: (item[1][0], item[0][0], item[0][1]))
        return tuple(
            Mention(role, name, of, scope, tuple(sorted(lines))) for (role, name, of, scope), lines in ordered
        )

    def add(self, role: Role, start: int, end: int, of: str) -> None:
        """Note the name from `start` to `end`, unless it is part of an import, or bound by the function around it."""
        if (
            end - start > LONGEST_NAME
            or len(self._lines) >= MOST_MENTIONS
            or (start < self._imports_end and self._source.in_import(start))
        ):
            return
        self._taken[start] = None
        plain_path, scope = self._source.spec.plain_path, self._scopes.at(start)
        name, of = plain_path(self._content[start:end].decode("utf-8", "ignore")), plain_path(of)
        if (
            not of and "." in name and self._source.spec.modules == "package"
        ):  # one token of Elixir: Shop.Cart
            of, _, name = name.rpartition(".")
        if not of and (name in self._self_words or name in self._hidden[scope]):
            return
        if not of and role is Role.USE and scope == MODULE and name in self._loose:
            return
        self._note(role, name, of, scope, start)

    def _note(self, role: Role, name: str, of: str, scope: int, start: int) -> None:
        key, line = (role, name, of, scope), bisect_right(self._line_ends, start) + 1
        if (lines := self._lines.get(key)) is None:
            self._lines[key] = [line]
        elif len(lines) < MOST_LINES and line not in lines:
            lines.append(line)

    def add_base(self, node: Node) -> None:
        """A base of the definition around it: the last name of a path, without type arguments."""
        path = type_expression(self._source.long_text(node), frozenset())
        of, _, name = path.rpartition(".")
        last = _last_name(node, name, self._content) if path else None
        if last is not None and last.start_byte not in self._taken:
            self.add(Role.EXTEND, last.start_byte, last.end_byte, of)
        self._source.take(node)

    def add_names(self, role: Role, matches: Sequence[Captures], alone: Sequence[Node]) -> None:
        label, taken = role.value, self._taken
        # Names with an expression before the dot come first: a bare pattern matches them too, without the expression.
        for captures in sorted(matches, key=lambda captures: "of" not in captures):
            for node in captures[label]:
                if (start := node.start_byte) not in taken:
                    of = expression(self._source.long_text(captures["of"][0])) if "of" in captures else ""
                    self.add(role, start, node.end_byte, of)
        for node in alone:
            if (start := node.start_byte) not in taken:
                self.add(role, start, node.end_byte, "")

    def add_label(self, node: Node, of: Node) -> None:
        """The label of a case: a constant of the type of the value, or any other constant."""
        for owner in (expression(self._source.long_text(of)), ""):
            self.add(Role.USE, node.start_byte, node.end_byte, owner)

    def add_outer(self, node: Node) -> None:
        """The default or type of a parameter, which may have the name of the parameter: `def f(limit=limit)`."""
        self._source.take(node)
        self._note(Role.USE, self._source.text(node), "", self._scopes.at(node.start_byte), node.start_byte)

    def add_tokens(self, tree: Node) -> None:
        """The names in the arguments of a macro; its labels name nothing."""
        self._source.take(*(token for token in tree.children if token.type == "identifier"))
        for found in token_names(tree):
            of = self._content[found.of_start : found.of_end].decode("utf-8", "ignore")
            self.add(found.role, found.node.start_byte, found.node.end_byte, expression(of) if of else "")

    def add_unparsed(self, node: Node) -> None:
        """The names in text that the grammar does not parse: calls before "("."""
        for match in _NAMED.finditer(self._content, node.start_byte, node.end_byte):
            if not match[2] or match[2] in _KEYWORDS:
                continue
            role = Role.CALL if match[3] else Role.USE
            owners: tuple[str, ...]
            if self._content.endswith(
                (b".", b"->"), 0, match.start()
            ):  # a member of an unknown value: (p)->next
                owners = ("?",) if match[3] else ()
            elif match[1]:
                owner = match[1].decode("utf-8", "ignore").replace("->", ".").rstrip(".:")
                owners = (expression(owner),)
            else:  # a function, or a member of the scope in which the macro is used
                owners = ("", "?") if match[3] else ("",)
            for of in owners:
                self.add(role, *match.span(2), of)


def _last_name(node: Node, name: str, source: bytes) -> Node | None:
    """The innermost node that spells the last name of a path."""
    wanted = name.encode()
    stack: list[Any] = [node]
    best = None
    while stack:
        current = stack.pop()
        if source[current.start_byte : current.end_byte] == wanted and (
            best is None or current.start_byte >= best.start_byte
        ):
            best = current
        if current.end_byte - current.start_byte > len(wanted):
            stack.extend(current.named_children)
    return best
