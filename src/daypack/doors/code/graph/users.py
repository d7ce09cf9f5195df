"""Users: the callers and tests of a symbol or file, and the importers of a path.

A method is also called through the members that it overrides or implements: `store.put()` may run Disk.put when `store` is a
Store. Edges lead to the member that the call names, so these calls are collected when the callers of Disk.put are asked for.
"""

from __future__ import annotations

from posixpath import dirname, join, normpath

from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, MODULE, CodePlace, Edge, Relation
from daypack.doors.code.graph.meanings import Meaning
from daypack.doors.code.graph.modules import ProjectFiles, files_of_module
from daypack.doors.code.graph.relations import RELATION, USES, CodeGraph, file_name, merged
from daypack.types import SymbolKind

TEST_STEPS = 2  # calls between a test and the symbol that it tests
MOST_BASES = 40  # of a class that are followed


def callers_of(graph: CodeGraph, place: CodePlace) -> list[Edge]:
    """The calls and uses of a symbol; for a file its imports, and the calls and uses that other files have of its symbols."""
    if place.symbol != MODULE:
        found = [*graph.incoming(place), *_recursive(graph, place)]
        return [edge for edge in found if edge.relation in USES]
    edges = [
        *graph.incoming(place),
        *(edge for own in _outermost(graph, place.uri) for edge in graph.incoming(own)),
    ]
    return [
        edge
        for edge in merged(edges)
        if edge.relation in (*USES, Relation.IMPORTS) and edge.source.uri != place.uri
    ]


def users_by_any_name(graph: CodeGraph, place: CodePlace) -> list[Edge]:
    """The edges into a symbol, and those into further names of it: after `const sum = total`, calls of sum run total."""
    found = graph.incoming(place)
    symbol = graph.symbol(place)
    again = [edge.source for edge in found if symbol is not None and _value_of(graph, edge) == symbol.name]
    return [*found, *(edge for other in again for edge in graph.incoming(other))]


def _value_of(graph: CodeGraph, edge: Edge) -> str | None:
    """The expression that is the whole value of the variable at the source of an edge, where it is a name."""
    if edge.relation is not Relation.USES:
        return None
    file, symbol = graph.resolver.names.file(edge.source.uri), graph.symbol(edge.source)
    if file is None or symbol is None:
        return None
    return file.bound.get((symbol.parent, symbol.name, False))


def callers_through_bases(graph: CodeGraph, place: CodePlace) -> list[Edge]:
    """The calls and uses that may reach a method through a base of its class: of the member that it overrides or implements, and
    those that a base without this member has on itself. Each edge ends at that member, or at that base.
    """
    symbol = graph.symbol(place)
    owner = graph.resolver.owner(place.uri, place.symbol) if symbol is not None else None
    if symbol is None or owner is None or symbol.kind is not SymbolKind.METHOD:
        return []
    if graph.resolver.constructed(place) is not None:  # each class has its own
        return []
    found: list[Edge] = []
    for base in _bases(graph, owner, symbol.name):
        members = graph.resolver.members([base], symbol.name)
        found += [
            edge
            for member in members
            for edge in graph.incoming(member)
            if edge.relation in USES and edge.target == member
            if not _overrides(graph, edge.source, base, symbol.name)
        ]
        if not members:
            found += _of_itself(graph, base, symbol.name)
    known = {(edge.source, edge.line) for edge in graph.incoming(place)}
    return [edge for edge in merged(found) if (edge.source, edge.line) not in known]


def _overrides(graph: CodeGraph, place: CodePlace, base: CodePlace, name: str) -> bool:
    """True for a method of that name in a class below `base`: it calls that of its own base, and no other one."""
    symbol, owner = graph.symbol(place), graph.resolver.owner(place.uri, place.symbol)
    if symbol is None or owner is None or symbol.name != name:
        return False
    return base in _bases(graph, owner, name)


def _bases(graph: CodeGraph, owner: CodePlace, name: str) -> list[CodePlace]:
    """The bases of a class and theirs, and the interfaces that it satisfies without naming them."""
    found = [*graph.resolver.bases(owner), *graph.resolver.satisfied(owner, name)]
    for base in found:
        found += [other for other in graph.resolver.bases(base) if other not in found and other != owner]
        if len(found) > MOST_BASES:
            break
    return found


