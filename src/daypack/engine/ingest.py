"""Ingest: records are redacted, cut, counted, and compared with the stored ones; what differs is written and indexed in one
transaction.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from daypack import tokens
from daypack.engine.doors import Door, handling_of
from daypack.engine.embedding import Embedding
from daypack.engine.upkeep import MUCH_WRITTEN, READER_VERSION, fold_if_due
from daypack.index import census
from daypack.index.rows import Prepared
from daypack.index.store import Store
from daypack.ports import Clock, Connection, Handling
from daypack.text.storable import storable, text_hash
from daypack.types import IngestIssue, IngestReport, Record, Tokenizer

CHUNK_TOKENIZER = Tokenizer.O200K  # of `Chunk.tokens`
BATCH_CHARS = 4 << 20
BATCH_RECORDS = 2_000


class Ingestion:
    """Writes records into one store."""

    def __init__(self, store: Store, doors: Sequence[Door], *, clock: Clock, embedding: Embedding) -> None:
        self.store = store
        self.doors = doors
        self.clock = clock
        self.embedding = embedding

    def add(self, records: Iterable[Record | IngestIssue], *, expected: int = 0) -> IngestReport:
        """Write the records that are new or changed, in transactions of some megabytes. When one fails, the earlier ones
        stay.

        `expected` is the estimated number of bytes, where it is known.
        """
        tokens.expect(CHUNK_TOKENIZER, expected)
        with _rare_collections():
            return self._add(records)

    def _add(self, records: Iterable[Record | IngestIssue]) -> IngestReport:
        report = IngestReport()
        issues: list[IngestIssue] = []
        batch: list[Prepared] = []
        size = length = redactions = 0
        for record in records:
            if isinstance(record, IngestIssue):
                issues.append(record)
                continue
            prepared, replacements = prepare(record, handling_of(self.doors, record.door))
            batch.append(prepared)
            redactions += replacements
            length += len(record.text)
            size += len(record.text)
            if size >= BATCH_CHARS or len(batch) >= BATCH_RECORDS:
                report = self._write(batch, report)
                batch, size = [], 0
        if batch:
            report = self._write(batch, report)
        if report.chunks >= MUCH_WRITTEN:
            fold_if_due(self.store)
        return report._replace(bytes=length, redactions=redactions, issues=tuple(issues))

    def _write(self, batch: Sequence[Prepared], report: IngestReport) -> IngestReport:
        if not self._differs(batch):
            return report._replace(unchanged=report.unchanged + len(batch))
        with self.store.writing() as db:
            # Check again inside the transaction: another process may have written the same record meanwhile.
            known = self.store.stored_records(item.record for item in batch)
            fresh: dict[tuple[str, str, str], Prepared] = {}
            unchanged = added = 0
            for item in batch:
                key = (item.record.door, item.record.scope, item.record.uid)
                stored = known.get(key)
                if (
                    stored is not None
                    and stored.hash == item.hash
                    and not fresh.get(key)
                    and self.store.same_facts(db, stored.id, item.record, item.handling)
                ):
                    unchanged += 1
                    if (stored.mtime_ns, stored.size) != (item.record.mtime_ns, item.record.size):
                        self.store.touch(*key, mtime_ns=item.record.mtime_ns, size=item.record.size)
                    continue
                if key not in fresh:
                    added += stored is None
                fresh[key] = item
            chunks = self.put(db, list(fresh.values()))
        return report._replace(
            added=report.added + added,
            updated=report.updated + len(fresh) - added,
            unchanged=report.unchanged + unchanged,
            chunks=report.chunks + chunks,
        )

    def prepared(self, record: Record) -> Prepared:
        """A record ready for `put`: redacted, cut and counted."""
        return prepare(record, handling_of(self.doors, record.door))[0]

    def put(self, db: Connection, batch: Sequence[Prepared]) -> int:
        """Insert or replace records inside the caller's transaction; returns the number of chunks written."""
        from daypack.engine.indexing import index_chunks

        if not census.has_records(db):
            self.store.keep_reader_version(db, READER_VERSION)
        chunks = index_chunks(db, self.store.write_records(db, batch, now=self.clock()), self.embedding)
        self._merge(db)
        return chunks

    def _merge(self, db: Connection) -> None:
        from daypack.index.lexical import merge_segments

        merge_segments(db, ready=lambda ids: self.embedding.complete_instant(db, ids))

    def _differs(self, batch: Sequence[Prepared]) -> bool:
        """True when a batch holds anything new; when it does not, no write transaction is needed."""
        with self.store.reading() as db:
            for item in batch:
                record = item.record
                stored = self.store.stored_record(record.door, record.scope, record.uid)
                if stored is None or (stored.hash, stored.mtime_ns, stored.size) != (
                    item.hash,
                    record.mtime_ns,
                    record.size,
                ):
                    return True
                if not self.store.same_facts(db, stored.id, record, item.handling):
                    return True
        return False

    def remove(self, door: str, scope: str, uids: Sequence[str]) -> int:
        """Delete records by uid; returns their number."""
        if not any(self.store.stored_record(door, scope, uid) for uid in uids):
            return 0
        with self.store.writing() as db:
            removed = self.store.remove_records(db, door, scope, uids)
            self._merge(db)
        return removed

    def erase(self, door: str, scope: str, uids: Sequence[str]) -> int:
        """Delete records by uid, their postings, and every unused byte of the file; returns the number of records."""
        if not any(self.store.stored_record(door, scope, uid) for uid in uids):
            return 0
        with self.store.writing() as db:
            removed = self.erase_within(db, door, scope, uids)
        self.store.purge()
        return removed

    def erase_within(self, db: Connection, door: str, scope: str, uids: Sequence[str]) -> int:
        """Erase inside the caller's transaction; the caller purges the store afterwards."""
        from daypack.index.lexical import scrub

        removed = self.store.remove_records(db, door, scope, uids)
        scrub(db)
        self.store.owe_purge(db)
        return removed

    def rebuild(self, db: Connection) -> tuple[int, int]:
        """Cut and index every record again inside the caller's transaction; returns (records, chunks)."""
        from daypack.engine.indexing import index_chunks
        from daypack.index.lexical import clear

        clear(db)
        for door in self.doors:
            if door.rebuild is not None:
                door.rebuild(db)
        ids = self.store.record_ids()
        chunks = size = 0
        batch: list[Prepared] = []
        for record_id in ids:
            record = self.store.read_record(db, record_id)
            batch.append(self.prepared(record))
            size += len(record.text)
            if size >= BATCH_CHARS or record_id == ids[-1]:
                chunks += index_chunks(
                    db, self.store.write_records(db, batch, now=self.clock()), self.embedding
                )
                batch, size = [], 0
        self._merge(db)
        return len(ids), chunks


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Let the garbage collector run after 100,000 new objects instead of 700. Cutting and indexing make many small
    objects and no cycles, and the usual runs took 3 to 4 % of their time. The collector stays on, because the source of
    the records may make cycles.
    """
    usual = gc.get_threshold()
    if usual[0]:  # 0: never
        gc.set_threshold(max(usual[0], 100_000), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def prepare(record: Record, handling: Handling) -> tuple[Prepared, int]:
    """(a record ready to be written, the number of secrets removed from it)."""
    from daypack.chunk import cut  # a query needs no cutter

    clean, count = _without_secrets(record)
    pieces = cut(clean)
    texts = tuple([clean.text[piece.span.start : piece.span.end] for piece in pieces.pieces])
    counts = tokens.count_batch(CHUNK_TOKENIZER, texts)
    return Prepared(clean, pieces, texts, tuple(counts), text_hash(clean.text), handling), count


def _without_secrets(record: Record) -> tuple[Record, int]:
    """(a storable record without secrets, the number of replacements). Those in the title are not counted, because most
    titles repeat the text.
    """
    from daypack.guard.secrets import redact, redact_json  # their expressions take 20 ms to compile

    names = ("uid", "uri", "title", "language", "author", "session", "scope")
    fields: dict[str, Any] = {name: storable(getattr(record, name)) for name in names}
    redacted = redact(storable(record.text))
    fields |= {"text": redacted.text, "tags": tuple(map(storable, record.tags))}
    if any(getattr(record, name) != value for name, value in fields.items()):  # seldom, and a copy takes time
        record = replace(record, **fields)
    if not (record.title or record.author or record.tags or record.metadata):
        return record, redacted.count
    metadata = json.dumps(dict(record.metadata), ensure_ascii=False) if record.metadata else ""
    if not redact("\n".join((record.title, record.author, *record.tags, metadata))).count:
        return record, redacted.count
    author, tags = redact(record.author), [redact(tag) for tag in record.tags]
    facts, in_metadata = redact_json(dict(record.metadata))
    clean = replace(
        record,
        title=redact(record.title).text,
        author=author.text,
        tags=tuple(tag.text for tag in tags),
        metadata=facts,
    )
    return clean, redacted.count + author.count + sum(tag.count for tag in tags) + in_metadata
