"""The items sent before in a conversation: found again in texts that changed, and taken out of candidates.

An item counts as sent where its text still stands, at its place or at another line of its record. A candidate
that was sent in part is shown without that part; one that was sent as a whole is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from daypack.pack.dedupe import without
from daypack.ports import CountTokens
from daypack.text.storable import text_digest
from daypack.types import Candidate, Chain, Chunk, PieceKind, Span

DIGEST = 8  # bytes of the digest of an item's text
SCRAP = 80  # characters; a shorter rest of a chunk tells nothing without the part that was sent
MOST_AGAIN = 3  # labels of sent items that an answer points at

Rests: TypeAlias = "Mapping[int, Candidate | None]"
"""Chunk id → what is new of a candidate that was sent in part or, None, as a whole. Other candidates are missing."""


class SentSpan(NamedTuple):
    """Half-open characters of a record's present text that the item `label` showed."""

    start: int
    end: int
    label: int


class Sent(NamedTuple):
    """The state of a conversation: the facts that its next pack must say, and spans by record."""

    chain: Chain
    spans: Mapping[int, Sequence[SentSpan]]

    def pointing_at(self, ranked: Sequence[Candidate], rests: Rests) -> Chain:
        """The chain with the labels of sent items that rank before everything new, best first."""
        again: list[int] = []
        for candidate in ranked:
            again += labels_of(candidate, self.spans)
            if rests.get(candidate.chunk.id, candidate) is not None:
                break
        return self.chain._replace(again=tuple(dict.fromkeys(again))[:MOST_AGAIN])


def digest_of(text: str) -> bytes:
    """The digest by which an item's text is found again; no text can be read from it."""
    return text_digest(text)[:DIGEST]


def located(text: str, start: int, end: int, digest: bytes) -> tuple[int, int] | None:
    """The place of an item in its record's present text: where it was, or else at the first line at which its
    text begins now; None where the text is gone.
    """
    if digest_of(text[start:end]) == digest:
        return start, end
    length = end - start
    at = 0
    while at + length <= len(text):
        stop = at + length
        if (stop == len(text) or text[stop] == "\n" or text[stop - 1] == "\n") and digest_of(
            text[at:stop]
        ) == digest:
            return at, stop
        line_end = text.find("\n", at)
        if line_end < 0:
            break
        at = line_end + 1
    return None


def labels_of(candidate: Candidate, spans: Mapping[int, Sequence[SentSpan]]) -> list[int]:
    """The labels of the items that showed a part of a candidate, in order."""
    chunk = candidate.chunk
    labels = (
        item.label
        for item in spans.get(chunk.record_id, ())
        if item.start < chunk.span.end and chunk.span.start < item.end
    )
    return sorted({*labels})


def rests_of(
    candidates: Sequence[Candidate], spans: Mapping[int, Sequence[SentSpan]], count: CountTokens
) -> Rests:
    """The new parts of candidates that were sent. Of a definition they are lines without a signature."""
    return {
        candidate.chunk.id: _rest_of(candidate, spans[candidate.chunk.record_id], count)
        for candidate in candidates
        if candidate.chunk.record_id in spans and labels_of(candidate, spans)
    }


def deduplicated(
    candidates: Sequence[Candidate],
    twins_of: Callable[[Sequence[Candidate]], Mapping[int, int]],
    rests: Rests,
) -> tuple[list[Candidate], list[Candidate]]:
    """(kept, dropped) in rank order. Of equal candidates the one that was sent is kept, else the best."""
    if not rests:
        return without(candidates, twins_of(candidates))
    ranks = {candidate.chunk.id: rank for rank, candidate in enumerate(candidates)}
    sent_first = sorted(candidates, key=lambda item: item.chunk.id not in rests)
    kept, dropped = without(sent_first, twins_of(sent_first))
    return sorted(kept, key=lambda item: ranks[item.chunk.id]), dropped


def new_and_sent(candidates: Sequence[Candidate], rests: Rests) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates with something new, without the rest of them, and those without anything new."""
    new = [rest for candidate in candidates if (rest := rests.get(candidate.chunk.id, candidate)) is not None]
    return new, [candidate for candidate in candidates if rests.get(candidate.chunk.id, candidate) is None]


def _rest_of(candidate: Candidate, spans: Sequence[SentSpan], count: CountTokens) -> Candidate | None:
    """The longest run of new text of a candidate; None where it is a scrap."""
    chunk = candidate.chunk
    start, end = _longest_new(chunk, spans)
    if end - start < SCRAP:
        return None
    text = chunk.text[start:end]
    first = chunk.span.start_line + chunk.text.count("\n", 0, start)
    span = Span(chunk.span.start + start, chunk.span.start + end, first, first + text.count("\n"))
    rest = chunk._replace(
        span=span, text=text, tokens=count(text), kind=PieceKind.BLOCK, symbol=None, signature=""
    )
    return candidate._replace(chunk=rest)


def _longest_new(chunk: Chunk, spans: Sequence[SentSpan]) -> tuple[int, int]:
    """The longest part of a chunk's text, without blank edges, that no span holds."""
    text, base = chunk.text, chunk.span.start
    inside = sorted(
        (max(0, sent.start - base), min(len(text), sent.end - base))
        for sent in spans
        if sent.start < chunk.span.end and base < sent.end
    )
    best, at = (0, 0), 0
    for start, end in [*inside, (len(text), len(text))]:
        part = text[at:start]
        bare = part.strip()
        if len(bare) > best[1] - best[0]:
            first = at + part.index(bare)
            best = first, first + len(bare)
        at = max(at, end)
    return best


def bridges(spans: Sequence[SentSpan], start: int, end: int) -> bool:
    """True when the gap between two excerpts holds nothing that was sent."""
    return all(sent.end <= start or end <= sent.start for sent in spans)
