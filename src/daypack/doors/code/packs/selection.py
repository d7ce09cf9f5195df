"""Items of a code pack: candidates and their neighbours for a number of characters.

    full        1.00 of the value    all lines of the symbol
    signature    .15                 down to the first line of its docstring
    line         .05                 the line of its name

The choice is that of every pack (`select_greedy`); costs are those of Context Pack v1, which are additive, so
that the chosen items fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from daypack.doors.code.packs.file_texts import Imports
from daypack.doors.code.types import CodeItem, ItemRole, item_cost
from daypack.pack.select import Option, select_greedy
from daypack.pack.variants import LINE_VALUE, SIGNATURE_VALUE, Choice
from daypack.types import Candidate, Variant


@dataclass(frozen=True, slots=True)
class Unit:
    """A candidate for an item: lines `start` to `end` of a file, with the line of the name and the last of
    the head (all 1-based).
    """

    candidate: Candidate  # that was found here; of a related unit that of its primary
    role: ItemRole
    file: str
    lines: Sequence[str]  # of the whole file
    start: int
    line: int
    head: int
    end: int
    symbol: str
    type: str
    score: float  # in [0, 1]
    probability: float  # probability that it is meant, in [0, 1]
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
    """The items that are worth most in `max_chars` characters, in the order of the units, and the number of
    units that did not fit.
    """
    shown = [_variants(unit) for unit in units]
    options = [_option(unit, variants) for unit, variants in zip(units, shown, strict=True)]
    selected, _ = select_greedy(options, max_chars)
    chosen = {id(found.candidate): found.choice.variant for found in selected}
    items = [
        _item(unit, variants[chosen[id(option.candidate)]], chosen[id(option.candidate)])
        for unit, variants, option in zip(units, shown, options, strict=True)
        if id(option.candidate) in chosen
    ]
    return items, len(units) - len(items)


class _Shown(NamedTuple):
    """A variant: its value, its first line, its text and the imports that it needs."""

    value: float
    start: int
    body: str
    imports: tuple[str, ...]

    @property
    def cost(self) -> int:
        return item_cost(
            sum([len(line) + 1 for line in self.imports]) + bool(self.imports) + len(self.body), self.imports
        )


def _variants(unit: Unit) -> dict[Variant, _Shown]:
    """The variants of a unit that differ, the smallest first."""
    spans = {
        (unit.line, unit.line): (Variant.LINE, LINE_VALUE),
        (unit.line, unit.head): (Variant.SIGNATURE, SIGNATURE_VALUE),
        (unit.start, unit.end): (Variant.FULL, 1.0),
    }
    found = {}
    for (start, end), (variant, value) in spans.items():
        body = unit.text(start, end)
        found[variant] = _Shown(value, start, body, unit.imports.needed(body))
    return found


def _option(unit: Unit, variants: dict[Variant, _Shown]) -> Option:
    choices: list[Choice] = []
    for variant, shown in variants.items():
        cost = shown.cost
        if choices and choices[-1].cost == cost:
            choices.pop()  # the lines above its first line are blank
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
