"""Ingest: records are redacted, cut, counted, and compared with the stored ones; what differs is written and indexed in one
transaction.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TypeAlias

from daypack import tokens
from daypack.crew import groups, spread
from daypack.engine.doors import Door, handling_of
from daypack.engine.embedding import Embedding
from daypack.engine.ingest.cleaning import CHUNK_TOKENIZER, WORTH_A_CREW, Clean, cleaned, cut_group, prepare
from daypack.engine.limits import Stopping
from daypack.engine.upkeep import MUCH_WRITTEN, READER_VERSION, fold_if_due
from daypack.index import census, sent
from daypack.index.rows import Prepared, Stored
from daypack.index.store import Store
from daypack.ports import Clock, Connection, Handling
from daypack.types import IngestIssue, IngestReport, Record

BATCH_CHARS = 4 << 20
BATCH_RECORDS = 2_000
MANY_RECORDS = 1_000  # of a store that is cut again, worth a crew


Cleaning: TypeAlias = Callable[[Iterable[Record]], Generator[tuple[Clean, int], None, None]]


class Ingestion:
    """Writes records into one store."""

    def __init__(
        self,
        store: Store,
        doors: Sequence[Door],
        *,
        clock: Clock,
        embedding: Embedding,
        stopping: Stopping,
        processes: int = 1,
    ) -> None:
        self.store = store
        self.doors = doors
        self.clock = clock
        self.embedding = embedding
        self._stopping = stopping
        self._processes = processes  # that cut where there is much to cut

    def add(self, records: Iterable[Record | IngestIssue], *, expected: int = 0) -> IngestReport:
        """Write the records that are new or changed, in transactions of some megabytes. When one fails, the earlier ones
        stay.

        `expected` is the estimated number of bytes, where it is known.
        """
        many = expected >= WORTH_A_CREW and self._processes > 1
        if not many:
            tokens.expect(CHUNK_TOKENIZER, expected)
        with _rare_collections():
            return self._add(records, self._cut_by_crew if many else self._cleaned)

    def _add(self, records: Iterable[Record | IngestIssue], cleaning: Cleaning) -> IngestReport:
        report = IngestReport()
        issues: list[IngestIssue] = []
        batch: list[Clean] = []
        lengths: list[int] = []
        size = redactions = 0
        with closing(cleaning(_without_issues(records, issues, lengths))) as items:
            for clean, replacements in items:
                batch.append(clean)
                redactions += replacements
                size += len(clean.record.text)
                if size >= BATCH_CHARS or len(batch) >= BATCH_RECORDS:
                    report = self._write(batch, report)
                    batch, size = [], 0
        if batch:
            report = self._write(batch, report)
        if report.chunks >= MUCH_WRITTEN:
            fold_if_due(self.store)
        return report._replace(bytes=sum(lengths), redactions=redactions, issues=tuple(issues))

    def _cleaned(self, records: Iterable[Record]) -> Generator[tuple[Clean, int], None, None]:
        for record in records:
            yield cleaned(record, handling_of(self.doors, record.door))

    def _cut_by_crew(self, records: Iterable[Record]) -> Generator[tuple[Clean, int], None, None]:
        handled = ((record, handling_of(self.doors, record.door)) for record in records)
        with closing(spread(cut_group, groups(handled, _length), processes=self._processes)) as cut:
            for made in cut:
                self._stopping.check()
                yield from made

    def _write(self, batch: Sequence[Clean], report: IngestReport) -> IngestReport:
        if not self._differs(batch):
            return report._replace(unchanged=report.unchanged + len(batch))
        with self.store.writing() as db:
            # Check again inside the transaction: another process may have written the same record meanwhile.
            known = self.store.stored_records(item.record for item in batch)
            fresh: dict[tuple[str, str, str], Clean] = {}
            unchanged = added = 0
            for item in batch:
                stored = known.get(item.key)
                if stored is not None and item.key not in fresh and self._is_stored(db, item, stored):
                    unchanged += 1
                    if not item.has_time_of(stored):
                        record = item.record
                        self.store.touch(*item.key, mtime_ns=record.mtime_ns, size=record.size)
                    continue
                if item.key not in fresh:
                    added += stored is None
                fresh[item.key] = item
            chunks = self.put(db, [item.prepared for item in fresh.values()])
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
        from daypack.engine.ingest.indexing import index_chunks

        if not census.has_records(db):
            self.store.keep_reader_version(db, READER_VERSION)
        chunks = index_chunks(db, self.store.write_records(db, batch, now=self.clock()), self.embedding)
        self._merge(db)
        return chunks

    def _merge(self, db: Connection) -> None:
        from daypack.index.postings.lexical import merge_segments

        merge_segments(db, ready=lambda ids: self.embedding.complete_instant(db, ids))

    def _differs(self, batch: Sequence[Clean]) -> bool:
        """True when a batch holds anything new; when it does not, no write transaction is needed. New texts are cut
        here, so that the transaction is short.
        """
        differs = False
        with self.store.reading() as db:
            known = self.store.stored_records(item.record for item in batch)
            for item in batch:
                self._stopping.check()
                stored = known.get(item.key)
                if stored is None or not self._is_stored(db, item, stored):
                    item.prepared  # noqa: B018 - it is kept
                    differs = True
                elif not item.has_time_of(stored):
                    differs = True
        return differs

    def _is_stored(self, db: Connection, item: Clean, stored: Stored) -> bool:
        """True when the store holds the text and the facts of `item`."""
        return stored.hash == item.hash and self.store.same_facts(db, stored.id, item.record, item.handling)

    def remove(self, door: str, scope: str, uids: Sequence[str]) -> int:
        """Delete records by uid; returns their number. Sent items go over to other records of the same text."""
        if not any(self.store.stored_record(door, scope, uid) for uid in uids):
            return 0
        with self.store.writing() as db:
            sent.follow(db, door, scope, uids)
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
        from daypack.index.postings.lexical import scrub

        removed = self.store.remove_records(db, door, scope, uids)
        scrub(db)
        self.store.owe_purge(db)
        return removed

    def rebuild(self, db: Connection) -> tuple[int, int]:
        """Cut and index every record again inside the caller's transaction; returns (records, chunks)."""
        from daypack.engine.ingest.indexing import index_chunks
        from daypack.index.postings.lexical import clear
        from daypack.index.salvage.integrity import DROP_MALFORMED

        db.execute(DROP_MALFORMED)
        clear(db)
        for door in self.doors:
            if door.rebuild is not None:
                door.rebuild(db)
        ids = self.store.record_ids()
        records = (self.store.read_record(db, record_id) for record_id in ids)
        many = self._processes > 1 and len(ids) >= MANY_RECORDS
        chunks = size = 0
        batch: list[Prepared] = []
        with closing((self._cut_by_crew if many else self._cleaned)(records)) as items:
            for number, (clean, _) in enumerate(items, 1):
                batch.append(clean.prepared)
                size += len(clean.record.text)
                if size >= BATCH_CHARS or number == len(ids):
                    written = self.store.write_records(db, batch, now=self.clock())
                    chunks += index_chunks(db, written, self.embedding)
                    batch, size = [], 0
        self._merge(db)
        return len(ids), chunks


def _length(handled: tuple[Record, Handling]) -> int:
    return len(handled[0].text)


def _without_issues(
    records: Iterable[Record | IngestIssue], issues: list[IngestIssue], lengths: list[int]
) -> Iterator[Record]:
    """The records; `lengths` takes the characters of each as it was read, `issues` the others."""
    for record in records:
        if isinstance(record, IngestIssue):
            issues.append(record)
        else:
            lengths.append(len(record.text))
            yield record


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
