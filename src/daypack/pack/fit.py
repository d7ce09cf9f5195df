"""Fitting: the budget is on the final rendered string, so the last word has the counter, not an estimate.

Select by estimated costs → stitch → render → count. Over the limit: give up the choice with the lowest density and render
again. Room left: try what was left out, best first. Token counts do not add up over concatenation, so nothing but a count of
the whole string decides. What stands around an excerpt is measured on the shape and by the counter, before anything is chosen.

A frame that takes too much of the budget gives way to the lean form of the shape; a pack in which nothing fits falls down the
shape's ladder to the empty string.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from daypack.frozen import dataclass
from daypack.pack.dedupe import copies, twins, without
from daypack.pack.select import Option, Selected, select_greedy, select_in_order, selected
from daypack.pack.stitch import BRIDGE_TOKENS, Stitcher, TextOf, source_of
from daypack.pack.variants import Choice, Weigher, choices, in_full, outline
from daypack.ports import CountTokens, Shape
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    EmptyReason,
    Omission,
    OmissionReason,
    Pack,
    Packing,
    PieceKind,
    RecordKind,
    SearchStats,
    VectorMode,
)

POOL = 150  # candidates considered
# Of the best score: below it a candidate is not worth its tokens (docs/decisions/010-short-packs.md). The low one is for the best
# candidates, which beside a hit that stands out look worse than they are, and where words alone ranked, whose scores spread further.
FLOOR, LOW_FLOOR = 0.35, 0.2
BEST = 10  # candidates
REACH = 8  # budgets' worth of text; of what lies beyond nothing is chosen but scraps that happen to fit
FEWEST = 30  # candidates; the weakest of fewer scores 0 and may still be about nothing else
AS_GOOD = 0.7  # of the best BM25: what says the words of the query so well is kept, wherever the others put it
_BY_WORDS = frozenset({"bm25", "bm25_context"})
_BY_NAME = frozenset({"author", "exact", "link", "name", "path", "symbol", "trace"})
LEAN = 0.08  # of the budget: a frame that costs more is left away
_FILL_TRIES, _FILL_FAILURES = 12, 4


@dataclass(frozen=True, slots=True)
class Fitting:
    """What packing needs from outside: counters, the shape, texts."""

    count: CountTokens
    render: Shape
    ladder: Sequence[Shape]  # shorter and shorter forms of an empty pack
    text_of: TextOf  # as it was read
    checked: TextOf  # the same text, once it is known to be what was stored
    tokens_of: Callable[[Chunk], int]  # of a whole chunk, in the unit of the budget
    weigher: Weigher
    shape: str
    says_count: bool = True  # whether the rendered form holds `tokens_used`, which makes it a fixed point to look for


def _worth_tokens(candidates: Sequence[Candidate], floor: float) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates that are worth their tokens, and the others. Scores are relative to the pool: only many candidates show what noise scores.

    The front matter of a file says of the file what its text says better: beside a better part of it, it is worth none.
    """
    best = _best_unnamed(candidates) if len(candidates) >= FEWEST else float("-inf")
    words = [*map(_words, candidates)]
    said = AS_GOOD * max(words, default=0.0)
    kept: list[Candidate] = []
    low: list[Candidate] = []
    told: set[int] = set()  # records of which a better part was met
    for rank, (candidate, own) in enumerate(zip(candidates, words, strict=True)):
        chunk = candidate.chunk
        least = (LOW_FLOOR if rank < BEST else floor) * best
        worth = candidate.score >= least and not (chunk.kind is PieceKind.FRONT_MATTER and chunk.record_id in told)
        (kept if worth or own >= said > 0 else low).append(candidate)
        told.add(chunk.record_id)
    return kept, low


def _best_unnamed(candidates: Sequence[Candidate]) -> float:
    """The best score without what a name, a quotation or a link adds to a few, and to the others nothing."""
    best = 0.0
    for candidate in candidates:
        if candidate.score > best:
            best = max(best, candidate.score - sum([part.share for part in candidate.contributions if part.signal in _BY_NAME]))
    return best


def _competing(kept: Sequence[Candidate], limit: int, fitting: Fitting) -> int:
    """How many of the best can matter, however little the frame takes.

    The others are not compared: one that nearly says what a better one says is over budget as well.
    """
    seen = accumulate([fitting.tokens_of(candidate.chunk) for candidate in kept])
    return next((n for n, tokens in enumerate(seen, 1) if tokens > REACH * limit and n >= FEWEST), len(kept))


def _words(candidate: Candidate) -> float:
    """Its BM25, by itself or with what stands around it."""
    best = 0.0
    for part in candidate.contributions:
        if part.signal in _BY_WORDS and part.raw > best:
            best = part.raw
    return best


