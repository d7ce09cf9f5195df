"""Where a piece of code may be cut: between statements, in any language."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from daypack.pack.extracts.edges import without_closers
from daypack.pack.extracts.lines import MARGIN
from daypack.pack.extracts.passages import best_passages
from daypack.pack.extracts.seams import APART, BROKEN, LISTED, seams

REDIRECT = [
    "if redirected:",
    "    resp.close()",
    "    raise InvalidUrl(",
    "        url,",
    '        "Invalid (redirect URL",',
    "    ) from error",
    "else:",
    "    follow(url)",
    "done = True",
]


def begins(*lines: str) -> list[float]:
    return [*seams(lines).begins]


def ends(*lines: str) -> list[float]:
    return [*seams(lines).ends]


def passage(lines: list[str], worth: list[float], size: int, held: int | None = None) -> list[str]:
    ((first, end),) = best_passages(lines, seams(lines), worth, [size], held)
    return lines[first:end]


def test_a_run_begins_with_a_statement_and_not_inside_its_brackets() -> None:
    assert begins(*REDIRECT) == [1.0, 1.0, 1.0, BROKEN, BROKEN, BROKEN, BROKEN, 1.0, 1.0]


def test_a_run_ends_with_a_statement_and_not_with_the_head_of_a_block() -> None:
    assert ends(*REDIRECT) == [1.0, BROKEN, 1.0, BROKEN, BROKEN, BROKEN, 1.0, BROKEN, 1.0, 1.0]


def test_a_bracket_in_a_string_or_a_comment_opens_nothing() -> None:
    assert begins('print("(")', "ship()  # now (", "// see (", "pay()") == [1.0, 1.0, 1.0, APART]
    assert begins("close(')')", "fn f<'a>(x: &'a str) {", "ship()") == [1.0] * 3


def test_a_bracket_without_its_partner_opens_nothing() -> None:
    assert begins("case $1 in", "  a) pay ;;", "  b) ship ;;", "call(", "pay") == [1.0] * 5


def test_the_body_of_a_function_in_brackets_is_cut_between_its_statements() -> None:
    assert begins("describe('pay', () => {", "  pay();", "  ship();", "});") == [1.0, 1.0, 1.0, BROKEN]


def test_fields_may_be_parted_at_a_price() -> None:
    lines = ("order := Order{", "\tID: 1,", "\tPaid: true,", "}")
    assert begins(*lines)[2] == LISTED
    assert ends(*lines)[2] == LISTED
    assert begins("pay(", "  a,", "  b,", ")")[2] == BROKEN


def test_a_chain_and_an_expression_of_several_lines_stay_whole() -> None:
    assert begins("orders", "  .filter(paid)", "  .map(ship)") == [1.0, BROKEN, BROKEN]
    assert begins("total = price +", "  tax") == [1.0, BROKEN]


def test_a_comment_and_a_decorator_stay_with_the_line_below() -> None:
    assert ends("pay()", "// Ships at once.", "ship()")[2] == BROKEN
    assert ends("pay()", "@cached", "def rate():", "    return 1")[2] == BROKEN


def test_a_text_of_several_lines_ends_best_at_a_blank_line() -> None:
    lines = ("/**", " * Pays an order.", " * Twice at most.", " *", " * Ships it.", " */", "void pay() {}")
    assert ends(*lines)[2] == LISTED
    assert ends(*lines)[3] == ends(*lines)[4] == APART


def test_an_example_in_a_comment_is_not_parted_as_well_as_its_prose() -> None:
    lines = ("/// Pays.", "///", "/// ```", "/// let a = 1;", "///", "/// pay(a);", "/// ```", "fn pay() {}")
    assert begins(*lines)[2] == APART
    assert begins(*lines)[5] == LISTED


def test_a_passage_is_a_whole_statement_where_a_run_would_cut_one() -> None:
    worth = [1.0, 2.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0]
    shown = passage(REDIRECT, worth, sum(len(line.strip()) + MARGIN for line in REDIRECT[1:6]))
    assert shown == REDIRECT[1:6]


def test_a_passage_does_not_go_on_after_the_block_in_which_it_begins() -> None:
    lines = ["if late:", "    refund()", "    tell()", "pay()", "ship()"]
    assert passage(lines, [1.0, 2.0, 2.0, 2.0, 2.0], 30) != ["    tell()", "pay()", "ship()"]
    assert passage(lines, [1.0, 2.0, 2.0, 2.0, 2.0], 60) == lines


def test_a_passage_has_the_line_at_which_the_question_points() -> None:
    worth = [9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0, 9.0]
    assert REDIRECT[3] in passage(REDIRECT, worth, 40, held=3)


def test_lines_that_close_other_blocks_are_left_out_at_the_edges() -> None:
    text = "};\n\n  def pay\n    ship\n  end\nend\nend\n"
    start, end = without_closers(text)
    assert text[start:end] == "  def pay\n    ship\n  end"
    assert without_closers("def pay\n  ship\nend") == (0, 18)
    assert without_closers("}\n}") == (0, 3)


LINES = st.lists(st.text("ab (){}[],\t\"'`#/*\n".replace("\n", ""), max_size=12), min_size=1, max_size=25)


@given(LINES)
def test_every_line_has_seams(lines: list[str]) -> None:
    found = seams(lines)
    assert len(found.begins) == len(found.indents) == len(found.rests) == len(found.inside) == len(lines)
    assert len(found.ends) == len(lines) + 1
    assert {*found.begins, *found.ends} <= {1.0, APART, LISTED, BROKEN}
    assert found.ends[-1] == 1.0


@given(LINES, st.integers(1, 100))
def test_no_other_run_of_the_size_keeps_more_of_its_worth_at_its_ends(lines: list[str], size: int) -> None:
    worth = [1.0 + len(line) for line in lines]
    ((first, end),) = best_passages(lines, seams(lines), worth, [size])
    assert 0 <= first < end <= len(lines)
    costs = [len(line.strip()) + MARGIN for line in lines]
    assert end == first + 1 or sum(costs[first:end]) <= size
    said = [n for n, line in enumerate(lines) if line.strip()]
    if said:
        assert first in said
        assert end - 1 in said
        found = seams(lines)
        kept = sum(worth[first:end]) * found.begins[first] * found.ends[end]
        alone = max(worth[n] * found.begins[n] * found.ends[n + 1] for n in said)
        assert kept >= 0.9 * alone  # a line alone may end inside a block that it opens


@given(LINES)
def test_balanced_lines_are_whole_without_their_closers(lines: list[str]) -> None:
    text = "\n".join(lines)
    start, end = without_closers(text)
    assert 0 <= start <= end <= len(text)
    assert not any(map(str.isalnum, text[:start] + text[end:]))
    if text.strip():
        assert text[start:end].strip()


def test_brackets_that_nothing_opens_or_closes_take_no_time() -> None:
    began = time.monotonic()
    seams(["(" * 20_000 + "]" * 20_000])
    without_closers(f"a\n{')' * 20_000}a")
    assert time.monotonic() - began < 1
