"""Rows of the store as nouns, and nouns as rows: records, chunks and the facts about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from daypack.index import sql
from daypack.ports import Handling
from daypack.text.storable import text_digest
from daypack.text.tables import COLUMN_MARK
from daypack.types import (
    Chunk,
    Cut,
    FileLines,
    Pages,
    PieceKind,
    Record,
    RecordKind,
    Span,
    SymbolKind,
    Trust,
    cited_lines,
    cited_name,
    places_from,
    reference_of,
)

SYMBOL_EMBED_CHARS = 480
PLACES = "CASE r.rendered WHEN '' THEN NULL ELSE json_extract(r.metadata, '$.pages') END"
"""SQL for the stored places of the text of record `r`, as `pages_from` reads them."""
FACTS = "kind, uri, title, language, author, session, time, trust, tags, metadata"
_RECORD = f"door, scope, uid, {FACTS}, rendered, text, hash, imports, fallback, mtime_ns, size, indexed_at"
_MARKS = ", ".join("?" * len(_RECORD.split(",")))
INSERT_RECORD = f"INSERT INTO record (id, {_RECORD}) VALUES (?, {_MARKS})"
UPDATE_RECORD = f"UPDATE record SET ({_RECORD}) = ({_MARKS}) WHERE id = ?"
CHUNK_ROWS = (
    """SELECT c.id, c.record_id, c.ordinal, c.start, c.end, c.start_line, c.end_line, c.kind, c.name, c.trail, c.signature,
    c.symbol, c.section, c.tokens, c.hash FROM """
    + sql.CHUNKS
)
CHUNK_RECORDS = (
    """SELECT id, uri, title, kind, language, author, session, scope, time, trust, door, hash, text,
    CASE rendered WHEN '' THEN NULL ELSE json_extract(metadata, '$.pages') END FROM record
    WHERE id """
    + sql.AMONG
)
# By value: a call of the class takes ten times as long, and an answer reads hundreds.
_RECORD_KINDS = {kind.value: kind for kind in RecordKind}
_PIECE_KINDS = {kind.value: kind for kind in PieceKind}
_SYMBOL_KINDS = {kind.value: kind for kind in SymbolKind}
_TRUSTS = {trust.value: trust for trust in Trust}
# between the names of a trail; no trail contains it, because chunkers take names from single lines
TRAIL_SEPARATOR = "\x1f"


def embedding_text(name: str, trail: Sequence[str], text: str, *, symbol: bool) -> str:
    """The text of a chunk in the form that the embedder gets. No path, so that a renamed file keeps its
    vectors.

    A symbol is cut at about 128 word pieces: half the work, and no worse on issues, commits and web queries,
    where text without a symbol loses 2 points (docs/decisions/002-lazy-embedding.md).
    """
    heading = _heading(name, trail)
    body = " ".join(text[: 4 * SYMBOL_EMBED_CHARS].split())[:SYMBOL_EMBED_CHARS] if symbol else text
    return f"{heading}\n{body}" if heading else body


def _heading(name: str, trail: Sequence[str]) -> str:
    name = name.replace(COLUMN_MARK, " ")  # the marks say nothing, and a mean over words weighs them
    return " › ".join((*trail, name) if name else trail) if trail else name


class Prepared(NamedTuple):
    """A record, cut, counted and ready to be written."""

    record: Record
    cut: Cut
    texts: tuple[str, ...]  # of each piece
    tokens: tuple[int, ...]  # of each piece
    hash: str  # of the record's text
    handling: Handling


def embedding_texts(item: Prepared) -> Iterator[str]:
    """The text of each piece as an embedder gets it."""
    for piece, body in zip(item.cut.pieces, item.texts, strict=True):
        yield embedding_text(piece.name, piece.trail, body, symbol=piece.symbol is not None)


def embedding_heads(items: Iterable[Prepared], *, longest: int) -> tuple[list[str], list[bool]]:
    """For each piece its heading in the text that an embedder gets, and True; or that text, cut after `longest` characters,
    and False where it lacks a part of the piece.
    """
    heads: list[str] = []
    whole: list[bool] = []
    for item in items:
        for piece, text in zip(item.cut.pieces, item.texts, strict=True):
            heading, symbol = _heading(piece.name, piece.trail), piece.symbol is not None
            fits = len(text) <= (SYMBOL_EMBED_CHARS if symbol else longest - len(heading) - 1)
            if not fits:
                heading = embedding_text(piece.name, piece.trail, text, symbol=symbol)[:longest]
            heads.append(heading)
            whole.append(fits)
    return heads, whole


class Stored(NamedTuple):
    """Columns of a record that show a change without its text."""

    id: int
    hash: str
    mtime_ns: int
    size: int


class ChunkPlace(NamedTuple):
    """The file, lines and name of a chunk, the hash of the file, and the places of its text."""

    uri: str
    start_line: int
    end_line: int
    name: str
    record_hash: str
    pages: Pages | FileLines | None

    def reference(self, told_by: str) -> str:
        """As a search cites the chunk."""
        first, last = cited_lines(self.pages, self.start_line, self.end_line)
        return reference_of(cited_name(self.uri, self.pages, self.start_line), first, last, told_by)


class RecordName(NamedTuple):
    """Names that a record answers to; `source_key` is that of its metadata, "" where it has none."""

    uid: str
    uri: str
    source_key: str


class RecordText(NamedTuple):
    """A record's text as it was read, to be `checked` before it is used."""

    uri: str
    text: str
    hash: str


