"""Fitting: the budget limits the final rendered string, so the counter decides, not an estimate.

Select by estimated costs → stitch → render → count. Over the limit: give up the choice with the lowest
density and render again. Room left: try the omitted candidates, best first. Token counts do not add up over
concatenation, so nothing but a count of the whole string decides. The cost of an excerpt's frame is measured
on the shape and by the counter, before anything is chosen.

A frame that takes too much of the budget gives way to the lean form of the shape; a pack in which nothing
fits falls down the shape's ladder to the empty string.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from daypack.pack import breadth
from daypack.pack.dedupe import copies, near_duplicates
from daypack.pack.frame import Frame, measured
from daypack.pack.select import Option, Selected, select_greedy, select_in_order, selected
from daypack.pack.sent import Sent, deduplicated, new_and_sent, rests_of
from daypack.pack.stitch import BRIDGE_TOKENS, Stitcher, TextOf, source_of
from daypack.pack.variants import SMALL, Choice, choices, in_full, is_bare_head, outline
from daypack.pack.weigher import Weigher
from daypack.pack.worth import AS_NEAR, BY_NAME, BY_WORDS, FEWEST, FLOOR, LOW_FLOOR, ids_with_reason
from daypack.ports import CountTokens, Shape
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    EmptyReason,
    Omissions,
    Pack,
    Packing,
    PieceKind,
    RecordKind,
    SearchStats,
    SymbolKind,
    VectorMode,
)

POOL = 150  # candidates considered
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
LEAN = 0.08  # of the budget: a frame that costs more is dropped
_FILL_TRIES, _FILL_FAILURES = 12, 2


class Fitting(NamedTuple):
    """The callables that packing gets from outside: counters, the shape, texts."""

    count: CountTokens
    render: Shape
    ladder: Sequence[Shape]  # shorter and shorter forms of an empty pack
    text_of: TextOf  # the text as read
    checked: TextOf  # the same text, once its hash is verified
    tokens_of: Callable[[Chunk], int]  # of a whole chunk, in the unit of the budget
    weigher: Weigher
    shape: str
    sent: Sent | None = None  # None outside a conversation
    # True when the rendered form holds `tokens_used`, which then is a fixed point
    says_count: bool = True


def _worth_tokens(candidates: Sequence[Candidate], floor: float) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates that are worth their tokens, and the others. Scores are relative to the pool: only a large
    pool shows how noise scores.

    The front matter of a file says less than its text: beside a better part of the file, it is not worth its
    tokens. The line that opens a class is worth none, unless the query names it.
    """
    best = _best_unnamed(candidates) if len(candidates) >= FEWEST else float("-inf")
    words = [
        (part.raw, candidate.chunk.id)
        for candidate in candidates
        for part in candidate.contributions[:2]
        if part.signal in BY_WORDS
    ]
    bare = {one.chunk.id for one in candidates if is_bare_head(one.chunk)}
    candidates = _with_bodies(candidates, bare)
    said = SAYS_IT * max(words, default=(0.0, 0))[0]
    saying = {chunk_id for raw, chunk_id in words if raw >= said} if said > 0 else set()
    near = _near(candidates)
    with_reason = ids_with_reason(candidates)
    kept: list[Candidate] = []
    low: list[Candidate] = []
    front = PieceKind.FRONT_MATTER
    told: set[int] = set()  # records with a better part seen already
    for rank, candidate in enumerate(candidates):
        chunk = candidate.chunk
        if near and chunk.record_kind is not RecordKind.CODE:
            least = FLOOR if rank < BEST_TEXTS or chunk.id in near else TEXT_FLOOR
        else:
            least = LOW_FLOOR if rank < BEST else floor
        worth = candidate.score >= least * best and not (chunk.kind is front and chunk.record_id in told)
        wanted = (worth and chunk.id in with_reason) or chunk.id in saying
        says_something = chunk.id not in bare or _is_named(candidate)
        (kept if wanted and says_something else low).append(candidate)
        told.add(chunk.record_id)
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


def _competing(
    kept: Sequence[Candidate], limit: int, fitting: Fitting, rests: Mapping[int, Candidate | None]
) -> int:
    """The number of best candidates that can matter, however small the frame. Those sent before cost nothing.

    The others are not compared: a near duplicate of a better candidate is over budget as well.
    """
    new = (rests.get(candidate.chunk.id, candidate) for candidate in kept)
    seen = accumulate(0 if one is None else fitting.tokens_of(one.chunk) for one in new)
    return next((n for n, tokens in enumerate(seen, 1) if tokens > REACH * limit and n >= FEWEST), len(kept))


