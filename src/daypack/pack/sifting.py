"""Sifting: the candidates that compete for a budget, and the reasons why the others do not.

copies         the same text as a better candidate
low            below the floor of their kind: not worth their tokens, however much room is left
behind         beyond REACH budgets' worth of text; no variant of them would be chosen
near twins     nearly the text of a better competitor
sent           shown before in the same conversation, with nothing new
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from daypack.pack.dedupe import copies, near_duplicates
from daypack.pack.sent import Rests, Sent, deduplicated, new_and_sent, rests_of
from daypack.pack.silent import says_nothing
from daypack.pack.variants import is_bare_head
from daypack.pack.worth import AS_NEAR, BY_NAME, BY_WORDS, FEWEST, FLOOR, LOW_FLOOR, ids_with_reason
from daypack.ports import CountTokens
from daypack.types import Candidate, Chain, Chunk, Omissions, Packing, PieceKind, RecordKind, SymbolKind

# Below FLOOR of the best score a candidate is not worth its tokens (docs/decisions/010-short-packs.md). LOW_FLOOR is
# for the best candidates, which look worse than they are beside an outstanding hit, and for ranking by words alone,
# whose scores spread further.
BEST = 10  # candidates
# Texts other than code, ranked by meaning as well: a higher floor, except for the best few and for texts nearly as near
# to the query as the nearest (docs/decisions/016-chance-of-an-answer.md).
TEXT_FLOOR = 0.5
BEST_TEXTS = 5  # candidates
REACH = 5  # budgets' worth of text; beyond it only scraps that happen to fit are chosen
# of the best BM25: a text that says the words of the query so well is kept, whatever its score
SAYS_IT = 0.7


class Sifted(NamedTuple):
    """`best` compete for the budget and `behind` follow them, both in rank order; `omitted.budget` holds both, until some are
    chosen.
    """

    best: list[Candidate]
    behind: list[Candidate]
    omitted: Omissions
    chain: Chain | None


def sift(
    candidates: Sequence[Candidate],
    limit: int,
    packing: Packing,
    sent: Sent | None,
    *,
    count: CountTokens,
    tokens_of: Callable[[Chunk], int],
    by_words: bool,
) -> Sifted:
    """Sort out the candidates for a budget of `limit` tokens; `by_words` when words alone ranked them."""
    rests: Rests = {} if sent is None else rests_of(candidates, sent.spans, count)
    kept, same = deduplicated(candidates, lambda them: copies([one.chunk.hash for one in them]), rests)
    low: list[Candidate] = []
    competing = len(kept)
    if packing is Packing.AUTO:
        kept, low = _worth_tokens(kept, LOW_FLOOR if by_words else FLOOR)
        competing = _competing(kept, limit, tokens_of, rests)
    best, behind = kept[:competing], kept[competing:]
    best, alike = deduplicated(best, lambda them: near_duplicates([one.chunk.text for one in them]), rests)
    chain = None if sent is None else sent.pointing_at(best, rests)
    (best, seen), (behind, seen_behind) = new_and_sent(best, rests), new_and_sent(behind, rests)
    omitted = Omissions((*best, *behind), (*same, *alike), tuple(low), (*seen, *seen_behind))
    return Sifted(best, behind, omitted, chain)


def _worth_tokens(candidates: Sequence[Candidate], floor: float) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates that are worth their tokens, and the others. Scores are relative to the pool: only a large
    pool shows how noise scores.

    The front matter of a file says less than its text: beside a better part of the file, it is not worth its
    tokens. The line that opens a class is worth none, unless the query names it.
    """
    best = _best_unnamed(candidates) if len(candidates) >= FEWEST else float("-inf")
    raws = [
        (part.raw, candidate.chunk.id)
        for candidate in candidates
        for part in candidate.contributions[:2]
        if part.signal in BY_WORDS
    ]
    bare = {one.chunk.id for one in candidates if is_bare_head(one.chunk)}
    candidates = _with_bodies(candidates, bare)
    least_raw = SAYS_IT * max(raws, default=(0.0, 0))[0]
    by_words = {chunk_id for raw, chunk_id in raws if raw >= least_raw} if least_raw > 0 else set()
    near = _near(candidates)
    with_reason = ids_with_reason(candidates)
    kept: list[Candidate] = []
    low: list[Candidate] = []
    front = PieceKind.FRONT_MATTER
    begun: set[int] = set()  # records with a better part seen already
    unsaid: list[Candidate] = []
    for rank, candidate in enumerate(candidates):
        chunk = candidate.chunk
        if near and chunk.record_kind is not RecordKind.CODE:
            least = FLOOR if rank < BEST_TEXTS or chunk.id in near else TEXT_FLOOR
        else:
            least = LOW_FLOOR if rank < BEST else floor
        is_front = chunk.kind is front and chunk.record_id in begun
        worth = candidate.score >= least * best and not is_front
        wanted = (worth and chunk.id in with_reason) or chunk.id in by_words
        is_notice = is_front and chunk.record_kind is RecordKind.CODE  # it has only the words of the path
        wanted = wanted and not is_notice
        # a table of contents may be what is asked for
        silent = wanted and (
            chunk.id in bare or (says_nothing(chunk) and (rank > 0 or chunk.kind is not PieceKind.LIST))
        )
        if silent and not _is_named(candidate):
            wanted = False
            unsaid.append(candidate)
        (kept if wanted else low).append(candidate)
        begun.add(chunk.record_id)
    if not kept and unsaid:  # the store has nothing better
        return unsaid, [candidate for candidate in low if candidate not in unsaid]
    return kept, low


