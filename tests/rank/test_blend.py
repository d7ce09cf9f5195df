"""The blend: what each signal adds, written out, and what holds for any pool."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from daypack.rank.blend import (
    NARROWEST,
    Blend,
    BlendWeights,
    Features,
    below_best,
    blend,
    first_quartile,
    min_max,
    without_vectors,
)

NO = float("nan")
FLOATS = {
    "unit", "context", "file", "dense", "dense_context", "symbol", "name", "trace", "path", "exact", "author", "link", "prior", "calls", "time", "wording",
}  # fmt: skip


def pool(**columns: list[Any]) -> Features:
    """Prose without vectors, each candidate in a record and section of its own, except for what is named."""
    n = len(next(iter(columns.values())))
    values: dict[str, Any] = {name: [0.0] * n for name in FLOATS}
    values |= {
        "dense": [NO] * n,
        "dense_context": [NO] * n,
        "prior": [1.0] * n,
        "time": [1.0] * n,
        "wording": [NO] * n,
        "code": [False] * n,
        "event": [False] * n,
        "alone": [False] * n,
        "page": [False] * n,
    }
    values |= {"section": list(range(n)), "record": list(range(n)), "section_size": [1] * n}
    if "unit" in columns and "context" not in columns:
        values["context"] = columns["unit"]
    if "dense" in columns and "dense_context" not in columns:
        values["dense_context"] = columns["dense"]
    types = {
        "code": np.bool_,
        "event": np.bool_,
        "alone": np.bool_,
        "page": np.bool_,
        "section": np.int64,
        "record": np.int64,
        "section_size": np.int64,
    }
    return Features(
        **{
            name: np.asarray(column, dtype=types.get(name, np.float32))
            for name, column in (values | columns).items()
        }
    )


def scores(features: Features) -> list[float]:
    found: list[float] = blend(features, BlendWeights()).score.tolist()
    return found


def share(result: Blend, signal: str) -> list[float]:
    found: list[float] = result.shares[signal].tolist()
    return found


@given(st_numpy.arrays(np.float32, st.integers(1, 40), elements=st.floats(0, 1, width=32)))
def test_the_first_quartile_is_that_of_numpy(values: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    assert first_quartile(values) == np.quantile(values, 0.25)


# ---------------------------------------------------------------- prose, written out


def test_prose_by_words_alone() -> None:
    result = blend(pool(unit=[4.0, 3.0, 2.0]), BlendWeights())
    # m(unit) = m(context) = 1, .5, 0; alone in its section, coherence is the base
    assert result.score.tolist() == pytest.approx(
        [
            1.0,  # (.5 unit + .5 context + .6 x 1) / 1.6
            0.5,  # (.25 unit + .25 context + .6 x .5) / 1.6
            0.0,
        ]
    )
    assert share(result, "bm25") == pytest.approx([0.5 / 1.6, 0.25 / 1.6, 0])
    assert share(result, "coherence") == pytest.approx([0.6 / 1.6, 0.3 / 1.6, 0])


def test_prose_by_words_and_meaning() -> None:
    # m(unit) = 1, 0; m(dense) = 0, 1: half and half is a tie
    # (.5 + .6 x .5) / 1.6
    assert scores(pool(unit=[4.0, 2.0], dense=[0.1, 0.7])) == pytest.approx([0.5, 0.5])


def test_events_believe_words_a_little_more() -> None:
    result = scores(pool(unit=[4.0, 2.0], dense=[0.1, 0.7], event=[True, True]))
    assert result == pytest.approx([0.6, 0.4])  # (.6 + .6 x .6) / 1.6 · (.4 + .6 x .4) / 1.6


def test_a_good_section_lifts_what_stands_in_it() -> None:
    features = pool(unit=[4.0, 3.0, 3.0, 2.0], section=[1, 1, 2, 3], section_size=[2, 2, 2, 1])
    # bases 1, .5, .5, 0; coherence (1 + .5) / 2, the same, .5 / 2 (its other chunk is not even in the pool),
    # 0
    assert scores(features) == pytest.approx([(1 + 0.45) / 1.6, (0.5 + 0.45) / 1.6, (0.5 + 0.15) / 1.6, 0])


def test_coherence_is_the_mean_of_the_three_best_of_a_section() -> None:
    features = pool(unit=[5.0, 4.0, 3.0, 1.0], section=[1, 1, 1, 1], section_size=[9, 9, 9, 9])
    # bases 1, .75, .5, 0 → coherence 2.25 / 3 for all of them
    assert blend(features, BlendWeights()).raw["coherence"].tolist() == pytest.approx([0.75] * 4)


def test_who_is_named_and_what_is_quoted_comes_first() -> None:
    features = pool(unit=[4.0, 4.0, 4.0, 2.0], author=[0.0, 1.0, 0.0, 0.0], exact=[0.0, 0.0, 1.0, 0.0])
    assert scores(features) == pytest.approx(
        [
            1.0,
            (1.6 + 0.15) / 1.6,  # the author
            (1.6 + 0.4) / 1.6,  # the quotation
            0.0,
        ]
    )


def test_a_document_that_is_named_by_path_is_lifted() -> None:
    assert scores(pool(unit=[4.0, 2.0], path=[0.0, 0.3])) == pytest.approx([1.0, 0.3 / 1.6])


# ---------------------------------------------------------------- code, written out


def code(**columns: list[Any]) -> Features:
    return pool(code=[True] * len(next(iter(columns.values()))), **columns)


def test_code_by_words_alone() -> None:
    result = blend(code(unit=[4.0, 3.0, 2.0]), BlendWeights())
    # base = m(unit) = 1, .5, 0; file the same, for each file has one chunk
    # (1 + .6) / 1.6 · (.5 + .6 x .5) / 1.6 · 0
    assert result.score.tolist() == pytest.approx([1.0, 0.5, 0.0])
    assert share(result, "file") == pytest.approx([0.6 / 1.6, 0.3 / 1.6, 0])
    assert share(result, "bm25_context") == [0, 0, 0]  # neighbours in code are other functions


def test_code_by_words_and_meaning() -> None:
    # base .55 x 1 and .45 x 1, the best of them is 1: 1 and .45 / .55
    assert scores(code(unit=[4.0, 2.0], dense=[0.1, 0.7])) == pytest.approx([1.0, 0.45 / 0.55])


def test_a_definition_and_a_stack_frame_are_added() -> None:
    result = blend(code(unit=[4.0, 3.0, 2.0], symbol=[0.0, 1.0, 0.0], trace=[0.0, 0.0, 0.6]), BlendWeights())
    # 1, .5 + .4, .6: the file term is the same over the best, 1
    assert result.score.tolist() == pytest.approx([1.0, 0.9, 0.6])
    assert share(result, "symbol") == pytest.approx([0, 0.4 / 1.6, 0])
    assert share(result, "trace") == pytest.approx([0, 0, 0.6 / 1.6])


def test_a_function_that_is_called_as_the_question_says_is_lifted() -> None:
    result = blend(code(unit=[4.0, 3.0, 2.0], name=[0.0, 1.0, 0.5]), BlendWeights())
    assert share(result, "name") == pytest.approx([0, 0.1 / 1.6, 0.05 / 1.6])


def test_steep_arms_prefer_what_is_best_in_one_to_what_is_middling_in_both() -> None:
    features = code(unit=[4.0, 3.2, 2.0], dense=[0.1, 0.58, 0.9])  # 1, .6, 0 and 0, .6, 1
    assert np.argmax(scores(features)) == 1
    steep = blend(features, BlendWeights(dense_code=0.5, steep_code=2.0)).score.tolist()
    assert steep == pytest.approx([1.0, 0.36 / 0.5, 1.0])


def test_a_file_is_as_good_as_its_five_best_chunks_with_falling_weight() -> None:
    features = code(unit=[4.0, 3.0, 3.0, 2.0], record=[1, 2, 2, 3])
    # bases 1, .5, .5, 0; files 1, .5 + .25 = .75, 0; both chunks are the best of the second file
    assert scores(features) == pytest.approx([1.0, 0.75, 0.75, 0.0])


def test_the_best_chunk_of_a_file_stands_for_the_file() -> None:
    features = code(unit=[4.0, 3.6, 3.5, 2.0], record=[1, 2, 2, 3])
    # bases 1, .8, .75, 0; files 1, .8 + .375 = 1.175 → .851 and 1, 0: the second file is the best one
    file = 1 / 1.175
    assert scores(features) == pytest.approx([(1 + 0.6 * file) / 1.6, 1.0, (0.75 + 0.2) / 1.6, 0.0])


def test_a_whole_file_counts_a_fifth_of_the_file() -> None:
    features = code(unit=[4.0, 4.0, 2.0], file=[1.0, 2.0, 0.0])
    # files .8 x 1 + .2 x ½ = .9, .8 + .2 = 1, 0
    assert scores(features) == pytest.approx([(1 + 0.6 * 0.9) / 1.6, 1.0, 0.0])


def test_the_words_of_a_file_of_one_chunk_count_once() -> None:
    features = code(unit=[4.0, 3.0, 2.0], file=[1.0, 2.0, 0.0], alone=[True] * 3)
    # files 1, .5, 0, as the chunks are: the whole-file BM25 of the second one is twice that of the first
    assert scores(features) == pytest.approx([1.0, 0.5, 0.0])


def test_a_file_of_one_chunk_is_compared_with_whole_files_of_several() -> None:
    features = code(unit=[4.0, 3.0, 2.0], file=[1.0, 2.0, 0.0], alone=[True, False, False])
    # files .8 + .2 x 1, .8 x .5 + .2 x 1 = .6, 0; the second chunk stands for its file, so .6 takes the place of its .5
    assert scores(features) == pytest.approx([1.0, 1.6 * 0.6 / 1.6, 0.0])


def test_calls_choose_the_chunk_that_stands_for_a_file_and_order_the_others() -> None:
    asked = {"unit": [4.0, 3.9, 2.0, 2.0], "record": [1, 1, 1, 2]}
    plain = blend(code(**asked), BlendWeights())
    with_calls = blend(code(**asked, calls=[0.0, 1.0, 1.0, 1.0]), BlendWeights())
    assert plain.score.argmax() == 0 and with_calls.score.argmax() == 1
    assert with_calls.score.max() == pytest.approx(plain.score.max())
    assert with_calls.score[2] == pytest.approx(plain.score[2] + 0.25 / 1.6)


def test_calls_do_not_rank_files() -> None:
    asked = {"unit": [4.0, 3.0, 3.0, 2.0], "record": [1, 2, 3, 4]}
    files = blend(code(**asked), BlendWeights())
    with_calls = blend(code(**asked, calls=[0.0, 0.0, 1.0, 1.0]), BlendWeights())
    assert with_calls.score.tolist() == pytest.approx(files.score.tolist())


def test_a_code_file_that_is_named_by_path_is_the_best_file() -> None:
    features = code(unit=[4.0, 4.0, 2.0], path=[0.0, 0.3, 0.0])
    # files .8 and .8 + .3, over the best: .727 and 1
    assert scores(features) == pytest.approx([(1 + 0.6 * 0.8 / 1.1) / 1.6, 1.0, 0.0])


def test_a_test_is_held_back_and_not_left_out() -> None:
    result = blend(code(unit=[4.0, 4.0, 2.0], prior=[1.0, 0.4, 1.0]), BlendWeights())
    # 1 and 1 x .4; files 1 and .4
    assert result.score.tolist() == pytest.approx([1.0, 0.4, 0.0])
    assert share(result, "prior") == pytest.approx([0.0, -0.6 / 1.6, 0.0])


def test_a_page_that_is_nearer_than_all_code_stands_second() -> None:
    asked: dict[str, list[Any]] = {
        "unit": [9.0, 8.0, 7.0, 5.0, 5.0],
        "code": [True, True, True, False, False],
        "page": [False, False, False, True, True],
        "prior": [1.0, 1.0, 1.0, 0.5, 0.5],
    }
    nearer = blend(pool(**asked, dense=[0.5, 0.3, 0.1, 0.4, 0.6]), BlendWeights())
    best, *others = nearer.score.tolist()
    assert nearer.score[4] == pytest.approx(0.95 * best)
    assert nearer.score[4] > max(score for score in others if score != nearer.score[4])
    assert share(nearer, "nearest")[:4] == [0, 0, 0, 0]
    further = blend(pool(**asked, dense=[0.5, 0.3, 0.1, 0.4, 0.45]), BlendWeights())
    assert share(further, "nearest") == [0, 0, 0, 0, 0]
    in_a_task = blend(pool(**asked, dense=[0.5, 0.3, 0.1, 0.4, 0.6]), BlendWeights(nearest=0.0))
    assert share(in_a_task, "nearest") == [0, 0, 0, 0, 0]


def test_a_page_that_leads_keeps_its_place() -> None:
    result = blend(
        pool(unit=[1.0, 9.0], code=[True, False], page=[False, True], dense=[0.2, 0.6]), BlendWeights()
    )
    assert share(result, "nearest") == [0, 0]
    assert result.score[1] > result.score[0]


def test_an_event_outside_the_time_that_is_asked_for_is_held_back() -> None:
    result = scores(pool(unit=[4.0, 4.0, 2.0], time=[1.0, 0.6, 1.0], event=[True] * 3))
    assert result == pytest.approx([1.0, 0.6, 0.0])


# ---------------------------------------------------------------- mixed pools


def test_weak_code_is_not_lifted_beside_good_prose() -> None:
    features = pool(unit=[10.0, 5.0, 0.0], code=[False, True, False])
    # code alone would be 1; beside prose of base 1 it stays .5: (.5 + .6 x .5) / 1.6
    assert scores(features) == pytest.approx([1.0, 0.5, 0.0])


def test_good_code_is_not_lowered_beside_weak_prose() -> None:
    features = pool(unit=[5.0, 10.0, 0.0], code=[False, True, False])
    assert scores(features) == pytest.approx([0.5, 1.0, 0.0])


def test_meaning_weighs_more_in_a_text_that_stands_alone() -> None:
    features = pool(unit=[4.0, 2.0, 2.0], dense=[0.1, 0.7, 0.7], alone=[False, True, False])
    assert share(blend(features, BlendWeights()), "dense") == pytest.approx([0, 0.6 / 2 / 1.6, 0.5 / 2 / 1.6])


def test_a_slight_difference_of_wording_is_not_stretched_to_a_whole_one() -> None:
    features = pool(unit=[4.0, 4.0, 2.0], wording=[0.01, 0.03, 0.0])
    # .01 and .03 of the narrowest range, .2
    assert share(blend(features, BlendWeights()), "wording") == pytest.approx(
        [0.1 * 0.05 / 1.1, 0.1 * 0.15 / 1.1, 0.0]
    )


def test_a_wide_difference_of_wording_counts_in_full() -> None:
    features = pool(unit=[4.0, 4.0, 2.0], wording=[0.2, 0.6, NO])
    assert share(blend(features, BlendWeights()), "wording") == pytest.approx([0.0, 0.1 / 1.1, 0.0])


# ---------------------------------------------------------------- missing vectors


def test_a_candidate_without_a_vector_is_taken_for_the_low_quarter() -> None:
    result = blend(pool(unit=[1.0] * 6, dense=[0.0, 0.25, 0.5, 0.75, 1.0, NO]), BlendWeights())
    dense = share(result, "dense")
    assert dense[5] == pytest.approx(dense[1])
    assert dense[5] == pytest.approx(0.5 * 0.25 / 2 / 1.6)


def test_without_any_vectors_words_decide_alone() -> None:
    features = pool(unit=[4.0, 3.0, 2.0], dense=[0.1, 0.5, 0.9])
    words = blend(without_vectors(features), BlendWeights())
    assert words.score.tolist() == blend(pool(unit=[4.0, 3.0, 2.0]), BlendWeights()).score.tolist()
    assert share(words, "dense") == share(words, "dense_context") == [0, 0, 0]


# ---------------------------------------------------------------- any pool


def column(n: int, low: float, high: float, *, missing: bool = False) -> st.SearchStrategy[np.ndarray]:
    """Any values, or the same everywhere, or many ties."""
    low, high = float(np.float32(low)), float(np.float32(high))
    values = st.floats(low, high, width=32)
    ties = st.sampled_from([low, high, (low + high) / 2])
    element = st.one_of(values, ties, st.just(NO)) if missing else st.one_of(values, ties)
    return st.one_of(
        st_numpy.arrays(np.float32, n, elements=element, fill=st.nothing()),
        values.map(lambda value: np.full(n, value, dtype=np.float32)),
        st.just(np.full(n, NO if missing else low, dtype=np.float32)),
    )


@st.composite
def pools(draw: st.DrawFn) -> Features:
    n = draw(st.integers(1, 9))
    numbers = st_numpy.arrays(np.int64, n, elements=st.integers(0, 3), fill=st.nothing())
    flags = st.one_of(
        st_numpy.arrays(np.bool_, n, fill=st.nothing()), st.booleans().map(lambda value: np.full(n, value))
    )
    dense = draw(column(n, -1, 1, missing=True))
    return Features(
        unit=draw(column(n, 0, 60)),
        context=draw(column(n, 0, 60)),
        file=draw(column(n, 0, 60)),
        dense=dense,
        dense_context=np.where(np.isnan(dense), NO, draw(column(n, -1, 1))).astype(np.float32),
        code=draw(flags),
        event=draw(flags),
        alone=draw(flags),
        section=draw(numbers),
        section_size=draw(numbers) + 1,
        record=draw(numbers),
        symbol=draw(column(n, 0, 1.5)),
        name=draw(column(n, 0, 1)),
        trace=draw(column(n, 0, 0.6)),
        path=draw(column(n, 0, 0.3)),
        exact=draw(column(n, 0, 1)),
        author=draw(column(n, 0, 2.5)),
        link=draw(column(n, 0, 1)),
        page=draw(flags),
        prior=draw(column(n, 0.12, 1)),
        calls=draw(column(n, 0, 1)),
        time=draw(column(n, 0.6, 1)),
        wording=draw(column(n, 0, 1, missing=True)),
    )


def rows(features: Features, order: np.ndarray) -> Features:
    return Features(**{name: getattr(features, name)[order] for name in Features._fields})


WEIGHTS = st.sampled_from([BlendWeights(), BlendWeights(steep_code=2.0)])


@settings(max_examples=200)
@given(pools(), WEIGHTS)
def test_the_shares_add_up_to_the_score_and_every_score_is_a_number(
    features: Features, weights: BlendWeights
) -> None:
    result = blend(features, weights)
    assert np.isfinite(result.score).all()
    total = np.sum([share.astype(np.float64) for share in result.shares.values()], axis=0)
    np.testing.assert_allclose(total, result.score, rtol=1e-6, atol=1e-6)
    assert result.shares.keys() == result.raw.keys()
    assert (result.score >= -1e-6).all()


@settings(max_examples=150)
@given(pools(), WEIGHTS, st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(
    features: Features, weights: BlendWeights, chance: Any
) -> None:
    order = np.asarray(chance.sample(range(len(features.unit)), len(features.unit)))
    result, shuffled = blend(features, weights), blend(rows(features, order), weights)
    assert shuffled.score.tolist() == result.score[order].tolist()
    for name, values in result.shares.items():
        assert shuffled.shares[name].tolist() == values[order].tolist(), name


@settings(max_examples=100)
@given(pools(), st.sampled_from(["symbol", "name", "trace", "exact", "author", "path"]), st.data())
def test_what_speaks_for_a_candidate_never_lowers_it(
    features: Features, signal: str, data: st.DataObject
) -> None:
    chosen = data.draw(st.integers(0, len(features.unit) - 1))
    values = getattr(features, signal).copy()
    values[chosen] += np.float32(0.3)
    # the wording counts on the scale of the best score, which sinks a little when another candidate leads
    features = features._replace(wording=np.full_like(features.wording, np.nan))
    better = features._replace(**{signal: values})
    assert blend(better, BlendWeights()).score[chosen] >= blend(features, BlendWeights()).score[chosen] - 1e-5


@settings(max_examples=100)
@given(pools(), st.data())
def test_what_is_held_back_more_never_gains(features: Features, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, len(features.unit) - 1))
    # as above, the wording counts on the scale of the best score
    features = features._replace(wording=np.full_like(features.wording, np.nan))
    prior = features.prior.copy()
    prior[chosen] *= np.float32(0.4)
    lower = features._replace(prior=prior)
    assert blend(lower, BlendWeights()).score[chosen] <= blend(features, BlendWeights()).score[chosen] + 1e-5


@pytest.mark.parametrize("is_code", [False, True])
def test_equal_candidates_are_equal_and_a_single_one_is_whole(is_code: bool) -> None:
    assert scores(pool(unit=[2.0, 2.0, 2.0], code=[is_code] * 3)) == pytest.approx([1.0] * 3)
    assert scores(pool(unit=[2.0], code=[is_code])) == pytest.approx([1.0])
    assert scores(pool(unit=[0.0, 0.0], code=[is_code] * 2)) == [0.0, 0.0]
    assert scores(pool(unit=[2.0], dense=[0.3], code=[is_code])) == pytest.approx([1.0])


def test_an_empty_pool_is_fine() -> None:
    assert blend(rows(pool(unit=[1.0]), np.empty(0, dtype=np.int64)), BlendWeights()).score.tolist() == []


# ---------------------------------------------------------------- one scale


@given(
    st_numpy.arrays(
        np.float32, st.integers(0, 12), elements=st.one_of(st.floats(-100, 100, width=32), st.just(NO))
    )
)
def test_min_max_keeps_the_order_and_what_is_not_there(values: np.ndarray) -> None:
    scaled = min_max(values)
    assert (np.isnan(scaled) == np.isnan(values)).all()
    known, before = scaled[~np.isnan(scaled)], values[~np.isnan(values)]
    assert ((known >= 0) & (known <= 1)).all()
    assert (np.diff(known[np.argsort(before, kind="stable")]) >= 0).all()


def test_a_small_difference_between_a_few_scores_by_words_stays_small() -> None:
    assert below_best(np.asarray([10.0, 9.0], dtype=np.float32)).tolist() == pytest.approx(
        [1.0, 1 - 1 / (NARROWEST * 10)]
    )
    assert below_best(np.asarray([10.0, 4.0, 0.0], dtype=np.float32)).tolist() == pytest.approx([1.0, 0.4, 0])
    assert below_best(np.zeros(2, dtype=np.float32)).tolist() == [0, 0]


def test_a_section_that_has_the_words_stands_before_its_neighbour_that_has_none() -> None:
    shares = scores(pool(unit=[2.0, 0.0], context=[2.1, 2.2], section=[0, 1]))
    assert shares[0] > shares[1]
