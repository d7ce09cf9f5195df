"""Events of a time: the answer to a question that holds nothing but a time, or a word for events.

    all events and memories of the time, those that write its date, and texts about its days (days.py)
    → those of the kind that the question names, if any → texts about the days, the others by importance, then age

Without a time, the question means the newest day that has events, or the last session, which is not the one that asks. Of
"what is left to do?" the events are open tasks of any time. Words and vectors do not rank here: nothing in the
question distinguishes one event of a day from another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import partial, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.engine.retrieval.asides import mask_of_evidence
from daypack.engine.retrieval.days import days_found
from daypack.engine.retrieval.features import Evidence, features_of
from daypack.engine.retrieval.gather import DEPTH
from daypack.filters import All, Before, OneOf, Since
from daypack.index.facts import sessions_of
from daypack.index.lexical import postings
from daypack.query import time_in_words
from daypack.rank.blend import Blend, Pool, Scored
from daypack.rank.membership import is_in
from daypack.rank.timeline import event_scores
from daypack.types import Query, RecordKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
    from daypack.filters import Filter
    from daypack.ports import Connection
    from daypack.rank.views import TermPostings

_DATED = OneOf("kind", (RecordKind.EVENT.value, RecordKind.MEMORY.value))
OF_THE_TIME = 1.05  # the score of a text about the time; that of the best event is 1
_LAST_SESSION = "the last session"
_MEMORIES = OneOf("kind", (RecordKind.MEMORY.value,))


class EventsThen(NamedTuple):
    """The ranked events and memories of a time."""

    time: str  # the time that was read from the question, in words
    pool: Pool | None = None  # None when nothing is stored from the time
    scored: Scored | None = None


def events_then(
    db: Connection,
    snapshots: Snapshots,
    snapshot: Snapshot,
    query: Query,
    condition: Filter | None,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    now: datetime,
) -> EventsThen | None:
    """The events and memories that a query with `happenings` asks for.

    None where the question may be about texts: when the filter passes no event of any time, or none of this time while
    some text writes its date or is about its days.
    """
    happenings = query.happenings
    assert happenings is not None
    view = snapshot.view
    mask = mask_of_evidence(db, snapshots, snapshot, query, condition, now.timestamp())
    dated = mask & snapshots.mask(db, snapshot, _DATED)
    if not dated.any():
        of_asker = snapshots.mask(db, snapshot, condition) & snapshots.mask(db, snapshot, _DATED)
        return EventsThen(_LAST_SESSION) if happenings.last_session and of_asker.any() else None
    bounds: list[Filter] = [] if query.since is None else [Since(query.since)]
    bounds += [] if query.until is None else [Before(query.until)]
    time = time_in_words(query.since, query.until)
    positions = np.flatnonzero(dated & snapshots.mask(db, snapshot, All((_DATED, *bounds))))
    find = partial(postings, db, view)
    written = _written(mask, [find(term) for term in happenings.dates])
    asked = None if happenings.memories else query.days
    notes = {} if asked is None else days_found(db, view, asked, mask & ~dated, find, texts_of).values
    if happenings.open_work:
        positions, time = view.inside(dated, snapshots.visibility.open_work(db)), ""
        if not len(positions):
            return None
    if not len(positions):
        return None if len(written) or notes else EventsThen(time)
    if len(happenings.dates) > 1:  # of a month alone any year's text would come
        positions = np.union1d(positions, written[dated[written]])
    if happenings.memories:
        positions = _wanted_if_any(positions, np.flatnonzero(snapshots.mask(db, snapshot, _MEMORIES)))
    elif happenings.open_work:
        pass
    elif happenings.last_session and not bounds:
        asking = snapshots.visibility.sessions_that_ask(db, now.timestamp())
        positions, time = _last_session(db, snapshot, positions, asking, now.tzinfo)
        if not len(positions):
            return EventsThen(time)
    elif not bounds:
        positions, time = _newest_day(db, snapshot, positions, now.tzinfo)
    positions = np.union1d(positions, np.asarray([*notes], dtype=np.int64))
    lexical = snapshot.bm25.matched(dict.fromkeys(happenings.kinds, 1.0), find)
    if lexical.terms:
        of_kind = np.concatenate([term.postings.positions for term in lexical.terms])
        positions = _wanted_if_any(positions, of_kind)
    in_scope = len(positions)
    positions, scores = _best(db, snapshots, snapshot, positions, notes)
    evidence = Evidence(lexical, texts_of=texts_of)
    features, titles = features_of(db, snapshot, query, evidence, positions)
    pool = Pool(
        positions=positions,
        chunk_ids=view.chunk_ids[positions],
        imports=np.zeros(len(positions), dtype=bool),
        features=features,
        lexical=lexical,
        corrections={},
        in_scope=in_scope,
        best_coverage=1.0,
        holds_half=True,
        unknown=(),
        lacking=0,
        anchors_missing=(),
        titles=titles,
    )
    order = np.lexsort((pool.chunk_ids, -scores))
    blend = Blend(scores, {"time": np.ones_like(scores)}, {"time": scores})
    return EventsThen(time, pool, Scored(pool.chunk_ids[order], scores[order], blend, order, pool.imports))


def _wanted_if_any(positions: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions that are among the wanted ones; all positions when none is."""
    inside = is_in(positions, wanted)
    return positions[inside] if inside.any() else positions


