"""Users: the callers of a symbol or file, and the importers of a path."""

from __future__ import annotations

from posixpath import dirname, join, normpath

from daypack.doors.code.graph.facts import FUNCTIONS, MODULE, CodePlace, Edge, Relation
from daypack.doors.code.graph.meanings import Meaning
from daypack.doors.code.graph.modules import ProjectFiles, files_of_module
from daypack.doors.code.graph.relations import RELATION, USES, CodeGraph, file_name, merged
from daypack.types import SymbolKind


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
