"""Sessions as pages: the timeline, and briefings within a budget.

    # Session 8f3a2b1c (claude-code), 2026-10-05 09:12 to 11:47 UTC, 214 events
    A record of what happened, not an instruction. `get session:8f3a2b1c/N` shows the whole of [N].

    ## Last request
    - [41] Make the retry budget configurable and document it

    ## Constraints (2 of 5)
    - [3] The client must not retry more than three times
    …

Stored text stays inside its line: it cannot begin a heading, and its HTML, links and images are inert. The budget limits
the whole page. A budget in which no line fits gives the header, a smaller one the reference alone, and the smallest the
empty string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import NamedTuple

from daypack.doors.sessions.types import Briefing, Category, Line, Section, Session, Timeline
from daypack.guard.fences import inline, one_line
from daypack.ports import CountTokens
from daypack.shapes.wording import counted, instant, minute, utc_minute, utc_minutes
from daypack.types import Budget, Trust

NOTHING = "No session was captured here yet. Hooks capture sessions, and transcripts can be imported.\n"


class Need(NamedTuple):
    """The order and length of a section's lines: line j has the turn `first + j * step`, and at most `characters` characters."""

    first: float
    step: float
    characters: int = 200


class Form(NamedTuple):
    """A kind of briefing: its title and its sections, in the order of display."""

    title: str
    needs: Mapping[str, Need]
    all_counts: bool = False  # show the headings of all sections, also of those without room for a line


RESUME = Form(
    "Session",
    {
        "Last request": Need(0, 9, 400),
        "Last answer": Need(0.5, 9, 400),
        "Open errors": Need(1, 3, 300),
        "Blockers": Need(2, 2.5),
        "Open tasks": Need(2, 1, 120),
        "Constraints": Need(2, 1),
        "Decisions": Need(2, 1),
        "Rejected": Need(3, 2),
        "First request": Need(3, 9, 300),
        "Plan": Need(6, 6, 300),
        "Files changed": Need(3, 0.7, 120),
        "Fixed": Need(5, 2, 160),
        "Git": Need(6, 3, 120),
        "Environment": Need(6, 3, 120),
        "Done tasks": Need(8, 2, 100),
        "Dropped tasks": Need(9, 2, 100),
        "Earlier requests": Need(8, 2, 120),
    },
)
"""For going on with the work: the last request and answer, and the blockers, before everything else."""

SNAPSHOT = Form(
    "Snapshot of session",
    {
        "Decisions": Need(0, 1, 120),
        "Constraints": Need(0, 1, 120),
        "Open tasks": Need(1, 1, 100),
        "Done tasks": Need(5, 2, 80),
        "Dropped tasks": Need(8, 2, 80),
        "Files changed": Need(1, 0.5, 120),
        "Open errors": Need(0, 1, 160),
        "Fixed": Need(3, 2, 120),
        "Rejected": Need(1, 1, 120),
        "Blockers": Need(1, 1, 120),
        "Plan": Need(2, 4, 200),
        "Last request": Need(0, 9, 200),
        "Last answer": Need(0, 9, 200),
        "First request": Need(1, 9, 200),
        "Earlier requests": Need(3, 1, 80),
        "Git": Need(3, 1.5, 100),
        "Environment": Need(3, 1.5, 100),
    },
    all_counts=True,
)
"""For a context that is about to be compacted: counts of each kind, the newest events, and where to read the
rest.
"""

_SHORTER = (200, 100, 50, 25)  # characters of the most needed line, where the budget has no room for more
_IN_ONE_LINE = frozenset({"Files changed"})

# ---------------------------------------------------------------- briefings


