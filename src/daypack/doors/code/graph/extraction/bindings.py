"""The names that the scopes of one file bind, with the types that annotations and assignments state."""

from __future__ import annotations

from collections.abc import Sequence

from daypack.doors.code.graph.extraction.definitions import Definition, Scopes
from daypack.doors.code.graph.extraction.source import Captures, Matches, Source
from daypack.doors.code.graph.extraction.spelling import expression
from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, MODULE, VALUES, Binding, CodeSymbol
from daypack.text.syntax import Node
from daypack.types import SymbolKind


def bindings_of(
    source: Source,
    scopes: Scopes,
    definitions: Sequence[Definition],
    symbols: Sequence[CodeSymbol],
    matches: Matches,
) -> tuple[Binding, ...]:
    """The bindings of a file. A symbol has the index of its definition."""
    bindings = _Bindings(source, scopes, symbols)
    defined = {definition.name.start_byte for definition in definitions}
    for captures in matches.joint.get("default_value", ()):
        bindings.add_default(captures["default_value"][0])
    for node in matches.alone.get("global", ()):
        bindings.add_global(node)
    for captures in (*matches.joint.get("local", ()), matches.alone):
        bindings.add_locals(captures, defined)
    for captures in matches.joint.get("attribute", ()):
        bindings.add_attributes(captures)
    for definition, symbol in zip(definitions, symbols, strict=True):
        bindings.add_value(definition, symbol)
    return bindings.all()


class _Bindings:
    """The bindings of one file as they are found. The first stated type of a name counts."""

    def __init__(self, source: Source, scopes: Scopes, symbols: Sequence[CodeSymbol]) -> None:
        self._source, self._scopes = source, scopes
        self._kinds = [symbol.kind for symbol in symbols]
        self._parents = [symbol.parent for symbol in symbols]
        self._types: dict[tuple[int, str, bool], str] = {}  # by scope, name and whether it is an attribute
        self._globals: set[tuple[int, str]] = set()  # (function, name)

    def all(self) -> tuple[Binding, ...]:
        return tuple(
            Binding(scope, name, type_, attribute) for (scope, name, attribute), type_ in self._types.items()
        )

    def add_default(self, node: Node) -> None:
        """The export of a file that has no name."""
        self._bind(MODULE, "default", expression(self._source.text(node)), attribute=False)

    def add_global(self, node: Node) -> None:
        """A name that a function assigns but does not own."""
        self._globals.add((self._around(node, FUNCTIONS), self._source.text(node)))
        self._source.take(node)

    def add_locals(self, captures: Captures, defined: set[int]) -> None:
        """Names bound in functions, and those with a type at the top of the file; `defined` has the starts of definitions."""
        type_ = self._source.type_of(captures)
        for node in captures.get("local", ()):
            if node.start_byte in defined:
                continue
            scope, name = self._around(node, FUNCTIONS), self._source.text(node)
            in_module = self._scopes.at(node.start_byte) == MODULE
            if scope == MODULE and not (type_ and in_module):
                if self._source.spec.global_names:
                    self._bind(MODULE, name, "", attribute=False)
                continue
            if (scope, name) in self._globals:
                continue
            self._bind(scope, name, type_ if type_.partition(".")[0] != name else "", attribute=False)
            self._source.take(node)

    def add_attributes(self, captures: Captures) -> None:
        """Names bound on the instance, and fields of a class."""
        source = self._source
        if "self" in captures and source.text(captures["self"][0]) not in source.spec.self_words:
            return
        type_ = source.type_of(captures)
        for node in captures["attribute"]:
            head, dot, rest = type_.partition(".")
            # self.engine = engine
            function = self._around(node, FUNCTIONS)
            if function != MODULE and (local := self._types.get((function, head, False))) is not None:
                type_ = local + dot + rest if local else ""
            if (scope := self._around(node, CLASS_LIKE)) >= 0:
                # Ruby writes them with a sign: @name
                self._bind(scope, source.text(node).lstrip("@"), type_, attribute=True)
            source.take(node)

    def add_value(self, definition: Definition, symbol: CodeSymbol) -> None:
        """A variable or constant that is a definition, when its type is known."""
        if symbol.kind in VALUES and (type_ := self._source.type_of(definition.captures)):
            parent = symbol.parent
            in_class = parent >= 0 and self._kinds[parent] in CLASS_LIKE
            self._bind(parent, self._source.text(definition.name), type_, attribute=in_class)

    def _around(self, node: Node, kinds: frozenset[SymbolKind]) -> int:
        """The innermost scope of these kinds around a node, or MODULE."""
        scope = self._scopes.at(node.start_byte)
        while scope >= 0 and self._kinds[scope] not in kinds:
            scope = self._parents[scope]
        return scope

    def _bind(self, scope: int, name: str, type_: str, *, attribute: bool) -> None:
        key = (scope, name, attribute)
        self._types[key] = self._types.get(key) or type_
