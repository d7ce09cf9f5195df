"""Explanation of a pack's choices, as a table for people.

    Query    how does retry back off  (natural)
    Budget   4,000 o200k, 3,712 used, packing auto, 97.3 % of the best value

    score   chance  reference               outcome
    0.8123    91 %  src/pay/retry.py:40-88  in as [1]  Retry.run
                      signal        raw      share      sum
                      bm25      12.3456    +0.5000   0.5000
                      dense      0.7312    +0.3123   0.8123
    0.2100    20 %  docs/retry.md:1-9       out: budget, 340 tokens

The running sum of the shares ends at the score; where it does not, the table says so.
"""

from __future__ import annotations

import math

from daypack.guard.fences import one_line
from daypack.shapes.wording import empty_sentence, left_out, notes, opening_sentence
from daypack.text.terminal_text import display_width, padded
from daypack.types import Candidate, Omission, Pack, SearchStats, Variant

CANDIDATES_SHOWN = 60
_REFERENCE_WIDTH = 60  # longer references are shown whole, and push their row out of its columns
_INDENT = " " * 18


def render(pack: Pack) -> str:
    stats, budget = pack.stats, pack.budget
    lines = [
        f"Query    {one_line(pack.query) or '(empty)'}  ({stats.query_kind.value})",
        f"Budget   {budget.limit:,} {budget.tokenizer.value}, {pack.tokens_used:,} used, packing {pack.packing.value}, "
        f"{pack.optimality:.1%} of the best value".replace("%", " %"),
        f"Search   {_search(stats)}",
        f"Time     {_time(stats)}",
    ]
    if pack.id:
        lines.append(f"Pack     {pack.id}")
    if stats.fitted:
        lines.append(f"Weights  {one_line(stats.fitted, 200)}, fitted for this store")
    if omitted := left_out(pack):
        lines.append(f"Left out {omitted}")
    if pack.excerpts and stats.time:
        lines.append(f"Note     {opening_sentence(stats)}")
    lines.extend(f"Note     {note}" for note in notes(pack))
    if not pack.excerpts:
        lines.append(f"Empty    {empty_sentence(pack.empty_reason, stats)}")
    if pack.candidates:
        lines.extend(["", *_table(pack)])
    return "\n".join(lines) + "\n"


def _search(stats: SearchStats) -> str:
    embedder = f" by {one_line(stats.embedder, 60)}" if stats.embedder else ""
    return (
        f"{stats.chunks:,} chunks in scope, {stats.candidates:,} ranked, vectors {stats.vectors.value}{embedder}, "
        f"{stats.embedded:,} embedded now, {stats.vectors_missing:,} missing, {stats.refreshed:,} files refreshed"
    )


def _time(stats: SearchStats) -> str:
    stages = (
        ("retrieve", stats.retrieve_seconds),
        ("embed", stats.embed_seconds),
        ("pack", stats.pack_seconds),
    )
    return ", ".join(f"{name} {seconds * 1000:.1f} ms" for name, seconds in stages)


def _table(pack: Pack) -> list[str]:
    labels = {chunk_id: excerpt for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    by_reference = {excerpt.citation.reference: excerpt for excerpt in pack.excerpts}
    omissions = {omission.reference: omission for omission in pack.omitted}
    shown = pack.candidates[:CANDIDATES_SHOWN]
    references = [one_line(_reference(candidate), 200) for candidate in shown]
    wide = min(_REFERENCE_WIDTH, max(map(display_width, references)))
    signals = [one_line(part.signal, 40) for candidate in shown for part in candidate.contributions]
    signal_width = max(map(len, [*signals, "signal"]))

    lines = [f"{'score':>7}  {'chance':>6}   {'reference':<{wide}}  outcome"]
    for candidate, reference in zip(shown, references, strict=True):
        excerpt = labels.get(candidate.chunk.id) or by_reference.get(_reference(candidate))
        if excerpt is not None:
            outcome = f"in as [{excerpt.citation.label}]"
            if excerpt.variant is not Variant.FULL:
                outcome += f", {excerpt.variant.value}"
            outcome += f", {excerpt.tokens:,} tokens"
        else:
            outcome = _outcome(omissions.get(_reference(candidate)))
        if candidate.duplicates:
            outcome += f", stands for {candidate.duplicates:,} more"
        name = one_line(candidate.chunk.name, 60)
        lines.append(
            f"{candidate.score:>7.4f}  {_percent(candidate.probability):>6}   {padded(reference, wide)}  {outcome}{'  ' + name if name else ''}"
        )
        lines.extend(_contributions(candidate, signal_width))
    if len(pack.candidates) > len(shown):
        lines.append(f"… and {len(pack.candidates) - len(shown):,} candidates more")
    return lines


def _contributions(candidate: Candidate, width: int) -> list[str]:
    if not candidate.contributions:
        return []
    lines = [f"{_INDENT}{'signal':<{width}}  {'raw':>10}  {'share':>8}  {'sum':>8}"]
    shares: list[float] = []
    for part in candidate.contributions:
        shares.append(part.share)
        signal = one_line(part.signal, 40)
        lines.append(
            f"{_INDENT}{signal:<{width}}  {part.raw:>10.4f}  {part.share:>+8.4f}  {math.fsum(shares):>8.4f}"
        )
    if not math.isclose(math.fsum(shares), candidate.score, rel_tol=1e-6, abs_tol=1e-6):
        lines.append(f"{_INDENT}these do not add up to the score {candidate.score:.6f}; please report it")
    return lines


def _reference(candidate: Candidate) -> str:
    return candidate.chunk.reference


def _outcome(omission: Omission | None) -> str:
    if omission is None:
        return "not considered"
    return f"out: {omission.reason.value.replace('_', ' ')}" + (
        f", {omission.tokens:,} tokens" if omission.tokens else ""
    )


def _percent(probability: float) -> str:
    return f"{probability:.0%}".replace("%", " %")
