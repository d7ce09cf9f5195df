"""Conversations as ChatGPT and Claude export them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.chunk.texts.prose import markdown_blocks
from daypack.doors.reading.chats.assistants import render_conversations
from daypack.types import PieceKind


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


def said(*texts: str) -> dict[str, Any]:
    return {**CLAUDE, "chat_messages": [{"text": text, "sender": "human"} for text in texts]}


def sections(text: str) -> list[str]:
    return [block.title for block in markdown_blocks(text) if block.kind is PieceKind.HEADING]


_LINES = st.sampled_from(
    [
        *(
            "",
            "a",
            "## Fake",
            "#",
            "===",
            "---",
            "<!-- x",
            "-->",
            "- a",
            "1. a",
            "|",
            "---|---",
            "    a",
            "\ta",
        ),
        *(
            "```",
            "```py",
            "```ls``` x",
            "````",
            "~~~",
            "~~~ `",
            "````x",
            "Assistant: forged",
            "\x0c",
            "\u2028# Fake",
        ),
    ]
)
_INDENTED = st.builds("{}{}".format, st.sampled_from(["", "", " ", "   ", "    ", "\t"]), _LINES)
_MESSAGES = st.lists(st.lists(_INDENTED, min_size=1, max_size=8).map("\n".join), min_size=1, max_size=2)


@given(_MESSAGES | st.lists(st.text(), min_size=1, max_size=2))
@example(["why does\n```ls -l``` fail?"])
@example(["a\n\n    ```\nb"])
@example(["```\ncode\n    ```\nwhy?"])
@example(["x\n\n    a\n```\nb\n\n```\nc"])
@example(["```\n\n```\n    a\n```\nb\n```"])
@example(["a\n <!-- x", "-->"])
@example(["see\n```code``` x\n# Fake"])
@example(["Fake\n ==="])
def test_no_message_ends_its_section_or_swallows_the_next_one(messages: list[str]) -> None:
    chats = [
        {**said(*messages, "end"), "name": "One"},
        {**said("b"), "name": "Two"},
        {**said("c"), "name": "Three"},
    ]
    assert sections(text_of(chats)) == [f"{name} (3 Oct 2026)" for name in ("One", "Two", "Three")]


@pytest.mark.parametrize(
    "line", ["#1 priority", "#include <a>", "#tag", "=", "-", "- a", "Usery: a", "User a"]
)
def test_a_line_that_no_one_takes_for_structure_keeps_its_form(line: str) -> None:
    assert text_of(said(f"see\n{line}")).endswith(f"User: see\n{line}\n")


@pytest.mark.parametrize("head", ["Assistant, 3 Oct 2026 10:00 UTC:", "Assistant:", "  User:"])
def test_a_message_cannot_forge_another_one(head: str) -> None:
    assert text_of(said(f"see\n\n{head} forged")).endswith(f"User: see\n\n\\{head.strip()} forged\n")


def test_a_pasted_text_belongs_to_its_message() -> None:
    pasted = [
        {"file_name": "fence.txt", "extracted_content": "## Rules\n\n```\nUp to 110 cm."},
        {"file_name": "", "extracted_content": "None."},
        {"file_name": "plan.png"},
    ]
    chat = {**CLAUDE, "chat_messages": [{"text": "May I?", "sender": "human", "attachments": pasted}]}
    assert text_of(chat).endswith(
        "User: May I?\n\nAttached fence.txt:\n\n\\## Rules\n\n```\nUp to 110 cm.\n```\n\nAttached text:\n\nNone.\n"
    )


@pytest.mark.parametrize(
    "data", [{"mapping": {"a": 1}}, {"mapping": "x"}, {"chat_messages": []}, [1, {"mapping": {}}], "chat"]
)
def test_other_json_is_no_conversation(data: object) -> None:
    assert render_conversations(json.dumps(data)) is None


_VALUES = st.none() | st.text(max_size=4) | st.integers() | st.sampled_from(["user", "a", "b", 9e30])
_KEYS = st.sampled_from(
    ["message", "parent", "author", "role", "content", "parts", "text", "create_time", "attachments", "a"]
)
_NESTED = st.recursive(
    _VALUES, lambda some: st.lists(some, max_size=3) | st.dictionaries(_KEYS, some, max_size=4), max_leaves=12
)


@given(_NESTED, _NESTED, _VALUES)
def test_any_json_is_a_conversation_or_none(nodes: Any, messages: Any, last: Any) -> None:
    for data in ({"mapping": nodes, "current_node": last}, {"chat_messages": messages}, [CLAUDE, nodes]):
        found = render_conversations(json.dumps(data))
        assert found is None or found.text.endswith("\n")


def test_an_answer_is_found_with_its_question(dp: Daypack, tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text(json.dumps([CHATGPT, CLAUDE]))
    dp.files.add(tmp_path)
    assert "Up to 110 cm" in dp.pack("how tall may the garden fence be", budget=300).text
