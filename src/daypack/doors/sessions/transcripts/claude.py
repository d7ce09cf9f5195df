"""Lines of Claude Code's transcripts become steps of a session. A call and its result, if any, are one step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.transcripts.blocks import Calls, MakeStep, read_blocks
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, text_of


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
    calls = Calls(reports_failures=True)
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


def _message_steps(line: Mapping[str, Any], calls: Calls, step: MakeStep) -> Iterator[Step]:
    """The answered calls of a message, then its text, or the command in it."""
    message = line.get("message")
    if not isinstance(message, dict):
        return
    answered, texts = read_blocks(message.get("content"), calls, step)
    yield from answered
    text, uuid = "\n\n".join(texts), text_of(line.get("uuid"))
    if line["type"] == "user" and text.lstrip().startswith(_TYPED):
        yield from _typed_steps(dict(_PART.findall(text)), calls, step, uuid)
    elif texts:
        yield step(Said(line["type"], text), "" if line["type"] == "user" else uuid, timed=True)


_TYPED = ("<command-", "<bash-")
_PART = re.compile(
    r"<(command-name|command-args|bash-input|bash-stdout|bash-stderr)>((?:(?!<\1>).)*?)</\1>", re.DOTALL
)
_BASH = "typed"  # the key of a command that waits for its output


def _typed_steps(parts: Mapping[str, str], calls: Calls, step: MakeStep, uuid: str) -> Iterator[Step]:
    """The steps of a command that the user typed behind "/" or "!": a prompt if it says more than the name, or a command,
    whose output is in the next message.
    """
    if args := parts.get("command-args", "").strip():
        yield step(Said("user", f"{parts.get('command-name', '').strip()} {args}".strip()), "", timed=True)
    asked = calls.unanswered.pop(_BASH, None)
    if asked is not None and isinstance(asked.what, Did):
        printed = [part for name in ("bash-stdout", "bash-stderr") if (part := parts.get(name, "").strip())]
        yield replace(asked, what=replace(asked.what, output="\n".join(printed) if printed else None))
    if command := parts.get("bash-input", "").strip():
        calls.unanswered[_BASH] = step(Did("Bash", {"command": command}), uuid)
