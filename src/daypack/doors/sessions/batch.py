"""One session in memory while a batch of steps is written: new events, repeated ones, evicted ones.

An occurrence that was stored before is recognised by its key or, without a key, by its time, and the failure of a call by its
call, because a hook shortens long outputs. Evicted events stay marked as
seen, so that another import of the transcript does not restore them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from daypack.doors.sessions.hooks.steps import HOOK
from daypack.doors.sessions.meaning.calls import digest
from daypack.doors.sessions.meaning.events import KNOWN_BY_SUBJECT, bounded, identity, importance
from daypack.doors.sessions.meaning.outcomes import Call, settles
from daypack.doors.sessions.meaning.tasks import named_of, number_of, whole_list
from daypack.doors.sessions.rules import AFTER_CHANGES
from daypack.doors.sessions.table import EventRow, SessionRow
from daypack.doors.sessions.types import Category, Did, Event, State, Step
from daypack.types import Trust

_ONE_A_CALL = frozenset({Category.ERROR, Category.REJECTED, Category.DECISION})
_SAME_MOMENT = 10.0  # seconds: a hook and a transcript report the same prompt at slightly different times


@dataclass(slots=True)
class EventDraft:
    """An event to be written: it is new, or its text or state has changed."""

    known: EventRow
    event: Event


class SessionBatch:
    """The events of one session, stored and new, while a batch of steps is written."""

    def __init__(
        self, row: SessionRow, known: Sequence[EventRow], seen: set[bytes], outside_at: float | None
    ) -> None:
        """`outside_at` is the time at which the session first read a text from outside."""
        self.row = row
        self._outside_at = outside_at
        self.known = {item.uid: item for item in known}
        self.drafts: dict[str, EventDraft] = {}
        self.touched: set[str] = set()
        self.new_marks: set[bytes] = set()
        self.added = self.repeated = self.already = 0
        self._seen = seen
        fixed = {item.subject: item.last_at for item in known if item.category is Category.FIX}
        self._errors = {
            Call(item.author, item.subject): item.last_at
            for item in known
            if item.category is Category.ERROR
            and item.subject
            and item.last_at > fixed.get(item.subject, -math.inf)
        }
        self._changes = {item.subject: item.last_at for item in known if item.category is Category.FILE}

    def add_step(self, step: Step, events: Sequence[Event]) -> None:
        """Add the events of a step. A step that writes a whole list of tasks drops the tasks that the list no longer has."""
        for event in events:
            self.add(step, event)
        if whole_list(step.what):
            self._drop_missing(step, {self._uid(event) for event in events})

    def add(self, step: Step, event: Event) -> None:
        event = bounded(event, outside=self._is_outside(step))
        uid = self._uid(event)
        if event.category is Category.TASK and number_of(event.subject) and not named_of(event.subject):
            task = self._task_by_number(number_of(event.subject))
            if task is None:  # created in another session, or evicted
                return
            uid, subject = task.uid, event.text[:200] + event.subject if event.text else task.subject
            event = replace(
                event, text=event.text or task.text, subject=subject, state=event.state or task.state
            )
        fresh = self._is_fresh(uid, step, event)
        self._follow(step, event)
        known = self.known.get(uid)
        if known is not None:
            self._repeat(known, step, event, fresh=fresh)
        elif fresh:
            self._begin(uid, step, event)
        else:  # it was stored, and evicted
            self.already += 1

    def _begin(self, uid: str, step: Step, event: Event) -> None:
        """Draft an event that the session does not have."""
        known = EventRow(
            record_id=0,
            uid=uid,
            number=self.row.following,
            category=event.category,
            importance=importance(event.category, event.marks),
            subject=event.subject,
            state=event.state,
            first_at=step.time,
            last_at=step.time,
            count=1,
            author=event.author,
            text=event.text if event.category is Category.TASK else "",
        )
        self.row.following += 1
        self.known[uid] = known
        self.drafts[uid] = EventDraft(known, event)
        self.added += 1

    def _repeat(self, known: EventRow, step: Step, event: Event, *, fresh: bool) -> None:
        """Count another occurrence of an event, and draft it again where its state changes."""
        if fresh:
            known.count += 1
            self.repeated += 1
        else:
            self.already += 1
        is_later = step.time >= known.last_at
        known.first_at, known.last_at = min(known.first_at, step.time), max(known.last_at, step.time)
        self.touched.add(known.uid)
        # A state replaces no state, and a later state an earlier one; the failure of a call, which has an error of its own,
        # leaves an earlier answer.
        fails = event.known_by and event.state is State.OPEN and known.state is State.DONE
        differs = event.state is not known.state or event.subject != known.subject
        counts = differs or (fresh and (event.category in KNOWN_BY_SUBJECT or event.known_by))
        if is_later and counts and not fails and event.state is not State.NONE:
            known.state, known.subject = event.state, event.subject
            known.text = event.text if event.category is Category.TASK else ""
            self.drafts[known.uid] = EventDraft(known, event)

    def _is_outside(self, step: Step) -> bool:
        """True when the session had read a text from outside before the step."""
        return self._outside_at is not None and step.time >= self._outside_at

    def _uid(self, event: Event) -> str:
        return f"{self.row.session.id}/{identity(event)}"

    def _task_by_number(self, number: str) -> EventRow | None:
        """The task with this number; if several lists have it, that of the latest list."""
        known = (item for item in self.known.values() if item.category is Category.TASK)
        tasks = (item for item in known if number_of(item.subject) == number)
        return max(tasks, key=lambda item: (item.first_at, item.number), default=None)

    def _drop_missing(self, step: Step, listed: set[str]) -> None:
        for uid, known in self.known.items():
            is_open = known.category is Category.TASK and known.state in (State.OPEN, State.ACTIVE)
            is_missing = uid not in listed and known.last_at <= step.time
            if is_open and is_missing and not number_of(known.subject):
                known.state, known.last_at = State.DROPPED, step.time
                dropped = bounded(_task(known, Trust.AGENT), outside=self._is_outside(step))
                self.drafts[uid] = EventDraft(known, dropped)

    def _is_fresh(self, uid: str, step: Step, event: Event) -> bool:
        """True for an occurrence that is seen for the first time; marks it as seen."""
        marks, beside, told = [], list[bytes](), list[bytes]()
        moment = int(step.time // _SAME_MOMENT)
        if step.key:
            marks.append(_mark(uid, step.key))
            if event.category in _ONE_A_CALL and isinstance(step.what, Did):
                call = f"{self.row.session.id}/{event.category}/{event.subject}"  # clients reuse keys
                marks.append(_mark(call, step.key))
        if step.timed and isinstance(step.what, Did):
            # A hook may name another tool, that of a server, and its calls may be as near as one source tells them.
            call = f"{self.row.session.id}/{event.category}/{digest(step.what.input)}"
            by, other = ("hook", "transcript") if step.client == HOOK else ("transcript", "hook")
            told.append(_mark(call, f"{by} at {moment}"))
            beside = [_mark(call, f"{other} at {at}") for at in (moment, moment - 1, moment + 1)]
        elif step.timed or not step.key:
            now, *beside = (_mark(uid, f"at {at}") for at in (moment, moment - 1, moment + 1))
            marks.append(now)
        fresh = not any(mark in self._seen for mark in (*marks, *beside))
        if fresh or step.key:
            new = [mark for mark in (*marks, *told) if mark not in self._seen]
            self._seen.update(new)
            self.new_marks.update(new)
        return fresh

    def _follow(self, step: Step, event: Event) -> None:
        """Follow errors and changes of files, and add a fix when a failed command works again."""
        if event.category is Category.FILE:
            self._changes[event.subject] = step.time
        elif event.category is Category.ERROR and event.subject:
            self._errors[Call(event.author, event.subject)] = step.time
        elif (
            event.state is State.DONE
            and event.category not in (Category.TASK, Category.FIX, Category.WEB)
            and isinstance(step.what, Did)
        ):
            works = Call(event.author, event.subject)
            settled = [failed for failed in self._errors if settles(works, failed)]
            for failed in settled:
                if self._errors[failed] <= step.time:
                    self._note_fix(step, failed)

    def _note_fix(self, step: Step, failed: Call) -> None:
        failed_at = self._errors.pop(failed)
        changed = [path for path, at in self._changes.items() if failed_at <= at <= step.time]
        after = AFTER_CHANGES + ", ".join(changed[-5:]) if changed else ""
        fix = Event(
            Category.FIX,
            f"`{failed.subject}` works again{after}",
            "session",
            Trust.AGENT,
            failed.subject,
            State.DONE,
        )
        self.add(replace(step, key=f"{step.key}:fix"), fix)

    def settle_elsewhere(
        self, elsewhere: Sequence[tuple[int, EventRow, Trust]]
    ) -> list[tuple[int, EventDraft]]:
        """(row of the session, draft) for the tasks of other sessions that this session finished or dropped later. Tasks of
        this session that another one finished or dropped later change here. Tasks with equal names are one task of the
        project.
        """
        own = {
            named_of(known.subject): known
            for uid, known in self.known.items()
            if known.category is Category.TASK and (uid in self.drafts or uid in self.touched)
        }
        changed: list[tuple[int, EventDraft]] = []
        for session, other, trust in elsewhere:
            known = own.get(named_of(other.subject))
            if known is None:
                continue
            if other.state in _UNSETTLED and known.state in _SETTLED and other.last_at <= known.last_at:
                other.state = known.state
                changed.append((session, EventDraft(other, _task(other, trust))))
            elif known.state in _UNSETTLED and other.state in _SETTLED and known.last_at <= other.last_at:
                known.state = other.state
                draft = self.drafts.get(known.uid)
                self.drafts[known.uid] = EventDraft(
                    known, _task(known, draft.event.trust if draft else trust)
                )
        return changed

    def evict(self, most: int) -> list[EventRow]:
        """The events to evict so that at most `most` stay: the least important first, and of those the oldest."""
        over = len(self.known) - most
        if over <= 0:
            return []
        going = sorted(self.known.values(), key=lambda item: (-item.importance, item.last_at, item.number))[
            :over
        ]
        for item in going:
            del self.known[item.uid]
        return going


_UNSETTLED, _SETTLED = (State.OPEN, State.ACTIVE), (State.DONE, State.DROPPED)


def _task(known: EventRow, trust: Trust) -> Event:
    return Event(Category.TASK, known.text, "assistant", trust, known.subject, known.state)


def _mark(uid: str, key: str) -> bytes:
    return hashlib.blake2b(f"{uid}\0{key}".encode("utf-8", "replace"), digest_size=8).digest()
