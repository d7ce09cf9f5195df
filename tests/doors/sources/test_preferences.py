"""What somebody prefers: learned from what they approved, explained by its phrases, edited, reset, and gone
without a trace.
"""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_sources import opened

from daypack import Daypack
from daypack.doors.sources.tasks import serialize as task_data
from daypack.doors.sources.tasks.preferences import KEY, from_data, lessons_of, preferences_of, to_data
from daypack.doors.sources.types import RetrieveRequest, SourceDraft
from daypack.errors import InputError
from support import Clock, bytes_of, ills

FORMAL = "Dear Ms Lind,\nthe lease ends in May, according to the harbour office.\nKind regards\nAna Berg"
CASUAL = "Hi Tom,\nthe lease ends in May, thx!\nCheers"


def values(dp: Daypack, workflow: str = "", user: str = "ana") -> dict[str, str]:
    found = dp.tasks.preferences(workflow, user_id=user)
    return {
        name: one.value for part in (found.levels, found.style, found.defaults) for name, one in part.items()
    }


def test_an_approved_text_teaches_and_every_preference_names_the_phrase(dp: Daypack) -> None:
    dp.tasks.learn(FORMAL, user_id="ana")
    assert values(dp) == {
        "formality": "high",
        "evidence": "high",
        "greeting": "Dear",
        "closing": "Kind regards",
    }
    explained = {
        one["name"]: one
        for one in task_data.preferences_to_dict(dp.tasks.preferences(user_id="ana"))["explained"]
    }
    assert [(one["phrase"], one["value"]) for one in explained["formality"]["evidence"]] == [
        ("dear ms", "high"),
        ("kind regards", "high"),
    ]
    assert [one["phrase"] for one in explained["evidence"]["evidence"]] == ["according to"]
    assert explained["greeting"]["origin"] == "learned"
    assert dp.tasks.preferences(user_id="ana").evidence_count == 5


def test_of_an_approved_text_only_its_phrases_are_kept(dp: Daypack, tmp_path: Path) -> None:
    dp.tasks.learn(FORMAL, user_id="ana")
    left = bytes_of(tmp_path)
    for word in (b"Lind", b"harbour", b"Berg"):
        assert word not in left, word


def test_the_same_text_teaches_once_and_changes_nothing(dp: Daypack) -> None:
    first = dp.tasks.learn(FORMAL, user_id="ana")
    again = dp.tasks.learn(f"  {FORMAL}\n", user_id="ana")
    assert (len(first.lessons), again.lessons) == (5, ())
    assert again.preferences == first.preferences
    assert dp.tasks.learn("The gate is shut.", user_id="ana").lessons == ()


def test_the_greater_number_of_phrases_decides_and_every_version_is_kept(dp: Daypack) -> None:
    dp.tasks.learn(FORMAL, user_id="ana")
    dp.tasks.learn(CASUAL, user_id="ana")
    assert values(dp)["formality"] == "low"  # hi, thx and cheers against two
    versions = dp.sources.list(source_key=KEY, status=None, user_id="ana")
    assert [(one.source_version, one.source_status.value) for one in versions] == [
        (2, "active"),
        (1, "superseded"),
    ]
    assert preferences_of(from_data(versions[1].metadata["lessons"])).levels["formality"].value == "high"


def test_a_word_of_refusal_turns_a_phrase_round() -> None:
    found = {
        (one.name, one.value)
        for one in lessons_of("Not too formal, please, and not concise.", "", at=0)
        if one.name != "note"
    }
    assert found == {("formality", "low"), ("brevity", "low")}
    assert {(one.name, one.value) for one in lessons_of("no bullets here", "", at=0)} == {
        ("structure", "low")
    }


def test_a_workflow_has_preferences_of_its_own_and_else_those_of_all(dp: Daypack) -> None:
    dp.tasks.learn(FORMAL, user_id="ana")
    dp.tasks.learn(CASUAL, workflow="reply", user_id="ana")
    assert values(dp, "reply")["formality"] == "low"
    assert values(dp, "draft")["formality"] == "high"
    assert values(dp, "reply")["evidence"] == "high"


