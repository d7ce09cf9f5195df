"""Items of a code pack: candidates and their neighbours in a number of characters.

    full        1.00 of the value    all lines of the symbol
    signature    .15                 down to the first line of its docstring
    line         .05                 the line of its name

The best candidate comes first, in the longest variant that fits. The others are selected as in every pack
(`select_greedy`). The costs of Context Pack v1 are additive, so the selected items fit together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from daypack.doors.code.packs.file_texts import Imports
from daypack.doors.code.types import CodeItem, ItemRole, item_cost
from daypack.pack.select import Option, select_greedy
from daypack.pack.variants import SIGNATURE_VALUE, Choice
from daypack.types import Candidate, SymbolKind, Variant

LINE_VALUE = 0.05  # value of the line that names a unit, as a share of the unit's value
# kinds of symbols that consist of their members
_HOLDERS = frozenset(
    kind.value
    for kind in (
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.INTERFACE,
        SymbolKind.IMPL,
        SymbolKind.MODULE,
    )
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A candidate for an item. Lines are 1-based: `start` to `end` is the unit, `line` has its name, `head` ends its signature."""

    candidate: Candidate  # the search's candidate at these lines; for a related unit that of its primary
    role: ItemRole
    file: str
    lines: Sequence[str]  # the whole file
    start: int
    line: int
    head: int
    end: int
    symbol: str
    type: str
    score: float  # in [0, 1]
    probability: float  # in [0, 1], that the query means it
    imports: Imports
    labels: tuple[str, ...] = ()
    distance: int = 0
    of: str = ""
    ambiguous: bool = False

    @property
    def id(self) -> str:
        return f"{self.file}:{self.start}:{self.end}"

    def text(self, start: int, end: int) -> str:
        return "\n".join(self.lines[start - 1 : end]).rstrip()


def choose_items(units: Sequence[Unit], max_chars: int) -> tuple[list[CodeItem], int]:
    """(the items for `max_chars` characters in the order of the units, the number of units that are not shown whole).

    The first unit is the best. It is shown in its longest variant that fits, before all others; when not even its line fits,
    there are no items. The others are selected by value for cost; a related unit needs its primary.
    """
    if not units:
        return [], 0
    shown = [_variants(unit, least=n > 0) for n, unit in enumerate(units)]
    first = next((v for v in reversed(shown[0]) if shown[0][v].cost <= max_chars), None)
    if first is None:
        return [], len(units)
    chosen = {0: first, **_others(units, shown, max_chars - shown[0][first].cost)}
    items = {
        units[n].id: _item(units[n], shown[n][variant], variant) for n, variant in sorted(chosen.items())
    }
    whole = sum(variant is Variant.FULL for variant in chosen.values())
    # a primary in a shorter variant has fewer lines, and so another id
    named = (replace(item, of=items[item.of].id) if item.of else item for item in items.values())
    return list(named), len(units) - whole


def least_cost(unit: Unit) -> int:
    """The characters of the shortest variant of the best unit."""
    return min(shown.cost for shown in _variants(unit, least=False).values())


def _others(
    units: Sequence[Unit], shown: Sequence[Mapping[Variant, _Shown]], room: int
) -> dict[int, Variant]:
    """Index of a unit → its selected variant, for all units but the first, in `room` characters."""
    places = [n for n in range(1, len(units)) if shown[n]]
    while True:
        options = [_option(units[n], shown[n]) for n in places]
        number = {id(option.candidate): n for n, option in zip(places, options, strict=True)}
        selected, _ = select_greedy(options, room)
        chosen = {number[id(found.candidate)]: found.choice.variant for found in selected}
        seen = {units[0].id, *(units[n].id for n in chosen)}
        alone = {n for n in chosen if units[n].of and units[n].of not in seen}
        if not alone:
            return chosen
        places = [n for n in places if n not in alone]


class _Shown(NamedTuple):
    """A variant: its value, first line, text, and the imports that it needs."""

    value: float
    start: int
    body: str
    imports: tuple[str, ...]

    @property
    def cost(self) -> int:
        return item_cost(
            sum([len(line) + 1 for line in self.imports]) + bool(self.imports) + len(self.body), self.imports
        )


def _variants(unit: Unit, *, least: bool) -> dict[Variant, _Shown]:
    """The different variants of a unit, the smallest first. With `least`, those that only say that a type exists, as the line
    `impl Shelf {`, are left out.
    """
    spans = {
        (unit.line, unit.line): (Variant.LINE, LINE_VALUE),
        (unit.line, unit.head): (Variant.SIGNATURE, SIGNATURE_VALUE),
        (unit.start, unit.end): (Variant.FULL, 1.0),
    }
    found: dict[Variant, _Shown] = {}
    for (start, end), (variant, value) in spans.items():
        if (
            least
            and unit.type in _HOLDERS
            and start == end == unit.line
            and (start, end) != (unit.start, unit.end)
        ):
            continue
        body = unit.text(start, end)
        found[variant] = _Shown(value, start, body, unit.imports.needed(body))
    return found


def _option(unit: Unit, variants: Mapping[Variant, _Shown]) -> Option:
    choices: list[Choice] = []
    for variant, shown in variants.items():
        cost = shown.cost
        if choices and choices[-1].cost == cost:
            choices.pop()  # the longer variant costs no more
        choices.append(Choice(variant, (), shown.value, cost))
    candidate = Candidate(unit.candidate.chunk, unit.score, unit.probability, ())
    return Option(candidate, [(choice.value, choice.cost) for choice in choices], lambda: choices)


def _item(unit: Unit, shown: _Shown, variant: Variant) -> CodeItem:
    return CodeItem(
        role=unit.role,
        file=unit.file,
        start_line=shown.start,
        end_line=shown.start + shown.body.count("\n"),
        symbol=unit.symbol,
        type=unit.type,
        score=unit.score,
        imports=shown.imports,
        body=shown.body,
        variant=variant.value,
        relationship=unit.labels,
        distance=unit.distance,
        of=unit.of,
        ambiguous=unit.ambiguous,
    )
