"""Transcripts and hook events of coding agents, and plain chats, as steps of a session.

    hook events of Claude Code and Codex      one JSON object each, by `hook_event_name`
    Claude Code    *.jsonl                    lines of `type` user, assistant, system …, with `sessionId` and `uuid`
    Codex          rollout-*.jsonl            lines of `session_meta`, `response_item` …, or bare items in older files
    chats          *.json, *.jsonl            messages of `role` and `content`; exports with `mapping` or `chat_messages`
    plain text     *.txt, *.md                turns that begin with "User:" or "Assistant:"

A line that cannot be read is counted and passed over, for whoever wrote it may still be writing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from daypack.session_types import Did, Noted, Said, Step

LARGEST_TRANSCRIPT = 256 << 20
LONGEST_LINE = 32 << 20


@dataclass(slots=True)
class Reading:
    """Steps of one file as far as they were read. `broken` lines were passed over; `client` is "" when the file is no transcript."""

    client: str = ""
    steps: list[Step] = field(default_factory=list)
    broken: int = 0


# ---------------------------------------------------------------- hook events


# What other clients call the same moment.
_ALSO_CALLED = {
    "beforeSubmitPrompt": "UserPromptSubmit", "BeforeAgent": "UserPromptSubmit", "AfterTool": "PostToolUse", "BeforeTool": "PreToolUse",
    "PreCompress": "PreCompact", "stop": "Stop", "sessionStart": "SessionStart", "sessionEnd": "SessionEnd",
}  # fmt: skip


def steps_of_hook(event: Mapping[str, Any], *, time: float, key: str) -> list[Step]:
    """The steps that one hook event tells of. `key` names the event, for those that have no name of their own."""
    session = _text(event.get("session_id")) or _text(event.get("conversation_id")) or "unknown"
    name = _text(event.get("hook_event_name"))
    name = _ALSO_CALLED.get(name, name)
    client = _text(event.get("client")) or "hook"
    call = _text(event.get("tool_use_id")) or _text(event.get("call_id")) or key
    found: list[tuple[Said | Did | Noted, str]] = []
    match name:
        case "UserPromptSubmit":
            found.append((Said("user", _text(event.get("prompt"))), ""))
        case "PreToolUse":
            found.append((Did(_text(event.get("tool_name")), _object(event.get("tool_input"))), call))
        case "PostToolUse" | "PostToolUseFailure":
            output, failed = response_of(event.get("tool_response", event.get("tool_result", event.get("error"))))
            failed = failed or name == "PostToolUseFailure"
            # The hook after a call tells that it went through, unless its answer says otherwise.
            found.append((Did(_text(event.get("tool_name")), _object(event.get("tool_input")), output, bool(failed)), call))
        case "afterShellExecution":
            output, failed = response_of(event.get("output"))
            found.append((Did("shell", {"command": _text(event.get("command"))}, output, failed), call))
        case "afterFileEdit":
            found.append((Did("Edit", {"file_path": _text(event.get("file_path")), "edits": event.get("edits")}), call))
        case "Stop" | "SubagentStop":
            if said := _text(event.get("last_assistant_message")):
                found.append((Said("assistant", said), ""))
        case "SessionStart":
            found.append((Noted(f"session {_text(event.get('source')) or 'started'}"), key))
        case "SessionEnd":
            found.append((Noted(f"session ended ({_text(event.get('reason')) or 'no reason given'})"), key))
        case "PreCompact":
            about = _text(event.get("custom_instructions"))
            found.append((Noted(f"compacted ({_text(event.get('trigger')) or 'auto'})" + (f": {about}" if about else "")), key))
        case _:
            pass  # Notification and what clients may add: nothing that anybody would look for
    folder = _text(event.get("cwd"))
    return [Step(session, time, what, occurrence, client, folder) for what, occurrence in found]


def response_of(value: Any) -> tuple[str | None, bool | None]:
    """(what a tool printed, whether it failed) from whatever shape its answer has."""
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
        return "\n".join(part for item in value if (part := _text(item.get("text")) if isinstance(item, dict) else str(item))), None
    if not isinstance(value, dict):
        return str(value), None
    failed: bool | None = None
    for name in ("is_error", "isError"):
        if isinstance(value.get(name), bool):
            failed = value[name]
    if isinstance(value.get("success"), bool):
        failed = not value["success"]
    metadata = _object(value.get("metadata"))
    for name in ("exit_code", "exitCode", "returncode", "code"):
        code = value.get(name, metadata.get(name))
        if isinstance(code, int) and not isinstance(code, bool):
            failed = code != 0
    if _text(value.get("error")):
        failed = True
    parts = []
    for name in ("stdout", "stderr", "output", "content", "error", "message", "result"):
        found = value.get(name)
        printed = (response_of(found)[0] or "") if isinstance(found, list | dict) else _text(found)
        if printed:
            parts.append(printed)
    return "\n".join(parts), failed


# ---------------------------------------------------------------- files


def read_transcript(path: Path) -> Reading:
    """The steps of a file, whatever wrote it. Raises OSError, and ValueError for what is too large to be read at once."""
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
    return "sessionId" in line and line.get("type") in ("user", "assistant", "system", "summary", "attachment", "progress")


def _claude(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    time = 0.0
    for line in lines:
        session, folder = _text(line.get("sessionId")) or path.stem, _text(line.get("cwd"))
        time = moment_of(line.get("timestamp")) or time
        key = _text(line.get("uuid"))
        if line.get("isSidechain") or line.get("isMeta"):  # the work of a subagent, of which the session learns by its answer
            continue
        if line.get("type") == "system":
            if line.get("subtype") == "compact_boundary":
                yield Step(session, time, Noted("compacted"), key, "claude-code", folder)
            continue
        message = line.get("message")
        if line.get("type") not in ("user", "assistant") or not isinstance(message, dict) or line.get("isCompactSummary"):
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
                    said.append(_text(block.get("text")))
                case "tool_use":
                    call = _text(block.get("id"))
                    calls[call] = (_text(block.get("name")), _object(block.get("input")))
                    yield Step(session, time, Did(*calls[call]), call, "claude-code", folder)
                case "tool_result":
                    call = _text(block.get("tool_use_id"))
                    name, given = calls.get(call, ("", {}))
                    output, failed = response_of(block.get("content"))
                    refused = block.get("is_error") is True
                    if name:
                        yield Step(session, time, Did(name, given, output, refused or bool(failed)), call, "claude-code", folder)
        if text := "\n\n".join(part for part in said if part.strip()):
            yield Step(session, time, Said(who, text), "" if who == "user" else key, "claude-code", folder)


# ---------------------------------------------------------------- Codex

_ITEMS = frozenset(
    {"message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call", "reasoning"}
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
        kind = _text(item.get("type"))
        if line.get("type") == "session_meta" or (number == 0 and "id" in line and kind not in _ITEMS):
            session, folder = _text(item.get("id")) or session, _text(item.get("cwd"))
            time = moment_of(item.get("timestamp")) or time
            continue
        if line.get("type") == "compacted":
            yield Step(session, time, Noted("compacted"), f"{number}", "codex", folder)
            continue
        if payload is not None and line.get("type") != "response_item":
            continue
        call = _text(item.get("call_id")) or _text(item.get("id")) or f"{number}"
        match kind:
            case "message" if item.get("role") in ("user", "assistant"):
                who = "user" if item["role"] == "user" else "assistant"
                text = _content(item.get("content"))
                if text.strip():
                    yield Step(session, time, Said(who, text), "" if who == "user" else f"{number}", "codex", folder)
            case "function_call" | "custom_tool_call":
                given = item.get("arguments", item.get("input"))
                calls[call] = (_text(item.get("name")), _arguments(given, kind))
                yield Step(session, time, Did(*calls[call]), call, "codex", folder)
            case "local_shell_call":
                calls[call] = ("local_shell", _object(item.get("action")))
                yield Step(session, time, Did(*calls[call]), call, "codex", folder)
            case "function_call_output" | "custom_tool_call_output":
                name, given = calls.get(call, ("", {}))
                output, failed = response_of(item.get("output"))
                if name:
                    yield Step(session, time, _patched(Did(name, given, output, _codex_failed(output, failed))), call, "codex", folder)
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
    return _object(given)


def _patched(step: Did) -> Did:
    """A patch that was applied through the shell is the tool it stands for."""
    command = step.input.get("command")
    if isinstance(command, list) and command[:1] == ["apply_patch"] and len(command) == 2:
        return Did("apply_patch", {"input": str(command[1])}, step.output, step.failed)
    return step


# ---------------------------------------------------------------- chats


def _is_chat(line: Mapping[str, Any]) -> bool:
    return (("role" in line or "sender" in line) and any(name in line for name in ("content", "text", "message"))) or isinstance(
        line.get("messages"), list
    )


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
    items: list[Mapping[str, Any]] = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    if any(isinstance(item.get(name), list | dict) for item in items for name in ("messages", "mapping", "chat_messages")):
        return items
    return [{"messages": items}] if any(_is_chat(item) for item in items) else []


def _chat(chat: Mapping[str, Any], path: Path, number: int) -> Iterator[Step]:
    messages = _messages(chat)
    session = next((named for name in ("conversation_id", "uuid", "id", "session_id", "session") if (named := _text(chat.get(name)))), "")
    if not session and messages:  # known by how it begins, wherever the file lies and however it grows
        begin = json.dumps(messages[0], sort_keys=True)[:4_000].encode()
        session = f"{path.stem}-{hashlib.blake2b(begin, digest_size=4).hexdigest()}" + (f"-{number}" if number else "")
    start = next((t for name in ("create_time", "created_at", "timestamp", "date") if (t := moment_of(chat.get(name)))), None)
    time = start if start is not None else path.stat().st_mtime
    for index, message in enumerate(messages):
        author = message.get("author")
        who = _text(message.get("role")) or _text(message.get("sender")) or (_text(author.get("role")) if isinstance(author, dict) else "")
        who = {"human": "user", "user": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant"}.get(
            who.lower(), ""
        )
        said = next((t for name in ("timestamp", "created_at", "create_time", "time", "date") if (t := moment_of(message.get(name)))), None)
        # Without times of their own, messages follow each other: an order is all that is known.
        time = said if said is not None else time + (0.001 if index else 0.0)
        text = _content(message.get("content")) or _content(message.get("text")) or _content(message.get("parts"))
        if who and text.strip():
            yield Step(session, time, Said(who, text), _text(message.get("id")) or _text(message.get("uuid")) or f"{index}", "chat")


def _messages(chat: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if isinstance(mapping := chat.get("mapping"), dict):
        nodes = [node["message"] for node in mapping.values() if isinstance(node, dict) and isinstance(node.get("message"), dict)]
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
        {"role": "user" if match[1].lower() in _PEOPLE else "assistant", "content": text[match.end() : end].strip()}
        for match, end in zip(found, [*(following.start() for following in found[1:]), len(text)], strict=True)
    ]
    return Reading("chat", [*_chat({"messages": messages}, path, 0)])


_LINE_FORMATS: tuple[
    tuple[str, Callable[[Mapping[str, Any]], bool], Callable[[Sequence[Mapping[str, Any]], Path], Iterator[Step]]], ...
] = (
    ("claude-code", _is_claude, _claude),
    ("codex", _is_codex, _codex),
    ("chat", _is_chat, _chat_lines),
)


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


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
