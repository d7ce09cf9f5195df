"""Source code: one piece a function, one a class header, the rest in runs of lines.

    import os                ┐ rest                      module scope
    LIMIT = 3                ┘
    class Retry:             ┐ header of Retry           opens a scope; what follows is looked at inside it
        \"\"\"Again.\"\"\"         │
        attempts = 0         ┘
        # how often          ┐
        @cached              │ Retry.run                 comment and decorator belong to what they stand above
        def run(self): …     ┘
        marker = 1           ─ rest, named Retry         closing the scope

One walk over the tree writes *regions*, each beginning where the last one ended, so they cover the file whatever the tree
looks like. Only scopes and containers are descended into, never a function, and with a list instead of recursion: a file of
ten thousand brackets has a deep tree, but no deep walk. tree-sitter counts bytes; regions are turned to characters in one
pass, as they come in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from daypack.chunk.languages import Language, find
from daypack.chunk.sizing import Draft, split_lines
from daypack.syntax import PARSE_LIMIT_BYTES, encoded, parse, parser_for
from daypack.types import PieceKind, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

BLOCK_LINES = 40  # 20 to 40 rank files equally well (docs/decisions/006-constants.md)
HEADER_LINES = 60
FUNCTION_LINES = 150  # p99 of Python functions is 80
PART_LINES = 100
BLOCK_CHARACTERS = 4_000
HEADER_CHARACTERS = 8_000
FUNCTION_CHARACTERS = 12_000
SIGNATURE_LIMIT = 300
NAME_LIMIT = 200
IMPORT_LIMIT = 1_000

ERROR_SHARE = 0.3  # above it the tree is a guess of the parser, and lines are the better cut
WALK_LIMIT = 200_000  # nodes looked at in one file
SCOPE_DEPTH = 64


class CodeCut(NamedTuple):
    """Drafts of a file, its imports, and why there is no structure, if so."""

    drafts: Iterator[Draft]
    imports: tuple[str, ...] = ()
    fallback: str = ""


def cut_code(text: str, language: str) -> CodeCut:
    """Symbols where the language has a grammar and the file follows it; runs of lines otherwise."""
    spec = find(language)
    if spec is None:
        return CodeCut(blocks(text), fallback="no grammar")
    if len(text) > PARSE_LIMIT_BYTES:
        return CodeCut(blocks(text), fallback="too large to parse")
    if not text or text.isspace():
        return CodeCut(iter(()))
    source = encoded(text)
    parser = parser_for(spec.grammar)
    if parser is None:
        return CodeCut(blocks(text), fallback="no grammar")
    tree = parse(parser, source)
    if tree is None:
        return CodeCut(blocks(text), fallback="parsing took too long")
    if _error_share(tree.root_node, spec) > ERROR_SHARE:
        return CodeCut(blocks(text), fallback="syntax errors")
    walk = _Walk(source, spec)
    walk.run(tree.root_node)
    regions = _tidy(text, _in_characters(text, source, walk.regions))
    return CodeCut(_drafts(text, regions), tuple(walk.imports))


def blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[Draft]:
    """The text in runs of at most 40 lines."""
    for block_start, block_end in split_lines(text, start, len(text) if end is None else end, BLOCK_LINES, BLOCK_CHARACTERS):
        yield Draft(block_start, block_end, PieceKind.BLOCK)


def _error_share(root: Node, spec: Language) -> float:
    """The share of the file that stands in error nodes, without the definitions that were understood inside them."""
    if not root.has_error or root.end_byte <= root.start_byte:
        return 0.0
    errors = 0
    visited = 0
    stack = [root]
    while stack and visited < WALK_LIMIT:
        node = stack.pop()
        visited += 1
        if node.is_error:
            errors += node.end_byte - node.start_byte
            for child in node.named_children:
                if child.type in spec.functions or child.type in spec.containers or child.type in spec.wrappers:
                    errors -= child.end_byte - child.start_byte
        elif node.has_error:
            stack.extend(node.children)
    return errors / (root.end_byte - root.start_byte)


# ---------------------------------------------------------------- the walk


class Region(NamedTuple):
    """A stretch of the file with its label: bytes at first, characters later. `symbol` is None for rest."""

    start: int
    end: int
    kind: PieceKind
    name: str
    trail: tuple[str, ...]
    signature: str
    symbol: SymbolKind | None
    section: int


@dataclass(slots=True)
class _Scope:
    """An open container; the module is the outermost."""

    path: tuple[str, ...]
    symbol: SymbolKind | None = None
    signature: str = ""
    header: bool = False  # its header has not been written yet


class _Frame(NamedTuple):
    """The children that are still to be looked at, and where the container ends that they stand in (-1: none)."""

    children: Iterator[Node]
    closes: int
    depth: int


class _Found(NamedTuple):
    """A definition inside its wrappers. `bound` is the node that names it, when it has no name of its own."""

    node: Node
    bound: Node | None


_METHOD_SCOPES = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.IMPL, SymbolKind.ENUM})
_DECORATORS = frozenset({"decorator", "annotation", "marker_annotation", "attribute_list", "attribute", "attribute_item"})
_LEADS = _DECORATORS | {"comment", "line_comment", "block_comment", "multiline_comment", "doc_comment", "access_specifier"}
_BODIES = frozenset(
    {
        "block",
        "body_statement",
        "class_body",
        "compound_statement",
        "constructor_body",
        "declaration_list",
        "enum_body",
        "enum_class_body",
        "enum_variant_list",
        "enumerator_list",
        "field_declaration_list",
        "function_body",
        "interface_body",
        "protocol_body",
        "statement_block",
        "template_body",
    }
)
_NAMES = frozenset({"identifier", "type_identifier", "simple_identifier", "constant", "name", "property_identifier"})
_CLOSURE_PATH = frozenset(
    {
        "call_expression",
        "parenthesized_expression",
        "arguments",
        "function_expression",
        "arrow_function",
        "unary_expression",
        "await_expression",
    }
)
_SIGNATURE_END = re.compile(r"(?:;? end)?[ {:=;]*$")
_CLASS_WORD = re.compile(r"\b(struct|enum|interface|extension|class|actor|object|protocol)\b")
_CLASS_WORDS = {"struct": SymbolKind.STRUCT, "enum": SymbolKind.ENUM, "interface": SymbolKind.INTERFACE, "extension": SymbolKind.IMPL}


class _Walk:
    """Writes `regions` and `imports` of one file."""

    def __init__(self, source: bytes, spec: Language) -> None:
        self.source = source
        self.spec = spec
        self.regions: list[Region] = []
        self.imports: list[str] = []
        self._import_pattern = re.compile(spec.import_pattern) if spec.import_pattern else None
        self._position = 0
        self._section = 0
        self._scopes = [_Scope(())]

    # -- writing

    def _rest(self, end: int) -> None:
        """Everything up to `end` that has no region yet belongs to the innermost scope."""
        if end <= self._position:
            return
        scope = self._scopes[-1]
        name, trail = ".".join(scope.path), scope.path[:-1]
        if scope.header:
            scope.header = False
            region = Region(self._position, end, PieceKind.SYMBOL, name, trail, scope.signature, scope.symbol, self._section)
        else:
            region = Region(self._position, end, PieceKind.BLOCK, name, trail, "", None, self._section)
        self.regions.append(region)
        self._position = end

    def _symbol(self, start: int, end: int, path: tuple[str, ...], signature: str, symbol: SymbolKind) -> None:
        self._rest(start)
        start = max(start, self._position)
        if end > start:
            self.regions.append(Region(start, end, PieceKind.SYMBOL, ".".join(path), path[:-1], signature, symbol, self._section))
            self._position = end

    def _open(self, start: int, path: tuple[str, ...], signature: str, symbol: SymbolKind) -> None:
        self._rest(start)
        if len(self._scopes) == 1:
            self._section += 1
        self._scopes.append(_Scope(path, symbol, signature, header=True))

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
        lead = _Lead()
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
            kind = node.type
            if kind in _LEADS:
                lead.add(node)
                continue
            found = self._find(node) if visited < WALK_LIMIT and frame.depth < SCOPE_DEPTH else None
            if found is not None:
                start = lead.start_for(node)
                lead.forget()
                body = self._define(node, found, start)
                if body is not None:
                    frames.append(_Frame(iter(body.named_children), node.end_byte, frame.depth + 1))
                continue
            lead.forget_unless_adjacent(node)
            if kind in self.spec.imports:
                self._import(node)
            elif (kind in self.spec.scopes or kind == "ERROR") and frame.depth < SCOPE_DEPTH:
                frames.append(_Frame(iter(node.named_children), -1, frame.depth + 1))
            else:
                if self._import_pattern is not None and node.end_byte - node.start_byte <= IMPORT_LIMIT:
                    self._import_call(node)
                if self.spec.closures and kind == "expression_statement" and frame.depth < SCOPE_DEPTH:
                    inside = _closure(node)
                    if inside is not None:
                        frames.append(_Frame(iter(inside.named_children), -1, frame.depth + 1))
        self._rest(len(self.source))

    def _docstring(self, children: list[Node]) -> None:
        """A string that begins the file is a piece of its own, with the few comment lines above it."""
        for node in children:
            if node.type == "comment":
                continue
            if node.type == "expression_statement" and node.named_child_count == 1:
                inner = node.named_children[0]
                if inner.type in ("string", "concatenated_string"):
                    start = 0 if node.start_point.row <= 5 else node.start_byte
                    self._rest(start)
                    self.regions.append(Region(start, node.end_byte, PieceKind.PARAGRAPH, "", (), "", None, 0))
                    self._position = node.end_byte
            return

    def _find(self, node: Node) -> _Found | None:
        """The function or container that a node is or wraps."""
        spec = self.spec
        for _ in range(6):
            kind = node.type
            if kind in spec.functions or kind in spec.containers:
                return _Found(node, None) if self._counts(node) else None
            if kind in spec.values:
                return self._bound(node)
            if kind not in spec.wrappers:
                return None
            for child in node.named_children:
                if (
                    child.type in spec.functions
                    or child.type in spec.containers
                    or child.type in spec.values
                    or child.type in spec.wrappers
                ):
                    node = child
                    break
            else:
                return None
        return None

    def _counts(self, node: Node) -> bool:
        """Whether a node defines something, rather than mention it."""
        if node.type == "type_definition":  # C: typedef struct {…} T
            inner = node.child_by_field_name("type")
            return inner is None or inner.child_by_field_name("body") is not None
        return node.type not in self.spec.needs_body or _body(node) is not None

    def _bound(self, node: Node) -> _Found | None:
        """A function or class that is bound to a name: `f = () => …`, `exports.f = function …`."""
        if node.named_child_count < 2:
            return None
        value = node.child_by_field_name("value") or node.child_by_field_name("right") or node.named_children[-1]
        target = (
            node.child_by_field_name("name")
            or node.child_by_field_name("property")
            or node.child_by_field_name("left")
            or node.named_children[0]
        )
        if value.type == "expression_list" and value.named_children:
            value = value.named_children[0]
        if value.type in self.spec.lambdas:
            return _Found(value, target)
        if value.type == "call_expression":  # const Button = memo(() => …)
            arguments = value.child_by_field_name("arguments")
            for argument in arguments.named_children[:4] if arguments is not None else ():
                if argument.type in self.spec.lambdas and argument.start_point.row != argument.end_point.row:
                    return _Found(argument, target)
        return None

    def _define(self, outer: Node, found: _Found, start: int) -> Node | None:
        """Writes a definition; returns the body to go through when it is a container with one."""
        node, bound = found
        scope = self._scopes[-1]
        own = self._name(node, bound, outer)
        path = (*scope.path, *own) if own else scope.path
        body = _body(node)
        signature = self._signature(outer, node, body)
        if node.type in self.spec.containers:
            symbol = self._container_kind(node, signature)
            if body is None or not _holds_definitions(symbol):
                self._symbol_of_its_own(start, outer.end_byte, path, signature, symbol)
                return None
            self._open(start, path, signature, symbol)
            return body
        inside = scope.symbol in _METHOD_SCOPES or node.type == "method_declaration" or (len(own) > 1)
        self._symbol(start, outer.end_byte, path, signature, SymbolKind.METHOD if inside else SymbolKind.FUNCTION)
        return None

    def _symbol_of_its_own(self, start: int, end: int, path: tuple[str, ...], signature: str, symbol: SymbolKind) -> None:
        """A container without a walk: like an opened one, it is a section when it stands in the module."""
        self._open(start, path, signature, symbol)
        self._close(end)

    def _container_kind(self, node: Node, signature: str) -> SymbolKind:
        kind = self.spec.containers[node.type]
        if node.type == "type_declaration":  # Go
            declared = _go_type(node)
            inner = declared.child_by_field_name("type") if declared is not None else None
            if inner is not None:
                return {"struct_type": SymbolKind.STRUCT, "interface_type": SymbolKind.INTERFACE}.get(inner.type, kind)
        if node.type == "type_definition" and (inner := node.child_by_field_name("type")) is not None:
            return {"struct_specifier": SymbolKind.STRUCT, "union_specifier": SymbolKind.STRUCT, "enum_specifier": SymbolKind.ENUM}.get(
                inner.type, kind
            )
        if kind is SymbolKind.CLASS and node.type == "class_declaration" and self.spec.grammar in ("swift", "kotlin"):
            word = _CLASS_WORD.search(signature)
            return _CLASS_WORDS.get(word[1], kind) if word else kind
        return kind

    # -- names and signatures

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : min(node.end_byte, node.start_byte + 4 * NAME_LIMIT)].decode("utf-8", "ignore")

    def _name(self, node: Node, bound: Node | None, outer: Node) -> tuple[str, ...]:
        """The name's own segments: `("A", "f")` for `A::f`, empty when it has none."""
        if bound is not None:
            return _segments(_EXPORTS.sub("", self._text(bound)).replace(".prototype.", "."))
        kind = node.type
        named: Node | None
        if self.spec.grammar in ("c", "cpp") and kind in ("function_definition", "type_definition"):
            named = _declared(node)
        elif kind == "impl_item":
            named = node.child_by_field_name("type")
        elif kind == "type_declaration":
            declared = _go_type(node)
            named = declared.child_by_field_name("name") if declared is not None else None
        else:
            named = node.child_by_field_name("name")
            if named is None:
                named = next((child for child in node.named_children if child.type in _NAMES), None)
                if named is None or kind in ("companion_object", "init_declaration", "deinit_declaration", "singleton_class"):
                    named = None
        if named is None:
            return self._fixed_name(kind, outer)
        name = self._text(named)
        if kind == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
            return (*_receiver(self._text(receiver)), name)
        segments = _segments(name)
        return segments[-1:] if kind == "impl_item" else segments  # the path of a type is no scope

    def _fixed_name(self, kind: str, outer: Node) -> tuple[str, ...]:
        fixed = {
            "companion_object": "Companion",
            "init_declaration": "init",
            "deinit_declaration": "deinit",
            "subscript_declaration": "subscript",
            "secondary_constructor": "constructor",
            "static_initializer": "static",
        }
        if kind in fixed:
            return (fixed[kind],)
        return ("default",) if outer.type == "export_statement" else ()

    def _signature(self, outer: Node, node: Node, body: Node | None) -> str:
        """The definition up to its body, on one line."""
        start = _after_decorators(outer)
        end = body.start_byte if body is not None and body.start_byte > start else outer.end_byte
        for child in node.children:
            if child.start_byte >= end:
                break
            if child.type.endswith("comment") and child.start_byte > start:
                end = child.start_byte
        raw = self.source[start : min(end, start + 8 * SIGNATURE_LIMIT)].decode("utf-8", "ignore")
        if node.type == "type_definition" and (named := _declared(node)) is not None:
            raw = f"{raw.split('{', 1)[0]} {self._text(named)}"
        elif body is None or node.type == "type_declaration":
            raw = raw.split("{", 1)[0]
        return _SIGNATURE_END.sub("", " ".join(raw.split())[:SIGNATURE_LIMIT])

    # -- imports

    def _import(self, node: Node) -> None:
        if node.type == "import_declaration" and self.spec.grammar == "go":
            for child in node.named_children:
                for spec in child.named_children if child.type == "import_spec_list" else [child]:
                    if spec.type == "import_spec":
                        self._add_import(f"import {self._line(spec)}")
            return
        self._add_import(self._line(node))

    def _import_call(self, node: Node) -> None:
        line = self._line(node)
        if self._import_pattern is not None and self._import_pattern.search(line):
            self._add_import(line)

    def _line(self, node: Node) -> str:
        raw = self.source[node.start_byte : min(node.end_byte, node.start_byte + IMPORT_LIMIT)]
        return " ".join(raw.decode("utf-8", "ignore").split())

    def _add_import(self, line: str) -> None:
        self.imports.append(line)


