"""Sessions: events, memories and sources in lanes on one axis of time, which can be narrowed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode

from daypack.api import Daypack
from daypack.api.query_scope import moment_of
from daypack.doors.sessions.types import Category, SessionEvent, State
from daypack.doors.sources.types import Source
from daypack.guard.fences import one_line
from daypack.shapes.wording import instant, minute
from daypack.surfaces.web.bars import COLOURS
from daypack.surfaces.web.figures.lanes import Lanes, Moment, lanes
from daypack.types import Trust

AT_ONCE = 60  # rows that are shown unfolded
SHOWN = 240  # rows on a page, which then has at most 200 KB
MOST_SKIPPED = 1_000_000
MOST_READ = 5_000  # newest versions of memories, and of sources
AT_A_TIME = 1_000
SHORTEST = 120.0  # seconds of the narrowest axis
CATEGORIES = [one.value for one in Category]
KINDS = {"sessions": "Sessions", "memories": "Memories", "sources": "Sources"}
LANES = {
    "Requests": (Category.PROMPT, Category.ANSWER),
    "Decisions": (Category.DECISION, Category.CONSTRAINT, Category.PLAN, Category.TASK, Category.REJECTED),
    "Errors": (Category.ERROR, Category.BLOCKER, Category.FIX, Category.TEST),
    "Files": (Category.FILE, Category.READ, Category.GIT),
    "Tools": (Category.COMMAND, Category.TOOL, Category.WEB, Category.DELEGATION, Category.ENVIRONMENT),
    "Session": (Category.SESSION,),
}
OWN_COLOURS = {"memory": COLOURS - 2, "source": COLOURS - 1}
_LANE_OF = {one: lane for lane, categories in LANES.items() for one in categories}


def read_facts(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` may name a `session`, a `category`, one of KINDS as `what`, and the time from `since` to `before`, with the
    number of newest rows to `skip` there, which the page before has shown. Raises DaypackError.
    """
    session, category = given.get("session") or "all", given.get("category", "")
    form = {
        "session": session,
        "category": category,
        "what": "sessions" if session != "all" or category else given.get("what", ""),
        "since": given.get("since", "").strip(),
        "before": given.get("before", "").strip(),
    }
    now, skip = daypack.engine.now(), _number(given.get("skip", ""))
    start, end = (moment_of(form[name], now) if form[name] else None for name in ("since", "before"))
    known = daypack.sessions.sessions()
    found, unread = _found(daypack, form, start, end, SHOWN + 1 + skip, with_events=bool(known))
    left = found[: max(len(found) - skip, 0)]
    rows, cut = _shared_out(left, SHOWN)
    legend = _legend(rows)
    for number, row in enumerate(rows):
        row |= {"id": number, "colour": legend[row["lane"], row["kind"]]}
    facts: dict[str, Any] = {
        "total": len(left) + unread, "rows": rows[::-1], "sessions": known, "categories": CATEGORIES, "kinds": KINDS, "at_once": AT_ONCE,
        "earlier": _earlier(form, found, cut, end, now) if cut is not None else "",
        "counts": {name: len([row for row in rows if row["lane"] == name]) for name in (*LANES, *KINDS.values())}, **form,
    }  # fmt: skip
    if rows:
        facts |= {"legend": legend, **_axis(rows, form, start, end)}
    if session != "all":
        facts["briefing"] = daypack.sessions.resume(session=session).text
    return facts


def _found(
    daypack: Daypack,
    form: Mapping[str, str],
    start: float | None,
    end: float | None,
    most: int,
    *,
    with_events: bool,
) -> tuple[list[dict[str, Any]], int]:
    """(the rows of a form in the order of time, at most `most` events of a lane; the number of older events)."""
    found: list[dict[str, Any]] = []
    unread = 0
    if form["what"] in ("", "sessions") and (with_events or form["session"] != "all"):
        wanted = [[form["category"]]] if form["category"] in CATEGORIES else [*LANES.values()]
        found, unread = _events(daypack, form["session"], wanted, start, end, most)
    if form["what"] in ("", "memories"):
        found += _memories(daypack)
    if form["what"] in ("", "sources"):
        found += _sources(daypack)
    first, last = -math.inf if start is None else start, math.inf if end is None else end
    within = [row for row in found if first <= row["time"] < last]
    return sorted(within, key=lambda row: (row["time"], *row["order"])), unread


