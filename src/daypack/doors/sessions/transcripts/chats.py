"""Chats as steps of a session: messages of exports, and turns of a plain text."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

from daypack.doors.sessions.meaning.fields import first_text
from daypack.doors.sessions.transcripts.blocks import Calls, has_calls, read_blocks
from daypack.doors.sessions.transcripts.cline import is_of_cline, results_in
from daypack.doors.sessions.transcripts.values import content_of, moment_of
from daypack.doors.sessions.types import Said, Step
from daypack.shapes.loose_json import object_of, objects_of, text_of


def is_chat_line(line: Mapping[str, Any]) -> bool:
    return (
        ("role" in line or "sender" in line) and any(name in line for name in ("content", "text", "message"))
    ) or isinstance(line.get("messages"), list)


def chat_steps(lines: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Step]:
    chats = [line for line in lines if isinstance(line.get("messages"), list)]
    if chats:
        for number, chat in enumerate(chats):
            yield from steps_of_chat(chat, path, number)
    else:
        yield from steps_of_chat({"messages": list(lines)}, path, 0)


def conversations(value: Any) -> list[Mapping[str, Any]]:
    """The conversations in a file: a list of messages, an export, or a list of exports."""
    if isinstance(value, dict):
        return [value] if any(name in value for name in ("messages", "mapping", "chat_messages")) else []
    items = objects_of(value)
    if any(
        isinstance(item.get(name), list | dict)
        for item in items
        for name in ("messages", "mapping", "chat_messages")
    ):
        return items
    return [{"messages": items}] if any(is_chat_line(item) for item in items) else []


_MOMENTS = ("create_time", "created_at", "timestamp", "date")
_AUTHORS = {
    "human": "user",
    "user": "user",
    **dict.fromkeys(("assistant", "ai", "model", "bot"), "assistant"),
}


def steps_of_chat(chat: Mapping[str, Any], path: Path, number: int) -> Iterator[Step]:
    """The turns of a conversation as steps; `number` is its position in the file at `path`."""
    messages = _messages(chat)
    session = first_text(chat, "conversation_id", "uuid", "id", "session_id", "session")
    if not session and messages:  # named after its beginning, which stays when the file moves or grows
        begin = json.dumps(messages[0], sort_keys=True)[:4_000].encode()
        digest = hashlib.blake2b(begin, digest_size=4).hexdigest()
        session = f"{path.stem}-{digest}" + (f"-{number}" if number else "")
    calls, of_cline = Calls(), False
    start = _first_moment(chat, *_MOMENTS)
    time = start if start is not None else path.stat().st_mtime
    for index, outer in enumerate(messages):
        message = {**object_of(outer.get("message")), **outer}  # Cursor writes the role outside
        author = object_of(message.get("author"))
        said_by = first_text(message, "role", "sender") or text_of(author.get("role"))
        who = _AUTHORS.get(said_by.lower(), "")
        said_at = _first_moment(message, "timestamp", "created_at", "create_time", "time", "date")
        # Messages without a time get rising times, because only their order is known.
        time = said_at if said_at is not None else time + (0.001 if index else 0.0)
        key = first_text(message, "id", "uuid") or f"{index}"
        if not who:
            continue
        step = partial(Step, session, time, client="chat")
        fields = (message.get(name) for name in ("content", "text", "parts"))
        content = next((field for field in fields if content_of(field) or has_calls(field)), "")
        answered, texts = read_blocks(content, calls, step)
        if who == "user":
            of_cline = of_cline or any(map(is_of_cline, texts))
            results, texts = results_in(texts, of_cline=of_cline)
            answered += (step(did, f"{key}-{n}") for n, did in enumerate(results))
        yield from answered
        if texts:
            yield step(Said(who, "\n\n".join(texts)), key)
    yield from calls.unanswered.values()


def _first_moment(fields: Mapping[str, Any], *names: str) -> float | None:
    return next((moment for name in names if (moment := moment_of(fields.get(name)))), None)


def _messages(chat: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if isinstance(mapping := chat.get("mapping"), dict):
        branch = _branch(mapping, text_of(chat.get("current_node")))
        found = [node["message"] for node in branch or mapping.values() if _has_message(node)]
        if branch:
            return found
        return sorted(found, key=lambda message: moment_of(message.get("create_time")) or 0.0)
    return objects_of(chat.get("messages", chat.get("chat_messages")))


def _has_message(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("message"), dict)


def _branch(mapping: Mapping[str, Any], last: str) -> list[Mapping[str, Any]]:
    """The nodes from the root to the node `last`, which the conversation shows; other branches were abandoned."""
    found: dict[str, Mapping[str, Any]] = {}
    while last and last not in found and isinstance(node := mapping.get(last), dict):
        found[last] = node
        last = text_of(node.get("parent"))
    return [*found.values()][::-1]


_NAMES = "User|Human|You|Me|Assistant|AI|ChatGPT|Claude|Bot|Model"
_TURN = re.compile(
    rf"^(?:\*\*|#+ ?|> ?)?({_NAMES})(?:\*\*)? ?(?::|said:|\n[-=]{{3,}}$)(?:\*\*)?[ \t]*"
    # a name alone on a line, in bold or as a heading, with a time or a model after it, as in the exports of editors
    rf"|^(_?\*\*|#+ )({_NAMES}|Agent|Cursor|Copilot|Codex|Gemini)(?: \(([^()\n]*)\))?(?:\*\*_?)?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_EXPORTED = re.compile(
    r"^_?Exported on (\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4}),? at (\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?([AP])M)?(?: (?:GMT|UTC)([+-]\d{1,2})?(?::?(\d\d))?)?",
    re.MULTILINE,
)
_HEAD_OF_EXPORT = 1_000  # characters
_FIRST_YEAR, _DAY = 2000, 86_400.0


def exported_at(text: str, written_at: float) -> float | None:
    """The time, in Unix seconds, at which an editor exported a chat, from the head of the text; None for a text without one.
    The order of day and month depends on the editor's country: the latest possible date not after `written_at` counts.
    """
    match = _EXPORTED.search(text[:_HEAD_OF_EXPORT])
    if match is None:
        return None
    a, b, c, hour, minute, second = (int(match[n] or 0) for n in range(1, 7))
    if match[7]:
        hour = hour % 12 + (12 if match[7] == "P" else 0)
    zone = timezone(timedelta(hours=int(match[8] or 0), minutes=int(match[9] or 0)))
    found: list[float] = []
    for year, month, day in ((c, a, b), (c, b, a), (a, b, c)):
        with suppress(ValueError, OverflowError):
            if year > _FIRST_YEAR:
                found.append(datetime(year, month, day, hour, minute, second, tzinfo=zone).timestamp())
    return max((moment for moment in found if moment <= written_at + _DAY), default=None)


_RULE = re.compile(r"\n[-*_]{3,}[ \t]*\Z")
_PEOPLE = frozenset({"user", "human", "you", "me"})


def _role(match: re.Match[str]) -> str:
    return "user" if (match[1] or match[3]).lower() in _PEOPLE else "assistant"


def _style(match: re.Match[str]) -> tuple[str, bool]:
    """The characters before the name of a turn's author, and whether the name is in small letters."""
    name = 1 if match[1] else 3
    return match[0][: match.start(name) - match.start()], match[name].islower()


