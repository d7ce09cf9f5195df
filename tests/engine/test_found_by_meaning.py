"""Meaning from the first question of a fresh store, by the packaged model and table."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.embed import static
from evals.quality.paraphrases import FIRST, ask, questions, store_of


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
        assert pack.stats.embedded <= 16


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