def pack_candidates(
    query: str,
    candidates: Sequence[Candidate],
    budget: Budget,
    packing: Packing,
    fitting: Fitting,
    *,
    stats: SearchStats,
    empty_reason: EmptyReason | None = None,
) -> Pack:
    """The best pack of ranked candidates whose rendered form counts at most `budget.limit`."""
    base = Pack(
        query=query,
        budget=budget,
        excerpts=(),
        packing=packing,
        stats=stats,
        empty_reason=empty_reason,
        candidates=tuple(candidates),
        shape=fitting.shape,
        chain=None if fitting.sent is None else fitting.sent.chain,
    )
    pool = candidates[:POOL]
    rests = {} if fitting.sent is None else rests_of(pool, fitting.sent.spans, fitting.count)
    kept, same = deduplicated(pool, lambda them: copies([one.chunk.hash for one in them]), rests)
    low: list[Candidate] = []
    competing = len(kept)
    if packing is Packing.AUTO:
        kept, low = _worth_tokens(kept, LOW_FLOOR if stats.vectors is VectorMode.NONE else FLOOR)
        competing = _competing(kept, budget.limit, fitting, rests)
    best, behind = kept[:competing], kept[competing:]
    best, alike = deduplicated(best, lambda them: near_duplicates([one.chunk.text for one in them]), rests)
    if fitting.sent is not None:
        base = replace(base, chain=fitting.sent.pointing_at(best, rests))
    (best, seen), (behind, others) = new_and_sent(best, rests), new_and_sent(behind, rests)
    kept, competing = [*best, *behind], len(best)
    omitted = Omissions(tuple(kept), (*same, *alike), tuple(low), (*seen, *others))
    if omitted.sent and not kept:
        empty_reason = empty_reason or EmptyReason.ALL_SENT
    fitting = _framed(base, fitting)
    frame = _measured(replace(base, omitted=omitted, tokens_used=budget.limit), kept[:competing], fitting)
    room = max(0, int((budget.limit - frame.fixed) / frame.stretch))
    options = _options(kept[:competing], room, frame, fitting, packing)
    if packing is Packing.AUTO:
        first, optimality = select_greedy(options, room)
        if budget.limit >= breadth.FROM:
            first = breadth.with_best_files(options, first, budget.limit)
    else:
        first, optimality = select_in_order(options, room, stop=packing is Packing.PREFIX), 1.0

    auto = packing is Packing.AUTO
    stitcher = Stitcher(
        fitting.text_of,
        fitting.checked,
        fitting.count,
        fitting.tokens_of,
        in_rank_order=not auto,
        bridge=BRIDGE_TOKENS if auto else 0,
        sent=fitting.sent,
    )

    def build(chosen: Sequence[Selected]) -> Pack:
        ids = {item.candidate.chunk.id for item in chosen}
        left = [candidate for candidate in kept[:competing] if candidate.chunk.id not in ids]
        excerpts = stitcher.excerpts(chosen)
        reason = None if excerpts else (empty_reason or (EmptyReason.BUDGET_TOO_SMALL if kept else None))
        found = replace(
            base,
            excerpts=tuple(excerpts),
            omitted=replace(omitted, budget=(*left, *kept[competing:])),
            optimality=optimality,
            empty_reason=reason,
            tokens_used=budget.limit,  # the likely number of digits of the count
        )
        return _settled(found, fitting)

    chosen = list(first)
    pack = build(chosen)
    given: list[Selected] = []
    while pack.tokens_used > budget.limit and chosen:
        # An excess larger than the cost of the weakest choices is removed at once: one render a round would
        # be slow on large overruns.
        over = pack.tokens_used - budget.limit
        chosen.sort(key=lambda item: -item.density)
        while chosen and over > 0:
            given.append(chosen.pop())
            over -= given[-1].choice.cost
        pack = build(chosen)
    if packing is not Packing.PREFIX and kept:
        pack = _filled(pack, chosen, given, options, build, budget, frame)
    if packing is Packing.AUTO and kept and not pack.excerpts:
        pack = _with_least(pack, options, build, budget, frame)
    return pack if pack.excerpts else _fallen(pack, fitting)


def _measured(base: Pack, competing: Sequence[Candidate], fitting: Fitting) -> Frame:
    """The frame of the best candidates, by the shape and the counter of the budget."""
    stitcher = Stitcher(
        fitting.text_of, fitting.checked, len, lambda chunk: len(chunk.text), in_rank_order=True, bridge=0
    )
    return measured(
        competing,
        fitting.count,
        excerpt_of=lambda one: stitcher.excerpts([Selected(one, in_full(one.chunk, 0), 0.0)])[0],
        render=lambda shown: fitting.render(replace(base, excerpts=tuple(shown))),
    )


def _options(
    competing: Sequence[Candidate], room: int, frame: Frame, fitting: Fitting, packing: Packing
) -> list[Option]:
    options: list[Option] = []
    seen = 0
    sources: set[Hashable] = set()
    auto = packing is Packing.AUTO
    for candidate in competing:
        if auto and seen > REACH * room and len(options) >= FEWEST:
            break
        chunk = candidate.chunk
        further = frame.further[chunk.record_kind]
        # In rank order little is adjacent, so little shares a header.
        source = source_of(chunk)
        overhead = frame.around(chunk, further=auto and source in sources)
        sources.add(source)
        whole = fitting.tokens_of(chunk)
        make: Callable[[], Sequence[Choice]]
        if auto:
            make = partial(
                choices, candidate, fitting.weigher, whole=whole, overhead=overhead, further=further
            )
        else:
            make = partial(list, [in_full(chunk, whole + overhead)])
        # The cost that the outline of code calls the least is below any variant that would be chosen.
        asks = overhead + min(whole, SMALL) if chunk.record_kind is RecordKind.CODE else 0
        options.append(Option(candidate, outline(chunk, whole=whole, overhead=overhead), make, asks))
        seen += whole + overhead
    return options


