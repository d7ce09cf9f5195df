"""Fitting: the budget is on the final rendered string, so the last word has the counter, not an estimate.

Select by estimated costs → stitch → render → count. Over the limit: give up the choice with the lowest density and render
again. Room left: try what was left out, best first. Token counts do not add up over concatenation, so nothing but a count of
the whole string decides. A frame that does not fit even when empty falls down the shape's ladder to the empty string.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from daypack.pack.dedupe import drop_duplicates
from daypack.pack.select import Selected, select_greedy, select_in_order
from daypack.pack.stitch import TextOf, stitch
from daypack.pack.variants import Choice, Weigher, choices
from daypack.ports import CountTokens, Shape
from daypack.types import Budget, Candidate, EmptyReason, Omission, OmissionReason, Pack, Packing, SearchStats, Variant

OVERHEAD = 16  # tokens of header and fence around an excerpt, an estimate that fitting corrects
POOL = 150  # candidates considered
_FILL_TRIES = 12


@dataclass(frozen=True, slots=True)
class Fitting:
    """What packing needs from outside: counters, the shape, texts."""

    count: CountTokens
    count_batch: Callable[[Sequence[str]], Sequence[int]]
    render: Shape
    ladder: Sequence[Shape]  # shorter and shorter forms of an empty pack
    text_of: TextOf
    weight_of: Weigher
    shape: str


def pack_candidates(
    query: str, candidates: Sequence[Candidate], budget: Budget, packing: Packing, fitting: Fitting, *, stats: SearchStats, empty_reason: EmptyReason | None = None
) -> Pack:
    """The best pack of ranked candidates whose rendered form counts at most `budget.limit`."""
    base = Pack(query=query, budget=budget, excerpts=(), packing=packing, stats=stats, empty_reason=empty_reason, candidates=tuple(candidates), shape=fitting.shape)
    kept, duplicates = drop_duplicates(candidates[:POOL])
    dropped = [_omission(candidate, OmissionReason.DUPLICATE) for candidate in duplicates]
    frame = _settled(base, fitting)
    if frame.tokens_used > budget.limit:
        return _fallen(replace(base, omitted=(*(_omission(c, OmissionReason.BUDGET) for c in kept), *dropped), empty_reason=empty_reason or EmptyReason.BUDGET_TOO_SMALL), fitting)
    room = budget.limit - frame.tokens_used
    options = _options(kept, room, fitting, packing)
    if packing is Packing.AUTO:
        selected, optimality = select_greedy(options, room)
    else:
        selected, optimality = select_in_order(options, room, stop=packing is Packing.PREFIX), 1.0

    omissions = {candidate.chunk.id: _omission(candidate, OmissionReason.BUDGET) for candidate in kept}
    count = cache(fitting.count)  # most excerpts are the same from one attempt to the next

    def build(chosen: Sequence[Selected]) -> Pack:
        ids = {item.candidate.chunk.id for item in chosen}
        left = [omissions[candidate.chunk.id] for candidate in kept if candidate.chunk.id not in ids]
        excerpts = stitch(chosen, text_of=fitting.text_of, count=count, in_rank_order=packing is not Packing.AUTO, bridge=40 if packing is Packing.AUTO else 0)
        reason = None if excerpts else (empty_reason or (EmptyReason.BUDGET_TOO_SMALL if kept else None))
        return _settled(replace(base, excerpts=tuple(excerpts), omitted=(*left, *dropped), optimality=optimality, empty_reason=reason), fitting)

    chosen = list(selected)
    pack = build(chosen)
    while pack.tokens_used > budget.limit and chosen:
        # What is over by more than the weakest choice costs goes at once: one render a round would be slow on large overruns.
        over = pack.tokens_used - budget.limit
        chosen.sort(key=lambda item: -item.density)
        while chosen and over > 0:
            over -= chosen.pop().choice.cost
        pack = build(chosen)
    if pack.tokens_used > budget.limit:
        return _fallen(pack, fitting)
    if packing is not Packing.PREFIX:
        pack = _filled(pack, chosen, options, build, budget)
    return pack


def _options(kept: Sequence[Candidate], room: int, fitting: Fitting, packing: Packing) -> list[tuple[Candidate, list[Choice]]]:
    """Variants of the candidates that can matter: beyond eight budgets' worth of text, rank decides."""
    options: list[tuple[Candidate, list[Choice]]] = []
    seen = 0
    for candidate in kept:
        if packing is Packing.AUTO and seen > 8 * room and len(options) >= 30:
            break
        if packing is Packing.AUTO:
            choice = choices(candidate, fitting.weight_of, fitting.count_batch, overhead=OVERHEAD)
        else:
            choice = [Choice(Variant.FULL, (candidate.chunk.span,), 1.0, fitting.count(candidate.chunk.text) + OVERHEAD)]
        seen += choice[-1].cost
        options.append((candidate, choice))
    return options


def _filled(pack: Pack, chosen: list[Selected], options: Sequence[tuple[Candidate, Sequence[Choice]]], build: Callable[[Sequence[Selected]], Pack], budget: Budget) -> Pack:
    """Use what is left: larger variants of what is in, then what was left out, best first, each checked by a count."""
    tries = 0
    have = {item.candidate.chunk.id: n for n, item in enumerate(chosen)}
    for candidate, variants in options:
        left = budget.limit - pack.tokens_used
        if tries >= _FILL_TRIES or left < 8:
            break
        at = have.get(candidate.chunk.id)
        paid = chosen[at].choice.cost if at is not None else 0
        worth = chosen[at].choice.value if at is not None else 0.0
        # A third of the overhead may come back when neighbours join, so a little over is worth a try.
        better = [choice for choice in variants if choice.value > worth and choice.cost - paid <= left + OVERHEAD // 3]
        if not better:
            continue
        tries += 1
        item = Selected(candidate, better[-1], candidate.probability * better[-1].value / max(better[-1].cost, 1))
        trial = [*chosen[:at], item, *chosen[at + 1 :]] if at is not None else [*chosen, item]
        attempt = build(trial)
        if attempt.tokens_used <= budget.limit:
            pack = attempt
            chosen[:] = trial
            have = {entry.candidate.chunk.id: n for n, entry in enumerate(chosen)}
    return pack


def _settled(pack: Pack, fitting: Fitting) -> Pack:
    """The pack with its rendered text and its exact count; shapes that print the count are rendered to a fixed point."""
    text = None
    for _ in range(6):
        rendered = fitting.render(pack)
        if rendered == text:  # it does not say the count, and was counted already
            return replace(pack, text=text)
        text = rendered
        used = fitting.count(text)
        if used == pack.tokens_used:
            return replace(pack, text=text)
        pack = replace(pack, tokens_used=used)
    # Two counts that lead to each other, as 99 → 100 → 99: the higher is kept, and the text that says it counts no more.
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
        settled = _settled(empty, replace(fitting, render=render))
        if settled.tokens_used <= pack.budget.limit:
            return settled
    return replace(empty, tokens_used=0, text="")


def _omission(candidate: Candidate, reason: OmissionReason) -> Omission:
    chunk = candidate.chunk
    return Omission(f"{chunk.uri}:{chunk.span.start_line}-{chunk.span.end_line}", reason, candidate.score, chunk.tokens, chunk.name)