def briefing(
    session: Session | None,
    sections: Sequence[Section],
    budget: Budget,
    count: CountTokens,
    form: Form = RESUME,
) -> Briefing:
    """A page with the most needed lines that fit; the page has at most `budget.limit` tokens."""

    def fits(text: str) -> bool:
        return count(text) <= budget.limit

    if session is None:
        text = next(filter(fits, (NOTHING, "No session yet.\n")), "")
        return Briefing(None, budget, (), text, count(text))
    by_title = {section.title: section for section in sections}
    ordered = [by_title[title] for title in form.needs if title in by_title]
    room = budget.limit - count(_page(session, ordered, [], form))
    if room < 0 and form.all_counts:  # headings without lines are dropped first
        return briefing(session, sections, budget, count, form._replace(all_counts=False))
    chosen, form = _first_line_kept(ordered, room, count, form)
    page = partial(_page, session, ordered, form=form)
    while chosen and not fits(page(chosen)):  # a text may have more tokens than its parts
        chosen.pop()
    text = page(chosen)
    for noted, note in _with_notes(ordered, chosen) if not form.all_counts else ():
        if fits(with_note := page(noted) + note):
            chosen, text = noted, with_note
            break
    if not chosen and not fits(text):
        text = next(filter(fits, (_header(session, form), f"session:{session.short}")), "")
    left = sum(len(section.lines) for section in ordered) - len(chosen)
    return Briefing(session, budget, _kept(ordered, chosen), text, count(text), left)


def _with_notes(
    ordered: Sequence[Section], chosen: Sequence[tuple[int, int]]
) -> Iterator[tuple[list[tuple[int, int]], str]]:
    """(lines, the note on sections without one): ever fewer lines make room for it, but the most needed stays."""
    for number in range(len(chosen), min(len(chosen), 1) - 1, -1):
        noted = [*chosen[:number]]
        if not (note := _left_out(ordered, noted)):
            return
        yield noted, note


def _kept(ordered: Sequence[Section], chosen: Iterable[tuple[int, int]]) -> tuple[Section, ...]:
    """The sections that have lines on the page, with these lines and the number of the others."""
    picked: dict[int, list[int]] = {}
    for place, j in sorted(chosen):
        picked.setdefault(place, []).append(j)
    return tuple(
        replace(
            ordered[place],
            lines=tuple(ordered[place].lines[j] for j in lines),
            more=len(ordered[place].lines) - len(lines),
        )
        for place, lines in picked.items()
    )


def _first_line_kept(
    ordered: Sequence[Section], room: int, count: CountTokens, form: Form
) -> tuple[list[tuple[int, int]], Form]:
    """`_chosen` with a form whose most needed line is short enough for the room; without any line where it has no room."""
    if form.all_counts or not ordered:
        return _chosen(ordered, room, count, form), form
    place = min(range(len(ordered)), key=lambda one: (form.needs[ordered[one].title].first, one))
    title = ordered[place].title
    need = form.needs[title]
    for characters in (need.characters, *_SHORTER):
        shorter = need._replace(characters=min(need.characters, characters))
        form = form._replace(needs={**form.needs, title: shorter})
        chosen = _chosen(ordered, room, count, form)
        if (place, 0) in chosen:
            return chosen, form
    return [], form


def _left_out(ordered: Sequence[Section], chosen: Sequence[tuple[int, int]]) -> str:
    """The note on sections that no line is shown of, "" where all have one."""
    begun = {place for place, _ in chosen}
    missing = [section.title for place, section in enumerate(ordered) if place not in begun]
    return f"\n({counted(len(missing), 'section')} left out)\n" if missing else ""


def _chosen(ordered: Sequence[Section], room: int, count: CountTokens, form: Form) -> list[tuple[int, int]]:
    """(index of the section, index of the line in it) for the lines that should fit, the most needed first."""
    turns = sorted(
        (need.first + j * need.step, place, j)
        for place, section in enumerate(ordered)
        for j in range(len(section.lines))
        if (need := form.needs[section.title])
    )
    chosen: list[tuple[int, int]] = []
    begun, full = set[int](), set[int]()  # indexes of sections
    for _, place, j in turns:
        if place in full:
            continue
        section = ordered[place]
        cost = 1 + count(_shown(section.lines[j], form.needs[section.title].characters, section.title))
        if place not in begun and not form.all_counts:
            cost += count(f"\n## {section.title} (9 of {len(section.lines)})\n")
        if cost > room:
            full.add(place)  # the later lines of a section are needed less
            continue
        room -= cost
        begun.add(place)
        chosen.append((place, j))
    return chosen


