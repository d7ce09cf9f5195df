"""The simulation of a large team store keeps its own books."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scale.__main__ import main
from evals.scale.batches import embedded, moved
from evals.scale.figures import Figures, cost_at
from evals.scale.population import Population, drawn, placed
from evals.scale.serving import served

FIGURES = Figures({1_000: 5.0, 100_000: 15.0}, {1_000: 10.0, 100_000: 100.0}, 500.0, 2_000.0, 3_000.0, 50.0)


def randomness(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_cost_lies_on_the_line_between_measured_sizes() -> None:
    assert [cost_at(FIGURES.search_ms, size) for size in (10, 1_000, 50_500, 100_000, 199_000)] == [
        5,
        5,
        10,
        15,
        25,
    ]


@given(st.integers(2, 400), st.integers(1, 200), st.integers(0, 20))
def test_scopes_hold_the_chunks_that_were_asked_for(users: int, mean: int, seed: int) -> None:
    found = drawn(users, users * mean, largest=mean * 2, tail=1.2, randomness=randomness(seed))
    assert found.chunks.max() <= mean * 2
    assert abs(int(found.chunks.sum()) - users * mean) <= users  # each is rounded
    assert found.share.sum() == pytest.approx(1)


def test_scopes_that_cannot_hold_the_chunks_are_refused() -> None:
    with pytest.raises(ValueError, match="hold fewer"):
        drawn(10, 1_000, largest=99, tail=1.0, randomness=randomness())


def test_shards_spread_the_scopes_evenly() -> None:
    counts = np.bincount(placed(100_000, 1_024, 8))
    assert counts.max() / counts.min() < 1.1


def population() -> Population:
    return drawn(200, 200_000, largest=20_000, tail=1.2, randomness=randomness())


def test_an_idle_process_that_holds_every_scope_answers_in_the_measured_time() -> None:
    found = served(
        population(), FIGURES, a_second=0.1, memory_bytes=1e12, questions=5_000, randomness=randomness()
    )
    assert found.warm > 0.97
    assert found.p50 == pytest.approx(5, abs=0.5)
    assert found.busy < 0.01


def test_a_smaller_memory_holds_fewer_scopes_and_makes_answers_slower() -> None:
    small, large = (
        served(
            population(), FIGURES, a_second=20, memory_bytes=room, questions=5_000, randomness=randomness()
        )
        for room in (5e6, 1e9)
    )
    assert small.warm < large.warm
    assert small.p95 > large.p95


def test_a_queue_that_gets_more_than_it_can_answer_is_busy_all_the_time() -> None:
    found = served(
        population(), FIGURES, a_second=400, memory_bytes=1e12, questions=5_000, randomness=randomness()
    )
    assert found.busy > 1


@given(st.integers(1, 300), st.integers(1, 20), st.floats(0.01, 5), st.integers(0, 20))
def test_every_batch_is_delivered_however_often_workers_die(
    batches: int, workers: int, between: float, seed: int
) -> None:
    found = embedded(
        batches,
        seconds_a_batch=20,
        workers=workers,
        hours_between_failures=between,
        lease_seconds=60,
        randomness=randomness(seed),
    )
    assert found.missing == 0
    assert found.handed_over_twice <= found.repeated * batches + 1e-9


def test_workers_that_never_die_compute_each_batch_once() -> None:
    found = embedded(
        100,
        seconds_a_batch=36,
        workers=10,
        hours_between_failures=1e12,
        lease_seconds=60,
        randomness=randomness(),
    )
    assert (found.repeated, found.handed_over_twice) == (0, 0)
    assert found.hours == pytest.approx(0.1, rel=0.15)


def test_a_node_that_joins_takes_its_part() -> None:
    share, hours = moved(3_600_000, 1_000, 3, 100)
    assert (share, hours) == (0.25, pytest.approx(0.0025))


def test_the_command_writes_its_tables_into_a_page_and_equal_figures_give_equal_bytes(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps(FIGURES._asdict()), encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- simulation -->\nold\n<!-- end of the simulation -->\nafter\n", encoding="utf-8"
    )
    arguments = [str(figures), "--chunks", "2000000", "--users", "2000", "--page", str(page)]
    main(arguments)
    first = page.read_text(encoding="utf-8")
    main(arguments)
    assert page.read_text(encoding="utf-8") == first
    assert first.startswith("before\n<!-- simulation -->\n2,000,000 chunks in 2,000 scopes")
    assert first.endswith("<!-- end of the simulation -->\nafter\n")
    assert "old" not in first


def test_figures_without_a_size_are_refused(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps({**FIGURES._asdict(), "search_ms": {}}), encoding="utf-8")
    with pytest.raises(ValueError, match="no size was measured"):
        Figures.read(figures)


def test_the_page_shows_what_its_figures_give(tmp_path: Path) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = tmp_path / "scale.md"
    page.write_text((docs / "explanation" / "scale.md").read_text(encoding="utf-8"), encoding="utf-8")
    main([str(docs / "evaluation" / "scale.json"), "--page", str(page)])
    assert page.read_text(encoding="utf-8") == (docs / "explanation" / "scale.md").read_text(encoding="utf-8")
