"""Documents on their way into a collection: read from JSON or lines, checked in batches, written in transactions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from daypack.doors.documents import marks, table
from daypack.doors.documents.model.incoming import Incoming, incoming, without_secrets
from daypack.doors.documents.model.results import Inserted
from daypack.doors.documents.model.values import Value, is_signed
from daypack.doors.documents.table import CollectionRow, DocumentRow
from daypack.engine.engine import Engine
from daypack.errors import BadDocument, BadJson, DuplicateId, InputError, clipped
from daypack.guard.inputs import LARGEST, NotReadable
from daypack.guard.secrets import refuse_secret
from daypack.ports import Connection, Progress
from daypack.shapes.strict_json import canonical, read_json, read_values
from daypack.types import Trust

BATCH = 10_000  # documents of a transaction
BATCH_BYTES = 32 << 20
_FORMS = "an object, an array of objects, or objects one after another"


# ---------------------------------------------------------------- reading


def read_lines(lines: Iterable[str], name: str) -> Iterator[tuple[Any, str]]:
    """(document, its place) of NDJSON without blank lines. Raises BadJson with the line of the file."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_json(line.rstrip("\r\n"), what=name), f"{name}, line {number}: document"
        except BadJson as error:
            raise BadJson(name, number, error.column, error.problem) from None


def read_lines_or_text(lines: Iterable[str], name: str) -> Iterator[tuple[Any, str]]:
    """(document, its place) of NDJSON, a line at a time, or of one JSON text of several lines, as `read_documents`.

    Raises BadJson and BadDocument, and NotReadable for a long text.
    """
    rest = iter(lines)
    begin = [*islice(rest, 1)]
    while begin and not begin[-1].strip() and (line := next(rest, None)) is not None:
        begin.append(line)
    with contextlib.suppress(BadJson):
        if not "".join(begin).strip() or type(read_json(begin[-1])) is dict:
            return read_lines(chain(begin, rest), name)
    size = 0
    for line in rest:
        size += len(line)
        if size > LARGEST:
            raise NotReadable(
                name, f"more than {LARGEST:,} characters in one JSON text; write one document a line"
            )
        begin.append(line)
    return read_documents("".join(begin), name)


def read_documents(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """(document, its place) of one object, an array of objects, or objects one after another. Raises BadJson and BadDocument."""
    try:
        value = read_json(text, what=name)
    except BadJson as error:
        # A second object: objects one after another, on lines or printed over several.
        follows = error.problem == "extra data" and text.split("\n")[error.line - 1][error.column - 1] == "{"
        if not follows:
            if error.problem != "extra data" and text.lstrip()[:1] in ("{", "["):
                raise
            raise BadJson(
                name, error.line, error.column, f"{error.problem}; documents are {_FORMS}"
            ) from None
        return ((item, f"{name}, line {line}: document") for item, line in read_values(text, what=name))
    if isinstance(value, list):
        return ((item, f"{name}[{number}]") for number, item in enumerate(value))
    if not isinstance(value, dict):
        raise BadDocument("", f"must be {_FORMS}", where=name)
    return iter([(value, name)])


def named_documents(items: Iterable[Any], *, lines: bool) -> Iterator[tuple[Any, str]]:
    """(document, its name in errors) of documents and of such pairs, with `lines` of lines of JSON too. Raises BadJson."""
    for number, item in enumerate(items, 1):
        name = f"document {number}"
        if type(item) is tuple and len(item) == 2:
            yield item
        elif lines and isinstance(item, str):
            yield read_json(item, what=name), name
        else:
            yield item, name


# ---------------------------------------------------------------- checking


def checked_path(path: str) -> str:
    """The path of a field. Raises InputError."""
    if not isinstance(path, str) or "\0" in path or "" in path.split(".") or is_signed(path):
        raise InputError(f"field {clipped(str(path))} is not a path; write NAME or NAME.inner")
    return path


def storable_path(path: str) -> str:
    """A path that the store keeps. Raises InputError, also where it looks like a secret."""
    refuse_secret("path", checked_path(path))
    return path


# ---------------------------------------------------------------- writing


def ensure_collection(db: Connection, name: str, *, now: float) -> CollectionRow:
    """The collection of this name, made when missing. Raises InputError for a name like a secret."""
    collection = table.find_collection(db, name)
    if collection is not None:
        return collection
    refuse_secret("name of the collection", name)
    return table.make_collection(db, name, now=now)


def write_documents(
    engine: Engine,
    name: str,
    items: Iterable[tuple[Any, str]],
    *,
    new_id: Callable[[], Value],
    mode: str,
    progress: Progress | None,
) -> Inserted:
    """Write (document, its name in errors) into the collection, a transaction a batch.

    An _id that is stored already raises DuplicateId in mode `insert`; in mode `load` only for another
    body; in mode `replace` the document is replaced. A fault leaves the batches before it, and says so.
    """
    inserted = replaced = unchanged = redactions = done = 0
    ids: list[Value] = []
    made = False
    stream = (incoming(item, new_id, where) for item, where in items)
    with engine.translating_damage():
        try:
            for batch in _batches(stream):
                clean, count = without_secrets(batch)
                redactions += count
                with engine.store.writing() as db:
                    collection = ensure_collection(db, name, now=engine.clock())
                    made = True
                    new, changed, same = _sorted_out(db, collection, clean, mode, _kept(done))
                    indexes = table.indexes(db, collection)
                    written = [*table.insert(db, collection, indexes, new)]
                    for row, item in changed:
                        table.replace(db, indexes, row, item.body)
                        written.append(row.id)
                    marks.mark_anew(db, written, engine.writer.bound(Trust.USER))
                inserted, replaced, unchanged = inserted + len(new), replaced + len(changed), unchanged + same
                ids += [item.value["_id"] for item in new]
                done += len(batch)
                if progress is not None:
                    progress(done, done)
        except InputError as error:
            error.written = done
            if done and not isinstance(error, DuplicateId):
                error.args = (f"{error}; {_kept(done)}",)
            raise
        if not made:
            with engine.store.writing() as db:
                ensure_collection(db, name, now=engine.clock())
    return Inserted(name, inserted, replaced, unchanged, redactions, tuple(ids))


def _kept(done: int) -> str:
    return f"the first {done:,} documents are written" if done else "nothing was written"


def _batches(items: Iterable[Incoming]) -> Iterator[list[Incoming]]:
    batch: list[Incoming] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.body)
        if len(batch) == BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _sorted_out(
    db: Connection, collection: CollectionRow, batch: Sequence[Incoming], mode: str, kept: str
) -> tuple[list[Incoming], list[tuple[DocumentRow, Incoming]], int]:
    """(new documents, documents to replace, number of documents stored unchanged)."""
    by_key: dict[str, Incoming] = {}
    same = 0
    for item in batch:
        earlier = by_key.get(item.key)
        if earlier is not None and (mode == "insert" or (mode == "load" and earlier.body != item.body)):
            raise DuplicateId(collection.name, canonical(item.value["_id"]), " in the same write", kept)
        same += earlier is not None
        by_key[item.key] = item
    taken = table.taken(db, collection, by_key)
    if taken and mode == "insert":
        raise DuplicateId(collection.name, canonical(by_key[taken[0]].value["_id"]), kept=kept)
    changed = []
    for key in taken:
        item = by_key.pop(key)
        row = table.find(db, collection, key)
        assert row is not None
        if row.body == item.body:
            same += 1
        elif mode == "load":
            raise DuplicateId(collection.name, canonical(item.value["_id"]), ", and it is another one", kept)
        else:
            changed.append((row, item))
    return [*by_key.values()], changed, same
