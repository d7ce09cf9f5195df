"""The door of sessions, as `daypack.sessions` shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from daypack import tokens
from daypack.doors.sessions import pages as session_pages
from daypack.doors.sessions import table
from daypack.doors.sessions.current import ALL, CURRENT, DOOR, current_session
from daypack.doors.sessions.hooks import spool
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.meaning.events import reads_outside
from daypack.doors.sessions.rules import MOST_EVENTS
from daypack.doors.sessions.sections import sections_of
from daypack.doors.sessions.serialize import session_to_dict
from daypack.doors.sessions.table import SessionRow
from daypack.doors.sessions.types import (
    Briefing,
    Category,
    PurgeReceipt,
    Session,
    SessionReport,
    Step,
    Timeline,
)
from daypack.doors.sessions.usage import Usage, usage_of
from daypack.doors.sessions.writing import MISREAD, Misread, printable_name, write_steps
from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import read_moment
from daypack.engine.limits import check_limits
from daypack.engine.questions import Conversation
from daypack.errors import CannotWrite, InputError, NotFound
from daypack.guard.arguments import checked
from daypack.index import sent
from daypack.index import vectors as vector_index
from daypack.index.postings import lexical as lexical_index
from daypack.settings.places import project_of
from daypack.shapes.wording import counted
from daypack.system import MOVES_OPEN_FILES, lock
from daypack.text.checks import check_kind, member
from daypack.text.storable import storable
from daypack.types import Budget, Tokenizer

_UNKNOWN_FORM = (
    "not a transcript of a known form (Claude Code, Codex, Copilot CLI, Gemini CLI, opencode, Aider, or a chat: messages with `role` and `content`, or turns"
    " below User: and Assistant:)"
)
STEPS_A_WRITE = 2_000  # per transaction, so that other writers need not wait long


@checked
class SessionsDoor:
    """The sessions of one project. `scope` names the project in a store that several projects share, else it is ""."""

    def __init__(
        self, engine: Engine, *, scope: str = "", session: str = "", most_events: int = MOST_EVENTS
    ) -> None:
        """`session` is the session that "current" means; by default it is the one with the latest event."""
        self._engine = engine
        self._store = engine.store
        self.scope = scope
        self._named = session
        self._most_events = most_events

    def in_scope(self, scope: str) -> SessionsDoor:
        """The door of another project in the same store."""
        return (
            self
            if scope == self.scope
            else SessionsDoor(self._engine, scope=scope, most_events=self._most_events)
        )

    # ------------------------------------------------------------ writing

    def import_spool(self) -> SessionReport:
        """Import the spool of the hooks. Each file of the spool is imported by one process; after a crash, it is imported
        again.
        """
        folder = str(self._store.folder)
        if not spool.waiting(folder):
            return SessionReport()
        spool.take(folder)
        report = SessionReport()
        for name in spool.waiting(folder):
            if name.startswith("folding-"):
                report += self._import_file(Path(folder, spool.SPOOL, name))
        return report

    def try_import_spool(self) -> None:
        """`import_spool`, unless the store cannot be written; then the spool stays."""
        try:
            self.import_spool()
        except (CannotWrite, PermissionError):
            return

    def _import_file(self, path: Path) -> SessionReport:
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return SessionReport()  # another process imported it
        with stream:
            if not lock(stream.fileno(), wait=False):
                return SessionReport()
            spooled, aside = _steps_in(stream)
            report = SessionReport()
            for scope, steps in self._by_project(step for step, _ in spooled).items():
                written, _, misread = self.in_scope(scope)._add_steps(steps)
                report += written
                missed = {id(one.step) for one in misread}
                aside += [line for step, line in spooled if id(step) in missed]
            if aside:
                spool.set_aside(str(self._store.folder), aside)
            if MOVES_OPEN_FILES:
                path.unlink(missing_ok=True)
        if not MOVES_OPEN_FILES:
            with suppress(
                PermissionError
            ):  # another process has the file open; it will find all steps known, and remove the file
                path.unlink(missing_ok=True)
        return replace(report, broken=len(aside))

    def _by_project(self, steps: Iterable[Step]) -> dict[str, list[Step]]:
        """Scope → its steps, by the project of each step's folder, because the hooks of a shared store share a spool."""
        by_scope: dict[str, list[Step]] = {}
        scopes: dict[str, str] = {}
        for step in steps:
            if self.scope and step.folder not in scopes:
                scopes[step.folder] = project_of(step.folder)
            by_scope.setdefault(scopes.get(step.folder) or self.scope, []).append(step)
        return by_scope

    def add_transcripts(
        self, *paths: Path | str, progress: Callable[[int, int], None] | None = None
    ) -> SessionReport:
        """Import transcripts: files, or folders of transcripts. Steps that were imported or captured before are not stored
        again. Raises InputError for a missing path.
        """
        from daypack.doors.sessions.transcripts.reading import find_transcripts, is_of_cursor, read_transcript

        files = [*find_transcripts(paths)]
        captured = {*self.names()} if any(map(is_of_cursor, files)) else set()
        report, names = SessionReport(), set[str]()
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
                report += SessionReport(issues=(f"{path.name}: {_UNKNOWN_FORM}",))
                continue
            if reading.client == "chat" and is_of_cursor(path) and path.stem in captured:
                reading.steps.clear()  # they have no times by which to recognise those that hooks captured
            added, stored, misread = self._add_steps(reading.steps)
            names |= stored
            issues = tuple(f"{path.name}: {issue}" for issue in _issues(misread))
            report += replace(added, broken=reading.broken, files=1, issues=issues)
        return replace(report, sessions=len(names))

    def add_steps(self, steps: Iterable[Step]) -> SessionReport:
        """Store steps of any number of sessions. The steps of each session must be in the order of time. A step that cannot be
        understood is one of the `issues`.
        """
        report, _, misread = self._add_steps(steps)
        return replace(report, issues=_issues(misread))

    def _add_steps(self, steps: Iterable[Step]) -> tuple[SessionReport, set[str], list[Misread]]:
        """(report, names of the sessions that have events of these steps, steps that cannot be understood)."""
        report, names, misread = SessionReport(), set[str](), list[Misread]()
        by_session: dict[str, list[Step]] = {}
        for step in steps:
            check_kind(
                "the step", step, Step, 'a Step, as Step("session", 1767225600.0, Said("user", "hello"))'
            )
            by_session.setdefault(printable_name(step.session), []).append(step)
        for name, session_steps in by_session.items():
            for first in range(0, len(session_steps), STEPS_A_WRITE):
                steps = session_steps[first : first + STEPS_A_WRITE]
                written, missed = write_steps(self._engine, self.scope, name, steps, self._most_events)
                report += written
                misread += missed
                names |= {name} if written.sessions else set()
        return replace(report, sessions=len(names)), names, misread

    def have_read_outside(self, since: float) -> bool:
        """True when the current session, or one with an event since `since` (Unix seconds), has read a text from outside, by
        its events or by the spool. Only reads, so that it may be called within a transaction.
        """
        with self._engine.translating_damage(), self._store.reading() as db:
            if table.any_read_outside(db, self.scope, since):
                return True
        folder = str(self._store.folder)
        spooled = (Path(folder, spool.SPOOL, name) for name in spool.waiting(folder))
        return any(reads_outside(step.what) for path in spooled for step in _spooled_steps(path))

    # ------------------------------------------------------------ reading

    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the project, that with the latest event first."""
        self.try_import_spool()
        with self._engine.translating_damage(), self._store.reading() as db:
            return tuple(row.session for row in table.sessions_with_requests(db, self.scope))

    def names(self) -> list[str]:
        """The ids of `sessions`, without reading their events."""
        self.try_import_spool()
        with self._engine.translating_damage(), self._store.reading() as db:
            return table.names(db, self.scope)

    def sessions_as_data(self) -> list[dict[str, Any]]:
        """`sessions` as plain data, for answers that contain more than sessions."""
        return [*map(session_to_dict, self.sessions())]

    def resolve(self, session: str) -> str | None:
        """The name of the session that "current", a name, or the beginning of a name means; None for "all", and for a project
        without sessions.

        Raises NotFound for an unknown name, and InputError for a beginning that several names have.
        """
        if session == ALL:
            return None
        session = storable(session)
        with self._store.reading() as db:
            if session == CURRENT:
                return self._named or current_session(db, self.scope, self._engine.clock())
            if table.find(db, self.scope, session) is not None:
                return session
            matches = table.starting_with(db, self.scope, session) if session else []
            recent = [] if matches else [row.session.short for row in table.sessions(db, self.scope)]
        if len(matches) > 1:
            raise InputError(
                f"{len(matches)} sessions begin with {session!r}; write more of the name: {', '.join(matches[:4])}"
            )
        if not matches:
            latest = f"the latest are {', '.join(recent[:5])}" if recent else "no session is stored yet"
            raise NotFound(f"no session named {session!r}", latest)
        return matches[0]

    def timeline(
        self,
        *,
        session: str = "",
        limit: int = 50,
        categories: Sequence[Category | str] = (),
        since: float | str | date | None = None,
        before: float | str | date | None = None,
    ) -> Timeline:
        """Events in the order of time: the newest `limit` ones, with a count of the others. `since` and `before` are Unix
        seconds, ISO 8601 dates, or words as "yesterday". Without `session`, the events are of the current session, or, with
        `since` or `before`, of all sessions.

        Raises NotFound, BadDate, InputError.
        """
        if limit < 1:
            raise InputError(f"limit {limit} shows no event; ask for 1 or more")
        wanted = [member(Category, item) for item in categories]
        start, end = self._moment("since", since), self._moment("before", before)
        self.try_import_spool()
        session = session or (CURRENT if start is None and end is None else ALL)
        name = self.resolve(session)
        names = None if name is None and session == ALL else [] if name is None else [name]
        with self._engine.translating_damage(), self._store.reading() as db:
            events = table.EventFilter(self.scope, names, wanted, start, end)
            rows = table.events(db, events, last=limit)
            total, oldest = table.count_events(db, events)
            session_ids = {event.session for event in rows}
            shown = tuple(
                row.session for row in table.sessions(db, self.scope) if row.session.id in session_ids
            )
        self._engine.writer.show(event.trust for event in rows)
        return Timeline(tuple(rows), shown, total - len(rows), oldest if total > len(rows) else None)

    def resume(
        self, *, session: str = CURRENT, budget: int = 800, tokenizer: Tokenizer | str = Tokenizer.O200K
    ) -> Briefing:
        """A page with which to continue the work: cited events, the most needed first, within an exact budget of tokens.

        Raises BadBudget, NotFound, and InputError for "all": a page is of one session.
        """
        return self._briefing(session, budget, tokenizer, session_pages.RESUME)

    def snapshot(
        self, *, session: str = CURRENT, budget: int = 2000, tokenizer: Tokenizer | str = Tokenizer.O200K
    ) -> Briefing:
        """A table of contents of a session, for the time before its context is compacted: the number of events of each kind,
        the newest events, and references to the others. Raises as `resume`.
        """
        return self._briefing(session, budget, tokenizer, session_pages.SNAPSHOT)

    def usage(self) -> Usage:
        """The use of packs by agents, as far as hooks have captured it."""
        self.try_import_spool()
        with self._engine.translating_damage(), self._store.reading() as db:
            packs, items = sent.given(db, Conversation(self._engine.visibility.viewer).asker)
            return usage_of(table.events(db, table.EventFilter(self.scope)), items, packs)

    def _moment(self, name: str, value: float | str | date | None) -> float | None:
        return read_moment(name, value, self._engine.now())

    def _briefing(
        self, session: str, budget: int, tokenizer: Tokenizer | str, form: session_pages.Form
    ) -> Briefing:
        limit = Budget(budget, member(Tokenizer, tokenizer))
        check_limits("", limit)
        if session == ALL:
            raise InputError(
                "a page sums up one session; name one of `daypack session list`, or list the events of all with "
                "`daypack session timeline --session all`"
            )
        self.try_import_spool()
        name = self.resolve(session)
        with self._engine.translating_damage(), self._store.reading() as db:
            row = table.find(db, self.scope, name) if name is not None else None
            events = table.events(db, table.EventFilter(self.scope, [name])) if name is not None else []
        count, known = tokens.counter(limit.tokenizer), row.session if row else None
        briefing = session_pages.briefing(
            known, sections_of(events, known.folder if known else ""), limit, count, form
        )
        self._engine.writer.show(line.trust for section in briefing.sections for line in section.lines)
        return briefing

    # ------------------------------------------------------------ purge

    def purge(
        self, *, session: str = "", everything: bool = False, before: float | str | date | None = None
    ) -> PurgeReceipt:
        """Erase a session, all sessions of the project, or those that ended before a moment: texts, index entries, vectors and
        spool.

        Raises NotFound for an unknown session, BadDate, and InputError unless exactly one of the three is given.
        """
        if sum((bool(session), everything, before is not None)) != 1:
            raise InputError(
                "say what to purge: one session, all sessions of the project, or those that ended "
                "before a date; exactly one of them"
            )
        end = self._moment("before", before)
        self.import_spool()
        name = self.resolve(session) if session else None
        with self._engine.translating_damage(), self._store.writing() as db:
            rows = [
                row
                for row in table.sessions(db, self.scope)
                if _is_meant(row, name, end, everything=everything or session == ALL)
            ]
            if rows:
                self._store.owe_purge(db)
            stored_events = [event for row in rows for event in table.uids_of(db, row)]
            table.drop_events(db, (record_id for record_id, _ in stored_events))
            uids = [uid for _, uid in stored_events]
            removed = vector_index.remove_records(self._store, db, DOOR, self.scope, uids)
            for row in rows:
                table.drop(db, row)
            lexical_index.scrub(db)
        spool.drop_set_aside(str(self._store.folder))
        transcripts = ("the transcripts of the agent that ran the sessions",) if rows else ()
        purged = not self._store.owes_purge() or self._store.purge()
        copies = (*transcripts, *self._store.backups())
        return PurgeReceipt(len(rows), len(stored_events), *removed, purged, copies)


def _issues(misread: Sequence[Misread]) -> tuple[str, ...]:
    """The message on steps that cannot be understood, if any."""
    if not misread:
        return ()
    return (f"{counted(len(misread), 'step')} could not be understood ({misread[0].reason})",)


def _steps_in(stream: Iterable[bytes]) -> tuple[list[tuple[Step, bytes]], list[bytes]]:
    """(steps in the lines of a spool, each with its line; lines that cannot be read)."""
    steps, broken = list[tuple[Step, bytes]](), list[bytes]()
    for line in stream:
        if not line.strip():
            continue
        try:
            spooled = json.loads(line)
            found = steps_of_hook(spooled["e"], time=float(spooled["t"]), key=str(spooled["k"]))
        except MISREAD:
            broken.append(line)
        else:
            steps += ((step, line) for step in found)
    return steps, broken


def _spooled_steps(path: Path) -> list[Step]:
    """The steps in a file of the spool; none for a file that another process has imported."""
    try:
        return [step for step, _ in _steps_in(path.read_bytes().splitlines())[0]]
    except FileNotFoundError:
        return []


def nothing_yet(budget: int, tokenizer: Tokenizer | str) -> Briefing:
    """The briefing for a project without sessions, within the budget."""
    limit = Budget(budget, member(Tokenizer, tokenizer))
    return session_pages.briefing(None, (), limit, tokens.counter(limit.tokenizer))


def _is_meant(row: SessionRow, name: str | None, before: float | None, *, everything: bool) -> bool:
    return everything or (row.session.id == name if before is None else row.session.last_at < before)