def _earlier(
    form: Mapping[str, str], found: Sequence[dict[str, Any]], cut: int, end: float | None, now: datetime
) -> str:
    """The address of the page before: of the rows until that at `cut`, less those of its moment that are shown."""
    before = _just_after(found[cut]["time"])
    if end is not None and moment_of(before, now) >= end:
        before = form["before"]
    stop = moment_of(before, now)
    skip = sum(row["time"] < stop for row in found[cut:])
    return f"/sessions?{urlencode({**form, 'before': before, 'skip': skip})}"


def _shared_out(rows: list[dict[str, Any]], most: int) -> tuple[list[dict[str, Any]], int | None]:
    """(the newest of some rows in the order of time, at most `most`; the position in `rows` from which all are shown, before
    which a lane has further ones, None when all are shown). A lane has its share, and the rest of another that needs less.
    """
    by_lane: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        by_lane.setdefault(row["lane"], []).append(position)
    shown: list[int] = []
    cut: int | None = None
    for number, own in enumerate(sorted(by_lane.values(), key=len)):
        share = (most - len(shown)) // (len(by_lane) - number)
        shown += own[-share:]
        if len(own) > share:
            cut = max(cut or 0, own[-share])
    return [rows[position] for position in sorted(shown)], cut


def _just_after(at: float) -> str:
    """The next millisecond, as a text."""
    seconds, thousandths = divmod(math.floor(max(at, 0.0) * 1000) + 1, 1000)
    return f"{_iso(seconds)}.{thousandths:03}"


def _number(text: str) -> int:
    return min(int(text), MOST_SKIPPED) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _axis(
    rows: list[dict[str, Any]], form: Mapping[str, str], start: float | None, end: float | None
) -> dict[str, Any]:
    """The facts of the axis: the lanes of the rows, and addresses that narrow, widen and move the time."""
    first, last = (rows[0]["time"] if start is None else start), (rows[-1]["time"] if end is None else end)
    last = max(last, first + SHORTEST)
    moments: dict[str, list[Moment]] = {}
    for name in (*LANES, *KINDS.values()):
        if found := [row for row in rows if row["lane"] == name]:
            moments[name] = [
                Moment(row["time"], row["colour"], row["about"], f"#event-{row['id']}") for row in found
            ]

    def told(at: float) -> str:
        days = (last - first) / 86_400
        return minute(at)[11:16] if days < 1 else minute(at)[5:16] if days < 4 else minute(at)[:10]

    def address(begin: float, stop: float) -> str:
        return f"/sessions?{urlencode({**form, 'since': _iso(begin), 'before': _iso(stop)})}"

    middle, wide = (first + last) / 2, last - first
    pictures: list[tuple[str, Lanes]] = [
        ("wide", lanes(moments, first, last, told, width=1000, beside=90)),
        ("tall", lanes(moments, first, last, told, width=360, ticks=3)),
    ]
    zooms = [
        ("Closer", address(middle - wide / 4, middle + wide / 4) if wide > 2 * SHORTEST else ""),
        ("Wider", address(middle - wide, middle + wide)),
        ("Earlier", address(first - wide / 2, last - wide / 2)),
        ("Later", address(first + wide / 2, last + wide / 2)),
        ("All", f"/sessions?{urlencode({**form, 'since': '', 'before': ''})}" if form["since"] or form["before"] else ""),
    ]  # fmt: skip
    return {"pictures": pictures, "zooms": zooms, "first": first, "last": last}


