"""The text of documents in the common index, where `pack` and `search` find it.

A write only marks its documents; their text follows in batches, before the next question or at `docs sync`.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from daypack.doors.documents import marks, table, text_queue
from daypack.doors.documents.model.identity import shown
from daypack.doors.documents.model.values import Value
from daypack.doors.documents.model.views import text_of, title_of
from daypack.doors.documents.table import DOOR, DocumentRow
from daypack.engine.engine import Engine
from daypack.errors import CannotWrite
from daypack.ports import Connection, Progress
from daypack.types import Record, RecordKind, Trust

TEXT_BATCH = 1_000  # documents whose text is indexed in one transaction
LONGEST_NAME = 200  # characters of an _id that are words of its document
FOLLOWED = 2_000  # documents whose text a question indexes by itself; further ones are reported


def count_pending(engine: Engine) -> int:
    """Documents whose current text the common index does not have yet."""
    with engine.store.reading() as db:
        return text_queue.length(db)


def index_pending(engine: Engine, *, limit: int | None = None, progress: Progress | None = None) -> int:
    """Index the text of at most `limit` documents; returns their number. An interrupt loses the last batch."""
    done = 0
    total = 0
    if progress is not None:
        waiting = count_pending(engine)
        total = waiting if limit is None else min(limit, waiting)
    while limit is None or done < limit:
        with engine.store.reading() as db:
            rows = text_queue.first(db, TEXT_BATCH if limit is None else min(TEXT_BATCH, limit - done))
            marked = marks.marked(db, [row.id for _, row in rows])
        if not rows:
            break
        prepared = [
            engine.ingestion.prepared(record) if record.text.strip() else record
            for record in (_record(name, row, untrusted=row.id in marked) for name, row in rows)
        ]
        with engine.store.writing() as db:
            ids = [row.id for _, row in rows]
            now, moved = table.by_ids(db, ids), marked ^ marks.marked(db, ids)
            same = [n for n, (_, row) in enumerate(rows) if now.get(row.id) == row and row.id not in moved]
            engine.ingestion.put(db, [item for n in same if not isinstance(item := prepared[n], Record)])
            for n in same:
                if isinstance(item := prepared[n], Record):
                    engine.store.remove_records(db, DOOR, item.scope, [item.uid])
            text_queue.remove(db, [rows[n][1].id for n in same])
        done += len(rows)
        if progress is not None:
            progress(done, max(total, done))
    return done


def mend(engine: Engine) -> Iterator[str]:
    """Make what derives from documents again; yields searched records whose document is lost."""
    with engine.store.writing() as db:
        for collection, key in table.unknown_records(db):
            engine.store.remove_records(db, DOOR, collection, [key])
            yield f"document {collection}/{key}: only its searched text was left"
        table.derive_again(db)
    index_pending(engine)


def await_changed_text(db: Connection) -> None:
    """Mark the documents whose text an earlier version of the program wrote in another form."""
    changed = []
    for collection, row, text, tags in text_queue.searched(db):
        now = _record(collection, row, untrusted=False)
        if (now.text, now.tags) != (text, tags):
            changed.append(row.id)
    table.await_text(db, changed)


def index_before_question(engine: Engine) -> int:
    """Index pending text when it is little; returns the number of documents that still wait."""
    with engine.store.reading() as db:
        if not text_queue.holds_any(db):
            return 0
    # an answer from older text, reported as such, is better than none
    with contextlib.suppress(CannotWrite):
        index_pending(engine, limit=FOLLOWED)
    return count_pending(engine)


def _record(collection: str, row: DocumentRow, *, untrusted: bool) -> Record:
    """The searched form of a document: its text, under its collection and _id."""
    document: Value = json.loads(row.body)
    identity = shown(document["_id"])
    return Record(
        uid=row.key,
        text=text_of(document).text,
        kind=RecordKind.DOCUMENT,
        door=DOOR,
        uri=f"docs:{collection}/{identity}",
        title=title_of(document),
        language="markdown",
        scope=collection,
        # people ask for "complaints" and for SKU-7, which a complaint does not say of itself
        tags=(collection, identity[:LONGEST_NAME]),
        trust=Trust.UNTRUSTED if untrusted else Trust.USER,
    )
