"""Fitting: the budget limits the final rendered string, and token counts do not add up over concatenation, so a count of the
whole string decides.

    select by estimated costs → stitch → render → count
    over the limit?    give up the choice with the lowest density, and render again
    room left?         try the omitted candidates, best first (`filling`)

The cost of the frame around an excerpt is measured with the shape and the counter before anything is chosen. When the frame
takes too much of the budget, a shorter form of the shape is used; when nothing fits, the shape's ladder goes down to the empty
string.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from daypack.pack import breadth, companions, occurrences
from daypack.pack.filling import Build, Filler
from daypack.pack.frame import Frame, measured
from daypack.pack.select import SPREAD, Option, Selected, select_greedy, select_in_order, selected, with_first
from daypack.pack.sent import Sent
from daypack.pack.sifting import REACH, Sifted, sift
from daypack.pack.stitch import Stitcher, TextOf, source_of
from daypack.pack.variants import SMALL, Choice, choices, first_parts, in_full, outline
from daypack.pack.weigher import Weigher
from daypack.pack.widening import goes_on, widened
from daypack.pack.worth import FEWEST
from daypack.ports import CountTokens, Ladder, Shape
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    EmptyReason,
    Omissions,
    Pack,
    Packing,
    RecordKind,
    SearchStats,
    VectorMode,
)

POOL = 150  # candidates considered
LEAN = 0.08  # of the budget: a frame that costs more is dropped
# tokens; in less room a report may get lines without their definition, which the frame names (docs/decisions/036-extracts.md)
DEFINED = 1_500
_LEAST_TRIES = 12  # candidates whose shortest variants are tried when no pack of estimates fits


class Fitting(NamedTuple):
    """The functions that packing gets from outside: counters, the shape, texts."""

    count: CountTokens
    render: Shape
    ladder: Ladder
    text_of: TextOf  # the text as read
    checked: TextOf  # the same text, once its hash is verified
    tokens_of: Callable[[Chunk], int]  # of a whole chunk, in the unit of the budget
    weigher: Weigher
    shape: str
    sent: Sent | None = None  # None outside a conversation
    companions: bool = False  # for a change to code
    changed: Sequence[str] = ()  # names in a request for such a change
    spread: bool = False  # over records, for a question; what a report needs stands close together
    report: bool = False  # about code, and tells what happens or what to change
    # True when the rendered form holds `tokens_used`, which then is a fixed point
    says_count: bool = True


def depth(budget: Budget, asks_for_change: bool) -> int:
    """The number of ranked candidates that a pack is made from."""
    return companions.DEPTH if asks_for_change and budget.limit >= companions.FROM else POOL


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
    sifted, wanted = _sifted(candidates, budget, packing, fitting, by_words=stats.vectors is VectorMode.NONE)
    base = Pack(
        query=query,
        budget=budget,
        excerpts=(),
        packing=packing,
        stats=stats,
        empty_reason=empty_reason,
        candidates=tuple(candidates),
        shape=fitting.shape,
        chain=sifted.chain,
        omitted=sifted.omitted,
        tokens_used=budget.limit,  # the count is likely to have as many digits
    )
    fitting = _framed(base, fitting)
    frame = _measured(base, sifted.best, fitting)
    room = max(0, int((budget.limit - frame.fixed) / frame.stretch))
    options = _options(sifted.best, room, frame, fitting, packing)
    chosen, optimality = _chosen(options, room, budget.limit, packing, spread=fitting.spread)
    chosen = [*companions.with_companions(wanted, options, chosen, budget.limit)]
    if options and fitting.changed and packing is Packing.AUTO and budget.limit >= occurrences.FROM:
        sources = _with_rests(candidates, sifted)
        found = occurrences.with_occurrences(
            fitting.changed, sources, chosen, budget.limit, fitting.count, fitting.sent
        )
        chosen = [*found]
        sifted = _competing(sifted, chosen)
    base = replace(
        base,
        omitted=sifted.omitted,
        optimality=optimality,
        empty_reason=empty_reason or _why_empty(sifted.omitted),
    )
    build = _builder(base, sifted, fitting)
    best = options[0] if options and packing is Packing.AUTO else None
    pack, chosen, dropped = _within_limit(chosen, build, budget.limit, best)
    filler = Filler(options, build, frame)
    if sifted.omitted.budget and packing is not Packing.PREFIX:
        pack = filler.without(dropped).filled(pack, chosen)
    if sifted.omitted.budget and packing is Packing.AUTO and not pack.excerpts:
        pack = _with_least(pack, filler)
    return pack if pack.excerpts else _fallen(pack, fitting)


def _sifted(
    candidates: Sequence[Candidate], budget: Budget, packing: Packing, fitting: Fitting, *, by_words: bool
) -> tuple[Sifted, list[Candidate]]:
    """(the candidates that compete for the budget, the companions that are wanted among them)."""
    sifted = sift(
        candidates[: depth(budget, fitting.companions)],
        budget.limit,
        packing,
        fitting.sent,
        count=fitting.count,
        tokens_of=fitting.tokens_of,
        by_words=by_words,
    )
    has_companions = fitting.companions and packing is Packing.AUTO and budget.limit >= companions.FROM
    wanted = companions.companions(sifted) if has_companions else []
    return companions.holding(sifted, wanted), wanted


def _why_empty(omitted: Omissions) -> EmptyReason | None:
    """The reason for a pack that shows no candidate; None when there was none to show."""
    if omitted.budget:
        return EmptyReason.BUDGET_TOO_SMALL
    return EmptyReason.ALL_SENT if omitted.sent else None


def _with_rests(candidates: Sequence[Candidate], sifted: Sifted) -> list[Candidate]:
    """All candidates that no earlier pack of the conversation showed whole; of one that it showed in part, the rest."""
    omitted = sifted.omitted
    known = (*sifted.best, *sifted.behind, *omitted.low_score, *omitted.no_content, *omitted.duplicate)
    by_id = {candidate.chunk.id: candidate for candidate in known}
    sent = {candidate.chunk.id for candidate in omitted.sent}
    return [by_id.get(one.chunk.id, one) for one in candidates if one.chunk.id not in sent]


def _competing(sifted: Sifted, chosen: Sequence[Selected]) -> Sifted:
    """The same where every chosen candidate competes for the budget, also one of low score and a near copy."""
    known = {candidate.chunk.id for candidate in (*sifted.best, *sifted.behind)}
    new = [item.candidate for item in chosen if item.candidate.chunk.id not in known]
    ids = {candidate.chunk.id for candidate in new}
    behind = [*sifted.behind, *new]
    omitted = replace(
        sifted.omitted,
        budget=(*sifted.best, *behind),
        low_score=tuple(one for one in sifted.omitted.low_score if one.chunk.id not in ids),
        no_content=tuple(one for one in sifted.omitted.no_content if one.chunk.id not in ids),
        duplicate=tuple(one for one in sifted.omitted.duplicate if one.chunk.id not in ids),
    )
    return sifted._replace(behind=behind, omitted=omitted)


def _builder(base: Pack, sifted: Sifted, fitting: Fitting) -> Build:
    """The function that turns chosen variants into a pack: `base` with their excerpts, and the other candidates left out."""
    stitcher = Stitcher(
        fitting.text_of,
        fitting.checked,
        fitting.count,
        fitting.tokens_of,
        in_rank_order=base.packing is not Packing.AUTO,
        sent=fitting.sent,
    )

    def build(chosen: Sequence[Selected]) -> Pack:
        ids = {item.candidate.chunk.id for item in chosen}
        left = [item for item in (*sifted.best, *sifted.behind) if item.chunk.id not in ids]
        excerpts = tuple(stitcher.excerpts(chosen))
        pack = replace(
            base,
            excerpts=excerpts,
            omitted=replace(base.omitted, budget=tuple(left)),
            empty_reason=None if excerpts else base.empty_reason,
        )
        return _settled(pack, fitting)

    return build


def _chosen(
    options: Sequence[Option], room: int, limit: int, packing: Packing, *, spread: bool
) -> tuple[list[Selected], float]:
    """(the variants chosen by their estimated costs, their value over its upper bound)."""
    if packing is not Packing.AUTO:
        return select_in_order(options, room, stop=packing is Packing.PREFIX), 1.0
    chosen, optimality = select_greedy(options, room, spread=SPREAD if spread else 0.0)
    if options:
        chosen = with_first(options, chosen, room)
    if limit >= breadth.FROM:
        chosen = breadth.with_best_files(options, chosen, limit)
    return list(chosen), optimality


def _within_limit(
    chosen: list[Selected], build: Build, limit: int, best: Option | None
) -> tuple[Pack, list[Selected], list[Selected]]:
    """(the pack of the choices that fit, these choices, the choices of the lowest density that were dropped).

    As many are dropped at once as the excess costs by estimate: to render after each would be slow. The `best` candidate
    is the last to go, and is shown in a smaller variant while it has one.
    """

    def is_best(item: Selected) -> bool:
        return best is not None and item.candidate is best.candidate

    pack = build(chosen)
    fitting, dropped = [*chosen], list[Selected]()
    while pack.tokens_used > limit and fitting:
        excess = pack.tokens_used - limit
        fitting.sort(key=lambda item: (is_best(item), item.density), reverse=True)
        while fitting and excess > 0:
            item = fitting.pop()
            excess -= item.choice.cost
            smaller = best.smaller(item.choice, -excess) if best is not None and is_best(item) else None
            if smaller is None:
                dropped.append(item)
            else:
                fitting.append(selected(item.candidate, smaller))
                break
        pack = build(fitting)
    return pack, fitting, dropped


def _measured(base: Pack, competing: Sequence[Candidate], fitting: Fitting) -> Frame:
    """The cost of what the shape puts around the texts of the best candidates."""
    stitcher = Stitcher(
        fitting.text_of, fitting.checked, len, lambda chunk: len(chunk.text), in_rank_order=True
    )
    return measured(
        competing,
        fitting.count,
        excerpt_of=lambda candidate: stitcher.excerpts(
            [Selected(candidate, in_full(candidate.chunk, 0), 0.0)]
        )[0],
        render=lambda shown: fitting.render(replace(base, excerpts=tuple(shown))),
    )


def _options(
    competing: Sequence[Candidate], room: int, frame: Frame, fitting: Fitting, packing: Packing
) -> list[Option]:
    options: list[Option] = []
    seen = 0
    sources: set[Hashable] = set()
    auto = packing is Packing.AUTO
    alone = fitting.report and room < DEFINED
    variants = partial(
        choices, weigher=fitting.weigher, alone=alone, question=fitting.spread, report=fitting.report
    )
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
        if made := first_parts(chunk, candidate.parts, fitting.count, overhead, further):
            options.append(Option(candidate, [choice[2:] for choice in made], partial(list, made)))
            seen += made[-1].cost
            continue
        if auto:
            make = partial(variants, candidate, whole=whole, overhead=overhead, further=further)
        else:
            make = partial(list, [in_full(chunk, whole + overhead)])
        # The cost that the outline of code calls the least is below any variant that would be chosen.
        is_code = chunk.record_kind is RecordKind.CODE
        asks = overhead + min(whole, SMALL) if is_code else 0
        widen = (
            partial(widened, chunk, whole=whole, overhead=overhead, further=further, report=fitting.report)
            if goes_on(chunk) and auto and room < breadth.FROM
            else None
        )
        options.append(Option(candidate, outline(chunk, whole=whole, overhead=overhead), make, asks, widen))
        seen += whole + overhead
    return options


def _with_least(empty: Pack, filler: Filler) -> Pack:
    """The pack of the first candidate whose shortest variant fits, filled up. Frames may cost more than estimated, and a
    part of the answer is better than none. Where none fits, the empty pack with a budget that has room for one.
    """
    sizes = []
    for option in filler.options[:_LEAST_TRIES]:
        least = selected(option.candidate, option.choices[0])
        pack = filler.build([least])
        if pack.tokens_used <= pack.budget.limit:
            return filler.filled(pack, [least])
        sizes.append(pack.tokens_used)
    return replace(empty, least=min(sizes, default=0))


def _framed(base: Pack, fitting: Fitting) -> Fitting:
    """The fitting with `says_count` set, and with the longest form of the shape whose frame does not take too much."""
    for render in fitting.ladder.forms:
        empty = render(base)
        if fitting.count(empty) <= LEAN * base.budget.limit:
            break
    other = render(replace(base, tokens_used=base.tokens_used + 1))
    return fitting._replace(render=render, says_count=empty != other)


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
    for render in (*fitting.ladder.forms, *fitting.ladder.stubs):
        settled = _settled(empty, fitting._replace(render=render, says_count=True))
        if settled.tokens_used <= pack.budget.limit:
            return settled
    return replace(empty, tokens_used=0, text="")
