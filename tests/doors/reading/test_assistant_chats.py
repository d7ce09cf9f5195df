"""Conversations as ChatGPT and Claude export them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.chats.assistants import render_conversations
from support import WORDS


def node(parent: str | None, role: str = "", text: str = "", at: float | None = None) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "create_time": at, "content": content} if role else None
    return {"message": message, "parent": parent}


CHATGPT = {
    "title": "Trip to the Azores",
    "create_time": 1793000000.0,
    "mapping": {
        "r": node(None),
        "s": node("r", "system", "You are helpful."),
        "a": node("s", "user", "Which island has hiking?", 1793000000.0),
        "b": node("a", "assistant", "Pico.", 1793000010.0),
        "c": node("a", "assistant", "# São Jorge\n\nThe trail has 9.5 km:\n\n```\n# a", 1793000070.0),
    },
}
CLAUDE = {
    "uuid": "u1",
    "name": "Garden fence",
    "created_at": "2026-10-03T10:00:00Z",
    "chat_messages": [
        {"text": "How tall may it be?", "sender": "human", "created_at": "2026-10-03T10:00:00Z"},
        {
            "text": "",
            "sender": "assistant",
            "created_at": "2026-10-03T10:00:20Z",
            "content": [{"type": "text", "text": "Up to 110 cm."}, {"type": "tool_use", "input": {}}],
        },
    ],
}


def text_of(data: object) -> str:
    found = render_conversations(json.dumps(data))
    assert found is not None
    return found.text


def test_each_conversation_is_a_section_with_the_branch_that_it_shows() -> None:
    shown = {**CHATGPT, "current_node": "b"}
    assert text_of([shown, CLAUDE]) == (
        "## Trip to the Azores (26 Oct 2026)\n\n"
        "User, 26 Oct 2026 07:33 UTC: Which island has hiking?\n\n"
        "Assistant, 26 Oct 2026 07:33 UTC: Pico.\n\n"
        "## Garden fence (3 Oct 2026)\n\n"
        "User, 3 Oct 2026 10:00 UTC: How tall may it be?\n\n"
        "Assistant, 3 Oct 2026 10:00 UTC: Up to 110 cm.\n"
    )


def test_without_a_shown_branch_it_is_the_newest_and_no_answer_ends_its_section() -> None:
    text = text_of(CHATGPT)
    assert "Pico" not in text
    assert text.endswith(": \\# São Jorge\n\nThe trail has 9.5 km:\n\n```\n# a\n```\n")


@pytest.mark.parametrize(
    "data", [{"mapping": {"a": 1}}, {"mapping": "x"}, {"chat_messages": []}, [1, {"mapping": {}}], "chat"]
)
def test_other_json_is_no_conversation(data: object) -> None:
    assert render_conversations(json.dumps(data)) is None


_VALUES = st.none() | st.text(max_size=4) | st.integers() | st.sampled_from(["user", "a", "b", 9e30])
_KEYS = st.sampled_from(
    ["message", "parent", "author", "role", "content", "parts", "text", "create_time", "a"]
)
_NESTED = st.recursive(
    _VALUES, lambda some: st.lists(some, max_size=3) | st.dictionaries(_KEYS, some, max_size=4), max_leaves=12
)


@given(_NESTED, _NESTED, _VALUES)
def test_any_json_is_a_conversation_or_none(nodes: Any, messages: Any, last: Any) -> None:
    for data in ({"mapping": nodes, "current_node": last}, {"chat_messages": messages}, [CLAUDE, nodes]):
        found = render_conversations(json.dumps(data))
        assert found is None or found.text.endswith("\n")


def test_an_answer_is_found_with_its_question(tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text(json.dumps([CHATGPT, CLAUDE]))
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        assert "Up to 110 cm" in daypack.pack("how tall may the garden fence be", budget=300).text
