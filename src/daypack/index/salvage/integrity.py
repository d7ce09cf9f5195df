"""Damage in the data of a store, counted: pages, references, the lexical index, vectors, texts and postings.

Every function runs inside the read transaction of its caller.
"""

from __future__ import annotations

from operator import eq
from typing import NamedTuple

import numpy as np

from daypack.index import sql
from daypack.index.folded.viewing import load_view
from daypack.index.postings.columns import COLUMNS, FIELDS
from daypack.index.postings.lexical import MOST_FREQUENT, buried_chunks
from daypack.index.postings.packed import pack, unpack
from daypack.ports import Connection
from daypack.rank.membership import is_in

_TEXT_COLUMNS = """door scope uid kind uri title language author session trust tags metadata text hash"""

_MALFORMED = "JOIN model ON model.id = vec.model_id WHERE length(codes) != dim OR scale < 0 OR scale != scale"
DROP_MALFORMED = f"DELETE FROM vec WHERE (model_id, hash) IN (SELECT model_id, hash FROM vec {_MALFORMED})"
"""Deletes the vectors of a wrong length or scale, which can be made again."""


class IndexMismatch(NamedTuple):
    """Chunks that the lexical index lacks, holds without a chunk, and holds twice."""

    missing: int
    extra: int
    twice: int


def index_mismatch(db: Connection) -> IndexMismatch:
    view = load_view(db)
    # As one string: a row of SQL for each of 100,000 chunks takes three times as long.
    listed = db.execute("SELECT group_concat(id || ' ' || CAST(record_id AS INTEGER), ' ') FROM chunk").get
    ids, records = np.fromstring(listed or "", dtype=np.int64, sep=" ").reshape(-1, 2).T
    order = np.argsort(ids)
    ids, records = ids[order], records[order]
    # Pairs of chunk and record, so that damage in one column shows as well.
    indexed, owners = view.chunk_ids[view.alive], view.record_ids[view.alive]
    order = np.lexsort((owners, indexed))
    indexed, owners = indexed[order], owners[order]
    once = np.ones(len(indexed), dtype=bool)
    once[1:] = (indexed[1:] != indexed[:-1]) | (owners[1:] != owners[:-1])
    indexed, owners = indexed[once], owners[once]
    at = np.searchsorted(ids, indexed)
    at[at == len(ids)] = 0
    known = int(((ids[at] == indexed) & (records[at] == owners)).sum()) if len(ids) else 0
    return IndexMismatch(len(ids) - known, len(indexed) - known, len(once) - len(indexed))


def malformed_vectors(db: Connection) -> int:
    """The number of vectors of a wrong length or scale."""
    return sql.count(db, f"SELECT count(*) FROM vec {_MALFORMED}")


def garbled_records(db: Connection) -> set[int]:
    """Ids of records with bytes in place of a text: one flipped bit in a row's header causes it."""
    kinds = " AND ".join(f"typeof({column}) = 'text'" for column in _TEXT_COLUMNS.split())
    return set(sql.column(db, f"SELECT id FROM record WHERE NOT ({kinds})"))


def record_places(db: Connection) -> list[tuple[int, str, str]]:
    """(id, door, uri) of every record."""
    return list(db.execute("SELECT id, door, uri FROM record"))


def broken_postings(db: Connection) -> int:
    """The numbers of postings outside their segment, and of chunks whose sums are not their length; a deleted
    chunk may have lost postings already.
    """
    bad = 0
    dead = buried_chunks(db)
    for segment_id, packed in list(db.execute("SELECT id, columns FROM segment ORDER BY id")):
        columns = np.frombuffer(packed, dtype=COLUMNS)
        capped = np.zeros(len(columns), dtype=bool)
        rows = sql.column(db, "SELECT data FROM posting WHERE segment_id = ?", (segment_id,))
        postings = unpack([row if len(row) % 2 == 0 else b"" for row in rows])
        row_of = np.repeat(np.arange(len(rows)), postings.counts)
        # Postings that pack to the same bytes lack no unit and have none too many.
        sound = np.fromiter(map(eq, rows, pack(postings)), dtype=bool, count=len(rows)) & (
            postings.counts > 0
        )
        wrong = postings.ordinals >= len(columns)
        wrong[1:] |= (np.diff(postings.ordinals) <= 0) & (np.diff(row_of) == 0)
        sound[row_of[wrong]] = False
        bad += int((~sound).sum())
        of_sound = sound[row_of]
        ordinals, frequencies = (
            postings.ordinals[of_sound],
            postings.frequencies[of_sound].view(np.uint8).reshape(-1, len(FIELDS)),
        )
        sums = np.stack(
            [np.bincount(ordinals, weights=counts, minlength=len(columns)) for counts in frequencies.T],
            axis=1,
        )
        capped[ordinals[(frequencies == MOST_FREQUENT).any(axis=1)]] = True
        judged = ~capped & ~is_in(columns["chunk_id"], dead)
        bad += int((sums[judged] != columns["length"][judged]).any(axis=1).sum())
    return bad
