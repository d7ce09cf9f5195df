"""Records of the everyday world before they are kept, and how its files spell them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

_ROWS = {"m": "memories", "d": "documents", "e": "sessions", "s": "sources"}


class Entry(NamedTuple):
    """A record before it is kept: its door, its key there, its time, its text, and what else the door takes.

    The key of a session's turn is its session.
    """

    door: str
    key: str
    at: datetime
    text: str
    head: Mapping[str, Any]


def parse(text: str, topic: str) -> Iterator[Entry]:
    """The entries of one file of `world/`.

    `### file PATH DATE` and `### label NAME DATE` begin a text; `### records` begins lines of one record each,
    with fields between bars: memories (m), documents (d), sessions (e), sources (s).
    """
    for block in text.split("### ")[1:]:
        head, _, body = block.partition("\n")
        kind, *rest = head.split()
        if kind == "records":
            for line in filter(None, body.splitlines()):
                yield _row(line)
        else:
            yield Entry(f"{kind}s", rest[0], _moment(rest[1]), body, {"topic": topic})


def _row(line: str) -> Entry:
    door = _ROWS[line[0]]
    key, *fields = line[2:].split(" | ")
    match door:
        case "memories":
            at, author, tags, value = fields
            return Entry(door, key, _moment(at), value, {"author": author, "tags": tags})
        case "documents":
            data = json.loads(" | ".join(fields))
            return Entry(door, key, _moment(data.get("date", data.get("opened", "2026-03-01"))), "", data)
        case "sessions":
            at, who, said = fields
            return Entry(door, key, _moment(at), said, {"who": who})
    at, source_kind, title, body = fields
    return Entry(door, key, _moment(at), body, {"kind": source_kind, "title": title})


def _moment(text: str) -> datetime:
    """The moment of a date (nine in the morning) or of a date and time, UTC."""
    return datetime.fromisoformat(text if "T" in text else f"{text}T09:00").replace(tzinfo=UTC)
