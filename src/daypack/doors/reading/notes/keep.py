"""A note of Google Keep as a Takeout holds it (JSON), as Markdown: its title, day and labels, then its text or its list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from daypack.doors.reading.notes.exported import Notes, lines_of
from daypack.doors.reading.office.text import escaped
from daypack.shapes.loose_json import objects_of, parsed, text_of
from daypack.text.prose.written_days import written_day

_CHANGED = "userEditedTimestampUsec"


def render_keep(text: str) -> Notes | None:
    """The note as Markdown; None for other JSON."""
    if f'"{_CHANGED}"' not in text:
        return None  # nearly all files of JSON, which need not be parsed
    note = parsed(text, None)
    if not isinstance(note, dict) or _CHANGED not in note:
        return None
    title = " ".join(text_of(note.get("title")).split())
    return Notes("\n\n".join(filter(None, _parts(note, title))) + "\n", title)


def _parts(note: Mapping[str, Any], title: str) -> Iterator[str]:
    labels = (text_of(label.get("name")) for label in objects_of(note.get("labels")))
    people = (text_of(one.get("email")) for one in objects_of(note.get("sharees")))
    places = [word for key, word in _PLACES.items() if note.get(key) is True]
    facts = {
        "Changed": _day(note[_CHANGED]),
        "Labels": ", ".join(filter(None, labels)),
        "Shared with": ", ".join(filter(None, people)),
        "Kept in": ", ".join(places),
    }
    yield f"# {title}" if title else ""
    yield lines_of(facts)
    yield "\n".join(map(escaped, text_of(note.get("textContent")).split("\n"))).strip()
    yield "\n".join(
        f"- [{'x' if item.get('isChecked') is True else ' '}] {' '.join(text_of(item.get('text')).split())}"
        for item in objects_of(note.get("listContent"))
    )
    links = (
        (text_of(link.get("title")), text_of(link.get("url"))) for link in objects_of(note.get("annotations"))
    )
    yield "\n".join(
        f"{' '.join(name.split())}: <{url}>" if name else f"<{url}>" for name, url in links if url
    )


_PLACES = {"isTrashed": "the bin", "isArchived": "the archive"}


def _day(microseconds: object) -> str:
    """The day, of a number that may be written as a text; "" for none."""
    with suppress(ValueError, OverflowError, OSError):
        number = float(microseconds) if isinstance(microseconds, int | str) else 0.0
        return written_day(datetime.fromtimestamp(number / 1e6, UTC))
    return ""