def _with_bodies(candidates: Sequence[Candidate], bare: set[int]) -> Sequence[Candidate]:
    """The candidates, with the best member of a class moved up to the line that opens the class, whose chunk id is in `bare`.
    That line is worth no tokens by itself: its name may be all that the question says, and the answer is in its members.
    """
    if not bare:
        return candidates
    found: dict[int, Candidate] = {}
    for one in candidates:
        chunk = one.chunk
        if chunk.id in found:
            continue
        found[chunk.id] = one
        if chunk.id in bare and chunk.symbol is not SymbolKind.IMPL and not _is_named(one):
            trail = (*chunk.trail, chunk.name.rpartition(".")[2])
            members = (
                other
                for other in candidates
                if other.chunk.record_id == chunk.record_id
                and other.chunk.trail[: len(trail)] == trail
                and other.chunk.id not in bare
            )
            member = next(members, one)
            if member.chunk.id not in found:
                found[member.chunk.id] = member._replace(
                    score=one.score, probability=max(one.probability, member.probability)
                )
    return [*found.values()]


def _is_named(candidate: Candidate) -> bool:
    return any(part.share > 0 for part in candidate.contributions if part.signal in {"symbol", "exact"})


def _near(candidates: Sequence[Candidate]) -> set[int]:
    """The ids of chunks whose cosine is almost the best; none where words alone ranked."""
    cosines = {
        candidate.chunk.id: part.raw
        for candidate in candidates
        for part in candidate.contributions
        if part.signal == "dense"
    }
    least = AS_NEAR * max(cosines.values(), default=0.0)
    return {chunk_id for chunk_id, cosine in cosines.items() if cosine >= least} if least > 0 else set()


def _best_unnamed(candidates: Sequence[Candidate]) -> float:
    """The best score without the boost that a name, a quotation or a link gives to a few candidates."""
    best = 0.0
    for candidate in candidates:
        if candidate.score > best:
            best = max(
                best,
                candidate.score
                - sum([part.share for part in candidate.contributions if part.signal in BY_NAME]),
            )
    return best


def _competing(kept: Sequence[Candidate], limit: int, tokens_of: Callable[[Chunk], int], rests: Rests) -> int:
    """The number of best candidates that can matter, however small the frame. Those sent before cost nothing.

    The others are not compared: a near duplicate of a better candidate is over budget as well.
    """
    new = (rests.get(candidate.chunk.id, candidate) for candidate in kept)
    seen = accumulate(0 if one is None else tokens_of(one.chunk) for one in new)
    return next((n for n, tokens in enumerate(seen, 1) if tokens > REACH * limit and n >= FEWEST), len(kept))
