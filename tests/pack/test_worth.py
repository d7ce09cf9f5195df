"""The hits that agents are shown: the near ones, and those with the words of the question."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.pack.worth import FEWEST, FLOOR, LOW_FLOOR, worth_showing
from daypack.testing import make_chunk
from daypack.types import Candidate, Contribution, RecordKind


def hit(
    number: int,
    score: float,
    *,
    words: float = 0.0,
    cosine: float | None = None,
    code: bool = False,
    named: bool = False,
) -> Candidate:
    chunk = make_chunk("text", number)._replace(record_kind=RecordKind.CODE if code else RecordKind.DOCUMENT)
    parts = [Contribution("bm25", words, score / 2)] if words else []
    parts += [] if cosine is None else [Contribution("dense", cosine, score / 2)]
    parts += [Contribution("path", 1.0, 0.1)] if named else []
    return Candidate(chunk, score, 0.5, tuple(parts))


def shown(*hits: Candidate) -> list[int]:
    return [found.chunk.id for found in worth_showing(hits)]


def test_a_text_is_shown_that_is_near_or_has_the_words_or_is_named() -> None:
    best = hit(1, 1.0, words=10.0, cosine=0.5)
    assert shown(best, hit(2, 0.9, words=1.0, cosine=0.2)) == [1]
    assert shown(best, hit(2, 0.9, words=1.0, cosine=0.36)) == [1, 2]
    assert shown(best, hit(2, 0.9, words=5.5, cosine=0.1)) == [1, 2]
    assert shown(best, hit(2, 0.9, words=1.0, cosine=0.1, named=True)) == [1, 2]
    assert shown(best, hit(2, 0.9, words=1.0, cosine=0.1, code=True)) == [1, 2]
    assert shown(best, hit(2, 0.9, words=1.0)) == [1, 2], "without a vector the score decides"


def test_far_below_the_best_of_many_no_reason_helps() -> None:
    many = [hit(number, 1.0 - number / 100, words=10.0, cosine=0.5) for number in range(1, FEWEST)]
    low = FLOOR - 0.02
    named, code = hit(98, low, words=10.0, cosine=0.5, named=True), hit(99, low, cosine=0.5, code=True)
    assert shown(*many, named, code) == [one.chunk.id for one in many]
    assert shown(*many[:5], named, code)[-2:] == [98, 99], "the weakest of a few scores 0"


def test_by_words_alone_the_score_decides_where_many_compete() -> None:
    many = [hit(number, 1.0 - number / 100, words=9.0) for number in range(1, FEWEST)]
    low = hit(FEWEST, LOW_FLOOR - 0.02, words=9.0)
    assert shown(*many, low) == [one.chunk.id for one in many]
    assert shown(*many[:5], low)[-1] == FEWEST
    assert worth_showing(()) == ()


scores = st.floats(0.0, 1.0)
hits = st.builds(
    lambda score, words, cosine, code: (score, words, cosine, code),
    scores,
    st.floats(0.0, 20.0),
    st.none() | st.floats(-0.2, 1.0),
    st.booleans(),
)


@given(st.lists(hits, min_size=1, max_size=12))
def test_the_best_hit_stays_and_the_order_too(drawn: list[tuple[float, float, float | None, bool]]) -> None:
    found = [hit(n, s, words=w, cosine=c, code=code) for n, (s, w, c, code) in enumerate(drawn, 1)]
    found.sort(key=lambda one: -one.score)
    kept = worth_showing(found)
    assert kept[0] == found[0]
    places = [found.index(one) for one in kept]
    assert places == sorted(places)


def test_a_text_that_is_far_and_shares_no_word_is_noise_beside_a_near_one() -> None:
    assert shown(hit(1, 1.0, words=9.0, cosine=0.26), hit(2, 0.9, cosine=0.19)) == [1]
    assert shown(hit(1, 1.0, words=9.0, cosine=0.26), hit(2, 0.9, cosine=0.21)) == [1, 2]
    assert shown(hit(1, 1.0, cosine=0.19), hit(2, 0.9, cosine=0.18)) == [1]


def test_the_farthest_text_of_a_small_store_is_left_out(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", root=tmp_path) as dp:
        for key, text in (
            ("board", "Acme board approved the merger in May"),
            ("hello", "Hello text, line two"),
            ("price", "Acme deal price is five"),
            ("cats", "Cats sleep all day long"),
            ("bridge", "The bridge opens at nine"),
        ):
            dp.memories.remember(key, text)
        farthest = dp.search("merger").candidates[-1]
        pack = dp.pack("merger")
    assert [part.raw < 0 for part in farthest.contributions if part.signal == "dense"] == [True]
    assert [excerpt.citation.uri for excerpt in pack.excerpts] == ["memory:board"]
