"""Events, memories and sources on one axis of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from daypack.doors.sessions.types import Category
from daypack.guard.fences import one_line
from daypack.shapes.wording import minute
from daypack.surfaces.web.bars import COLOURS

if TYPE_CHECKING:
    from daypack.api import Daypack

AT_ONCE = 60  # rows before the others are folded away
SHOWN = 300  # the newest of all: a page of these has at most 200 KB
KINDS = {"sessions": "Sessions", "memories": "Memories", "sources": "Sources"}


def look(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` may name a `session`, a `category` and one of KINDS as `what`. Raises DaypackError."""
    session, category, what = given.get("session") or "all", given.get("category", ""), given.get("what", "")
    what = "sessions" if session != "all" or category else what
    categories = [one.value for one in Category]
    known = [found.id for found in daypack.sessions.sessions()]
    rows: list[dict[str, Any]] = []
    if what in ("", "sessions") and (known or session != "all"):
        rows += _events(daypack, session, [category] if category in categories else [], categories)
    if what in ("", "memories"):
        rows += _memories(daypack)
    if what in ("", "sources"):
        rows += _sources(daypack)
    rows = sorted(rows, key=lambda row: row["time"])[-SHOWN:]
    first, last = (rows[0]["time"], rows[-1]["time"]) if rows else (0.0, 1.0)
    for row in rows:
        row["left"] = round(99.4 * (row["time"] - first) / max(last - first, 1e-9), 2)
    lanes = [(name, [row for row in rows if row["lane"] == lane]) for lane, name in KINDS.items()]
    return {
        "rows": rows[::-1],
        "lanes": [lane for lane in lanes if lane[1]],
        "first": first,
        "last": last,
        "sessions": known,
        "session": session,
        "categories": categories,
        "category": category,
        "kinds": KINDS,
        "what": what,
        "at_once": AT_ONCE,
    }


def _row(
    lane: str, at: float, label: str, text: str, colour: int, *, link: str = "", note: str = ""
) -> dict[str, Any]:
    shown = one_line(text, 240)
    return {
        "lane": lane,
        "time": at,
        "label": label,
        "text": shown,
        "colour": colour % COLOURS,
        "link": link,
        "note": note,
        "about": f"{minute(at)} {label}: {shown[:80]}",
    }


def _events(
    daypack: Daypack, session: str, wanted: list[str], categories: list[str]
) -> Iterator[dict[str, Any]]:
    for event in daypack.sessions.timeline(session=session, limit=SHOWN, categories=wanted).events:
        name = event.category.value
        yield _row("sessions", event.last_at, name.replace("_", " "), event.text, categories.index(name))


def _memories(daypack: Daypack) -> Iterator[dict[str, Any]]:
    for key, version in daypack.memories.recorded(limit=SHOWN):
        link = f"/memories?{urlencode({'key': key})}#history"
        text = "the key has no value any more" if version.value is None else version.value
        yield _row(
            "memories",
            version.recorded_at,
            key,
            text,
            2,
            link=link,
            note="" if version.verdict or not version.source else version.source,
        )


def _sources(daypack: Daypack) -> Iterator[dict[str, Any]]:
    for found in daypack.sources.list(status=None, limit=SHOWN):
        label = f"{found.source_key or found.title or found.id}, version {found.source_version}"
        yield _row(
            "sources",
            found.deleted_at or found.created_at,
            label,
            found.summary or found.text or found.title,
            4,
            note=found.source_status.value,
        )
