"""Erasing: what else the store keeps of a text goes with the transaction that deletes or replaces it.

A record's row and its chunks go at once. Copies of its words stay behind in derived data: postings until their
segment is merged, vectors and facts of code by the hash of the text. `erase` removes those that a text leaves
as the last one. Two things stay until a merge, and tell nothing: that a chunk, of which only the number is left,
held words that hundreds of others hold too, and its length.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from daypack.index import sql
from daypack.index.folded import marks
from daypack.index.folded.marks import Row
from daypack.ports import Connection

RARE_BYTES = 2048  # of a term's postings in a segment: at least 200 chunks, mostly 800
MANY_CHUNKS = 500  # that go in one transaction: then a look at every posting is cheaper


# By a chunk, or by a field of a document.
USED = "EXISTS (SELECT 1 FROM chunk WHERE embed_hash = ?1) OR EXISTS (SELECT 1 FROM document_vector WHERE hash = ?1)"


class Buried(NamedTuple):
    """A text that a transaction deleted or replaced."""

    chunk_ids: tuple[int, ...]
    text: str  # with its names, headings and tags
    hash: str
    embed_hashes: tuple[bytes, ...]
    folded: tuple[Row, ...]  # in the fold of the store


def bury(db: Connection, record_id: int) -> Buried | None:
    """Delete the chunks of a record, under tombstones; None where it has none."""
    chunks = list(
        db.execute(
            "SELECT id, embed_hash, name, signature, trail FROM chunk WHERE record_id = ?", (record_id,)
        )
    )
    if not chunks:
        return None
    row = db.execute("SELECT text, uri, title, author, tags, hash FROM record WHERE id = ?", (record_id,)).get
    rows = marks.rows_of(db, [chunk[0] for chunk in chunks])
    db.execute("INSERT INTO tomb SELECT id FROM chunk WHERE record_id = ?", (record_id,))
    db.execute("DELETE FROM chunk WHERE record_id = ?", (record_id,))
    named = {part for chunk in chunks for part in chunk[2:]}
    return Buried(
        tuple(chunk[0] for chunk in chunks),
        "\n".join((*row[:5], *named)),
        row[5],
        tuple(chunk[1] for chunk in chunks),
        tuple(rows),
    )


def erase(db: Connection, buried: Sequence[Buried]) -> None:
    """Remove what derived data keeps of buried texts and of no other text, at the end of their transaction."""
    from daypack.index.postings import lexical

    marks.bury(db, [row for one in buried for row in one.folded])
    chunk_ids = [chunk_id for one in buried for chunk_id in one.chunk_ids]
    if len(chunk_ids) > MANY_CHUNKS:
        lexical.scrub(db)
    else:
        _scrub_rare(db, chunk_ids, [one.text for one in buried])
    drop_orphans(db, {hash_ for one in buried for hash_ in one.embed_hashes})
    _drop_facts(db, {one.hash for one in buried})


def drop_orphans(db: Connection, hashes: Iterable[bytes]) -> int:
    """Remove the vectors of these hashes whose text no longer exists; returns their number."""
    dropped = 0
    for hash_ in hashes:
        # By model first, as their key has it: the hash alone would read every vector.
        db.execute(
            f"DELETE FROM vec WHERE model_id IN (SELECT id FROM model) AND hash = ?1 AND NOT ({USED})",
            (hash_,),
        )
        dropped += db.changes()
    return dropped


def _drop_facts(db: Connection, hashes: set[str]) -> None:
    """Remove the facts of code of these texts where no record holds the text any more."""
    orphans = """SELECT f.id FROM json_each(?) AS w JOIN code_facts AS f ON f.hash = w.value
              WHERE NOT EXISTS (SELECT 1 FROM record AS r WHERE r.hash = f.hash)"""
    ids = sql.ids(sql.column(db, orphans, (json.dumps(sorted(hashes)),)))
    for table, column in (("code_name", "facts_id"), ("code_facts", "id")):
        db.execute(f"DELETE FROM {table} WHERE {column} {sql.AMONG}", (ids,))


def _scrub_rare(db: Connection, chunk_ids: Sequence[int], texts: Sequence[str]) -> None:
    """Remove the postings of deleted chunks for the rare terms of their texts, which tell what a text said; those
    of common terms stay under the tombstones. The caller holds the write transaction.
    """
    import numpy as np

    from daypack.index.postings.lexical import merge, remove, segments_holding
    from daypack.index.vectors import instant
    from daypack.text import analysis

    wanted = np.asarray(sorted(chunk_ids), dtype=np.int64)
    terms = ""
    for segment_id, _, gone in segments_holding(db, wanted):
        if gone.all():
            merge(db, [segment_id])  # leaves nothing
            continue
        if not terms:
            words = {word: None for text in texts for word in analysis.words(text)}
            analysis.ANALYZER.learn(words)
            terms = json.dumps(sorted({term for word in words for term in analysis.ANALYZER[word]}))
        rows = list(
            db.execute(
                """SELECT p.term, p.data FROM json_each(?) AS w CROSS JOIN posting AS p
                   ON p.segment_id = ? AND p.term = w.value AND length(p.data) <= ?""",
                (terms, segment_id, RARE_BYTES),
            )
        )
        remove(db, segment_id, rows, gone)
        instant.erase_rows(db, segment_id, np.flatnonzero(gone).tolist())