class _Lead:
    """The comments and attributes that stand directly above the node to come."""

    __slots__ = ("_end_row", "_start", "_start_row")

    def __init__(self) -> None:
        self._start = -1
        self._start_row = -1
        self._end_row = -1  # also of the last node that was no lead: a comment beside it is its own

    def add(self, node: Node) -> None:
        row, end = node.start_point.row, node.end_point
        if self._start < 0 and row <= self._end_row:  # x = 1  # beside
            return
        if self._start < 0 or row > self._end_row + 1:
            self._start, self._start_row = node.start_byte, row
        self._end_row = end.row - 1 if end.column == 0 and end.row > row else end.row

    def start_for(self, node: Node) -> int:
        """Where the piece of `node` begins: with its lead, under a short comment also after blank lines."""
        if self._start < 0:
            return node.start_byte
        distance = node.start_point.row - self._end_row
        short = self._end_row - self._start_row < 3
        return self._start if distance <= 1 or (distance <= 3 and short) else node.start_byte

    def forget(self) -> None:
        self._start = self._start_row = self._end_row = -1

    def forget_unless_adjacent(self, node: Node) -> None:
        self._start = self._start_row = -1
        self._end_row = node.end_point.row


def _holds_definitions(symbol: SymbolKind) -> bool:
    return symbol is not SymbolKind.TYPE


