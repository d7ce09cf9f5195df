"""Calls that hooks capture without the key that the transcript gives them are stored once."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import steps_of_hook

MAKE = ("bash", {"command": "make"}, "no rule\n<exited with exit code 2>", {})
BOARD = ("ferry-board", {"q": "pump"}, "red", {"mcpServerName": "ferry", "mcpToolName": "board"})
EDIT = ("edit", {"path": "pump.py", "old_str": "a", "new_str": "b"}, "done", {})


def at(second: int) -> str:
    return f"2026-11-02T09:00:{second:02}.000Z"


def of_copilot(folder: Path, *calls: tuple[str, dict[str, Any], str, dict[str, Any]]) -> Path:
    lines: list[dict[str, Any]] = [
        {"type": "session.start", "data": {"sessionId": "s"}, "id": "e", "timestamp": at(0)}
    ]
    for number, (name, given, output, more) in enumerate(calls):
        call = {"toolCallId": f"c{number}", "toolName": name, "arguments": given, **more}
        done = {"toolCallId": f"c{number}", "success": True, "result": {"content": output}}
        second = 4 * number
        lines.append(
            {"type": "tool.execution_start", "data": call, "id": f"b{number}", "timestamp": at(second)}
        )
        lines.append(
            {"type": "tool.execution_complete", "data": done, "id": f"d{number}", "timestamp": at(second + 1)}
        )
    path = folder / "events.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def of_gemini(folder: Path, *calls: tuple[str, dict[str, Any], str, dict[str, Any]]) -> Path:
    made = [
        {
            "id": f"c{number}",
            "name": name,
            "args": given,
            "status": "success",
            "timestamp": at(4 * number + 1),
            "result": [{"functionResponse": {"response": {"output": output}}}],
        }
        for number, (name, given, output, _) in enumerate(calls)
    ]
    about = {"sessionId": "s", "projectHash": "p", "startTime": at(0)}
    message = {"id": "m", "type": "gemini", "content": "", "timestamp": at(0), "toolCalls": made}
    path = folder / "session-x.jsonl"
    path.write_text(f"{json.dumps(about)}\n{json.dumps(message)}\n")
    return path


def hooks(dp: Daypack, *calls: tuple[str, dict[str, Any], str, dict[str, Any]]) -> None:
    for number, (name, given, output, _) in enumerate(calls):
        event = {
            "hook_event_name": "PostToolUse",
            "session_id": "s",
            "tool_name": name,
            "tool_input": given,
            "tool_result": {"result_type": "success", "text_result_for_llm": output},
        }
        time = datetime.fromisoformat(at(4 * number + 2)).timestamp()
        dp.sessions.add_steps(steps_of_hook(event, time=time, key=f"hook {number}"))


@pytest.mark.parametrize("hooks_first", [True, False])
@pytest.mark.parametrize(
    ("write", "calls"),
    [
        (of_copilot, (MAKE, BOARD, EDIT, MAKE)),
        (of_gemini, (EDIT, ("glob", {"pattern": "*.py"}, "a.py", {}), EDIT)),
    ],
)
def test_a_call_that_a_hook_and_a_transcript_tell_counts_once(
    dp: Daypack, tmp_path: Path, write: Any, calls: Any, hooks_first: bool
) -> None:
    path = write(tmp_path, *calls)
    dp.sessions.add_transcripts(path)
    alone = {(event.category, event.subject): event.count for event in dp.sessions.timeline()}
    dp.sessions.purge(everything=True)
    for told in (hooks_first, not hooks_first):
        if told:
            hooks(dp, *calls)
        else:
            dp.sessions.add_transcripts(path)
    both = {(event.category, event.subject): event.count for event in dp.sessions.timeline()}
    assert both == alone
    assert max(both.values()) == 2


def test_the_same_call_later_counts_again(dp: Daypack, tmp_path: Path) -> None:
    hooks(dp, EDIT)
    other = ("bash", {"command": "ls"}, "pump.py", {})
    dp.sessions.add_transcripts(of_copilot(tmp_path, EDIT, *[other] * 8, EDIT))
    counts = {event.category.value: event.count for event in dp.sessions.timeline()}
    assert counts == {"file": 2, "command": 8}