def pack_candidates(
    query: str, candidates: Sequence[Candidate], budget: Budget, packing: Packing, fitting: Fitting, *,
    stats: SearchStats, empty_reason: EmptyReason | None = None,
) -> Pack:  # fmt: skip
    """The best pack of ranked candidates whose rendered form counts at most `budget.limit`."""
    base = Pack(
        query=query, budget=budget, excerpts=(), packing=packing, stats=stats, empty_reason=empty_reason, candidates=tuple(candidates),
        shape=fitting.shape,
    )  # fmt: skip
    pool = candidates[:POOL]
    kept, same = without(pool, copies([candidate.chunk.hash for candidate in pool]))
    low: list[Candidate] = []
    competing = len(kept)
    if packing is Packing.AUTO:
        kept, low = _worth_tokens(kept, LOW_FLOOR if stats.vectors is VectorMode.NONE else FLOOR)
        competing = _competing(kept, budget.limit, fitting)
    kept, alike = without(kept, twins([candidate.chunk.text for candidate in kept[:competing]]))
    competing -= len(alike)
    dropped = [_omission(candidate, OmissionReason.DUPLICATE) for candidate in (*same, *alike)]
    dropped += [_omission(candidate, OmissionReason.LOW_SCORE) for candidate in low]
    fitting = _rendered_by(fitting.render, base, fitting)
    if len(fitting.ladder) > 2 and _settled(base, fitting).tokens_used > LEAN * budget.limit:
        fitting = _rendered_by(fitting.ladder[1], base, fitting)
    omissions = {candidate.chunk.id: _omission(candidate, OmissionReason.BUDGET) for candidate in kept}
    frame = _measured(replace(base, omitted=(*omissions.values(), *dropped), tokens_used=budget.limit), kept[:competing], fitting)
    room = max(0, budget.limit - frame.fixed)
    options = _options(kept[:competing], room, frame, fitting, packing)
    if packing is Packing.AUTO:
        first, optimality = select_greedy(options, room)
    else:
        first, optimality = select_in_order(options, room, stop=packing is Packing.PREFIX), 1.0

    auto = packing is Packing.AUTO
    stitcher = Stitcher(
        fitting.text_of, fitting.checked, fitting.count, fitting.tokens_of, in_rank_order=not auto, bridge=BRIDGE_TOKENS if auto else 0
    )

    def build(chosen: Sequence[Selected]) -> Pack:
        ids = {item.candidate.chunk.id for item in chosen}
        left = [omission for chunk_id, omission in omissions.items() if chunk_id not in ids]
        excerpts = stitcher.excerpts(chosen)
        reason = None if excerpts else (empty_reason or (EmptyReason.BUDGET_TOO_SMALL if kept else None))
        found = replace(
            base, excerpts=tuple(excerpts), omitted=(*left, *dropped), optimality=optimality, empty_reason=reason,
            tokens_used=budget.limit,  # as many digits as the count will have, most often
        )  # fmt: skip
        return _settled(found, fitting)

    chosen = list(first)
    pack = build(chosen)
    while pack.tokens_used > budget.limit and chosen:
        # What is over by more than the weakest choice costs goes at once: one render a round would be slow on large overruns.
        over = pack.tokens_used - budget.limit
        chosen.sort(key=lambda item: -item.density)
        while chosen and over > 0:
            over -= chosen.pop().choice.cost
        pack = build(chosen)
    if packing is not Packing.PREFIX and kept:
        pack = _filled(pack, chosen, options, build, budget, frame)
    return pack if pack.excerpts else _fallen(pack, fitting)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a pack costs beside its texts, in the unit of the budget. Estimates, which fitting corrects."""

    fixed: int  # once a pack
    first: Mapping[RecordKind, int]  # around an excerpt, the first of its source
    further: Mapping[RecordKind, int]  # around one that stands under the header of its source


def _measured(base: Pack, competing: Sequence[Candidate], fitting: Fitting) -> _Frame:
    """Rendered and counted for the best candidate of each kind: alone, with one of another source, with one more of that source."""
    fixed: int | None = None
    stitcher = Stitcher(fitting.text_of, fitting.checked, len, lambda chunk: len(chunk.text), in_rank_order=True, bridge=0)
    first: dict[RecordKind, int] = {}
    further: dict[RecordKind, int] = {}
    for candidate in competing:
        chunk = candidate.chunk
        if chunk.record_kind in first:
            continue
        choice = in_full(chunk, 0)
        one = stitcher.excerpts([Selected(candidate, choice, 0.0)])[0]
        # As many lines as decide how it is shown, and little to count.
        text = "\n".join(line[:60] for line in one.text.split("\n")[:5])
        here, span = one.citation, one.citation.span
        one = replace(one, text=text, citation=replace(here, span=replace(span, end_line=span.start_line + text.rstrip("\n").count("\n"))))
        two = replace(one, session=one.session and f"{one.session}2", citation=replace(one.citation, label=2, uri=f"{here.uri}2"))
        three = replace(two, citation=replace(two.citation, label=3))
        tokens = fitting.count(text)
        used = [fitting.count(fitting.render(replace(base, excerpts=(one, two, three)[:number]))) for number in (1, 2, 3)]
        first[chunk.record_kind] = max(0, used[1] - used[0] - tokens)
        further[chunk.record_kind] = max(0, used[2] - used[1] - tokens)
        if fixed is None:
            fixed = max(0, used[0] - tokens - first[chunk.record_kind])
    return _Frame(fixed or 0, first, further)


def _options(competing: Sequence[Candidate], room: int, frame: _Frame, fitting: Fitting, packing: Packing) -> list[Option]:
    options: list[Option] = []
    seen = 0
    sources: set[Hashable] = set()
    for candidate in competing:
        if packing is Packing.AUTO and seen > REACH * room and len(options) >= FEWEST:
            break
        chunk = candidate.chunk
        further = frame.further[chunk.record_kind]
        # In rank order little is adjacent, so little shares a header.
        source = source_of(chunk)
        overhead = further if packing is Packing.AUTO and source in sources else frame.first[chunk.record_kind]
        sources.add(source)
        whole = fitting.tokens_of(chunk)
        make: Callable[[], Sequence[Choice]]
        if packing is Packing.AUTO:
            make = partial(choices, candidate, fitting.weigher, fitting.count, whole=whole, overhead=overhead, further=further)
        else:
            make = partial(list, [in_full(chunk, whole + overhead)])
        options.append(Option(candidate, outline(chunk, whole=whole, overhead=overhead), make))
        seen += whole + overhead
    return options


def _filled(
    pack: Pack, chosen: list[Selected], options: Sequence[Option], build: Callable[[Sequence[Selected]], Pack],
    budget: Budget, frame: _Frame,
) -> Pack:  # fmt: skip
    """Use what is left: larger variants of what is in, then what was left out, best first, each checked by a count."""
    tries = failures = 0
    least = 1 + min(frame.further.values()) // 2
    have = {item.candidate.chunk.id: n for n, item in enumerate(chosen)}
    records = {item.candidate.chunk.record_id for item in chosen}
    for option in options:
        left = budget.limit - pack.tokens_used
        if tries >= _FILL_TRIES or failures >= _FILL_FAILURES or left < least:
            break
        candidate = option.candidate
        chunk = candidate.chunk
        at = have.get(chunk.id)
        paid = chosen[at].choice.cost if at is not None else 0
        worth = chosen[at].choice.value if at is not None else 0.0
        # Some of what is around it may come back when neighbours join, so a little over is worth a try.
        slack = frame.further[chunk.record_kind] // 3 if chunk.record_id in records else 0
        if option.least - paid > left + slack:
            continue
        better = [choice for choice in option.choices if choice.value > worth and choice.cost - paid <= left + slack]
        if not better:
            continue
        tries += 1
        item = selected(candidate, better[-1])
        trial = [*chosen[:at], item, *chosen[at + 1 :]] if at is not None else [*chosen, item]
        attempt = build(trial)
        if attempt.tokens_used <= budget.limit:
            pack = attempt
            chosen[:] = trial
            have = {entry.candidate.chunk.id: n for n, entry in enumerate(chosen)}
            records.add(chunk.record_id)
        else:
            failures += 1
    return pack


def _rendered_by(render: Shape, base: Pack, fitting: Fitting) -> Fitting:
    return replace(fitting, render=render, says_count=render(replace(base, tokens_used=1)) != render(replace(base, tokens_used=2)))


def _settled(pack: Pack, fitting: Fitting) -> Pack:
    """The pack with its rendered text and its exact count; shapes that print the count are rendered to a fixed point."""
    for _ in range(6):
        text = fitting.render(pack)
        used = fitting.count(text)
        if used == pack.tokens_used or not fitting.says_count:
            return replace(pack, text=text, tokens_used=used)
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
        settled = _settled(empty, replace(fitting, render=render, says_count=True))
        if settled.tokens_used <= pack.budget.limit:
            return settled
    return replace(empty, tokens_used=0, text="")


def _omission(candidate: Candidate, reason: OmissionReason) -> Omission:
    chunk = candidate.chunk
    return Omission(chunk.reference, reason, candidate.score, chunk.tokens, chunk.name)