@dataclass(frozen=True, slots=True)
class WholeRecord:
    """A record's name, text and trust, which answer a citation."""

    id: int
    uri: str
    hash: str
    text: str
    trust: Trust


class Written(NamedTuple):
    """Chunks that one write brought in, in the order of their ids."""

    record_id: int
    chunk_ids: range


def fact_columns(record: Record, time: float | None) -> tuple[Any, ...]:
    """The values of the columns FACTS of a record with this time."""
    named = (record.kind.value, record.uri, record.title, record.language, record.author, record.session)
    return (*named, time, record.trust.value, json.dumps(record.tags), json.dumps(dict(record.metadata)))


def chunk_rows(written: Sequence[tuple[Written, Prepared]]) -> Iterator[tuple[Any, ...]]:
    """The rows of all chunks, in the order of their ids."""
    for done, item in written:
        # A vector shared with another owner's text would reveal that both hold the same text.
        private = f"{item.record.scope}\0" if item.handling.private else ""
        for ordinal, (chunk_id, piece, text, tokens, embedded) in enumerate(
            zip(done.chunk_ids, item.cut.pieces, item.texts, item.tokens, embedding_texts(item), strict=True)
        ):
            span = piece.span
            digest = text_digest(text)
            yield (
                chunk_id,
                done.record_id,
                ordinal,
                span.start,
                span.end,
                span.start_line,
                span.end_line,
                piece.kind,
                piece.name,
                TRAIL_SEPARATOR.join(piece.trail),
                piece.signature,
                piece.symbol,
                piece.section,
                tokens,
                digest,
                digest if embedded is text and not private else text_digest(private + embedded),
            )


@lru_cache(maxsize=64)
def pages_from(stored: str | None) -> Pages | FileLines | None:
    """The places of a text in its file, from the metadata of its record."""
    return None if stored is None else places_from(json.loads(stored))


def chunks_from(rows: Iterable[tuple[Any, ...]], records: Mapping[int, tuple[Any, ...]]) -> dict[int, Chunk]:
    """Chunks by id, from rows of CHUNK_ROWS and those of CHUNK_RECORDS by record id."""
    of_record = {record_id: _record_columns(row) for record_id, row in records.items()}
    return {row[0]: _chunk(row, records[row[1]][12], of_record[row[1]]) for row in rows}


def _record_columns(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The columns that a chunk takes from its record, from those of CHUNK_RECORDS."""
    (_, uri, title, kind, language, author, session, scope, time, trust, door, hash_, _, pages) = row
    own = (
        uri,
        title,
        _RECORD_KINDS[kind],
        language,
        author,
        session,
        scope,
        time,
        _TRUSTS[trust],
        door,
        hash_,
    )
    return (*own, pages_from(pages))


def _chunk(row: tuple[Any, ...], text: str, of_record: tuple[Any, ...]) -> Chunk:
    """A chunk from its row, the text of its record and `_record_columns`."""
    (id_, record_id, ordinal, start, end, first, last, kind, name, trail, signature, symbol, *rest) = row
    section, tokens, hash_ = rest
    return Chunk(
        id_,
        record_id,
        ordinal,
        Span(start, end, first, last),
        text[start:end],
        _PIECE_KINDS[kind],
        name,
        tuple(trail.split(TRAIL_SEPARATOR)) if trail else (),
        signature,
        _SYMBOL_KINDS[symbol] if symbol else None,
        section,
        tokens,
        hash_.hex(),
        *of_record,
    )
