"""A session of which hooks and a transcript tell is stored once."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.capturing import LONGEST_STRING, without_middle
from daypack.doors.sessions.hooks.steps import steps_of_hook

AT = "2026-10-05T06:0{}:00Z"
ANSWER = "We decided on red paint."


def line(kind: str, minute: int, content: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    at = AT.format(minute)
    return {"sessionId": "s", "type": kind, "uuid": f"u{minute}", "timestamp": at, "message": message}


def hook(dp: Daypack, name: str, minute: int, **more: Any) -> None:
    time = datetime.fromisoformat(AT.format(minute)).timestamp() + 4
    event = {"hook_event_name": name, "session_id": "s", **more}
    dp.sessions.add_steps(steps_of_hook(event, time=time, key=f"hook {minute}"))


@pytest.mark.parametrize("hooks_first", [True, False])
def test_an_answer_that_a_hook_and_a_transcript_tell_counts_once(
    dp: Daypack, tmp_path: Path, hooks_first: bool
) -> None:
    path = tmp_path / "t.jsonl"
    lines = [line("user", 0, "Which colour?"), line("assistant", 1, [{"type": "text", "text": ANSWER}])]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    for hooks in (hooks_first, not hooks_first):
        if hooks:
            hook(dp, "UserPromptSubmit", 0, prompt="Which colour?")
            hook(dp, "Stop", 1, last_assistant_message=ANSWER)
        else:
            dp.sessions.add_transcripts(path)
    assert dp.sessions.add_transcripts(path).repeated == 0
    assert [(event.text, event.count) for event in dp.sessions.timeline()] == [
        ("Which colour?", 1),
        (ANSWER, 1),
    ]


def test_the_same_answer_later_counts_again(dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    lines = [line("assistant", minute, [{"type": "text", "text": ANSWER}]) for minute in (1, 3)]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    dp.sessions.add_transcripts(path)
    assert [event.count for event in dp.sessions.timeline()] == [2]


def test_a_failure_with_a_long_output_that_a_hook_and_a_transcript_tell_is_one_event(
    dp: Daypack, tmp_path: Path
) -> None:
    output = "Exit code 2\n" + "\n".join(f"cc -c f{n}.c" for n in range(3_000))
    given = {"command": "make all"}
    shortened = without_middle(output, LONGEST_STRING, 8_000)
    call = {"tool_use_id": "t", "tool_name": "Bash", "tool_input": given}
    hook(dp, "PostToolUseFailure", 1, error=shortened, **call)
    path = tmp_path / "t.jsonl"
    result = {"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": output}
    lines = [
        line("assistant", 1, [{"type": "tool_use", "id": "t", "name": "Bash", "input": given}]),
        line("user", 2, [result]),
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    assert dp.sessions.add_transcripts(path).added == 0
    assert sorted(event.category.value for event in dp.sessions.timeline()) == ["command", "error"]


def test_a_session_of_cursor_that_hooks_captured_is_not_imported_beside_it(
    dp: Daypack, tmp_path: Path
) -> None:
    hook(dp, "UserPromptSubmit", 0, prompt="Which colour?")
    place = tmp_path / "agent-transcripts"
    for name in ("s", "other"):
        said = {"role": "user", "message": {"content": [{"type": "text", "text": f"Which colour, {name}?"}]}}
        (place / name).mkdir(parents=True)
        (place / name / f"{name}.jsonl").write_text(json.dumps(said) + "\n")
    report = dp.sessions.add_transcripts(place)
    assert (report.files, report.added, report.issues) == (2, 1, ())
    assert {event.text for event in dp.sessions.timeline(session="all")} == {
        "Which colour?",
        "Which colour, other?",
    }


def test_a_transcript_of_another_client_in_a_folder_named_like_cursors_goes_on(
    dp: Daypack, tmp_path: Path
) -> None:
    path = tmp_path / "agent-transcripts" / "s.jsonl"
    path.parent.mkdir()
    lines = [
        {
            "type": "user",
            "uuid": f"u{number}",
            "sessionId": "s",
            "timestamp": f"2026-11-02T09:0{number}:00Z",
            "message": {"role": "user", "content": asked},
        }
        for number, asked in enumerate(("Which colour?", "Paint it."))
    ]
    for count in (1, 2):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines[:count]))
        assert dp.sessions.add_transcripts(path.parent).added == 1
