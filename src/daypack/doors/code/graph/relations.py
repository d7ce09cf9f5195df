"""Edges, from facts and meanings: the six relations between symbols, and the links of pages.

calls, uses, extends    from the symbol around a mention to the meaning of the mention
imports                 from a file to the symbol or file that an import of it names
contains                from a file to its definitions, from a class to its members
tested_by               from a symbol to the test that calls or uses it
links                   from a page to the file or definition that it names

The edges for a question are made from the facts of the files that may have them. Edges are not stored, so they cannot be
stale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from posixpath import dirname, join, normpath
from typing import NamedTuple

from daypack.doors.code.graph.facts import (
    AMBIGUOUS,
    CLASS_LIKE,
    MODULE,
    CodePlace,
    CodeSymbol,
    Edge,
    Link,
    Mention,
    Related,
    Relation,
    Role,
    last_segment,
)
from daypack.doors.code.graph.meanings import Meanings
from daypack.doors.code.graph.modules import COMPONENT_ENDINGS, names_of_component
from daypack.doors.code.graph.project_names import Project, definitions
from daypack.doors.code.graph.resolve import Resolver

WEIGHTS = {
    Relation.CALLS: 1.0,
    Relation.USES: 0.8,
    Relation.CONTAINS: 0.7,
    Relation.EXTENDS: 0.6,
    Relation.IMPORTS: 0.5,
    Relation.TESTED_BY: 0.4,
    Relation.LINKS: 0.4,
}
# most neighbours of a symbol in each relation
CAPS = {Relation.CALLS: 6, Relation.USES: 6, Relation.CONTAINS: 4, Relation.EXTENDS: 3}
OTHER_CAP = 2
MOST_FILES = 300  # that are searched for the mentions of a name …
NEAR_FILES = 40  # … when only a few neighbours are needed
MOST_WAYS = 30  # from a symbol that are followed by another step

USES = (Relation.CALLS, Relation.USES, Relation.EXTENDS)
RELATION = {Role.CALL: Relation.CALLS, Role.USE: Relation.USES, Role.EXTEND: Relation.EXTENDS}


class CodeGraph:
    """The relations of one state of a project. `is_test_file` is True for the path of a test."""

    def __init__(self, project: Project, is_test_file: Callable[[str], bool]) -> None:
        self.project = project
        self.resolver = Resolver(project)
        self.meanings = Meanings(self.resolver)
        self.is_test_file = is_test_file
        self._incoming: dict[CodePlace, list[Edge]] = {}
        self._near: dict[CodePlace, list[_Neighbour]] = {}

    def symbol(self, place: CodePlace) -> CodeSymbol | None:
        return self.resolver.names.symbol(place)

    def is_test(self, place: CodePlace) -> bool:
        """True for a place in a file of tests, and for a test in the file of the code that it tests."""
        if self.is_test_file(place.uri):
            return True
        facts = self.project.facts(place.uri)
        index = place.symbol if facts is not None and facts.tests else MODULE
        while facts is not None and index != MODULE:
            if index in facts.tests:
                return True
            index = facts.symbols[index].parent
        return False

    # ------------------------------------------------------------ edges of a place

    def outgoing(self, place: CodePlace) -> list[Edge]:
        """The edges that begin at a symbol, or at a file, with its imports and links; in the order of their lines."""
        facts = self.project.facts(place.uri)
        if facts is None:
            return []
        found: list[Edge] = []
        for mention in facts.mentions:
            if mention.scope == place.symbol:
                found += self._mentioned(place, mention)
        if place.symbol == MODULE:
            found += self._imports(place)
            found += self._links(place)
        for index, symbol in enumerate(facts.symbols):
            if symbol.parent == place.symbol:
                found.append(Edge(place, Relation.CONTAINS, CodePlace(place.uri, index), symbol.line))
        return sorted(merged(found), key=lambda edge: (edge.line, edge.relation, edge.target))

    def incoming(self, place: CodePlace) -> list[Edge]:
        """The edges that end at a symbol or a file."""
        if place not in self._incoming:
            self._incoming[place] = self._found_incoming(place, MOST_FILES)
        return self._incoming[place]

    def _found_incoming(self, place: CodePlace, most: int) -> list[Edge]:
        symbol = self.symbol(place)
        own = frozenset(self.resolver.names.written_twice(place))
        wanted = own | {self.resolver.names.first_overload(place)}
        found: list[Edge] = []
        if symbol is not None:
            found.append(Edge(CodePlace(place.uri, symbol.parent), Relation.CONTAINS, place, symbol.line))
        name = symbol.name if symbol is not None else file_name(place.uri)
        tags = names_of_component(place.uri) if symbol is None else []
        mentioning = [uri for one in {name, *tags} for uri in self._mentioning(one, place.uri, most)]
        for uri in dict.fromkeys(mentioning):
            file = self.resolver.names.file(uri)
            if file is None:
                continue
            names = {name, *tags, *(entry.name for entry in file.imports.get(name, ()))}
            known = names if _has_name(place) else ()
            for mention in (mention for one in known for mention in file.mentions.get(one, ())):
                edges = self._mentioned(CodePlace(uri, mention.scope), mention)
                found += [edge for edge in edges if _leads_to(edge, wanted) and edge.source not in own]
            here = CodePlace(uri, MODULE)
            edges = chain(self._imports(here, name), self._links(here))
            found += [edge for edge in edges if _leads_to(edge, wanted)]
        made = self.resolver.constructed(place)  # to call a class is to call its constructor
        for edge in self._found_incoming(made, most) if made is not None else ():
            if edge.relation is Relation.CALLS and edge.source not in own:
                found.append(replace(edge, target=place))
        return sorted(merged(found), key=lambda edge: (edge.source, edge.line, edge.relation))

    def edges_of(self, uri: str) -> Iterator[Edge]:
        """All edges that begin in a file, and the TESTED_BY edges to its tests."""
        facts = self.project.facts(uri)
        if facts is None:
            return
        file = CodePlace(uri, MODULE)
        found = [*self._imports(file), *self._links(file)]
        # one pass over the mentions: `outgoing` would read all of them again for each symbol
        for mention in facts.mentions:
            found += self._mentioned(CodePlace(uri, mention.scope), mention)
        found += [
            Edge(CodePlace(uri, symbol.parent), Relation.CONTAINS, CodePlace(uri, i), symbol.line)
            for i, symbol in enumerate(facts.symbols)
        ]
        for edge in merged(found):
            yield edge
            if (
                edge.relation in (Relation.CALLS, Relation.USES)
                and self.is_test(edge.source)
                and not self.is_test(edge.target)
            ):
                yield Edge(edge.target, Relation.TESTED_BY, edge.source, edge.line, edge.candidates)

    def weights_of(self, uri: str) -> Iterator[tuple[CodePlace, CodePlace, float]]:
        """(source, target, weight) of the edges from a file, for ranks: without containment, lines and candidates."""
        facts = self.project.facts(uri)
        if facts is None:
            return
        for mention in facts.mentions:
            source = CodePlace(uri, mention.scope)
            if (leads := self._leads(source, mention)) is not None:
                relation, places, certain = leads
                yield source, places[0], WEIGHTS[relation] * (1.0 if certain else AMBIGUOUS)
        file = CodePlace(uri, MODULE)
        for edge in (*self._imports(file), *self._links(file)):
            yield edge.source, edge.target, WEIGHTS[edge.relation]

    def _mentioning(self, name: str, uri: str, most: int) -> Sequence[str]:
        """At most `most` files that mention a name; of more, those near the file `uri` are chosen."""
        found = self.project.mentioning(name)
        if len(found) <= most:
            return found
        folder = f"{dirname(uri)}/" if "/" in uri else ""
        below = [other for other in found if other.startswith(folder)]
        beside = [other for other in below if "/" not in other[len(folder) :]]
        return [*dict.fromkeys([*beside, *below, *found])][:most]

    # ------------------------------------------------------------ single relations

    def _leads(
        self, source: CodePlace, mention: Mention
    ) -> tuple[Relation, tuple[CodePlace, ...], bool] | None:
        """(relation, places, certain) of a mention; None for a mention without a meaning."""
        meaning = self.meanings.of(source.uri, mention)
        places = tuple([place for place in meaning.places if _has_name(place) and place != source])
        if not places or (mention.role is Role.USE and not meaning.certain):
            return None
        relation = RELATION[mention.role]
        symbol = self.symbol(places[0]) if relation is Relation.EXTENDS else None
        if symbol is not None and symbol.kind not in CLASS_LIKE:
            relation = Relation.USES
        return relation, places, meaning.certain

    def _mentioned(self, source: CodePlace, mention: Mention) -> Iterator[Edge]:
        if (leads := self._leads(source, mention)) is not None:
            relation, places, certain = leads
            for line in mention.lines:
                yield Edge(source, relation, places[0], line, () if certain else places)

    def _imports(self, source: CodePlace, name: str = "") -> Iterator[Edge]:
        """The imports of a file; with a name, only those that can lead to a definition with that name."""
        file = self.resolver.names.file(source.uri)
        if file is None:
            return
        named = [*file.imports.get(name, ()), *file.imports.get("default", ())]
        entries = named if name else file.facts.imports
        for entry in dict.fromkeys(entries):
            for place in self.resolver.imported(source.uri, entry)[:1]:
                if place != source:  # a foreign crate, or a name of the file itself, is resolved to the file
                    yield Edge(source, Relation.IMPORTS, place, file.facts.statements[entry.statement].line)

    def _links(self, source: CodePlace) -> Iterator[Edge]:
        facts = self.project.facts(source.uri)
        for link in facts.links if facts is not None else ():
            place = self._linked(source.uri, link)
            if place is not None and place != source:
                yield Edge(source, Relation.LINKS, place, link.line)

    def _linked(self, uri: str, link: Link) -> CodePlace | None:
        if link.is_path:
            for path in (normpath(join(dirname(uri), link.target)), normpath(link.target.lstrip("/"))):
                if path in self.project.files.uris:
                    return CodePlace(path, MODULE)
            return None
        owner, _, name = link.target.rpartition(".")
        found = [
            place
            for place, symbol in definitions(self.project, name, 20)
            if symbol.name == name
            and (not owner or f".{symbol.qualified}".endswith(f".{link.target}"))
            and (owner or self.resolver.constructed(place) is None)
        ]
        return found[0] if len(found) == 1 else None

    # ------------------------------------------------------------ neighbours

    def neighbours(self, place: CodePlace) -> list[_Neighbour]:
        """A few neighbours of each relation, heaviest first."""
        if place not in self._near:
            self._near[place] = self._found_near(place)
        return self._near[place]

    def _found_near(self, place: CodePlace) -> list[_Neighbour]:
        found = [_Neighbour(edge, edge.target, edge.relation.value) for edge in self.outgoing(place)]
        for edge in self._found_incoming(place, NEAR_FILES):
            test = (
                edge.relation in (Relation.CALLS, Relation.USES)
                and self.is_test(edge.source)
                and not self.is_test(place)
            )
            label = Relation.TESTED_BY.value if test else edge.relation.inverse
            found.append(_Neighbour(edge, edge.source, label))
        taken: Counter[str] = Counter()
        seen: set[CodePlace] = set()
        best = []
        others = [near for near in found if near.place != place]
        for near in sorted(others, key=lambda near: (-near.weight, near.is_source, near.edge.line)):
            if near.place in seen or taken[near.label] >= CAPS.get(near.edge.relation, OTHER_CAP):
                continue
            seen.add(near.place)
            taken[near.label] += 1
            best.append(near)
        return best

    def related(self, origin: CodePlace, *, depth: int) -> Iterator[Related]:
        """The symbols at most `depth` steps away, best first. The relevance is 1 / (distance + 1) x the mean weight of the edges
        on the way.

        The iterator goes a step further only when the caller has taken all that are better: weights are at most 1, so at
        `distance` a relevance is at most 1 / (distance + 1).
        """
        known = {origin}
        waiting: list[Related] = []
        ways = [_Way(origin)]
        for distance in range(1, depth + 1):
            longer = []
            for way in ways:
                for near in self.neighbours(way.place):
                    if near.place not in known:
                        known.add(near.place)
                        longer.append(way.on_to(near))
            for place, labels, weight, ambiguous in longer:
                relevance = weight / distance / (distance + 1)
                waiting.append(Related(place, labels, distance, relevance, ambiguous))
            waiting.sort(key=lambda found: (-found.relevance, found.distance, found.place))
            least = 0.0 if distance == depth else 1 / (distance + 2)
            sure = sum(found.relevance >= least for found in waiting)
            yield from waiting[:sure]
            del waiting[:sure]
            ways = longer[:MOST_WAYS]


class _Neighbour(NamedTuple):
    """A place at the other end of an edge, with the name of the relation as seen from this end."""

    edge: Edge
    place: CodePlace
    label: str

    @property
    def is_source(self) -> bool:
        return self.place != self.edge.target

    @property
    def weight(self) -> float:
        relation = Relation.TESTED_BY if self.label == Relation.TESTED_BY else self.edge.relation
        return WEIGHTS[relation] * self.edge.certainty


class _Way(NamedTuple):
    """The edges from an origin to a place; `weight` is their sum."""

    place: CodePlace
    labels: tuple[str, ...] = ()
    weight: float = 0.0
    ambiguous: bool = False

    def on_to(self, near: _Neighbour) -> _Way:
        labels = (*self.labels, near.label)
        return _Way(near.place, labels, self.weight + near.weight, self.ambiguous or near.edge.ambiguous)


def _leads_to(edge: Edge, places: frozenset[CodePlace]) -> bool:
    return edge.target in places or not places.isdisjoint(edge.candidates)


def merged(edges: Sequence[Edge]) -> list[Edge]:
    """The edges without duplicates: a call replaces a use and an import of the same name, a certain edge an ambiguous one."""
    best: dict[tuple[CodePlace, Relation, CodePlace, int], Edge] = {}
    for edge in edges:
        key = (edge.source, edge.relation, edge.target, edge.line)
        if key not in best or (best[key].ambiguous and not edge.ambiguous):
            best[key] = edge
    strong = (Relation.CALLS, Relation.EXTENDS)
    named = {(edge.source, edge.target, edge.line) for edge in best.values() if edge.relation in strong}
    return [
        edge
        for edge in best.values()
        if edge.relation is not Relation.USES or (edge.source, edge.target, edge.line) not in named
    ]


def _has_name(place: CodePlace) -> bool:
    """False for a file that no name in code means: all but components, which their tags name."""
    return place.symbol != MODULE or place.uri.endswith(COMPONENT_ENDINGS)


def file_name(uri: str) -> str:
    """The name by which other files import a file: its own, or that of the folder for an index file."""
    name = last_segment(uri.rpartition("/")[2].rpartition(".")[0] or uri)
    if name in ("__init__", "index", "mod", "lib", "main") and "/" in uri:
        return uri.split("/")[-2]
    return name
