"""Breadth: in a large pack each of the best files of code shows at least its most likely lines.

A fault is often in a file whose own chunks look weak beside those of the best file. The weakest choices of the other
files pay for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from daypack.pack.select import Option, Selected
from daypack.types import RecordKind

FROM = 6_000  # tokens of a budget; below, bodies come before stubs (docs/decisions/013-greedy-choice.md)
# that are sure of a place; ten are in such a pack as it is, thirty cost lines (docs/decisions/019-lines-of-a-task.md)
FILES = 20
MOST = 0.5  # of a budget, that their lines may take together


def with_best_files(options: Sequence[Option], chosen: Sequence[Selected], limit: int) -> list[Selected]:
    """The choices, and the smallest one of the best chunk of each of the best files that has none.

    `options` are in the order of candidates. Added choices are given up last where the pack is larger than `limit`
    tokens. Files whose lines would bring them above their part of the pack are left as they are.
    """
    best: dict[int, Option] = {}
    for option in options:
        chunk = option.candidate.chunk
        if chunk.record_kind is RecordKind.CODE:
            best.setdefault(chunk.record_id, option)
        if len(best) == FILES:
            break
    there = {item.candidate.chunk.record_id for item in chosen}
    missing = [option for record_id, option in best.items() if record_id not in there]
    added: list[Selected] = []
    cost = 0
    for option in missing:
        smallest = option.smallest
        if cost + smallest.cost <= MOST * limit:
            added.append(Selected(option.candidate, smallest, math.inf))
            cost += smallest.cost
    return [*chosen, *added]