def _newest_day(
    db: Connection, snapshot: Snapshot, positions: NDArray[np.int64], zone: tzinfo | None
) -> tuple[NDArray[np.int64], str]:
    """(the positions of the newest day in `zone`, that day in words)."""
    records = snapshot.view.record_ids[positions]
    facts = snapshot.facts_of(db, records)
    times = np.asarray([facts[record_id].time or 0.0 for record_id in records.tolist()])
    newest = datetime.fromtimestamp(times.max(), zone).replace(hour=0, minute=0, second=0, microsecond=0)
    day, next_day = newest.timestamp(), (newest + timedelta(days=1)).timestamp()
    return positions[times >= day], f"{time_in_words(day, next_day)}, the newest day"


def _last_session(
    db: Connection,
    snapshot: Snapshot,
    positions: NDArray[np.int64],
    asking: Collection[tuple[str, str]],
    zone: tzinfo | None,
) -> tuple[NDArray[np.int64], str]:
    """(the positions of the session with the newest event, and of memories of its time; that time in words).
    Without a session but those that ask, it is the newest day on which something was remembered.
    """
    records = snapshot.view.record_ids[positions]
    facts = snapshot.facts_of(db, records)
    sessions = sessions_of(db, facts)
    times = np.asarray([facts[record_id].time or 0.0 for record_id in records.tolist()])
    of_each = [sessions.get(record_id) for record_id in records.tolist()]
    newest = max(
        ((at, one) for at, one in zip(times.tolist(), of_each, strict=True) if one and one not in asking),
        default=None,
    )
    if newest is None:
        remembered = positions[np.asarray([one is None for one in of_each], dtype=bool)]
        return _newest_day(db, snapshot, remembered, zone) if len(remembered) else (remembered, _LAST_SESSION)
    own = np.asarray([one == newest[1] for one in of_each], dtype=bool)
    first, last = float(times[own].min()), float(times[own].max())
    during = np.asarray([one is None for one in of_each], dtype=bool) & (times >= first) & (times <= last)
    return positions[own | during], f"{time_in_words(first, last)}, {_LAST_SESSION}"


def _written(mask: NDArray[np.bool_], terms: Sequence[TermPostings]) -> NDArray[np.int64]:
    """The positions inside the mask whose text or name has all of these terms; none for no terms.

    The context field does not count: the index writes the date of an event there.
    """
    written = [term.positions[term.tf[:, :3].any(axis=1)].astype(np.int64) for term in terms]
    if not written:
        return np.empty(0, dtype=np.int64)
    positions = reduce(lambda first, second: first[is_in(first, second)], written)
    return positions[mask[positions]]


def _best(
    db: Connection,
    snapshots: Snapshots,
    snapshot: Snapshot,
    positions: NDArray[np.int64],
    notes: Mapping[int, float],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(positions of the best, rising; their scores). `notes` are the values of texts about the time, 0 to 1."""
    records = snapshot.view.record_ids[positions]
    ids = sorted(set(records.tolist()))
    facts, importance = snapshot.facts_of(db, records), snapshots.visibility.importance_of(db, ids)
    values = event_scores(
        [importance.get(record_id, 1) for record_id in records.tolist()],
        [facts[record_id].time or 0.0 for record_id in records.tolist()],
    )
    about = [OF_THE_TIME * notes[at] if at in notes else 0.0 for at in positions.tolist()]
    values = np.maximum(values, np.asarray(about, dtype=np.float32))
    best = np.sort(np.lexsort((positions, -values))[:DEPTH])
    return positions[best], values[best]
