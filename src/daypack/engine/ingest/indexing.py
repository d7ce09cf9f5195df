"""Indexing: new chunks get their postings and vectors in the transaction that wrote them."""

from __future__ import annotations

import contextlib
import math
from _blake2 import blake2b  # hashlib's own; hashlib itself loads OpenSSL first
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from daypack.chunk.imports import only_imports, only_link_targets
from daypack.engine.embedding import Embedding
from daypack.index.postings.lexical import LexicalEntry, write_segment
from daypack.index.rows import Prepared, Written
from daypack.ports import Connection
from daypack.rank.views import ChunkFlag
from daypack.text.changelogs import is_changelog
from daypack.text.numbering import read
from daypack.text.paths import is_generated, is_test_path, stands_aside, without_ending
from daypack.text.prose.front_matter import tells
from daypack.text.prose.unfilled import is_unfilled
from daypack.text.syntax import DECLARING
from daypack.text.tables import COLUMN_MARK
from daypack.types import DATES, Piece, PieceKind, Record, RecordKind


def index_chunks(db: Connection, written: Sequence[tuple[Written, Prepared]], embedding: Embedding) -> int:
    """Index freshly written chunks in one segment; returns their number."""
    items = [item for _, item in written]
    bodies = read([text for item in items for text in item.texts])
    entries = [entry for done, item in written for entry in _lexical_entries(done, item)]
    segment = write_segment(db, entries, bodies)
    if not segment:
        return 0
    embedding.write_instant(db, segment, items, bodies)
    embedding.embed_written(db, written)
    return len(entries)


def _lexical_entries(done: Written, item: Prepared) -> Iterator[LexicalEntry]:
    """The chunks of one record as entries of the index."""
    record, record_id = item.record, done.record_id
    together = _session_key(record.scope, record.session) if record.session else 0
    path = without_ending(record.uri) if item.handling.path else ""
    named = f"{path} {record.title} {record.author}"
    context = f"{' '.join(record.tags)} {_days(record)}"
    time = record.time if record.time is not None and record.session else math.nan
    flags = _flags(record, path=item.handling.path)
    above = ""
    for chunk_id, piece, body in zip(done.chunk_ids, item.cut.pieces, item.texts, strict=True):
        columns = piece.name if piece.kind is PieceKind.ROW and COLUMN_MARK in piece.name else ""
        # Once for a file: in ten thousand pieces of rows the names of the columns would be frequent words, of no weight.
        name = "" if columns and columns == above else piece.name
        above = columns
        yield LexicalEntry(
            chunk_id=chunk_id,
            record_id=record_id,
            group=together or record_id,
            section=together or record_id * (1 << 20) + min(piece.section, (1 << 20) - 1),
            time=time,
            flags=flags | _flags_of_piece(record, piece, body, item.cut.imports),
            fields=(body, name, named, f"{piece.signature} {' '.join(piece.trail)} {context}"),
        )


def _days(record: Record) -> str:
    """The days of a record as words: of an event or a memory, by the month's name."""
    if record.time is not None and record.kind in (RecordKind.EVENT, RecordKind.MEMORY):
        with contextlib.suppress(OverflowError, ValueError, OSError):  # a time outside the calendar
            return datetime.fromtimestamp(record.time, UTC).strftime("%Y %B %d")
    return str(record.metadata.get(DATES, "")) if record.kind is RecordKind.MEMORY else ""


def _flags_of_piece(record: Record, piece: Piece, body: str, imports: Sequence[str]) -> ChunkFlag:
    is_code, is_front = record.kind is RecordKind.CODE, piece.kind is PieceKind.FRONT_MATTER
    tells_nothing = (
        # that of code and settings is a notice of copyright
        (is_front and (is_code or record.language in DECLARING or not tells(body)))
        or (is_code and piece.kind is PieceKind.BLOCK and only_imports(body, imports))
        or (record.kind is RecordKind.DOCUMENT and only_link_targets(body))
        or (piece.kind is PieceKind.LIST and is_unfilled(body))
    )
    own = ChunkFlag.IMPORTS if tells_nothing else ChunkFlag(0)
    return own | ChunkFlag.TEST if piece.is_test else own


def _flags(record: Record, *, path: bool) -> ChunkFlag:
    flags = ChunkFlag(0)
    if record.kind is RecordKind.CODE:
        flags |= ChunkFlag.CODE
    if record.kind is RecordKind.EVENT:
        flags |= ChunkFlag.EVENT
    if path and is_test_path(record.uri):
        flags |= ChunkFlag.TEST
    if path and record.kind is not RecordKind.CODE:
        flags |= ChunkFlag.PAGE
    if path and record.language in DECLARING:
        flags |= ChunkFlag.DECLARES if record.kind is RecordKind.CODE else ChunkFlag.SETTINGS
    # Documentation stands aside of code, not of itself.
    if path and record.kind is RecordKind.CODE and stands_aside(record.uri, record.metadata):
        flags |= ChunkFlag.ASIDE
    if path and is_generated(record.metadata):
        flags |= ChunkFlag.GENERATED
    if path and record.kind is not RecordKind.CODE and is_changelog(record.text):
        flags |= ChunkFlag.CHANGELOG
    return flags


def _session_key(scope: str, session: str) -> int:
    """A negative number, so that it never meets a record's id."""
    return (
        -int.from_bytes(
            blake2b(f"{scope}\0{session}".encode("utf-8", "replace"), digest_size=7).digest(), "big"
        )
        - 1
    )
