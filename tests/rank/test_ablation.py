"""Leaving a signal out."""

from __future__ import annotations

import numpy as np
import pytest

from daypack.errors import ConfigError
from daypack.rank.ablation import SIGNALS, leave_out
from daypack.rank.blend import Blend, BlendWeights, Features, blend, scaled
from daypack.types.tuned_weights import WEIGHTS, ChunkKind


def mixed_pool(rows: int = 40) -> Features:
    """Prose, turns and code, in which every signal has something to say."""
    rng = np.random.default_rng(3)
    values = {name: rng.random(rows).astype(np.float32) for name in Features._fields}
    kinds = rng.integers(0, 3, rows)
    page = np.flatnonzero(kinds == 2)[0]
    values["dense"][page], values["prior"][page] = 1.1, 0.1  # nearer than all code, and held back
    values["exact"][page] = values["trace"][page] = values["path"][page] = 0  # and not named
    return Features(
        **values
        | {
            "code": kinds == 0,
            "event": kinds == 1,
            "page": kinds == 2,
            "section": rng.integers(0, 9, rows),
            "record": rng.integers(0, 9, rows),
        }
        | {"section_size": np.full(rows, 9)}
    )


def without(*signals: str) -> Blend:
    return blend(*leave_out(mixed_pool(), BlendWeights(), signals))


def test_every_share_of_a_score_can_be_left_out() -> None:
    shares = blend(mixed_pool(), BlendWeights()).shares
    assert set(SIGNALS) == {*shares, "time"}
    for signal in shares:
        assert np.abs(shares[signal]).max() > 0, signal


@pytest.mark.parametrize(
    "signal",
    [s for s in SIGNALS if s not in ("bm25", "bm25_context", "dense", "dense_context", "prior", "time")],
)
def test_a_signal_that_is_left_out_adds_nothing(signal: str) -> None:
    assert not without(signal).shares[signal].any()


@pytest.mark.parametrize("signal", SIGNALS)
def test_leaving_a_signal_out_changes_scores(signal: str) -> None:
    assert not np.array_equal(without(signal).score, blend(mixed_pool(), BlendWeights()).score)


def test_a_prior_adds_nothing_without_what_it_is_made_of() -> None:
    assert without("prior").shares["prior"].any()
    assert without("time").shares["prior"].any()
    assert not without("prior", "time").shares["prior"].any()


def test_an_arm_without_one_view_is_the_other_view() -> None:
    pool = mixed_pool()
    as_units = pool._replace(context=pool.unit)
    assert np.array_equal(without("bm25_context").score, blend(as_units, BlendWeights()).score)
    in_context = pool._replace(dense=pool.dense_context)
    assert np.array_equal(without("dense").score, blend(in_context, BlendWeights()).score)


def test_without_both_views_the_other_arm_decides_alone() -> None:
    by_words = without("dense", "dense_context")
    assert not by_words.shares["dense"].any() and not by_words.shares["dense_context"].any()
    by_meaning = without("bm25", "bm25_context")
    assert not by_meaning.shares["bm25"].any() and not by_meaning.shares["bm25_context"].any()


def test_a_name_that_is_no_signal_is_an_error_with_the_names_that_are() -> None:
    with pytest.raises(ConfigError, match="no signal 'luck' to leave out; choose from bm25, "):
        leave_out(mixed_pool(), BlendWeights(), ["luck"])


def test_leaving_nothing_out_changes_nothing() -> None:
    assert np.array_equal(without().score, blend(mixed_pool(), BlendWeights()).score)


# ---------------------------------------------------------------- fitted weights


WEIGHED = [(kind, name) for kind in ChunkKind for name in WEIGHTS[kind]]


@pytest.mark.parametrize(("kind", "name"), WEIGHED)
def test_a_fitted_weight_changes_the_scores_of_its_kind_of_text(kind: ChunkKind, name: str) -> None:
    features = mixed_pool()
    of_kind = {
        ChunkKind.CODE: features.code,
        ChunkKind.EVENTS: features.event,
        ChunkKind.PROSE: ~features.code & ~features.event,
    }[kind]
    before, after = (
        blend(features, BlendWeights()),
        blend(features, scaled(BlendWeights(), {kind: {name: 0.5}})),
    )
    assert not np.array_equal(before.score[of_kind], after.score[of_kind])
    assert after.score == pytest.approx(sum(after.shares.values()), abs=1e-5)


@pytest.mark.parametrize(("kind", "name"), WEIGHED)
def test_a_fitted_weight_changes_nothing_where_there_is_no_text_of_its_kind(
    kind: ChunkKind, name: str
) -> None:
    features = mixed_pool()
    nobody, everybody = np.zeros_like(features.code), np.ones_like(features.code)
    other = features._replace(code=nobody if kind is ChunkKind.CODE else everybody, event=nobody)
    assert np.array_equal(
        blend(other, BlendWeights()).score, blend(other, scaled(BlendWeights(), {kind: {name: 0.5}})).score
    )
