"""From search results to a pack of code: which lines stand for what was found, what stands near it, and what
of it fits.

chunk → unit        the symbol that a chunk is, or is part of; of a run of lines the definitions in it
unit → neighbours   by the graph, the best of each unit in turns
units → items       by the packer's selection, in whole or in part
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.profiles import CodeProfile
from daypack.doors.code.selection import NO_IMPORTS, Imports, Unit, choose_items, imports_of
from daypack.doors.code.types import (
    MODULE,
    AnchorPolicy,
    CodePack,
    CodeSymbol,
    FileFacts,
    ItemRole,
    Place,
    Preference,
    Related,
    RelatedMode,
    Strategy,
)
from daypack.doors.files.door import DOOR as FILES
from daypack.engine.retrieve import CALIBRATION_POWER
from daypack.filters import Filter, to_sql
from daypack.index.store import Store
from daypack.pack.dedupe import twins
from daypack.query import parse_query
from daypack.rank.signals import is_test_path
from daypack.text import analysis
from daypack.types import (
    AnchorKind,
    Candidate,
    PieceKind,
    Query,
    QueryKind,
    RecordKind,
    SearchResult,
    SymbolKind,
)

POOL = 60  # candidates that are looked at, or twice as many as are wanted
KEPT_TEXTS = 200  # of files
WHOLE_CHARACTERS = 4_000  # a symbol that is longer is shown in the parts that were found
PREFERRED = 0.5  # what the other kind is worth when one is preferred
RELATED_SHARE = 0.3  # of the probability of what a related unit stands near …
LEAST_ORIGIN = 0.1  # … which counts this at least
FOCUS_DISTANCE, FOCUS_OTHERS = 2, 2  # neighbours that hold no word of the query
SPARE = 4  # primaries, as a multiple of those that are wanted, before duplicates go
MOST_DEFINITIONS = 8  # of one name: of more, those come first that search finds
# definitions in one run of lines; where there are more, the run is shown, or those that the query names
CROWD = 3
LINE_STEP = 0.001  # between the scores of what stands in one file, which is shown in the order of its lines


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a pack is to be made."""

    max_chars: int
    limit: int
    each: int
    strategy: Strategy
    related_mode: RelatedMode
    prefer: Preference
    policy: AnchorPolicy
    profile: CodeProfile
    trace: bool