def _body(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    if body is None:
        body = next((child for child in node.named_children if child.type in _BODIES), None)
    return body


def _closure(node: Node) -> Node | None:
    """The statements of the function that a long call is made with: a module wrapper, a test suite."""
    if node.end_point.row - node.start_point.row < BLOCK_LINES:
        return None
    for _ in range(8):
        inner = [child for child in node.named_children if child.type in _CLOSURE_PATH or child.type == "statement_block"]
        if not inner:
            return None
        node = max(inner, key=lambda child: child.end_byte - child.start_byte)
        if node.type == "statement_block":
            return node
    return None


def _declared(node: Node) -> Node | None:
    """The name inside a C declarator: through pointers, references and parameters."""
    current = node.child_by_field_name("declarator")
    for _ in range(16):
        if current is None:
            return None
        inner = current.child_by_field_name("declarator")
        if inner is None and current.type in ("reference_declarator", "parenthesized_declarator", "attributed_declarator"):
            inner = next((child for child in current.named_children if child.type.endswith(("declarator", "identifier"))), None)
        if inner is None:
            return current
        current = inner
    return current


def _go_type(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type in ("type_spec", "type_alias")), None)


def _after_decorators(node: Node) -> int:
    """Where a definition begins without what decorates it."""
    for child in node.children:
        if child.type in _DECORATORS or child.type.endswith("comment"):
            continue
        if child.type == "modifiers":
            plain = next((part for part in child.children if part.type not in _DECORATORS), None)
            if plain is None:
                continue
            return plain.start_byte
        return child.start_byte
    return node.start_byte


