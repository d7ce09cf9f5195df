"""One entry: the facts that cutting the code of a language needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from daypack.types import SymbolKind

CLASS, STRUCT, ENUM, INTERFACE, MODULE = (
    SymbolKind.CLASS,
    SymbolKind.STRUCT,
    SymbolKind.ENUM,
    SymbolKind.INTERFACE,
    SymbolKind.MODULE,
)
IMPL, TYPE = SymbolKind.IMPL, SymbolKind.TYPE


@dataclass(frozen=True, slots=True)
class Language:
    """Node types of one grammar. `values` are bindings that count as functions when a function is bound."""

    grammar: str
    functions: frozenset[str]
    containers: Mapping[str, SymbolKind] = field(default_factory=lambda: MappingProxyType({}))
    wrappers: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    lambdas: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()  # values that are containers when they are long and hold functions
    imports: frozenset[str] = frozenset()
    import_pattern: str = ""  # for languages whose imports are ordinary calls
    needs_body: frozenset[str] = frozenset()  # definitions that are only a mention without a body
    closures: bool = False  # long top-level calls may hold functions: modules, test suites
    docstring: bool = False  # a string that begins the file describes it
    # nodes of calls that may define something: `def f(x) do … end`; the tables above then hold the word that is called
    calls: frozenset[str] = frozenset()
    # nodes whose text is the name of a definition, as it is written, where the grammar has no field for it
    labels: frozenset[str] = frozenset()
    ends: str = ""  # where a signature ends, if no node holds the body
    clauses: bool = False  # a function may go on in definitions of the same name
    runs: bool = False  # short functions that follow each other are one piece, with the names of all
    tail: str = ""  # the node behind a function that holds its body
    # a stretch whose line breaks the grammar does not expect: they are blanks to it
    joined: str = ""
    leads: tuple[str, ...] = ()  # beginnings of lines above a definition that belong to it, beside comments
