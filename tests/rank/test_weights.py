"""What the arms weigh, by what is asked."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from daypack.query import parse_query
from daypack.rank.blend import weights_for

POOL = SimpleNamespace(
    features=SimpleNamespace(code=np.array([True, True]), dense=np.array([0.7, 0.3], dtype=np.float32))
)


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
    weights = weights_for(parse_query(text, now=0.0), POOL, calibrated=True)  # type: ignore[arg-type]
    assert weights.steep_code == steep
    assert weights.dense_code == pytest.approx(0.7)
