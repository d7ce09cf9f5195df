"""Lines of Claude Code's transcripts become steps of a session. A call and its result, if any, are one step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.forms import object_of, text_of
from daypack.doors.sessions.hooks.steps import response_of
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step


def is_claude_line(line: Mapping[str, Any]) -> bool:
    return "sessionId" in line and line.get("type") in (
        "user",
        "assistant",
        "system",
        "summary",
        "attachment",
        "progress",
    )


def claude_steps(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    waiting: dict[str, Step] = {}  # calls whose results have not been read yet
    time = 0.0
    for line in lines:
        session, folder = text_of(line.get("sessionId")) or path.stem, text_of(line.get("cwd"))
        time = moment_of(line.get("timestamp")) or time
        key = text_of(line.get("uuid"))
        step = partial(Step, session, time, client="claude-code", folder=folder)
        # the work of a subagent, of which the session gets the answer
        if line.get("isSidechain") or line.get("isMeta"):
            continue
        if line.get("type") == "system":
            if line.get("subtype") == "compact_boundary":
                yield step(Noted("compacted"), key)
            continue
        if line.get("type") == "attachment":  # the user's words while the agent was working
            told = object_of(line.get("attachment"))
            asked = content_of(told.get("prompt")) if told.get("commandMode", "prompt") == "prompt" else ""
            if told.get("type") == "queued_command" and asked.strip():
                yield step(Said("user", asked), "")
            continue
        message = line.get("message")
        if (
            line.get("type") not in ("user", "assistant")
            or not isinstance(message, dict)
            or line.get("isCompactSummary")
        ):
            continue
        who = "user" if line["type"] == "user" else "assistant"
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        said = []
        for block in blocks:
            if not isinstance(block, dict):
                continue
            match block.get("type"):
                case "text":
                    said.append(text_of(block.get("text")))
                case "tool_use":
                    call = text_of(block.get("id"))
                    calls[call] = (text_of(block.get("name")), object_of(block.get("input")))
                    waiting[call] = step(Did(*calls[call]), call)
                case "tool_result":
                    call = text_of(block.get("tool_use_id"))
                    name, given = calls.get(call, ("", {}))
                    output, failed = response_of(block.get("content"))
                    refused = block.get("is_error") is True
                    waiting.pop(call, None)
                    if name:
                        yield step(Did(name, given, output, refused or bool(failed)), call)
        if text := "\n\n".join(part for part in said if part.strip()):
            yield step(Said(who, text), "" if who == "user" else key)
    yield from waiting.values()
