"""The primaries of a code pack: the lines that represent each chunk of the search results.

chunk → unit    the symbol that the chunk is or is part of; for a run of lines the definitions in it

A query that is the path of a file means all definitions of the file. Definitions that the query names come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from daypack.doors.code import table
from daypack.doors.code.graph.facts import MODULE, CodePlace, CodeSymbol, FileFacts
from daypack.doors.code.graph.project_names import definitions
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.packs.file_texts import NO_IMPORTS, FileTexts
from daypack.doors.code.packs.selection import Unit
from daypack.doors.code.types import ItemRole, PackOptions, Preference
from daypack.filters import Filter, to_sql
from daypack.index.store import Store
from daypack.pack.dedupe import near_duplicates
from daypack.pack.worth import FEWEST, FLOOR, LOW_FLOOR
from daypack.rank.candidates import CALIBRATION_POWER
from daypack.text.paths import is_test_path
from daypack.text.qualified_names import dotted
from daypack.types import (
    AnchorKind,
    Candidate,
    Chunk,
    PieceKind,
    Query,
    QueryKind,
    RecordKind,
    SearchResult,
    SymbolKind,
    VectorMode,
)

WHOLE_CHARACTERS = 4_000  # a longer symbol is represented by those of its chunks that the search found
PREFERRED = 0.5  # the factor for the scores of documents when code is preferred, and the other way round
SPARE = 4  # primaries before duplicates are dropped, as a multiple of the limit
MOST_DEFINITIONS = 8  # of a name that the query names: of more, only those that the search found come first
# definitions in a run of lines; a run with more is shown itself, or the definitions in it that the query names
CROWD = 3
LINE_STEP = 0.001  # between the scores of successive units of a file that is the query


class Primaries:
    """Makes the units for one question from chunks. Used inside one read transaction."""

    def __init__(
        self, store: Store, graph: CodeGraph, texts: FileTexts, options: PackOptions, condition: Filter
    ) -> None:
        self._store = store
        self._graph = graph
        self._texts = texts
        self._options = options
        self._condition = to_sql(condition)

    def choose(self, found: SearchResult, parsed: Query) -> list[Unit]:
        """The units of a search result, best first, without duplicates. The score of the best is 1."""
        units = _from_one(_distinct(self._found(found, parsed)[: SPARE * self._options.limit]))
        # A low score means noise in a large pool, and in a small one only next to a definition that the query names.
        if len(found.candidates) >= FEWEST or (units and _named_as(units[0], _plain_names(parsed))):
            least = LOW_FLOOR if found.stats.vectors is VectorMode.NONE else FLOOR
            units = [unit for unit in units if unit.score >= least]
        return units[: self._options.limit]

    def _found(self, found: SearchResult, parsed: Query) -> list[Unit]:
        if (file := self._file_of(parsed)) is not None:
            return self._units_of_file(file)
        weighed = [(candidate, self._weighed(candidate)) for candidate in found.candidates]
        best = max((score for _, score in weighed), default=0.0)
        scored: dict[str, Unit] = {}
        names = _names(parsed)
        for candidate, score in sorted(weighed, key=lambda item: -item[1]) if best > 0 else ():
            if len(scored) >= SPARE * self._options.limit:
                break
            for unit in self._units(candidate, max(0.0, score / best), names):
                if unit.id not in scored or scored[unit.id].score < unit.score:
                    scored[unit.id] = unit
        defined = self._defined(parsed)
        for unit in self._units_of_places(defined, list(scored.values())):
            scored.setdefault(unit.id, unit)
        units = sorted(scored.values(), key=lambda unit: (-unit.score, unit.file, unit.start))
        return _definitions_first(_without_overlaps(units), parsed, defined)

    def _weighed(self, candidate: Candidate) -> float:
        is_code = candidate.chunk.record_kind is RecordKind.CODE
        prefer = self._options.prefer
        factor = self._options.profile.factor(candidate.chunk.uri)
        if (prefer is Preference.CODE and not is_code) or (prefer is Preference.DOCS and is_code):
            factor *= PREFERRED
        return candidate.score * factor

    def _defined(self, parsed: Query) -> dict[CodePlace, CodeSymbol]:
        """The definitions that a query names, if they are few and inside its filter; the search may have missed them."""
        project = self._graph.project
        found: dict[CodePlace, CodeSymbol] = {}
        for name in _plain_names(parsed):
            places = {
                place: symbol
                for place, symbol in definitions(project, name.rpartition(".")[2], 2 * MOST_DEFINITIONS)
                if symbol.kind is not SymbolKind.IMPL and f".{symbol.qualified}".endswith(f".{name}")
            }
            if len(places) <= MOST_DEFINITIONS:
                found |= {place: symbol for place, symbol in places.items() if self._lies_within(place.uri)}
        return found

    def _lies_within(self, uri: str) -> bool:
        """True for a file that passes the query's filter."""
        where, parameters = self._condition
        with self._store.reading() as db:
            return table.file_passes(db, uri, where, parameters)

    def _units_of_places(
        self, places: Mapping[CodePlace, CodeSymbol], known: Sequence[Unit]
    ) -> Iterator[Unit]:
        """Units for the definitions that no known unit shows."""
        for place, symbol in places.items():
            if any(unit.file == place.uri and unit.start <= symbol.line <= unit.end for unit in known):
                continue
            record_id = self._texts.record(place.uri)
            if record_id is None:
                continue
            for chunk in self._store.chunks_of(record_id):
                if chunk.span.start_line <= symbol.line <= chunk.span.end_line:
                    candidate = Candidate(chunk, 0.0, 0.0, ())
                    yield self._unit(candidate, 0.0, symbol.start_line, symbol.end_line, symbol)
                    break

    def _file_of(self, parsed: Query) -> str | None:
        """The file whose path the query is, if exactly one file is meant; else None."""
        asked = parsed.text.strip().strip("`'\"").removeprefix("./")
        if (
            parsed.kind is not QueryKind.PATH
            or not parsed.paths
            or parsed.paths[0].removeprefix("./") != asked
        ):
            return None
        uris = self._graph.project.files.uris
        ends = [asked] if asked in uris else [uri for uri in uris if uri.endswith(f"/{asked}")]
        return ends[0] if len(ends) == 1 and self._lies_within(ends[0]) else None

    def _units_of_file(self, uri: str) -> list[Unit]:
        """The definitions of a file in the order of its lines; for a file without definitions its chunks."""
        record_id = self._texts.record(uri)
        chunks = self._store.chunks_of(record_id) if record_id is not None else []
        units: dict[str, Unit] = {}
        for chunk in chunks:
            if len(units) >= SPARE * self._options.limit:
                break
            units |= {unit.id: unit for unit in self._units(Candidate(chunk, 1.0, 1.0, ()), 1.0, None)}
        ordered = _without_overlaps(sorted(units.values(), key=lambda unit: (unit.start, -unit.end)))
        ordered = sorted(
            [unit for unit in ordered if unit.type != "other"] or ordered, key=lambda unit: unit.start
        )
        return [_scored(unit, max(LINE_STEP, 1.0 - n * LINE_STEP)) for n, unit in enumerate(ordered)]

    def _units(self, candidate: Candidate, score: float, names: frozenset[str] | None) -> Iterator[Unit]:
        """The units of a chunk: the symbol that it is or is part of, the definitions in it, or its lines.

        Of many definitions only those in `names` become units; with None all of them.
        """
        chunk = candidate.chunk
        facts = self._graph.project.facts(chunk.uri)
        first, last = chunk.span.start_line, chunk.span.end_line
        lines = self._texts.lines(chunk.record_id)
        if facts is None or chunk.record_kind is not RecordKind.CODE:
            yield self._unit(candidate, score, first, last)
            return
        symbols = _symbols_of(chunk, facts, names)
        for symbol in symbols:
            start = symbol.start_line
            if chunk.kind is PieceKind.SYMBOL and first <= symbol.line:
                start = min(first, start)
            while start < symbol.start_line and not lines[start - 1].strip():
                start += 1
            whole = sum(map(len, lines[start - 1 : symbol.end_line])) <= WHOLE_CHARACTERS
            start, end = (start, symbol.end_line) if whole else (first, last)
            yield self._unit(candidate, score, start, end, symbol)
        if not symbols:
            first, last = _without_imports(lines, first, last, facts)
            if first <= last:
                yield self._unit(candidate, score, first, last)

    def _unit(
        self, candidate: Candidate, score: float, start: int, end: int, symbol: CodeSymbol | None = None
    ) -> Unit:
        """The unit of lines of a chunk's file, which show a definition, or without one themselves."""
        chunk = candidate.chunk
        is_code = symbol is not None or chunk.record_kind is RecordKind.CODE
        facts = self._graph.project.facts(chunk.uri) if is_code else None
        line = start if symbol is None else min(max(symbol.line, start), end)
        head = start + 1 if symbol is None else max(symbol.head_line, line)
        return Unit(
            candidate=candidate,
            role=ItemRole.PRIMARY,
            file=chunk.uri,
            lines=self._texts.lines(chunk.record_id),
            start=start,
            line=line,
            head=min(head, end),
            end=end,
            symbol=chunk.name if symbol is None else symbol.qualified,
            type="other" if symbol is None else symbol.kind.value,
            score=round(score, 6),
            probability=score**CALIBRATION_POWER,
            imports=self._texts.imports(chunk.uri, facts) if facts is not None else NO_IMPORTS,
        )


