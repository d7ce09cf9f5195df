"""A question that lists things gets something of each; one that does not is asked as it is."""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.doors.sources.retrieval.ranking import listed_things
from daypack.doors.sources.types import AssembleRequest, RetrieveRequest, SourceDraft


@pytest.mark.parametrize(
    ("question", "things"),
    [
        (
            "What did Okonkwo say of locked gates, river tolls and the new weir?",
            ["What did Okonkwo say of locked gates", "river tolls Okonkwo", "the new weir Okonkwo"],
        ),
        ("night ferries; day ferries to Osk", ["night ferries Osk", "day ferries to Osk"]),
        # "what are the rights" has one word of its own
        ("what are the rights and duties of a harbour master", []),
        ("when does the last ferry leave?", []),
        ("Okonkwo, Bergqvist and Lind", []),  # names alone are no things
        ("", []),
    ],
)
def test_things_are_what_stands_between_commas_and_ands(question: str, things: list[str]) -> None:
    assert listed_things(question) == things


def test_no_more_than_four_things_are_asked_one_by_one() -> None:
    assert len(listed_things(", ".join(f"red buoy number{number}" for number in range(9)))) == 4


TOPICS = {
    "gates": "locked gates of the upper basin",
    "tolls": "river tolls for barges",
    "weir": "repair works at the old weir",
}


@pytest.fixture
def harbour(dp: Daypack) -> Daypack:
    for key, topic in TOPICS.items():
        dp.sources.ingest(SourceDraft(f"Okonkwo reported on {topic}.", scope="user", source_key=key))
        for number in range(8):  # others say more of the first topic than of the two others together
            dp.sources.ingest(
                SourceDraft(
                    f"Locked gates, gates locked: note {number} on {topic}.",
                    scope="user",
                    source_key=f"{key}/{number}",
                )
            )
    return dp


QUESTION = "What did Okonkwo report on locked gates, river tolls and repair works?"


def test_each_thing_of_a_list_is_among_the_first(harbour: Daypack) -> None:
    found = harbour.sources.retrieve(RetrieveRequest(QUESTION, limit=4, vectors="none"))
    assert {item.source_key for item in found.items} >= set(TOPICS)
    assert len({item.chunk_id for item in found.items}) == 4
    done = harbour.sources.assemble(AssembleRequest(QUESTION, token_budget=200, vectors="none"))
    assert all(f"Okonkwo reported on {topic}" in done.context_text for topic in TOPICS.values())


def keep(dp: Daypack, key: str, text: str) -> None:
    dp.sources.ingest(SourceDraft(text, scope="user", source_key=key))


def test_texts_with_the_name_and_a_thing_come_before_nearer_texts_without_the_name(harbour: Daypack) -> None:
    for number in range(20):  # the name is so common that the words of the things weigh more
        keep(harbour, f"lunch/{number}", f"Okonkwo has lunch with painter {number}.")
    for key, text in {
        "gates": "locked gates, gates locked",
        "tolls": "river tolls, tolls of the river",
        "weir": "repair works, works of repair",
    }.items():
        for name in ("Bergqvist", "Lind", "Marchetti", "Hale"):
            keep(harbour, f"{key}/{name}", f"{name} reported on {text}.")
    found = harbour.sources.retrieve(RetrieveRequest(QUESTION, limit=3, vectors="none"))
    assert {item.source_key for item in found.items} == set(TOPICS)


def test_a_text_with_the_name_needs_no_word_of_the_sentence_around_a_thing(dp: Daypack) -> None:
    keep(dp, "gates", "Okonkwo wants the locked gates painted.")
    keep(dp, "tolls", "Okonkwo raised the river tolls in May.")
    for name in ("Bergqvist", "Lind", "Marchetti", "Hale"):
        keep(dp, f"gates/{name}", f"{name} reported on locked gates, a report on gates.")
        keep(dp, f"tolls/{name}", f"{name} reported on river tolls, a report on tolls.")
    for number in range(20):
        keep(dp, f"lunch/{number}", f"Okonkwo has lunch with painter {number}.")
    asked = RetrieveRequest(
        "What did Okonkwo report on locked gates and river tolls?", limit=2, vectors="none"
    )
    assert {item.source_key for item in dp.sources.retrieve(asked).items} == {"gates", "tolls"}


def test_a_text_with_the_name_and_none_of_the_things_gains_no_place(dp: Daypack) -> None:
    for number in range(4):
        keep(dp, f"lunch/{number}", f"Okonkwo has lunch with painter {number}.")
    keep(dp, "gates", "Locked gates are opened at high water.")
    keep(dp, "tolls", "River tolls rise in spring.")
    keep(dp, "weir", "Repair works at the weir begin soon.")
    found = dp.sources.retrieve(
        RetrieveRequest("Okonkwo on locked gates, river tolls and repair works?", limit=3, vectors="none")
    )
    assert {item.source_key for item in found.items} == {"gates", "tolls", "weir"}


def test_the_weighted_ranking_stays_the_sum_that_it_is(harbour: Daypack) -> None:
    found = harbour.sources.retrieve(RetrieveRequest(QUESTION, limit=4, vectors="none", ranking="weighted"))
    scores = [item.score for item in found.items]
    assert scores == sorted(scores, reverse=True)
    assert all(item.score == pytest.approx(sum(item.parts.values())) for item in found.items)
