"""Lines of Copilot CLI's `events.jsonl` become steps of a session. A call and its result, if any, are one step.

    {"type": "session.start", "data": {"sessionId": …, "context": {"cwd": …}}, "id": …, "timestamp": …, "parentId": …}

A session that is resumed goes on in the same file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.steps import without_status
from daypack.doors.sessions.transcripts.blocks import MakeStep
from daypack.doors.sessions.transcripts.values import moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, parsed, text_of
from daypack.text.name_sets import name_set

_KINDS = name_set(
    "session.start session.resume session.context_changed session.compaction_complete session.task_complete user.message assistant.message "
    "tool.execution_start tool.execution_complete"
)


def is_copilot_line(line: Mapping[str, Any]) -> bool:
    return text_of(line.get("type")) in _KINDS and isinstance(line.get("data"), dict)


def copilot_folder(line: Mapping[str, Any]) -> str:
    """The working folder that a line says the session has from then on, or ""."""
    data = object_of(line.get("data"))
    if line.get("type") == "session.context_changed":
        return text_of(data.get("cwd"))
    if line.get("type") in ("session.start", "session.resume"):
        return text_of(object_of(data.get("context")).get("cwd"))
    return ""


def copilot_steps(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    session, folder, time = path.parent.name, "", 0.0  # the folder of a session has its name
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    waiting: dict[str, Step] = {}  # calls whose results have not been read yet
    for line in lines:
        data = object_of(line.get("data"))
        time = moment_of(line.get("timestamp")) or time
        folder = copilot_folder(line) or folder
        step = partial(Step, session, time, client="copilot", folder=folder)
        # a sub-agent's, of which the session gets the answer
        if line.get("agentId") or data.get("parentToolCallId"):
            continue
        match line.get("type"):
            case "session.start":
                if data.get("detachedFromSpawningParentSessionId"):  # its own session, begun by no user
                    return
                session = text_of(data.get("sessionId")) or session
            case "session.compaction_complete" if data.get("success") is not False:
                yield step(Noted("compacted"), text_of(line.get("id")))
            case "user.message" | "assistant.message":
                yield from _said(line, step)
            case "session.task_complete" if summary := text_of(data.get("summary")).strip():
                yield step(Said("assistant", summary), text_of(line.get("id")))
            case "tool.execution_start":
                call = text_of(data.get("toolCallId"))
                calls[call] = _call(data)
                waiting[call] = step(Did(*calls[call]), call, timed=True)
            case "tool.execution_complete":
                call = text_of(data.get("toolCallId"))
                if waiting.pop(call, None):
                    yield step(Did(*calls[call], *_outcome(data)), call, timed=True)
            case _:
                pass
    yield from waiting.values()


def _said(line: Mapping[str, Any], step: MakeStep) -> Iterator[Step]:
    """A text of the user or of the assistant; a skill, another agent or the autopilot writes as the user with a `source`."""
    data = object_of(line.get("data"))
    text = text_of(data.get("content"))
    if not text.strip():
        return
    if line.get("type") == "assistant.message":
        yield step(Said("assistant", text), text_of(line.get("id")))
    elif data.get("source") in (None, "", "user") and not data.get("isAutopilotContinuation"):
        yield step(Said("user", text), "", timed=True)


def _call(data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """(name, arguments) of a call: the name of another server's tool as all clients give it."""
    given = data.get("arguments")
    if isinstance(given, str):  # a patch, or JSON
        given = object_of(parsed(given, {})) or {"input": given}
    server, tool = text_of(data.get("mcpServerName")), text_of(data.get("mcpToolName"))
    return f"mcp__{server}__{tool}" if server and tool else text_of(data.get("toolName")), object_of(given)


def _outcome(data: Mapping[str, Any]) -> tuple[str, bool | None]:
    """(output, True for a failure) of a call."""
    output = text_of(object_of(data.get("result")).get("content"))
    output = output or text_of(object_of(data.get("error")).get("message"))
    success = data.get("success")
    return without_status(output, not success if isinstance(success, bool) else None)
