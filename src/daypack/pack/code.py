"""Items of a code pack: candidates and their neighbours for a number of characters.

    full        1.00 of the value    all lines of the symbol
    signature    .15                 down to the first line of its docstring
    line         .05                 the line of its name

The choice is that of every pack (`select_greedy`); a cost is what Context Pack v1 counts, which is additive, so that what was chosen fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from daypack.code_types import CodeItem, FileFacts, ItemRole
from daypack.pack.select import Option, select_greedy
from daypack.pack.variants import LINE_VALUE, SIGNATURE_VALUE, Choice
from daypack.types import Candidate, Variant

MOST_IMPORTS = 10
_WORD = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A candidate for an item: lines `start` to `end` of a file, with the line of the name and the last of the head (all 1-based)."""

    candidate: Candidate  # whose probability is that of the unit
    role: ItemRole
    file: str
    lines: Sequence[str]  # of the whole file
    start: int
    line: int
    head: int
    end: int
    symbol: str
    type: str
    score: float
    imports: tuple[tuple[str, frozenset[str]], ...] = ()  # statements of the file with the names that they bind
    labels: tuple[str, ...] = ()
    distance: int = 0
    of: str = ""
    ambiguous: bool = False

    @property
    def id(self) -> str:
        return f"{self.file}:{self.start}:{self.end}"

    def scored(self, score: float, power: float) -> Unit:
        """The unit with a score in [0, 1], whose power stands in for the probability that it is meant."""
        return replace(self, score=round(score, 6), candidate=replace(self.candidate, probability=score**power))

    def body(self, start: int, end: int) -> str:
        return "\n".join(self.lines[start - 1 : end]).rstrip()

    def item(self, variant: Variant) -> CodeItem:
        start, end = {Variant.FULL: (self.start, self.end), Variant.SIGNATURE: (self.line, self.head)}.get(variant, (self.line, self.line))
        body = self.body(start, end)
        words = frozenset(_WORD.findall(body)) if self.imports else frozenset()
        imports = tuple([text for text, names in self.imports if not names.isdisjoint(words)][:MOST_IMPORTS])
        return CodeItem(
            role=self.role, file=self.file, start_line=start, end_line=start + body.count("\n"), symbol=self.symbol, type=self.type, score=self.score,
            imports=imports, body=body, variant=variant.value, relationship=self.labels, distance=self.distance, of=self.of, ambiguous=self.ambiguous,
        )  # fmt: skip

    def choices(self) -> list[Choice]:
        variants = [(Variant.LINE, LINE_VALUE), (Variant.SIGNATURE, SIGNATURE_VALUE), (Variant.FULL, 1.0)]
        found: list[Choice] = []
        for variant, value in variants:
            item = self.item(variant)
            if found and item.cost == found[-1].cost:
                found.pop()  # one line is all of it
            found.append(Choice(variant, (), value, item.cost))
        return found


def choose_items(units: Sequence[Unit], max_chars: int) -> tuple[list[CodeItem], int]:
    """The items that are worth most in `max_chars` characters, in the order of the units, and how many units had no room."""
    by_id = {id(unit.candidate): unit for unit in units}
    options = [_option(unit, unit.choices()) for unit in units]
    selected, _ = select_greedy(options, max_chars)
    chosen = {id(found.candidate): found.choice.variant for found in selected}
    items = [by_id[id(unit.candidate)].item(chosen[id(unit.candidate)]) for unit in units if id(unit.candidate) in chosen]
    return items, len(units) - len(items)


def _option(unit: Unit, choices: Sequence[Choice]) -> Option:
    return Option(unit.candidate, [(choice.value, choice.cost) for choice in choices], lambda: choices)


def statements_of(facts: FileFacts) -> tuple[tuple[str, frozenset[str]], ...]:
    """Import statements with the names that they bind; those that bind none are needed by nobody in particular."""
    names: dict[int, set[str]] = {}
    for entry in facts.imports:
        if entry.item != "*":
            bound = entry.name or re.split(r"[./\\:]+", entry.module.strip("./"))[0 if facts.language == "python" else -1]
            names.setdefault(entry.statement, set()).add(bound)
    return tuple((statement.text, frozenset(names[n])) for n, statement in enumerate(facts.statements) if n in names)
