"""Agents are not sent the fields of an answer that tell them nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daypack.verbs.brief import Brief

EMPTY: tuple[Any, ...] = (None, "", [], {})
BRIEF = Brief(usual={"shared": False}, repeats={"updated_at": "recorded_at"}, verbatim=("metadata",))
VALUES = st.sampled_from([*EMPTY, False, True, 0, 1, "x", ["y"]])
OBJECTS = st.dictionaries(st.sampled_from(["shared", "recorded_at", "updated_at", "key", "metadata"]), VALUES)


def test_empty_usual_and_repeated_fields_are_left_out_of_each_item() -> None:
    item = {"key": "office", "tags": [], "shared": False, "recorded_at": "Monday", "updated_at": "Monday"}
    assert BRIEF({"hits": [item]}) == {"hits": [{"key": "office", "recorded_at": "Monday"}]}


def test_fields_that_another_verb_gives_are_left_out_at_each_depth() -> None:
    brief = Brief(unread=("checksum",), verbatim=("metadata",))
    data = {
        "key": "office",
        "checksum": "0f",
        "items": [{"id": 1, "checksum": "1e"}],
        "metadata": {"checksum": "2d"},
    }
    assert brief(data) == {"key": "office", "items": [{"id": 1}], "metadata": {"checksum": "2d"}}


def test_zero_and_false_tell_something() -> None:
    assert BRIEF({"score": 0.0, "written": False}) == {"score": 0.0, "written": False}


def test_fields_that_the_schema_requires_stay_when_they_are_empty() -> None:
    assert BRIEF({"hits": [], "empty_reason": None, "query": ""}, ["hits", "query"]) == {
        "hits": [],
        "query": "",
    }


def test_data_of_the_user_is_sent_as_it_was_written() -> None:
    data = {"metadata": {"owner": None, "shared": False, "tags": []}}
    assert BRIEF(data) == data


def test_a_list_keeps_its_length() -> None:
    assert BRIEF({"keys": ["", "a"], "items": [{}, {"tags": []}]}) == {"keys": ["", "a"], "items": [{}, {}]}


@given(st.lists(OBJECTS))
def test_each_field_that_is_sent_has_the_value_of_the_answer(items: list[dict[str, Any]]) -> None:
    sent = BRIEF({"items": items}, ["items"])["items"]
    assert len(sent) == len(items)
    for item, brief in zip(items, sent, strict=True):
        assert brief.items() <= item.items() if not _has_lists(item) else brief.keys() <= item.keys()
        for name in item.keys() - brief.keys():
            told = item[name] in EMPTY or item[name] == item.get("recorded_at") or name == "shared"
            assert told, name


def _has_lists(item: dict[str, Any]) -> bool:
    return any(isinstance(value, list | dict) for value in item.values())