def _filled(
    pack: Pack,
    chosen: Sequence[Selected],
    given: Sequence[Selected],
    options: Sequence[Option],
    build: Callable[[Sequence[Selected]], Pack],
    budget: Budget,
    frame: Frame,
) -> Pack:
    """Use the remaining room: larger variants of chosen items, then omitted candidates, best first: as many
    as should fit, and a count decides.

    `given` are the choices that were given back. A single one is known not to fit; of several, some may.
    """
    too_much = {item.candidate.chunk.id: item.choice.cost for item in given} if len(given) == 1 else {}
    tries = failures = at = 0
    least = 1 + min(frame.further.values()) // 2
    shown = {item.candidate.chunk.id: item for item in chosen}
    records = {item.candidate.chunk.record_id for item in chosen}
    while tries < _FILL_TRIES and failures < _FILL_FAILURES:
        left = budget.limit - pack.tokens_used
        added: list[tuple[Selected, int, int]] = []  # its additional cost, and the place of the next option
        for n, option in enumerate(options[at:], at + 1):
            if left < least:
                break
            chunk = option.candidate.chunk
            before = shown.get(chunk.id)
            worth, paid = (before.choice.value, before.choice.cost) if before is not None else (0.0, 0)
            # Some of the frame may vanish when neighbours join, so a little over is worth a try.
            room = paid + left + (frame.further[chunk.record_kind] // 3 if chunk.record_id in records else 0)
            room = min(room, too_much.get(chunk.id, room + 1) - 1)
            if worth < 1.0 and option.least <= room:
                better = [choice for choice in option.choices if choice.value > worth and choice.cost <= room]
                if better:
                    added.append((selected(option.candidate, better[-1]), better[-1].cost - paid, n))
                    left -= better[-1].cost - paid
                    records.add(chunk.record_id)
        if not added:
            break
        while added:
            at = added[-1][2]
            trial = shown | {item.candidate.chunk.id: item for item, _, _ in added}
            attempt = build([*trial.values()])
            tries += 1
            excess = attempt.tokens_used - budget.limit
            if excess <= 0:
                pack, shown = attempt, trial
                break
            failures += 1
            while added and excess > 0:
                _, more, at = added.pop()
                excess -= more
    return pack


def _with_least(
    empty: Pack,
    options: Sequence[Option],
    build: Callable[[Sequence[Selected]], Pack],
    budget: Budget,
    frame: Frame,
) -> Pack:
    """The pack of the best candidate with a variant that fits: the shortest variant, then longer ones in the room left.
    Frames may cost more than estimated, and a little of the answer is better than none.
    """
    for option in options[:_FILL_TRIES]:
        least = selected(option.candidate, option.choices[0])
        pack = build([least])
        if pack.tokens_used <= budget.limit:
            return _filled(pack, [least], [], options, build, budget, frame)
    return empty


def _framed(base: Pack, fitting: Fitting) -> Fitting:
    """With the lean form of the shape where the frame takes too much, and with the facts about the form."""
    render = fitting.render
    empty = render(base)
    if len(fitting.ladder) > 2 and fitting.count(empty) > LEAN * base.budget.limit:
        render = fitting.ladder[1]
        empty = render(base)
    return fitting._replace(render=render, says_count=empty != render(replace(base, tokens_used=1)))


def _settled(pack: Pack, fitting: Fitting) -> Pack:
    """The pack with its rendered text and its exact count; shapes that print the count are rendered to a
    fixed point.
    """
    for _ in range(6):
        text = fitting.render(pack)
        used = fitting.count(text)
        if used == pack.tokens_used or not fitting.says_count:
            return replace(pack, text=text, tokens_used=used)
        pack = replace(pack, tokens_used=used)
    # Two counts that lead to each other, as 99 → 100 → 99: the higher one is kept, and the text that states
    # it counts no more.
    texts = []
    for value in (pack.tokens_used, pack.tokens_used + 1, pack.tokens_used + 2):
        candidate = replace(pack, tokens_used=value)
        text = fitting.render(candidate)
        if fitting.count(text) <= value:
            return replace(candidate, text=text)
        texts.append((candidate, text))
    candidate, text = texts[-1]
    return replace(candidate, tokens_used=max(fitting.count(text), candidate.tokens_used), text=text)


def _fallen(pack: Pack, fitting: Fitting) -> Pack:
    """The longest empty form that fits; at worst the empty string, which fits every budget."""
    empty = replace(pack, excerpts=())
    for render in fitting.ladder:
        settled = _settled(empty, fitting._replace(render=render, says_count=True))
        if settled.tokens_used <= pack.budget.limit:
            return settled
    return replace(empty, tokens_used=0, text="")