def _symbols_of(chunk: Chunk, facts: FileFacts, names: frozenset[str] | None) -> list[CodeSymbol]:
    """The outermost definitions in a chunk, or the innermost that it is a part of; of many only those in `names`, if given."""
    first, last = chunk.span.start_line, chunk.span.end_line
    symbols = [(i, s) for i, s in enumerate(facts.symbols) if s.kind is not SymbolKind.MODULE]
    inside = [i for i, s in symbols if first <= s.line <= last]
    outer = [facts.symbols[i] for i in inside if not _has_ancestor(facts, i, inside)]
    if chunk.kind is PieceKind.SYMBOL:
        outer = outer[:1]
    if not outer:  # a later part of a long symbol
        around = [s for _, s in symbols if s.start_line <= first and s.end_line >= last]
        return [max(around, key=lambda s: s.start_line)] if around else []
    if len(outer) > CROWD and names is not None:
        return [symbol for symbol in outer if symbol.name in names]
    return outer


def _scored(unit: Unit, score: float) -> Unit:
    """The unit with a score in [0, 1], and a power of the score as the probability that the query means it."""
    return replace(unit, score=round(score, 6), probability=score**CALIBRATION_POWER)


def _from_one(units: list[Unit]) -> list[Unit]:
    """The units with scores divided by that of the best."""
    best = max((unit.score for unit in units), default=0.0)
    return [_scored(unit, unit.score / best) for unit in units] if 0 < best < 1 else units


