"""Imports lines of JSON: exports, files that a project shares, and lines written by hand.

Known versions write nothing; memories forgotten here stay forgotten.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from daypack.doors.memories import rules, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.files.lines import USE, version_from_facts
from daypack.doors.memories.spaces import Space
from daypack.doors.memories.table import MemoryRow
from daypack.doors.memories.types import GoneState, ImportReport, MemoryVersion
from daypack.doors.memories.writing.forgetting import remove
from daypack.doors.memories.writing.indexing import PendingIndex, append_audit, update_index, write_pending
from daypack.errors import DaypackError, InputError
from daypack.guard.trust import Writer
from daypack.ports import Connection
from daypack.types import IngestIssue, SkipReason, Trust

BATCH = 2_000  # lines a transaction
_FORM = '{"key": "release/cadence", "value": "Weekly on Thursdays"}'


def import_lines(
    context: MemoryContext,
    lines: Iterable[str],
    *,
    shared: bool,
    name: str,
    is_array: bool = False,
    by_hand: bool = False,
) -> ImportReport:
    """Import lines, or the entries of an array; issues call their file `name`. Lines that are handed over have at most the trust
    that their writer can give; those of a file that the project shares have the trust that they state.
    """
    report = ImportReport()
    placed = (
        (f"{name}[{number}]" if is_array else f"{name}:{number + 1}", line)
        for number, line in enumerate(lines)
        if line.strip()
    )
    while batch := [*islice(placed, BATCH)]:
        with context.store.writing() as db:
            space = context.make_space(db, shared=shared)
            report += _import_batch(context, db, space, batch, context.engine.writer if by_hand else None)
    return report


def _import_batch(
    context: MemoryContext,
    db: Connection,
    space: Space,
    batch: Sequence[tuple[str, str]],
    writer: Writer | None,
) -> ImportReport:
    now = context.engine.clock()
    report = ImportReport()
    touched: dict[str, MemoryRow] = {}
    for place, line in batch:
        try:
            facts = json.loads(line)
            if not isinstance(facts, dict):
                raise InputError("it must be an object")
            if "gone" in facts:
                report += _import_gone(context, db, space, facts)
                continue
            if "created_at" in facts and facts.keys() <= {*USE}:
                _import_use(db, space, facts)
                continue
            if "key" not in facts or not facts.keys() & {"value", "recorded_at"}:
                raise InputError(f"it has no {'value' if 'key' in facts else 'key'}; write {_FORM}")
            # a hand-written line has no date
            key, version = version_from_facts({"recorded_at": now, **facts}, writer)
        except (ValueError, RecursionError, DaypackError) as error:
            why = "this is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
            issue = IngestIssue(place, SkipReason.UNREADABLE, why)
            report += ImportReport(issues=(issue,))
            continue
        report += _import_version(db, space, key, version, now, touched, by_hand="version" not in facts)
    pending = PendingIndex()
    for key, row in touched.items():
        update_index(context, db, row, now, pending)
        append_audit(db, "import", space, key, Trust.USER, now)
    if touched:
        write_pending(context, db, pending)
    return report


def _import_version(
    db: Connection,
    space: Space,
    key: str,
    version: MemoryVersion,
    now: float,
    touched: dict[str, MemoryRow],
    *,
    by_hand: bool,
) -> ImportReport:
    """Add one version; rows that change go into `touched`."""
    gone = table.find_gone(db, space.mark(key), key)
    if gone is not None and (gone.state is GoneState.REDACTED or version.recorded_at <= gone.at):
        return ImportReport(refused=1)
    if table.find_gone(db, space.mark(key, version.token), key) is not None:
        return ImportReport(refused=1)
    row = touched.get(key) or table.find(db, space, key)
    known = rules.head(row.versions) if row is not None else None
    moment = rules.moment_of([known], now) if known is not None else now
    if by_hand and known is not None and rules.same_statement(known, version, moment=moment):
        return ImportReport(unchanged=1)
    if row is None:
        row = table.make(db, space, key, now=version.recorded_at)
    if table.add_version(db, row.id, version):
        touched[key] = row
        return ImportReport(added=1)
    if version.verdict is not None and version.reviewed_at is not None:
        table.note_verdict(db, row.id, version.token, version.verdict, now=version.reviewed_at)
        touched[key] = row
    return ImportReport(unchanged=1)


def _import_use(db: Connection, space: Space, facts: Mapping[str, Any]) -> None:
    key = rules.check_key(facts.get("key"))
    created = rules.check_moment("created_at", facts.get("created_at"))
    accessed = rules.check_moment("accessed_at", facts.get("accessed_at"))
    recalls = facts.get("recalls", 0)
    whole = isinstance(recalls, int) and not isinstance(recalls, bool) and 0 <= recalls < 1 << 62
    if created is None or not whole:
        raise InputError("created_at and recalls must be numbers")
    gone = table.find_gone(db, space.mark(key), key)
    if gone is not None and (gone.state is GoneState.REDACTED or created <= gone.at):
        return
    row = table.find(db, space, key) or table.make(db, space, key, now=created)
    table.note_use(db, row.id, created_at=created, accessed_at=accessed, recalls=recalls)


def _import_gone(
    context: MemoryContext, db: Connection, space: Space, facts: Mapping[str, Any]
) -> ImportReport:
    """Forget here the memories, or the versions of one, that were forgotten there."""
    at = rules.check_moment("at", facts.get("at"))
    reason = rules.clean_label("reason", facts.get("reason", ""))
    mark, state = bytes.fromhex(str(facts["gone"])), GoneState(facts.get("state", GoneState.FORGOTTEN))
    if at is None or len(mark) != 16:
        raise InputError("a line about a forgotten memory needs its hash and its date")
    where = space.mark()
    known = {mark: (GoneState(state), at, why) for mark, state, at, why in table.gone_of(db, where)}
    known_state, known_at, known_reason = known.get(mark, (GoneState.FORGOTTEN, -math.inf, ""))
    if known_at >= at:  # those versions are gone; later ones stay
        return ImportReport(unchanged=1)
    for key in table.keys(db, space):
        if space.mark(key) == mark:
            at = _forget_until(context, db, space, key, state, reason, at)
    for key, token in table.tokens(db, space):
        if space.mark(key, token) == mark:
            remove(context, db, space, {key: (token,)}, state, reason, at)
    closed = known_state is GoneState.REDACTED  # and stays so
    if closed:
        state, reason = known_state, known_reason
    table.note_gone(db, mark, where, state, at=at, reason=reason)
    return ImportReport(unchanged=1) if closed else ImportReport(added=1)


def _forget_until(
    context: MemoryContext, db: Connection, space: Space, key: str, state: GoneState, reason: str, at: float
) -> float:
    """Forget the versions of a key recorded until `at`, and return the last moment of those that are gone: a redaction takes the
    later ones as well.
    """
    row = table.find(db, space, key)
    versions = () if row is None else row.versions
    older = [v for v in versions if state is GoneState.REDACTED or v.recorded_at <= at]
    if older or not versions:
        some = [v.token for v in older] if len(older) < len(versions) else ()
        remove(context, db, space, {key: some}, state, reason, at)
    return rules.moment_of(older, at)
