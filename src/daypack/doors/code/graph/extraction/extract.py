"""Facts of one source file: its symbols, their mentions, its imports, and the types of its names.

Each language has one tree-sitter query that finds them. Its captures:

    @definition.KIND    a definition with its @name; @returns is its result type, @type or @value those of a variable,
                        @receiver the type of a method that is written outside of its type
    @named              the name of a definition that another pattern captures, with its @return_type
    @doc                a docstring of the definition around it
    @import             an import statement: @module, @item, @alias; @module alone imports the module, @default its default
    @all                the word of an import that brings all names of @module
    @tree               all that an import names, with braces: a.{B, C => D}
    @default_value      the export that a file gives to imports without a name
    @calls              text that the grammar does not parse, as the body of a macro: names before "(" are called, others used
    @tokens             brackets whose content the grammar reads as tokens, as the arguments of a macro
    @call, @use         a name that is called, or used otherwise; @of is the expression before its dot
    @case               a label that is a member of the type of @of, or a name of the scope
    @outer              a name in the head of a function, where its parameters hide nothing
    @extends            a base of the definition around it
    @local              a name bound in a function, with its @type or @value
    @attribute          a name bound on @self, or a field of the definition around it
    @global             a name that a function assigns but does not own
    @package            the name that the file gives its package
    @facade             the name that the file gives the class of its functions
    @ignore             an identifier that names nothing
    @types              a statement about types: it calls nothing

A node that is captured several times counts once: as a definition rather than a call, as a call rather than a use.
Expressions are texts of names, dots and empty parentheses in all languages: `a->b::<T>(x)?.c` becomes `a.b().c`.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from daypack.doors.code.graph.extraction.bindings import bindings_of
from daypack.doors.code.graph.extraction.definitions import (
    Definition,
    Scopes,
    comment_above,
    doc_line,
    head_line,
    last_row,
    signature,
)
from daypack.doors.code.graph.extraction.imports import imports_of
from daypack.doors.code.graph.extraction.mentions import mentions_of
from daypack.doors.code.graph.extraction.source import Captures, Matches, Source
from daypack.doors.code.graph.extraction.spelling import normal_name, type_expression
from daypack.doors.code.graph.facts import (
    CLASS_LIKE,
    MODULE,
    Binding,
    CodeSymbol,
    FileFacts,
    Import,
    Statement,
)
from daypack.doors.code.graph.languages import CodeLanguage, language_of
from daypack.text import syntax
from daypack.types import SymbolKind

_MACRO = re.compile(rb"\b([A-Z][A-Z0-9_]{2,})(\()?")
MOST_SYMBOLS = 20_000  # per file; a file with more is a generated table


def extract(text: str, language: str) -> FileFacts:
    """The facts of a source text; none for an unknown language or an unparsable text."""
    spec = language_of(language)
    if spec is None or len(text) > syntax.PARSE_LIMIT_BYTES or not text.strip():
        return FileFacts(language)
    content = syntax.without_directives(syntax.encoded(text), spec.grammar)
    parser = syntax.parser_for(spec.grammar)
    if parser is None:
        return FileFacts(language)
    tree, parsed = syntax.parse_code(parser, syntax.without_macros(content, spec.grammar), spec.grammar)
    if tree is None:
        return FileFacts(language)
    matches = _matches(spec, tree.root_node)
    return _facts(Source(content, spec), language, matches, _left_out_macros(content, parsed))


def _matches(spec: CodeLanguage, root: syntax.Node) -> Matches:
    from tree_sitter import QueryCursor

    queries = spec.compiled()
    joint: dict[str, list[Captures]] = {}
    for pattern, captures in QueryCursor(queries.joint).matches(root):
        joint.setdefault(queries.kinds[pattern], []).append(captures)
    alone = QueryCursor(queries.alone).captures(root)  # captures are unordered, matches are ordered
    for nodes in alone.values():
        nodes.sort(key=attrgetter("start_byte"))
    return Matches(joint, alone)


def _left_out_macros(content: bytes, parsed: bytes) -> list[re.Match[bytes]]:
    """The macros that were left out for the grammar: they are used all the same."""
    if parsed == content:
        return []
    return [match for match in _MACRO.finditer(content) if parsed[match.start()] != content[match.start()]]


def _facts(source: Source, language: str, matches: Matches, macros: Iterable[re.Match[bytes]]) -> FileFacts:
    packages = [node for captures in matches.joint.get("package", ()) for node in captures["package"]]
    facades = [node for captures in matches.joint.get("facade", ()) for node in captures["facade"]]
    imports, statements = imports_of(source, matches.joint.get("import", ()), packages)
    definitions = _definitions(source, matches)
    for captures in matches.joint.get("ignore", ()):
        source.take(*captures["ignore"])
    source.take(*matches.alone.get("ignore", ()))
    source.take(*_types_like_calls(matches))
    scopes = Scopes(definitions)
    symbols = _symbols(source, definitions, scopes, matches.joint.get("doc", ()))
    bindings = bindings_of(source, scopes, definitions, symbols, matches)
    hidden, loose = _hidden(symbols, bindings), _loose(source.spec, symbols, bindings)
    mentions = mentions_of(source, scopes, hidden, loose, matches, macros)
    return FileFacts(
        language,
        tuple(symbols),
        mentions,
        tuple(_of_own_module(source.spec, imports, statements, symbols)),
        statements,
        bindings,
        module=source.text(packages[0]).replace("::", ".") if packages else "",
        facade=source.text(facades[0]) if facades else "",
        tests=tuple([i for i, found in enumerate(definitions) if _is_marked_as_test(source, found)]),
        declared=tuple([i for i, found in enumerate(definitions) if _is_declared(source.spec, found)]),
    )


def _of_own_module(
    spec: CodeLanguage,
    imports: Iterable[Import],
    statements: Sequence[Statement],
    symbols: Sequence[CodeSymbol],
) -> Iterator[Import]:
    """The imports, with the full name of the module around them for the word that means it: `alias __MODULE__.User`."""
    for entry in imports:
        first, dot, rest = entry.module.partition(".")
        if spec.modules == "package" and first in spec.self_words:
            line = statements[entry.statement].line
            around = [
                one.qualified
                for one in symbols
                if one.kind in CLASS_LIKE and one.line <= line <= one.end_line
            ]
            entry = entry._replace(module="".join([*around[-1:], dot, rest]))
        yield entry


def _types_like_calls(matches: Matches) -> Iterator[syntax.Node]:
    """The names of types that are written as calls: `@spec low(Tide.level()) :: integer()`."""
    spans = [node.byte_range for captures in matches.joint.get("types", ()) for node in captures["types"]]
    called = [node for captures in matches.joint.get("call", ()) for node in captures["call"]]
    for node in (*called, *matches.alone.get("call", ())) if spans else ():
        at = bisect_right(spans, (node.start_byte, sys.maxsize)) - 1
        if at >= 0 and node.start_byte < spans[at][1]:
            yield node


def _is_marked_as_test(source: Source, found: Definition) -> bool:
    return syntax.is_marked_as_test(source.content, found.outer, source.spec.grammar)


def _is_declared(spec: CodeLanguage, found: Definition) -> bool:
    return spec.prototypes and found.node.type.endswith("declaration")


def _hidden(symbols: Sequence[CodeSymbol], bindings: Iterable[Binding]) -> dict[int, frozenset[str]]:
    """By scope: the names that the functions around it bind."""
    local: dict[int, set[str]] = {}
    for binding in bindings:
        if not binding.attribute and binding.scope != MODULE:
            local.setdefault(binding.scope, set()).add(binding.name)
    hidden: dict[int, frozenset[str]] = {MODULE: frozenset()}
    for scope, symbol in enumerate(symbols):
        around = hidden[symbol.parent]
        hidden[scope] = around | local[scope] if scope in local else around
    return hidden


def _loose(spec: CodeLanguage, symbols: Sequence[CodeSymbol], bindings: Iterable[Binding]) -> frozenset[str]:
    """The names that code outside of all functions binds, in languages in which a name may otherwise mean that of any file."""
    if not spec.global_names:
        return frozenset()
    bound = {binding.name for binding in bindings if binding.scope == MODULE and not binding.attribute}
    return frozenset(bound - {symbol.name for symbol in symbols})


def _definitions(source: Source, matches: Matches) -> list[Definition]:
    """The definitions of a file by their beginnings, an outer one before those inside it. Their names are taken."""
    definitions: list[Definition] = []
    seen: set[tuple[int, int]] = set()
    for captures in matches.joint.get("definition", ()):
        if "name" not in captures or len(definitions) >= MOST_SYMBOLS:
            continue
        name = captures["name"][0]
        key = (name.start_byte, name.end_byte)
        if source.content[slice(*key)] == b"_" or key in seen or source.in_import(name.start_byte):
            continue
        seen.add(key)
        definitions.append(_definition(source.spec, name, captures))
        source.take(name)
    definitions.sort(key=lambda found: (found.start, -found.end, found.name.start_byte))
    by_name = {definition.name.start_byte: definition for definition in definitions}
    for captures in matches.joint.get("named", ()):
        if (definition := by_name.get(captures["named"][0].start_byte)) is not None:
            definition.captures.setdefault("returns", captures["return_type"])
    return definitions


def _definition(spec: CodeLanguage, name: syntax.Node, captures: Captures) -> Definition:
    """A definition with the wrappers around its node, and the body behind it."""
    label = next(label for label in captures if label.startswith("definition."))
    node = outer = captures[label][0]
    while outer.parent is not None and outer.parent.type in spec.wrappers:
        outer = outer.parent
    behind = outer.next_named_sibling if spec.bodies_behind else None
    last = behind if behind is not None and behind.type in spec.bodies_behind else outer
    return Definition(node, outer, last, name, SymbolKind(label.partition(".")[2]), captures)


def _symbols(
    source: Source, definitions: Sequence[Definition], scopes: Scopes, docs: Sequence[Captures]
) -> list[CodeSymbol]:
    doc_of = {scopes.at(captures["doc"][0].start_byte): captures["doc"][0] for captures in reversed(docs)}
    symbols: list[CodeSymbol] = []
    for index, definition in enumerate(definitions):
        parent = scopes.parents[index]
        symbols.append(
            _symbol(source, definition, parent, symbols[parent] if parent >= 0 else None, doc_of.get(index))
        )
    return symbols


def _symbol(
    source: Source, definition: Definition, parent: int, around: CodeSymbol | None, doc: syntax.Node | None
) -> CodeSymbol:
    """The symbol of a definition inside the symbol `around` it."""
    spec, content = source.spec, source.content
    name, qualified, kind = _naming(source, definition, around)
    returns = definition.captures.get("returns")
    return CodeSymbol(
        name,
        qualified,
        kind,
        start_line=definition.outer.start_point.row + 1,
        line=definition.name.start_point.row + 1,
        head_line=head_line(content, definition, doc),
        end_line=last_row(definition.last) + 1,
        parent=parent,
        signature=signature(content, definition),
        doc=doc_line(content, doc) if doc is not None else comment_above(content, spec, definition),
        returns=type_expression(source.text(returns[0]), spec.transparent) if returns else "",
    )


def _naming(source: Source, definition: Definition, around: CodeSymbol | None) -> tuple[str, str, SymbolKind]:
    """(name, qualified name, kind) of a symbol: a function in a class, or of a receiver, is a method."""
    spec, kind = source.spec, definition.kind
    name = normal_name(source.text(definition.name))
    qualified = f"{around.qualified}.{name}" if around is not None else name
    in_class = around is not None and around.kind in CLASS_LIKE
    if receiver := definition.captures.get("receiver"):
        owner = type_expression(source.text(receiver[0]), spec.transparent).rpartition(".")[2]
        qualified, in_class = f"{owner}.{name}", True
    elif "." in name and not spec.dotted_names:  # Counter::add, outside of its class
        name, in_class = name.rpartition(".")[2], True
    if kind is SymbolKind.FUNCTION and in_class:
        kind = SymbolKind.METHOD
    elif kind is SymbolKind.VARIABLE and spec.is_constant(name):
        kind = SymbolKind.CONST
    return name, qualified, kind
