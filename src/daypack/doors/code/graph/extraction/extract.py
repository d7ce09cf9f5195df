"""Facts of one source file: its symbols, their mentions, its imports, and the types of its names.

Each language has one tree-sitter query that finds them. Its captures:

    @definition.KIND    a definition with its @name; @returns is its result type, @type or @value those of a variable,
                        @receiver the type of a method that is written outside of its type
    @named              the name of a definition that another pattern captures, with its @return_type
    @doc                a docstring of the definition around it
    @import             an import statement: @module, @item, @alias; @module alone imports the module, @default its default
    @tree               all that an import names, with braces: a.{B, C => D}
    @default_value      the export that a file gives to imports without a name
    @calls              text that the grammar does not parse, as the body of a macro: names before "(" are called
    @call, @use         a name that is called, or used otherwise; @of is the expression before its dot
    @extends            a base of the definition around it
    @local              a name bound in a function, with its @type or @value
    @attribute          a name bound on @self, or a field of the definition around it
    @global             a name that a function assigns but does not own
    @package            the name that the file gives its package
    @ignore             an identifier that names nothing

A node that is captured several times counts once: as a definition rather than a call, as a call rather than a use.
Expressions are texts of names, dots and empty parentheses in all languages: `a->b::<T>(x)?.c` becomes `a.b().c`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from daypack.doors.code.graph.extraction.definitions import (
    LONGEST_NAME,
    Captures,
    Definition,
    Scopes,
    comment_above,
    doc_line,
    head_line,
    last_row,
    signature,
    text_of,
)
from daypack.doors.code.graph.extraction.spelling import (
    expanded,
    expression,
    normal_name,
    type_expression,
    unquoted,
)
from daypack.doors.code.graph.facts import (
    CLASS_LIKE,
    FUNCTIONS,
    MODULE,
    VALUES,
    Binding,
    CodeSymbol,
    FileFacts,
    Import,
    Mention,
    Role,
    Statement,
)
from daypack.doors.code.graph.languages import CodeLanguage, language_of
from daypack.text.syntax import PARSE_LIMIT_BYTES, encoded, parse, parser_for, without_macros
from daypack.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_LINES = 50  # that are recorded for a mention
# In unparsed text: a string or comment, or a name before "(" with its owner.
_CALLED = re.compile(
    rb"""\"(?:\\.|[^\"\\])*+\"|//.*|/\*[\s\S]*?\*/|(?:\b([A-Za-z_][\w.:]*?)(?:\.|->|::))?\b([A-Za-z_]\w*)\s*\("""
)
_MACRO = re.compile(rb"\b([A-Z][A-Z0-9_]{2,})(\()?")
_NOT_CALLED = frozenset(b"if for while switch return catch sizeof alignof decltype defined typeof".split())
MOST_SYMBOLS, MOST_MENTIONS = 20_000, 60_000  # per file; a file with more is a generated table


def extract(text: str, language: str) -> FileFacts:
    """The facts of a source text; none for an unknown language or an unparsable text."""
    spec = language_of(language)
    if spec is None or len(text) > PARSE_LIMIT_BYTES or not text.strip():
        return FileFacts(language)
    source = encoded(text)
    parser = parser_for(spec.grammar)
    read = without_macros(source, spec.grammar)
    tree = parse(parser, read) if parser is not None else None
    if tree is None:
        return FileFacts(language)
    from tree_sitter import QueryCursor

    queries = spec.compiled()
    joint: dict[str, list[Captures]] = {}
    for pattern, captures in QueryCursor(queries.joint).matches(tree.root_node):
        joint.setdefault(queries.kinds[pattern], []).append(captures)
    alone = QueryCursor(queries.alone).captures(tree.root_node)  # captures are unordered, matches are ordered
    for nodes in alone.values():
        nodes.sort(key=_start)
    return _Reading(source, spec, language).read(joint, alone, _blanked(source, read))


def _blanked(source: bytes, read: bytes) -> list[re.Match[bytes]]:
    """The macros that were left out for the grammar: they are used all the same."""
    if read == source:
        return []
    return [found for found in _MACRO.finditer(source) if read[found.start()] != source[found.start()]]


_start = attrgetter("start_byte")


