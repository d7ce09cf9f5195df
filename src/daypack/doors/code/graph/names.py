"""The names of one file: where they are defined, bound, imported and mentioned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from daypack.doors.code.graph.facts import (
    MODULE,
    CodePlace,
    CodeSymbol,
    FileFacts,
    Import,
    Mention,
    Role,
    last_segment,
)
from daypack.doors.code.graph.languages import CodeLanguage, language_of
from daypack.types import SymbolKind

# Members of containers, strings, files and futures in some language: such a name alone does not identify a definition.
_COMMON = (
    "append extend insert remove update values items index count clear close read write readline readlines write_text read_text split"
    " strip replace format encode decode lower upper startswith endswith group groups match search findall finditer send recv start stop"
    " cancel result submit acquire release notify wait flush fileno isatty truncate exists is_file is_dir mkdir unlink rename resolve"
    " filter map reduce forEach concat slice splice includes indexOf length toString valueOf hasOwnProperty apply then catch finally"
    " unwrap expect clone collect iter into_iter as_ref as_mut to_string to_owned is_some is_none is_empty contains insert entry push"
    " Error String Close Read Write Lock Unlock equals hashCode getClass println print printf setdefault discard popitem isdigit isalpha"
    " setUp tearDown assertEqual assertTrue assertFalse assertRaises assertIn connect execute fetchone fetchall commit rollback cursor"
    " flatten flat_map sort_by select reject each_pair each_value each_key merge fetch first compact inject partition respond_to public_send"
    " freeze to_sym to_hash Invoke Contains Remove Clear Count CopyTo GetEnumerator Dispose ToString Equals GetHashCode GetType Append Insert"
    " toLong toInt toShort toByte toDouble toFloat toChar toList toSet toMap repeat"
    " isoformat strftime total_seconds timestamp toISOString getTime toLowerCase toUpperCase trim charAt substring parse stringify"
)
_COMMON_IN_CPP = "begin cbegin rbegin push_back pop_back emplace emplace_back c_str empty resize reserve shrink_to_fit capacity assign substr front"
COMMON_MEMBERS = frozenset(_COMMON.split())
_COMMON_BY_LANGUAGE = {"cpp": COMMON_MEMBERS.union(_COMMON_IN_CPP.split())}


def common_members(language: str) -> frozenset[str]:
    """The members that values from outside of the project often have in a language."""
    return _COMMON_BY_LANGUAGE.get(language, COMMON_MEMBERS)


def _lists() -> defaultdict[Any, list[Any]]:
    return defaultdict(list)


@dataclass(slots=True)
class FileNames:
    """The facts of a file, and its names by place. Definitions are indexes of symbols."""

    facts: FileFacts
    spec: CodeLanguage
    top: dict[str, list[int]] = field(default_factory=_lists)  # definitions in the file, or in its namespaces
    children: dict[tuple[int, str], list[int]] = field(default_factory=_lists)
    qualified: dict[str, list[int]] = field(default_factory=_lists)
    bound: dict[tuple[int, str, bool], str] = field(default_factory=dict)
    imported: dict[str, list[Import]] = field(default_factory=_lists)
    stars: list[Import] = field(default_factory=list)
    methods: dict[str, list[int]] = field(default_factory=_lists)
    # bases of each definition, as written
    bases: dict[int, list[Mention]] = field(default_factory=_lists)
    # by type name: blocks with members of the type outside of its definition
    impls: dict[str, list[int]] = field(default_factory=_lists)
    mentions: dict[str, list[Mention]] = field(default_factory=_lists)  # by the mentioned name
    # by each name that may mean it: the item, its alias, the last part of the module
    imports: dict[str, list[Import]] = field(default_factory=_lists)
    # by member of an open type: its qualified name without the type
    unopened: dict[int, str] = field(default_factory=dict)

    def has_body(self, index: int) -> bool:
        """False for the file itself and for a prototype; elsewhere, for a definition that ends on the line of its name."""
        if index == MODULE or self.spec.prototypes:
            return index != MODULE and index not in self.facts.declared
        return self.facts.symbols[index].end_line > self.facts.symbols[index].line


def names_of(facts: FileFacts) -> FileNames:
    """The names of a file by its facts."""
    names = FileNames(facts, language_of(facts.language) or _language_of_page(facts))
    _add_definitions(names)
    for mention in facts.mentions:
        names.mentions[mention.name].append(mention)
        if mention.role is Role.EXTEND:
            names.bases[mention.scope].append(mention)
    for item in facts.bindings:
        names.bound[item.scope, item.name, item.attribute] = item.type
    for entry in facts.imports:
        _add_import(names, entry)
    return names


def _language_of_page(facts: FileFacts) -> CodeLanguage:
    """That of the cells of a notebook, which see the code of other files and are not seen by it. The fences of another page may have
    several languages, so their names are resolved inside the page alone.
    """
    of_cells = language_of(facts.cells)
    if of_cells is None:
        return CodeLanguage(facts.language, "", "", modules="", kin=frozenset({facts.language}))
    name = f"{facts.cells} in {facts.language}"
    return replace(of_cells, name=name, kin=of_cells.kin | {name})


def _add_definitions(names: FileNames) -> None:
    facts, spec = names.facts, names.spec
    is_space = [False] * len(facts.symbols)
    for index, symbol in enumerate(facts.symbols):
        around = [*_scopes_that_see(symbol, facts, spec)]
        if len(around) > 1:
            owner = facts.symbols[around[-1]].qualified + "." if around[-1] != MODULE else ""
            names.unopened[index] = owner + symbol.name
        outside = around[-1] == MODULE or is_space[around[-1]]
        is_space[index] = outside and symbol.kind is SymbolKind.MODULE
        is_function = symbol.kind is SymbolKind.FUNCTION
        in_module = spec.mixins and is_function and symbol.parent != MODULE
        is_impl = symbol.kind is SymbolKind.IMPL
        if outside and not is_impl and not is_member(symbol, facts) and not in_module:
            names.top[symbol.name].append(index)
        for scope in around:
            names.children[scope, symbol.name].append(index)
        names.qualified[symbol.qualified].append(index)
        if is_impl:
            names.impls[symbol.name].append(index)
        elif symbol.kind is SymbolKind.METHOD or in_module or (spec.functions_are_methods and is_function):
            names.methods[symbol.name].append(index)


def _add_import(names: FileNames, entry: Import) -> None:
    for name in {entry.item, entry.name, last_segment(entry.module)}:
        names.imports[name].append(entry)
    if entry.item == "*" or (not entry.item and not entry.name and names.spec.modules == "path"):
        names.stars.append(entry)
    else:
        names.imported[entry.name or _bound_name(entry.module, names.spec)].append(entry)


def _scopes_that_see(symbol: CodeSymbol, facts: FileFacts, spec: CodeLanguage) -> Iterator[int]:
    """The scope around a definition, and those around it while it is a type that opens its members to them."""
    scope = symbol.parent
    yield scope
    while scope != MODULE and spec.is_open_type(facts.symbols[scope].signature):
        scope = facts.symbols[scope].parent
        yield scope


def is_member(symbol: CodeSymbol, facts: FileFacts) -> bool:
    """True for a member that is written outside of its type: a method with a receiver, at the top of the file or in a
    namespace.
    """
    if symbol.parent == MODULE:
        return symbol.qualified != symbol.name
    return symbol.kind is SymbolKind.METHOD and facts.symbols[symbol.parent].kind is SymbolKind.MODULE


def _bound_name(module: str, spec: CodeLanguage) -> str:
    """The name that an import without an alias binds: for `import a.b` it is a in Python and b elsewhere."""
    if spec.modules == "dotted":
        return module.partition(".")[0]
    parts = (
        module.replace("\\", "/").replace("::", "/").split("/")
        if "/" in module or "\\" in module
        else module.split(".")
    )
    last = parts[-1]
    if spec.modules == "directory" and len(parts) > 1 and last[:1] == "v" and last[1:].isdigit():
        last = parts[-2]  # example.com/pool/v2
    return last


def first_place(uri: str, indexes: Sequence[int] | None) -> list[CodePlace]:
    """The first of the definitions that a file has of a name; none for None."""
    return [CodePlace(uri, index) for index in indexes[:1]] if indexes else []


def unique(places: Iterable[CodePlace]) -> list[CodePlace]:
    return list(dict.fromkeys(places))
