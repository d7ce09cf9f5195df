"""Changes to documents that are planned, inspected, applied as a whole, and can be rolled back.

A plan keeps the body before and after of each document that it would change. `apply` writes the bodies after,
in one transaction, if every document is still as it was before; `rollback` writes those before, if every
document is still as it was after. So a crash leaves one side or the other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from daypack.doors.documents import marks, table
from daypack.doors.documents.filters.language import parse_filter, perhaps
from daypack.doors.documents.filters.predicate import Predicate, predicate
from daypack.doors.documents.filters.sql import parsed_filter, plain
from daypack.doors.documents.model.incoming import Incoming, without_secrets
from daypack.doors.documents.model.results import Applied, Planned
from daypack.doors.documents.model.updates import Step, apply_update, parse_update
from daypack.doors.documents.model.values import Value, ValueKind, cleaned, kind_of
from daypack.doors.documents.table import Change, DocumentRow, Plan
from daypack.engine.engine import Engine
from daypack.errors import BadUpdate, FilterError, InputError, NotFound, PlanConflict, PlanSpent
from daypack.guard.secrets import redact_json
from daypack.ports import Connection
from daypack.shapes.strict_json import canonical
from daypack.shapes.wording import counted, utc_minute
from daypack.text.checks import check_seconds
from daypack.types import Trust

EXPIRES = 24 * 3600.0
SAMPLE = 5
REDACTED_TOGETHER = 1_000  # documents that are searched for secrets as one text
MOST_CHANGES = 100_000
PLANNED, APPLIED, ROLLED_BACK = "planned", "applied", "rolled_back"


def plan_update(
    engine: Engine,
    name: str,
    filter: Mapping[str, Any],
    update: Mapping[str, Any],
    *,
    token: str,
    expires_seconds: float,
) -> Planned:
    """Keep an update's effect as a plan under `token`. Raises FilterError, BadUpdate, InputError."""
    wanted = parsed_filter(filter)
    steps = parse_update(update, _pulled, perhaps)
    check_seconds("expires_seconds", expires_seconds)
    if not (math.isfinite(expires_seconds) and 0 < expires_seconds <= 366 * 86400):
        raise InputError("a plan expires after a number of seconds above 0, at most a year")
    now = engine.clock()
    kept_filter, in_filter = _kept(filter)
    kept_update, in_update = _kept(update)
    with engine.translating_damage(), engine.store.writing() as db:
        table.drop_expired_plans(db, now)
        row = table.existing_collection(db, name)
        where, parameters, _ = wanted.where(db, row)
        matched, changed = _documents_changed(table.select(db, row, where, parameters), steps)
        changes, in_changes = _changes(changed)
        trust = engine.writer.bound(Trust.USER).value
        plan = Plan(token, row.id, kept_filter, kept_update, now, now + expires_seconds, PLANNED, None, trust)
        table.make_plan(db, plan, changes)
    sample = tuple((json.loads(change.before), json.loads(change.after)) for change in changes[:SAMPLE])
    return Planned(token, matched, len(changes), sample, plan.expires_at, in_filter + in_update + in_changes)


def _documents_changed(
    documents: Iterable[DocumentRow], steps: Sequence[Step]
) -> tuple[int, list[tuple[DocumentRow, Incoming]]]:
    """(the number of documents, those that an update changes with their bodies after). Raises BadUpdate, InputError."""
    matched = 0
    changed: list[tuple[DocumentRow, Incoming]] = []
    for document in documents:
        matched += 1
        try:
            value = apply_update(steps, json.loads(document.body))
        except BadUpdate as error:
            raise BadUpdate(
                error.path, f"{error.problem} (document {document.key}); nothing was planned"
            ) from None
        after = canonical(value)
        if after != document.body:
            changed.append((document, Incoming(document.key, after, value)))
        if len(changed) > MOST_CHANGES:
            raise InputError(
                f"the update would change more than {MOST_CHANGES:,} documents; narrow the filter and plan in parts"
            )
    return matched, changed


def _changes(changed: Sequence[tuple[DocumentRow, Incoming]]) -> tuple[list[Change], int]:
    """(the changes that are left once the bodies after have no secrets, the number of secrets)."""
    changes: list[Change] = []
    redactions = 0
    for start in range(0, len(changed), REDACTED_TOGETHER):
        part = changed[start : start + REDACTED_TOGETHER]
        clean, count = without_secrets([after for _, after in part])
        redactions += count
        changes += [
            Change(before.id, before.key, before.body, after.body)
            for (before, _), after in zip(part, clean, strict=True)
            if after.body != before.body
        ]
    return changes, redactions


def _kept(data: Mapping[str, Any]) -> tuple[str, int]:
    """A filter or an update of a plan, without secrets, and their number."""
    clean, count = redact_json(plain(data))
    return canonical(clean), count


