"""Evidence: the relations of each chunk near a subject to the subject, as named numbers.

The numbers come from words, from the graph and from file names; weights.py has their weights for each task.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from posixpath import basename, dirname
from typing import NamedTuple

from daypack.doors.code.flows.diffs import Rename, of_each_file, words_of
from daypack.doors.code.flows.subjects import Subject, name_of, names_of
from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, MODULE, CodePlace, Edge, Relation
from daypack.doors.code.graph.project_names import definitions
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.graph.users import callers_of, importers_of, tests_of, users_by_any_name
from daypack.doors.code.mentions import Mentions, Place
from daypack.doors.code.project import StoredProject
from daypack.engine.engine import Engine
from daypack.ports import FILES
from daypack.text.paths import is_test_path
from daypack.types import Candidate, Chunk, RecordKind, SymbolKind

Numbers = dict[str, float]
MOST_PLACES = 12  # places of a subject whose relations are looked up, of each file if possible
MOST_EDGES = 60  # per place
MOST_CHUNKS = 200  # per file
MOST_NAMES = 60  # identifiers that a change adds or removes, and whose definitions are looked up
FEW = 5  # files: a name that more files define is not looked up
MOST_TWINS = 30
ELSEWHERE = 0.4  # for a diff or a trace, the weight of a part of a long symbol without the line of the edge
NEAR_LINES = 40.0
FRAME_DECAY = 0.6  # the factor of the evidence of each frame further out
_TEST_MARK = re.compile(r"(?i)(^|[_.-])(tests?|specs?)(?=[_.-]|$)|(?<=[a-z])(Tests?|Spec)$|^tests?(?=[A-Z])")
_NAMELESS = ("index", "mod", "lib", "__init__", "main")
_OF_PACKAGES = ("src", "lib", "test", "tests", "spec", "__tests__")  # folders that each package has
_RELATED = ("own", "says_name", "calls", "extends", "imports", "links", "tests")
_NAMES = {Relation.EXTENDS: "extends", Relation.IMPORTS: "imports", Relation.LINKS: "links"}


class Near(NamedTuple):
    """A chunk with the numbers of its relations to the subject."""

    chunk: Chunk
    numbers: Numbers
    candidate: Candidate | None  # from the search by words, if it found the chunk


class Relative(NamedTuple):
    """A place near the subject, the line of the relation in the place's file (0 for none), and its numbers."""

    place: CodePlace
    line: int
    numbers: Numbers


