"""Records versions: statements as callers made them, without their secrets, and reviews of untrusted ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from daypack.doors.memories import rules, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.spaces import Space
from daypack.doors.memories.table import MemoryRow
from daypack.doors.memories.types import Gone, GoneState, Memory, MemoryVersion, Remembered, Similar, Verdict
from daypack.doors.memories.writing.indexing import PendingIndex, append_audit, as_memory, update_index
from daypack.errors import InputError, MemoryConflict, MemoryRedacted, NotFound, ReviewNeedsPerson
from daypack.guard.secrets import redact
from daypack.index.postings import sharing
from daypack.ports import Connection
from daypack.rank.views import ChunkFlag
from daypack.shapes.wording import day
from daypack.text import analysis
from daypack.text.checks import check_seconds, member
from daypack.text.storable import storable
from daypack.types import Trust

MOST_SIMILAR = 5
FEW_CHUNKS = 2_000  # of a space: then the other texts of the store are not looked at
_NO_MEMORY = ChunkFlag.CODE | ChunkFlag.EVENT | ChunkFlag.PAGE


def make_statement(
    value: str,
    *,
    now: float,
    tags: Sequence[str] | None = None,
    ttl_seconds: float | None = None,
    valid_from: float | None = None,
    valid_to: float | None = None,
    source: str = "",
    author: str = "",
    session: str = "",
    trust: Trust | str | None = None,
) -> tuple[MemoryVersion, int]:
    """(the version to record, without secrets and without a token; the number of removed secrets)."""
    clean = redact(storable(rules.check_value(value)))
    start = now if valid_from is None else valid_from
    if valid_to is not None and valid_to <= start:
        raise InputError("the value ends before it begins to hold; give an earlier start or a later end")
    if ttl_seconds is not None:
        check_seconds("ttl_seconds", ttl_seconds)
        if not (math.isfinite(ttl_seconds) and ttl_seconds > 0):
            raise InputError("the time until a memory expires must be above 0 seconds")
    expires = None if ttl_seconds is None else now + ttl_seconds
    version = MemoryVersion(
        token="",
        value=clean.text,
        recorded_at=now,
        valid_from=start,
        valid_to=valid_to,
        expires_at=rules.check_moment("the end of the time to live", expires),
        source=rules.clean_label("source", source),
        author=rules.clean_label("author", author),
        session=rules.clean_label("session", session),
        tags=tuple(redact(tag).text for tag in rules.check_tags(tags or ())),
        links=rules.links_in(clean.text),
        trust=rules.default_trust(source) if trust is None else member(Trust, trust),
    )
    return version, clean.count


def find_same(
    context: MemoryContext, key: str, statement: MemoryVersion, *, shared: bool, keep_tags: bool = False
) -> Remembered | None:
    """The answer to a write that repeats the current value or the last one recorded, found without locking."""
    with context.store.reading() as db:
        space = context.find_space(db, shared=shared)
        row = table.find(db, space, key) if space is not None else None
        if row is None:
            return None
        moment = rules.moment_of(row.versions, statement.recorded_at)
        holds = rules.holding(row.versions, valid_at=moment)
        statement = _at(statement, moment, tags_of=holds if keep_tags else None)
        # to repeat what holds does not take back what was recorded for later
        known = (rules.head(row.versions), holds)
        repeated = _repeated((*known, *_waiting(row, holds)), statement, moment)
        return None if repeated is None else _unchanged(row, key, repeated.token, moment)


def _waiting(row: MemoryRow, holds: MemoryVersion | None) -> list[MemoryVersion]:
    """The versions that wait for a review beside the trusted one that holds."""
    if holds is None or holds.trust is Trust.UNTRUSTED:
        return []
    return [version for version in row.versions if rules.is_unreviewed(version)]


def _repeated(
    known: Iterable[MemoryVersion | None], statement: MemoryVersion, moment: float
) -> MemoryVersion | None:
    """The first of some versions that a statement repeats."""
    some = (version for version in known if version is not None)
    return next(
        (version for version in some if rules.same_statement(version, statement, moment=moment)), None
    )


def record(
    context: MemoryContext,
    db: Connection,
    space: Space,
    row: MemoryRow | None,
    key: str,
    statement: MemoryVersion,
    *,
    now: float,
    if_absent: bool = False,
    expected: str | None = None,
    keep_tags: bool = False,
    pending: PendingIndex | None = None,
) -> Remembered:
    """Add a version to a key (`row`, None for a new one), unless it repeats the last one recorded.

    With `keep_tags` it has the tags of the current version. With `pending` the index is written later, and similar memories are not searched. Raises MemoryConflict
    when the head's token is not `expected`.
    """
    versions = row.versions if row is not None else ()
    gone = table.find_gone(db, space.mark(key), key) if row is None else None
    moment = rules.moment_of(versions, now) if gone is None else rules.moment_after(gone.at, now)
    holds = rules.holding(versions, valid_at=moment)
    known = rules.head(versions)
    head_token = known.token if known else ""
    if expected not in (None, head_token):
        context.shown(None, [known] if known else [])
        raise MemoryConflict(key, value=known.value if known else None, token=head_token)
    if if_absent and row is not None and holds is not None:
        return _unchanged(row, key, holds.token, moment)
    begins = statement.valid_from
    statement = _at(statement, moment, tags_of=holds if keep_tags else None)
    if gone is not None:  # recorded after the deletion, valid from now on
        statement = replace(statement, valid_from=begins)
    repeated = None if row is None else _repeated((known, *_waiting(row, holds)), statement, moment)
    if row is not None and repeated is not None:
        return _unchanged(row, key, repeated.token, moment)
    similar = _similar(context, db, space, key, statement.value) if pending is None else ()
    statement = replace(statement, parent=head_token)
    statement = replace(statement, token=rules.token_of(key, statement))
    row = row or _new_row(db, space, key, gone, moment)
    table.add_version(db, row.id, statement)
    row = update_index(context, db, row, now, pending)
    append_audit(db, "remember", space, key, statement.trust, now)
    after = rules.holding(row.versions, valid_at=moment)
    held_back = statement.trust is Trust.UNTRUSTED and rules.covers(statement, moment)
    return Remembered(
        key,
        statement.token,
        True,
        as_memory(row, after) if after else None,
        replaced=holds.token if holds else None,
        waiting=held_back and after is not None and after.token != statement.token,
        similar=similar,
    )


def _new_row(db: Connection, space: Space, key: str, gone: Gone | None, moment: float) -> MemoryRow:
    """The row of a key without one; where the key was redacted it is reopened, and the redacted versions stay gone."""
    row = table.make(db, space, key, now=moment)
    if gone is not None and gone.state is GoneState.REDACTED:
        mark, where = space.mark(key), space.mark()
        table.note_gone(db, mark, where, GoneState.FORGOTTEN, at=gone.at, reason=gone.reason)
    return row


def refuse_redacted(db: Connection, space: Space, key: str) -> None:
    """Refuse a key that was redacted. Raises MemoryRedacted."""
    gone = table.find_gone(db, space.mark(key), key)
    if gone is not None and gone.state is GoneState.REDACTED:
        raise MemoryRedacted(key, day(gone.at), gone.reason)


def restore(context: MemoryContext, key: str, token: str, *, shared: bool) -> Remembered:
    """Record the version with this token again, from now on."""
    now = context.engine.clock()
    with context.store.writing() as db:
        space = context.make_space(db, shared=shared)
        refuse_redacted(db, space, key)
        row = table.find(db, space, key)
        versions = row.versions if row is not None else ()
        old = next((v for v in versions if v.token == token and v.value is not None), None)
        if old is None:
            raise NotFound(f"no version {token!r} of {key!r}", f"{rules.history_of(key)} lists them")
        # the review recorded it as the owner's own; a verdict in a shared file alone did not
        accepted = old.verdict is Verdict.ACCEPTED and any(
            version.value == old.value and version.trust is not Trust.UNTRUSTED for version in versions
        )
        again = _anew(old, now, now, context.engine.writer.bound(Trust.USER if accepted else old.trust))
        again = replace(again, valid_to=None, expires_at=None)
        return record(context, db, space, row, key, again, now=now)


def waiting_versions(context: MemoryContext) -> tuple[Memory, ...]:
    """Untrusted versions without a verdict, each as the memory that it would become."""
    memories: list[Memory] = []
    with context.store.reading() as db:
        for space in context.spaces(db):
            for key in table.waiting(db, space):
                row = table.find(db, space, key)
                assert row is not None
                waiting = filter(rules.is_unreviewed, row.versions)
                memories.extend(as_memory(row, version) for version in waiting)
    return context.shown(tuple(memories), [memory.version for memory in memories])


def judge(context: MemoryContext, key: str, token: str, verdict: Verdict, *, shared: bool) -> Remembered:
    """Note the verdict on an untrusted version; an accepted one is recorded again as the owner's own. Raises ReviewNeedsPerson."""
    if not context.engine.writer.attended:
        raise ReviewNeedsPerson
    now = context.engine.clock()
    with context.store.writing() as db:
        space = context.find_space(db, shared=shared)
        row = table.find(db, space, key) if space is not None else None
        versions = row.versions if row is not None else ()
        judged = next((v for v in versions if v.token == token and v.trust is Trust.UNTRUSTED), None)
        if space is None or row is None or judged is None or judged.verdict is not None:
            raise NotFound(f"{key}@{token} waits for no review", "`daypack memory review` lists what does")
        moment = rules.moment_of(row.versions, now)
        table.note_verdict(db, row.id, token, verdict, now=moment)
        append_audit(db, verdict.value, space, key, Trust.USER, now)
        if verdict is Verdict.ACCEPTED:
            start = judged.valid_from if judged.valid_from > judged.recorded_at else moment
            row_now = table.find(db, space, key)
            return record(context, db, space, row_now, key, _anew(judged, moment, start, Trust.USER), now=now)
        return _unchanged(update_index(context, db, row, now), key, token, moment)


