"""The worth of a line of code, and the run of lines that is worth most for its size."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from daypack.pack.extracts.lines import MARGIN, best_runs, worths
from daypack.pack.weigher import Weigher


def worth_of(*lines: str, **terms: float) -> list[float]:
    """The worth of each line for a question with these terms."""
    weigher = Weigher(terms)
    text = "\n".join(lines)
    starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines) + 1)]
    return worths(lines, weigher.marks(text, [*pairwise(starts)]), weigher)


def best_run(lines: list[str], worth: list[float], size: int) -> tuple[int, int]:
    (run,) = best_runs(lines, worth, [size])
    return run


def test_a_word_of_one_line_counts_more_than_a_word_of_many() -> None:
    order, audit = "order.check()", "audit.check()"
    worth = worth_of(order, order, order, order, audit, order, order, order, order, order=1.0, audit=1.0)
    assert max(worth) == worth[4]


def test_a_line_beside_one_with_a_word_is_worth_more_than_one_far_off() -> None:
    worth = worth_of("audit.run()", *["other.run()"] * 8, audit=1.0)
    assert worth[3] > worth[4] == worth[8]


def test_the_inside_of_a_branch_is_worth_more_than_its_condition() -> None:
    worth = worth_of("if paid:", "    ship()", "else:", "    wait()")
    assert worth[1] > worth[0]
    assert worth[3] > worth[2]


def test_tabs_and_blanks_are_equal_for_a_file_of_either() -> None:
    assert worth_of("if paid:", "\tship()") == worth_of("if paid:", "    ship()")


def test_a_blank_line_and_a_brace_are_worth_less_than_a_statement() -> None:
    worth = worth_of("total = sum(prices)", "", "}", "total = total * rate")
    assert max(worth[1:3]) < min(worth[0], worth[3])


def test_lines_of_one_form_without_a_word_of_the_question_are_worth_the_same() -> None:
    assert len({*worth_of("first()", "third()", audit=1.0)}) == 1


def test_the_run_of_a_small_size_is_the_best_line() -> None:
    assert best_run(["aaaa", "bbbb", "cccc"], [1.0, 3.0, 2.0], 4 + MARGIN) == (1, 2)


def test_a_larger_size_takes_the_better_neighbour() -> None:
    assert best_run(["aaaa", "bbbb", "cccc"], [1.0, 3.0, 2.0], 2 * (4 + MARGIN)) == (1, 3)


def test_of_equal_runs_the_first_is_taken() -> None:
    assert best_run(["aaaa"] * 4, [1.0] * 4, 2 * (4 + MARGIN)) == (0, 2)


def test_a_line_longer_than_the_size_is_shown_alone() -> None:
    assert best_run(["a", "b" * 90, "c"], [1.0, 9.0, 1.0], 10) == (1, 2)


def test_a_run_neither_begins_nor_ends_with_a_blank_line() -> None:
    assert best_run(["", "aaaa", "", "bbbb", ""], [1.0, 2.0, 1.0, 2.0, 1.0], 100) == (1, 4)


def test_a_run_does_not_end_with_the_head_of_a_block_that_it_does_not_show() -> None:
    lines = ["pay()", "ship()", "if late:", "", "    refund()"]
    assert best_run(lines, [2.0, 2.0, 1.0, 0.1, 0.1], 50) == (0, 5)
    assert best_run(lines, [2.0, 2.0, 1.0, 0.1, 0.1], 30) == (0, 2)


def test_a_run_does_not_begin_with_the_end_of_a_block_that_it_does_not_show() -> None:
    assert best_run(["    refund()", "}", "", "pay()", "ship()"], [0.1, 1.0, 1.0, 2.0, 2.0], 30) == (3, 5)
    assert best_run(["  refund", "end", "pay", "ship"], [0.1, 1.0, 2.0, 2.0], 20) == (2, 4)


def test_the_line_that_is_worth_most_stays_wherever_it_is() -> None:
    assert best_run(["pay()", "if late:", "    refund()"], [1.0, 9.0, 0.1], 20) == (0, 2)


LINES = st.lists(st.tuples(st.text("ab \t(", max_size=30), st.floats(0.1, 50.0)), min_size=1, max_size=30)


@given(LINES, st.integers(1, 200))
def test_no_run_is_larger_than_its_size_or_has_a_blank_end_beside_its_best_line(
    pairs: list[tuple[str, float]], size: int
) -> None:
    lines, worth = [line for line, _ in pairs], [value for _, value in pairs]
    first, end = best_run(lines, worth, size)
    costs = [len(line.strip()) + MARGIN for line in lines]
    assert 0 <= first < end <= len(lines)
    assert end == first + 1 or sum(costs[first:end]) <= size
    most = max(worth[first:end])
    assert all(lines[at].strip() or worth[at] == most for at in (first, end - 1))


@given(st.lists(st.text("ab \t(audit", max_size=30), min_size=1, max_size=30))
def test_every_line_has_a_finite_worth_above_zero(lines: list[str]) -> None:
    worth = worth_of(*lines, audit=2.0, b=1.0)
    assert len(worth) == len(lines)
    assert all(0.0 < value < 100.0 for value in worth)
