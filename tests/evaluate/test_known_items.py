"""Questions made from the store's own texts, and what their ranks say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.evaluate.arms import FEWEST, Arm, ArmVerdict, RankedQuestion, SelfCheck
from daypack.evaluate.known_items import Question, QuestionKind, questions, sampling_key, sentences
from daypack.types import Chunk, PieceKind, RecordKind, Span, Trust, VectorMode
from support import WORDS, daypack, project

TEXT = "The descaling powder is dissolved slowly in lukewarm water before the kettle is filled with it."
COMMON = {"kettl", "water", "fill"}


def chunk(text: str, kind: RecordKind = RecordKind.DOCUMENT) -> Chunk:
    return Chunk(
        1,
        1,
        0,
        Span(0, len(text), 1, 1),
        text,
        PieceKind.PARAGRAPH,
        "",
        (),
        "",
        None,
        0,
        10,
        f"{hash(text):x}",
        "a.md",
        "",
        kind,
        "",
        "",
        "",
        "",
        None,
        Trust.USER,
        "files",
        "0",
    )


def made(text: str, kind: RecordKind = RecordKind.DOCUMENT, seed: int = 0) -> dict[QuestionKind, str]:
    return {
        one.kind: one.text
        for one in questions(chunk(text, kind), lambda term: 50 if term in COMMON else 1, 100, seed)
    }


# ---------------------------------------------------------------- questions


def test_a_text_is_asked_for_by_its_distinctive_words_and_by_a_sentence_with_and_without_its_rarest() -> None:
    asked = made(TEXT)
    assert asked[QuestionKind.WORDS] == "descaling powder dissolved lukewarm"
    assert asked[QuestionKind.SENTENCE].split()[:3] == ["descaling", "powder", "dissolved"]
    assert "kettle" not in asked[QuestionKind.SENTENCE]
    vague = asked[QuestionKind.VAGUE].split()
    assert {"kettle", "water", "filled"} <= set(vague)
    assert not {"descaling", "dissolved", "lukewarm"} & set(vague)


@pytest.mark.parametrize("text", ["", "Tea.", "of the and in", "123 456 789 1011", "one two"])
def test_a_text_that_says_too_little_is_not_asked_for(text: str) -> None:
    assert made(text) == {}


def test_of_code_only_what_is_said_about_it_is_a_sentence() -> None:
    code = (
        "def send(order, ledger, channel, receipt, customer, amount, reason):\n"
        '    """Give the money back through the channel that the customer paid with before."""\n'
        "    # The ledger writes the receipt first, so that no crash can lose the amount.\n"
        "    return ledger.write(order, receipt, channel, customer, amount, reason, later)\n"
    )
    assert sentences(code, code=True) == [
        "Give the money back through the channel that the customer paid with before.",
        "The ledger writes the receipt first, so that no crash can lose the amount.",
    ]
    assert "def" not in made(code, RecordKind.CODE)[QuestionKind.SENTENCE].split()


def test_marks_of_lists_and_quotations_are_no_part_of_a_sentence() -> None:
    assert sentences("- Tea is sold by weight.\n\n> Cups are counted.\n\n2. Pots are rare.") == [
        "Tea is sold by weight.",
        "Cups are counted.",
        "Pots are rare.",
    ]


@given(st.text(max_size=300), st.integers(0, 3))
def test_questions_hold_nothing_but_words_of_their_text_and_are_the_same_again(text: str, seed: int) -> None:
    first = list(questions(chunk(text), lambda _: 1, 10, seed))
    assert first == list(questions(chunk(text), lambda _: 1, 10, seed))
    for one in first:
        assert all(word in text for word in one.text.split())
    assert len({one.kind for one in first}) == len(first)


def test_a_file_more_changes_few_questions() -> None:
    """The order is by hash, so what is added falls in between and moves nothing else."""
    hashes = [f"{number:032x}" for number in range(200)]
    key = lambda one: sampling_key(one, 7)  # noqa: E731
    before = sorted(hashes, key=key)[:50]
    after = sorted([*hashes, "f" * 32], key=key)[:50]
    assert len(set(before) - set(after)) <= 1
    assert sorted(hashes, key=lambda one: sampling_key(one, 8))[:50] != before


# ---------------------------------------------------------------- what the ranks say


def asked(
    number: int, vectors: VectorMode = VectorMode.ALL, missing: int = 0, **ranks: int | None
) -> SelfCheck:
    every: dict[Arm, int | None] = {arm: ranks.get(arm.name.lower(), 1) for arm in Arm}
    items = [
        RankedQuestion(Question(f"q{i}", QuestionKind.WORDS, f"{i}", RecordKind.CODE), every)
        for i in range(number)
    ]
    return SelfCheck(
        items, seed=0, items=number, vectors=vectors, vectors_missing=missing, chunks=100, turned_away=0
    )


def test_a_fused_list_that_is_level_with_its_best_arm_needs_no_change() -> None:
    found = asked(40)
    assert {row.group: row.verdict for row in found.rows} == {
        "all": ArmVerdict.LEVEL,
        "of code": ArmVerdict.LEVEL,
        "by words": ArmVerdict.LEVEL,
    }
    assert found.suggestions == ()


def test_a_fused_list_that_falls_below_an_arm_is_said_and_no_setting_is_blamed_for_it() -> None:
    found = asked(40, fused=4)
    assert found.rows[0].verdict is ArmVerdict.BELOW
    assert found.rows[0].difference.mean == -0.75
    (suggestion,) = found.suggestions
    assert suggestion.startswith("write a suite of real questions")
    assert "--vectors none" not in suggestion


def test_a_model_that_does_not_find_its_own_texts_is_advised_against() -> None:
    (suggestion,) = asked(40, dense=None).suggestions
    assert suggestion.startswith(
        "try --vectors none, or another --embedder: the model has only 0 % of its own texts"
    )


def test_missing_vectors_are_the_first_thing_to_mend() -> None:
    assert asked(40, missing=30, dense=None).suggestions[0].startswith("make the missing vectors")


def test_few_questions_give_no_verdict() -> None:
    found = asked(FEWEST - 1, fused=9)
    assert {row.verdict for row in found.rows} == {ArmVerdict.TOO_FEW}
    assert "ask for more" in found.suggestions[0]
    assert asked(0).rows == ()


def test_what_no_arm_finds_counts_as_zero() -> None:
    row = asked(30, fused=None, unit=None, context=None, dense=2).rows[0]
    assert (row.best, row.rr[Arm.DENSE].mean, row.rr[Arm.FUSED].mean, row.recall[Arm.FUSED]) == (
        Arm.DENSE,
        0.5,
        0.0,
        0.0,
    )


# ---------------------------------------------------------------- on a store


@pytest.fixture
def pay(tmp_path: Path) -> Daypack:
    words = [
        "samovar",
        "ledger",
        "boiler",
        "invoice",
        "harbour",
        "lantern",
        "meadow",
        "pepper",
        "quarry",
        "saddle",
    ]
    dp = Daypack.open(tmp_path / "store", settings=WORDS)
    dp.records.add(
        [
            {
                "id": f"r{i}",
                "text": f"The {word} of house number {i} is painted {words[i - 1]} green by careful workers every second spring.",
            }
            for i, word in enumerate(words)
        ]
    )
    return dp


def test_every_item_is_found_by_the_arm_that_has_its_words(pay: Daypack) -> None:
    with pay:
        pay.embed()
        found = pay.self_check(items=10, vectors="all")
        assert found.rows[0].questions == 30
        assert found.rows[0].rr[Arm.UNIT].mean > 0.7
        assert {row.group for row in found.rows} == {
            "all",
            "of document",
            "by words",
            "by sentence",
            "by vague",
        }
        assert found == pay.self_check(items=10, vectors="all")
        assert pay.self_check(items=10, vectors="all", seed=1).items == 10
        without = pay.self_check(items=10, vectors="none")
        assert without.rows[0].rr[Arm.DENSE].mean == 0
        assert without.rows[0].rr[Arm.FUSED].mean == without.rows[0].rr[Arm.WORDS_ONLY].mean


def test_a_text_that_stands_twice_is_found_at_either_place(dp: Daypack) -> None:
    dp.records.add([{"id": name, "text": TEXT} for name in ("a", "b", "c")])
    found = dp.self_check(items=5, vectors="none")
    assert found.items == 1
    assert found.rows[0].rr[Arm.FUSED].mean == 1


def test_the_command_prints_a_table_or_json_and_says_what_it_is_worth(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"tea.md": f"# Tea\n\n{TEXT}\n"})
    assert "no store at" in daypack("eval", "self-check", cwd=shop, status=3).stderr
    daypack("add", ".", cwd=shop)
    out = daypack("eval", "self-check", "--limit", "5", cwd=shop).stdout
    assert out.startswith("RR of questions  n  lexical unit  lexical context  dense")
    assert "favours words" in out
    assert "suggestion       ask for more: 3 questions say little" in out
    value = json.loads(daypack("eval", "self-check", "--vectors", "none", "--json", cwd=shop).stdout)
    assert value["rows"][0]["rr"]["fused"][0] == 1
    empty = project(tmp_path / "empty", {"a.md": "Tea.\n"})
    daypack("add", ".", cwd=empty)
    assert (
        "no question could be made"
        in daypack("eval", "self-check", "--vectors", "none", cwd=empty, status=1).stdout
    )
