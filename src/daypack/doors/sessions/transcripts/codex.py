"""Lines of Codex's transcripts become steps of a session. A call and its result, if any, are one step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.forms import object_of, parsed, text_of
from daypack.doors.sessions.hooks.steps import response_of
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.text.name_sets import name_set

_ITEMS = name_set(
    "message function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call "
    "reasoning web_search_call"
)

_TYPED = re.compile(
    r"\s*<user_shell_command>\s*<command>\n(.*?)\n</command>\s*<result>\n(.*?)\n?</result>", re.DOTALL
)
"""A command that the user typed behind "!", and its output."""


def is_codex_line(line: Mapping[str, Any]) -> bool:
    if line.get("type") in ("session_meta", "response_item", "turn_context", "event_msg"):
        return isinstance(line.get("payload"), dict)
    return (
        (text_of(line.get("type")) in _ITEMS and "role" not in line)
        or line.get("record_type") == "state"
        or ("instructions" in line and "git" in line)
    )


def codex_steps(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    session, folder, time, named = path.stem, "", 0.0, False
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    waiting: dict[str, Step] = {}  # calls whose results have not been read yet
    for number, line in enumerate(lines):
        payload = line.get("payload")
        item: Mapping[str, Any] = payload if isinstance(payload, dict) else line
        time = moment_of(line.get("timestamp")) or time
        kind = text_of(item.get("type"))
        if line.get("type") == "session_meta" or (number == 0 and "id" in line and kind not in _ITEMS):
            if named:  # of the session from which this one was forked, with a copy of its turns
                continue
            if "subagent" in object_of(item.get("source")):  # the session that began it gets the answer
                return
            session, folder, named = text_of(item.get("id")) or session, text_of(item.get("cwd")), True
            time = moment_of(item.get("timestamp")) or time
            continue
        step = partial(Step, session, time, client="codex", folder=folder)
        if line.get("type") == "compacted":
            yield step(Noted("compacted"), f"{number}")
            continue
        if payload is not None and line.get("type") != "response_item":
            continue
        call = text_of(item.get("call_id")) or text_of(item.get("id")) or f"{number}"
        match kind:
            case "message" if item.get("role") in ("user", "assistant"):
                who = "user" if item["role"] == "user" else "assistant"
                text = content_of(item.get("content"))
                if typed := _TYPED.match(text):
                    output, failed = response_of(typed[2])
                    yield step(Did("local_shell", {"command": typed[1]}, output, failed), f"{number}")
                elif text.strip():
                    yield step(Said(who, text), "" if who == "user" else f"{number}", timed=True)
            case "function_call" | "custom_tool_call":
                given = item.get("arguments", item.get("input"))
                calls[call] = (_tool(item), _arguments(given, kind))
                waiting[call] = step(Did(*calls[call]), call)
            case "local_shell_call":
                calls[call] = ("local_shell", object_of(item.get("action")))
                waiting[call] = step(Did(*calls[call]), call)
            case "web_search_call":
                yield step(Did("web_search", object_of(item.get("action"))), f"{number}")
            case "function_call_output" | "custom_tool_call_output":
                name, given = calls.get(call, ("", {}))
                output, failed = response_of(item.get("output"))
                waiting.pop(call, None)
                if name:
                    yield step(Did(name, given, output, failed), call)
            case _:
                pass
    yield from waiting.values()


def _tool(item: Mapping[str, Any]) -> str:
    """The name of a tool, with the server that newer versions write beside it."""
    name, server = text_of(item.get("name")), text_of(item.get("namespace")).removesuffix("__")
    return f"{server}__{name}" if server.startswith("mcp__") else name


def _arguments(given: Any, kind: str) -> Mapping[str, Any]:
    if isinstance(given, str):
        given = {"input": given} if kind == "custom_tool_call" else parsed(given, {"input": given})
    return object_of(given)
