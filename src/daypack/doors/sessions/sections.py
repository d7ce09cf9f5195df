"""Events of a session as sections of a page: the last words, open errors and tasks, constraints, decisions, files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from daypack.doors.sessions.hooks.replies import is_reply
from daypack.doors.sessions.meaning.calls import reason_of
from daypack.doors.sessions.meaning.fields import category_of
from daypack.doors.sessions.meaning.outcomes import Call, core_of, settles
from daypack.doors.sessions.rules import AFTER_CHANGES
from daypack.doors.sessions.types import Category, Line, Section, SessionEvent, State


def sections_of(events: Sequence[SessionEvent], folder: str = "") -> list[Section]:
    """The sections with which to continue the work, the most needed first, each with its newest lines first. Files in the
    session's `folder` are named relative to it.

    Open errors are those whose command did not work again later; open tasks are not done, and their list still has them.
    """
    by_time = sorted(events, key=lambda event: (event.last_at, event.number))

    def of(category: Category) -> list[SessionEvent]:
        return [event for event in reversed(by_time) if event.category is category]

    def lines(events: Iterable[SessionEvent | None]) -> tuple[Line, ...]:
        return tuple(_whole(event) for event in events if event is not None)

    prompts = of(Category.PROMPT)
    # A reply such as "yes, go ahead" follows its request. None is dropped: one such as "fix #123" may ask for the work.
    asking = [event for event in prompts if not is_reply(event.text)] or prompts
    newest = prompts.index(asking[0]) if asking else 0
    last, earlier = prompts[newest : newest + 1] + prompts[:newest], prompts[newest + 1 :]
    first = min(asking, key=lambda event: (event.first_at, event.number), default=None)
    done = (event for event in of(Category.TASK) if event.state is State.DONE)
    dropped = (event for event in of(Category.TASK) if event.state is State.DROPPED)
    open_tasks = (event for event in _by_state(by_time) if event.state not in (State.DONE, State.DROPPED))
    found = [
        Section("Last request", lines(last)),
        Section("Last answer", lines(of(Category.ANSWER)[:1])),
        Section("Open errors", tuple(map(_error, reversed(open_errors(by_time))))),
        Section("Open tasks", tuple(map(_task, open_tasks))),
        Section("Blockers", _marked(by_time, Category.BLOCKER)),
        Section("Constraints", _marked(by_time, Category.CONSTRAINT)),
        Section("Decisions", _marked(by_time, Category.DECISION)),
        Section("Rejected", _marked(by_time, Category.REJECTED)),
        Section("First request", lines([first]) if first not in last else ()),
        Section("Files changed", _changed(by_time, folder)),
        Section("Plan", (*lines(of(Category.PLAN)), *_marked(by_time, Category.PLAN))),
        Section("Fixed", tuple(_fixed(event, folder) for event in of(Category.FIX))),
        Section("Git", lines(of(Category.GIT))),
        Section("Environment", lines(of(Category.ENVIRONMENT))),
        Section("Done tasks", tuple(map(_task, done))),
        Section("Dropped tasks", tuple(map(_task, dropped))),
        Section("Earlier requests", lines(event for event in earlier if event is not first)),
    ]
    return [section for section in found if section.lines]


def left_off(events: Sequence[SessionEvent]) -> list[int]:
    """Record ids of the events from which to go on: the last answer and request, the later one first, then all
    that is open, and the plan.
    """
    by_number = {event.number: event for event in events}
    sections = {section.title: section.lines for section in sections_of(events)}

    def of(title: str) -> list[SessionEvent]:
        return [by_number[line.number] for line in sections.get(title, ())]

    said = [of("Last answer"), of("Last request")]
    said.sort(key=lambda part: max((event.last_at for event in part), default=0.0), reverse=True)
    still = [of(title) for title in ("Open errors", "Open tasks", "Blockers", "Plan")]
    return [event.record_id for part in (*said, *still) for event in part]


def open_errors(by_time: Sequence[SessionEvent]) -> list[SessionEvent]:
    """The errors whose command or file has not worked since, the oldest first. Failed reads and web requests are left
    out, because they leave nothing to mend.
    """
    worked = [event for event in by_time if _shows_success(event)]
    failed = [
        event
        for event in by_time
        if event.category is Category.ERROR and category_of(event.author) not in _LOOKS
    ]
    latest = {_failure_key(event): event for event in failed}
    return [
        event
        for event in failed
        if latest[_failure_key(event)] is event
        and not any(later.last_at >= event.last_at and _settles(later, event) for later in worked)
    ]


def _settles(later: SessionEvent, failed: SessionEvent) -> bool:
    if later.category is Category.FIX:
        return later.subject == failed.subject
    return settles(Call(later.author, later.subject), Call(failed.author, failed.subject))


def _failure_key(event: SessionEvent) -> object:
    """The key of a failure: equal for commands that differ only in their output."""
    core = core_of(event.subject)
    return (core.words, core.place if core.is_relative else "") if core.words else event.reference


_LOOKS = (Category.READ, Category.WEB)


def _shows_success(event: SessionEvent) -> bool:
    if not event.subject or event.category is Category.TASK:
        return False
    return event.state is State.DONE or event.category in (Category.FIX, Category.FILE)


def _by_state(by_time: Sequence[SessionEvent]) -> list[SessionEvent]:
    tasks = [event for event in by_time if event.category is Category.TASK]
    return sorted(tasks, key=lambda event: (event.state is not State.ACTIVE, event.number))


def _marked(by_time: Sequence[SessionEvent], category: Category) -> tuple[Line, ...]:
    """The sentences with marks of a category, the newest first, without repetitions."""
    lines: dict[str, Line] = {}
    for event in reversed(by_time):
        if event.category is category and category is not Category.PLAN:
            lines.setdefault(_words(event.text), _whole(event))
        for mark in reversed(event.marks):
            if mark.category is category:
                said = event.text[mark.start : mark.end]
                lines.setdefault(_words(said), replace(_whole(event), text=said))
    return tuple(lines.values())


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _whole(event: SessionEvent) -> Line:
    return Line(event.text, event.number, event.reference, _times(event.count), event.trust)


def _error(event: SessionEvent) -> Line:
    return replace(_whole(event), text=reason_of(event.subject, event.text))


def _fixed(event: SessionEvent, folder: str) -> Line:
    works, after, files = event.text.rpartition(AFTER_CHANGES)
    here = _within(folder)
    return replace(
        _whole(event), text=works + after + ", ".join(path.removeprefix(here) for path in files.split(", "))
    )


def _within(folder: str) -> str:
    """The beginning of the paths of files in a folder, "" for no folder."""
    return f"{folder.rstrip('/')}/" if folder else ""


def _task(event: SessionEvent) -> Line:
    return replace(_whole(event), note=event.state.value if event.state is not State.OPEN else "")


def _times(count: int) -> str:
    return f"×{count}" if count > 1 else ""


def _changed(by_time: Sequence[SessionEvent], folder: str) -> tuple[Line, ...]:
    """The changed files, each with its last change and the number of its changes."""
    changes = [event for event in by_time if event.category is Category.FILE]
    files = {event.subject: event for event in changes}
    times: Counter[str] = Counter()
    for event in changes:
        times[event.subject] += event.count
    here = _within(folder)
    newest = sorted(files.values(), key=lambda event: (-event.last_at, -event.number))
    return tuple(
        replace(_whole(event), text=event.subject.removeprefix(here), note=_times(times[event.subject]))
        for event in newest
    )
