"""The order of a pack is the order of worth, and a pack of many doors weighs them alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import Clock

DAY = 86_400.0


def packed(dp: Daypack, question: str) -> list[str]:
    return [excerpt.citation.uri for excerpt in dp.pack(question).excerpts]


def test_the_memory_that_answers_stands_before_older_ones(dp: Daypack, clock: Clock) -> None:
    clock.now -= 30 * DAY
    dp.memories.remember("night.desk", "The desk has a lamp.")
    dp.memories.remember("pager.rules", "Mei Tan carries the pager for a week.")
    clock.now += 20 * DAY
    dp.memories.remember("pager.today", "Mei Tan carries the pager at night, Jonas Beck by day.")
    clock.now += 10 * DAY
    assert packed(dp, "Mei Tan carries the pager at night?") == ["memory:pager.today", "memory:pager.rules"]


def test_a_page_between_two_memories_in_rank_stands_between_them_in_a_pack(dp: Daypack) -> None:
    dp.memories.remember("oven.best", "The deck oven is cleaned with vinegar after closing.")
    dp.memories.remember("oven.other", "The deck oven came from Ghent after closing.")
    dp.memories.remember("oven.price", "The oven was dear.")
    dp.records.add([{"id": "guide", "text": "A deck oven is cleaned with a brush and vinegar."}])
    assert packed(dp, "deck oven is cleaned with vinegar after closing") == [
        "memory:oven.best",
        "guide",
        "memory:oven.other",
    ]


def test_the_turn_that_answers_stands_first_in_its_session(dp: Daypack) -> None:
    turns = [
        "Hello, is the oven on?",
        "The oven of the bakery in Ghent runs at 230 degrees.",
        "Good, the oven is hot.",
    ]
    dp.records.add(
        [
            {"id": f"t{n}", "text": text, "session": "one", "kind": "event", "author": "ann"}
            for n, text in enumerate(turns)
        ]
    )
    assert packed(dp, "At how many degrees does the oven of the bakery in Ghent run?")[0] == "t1"


def test_a_text_that_names_the_month_is_not_held_back_for_the_day_it_was_written(dp: Daypack) -> None:
    dp.memories.remember("pager.january", "January: Jonas Beck carries the pager.")
    dp.memories.remember("pager.general", "The pager lies in the drawer of the pager desk.")
    question = "Who has the pager in January?"
    best = dp.search(question).candidates[0]
    assert best.chunk.uri == "memory:pager.january"
    assert all(part.signal != "prior" for part in best.contributions)


def test_a_text_from_another_time_is_still_held_back(dp: Daypack, clock: Clock) -> None:
    clock.now += 60 * DAY
    dp.memories.remember("pager.general", "The pager lies in the drawer.")  # from now on
    clock.now += DAY
    (only,) = dp.search("Where did the pager lie last month?").candidates
    assert any(part.signal == "prior" and part.share < 0 for part in only.contributions)


def test_a_page_among_memories_is_held_back_less_than_among_pages(dp: Daypack, tmp_path: Path) -> None:
    (tmp_path / "oven.py").write_text("def heat(oven):\n    return oven.on()\n", encoding="utf-8")
    (tmp_path / "oven.md").write_text("# Oven\n\nThe oven is heated before dawn.\n", encoding="utf-8")
    dp.files.add(tmp_path)
    question = "where is the oven heated?"

    def held_back() -> float:
        page = next(one for one in dp.search(question).candidates if one.chunk.uri == "oven.md")
        return sum(part.share for part in page.contributions if part.signal == "prior") / page.score

    alone = held_back()
    for n in range(9):
        dp.memories.remember(f"bread.{n}", f"Loaf {n} is sold at the corner.")
    assert alone < 3 * held_back() < 0


def test_records_with_one_title_do_not_name_each_other(dp: Daypack) -> None:
    dp.records.add(
        [
            {
                "id": f"ticket{n}",
                "title": "Card declined twice",
                "text": f"Card declined twice. The shop is number {n}.",
            }
            for n in range(4)
        ]
    )
    candidates = dp.search("Why was a card declined twice?").candidates
    assert len(candidates) == 4
    for candidate in candidates:
        assert all(part.signal != "link" for part in candidate.contributions)


def test_a_small_store_is_no_reason_for_filler(tmp_path: Path) -> None:
    words = [
        "kettle",
        "boiler",
        "anchor",
        "harbour",
        "tide",
        "crane",
        "glacier",
        "lantern",
        "cider",
        "violin",
    ]
    records = [
        {"id": f"r{n}", "text": f"The {word} is checked by the crew every spring."}
        for n, word in enumerate(words)
    ]
    asked = {
        "id": "asked",
        "text": "The ferry to Kolding leaves at dawn, and takes bicycles on the upper deck.",
    }
    with Daypack.open(tmp_path / "s", clock=Clock()) as dp:
        dp.records.add([*records, asked])
        pack = dp.pack("When does the ferry to Kolding leave, and does it take bicycles?")
    shown = [excerpt.citation.uri for excerpt in pack.excerpts]
    assert shown[0] == "asked"
    assert len(shown) <= 2, "the weakest of a pool scores 0, which says nothing of its cosine, so it may stay"
    assert len(pack.omitted.low_score) == len(pack.candidates) - len(shown) > 5


@pytest.mark.parametrize("question", ["A-1", "a-1", "Where does A-1 lie?", "I-9", "S-1", "T-1"])
def test_a_code_finds_the_text_that_writes_it_and_not_one_with_its_number(dp: Daypack, question: str) -> None:
    dp.files.add_text("Bolts A-1, S-1, T-1 and I-9 lie in drawer seven.", name="bolts")
    dp.files.add_text("Visa O-1 takes a month and O-1 is renewed. O-9 is, too: O-9.", name="visa")
    assert dp.search(question, vectors="none").candidates[0].chunk.uri == "bolts"
