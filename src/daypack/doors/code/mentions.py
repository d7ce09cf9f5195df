"""Mentions: the places that say a name of a language whose calls and uses are not read.

A message of Protocol Buffers is used by programs in five languages, a macro of SQL by its templates, a model by the name of
its file, a block of Terraform by expressions. Such a name is looked up in the index, and found as a whole word: a message
BookTrip also as bookTrip and book_trip, in languages that never write it as it is declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

from daypack.doors.code.graph.facts import CodePlace
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.graph.users import callers_of, callers_through_bases, tests_of
from daypack.doors.code.project import StoredProject
from daypack.doors.code.references import declarations, enclosing, is_folder, is_page, row_of
from daypack.doors.code.types import FILE, NearRow, SymbolRow
from daypack.engine.engine import Engine
from daypack.filters import All, Filter, OneOf
from daypack.index.postings.lexical import postings
from daypack.ports import FILES
from daypack.text import analysis
from daypack.text.paths import is_test_path
from daypack.text.qualified_names import dotted

_BEGIN, _END = r"(?<![\w$])", r"(?![\w$])"
_BEGIN_HYPHENATED, _END_HYPHENATED = r"(?<![\w$-])", r"(?![\w$-])"
MENTIONED_BY = "mentioned_by"
MOST_NAMES = 60  # of a file
MOST_CHUNKS = 2_000  # with a name, that are read
INTERFACES = frozenset({"proto", "graphql"})
"""The languages whose names programs of all others use, in their own spelling."""


class Place(NamedTuple):
    """A line that says a name."""

    uri: str
    line: int


class _Found(NamedTuple):
    """A line that says a name, as it is written or in another spelling of its words."""

    place: Place
    language: str
    is_exact: bool


class Mentions:
    """The mentions of names in one state of a project."""

    def __init__(self, engine: Engine, graph: CodeGraph, project: StoredProject) -> None:
        self._engine, self._graph, self._project = engine, graph, project

    def rows_named(self, text: str) -> list[NearRow]:
        """The mentions of a name or of the names in a file that have no relations; of another name when an interface has it."""
        if declared := declarations(self._project, text):
            return self._rows(self.places(declared))
        name = dotted(text).rpartition(".")[2]
        return self._rows(self._of_interface(name)) if name.isidentifier() else []

    def rows_saying(self, text: str, *, in_tests: bool = False) -> list[NearRow]:
        """The rows of the places that say a name which the graph does not know."""
        return self._rows([one for one in self.places_saying(text) if is_test_path(one.uri) or not in_tests])

    def places_saying(self, text: str) -> list[Place]:
        """The lines of code that say a name which the graph does not know, as it is written: `supertest`, `ctx.body`, `net/http`; none
        for the module of a folder that is here, which has a file.
        """
        name = re.split("[./:]", dotted(text))[-1]
        top, _, below = text.partition("/")
        of_folder = top if "." not in below else text
        if not re.fullmatch(r"[^\W\d][\w-]*", name) or is_folder(self._project, of_folder):
            return []
        if declarations(self._project, text):  # known, in a language without relations
            return []
        whole = re.compile(rf"{_BEGIN}{re.escape(text)}{_END}")
        return self._written([one.place for one in self._with(name, wanted=whole) if one.is_exact])

    def rows_beside(self, name: str, known: Collection[str] = ()) -> list[NearRow]:
        """The mentions of a name of the graph in files that the graph does not read, and everywhere when an interface declares it;
        without the lines that are `known`.
        """
        return [row for row in self._rows(self.places_beside(name)) if row.at not in known]

    def lines(self, uri: str) -> Sequence[str]:
        """The lines of a stored file; none for another path."""
        stored = self._engine.store.stored_record(FILES, "", uri)
        return self._engine.store.record_text(stored.id).split("\n") if stored is not None else ()

    def lines_with(self, name: str, beside: Sequence[str] = ()) -> list[Place]:
        """The lines of code, in files of all languages, that say a name in any spelling of its words; of a name that very many say,
        those in chunks that say one of the words `beside` it.
        """
        return [one.place for one in self._with(name, beside=beside)]

    def places(self, declared: Sequence[SymbolRow]) -> list[Place]:
        """The lines that mention these names, without those of their own definitions."""
        of_files = {row.file for row in declared if row.kind == FILE}
        found: dict[Place, None] = {}
        for name in list(dict.fromkeys(row.bare for row in declared))[:MOST_NAMES]:
            rows = [row for row in declared if row.bare == name]
            places = _spelt(self._with(name), name, {self._project.unread[row.file] for row in rows})
            own = {_head(row, places) for row in rows}
            found |= dict.fromkeys(one for one in places if one not in own and one.uri not in of_files)
        return self._written([*found])

    def places_beside(self, name: str) -> list[Place]:
        """The lines that mention a name of several words in files that the graph does not read, and all when an interface declares
        the name.
        """
        if not is_telling(name):
            return []
        found = self._with(name, self._project.unread_languages)
        unread = [one.place for one in found if one.is_exact and one.place.uri in self._project.unread]
        return self._of_interface(name) or self._written(unread)

    def _of_interface(self, name: str) -> list[Place]:
        """The lines of a name that an interface declares, in all languages; none for another name."""
        found = self._with(name, sorted(INTERFACES.intersection(self._project.unread_languages)))
        declared = {one.language for one in found if one.is_exact} & INTERFACES
        return self._written(_spelt(self._with(name), name, declared)) if declared else []

    def _written(self, places: Sequence[Place]) -> list[Place]:
        """The places without those in files that a program wrote, if any are left: programs before data, tests last."""
        kept = [place for place in places if place.uri not in self._project.generated] or places
        return sorted(kept, key=lambda place: (is_test_path(place.uri), self._reading(place.uri), place))

    def _reading(self, uri: str) -> int:
        return 0 if self._project.facts(uri) is not None else 1 if uri in self._project.unread else 2

    def _rows(self, places: Sequence[Place]) -> list[NearRow]:
        return [
            NearRow(self._around(place), (MENTIONED_BY,), 1, 0.0, f"{place.uri}:{place.line}")
            for place in places
        ]

    def _around(self, place: Place) -> SymbolRow:
        """The row of the definition around a line, or of its file."""
        facts = self._project.facts(place.uri)
        if facts is not None and (row := row_of(self._graph, enclosing(facts, *place))) is not None:
            return row
        around = [
            row
            for row in self._project.unrelated_by_file.get(place.uri, ())
            if row.line <= place.line <= row.end_line
        ]
        return max(around, key=lambda row: row.line, default=SymbolRow.of_file(place.uri))

    def _with(
        self,
        name: str,
        languages: Sequence[str] | None = None,
        wanted: re.Pattern[str] | None = None,
        beside: Sequence[str] = (),
    ) -> list[_Found]:
        """The lines of files, pages apart, that say a name as a word; of files in these languages alone, where any are given. A line
        says it exactly that has it as it is written, or `wanted`.
        """
        condition: Filter = OneOf("door", (FILES,))
        if languages is not None:
            condition = All((condition, OneOf("language", tuple(languages))))
        words = "_?".join(map(re.escape, analysis.parts(name)))
        begin, end = (_BEGIN_HYPHENATED, _END_HYPHENATED) if "-" in name else (_BEGIN, _END)
        exact = wanted or re.compile(f"{begin}{re.escape(name)}{end}")
        alike = re.compile(f"{exact.pattern}|{_BEGIN}(?i:{words}){_END}")
        found = []
        with self._engine.store.reading() as db:
            snapshot = self._engine.snapshots.current(vectors=False)
            files = self._engine.snapshots.mask(db, snapshot, condition)
            at = postings(db, snapshot.view, analysis.terms(name)[0]).positions.tolist() if words else []
            if beside and len(at) > MOST_CHUNKS:
                terms = {term for word in beside for term in analysis.terms(word)}
                near = {one for term in terms for one in postings(db, snapshot.view, term).positions.tolist()}
                at = [one for one in at if one in near]
            ids = [int(snapshot.view.chunk_ids[one]) for one in at if files[one]]
            for chunk in self._engine.store.chunks(ids[:MOST_CHUNKS]).values():
                if chunk.language == "text" or is_page(self._project, chunk.uri):
                    continue
                for number, line in enumerate(chunk.text.split("\n"), chunk.span.start_line):
                    if alike.search(line):
                        is_exact = exact.search(line) is not None
                        found.append(_Found(Place(chunk.uri, number), chunk.language, is_exact))
        return found


def _head(row: SymbolRow, places: Sequence[Place]) -> Place | None:
    """The line of a definition that says its name: the first one, or the first below a comment."""
    return min(
        (place for place in places if place.uri == row.file and row.line <= place.line <= row.end_line),
        default=None,
    )


def _spelt(found: Sequence[_Found], name: str, languages: Collection[str]) -> list[Place]:
    """The places where a name that these languages declare is spelt as there. A name of several words is one in every language, a
    plain word in its own. The name of an interface is one in all code, also as the other language writes it.
    """
    if INTERFACES.isdisjoint(languages):
        kept = [one for one in found if one.is_exact and (is_telling(name) or one.language in languages)]
    elif is_telling(name):
        exact = {one.language for one in found if one.is_exact}
        kept = [one for one in found if one.is_exact or one.language not in exact]
    else:
        kept = [one for one in found if one.is_exact and (name[:1].isupper() or one.language in languages)]
    return [one.place for one in kept]


def is_telling(name: str) -> bool:
    """True for a name of several words: it hardly means another thing elsewhere."""
    return len(analysis.parts(name)) > 1


def caller_rows(graph: CodeGraph, place: CodePlace) -> list[NearRow]:
    """The callers and users of a place of the graph, uncertain ones and those through a base of its class last, tests behind programs."""
    edges = [(edge, "") for edge in callers_of(graph, place)]
    for edge in callers_through_bases(graph, place):
        base = graph.symbol(edge.target)
        edges.append((edge, base.qualified if base is not None else ""))
    rows = [
        NearRow(
            row, (edge.relation.inverse,), 1, 0.0, f"{edge.source.uri}:{edge.line}", edge.ambiguous, through
        )
        for edge, through in edges
        if (row := row_of(graph, edge.source)) is not None
    ]
    return sorted(rows, key=lambda item: (item.ambiguous, bool(item.through), is_test_path(item.symbol.file)))


def near_rows(graph: CodeGraph, place: CodePlace, depth: int, limit: int) -> list[NearRow]:
    """The neighbours of a place up to a number of steps, the most relevant first."""
    return [
        NearRow(row, item.labels, item.distance, round(item.relevance, 6), ambiguous=item.ambiguous)
        for item in islice(graph.related(place, depth=depth), limit)
        if (row := row_of(graph, item.place)) is not None
    ]


def test_rows(graph: CodeGraph, place: CodePlace) -> list[NearRow]:
    """The tests of a place, those that only may call it last."""
    found = [
        NearRow(row, ("tested_by",), 1, 0.0, f"{edge.target.uri}:{edge.line}", edge.ambiguous)
        for edge in tests_of(graph, place)
        if (row := row_of(graph, edge.target)) is not None
    ]
    return sorted(found, key=lambda item: (item.ambiguous, item.symbol.file, item.symbol.line))
