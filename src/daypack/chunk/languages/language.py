"""An entry: the facts by which the code of a language is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from daypack.text.name_sets import name_set
from daypack.types import SymbolKind

_KINDS = {
    "classes": SymbolKind.CLASS,
    "structs": SymbolKind.STRUCT,
    "enums": SymbolKind.ENUM,
    "interfaces": SymbolKind.INTERFACE,
    "modules": SymbolKind.MODULE,
    "impls": SymbolKind.IMPL,
    "types": SymbolKind.TYPE,
}


@dataclass(frozen=True, slots=True)
class Language:
    """The node types of one grammar. `values` are bindings that count as functions when their value is a function."""

    grammar: str
    functions: frozenset[str] = frozenset()
    containers: Mapping[str, SymbolKind] = field(default_factory=lambda: MappingProxyType({}))
    wrappers: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    lambdas: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()  # values that are containers if they are long and contain functions
    imports: frozenset[str] = frozenset()
    import_pattern: str = ""  # in languages whose imports are ordinary calls
    needs_body: frozenset[str] = frozenset()  # definitions that are mere mentions if they have no body
    closures: bool = False  # long top-level calls may contain functions: modules, test suites
    docstring: bool = False  # a string at the beginning of a file describes the file
    # nodes of calls that may be definitions: `def f(x) do … end`; the tables above then have the called words
    calls: frozenset[str] = frozenset()
    # nodes whose text is the name of a definition as written, if the grammar has no field for it
    labels: frozenset[str] = frozenset()
    # a name is one word with signs that other languages put between names: str->bytes, data.frame, run'
    whole_names: bool = False
    ends: str = ""  # a pattern for the end of a signature, if the body is not a node
    clauses: bool = False  # a function may continue in further definitions of the same name
    runs: bool = False  # successive short functions are one piece, with all their names
    # targets of a binding that make it a function: `area(r) = pi * r^2`; only such functions are in runs
    heads: frozenset[str] = frozenset()
    compact: bool = False  # a container that fits into one piece is not opened, but for a module
    tail: str = ""  # the node that follows a function and is its body
    # a pattern for text whose line breaks the grammar does not expect; it gets blanks instead
    joined: str = ""
    leads: tuple[str, ...] = ()  # beginnings of lines above a definition that belong to it, as comments do


def language(grammar: str, base: Language | None = None, **facts: Any) -> Language:
    """The entry of a language, whose node types are written as words: those of containers under the kind of their symbol
    (`classes="class_declaration"`), all others under their names in `Language`. They are added to those of the `base`.
    """
    entry = base or Language(grammar)
    containers = dict(entry.containers)
    for name, kind in _KINDS.items():
        containers |= dict.fromkeys(facts.pop(name, "").split(), kind)
    for known in fields(Language):
        if known.type == "frozenset[str]" and known.name in facts:
            facts[known.name] = getattr(entry, known.name) | name_set(facts[known.name])
    return replace(entry, grammar=grammar, containers=containers, **facts)