class Sources:
    """Lines and imports of the files that packs show, in one state of a store.

    What was read is kept for the next question.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: dict[int, list[str]] = {}
        self._records: dict[str, int | None] = {}
        self._imports: dict[str, Imports] = {}

    def record(self, uri: str) -> int | None:
        if uri not in self._records:
            stored = self._store.stored_record(FILES, "", uri)
            self._records[uri] = stored.id if stored is not None else None
        return self._records[uri]

    def lines(self, record_id: int) -> list[str]:
        if record_id not in self._lines:
            if len(self._lines) >= KEPT_TEXTS:
                self._lines.clear()
            self._lines[record_id] = self._store.record_text(record_id).split("\n")
        return self._lines[record_id]

    def imports(self, uri: str, facts: FileFacts) -> Imports:
        if uri not in self._imports:
            self._imports[uri] = imports_of(facts)
        return self._imports[uri]


class CodePacking:
    """One question's way from search results to items. Used inside one reading transaction."""

    def __init__(
        self, store: Store, graph: CodeGraph, sources: Sources, wanted: Wanted, condition: Filter
    ) -> None:
        self._store = store
        self._graph = graph
        self._sources = sources
        self._wanted = wanted
        self._condition = to_sql(condition)

    def pack(self, query: str, found: SearchResult, *, now: float) -> CodePack:
        parsed = parse_query(query, now=now)
        strong = [anchor.text for anchor in parsed.anchors]
        missing = found.stats.anchors_missing
        reason = found.empty_reason.value if found.empty_reason else ""
        empty = CodePack(
            query,
            found.stats.embedder or "lexical",
            self._wanted.profile.name,
            (),
            self._wanted.max_chars,
            0,
            reason,
            missing,
        )
        if self._wanted.policy is AnchorPolicy.AUTO and strong and all(text in missing for text in strong):
            return _nothing(replace(empty, empty_reason="anchor_not_found"), strong)
        primaries = _distinct(self._primaries(found, parsed)[: SPARE * self._wanted.limit])[
            : self._wanted.limit
        ]
        if not primaries:
            return _nothing(replace(empty, empty_reason=reason or "nothing_relevant"), strong)
        related = self._related(primaries, parsed) if self._wanted.each else []
        items, dropped = choose_items([*primaries, *related], self._wanted.max_chars)
        best = max((item.score for item in items if item.role is ItemRole.PRIMARY), default=1.0)
        if 0 < best < 1:  # the best had no room
            items = [
                replace(item, score=round(item.score / best, 6)) if item.role is ItemRole.PRIMARY else item
                for item in items
            ]
        trace = _trace(found, strong, primaries, related, items) if self._wanted.trace else ()
        return replace(
            empty,
            items=tuple(items),
            dropped_items=dropped,
            empty_reason="" if items else "budget_too_small",
            trace=trace,
        )

    # ------------------------------------------------------------ primaries

    def _primaries(self, found: SearchResult, parsed: Query) -> list[Unit]:
        if (file := self._file_of(parsed)) is not None:
            return self._units_of_file(file)
        weighed = [(candidate, self._weighed(candidate)) for candidate in found.candidates]
        best = max((score for _, score in weighed), default=0.0)
        scored: dict[str, Unit] = {}
        names = _names(parsed)
        for candidate, score in sorted(weighed, key=lambda item: -item[1]) if best > 0 else ():
            if len(scored) >= SPARE * self._wanted.limit:
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
        prefer = self._wanted.prefer
        factor = self._wanted.profile.factor(candidate.chunk.uri)
        if (prefer is Preference.CODE and not is_code) or (prefer is Preference.DOCS and is_code):
            factor *= PREFERRED
        return candidate.score * factor

    def _defined(self, parsed: Query) -> dict[Place, CodeSymbol]:
        """The definitions of what a query names as a whole, where they lie in its bounds and are few: search
        may have missed them.
        """
        project = self._graph.project
        found: dict[Place, CodeSymbol] = {}
        for name in _plain_names(parsed):
            places = {
                Place(uri, index): symbol
                for uri in project.defining(name.rpartition(".")[2])[: 2 * MOST_DEFINITIONS]
                if (facts := project.facts(uri)) is not None
                for index, symbol in enumerate(facts.symbols)
                if symbol.kind is not SymbolKind.IMPL and f".{symbol.qualified}".endswith(f".{name}")
            }
            if len(places) <= MOST_DEFINITIONS:
                found |= {place: symbol for place, symbol in places.items() if self._lies_within(place.uri)}
        return found

    def _lies_within(self, uri: str) -> bool:
        """Whether a file lies where primaries may lie."""
        where, parameters = self._condition
        with self._store.reading() as db:
            row = db.execute(
                f"SELECT 1 FROM record WHERE door = ? AND uri = ? AND ({where})", (FILES, uri, *parameters)
            ).fetchone()
        return row is not None

    def _units_of_places(self, places: Mapping[Place, CodeSymbol], known: Sequence[Unit]) -> Iterator[Unit]:
        """Units of definitions that no known one shows."""
        for place, symbol in places.items():
            if any(unit.file == place.uri and unit.start <= symbol.line <= unit.end for unit in known):
                continue
            record_id, facts = self._sources.record(place.uri), self._graph.project.facts(place.uri)
            if record_id is None or facts is None:
                continue
            for chunk in self._store.chunks_of(record_id):
                if chunk.span.start_line <= symbol.line <= chunk.span.end_line:
                    lines = self._sources.lines(record_id)
                    yield self._of_symbol(
                        Candidate(chunk, 0.0, 0.0, ()),
                        0.0,
                        lines,
                        symbol,
                        facts,
                        symbol.start_line,
                        symbol.end_line,
                    )
                    break

    def _file_of(self, parsed: Query) -> str | None:
        """The one file that a query is the path of."""
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
        """What a file defines, in the order of its lines; its parts where it defines nothing."""
        record_id = self._sources.record(uri)
        chunks = self._store.chunks_of(record_id) if record_id is not None else []
        units: dict[str, Unit] = {}
        for chunk in chunks:
            if len(units) >= SPARE * self._wanted.limit:
                break
            units |= {unit.id: unit for unit in self._units(Candidate(chunk, 1.0, 1.0, ()), 1.0, None)}
        ordered = _without_overlaps(sorted(units.values(), key=lambda unit: (unit.start, -unit.end)))
        ordered = sorted(
            [unit for unit in ordered if unit.type != "other"] or ordered, key=lambda unit: unit.start
        )
        return [_scored(unit, max(LINE_STEP, 1.0 - n * LINE_STEP)) for n, unit in enumerate(ordered)]

    def _units(self, candidate: Candidate, score: float, names: frozenset[str] | None) -> Iterator[Unit]:
        """What a chunk stands for: the symbol that it is or is part of, the definitions in it, or its lines.

        Of a crowd of definitions those that are named are meant; without `names` all.
        """
        chunk = candidate.chunk
        facts = self._graph.project.facts(chunk.uri)
        first, last = chunk.span.start_line, chunk.span.end_line
        lines = self._sources.lines(chunk.record_id)
        if facts is None or chunk.record_kind is not RecordKind.CODE:
            yield self._of_lines(candidate, score, lines, first, last, facts)
            return
        inside = [
            i
            for i, s in enumerate(facts.symbols)
            if first <= s.line <= last and s.kind is not SymbolKind.MODULE
        ]
        outer = [i for i in inside if not _has_ancestor(facts, i, inside)]
        if chunk.kind is PieceKind.SYMBOL:
            outer = outer[:1]
        if not outer:  # a later part of something long
            around = [
                i
                for i, s in enumerate(facts.symbols)
                if s.start_line <= first and s.end_line >= last and s.kind is not SymbolKind.MODULE
            ]
            outer = [max(around, key=lambda i: facts.symbols[i].start_line)] if around else []
        elif len(outer) > CROWD and names is not None:
            outer = [i for i in outer if facts.symbols[i].name in names]
        for index in outer:
            symbol = facts.symbols[index]
            start = (
                min(first, symbol.start_line)
                if chunk.kind is PieceKind.SYMBOL and first <= symbol.line
                else symbol.start_line
            )
            while start < symbol.start_line and not lines[start - 1].strip():
                start += 1
            whole = sum(map(len, lines[start - 1 : symbol.end_line])) <= WHOLE_CHARACTERS
            yield self._of_symbol(
                candidate,
                score,
                lines,
                symbol,
                facts,
                *((start, symbol.end_line) if whole else (first, last)),
            )
        if not outer:
            first, last = _without_imports(lines, first, last, facts)
            if first <= last:
                yield self._of_lines(candidate, score, lines, first, last, facts)

    def _of_lines(
        self,
        candidate: Candidate,
        score: float,
        lines: Sequence[str],
        start: int,
        end: int,
        facts: FileFacts | None,
    ) -> Unit:
        chunk = candidate.chunk
        imports = (
            self._sources.imports(chunk.uri, facts)
            if facts is not None and chunk.record_kind is RecordKind.CODE
            else NO_IMPORTS
        )
        return Unit(
            candidate,
            ItemRole.PRIMARY,
            chunk.uri,
            lines,
            start,
            start,
            min(end, start + 1),
            end,
            chunk.name,
            "other",
            round(score, 6),
            score**CALIBRATION_POWER,
            imports,
        )

    def _of_symbol(
        self,
        candidate: Candidate,
        score: float,
        lines: Sequence[str],
        symbol: CodeSymbol,
        facts: FileFacts,
        start: int,
        end: int,
    ) -> Unit:
        uri = candidate.chunk.uri
        line = min(max(symbol.line, start), end)
        return Unit(
            candidate,
            ItemRole.PRIMARY,
            uri,
            lines,
            start,
            line,
            min(max(symbol.head_line, line), end),
            end,
            symbol.qualified,
            symbol.kind.value,
            round(score, 6),
            score**CALIBRATION_POWER,
            self._sources.imports(uri, facts),
        )

    # ------------------------------------------------------------ neighbours

    def _related(self, primaries: Sequence[Unit], parsed: Query) -> list[Unit]:
        """Neighbours of the primaries in turns: the best of each, then the second of each."""
        shown, taken = _Spans(), _Spans()
        for unit in primaries:
            shown.add(unit.file, unit.start, unit.end)
        queues = [(unit, self._neighbours(unit, parsed, shown)) for unit in primaries]
        units: list[Unit] = []
        for _ in range(self._wanted.each):
            for unit, queue in queues:
                for near, symbol in queue:
                    if taken.meet(near.place.uri, symbol.start_line, symbol.end_line):
                        continue
                    if (made := self._near(unit, near, symbol)) is not None:
                        taken.add(made.file, made.start, made.end)
                        units.append(made)
                        break
        return units

    def _neighbours(self, unit: Unit, parsed: Query, shown: _Spans) -> Iterator[tuple[Related, CodeSymbol]]:
        """What stands near a unit and not in what is shown, the most relevant first."""
        place = self._place(unit)
        others = 0
        for near in (
            self._graph.related(place, depth=self._wanted.strategy.depth) if place is not None else ()
        ):
            symbol = self._graph.symbol(near.place)
            if (
                symbol is None
                or shown.meet(near.place.uri, symbol.line, symbol.line)
                or self._wanted.profile.rejects_path(near.place.uri)
            ):
                continue
            if self._wanted.related_mode is RelatedMode.FOCUS and not (
                near.distance <= FOCUS_DISTANCE and _holds(symbol, parsed)
            ):
                others += 1
                if others > FOCUS_OTHERS:
                    continue
            yield near, symbol

    def _near(self, unit: Unit, near: Related, symbol: CodeSymbol) -> Unit | None:
        record_id, facts = self._sources.record(near.place.uri), self._graph.project.facts(near.place.uri)
        if record_id is None or facts is None:
            return None
        return Unit(
            unit.candidate,
            ItemRole.RELATED,
            near.place.uri,
            self._sources.lines(record_id),
            symbol.start_line,
            symbol.line,
            max(symbol.head_line, symbol.line),
            symbol.end_line,
            symbol.qualified,
            symbol.kind.value,
            round(near.relevance, 6),
            RELATED_SHARE * near.relevance * max(unit.probability, LEAST_ORIGIN),
            self._sources.imports(near.place.uri, facts),
            near.labels,
            near.distance,
            unit.id,
            near.ambiguous,
        )

    def _place(self, unit: Unit) -> Place | None:
        facts = self._graph.project.facts(unit.file)
        for index, symbol in enumerate(facts.symbols if facts is not None else ()):
            if (
                symbol.qualified == unit.symbol
                and unit.start <= symbol.end_line
                and symbol.start_line <= unit.end
            ):
                return Place(unit.file, index)
        return Place(unit.file, MODULE) if facts is not None and facts.links else None


