"""Transcripts of coding agents, and plain chats, as steps of a session.

    Claude Code    *.jsonl                    lines of `type` user, assistant, system …, with `sessionId` and `uuid`
    Codex          rollout-*.jsonl            lines of `session_meta`, `response_item` …, or bare items in older files
    chats          *.json, *.jsonl            messages of `role` and `content`; exports with `mapping` or `chat_messages`
    plain text     *.txt, *.md                turns that begin with "User:" or "Assistant:"

A line that cannot be read is counted and passed over, for whoever wrote it may still be writing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from daypack.doors.sessions.hook_events import object_of, response_of, text_of
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.errors import InputError

LARGEST_TRANSCRIPT = 256 << 20
LONGEST_LINE = 32 << 20


@dataclass(slots=True)
class Reading:
    """Steps of one file as far as they were read.

    `broken` lines were passed over; `client` is "" when the file is no transcript.
    """

    client: str = ""
    steps: list[Step] = field(default_factory=list)
    broken: int = 0


# ---------------------------------------------------------------- where they lie


def transcripts(paths: Sequence[Path | str]) -> Iterator[Path]:
    """Files of paths that are transcripts or folders of them.

    Raises InputError for a path that is neither.
    """
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(
                found for found in path.rglob("*.json*") if found.is_file() and not found.is_symlink()
            )
        elif path.is_file():
            yield path
        else:
            raise InputError(f"{path} does not exist; name a transcript, or a folder of them")


def usual_places(root: Path, home: Path) -> list[Path]:
    """Where agents keep the transcripts of a project, as far as there are any: asked for before anything is
    read.
    """
    found = [
        *sorted((home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))).glob("*.jsonl"))
    ]
    for path in sorted((home / ".codex" / "sessions").rglob("rollout-*.jsonl")):
        try:
            with path.open("rb") as stream:
                head = stream.read(20_000)
        except OSError:
            continue
        if json.dumps(str(root)).encode() in head:
            found.append(path)
    return [path for path in found if os.access(path, os.R_OK)]


# ---------------------------------------------------------------- files


def read_transcript(path: Path) -> Reading:
    """The steps of a file, whatever wrote it.

    Raises OSError, and ValueError for what is too large to be read at once.
    """
    if (size := path.stat().st_size) > LARGEST_TRANSCRIPT:
        raise ValueError(f"{size:,} bytes, at most {LARGEST_TRANSCRIPT:,} are read")
    text = path.read_bytes().decode("utf-8", "replace")
    head = text[:4096].lstrip("\ufeff \t\r\n")
    if head.startswith("["):
        return _whole_file(text, path)
    if head.startswith("{"):
        reading = _lines(text, path)
        return reading if reading.client else _whole_file(text, path)
    return _plain(text, path)


def _lines(text: str, path: Path) -> Reading:
    lines: list[dict[str, Any]] = []
    broken = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            value = json.loads(line) if len(line) <= LONGEST_LINE else None
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            lines.append(value)
        else:
            broken += 1
    for client, belongs, steps in _LINE_FORMATS:
        if any(belongs(line) for line in lines[:50]):
            return Reading(client, [*steps(lines, path)], broken)
    return Reading("", [], broken)


def _whole_file(text: str, path: Path) -> Reading:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Reading("", [], 1)
    steps = [step for number, chat in enumerate(_chats(value)) for step in _chat(chat, path, number)]
    return Reading("chat" if steps else "", steps)


# ---------------------------------------------------------------- Claude Code


def _is_claude(line: Mapping[str, Any]) -> bool:
    return "sessionId" in line and line.get("type") in (
        "user",
        "assistant",
        "system",
        "summary",
        "attachment",
        "progress",
    )


def _claude(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    time = 0.0
    for line in lines:
        session, folder = text_of(line.get("sessionId")) or path.stem, text_of(line.get("cwd"))
        time = moment_of(line.get("timestamp")) or time
        key = text_of(line.get("uuid"))
        # the work of a subagent, of which the session learns by its answer
        if line.get("isSidechain") or line.get("isMeta"):
            continue
        if line.get("type") == "system":
            if line.get("subtype") == "compact_boundary":
                yield Step(session, time, Noted("compacted"), key, "claude-code", folder)
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
                    yield Step(session, time, Did(*calls[call]), call, "claude-code", folder)
                case "tool_result":
                    call = text_of(block.get("tool_use_id"))
                    name, given = calls.get(call, ("", {}))
                    output, failed = response_of(block.get("content"))
                    refused = block.get("is_error") is True
                    if name:
                        yield Step(
                            session,
                            time,
                            Did(name, given, output, refused or bool(failed)),
                            call,
                            "claude-code",
                            folder,
                        )
        if text := "\n\n".join(part for part in said if part.strip()):
            yield Step(session, time, Said(who, text), "" if who == "user" else key, "claude-code", folder)


# ---------------------------------------------------------------- Codex

_ITEMS = frozenset(
    {
        "message",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "reasoning",
    }
)


def _is_codex(line: Mapping[str, Any]) -> bool:
    if line.get("type") in ("session_meta", "response_item", "turn_context", "event_msg"):
        return isinstance(line.get("payload"), dict)
    return (
        (line.get("type") in _ITEMS and "role" not in line)
        or line.get("record_type") == "state"
        or ("instructions" in line and "git" in line)
    )


def _codex(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    session, folder, time = path.stem, "", 0.0
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for number, line in enumerate(lines):
        payload = line.get("payload")
        item: Mapping[str, Any] = payload if isinstance(payload, dict) else line
        time = moment_of(line.get("timestamp")) or time
        kind = text_of(item.get("type"))
        if line.get("type") == "session_meta" or (number == 0 and "id" in line and kind not in _ITEMS):
            session, folder = text_of(item.get("id")) or session, text_of(item.get("cwd"))
            time = moment_of(item.get("timestamp")) or time
            continue
        if line.get("type") == "compacted":
            yield Step(session, time, Noted("compacted"), f"{number}", "codex", folder)
            continue
        if payload is not None and line.get("type") != "response_item":
            continue
        call = text_of(item.get("call_id")) or text_of(item.get("id")) or f"{number}"
        match kind:
            case "message" if item.get("role") in ("user", "assistant"):
                who = "user" if item["role"] == "user" else "assistant"
                text = _content(item.get("content"))
                if text.strip():
                    yield Step(
                        session, time, Said(who, text), "" if who == "user" else f"{number}", "codex", folder
                    )
            case "function_call" | "custom_tool_call":
                given = item.get("arguments", item.get("input"))
                calls[call] = (text_of(item.get("name")), _arguments(given, kind))
                yield Step(session, time, Did(*calls[call]), call, "codex", folder)
            case "local_shell_call":
                calls[call] = ("local_shell", object_of(item.get("action")))
                yield Step(session, time, Did(*calls[call]), call, "codex", folder)
            case "function_call_output" | "custom_tool_call_output":
                name, given = calls.get(call, ("", {}))
                output, failed = response_of(item.get("output"))
                if name:
                    yield Step(
                        session,
                        time,
                        _patched(Did(name, given, output, _codex_failed(output, failed))),
                        call,
                        "codex",
                        folder,
                    )
            case _:
                pass


def _codex_failed(output: str | None, failed: bool | None) -> bool | None:
    if failed is not None or output is None:
        return failed
    match = re.search(r"^(?:Exit code|Process exited with code):? (\d+)", output[:500], re.MULTILINE)
    return match[1] != "0" if match else None


def _arguments(given: Any, kind: str) -> Mapping[str, Any]:
    if isinstance(given, str):
        if kind == "custom_tool_call":
            return {"input": given}
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"input": given}
    return object_of(given)


def _patched(step: Did) -> Did:
    """A patch that was applied through the shell is the tool it stands for."""
    command = step.input.get("command")
    if isinstance(command, list) and command[:1] == ["apply_patch"] and len(command) == 2:
        return Did("apply_patch", {"input": str(command[1])}, step.output, step.failed)
    return step


# ---------------------------------------------------------------- chats


def _is_chat(line: Mapping[str, Any]) -> bool:
    return (
        ("role" in line or "sender" in line) and any(name in line for name in ("content", "text", "message"))
    ) or isinstance(line.get("messages"), list)


def _chat_lines(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    chats = [line for line in lines if isinstance(line.get("messages"), list)]
    if chats:
        for number, chat in enumerate(chats):
            yield from _chat(chat, path, number)
    else:
        yield from _chat({"messages": list(lines)}, path, 0)


def _chats(value: Any) -> list[Mapping[str, Any]]:
    """The conversations of a file: one list of messages, one export, or many."""
    if isinstance(value, dict):
        return [value] if any(name in value for name in ("messages", "mapping", "chat_messages")) else []
    items: list[Mapping[str, Any]] = (
        [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    )
    if any(
        isinstance(item.get(name), list | dict)
        for item in items
        for name in ("messages", "mapping", "chat_messages")
    ):
        return items
    return [{"messages": items}] if any(_is_chat(item) for item in items) else []


def _chat(chat: Mapping[str, Any], path: Path, number: int) -> Iterator[Step]:
    messages = _messages(chat)
    session = next(
        (
            named
            for name in ("conversation_id", "uuid", "id", "session_id", "session")
            if (named := text_of(chat.get(name)))
        ),
        "",
    )
    if not session and messages:  # known by how it begins, wherever the file lies and however it grows
        begin = json.dumps(messages[0], sort_keys=True)[:4_000].encode()
        session = f"{path.stem}-{hashlib.blake2b(begin, digest_size=4).hexdigest()}" + (
            f"-{number}" if number else ""
        )
    start = next(
        (
            t
            for name in ("create_time", "created_at", "timestamp", "date")
            if (t := moment_of(chat.get(name)))
        ),
        None,
    )
    time = start if start is not None else path.stat().st_mtime
    for index, message in enumerate(messages):
        author = message.get("author")
        who = (
            text_of(message.get("role"))
            or text_of(message.get("sender"))
            or (text_of(author.get("role")) if isinstance(author, dict) else "")
        )
        who = {
            "human": "user",
            "user": "user",
            "assistant": "assistant",
            "ai": "assistant",
            "model": "assistant",
            "bot": "assistant",
        }.get(who.lower(), "")
        said = next(
            (
                t
                for name in ("timestamp", "created_at", "create_time", "time", "date")
                if (t := moment_of(message.get(name)))
            ),
            None,
        )
        # Without times of their own, messages follow each other: an order is all that is known.
        time = said if said is not None else time + (0.001 if index else 0.0)
        text = (
            _content(message.get("content"))
            or _content(message.get("text"))
            or _content(message.get("parts"))
        )
        if who and text.strip():
            yield Step(
                session,
                time,
                Said(who, text),
                text_of(message.get("id")) or text_of(message.get("uuid")) or f"{index}",
                "chat",
            )


def _messages(chat: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if isinstance(mapping := chat.get("mapping"), dict):
        nodes = [
            node["message"]
            for node in mapping.values()
            if isinstance(node, dict) and isinstance(node.get("message"), dict)
        ]
        return sorted(nodes, key=lambda message: moment_of(message.get("create_time")) or 0.0)
    found = chat.get("messages", chat.get("chat_messages"))
    return [message for message in found if isinstance(message, dict)] if isinstance(found, list) else []


_TURN = re.compile(
    r"^(?:\*\*|#+ ?|> ?)?(User|Human|You|Me|Assistant|AI|ChatGPT|Claude|Bot|Model)(?:\*\*)? ?(?::|said:|\n[-=]{3,}$)(?:\*\*)?[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_PEOPLE = frozenset({"user", "human", "you", "me"})


def _plain(text: str, path: Path) -> Reading:
    """Turns of a text in which somebody wrote who said what; no transcript when nobody did."""
    found = [*_TURN.finditer(text)]
    if len(found) < 2:
        return Reading()
    messages = [
        {
            "role": "user" if match[1].lower() in _PEOPLE else "assistant",
            "content": text[match.end() : end].strip(),
        }
        for match, end in zip(
            found, [*(following.start() for following in found[1:]), len(text)], strict=True
        )
    ]
    return Reading("chat", [*_chat({"messages": messages}, path, 0)])


_LINE_FORMATS: tuple[
    tuple[
        str,
        Callable[[Mapping[str, Any]], bool],
        Callable[[Sequence[Mapping[str, Any]], Path], Iterator[Step]],
    ],
    ...,
] = (("claude-code", _is_claude, _claude), ("codex", _is_codex, _codex), ("chat", _is_chat, _chat_lines))


# ---------------------------------------------------------------- values


def moment_of(value: Any) -> float | None:
    """Unix seconds from a number of seconds or milliseconds or a date; None when it is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        seconds = value / 1000 if value > 10**11 else float(value)
        return seconds if 0 < seconds < 4 * 10**9 else None
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except ValueError:
            return None
    return None


def _content(value: Any) -> str:
    """The text of a message, however it is wrapped."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _content(value.get("parts") or value.get("text") or value.get("content"))
    if isinstance(value, list):
        return "\n\n".join(part for item in value if (part := _content(item)).strip())
    return ""
