"""Transcripts of Codex, as sessions: whose words they are, and what their calls did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.meaning.events import events_of, reads_outside
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Event
from support import WORDS


def line(kind: str, minute: int, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-10-05T06:{minute:02}:00.000Z", "type": kind, "payload": payload}


def meta(name: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    return line("session_meta", minute, id=name, cwd="/srv/ferry", **more)


def message(who: str, text: str, minute: int) -> dict[str, Any]:
    kind = "input_text" if who == "user" else "output_text"
    return line("response_item", minute, type="message", role=who, content=[{"type": kind, "text": text}])


def called(name: str, given: dict[str, Any], output: str) -> list[dict[str, Any]]:
    arguments = json.dumps(given)
    return [
        line("response_item", 5, type="function_call", name=name, call_id="f", arguments=arguments),
        line("response_item", 6, type="function_call_output", call_id="f", output=output),
    ]


def rollout(folder: Path, name: str, *lines: dict[str, Any]) -> Path:
    path = folder / f"rollout-{name}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


PARENT = [meta("parent"), message("user", "Paint the funnel.", 1), message("assistant", "Painted.", 2)]


def test_the_work_of_a_sub_agent_is_not_a_session_with_requests_of_the_user(
    dp: Daypack, tmp_path: Path
) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "parent", "depth": 1}}}
    asked = message("user", "Measure all masts. Never touch the rudder.", 3)
    paths = (rollout(tmp_path, "p", *PARENT), rollout(tmp_path, "s", meta("s", 3, source=spawned), asked))
    report = dp.sessions.add_transcripts(*paths)
    assert (report.files, report.sessions, report.issues) == (2, 1, ())
    assert [session.id for session in dp.sessions.sessions()] == ["parent"]
    assert "rudder" not in dp.sessions.resume().text


def test_the_turns_of_a_fork_are_its_own(dp: Daypack, tmp_path: Path) -> None:
    asked = message("user", "Now oil the rudder.", 9)
    paths = (rollout(tmp_path, "p", *PARENT), rollout(tmp_path, "f", meta("fork", 8), *PARENT, asked))
    assert dp.sessions.add_transcripts(*paths).sessions == 2
    assert {session.id for session in dp.sessions.sessions()} == {"parent", "fork"}
    assert [event.text for event in dp.sessions.timeline(session="parent")] == [
        "Paint the funnel.",
        "Painted.",
    ]
    assert "Now oil the rudder." in [event.text for event in dp.sessions.timeline(session="fork")]


def test_an_import_counts_a_session_of_several_files_once_and_none_without_events(
    dp: Daypack, tmp_path: Path
) -> None:
    context = message("user", "<environment_context>x</environment_context>", 1)
    paths = [
        rollout(tmp_path, "a", *PARENT),
        rollout(tmp_path, "b", *PARENT, message("user", "Go on.", 4)),
        rollout(tmp_path, "c", meta("empty"), context),
    ]
    report = dp.sessions.add_transcripts(*paths)
    assert (report.files, report.sessions, len(dp.sessions.sessions())) == (3, 1, 1)


PATCH = "*** Begin Patch\n*** Update File: src/pump.py\n@@\n-a = 1\n+a = 2\n*** End Patch"


@pytest.mark.parametrize(
    ("name", "given", "path"),
    [
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]}, "src/pump.py"),
        ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"}, "src/pump.py"),
        (
            "shell",
            {"command": ["bash", "-lc", f"cd sub && apply_patch <<EOF\n{PATCH}\nEOF"]},
            "sub/src/pump.py",
        ),
        ("shell", {"command": ["apply_patch", PATCH]}, "src/pump.py"),
    ],
    ids=["heredoc", "exec_command", "in a folder", "list"],
)
def test_a_patch_that_a_shell_applies_is_a_change_of_its_file(
    tmp_path: Path, name: str, given: dict[str, Any], path: str
) -> None:
    output = json.dumps({"output": "Success. Updated the following files", "metadata": {"exit_code": 0}})
    (step,) = read_transcript(rollout(tmp_path, "a", meta("a"), *called(name, given, output))).steps
    (event,) = events_of(step.what)
    assert (event.category, event.subject, event.text) == ("file", path, f"Edited {path}\na = 2")


def test_a_command_that_the_user_refused_did_not_run(dp: Daypack, tmp_path: Path) -> None:
    lines = called("shell", {"command": ["bash", "-lc", "rm -rf build"]}, "exec command rejected by user")
    dp.sessions.add_transcripts(rollout(tmp_path, "a", meta("a"), *lines))
    (event,) = dp.sessions.timeline()
    assert (event.category, event.text) == ("rejected", "A person refused shell `rm -rf build`")


def test_a_log_that_tells_of_a_refusal_is_the_output_of_a_command(tmp_path: Path) -> None:
    given = {"command": ["bash", "-lc", "cat login.log"]}
    lines = called("shell", given, "06:00 request rejected by user ada\n06:01 request accepted")
    (step,) = read_transcript(rollout(tmp_path, "a", meta("a"), *lines)).steps
    assert [event.category.value for event in events_of(step.what)] == ["command"]


def test_a_step_that_cannot_be_understood_is_an_issue_of_the_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hostile(what: object) -> list[Event]:
        if isinstance(what, Did) and what.tool == "Twist":
            raise IndexError("no such knot")
        return events_of(what)

    monkeypatch.setattr("daypack.doors.sessions.writing.events_of", hostile)
    path = rollout(tmp_path, "p", *PARENT, *called("Twist", {}, "ok"), message("user", "Go on.", 9))
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        report = dp.sessions.add_transcripts(path)
        said = f"{path.name}: 1 step could not be understood (IndexError: no such knot)"
        assert (report.files, report.issues) == (1, (said,))
        assert [event.text for event in dp.sessions.timeline()][-1] == "Go on."


@pytest.mark.parametrize(
    "text",
    [
        "<skill>\n<name>oil</name>\n<path>/srv/oil.md</path>\nOil every mast.\n</skill>",
        '<subagent_notification>{"agent_id": "a", "status": {"completed": "done"}}</subagent_notification>',
        "<goal_context>\nGo on until the funnel is red.\n</goal_context>",
        "<extension_context>\n<tab>x</tab>\n</extension_context>",
        "<recommended_plugins>\n- mast\n</recommended_plugins>",
        '<hook_prompt hook_run_id="stop:0">Run the tests first.</hook_prompt>',
    ],
)
def test_a_text_that_codex_inserts_is_no_request_of_the_user(tmp_path: Path, text: str) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_transcripts(rollout(tmp_path, "p", *PARENT, message("user", text, 9)))
        assert [event.text for event in dp.sessions.timeline()] == ["Paint the funnel.", "Painted."]


@pytest.mark.parametrize(
    "text",
    [
        "<skill> tags are not drawn; mend the page.",
        "<hook_prompt>Oil it.</hook_prompt>\nThis stands in the log: why?",
    ],
)
def test_a_request_may_begin_with_a_tag_of_codex(tmp_path: Path, text: str) -> None:
    (step,) = read_transcript(rollout(tmp_path, "a", meta("a"), message("user", text, 1))).steps
    assert [(event.category.value, event.text) for event in events_of(step.what)] == [("prompt", text)]


@pytest.mark.parametrize("heading", ["My request for Codex:", "My request:"])
@pytest.mark.parametrize("preface", ["Context from my IDE setup:", "Files mentioned by the user:"])
def test_the_files_that_an_editor_lists_are_no_part_of_the_request(
    tmp_path: Path, preface: str, heading: str
) -> None:
    text = f"# {preface}\n\n## Open tabs:\n- rudder.md: docs/rudder.md\n\n## {heading}\nNow oil the mast.\n"
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_transcripts(rollout(tmp_path, "p", *PARENT, message("user", text, 9)))
        assert dp.sessions.timeline()[-1].text == "Now oil the mast."


def test_a_command_that_the_user_typed_is_a_command_with_its_outcome(tmp_path: Path) -> None:
    typed = (
        "<user_shell_command>\n<command>\nmake hull\n</command>\n<result>\nExit code: 2\nDuration: 0.1 seconds\n"
        "Output:\nno paint\n</result>\n</user_shell_command>"
    )
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.sessions.add_transcripts(rollout(tmp_path, "p", *PARENT, message("user", typed, 9)))
        command, error = dp.sessions.timeline()[2:]
        assert (command.category, command.text) == ("command", "$ make hull")
        assert (error.category, error.text) == ("error", "`make hull` failed: no paint")


HEADS = {
    "exec_command": "Chunk ID: a1\nWall time: 0.05 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\n",
    "shell": "Exit code: 1\nWall time: 0.1 seconds\nTotal output lines: 1\nOutput:\n",
}


@pytest.mark.parametrize("tool", HEADS)
def test_an_error_has_the_output_without_the_lines_that_codex_adds(tmp_path: Path, tool: str) -> None:
    given = {"cmd": "make hull"} if tool == "exec_command" else {"command": ["make", "hull"]}
    lines = called(tool, given, HEADS[tool] + "no paint\n")
    (step,) = read_transcript(rollout(tmp_path, "a", meta("a"), *lines)).steps
    assert events_of(step.what)[-1].text == "`make hull` failed: no paint"


@pytest.mark.parametrize("tool", HEADS)
def test_a_search_that_finds_nothing_is_no_open_error(tmp_path: Path, tool: str) -> None:
    given = (
        {"cmd": "rg -n rudder src"} if tool == "exec_command" else {"command": ["rg", "-n", "rudder", "src"]}
    )
    (step,) = read_transcript(rollout(tmp_path, "a", meta("a"), *called(tool, given, HEADS[tool]))).steps
    assert [event.category.value for event in events_of(step.what)] == ["command"]


def test_a_tool_whose_server_stands_in_its_namespace_reads_a_text_from_outside(tmp_path: Path) -> None:
    call = {"type": "function_call", "name": "board", "call_id": "f", "arguments": '{"q": "pump"}'}
    blocks = json.dumps([{"type": "text", "text": "The pump is red."}])
    answer = line("response_item", 2, type="function_call_output", call_id="f", output=blocks)
    for namespace in ("mcp__ferry", "mcp__ferry__"):
        asked = line("response_item", 1, **call, namespace=namespace)
        (step,) = read_transcript(rollout(tmp_path, "n", meta("n"), asked, answer)).steps
        assert step.what == Did("mcp__ferry__board", {"q": "pump"}, "The pump is red.", None)
        assert reads_outside(step.what)


def test_a_search_of_the_web_reads_a_text_from_outside(tmp_path: Path) -> None:
    searched = {"type": "search", "query": "tides of Kiel"}
    opened = {"type": "open_page", "url": "https://example.org/tides"}
    calls = [line("response_item", 1, type="web_search_call", action=one) for one in (searched, opened)]
    steps = read_transcript(rollout(tmp_path, "w", meta("w"), *calls)).steps
    assert all(reads_outside(step.what) for step in steps)
    events = [event for step in steps for event in events_of(step.what)]
    assert [(event.category.value, event.subject) for event in events] == [
        ("web", "tides of Kiel"),
        ("web", "https://example.org/tides"),
    ]
