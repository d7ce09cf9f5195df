"""A session of opencode, as `opencode export` writes it, becomes steps. A call has its result in the same part.

{"info": {"id": …, "directory": …}, "messages": [{"info": {"role": …}, "parts": [{"type": "text", …}, {"type": "tool", …}]}]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.forms import tool_of_server
from daypack.doors.sessions.transcripts.blocks import MakeStep
from daypack.doors.sessions.transcripts.values import moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, objects_of, text_of


def is_opencode(export: Mapping[str, Any]) -> bool:
    messages = export.get("messages")
    return (
        isinstance(export.get("info"), dict)
        and isinstance(messages, list)
        and any(
            isinstance(message, dict)
            and isinstance(message.get("info"), dict)
            and isinstance(message.get("parts"), list)
            for message in messages
        )
    )


def opencode_steps(exports: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    for export in exports:
        info = object_of(export.get("info"))
        if not is_opencode(export) or text_of(info.get("parentID")):  # the session of a sub-agent
            continue
        session, folder = text_of(info.get("id")) or path.stem, text_of(info.get("directory"))
        time = _created(info) or path.stat().st_mtime
        for message in export["messages"]:
            about = object_of(object_of(message).get("info"))
            time = _created(about) or time
            step = partial(Step, session, time, client="opencode", folder=folder)
            # True for a text that summarises all before it; a request has its changes there
            if about.get("summary") is not True:
                yield from _message_steps(about, object_of(message).get("parts"), step)


def _message_steps(about: Mapping[str, Any], parts: Any, step: MakeStep) -> Iterator[Step]:
    """The calls of a message, then its text, whose time is that of the last call or later."""
    texts: list[str] = []
    ended = 0.0
    for part in objects_of(parts):
        # opencode writes synthetic texts itself, as the content of a file that the user named
        if part.get("type") == "text" and not (part.get("synthetic") or part.get("ignored")):
            texts.append(text_of(part.get("text")))
        elif part.get("type") == "tool":
            made = step(_call(part), text_of(part.get("callID")))
            ended = max(made.time, _ended(part) or 0.0)
            yield replace(made, time=ended)
        elif part.get("type") == "compaction":
            yield step(Noted("compacted"), text_of(about.get("id")))
    who, text = about.get("role"), "\n\n".join(part for part in texts if part.strip())
    if who in ("user", "assistant") and text:
        said = step(Said(who, text), "" if who == "user" else text_of(about.get("id")))
        yield replace(said, time=max(said.time, ended))


def _call(part: Mapping[str, Any]) -> Did:
    state = object_of(part.get("state"))
    status = object_of(state.get("metadata")).get("exit")
    failed = state.get("status") == "error" or (isinstance(status, int) and status != 0)
    ended = state.get("status") in ("completed", "error")
    output = text_of(state.get("output")) or text_of(state.get("error"))
    given = object_of(state.get("input"))
    tool = tool_of_server(text_of(part.get("tool")), "opencode")
    return Did(tool, given, output if ended else None, failed if ended else None)


def _ended(part: Mapping[str, Any]) -> float | None:
    time = object_of(object_of(part.get("state")).get("time"))
    return moment_of(time.get("end")) or moment_of(time.get("start"))


def _created(info: Mapping[str, Any]) -> float | None:
    return moment_of(object_of(info.get("time")).get("created"))
