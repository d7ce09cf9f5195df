"""Sifting: the candidates that compete for a budget, and the reasons why the others do not.

copies         the same text as a better candidate
silent         texts that tell a reader nothing
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
from daypack.pack.silent import is_empty_list, says_nothing
from daypack.pack.variants import is_bare_head
from daypack.pack.worth import AS_NEAR, BY_NAME, FEWEST, FLOOR, LOW_FLOOR, ids_with_reason
from daypack.ports import CountTokens
from daypack.types import Candidate, Chain, Chunk, Omissions, Packing, PieceKind, RecordKind, SymbolKind

# A candidate below FLOOR of the best score is not worth its tokens (docs/decisions/010-short-packs.md). LOW_FLOOR is for the
# BEST candidates, which look worse than they are beside an outstanding hit, and for rankings by words alone, whose scores
# spread further.
BEST = 10
# The floor of texts other than code that were ranked by meaning too, except for those nearly as near to the query as the
# nearest (docs/decisions/016-chance-of-an-answer.md).
TEXT_FLOOR = 0.5
ROUTINE_FLOOR = 0.4  # of the best score, for routine lines of a log beside a better text
REACH = 5  # budgets' worth of text; beyond it only scraps that happen to fit are chosen


class Sifted(NamedTuple):
    """The candidates that compete for a budget, in rank order, and all others by reason."""

    best: list[Candidate]
    behind: list[Candidate]  # the next ones, which are beyond its reach
    omitted: Omissions  # `omitted.budget` holds both of these, until some are chosen
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
    distinct, same = deduplicated(
        candidates, lambda them: copies([candidate.chunk.hash for candidate in them]), rests
    )
    low: list[Candidate] = []
    silent: list[Candidate] = []
    competing = len(distinct)
    if packing is Packing.AUTO:
        distinct, low, silent = _worth_tokens(distinct, LOW_FLOOR if by_words else FLOOR)
        competing = _competing(distinct, limit, tokens_of, rests)
    best, behind = distinct[:competing], distinct[competing:]
    best, alike = deduplicated(
        best, lambda them: near_duplicates([candidate.chunk.text for candidate in them]), rests
    )
    chain = None if sent is None else sent.pointing_at(best, rests)
    (best, seen), (behind, seen_behind), (low, seen_low), (silent, seen_silent) = (
        new_and_sent(some, rests) for some in (best, behind, low, silent)
    )
    omitted = Omissions(
        (*best, *behind),
        (*same, *alike),
        tuple(low),
        tuple(silent),
        (*seen, *seen_behind, *seen_low, *seen_silent),
    )
    return Sifted(best, behind, omitted, chain)


def _worth_tokens(
    candidates: Sequence[Candidate], floor: float
) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
    """(the candidates that are worth their tokens, those of low score, silent texts). Scores are relative to the pool, and only a large pool
    shows how noise scores.

    The front matter of a file says less than its text, so it is left out beside a better part of the file. A silent text is left
    out, unless the store has nothing better.
    """
    best = _best_unnamed(candidates) if len(candidates) >= FEWEST else float("-inf")
    bare = {item.chunk.id for item in candidates if is_bare_head(item.chunk)}
    candidates = _with_bodies(candidates, bare)
    near, with_reason = _near(candidates), ids_with_reason(candidates)
    worthy: list[Candidate] = []
    low: list[Candidate] = []
    silent: list[Candidate] = []
    begun: set[int] = set()  # records with a better part
    for rank, candidate in enumerate(candidates):
        chunk = candidate.chunk
        is_code = chunk.record_kind is RecordKind.CODE
        is_front = chunk.kind is PieceKind.FRONT_MATTER and chunk.record_id in begun
        begun.add(chunk.record_id)
        if near and not is_code:
            least = FLOOR if chunk.id in near else TEXT_FLOOR
        else:
            least = LOW_FLOOR if rank < BEST else floor
        is_worth = not is_front and candidate.score >= least * best and chunk.id in with_reason
        hopeless = candidate.score < ROUTINE_FLOOR * candidates[0].score and _is_routine(
            chunk, candidates[0].chunk
        )
        if hopeless or not is_worth:
            low.append(candidate)
        elif _is_silent(candidate, rank, bare):
            silent.append(candidate)
        else:
            worthy.append(candidate)
    if not worthy and silent:
        return silent, low, []
    return worthy, low, silent


def _is_routine(chunk: Chunk, best: Chunk) -> bool:
    """True for routine lines of a log when the best text is of another record, or a failure."""
    is_other = best.record_id != chunk.record_id or best.kind is PieceKind.ALERT
    return is_other and chunk.language == "log" and chunk.kind is PieceKind.BLOCK


def _is_silent(candidate: Candidate, rank: int, bare: set[int]) -> bool:
    """True for a text that tells a reader nothing: links, or the line that opens a class. A text that the query names is
    not silent, nor is a list that is the best candidate: the query may ask for a table of contents. A list of empty
    items is always silent.
    """
    chunk = candidate.chunk
    if is_empty_list(chunk):
        return True
    is_list = rank == 0 and chunk.kind is PieceKind.LIST
    return (chunk.id in bare or (says_nothing(chunk) and not is_list)) and not _is_named(candidate)


def _with_bodies(candidates: Sequence[Candidate], bare: set[int]) -> Sequence[Candidate]:
    """The candidates, with the best member of a class behind the line that opens it, whose chunk id is in `bare`. That line
    is worth no tokens: a question that has only the name of the class is answered by the members.
    """
    if not bare:
        return candidates
    chosen: dict[int, Candidate] = {}
    for candidate in candidates:
        chunk = candidate.chunk
        if chunk.id in chosen:
            continue
        chosen[chunk.id] = candidate
        if chunk.id in bare and chunk.symbol is not SymbolKind.IMPL and not _is_named(candidate):
            trail = (*chunk.trail, chunk.name.rpartition(".")[2])
            members = (
                other
                for other in candidates
                if other.chunk.record_id == chunk.record_id
                and other.chunk.trail[: len(trail)] == trail
                and other.chunk.id not in bare
            )
            member = next(members, candidate)
            if member.chunk.id not in chosen:
                chosen[member.chunk.id] = member._replace(
                    score=candidate.score, probability=max(candidate.probability, member.probability)
                )
    return [*chosen.values()]


def _is_named(candidate: Candidate) -> bool:
    return any(part.share > 0 for part in candidate.contributions if part.signal in {"symbol", "exact"})


def _near(candidates: Sequence[Candidate]) -> set[int]:
    """The ids of chunks that are nearly as near to the query as the nearest; none where words alone ranked."""
    cosines = {
        candidate.chunk.id: part.raw
        for candidate in candidates
        for part in candidate.contributions
        if part.signal == "dense"
    }
    least = AS_NEAR * max(cosines.values(), default=0.0)
    return {chunk_id for chunk_id, cosine in cosines.items() if cosine >= least} if least > 0 else set()


def _best_unnamed(candidates: Sequence[Candidate]) -> float:
    """The best score without the share of names, quotations and links, which only few candidates have."""
    best = 0.0
    for candidate in candidates:
        if candidate.score > best:
            best = max(
                best,
                candidate.score
                - sum([part.share for part in candidate.contributions if part.signal in BY_NAME]),
            )
    return best


def _competing(
    candidates: Sequence[Candidate], limit: int, tokens_of: Callable[[Chunk], int], rests: Rests
) -> int:
    """The number of candidates within REACH, which are compared with each other. Candidates sent before cost nothing."""
    new = (rests.get(candidate.chunk.id, candidate) for candidate in candidates)
    seen = accumulate(0 if rest is None else tokens_of(rest.chunk) for rest in new)
    return next(
        (n for n, tokens in enumerate(seen, 1) if tokens > REACH * limit and n >= FEWEST), len(candidates)
    )
