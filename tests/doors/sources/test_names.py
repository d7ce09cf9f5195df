"""What is asked for by name is found, even where all else is said in other words; what nothing names is still
held back.
"""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.doors.sources.types import RetrieveRequest, SourceDraft
from daypack.types import EmptyReason

KEEPERS = {"Okonkwo": ("sluice", "weir"), "Bergqvist": ("ferry", "tide table"), "May": ("buoy",)}


@pytest.fixture
def harbour(dp: Daypack) -> Daypack:
    for keeper, things in KEEPERS.items():
        for thing in things:
            dp.sources.ingest(
                SourceDraft(
                    f"The {thing} is looked after by {keeper} since spring.",
                    scope="global",
                    source_key=f"{keeper}:{thing}",
                )
            )
    for number in range(30):
        dp.sources.ingest(
            SourceDraft(
                f"Berth {number} may be used by barges, says notice {number}.",
                scope="global",
                source_key=f"berth:{number}",
            )
        )
    return dp


def asked(dp: Daypack, question: str, **more: str) -> tuple[list[str], EmptyReason | None]:
    found = dp.sources.retrieve(RetrieveRequest(question, vectors="none", **more))
    return [item.source_key for item in found.items], found.empty_reason


FAR = "of moving gates that hold a river back, repairs, owners, taxes, insurers, painters, divers and their lunches"


@pytest.mark.parametrize("ranking", ["common", "weighted"])
def test_a_question_in_other_words_finds_what_holds_its_name(harbour: Daypack, ranking: str) -> None:
    assert asked(harbour, f"What has Okonkwo to say {FAR}?", ranking=ranking) == (
        ["Okonkwo:sluice", "Okonkwo:weir"],
        None,
    )
    assert sorted(asked(harbour, f"Okonkwo, {FAR}?", ranking=ranking)[0]) == [
        "Okonkwo:sluice",
        "Okonkwo:weir",
    ]


def test_what_holds_only_one_of_two_names_is_no_answer(harbour: Daypack) -> None:
    assert asked(harbour, f"What did Okonkwo and Bergqvist agree on, {FAR}?") == (
        [],
        EmptyReason.NOTHING_RELEVANT,
    )


@pytest.mark.parametrize(
    "question",
    [
        f"Who can tell me {FAR}?",
        f"What has Halvorsen to say {FAR}?",  # nobody is called so
        f"What has okonkwo to say {FAR}?",  # without a capital it may be any word
        f"What happens in May {FAR}?",  # "may" is written small as well, so it names nobody
    ],
)
def test_without_a_name_that_is_known_nothing_is_made_of_noise(harbour: Daypack, question: str) -> None:
    assert asked(harbour, question) == ([], EmptyReason.NOTHING_RELEVANT)


def test_a_name_in_what_somebody_else_sees_changes_nothing(harbour: Daypack) -> None:
    harbour.sources.ingest(
        SourceDraft("Halvorsen paints the crane.", scope="user", user_id="ana", source_key="crane")
    )
    assert asked(harbour, f"What has Halvorsen to say {FAR}?", user_id="ben") == (
        [],
        EmptyReason.NOTHING_RELEVANT,
    )
    assert asked(harbour, f"What has Halvorsen to say {FAR}?", user_id="ana")[0] == ["crane"]
