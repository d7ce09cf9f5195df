"""Widening: as many lines of a long piece of code as fit, where the whole does not.

Lines join the extract that was chosen: first those between the definition and the lines shown, so that the piece reads on from
its head, then those behind, then those before. No added line begins or ends it inside a
statement or at the head of a block, but in a report, which may need just that line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from itertools import accumulate

from daypack.pack.extracts.seams import Seams, seams
from daypack.pack.variants import Choice
from daypack.pack.weigher import Part
from daypack.types import Chunk, RecordKind, SymbolKind, Variant

FEWEST = 3  # lines; fewer tell nothing more
_HEADS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.ENUM,
        SymbolKind.IMPL,
        SymbolKind.INTERFACE,
        SymbolKind.MODULE,
        SymbolKind.STRUCT,
    }
)


def goes_on(chunk: Chunk) -> bool:
    """True for code, but not for the head of a class: its members are chunks of their own and say more than the rest of its comment."""
    return chunk.record_kind is RecordKind.CODE and chunk.symbol not in _HEADS


def widened(
    chunk: Chunk, choice: Choice, room: int, *, whole: int, overhead: int, further: int, report: bool = False
) -> Choice | None:
    """The widest extract around `choice` that costs at most `room` tokens; None where few lines fit.

    `whole`, `overhead` and `further` are those of `variants.choices`. The value rises from that of `choice` to 1 with the share of the
    characters that are added.
    """
    text = chunk.text
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]

    def cost(length: int, runs: int) -> int:
        return math.ceil(whole * length / len(text)) + overhead + further * (runs - 1)

    shown = {
        n
        for start, end in choice.parts
        for n in range(len(lines))
        if starts[n] < end and start < starts[n + 1] - 1
    }
    first, last = min(shown), max(shown)
    between = [n for n in range(first, last) if n not in shown]
    chosen, runs = set(shown), len(_runs(shown))
    length = sum(len(lines[n]) + 1 for n in shown)
    for n in (*between, *range(last + 1, len(lines)), *range(first - 1, -1, -1)):
        length += len(lines[n]) + 1
        runs += 1 - (n - 1 in chosen) - (n + 1 in chosen)
        if cost(length - runs, runs) > room:
            break
        chosen.add(n)
    wider = _runs(chosen)
    if not report:
        joints = seams(lines)
        wider = [_between_seams(run, shown, joints) for run in wider]
    if sum(map(len, wider)) < len(shown) + FEWEST:
        return None
    parts = tuple(_part(run, lines, starts) for run in wider if run)
    before, length = (sum(end - start for start, end in some) for some in (choice.parts, parts))
    gained = (length - before) / (len(text) - before)
    value = choice.value + (1.0 - choice.value) * gained
    return Choice(Variant.EXTRACT, parts, value, cost(length, len(parts)))


def _runs(numbers: Set[int]) -> list[range]:
    """The runs of consecutive numbers, in order."""
    runs = []
    for first in sorted(n for n in numbers if n - 1 not in numbers):
        end = first + 1
        while end in numbers:
            end += 1
        runs.append(range(first, end))
    return runs


def _between_seams(run: range, shown: Set[int], joints: Seams) -> range:
    """The run without added lines at its edges, where it would begin or end inside a statement, or end with the head of a block."""
    first, end = run.start, run.stop
    lines = [n for n in run if n in shown]
    least = lines[-1] + 1 if lines else first
    while end > least and joints.ends[end] < 1.0:
        end -= 1
    while first < (lines[0] if lines else end) and joints.begins[first] < 1.0:
        first += 1
    return range(first, end)


def _part(run: range, lines: Sequence[str], starts: Sequence[int]) -> Part:
    """The characters of a run of lines, without blank lines at its edges. The indentation of the first line counts here, as
    one of the lines that are added; `variants` cuts it off where it makes a span of the part.
    """
    first, end = run.start, run.stop
    while end > first + 1 and not lines[end - 1].strip():
        end -= 1
    while first < end - 1 and not lines[first].strip():
        first += 1
    return starts[first], starts[end] - 1
