"""Events of coding agents' hooks, and answers of their tools, as steps of a session.

An event is a JSON object in the form of any client (`daypack.doors.sessions.hooks.forms`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from daypack.doors.sessions.hooks.forms import common
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, text_of

HOOK = "hook"
"""The client of a session whose hooks do not name it."""

# The lines that Codex writes above the output of a command, and the one of them with the exit status.
_HEAD = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Duration|Exit code|Process exited with code|Process running with session ID"
    r"|Original token count|Total output lines|Warning: truncated output)\b[^\n]*\n+)+Output:(?:\n|\Z)"
)
_LAST = re.compile(r"\n?<(?:shellId: [^<>\n]* completed|exited) with exit code (-?\d+)>\s*\Z")
"""The line that Copilot CLI writes below the output of a command, whose call succeeds whatever the status."""
_BLOCKS = ("text", "image", "audio", "resource", "resource_link")
"""Types of the blocks in the answer of another server; other lists of objects are the output of a command."""
_STATUS = re.compile(r"^(?:Exit code|Process exited with code):? (-?\d+)", re.MULTILINE)


def steps_of_hook(event: Mapping[str, Any], *, time: float, key: str) -> list[Step]:
    """The steps in one hook event at `time`, in Unix seconds. `key` identifies an event that has no id of its own."""

    event = common(event)

    def said(name: str) -> str:
        return text_of(event.get(name))

    what: Said | Did | Noted
    call = said("tool_use_id") or key
    occurrence = key
    match name := said("hook_event_name"):
        case "UserPromptSubmit":
            what, occurrence = Said("user", said("prompt")), ""
        case "PreToolUse":
            what, occurrence = Did(said("tool_name"), object_of(event["tool_input"])), call
        case "PostToolUse" | "PostToolUseFailure":
            answer = event["error"] if event["tool_response"] is None else event["tool_response"]
            output, failed = response_of(answer)
            # The hook after a call means success, unless the tool's answer reports a failure.
            failed = bool(failed) or name == "PostToolUseFailure"
            what, occurrence = Did(said("tool_name"), object_of(event["tool_input"]), output, failed), call
        case "Stop" | "SubagentStop" if text := said("last_assistant_message"):
            what, occurrence = Said("assistant", text), ""
        case "SessionStart":
            what = Noted(f"session {said('source') or 'started'}")
        case "SessionEnd":
            what = Noted(f"session ended ({said('reason') or 'no reason given'})")
        case "PreCompact":
            about = said("custom_instructions")
            what = Noted(f"compacted ({said('trigger') or 'auto'})" + (f": {about}" if about else ""))
        case _:
            return []  # Notification, and events that clients may add, have nothing to search for
    session = said("session_id") or "unknown"
    # Copilot CLI and Gemini CLI give a call no id in their hooks.
    timed = isinstance(what, Did) and not said("tool_use_id")
    return [Step(session, time, what, occurrence, said("client") or HOOK, said("cwd"), timed)]


def without_status(output: str, failed: bool | None) -> tuple[str, bool | None]:
    """An output without the exit status that Copilot CLI writes below it, and True where that, or `failed`, reports a failure."""
    status = _LAST.search(output)
    return (output[: status.start()], bool(failed) or status[1] != "0") if status else (output, failed)


def response_of(value: Any) -> tuple[str | None, bool | None]:
    """(output of a tool or None, True when it failed, None when unknown) from a tool's answer of any shape."""
    if value is None:
        return None, None
    if isinstance(value, str):
        return _response_of_text(value)
    if isinstance(value, list):
        texts = (text_of(item.get("text")) if isinstance(item, dict) else str(item) for item in value)
        return "\n".join(filter(None, texts)), None
    if isinstance(value, dict):
        return _outcome_of(value)
    return str(value), None


def _response_of_text(text: str) -> tuple[str | None, bool | None]:
    if text.startswith(("{", "[{")):
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
            if isinstance(found, dict) or all(object_of(one).get("type") in _BLOCKS for one in found):
                return response_of(found)
    head = _HEAD.match(text)
    status = _STATUS.search(head[0]) if head else None
    return text[head.end() :] if head else text, status[1] != "0" if status else None


def _has_failed(answer: Mapping[str, Any]) -> bool | None:
    """True for an answer that reports a failure, None for one that reports neither."""
    result = answer.get("result_type", answer.get("resultType"))
    if answer.get("error") or result in ("failure", "error", "denied"):
        return True
    metadata = object_of(answer.get("metadata"))
    for name in ("code", "returncode", "exitCode", "exit_code"):
        code = answer.get(name, metadata.get(name))
        if isinstance(code, int) and not isinstance(code, bool):
            return code >= 400 if "codeText" in answer else code != 0  # the status of a page
    if isinstance(answer.get("success"), bool):
        return not answer["success"]
    marks = (answer.get(name) for name in ("isError", "is_error"))
    return next((mark for mark in marks if isinstance(mark, bool)), None)


def _outcome_of(answer: Mapping[str, Any]) -> tuple[str, bool | None]:
    # Gemini's returnDisplay repeats llmContent for users.
    shown = "llmContent" if answer.get("llmContent") else "returnDisplay"
    parts, failed = [], _has_failed(answer)
    for name in (
        "stdout", "stderr", "output", shown, "text_result_for_llm", "textResultForLlm", "content", "error", "message", "result", "results",
    ):  # fmt: skip
        found = answer.get(name)
        printed = (response_of(found)[0] or "") if isinstance(found, list | dict) else text_of(found)
        printed, failed = without_status(printed, failed)
        if printed:
            parts.append(printed)
    task = object_of(answer.get("task"))
    if not parts and task.get("id"):  # the number by which later calls name the task
        parts.append(f"Task #{task['id']}")
    return "\n".join(parts), failed
