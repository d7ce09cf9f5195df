"""Events of coding agents' hooks, and answers of their tools, as steps of a session.

One JSON object an event, by its `hook_event_name`; clients name the same moments differently.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from daypack.doors.sessions.types import Did, Noted, Said, Step

# Other clients' names of the same moment.
_ALSO_CALLED = {
    "beforeSubmitPrompt": "UserPromptSubmit", "BeforeAgent": "UserPromptSubmit", "AfterTool": "PostToolUse", "BeforeTool": "PreToolUse",
    "PreCompress": "PreCompact", "stop": "Stop", "sessionStart": "SessionStart", "sessionEnd": "SessionEnd",
}  # fmt: skip


def steps_of_hook(event: Mapping[str, Any], *, time: float, key: str) -> list[Step]:
    """The steps in one hook event. `key` names the event, for those that have no name of their own."""

    def said(*names: str) -> str:
        return next((text for name in names if (text := text_of(event.get(name)))), "")

    name = said("hook_event_name")
    name = _ALSO_CALLED.get(name, name)
    call = said("tool_use_id", "call_id") or key
    what: Said | Did | Noted
    occurrence = key
    match name:
        case "UserPromptSubmit":
            what, occurrence = Said("user", said("prompt")), ""
        case "PreToolUse":
            what, occurrence = Did(said("tool_name"), object_of(event.get("tool_input"))), call
        case "PostToolUse" | "PostToolUseFailure":
            answer = event.get("tool_response", event.get("tool_result", event.get("error")))
            output, failed = response_of(answer)
            # The hook after a call reports success, unless its answer reports a failure.
            failed = bool(failed) or name == "PostToolUseFailure"
            given = object_of(event.get("tool_input"))
            what, occurrence = Did(said("tool_name"), given, output, failed), call
        case "afterShellExecution":
            output, failed = response_of(event.get("output"))
            what, occurrence = Did("shell", {"command": said("command")}, output, failed), call
        case "afterFileEdit":
            edits = {"file_path": said("file_path"), "edits": event.get("edits")}
            what, occurrence = Did("Edit", edits), call
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
            return []  # Notification and what clients may add: nothing to search for
    session = said("session_id", "conversation_id") or "unknown"
    return [Step(session, time, what, occurrence, said("client") or "hook", said("cwd"))]


def response_of(value: Any) -> tuple[str | None, bool | None]:
    """(output of a tool, True when it failed) from any shape of its answer."""
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
