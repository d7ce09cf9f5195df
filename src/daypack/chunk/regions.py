"""A walk over the syntax tree of a file, which writes its regions, from the first byte to the last: drafts that count bytes.

The walk descends into scopes and containers, but not into functions. It uses a list instead of recursion, because ten
thousand nested brackets make a deep tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from daypack.chunk.definitions import DECORATORS, NAME_LIMIT, Definition, Definitions, body_of
from daypack.chunk.languages.language import Language
from daypack.chunk.sizing import CHARACTERS_PER_TOKEN, PIECE_TOKENS, Draft
from daypack.text.name_sets import name_set
from daypack.text.syntax import Node, is_marked_as_test
from daypack.types import PieceKind, SymbolKind

IMPORT_LIMIT = 1_000
EXPORT_LIMIT = 30_000  # a file may export the names of a whole library in one statement
WALK_LIMIT = 200_000  # nodes that are visited per file
SCOPE_DEPTH = 64
CLOSURE_LINES = 40  # a shorter call is one piece
RUN_BYTES = PIECE_TOKENS * CHARACTERS_PER_TOKEN  # most bytes of a run of short definitions in one piece
CLAUSE_LINES = 40  # most lines of a function's clauses in one piece

_METHOD_SCOPES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.IMPL,
        SymbolKind.ENUM,
        SymbolKind.VARIABLE,
    }
)
_LEADS = DECORATORS | name_set(
    "comment line_comment block_comment multiline_comment doc_comment access_specifier"
)
_CLOSURE_PATH = name_set(
    "call_expression parenthesized_expression arguments function_expression arrow_function "
    "unary_expression await_expression"
)


@dataclass(slots=True)
class _Scope:
    """An open container; the module is the outermost."""

    path: tuple[str, ...]
    symbol: SymbolKind | None = None
    signature: str = ""
    header: bool = False  # its header has not been written yet
    is_test: bool = False


class _Frame(NamedTuple):
    """The children still to visit, and the end of their container (-1: none)."""

    children: Iterator[Node]
    closes: int
    depth: int


class Walk:
    """Writes `regions` and `imports` of one file."""

    def __init__(self, source: bytes, spec: Language) -> None:
        self.source = source
        self.spec = spec
        self._definitions = Definitions(source, spec)
        self.regions: list[Draft] = []
        self.imports: list[str] = []
        self._import_pattern = re.compile(spec.import_pattern) if spec.import_pattern else None
        self._position = 0
        self._section = 0
        self._scopes = [_Scope(())]
        self._in_run = False  # the last region is a run of short functions

    @property
    def understood(self) -> int:
        """Bytes in definitions."""
        return sum(region.end - region.start for region in self.regions if region.symbol is not None)

    # -- writing

    def _rest(self, end: int) -> None:
        """Write a region of the innermost scope for the bytes up to `end` that have none yet."""
        if end > self._position:
            scope = self._scopes[-1]
            defines, scope.header = scope.header, False
            self._write(end, scope, defines=defines)

    def _write(self, end: int, scope: _Scope, *, defines: bool) -> None:
        """Write a region up to `end`: the definition of a scope, or lines inside it."""
        kind = PieceKind.SYMBOL if defines else PieceKind.BLOCK
        signature, symbol = (scope.signature, scope.symbol) if defines else ("", None)
        name, trail = ".".join(scope.path), scope.path[:-1]
        self.regions.append(
            Draft(self._position, end, kind, name, trail, signature, symbol, self._section, scope.is_test)
        )
        self._position = end

    def _symbol(self, start: int, end: int, scope: _Scope) -> None:
        self._rest(start)
        if end > self._position:
            self._write(end, scope, defines=True)

    def _open(self, start: int, scope: _Scope) -> None:
        self._rest(start)
        if len(self._scopes) == 1:
            self._section += 1
        scope.header = True
        self._scopes.append(scope)

    def _close(self, end: int) -> None:
        self._rest(end)
        self._scopes.pop()
        if len(self._scopes) == 1:
            self._section += 1

    # -- reading

    def run(self, root: Node) -> None:
        """Writes the regions of the whole file."""
        children = root.named_children
        if self.spec.docstring:
            self._docstring(children)
        frames = [_Frame(iter(children), -1, 0)]
        lead = _Lead(self.source)
        visited = 0
        while frames:
            frame = frames[-1]
            node = next(frame.children, None)
            if node is None:
                if frame.closes >= 0:
                    self._close(frame.closes)
                frames.pop()
                lead.forget()
                continue
            visited += 1
            kind = self._definitions.kind(node)
            if kind in _LEADS or kind in self.spec.leads:
                lead.add(node)
                continue
            may_open = frame.depth < SCOPE_DEPTH
            found = self._definitions.of(node) if visited < WALK_LIMIT and may_open else None
            if found is not None:
                start = lead.start_for(node)
                lead.forget()
                body = self._define(node, found, start)
                if body is not None:
                    frames.append(_Frame(iter(body.named_children), node.end_byte, frame.depth + 1))
                continue
            if not (kind in self.spec.scopes and _begins_with_child(node)):
                lead.forget_unless_adjacent(node)
            inside = self._read_other(node, kind, may_open=may_open)
            if inside is not None:
                frames.append(_Frame(iter(inside.named_children), -1, frame.depth + 1))
        self._rest(len(self.source))

    def _read_other(self, node: Node, kind: str, *, may_open: bool) -> Node | None:
        """Note the imports of a node that is not a definition; returns the node whose children may be definitions."""
        if kind in self.spec.imports:
            self._import(node)
        elif kind == "export_statement" and _only_names(node):
            self.imports.append(self._line(node, EXPORT_LIMIT))
        elif may_open and (kind in self.spec.scopes or kind == "ERROR"):
            return node
        else:
            if self._import_pattern is not None and node.end_byte - node.start_byte <= IMPORT_LIMIT:
                self._import_call(node)
            if may_open and self.spec.closures and kind == "expression_statement":
                return _closure(node)
        return None

    def _docstring(self, children: list[Node]) -> None:
        """Write a region for a string at the beginning of the file, together with the few comment lines above it."""
        for node in children:
            if node.type == "comment":
                continue
            if node.type == "expression_statement" and node.named_child_count == 1:
                inner = node.named_children[0]
                if inner.type in ("string", "concatenated_string"):
                    start = 0 if node.start_point.row <= 5 else node.start_byte
                    self._rest(start)
                    self.regions.append(Draft(start, node.end_byte, PieceKind.PARAGRAPH))
                    self._position = node.end_byte
            return

    def _define(self, outer: Node, found: Definition, start: int) -> Node | None:
        """Writes a definition; returns the body to walk for a container that has one, else None."""
        node, bound = found
        scope = self._scopes[-1]
        own = self._definitions.name(node, bound, outer)
        path = (*scope.path, *own) if own else scope.path
        body = body_of(node)
        signature = self._definitions.signature(outer, node, body)
        kind = self._definitions.kind(node)
        is_test = scope.is_test or is_marked_as_test(self.source, outer, self.spec.grammar)
        if kind in self.spec.containers or kind in self.spec.objects:
            symbol = self._definitions.container_kind(node, signature)
            if symbol is SymbolKind.TYPE and scope.header and scope.symbol is SymbolKind.IMPL:
                return None  # an associated type is part of the line that opens its block
            small = self.spec.compact and symbol is not SymbolKind.MODULE
            is_short = small and outer.end_byte - start <= RUN_BYTES
            self._open(start, _Scope(path, symbol, signature, is_test=is_test))
            if body is None or symbol is SymbolKind.TYPE or is_short:
                self._close(outer.end_byte)
                return None
            return body
        after = outer.next_named_sibling if self.spec.tail else None
        end = after.end_byte if after is not None and after.type == self.spec.tail else outer.end_byte
        if self._is_another_clause(start, end, ".".join(path)):
            self._go_on(end)
            return None
        if self._is_in_run(node, outer, start, end, scope.path):
            self._go_on(end, ", ".join(own))
            return None
        self._in_run = node.type in self.spec.values or not self.spec.heads
        inside = scope.symbol in _METHOD_SCOPES or node.type == "method_declaration" or (len(own) > 1)
        symbol = SymbolKind.METHOD if inside else SymbolKind.FUNCTION
        self._symbol(start, end, _Scope(path, symbol, signature, is_test=is_test))
        return None

    def _is_another_clause(self, start: int, end: int, name: str) -> bool:
        """True for a further clause of the function above: Elixir writes a function as several definitions, many of one line."""
        if not self.spec.clauses or not self.regions or self.regions[-1].name != name:
            return False
        last = self.regions[-1]
        return (
            last.symbol in (SymbolKind.FUNCTION, SymbolKind.METHOD)
            and not self.source[last.end : start].strip()
            and self.source.count(b"\n", last.start, end) < CLAUSE_LINES
        )

    def _is_in_run(self, node: Node, outer: Node, start: int, end: int, path: tuple[str, ...]) -> bool:
        """True for a short definition that continues a run of short ones above it; after a comment a new run begins."""
        if not self.spec.runs or not self.regions or start < outer.start_byte:
            return False
        if self.spec.heads and not (self._in_run and node.type in self.spec.values):
            return False
        last = self.regions[-1]
        return (
            last.symbol in (SymbolKind.FUNCTION, SymbolKind.METHOD)
            and last.trail == path
            and not self.source[last.end : start].strip()
            and end - last.start <= RUN_BYTES
        )

    def _go_on(self, end: int, also: str = "") -> None:
        """Extend the last region to `end`, and add a name to it."""
        last = self.regions[-1]
        is_new = also and not (self.spec.heads and also in last.name.split(", "))
        self.regions[-1] = last._replace(
            end=end, name=f"{last.name}, {also}"[:NAME_LIMIT] if is_new else last.name
        )
        self._position = end

    # -- imports

    def _import(self, node: Node) -> None:
        if node.type == "import_declaration" and self.spec.grammar == "go":
            for child in node.named_children:
                for spec in child.named_children if child.type == "import_spec_list" else [child]:
                    if spec.type == "import_spec":
                        self.imports.append(f"import {self._line(spec)}")
            return
        self.imports.append(self._line(node))

    def _import_call(self, node: Node) -> None:
        line = self._line(node)
        if self._import_pattern is not None and self._import_pattern.search(line):
            self.imports.append(line)

    def _line(self, node: Node, limit: int = IMPORT_LIMIT) -> str:
        raw = self.source[node.start_byte : min(node.end_byte, node.start_byte + limit)]
        return " ".join(raw.decode("utf-8", "ignore").split())


def _only_names(node: Node) -> bool:
    """True for an export of names that are defined elsewhere: in another module, or above."""
    of_module = node.child_by_field_name("source") is not None
    return of_module or any(child.type == "export_clause" for child in node.named_children)


class _Lead:
    """The comments and attributes directly above the next node; a short comment, as a title, may be above blank lines."""

    __slots__ = ("_end_row", "_is_doc", "_row", "_source", "_start")

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._start = -1
        self._row = -1  # the first row of the lines that no blank line separates
        self._end_row = -1  # also that of the last other node, to which a comment in the same row belongs
        self._is_doc = False

    def add(self, node: Node) -> None:
        row = node.start_point.row
        if self._start < 0 and row <= self._end_row:  # x = 1  # beside
            return
        if self._start < 0 or row > self._end_row + 1:
            if not self._reaches(row):
                self._start = node.start_byte
            self._row = row
            # The first comment of a file describes the file.
            self._is_doc = row > 0 and self._source.startswith(b"/**", node.start_byte)
        self._end_row = _last_row(node)

    def start_for(self, node: Node) -> int:
        """The start of the piece of `node`, with its lead if the lead reaches the node."""
        row = node.start_point.row
        is_above = row <= self._end_row + 1 or (self._is_doc and row == self._end_row + 2)
        return self._start if self._start >= 0 and (is_above or self._reaches(row)) else node.start_byte

    def _reaches(self, row: int) -> bool:
        """True when the lead is short, and at most two blank lines are between it and the row."""
        return self._start >= 0 and row - self._end_row <= 3 and self._end_row - self._row < 3

    def forget(self) -> None:
        self._start = self._row = self._end_row = -1
        self._is_doc = False

    def forget_unless_adjacent(self, node: Node) -> None:
        self._start = self._row = -1
        self._end_row = _last_row(node)
        self._is_doc = False


def _begins_with_child(node: Node) -> bool:
    """True for a scope without a word of its own, whose first definition has the comments above the scope: a body of HCL."""
    return bool(node.named_children) and node.named_children[0].start_byte == node.start_byte


def _last_row(node: Node) -> int:
    """The row in which a node ends. In some grammars the line break belongs to the node; it is not counted."""
    start, end = node.start_point, node.end_point
    return end.row - 1 if end.column == 0 and end.row > start.row else end.row


def _closure(node: Node) -> Node | None:
    """The body of the function that is an argument of a long call, as a module wrapper or a test suite; else None."""
    if node.end_point.row - node.start_point.row < CLOSURE_LINES:
        return None
    for _ in range(8):
        inner = [
            child
            for child in node.named_children
            if child.type in _CLOSURE_PATH or child.type == "statement_block"
        ]
        if not inner:
            return None
        node = max(inner, key=lambda child: child.end_byte - child.start_byte)
        if node.type == "statement_block":
            return node
    return None