def test_wishes_are_notes(dp: Daypack) -> None:
    dp.tasks.learn("Thanks. Always name the berth. The tide is in. Don't use abbreviations!", user_id="ana")
    assert [one.value for one in dp.tasks.preferences(user_id="ana").notes] == [
        "Always name the berth.",
        "Don't use abbreviations!",
    ]


def test_what_is_set_holds_whatever_is_learned_until_it_is_reset(dp: Daypack) -> None:
    dp.tasks.prefer("formality", "low", user_id="ana")
    dp.tasks.learn(FORMAL, user_id="ana")
    assert values(dp)["formality"] == "low"
    dp.tasks.prefer("formality", "balanced", user_id="ana")
    assert values(dp)["formality"] == "balanced"
    done = dp.tasks.reset("formality", user_id="ana")
    assert len(done.removed) == 3
    assert "formality" not in values(dp)
    assert values(dp)["evidence"] == "high"
    dp.tasks.prefer("note", "Sign as A. B.", user_id="ana")
    dp.tasks.prefer("assembly_mode", "research", workflow="reply", user_id="ana")
    assert values(dp, "reply")["assembly_mode"] == "research"
    dp.tasks.reset(workflow="reply", user_id="ana")
    assert "assembly_mode" not in values(dp, "reply")
    dp.tasks.reset(user_id="ana")
    assert (values(dp), dp.tasks.preferences(user_id="ana").notes) == ({}, ())


def test_preferences_are_their_users_alone(dp: Daypack) -> None:
    dp.tasks.learn(FORMAL, user_id="ana")
    assert values(dp, user="ben") == {}
    dp.tasks.learn(CASUAL, user_id="ben")
    assert (values(dp)["formality"], values(dp, user="ben")["formality"]) == ("high", "low")
    assert not dp.sources.retrieve(RetrieveRequest("preferences formality", user_id="eve")).items


def test_deleted_preferences_leave_no_byte(dp: Daypack, tmp_path: Path) -> None:
    dp.tasks.learn("Always sign as Thorvaldsen.", user_id="ana")
    dp.tasks.reset(user_id="ana")
    assert b"Thorvaldsen" in bytes_of(tmp_path)  # in the version before
    dp.sources.delete(KEY, scope="user", user_id="ana")
    assert b"Thorvaldsen" not in bytes_of(tmp_path)
    assert ills(dp) == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mood", "high", "unknown preference 'mood'; choose from formality, brevity"),
        ("formality", "very", "formality may be high, balanced, low, not 'very'"),
        ("assembly_mode", "poem", "assembly_mode may be assistant, planner"),
        ("note", " ", "note needs a text of at most 300 characters"),
    ],
)
def test_what_cannot_be_set_is_refused_in_words(dp: Daypack, name: str, value: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        dp.tasks.prefer(name, value, user_id="ana")


def test_what_somebody_else_wrote_under_the_key_is_no_lesson(dp: Daypack) -> None:
    facts = {"kind": "user_profile_note", "scope": "user", "user_id": "ana"}
    dp.sources.upsert(
        KEY,
        SourceDraft(
            "x", metadata={"lessons": [{"name": "formality"}, 3, {"name": "mood", "origin": "set"}]}, **facts
        ),
    )  # type: ignore[arg-type]
    assert values(dp) == {}
    dp.tasks.learn(FORMAL, user_id="ana")
    assert values(dp)["formality"] == "high"


@given(st.text(max_size=400))
def test_lessons_come_back_from_what_is_kept(text: str) -> None:
    found = lessons_of(text, "reply", at=1.0)
    assert from_data(to_data(found)) == found


def test_two_who_teach_at_once_are_both_heard(tmp_path: Path) -> None:
    with opened(tmp_path, Clock()):
        pass

    def teach(number: int) -> None:
        with opened(tmp_path, Clock()) as dp:
            for line in range(5):
                dp.tasks.prefer("note", f"Wish {number} {line}", user_id="ana")

    threads = [threading.Thread(target=teach, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with opened(tmp_path, Clock()) as dp:
        assert {one.value for one in dp.tasks.preferences(user_id="ana").notes} == {
            f"Wish {number} {line}" for number in range(3) for line in range(5)
        }
