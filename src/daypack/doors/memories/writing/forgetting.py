"""Forgets and redacts: values are erased from tables, history, index, vectors and log; a hash of the key
stays as a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.reading import key_meant
from daypack.doors.memories.spaces import DOOR, Space
from daypack.doors.memories.table import MemoryRow
from daypack.doors.memories.types import GoneState, MemoryVersion, Receipt
from daypack.doors.memories.writing.indexing import append_audit, update_index
from daypack.errors import InputError, NotFound
from daypack.index import vectors as vector_index
from daypack.index.postings import lexical as lexical_index
from daypack.ports import Connection
from daypack.types import Trust

# key → tokens of the versions to remove; () for the key with all of them
Chosen: TypeAlias = "Mapping[str, Collection[str]]"
Choose = Callable[["Connection", "Space"], Chosen]


def chosen_by(key: str, tag: str, source: str, *, everything: bool) -> Choose:
    """A function that names the keys and versions to forget. Raises InputError unless exactly one choice is given."""
    if sum(map(bool, (key, tag, source, everything))) != 1:
        raise InputError("say what to forget: a key, a tag, a source, or everything; exactly one of them")
    if key:
        name = rules.check_new_key(key)
        return lambda db, space: {name: ()} if table.find(db, space, name) else {}
    if tag:
        return lambda db, space: dict.fromkeys(table.keys_with_tag(db, space, rules.check_tags([tag])[0]), ())
    if source:
        return lambda db, space: _of_source(db, space, rules.check_label("source", source))
    return lambda db, space: dict.fromkeys(table.keys(db, space), ())


def _of_source(db: Connection, space: Space, source: str) -> Chosen:
    """The versions from a source; the whole of a key without others."""
    chosen: dict[str, Collection[str]] = {}
    for key in table.keys_of_source(db, space, source):
        row = table.find(db, space, key)
        assert row is not None
        tokens = [version.token for version in row.versions if version.source == source]
        chosen[key] = tokens if len(tokens) < len(row.versions) else ()
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The keys to remove, and how. `none` begins the error for a choice without keys; for one `key` it names the likely one."""

    choose: Choose
    state: GoneState
    reason: str = ""
    none: str
    key: str = ""
    drop_space: bool = False


def remove_chosen(context: MemoryContext, removal: Removal, *, shared: bool) -> Receipt:
    """Remove keys or versions of a space, and owe a purge. Raises NotFound without any."""
    with context.store.writing() as db:
        space = context.find_space(db, shared=shared)
        chosen = removal.choose(db, space) if space is not None else {}
        if space is None or not chosen:
            meant = f"; {key_meant(context, db, removal.key, shared=shared)}" if removal.key else ""
            raise NotFound(removal.none, f"nothing was removed{meant}")
        receipt = remove(context, db, space, chosen, removal.state, removal.reason, context.engine.clock())
        if removal.drop_space:
            spaces.drop_space(db, space)
        context.store.owe_purge(db)
    return receipt


def remove(
    context: MemoryContext,
    db: Connection,
    space: Space,
    chosen: Chosen,
    state: GoneState,
    reason: str,
    now: float,
) -> Receipt:
    """Remove keys with all their versions, or some versions of keys that keep the others. A hash of each stays."""
    then = spaces.then_scope(space.scope)
    of_now, of_then = list[str](), list[str]()
    kept: list[MemoryRow] = []
    erased: list[MemoryVersion] = []
    for name, some in chosen.items():
        row = table.find(db, space, name)
        assert row is not None
        tokens = frozenset(some) or {version.token for version in row.versions}
        gone = [version for version in row.versions if version.token in tokens]
        erased += gone
        indexed = dict(zip(row.version_ids, row.versions, strict=True)).get(row.current or 0)
        of_now += [name] * (indexed is None or indexed.token in tokens)
        times = table.then_of(db, then, name)
        of_then += [uid for uid, record in times.items() if record["version"] in tokens]
        if len(gone) < len(row.versions):
            table.delete_versions(db, row, tokens)
            kept.append(row)
        else:
            table.delete_key(db, row)
        at = rules.moment_of(gone, now)
        for mark in [space.mark(name, token) for token in some] or [space.mark(name)]:
            table.note_gone(db, mark, space.mark(), state, at=at, reason=reason)
        append_audit(db, "redact" if state is GoneState.REDACTED else "forget", space, name, Trust.USER, now)
    chunks, vectors = vector_index.remove_records(context.store, db, DOOR, space.scope, of_now)
    then_chunks, then_vectors = vector_index.remove_records(context.store, db, DOOR, then, of_then)
    for row in kept:
        update_index(context, db, row, now)
    # Scrubs all postings: older versions lie under tombstones as well, and nothing records any more which
    # were theirs.
    postings = lexical_index.scrub(db)
    names = tuple(row.key for row in kept)
    files = {version.source for version in erased if version.source.startswith("file:")}
    return Receipt(
        state,
        now,
        keys=tuple(name for name in chosen if name not in names),
        kept=names,
        versions=len(erased),
        chunks=chunks + then_chunks,
        vectors=vectors + then_vectors,
        postings=postings,
        may_still_hold=tuple(sorted(source.removeprefix("file:") for source in files)),
    )


def finish_receipt(context: MemoryContext, receipt: Receipt, files: Sequence[str]) -> Receipt:
    """Purge the log; returns the receipt with the rewritten shared files and the copies out of reach."""
    copies = ["the history of git, and other people's copies of these files"] if files else []
    return replace(
        receipt,
        files=tuple(files),
        log_emptied=context.store.purge(),
        may_still_hold=(*receipt.may_still_hold, *copies, *context.store.backups()),
    )
