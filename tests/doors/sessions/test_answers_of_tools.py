"""What sub-agents, web pages and other servers answer is stored, found, and untrusted."""

from __future__ import annotations

from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.types import Did, Step

AUDIT = {"description": "Audit sensors", "prompt": "Look at each sensor."}


def did(n: int, tool: str, given: dict[str, Any], output: str | None, *, failed: bool = False) -> Step:
    return Step("s", 1_790_000_000.0 + 60 * n, Did(tool, given, output, failed), f"k{n}")


@pytest.mark.parametrize(
    ("tool", "given", "output", "asked"),
    [
        ("Task", AUDIT, "Sensor 7 has a loose cable.", "loose cable"),
        ("Task", AUDIT, "Sensor 7 has a loose cable.", "what did the sub-agent find?"),
        ("WebFetch", {"url": "https://e.example/tide"}, "The mean tide at Kiel is 0.1 m.", "mean tide"),
        ("mcp__tides__predict", {"port": "cuxhaven"}, "High water at 04:12", "high water"),
    ],
)
def test_the_answer_of_a_tool_is_found_and_untrusted(
    dp: Daypack, tool: str, given: dict[str, Any], output: str, asked: str
) -> None:
    dp.sessions.add_steps([did(1, tool, given, output)])
    text = dp.pack(asked, vectors="none").text
    assert output in text
    assert "untrusted" in text


def test_a_call_that_a_hook_told_before_and_after_is_one_event_with_its_answer(dp: Daypack) -> None:
    for name, more in (
        ("PreToolUse", {}),
        ("PostToolUse", {"tool_response": {"code": 200, "codeText": "OK", "result": "0.1 m"}}),
    ):
        event = {
            "hook_event_name": name,
            "session_id": "s",
            "tool_use_id": "t",
            "tool_name": "WebFetch",
            "tool_input": {"url": "https://e.example/tide"},
            **more,
        }
        dp.sessions.add_steps(steps_of_hook(event, time=1_790_000_000.0, key="k"))
    (event,) = dp.sessions.timeline()
    assert (event.category, event.text, event.count) == ("web", "WebFetch https://e.example/tide\n0.1 m", 1)


def test_the_same_call_again_has_its_latest_answer(dp: Daypack) -> None:
    for n, output in enumerate(["High water at 04:12", "High water at 16:40"]):
        dp.sessions.add_steps([did(n, "mcp__tides__predict", {"port": "cuxhaven"}, output)])
    (event,) = dp.sessions.timeline()
    assert (event.text, event.count) == ("mcp__tides__predict port=cuxhaven\nHigh water at 16:40", 2)


@pytest.mark.parametrize(
    ("tool", "first", "second"),
    [
        ("Task", {**AUDIT, "prompt": "Look at pumps."}, {**AUDIT, "prompt": "Look at masts."}),
        ("WebFetch", {"url": "https://e.x", "prompt": "tide"}, {"url": "https://e.x", "prompt": "wind"}),
        ("mcp__logs__get", {"ids": [1]}, {"ids": [2]}),
        ("mcp__logs__get", {"query": "tide " * 50 + "a"}, {"query": "tide " * 50 + "b"}),
        ("mcp__logs__get", {"log": "tide " * 200 + "a"}, {"log": "tide " * 200 + "b"}),
    ],
    ids=["prompts", "prompts of a page", "lists", "long words", "long arguments"],
)
def test_calls_that_differ_in_any_argument_keep_their_answers(
    dp: Daypack, tool: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    steps = [did(1, tool, first, "The pump has seven valves."), did(2, tool, second, "The mast is oak.")]
    dp.sessions.add_steps(steps)
    assert dp.sessions.add_steps(steps).added == 0
    assert [(event.text.partition("\n")[2], event.count) for event in dp.sessions.timeline()] == [
        ("The pump has seven valves.", 1),
        ("The mast is oak.", 1),
    ]


@pytest.mark.parametrize(("output", "failed"), [("no connection", True), (" ", False)])
def test_a_repeated_call_without_an_answer_leaves_the_earlier_one(
    dp: Daypack, output: str, failed: bool
) -> None:
    given = {"query": "kiel"}
    dp.sessions.add_steps([did(1, "mcp__tides__predict", given, "High water at 04:12")])
    dp.sessions.add_steps([did(2, "mcp__tides__predict", given, output, failed=failed)])
    assert dp.sessions.timeline().events[0].text == "mcp__tides__predict kiel\nHigh water at 04:12"


def test_a_call_of_a_server_that_failed_and_works_again_is_not_an_open_error(dp: Daypack) -> None:
    given = {"query": "cuxhaven"}
    dp.sessions.add_steps([did(1, "mcp__tides__predict", given, "no connection", failed=True)])
    assert "Open errors" in dp.sessions.resume().text
    dp.sessions.add_steps([did(2, "mcp__tides__predict", given, "High water at 04:12")])
    assert "Open errors" not in dp.sessions.resume().text


def test_a_pack_that_daypack_gave_is_not_stored_again(dp: Daypack) -> None:
    dp.sessions.add_steps([did(1, "mcp__daypack__pack", {"query": "tide"}, "[1] tide.md: 0.1 m")])
    assert [event.text for event in dp.sessions.timeline()] == ["mcp__daypack__pack tide"]


def test_a_tool_of_a_server_that_reads_no_file_is_kept_with_its_answer(dp: Daypack) -> None:
    dp.sessions.add_steps([did(1, "mcp__tides__read", {"harbour": "Kiel"}, "0.1 m")])
    (event,) = dp.sessions.timeline()
    assert (event.category.value, event.text) == ("tool", "mcp__tides__read harbour=Kiel\n0.1 m")
