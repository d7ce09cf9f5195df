"""Meaning from the first question of a fresh store, by the packaged model and table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.embed import static
from daypack.engine.retrieval.rescoring import MOST_READ
from daypack.rank import chance
from daypack.shapes.answers import remarks_on
from evals.quality.paraphrases import FIRST, ask, questions, store_of
from packs_read import parse


def test_eight_of_ten_facts_are_found_by_questions_in_other_words() -> None:
    facts, _ = questions()
    with store_of(facts[:FIRST]) as daypack:
        assert ask(daypack, facts[:FIRST], [], "auto", 500).answered.total() >= 8


def test_a_text_that_shares_no_word_with_the_question_is_found_among_many(tmp_path: Path) -> None:
    facts, _ = questions()
    with Daypack.open(tmp_path / "store") as daypack:
        daypack.records.add({"id": f"n{n}", "text": fact.text} for n, fact in enumerate(facts))
        pack = daypack.pack("When does lunch end?", budget=300)
        assert "Our cafeteria shuts at 14:00." in pack.text
        assert pack.stats.embedded <= MOST_READ


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_without_its_table_a_store_answers_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    table = tmp_path / "table.bin"
    if damage == "damaged":
        table.write_bytes(static.TABLE.read_bytes()[:-1])
    monkeypatch.setattr(static.open_table, "__defaults__", (table,))
    with Daypack.open(tmp_path / "store") as daypack:
        daypack.records.add([{"id": "a", "text": "The kettle stands on the stove."}])
        pack = daypack.pack("where is the kettle?", budget=300)
        assert pack.excerpts
        assert pack.stats.degraded[0].startswith("instant vectors: ")


def boats(folder: Path) -> Daypack:
    texts = [
        "The harbour master keeps the keys of the rowing boat.",
        "The rowing boat is painted every spring.",
        "Boats that are done are put back in the shed.",
        "The harbour office closes at noon on Sundays.",
    ]
    daypack = Daypack.open(folder)
    daypack.records.add({"id": f"b{n}", "text": text} for n, text in enumerate(texts))
    return daypack


def test_a_common_word_is_no_typo(tmp_path: Path) -> None:
    with boats(tmp_path / "store") as daypack:
        assert not daypack.search("is there a drone in the harbour?").stats.corrections
        assert daypack.search("who has the keys of the harbuor?").stats.corrections == {"harbuor": "harbour"}


def test_a_form_of_a_common_word_and_a_name_of_common_words_are_no_typos(tmp_path: Path) -> None:
    with boats(tmp_path / "store") as daypack:
        for question in (
            "are drones in the harbour?",
            "who droned on in the harbour?",
            "the harbour in DroneShell",
        ):
            assert not daypack.search(question).stats.corrections, question
        assert daypack.search("who has the harbuors?").stats.corrections == {"harbuors": "harbour"}


def test_an_address_of_a_debugger_is_no_typo(tmp_path: Path) -> None:
    with boats(tmp_path / "store") as daypack:
        daypack.records.add([{"id": "mask", "text": "The mask of the lighthouse is ffffffff."}])
        assert not daypack.search("harbour (at=0x7fffffffe0a8)").stats.corrections
        assert daypack.search("harbour fffffffe").stats.corrections == {"fffffffe": "ffffffff"}


def test_a_correction_is_told_in_whole_words(tmp_path: Path) -> None:
    with boats(tmp_path / "store") as daypack:
        daypack.records.add([{"id": "plan", "text": "Ana rewrote the receipts of the reserve."}])
        assert daypack.search("who has to rewrite the harbour plan?").stats.corrections == {
            "rewrite": "rewrote"
        }
        for ranking in ("default", "ctx"):
            found = daypack.search("reciepts", ranking=ranking)
            assert found.corrections_text == "reciepts → receipts"


@pytest.mark.parametrize(
    "question",
    [
        "How many keys do they keep at noon?",
        "If somebody wants the keys of the harbour, who keeps them?",
        "What decides when the keys are put back?",
    ],
)
def test_a_word_that_only_asks_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.setattr(chance, "SAYS_MUCH", 1)  # as if these were many texts
    with boats(tmp_path / "store") as daypack:
        assert not daypack.pack(question, budget=300).weak


def test_a_weak_pack_says_which_word_the_store_does_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chance, "SAYS_MUCH", 1)  # as if these were many texts
    with boats(tmp_path / "store") as daypack:
        question = "Which insurance covers the guests of the harbour restaurant?"
        pack, found = daypack.pack(question, budget=500), daypack.search(question)
    warning = "Weak answer: the store says nothing about “insurance”, “covers”, “guests” and 1 more; these are the nearest texts."
    assert pack.weak
    assert found.weak
    assert pack.text.split("\n\n")[0] == warning
    assert warning in remarks_on(found)
    assert warning in pack.to_xml()
    assert json.loads(pack.to_json())["weak"] is True
    assert [item.text for item in parse(pack.text, "markdown")] == [one.text for one in pack.excerpts]


def test_a_word_that_is_missing_outside_the_scope_too_makes_a_weak_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chance, "SAYS_MUCH", 8)  # as if eight texts were many
    question = "Which insurance pays for torn sails at the harbour?"
    with boats(tmp_path / "store") as daypack:
        daypack.memories.remember("a/b", "The harbour master keeps the keys of the gate.")
        judged = daypack.search(question, door="memories")
        daypack.records.add([{"id": "elsewhere", "text": "An insurance covers all hotels."}])
        elsewhere = daypack.search(question, door="memories")
    assert judged.stats.chunks == elsewhere.stats.chunks == 1
    assert (judged.weak, elsewhere.weak) == (True, False)
