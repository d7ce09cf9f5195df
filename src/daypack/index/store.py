"""The store: records and chunks are written and read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from daypack.errors import StoreClosed, StoreDamaged
from daypack.index import meta, sql
from daypack.index.database import Database
from daypack.index.erasing import Buried, bury, erase
from daypack.index.folded import marks
from daypack.index.rows import (
    CHUNK_RECORDS,
    CHUNK_ROWS,
    FACTS,
    INSERT_RECORD,
    PLACES,
    UPDATE_RECORD,
    ChunkPlace,
    Prepared,
    RecordName,
    RecordText,
    Stored,
    WholeRecord,
    Written,
    chunk_rows,
    chunks_from,
    fact_columns,
    pages_from,
)
from daypack.index.sql import check_unchanged
from daypack.ports import Connection, Handling
from daypack.system import unicode_forms
from daypack.text.storable import text_hash
from daypack.types import Chunk, FileLines, Pages, Record, RecordKind, Trust

_REMOVED = "removed:"  # and a door: records of it were removed


def _key(record: Record) -> tuple[str, str, str]:
    return record.door, record.scope, record.uid


def _whole_record(db: Connection, record_id: int) -> WholeRecord | None:
    statement = "SELECT id, uri, hash, text, trust FROM record WHERE id = ?"
    return sql.row(
        db, lambda row: WholeRecord(row[0], row[1], row[2], row[3], Trust(row[4])), statement, (record_id,)
    )


class Store(Database):
    """Records and their chunks. Open with `open_store`; close it, or use it as a context manager."""

    def fitted_weights(self) -> str:
        """The JSON of the weights that were fitted for this store (`daypack.types.tuned_weights`); "" for the defaults."""
        with self.reading() as db:
            return meta.value_of(db, "fitted") or ""

    def keep_fitted_weights(self, text: str) -> None:
        """Rank by these weights, "" for the defaults, from the next question on. Raises StoreError."""
        with self.writing() as db:
            if text:
                meta.put(db, "fitted", text)
            else:
                meta.drop(db, "fitted")

    def reader_version(self) -> int:
        """The version of the reader that all texts were read and cut with; 0 for one before versions were kept."""
        with self.reading() as db:
            return meta.number_of(db, "reader")

    def keep_reader_version(self, db: Connection, version: int) -> None:
        """Note inside the caller's transaction that all texts were read and cut with this version."""
        meta.put(db, "reader", str(version))

    # ------------------------------------------------------------ records

    def stored(self, door: str, first: str = "", end: str = sql.LAST_TEXT) -> dict[str, Stored]:
        """uid → the stored facts, for the records of a door that have no scope, with a uid from `first` on and before `end`."""
        statement = "SELECT uid, id, hash, mtime_ns, size FROM record WHERE door = ? AND scope = '' AND uid >= ? AND uid < ?"
        with self.reading() as db:
            rows = db.execute(statement, (door, first, end))
            return {row[0]: Stored(*row[1:]) for row in rows}

    def stored_records(self, records: Iterable[Record]) -> dict[tuple[str, str, str], Stored]:
        """(door, scope, uid) → the stored facts, for those of the records that are stored."""
        wanted = json.dumps([(record.door, record.scope, record.uid) for record in records])
        with self.reading() as db:
            rows = db.execute(
                """SELECT r.door, r.scope, r.uid, r.id, r.hash, r.mtime_ns, r.size FROM json_each(?) AS w JOIN record AS r
                   ON r.door = json_extract(w.value, '$[0]') AND r.scope = json_extract(w.value, '$[1]') AND r.uid = json_extract(w.value, '$[2]')""",
                (wanted,),
            )
            return {row[:3]: Stored(*row[3:]) for row in rows}

    def stored_record(self, door: str, scope: str, uid: str) -> Stored | None:
        statement = "SELECT id, hash, mtime_ns, size FROM record WHERE door = ? AND scope = ? AND uid = ?"
        with self.reading() as db:
            return sql.row(db, Stored._make, statement, (door, scope, uid))

    def write_records(
        self, db: Connection, batch: Sequence[Prepared], *, now: float
    ) -> list[tuple[Written, Prepared]]:
        """Insert or replace records of different keys, with their chunks. The caller holds the write transaction, and indexes
        the chunks.
        """
        written: list[tuple[Written, Prepared]] = []
        ids = {key: stored.id for key, stored in self.stored_records(item.record for item in batch).items()}
        following = db.new_ids("chunk", sum(len(item.cut.pieces) for item in batch)).start
        fresh = dict.fromkeys(key for item in batch if (key := _key(item.record)) not in ids)
        ids |= zip(fresh, db.new_ids("record", len(fresh)), strict=True)
        added: list[tuple[Any, ...]] = []  # inserted together: to a server each statement is a round trip
        for item in batch:
            record, key = item.record, _key(item.record)
            row = (
                *key,
                *fact_columns(record, record.time),
                record.rendered,
                record.text,
                item.hash,
                "\n".join(item.cut.imports),
                item.cut.fallback,
                record.mtime_ns,
                record.size,
                now,
            )
            # One statement that inserts or replaces, and returns the id, is slower: SQLite copies each page that it
            # touches first, to be able to undo it.
            record_id = ids[key]
            if key in fresh:
                del fresh[key]
                added.append((record_id, *row))
            else:
                self._bury_chunks(db, *key)
                db.execute(UPDATE_RECORD, (*row, record_id))
            chunk_ids = range(following, following + len(item.cut.pieces))
            following = chunk_ids.stop
            written.append((Written(record_id, chunk_ids), item))
        db.executemany(INSERT_RECORD, added)
        db.executemany(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", chunk_rows(written)
        )
        return written

    def _bury_chunks(self, db: Connection, door: str, scope: str, uid: str) -> bool:
        statement = "SELECT id FROM record WHERE door = ? AND scope = ? AND uid = ?"
        found = sql.column(db, statement, (door, scope, uid))
        if found and (buried := bury(db, found[0])) is not None:
            self._buried.append(buried)
        return bool(found)

    def _begun(self) -> None:
        self._buried: list[Buried] = []  # by the transaction that is open

    def _before_commit(self, db: Connection) -> bool:
        buried, self._buried = self._buried, []
        if buried:
            erase(db, buried)
        return bool(buried)

    def _settle(self) -> None:
        super()._settle()
        if (self.folder / marks.FOLDER).is_dir():
            from daypack.index.folded.folding import sweep, wipe  # most stores have none, and it loads numpy

            with self.reading() as db:
                gone = marks.read(db) is None
            sweep(self) if gone else wipe(self)

    def touch(self, door: str, scope: str, uid: str, *, mtime_ns: int, size: int) -> None:
        """Note that a file was checked and that its text equals the stored one."""
        self.db.execute(
            "UPDATE record SET mtime_ns = ?, size = ? WHERE door = ? AND scope = ? AND uid = ?",
            (mtime_ns, size, door, scope, uid),
        )

    def same_facts(self, db: Connection, record_id: int, record: Record, handling: Handling) -> bool:
        """True when all facts but the text and the file's time and size are stored as in `record`."""
        row = db.execute(f"SELECT {FACTS} FROM record WHERE id = ?", (record_id,)).get
        return bool(row == fact_columns(record, row[6] if handling.read_time else record.time))

    def read_record(self, db: Connection, record_id: int) -> Record:
        """A record in full, text included. Raises StoreDamaged."""
        statement = f"SELECT hash, {', '.join(Record.__slots__)} FROM record WHERE id = ?"
        hash_, *found = db.execute(statement, (record_id,)).get
        columns = dict(zip(Record.__slots__, found, strict=True))
        self.checked(RecordText(columns["uri"], columns["text"], hash_))
        return Record(
            **columns
            | {
                "kind": RecordKind(columns["kind"]),
                "trust": Trust(columns["trust"]),
                "tags": tuple(json.loads(columns["tags"])),
                "metadata": json.loads(columns["metadata"]),
            }
        )

    def record_ids(self) -> list[int]:
        with self.reading() as db:
            return sql.column(db, "SELECT id FROM record ORDER BY id")

    def remove_records(self, db: Connection, door: str, scope: str, uids: Iterable[str]) -> int:
        """Delete records and their chunks. The caller holds the write transaction."""
        removed = 0
        for uid in uids:
            if self._bury_chunks(db, door, scope, uid):
                db.execute("DELETE FROM record WHERE door = ? AND scope = ? AND uid = ?", (door, scope, uid))
                removed += 1
        if removed:
            meta.put_once(db, _REMOVED + door, 1)
        return removed

    def embed_hashes_of(self, db: Connection, door: str, scope: str, uid: str) -> list[bytes]:
        """The embed hash of every chunk of a record; none for a missing record."""
        query = "SELECT embed_hash FROM chunk WHERE record_id = (SELECT id FROM record WHERE door = ? AND scope = ? AND uid = ?)"
        return sql.column(db, query, (door, scope, uid))

    def places_of(self, db: Connection, chunk_ids: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Chunk id → (scope, uid) of its record, for chunks that are there."""
        rows = db.execute(f"SELECT c.id, r.scope, r.uid FROM {sql.CHUNKS_IN_RECORDS}", (sql.ids(chunk_ids),))
        return {chunk_id: (scope, uid) for chunk_id, scope, uid in rows}

    # ------------------------------------------------------------ reading text

    def chunks(self, ids: Sequence[int], texts: dict[int, RecordText] | None = None) -> dict[int, Chunk]:
        """Chunks by id, with their texts; ids that are gone are left out. Candidates get their texts here alone.

        `texts` receives the whole texts of their records, by record id.
        """
        with self.reading() as db:
            rows = list(db.execute(CHUNK_ROWS, (sql.ids(ids),)))
            record_ids = sql.ids(sorted({row[1] for row in rows}))
            records = {row[0]: row for row in db.execute(CHUNK_RECORDS, (record_ids,))}
        found = chunks_from(rows, records)
        if texts is not None:
            texts.update(
                (record_id, RecordText(row[1], row[12], row[11])) for record_id, row in records.items()
            )
        for chunk in found.values():
            # Stored text is checked before use: a page that rotted on disk is damage, not an answer.
            same = text_hash(chunk.text) == chunk.hash
            check_unchanged(self.db, f"the text of {chunk.uri}", unchanged=same)
        return found

    def bodies(self, ids: Sequence[int]) -> dict[int, str]:
        """The unchecked texts of chunks by id, to search in and not to show."""
        with self.reading() as db:
            chunks = f"SELECT c.id, c.record_id, c.start, c.end FROM {sql.CHUNKS}"
            rows = list(db.execute(chunks, (sql.ids(ids),)))
            record_ids = sql.ids(sorted({row[1] for row in rows}))
            texts: dict[int, str] = dict(
                db.execute(f"SELECT id, text FROM record WHERE id {sql.AMONG}", (record_ids,))
            )
        return {chunk_id: texts[record_id][start:end] for chunk_id, record_id, start, end in rows}

    def places(self, ids: Sequence[int]) -> dict[int, ChunkPlace]:
        """Files and lines of chunks, by id, without reading their text; ids that are gone are left out."""
        with self.reading() as db:
            columns = f"c.id, r.uri, c.start_line, c.end_line, c.name, r.hash, {PLACES}"
            rows = db.execute(f"SELECT {columns} FROM {sql.CHUNKS_IN_RECORDS}", (sql.ids(ids),))
            return {id_: ChunkPlace._make((*place, pages_from(stored))) for id_, *place, stored in rows}

    def chunks_of(self, record_id: int) -> list[Chunk]:
        """All chunks of a record, in order."""
        with self.reading() as db:
            ids = sql.column(db, "SELECT id FROM chunk WHERE record_id = ? ORDER BY ordinal", (record_id,))
        found = self.chunks(ids)
        return [found[i] for i in ids]

    def find_records(self, uri: str) -> list[WholeRecord]:
        """The records with this uri, or with another spelling of its letters; usually one."""
        with self.reading() as db:
            for spelling in unicode_forms(uri):
                ids = sql.column(db, "SELECT id FROM record WHERE uri = ? ORDER BY id", (spelling,))
                # By id, so that the name comes from the row: an index that rotted may lead to another.
                if found := [record for i in ids if (record := _whole_record(db, i)) is not None]:
                    break
        for record in found:
            if record.uri != spelling:
                detail = f"the index of names leads from {uri} to {record.uri}"
                raise StoreDamaged(self.name, detail, self.mend)
            self.checked(record)
        return found

    def find_record(self, record_id: int) -> WholeRecord | None:
        with self.reading() as db:
            record = _whole_record(db, record_id)
        if record is not None:
            self.checked(record)
        return record

    def record_names(self) -> dict[int, RecordName]:
        """The names that each record answers to, by its id."""
        with self.reading() as db:
            rows = db.execute("SELECT id, uid, uri, json_extract(metadata, '$.source_key') FROM record")
            return {
                row[0]: RecordName(row[1], row[2], row[3] if isinstance(row[3], str) else "") for row in rows
            }

    def chunk_hashes(self) -> list[tuple[int, str]]:
        """(id, hash of the text) of every chunk."""
        with self.reading() as db:
            return [(row[0], row[1].hex()) for row in db.execute("SELECT id, hash FROM chunk ORDER BY id")]

    def symbols(self) -> frozenset[str]:
        """The names that chunks have: qualified symbols and headings."""
        with self.reading() as db:
            return frozenset(sql.column(db, "SELECT DISTINCT name FROM chunk WHERE name != ''"))

    def checked(self, read: RecordText | WholeRecord) -> str:
        """The text, if its hash is the stored one. Raises StoreDamaged."""
        same = text_hash(read.text) == read.hash
        check_unchanged(self.db, f"the text of {read.uri}", unchanged=same)
        return read.text

    def pages_of(self, record_id: int) -> Pages | FileLines | None:
        """The places of a record's text in its file, None where it is the text of the file."""
        statement = "SELECT json_extract(metadata, '$.pages') FROM record WHERE id = ? AND rendered != ''"
        with self.reading() as db:
            return sql.row(db, lambda row: pages_from(row[0]), statement, (record_id,))

    def check_open(self) -> None:
        """Raise StoreClosed after `close`, where work begins that does not use the store at once."""
        if self.is_closed:
            raise StoreClosed(self.name)

    def record_text(self, record_id: int) -> str:
        with self.reading() as db:
            read = sql.row(
                db, RecordText._make, "SELECT uri, text, hash FROM record WHERE id = ?", (record_id,)
            )
        return "" if read is None else self.checked(read)

    def counts(self) -> dict[str, int]:
        """Rows of each table that a person may ask about."""
        with self.reading() as db:
            tables = ("record", "chunk", "vec", "segment", "posting", "tomb", "source", "skipped")
            return {table: db.execute(f"SELECT count(*) FROM {table}").get for table in tables}

    def holds_more_than(self, *doors: str) -> bool:
        """True when the store has records of other doors."""
        with self.reading() as db:
            return self._has_others(db, doors)

    def held_more_than(self, *doors: str) -> bool:
        """True when the store has or had records of other doors."""
        with self.reading() as db:
            marks = [f"{_REMOVED}{door}" for door in doors]
            others = "SELECT 1 FROM meta WHERE substr(key, 1, ?) = ? AND key NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
            return self._has_others(db, doors) or sql.exists(
                db, others, (len(_REMOVED), _REMOVED, json.dumps(marks))
            )

    @staticmethod
    def _has_others(db: Connection, doors: Sequence[str]) -> bool:
        others = "SELECT 1 FROM record WHERE door NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
        return sql.exists(db, others, (json.dumps(doors),))

    def awaits_text(self) -> bool:
        """True when the index lacks the current text of a document."""
        with self.reading() as db:
            return sql.exists(db, "SELECT 1 FROM document_pending LIMIT 1")

    def languages(self) -> frozenset[str]:
        with self.reading() as db:
            return frozenset(
                language for kind, language in sql.pairs(db, "kind", "language") if kind == "code"
            )