class _Reading:
    """Extracts the facts of one file."""

    def __init__(self, source: bytes, spec: CodeLanguage, language: str) -> None:
        self.source, self.spec, self.language = source, spec, language
        self.taken: dict[int, int] = {}  # start → end of the names that a capture of higher rank has taken
        self.definitions: list[Definition] = []
        self.scopes: Scopes

    def read(
        self, by_kind: dict[str, list[Captures]], alone: Captures, macros: Sequence[re.Match[bytes]]
    ) -> FileFacts:
        packages = [node for found in by_kind.get("package", ()) for node in found["package"]]
        imports, statements = self._imports(by_kind.get("import", ()), packages)
        self._define(by_kind.get("definition", ()))
        by_name = {found.name.start_byte: found for found in self.definitions}
        for captures in by_kind.get("named", ()):
            if (definition := by_name.get(captures["named"][0].start_byte)) is not None:
                definition.captures.setdefault("returns", captures["return_type"])
        for found in by_kind.get("ignore", ()):
            self._take(*found["ignore"])
        self._take(*alone.get("ignore", ()))
        self.scopes = Scopes(self.definitions)
        docs = {
            self.scopes.at(found["doc"][0].start_byte): found["doc"][0]
            for found in reversed(by_kind.get("doc", []))
        }
        symbols = self._symbols(docs)
        kinds = [symbol.kind for symbol in symbols]
        parents = [symbol.parent for symbol in symbols]
        bindings = self._bindings(by_kind, alone, kinds, parents)
        own: dict[int, set[str]] = {}
        for binding in bindings:
            if not binding.attribute and binding.scope != MODULE:
                own.setdefault(binding.scope, set()).add(binding.name)
        # scope → names that the functions around it bind
        hidden: dict[int, frozenset[str]] = {MODULE: frozenset()}
        for scope, parent in enumerate(parents):
            hidden[scope] = hidden[parent] | own[scope] if scope in own else hidden[parent]
        mentions = self._mentions(by_kind, alone, hidden, macros)
        return FileFacts(
            self.language,
            tuple(symbols),
            mentions,
            imports,
            statements,
            bindings,
            (),
            self._text(packages[0]) if packages else "",
        )

    def _text(self, node: Node) -> str:
        return text_of(self.source, node)

    def _take(self, *nodes: Node) -> None:
        for node in nodes:
            self.taken[node.start_byte] = node.end_byte

    # -- definitions

    def _define(self, matches: Sequence[Captures]) -> None:
        seen: set[tuple[int, int]] = set()
        for captures in matches:
            if "name" not in captures or len(self.definitions) >= MOST_SYMBOLS:
                continue
            label = next(name for name in captures if name.startswith("definition."))
            node, name = captures[label][0], captures["name"][0]
            if self.source[name.start_byte : name.end_byte] == b"_":
                continue
            if (key := (name.start_byte, name.end_byte)) in seen or self._in_import(name.start_byte):
                continue
            seen.add(key)
            outer = node
            while outer.parent is not None and outer.parent.type in self.spec.wrappers:
                outer = outer.parent
            behind = outer.next_named_sibling if self.spec.bodies_behind else None
            last = behind if behind is not None and behind.type in self.spec.bodies_behind else outer
            self.definitions.append(
                Definition(node, outer, last, name, SymbolKind(label.partition(".")[2]), captures)
            )
            self._take(name)
        self.definitions.sort(key=lambda found: (found.start, -found.end, found.name.start_byte))

    def _symbols(self, docs: dict[int, Node]) -> list[CodeSymbol]:
        symbols: list[CodeSymbol] = []
        for index, found in enumerate(self.definitions):
            parent = self.scopes.parents[index]
            kind, name = found.kind, normal_name(self._text(found.name))
            around = symbols[parent] if parent >= 0 else None
            qualified = f"{around.qualified}.{name}" if around is not None else name
            if receiver := found.captures.get("receiver"):
                qualified = f"{type_expression(self._text(receiver[0]), self.spec.transparent).rpartition('.')[2]}.{name}"
                kind = SymbolKind.METHOD if kind is SymbolKind.FUNCTION else kind
            elif "." in name:  # Counter::add, outside of its class
                name = name.rpartition(".")[2]
                kind = SymbolKind.METHOD if kind is SymbolKind.FUNCTION else kind
            elif kind is SymbolKind.FUNCTION and around is not None and around.kind in CLASS_LIKE:
                kind = SymbolKind.METHOD
            if kind is SymbolKind.VARIABLE and self.spec.is_constant(name):
                kind = SymbolKind.CONST
            doc = docs.get(index)
            returns = found.captures.get("returns")
            first, last = found.outer.start_point.row + 1, last_row(found.last) + 1
            about = (
                doc_line(self.source, doc)
                if doc is not None
                else comment_above(self.source, self.spec, found)
            )
            gives = type_expression(self._text(returns[0]), self.spec.transparent) if returns else ""
            line, head = found.name.start_point.row + 1, head_line(self.source, found, doc)
            symbols.append(
                CodeSymbol(
                    name,
                    qualified,
                    kind,
                    first,
                    line,
                    head,
                    last,
                    parent,
                    signature(self.source, found),
                    about,
                    gives,
                )
            )
        return symbols

    # -- imports

    def _imports(
        self, matches: Sequence[Captures], packages: Sequence[Node]
    ) -> tuple[tuple[Import, ...], tuple[Statement, ...]]:
        statements: dict[int, Statement] = {}
        found: dict[Import, None] = {}
        order: dict[int, int] = {}
        spans = []
        for captures in matches:
            node = captures["import"][0]
            start = node.start_byte
            if start not in order:
                order[start] = len(order)
                spans.append((start, node.end_byte))
                raw = text_of(self.source, node, 1_000)
                statements[start] = Statement(node.start_point.row + 1, " ".join(raw.split()).rstrip("; "))
            number = order[start]
            module = unquoted(self._long_text(captures["module"][0])) if "module" in captures else ""
            alias = self._text(captures["alias"][0]) if "alias" in captures else ""
            items = [unquoted(self._text(item)) for item in captures.get("item", ())]
            if "tree" in captures:
                text = self._long_text(captures["tree"][0]).partition(" ")[2].replace("=>", " as ")
                for path, item, name in expanded(text):
                    entry = (
                        Import(path, "*", "*", number)
                        if item in ("_", "*")
                        else Import(f"{path}.{item}", "", name, number)
                    )
                    found.setdefault(entry)
                continue
            if "default" in captures:
                found.setdefault(Import(module, "default", self._text(captures["default"][0]), number))
                continue
            if self.spec.import_braces and not items:
                for path, item, name in expanded(module):
                    found.setdefault(Import(path, item, alias or name, number))
            elif items:
                for item in items:
                    found.setdefault(Import(module, item, alias or item, number))
            elif module:
                found.setdefault(Import(module, "", alias, number))
        self._imported = sorted([*spans, *((node.start_byte, node.end_byte) for node in packages)])
        named = {entry.statement for entry in found if entry.item or entry.name}
        kept = [entry for entry in found if entry.item or entry.name or entry.statement not in named]
        return tuple(kept), tuple(statements.values())

    def _long_text(self, node: Node) -> str:
        return text_of(self.source, node, 4_000)

    def _in_import(self, start: int) -> bool:
        if not self._imported or start >= self._imported[-1][1]:
            return False  # the usual case: imports are at the top of a file
        at = bisect_right(self._imported, (start, len(self.source) + 1)) - 1
        return at >= 0 and start < self._imported[at][1]

    # -- what names are bound to

    def _bindings(
        self, by_kind: dict[str, list[Captures]], alone: Captures, kinds: list[SymbolKind], parents: list[int]
    ) -> tuple[Binding, ...]:
        bound: dict[tuple[int, str, bool], str] = {}
        outside: set[tuple[int, str]] = set()

        defined = {found.name.start_byte for found in self.definitions}

        def around(node: Node, wanted: frozenset[SymbolKind]) -> int:
            """The innermost scope of these kinds around a node, or MODULE."""
            scope = self.scopes.at(node.start_byte)
            while scope >= 0 and kinds[scope] not in wanted:
                scope = parents[scope]
            return scope

        def bind(scope: int, name: str, type_: str, attribute: bool) -> None:
            key = (scope, name, attribute)
            bound[key] = bound.get(key) or type_

        for captures in by_kind.get("default_value", ()):
            bind(MODULE, "default", expression(self._text(captures["default_value"][0])), False)
        for node in alone.get("global", ()):
            outside.add((around(node, FUNCTIONS), self._text(node)))
            self._take(node)
        for captures in (*by_kind.get("local", ()), alone):
            type_ = self._type_of(captures)
            for node in captures.get("local", ()):
                if node.start_byte in defined:
                    continue
                scope, name = around(node, FUNCTIONS), self._text(node)
                in_module = self.scopes.at(node.start_byte) == MODULE
                if (scope == MODULE and not (type_ and in_module)) or (scope, name) in outside:
                    continue
                bind(scope, name, type_ if type_.partition(".")[0] != name else "", False)
                if node.start_byte not in self.taken:
                    self._take(node)
        for captures in by_kind.get("attribute", ()):
            if "self" in captures and self._text(captures["self"][0]) not in self.spec.self_words:
                continue
            type_ = self._type_of(captures)
            for node in captures["attribute"]:
                head, dot, rest = type_.partition(".")
                # self.engine = engine
                if (function := around(node, FUNCTIONS)) != MODULE and (function, head, False) in bound:
                    known = bound[function, head, False]
                    type_ = known + dot + rest if known else ""
                if (scope := around(node, CLASS_LIKE)) >= 0:
                    # Ruby and PHP write them with a sign: @name, $name
                    bind(scope, self._text(node).lstrip("@$"), type_, True)
                self._take(node)
        for index, found in enumerate(self.definitions):
            if found.kind in VALUES and (type_ := self._type_of(found.captures)):
                parent = parents[index]
                bind(parent, self._text(found.name), type_, parent >= 0 and kinds[parent] in CLASS_LIKE)
        return tuple(
            Binding(scope, name, type_, attribute) for (scope, name, attribute), type_ in bound.items()
        )

    def _type_of(self, captures: Captures) -> str:
        if "type" in captures:
            return type_expression(self._text(captures["type"][0]), self.spec.transparent)
        if "value" in captures:
            found = expression(self._long_text(captures["value"][0]))
            return "" if found == "?" else found
        return ""

    # -- mentions

    def _mentions(
        self,
        by_kind: dict[str, list[Captures]],
        alone: Captures,
        hidden: dict[int, frozenset[str]],
        macros: Sequence[re.Match[bytes]],
    ) -> tuple[Mention, ...]:
        lines: dict[tuple[Role, str, str, int], list[int]] = {}
        taken, source, scopes, self_words = self.taken, self.source, self.scopes, self.spec.self_words
        ends = [match.end() for match in re.finditer(rb"\n", source)]
        imported = self._imported[-1][1] if self._imported else 0  # the end of the last import

        def note(role: Role, start: int, end: int, of: str) -> None:
            """Record the name from `start` to `end`, unless another capture has taken it."""
            if (
                end - start > LONGEST_NAME
                or len(lines) >= MOST_MENTIONS
                or (start < imported and self._in_import(start))
            ):
                return
            taken[start] = end
            name, scope = source[start:end].decode("utf-8", "ignore"), scopes.at(start)
            if not of and (name in self_words or name in hidden[scope]):
                return
            key, line = (role, name, of, scope), bisect_right(ends, start) + 1
            if (found := lines.get(key)) is None:
                lines[key] = [line]
            elif len(found) < MOST_LINES and line not in found:
                found.append(line)

        for captures in by_kind.get("extends", ()):
            for node in captures["extends"]:
                path = type_expression(self._long_text(node), frozenset())
                if not path or node.start_byte in self.taken:
                    continue
                of, _, name = path.rpartition(".")
                inner = _last_name(node, name, self.source)
                self._take(node)
                if inner is not None:
                    note(Role.EXTEND, inner.start_byte, inner.end_byte, of)
                    self._take(node)
        for label, role in (("call", Role.CALL), ("use", Role.USE)):
            # Names with an expression before the dot come first: a bare pattern matches them too, without the expression.
            for captures in sorted(by_kind.get(label, ()), key=lambda found: "of" not in found):
                for node in captures[label]:
                    if (start := node.start_byte) not in taken:
                        of = expression(self._long_text(captures["of"][0])) if "of" in captures else ""
                        note(role, start, node.end_byte, of)
            for node in alone.get(label, ()):
                if (start := node.start_byte) not in taken:
                    note(role, start, node.end_byte, "")
        for node in alone.get("calls", ()):
            for match in _CALLED.finditer(source, node.start_byte, node.end_byte):
                if match[2] and match[2] not in _NOT_CALLED:
                    # a bare name is a function, or a member of the scope in which the macro is used
                    owners = (expression(match[1].decode("utf-8", "ignore")),) if match[1] else ("", "?")
                    for of in owners:
                        note(Role.CALL, *match.span(2), of)
        for macro in macros:
            note(Role.CALL if macro[2] else Role.USE, *macro.span(1), "")
        ordered = sorted(lines.items(), key=lambda item: (item[1][0], item[0][0], item[0][1]))
        return tuple(
            Mention(role, name, of, scope, tuple(sorted(at))) for (role, name, of, scope), at in ordered
        )


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
