"""Lines of Codex's transcripts become steps of a session. A call and its result, if any, are one step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hooks.steps import response_of
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.shapes.loose_json import object_of, parsed, text_of
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
    return _Transcript(path.stem).steps(lines)


class _Transcript:
    """A transcript while it is read: its session, and the calls whose results have not been read yet."""

    def __init__(self, session: str) -> None:
        self.session, self.folder, self.time = session, "", 0.0
        self._is_named = False  # by its own head
        self._calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self._waiting: dict[str, Step] = {}

    def steps(self, lines: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
        for number, line in enumerate(lines):
            payload, kind = line.get("payload"), line.get("type")
            item: Mapping[str, Any] = payload if isinstance(payload, dict) else line
            self.time = moment_of(line.get("timestamp")) or self.time
            if kind == "session_meta" or (not number and _is_head_without_type(line, item)):
                # A second head is of the session from which this one was forked, with a copy of its turns.
                if not self._is_named:
                    if "subagent" in object_of(item.get("source")):
                        return  # the session that began it gets the answer
                    self._name(item)
            elif kind == "compacted":
                yield self._step(Noted("compacted"), f"{number}")
            elif payload is None or kind == "response_item":
                yield from self._read(item, f"{number}")
        yield from self._waiting.values()

    def _name(self, head: Mapping[str, Any]) -> None:
        self.session, self.folder = text_of(head.get("id")) or self.session, text_of(head.get("cwd"))
        self.time = moment_of(head.get("timestamp")) or self.time
        self._is_named = True

    def _step(self, what: Said | Did | Noted, key: str, *, timed: bool = False) -> Step:
        return Step(self.session, self.time, what, key, client="codex", folder=self.folder, timed=timed)

    def _read(self, item: Mapping[str, Any], number: str) -> Iterator[Step]:
        call = text_of(item.get("call_id")) or text_of(item.get("id")) or number
        match text_of(item.get("type")):
            case "message" if item.get("role") in ("user", "assistant"):
                yield from self._message(item["role"], content_of(item.get("content")), number)
            case "function_call" | "custom_tool_call" as kind:
                given = item.get("arguments", item.get("input"))
                self._wait(call, _tool(item), _arguments(given, kind))
            case "local_shell_call":
                self._wait(call, "local_shell", object_of(item.get("action")))
            case "web_search_call":
                yield self._step(Did("web_search", object_of(item.get("action"))), number)
            case "function_call_output" | "custom_tool_call_output":
                name, arguments = self._calls.get(call, ("", {}))
                self._waiting.pop(call, None)
                if name:
                    yield self._step(Did(name, arguments, *response_of(item.get("output"))), call)
            case _:
                pass

    def _message(self, who: str, text: str, number: str) -> Iterator[Step]:
        if typed := _TYPED.match(text):
            yield self._step(Did("local_shell", {"command": typed[1]}, *response_of(typed[2])), number)
        elif text.strip():
            yield self._step(Said(who, text), "" if who == "user" else number, timed=True)

    def _wait(self, call: str, name: str, arguments: Mapping[str, Any]) -> None:
        self._calls[call] = name, arguments
        self._waiting[call] = self._step(Did(name, arguments), call)


def _is_head_without_type(line: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """True for a first line as earlier versions of Codex wrote it."""
    return "id" in line and text_of(item.get("type")) not in _ITEMS


def _tool(item: Mapping[str, Any]) -> str:
    """The name of a tool, with the server that newer versions write beside it."""
    name, server = text_of(item.get("name")), text_of(item.get("namespace")).removesuffix("__")
    return f"{server}__{name}" if server.startswith("mcp__") else name


def _arguments(given: Any, kind: str) -> Mapping[str, Any]:
    if isinstance(given, str):
        given = {"input": given} if kind == "custom_tool_call" else parsed(given, {"input": given})
    return object_of(given)
