"""Search results become a pack of code: the lines of each hit, their neighbours in the graph, and the selection that fits.

chunk → unit        the symbol that the chunk is or is part of; for a run of lines the definitions in it
unit → neighbours   from the graph: the best neighbour of each unit, then the second of each …
units → items       by the packer's selection, whole or in part
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from daypack.doors.code.graph.facts import MODULE, CodePlace, CodeSymbol, Related
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.packs.file_texts import FileTexts
from daypack.doors.code.packs.primaries import Primaries
from daypack.doors.code.packs.selection import Unit, choose_items, least_cost
from daypack.doors.code.types import AnchorPolicy, CodePack, ItemRole, PackOptions, RelatedMode
from daypack.filters import Filter
from daypack.index.store import Store
from daypack.query import parse_query
from daypack.shapes.plain import pick
from daypack.shapes.wording import counted, step_of_stale
from daypack.text import analysis
from daypack.types import EmptyReason, Query, SearchResult, SearchStats

POOL = 60  # candidates, or twice as many as the pack may show
RELATED_SHARE = 0.3  # probability of a related unit, as a share of that of its primary …
LEAST_ORIGIN = 0.1  # … which counts as at least this
# in focus mode: the farthest neighbour with a word of the query, and the number of other neighbours
FOCUS_DISTANCE, FOCUS_OTHERS = 2, 2


class CodePacking:
    """Makes the items for one question from search results. Used inside one read transaction."""

    def __init__(
        self, store: Store, graph: CodeGraph, texts: FileTexts, options: PackOptions, condition: Filter
    ) -> None:
        self._graph = graph
        self._texts = texts
        self._options = options
        self._primaries = Primaries(store, graph, texts, options, condition)

    def pack(self, query: str, found: SearchResult, *, now: datetime) -> CodePack:
        parsed = parse_query(query, now=now)
        strong = [anchor.text for anchor in parsed.anchors]
        missing = found.stats.anchors_missing
        off = self._options.policy is AnchorPolicy.OFF
        reason = found.empty_reason.value if found.empty_reason else ""
        if off and found.empty_reason is EmptyReason.ANCHOR_NOT_FOUND:
            reason = EmptyReason.NOTHING_RELEVANT.value
        empty = CodePack(
            query=query,
            model_id=found.stats.embedder or "lexical",
            profile=self._options.profile.name,
            items=(),
            max_chars=self._options.max_chars,
            dropped_items=0,
            empty_reason=reason,
            anchors_missing=missing,
        )
        if found.empty_reason is EmptyReason.FILTERED_OUT or (missing and not found.stats.chunks):
            return _outside(empty)
        # A task or a report may name what is still to be written.
        asks = not (parsed.is_report or parsed.asks_for_change)
        # A page may be near to a name that no code has; a correction may be the name that was meant.
        named = strong or (parsed.asks_of_names_alone and not found.stats.corrections)
        if not off and asks and named and all(text in missing for text in (*strong, *parsed.identifiers)):
            return _nothing(replace(empty, empty_reason="anchor_not_found"))
        primaries = self._primaries.choose(found, parsed)
        if not primaries and not self._options.limit and not reason:
            return _unasked(empty)
        if not primaries:
            return _nothing(replace(empty, empty_reason=reason or "nothing_relevant"))
        related = self._related(primaries, parsed) if self._options.related_per_primary else []
        items, dropped = choose_items([*primaries, *related], self._options.max_chars)
        trace = _trace(found, strong, primaries, related, items) if self._options.trace else ()
        if not items:
            return _too_small(replace(empty, dropped_items=dropped, trace=trace), least_cost(primaries[0]))
        return replace(
            empty,
            items=tuple(items),
            dropped_items=dropped,
            hints=(("warn", f"no code here mentions {_listed(missing)}"),) if missing else (),
            trace=trace,
        )

    # ------------------------------------------------------------ neighbours

    def _related(self, primaries: Sequence[Unit], parsed: Query) -> list[Unit]:
        """The neighbours of the primaries: the best of each, then the second of each …"""
        shown, taken = _Spans(), _Spans()
        for unit in primaries:
            shown.add(unit.file, unit.start, unit.end)
        queues = [(unit, self._neighbours(unit, parsed, shown)) for unit in primaries]
        units: list[Unit] = []
        for _ in range(self._options.related_per_primary):
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
        """The neighbours of a unit whose name line is not in `shown`, the most relevant first."""
        place, options = self._place(unit), self._options
        if place is None:
            return
        others = 0
        for near in self._graph.related(place, depth=options.strategy.depth):
            symbol, file = self._graph.symbol(near.place), near.place.uri
            if (
                symbol is None
                or shown.meet(file, symbol.line, symbol.line)
                or options.profile.rejects_path(file)
            ):
                continue
            is_wide = options.related_mode is not RelatedMode.FOCUS
            if not (is_wide or (near.distance <= FOCUS_DISTANCE and _holds(symbol, parsed))):
                others += 1
                if others > FOCUS_OTHERS:
                    continue
            yield near, symbol

    def _near(self, unit: Unit, near: Related, symbol: CodeSymbol) -> Unit | None:
        record_id, facts = self._texts.record(near.place.uri), self._graph.project.facts(near.place.uri)
        if record_id is None or facts is None:
            return None
        return Unit(
            candidate=unit.candidate,
            role=ItemRole.RELATED,
            file=near.place.uri,
            lines=self._texts.lines(record_id),
            start=symbol.start_line,
            line=symbol.line,
            head=max(symbol.head_line, symbol.line),
            end=symbol.end_line,
            symbol=symbol.qualified,
            type=symbol.kind.value,
            score=round(near.relevance, 6),
            probability=RELATED_SHARE * near.relevance * max(unit.probability, LEAST_ORIGIN),
            imports=self._texts.imports(near.place.uri, facts),
            labels=near.labels,
            distance=near.distance,
            of=unit.id,
            ambiguous=near.ambiguous,
        )

    def _place(self, unit: Unit) -> CodePlace | None:
        facts = self._graph.project.facts(unit.file)
        if facts is None:
            return None
        for index, symbol in enumerate(facts.symbols):
            meets = unit.start <= symbol.end_line and symbol.start_line <= unit.end
            if meets and symbol.qualified == unit.symbol:
                return CodePlace(unit.file, index)
        return CodePlace(unit.file, MODULE) if facts.links else None


# ---------------------------------------------------------------- parts


class _Spans:
    """A set of lines of files."""

    def __init__(self) -> None:
        self._of: dict[str, list[tuple[int, int]]] = {}

    def add(self, file: str, start: int, end: int) -> None:
        self._of.setdefault(file, []).append((start, end))

    def meet(self, file: str, start: int, end: int) -> bool:
        """True when one of these lines is in the set."""
        return any(first <= end and start <= last for first, last in self._of.get(file, ()))


def _holds(symbol: CodeSymbol, parsed: Query) -> bool:
    terms = analysis.terms(f"{symbol.qualified} {symbol.signature} {symbol.doc}")
    return any(term in parsed.terms for term in terms)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(repr(name) for name in names[:3]) + more


def _unasked(pack: CodePack) -> CodePack:
    """An empty pack for a limit of 0."""
    return replace(
        pack,
        hints=(("info", "no item was asked for (limit 0)"),),
        next_actions=(("code_pack", "limit=10", "show what is found"),),
    )


def _outside(pack: CodePack) -> CodePack:
    """An empty pack where no file is in scope, which says nothing about the names in the query."""
    return replace(
        pack,
        empty_reason=EmptyReason.FILTERED_OUT.value,
        anchors_missing=(),
        hints=(("warn", "no file with code is in scope: the paths match none, or none is indexed"),),
        next_actions=(
            ("code_pack", pack.query, "leave out the paths, and look in all code"),
            ("search", pack.query, "look in documents and records as well"),
        ),
    )


def _too_small(pack: CodePack, least: int) -> CodePack:
    """An empty pack whose best item takes `least` characters in its shortest variant."""
    return replace(
        pack,
        empty_reason="budget_too_small",
        min_chars=least,
        hints=(("warn", f"the best item takes {least:,} characters, and max_chars is {pack.max_chars:,}"),),
        next_actions=(("code_pack", f"max_chars={least}", "show the line with the name of the best item"),),
    )


def _nothing(pack: CodePack) -> CodePack:
    """An empty pack with its reason and the next step."""
    elsewhere = ("search", pack.query, "look in documents and records as well")
    if pack.empty_reason == "anchor_not_found" and pack.anchors_missing:
        said = f"no code here mentions {_listed(pack.anchors_missing)}; no other code is shown instead"
        anyway = ("code_pack", "anchor_policy=off", "show the nearest code anyway")
        similar = ("symbols", pack.anchors_missing[0], "symbols with similar names")
        return replace(pack, hints=(("warn", said),), next_actions=(anyway, similar, elsewhere))
    said = f"no code for this query ({pack.empty_reason.replace('_', ' ')})"
    return replace(
        pack, hints=(("info", said),), next_actions=(elsewhere, ("code_map", "", "see the symbols"))
    )


def _trace(
    found: SearchResult,
    anchors: Sequence[str],
    primaries: Sequence[Unit],
    related: Sequence[Unit],
    items: Sequence[object],
) -> tuple[tuple[str, object], ...]:
    """All units that were candidates, with their signals, as plain data."""
    of_related = "id symbol related_to=of relationship=labels distance relevance=score ambiguous"
    facts = {
        "query_kind": found.stats.query_kind.value,
        "anchors": [*anchors],
        "candidates": found.stats.candidates,
        "primaries": [pick(unit, "id symbol score") | {"signals": _signals(unit)} for unit in primaries],
        "related": [pick(unit, of_related) for unit in related],
        "shown": {getattr(item, "id", ""): getattr(item, "variant", "") for item in items},
    }
    return tuple(facts.items())


def _signals(unit: Unit) -> dict[str, float]:
    return {part.signal: round(part.share, 4) for part in unit.candidate.contributions}


def hints_on_search(stats: SearchStats, changed: Collection[str]) -> Iterator[tuple[str, str]]:
    """Hints as (type, text): files that changed since they were read (`changed` are those that the pack cites), parts of the
    search that are missing, and typos.
    """
    if changed or stats.stale:
        number, files = (len(changed), "cited file") if changed else (stats.stale, "file")
        yield "warn", f"{counted(number, files)} changed since indexing; {step_of_stale(number, stats)}"
    for trouble in stats.degraded:
        yield "warn", trouble
    for wrong, right in stats.corrections.items():
        yield "info", f"searched for {right} beside {wrong}"
