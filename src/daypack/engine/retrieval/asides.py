"""Asides: events that do not answer a question, as the prompt that asks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.doors import Asked
from daypack.index.lexical import postings
from daypack.rank.views import ChunkFlag
from daypack.text import analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
    from daypack.filters import Filter
    from daypack.ports import Connection
    from daypack.types import Query

_ALIKE = 0.75  # share of the question's words that an event of the same question holds; guess


def mask_of_evidence(
    db: Connection,
    snapshots: Snapshots,
    snapshot: Snapshot,
    query: Query,
    condition: Filter | None,
    now: float,
) -> NDArray[np.bool_]:
    """The living chunks that pass a filter, without events that do not answer a query, unless nothing else passes."""
    view, mask = snapshot.view, snapshots.mask(db, snapshot, condition)
    events = mask & ((view.flags & ChunkFlag.EVENT) > 0)
    if not events.any():
        return mask
    alike = _alike(db, snapshot, query.text, events)
    among_events = condition is not None and bool(events[mask].all())
    asides = snapshots.visibility.asides(db, Asked(query, now, tuple(alike), among_events))
    if not asides:
        return mask
    evidence = mask.copy()
    evidence[view.positions_in(asides)] = False
    return evidence if evidence.any() else mask


def _alike(db: Connection, snapshot: Snapshot, text: str, events: NDArray[np.bool_]) -> Sequence[int]:
    """Ids of the records of events that hold nearly all words of a text."""
    view = snapshot.view
    terms = {*analysis.content_terms(analysis.terms(text))} - analysis.STOP_TERMS
    held = np.zeros(len(view), dtype=np.uint32)
    for term in terms:
        found = postings(db, view, term)
        held[found.positions[found.tf[:, 0] > 0]] += 1
    alike = events & (held >= max(1.0, _ALIKE * len(terms)))
    return sorted(set(view.record_ids[alike].tolist()))
