"""Asides: events that do not answer a question, as the prompt that asks it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.engine.doors import Asked
from daypack.engine.retrieval.scope import BODY, Moment, Scope, having
from daypack.filters import Filter
from daypack.text import analysis
from daypack.types import Query
from daypack.types.arrays import Bools

_ALIKE = 0.75  # share of the question's words that an event of the same question holds; guess


def mask_of_evidence(moment: Moment, query: Query, condition: Filter | None) -> Bools:
    """The living chunks that pass a filter, without events that do not answer a query, unless nothing else passes."""
    view, mask = moment.snapshot.view, moment.mask(condition)
    here = view.events[mask[view.events]]
    if not len(here):
        return mask
    events = np.zeros_like(mask)
    events[here] = True
    alike = _alike(moment.scope(events), query.text)
    among_events = condition is not None and bool(events[mask].all())
    asked = Asked(query, moment.now.timestamp(), tuple(alike), among_events)
    asides = moment.snapshots.visibility.asides(moment.db, asked)
    if not asides:
        return mask
    evidence = mask.copy()
    evidence[view.positions_in(asides)] = False
    return evidence if evidence.any() else mask


def _alike(events: Scope, text: str) -> Sequence[int]:
    """Ids of the records of events that hold nearly all words of a text."""
    terms = {*analysis.content_terms(analysis.terms(text))} - analysis.STOP_TERMS
    held = np.zeros(len(events.view), dtype=np.uint32)
    for term in terms:
        held[having(events.postings_of(term), BODY)] += 1
    alike = events.mask & (held >= max(1.0, _ALIKE * len(terms)))
    return sorted(set(events.view.record_ids[alike].tolist()))
