"""What is chosen of what a budget could hold, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from daypack.pack.select import SPREAD, Option, select_greedy
from daypack.pack.variants import Choice
from daypack.testing import make_chunk
from daypack.types import Candidate, Omission, OmissionReason, Omissions, Variant

variants = st.lists(st.tuples(st.integers(1, 60), st.floats(0.05, 1.0)), min_size=1, max_size=4)
offers = st.lists(st.tuples(st.floats(0.0, 1.0), variants, st.integers(0, 150)), min_size=1, max_size=5)


def option(number: int, probability: float, costs: Sequence[tuple[int, float]], asks: int) -> Option:
    """An option of which nothing is known before it is asked but the least cost and the most value."""
    choices = [Choice(Variant.EXTRACT, (), value, cost) for cost, value in sorted(costs)]
    outline = [(max(choice.value for choice in choices), choices[0].cost)]
    return Option(
        Candidate(make_chunk("text", number), probability, probability, ()), outline, lambda: choices, asks
    )


@given(offers, st.integers(0, 150))
def test_no_selection_is_worth_more_than_the_bound(
    found: list[tuple[float, list[tuple[int, float]], int]], limit: int
) -> None:
    chosen, optimality = select_greedy([option(n, *one) for n, one in enumerate(found)], limit)
    value = sum(item.candidate.probability * item.choice.value for item in chosen)
    assert sum(item.choice.cost for item in chosen) <= limit
    best = 0.0
    for picked in product(*[[(0, 0.0), *costs] for _, costs, _ in found]):
        if sum(cost for cost, _ in picked) <= limit:
            best = max(best, sum(p * worth for (p, _, _), (_, worth) in zip(found, picked, strict=True)))
    assert value >= optimality * best - 1e-9


def test_a_variant_that_fits_is_chosen_where_a_denser_one_does_not_fit() -> None:
    best = option(0, 0.9, [(70, 0.42), (137, 0.91)], 0)
    poor = option(1, 0.05, [(32, 1.0)], 0)
    chosen, _ = select_greedy([best, poor], 100)
    assert [(item.candidate, item.choice.cost) for item in chosen] == [(best.candidate, 70)]
    chosen, _ = select_greedy([best, poor], 110)
    assert [item.choice.cost for item in chosen] == [70, 32]


def parts(*records: int) -> list[Option]:
    """An option of 40 tokens for each record, each a little less likely than the one before."""
    found = []
    for n, record in enumerate(records):
        chunk = make_chunk("text", n)._replace(record_id=record)
        likely = 0.5 - n / 100
        whole = Choice(Variant.FULL, (), 1.0, 40)
        found.append(Option(Candidate(chunk, likely, likely, ()), [(1.0, 40)], lambda whole=whole: [whole]))
    return found


def test_the_best_parts_of_two_files_come_before_the_second_part_of_one() -> None:
    chosen, _ = select_greedy(parts(1, 1, 1, 2, 2), 100, spread=SPREAD)
    assert [item.candidate.chunk.id for item in chosen] == [0, 3]
    chosen, _ = select_greedy(parts(1, 1, 1, 2, 2), 100)
    assert [item.candidate.chunk.id for item in chosen] == [0, 1]


def test_a_file_alone_has_the_whole_budget() -> None:
    chosen, _ = select_greedy(parts(1, 1, 1, 1), 160, spread=SPREAD)
    assert [item.candidate.chunk.id for item in chosen] == [0, 1, 2, 3]


def test_what_is_left_out_reads_like_a_list_by_reason() -> None:
    first, copy, far = (
        Candidate(make_chunk("text", n, uri=f"{n}.md", tokens=n), 1 / n, 0.0, ()) for n in (1, 2, 3)
    )
    omitted = Omissions(budget=(first,), duplicate=(copy,), low_score=(far,))
    assert len(omitted) == 3
    assert omitted[0] == Omission(first.chunk.reference, OmissionReason.BUDGET, 1.0, 1, first.chunk.name)
    assert [omission.reason for omission in omitted[1:]] == [
        OmissionReason.DUPLICATE,
        OmissionReason.LOW_SCORE,
    ]
    assert [*reversed(omitted)] == [*omitted][::-1]
    assert not Omissions()
