"""Events of a time: the answer to a question that holds nothing but a time, or a word for events.

    all events and memories of the time, those that write its date, and texts about its days (days.py)
    → those of the kinds that the question names, if any (kinds.py)
    → texts about the days, then the others: for "the last error" the newest first, else by importance, then age

Without a time, the question means the newest day that has events, or the last session, which is not the one that asks: its
last words and open work come first. Open tasks, and the last event of a kind, are of any time. Words and vectors do not rank
here: nothing in the question distinguishes one event of a day from another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from typing import NamedTuple

import numpy as np

from daypack.engine.open_work import Parts, open_work_of
from daypack.engine.retrieval.asides import mask_of_evidence
from daypack.engine.retrieval.days import days_found
from daypack.engine.retrieval.features import Evidence, features_of
from daypack.engine.retrieval.gather import DEPTH
from daypack.engine.retrieval.kinds import if_any, tagged, worded
from daypack.engine.retrieval.scope import NAME, WITHOUT_CONTEXT, Moment, Scope, having
from daypack.filters import All, Before, Filter, OneOf, Since
from daypack.index.facts import sessions_of
from daypack.query import time_in_words
from daypack.rank.blend import Blend, Pool, Scored
from daypack.rank.membership import is_in
from daypack.rank.timeline import event_scores, newest_scores, scores_of_state
from daypack.rank.views import PostingsOf
from daypack.types import Happenings, Query, RecordKind
from daypack.types.arrays import Float64s, Floats, Ints

_DATED = OneOf("kind", (RecordKind.EVENT.value, RecordKind.MEMORY.value))
OF_THE_TIME = 1.05  # the score of a text about the time; that of the most important event is 1
_LAST_SESSION = "the last session"
_MEMORIES = OneOf("kind", (RecordKind.MEMORY.value,))


class EventsThen(NamedTuple):
    """The ranked events and memories of a time."""

    time: str  # the time that was read from the question, in words
    pool: Pool | None = None  # None when nothing is stored from the time
    scored: Scored | None = None
    parts: Mapping[int, Parts] = {}  # chunk id → the parts that alone answer


class _Events(NamedTuple):
    """The positions of events and memories, rising, and their time in words."""

    positions: Ints
    time: str
    first: Sequence[int] = ()  # ids of records that come before the others
    notes: Mapping[int, float] = {}  # position → value of a text about the time, 0 to 1


def events_then(moment: Moment, query: Query, condition: Filter | None) -> EventsThen | None:
    """The events and memories that a query with `happenings` asks for.

    None where the question may be about texts: when the filter passes no event of any time, or none of this time while
    some text writes its date or is about its days, but for the notes of one day; and for open tasks and the last event of a
    kind when there are none.
    """
    happenings = query.happenings
    assert happenings is not None
    mask = mask_of_evidence(moment, query, condition)
    if happenings.open_work:
        return _open_work(moment, moment.scope(mask), query)
    if not ((mask & moment.mask(_DATED)).any() or _names_a_day(query)):
        of_asker = (moment.mask(condition) & moment.mask(_DATED)).any()
        return EventsThen(_LAST_SESSION) if happenings.last_session and of_asker else None
    scope = moment.scope(mask)
    events = _events_of(moment, scope, query)
    if events is None or not len(events.positions):
        return None if events is None else EventsThen(events.time)
    return _ranked(moment, scope, query, events)


def _names_a_day(query: Query) -> bool:
    """True for a question about one day: texts that mention it are found with its notes, those of a longer time are not."""
    return query.days is not None and query.days.length == 1


def _open_work(moment: Moment, scope: Scope, query: Query) -> EventsThen | None:
    """The open tasks of sessions and notes; None where there are none, and where code has the subject as its name: "what must
    Parser do?", "what is left to do in the retry loop?".
    """
    assert query.happenings is not None
    subject = query.happenings.words
    if scope.view.code[_written(scope, subject, NAME)].any():
        return None
    tasks = scope.view.inside(
        scope.mask & moment.mask(_DATED), moment.snapshots.visibility.open_work(moment.db)
    )
    if subject:
        tasks = tasks[is_in(tasks, _written(scope, subject))]
    work = open_work_of(scope, tasks, subject, query.days)
    if not work.values:
        return None
    events = _Events(np.asarray(sorted(work.values), dtype=np.int64), "", notes=work.values)
    return _ranked(moment, scope, query, events)._replace(parts=work.parts)


def _events_of(moment: Moment, scope: Scope, query: Query) -> _Events | None:
    """The events that a question for no open work means; None where it may be about texts."""
    happenings = query.happenings
    assert happenings is not None
    bounds: list[Filter] = [] if query.since is None else [Since(query.since)]
    bounds += [] if query.until is None else [Before(query.until)]
    dated = scope.mask & moment.mask(_DATED)
    positions = np.flatnonzero(dated & moment.mask(All((_DATED, *bounds))))
    written = _written(scope, happenings.dates)
    notes: Mapping[int, float] = {}
    if query.days is not None and not happenings.memories:
        notes = days_found(scope._replace(mask=scope.mask & ~dated), query.days).values
    events = _Events(positions, time_in_words(query.since, query.until), notes=notes)
    if not (len(positions) or (notes and _names_a_day(query))):
        return None if len(written) or notes or not dated.any() else events
    if len(happenings.dates) > 1:  # of a month alone any year's text would come
        events = events._replace(positions=np.union1d(positions, written[dated[written]]))
    if happenings.memories:
        memories = if_any(events.positions, np.flatnonzero(moment.mask(_MEMORIES)))
        events = events._replace(positions=memories)
    elif happenings.last_session:
        events = _of_last_session(moment, events)
    elif not (bounds or happenings.newest):
        events = _of_newest_day(moment, events)
    return _of_kinds(events, happenings, scope.postings_of, any_time=not (bounds or happenings.last_session))


def _of_newest_day(moment: Moment, events: _Events) -> _Events:
    """The events of the newest day in the zone of the asker."""
    times = _times(moment, events.positions)
    newest = datetime.fromtimestamp(times.max(), moment.now.tzinfo)
    midnight = newest.replace(hour=0, minute=0, second=0, microsecond=0)
    day, next_day = midnight.timestamp(), (midnight + timedelta(days=1)).timestamp()
    return events._replace(
        positions=events.positions[times >= day], time=f"{time_in_words(day, next_day)}, the newest day"
    )


def _of_last_session(moment: Moment, events: _Events) -> _Events:
    """The events of the session with the newest event, and memories of its time; its last words and open work first.
    Without a session but those that ask, the events of the newest day on which something was remembered.
    """
    db, visibility = moment.db, moment.snapshots.visibility
    asking = visibility.sessions_that_ask(db, moment.now.timestamp())
    records = moment.snapshot.view.record_ids[events.positions].tolist()
    sessions, times = sessions_of(db, records), _times(moment, events.positions)
    of_each = [sessions.get(record_id) for record_id in records]
    newest = max(
        ((at, one) for at, one in zip(times.tolist(), of_each, strict=True) if one and one not in asking),
        default=None,
    )
    alone = np.asarray([one is None for one in of_each], dtype=bool)
    if newest is None:
        remembered = events._replace(positions=events.positions[alone], time=_LAST_SESSION)
        return _of_newest_day(moment, remembered) if alone.any() else remembered
    own = np.asarray([one == newest[1] for one in of_each], dtype=bool)
    first, last = float(times[own].min()), float(times[own].max())
    during = alone & (times >= first) & (times <= last)
    return events._replace(
        positions=events.positions[own | during],
        time=f"{time_in_words(first, last)}, {_LAST_SESSION}",
        first=visibility.left_off(db, *newest[1]),
    )


def _of_kinds(events: _Events, happenings: Happenings, find: PostingsOf, *, any_time: bool) -> _Events | None:
    """The events and texts about the time of the kinds that a question names; all events where none is of them, and None where
    it asks for the last one of any time.
    """
    notes = np.asarray(sorted(events.notes), dtype=np.int64)
    if not happenings.words:
        return events._replace(positions=np.union1d(events.positions, notes))
    of_kinds = tagged(find, events.positions, happenings.kinds)
    if happenings.newest and any_time and not len(of_kinds):
        return None
    positions = np.union1d(of_kinds, worded(find, notes, happenings.words))
    if not len(of_kinds):
        positions = np.union1d(positions, worded(find, events.positions, happenings.words))
    if not len(positions):
        positions = np.union1d(events.positions, notes)
    return events._replace(positions=positions, first=())


def _ranked(moment: Moment, scope: Scope, query: Query, events: _Events) -> EventsThen:
    """The best of the events in their order."""
    happenings, snapshot = query.happenings, scope.snapshot
    assert happenings is not None
    lexical = snapshot.bm25.matched(dict.fromkeys(happenings.words, 1.0), scope.postings_of)
    positions, scores = _best(moment, events, newest=happenings.newest)
    evidence = Evidence(lexical, texts_of=scope.texts_of)
    features, titles = features_of(scope.db, snapshot, query, evidence, positions)
    pool = Pool(
        positions=positions,
        chunk_ids=snapshot.view.chunk_ids[positions],
        imports=np.zeros(len(positions), dtype=bool),
        features=features,
        lexical=lexical,
        corrections={},
        in_scope=len(events.positions),
        best_coverage=1.0,
        holds_half=True,
        unknown=(),
        lacking=0,
        anchors_missing=(),
        titles=titles,
    )
    order = np.lexsort((pool.chunk_ids, features.record, -scores))
    blend = Blend(scores, {"time": np.ones_like(scores)}, {"time": scores})
    return EventsThen(
        events.time, pool, Scored(pool.chunk_ids[order], scores[order], blend, order, pool.imports)
    )


def _written(scope: Scope, terms: Sequence[str], fields: slice = WITHOUT_CONTEXT) -> Ints:
    """The positions inside the mask whose text or name has all of these terms; none for no terms.

    The context field does not count: the index writes the date of an event there.
    """
    written = [having(scope.postings_of(term), fields) for term in terms]
    if not written:
        return np.empty(0, dtype=np.int64)
    positions = reduce(lambda first, second: first[is_in(first, second)], written)
    return positions[scope.mask[positions]]


def _times(moment: Moment, positions: Ints) -> Float64s:
    """The times of records in Unix seconds; 0 for those without one."""
    records = moment.snapshot.view.record_ids[positions]
    facts = moment.snapshot.facts_of(moment.db, records)
    return np.asarray([facts[record_id].time or 0.0 for record_id in records.tolist()], dtype=np.float64)


def _best(moment: Moment, events: _Events, *, newest: bool) -> tuple[Ints, Floats]:
    """(positions of the best, rising; their scores)."""
    positions, notes = events.positions, events.notes
    records = moment.snapshot.view.record_ids[positions].tolist()
    happened = moment.snapshots.visibility.happened(moment.db, sorted({*records}))
    importance = [happened[one].importance if one in happened else 1 for one in records]
    times = [
        happened[one].last_at if one in happened else at
        for one, at in zip(records, _times(moment, positions).tolist(), strict=True)
    ]
    values = (newest_scores if newest else event_scores)(importance, times)
    if events.first:
        values = np.maximum(values, scores_of_state(records, events.first))
    about = [OF_THE_TIME * notes[at] if at in notes else 0.0 for at in positions.tolist()]
    values = np.maximum(values, np.asarray(about, dtype=np.float32))
    best = np.sort(np.lexsort((moment.snapshot.view.numbers_of(positions), -values))[:DEPTH])
    return positions[best], values[best]