# ---------------------------------------------------------------- parts


class _Spans:
    """Lines of files."""

    def __init__(self) -> None:
        self._of: dict[str, list[tuple[int, int]]] = {}

    def add(self, file: str, start: int, end: int) -> None:
        self._of.setdefault(file, []).append((start, end))

    def meet(self, file: str, start: int, end: int) -> bool:
        """Whether these lines share one with those that were added."""
        return any(first <= end and start <= last for first, last in self._of.get(file, ()))


def _scored(unit: Unit, score: float) -> Unit:
    """The unit with a score in [0, 1], whose power stands in for the probability that it is meant."""
    return replace(unit, score=round(score, 6), probability=score**CALIBRATION_POWER)


def _distinct(units: Sequence[Unit]) -> list[Unit]:
    """Without units that say what a better one says."""
    twin_of = twins([unit.text(unit.start, unit.end) for unit in units])
    return [unit for n, unit in enumerate(units) if n not in twin_of]


def _without_overlaps(units: Sequence[Unit]) -> list[Unit]:
    """Of units that share lines the better one; one that holds another takes its place and its score."""
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
    """One that took the place of several is there once."""
    return list({unit.id: unit for unit in units}.values())


def _names(parsed: Query) -> frozenset[str]:
    """The last names of what a query mentions, and a query that is one word."""
    return frozenset(
        re.split(r"[.:>#]", name.rstrip("()"))[-1] for name in (*parsed.mentions, *_whole_names(parsed))
    )