_EXPORTS = re.compile(r"(?:module\.)?exports\.|(?:this|window|globalThis|self)\.")
_GENERICS = re.compile(r"<[^<>]*>")


def _segments(name: str) -> tuple[str, ...]:
    """The parts of a qualified name, whatever the language puts between them."""
    if name.isidentifier() and len(name) <= NAME_LIMIT:  # nearly every one
        return (name,)
    if "operator" not in name:
        for _ in range(4):
            name, changed = _GENERICS.subn("", name)
            if not changed:
                break
    parts = re.split(r"::|->|[.:\\]", name[:NAME_LIMIT])
    cleaned = tuple("".join(part.split()).strip("\"'`&*()[]") for part in parts)
    return tuple(part for part in cleaned if part)


_RECEIVER = re.compile(r"\(\s*(?:\w+\s+)?\*?\s*(\w+)")


def _receiver(text: str) -> tuple[str, ...]:
    """The type of a Go receiver: `(r *Retry[T])` is `Retry`."""
    match = _RECEIVER.match(text)
    return (match[1],) if match else ()


# ---------------------------------------------------------------- regions to drafts


def _in_characters(text: str, source: bytes, regions: list[Region]) -> list[Region]:
    """The regions with character offsets. They rise, so each byte is decoded once."""
    if len(text) == len(source):
        return regions
    converted: list[Region] = []
    position_bytes = position = 0
    for region in regions:
        # A region begins where the last one ended; only ends are new.
        start = position + len(source[position_bytes : region.start].decode("utf-8", "ignore"))
        end = start + len(source[region.start : region.end].decode("utf-8", "ignore"))
        position_bytes, position = region.end, end
        converted.append(region._replace(start=start, end=end))
    return converted