class Gathering:
    """Collects the chunks with evidence for a subject. Used inside one read transaction."""

    def __init__(self, engine: Engine, graph: CodeGraph, project: StoredProject) -> None:
        self._store = engine.store
        self._graph = graph
        self._project = project
        self._mentions = Mentions(engine, graph, project)

    def near(
        self,
        subject: Subject,
        candidates: Sequence[Candidate],
        *,
        tests_apart: bool = False,
        of_name: bool = False,
    ) -> list[Near]:
        """All chunks with evidence: the candidates of the search by words, and the chunks that relations lead to.

        With `tests_apart` the tests inside a file of a program count as a file of tests beside it; with `of_name` what only the words of
        a named subject lead to is left out, and of a long function the parts without the line of the relation.
        """
        best = max((candidate.score for candidate in candidates), default=0.0) or 1.0
        found: dict[int, Near] = {}
        for rank, one in enumerate(candidates):
            numbers = {"words": max(0.0, one.score / best), "rank": 1 / (1 + rank / 5)}
            found[one.chunk.id] = Near(one.chunk, numbers, one)
        by_file: dict[str, list[Relative]] = {}
        for relative in self._relatives(subject):
            by_file.setdefault(relative.place.uri, []).append(relative)
        paired = self._paired(subject)
        for uri in dict.fromkeys([*by_file, *subject.files, *paired]):
            for chunk in self._chunks(uri):
                found.setdefault(chunk.id, Near(chunk, {}, None))
        words = {chunk_id: words_of(one.chunk.text) for chunk_id, one in found.items()}
        sides = _sides(subject, list(words.values()))
        folders = {dirname(uri) for uri in subject.files}
        related = {*by_file, *subject.files, *paired}
        of_file = {
            uri: {"folder": float(dirname(uri) in folders), "test": float(is_test_path(uri))}
            for uri in {near.chunk.uri for near in found.values()}
        }
        spelt = [*filter(None, map(words_of, names_of(self._project, subject)))]  # Ruby's `paid?` is one word
        elsewhere = 0.0 if of_name else ELSEWHERE
        for chunk_id, near in found.items():
            numbers = near.numbers
            self._relate(numbers, near.chunk, by_file.get(near.chunk.uri, ()), elsewhere)
            self._place(numbers, near.chunk, subject)
            numbers.update(of_file[near.chunk.uri])
            _say(numbers, words[chunk_id], sides)
            numbers["says_name"] = float(any(name <= words[chunk_id] for name in spelt))
            numbers["pair"] = float(near.chunk.uri in paired)
            if near.chunk.uri in related and is_head(near.chunk):
                numbers["front"] = 1.0
        if tests_apart:
            for uri in sorted(uri for uri in related if not is_test_path(uri)):
                self._set_tests_apart([one for one in found.values() if one.chunk.uri == uri], subject)
        only_related = of_name and self.is_named(subject)
        wanted = (*_RELATED, "called_here") if subject.is_route else _RELATED
        return [one for one in found.values() if not only_related or any(map(one.numbers.get, wanted))]

    def is_named(self, subject: Subject) -> bool:
        """True for names, of packages too, for routes, and for files that others use: relations tell what has to do with them."""
        named = names_of(self._project, subject) or subject.said or subject.is_route
        return bool(named) or any(map(self._users_of_file, subject.places))

    def has_tests(self, subject: Subject, *, paired: bool) -> bool:
        """True when a test calls or uses a place of the subject, or names a file that it renames; with `paired` also when one has
        the name of a file of the subject.
        """
        left = (edge.source for rename in subject.renames for edge in importers_of(self._graph, rename.old))
        followed = [place for place, _ in self._followed(subject)]
        return (
            any(self._graph.is_test(place) or tests_of(self._graph, place) for place in followed)
            or any(is_test_path(place.uri) for place in subject.said)
            or any(map(self._graph.is_test, left))
            or (paired and any(map(is_test_path, self._paired(subject))))
        )

    def has_mentions(self, subject: Subject) -> bool:
        """True when a place mentions a name of the subject in a file whose calls are not read."""
        return bool(self._places_with_names(subject))

    def _set_tests_apart(self, near: Sequence[Near], subject: Subject) -> None:
        """Count the chunks of one file that are tests as those of another file: they test what changes, and do not change with it."""
        uri = near[0].chunk.uri if near else ""
        facts = self._project.facts(uri)
        if facts is None or not facts.tests:
            return
        rows = {
            item.chunk.span.start_line + number: row
            for item in near
            for number, row in enumerate(item.chunk.text.split("\n"))
        }
        marked = [facts.symbols[index] for index in facts.tests]
        tests = [(_first_attribute(rows, symbol.start_line), symbol.end_line) for symbol in marked]
        for item in near:
            start, end = item.chunk.span.start_line, item.chunk.span.end_line
            if any(first <= start and end <= last for first, last in tests):
                item.numbers.update(test=1.0, pair=float(uri in subject.files), file=0.0, beside=0.0)

    def _chunks(self, uri: str) -> list[Chunk]:
        stored = self._store.stored_record(FILES, "", uri)
        return self._store.chunks_of(stored.id)[:MOST_CHUNKS] if stored is not None else []

    # ------------------------------------------------------------ relations

    def _relatives(self, subject: Subject) -> list[Relative]:
        relatives: list[Relative] = []
        wanted = subject.removed | subject.added | subject.kept
        for place, lines in self._followed(subject):
            if place.symbol != MODULE:
                symbol = self._graph.symbol(place)
                if symbol is None or symbol.kind is not SymbolKind.MODULE:  # its members are not what changes
                    relatives += self._incoming(place)
                relatives += self._outgoing(place, lines, wanted, is_route=subject.is_route)
                relatives += [] if subject.is_route else self._twins(place)
            elif not subject.is_diff and not subject.depths:
                relatives += self._of_users(self._users_of_file(place))
        for rename in subject.renames:
            relatives += self._left_behind(rename)
        relatives += self._mentioned(subject)
        for name in sorted(subject.removed | subject.added)[:MOST_NAMES]:
            uris = self._project.defining(name) if len(name) > 2 else ()
            if 0 < len(uris) <= FEW:
                relatives += [
                    Relative(place, 0, {"named": 1 / math.sqrt(len(uris))}) for place in self._called(name)
                ]
        return relatives

    @staticmethod
    def _followed(subject: Subject) -> list[tuple[CodePlace, tuple[int, ...]]]:
        """The places whose relations are looked up, with their lines."""
        return of_each_file([*subject.places.items()], lambda item: item[0].uri, MOST_PLACES)

    def _users_of_file(self, place: CodePlace) -> list[Edge]:
        """The edges from other files into a file; none for a symbol."""
        return callers_of(self._graph, place) if place.symbol == MODULE else []

    def _incoming(self, place: CodePlace) -> list[Relative]:
        users = users_by_any_name(self._graph, place)
        relatives = self._of_users([edge for edge in users if edge.relation is not Relation.CONTAINS])
        tests = tests_of(self._graph, place)[:MOST_EDGES]
        return relatives + [Relative(edge.target, edge.line, {"tests": edge.certainty}) for edge in tests]

    @staticmethod
    def _of_users(edges: Sequence[Edge]) -> list[Relative]:
        few = 1 / math.sqrt(len(edges) or 1)
        relatives = []
        for edge in edges[:MOST_EDGES]:
            sure = edge.certainty
            name = _NAMES.get(edge.relation, "calls")
            numbers = {name: sure, "calls_few": few * sure} if name == "calls" else {name: sure}
            relatives.append(Relative(edge.source, edge.line, numbers))
        return relatives

    def _mentioned(self, subject: Subject) -> list[Relative]:
        """The places that mention the names of a subject in files whose calls are not read."""
        places = self._places_with_names(subject)
        numbers = {"calls": 1.0, "calls_few": 1 / math.sqrt(len(places) or 1)}
        return [Relative(CodePlace(uri, MODULE), line, numbers) for uri, line in places[:MOST_EDGES]]

    def _places_with_names(self, subject: Subject) -> list[Place]:
        if subject.is_diff or subject.depths:
            return []
        if subject.said:
            return [*subject.said]
        symbols = [self._graph.symbol(place) for place, _ in self._followed(subject)]
        of_graph = {one.name for one in symbols if one is not None and one.kind in (*CLASS_LIKE, *FUNCTIONS)}
        beside = [place for name in sorted(of_graph) for place in self._mentions.places_beside(name)]
        return [*dict.fromkeys([*self._mentions.places(subject.declared), *beside])]

    def _left_behind(self, rename: Rename) -> list[Relative]:
        """The files that still name a renamed file by its old path."""
        relatives = []
        for edge in importers_of(self._graph, rename.old)[:MOST_EDGES]:
            numbers = {_NAMES[edge.relation]: 1.0, "calls": 1.0, "front": 1.0}
            if self._graph.is_test(edge.source):
                numbers["tests"] = 1.0
            relatives.append(Relative(edge.source, edge.line, numbers))
        return relatives

    def _outgoing(
        self, place: CodePlace, lines: Sequence[int], wanted: frozenset[str], *, is_route: bool
    ) -> list[Relative]:
        # A long function may use a name on many lines: each target counts once, if possible on a line that matters.
        edges = sorted(self._graph.outgoing(place), key=lambda edge: edge.line not in lines)
        once = {(edge.relation, edge.target): edge for edge in reversed(edges)}
        relatives = []
        for edge in [*reversed(once.values())][:MOST_EDGES]:
            if edge.relation not in (Relation.CALLS, Relation.USES, Relation.EXTENDS):
                continue
            in_subject = is_route or edge.line in lines or name_of(self._project, edge.target) in wanted
            name = "called_here" if in_subject else "called"
            symbol = self._graph.symbol(edge.target)
            # A use of a class leads to its head: not each of its methods is called.
            line = symbol.line if symbol is not None and symbol.kind in CLASS_LIKE else 0
            relatives.append(Relative(edge.target, line, {name: edge.certainty}))
        return relatives

    def _twins(self, place: CodePlace) -> list[Relative]:
        """Functions of the same name elsewhere: overrides, implementations, versions for other platforms."""
        name = name_of(self._project, place)
        places = self._called(name) if len(name) > 2 else []
        return [Relative(twin, 0, {"twin": 1.0}) for twin in places if twin != place]

    def _called(self, name: str) -> list[CodePlace]:
        """The functions and values that have a name."""
        found = definitions(self._project, name, MOST_TWINS)
        return [place for place, symbol in found if symbol.name == name and symbol.kind not in CLASS_LIKE]

    def _relate(
        self, numbers: Numbers, chunk: Chunk, relatives: Sequence[Relative], elsewhere: float
    ) -> None:
        first, last = chunk.span.start_line, chunk.span.end_line
        for place, line, evidence in relatives:
            symbol = self._graph.symbol(place)
            at = first <= line <= last
            if not at and (symbol is None or not (first <= symbol.end_line and symbol.start_line <= last)):
                continue
            for name, value in evidence.items():
                numbers[name] = max(numbers.get(name, 0.0), value if at or not line else elsewhere * value)

    # ------------------------------------------------------------ places and words

    def _paired(self, subject: Subject) -> list[str]:
        """The tests of the subject's files, and the files that its tests are for, by file name: of several those nearest in the
        tree, for each package may have a load.ts.
        """
        paired = []
        for own in subject.files:
            found = [
                uri
                for uri in _by_stem(self._project.files.uris).get(_stem(own), ())
                if uri != own and is_test_path(uri) != is_test_path(own)
            ]
            nearest = max((_shared(own, uri) for uri in found), default=(0, 0))
            paired += [uri for uri in found if _shared(own, uri) == nearest]
        return paired[:8]

    def _place(self, numbers: Numbers, chunk: Chunk, subject: Subject) -> None:
        first, last = chunk.span.start_line, chunk.span.end_line
        own = [(place, lines) for place, lines in subject.places.items() if place.uri == chunk.uri]
        if own:
            touched = [n for _, lines in own for n in lines]
            away = min((max(first - n, n - last, 0) for n in touched), default=500)
            numbers["file"] = 1.0
            numbers["beside"] = math.exp(-away / NEAR_LINES)
            numbers["own"] = float(away == 0)
        for place, _ in own if subject.depths else ():
            symbol = self._graph.symbol(place)
            if symbol is not None and first <= symbol.end_line and symbol.start_line <= last:
                numbers["frame"] = max(numbers.get("frame", 0.0), FRAME_DECAY ** subject.depths.get(place, 9))
                numbers["own"] = 0.0
        numbers["page"] = float(chunk.record_kind is not RecordKind.CODE)
        numbers["long"] = math.log1p(last - first) / 4


