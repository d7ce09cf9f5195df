"""The sessions door: what happened while an agent or a person worked, and what of it matters to whoever goes
on.

    dp.sessions.add_transcripts("chat.jsonl")
    dp.sessions.timeline(limit=20)
    dp.sessions.resume(budget=800).text

Hooks append to a spool (`daypack.doors.sessions.hooks`), which `fold` takes in; transcripts are imported.
Both become steps, steps become events (`daypack.doors.sessions.events`), and an event is a record of the
common index, so it is searched and ranked like any other text. The same event again raises its count. Of a
session at most `MOST_EVENTS` stay: the least important go first, and of those the oldest.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from daypack import tokens
from daypack.doors.sessions import events as rules
from daypack.doors.sessions import hooks, table
from daypack.doors.sessions import pages as session_pages
from daypack.doors.sessions.keeping import Draft, Keeping
from daypack.doors.sessions.rules import ASKED_AS, FIRST, MOST_EVENTS
from daypack.doors.sessions.table import Known, Row
from daypack.doors.sessions.types import (
    Briefing,
    Category,
    Did,
    Event,
    PurgeReceipt,
    Said,
    Session,
    SessionReport,
    Step,
    Timeline,
)
from daypack.engine.engine import Engine
from daypack.errors import InputError, NotFound, StoreBusy, StoreReadOnly, member
from daypack.guard.secrets import redact
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.text.storable import storable
from daypack.types import Budget, Record, RecordKind, Tokenizer

if TYPE_CHECKING:
    import apsw

DOOR = "sessions"
CURRENT, ALL = "current", "all"
STEPS_A_WRITE = 2_000  # nobody waits longer for the store than these take
_LONGEST_NAME = 200


class SessionsDoor:
    """The sessions of one project; `scope` names it in a store that several share, and is "" in any other."""

    def __init__(
        self, engine: Engine, *, scope: str = "", session: str = "", most_events: int = MOST_EVENTS
    ) -> None:
        """`session` is the one that is meant by "current"; without it, the one that something happened in
        last.
        """
        self._engine = engine
        self._store = engine.store
        self.scope = scope
        self._named = session
        self._most_events = most_events

    def of(self, scope: str) -> SessionsDoor:
        """The door of another project in the same store."""
        return (
            self
            if scope == self.scope
            else SessionsDoor(self._engine, scope=scope, most_events=self._most_events)
        )

    # ------------------------------------------------------------ what comes in

    def fold(self) -> SessionReport:
        """Take in what hooks have spooled.

        Each file of the spool is folded by one process; what a crash left half done is folded again.
        """
        folder = str(self._store.folder)
        if not hooks.waiting(folder):
            return SessionReport()
        hooks.take(folder)
        report = SessionReport()
        for name in hooks.waiting(folder):
            if name.startswith("folding-"):
                report += self._fold_file(Path(folder, hooks.SPOOL, name))
        return report

    def fold_quietly(self) -> None:
        """`fold`, where the store can be written; what cannot be folded now waits."""
        try:
            self.fold()
        except (StoreBusy, StoreReadOnly, PermissionError):
            return

    def _fold_file(self, path: Path) -> SessionReport:
        from daypack.doors.sessions.hook_events import steps_of_hook

        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return SessionReport()  # somebody else was faster
        with stream:
            try:
                fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return SessionReport()
            broken = 0
            steps: list[Step] = []
            for line in stream:
                if not line.strip():
                    continue
                try:
                    spooled = json.loads(line)
                    steps += steps_of_hook(spooled["e"], time=float(spooled["t"]), key=str(spooled["k"]))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    broken += 1
            report = SessionReport()
            for scope, found in self._by_project(steps).items():
                report += self.of(scope).add_steps(found)
            path.unlink(missing_ok=True)
        return replace(report, broken=broken)

    def _by_project(self, steps: Iterable[Step]) -> dict[str, list[Step]]:
        """Steps by the scope of the project in whose folder they were made: hooks of all projects share the
        spool of a shared store.
        """
        found: dict[str, list[Step]] = {}
        scopes: dict[str, str] = {}
        for step in steps:
            if self.scope and step.folder not in scopes:
                from daypack.settings.places import project_of

                scopes[step.folder] = project_of(step.folder)
            found.setdefault(scopes.get(step.folder) or self.scope, []).append(step)
        return found

    def add_transcripts(
        self, *paths: Path | str, progress: Callable[[int, int], None] | None = None
    ) -> SessionReport:
        """Import transcripts: files, or folders of them.

        What was imported or captured before is known. Raises InputError for a missing path.
        """
        from daypack.doors.sessions.transcripts import read_transcript, transcripts

        files = [*transcripts(paths)]
        report = SessionReport()
        for number, path in enumerate(files, 1):
            if progress is not None:
                progress(number, len(files))
            try:
                reading = read_transcript(path)
            except (OSError, ValueError) as error:
                reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
                report += SessionReport(issues=(f"{path.name}: {reason}",))
                continue
            if not reading.client:
                report += SessionReport(issues=(f"{path.name}: no transcript of a known form",))
                continue
            report += replace(self.add_steps(reading.steps), broken=reading.broken, files=1)
        return report

    def add_steps(self, steps: Iterable[Step]) -> SessionReport:
        """Keep steps of sessions, in the order in which they happened."""
        report = SessionReport()
        by_session: dict[str, list[Step]] = {}
        for step in steps:
            by_session.setdefault(_name(step.session), []).append(step)
        for name, found in by_session.items():
            for first in range(0, len(found), STEPS_A_WRITE):
                report += self._keep(name, found[first : first + STEPS_A_WRITE])
        return replace(report, sessions=len(by_session))

    def _keep(self, name: str, steps: Sequence[Step]) -> SessionReport:
        redactions = 0
        found: list[tuple[Step, Event]] = []
        for step in steps:
            clean, count = _without_secrets(step)
            redactions += count
            found += [(clean, event) for event in rules.events_of(clean.what)]
        if not found:
            return SessionReport()
        with self._engine.translating_damage(), self._store.writing() as db:
            row = table.find(db, self.scope, name) or self._made(db, name, found)
            keeping = Keeping(row, table.known(db, row), table.seen(db, row))
            for step, event in found:
                keeping.add(step, event)
            evicted = keeping.evict(self._most_events)
            self._write(db, keeping, evicted)
            times = [step.time for step, _ in found]
            table.note(db, row, started_at=min(times), last_at=max(times), evicted=len(evicted))
        return SessionReport(
            added=keeping.added,
            repeated=keeping.repeated,
            known=keeping.already,
            evicted=len(evicted),
            redactions=redactions,
        )

    def _made(self, db: apsw.Connection, name: str, found: Sequence[tuple[Step, Event]]) -> Row:
        bare = re.sub(r"[^A-Za-z0-9_-]", "", name)
        digest = hashlib.blake2b(
            f"{self.scope}\0{name}".encode("utf-8", "replace"), digest_size=16
        ).hexdigest()
        names = (
            *(bare[:length] for length in (8, 12, 20) if len(bare) >= length),
            *(digest[:length] for length in (8, 12, 32)),
        )
        short = next(candidate for candidate in names if not table.is_short_taken(db, candidate))
        first = found[0][0]
        folder = next((step.folder for step, _ in found if step.folder), "")
        return table.make(
            db, self.scope, Session(name, short, first.client, storable(folder), first.time, first.time, 0)
        )

    def _write(self, db: apsw.Connection, keeping: Keeping, evicted: Sequence[Known]) -> None:
        row = keeping.row
        gone = {known.uid for known in evicted}
        drafts = [draft for uid, draft in keeping.drafts.items() if uid not in gone]
        first_prompt = min(
            (known for known in keeping.known.values() if known.category is Category.PROMPT),
            key=lambda known: known.number,
            default=None,
        )
        records = [self._record(row, draft, first=draft.known is first_prompt) for draft in drafts]
        stored = [known for known in evicted if known.record_id]
        table.drop_events(db, (known.record_id for known in stored))
        self._store.remove_records(db, DOOR, self.scope, [known.uid for known in stored])
        self._engine.ingestion.put(db, [self._engine.ingestion.prepared(record) for record in records])
        for draft in drafts:
            there = self._store.stored_record(DOOR, self.scope, draft.known.uid)
            assert there is not None
            draft.known.record_id = there.id
            table.put_event(db, row, draft.known, draft.event.marks)
        for uid in keeping.touched - keeping.drafts.keys() - gone:
            table.count_again(db, keeping.known[uid])
        table.note_seen(db, row, keeping.new_marks)

    def _record(self, row: Row, draft: Draft, *, first: bool) -> Record:
        event, known = draft.event, draft.known
        categories = dict.fromkeys((event.category, *(mark.category for mark in event.marks)))
        asked_as = [word for category in categories for word in ASKED_AS.get(category, ())]
        return Record(
            uid=known.uid,
            text=event.text,
            kind=RecordKind.EVENT,
            door=DOOR,
            uri=f"session:{row.session.short}/{known.number}",
            author=event.author,
            session=row.session.id,
            scope=self.scope,
            time=known.first_at,
            trust=event.trust,
            title=FIRST if first else "",
            tags=(*(category.value for category in categories), *asked_as),
        )

    # ------------------------------------------------------------ what is asked

    def sessions(self) -> tuple[Session, ...]:
        """The sessions there are, the one that something happened in last first."""
        self.fold_quietly()
        with self._engine.translating_damage(), self._store.reading() as db:
            return tuple(row.session for row in table.sessions(db, self.scope))

    def resolve(self, session: str) -> str | None:
        """The name of a session from "current", its name, or the begin of it; None for "all", and where there
        is no session yet.

        Raises NotFound for a name that no session has, and InputError for a begin that several have.
        """
        if session == ALL:
            return None
        session = storable(session)
        with self._store.reading() as db:
            if session == CURRENT:
                return self._named or table.current(db, self.scope)
            if table.find(db, self.scope, session) is not None:
                return session
            found = table.starting_with(db, self.scope, session) if session else []
        if len(found) > 1:
            raise InputError(
                f"{len(found)} sessions begin with {session!r}; write more of the name: {', '.join(found[:4])}"
            )
        if not found:
            raise NotFound(f"the session {session}", "`daypack session list` shows the sessions there are")
        return found[0]

    def timeline(
        self,
        *,
        session: str = CURRENT,
        limit: int = 50,
        categories: Sequence[Category | str] = (),
        since: float | None = None,
        before: float | None = None,
    ) -> Timeline:
        """What happened, in order; of more than `limit` events the newest, and what was cut is said.

        Raises NotFound, InputError.
        """
        if limit < 1:
            raise InputError(f"limit {limit} shows no event; ask for 1 or more")
        wanted = [member(Category, item) for item in categories]
        self.fold_quietly()
        name = self.resolve(session)
        names = None if name is None and session == ALL else [] if name is None else [name]
        with self._engine.translating_damage(), self._store.reading() as db:
            found = table.events(
                db, self.scope, names=names, categories=wanted, since=since, before=before, last=limit
            )
            total, oldest = table.count_events(
                db, self.scope, names=names, categories=wanted, since=since, before=before
            )
            there = {event.session for event in found}
            shown = tuple(row.session for row in table.sessions(db, self.scope) if row.session.id in there)
        return Timeline(tuple(found), shown, total - len(found), oldest if total > len(found) else None)

    def resume(
        self, *, session: str = CURRENT, budget: int = 800, tokenizer: Tokenizer | str = Tokenizer.O200K
    ) -> Briefing:
        """What somebody needs to go on, most needed first, cited, within an exact budget.

        Raises BadBudget, NotFound.
        """
        return self._briefing(session, budget, tokenizer, session_pages.RESUME)

    def snapshot(
        self, *, session: str = CURRENT, budget: int = 2000, tokenizer: Tokenizer | str = Tokenizer.O200K
    ) -> Briefing:
        """A table of contents of a session, before its context is compacted: what there is of each kind, the
        newest of it, where the rest is.
        """
        return self._briefing(session, budget, tokenizer, session_pages.SNAPSHOT)

    def _briefing(
        self, session: str, budget: int, tokenizer: Tokenizer | str, form: session_pages.Form
    ) -> Briefing:
        limit = Budget(budget, member(Tokenizer, tokenizer))
        self._engine.refuse("", limit)
        self.fold_quietly()
        name = self.resolve(CURRENT if session == ALL else session)
        with self._engine.translating_damage(), self._store.reading() as db:
            row = table.find(db, self.scope, name) if name is not None else None
            events = table.events(db, self.scope, names=[name]) if name is not None else []
        return session_pages.briefing(
            row.session if row else None,
            rules.sections_of(events),
            limit,
            tokens.counter(limit.tokenizer),
            form,
        )

    # ------------------------------------------------------------ purge

    def purge(
        self, *, session: str = "", everything: bool = False, before: float | None = None
    ) -> PurgeReceipt:
        """Remove a session, all sessions of the project, or those that ended before a moment: texts, index,
        vectors and spool.

        Raises NotFound when there is no such session, InputError unless exactly one of the three is asked
        for.
        """
        if sum((bool(session), everything, before is not None)) != 1:
            raise InputError(
                "say what to purge: one session, everything of the project, or what ended before a date; one of them"
            )
        self.fold()
        name = self.resolve(session) if session else None
        with self._engine.translating_damage(), self._store.writing() as db:
            self._store.owe_purge(db)
            rows = [
                row
                for row in table.sessions(db, self.scope)
                if _is_meant(row, name, before, everything=everything or session == ALL)
            ]
            hashes: set[bytes] = set()
            events = chunks = 0
            for row in rows:
                found = [*table.uids_of(db, row)]
                events += len(found)
                for _, uid in found:
                    chunks += len(of_record := self._store.embed_hashes_of(db, DOOR, self.scope, uid))
                    hashes.update(of_record)
                table.drop_events(db, (record_id for record_id, _ in found))
                self._store.remove_records(db, DOOR, self.scope, [uid for _, uid in found])
                table.drop(db, row)
            vectors = vector_index.drop_orphans(db, hashes)
            lexical_index.scrub(db)
        folder = self._store.folder / "backup"
        copies = (
            tuple(f"backup/{path.name}" for path in sorted(folder.glob("*.db"))) if folder.is_dir() else ()
        )
        transcripts = ("the transcripts of the agent that ran them",) if rows else ()
        return PurgeReceipt(
            len(rows), events, chunks, vectors, self._store.purge() if rows else True, (*transcripts, *copies)
        )


def nothing_yet(budget: int, tokenizer: Tokenizer | str) -> Briefing:
    """What is told where nothing was ever stored, within the budget."""
    limit = Budget(budget, member(Tokenizer, tokenizer))
    return session_pages.briefing(None, (), limit, tokens.counter(limit.tokenizer))


def _is_meant(row: Row, name: str | None, before: float | None, *, everything: bool) -> bool:
    return everything or (row.session.id == name if before is None else row.session.last_at < before)


def _without_secrets(step: Step) -> tuple[Step, int]:
    """The step as it may be stored: what is cut out of a text later must be cut out of what is kept."""
    match step.what:
        case Said(who, text):
            clean = redact(storable(text))
            return replace(step, what=Said(who, clean.text)), clean.count
        case Did(tool, given, output, failed):
            # As one text, so that a value is judged beside its name.
            spelled = json.dumps(dict(given), ensure_ascii=False)
            inside = redact(storable(spelled))
            try:
                given = json.loads(inside.text) if inside.count else given
            except ValueError:  # what was replaced held a quotation mark
                given = {
                    name: redact(storable(value)).text if isinstance(value, str) else value
                    for name, value in given.items()
                }
            printed = redact(storable(output)) if output is not None else None
            count = inside.count + (printed.count if printed is not None else 0)
            return replace(
                step, what=Did(storable(tool), given, printed.text if printed is not None else None, failed)
            ), count
        case what:
            return replace(step, what=replace(what, text=redact(storable(what.text)).text)), 0


def _name(session: str) -> str:
    """A session's name as it is kept: one printable line."""
    clean = " ".join(storable(session).split())[:_LONGEST_NAME]
    return clean if clean.isprintable() and clean else "unknown"
