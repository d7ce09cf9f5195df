"""Writing memories: what is said anew, what is restored, and what somebody must judge first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from daypack.doors.memories import rules, table
from daypack.doors.memories.space import Memories, MemorySpace, Pending, as_memory
from daypack.doors.memories.types import GoneState, Memory, MemoryVersion, Remembered, Similar, Verdict
from daypack.errors import InputError, MemoryConflict, MemoryRedacted, NotFound, member
from daypack.guard.secrets import redact
from daypack.index import lexical as lexical_index
from daypack.index import spaces
from daypack.shapes.wording import day
from daypack.text import analysis
from daypack.text.storable import storable
from daypack.types import Trust

if TYPE_CHECKING:
    import apsw

    from daypack.doors.memories.table import Row
    from daypack.index.spaces import Space

MOST_SIMILAR = 5


class MemoryWriting(MemorySpace):
    """Verbs that add versions."""

    def remember(
        self,
        key: str,
        value: str,
        *,
        tags: Sequence[str] = (),
        ttl_seconds: float | None = None,
        if_absent: bool = False,
        version: str | None = None,
        valid_from: float | None = None,
        valid_to: float | None = None,
        source: str = "",
        author: str = "",
        session: str = "",
        trust: Trust | str | None = None,
        shared: bool = False,
        reopen: bool = False,
    ) -> Remembered:
        """Record that `value` holds under `key`; what held before stays as history, and saying the same again
        writes nothing.

        With `version`, the token that `recall` gave ("" for a key without any), the write happens only when
        nothing was written since: MemoryConflict otherwise. With `if_absent` it happens only when nothing
        holds. `valid_from` and `valid_to` (Unix seconds) say when it is true, without them from now on; after
        `ttl_seconds` nothing holds there. Untrusted writes (by default those whose source begins with tool:,
        web: or http) never replace what somebody vouches for: they wait for a review. A redacted key is
        refused unless `reopen`.
        """
        now = self._engine.clock()
        statement, redactions = self.statement(
            value,
            tags=tags,
            ttl_seconds=ttl_seconds,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            author=author,
            session=session,
            trust=trust,
            now=now,
        )
        key = self.checked_key(key)
        with self._engine.careful():
            self.files.catch_up_quietly()
            absent = version is None and not if_absent
            if absent and (known := self._already(key, statement, shared=shared)) is not None:
                return replace(known, redactions=redactions)
            with self.store.writing() as db:
                space = self.make_space(db, shared=shared)
                self._refuse_redacted(db, space, key, reopen=reopen)
                row = table.find(db, space, key)
                done = self.written(
                    db, space, row, key, statement, now=now, if_absent=if_absent, expected=version
                )
        self.files.write_shared([key] if shared and done.written else [])
        return replace(done, redactions=redactions)

    def written(
        self,
        db: apsw.Connection,
        space: Space,
        row: Row | None,
        key: str,
        statement: MemoryVersion,
        *,
        now: float,
        if_absent: bool = False,
        expected: str | None = None,
        pending: Pending | None = None,
    ) -> Remembered:
        versions = row.versions if row is not None else ()
        moment = rules.moment_of(versions, now)
        holds = rules.holding(versions, valid_at=moment)
        known = rules.head(versions)
        if expected is not None and expected != (known.token if known else ""):
            raise MemoryConflict(
                key, value=known.value if known else None, token=known.token if known else ""
            )
        if if_absent and holds is not None:
            assert row is not None
            return Remembered(key, holds.token, False, as_memory(row, holds))
        statement = _recorded(statement, moment)
        if known is not None and rules.same_statement(known, statement, moment=moment):
            assert row is not None
            return Remembered(key, known.token, False, as_memory(row, holds) if holds else None)
        similar = self._similar(db, space, key, statement.value) if pending is None else ()
        statement = replace(statement, parent=known.token if known else "")
        statement = replace(statement, token=rules.token_of(key, statement))
        if row is None:
            row = table.make(db, space, key, now=now)
            table.drop_gone(db, rules.mark_of(space.owner, space.project, key))
        table.add_version(db, row.id, statement)
        row = self.settled(db, row, now, pending)
        self.audit(db, "remember", space, key, statement.trust, now)
        after = rules.holding(row.versions, valid_at=moment)
        waiting = (
            statement.trust is Trust.UNTRUSTED
            and after is not None
            and after.token != statement.token
            and rules.covers(statement, moment)
        )
        return Remembered(
            key,
            statement.token,
            True,
            as_memory(row, after) if after else None,
            replaced=holds.token if holds else None,
            waiting=waiting,
            similar=similar,
        )

    def statement(
        self,
        value: str,
        *,
        now: float,
        tags: Sequence[str] = (),
        ttl_seconds: float | None = None,
        valid_from: float | None = None,
        valid_to: float | None = None,
        source: str = "",
        author: str = "",
        session: str = "",
        trust: Trust | str | None = None,
    ) -> tuple[MemoryVersion, int]:
        """What is to be recorded, without secrets, and how many of those there were."""
        clean = redact(storable(rules.check_value(value)))
        start = rules.check_moment("valid_from", valid_from)
        end = rules.check_moment("valid_to", valid_to)
        start = now if start is None else start
        if end is not None and end <= start:
            raise InputError("valid_to must be later than valid_from")
        if ttl_seconds is not None and not (math.isfinite(ttl_seconds) and ttl_seconds > 0):
            raise InputError("ttl_seconds must be a number above 0")
        expires = (
            rules.check_moment("the end of the time to live", now + ttl_seconds)
            if ttl_seconds is not None
            else None
        )
        labels = [
            redact(rules.check_label(*item)).text
            for item in (("source", source), ("author", author), ("session", session))
        ]
        return (
            MemoryVersion(
                token="",
                value=clean.text,
                recorded_at=now,
                valid_from=start,
                valid_to=end,
                expires_at=expires,
                tags=tuple(redact(tag).text for tag in rules.check_tags(tags)),
                links=rules.links_in(clean.text),
                trust=rules.default_trust(source) if trust is None else member(Trust, trust),
                source=labels[0],
                author=labels[1],
                session=labels[2],
            ),
            clean.count,
        )

    def _already(self, key: str, statement: MemoryVersion, *, shared: bool) -> Remembered | None:
        """The answer to a write that says nothing new, found without locking anything."""
        with self.store.reading() as db:
            space = self.find_space(db, shared=shared)
            row = table.find(db, space, key) if space is not None else None
            if row is None:
                return None
            moment = rules.moment_of(row.versions, statement.recorded_at)
            known = rules.head(row.versions)
            statement = _recorded(statement, moment)
            if known is None or not rules.same_statement(known, statement, moment=moment):
                return None
            holds = rules.holding(row.versions, valid_at=moment)
            return Remembered(key, known.token, False, as_memory(row, holds) if holds else None)

    def _refuse_redacted(self, db: apsw.Connection, space: Space, key: str, *, reopen: bool) -> None:
        gone = table.find_gone(db, rules.mark_of(space.owner, space.project, key), key)
        if gone is not None and gone.state is GoneState.REDACTED and not reopen:
            raise MemoryRedacted(key, day(gone.at), gone.reason)

    def _similar(self, db: apsw.Connection, space: Space, key: str, value: str | None) -> tuple[Similar, ...]:
        """Memories of the same owner and project that say nearly the same, or something else about the same."""
        terms = sorted(set(analysis.terms(f"{key} {value or ''}")))[:200]
        if len(terms) < 2:
            return ()
        scope = spaces.scope_of(space.owner, space.project)
        found: dict[str, Similar] = {}
        at_least = max(2, math.ceil(rules.SIMILAR * len(terms)))
        looked = 0
        for batch in lexical_index.chunks_sharing(db, terms, at_least=at_least):
            names = {
                name
                for where, name in self.store.places_of(db, batch).values()
                if where == scope and name != key
            }
            for name, (_, memory) in table.held(db, space, names - found.keys()).items():
                alike = rules.likeness(terms, analysis.terms(f"{name} {memory.value}"))
                if alike >= rules.SIMILAR:
                    found[name] = Similar(name, memory.value, memory.token, round(alike, 4))
            looked += len(names)
            if looked >= lexical_index.SHARING_BATCH:  # of one's own, those that have most in common
                break
        return tuple(sorted(found.values(), key=lambda item: (-item.likeness, item.key))[:MOST_SIMILAR])

    def restore(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Record an older version anew, from now on.

        Raises NotFound for a version that the history does not have.
        """
        key, now = self.checked_key(key), self._engine.clock()
        with self._engine.careful(), self.store.writing() as db:
            space = self.make_space(db, shared=shared)
            self._refuse_redacted(db, space, key, reopen=False)
            row = table.find(db, space, key)
            old = (
                next((v for v in row.versions if v.token == version and v.value is not None), None)
                if row is not None
                else None
            )
            if old is None:
                raise NotFound(
                    f"{key}@{version}", "`daypack memory history KEY` shows the versions there are"
                )
            trust = (
                old.trust
                if old.trust is not Trust.UNTRUSTED or old.verdict is not Verdict.ACCEPTED
                else Trust.USER
            )
            again = replace(
                old,
                token="",
                recorded_at=now,
                valid_from=now,
                valid_to=None,
                expires_at=None,
                trust=trust,
                verdict=None,
                reviewed_at=None,
            )
            done = self.written(db, space, row, key, again, now=now)
        self.files.write_shared([key] if shared else [])
        return done

    def review(self) -> tuple[Memory, ...]:
        """Untrusted versions that nobody has judged, each as the memory that it would be."""
        with self._engine.careful(), self.store.reading() as db:
            found: Memories = []
            for space in self._spaces(db):
                for key in table.waiting(db, space):
                    row = table.find(db, space, key)
                    assert row is not None
                    found.extend(
                        as_memory(row, v)
                        for v in row.versions
                        if v.trust is Trust.UNTRUSTED and v.verdict is None
                    )
        return tuple(found)

    def accept(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Vouch for an untrusted version: it is recorded anew as the owner's own. Raises NotFound."""
        return self._judged(key, version, Verdict.ACCEPTED, shared=shared)

    def reject(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Set an untrusted version aside: it stays in the history and never holds. Raises NotFound."""
        return self._judged(key, version, Verdict.REJECTED, shared=shared)

    def _judged(self, key: str, version: str, verdict: Verdict, *, shared: bool) -> Remembered:
        key, now = self.checked_key(key), self._engine.clock()
        with self._engine.careful(), self.store.writing() as db:
            space = self.find_space(db, shared=shared)
            row = table.find(db, space, key) if space is not None else None
            found = (
                next((v for v in row.versions if v.token == version and v.trust is Trust.UNTRUSTED), None)
                if row is not None
                else None
            )
            if space is None or row is None or found is None or found.verdict is not None:
                raise NotFound(f"{key}@{version}", "`daypack memory review` shows the versions that wait")
            moment = rules.moment_of(row.versions, now)
            table.note_verdict(db, row.id, version, verdict, now=moment)
            self.audit(db, verdict.value, space, key, Trust.USER, now)
            if verdict is Verdict.ACCEPTED:
                start = found.valid_from if found.valid_from > found.recorded_at else moment
                mine = replace(
                    found,
                    token="",
                    recorded_at=moment,
                    valid_from=start,
                    trust=Trust.USER,
                    verdict=None,
                    reviewed_at=None,
                )
                done = self.written(db, space, table.find(db, space, key), key, mine, now=now)
            else:
                row = self.settled(db, row, now)
                holds = rules.holding(row.versions, valid_at=moment)
                done = Remembered(key, version, False, as_memory(row, holds) if holds else None)
        self.files.write_shared([key] if shared else [])
        return done


def _recorded(statement: MemoryVersion, moment: float) -> MemoryVersion:
    """The statement as of `moment`: not before what is recorded already, whatever the clock says."""
    from_now_on = statement.valid_from == statement.recorded_at
    return replace(statement, recorded_at=moment, valid_from=moment if from_now_on else statement.valid_from)
