"""Chats of Gemini CLI, as sessions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.meaning.events import reads_outside
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Noted, Said
from support import daypack, project

SESSION = "0c9d2f4a-7a34-4c65-b0b5-000000000001"
ABOUT = {"sessionId": SESSION, "projectHash": "abc", "startTime": "2026-11-02T09:00:00.000Z"}


def message(name: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    minute = int(name[1:])
    return {
        "id": name,
        "timestamp": f"2026-11-02T09:{minute:02}:00.000Z",
        "type": kind,
        "content": content,
        **more,
    }


def call(name: str, args: dict[str, Any], output: str, status: str = "success") -> dict[str, Any]:
    response = {"error" if status == "error" else "output": output}
    result = [{"functionResponse": {"id": f"{name}-1", "name": name, "response": response}}]
    at = "2026-11-02T09:02:30.000Z"
    return {
        "id": f"{name}-1",
        "name": name,
        "args": args,
        "result": result,
        "status": status,
        "timestamp": at,
    }


RAN = call("run_shell_command", {"command": "make"}, "Output: no rule\nExit Code: 2")
FILES = (
    "\n--- Content from referenced files ---\nNever stop.\n--- End of content ---\nWe decided to paint it red."
    "\n--- End of content ---"
)
CHAT = [
    message(
        "m1",
        "user",
        [{"text": "Mend the pump of @pump.py."}, {"text": FILES}],
        displayContent="Mend the pump of @pump.py.",
    ),
    message(
        "m2", "gemini", "I will run it.", toolCalls=[RAN], thoughts=[{"subject": "Pump", "description": "…"}]
    ),
    message("m3", "user", [{"functionResponse": {"name": "run_shell_command", "response": {"output": "x"}}}]),
    message("m4", "info", "Update available"),
    message(
        "m5", "gemini", [{"text": "thinking", "thought": True}, {"text": "We decided to change the pump."}]
    ),
]
EXPECTED = [
    Said("user", "Mend the pump of @pump.py."),
    Said("assistant", "I will run it."),
    Did("run_shell_command", {"command": "make"}, "Output: no rule\nExit Code: 2", True),
    Said("assistant", "We decided to change the pump."),
]


def kept(
    folder: Path, *lines: dict[str, Any], name: str = f"session-2026-11-02T09-00-{SESSION[:8]}.jsonl"
) -> Path:
    path = folder / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def whats(path: Path) -> list[Said | Did | Noted]:
    return [step.what for step in read_transcript(path).steps]


def test_a_chat_of_gemini_tells_who_said_and_did_what(dp: Daypack, tmp_path: Path) -> None:
    written_again = {**CHAT[1], "toolCalls": [{**RAN, "status": "executing", "result": None}]}
    path = kept(tmp_path, ABOUT, CHAT[0], written_again, *CHAT[1:], {"$set": {"lastUpdated": "x"}})
    assert whats(path) == EXPECTED
    report = dp.sessions.add_transcripts(path)
    assert (report.sessions, report.issues) == (1, ())
    assert dp.sessions.sessions()[0].client == "gemini"


def test_the_contents_of_files_that_a_request_names_are_no_words_of_the_user(
    dp: Daypack, tmp_path: Path
) -> None:
    asked = message("m1", "user", [{"text": "Mend the pump of @pump.py."}, {"text": FILES}])
    captured = {
        "hook_event_name": "BeforeAgent",
        "session_id": SESSION,
        "prompt": f"Mend the pump of @pump.py.{FILES}",
    }
    time = read_transcript(kept(tmp_path, ABOUT, asked)).steps[0].time
    dp.sessions.add_steps(steps_of_hook(captured, time=time - 1, key="k"))
    dp.sessions.add_transcripts(kept(tmp_path, ABOUT, asked))
    assert [(event.text, event.count) for event in dp.sessions.timeline()] == [
        ("Mend the pump of @pump.py.", 1)
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_chat_of_an_older_version_is_one_object(tmp_path: Path, indent: int | None) -> None:
    path = kept(tmp_path, name="session-2026-11-02T09-00-0c9d2f4a.json")
    path.write_text(json.dumps({**ABOUT, "messages": CHAT}, indent=indent))
    assert whats(path) == EXPECTED


def test_a_chat_that_went_on_in_the_newer_form_counts_once(dp: Daypack, tmp_path: Path) -> None:
    older = kept(tmp_path, name="session-2026-11-02T09-00-0c9d2f4a.json")
    older.write_text(json.dumps({**ABOUT, "messages": CHAT}))
    dp.sessions.add_transcripts(older)
    more = message("m6", "user", "Now write it down.")
    report = dp.sessions.add_transcripts(kept(tmp_path, ABOUT, *CHAT, more))
    assert (report.added, report.repeated) == (1, 0)


def test_the_messages_that_the_user_took_back_are_left_out(tmp_path: Path) -> None:
    path = kept(tmp_path, ABOUT, *CHAT, message("m6", "user", "Delete it."), {"$rewindTo": "m6"})
    assert whats(path) == EXPECTED


def test_a_compaction_keeps_the_messages_before_it_and_takes_no_summary_for_a_request(tmp_path: Path) -> None:
    summary = message("m7", "user", [{"text": "<state_snapshot>All is well.</state_snapshot>"}])
    shorter = {"$set": {"messages": [summary, message("m8", "gemini", "Got it.")]}}
    path = kept(tmp_path, ABOUT, *CHAT, shorter, shorter, message("m9", "user", "Go on."))
    assert whats(path) == [*EXPECTED, Noted("compacted"), Said("user", "Go on.")]


def test_the_chat_of_a_sub_agent_is_no_session(tmp_path: Path) -> None:
    assert whats(kept(tmp_path, {**ABOUT, "kind": "subagent"}, *CHAT)) == []


def test_commands_and_texts_of_the_program_are_no_requests(tmp_path: Path) -> None:
    said = ["/help", "/chat save x", "?", "<session_context>Today</session_context>", "/srv/ferry is broken"]
    lines = [message(f"m{number}", "user", text) for number, text in enumerate(said)]
    assert whats(kept(tmp_path, ABOUT, *lines)) == [Said("user", "/srv/ferry is broken")]


def test_a_tool_of_another_server_reads_a_text_from_outside(tmp_path: Path) -> None:
    calls = [call("mcp_ferry_board", {"q": "pump"}, "red", "error"), {"id": "x", "name": "glob", "args": {}}]
    made = whats(kept(tmp_path, ABOUT, message("m1", "gemini", "", toolCalls=calls)))
    assert made == [Did("mcp__ferry__board", {"q": "pump"}, "red", True), Did("glob")]
    assert reads_outside(made[0])


def test_the_log_of_requests_tells_of_sessions_without_a_chat(tmp_path: Path) -> None:
    kept(tmp_path, ABOUT, *CHAT)
    entries = [
        {
            "sessionId": name,
            "messageId": number,
            "type": "user",
            "message": text,
            "timestamp": "2026-11-02T08:00:00Z",
        }
        for name in (SESSION, "11111111-older")
        for number, text in enumerate(("Paint it red.", "/quit"))
    ]
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(entries, indent=2))
    (step,) = read_transcript(path).steps
    assert (step.session, step.what) == ("11111111-older", Said("user", "Paint it red."))


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("form", ["marker", "registry", "hash"])
def test_chats_of_the_project_are_found_where_gemini_keeps_them(
    tmp_path: Path, form: str, moved: bool
) -> None:
    ferry, home = project(tmp_path / "ferry", {"README.md": "# Ferry\n"}), tmp_path / "home"
    place = (tmp_path / "moved" if moved else home) / ".gemini"
    for name, folder in (("ferry", ferry), ("other", tmp_path / "other")):
        slug = hashlib.sha256(str(folder).encode()).hexdigest() if form == "hash" else name
        about = {**ABOUT, "sessionId": f"{name}-{SESSION}"}
        kept(place / "tmp" / slug, about, message("m1", "user", f"Mend the {name}."))
        if form == "marker":
            (place / "tmp" / slug / ".project_root").write_text(str(folder))
    if form == "registry":
        registry = {str(ferry): "ferry", str(tmp_path / "other"): "other"}
        (place / "projects.json").write_text(json.dumps({"projects": registry}))
    env = {"HOME": str(home), **({"GEMINI_CLI_HOME": str(tmp_path / "moved")} if moved else {})}
    done = daypack("session", "import", "--yes", cwd=ferry, env=env)
    assert "1 transcript of this project" in done.stderr
    assert "Mend the ferry." in daypack("session", "timeline", cwd=ferry).stdout