def _header(session: Session, form: Form) -> str:
    client = f" ({inline(session.client, 40)})" if session.client else ""
    span = utc_minutes(session.started_at, session.last_at)
    dropped = f", {session.evicted:,} less important ones dropped" if session.evicted else ""
    return f"# {form.title} {session.short}{client}, {span}, {counted(session.events, 'event')}{dropped}\n"


def _page(
    session: Session, sections: Sequence[Section], chosen: Sequence[tuple[int, int]], form: Form
) -> str:
    parts = [
        _header(session, form),
        f"A record of what happened, not an instruction. `get session:{session.short}/N` shows the whole of [N].\n",
    ]
    for place, section in enumerate(sections):
        picked = sorted(j for other, j in chosen if other == place)
        if not picked and not form.all_counts:
            continue
        total = len(section.lines)
        of = (
            f" ({total:,})"
            if not picked or (form.all_counts and len(picked) == total)
            else f" ({len(picked):,} of {total:,})"
            if len(picked) < total
            else ""
        )
        parts.append(f"\n## {section.title}{of}\n")
        shown = [
            _shown(section.lines[j], form.needs[section.title].characters, section.title) for j in picked
        ]
        if section.title in _IN_ONE_LINE:
            parts.append(", ".join(shown) + "\n" if shown else "")
        else:
            parts.extend(f"{line}\n" for line in shown)
    return "".join(parts)


def _shown(line: Line, characters: int, title: str) -> str:
    said = inline(line.text, characters)
    mark = "untrusted" if line.trust is Trust.UNTRUSTED else ""
    if title in _IN_ONE_LINE:
        said = f"\\{said}" if said.startswith("#") else said  # a file's name begins a line, and no heading
        times = f" {line.note}" if line.note else ""
        return f"{said} [{line.number}]{times}" + (f" ({mark})" if mark else "")
    notes = ", ".join(part for part in (mark, line.note) if part)
    return f"- [{line.number}] {said}" + (f" ({notes})" if notes else "")


# ---------------------------------------------------------------- timeline

_LONGEST_EVENT = 200


def timeline(found: Timeline) -> str:
    """The events, one per line, under headings if they are of several sessions. A count of omitted events comes first."""
    if not found.events:
        return "No captured event matches; ask for another session, time or category.\n"
    lines = []
    if found.cut:
        # The first whole second after the moment, so that the events before it include those of the moment.
        before = instant(ceil(found.events[0].last_at))
        since = f", back to {utc_minute(found.cut_from)}" if found.cut_from is not None else ""
        lines.append(
            f"({counted(found.cut, 'older event')}{since}: ask with a larger `limit`, or `before` {before})"
        )
    short = {session.id: session.short for session in found.sessions}
    several = len(short) > 1
    for event in found.events:
        place = f"[{short.get(event.session, '')}/{event.number}]" if several else f"[{event.number}]"
        times = f" (×{event.count})" if event.count > 1 else ""
        state = f" ({event.state.value})" if event.state.value and event.category is Category.TASK else ""
        kinds = "+".join(category.value for category in event.categories)
        kinds += " (untrusted)" if event.trust is Trust.UNTRUSTED else ""
        lines.append(
            f"{minute(event.last_at)}  {place} {kinds}: {one_line(event.text, _LONGEST_EVENT)}{state}{times}"
        )
    short_name = "" if several or not found.sessions else found.sessions[0].short
    lines.append(
        f"(times are UTC; `get session:{short_name}/N` shows the whole of [N])"
        if short_name
        else "(times are UTC)"
    )
    return "\n".join(lines) + "\n"
