"""Chunks that share terms with a text, found by a writer: it needs no `LexicalView`, which it would have to load for every write."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from daypack.index.postings.columns import COLUMNS
from daypack.index.postings.lexical import segments_holding
from daypack.index.postings.packed import unpack
from daypack.ports import Connection
from daypack.rank.membership import is_in
from daypack.types.arrays import Ints

COMMON_POSTINGS = 4096  # a term with more need not count in a search for similar texts
FEW_SHARING = 256  # chunks: looking at so many takes as long as reading a common term
SHARING_BATCH = 32  # chunks that are looked up together
BYTES = 2  # of most postings
_FOUND_BY = "FROM segment AS s CROSS JOIN json_each(?) AS w CROSS JOIN posting AS p ON p.segment_id = s.id AND p.term = w.value"


def chunks_sharing(
    db: Connection, terms: Sequence[str], *, at_least: int, without: int = 0
) -> Iterator[list[int]]:
    """The ids of chunks that hold at least so many of the terms, and have no flag of `without`, in batches, those with most terms
    first. A few that hold fewer, and deleted chunks, may be among them: very common terms are not counted while the others leave
    few chunks.
    """
    sizes: dict[str, int] = defaultdict(int)
    for term, size in db.execute(
        f"SELECT p.term, length(p.data) {_FOUND_BY} WHERE s.chunks > ?",
        (json.dumps([*terms]), COMMON_POSTINGS),
    ):
        sizes[term] += size // BYTES
    common = sorted(
        (term for term, size in sizes.items() if size > COMMON_POSTINGS),
        key=lambda term: (-sizes[term], term),
    )[: at_least - 1]
    found: dict[int, _Sharing] = {}
    rare = [term for term in terms if term not in common]
    for segment_id, ordinals in _ordinals(db, rare).items():
        held = np.bincount(ordinals)
        found[segment_id] = _Sharing(np.arange(len(held)), held).with_least(at_least - len(common))
    while common and sum(len(part.ordinals) for part in found.values()) > FEW_SHARING:
        by_segment = _ordinals(db, [common.pop()])
        found = {
            segment_id: part.counting(by_segment.get(segment_id)).with_least(at_least - len(common))
            for segment_id, part in found.items()
        }
    if not found:
        return
    shared = np.concatenate([part.held for part in found.values()])
    ordinal = np.concatenate([part.ordinals for part in found.values()])
    owner = np.repeat([*found], [len(part.ordinals) for part in found.values()])
    for batch in _in_batches(shared):
        rows = np.empty(len(batch), dtype=COLUMNS)
        for segment_id in sorted(set(owner[batch].tolist())):
            here = np.flatnonzero(owner[batch] == segment_id)
            size = COLUMNS.itemsize
            places = [(place * size, size) for place in ordinal[batch[here]].tolist()]
            parts = db.read_parts("segment", "columns", segment_id, places)
            rows[here] = np.frombuffer(b"".join(parts), dtype=COLUMNS)
        if wanted := rows["chunk_id"][(rows["flags"] & np.uint8(without)) == 0].tolist():
            yield wanted


def chunks_sharing_among(
    db: Connection, terms: Sequence[str], chunk_ids: Sequence[int], *, at_least: int
) -> Iterator[list[int]]:
    """Those of the chunks that hold at least so many of the terms, in batches, those with most terms first. No other segments are
    read than those which hold the chunks.
    """
    ids, shared = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for segment_id, columns, held in segments_holding(db, np.sort(np.asarray(chunk_ids, dtype=np.int64))):
        at = np.flatnonzero(held)
        ids.append(columns["chunk_id"][at])
        ordinals = _ordinals(db, terms, segment_id).get(segment_id, ids[0])
        shared.append(np.bincount(ordinals, minlength=len(columns))[at])
    together, counts = np.concatenate(ids), np.concatenate(shared)
    enough = counts >= at_least
    together = together[enough]
    for batch in _in_batches(counts[enough]):
        yield together[batch].tolist()


def _ordinals(db: Connection, terms: Sequence[str], segment_id: int = 0) -> dict[int, Ints]:
    """Segment → the ordinals of the postings of some terms, one term after another; of every segment, or of one."""
    rows: dict[int, list[bytes]] = defaultdict(list)
    where = " WHERE s.id = ?" if segment_id else ""
    for owner, data in db.execute(
        f"SELECT s.id, p.data {_FOUND_BY}{where}",
        (json.dumps([*terms]), *([segment_id] if segment_id else [])),
    ):
        rows[owner].append(data)
    return {owner: unpack(parts).ordinals for owner, parts in rows.items()}


def _in_batches(shared: Ints) -> Iterator[Ints]:
    """The places of chunks that share so many terms each, those with most first."""
    # of two bytes: sorted by counting, in a tenth of the time
    order = np.argsort(-shared.astype(np.int16), kind="stable")
    for first in range(0, len(order), SHARING_BATCH):
        yield order[first : first + SHARING_BATCH]


class _Sharing(NamedTuple):
    """Chunks of a segment, by rising ordinals, and how many of some terms each holds."""

    ordinals: Ints
    held: Ints

    def counting(self, ordinals: Ints | None) -> _Sharing:
        """The chunks after one more term was counted, which occurs at these ordinals."""
        return self if ordinals is None else self._replace(held=self.held + is_in(self.ordinals, ordinals))

    def with_least(self, least: int) -> _Sharing:
        """Those chunks that hold at least so many, and one."""
        kept = self.held >= max(1, least)
        return _Sharing(self.ordinals[kept], self.held[kept])