def _whole_names(parsed: Query) -> list[str]:
    found = [anchor.text for anchor in parsed.anchors if anchor.kind is AnchorKind.IDENTIFIER]
    # a plain word may be a name as well
    if re.fullmatch(r"[\w.:$#>-]+(?:\(\))?", alone := parsed.text.strip()):
        found.append(alone)
    return found


def _plain_names(parsed: Query) -> set[str]:
    """What a query names as a whole, with dots."""
    return {
        name
        for whole in _whole_names(parsed)
        if (name := re.sub(r"::|->|#", ".", whole).rstrip("()").strip("."))
    }


def _definitions_first(units: list[Unit], parsed: Query, defined: Mapping[Place, CodeSymbol]) -> list[Unit]:
    """What the query names as a whole stands before what mentions it; of several those outside tests, then
    the better ones.

    A definition that is shown inside of a larger unit comes behind those that are units of their own.
    """
    names = _plain_names(parsed)

    def named_as(unit: Unit) -> int:
        """0 a unit of that name, 1 one that holds a definition of it, 2 neither."""
        if unit.type != "other" and any(f".{unit.symbol}".endswith(f".{name}") for name in names):
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
    """A stretch without import statements and blank lines at its ends; where nothing is left, first > last."""
    imported = {statement.line for statement in facts.statements}

    def says_nothing(line: int) -> bool:
        return line in imported or not lines[line - 1].strip()

    while first <= last and says_nothing(first):
        first += 1
    while last >= first and says_nothing(last):
        last -= 1
    return first, last