def _named_as(unit: Unit, names: Iterable[str]) -> bool:
    """True for a definition that one of the names names."""
    return unit.type != "other" and any(f".{unit.symbol}".endswith(f".{name}") for name in names)


def _distinct(units: Sequence[Unit]) -> list[Unit]:
    """The units without duplicates of better ones."""
    twin_of = near_duplicates([unit.text(unit.start, unit.end) for unit in units])
    return [unit for n, unit in enumerate(units) if n not in twin_of]


def _without_overlaps(units: Sequence[Unit]) -> list[Unit]:
    """The units without those that share lines with a better one; a unit that contains a better one replaces it, with its
    score.
    """
    kept: dict[str, list[Unit]] = {}
    order: list[str] = []
    for unit in units:
        beside = kept.setdefault(unit.file, [])
        for n, other in enumerate(beside):
            if other.start <= unit.end and unit.start <= other.end:
                if unit.start <= other.start and unit.end >= other.end:
                    beside[n] = replace(unit, score=other.score, probability=other.probability)
                break
        else:
            beside.append(unit)
            order.append(unit.file)
    turns = {file: iter(_once(found)) for file, found in kept.items()}
    return [found for file in order if (found := next(turns[file], None)) is not None]


def _once(units: Sequence[Unit]) -> list[Unit]:
    """The units without repetitions of a unit that replaced several."""
    return list({unit.id: unit for unit in units}.values())


def _names(parsed: Query) -> frozenset[str]:
    """The last names of the query's mentions, and a query that is one word."""
    return frozenset(
        re.split(r"[.:>#]", name.rstrip("()"))[-1] for name in (*parsed.mentions, *_whole_names(parsed))
    )


def _whole_names(parsed: Query) -> list[str]:
    found = [anchor.text for anchor in parsed.anchors if anchor.kind is AnchorKind.IDENTIFIER]
    # a plain word may be a name too
    if re.fullmatch(r"[\w.:$#>-]+(?:\(\))?", alone := parsed.text.strip()):
        found.append(alone)
    return found


def _plain_names(parsed: Query) -> set[str]:
    """The whole names in a query, with dots as separators."""
    return {name for whole in _whole_names(parsed) if (name := dotted(whole).strip("."))}


def _definitions_first(
    units: list[Unit], parsed: Query, defined: Mapping[CodePlace, CodeSymbol]
) -> list[Unit]:
    """The units, those of definitions that the query names first: definitions outside of tests before others, then by score.

    A unit that contains such a definition comes after those that are such a definition.
    """
    names = _plain_names(parsed)

    def named_as(unit: Unit) -> int:
        """0 for a unit that is a named definition, 1 for a unit that contains one, else 2."""
        if _named_as(unit, names):
            return 0
        held = any(
            place.uri == unit.file and unit.start <= symbol.line <= unit.end
            for place, symbol in defined.items()
        )
        return 1 if held else 2

    named = sorted(
        (unit for unit in units if named_as(unit) < 2),
        key=lambda unit: (is_test_path(unit.file), unit.type == "impl", named_as(unit), -unit.score),
    )
    if not named:
        return units
    return [_scored(named[0], 1.0), *named[1:], *(unit for unit in units if named_as(unit) == 2)]


def _has_ancestor(facts: FileFacts, index: int, among: Sequence[int]) -> bool:
    parent = facts.symbols[index].parent
    while parent != MODULE:
        if parent in among:
            return True
        parent = facts.symbols[parent].parent
    return False


def _without_imports(lines: Sequence[str], first: int, last: int, facts: FileFacts) -> tuple[int, int]:
    """The lines `first` to `last` without import statements and blank lines at both ends; first > last when none is left."""
    imported = {statement.line for statement in facts.statements}

    def says_nothing(line: int) -> bool:
        return line in imported or not lines[line - 1].strip()

    while first <= last and says_nothing(first):
        first += 1
    while last >= first and says_nothing(last):
        last -= 1
    return first, last
