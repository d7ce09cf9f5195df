"""Exports of opencode, as sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Said
from daypack.types import Trust

T0 = 1_790_000_000_000


def message(n: int, role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    info = {"id": f"msg_{n}", "role": role, "sessionID": "ses_1", "time": {"created": T0 + n * 60_000}}
    return {"info": {**info, **more}, "parts": [*parts]}


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def tool(name: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    return {"type": "tool", "callID": f"call_{name}", "tool": name, "state": {"input": given, **state}}


def export(**info: Any) -> dict[str, Any]:
    about = {"id": "ses_1", "directory": "/srv/ferry", "time": {"created": T0, "updated": T0}, **info}
    ran = tool("bash", {"command": "make"}, status="completed", output="no rule", metadata={"exit": 2})
    wrote = tool("edit", {"filePath": "pump.py", "newString": "a = 2"}, status="completed", output="")
    return {
        "info": about,
        "messages": [
            message(0, "user", text("Mend the pump."), text("Called the Read tool", synthetic=True)),
            message(1, "assistant", {"type": "step-start"}, ran, text("We decided to change the pump.")),
            message(2, "assistant", wrote),
            message(3, "assistant", text("A summary of all."), summary=True),
        ],
    }


@pytest.mark.parametrize("indent", [None, 2])
def test_an_export_of_opencode_tells_who_said_and_did_what(
    dp: Daypack, tmp_path: Path, indent: int | None
) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(export(), indent=indent))
    reading = read_transcript(path)
    assert reading.client == "opencode"
    assert [step.what for step in reading.steps] == [
        Said("user", "Mend the pump."),
        Did("bash", {"command": "make"}, "no rule", True),
        Said("assistant", "We decided to change the pump."),
        Did("edit", {"filePath": "pump.py", "newString": "a = 2"}, "", False),
    ]
    assert dp.sessions.add_transcripts(path).sessions == 1
    assert dp.sessions.add_transcripts(path).added == 0
    (session,) = dp.sessions.sessions()
    assert (session.id, session.client, session.started_at) == ("ses_1", "opencode", T0 / 1000)


def test_the_session_of_a_sub_agent_of_opencode_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(export(parentID="ses_0")))
    assert (read_transcript(path).client, read_transcript(path).steps) == ("opencode", [])


def test_a_request_beside_the_summary_of_its_changes_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    changed = export()
    changed["messages"][0]["info"]["summary"] = {"title": "Pump", "diffs": []}
    path.write_text(json.dumps(changed))
    said = [step.what for step in read_transcript(path).steps if isinstance(step.what, Said)]
    assert said == [Said("user", "Mend the pump."), Said("assistant", "We decided to change the pump.")]


def test_a_session_has_read_outside_once_it_called_the_tool_of_a_server(dp: Daypack, tmp_path: Path) -> None:
    calls = [
        tool("apply_patch", {"patchText": "x"}, status="completed", output="ok"),
        tool("ferry_board", {"q": "pump"}, status="completed", output="red"),
    ]
    path = tmp_path / "session.json"
    path.write_text(
        json.dumps(
            {**export(), "messages": [message(0, "assistant", *calls), message(1, "assistant", text("Red."))]}
        )
    )
    hook = {
        "client": "opencode",
        "hook_event_name": "PostToolUse",
        "session_id": "ses_1",
        "tool_name": "ferry_board",
        "tool_use_id": "call_ferry_board",
        "tool_input": {"q": "pump"},
        "tool_response": {"output": "red"},
    }
    dp.sessions.add_steps(steps_of_hook(hook, time=T0 / 1000, key="k"))
    dp.sessions.add_transcripts(path)
    assert [step.what.tool for step in read_transcript(path).steps[:2] if isinstance(step.what, Did)] == [
        "apply_patch",
        "mcp__ferry__board",
    ]
    told = {event.text.partition("\n")[0]: event for event in dp.sessions.timeline()}
    assert told["mcp__ferry__board q=pump"].count == 1
    assert told["Red."].trust is Trust.UNTRUSTED