# What remains of a scope when its definitions are taken out, and says nothing by itself.
_CLOSER = re.compile(r"(?:[^\w#/\"'`]|//[^\n]*namespace[^\n]*|/\*[^*\n]*\*/|#[ \t]*endif\b[^\n]*|\bend\b)*")
_CLOSER_LIMIT = 200
_OPENER = re.compile(
    r"[\s}]*(?:(?:public|private|protected)(?:\s*:)?\s*)+"
    r"|\s*(?:[^\n]*[:{]|#[ \t]*(?:if|el)[^\n]*)\s*"  # if TYPE_CHECKING:   #else   extern "C" {
)


def _tidy(text: str, regions: list[Region]) -> list[Region]:
    """Lone brackets go to the piece before them, a lone line that opens something to the piece after it."""
    tidy: list[Region] = []
    carried = -1  # start of text that waits for the next region
    for index, region in enumerate(regions):
        if carried >= 0:
            region = region._replace(start=carried)
            carried = -1
        elif region.symbol is None and region.kind is PieceKind.BLOCK and region.end - region.start <= _CLOSER_LIMIT:
            if _CLOSER.fullmatch(text, region.start, region.end):
                if tidy:
                    tidy[-1] = tidy[-1]._replace(end=region.end)
                    continue
                if index + 1 < len(regions):
                    carried = region.start
                    continue
            elif index + 1 < len(regions) and _OPENER.fullmatch(text, region.start, region.end):
                carried = region.start
                continue
        tidy.append(region)
    return tidy


