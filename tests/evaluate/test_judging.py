"""Verdicts on answers, case by case."""

from __future__ import annotations

import pytest

from daypack.evaluate import (
    Answer,
    Case,
    CaseResult,
    Expected,
    Expects,
    Miss,
    Passage,
    Require,
    TermsScope,
    judge,
)
from daypack.evaluate.judge import Instead
from daypack.types import Budget, EmptyReason, OmissionReason

TEA = Passage("docs/tea.md", 1, 9, "Tea is sold\n  by weight.", uid="docs/tea.md")
KETTLE = Passage(
    "docs/kettle.md",
    10,
    20,
    "The kettle boils.",
    uid="k1",
    source_key="shop:kettle",
    symbols=("Kettle.boil",),
)
CUP = Passage("docs/cup.md", 1, 2, "A cup holds 200 ml.")


def asked(
    *expected: tuple[Expects, str],
    scope: TermsScope = TermsScope.ASSEMBLED_CONTEXT,
    require: Require = Require.ANY,
) -> Case:
    return Case("c", "q", tuple(Expected(kind, text) for kind, text in expected), scope, require)


def answer(
    ranked: tuple[Passage, ...] = (TEA, KETTLE),
    packed: tuple[Passage, ...] = (TEA,),
    left_out: dict[Passage, OmissionReason] | None = None,
    lacking: dict[Expected, Instead] | None = None,
    text: str = "",
    empty: EmptyReason | None = None,
) -> Answer:
    candidates = tuple((passage, (left_out or {}).get(passage)) for passage in ranked)
    return Answer(ranked, packed, candidates, text, 100, Budget(400), empty, empty, lacking or {})


def only(result: CaseResult) -> tuple[int | None, bool | None, bool | None, Miss | None, Miss | None]:
    (one,) = result.findings
    return one.rank, one.retrieved, one.packed, one.retrieval_miss, one.pack_miss


@pytest.mark.parametrize(
    ("kind", "text", "rank"),
    [
        (Expects.PATH, "docs/kettle.md", 2),
        (Expects.PATH, "docs/kettle.md:20", 2),
        (Expects.PATH, "docs/kettle.md:1-10", 2),
        (Expects.PATH, "docs/kettle.md:21-30", None),
        (Expects.PATH, "kettle.md", None),
        (Expects.ID, "k1", 2),
        (Expects.ID, "K1", None),
        (Expects.SOURCE_KEY, "shop:kettle", 2),
        (Expects.SOURCE_KEY, "k1", 2),
        (Expects.SOURCE_KEY, "shop", None),
        (Expects.SYMBOL, "Kettle.boil", 2),
        (Expects.SYMBOL, "boil", 2),
        (Expects.SYMBOL, "oil", None),
    ],
)
def test_a_thing_is_known_by_its_whole_name_and_its_lines(kind: Expects, text: str, rank: int | None) -> None:
    assert judge(asked((kind, text)), answer(), 10).findings[0].rank == rank


def test_terms_are_found_without_case_across_line_ends() -> None:
    result = judge(asked((Expects.TERM, "SOLD by  weight")), answer(), 10)
    assert only(result) == (1, None, True, None, None)
    assert (result.retrieved, result.packed) == (None, True)


def test_terms_of_retrieved_records_say_nothing_about_the_pack() -> None:
    result = judge(asked((Expects.TERM, "kettle boils"), scope=TermsScope.RETRIEVED_RECORDS), answer(), 10)
    assert only(result) == (2, True, None, None, None)
    assert (result.retrieved, result.packed) == (True, None)


def test_a_term_in_a_header_of_the_pack_counts() -> None:
    assert (
        judge(asked((Expects.TERM, "Price list")), answer(text="[1 tea.md:1 @123 · Price list]\n"), 10).packed
        is True
    )


def test_what_stands_below_the_limit_is_missed_and_its_rank_is_kept() -> None:
    result = judge(
        asked((Expects.PATH, "docs/kettle.md")), answer(left_out={KETTLE: OmissionReason.BUDGET}), 1
    )
    assert only(result) == (2, False, False, Miss.BELOW_LIMIT, Miss.BUDGET)
    assert (result.first_rank, result.reciprocal_rank, result.recall) == (2, 0.5, 0.0)


@pytest.mark.parametrize("reason", list(OmissionReason))
def test_every_reason_of_the_packer_is_a_reason_of_a_miss(reason: OmissionReason) -> None:
    result = judge(asked((Expects.PATH, "docs/kettle.md")), answer(left_out={KETTLE: reason}), 10)
    assert result.findings[0].pack_miss == reason.value


def test_a_term_that_was_cut_away_from_its_excerpt_is_told_from_one_that_was_never_there() -> None:
    short = Passage("docs/tea.md", 1, 1, "Tea is sold")
    assert (
        judge(asked((Expects.TERM, "by weight")), answer(packed=(short,)), 10).findings[0].pack_miss
        is Miss.SHORTENED
    )
    assert (
        judge(asked((Expects.TERM, "samovar")), answer(packed=(short,)), 10).findings[0].pack_miss
        is Miss.NOT_RANKED
    )


def test_what_the_store_does_not_have_is_said_before_anything_else() -> None:
    wanted = Expected(Expects.PATH, "docs/te.md")
    result = judge(asked((Expects.PATH, "docs/te.md")), answer(lacking={wanted: Instead("docs/tea.md")}), 10)
    assert only(result)[3:] == (Miss.NOT_STORED, Miss.NOT_STORED)
    assert result.findings[0].nearest == "docs/tea.md"


def test_an_empty_answer_is_a_reason_of_its_own() -> None:
    result = judge(
        asked((Expects.PATH, "docs/tea.md")), answer((), (), empty=EmptyReason.NOTHING_RELEVANT), 10
    )
    assert only(result) == (None, False, False, Miss.EMPTY, Miss.EMPTY)
    assert result.reciprocal_rank == 0


def test_the_words_that_tell_of_an_empty_pack_are_no_answer() -> None:
    told = "Nothing relevant was found. Try other words, or add more sources.\n"
    result = judge(
        asked((Expects.TERM, "more sources")),
        answer((), (), text=told, empty=EmptyReason.NOTHING_RELEVANT),
        10,
    )
    assert only(result) == (None, None, False, None, Miss.EMPTY)


def test_any_is_content_with_one_and_all_is_not() -> None:
    expected = ((Expects.PATH, "docs/tea.md"), (Expects.PATH, "docs/cup.md"))
    found = {require: judge(asked(*expected, require=require), answer(), 10) for require in Require}
    assert (found[Require.ANY].retrieved, found[Require.ALL].retrieved) == (True, False)
    assert found[Require.ANY].recall == found[Require.ALL].recall == 0.5
    assert found[Require.ANY].pack_recall == 0.5
