"""Events of coding agents' hooks, and answers of their tools, as steps of a session.

One JSON object an event, by its `hook_event_name`; clients name the same moments differently.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from daypack.doors.sessions.types import Did, Noted, Said, Step

# Names that other clients give the same moment.
_ALSO_CALLED = {
    "beforeSubmitPrompt": "UserPromptSubmit", "BeforeAgent": "UserPromptSubmit", "AfterTool": "PostToolUse", "BeforeTool": "PreToolUse",
    "PreCompress": "PreCompact", "stop": "Stop", "sessionStart": "SessionStart", "sessionEnd": "SessionEnd",
}  # fmt: skip


def steps_of_hook(event: Mapping[str, Any], *, time: float, key: str) -> list[Step]:
    """The steps that one hook event tells of.

    `key` names the event, for those that have no name of their own.
    """
    session = text_of(event.get("session_id")) or text_of(event.get("conversation_id")) or "unknown"
    name = text_of(event.get("hook_event_name"))
    name = _ALSO_CALLED.get(name, name)
    client = text_of(event.get("client")) or "hook"
    call = text_of(event.get("tool_use_id")) or text_of(event.get("call_id")) or key
    found: list[tuple[Said | Did | Noted, str]] = []
    match name:
        case "UserPromptSubmit":
            found.append((Said("user", text_of(event.get("prompt"))), ""))
        case "PreToolUse":
            found.append((Did(text_of(event.get("tool_name")), object_of(event.get("tool_input"))), call))
        case "PostToolUse" | "PostToolUseFailure":
            output, failed = response_of(
                event.get("tool_response", event.get("tool_result", event.get("error")))
            )
            failed = failed or name == "PostToolUseFailure"
            # The hook after a call tells that it went through, unless its answer says otherwise.
            found.append(
                (
                    Did(
                        text_of(event.get("tool_name")),
                        object_of(event.get("tool_input")),
                        output,
                        bool(failed),
                    ),
                    call,
                )
            )
        case "afterShellExecution":
            output, failed = response_of(event.get("output"))
            found.append((Did("shell", {"command": text_of(event.get("command"))}, output, failed), call))
        case "afterFileEdit":
            found.append(
                (
                    Did("Edit", {"file_path": text_of(event.get("file_path")), "edits": event.get("edits")}),
                    call,
                )
            )
        case "Stop" | "SubagentStop":
            if said := text_of(event.get("last_assistant_message")):
                found.append((Said("assistant", said), ""))
        case "SessionStart":
            found.append((Noted(f"session {text_of(event.get('source')) or 'started'}"), key))
        case "SessionEnd":
            found.append((Noted(f"session ended ({text_of(event.get('reason')) or 'no reason given'})"), key))
        case "PreCompact":
            about = text_of(event.get("custom_instructions"))
            found.append(
                (
                    Noted(
                        f"compacted ({text_of(event.get('trigger')) or 'auto'})"
                        + (f": {about}" if about else "")
                    ),
                    key,
                )
            )
        case _:
            pass  # Notification and what clients may add: nothing to search for
    folder = text_of(event.get("cwd"))
    return [Step(session, time, what, occurrence, client, folder) for what, occurrence in found]


def response_of(value: Any) -> tuple[str | None, bool | None]:
    """(what a tool printed, whether it failed) from whatever shape its answer has."""
    if value is None:
        return None, None
    if isinstance(value, str):
        if value.startswith("{"):
            try:
                return response_of(json.loads(value))
            except (ValueError, RecursionError):
                pass
        return value, None
    if isinstance(value, list):
        return "\n".join(
            part
            for item in value
            if (part := text_of(item.get("text")) if isinstance(item, dict) else str(item))
        ), None
    if not isinstance(value, dict):
        return str(value), None
    failed: bool | None = None
    for name in ("is_error", "isError"):
        if isinstance(value.get(name), bool):
            failed = value[name]
    if isinstance(value.get("success"), bool):
        failed = not value["success"]
    metadata = object_of(value.get("metadata"))
    for name in ("exit_code", "exitCode", "returncode", "code"):
        code = value.get(name, metadata.get(name))
        if isinstance(code, int) and not isinstance(code, bool):
            failed = code != 0
    if text_of(value.get("error")):
        failed = True
    parts = []
    for name in ("stdout", "stderr", "output", "content", "error", "message", "result"):
        found = value.get(name)
        printed = (response_of(found)[0] or "") if isinstance(found, list | dict) else text_of(found)
        if printed:
            parts.append(printed)
    return "\n".join(parts), failed


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