def _legend(rows: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
    """(lane, kind) → its colour, in the order of the lanes. Events share the colours that memories and sources leave."""
    present = {(row["lane"], row["kind"]) for row in rows}
    places = {lane: place for place, lane in enumerate((*LANES, *KINDS.values()))}
    ordered = sorted(present, key=lambda one: (places[one[0]], one[1]))
    free = COLOURS - len(OWN_COLOURS)
    return {(lane, kind): OWN_COLOURS.get(kind, number % free) for number, (lane, kind) in enumerate(ordered)}


def _iso(at: float) -> str:
    return instant(max(at, 0.0)).removesuffix("Z")


def _row(
    lane: str,
    at: float,
    label: str,
    text: str,
    *,
    order: tuple[int, int] = (0, 0),
    link: str = "",
    note: str = "",
    kind: str = "",
) -> dict[str, Any]:
    """`order` is that of rows of one time and lane."""
    shown = one_line(text, 240)
    return {
        "lane": lane,
        "time": at,
        "order": order,
        "label": label,
        "text": shown,
        "link": link,
        "note": note,
        "kind": kind or label,
        "about": f"{minute(at)} {label}: {shown[:48]}",
    }


def _events(
    daypack: Daypack,
    session: str,
    wanted: Sequence[Sequence[Category | str]],
    start: float | None,
    end: float | None,
    most: int,
) -> tuple[list[dict[str, Any]], int]:
    """(the newest events, at most `most`, of each of some groups of categories; the number of their older ones)."""
    timeline = partial(daypack.sessions.timeline, session=session, since=start, before=end)
    # By group, else the most frequent would hide others; one more than a page has proves earlier ones.
    found = [timeline(categories=group, limit=most) for group in wanted]
    every = {event.reference: event for part in found for event in part.events}
    last = timeline(categories=[one for group in wanted for one in group], limit=1)
    return [*map(_event_row, every.values())], len(last.events) + last.cut - len(every)


def _event_row(event: SessionEvent) -> dict[str, Any]:
    # a decision in an answer is in the lane of decisions
    shown = next((mark for mark in event.categories if _LANE_OF[mark] == "Decisions"), event.category)
    lane = _LANE_OF[shown]
    note = " ".join(
        part
        for part in (
            event.state.value if event.state is not State.NONE else "",
            f"×{event.count}" if event.count > 1 else "",
        )
        if part
    )
    label = shown.value.replace("_", " ")
    link = f"/get?{urlencode({'ref': event.reference})}"
    order = event.number, event.record_id
    return _row(lane, event.last_at, label, event.text, order=order, link=link, note=note)


def _memories(daypack: Daypack) -> Iterator[dict[str, Any]]:
    for number, (key, version) in enumerate(daypack.memories.recorded(limit=MOST_READ)):
        link = f"/memories?{urlencode({'key': key})}#history"
        text = "the key has no value any more" if version.value is None else version.value
        note = "" if version.verdict or not version.source else version.source
        if version.trust is Trust.UNTRUSTED and not version.verdict:
            note = f"waits for a review{', ' if note else ''}{note}"
        at, order = version.recorded_at, (-number, 0)
        yield _row("Memories", at, key, text, order=order, link=link, note=note, kind="memory")


def _sources(daypack: Daypack) -> Iterator[dict[str, Any]]:
    for number, found in enumerate(_newest_sources(daypack)):
        label = f"{found.source_key or found.title or found.id}, version {found.source_version}"
        text = found.summary or found.text or found.title
        at = found.deleted_at or found.created_at
        note, order = found.source_status.value, (-number, 0)
        yield _row("Sources", at, label, text, order=order, note=note, kind="source")


def _newest_sources(daypack: Daypack) -> Iterator[Source]:
    for begin in range(0, MOST_READ, AT_A_TIME):
        found = daypack.sources.list(status=None, limit=AT_A_TIME, offset=begin)
        yield from found
        if len(found) < AT_A_TIME:
            return