def _pulled(condition: Any, where: str) -> Predicate:
    """The test of an element that `$pull` names: by value, operators, or a filter on its fields."""
    try:
        if isinstance(condition, Mapping):
            names = [str(name) for name in condition]
            if names and names[0].startswith("$") and kind_of(condition) is ValueKind.OBJECT:
                test = predicate(parse_filter({"element": condition}))
                return lambda item: test({"element": item})
            if names and not names[0].startswith("$"):
                node = predicate(parse_filter(condition))
                return lambda item: type(item) is dict and kind_of(item) is ValueKind.OBJECT and node(item)
        # $elemMatch compares the element itself; $eq alone would also hold for an array that has the value in it.
        test = predicate(parse_filter({"element": {"$elemMatch": {"$eq": condition}}}))
        return lambda item: test({"element": [item]})
    except FilterError as error:
        raise BadUpdate(f"{where}.{error.path.removeprefix('element.')}", error.problem) from None


def apply(engine: Engine, token: str) -> Applied:
    """Write the bodies after. Raises NotFound, PlanSpent and PlanConflict."""
    now = engine.clock()
    with engine.translating_damage(), engine.store.writing() as db:
        plan = _found(db, token)
        match plan.state:
            case "applied":
                raise PlanSpent(token, "was applied already", "`daypack docs rollback` takes it back")
            case "rolled_back":
                raise PlanSpent(token, "was applied and rolled back", "plan the update again")
        if plan.update == table.ERASED:
            raise PlanSpent(token, "expired when one of its documents was deleted", "plan the update again")
        if plan.expires_at <= now:
            raise PlanSpent(token, f"expired on {utc_minute(plan.expires_at)}", "plan the update again")
        changes = table.changes_of(db, token)
        rows = table.by_ids(db, [change.document_id for change in changes])
        moved = _identities(change for change in changes if not _holds(rows, change, change.before))
        if moved:
            raise PlanConflict(
                token, moved, f"{_changed(moved)} since the plan was made", "plan the update again"
            )
        collection = table.collection_of(db, plan.collection_id)
        indexes = table.indexes(db, collection)
        for change in changes:
            table.replace(db, indexes, rows[change.document_id], change.after)
        trust = engine.writer.bound(Trust(plan.trust))
        marks.mark(db, (change.document_id for change in changes), trust)
        table.note_plan(db, token, APPLIED, now=now)
    return Applied(token, collection.name, len(changes), APPLIED)


def rollback(engine: Engine, change_id: str, *, force: bool) -> Applied:
    """Write the bodies before. Raises NotFound, PlanSpent and, unless `force`, PlanConflict."""
    now = engine.clock()
    with engine.translating_damage(), engine.store.writing() as db:
        plan = _found(db, change_id)
        if plan.state != APPLIED:
            problem = "was rolled back already" if plan.state == ROLLED_BACK else "was never applied"
            raise PlanSpent(
                change_id, problem, "`daypack docs plans` lists the changes that can be rolled back"
            )
        changes = table.changes_of(db, change_id)
        rows = table.by_ids(db, [change.document_id for change in changes])
        lost = _identities(change for change in changes if not _holds(rows, change, change.after))
        if lost and not force:
            raise PlanConflict(
                change_id,
                lost,
                f"{_changed(lost)} since the plan was applied, and these changes would be lost",
                "give --force to lose them",
            )
        collection = table.collection_of(db, plan.collection_id)
        indexes = table.indexes(db, collection)
        for change in changes:  # of a document that was deleted since, nothing is left here
            table.replace(db, indexes, rows[change.document_id], change.before)
        table.note_plan(db, change_id, ROLLED_BACK, now=now)
    return Applied(change_id, collection.name, len(changes), ROLLED_BACK)


def list_plans(engine: Engine) -> list[dict[str, Any]]:
    """Every plan with its state and its number of documents, newest first, as plain data."""
    now = engine.clock()
    with engine.translating_damage(), engine.store.reading() as db:
        names = {collection.id: collection.name for collection in table.collections(db)}
        listed = []
        for plan, count in table.plans(db):
            expired = plan.state == PLANNED and plan.expires_at <= now
            listed.append(
                {
                    "token": plan.token,
                    "state": "expired" if expired else plan.state,
                    "collection": names.get(plan.collection_id, ""),
                    "filter": json.loads(plan.filter),
                    "update": json.loads(plan.update),
                    "documents": count,
                    "madeAt": _date(plan.made_at),
                    "expiresAt": _date(plan.expires_at),
                    "changedAt": _date(plan.changed_at) if plan.changed_at is not None else None,
                }
            )
        return listed


def _date(moment: float) -> Value:
    return cleaned({"$date": int(moment * 1000)})


def _changed(ids: Sequence[str]) -> str:
    return f"{counted(len(ids), 'document')} {'was' if len(ids) == 1 else 'were'} changed or deleted"


def _holds(rows: Mapping[int, DocumentRow], change: Change, body: str) -> bool:
    row = rows.get(change.document_id)
    return row is not None and row.body == body


def _identities(changes: Iterable[Change]) -> list[str]:
    return [canonical(json.loads(change.before)["_id"]) for change in changes]


def _found(db: Connection, token: str) -> Plan:
    plan = table.find_plan(db, token)
    if plan is None:
        raise NotFound(f"no plan {token!r}", "`daypack docs plans` lists them")
    return plan
