"""Lines of Claude Code's transcripts become steps of a session. A call and its result, if any, are one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    calls = _Calls()
    time = 0.0
    for line in lines:
        session, folder = text_of(line.get("sessionId")) or path.stem, text_of(line.get("cwd"))
        time = moment_of(line.get("timestamp")) or time
        step = partial(Step, session, time, client="claude-code", folder=folder)
        # the work of a subagent, of which the session gets the answer
        if line.get("isSidechain") or line.get("isMeta"):
            continue
        match line.get("type"):
            case "system" if line.get("subtype") == "compact_boundary":
                yield step(Noted("compacted"), text_of(line.get("uuid")))
            case "attachment":
                if prompt := _queued_prompt(object_of(line.get("attachment"))):
                    yield step(Said("user", prompt), "")
            case "user" | "assistant" if not line.get("isCompactSummary"):
                yield from _message_steps(line, calls, step)
    yield from calls.unanswered.values()


def _queued_prompt(attachment: Mapping[str, Any]) -> str:
    """The user's words while the agent was working, "" for another attachment."""
    if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
        return ""
    prompt = content_of(attachment.get("prompt"))
    return prompt if prompt.strip() else ""


class _Calls:
    """The calls of tools so far; those in `unanswered` wait for their results."""

    def __init__(self) -> None:
        self._inputs: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self.unanswered: dict[str, Step] = {}

    def begin(self, block: Mapping[str, Any], step: Callable[..., Step]) -> None:
        call = text_of(block.get("id"))
        tool, tool_input = text_of(block.get("name")), object_of(block.get("input"))
        self._inputs[call] = tool, tool_input
        self.unanswered[call] = step(Did(tool, tool_input), call)

    def answer(self, block: Mapping[str, Any], step: Callable[..., Step]) -> Iterator[Step]:
        """The step of a call with its result; none when the call is not in the transcript."""
        call = text_of(block.get("tool_use_id"))
        tool, tool_input = self._inputs.get(call, ("", {}))
        output, failed = response_of(block.get("content"))
        refused = block.get("is_error") is True
        self.unanswered.pop(call, None)
        if tool:
            yield step(Did(tool, tool_input, output, refused or bool(failed)), call)


def _message_steps(line: Mapping[str, Any], calls: _Calls, step: Callable[..., Step]) -> Iterator[Step]:
    """The answered calls of a message, then its text."""
    message = line.get("message")
    if not isinstance(message, dict):
        return
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = []
    for block in blocks:
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                texts.append(text_of(block.get("text")))
            case "tool_use":
                calls.begin(block, step)
            case "tool_result":
                yield from calls.answer(block, step)
    if text := "\n\n".join(part for part in texts if part.strip()):
        key = "" if line["type"] == "user" else text_of(line.get("uuid"))
        yield step(Said(line["type"], text), key)