def _unchanged(row: MemoryRow, key: str, token: str, moment: float) -> Remembered:
    """The answer to a write that added no version."""
    holds = rules.holding(row.versions, valid_at=moment)
    waiting = any(version.token == token for version in _waiting(row, holds))
    return Remembered(key, token, False, as_memory(row, holds) if holds else None, waiting=waiting)


def _anew(old: MemoryVersion, recorded_at: float, valid_from: float, trust: Trust) -> MemoryVersion:
    return replace(
        old,
        token="",
        recorded_at=recorded_at,
        valid_from=valid_from,
        trust=trust,
        verdict=None,
        reviewed_at=None,
    )


def _at(statement: MemoryVersion, moment: float, *, tags_of: MemoryVersion | None = None) -> MemoryVersion:
    """The statement as of `moment`, but never before the last recorded one, whatever the clock says; with the tags of
    another version, where one is given.
    """
    from_now_on = statement.valid_from == statement.recorded_at
    start = moment if from_now_on else statement.valid_from
    tags = statement.tags if tags_of is None else tags_of.tags
    return replace(statement, recorded_at=moment, valid_from=start, tags=tags)


def _similar(
    context: MemoryContext, db: Connection, space: Space, key: str, value: str | None
) -> tuple[Similar, ...]:
    """The owner's memories that say nearly the same, or something else about the same subject."""
    terms = sorted(set(analysis.terms(f"{key} {value or ''}")))[:200]
    if len(terms) < 2:
        return ()
    scope = space.scope
    similar: dict[str, Similar] = {}
    at_least = max(2, math.ceil(rules.SIMILAR * len(terms)))
    examined = 0
    own = table.chunks_of_space(db, space, FEW_CHUNKS + 1)
    batches = (
        sharing.chunks_sharing_among(db, terms, own, at_least=at_least)
        if len(own) <= FEW_CHUNKS
        else sharing.chunks_sharing(db, terms, at_least=at_least, without=_NO_MEMORY)
    )
    for batch in batches:
        places = context.store.places_of(db, batch).values()
        names = {name for where, name in places if where == scope and name != key}
        for name, (_, memory) in table.held(db, space, names - similar.keys()).items():
            alike = rules.likeness(terms, analysis.terms(f"{name} {memory.value}"))
            if alike >= rules.SIMILAR:
                trust = memory.version.trust
                similar[name] = Similar(name, memory.value, memory.token, round(alike, 4), trust)
        examined += len(names)
        if examined >= sharing.SHARING_BATCH:  # of one's own memories, the most similar ones
            break
    nearest = sorted(similar.values(), key=lambda item: (-item.likeness, item.key))[:MOST_SIMILAR]
    context.engine.writer.show(item.trust for item in nearest)
    return tuple(nearest)
