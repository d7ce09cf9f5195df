"""Transcripts of Copilot CLI, as sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.meaning.events import events_of, reads_outside
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Noted, Said
from support import WORDS, daypack, project

KEY = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"


def line(kind: str, minute: int, more: dict[str, Any] | None = None, **data: Any) -> dict[str, Any]:
    at = f"2026-11-02T09:{minute:02}:00.000Z"
    return {"type": kind, "data": data, "id": f"e{minute}", "timestamp": at, "parentId": None, **(more or {})}


def start(folder: Path | str, **more: Any) -> dict[str, Any]:
    about = {"cwd": str(folder), "branch": "main"}
    return line("session.start", 0, sessionId="s-1", copilotVersion="1.0.80", context=about, **more)


def asked(text: str, minute: int = 1, **more: Any) -> dict[str, Any]:
    wrapped = f"<current_datetime>now</current_datetime>\n{text}"
    return line("user.message", minute, content=text, transformedContent=wrapped, attachments=[], **more)


def began(name: str, given: Any, call: str = "c", **more: Any) -> dict[str, Any]:
    return line("tool.execution_start", 3, toolCallId=call, toolName=name, arguments=given, **more)


def ended(output: str, call: str = "c", **more: Any) -> dict[str, Any]:
    result = {"content": output, "detailedContent": f"{output}\n(all)"}
    return line("tool.execution_complete", 4, toolCallId=call, **{"success": True, "result": result, **more})


def called(name: str, given: Any, output: str, **more: Any) -> list[dict[str, Any]]:
    return [began(name, given), ended(output, **more)]


def kept(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "session-state" / "s-1" / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def steps(folder: Path, *lines: dict[str, Any]) -> list[Said | Did | Noted]:
    return [step.what for step in read_transcript(kept(folder, *lines)).steps]


def test_a_transcript_of_copilot_tells_who_said_and_did_what(tmp_path: Path) -> None:
    requests = [{"toolCallId": "c", "name": "edit", "arguments": {"path": "pump.py"}, "type": "function"}]
    path = kept(
        tmp_path,
        start("/srv/ferry"),
        asked("Mend the pump."),
        line("assistant.turn_start", 2, turnId="0"),
        line("assistant.message", 2, messageId="m", content="", toolRequests=requests),
        *called("edit", {"path": "pump.py", "old_str": "a = 1", "new_str": "a = 2"}, "File pump.py updated."),
        line("session.compaction_complete", 5, success=True, summaryContent="All of it."),
        line("session.resume", 6, resumeTime="2026-11-02T09:06:00Z", eventCount=7),
        line("assistant.message", 7, messageId="n", content="We decided to set a to 2.", toolRequests=[]),
        began("bash", {"command": "sleep 99"}, call="d"),
    )
    reading = read_transcript(path)
    assert (reading.client, reading.broken) == ("copilot", 0)
    assert [step.what for step in reading.steps] == [
        Said("user", "Mend the pump."),
        Did(
            "edit",
            {"path": "pump.py", "old_str": "a = 1", "new_str": "a = 2"},
            "File pump.py updated.",
            False,
        ),
        Noted("compacted"),
        Said("assistant", "We decided to set a to 2."),
        Did("bash", {"command": "sleep 99"}),
    ]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        assert dp.sessions.add_transcripts(path).sessions == 1
        assert dp.sessions.add_transcripts(path).added == 0
        (session,) = dp.sessions.sessions()
        assert (session.id, session.client, session.folder) == ("s-1", "copilot", "/srv/ferry")


def test_a_session_that_went_on_after_an_import_gets_its_new_events(tmp_path: Path) -> None:
    lines = [start("/srv/ferry"), asked("Mend the pump.")]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_transcripts(kept(tmp_path, *lines))
        resumed = line("session.resume", 8, eventCount=2, context={"cwd": "/srv/ferry/sub"})
        report = dp.sessions.add_transcripts(kept(tmp_path, *lines, resumed, asked("Now the mast.", 9)))
        assert (report.added, report.known) == (1, 1)
        assert [event.text for event in dp.sessions.timeline()] == ["Mend the pump.", "Now the mast."]


@pytest.mark.parametrize(
    "line",
    [
        asked("Read the skill.", source="skill-oil"),
        asked("Report back.", source="agent-7"),
        asked("Go on.", isAutopilotContinuation=True),
        line("user.message", 1, {"agentId": "a"}, content="Explore."),
        line("assistant.message", 1, content="Explored.", parentToolCallId="t"),
        line("tool.execution_start", 1, {"agentId": "a"}, toolCallId="x", toolName="bash", arguments={}),
        line("system.message", 1, role="system", content="You are Copilot."),
        line("assistant.reasoning", 1, reasoningId="r", content="Hm."),
    ],
    ids=lambda line: f"{line['type']} {sorted(line['data'])[-1]}",
)
def test_texts_and_calls_of_programs_and_sub_agents_are_no_part_of_the_session(
    tmp_path: Path, line: dict[str, Any]
) -> None:
    assert steps(tmp_path, start("/srv/ferry"), line, asked("Mend it.")) == [Said("user", "Mend it.")]


def test_a_session_that_another_one_spawned_has_no_requests_of_the_user(tmp_path: Path) -> None:
    spawned = start("/srv/ferry", detachedFromSpawningParentSessionId="s-0")
    assert steps(tmp_path, spawned, asked("Collect memories.")) == []


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("no paint\n<exited with exit code 2>", True),
        ("no paint\n<shellId: 0 completed with exit code 2>", True),
        ("no paint\n<shellId: 12 completed with exit code 0>", False),
        ("no paint", False),
    ],
)
def test_the_status_below_the_output_of_a_command_tells_whether_it_failed(
    tmp_path: Path, output: str, failed: bool
) -> None:
    lines = called("bash", {"command": "make hull"}, output)
    assert steps(tmp_path, start("/"), *lines) == [Did("bash", {"command": "make hull"}, "no paint", failed)]


def test_a_call_that_fails_or_that_the_user_refuses_says_so(tmp_path: Path) -> None:
    def failed(message: str) -> list[dict[str, Any]]:
        return called("create", {"path": "a"}, "", success=False, result=None, error={"message": message})

    refused = steps(tmp_path, start("/"), *failed("The user rejected this tool call."))
    broken = steps(tmp_path, start("/"), *failed("Path is a folder"))
    kinds = [[event.category for event in events_of(what)] for (what,) in (refused, broken)]
    assert kinds == [["rejected"], ["error"]]


def test_a_tool_of_another_server_reads_a_text_from_outside(tmp_path: Path) -> None:
    more = {"mcpServerName": "tides", "mcpToolName": "read"}
    what, patch = steps(
        tmp_path,
        start("/"),
        began("tides-read", {"harbour": "Kiel"}, **more),
        ended("0.1 m"),
        began("apply_patch", "*** Begin Patch\n*** Add File: a.py\n+a = 1\n*** End Patch", call="p"),
        ended("Done.", call="p"),
    )
    assert what == Did("mcp__tides__read", {"harbour": "Kiel"}, "0.1 m", False)
    assert reads_outside(what)
    assert [event.text for event in events_of(patch)] == ["Created a.py\na = 1"]


def test_the_summary_of_a_finished_task_is_an_answer(tmp_path: Path) -> None:
    done = line("session.task_complete", 5, summary="The pump is mended.", success=True)
    nothing = line("session.task_complete", 6, summary="")
    assert steps(tmp_path, start("/"), done, nothing) == [Said("assistant", "The pump is mended.")]


def test_an_answer_of_the_user_is_a_decision(tmp_path: Path) -> None:
    given = {"question": "Which colour?", "choices": ["red", "blue"]}
    (what,) = steps(tmp_path, start("/"), *called("ask_user", given, "User selected: red"))
    (event,) = events_of(what)
    assert (event.category, event.text) == ("decision", "Which colour?\nUser selected: red")


@pytest.mark.parametrize("data", [None, [], {"content": 7}, {"content": {"text": "x"}, "toolCallId": []}])
@pytest.mark.parametrize("kind", ["session.start", "user.message", "tool.execution_complete"])
def test_a_line_of_another_shape_leaves_the_others_to_read(tmp_path: Path, kind: str, data: Any) -> None:
    odd = {**line(kind, 1), "data": data, "timestamp": 1, "id": None}
    assert steps(tmp_path, start("/"), odd, asked("Mend it.")) == [Said("user", "Mend it.")]


@pytest.mark.parametrize("moved", [False, True])
def test_transcripts_of_the_project_are_found_where_copilot_keeps_them(tmp_path: Path, moved: bool) -> None:
    ferry, home = project(tmp_path / "ferry", {"sub/README.md": "# Ferry\n"}), tmp_path / "home"
    copilot = tmp_path / "moved" if moved else home / ".copilot"
    for number, place in enumerate((ferry, ferry / "sub", tmp_path / "other")):
        begun = {**start(place), "data": {**start(place)["data"], "sessionId": f"s-{number}"}}
        elsewhere = called("bash", {"command": "ls", "cwd": str(ferry)}, f"token {KEY}\n")
        path = copilot / "session-state" / f"s-{number}" / "events.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(map(json.dumps, (begun, asked(f"Mend {number}."), *elsewhere))))
    env = {"HOME": str(home), **({"COPILOT_HOME": str(copilot)} if moved else {})}
    done = daypack("session", "import", "--yes", cwd=ferry, env=env)
    assert "2 transcripts of this project" in done.stderr
    assert "2 sessions: " in done.stdout
    assert "secret" in done.stdout
    timeline = daypack("session", "timeline", "--limit", "9", cwd=ferry).stdout
    assert KEY not in timeline
