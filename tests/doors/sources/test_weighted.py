"""The weighted ranking, held against sums that were done by hand."""

from __future__ import annotations

from math import sqrt

import pytest
from support_sources import DAY

from daypack import Daypack
from daypack.doors.sources.retrieval.ranking import age_bonus, jaccard, overlap, words_of
from daypack.doors.sources.types import RetrieveRequest, SourceDraft, SourceWeights
from support import Clock

W = SourceWeights()


def test_overlap_is_over_the_geometric_mean() -> None:
    assert words_of("A ferry-boat, ferry 27!") == {"ferry", "boat", "27"}
    # 2 of 2 and 5 words in common: 2 / √10
    assert overlap({"ferry", "late"}, {"the", "ferry", "was", "late", "again"}) == pytest.approx(2 / sqrt(10))
    assert overlap(set(), {"a"}) == 0
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == 0.5


@pytest.mark.parametrize(
    ("kind", "days", "bonus"),
    [
        ("user_prompt", 0, 0.05),
        ("user_prompt", 22.5, 0.05),  # half of 45
        ("user_prompt", 33.75, -0.10),  # half-way from .05 to -.25
        ("user_prompt", 45, -0.25),
        ("user_prompt", 400, -0.25),
        ("assistant_answer", 10.5, -0.10),  # of 14
        ("research_report", 45, -0.10),  # of 60
        ("topic_pattern", 22.5, -0.10),  # of 30
        ("user_profile_note", 90, -0.10),  # of 120
    ],
)
def test_age_is_free_up_to_half_and_then_costs(kind: str, days: float, bonus: float) -> None:
    assert age_bonus(kind, days, W) == pytest.approx(bonus)


@pytest.mark.parametrize("absent", ["source_keys", "tags", "kinds", "source_types", "confidentialities"])
@pytest.mark.parametrize("ranking", ["weighted", "common"])
def test_a_filter_that_is_none_is_not_given(dp: Daypack, absent: str, ranking: str) -> None:
    dp.sources.ingest(SourceDraft("the ferry was late", scope="user", tags=("delays",)))
    given = {"query_text": "late ferry", "ranking": ranking, "vectors": "none"}
    (expected,) = dp.sources.retrieve(RetrieveRequest(**given))
    (found,) = dp.sources.retrieve(RetrieveRequest(**given, **{absent: None}))
    assert found.parts == expected.parts


def test_every_part_of_a_score_is_what_a_hand_makes_it(dp: Daypack, clock: Clock) -> None:
    dp.sources.ingest(
        SourceDraft(
            "The ferry was late again.",
            "research_report",
            "session",
            user_id="ana",
            session_id="s1",
            source_key="ferry/delays",
            title="Late ferries",
            tags=("delays",),
            structured_data={"ferry": {"delay": 12}},
        )
    )
    clock.passes(45 * DAY)
    found = dp.sources.retrieve(
        RetrieveRequest(
            "late ferry",
            user_id="ana",
            session_id="s1",
            ranking="weighted",
            source_keys=("ferry/delays",),
            tags=("delays",),
            vectors="none",
        )
    )
    (item,) = found.items
    # "The ferry was late again." and "ferry.delay: 12": the, ferry, was, late, again, delay, 12; 2 of 2 and 7
    # in common.
    assert item.parts == pytest.approx(
        {
            "semantic": 0.0,
            "lexical": 0.25 * 2 / sqrt(2 * 7),
            # title (late), field path (ferry), key (ferry), first chunk; no tag word
            "keyword": 0.08 * (0.04 + 0.04 + 0.02 + 0.01),
            "metadata_bonus": 0.07,  # once, for key and tag
            "record_rank_bonus": 0.15,
            "scope_priority_bonus": 0.12,
            "age_decay_factor": -0.10,  # 45 of 60 days
        }
    )
    assert item.score == pytest.approx(sum(item.parts.values()))
    assert item.signals == pytest.approx(
        {"semantic_score": 0.0, "lexical_score": 2 / sqrt(14), "keyword_bonus": 0.11}
    )


def test_kinds_and_scopes_have_their_bonus() -> None:
    assert dict(W.kinds) == {
        "research_report": 0.15,
        "research_finding": 0.15,
        "decision_outcome": 0.08,
        "topic_pattern": 0.08,
        "user_profile_note": 0.08,
    }
    assert dict(W.scopes) == {"session": 0.12, "user": 0.08, "global": 0.03}


def test_meaning_counts_by_its_cosine(dp: Daypack) -> None:
    dp.sources.ingest(SourceDraft("the ferry was late", "user_prompt", "user", user_id="ana"))
    (item,) = dp.sources.retrieve(
        RetrieveRequest("the ferry was late", user_id="ana", ranking="weighted", vectors="all")
    ).items
    # the same text: a cosine of 1, but for rounding
    assert item.parts["semantic"] == pytest.approx(0.60, abs=0.01)
    assert item.parts["lexical"] == pytest.approx(0.25)


def test_the_common_ranking_is_what_search_gives(dp: Daypack) -> None:
    for number, text in enumerate(
        ["the ferry was late", "the ferry was early and the pier was wet", "gulls on the pier"]
    ):
        dp.sources.ingest(SourceDraft(text, scope="user", source_key=f"k{number}"))
    found = dp.sources.retrieve(RetrieveRequest("ferry at the pier", vectors="none"))
    searched = dp.search("ferry at the pier", vectors="none")
    assert [(item.chunk_id, item.score) for item in found.items] == [
        (one.chunk.id, one.score) for one in searched.candidates
    ]
    assert all(item.score == pytest.approx(sum(item.parts.values()), abs=1e-5) for item in found.items)
