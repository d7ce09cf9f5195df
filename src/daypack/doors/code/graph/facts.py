"""The nouns of the graph: the facts of one file, and the relations between symbols of several files.

Facts belong to a text, not to a file: equal texts in two files have equal facts, so the hash of the text is their key.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import NamedTuple

from daypack.types import SymbolKind

FACTS_VERSION = 15
"""Raise it whenever extraction gives other facts for the same text."""

MODULE = -1
"""The scope, and the symbol, that a file itself is."""


CLASS_LIKE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.IMPL,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
VALUES = frozenset({SymbolKind.CONST, SymbolKind.VARIABLE})


class Role(enum.StrEnum):
    """The way in which a name is mentioned."""

    CALL = "call"
    USE = "use"
    EXTEND = "extend"


class Relation(enum.StrEnum):
    """The relation of one symbol to another. `inverse` names it as seen from the target."""

    CALLS = "calls"
    USES = "uses"
    IMPORTS = "imports"
    CONTAINS = "contains"
    EXTENDS = "extends"
    TESTED_BY = "tested_by"
    LINKS = "links"

    @property
    def inverse(self) -> str:
        return _INVERSE[self.value]


_INVERSE = {
    "calls": "called_by",
    "uses": "used_by",
    "imports": "imported_by",
    "contains": "contained_in",
    "extends": "extended_by",
    "tested_by": "tests",
    "links": "linked_by",
}


class CodeSymbol(NamedTuple):
    """A definition. Lines are 1-based and inclusive: `start_line` that of its first decorator, `line` that of its name,
    `head_line` the last line of its signature or, with a docstring, the first line of the docstring.

    `parent` is the index of the symbol around it, MODULE for none; `returns` is the type of a call's result as written,
    without its wrappers.
    """

    name: str
    qualified: str
    kind: SymbolKind
    start_line: int
    line: int
    head_line: int
    end_line: int
    parent: int
    signature: str
    doc: str
    returns: str


class Mention(NamedTuple):
    """A name used inside `scope`. `of` is the expression before its dot: "" for none, "?" for an unclear one."""

    role: Role
    name: str
    of: str
    scope: int
    lines: tuple[int, ...]


class Import(NamedTuple):
    """One imported name: `item` of `module`, bound to `name`. `item` is "*" for all items, "" for the module itself."""

    module: str
    item: str
    name: str
    statement: int


class Statement(NamedTuple):
    """An import statement as written, on one line without its semicolon."""

    line: int
    text: str


class Binding(NamedTuple):
    """A name that a scope binds: parameter, local, attribute. `type` is an expression, "" if unknown."""

    scope: int
    name: str
    type: str
    attribute: bool


class Link(NamedTuple):
    """A reference in a page: to a path, or to a name in backticks."""

    target: str
    line: int
    is_path: bool


class FileFacts(NamedTuple):
    """The facts of one text."""

    language: str
    symbols: tuple[CodeSymbol, ...] = ()
    mentions: tuple[Mention, ...] = ()
    imports: tuple[Import, ...] = ()
    statements: tuple[Statement, ...] = ()
    bindings: tuple[Binding, ...] = ()
    links: tuple[Link, ...] = ()
    module: str = ""  # the name that a manifest gives to its folder, or the package that a file declares
    tests: tuple[int, ...] = ()  # the symbols that are marked as tests beside the code that they test
    facade: str = ""  # the class by which other languages name its functions, where the file states it
    declared: tuple[int, ...] = ()  # the functions that have no body here, in languages with prototypes
    cells: str = ""  # the language of the cells of a notebook

    def dumps(self) -> bytes:
        return json.dumps(self, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")

    @classmethod
    def loads(cls, data: bytes) -> FileFacts:
        (
            language,
            symbols,
            mentions,
            imports,
            statements,
            bindings,
            links,
            module,
            tests,
            facade,
            declared,
            cells,
        ) = json.loads(data)
        return cls(
            language,
            tuple([CodeSymbol(s[0], s[1], _KINDS[s[2]], *s[3:]) for s in symbols]),
            tuple([Mention(_ROLES[m[0]], m[1], m[2], m[3], tuple(m[4])) for m in mentions]),
            tuple([Import(*i) for i in imports]),
            tuple([Statement(*s) for s in statements]),
            tuple([Binding(*b) for b in bindings]),
            tuple([Link(*x) for x in links]),
            module,
            tuple(tests),
            facade,
            tuple(declared),
            cells,
        )

    def defined(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self.symbols)

    def mentioned(self) -> frozenset[str]:
        """The names to which edges from here may lead: mentioned and imported names, names in backticks, and the last parts of
        modules.
        """
        names = {mention.name for mention in self.mentions}
        for entry in self.imports:
            names.add(last_segment(entry.module))
            if entry.item not in ("", "*"):
                names.add(entry.item)
        names.update(link.target.rpartition(".")[2] for link in self.links if not link.is_path)
        names.update(last_segment(link.target) for link in self.links if link.is_path)
        return frozenset(names)


def last_segment(module: str) -> str:
    """The last name in a module or a path: `c` in a.b.c, a/b/c, ./c.js and a::b::c."""
    end = re.split(r"[/\\]|::", module.rstrip("/"))[-1]
    bare, dot, ending = end.rpartition(".")
    is_file = dot and ("/" in module or (ending in _ENDINGS and bare.isidentifier()))
    return (bare if is_file else ending) or end


_ENDINGS = frozenset(
    {"h", "hpp", "hh", "js", "mjs", "cjs", "jsx", "ts", "tsx", "sh", "rb", "php", "lua", "vue", "md"}
)
_ROLES = {role.value: role for role in Role}
_KINDS = {kind.value: kind for kind in SymbolKind}


class CodePlace(NamedTuple):
    """A symbol of a file; `symbol` MODULE is the file itself."""

    uri: str
    symbol: int


AMBIGUOUS = 0.5  # the factor of the weight of an edge whose name may mean something else


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from one place to another, on `line` of the source's file.

    `candidates` are all places that the name may mean when its scope leaves several; then the edge is ambiguous, and
    `target` is the first of them.
    """

    source: CodePlace
    relation: Relation
    target: CodePlace
    line: int
    candidates: tuple[CodePlace, ...] = ()

    @property
    def ambiguous(self) -> bool:
        return bool(self.candidates)

    @property
    def certainty(self) -> float:
        """The factor of its weight, in (0, 1]."""
        return AMBIGUOUS if self.ambiguous else 1.0


@dataclass(frozen=True, slots=True)
class Related:
    """A symbol near another: the labels of the edges between them, their number, and its relevance in (0, 1]."""

    place: CodePlace
    labels: tuple[str, ...]
    distance: int
    relevance: float
    ambiguous: bool = False


class RankedSymbols(NamedTuple):
    """The best symbols, each with its share of all rank in [0, 1], and the numbers of candidates and of their files."""

    best: list[tuple[CodePlace, float]]
    symbols: int
    files: int