def _holds(symbol: CodeSymbol, parsed: Query) -> bool:
    terms = analysis.terms(f"{symbol.qualified} {symbol.signature} {symbol.doc}")
    return any(term in parsed.terms for term in terms)


def _nothing(pack: CodePack, anchors: Sequence[str]) -> CodePack:
    """An empty pack that says why, and what to do."""
    if pack.empty_reason == "anchor_not_found":
        named = ", ".join(repr(text) for text in anchors[:3])
        return replace(
            pack,
            hints=(("warn", f"nothing here mentions {named}; no other code is shown in its place"),),
            next_actions=(
                ("code_pack", "anchor_policy=off", "show the nearest code all the same"),
                ("symbols", anchors[0], "symbols whose names are spelt alike"),
                ("search", pack.query, "look in documents and records as well"),
            ),
        )
    return replace(
        pack,
        hints=(("info", f"no code for this query ({pack.empty_reason.replace('_', ' ')})"),),
        next_actions=(
            ("search", pack.query, "look in documents and records as well"),
            ("code_map", "", "see what there is"),
        ),
    )


def _trace(
    found: SearchResult,
    anchors: Sequence[str],
    primaries: Sequence[Unit],
    related: Sequence[Unit],
    items: Sequence[object],
) -> tuple[tuple[str, object], ...]:
    """What was considered and what each signal said, as plain data."""
    shown = {getattr(item, "id", ""): getattr(item, "variant", "") for item in items}
    return (
        ("query_kind", found.stats.query_kind.value),
        ("anchors", [*anchors]),
        ("candidates", found.stats.candidates),
        (
            "primaries",
            [
                {
                    "id": unit.id,
                    "symbol": unit.symbol,
                    "score": unit.score,
                    "signals": {c.signal: round(c.share, 4) for c in unit.candidate.contributions},
                }
                for unit in primaries
            ],
        ),
        (
            "related",
            [
                {
                    "id": unit.id,
                    "symbol": unit.symbol,
                    "related_to": unit.of,
                    "relationship": [*unit.labels],
                    "distance": unit.distance,
                    "relevance": unit.score,
                    "ambiguous": unit.ambiguous,
                }
                for unit in related
            ],
        ),
        ("shown", shown),
    )
