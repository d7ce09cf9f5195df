"""Fitting: the budget limits the final rendered string, and token counts do not add up over concatenation, so a count of the
whole string decides.

    select by estimated costs → stitch → render → count
    over the limit?    give up the choice with the lowest density, and render again
    room left?         try the omitted candidates, best first

The cost of the frame around an excerpt is measured with the shape and the counter before anything is chosen. When the frame
takes too much of the budget, the lean form of the shape is used; when nothing fits, the shape's ladder goes down to the empty
string.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from daypack.pack import breadth
from daypack.pack.frame import Frame, measured
from daypack.pack.select import Option, Selected, select_greedy, select_in_order, selected
from daypack.pack.sent import Sent
from daypack.pack.sifting import REACH, Sifted, sift
from daypack.pack.stitch import Stitcher, TextOf, source_of
from daypack.pack.variants import SMALL, Choice, choices, in_full, outline
from daypack.pack.weigher import Weigher
from daypack.pack.widening import goes_on, widened
from daypack.pack.worth import FEWEST
from daypack.ports import CountTokens, Shape
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
_FILL_TRIES, _FILL_FAILURES = 12, 2

Build: TypeAlias = Callable[[Sequence[Selected]], Pack]
"""Chosen variants → their pack, rendered and counted."""


class Fitting(NamedTuple):
    """The functions that packing gets from outside: counters, the shape, texts."""

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
    sifted = sift(
        candidates[:POOL],
        budget.limit,
        packing,
        fitting.sent,
        count=fitting.count,
        tokens_of=fitting.tokens_of,
        by_words=stats.vectors is VectorMode.NONE,
    )
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
    )
    fitting = _framed(base, fitting)
    # The count is likely to have as many digits as the limit.
    base = replace(base, omitted=sifted.omitted, tokens_used=budget.limit)
    frame = _measured(base, sifted.best, fitting)
    room = max(0, int((budget.limit - frame.fixed) / frame.stretch))
    options = _options(sifted.best, room, frame, fitting, packing)
    chosen, optimality = _chosen(options, room, budget.limit, packing)
    base = replace(base, optimality=optimality, empty_reason=empty_reason or _why_empty(sifted.omitted))
    build = _builder(base, sifted, fitting)
    pack, chosen, given = _within_limit(chosen, build, budget.limit)
    if sifted.omitted.budget and packing is not Packing.PREFIX:
        pack = _filled(pack, chosen, given, options, build, frame)
    if sifted.omitted.budget and packing is Packing.AUTO and not pack.excerpts:
        pack = _with_least(pack, options, build, frame)
    return pack if pack.excerpts else _fallen(pack, fitting)


def _why_empty(omitted: Omissions) -> EmptyReason | None:
    """The reason for a pack that shows no candidate; None when there was none to show."""
    if omitted.budget:
        return EmptyReason.BUDGET_TOO_SMALL
    return EmptyReason.ALL_SENT if omitted.sent else None


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
        left = [candidate for candidate in sifted.best if candidate.chunk.id not in ids]
        excerpts = tuple(stitcher.excerpts(chosen))
        found = replace(
            base,
            excerpts=excerpts,
            omitted=replace(base.omitted, budget=(*left, *sifted.behind)),
            empty_reason=None if excerpts else base.empty_reason,
        )
        return _settled(found, fitting)

    return build


def _chosen(
    options: Sequence[Option], room: int, limit: int, packing: Packing
) -> tuple[list[Selected], float]:
    """(the variants chosen by their estimated costs, their value over its upper bound)."""
    if packing is not Packing.AUTO:
        return select_in_order(options, room, stop=packing is Packing.PREFIX), 1.0
    chosen, optimality = select_greedy(options, room)
    if limit >= breadth.FROM:
        chosen = breadth.with_best_files(options, chosen, limit)
    return list(chosen), optimality


def _within_limit(
    chosen: list[Selected], build: Build, limit: int
) -> tuple[Pack, list[Selected], list[Selected]]:
    """(the pack of the choices that fit, these choices, the choices of the lowest density that were given up).

    As many are given up at once as the excess costs by estimate: to render after each would be slow.
    """
    pack = build(chosen)
    kept, given = [*chosen], list[Selected]()
    while pack.tokens_used > limit and kept:
        over = pack.tokens_used - limit
        kept.sort(key=lambda item: -item.density)
        while kept and over > 0:
            given.append(kept.pop())
            over -= given[-1].choice.cost
        pack = build(kept)
    return pack, kept, given


def _measured(base: Pack, competing: Sequence[Candidate], fitting: Fitting) -> Frame:
    """The cost of what the shape puts around the texts of the best candidates."""
    stitcher = Stitcher(
        fitting.text_of, fitting.checked, len, lambda chunk: len(chunk.text), in_rank_order=True
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
        is_code = chunk.record_kind is RecordKind.CODE
        asks = overhead + min(whole, SMALL) if is_code else 0
        widen = (
            partial(widened, chunk, whole=whole, overhead=overhead, further=further)
            if goes_on(chunk) and auto and room < breadth.FROM
            else None
        )
        options.append(Option(candidate, outline(chunk, whole=whole, overhead=overhead), make, asks, widen))
        seen += whole + overhead
    return options


class _Addition(NamedTuple):
    """A larger variant of a candidate, which may fit into the room left."""

    item: Selected
    cost: int  # beyond that of the variant that is shown
    following: int  # the place of the next option


def _filled(
    pack: Pack,
    chosen: Sequence[Selected],
    given: Sequence[Selected],
    options: Sequence[Option],
    build: Build,
    frame: Frame,
) -> Pack:
    """The pack with its remaining room used for larger variants and omitted candidates, best first. As many as should fit
    are added at once, and a count decides.

    `given` are the choices that were given up: a single one is known not to fit; of several, some may.
    """
    too_much = {item.candidate.chunk.id: item.choice.cost for item in given} if len(given) == 1 else {}
    tries = failures = at = 0
    shown = {item.candidate.chunk.id: item for item in chosen}
    records = {item.candidate.chunk.record_id for item in chosen}
    while tries < _FILL_TRIES and failures < _FILL_FAILURES:
        added = _additions(pack, shown, records, options, at, too_much, frame)
        if not added:
            break
        records.update(one.item.candidate.chunk.record_id for one in added)
        while added:
            at = added[-1].following
            trial = shown | {one.item.candidate.chunk.id: one.item for one in added}
            attempt = build([*trial.values()])
            tries += 1
            excess = attempt.tokens_used - pack.budget.limit
            if excess <= 0:
                pack, shown = attempt, trial
                break
            failures += 1
            while added and excess > 0:
                _, cost, at = added.pop()
                excess -= cost
    return pack


def _additions(
    pack: Pack,
    shown: Mapping[int, Selected],
    records: Set[int],
    options: Sequence[Option],
    at: int,
    too_much: Mapping[int, int],
    frame: Frame,
) -> list[_Addition]:
    """The additions of the options from `at` on that should fit together into the room left, best first. An option must
    cost less than `too_much`.
    """
    left = pack.budget.limit - pack.tokens_used
    least = 1 + min(frame.further.values()) // 2
    records = {*records}
    added: list[_Addition] = []
    for following, option in enumerate(options[at:], at + 1):
        if left < least:
            break
        chunk = option.candidate.chunk
        before = shown.get(chunk.id)
        value, paid = (before.choice.value, before.choice.cost) if before is not None else (0.0, 0)
        # Some of the frame may vanish when neighbours join, so a little over is worth a try.
        room = paid + left + (frame.further[chunk.record_kind] // 3 if chunk.record_id in records else 0)
        room = min(room, too_much.get(chunk.id, room + 1) - 1)
        if value < 1.0 and option.least <= room:
            better = [choice for choice in option.choices if choice.value > value and choice.cost <= room]
            if better:
                cost = better[-1].cost - paid
                added.append(_Addition(selected(option.candidate, better[-1]), cost, following))
                left -= cost
                records.add(chunk.record_id)
    return added


def _with_least(empty: Pack, options: Sequence[Option], build: Build, frame: Frame) -> Pack:
    """The pack of the first candidate whose shortest variant fits, filled up. Frames may cost more than estimated, and a
    part of the answer is better than none.
    """
    for option in options[:_FILL_TRIES]:
        least = selected(option.candidate, option.choices[0])
        pack = build([least])
        if pack.tokens_used <= pack.budget.limit:
            return _filled(pack, [least], [], options, build, frame)
    return empty


def _framed(base: Pack, fitting: Fitting) -> Fitting:
    """The fitting with `says_count` set, and with the lean form of the shape where the frame takes too much."""
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
