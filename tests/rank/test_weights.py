"""What the arms weigh, by what is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from daypack.query import parse_query
from daypack.rank.blend import BlendWeights
from daypack.rank.order import weights_for
from support import EPOCH


def pool_of(coverage: float, unit: tuple[float, float] = (2.0, 1.0)) -> Any:
    """A pool of two chunks, the first of which is nearer."""
    features = SimpleNamespace(
        code=np.array([True, True]),
        dense=np.array([0.7, 0.3], dtype=np.float32),
        unit=np.array(unit, dtype=np.float32),
    )
    return SimpleNamespace(features=features, best_coverage=coverage)


@pytest.mark.parametrize(
    ("text", "steep"),
    [
        ("how do I read a harbour's tides as a table?", 2.0),
        (
            "how do I read a harbour's tides as a table?\nIt would be useful to see on which pier they were read.",
            1.0,
        ),
    ],
)
def test_a_question_of_one_line_is_answered_by_what_is_best_in_one_arm(text: str, steep: float) -> None:
    weights = weights_for(parse_query(text, now=EPOCH), pool_of(1.0), calibrated=True)
    assert weights.steep_code == steep
    assert weights.dense_code == pytest.approx(0.7)


QUESTION = "who may borrow the rowing boat?"


@pytest.mark.parametrize("unit", [(2.0, 1.0), (1.0, 2.0)])
def test_words_that_a_text_holds_keep_their_weight(unit: tuple[float, float]) -> None:
    weights = weights_for(parse_query(QUESTION, now=EPOCH), pool_of(0.6, unit), calibrated=True)
    assert weights.dense == BlendWeights().dense


def test_the_fewer_words_a_text_holds_the_more_meaning_counts() -> None:
    stray = (1.0, 2.0)  # the words stand in the text that is far
    found = [
        weights_for(parse_query(QUESTION, now=EPOCH), pool_of(share, stray), calibrated=True)
        for share in (0.4, 0.2, 0.0)
    ]
    assert BlendWeights().dense < found[0].dense < found[1].dense < found[2].dense <= 1
    assert found[0].dense_event < found[1].dense_event < found[2].dense_event


def test_few_words_keep_their_weight_where_they_stand_in_the_nearest_text() -> None:
    weights = weights_for(parse_query(QUESTION, now=EPOCH), pool_of(0.1), calibrated=True)
    assert weights.dense == BlendWeights().dense


def test_another_models_cosines_do_not_outweigh_words() -> None:
    weights = weights_for(parse_query(QUESTION, now=EPOCH), pool_of(0.0, (1.0, 2.0)), calibrated=False)
    assert weights.dense == BlendWeights().dense


@pytest.mark.parametrize(
    ("text", "lead"), [("fix the tides of Harbour.read", 0.0), ("tides of Harbour.read", BlendWeights().lead)]
)
def test_a_report_lets_no_chunk_stand_out_in_its_file(text: str, lead: float) -> None:
    assert weights_for(parse_query(text, now=EPOCH), pool_of(1.0), calibrated=True).lead == lead


@pytest.mark.parametrize(
    ("text", "weight"),
    [("fix the tides of Harbour.read", 0.0), ("where are tides read?", BlendWeights().wording)],
)
def test_a_report_is_not_compared_word_by_word(text: str, weight: float) -> None:
    assert weights_for(parse_query(text, now=EPOCH), pool_of(1.0), calibrated=True).wording == weight