def _first_attribute(rows: Mapping[int, str], line: int) -> int:
    """The line of the first attribute above a definition: in Rust they are not a part of it."""
    while rows.get(line - 1, "").lstrip().startswith(("#[", "@", "//")):
        line -= 1
    return line


def is_head(chunk: Chunk) -> bool:
    """True for the part of a file above its definitions, because a change often changes the imports too."""
    return chunk.span.start_line == 1 and chunk.symbol is None


class _Side(NamedTuple):
    """Identifiers that a change removes, adds or keeps, with their weights: identifiers in few texts weigh most."""

    name: str
    weights: Mapping[str, float]
    total: float


def _sides(subject: Subject, texts: Sequence[frozenset[str]]) -> list[_Side]:
    """The sides of a subject, without identifiers that none of the texts mentions."""
    counts = Counter(
        word for words in texts for word in (subject.removed | subject.added | subject.kept) & words
    )
    rare = {word: math.log(1 + len(texts) / count) for word, count in counts.items()}
    sides = []
    for name in ("removed", "added", "kept"):
        weights = {word: rare[word] for word in getattr(subject, name) if word in rare}
        if weights:
            sides.append(_Side(name, weights, math.fsum(weights.values())))
    return sides


def _say(numbers: Numbers, words: frozenset[str], sides: Sequence[_Side]) -> None:
    """Add the identifiers of the subject that a chunk contains to its numbers: their share, and their weight."""
    for name, weights, total in sides:
        weight = math.fsum([weights[word] for word in weights.keys() & words])
        if weight:
            numbers[name] = weight / total
            numbers[f"{name}_mass"] = math.log1p(weight) / 3


@lru_cache(maxsize=2)
def _by_stem(uris: frozenset[str]) -> Mapping[str, list[str]]:
    """Stem → the files of a project that have it."""
    by_stem: dict[str, list[str]] = {}
    for uri in sorted(uris):
        by_stem.setdefault(_stem(uri), []).append(uri)
    return by_stem


def _folders(uri: str) -> list[str]:
    return uri.split("/")[:-1]


def _shared(uri: str, other: str) -> tuple[int, int]:
    """(the number of names of folders that two paths share, apart from those of every package; of folders that both begin with)."""
    own, others = _folders(uri), _folders(other)
    alike = [one == two for one, two in zip(own, others, strict=False)]
    return len({*own} & {*others} - {*_OF_PACKAGES}), [*alike, False].index(False)


def _stem(uri: str) -> str:
    """The name of a file without its ending and without the mark of tests: `cart` for test_cart.py and CartTest.java."""
    name = basename(uri)
    name = name if name.startswith(".") else name.partition(".")[0]
    if name in _NAMELESS:
        name = next((part for part in reversed(_folders(uri)) if part not in _OF_PACKAGES), name)
    return re.sub(_TEST_MARK, "", name).strip("_-.").lower() or name.lower()
