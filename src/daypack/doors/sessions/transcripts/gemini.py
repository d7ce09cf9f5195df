"""Chats of Gemini CLI become steps of a session. A call has its result in the message that makes it.

chats/session-*.jsonl    a line of `sessionId` and `projectHash`, then messages; a message that changes is written again
chats/session-*.json     the same in older versions: one object with `messages`
logs.json                only the requests of the user, of all sessions of a project

{"id": …, "timestamp": …, "type": "gemini", "content": …, "toolCalls": [{"id": …, "name": …, "args": …, "result": …}]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.forms import EXIT_CODE, tool_of_server
from daypack.doors.sessions.hooks.steps import response_of
from daypack.doors.sessions.transcripts.blocks import MakeStep
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, objects_of, text_of

LOGS = "logs.json"
_NOT_ASKED = re.compile(r"\s*(?:/[\w-]+(?:\s|\Z)|\?\s*\Z|<(?:session_context|hook_context|state_snapshot)>)")
"""The beginning of a command, or of a text that Gemini CLI writes as the user."""


def is_gemini_line(line: Mapping[str, Any]) -> bool:
    return isinstance(line.get("sessionId"), str) and "projectHash" in line


def gemini_steps(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    about: dict[str, Any] = {}
    told: dict[str, Mapping[str, Any] | None] = {}  # None for a compaction
    summed_up = set[str]()  # the messages before it
    for number, line in enumerate(lines):
        if back := text_of(line.get("$rewindTo")):  # the user took back this message and all behind it
            names = [*told]
            for name in names[names.index(back) if back in told else 0 :]:
                del told[name]
        elif "$set" in line:
            changed = object_of(line["$set"])
            about |= {name: value for name, value in changed.items() if name != "messages"}
            if kept := {text_of(one.get("id")) for one in objects_of(changed.get("messages"))}:
                requests = {name for name, one in told.items() if one and one.get("type") == "user"}
                if not kept >= requests - summed_up:
                    told[f"compacted {number}"] = None
                summed_up |= requests - kept
        elif is_gemini_line(line):
            about |= {name: value for name, value in line.items() if name != "messages"}
            told |= {text_of(one.get("id")): one for one in objects_of(line.get("messages"))}
        elif text_of(line.get("id")):
            told[line["id"]] = line
    if about.get("kind") == "subagent":  # the session that began it gets the answer
        return
    session, time = text_of(about.get("sessionId")) or path.stem, moment_of(about.get("startTime")) or 0.0
    for key, message in told.items():
        time = moment_of(object_of(message).get("timestamp")) or time
        step = partial(Step, session, time, client="gemini")
        if message is None:
            yield step(Noted("compacted"), key)
        else:
            yield from _message_steps(message, key, step)


def _message_steps(message: Mapping[str, Any], key: str, step: MakeStep) -> Iterator[Step]:
    content = message.get("content")
    if message.get("type") == "user":
        text = content_of(message.get("displayContent")) or content_of(content)
        if text.strip() and not _NOT_ASKED.match(text):
            yield step(Said("user", text), "", timed=True)
    elif message.get("type") == "gemini":
        parts = content if isinstance(content, list) else [content]
        text = content_of([part for part in parts if not object_of(part).get("thought")])
        if text.strip():
            yield step(Said("assistant", text), key, timed=True)
        for call in objects_of(message.get("toolCalls")):
            at = moment_of(call.get("timestamp"))
            made = step(_call(call), text_of(call.get("id")), timed=True)
            yield replace(made, time=at) if at else made


def _call(call: Mapping[str, Any]) -> Did:
    name, given, status = (
        tool_of_server(text_of(call.get("name"))),
        object_of(call.get("args")),
        call.get("status"),
    )
    result = call.get("result")
    parts = result if isinstance(result, list) else [result]
    printed = [
        part
        if isinstance(part, str)
        else response_of(object_of(object_of(part).get("functionResponse")).get("response"))[0]
        for part in parts
    ]
    output = "\n".join(filter(None, printed)) or text_of(call.get("resultDisplay"))
    if status not in ("success", "error", "cancelled"):  # it still runs
        return Did(name, given)
    code = EXIT_CODE.search(output)
    return Did(name, given, output, status != "success" or (code is not None and code[1] != "0"))


def is_log(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(one, dict) and {"sessionId", "messageId", "message"} <= one.keys() for one in value
        )
    )


def log_steps(entries: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    """The requests of the sessions that have no chat beside the log."""
    chats = "\n".join(chat.name for chat in path.parent.glob("chats/session-*.json*"))
    for entry in entries:
        session, text = text_of(entry.get("sessionId")), text_of(entry.get("message"))
        time = moment_of(entry.get("timestamp"))
        if not (session and time and text.strip()) or _NOT_ASKED.match(text):
            continue
        if f"-{session[:8]}.json" not in chats:
            yield Step(session, time, Said("user", text), "", client="gemini", timed=True)
