"""Each client's hooks, by the fields that its documentation names: what is kept, and what the client is told.

A payload file names the pages, their date, and the day on which they were read.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.meaning.events import events_of
from daypack.surfaces.install.answering import PREFIX, PREFIX_TOKENS, in_form_of
from daypack.surfaces.install.clients import CLIENTS
from daypack.tokens import counter
from daypack.types import Tokenizer
from support import daypack, project

FILES = sorted(Path(__file__).with_name("payloads").glob("*.json"))
PAYLOADS = {file.stem: json.loads(file.read_text()) for file in FILES}


@pytest.mark.parametrize("name", PAYLOADS)
def test_all_that_a_client_tells_is_kept(name: str) -> None:
    payload = PAYLOADS[name]
    found = []
    for number, event in enumerate(payload["events"]):
        for step in steps_of_hook(event, time=1.0, key=f"k{number}"):
            assert step.session == "s-1"
            assert step.folder == ("" if name == "windsurf" else "/home/ada/shop") or "cwd" in str(event)
            found += [(event.category, event.text) for event in events_of(step.what)]
    assert [category for category, _ in found] == [category for category, _ in payload["told"]]
    for (_, text), (_, told) in zip(found, payload["told"], strict=True):
        assert told in text


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_client_is_answered_in_the_form_that_it_reads(name: str) -> None:
    wanted = PAYLOADS[name]["answer"]
    if wanted is None:
        assert not any("answer" in run for run in CLIENTS[name].hooks.events.values())
        return
    client = "copilot" if name == "vscode" else name
    text = in_form_of(client, "SessionStart", "TEXT")
    assert (text if name == "opencode" else json.loads(text)) == wanted
    nothing = in_form_of(client, "UserPromptSubmit", "")
    assert nothing.strip() in ("", "{}", '{"cancel": false}')


def test_every_client_with_hooks_has_payloads_and_their_source() -> None:
    assert {name for name, client in CLIENTS.items() if client.hooks} == {*PAYLOADS}
    for payload in PAYLOADS.values():
        assert payload["documentation"]
        assert payload["read"] >= payload["of"]


@pytest.mark.parametrize("name", [name for name in PAYLOADS if name != "opencode"])
def test_every_event_that_is_installed_is_in_the_payloads(name: str) -> None:
    names = ("hook_event_name", "hookEventName", "hookName", "agent_action_name")
    shown = {event[one] for event in PAYLOADS[name]["events"] for one in names if one in event}
    hooks = CLIENTS[name].hooks
    only = {"SubagentStart", "TaskResume", "TaskCancel"}
    if name == "vscode":  # shares its file with Copilot CLI, which has more events
        only |= {"PostToolUseFailure", "SessionEnd"}
    assert {*hooks.events} - only <= shown


def test_a_hook_answers_with_the_state_of_the_session_that_goes_on_and_records_the_event(
    tmp_path: Path,
) -> None:
    shop = project(tmp_path / "shop", {"fees.md": "# Fees\n\nFees are rounded down to the cent.\n"})

    def hook(client: str, *more: str, **event: object) -> str:
        data = json.dumps({"cwd": str(shop), **event}).encode()
        return daypack("session", "answer", client, *more, cwd=tmp_path, input=data).stdout

    start = {"hook_event_name": "SessionStart", "session_id": "two", "source": "startup"}
    assert json.loads(hook("gemini", **start)) == {}  # nothing is known yet
    for session, prompt in (("one", "Round the fees down"), ("two", "Paint the shop")):
        hook("gemini", hook_event_name="BeforeAgent", session_id=session, prompt=prompt)
    for source, session, told in (
        ("startup", "three", "Paint the shop"),
        ("resume", "one", "Round the fees down"),
    ):
        answer = json.loads(hook("gemini", hook_event_name="SessionStart", session_id=session, source=source))
        assert told in answer["hookSpecificOutput"]["additionalContext"]
    assert "session startup" in daypack("session", "timeline", "--session", "three", cwd=shop).stdout


def test_a_prompt_gets_a_small_pack_only_when_the_project_has_an_answer(tmp_path: Path) -> None:
    texts = {f"notes/{n}.md": f"# Note {n}\n\nThe {n}th sailing leaves from pier {n}.\n" for n in range(40)}
    shop = project(tmp_path / "shop", {"fees.md": "# Fees\n\nFees are rounded down to the cent.\n", **texts})
    daypack("search", "fees", cwd=shop)

    def prompt(text: str, *more: str) -> str:
        event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": text, "cwd": str(shop)}
        answer = daypack("session", "answer", "codex", *more, cwd=shop, input=json.dumps(event).encode())
        return json.loads(answer.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    said = prompt("How are fees rounded?", "--packs")
    assert "rounded down to the cent" in said
    assert said.startswith("Daypack found this in the project.")
    assert counter(Tokenizer.O200K)(said) <= 300
    assert counter(Tokenizer.O200K)(PREFIX) <= PREFIX_TOKENS
    assert prompt("How are fees rounded?") == ""
    assert prompt("Yes, that is right, go ahead.", "--packs") == ""
    assert prompt("Which harpsichord concerto did Bach transpose?", "--packs") == ""


def test_a_prompt_gets_what_earlier_sessions_decided_and_nothing_of_its_own(tmp_path: Path) -> None:
    def prompt(session: str, text: str) -> str:
        event = {"session_id": session, "cwd": str(tmp_path), "hook_event_name": "UserPromptSubmit"}
        answer = daypack(
            *["session", "answer", "claude-code", "--packs"],
            cwd=tmp_path,
            input=json.dumps({**event, "prompt": text}).encode(),
        )
        return json.loads(answer.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    with Daypack.open(tmp_path / ".daypack"):
        pass
    assert prompt("monday", "We decided to round the fees of late cancellations down to the cent.") == ""
    assert prompt("monday", "How are the fees of late cancellations rounded?") == ""
    assert "down to the cent" in prompt("friday", "How are the fees of late cancellations rounded?")


def test_a_prompt_that_goes_on_gets_what_its_session_was_about(tmp_path: Path) -> None:
    texts = {f"notes/{n}.md": f"# Note {n}\n\nThe {n}th sailing leaves from pier {n}.\n" for n in range(40)}
    fees = "# Fees\n\nFees are rounded down to the cent.\n\n## Owner\n\nOlga owns the fees.\n"
    shop = project(tmp_path / "shop", {"fees.md": fees, **texts})
    daypack("search", "fees", cwd=shop)

    def hook(event: str, **more: str) -> str:
        said = {"hook_event_name": event, "session_id": "s", "cwd": str(shop), **more}
        answer = daypack(
            *["session", "answer", "codex", "--packs"], cwd=shop, input=json.dumps(said).encode()
        )
        return json.loads(answer.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    assert "Olga" not in hook("UserPromptSubmit", prompt="And who owns these?")
    hook("UserPromptSubmit", prompt="How are the fees rounded?")
    hook("Stop", last_assistant_message="Down to the cent.")
    hook("UserPromptSubmit", prompt="ok")
    assert "Olga owns the fees" in hook("UserPromptSubmit", prompt="And who owns these?")


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"hook_event_name": 7, "cwd": {}}', b"\xff"])
def test_whatever_comes_the_answer_is_valid_and_the_status_0(tmp_path: Path, data: bytes) -> None:
    assert json.loads(daypack("session", "answer", "gemini", cwd=tmp_path, input=data).stdout) == {}
    answer = daypack("session", "answer", "cline", "--packs", cwd=tmp_path, input=data)
    assert json.loads(answer.stdout) == {"cancel": False}
