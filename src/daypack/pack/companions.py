"""Companions: the test and the page that a change to code needs beside the code.

Both rank below code, so few packs held one (docs/decisions/038-companions.md). From FROM tokens on, a pack for a change shows
the best test and the best page, also where their scores are low; the page needs a reason beside its score (`worth`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from daypack.pack.select import Option, Selected
from daypack.pack.sifting import Sifted
from daypack.pack.worth import ids_with_reason
from daypack.text.paths import is_test_path
from daypack.types import Candidate, Chunk, PieceKind, RecordKind

FROM = 3_000  # tokens of a budget; in 2,000 the lines to change would pay for it
MOST = 0.06  # of a budget, for each
DEPTH = 300  # candidates of a pack with companions, which rank far down
# templates and files of data are documents too, and no pages
_LANGUAGES = frozenset({"markdown", "rst", "asciidoc", "org", "html"})


def companions(sifted: Sifted) -> list[Candidate]:
    """The best test and the best page that were found beside code, if any; none where the best candidate is not code. Texts
    that were left out without content are not among them: they would tell a reader nothing.
    """
    if not sifted.best or sifted.best[0].chunk.record_kind is not RecordKind.CODE:
        return []
    found = sorted(
        [*sifted.best, *sifted.behind, *sifted.omitted.low_score], key=lambda candidate: -candidate.score
    )
    with_reason = ids_with_reason(found)
    test = next((candidate for candidate in found if _is_test(candidate.chunk)), None)
    page = next((one for one in found if one.chunk.id in with_reason and _is_page(one.chunk)), None)
    return [candidate for candidate in (test, page) if candidate is not None]


def holding(sifted: Sifted, wanted: Sequence[Candidate]) -> Sifted:
    """The same with `wanted` candidates directly behind the best one."""
    ids = {candidate.chunk.id for candidate in wanted} - {sifted.best[0].chunk.id} if wanted else set()
    if not ids:
        return sifted

    def others(candidates: Sequence[Candidate]) -> list[Candidate]:
        return [candidate for candidate in candidates if candidate.chunk.id not in ids]

    first, *rest = sifted.best
    best = [first, *(one for one in wanted if one.chunk.id in ids), *others(rest)]
    behind = others(sifted.behind)
    omitted = replace(
        sifted.omitted, budget=(*best, *behind), low_score=tuple(others(sifted.omitted.low_score))
    )
    return sifted._replace(best=best, behind=behind, omitted=omitted)


def with_companions(
    wanted: Sequence[Candidate], options: Sequence[Option], chosen: Sequence[Selected], limit: int
) -> Iterator[Selected]:
    """The choices, and the largest form within MOST of the limit of each wanted candidate whose file has none."""
    yield from chosen
    there = {item.candidate.chunk.record_id for item in chosen}
    ids = {candidate.chunk.id for candidate in wanted if candidate.chunk.record_id not in there}
    for option in options:
        if option.candidate.chunk.id in ids:
            fitting = [choice for choice in option.choices if choice.cost <= MOST * limit]
            if fitting:  # given up last where the pack is larger than its limit
                yield Selected(option.candidate, fitting[-1], math.inf)


def _is_test(chunk: Chunk) -> bool:
    return chunk.record_kind is RecordKind.CODE and is_test_path(chunk.uri)


def _is_page(chunk: Chunk) -> bool:
    has_text = chunk.kind not in (PieceKind.HEADING, PieceKind.FRONT_MATTER)
    return chunk.language in _LANGUAGES and has_text and not is_test_path(chunk.uri)
