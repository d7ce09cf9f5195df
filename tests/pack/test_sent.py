"""What a conversation was sent, found again and taken out of candidates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from daypack.pack.dedupe import copies
from daypack.pack.sent import (
    SCRAP,
    Sent,
    SentSpan,
    bridges,
    deduplicated,
    digest_of,
    labels_of,
    located,
    new_and_sent,
    rests_of,
)
from daypack.pack.sifting import sift
from daypack.testing import make_chunk
from daypack.types import Candidate, Chain, Chunk, Packing, PieceKind, Span

LINES = [f"line {number} says something of its own about {number * 7} things\n" for number in range(12)]
TEXT = "".join(LINES)


def part(number: int, first: int, end: int) -> Candidate:
    """Lines [first, end) of TEXT, a record, as a candidate."""
    start = len("".join(LINES[:first]))
    text = "".join(LINES[first:end]).rstrip("\n")
    chunk: Chunk = make_chunk(text, number)._replace(
        record_id=1, span=Span(start, start + len(text), first + 1, end), hash=digest_of(text).hex()
    )
    return Candidate(chunk, 1 / number, 0.5, ())


def sent(label: int, first: int, end: int) -> SentSpan:
    found = part(1, first, end).chunk.span
    return SentSpan(found.start, found.end, label)


def test_a_text_that_moved_is_found_at_its_new_line() -> None:
    item = "".join(LINES[3:6]).rstrip("\n")
    start = TEXT.index(item)
    digest = digest_of(item)
    assert located(TEXT, start, start + len(item), digest) == (start, start + len(item))
    moved = "one more line\n" + TEXT
    at = moved.index(item)
    assert located(moved, start, start + len(item), digest) == (at, at + len(item))
    assert located("".join(LINES[:4]), start, start + len(item), digest) is None
    assert located("", start, start + len(item), digest) is None


@given(st.text(st.sampled_from("ab\n"), max_size=40), st.integers(0, 40), st.integers(1, 20))
def test_what_is_found_is_the_text_that_was_sent(text: str, start: int, length: int) -> None:
    item = "ab\nba"[:length]
    place = located(text, start, start + len(item), digest_of(item))
    assert place is None or text[slice(*place)] == item


def test_of_a_chunk_sent_in_part_the_longest_rest_is_new() -> None:
    whole = part(1, 0, 10)
    rests = rests_of([whole], {1: [sent(1, 2, 4), sent(2, 5, 6)]}, len)
    rest = rests[1]
    assert rest is not None
    assert rest.chunk.text == "".join(LINES[6:10]).rstrip("\n")
    assert (rest.chunk.span.start_line, rest.chunk.span.end_line) == (7, 10)
    assert TEXT[rest.chunk.span.start : rest.chunk.span.end] == rest.chunk.text
    assert (rest.chunk.tokens, rest.chunk.kind) == (len(rest.chunk.text), PieceKind.BLOCK)


def test_a_chunk_of_which_a_scrap_is_left_counts_as_sent() -> None:
    assert len(LINES[0]) < SCRAP
    rests = rests_of([part(1, 0, 5), part(2, 6, 9)], {1: [sent(4, 1, 5)]}, len)
    assert rests == {1: None}
    new, old = new_and_sent([part(1, 0, 5), part(2, 6, 9)], rests)
    assert ([one.chunk.id for one in new], [one.chunk.id for one in old]) == ([2], [1])


def test_of_two_copies_the_one_that_was_sent_counts_however_low_it_ranks() -> None:
    copy = part(1, 0, 3)
    original = copy._replace(chunk=copy.chunk._replace(id=2, record_id=2))
    other = part(3, 6, 9)
    ranked = [copy, other, original]
    rests = rests_of(ranked, {2: [SentSpan(0, len(TEXT), 1)]}, len)
    kept, dropped = deduplicated(ranked, lambda them: copies([one.chunk.hash for one in them]), rests)
    assert [one.chunk.id for one in kept] == [3, 2]
    assert [one.chunk.id for one in dropped] == [1]


def test_labels_point_at_what_ranks_before_everything_new() -> None:
    best, second, third = part(1, 0, 3), part(2, 3, 6), part(3, 6, 9)
    spans = {1: [sent(7, 0, 3), sent(9, 6, 9)]}
    state = Sent(Chain("asker", "before", 9), spans)
    ranked = [best, second, third]
    assert labels_of(third, spans) == [9]
    assert state.pointing_at(ranked, rests_of(ranked, spans, len)).again == (7,)
    assert state.pointing_at(ranked[1:], rests_of(ranked, spans, len)).again == ()


def test_no_bridge_leads_over_what_was_sent() -> None:
    spans = [SentSpan(10, 20, 1)]
    assert bridges(spans, 0, 10)
    assert bridges(spans, 20, 25)
    assert not bridges(spans, 5, 12)
    assert not bridges(spans, 5, 25)


def test_a_text_that_was_sent_counts_as_sent_also_where_its_score_is_low() -> None:
    others = [
        Candidate(make_chunk(f"text {n} of its own", n, record_id=100 + n), 0.9, 0.5, ())
        for n in range(2, 40)
    ]
    low = part(1, 0, 3)._replace(score=0.01)
    before = Sent(Chain("asker", "aaaaaa", sent=1), {1: [sent(1, 0, 3)]})
    sifted = sift(
        [*others, low],
        1000,
        Packing.AUTO,
        before,
        count=len,
        tokens_of=lambda chunk: chunk.tokens,
        by_words=True,
    )
    assert sifted.omitted.sent == (low,)
    assert sifted.omitted.low_score == ()
