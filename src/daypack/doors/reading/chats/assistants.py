"""Conversations that ChatGPT and Claude export as JSON, as Markdown: a section each, a message with its role and time.

    ## Trip to the Azores (26 Oct 2026)

    User, 26 Oct 2026 07:33 UTC: Which island has the best hiking?

    Assistant, 26 Oct 2026 07:34 UTC: São Jorge.

An export is one line with all conversations, of which an extract would stop before the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from daypack.doors.reading.chats.exports import Chat
from daypack.shapes.loose_json import list_of, object_of, objects_of, parsed, text_of
from daypack.text.checks import in_utc
from daypack.text.prose.written_days import written_day

_HEAD = 8_000  # characters, in which the first conversation begins
_ROLES = {"user": "User", "human": "User", "assistant": "Assistant", "tool": "Tool"}
# Of a line without blanks at its end, as `chunk.texts.prose` reads Markdown.
_FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
_HEADING = re.compile(r" {0,3}(?:#{1,6}(?=[ \t]|\Z)|(?:={2,}|-{2,})\Z|<!--)")
_SPEAKER = re.compile(
    rf"\s*(?:{'|'.join(dict.fromkeys(_ROLES.values()))})(?:, \d\d? \w+ \d{{4}} \d\d:\d\d UTC)?:"
)


def render_conversations(text: str) -> Chat | None:
    """Exported conversations as Markdown; None for other JSON."""
    if '"mapping"' not in text[:_HEAD] and '"chat_messages"' not in text[:_HEAD]:
        return None  # most files of JSON, which need not be parsed
    data = parsed(text, None)
    items = data if isinstance(data, list) else [data]
    found = [
        (_title(one), _moment(one.get("create_time", one.get("created_at"))), said)
        for one in items
        if isinstance(one, dict) and (said := [*_paragraphs(one)])
    ]
    if not found or 2 * len(found) < len(items):
        return None
    parts = [part for title, began, said in found for part in (_heading(title, began), *said)]
    return Chat("\n\n".join(parts) + "\n", found[0][0] if len(found) == 1 else "")


def _title(chat: Mapping[str, Any]) -> str:
    return " ".join(text_of(chat.get("title") or chat.get("name")).split())


def _heading(title: str, began: datetime | None) -> str:
    return f"## {title or 'Conversation'}" + (f" ({written_day(began)})" if began else "")


def _paragraphs(chat: Mapping[str, Any]) -> Iterator[str]:
    nodes, messages = chat.get("mapping"), chat.get("chat_messages")
    if isinstance(nodes, dict):
        messages = _branch(nodes, chat.get("current_node"))
    for message in objects_of(messages):
        if not (role := _role(message)):
            continue
        if text := "\n\n".join(_closed(piece.strip()) for piece in _texts(message)):
            when = _moment(message.get("create_time", message.get("created_at")))
            head = f"{role}, {written_day(when)} {when:%H:%M} UTC:" if when else f"{role}:"
            yield head + ("\n\n" if _FENCE.match(text) else " ") + text


def _branch(nodes: Mapping[str, Any], last: object) -> list[Mapping[str, Any]]:
    """The messages from the first to the node `last`, or to the newest; other branches were abandoned."""
    found: dict[str, Mapping[str, Any]] = {}
    at: Any = last if isinstance(last, str) and last in nodes else _newest(nodes)
    while isinstance(at, str) and at not in found and isinstance(node := nodes.get(at), dict):
        found[at] = object_of(node.get("message"))
        at = node.get("parent")
    return [*found.values()][::-1]


def _newest(nodes: Mapping[str, Any]) -> str:
    """The last of the nodes whose message has the latest time; "" for none."""

    def time(name: str) -> float:
        when = _moment(object_of(object_of(nodes[name]).get("message")).get("create_time"))
        return when.timestamp() if when else 0.0

    return max(reversed(list(nodes)), key=time, default="")


def _role(message: Mapping[str, Any]) -> str:
    """The role of a message that the conversation shows; "" for another."""
    author = message.get("author")
    if object_of(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return ""
    role = author.get("role") if isinstance(author, dict) else message.get("sender")
    return _ROLES.get(text_of(role), "")


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a message, then those that were pasted into it."""
    content, text = message.get("content"), message.get("text")
    pieces = content.get("parts", [content.get("text")]) if isinstance(content, dict) else content
    if isinstance(text, str) and text.strip():
        pieces = [text]
    for piece in list_of(pieces):
        said = text_of(piece.get("text") if isinstance(piece, dict) else piece)
        if said.strip():
            yield said
    for file in objects_of(message.get("attachments")):
        pasted = text_of(file.get("extracted_content"))
        if pasted.strip():
            yield f"Attached {' '.join(text_of(file.get('file_name')).split()) or 'text'}:"
            yield pasted


def _closed(text: str) -> str:
    """The text without headings, which would end its section, without lines that begin as another message, and with each fence
    closed. A blank line before a fence keeps it out of a block of indented lines, in which it would be none.
    """
    lines, fence = list[str](), ""
    for line in map(str.rstrip, text.splitlines()):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and mark.end() == len(line):
                fence = ""
        elif mark:
            fence = mark[1]
            if lines and lines[-1]:
                lines.append("")
        elif _HEADING.match(line) or _SPEAKER.match(line):
            line = "\\" + line.lstrip()
        lines.append(line)
    return "\n".join([*lines, fence] if fence else lines)


def _moment(value: object) -> datetime | None:
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str):
            return in_utc(datetime.fromisoformat(value)).astimezone(UTC)
    return None
