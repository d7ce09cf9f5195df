"""Several questions in one text are each answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.engine.answers import in_turn
from support import WORDS, project

FERRY, FEES = "When does the last ferry leave the island?", "How are the fees of late cancellations rounded?"
TEXTS = {
    "ferry.md": "# Ferry\n\nThe last ferry leaves the island at nine.\n",
    **{
        f"ferry/{n}.md": f"# Ferry {n}\n\nThe last ferry of winter {n} could not leave the island.\n"
        for n in range(9)
    },
    "fees.md": "# Fees\n\nThe fees of late cancellations are rounded down to the cent.\n",
    **{f"piers/{n}.md": f"# Pier {n}\n\nPier {n} is painted in spring by two men.\n" for n in range(30)},
}


@pytest.fixture
def daypack(tmp_path: Path) -> Daypack:
    island = project(tmp_path / "island", TEXTS)
    with Daypack.open(tmp_path / "store", root=island, settings=WORDS) as opened:
        opened.files.add(island)
        yield opened  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        f"{FERRY} {FEES}",
        f"1. {FERRY}\n2. {FEES}",
        f"{FERRY}\n{FEES}",
        f"{FERRY[:-1]}, and {FEES[0].lower()}{FEES[1:]}",
    ],
)
def test_a_small_pack_answers_both_questions(daypack: Daypack, text: str) -> None:
    pack = daypack.pack(text, budget=110)
    assert {excerpt.citation.uri for excerpt in pack.excerpts[:2]} == {"ferry.md", "fees.md"}
    assert pack.tokens_used <= 110


def test_the_second_half_of_a_question_has_the_subject_of_the_first(tmp_path: Path) -> None:
    tolls = {
        f"toll/{n}.md": f"The toll of Reach {n} is paid at the northern end each morning by carts."
        for n in range(9)
    }
    tolls["toll/ford.md"] = "The toll of Hollow Ford is paid at the southern end each morning by carts."
    river = project(
        tmp_path / "river", {"bridge.md": "Ruth Okafor built the bridge of Hollow Ford.", **tolls}
    )
    with Daypack.open(tmp_path / "store", root=river, settings=WORDS) as opened:
        opened.files.add(river)
        text = "Who built the bridge of Hollow Ford, and where is its toll paid each morning by carts?"
        found = [candidate.chunk.uri for candidate in opened.search(text, limit=2).candidates]
    assert {*found} == {"bridge.md", "toll/ford.md"}


def test_search_lists_the_best_of_each_question_first(daypack: Daypack) -> None:
    result = daypack.search(f"{FERRY} {FEES}", limit=4)
    alone = [daypack.search(question, limit=4) for question in (FERRY, FEES)]
    assert {candidate.chunk.id for candidate in result.candidates[:2]} == {
        one.candidates[0].chunk.id for one in alone
    }
    assert {file.uri for file in result.files[:2]} == {"ferry.md", "fees.md"}


def test_the_best_for_all_of_a_text_comes_before_the_best_for_each(daypack: Daypack) -> None:
    both = "When does the last ferry leave, and how many men paint pier 7 in spring?"
    whole = "When does the last ferry leave and men paint pier 7 in spring"
    assert (
        daypack.search(both, limit=1).candidates[0].chunk
        == daypack.search(whole, limit=1).candidates[0].chunk
    )


def test_a_question_without_an_answer_takes_nothing_from_the_other(daypack: Daypack) -> None:
    pack = daypack.pack(f"{FEES} Which harpsichord concerto did Bach transpose?", budget=300)
    assert pack.excerpts[0].citation.uri == "fees.md"
    assert not pack.weak
    assert not daypack.pack(
        "Which harpsichord did Bach buy? Which opera did Verdi burn?", budget=300
    ).excerpts


def test_every_page_goes_on_with_both(daypack: Daypack) -> None:
    pages = [daypack.pack(f"{FERRY} {FEES}", budget=110, page=page) for page in (1, 2)]
    shown = [{excerpt.citation.reference for excerpt in page.excerpts} for page in pages]
    assert shown[1]
    assert shown[0].isdisjoint(shown[1])


def test_answers_in_turn_hold_each_item_once() -> None:
    assert in_turn([[1, 2, 3], [1, 4], [5]], lambda item: item) == [1, 5, 2, 4, 3]
    assert in_turn([[1, 1]], lambda item: item) == [1, 1]
    assert in_turn([[], [7]], lambda item: item) == [7]
