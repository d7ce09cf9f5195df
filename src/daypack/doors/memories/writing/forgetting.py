"""Forgets and redacts: values are erased from tables, history, index, vectors and log; a hash of the key
stays as a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.reading import key_meant
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import GoneState, Receipt
from daypack.doors.memories.writing.indexing import append_audit
from daypack.errors import InputError, NotFound
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.types import Trust

if TYPE_CHECKING:
    from daypack.doors.memories.spaces import Space
    from daypack.ports import Connection

ChooseKeys = Callable[["Connection", "Space"], list[str]]


def choose_keys(key: str, tag: str, source: str, *, everything: bool) -> ChooseKeys:
    """A function listing the keys to forget. Raises InputError unless exactly one choice is given."""
    if sum(map(bool, (key, tag, source, everything))) != 1:
        raise InputError("say what to forget: a key, a tag, a source, or everything; exactly one of them")
    if key:
        name = rules.check_new_key(key)
        return lambda db, space: [name] if table.find(db, space, name) else []
    if tag:
        return lambda db, space: table.keys_with_tag(db, space, rules.check_tags([tag])[0])
    if source:
        return lambda db, space: table.keys_of_source(db, space, rules.check_label("source", source))
    return table.keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The keys to remove, and how. `none` begins the error for a choice without keys; for one `key` it names the likely one."""

    choose: ChooseKeys
    state: GoneState
    reason: str = ""
    none: str
    key: str = ""
    drop_space: bool = False


def remove_chosen(context: MemoryContext, removal: Removal, *, shared: bool) -> Receipt:
    """Remove keys of a space, and owe a purge. Raises NotFound without any."""
    with context.store.writing() as db:
        space = context.find_space(db, shared=shared)
        names = removal.choose(db, space) if space is not None else []
        if space is None or not names:
            meant = f"; {key_meant(context, db, removal.key)}" if removal.key else ""
            raise NotFound(removal.none, f"nothing was removed{meant}")
        receipt = remove(context, db, space, names, removal.state, removal.reason, context.engine.clock())
        if removal.drop_space:
            spaces.drop_space(db, space)
        context.store.owe_purge(db)
    return receipt


def remove(
    context: MemoryContext,
    db: Connection,
    space: Space,
    names: Sequence[str],
    state: GoneState,
    reason: str,
    now: float,
) -> Receipt:
    """Remove keys with all their versions."""
    scope = space.scope
    then = spaces.then_scope(scope)
    of_then: list[str] = []
    versions = 0
    files: set[str] = set()
    for name in names:
        row = table.find(db, space, name)
        assert row is not None
        files.update(v.source.removeprefix("file:") for v in row.versions if v.source.startswith("file:"))
        versions += table.delete_versions(db, row)
        of_then += table.then_of(db, DOOR, then, name)
        mark = space.mark(name)
        table.note_gone(db, mark, space.mark(), state, at=now, reason=reason)
        append_audit(db, "redact" if state is GoneState.REDACTED else "forget", space, name, Trust.USER, now)
    chunks, vectors = vector_index.remove_records(context.store, db, DOOR, scope, names)
    then_chunks, then_vectors = vector_index.remove_records(context.store, db, DOOR, then, of_then)
    # Scrubs all postings: older versions lie under tombstones as well, and nothing records any more which
    # were theirs.
    postings = lexical_index.scrub(db)
    counts = versions, chunks + then_chunks, vectors + then_vectors, postings
    return Receipt(state, now, tuple(names), *counts, may_still_hold=tuple(sorted(files)))


def finish_receipt(context: MemoryContext, receipt: Receipt, files: Sequence[str]) -> Receipt:
    """Purge the log; returns the receipt with the rewritten shared files and the copies out of reach."""
    copies = ["the history of git, and other people's copies of these files"] if files else []
    return replace(
        receipt,
        files=tuple(files),
        log_emptied=context.store.purge(),
        may_still_hold=(*receipt.may_still_hold, *copies, *context.store.backups()),
    )
