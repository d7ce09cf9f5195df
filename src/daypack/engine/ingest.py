"""What turns records into rows: prepared, compared with what is stored, written and indexed in one
transaction.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from daypack import tokens
from daypack.engine.retrieve import index_written, prepare
from daypack.index import lexical as lexical_index
from daypack.index.store import Prepared, Store
from daypack.ports import Clock
from daypack.types import IngestIssue, IngestReport, Record, Tokenizer

if TYPE_CHECKING:
    import apsw

CHUNK_TOKENIZER = Tokenizer.O200K  # of `Chunk.tokens`
BATCH_CHARS = 4 << 20
BATCH_RECORDS = 2_000


class Ingestion:
    """Records on their way into one store."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def add(self, records: Iterable[Record | IngestIssue], *, expected: int = 0) -> IngestReport:
        """Write records that are new or changed, in transactions of some megabytes. Each commit is kept,
        whatever comes after.

        `expected` is about how many bytes of text will come, where that is known.
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
            prepared, found = prepare(record, self._count_batch)
            batch.append(prepared)
            redactions += found
            length += len(record.text)
            size += len(record.text)
            if size >= BATCH_CHARS or len(batch) >= BATCH_RECORDS:
                report = self._write(batch, report)
                batch, size = [], 0
        if batch:
            report = self._write(batch, report)
        return replace(report, bytes=length, redactions=redactions, issues=tuple(issues))

    def _count_batch(self, texts: Sequence[str]) -> list[int]:
        return tokens.count_batch(CHUNK_TOKENIZER, texts)

    def _write(self, batch: Sequence[Prepared], report: IngestReport) -> IngestReport:
        if not self._differs(batch):
            return replace(report, unchanged=report.unchanged + len(batch))
        with self.store.writing() as db:
            # Looked at again inside the transaction: another process may have written the same in the
            # meantime.
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
                    and self.store.same_facts(db, stored.id, item.record)
                ):
                    unchanged += 1
                    if (stored.mtime_ns, stored.size) != (item.record.mtime_ns, item.record.size):
                        self.store.touch(*key, mtime_ns=item.record.mtime_ns, size=item.record.size)
                    continue
                if key not in fresh:
                    added += stored is None
                fresh[key] = item
            chunks = self.put(db, list(fresh.values()))
        return replace(
            report,
            added=report.added + added,
            updated=report.updated + len(fresh) - added,
            unchanged=report.unchanged + unchanged,
            chunks=report.chunks + chunks,
        )

    def prepared(self, record: Record) -> Prepared:
        """A record ready for `put`: without secrets, cut and counted."""
        return prepare(record, self._count_batch)[0]

    def put(self, db: apsw.Connection, batch: Sequence[Prepared]) -> int:
        """Insert or replace records inside the transaction of the caller; how many chunks were written."""
        chunks = index_written(db, self.store.write_records(db, batch, now=self.clock()))
        lexical_index.merge_segments(db)
        return chunks

    def _differs(self, batch: Sequence[Prepared]) -> bool:
        """Whether a batch holds anything new: if not, nothing is locked and nothing is written."""
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
                if not self.store.same_facts(db, stored.id, record):
                    return True
        return False

    def remove(self, door: str, scope: str, uids: Sequence[str]) -> int:
        """Delete records by uid; how many there were."""
        if not any(self.store.stored_record(door, scope, uid) for uid in uids):
            return 0
        with self.store.writing() as db:
            removed = self.store.remove_records(db, door, scope, uids)
            lexical_index.merge_segments(db)
        return removed

    def rebuild(self, db: apsw.Connection) -> tuple[int, int]:
        """Inside the transaction of the caller, cut and index every record anew from its stored text: how
        many records and chunks. Vectors of unchanged text are kept.
        """
        from daypack.doors.code import table as code_index  # no query of another door needs its nouns

        for table in ("posting", "segment", "tomb"):
            db.execute(f"DELETE FROM {table}")
        db.execute("DELETE FROM chunk")
        code_index.clear(db)
        ids = [row[0] for row in db.execute("SELECT id FROM record ORDER BY id")]
        chunks = size = 0
        batch: list[Prepared] = []
        for record_id in ids:
            record = self.store.read_record(db, record_id)
            batch.append(self.prepared(record))
            size += len(record.text)
            if size >= BATCH_CHARS or record_id == ids[-1]:
                chunks += index_written(db, self.store.write_records(db, batch, now=self.clock()))
                batch, size = [], 0
        lexical_index.merge_segments(db)
        return len(ids), chunks


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Inside, garbage in cycles is looked for after 100,000 new objects instead of 700. Cutting and indexing
    make many small objects and no cycles, and the usual search took 3 to 4 % of their time; whoever hands
    over the records may well make some.
    """
    usual = gc.get_threshold()
    if usual[0]:  # 0: never
        gc.set_threshold(max(usual[0], 100_000), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
