"""The lexical index: immutable segments of postings, written inside the transaction that writes the chunks.

    posting row (segment 3, term "retri")  →  [(ordinal 0, tf 2 0 0 1), (ordinal 17, tf 1 1 0 1), …]
    segment 3                              →  columns: chunk id, record, group, length of each field, for ordinals 0, 1, …

A posting holds the frequency of the term in four fields (body, name, path, context), so BM25F over fields, over a
chunk with its neighbours, and over a whole file are sums over the same postings, without a second index over wider text.
Eight segments of one size are merged, so n chunks are in O(log n) segments. A deleted chunk stays in its segment under a
tombstone until the segment is merged; readers mask it, frequencies included.

FTS5 would score each matching row by a callback (about half a microsecond a row), has one length for all fields, and would
need a second full-text table for the context view (docs/decisions/001-postings-in-sqlite.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from daypack.index import sql
from daypack.index.folded import marks as folded
from daypack.index.postings.columns import COLUMNS, FIELDS
from daypack.index.postings.packed import Postings, pack, unpack
from daypack.index.vectors import instant
from daypack.ports import Connection
from daypack.rank.membership import is_in
from daypack.rank.views import ChunkFlag, LexicalView, TermPostings
from daypack.text import analysis
from daypack.text.numbering import Numbers, ReadTexts, members, numbered, read
from daypack.types.arrays import AnyInts, Array, Bools, Ints, UInt32s

MERGE_FACTOR = 8
SMALLEST_TIER = 512  # postings; all segments of at most so many are one tier
KEPT_RANGES = 256  # of terms that begin alike
MOST_FREQUENT = 255  # a frequency is one byte
LARGEST_MERGE = 8_000_000  # postings; a merge needs some 40 bytes of memory for each
FEW_DELETED = 512  # chunks that cost a question nothing


class LexicalEntry(NamedTuple):
    """One chunk as the index sees it: its columns and the text of each field."""

    chunk_id: int
    record_id: int
    group: int
    section: int
    time: float  # Unix seconds, NaN when unknown
    flags: ChunkFlag
    fields: tuple[str, str, str, str]


def write_segment(db: Connection, entries: Sequence[LexicalEntry], bodies: ReadTexts | None = None) -> int:
    """Index chunks with rising ids inside the caller's transaction; returns the segment's id, 0 for no chunks. `bodies` are
    their texts, when the caller has read them.
    """
    if not entries:
        return 0
    columns = np.zeros(len(entries), dtype=COLUMNS)
    for name in ("chunk_id", "record_id", "group", "section", "time", "flags"):
        columns[name] = [getattr(entry, name) for entry in entries]
    # Words are numbered first and expanded to terms later, so a word of the text costs one look into a dict.
    words, first = bodies or read([entry.fields[0] for entry in entries])
    others = ([entry.fields[field] for entry in entries] for field in range(1, len(FIELDS)))
    streams = [first, *(numbered(words, texts) for texts in others)]
    term_numbers = Numbers()
    analysis.ANALYZER.learn(words)
    expanded = [*map(analysis.ANALYZER.__getitem__, words)]
    sizes = np.fromiter(map(len, expanded), dtype=np.int64, count=len(expanded))
    terms = np.fromiter(
        map(term_numbers.__getitem__, chain.from_iterable(expanded)), dtype=np.int64, count=int(sizes.sum())
    )
    parts = []
    for field, (numbers, per_chunk) in enumerate(streams):
        ordinals = np.repeat(np.repeat(np.arange(len(entries)), per_chunk), sizes[numbers])
        columns["length"][:, field] = np.bincount(ordinals, minlength=len(entries))
        parts.append((terms[members(sizes, numbers)] * len(entries) + ordinals) * len(FIELDS) + field)
    # One number for (term, ordinal, field): sorted, equal numbers are adjacent, and are counted by where they begin.
    largest = len(term_numbers) * len(entries) * len(FIELDS)
    # numbers of half the width are sorted in half the time
    keys = np.concatenate(parts).astype(np.uint32 if largest < 1 << 32 else np.int64)
    keys.sort()
    begins = (
        np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        if len(keys)
        else np.empty(0, dtype=np.int64)
    )
    counts = np.diff(begins, append=len(keys))
    keys = keys[begins]
    field_of, pair = keys % len(FIELDS), keys // len(FIELDS)
    is_first = np.concatenate([[True], pair[1:] != pair[:-1]]) if len(pair) else np.empty(0, dtype=bool)
    posting = np.cumsum(is_first) - 1
    pair = pair[is_first]
    frequencies = np.zeros((len(pair), len(FIELDS)), dtype=np.uint8)
    frequencies[posting, field_of] = np.minimum(counts, MOST_FREQUENT)
    term, ordinal = np.divmod(pair, len(entries))
    return _store_segment(db, columns, list(term_numbers), term, ordinal, frequencies.view("<u4")[:, 0])


def _store_segment(
    db: Connection,
    columns: Array,
    terms: Sequence[str],
    term_of_posting: AnyInts,
    ordinals: AnyInts,
    frequencies: UInt32s,
) -> int:
    """Write one segment, whose postings come sorted by (term number, ordinal); its id."""
    db.execute(
        "INSERT INTO segment (chunks, postings, columns) VALUES (?, ?, ?)",
        (len(columns), len(ordinals), columns.tobytes()),
    )
    segment_id = db.last_insert_rowid()
    counts = np.bincount(term_of_posting, minlength=len(terms))
    rows = pack(Postings(ordinals.astype(np.int64, copy=False), frequencies, counts))
    # In key order, so that rows are appended to the tree.
    order = sorted(range(len(terms)), key=terms.__getitem__)
    db.executemany(
        "INSERT INTO posting VALUES (?, ?, ?)", ((segment_id, terms[i], rows[i]) for i in order if rows[i])
    )
    return segment_id


def _tier(postings: int) -> int:
    tier = 0
    while postings > SMALLEST_TIER:
        postings //= MERGE_FACTOR
        tier += 1
    return tier


def merge_segments(db: Connection, *, ready: Callable[[Sequence[int]], None] = lambda _: None) -> None:
    """Merge segments of each size that has enough of them, and rewrite those that hold more deleted chunks than living ones,
    once all together do. `ready` is called with the ids before they are merged. The caller holds the write transaction.
    """
    while chosen := _enough_of_a_size(db) or _mostly_deleted(db):
        ready(chosen)
        merge(db, chosen)


def _enough_of_a_size(db: Connection) -> list[int]:
    """The ids of the oldest segments of the smallest size that has enough to merge; none are in the fold."""
    mark = folded.read(db)
    pinned = frozenset() if mark is None else {segment.id for segment in mark.segments}
    tiers: dict[int, list[tuple[int, int]]] = {}
    for segment_id, postings in db.execute("SELECT id, postings FROM segment ORDER BY id"):
        if segment_id not in pinned:
            tiers.setdefault(_tier(postings), []).append((segment_id, postings))
    for _, segments in sorted(tiers.items()):
        oldest = segments[:MERGE_FACTOR]
        if len(oldest) == MERGE_FACTOR and sum(postings for _, postings in oldest) <= LARGEST_MERGE:
            return [segment_id for segment_id, _ in oldest]
    return []


def _mostly_deleted(db: Connection) -> list[int]:
    """The first segment with more deleted chunks than living ones; none while the index as a whole has fewer."""
    deleted = db.execute("SELECT count(*) FROM tomb").get
    held = db.execute("SELECT coalesce(sum(chunks), 0) FROM segment").get
    if deleted <= max(FEW_DELETED, held - deleted):
        return []
    buried = np.sort(buried_chunks(db))
    for segment_id in sql.column(db, "SELECT id FROM segment ORDER BY id"):
        gone = is_in(columns_of(db, segment_id)["chunk_id"], buried)
        if 2 * np.count_nonzero(gone) > len(gone):
            return [segment_id]
    return []


def merge(db: Connection, chosen: list[int]) -> None:
    """Replace these segments by one of their living chunks, or by none when no chunk lives."""
    folded.drop(db, chosen)
    marks = ",".join("?" * len(chosen))
    columns = np.concatenate(
        [
            np.frombuffer(blob, dtype=COLUMNS)
            for (blob,) in db.execute(
                f"SELECT columns FROM segment WHERE id IN ({marks}) ORDER BY id", chosen
            )
        ]
    )
    sizes: dict[int, int] = dict(db.execute(f"SELECT id, chunks FROM segment WHERE id IN ({marks})", chosen))
    offsets = dict(zip(chosen, np.cumsum([0, *(sizes[i] for i in chosen)]).tolist(), strict=False))
    tombstones = buried_chunks(db)
    alive = ~is_in(columns["chunk_id"], tombstones)
    in_order = bool((np.diff(columns["chunk_id"][alive]) > 0).all())
    order = np.argsort(columns["chunk_id"][alive], kind="stable")
    statement = (
        f"SELECT segment_id, term, data FROM posting WHERE segment_id IN ({marks}) ORDER BY segment_id"
    )
    rows = list(db.execute(statement, chosen))
    owners, names, blobs = zip(*rows, strict=True) if rows else ((), (), ())
    terms = Numbers()
    number = np.fromiter(map(terms.__getitem__, names), dtype=np.int64, count=len(names))
    together = np.argsort(number, kind="stable")  # the rows of a term, by segment
    ordinal, frequencies, counts = unpack([blobs[i] for i in together.tolist()])
    shifts = np.fromiter(map(offsets.__getitem__, owners), dtype=np.int64, count=len(owners))[together]
    del rows, blobs
    term = np.repeat(number[together], counts)
    ordinal += np.repeat(shifts, counts)
    if not (in_order and alive.all()):
        kept = alive[ordinal]
        renumbered = np.empty(len(columns), dtype=np.int64)
        renumbered[np.flatnonzero(alive)[order]] = np.arange(len(order))
        frequencies, term, ordinal = frequencies[kept], term[kept], renumbered[ordinal[kept]]
    if not in_order:
        sort = np.lexsort((ordinal, term))
        frequencies, term, ordinal = frequencies[sort], term[sort], ordinal[sort]
    db.execute(f"DELETE FROM posting WHERE segment_id IN ({marks})", chosen)
    db.execute(f"DELETE FROM segment WHERE id IN ({marks})", chosen)
    gone = columns["chunk_id"][~alive].tolist()
    db.executemany("DELETE FROM tomb WHERE chunk_id = ?", ((chunk_id,) for chunk_id in gone))
    vectors = instant.take(db, chosen, np.flatnonzero(alive)[order])
    if len(order):
        merged = _store_segment(db, columns[alive][order], list(terms), term, ordinal, frequencies)
        if vectors is not None:
            instant.put(db, merged, vectors)


def scrub(db: Connection) -> int:
    """Remove the postings of all deleted chunks now, instead of at a merge; returns their number.

    The rows of these chunks in `columns` stay under their tombstones, with all values but the ids cleared. The caller holds
    the write transaction and has set the tombstones. Older tombstones count too, because they may cover texts that must go.
    """
    wanted = np.sort(buried_chunks(db))
    removed = 0
    for segment_id, blob in list(db.execute("SELECT id, columns FROM segment ORDER BY id")):
        columns = np.frombuffer(blob, dtype=COLUMNS).copy()
        # A chunk without a length in any field has no posting, so earlier scrubs are not searched again.
        gone = is_in(columns["chunk_id"], wanted) & columns["length"].any(axis=1)
        if not gone.any():
            continue
        rows = list(db.execute("SELECT term, data FROM posting WHERE segment_id = ?", (segment_id,)))
        removed += remove(db, segment_id, rows, gone)
        for name in ("group", "section", "length", "time"):
            columns[name][gone] = 0
        db.execute("UPDATE segment SET columns = ? WHERE id = ?", (columns.tobytes(), segment_id))
        instant.erase(db, segment_id, gone)
    return removed


def remove(db: Connection, segment_id: int, rows: Sequence[tuple[str, bytes]], gone: Bools) -> int:
    """Remove the postings of the chunks that are `gone` from rows (term, bytes) of a segment; returns their number."""
    found = unpack([data for _, data in rows])
    kept = ~gone[found.ordinals]
    left = found.taken(kept)
    is_changed = left.counts < found.counts
    packed = pack(left.taken(np.repeat(is_changed, left.counts)))
    changed = [(packed[n], segment_id, rows[n][0]) for n in np.flatnonzero(is_changed).tolist()]
    db.executemany(
        "DELETE FROM posting WHERE segment_id = ? AND term = ?", (row[1:] for row in changed if not row[0])
    )
    db.executemany(
        "UPDATE posting SET data = ? WHERE segment_id = ? AND term = ?", (row for row in changed if row[0])
    )
    return int(len(kept) - kept.sum())


def clear(db: Connection) -> None:
    """Delete every chunk and its postings; the source texts stay."""
    folded.drop(db)
    for table in ("posting", "segment", "instant", "tomb", "chunk"):
        db.execute(f"DELETE FROM {table}")


def segments_holding(db: Connection, chunk_ids: Ints) -> Iterator[tuple[int, Array, Bools]]:
    """(segment, its columns, True for its rows of the chunks) for the segments of some chunks, whose ids rise."""
    left = len(chunk_ids)
    # The ids in a segment rise, and a chunk is in one segment: mostly that with the last first id before its own. The end of
    # a long value takes a walk over all of its pages, so the last ids are not looked at.
    begins = [
        (int.from_bytes(db.read_parts("segment", "columns", i, [(0, 8)])[0], "little", signed=True), i)
        for i in sql.column(db, "SELECT id FROM segment")
    ]
    for first, segment_id in sorted(begins, reverse=True):
        if not left:
            return
        if first > chunk_ids[-1]:
            continue
        columns = columns_of(db, segment_id)
        held = is_in(columns["chunk_id"], chunk_ids)
        if held.any():
            left -= int(held.sum())
            yield segment_id, columns, held


def chunk_ids(db: Connection, segment_id: int) -> list[int]:
    """Ids of the chunks of a segment in their order, of deleted ones too."""
    ids: list[int] = columns_of(db, segment_id)["chunk_id"].tolist()
    return ids


def columns_of(db: Connection, segment_id: int) -> Array:
    """The columns of a segment, one row a chunk, those of deleted chunks too."""
    return np.frombuffer(
        db.execute("SELECT columns FROM segment WHERE id = ?", (segment_id,)).get, dtype=COLUMNS
    )


def buried_chunks(db: Connection) -> Ints:
    """Ids of the deleted chunks whose postings are still there, in no order."""
    return np.asarray(sql.column(db, "SELECT chunk_id FROM tomb"), dtype=np.int64)


def postings(db: Connection, view: LexicalView, term: str) -> TermPostings:
    """Postings of living chunks for one term, over all segments of the view."""
    if (known := view.kept.get(term)) is not None:
        return known
    rows, former = view.kept.earlier(term)
    segments = [segment_id for segment_id, first in view.offsets.items() if first >= rows]
    statement = (
        f"SELECT segment_id, data FROM posting WHERE segment_id {sql.AMONG} AND term = ? ORDER BY segment_id"
    )
    found = list(db.execute(statement, (sql.ids(segments), term)))
    where, frequencies, counts = unpack([data for _, data in found])
    if found:
        where += np.array([view.offsets[segment_id] for segment_id, _ in found]).repeat(counts)
    if len(former.positions):
        where = np.concatenate([former.positions, where])
        frequencies = np.concatenate([former.tf.view("<u4")[:, 0], frequencies])
    if len(view.dead):
        at = np.minimum(np.searchsorted(where, view.dead), len(where) - 1) if len(where) else where
        gone = at[where[at] == view.dead] if len(where) else at
        if len(gone):
            where, frequencies = np.delete(where, gone), np.delete(frequencies, gone)
    read = TermPostings(where, frequencies.view(np.uint8).reshape(-1, len(FIELDS)))
    view.kept.put(term, read)
    return read


def terms_between(db: Connection, view: LexicalView, first: str, end: str) -> list[str]:
    """The terms of a view from `first` on and before `end`, sorted."""
    if (first, end) not in view.ranges:
        if len(view.ranges) >= KEPT_RANGES:
            view.ranges.clear()
        statement = f"SELECT DISTINCT term FROM posting WHERE segment_id {sql.AMONG} AND term >= ? AND term < ? ORDER BY term"
        view.ranges[first, end] = sql.column(db, statement, (sql.ids(view.offsets), first, end))
    return view.ranges[first, end]


def vocabulary(db: Connection) -> list[str]:
    """Every term of the index once, sorted."""
    return sql.column(db, "SELECT DISTINCT term FROM posting WHERE length(term) >= 4 ORDER BY term")