def _of_itself(graph: CodeGraph, base: CodePlace, name: str) -> list[Edge]:
    """The calls of a name that the methods of a class have on their own instance."""
    file = graph.resolver.names.file(base.uri)
    return [
        Edge(CodePlace(base.uri, mention.scope), RELATION[mention.role], base, line)
        for mention in (file.mentions.get(name, ()) if file is not None else ())
        if file is not None and mention.of in file.spec.self_words
        if graph.resolver.owner(base.uri, mention.scope) == base
        for line in mention.lines
    ]


def _outermost(graph: CodeGraph, uri: str) -> list[CodePlace]:
    """The symbols of a file that are inside of nothing but namespaces."""
    facts = graph.project.facts(uri)
    spaces = {MODULE}
    found = []
    for index, symbol in enumerate(facts.symbols if facts is not None else ()):
        if symbol.parent in spaces and symbol.kind is SymbolKind.MODULE:
            spaces.add(index)
        elif symbol.parent in spaces:
            found.append(CodePlace(uri, index))
    return found


def _recursive(graph: CodeGraph, place: CodePlace) -> list[Edge]:
    """The edges of a function to itself, which `incoming` leaves out because neighbours are other symbols."""
    file, symbol = graph.resolver.names.file(place.uri), graph.symbol(place)
    if file is None or symbol is None or symbol.kind not in FUNCTIONS:
        return []
    return [
        Edge(place, RELATION[mention.role], place, line)
        for mention in file.mentions.get(symbol.name, ())
        if mention.scope == place.symbol and graph.meanings.of(place.uri, mention) == Meaning((place,))
        for line in mention.lines
    ]


def tests_of(graph: CodeGraph, place: CodePlace) -> list[Edge]:
    """The TESTED_BY edges of a symbol: to tests that call it or its members, directly or through one caller; where none does, to
    those that may call it through a base of its class, as ambiguous ones.
    """
    found: dict[CodePlace, Edge] = {}
    frontier = [place, *_members(graph, place)]
    reached = {*frontier}
    for _ in range(TEST_STEPS):
        following: list[CodePlace] = []
        for current in frontier:
            for edge in graph.incoming(current):
                if edge.relation not in (Relation.CALLS, Relation.USES) or edge.source in reached:
                    continue
                reached.add(edge.source)
                if graph.is_test(edge.source):
                    found[edge.source] = Edge(
                        place, Relation.TESTED_BY, edge.source, edge.line, edge.candidates
                    )
                else:
                    following.append(edge.source)
        frontier = following
        if found:
            break
    for edge in callers_through_bases(graph, place) if not found else ():
        if graph.is_test(edge.source):
            either = (edge.target, place)
            found.setdefault(edge.source, Edge(place, Relation.TESTED_BY, edge.source, edge.line, either))
    return list(found.values())


def _members(graph: CodeGraph, place: CodePlace) -> list[CodePlace]:
    """The symbols directly inside a place, those inside of its classes and namespaces, and for a type its methods elsewhere
    in the file.
    """
    file, symbol = graph.resolver.names.file(place.uri), graph.symbol(place)
    if file is None:
        return []
    inside = {place.symbol, *(file.impls.get(symbol.name, ()) if symbol is not None else ())}
    found = []
    for index, one in enumerate(file.facts.symbols):
        if one.parent in inside:
            found.append(CodePlace(place.uri, index))
            if one.kind in CLASS_LIKE or one.kind is SymbolKind.MODULE:
                inside.add(index)
    return found


def importers_of(graph: CodeGraph, path: str) -> list[Edge]:
    """The imports of a file of this path, and links to it, whether or not it is stored: those that a renamed file leaves behind."""
    known = graph.project.files
    files = ProjectFiles({*known.uris, path}, known.manifests.items())
    target, found = CodePlace(path, MODULE), []
    for uri in graph.project.mentioning(file_name(path)):
        file = graph.resolver.names.file(uri)
        if file is None or uri == path:
            continue
        for entry in file.facts.imports:
            joint = "" if entry.module.endswith(".") else "."
            for module in (entry.module, f"{entry.module}{joint}{entry.item}" if entry.item else ""):
                if path in files_of_module(module, uri, file.spec, files)[:1]:
                    line = file.facts.statements[entry.statement].line
                    found.append(Edge(CodePlace(uri, MODULE), Relation.IMPORTS, target, line))
        found += [
            Edge(CodePlace(uri, MODULE), Relation.LINKS, target, link.line)
            for link in file.facts.links
            if link.is_path and path in (normpath(join(dirname(uri), link.target)), link.target.lstrip("/"))
        ]
    return merged(found)