def _drafts(text: str, regions: list[Region]) -> Iterator[Draft]:
    """The regions in parts that are not too long; every part keeps the label."""
    for region in regions:
        lines = text.count("\n", region.start, region.end) + 1
        length = region.end - region.start
        if region.symbol in (SymbolKind.FUNCTION, SymbolKind.METHOD):
            whole = lines <= FUNCTION_LINES and length <= FUNCTION_CHARACTERS
            max_lines, limit = PART_LINES, FUNCTION_CHARACTERS
        elif region.symbol is not None or region.kind is PieceKind.PARAGRAPH:
            whole = lines <= HEADER_LINES and length <= HEADER_CHARACTERS
            max_lines, limit = HEADER_LINES, HEADER_CHARACTERS
        else:
            whole = lines <= BLOCK_LINES and length <= BLOCK_CHARACTERS
            max_lines, limit = BLOCK_LINES, BLOCK_CHARACTERS
        spans = ((region.start, region.end),) if whole else split_lines(text, *_trimmed(text, region.start, region.end), max_lines, limit)
        for start, end in spans:
            yield Draft(start, end, region.kind, region.name, region.trail, region.signature, region.symbol, region.section)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without its blank ends, so that blank lines do not count as lines of a piece."""
    body = text[start:end].rstrip()
    lead = len(body) - len(body.lstrip())
    return start + max(0, body.rfind("\n", 0, lead) + 1), start + len(body)
