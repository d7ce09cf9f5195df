"""Transcripts of the public formats, as sessions. All of them were written for these tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import labelled
import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import response_of, steps_of_hook
from daypack.doors.sessions.meaning.events import events_of
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Category, Did, Said, State

ASKED, ANSWERED, COMMAND = "Paint the funnel green", "We decided to use two coats.", "make paint"


def jsonl(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def claude() -> str:
    base = {"sessionId": "c-1", "cwd": "/srv/ferry", "isSidechain": False}
    return jsonl(
        {"type": "summary", "summary": "Painting", "leafUuid": "x"},
        {
            **base,
            "type": "user",
            "uuid": "1",
            "timestamp": "2026-10-05T06:00:00Z",
            "message": {"role": "user", "content": ASKED},
        },
        {
            **base,
            "type": "user",
            "uuid": "2",
            "timestamp": "2026-10-05T06:00:01Z",
            "isMeta": True,
            "message": {"role": "user", "content": "Caveat: …"},
        },
        {
            **base,
            "type": "assistant",
            "uuid": "3",
            "timestamp": "2026-10-05T06:01:00Z",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": ANSWERED},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": COMMAND}},
                ],
            },
        },
        {
            **base,
            "type": "user",
            "uuid": "4",
            "timestamp": "2026-10-05T06:02:00Z",
            "message": {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "is_error": True,
                        "content": [{"type": "text", "text": "Exit code 2\nno paint"}],
                    }
                ],
            },
        },
        {
            **base,
            "type": "assistant",
            "uuid": "5",
            "isSidechain": True,
            "timestamp": "2026-10-05T06:03:00Z",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "a helper speaks"}]},
        },
    )


def codex() -> str:
    at = "2026-10-05T06:0{}:00.000Z"
    return jsonl(
        {
            "timestamp": at.format(0),
            "type": "session_meta",
            "payload": {
                "id": "x-1",
                "timestamp": at.format(0),
                "cwd": "/srv/ferry",
                "originator": "codex_cli_rs",
            },
        },
        {
            "timestamp": at.format(0),
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [
                    {
                        "type": "input_text",
                        "text": "<environment_context>\n<cwd>/srv/ferry</cwd>\n</environment_context>",
                    }
                ],
            },
        },
        {
            "timestamp": at.format(0),
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": ASKED}],
            },
        },
        {
            "timestamp": at.format(0),
            "type": "event_msg",
            "payload": {"type": "user_message", "message": ASKED},
        },
        {"timestamp": at.format(1), "type": "response_item", "payload": {"type": "reasoning", "summary": []}},
        {
            "timestamp": at.format(1),
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": ANSWERED}],
            },
        },
        {
            "timestamp": at.format(2),
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "name": "shell",
                "call_id": "f1",
                "arguments": json.dumps({"command": ["bash", "-lc", COMMAND]}),
            },
        },
        {
            "timestamp": at.format(3),
            "type": "response_item",
            "payload": {
                "type": "function_call_output",
                "call_id": "f1",
                "output": json.dumps({"output": "no paint", "metadata": {"exit_code": 2}}),
            },
        },
    )


def codex_before() -> str:
    """As Codex wrote it in its first months: items without a wrapper."""
    return jsonl(
        {"id": "x-0", "timestamp": "2025-06-01T06:00:00.000Z", "instructions": None, "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ASKED}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWERED}]},
        {
            "type": "function_call",
            "name": "shell",
            "call_id": "f1",
            "arguments": json.dumps({"command": ["bash", "-lc", COMMAND]}),
        },
        {
            "type": "function_call_output",
            "call_id": "f1",
            "output": json.dumps({"output": "no paint", "metadata": {"exit_code": 2}}),
        },
    )


def messages() -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": "You paint."},
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
    ]


def mapping() -> str:
    def node(n: int, role: str, text: str) -> dict[str, Any]:
        return {
            "id": str(n),
            "message": {
                "id": str(n),
                "author": {"role": role},
                "create_time": 1.7e9 + n,
                "content": {"content_type": "text", "parts": [text]},
            },
        }

    nodes = [node(2, "assistant", ANSWERED), node(1, "user", ASKED)]
    return json.dumps(
        [
            {
                "title": "Paint",
                "conversation_id": "g-1",
                "create_time": 1.7e9,
                "mapping": {n["id"]: n for n in nodes} | {"root": {"message": None}},
            }
        ]
    )


def exported() -> str:
    chat = [
        {"uuid": "1", "sender": "human", "text": ASKED, "created_at": "2026-10-05T06:00:00Z"},
        {"uuid": "2", "sender": "assistant", "text": ANSWERED, "created_at": "2026-10-05T06:01:00Z"},
    ]
    return json.dumps([{"uuid": "e-1", "name": "Paint", "chat_messages": chat}])


FORMATS: dict[str, tuple[str, Callable[[], str]]] = {
    "claude": ("c.jsonl", claude),
    "codex": ("rollout-x.jsonl", codex),
    "codex before": ("rollout-y.jsonl", codex_before),
    "messages": ("chat.json", lambda: json.dumps(messages(), indent=1)),
    "messages in an object": ("chat.json", lambda: json.dumps({"messages": messages()})),
    "a message a line": ("chat.jsonl", lambda: jsonl(*messages())),
    "export with a mapping": ("conversations.json", mapping),
    "export with chat_messages": ("conversations.json", exported),
    "plain text": ("chat.txt", lambda: f"User: {ASKED}\n\nAssistant: {ANSWERED}\n"),
    "headings": (
        "cursor.md",
        lambda: (
            f"# Paint\n_Exported from Cursor_\n\n---\n\n**User**\n\n{ASKED}\n\n---\n\n**Cursor**\n\n{ANSWERED}\n"
        ),
    ),
    "headings with times": (
        "specstory.md",
        lambda: (
            f"_**User (2026-10-05 06:00Z)**_\n\n{ASKED}\n\n---\n\n_**Agent (some-model)**_\n\n{ANSWERED}\n\n---\n"
        ),
    ),
    "markdown": ("chat.md", lambda: f"**User:** {ASKED}\n\n**Assistant:** {ANSWERED}\n"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_who_said_what(name: str, dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / FORMATS[name][0]
    path.write_text(FORMATS[name][1]())
    reading = read_transcript(path)
    events = [event for step in reading.steps for event in events_of(step.what)]
    assert [event.text for event in events if event.category is Category.PROMPT] == [ASKED]
    assert [event.text for event in events if event.category is Category.ANSWER] == [ANSWERED]
    assert reading.broken == 0
    if name in ("claude", "codex", "codex before"):
        assert [(event.subject, event.state) for event in events if event.category is Category.ERROR] == [
            (COMMAND, State.OPEN)
        ]
    first = dp.sessions.add_transcripts(path)
    again = dp.sessions.add_transcripts(path)
    assert (first.files, first.sessions, again.added, again.repeated) == (1, 1, 0, 0)
    assert ASKED in dp.sessions.resume().text


def test_a_turn_has_the_time_of_its_heading(tmp_path: Path) -> None:
    path = tmp_path / "chat.md"
    path.write_text(
        "_**User (2026-10-05 06:00Z)**_\n\nPaint it.\n\n_**Agent (fast)**_\n\n## Model\n\nPainted.\n"
    )
    first, second = read_transcript(path).steps
    assert first.time == 1791180000.0
    assert second.time == pytest.approx(first.time, abs=1)
    assert second.what == Said("assistant", "## Model\n\nPainted.")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("_Exported on 10/3/2026 at 17:40:12 GMT+1 from Cursor (2.0)_", "2026-10-03T16:40:12+00:00"),
        ("_Exported on 10/3/2026 at 5:40:12 PM GMT-5 from Cursor (2.0)_", "2026-10-03T22:40:12+00:00"),
        ("_Exported on 3.10.2026 at 17:40:12 UTC from Cursor (2.0)_", "2026-10-03T17:40:12+00:00"),
        ("_Exported on 2026-10-03 at 17:40 from Cursor (2.0)_", "2026-10-03T17:40:00+00:00"),
        ("_Exported on 13/13/2026 at 17:40 from Cursor (2.0)_", "2026-10-05T06:00:00+00:00"),
        ("_Exported on a sunny day_", "2026-10-05T06:00:00+00:00"),
    ],
)
def test_an_exported_chat_has_the_time_of_its_export(said: str, expected: str, tmp_path: Path) -> None:
    """It was today for a chat of last month that was copied here today, and the current session."""
    path = tmp_path / "chat.md"
    path.write_text(f"# Paint\n{said}\n\n---\n\n**User**\n\n{ASKED}\n\n---\n\n**Cursor**\n\n{ANSWERED}\n")
    written = datetime.fromisoformat("2026-10-05T06:00:00Z").timestamp()
    os.utime(path, (written, written))
    first, _ = read_transcript(path).steps
    assert datetime.fromtimestamp(first.time, UTC).isoformat() == expected


def test_what_a_person_says_while_the_agent_works_is_a_prompt(tmp_path: Path) -> None:
    def queued(n: int, mode: str, prompt: Any) -> dict[str, Any]:
        told = {"type": "queued_command", "prompt": prompt, "commandMode": mode}
        at = f"2026-10-05T06:0{n}:00Z"
        return {
            "type": "attachment",
            "sessionId": "c-1",
            "uuid": f"q{n}",
            "timestamp": at,
            "attachment": told,
        }

    path = tmp_path / "c.jsonl"
    notes = [
        queued(7, "prompt", "Only the port side"),
        queued(8, "prompt", [{"type": "text", "text": "And varnish it"}]),
        queued(9, "task-notification", "<task-notification>a shell ended</task-notification>"),
    ]
    path.write_text(claude() + jsonl(*notes))
    said = [step.what.text for step in read_transcript(path).steps if isinstance(step.what, Said)]
    assert said == [ASKED, ANSWERED, "Only the port side", "And varnish it"]


def test_a_command_that_a_user_types_in_claude_code_is_their_prompt_or_a_command(tmp_path: Path) -> None:
    texts = (
        "<command-message>fix-issue is running…</command-message>\n<command-name>/fix-issue</command-name>\n"
        "<command-args>Round fares down.\nNever up.</command-args>",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<local-command-stdout>Cleared</local-command-stdout>",
        "<bash-input>make paint</bash-input>",
        "<bash-stdout>two coats</bash-stdout><bash-stderr>fatal: no green left</bash-stderr>",
        "<bash-input>git status</bash-input>",
        "<bash-input>pytest -q</bash-input>",
    )
    lines = (
        {
            "sessionId": "c-9",
            "type": "user",
            "uuid": f"u{n}",
            "timestamp": f"2026-10-05T06:0{n}:00Z",
            "message": {"role": "user", "content": text},
        }
        for n, text in enumerate(texts)
    )
    path = tmp_path / "typed.jsonl"
    path.write_text(jsonl(*lines))
    steps = read_transcript(path).steps
    events = [event for step in steps for event in events_of(step.what)]
    assert [(event.category, event.text) for event in events] == [
        (Category.PROMPT, "/fix-issue Round fares down.\nNever up."),
        (Category.COMMAND, "$ make paint"),
        (Category.ERROR, "`make paint` failed: two coats\nfatal: no green left"),
        (Category.COMMAND, "$ git status"),
        (Category.TEST, "$ pytest -q"),
    ]
    assert [mark.category for mark in events[0].marks] == [Category.CONSTRAINT]
    assert [step.key for step in steps if isinstance(step.what, Did)] == ["u3", "u5", "u6"]


def test_a_call_counts_with_its_result(dp: Daypack, tmp_path: Path) -> None:
    """An edit that failed changed nothing, and the first import of a transcript finds nothing imported before."""
    base = {"sessionId": "c-2", "cwd": "/srv/ferry", "timestamp": "2026-10-05T06:00:00Z"}

    def called(n: int, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        block = {"type": "tool_use", "id": f"t{n}", "name": tool, "input": given}
        return {**base, "type": "assistant", "uuid": f"a{n}", "message": {"content": [block]}}

    def ended(n: int, output: str, *, failed: bool = False) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": f"t{n}", "content": output, "is_error": failed}
        return {**base, "type": "user", "uuid": f"b{n}", "message": {"content": [block]}}

    edit = {"file_path": "/srv/ferry/pump.py", "new_string": "b"}
    lines = [
        called(1, "Edit", edit),
        ended(1, "not found", failed=True),
        called(2, "Bash", {"command": "ls"}),
    ]
    path = tmp_path / "t.jsonl"
    path.write_text(jsonl(*lines, ended(2, "pump.py"), called(3, "Bash", {"command": "make"})))
    first = dp.sessions.add_transcripts(path)
    assert (first.added, first.known) == (3, 0)
    assert [event.category.value for event in dp.sessions.timeline()] == ["error", "command", "command"]
    path.write_text(path.read_text() + jsonl(ended(3, "Exit code 2\nno rule", failed=True)))
    assert dp.sessions.add_transcripts(path).added == 1
    assert "no rule" in dp.sessions.resume().text


def test_a_transcript_that_is_still_written_loses_its_last_line_only(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    whole = claude()
    path.write_text(whole + whole.splitlines()[1][:40])
    assert (len(read_transcript(path).steps), read_transcript(path).broken) == (3, 1)
    path.write_text(whole)
    assert (len(read_transcript(path).steps), read_transcript(path).broken) == (3, 0)


@pytest.mark.parametrize(
    "text",
    ["", "just a text\nof two lines\n", "{}", "[]", "[1, 2]", '{"a": 1}\n{"b": 2}\n', "{" * 5000, "\x00\x01"],
    ids=range(8),
)
def test_what_is_no_transcript_is_said_to_be_none(text: str, dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    assert read_transcript(path).steps == []
    (issue,) = dp.sessions.add_transcripts(path).issues
    assert issue.startswith(
        "x.jsonl: not a transcript of a known form (Claude Code, Codex, Copilot CLI, Gemini CLI, opencode, Aider, or a chat"
    )


def long_claude() -> Iterator[dict[str, Any]]:
    for n in range(900):
        yield {
            "type": "user" if n % 2 else "assistant",
            "uuid": f"more-{n}",
            "sessionId": labelled.SESSION,
            "timestamp": "2026-10-05T04:00:00Z",
            "message": {
                "role": "x",
                "content": f"Turn {n}. " + f"Words about pier {n % 97} and buoy {n}. " * 130,
            },
        }


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [{"type": ["object"]}, {"type": {}, "data": {}}, {"role": "user", "content": "hi", "timestamp": 10**400}],
)
def test_no_value_of_a_line_ends_the_reading_of_a_folder(line: dict[str, Any], tmp_path: Path) -> None:
    good = {"role": "user", "content": "Paint the hull green.", "timestamp": 1_790_000_000}
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (line, good)))
    assert Said("user", "Paint the hull green.") in [step.what for step in read_transcript(path).steps]


def test_four_megabytes_are_imported_once_and_the_resume_is_right(dp: Daypack, tmp_path: Path) -> None:
    path = labelled.write(tmp_path / "t.jsonl", more=long_claude())
    assert path.stat().st_size > 4_000_000
    assert dp.sessions.add_transcripts(path).added > 900
    assert dp.sessions.add_transcripts(path).added == 0
    text = dp.sessions.resume(budget=800).text
    assert {
        "the last request",
        "the open error",
        "an open task",
        "another open task",
        "the task in progress",
    } <= labelled.found(text)


# ---------------------------------------------------------------- hooks


def test_hook_events_become_steps() -> None:
    def steps(name: str, **event: Any) -> list[Any]:
        return [
            step.what
            for step in steps_of_hook(
                {"hook_event_name": name, "session_id": "s", **event}, time=1.0, key="k"
            )
        ]

    assert steps("UserPromptSubmit", prompt=ASKED) == [Said("user", ASKED)]
    (done,) = steps(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": "ls"},
        tool_response={"stdout": "a\nb", "stderr": ""},
        tool_use_id="t",
    )
    assert done == Did("Bash", {"command": "ls"}, "a\nb", False)
    (failed,) = steps(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "ls"},
        error="Exit code 2\nno such file",
    )
    assert (failed.failed, failed.output) == (True, "Exit code 2\nno such file")
    (begun,) = steps("PreToolUse", tool_name="Read", tool_input={"file_path": "a.py"})
    assert (begun.output, begun.failed) == (None, None)
    assert steps("Stop", last_assistant_message=ANSWERED) == [Said("assistant", ANSWERED)]
    assert "compacted" in steps("PreCompact", trigger="auto")[0].text
    assert "startup" in steps("SessionStart", source="startup")[0].text
    assert "logout" in steps("SessionEnd", reason="logout")[0].text
    assert steps("Notification", message="x") == steps("Whatever") == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, (None, None)),
        ("text", ("text", None)),
        ({"stdout": "out", "stderr": "err", "exit_code": 1}, ("out\nerr", True)),
        ('{"output": "fine", "metadata": {"exit_code": 0}}', ("fine", False)),
        ([{"type": "text", "text": "a"}, {"type": "image"}], ("a", None)),
        ({"content": [{"text": "boom"}], "isError": True}, ("boom", True)),
        ({"success": False, "error": "no"}, ("no", True)),
        ({"task": {"id": "3", "subject": "Paint"}}, ("Task #3", None)),
        (7, ("7", None)),
    ],
)
def test_answers_of_tools_in_all_their_shapes(answer: Any, expected: tuple[str | None, bool | None]) -> None:
    assert response_of(answer) == expected