_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})(.*)$", re.MULTILINE)


def _fences(text: str) -> list[tuple[int, int]]:
    """The half-open ranges of fenced code; a fence that is never closed begins none."""
    found: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opened is None:
            opened = None if "`" in line[2] else line
        elif line[1].startswith(opened[1]) and not line[2].strip():
            found.append((opened.start(), line.end()))
            opened = None
    return found


def turns_of_text(text: str) -> list[dict[str, str]]:
    """The turns of a text, whose authors it names, as messages; none for a text with fewer than two authors' names."""
    ends_of_fences = dict(_fences(text))
    starts = [*ends_of_fences]

    def in_fence(at: int) -> bool:
        before = bisect_right(starts, at)
        return before > 0 and at < ends_of_fences[starts[before - 1]]

    found = [match for match in _TURN.finditer(text) if not in_fence(match.start())]
    # An answer may contain other headings, and lines of a file such as "user: root".
    styles: dict[str, object] = {}
    found = [
        match
        for match in found
        if match[2] == found[0][2] and styles.setdefault(_role(match), _style(match)) == _style(match)
    ]
    if len(found) < 2:
        return []
    ends = [*(following.start() for following in found[1:]), len(text)]
    return [
        {
            "role": _role(match),
            "content": _RULE.sub("", text[match.end() : end].strip()).strip(),
            "timestamp": match[4] or "",
        }
        for match, end in zip(found, ends, strict=True)
    ]
