"""Questions about another time: they see the memories that hold then, beside those that hold now.

    "who leads the team?"                 team/lead: Ann
    "who led the team before March?"      team/lead (2025-01-10 to 2026-03-01): Tom;  team/lead (since 2026-03-01): Ann
    "who led the team this year?"        both, until now
    "since when does Ann lead it?"       both, the present one first
    "who will lead the team in 2027?"     team/lead (from 2027-01-01): Cem;  team/lead (2026-03-01 to 2027-01-01): Ann

A value may be recorded long after the time that its text is about, so the present ones stay in the answer, behind the
values that hold then. The record of a value of another time has a scope that ordinary viewers do not have, so that no
ordinary answer changes by it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.table import ValueThen
from daypack.doors.memories.types import Memory
from daypack.doors.memories.writing.indexing import as_memory
from daypack.engine.engine import Engine
from daypack.filters import All, Filter, Where, to_sql
from daypack.index import facts, sql
from daypack.index.store import Store
from daypack.ports import Connection, Revise
from daypack.query import OtherTime, asks_course, other_time, parse_query
from daypack.shapes.memory_block import key_and_time
from daypack.shapes.wording import day
from daypack.text import analysis
from daypack.types import Candidate, Contribution

Place = tuple[str, str]  # the scope and uid of a record
MOST_DATED = 3  # memories that did not change, in an answer about the course of one or with words in common
IN_COMMON = 2  # telling words of two memories of which the newer may say what is true now. guess


class QuestionView(NamedTuple):
    """The engine and the filter for a question, and for one about another time the order of the candidates."""

    engine: Engine
    filter: Filter | None
    revised: Revise | None = None
    says_when: bool = False  # it asks when values began to hold


class Then(NamedTuple):
    """The values of another time that a question means, by record id, and what they replace."""

    orders: Mapping[int, float]  # their place among those of their key, the first the least
    replaced: Sequence[int] = ()  # present values that one of them says with its end
    # a value → the record after which it comes, wherever the words find it
    added: Mapping[int, int] = MappingProxyType({})


def seen_then(engine: Engine, question: str, condition: Filter | None) -> QuestionView:
    """The given engine and filter, unless a question is about another time, in which memories hold that do not now."""
    viewer, now, says_when = engine.visibility.viewer, engine.now(), asks_course(question)
    with engine.store.reading() as db:
        scopes = [scope for scope in viewer.scopes if spaces.has_then(db, scope)]
        if not scopes or (asked := other_time(parse_query(question, now=now), now)) is None:
            return QuestionView(engine, condition, says_when=says_when)
        means = _ahead if asked.is_ahead else _past
        found = [means(db, scope, asked, now.timestamp()) for scope in scopes]
        after = {record_id: naming for then in found for record_id, naming in then.added.items()}
        added = _first_chunks(db, after, condition)
    orders = {record_id: order for then in found for record_id, order in then.orders.items()}
    if not orders:
        return QuestionView(engine, condition, says_when=says_when)
    replaced = [record_id for then in found for record_id in then.replaced]
    visible = Where(
        f"(door <> ? OR (substr(scope, 1, 1) <> char(31) AND id NOT {sql.AMONG}) OR id {sql.AMONG})",
        (DOOR, sql.ids(replaced), sql.ids(orders)),
    )
    return QuestionView(
        engine.seen_by(spaces.seeing_then(viewer)),
        visible if condition is None else All((condition, visible)),
        partial(then_first, orders=orders, asked=asked, added=added, store=engine.store),
        says_when,
    )


# ---------------------------------------------------------------- the values that a question means


def _past(db: Connection, scope: str, asked: OtherTime, now: float) -> Then:
    """The values that are over and held in the time that a question names."""
    by_key = _by_key(value for value in _of_scope(db, scope) if value.end <= now)
    since, until = asked.since, asked.until
    assert until is not None
    present = table.values_now(db, scope, by_key) if since is None else {}
    orders: dict[int, float] = {}
    after: dict[int, int] = {}
    for key, values in by_key.items():
        holds = present.get(key)
        if asked.before and (near := _before([*values, *([holds] if holds else [])], key, asked.before)):
            former, naming = near
            orders[former.record_id] = 0
            orders.update({naming.record_id: 2} if naming is not holds else {})
            after[former.record_id] = naming.record_id
            continue
        begins = holds.start if holds is not None and until < now else None
        times = {(value.start, value.end): value.record_id for value in values}
        for time in rules.held_then(sorted(times), since, until, now_from=begins):
            # of the course of a value, the latest first
            orders[times[time]] = -time[0] if asked.present_first else rules.order_then(*time, since, until)
    return Then(orders, added=after)


# "before we switched to Redis" names Redis alone: these words say only that something changed.
_CHANGES = frozenset(
    analysis.terms(
        "move moved switch switched change changed migrate migrated go went start started use using used adopt adopted came come joined took over"
    )
)


def _before(values: Sequence[ValueThen], key: str, thing: str) -> tuple[ValueThen, ValueThen] | None:
    """(the value before the first that names a thing, that one), of the values of a key in the order of time."""
    wanted = set(analysis.terms(thing)) - analysis.STOP_TERMS
    told = wanted - _CHANGES or wanted
    names = [bool(told) and told.issubset(analysis.terms(f"{key} {value.text}")) for value in values]
    return next(
        ((values[n - 1], values[n]) for n in range(1, len(values)) if names[n] and not names[n - 1]), None
    )


def _ahead(db: Connection, scope: str, asked: OtherTime, now: float) -> Then:
    """The values that begin after now and hold in the time that a question names, and the present ones with a known end, each
    in place of its record without one.
    """
    since, until = asked.since or now, math.inf if asked.until is None else asked.until
    values = [value for value in _of_scope(db, scope) if value.end > now]
    begins = [value for value in values if value.start > now and value.start < until and value.end > since]
    if asked.happens:
        return Then({value.record_id: 0 for value in begins if value.start >= since})
    ends = {spaces.key_of_then(value.uid): value for value in values if value.start <= now}
    if since > now:
        orders = {
            v.record_id: float(rules.order_then(v.start, v.end, since, until))
            for v in (*begins, *ends.values())
        }
    else:  # the next first
        orders = {value.record_id: value.start for value in begins}
        place = -math.inf if asked.present_first else math.inf
        orders.update({value.record_id: place for value in ends.values()})
    replaced = [value.record_id for value in table.values_now(db, scope, ends).values()]
    return Then(orders, replaced)


def _of_scope(db: Connection, scope: str) -> list[ValueThen]:
    return table.values_then(db, spaces.then_scope(scope))


def _by_key(values: Iterable[ValueThen]) -> dict[str, list[ValueThen]]:
    by_key: dict[str, list[ValueThen]] = defaultdict(list)
    for value in sorted(values, key=lambda value: value.start):
        by_key[spaces.key_of_then(value.uid)].append(value)
    return by_key


def _first_chunks(db: Connection, after: Mapping[int, int], condition: Filter | None) -> dict[int, int]:
    """The first chunk of each added value that passes the filter of the question → the record after which it comes."""
    passing: Iterable[int] = after
    if after and condition is not None:
        where, values = to_sql(condition)
        chosen = f"id {sql.AMONG} AND ({where})"
        passing = facts.record_ids_where(db, chosen, (sql.ids(after), *values)).tolist()
    return {chunk: after[record_id] for record_id, chunk in table.first_chunks(db, passing)}


# ---------------------------------------------------------------- their order


def then_first(
    candidates: list[Candidate],
    *,
    orders: Mapping[int, float],
    asked: OtherTime,
    added: Mapping[int, int],
    store: Store,
) -> list[Candidate]:
    """The candidates, in which the values that a key holds then stand before its others. They change places and scores, so
    that nothing else moves.
    """
    candidates = [*_with_added(candidates, added, store)]
    places: dict[str, list[int]] = defaultdict(list)
    order: dict[int, float] = {}
    for number, candidate in enumerate(candidates):
        if candidate.chunk.door == DOOR:
            key, _ = key_and_time(candidate.chunk.uri)
            places[key].append(number)
            order[number] = orders.get(candidate.chunk.record_id, _order_now(candidate, asked))
    reordered = [*candidates]
    for numbers in places.values():
        least = math.inf
        for place, number in zip(numbers, sorted(numbers, key=order.__getitem__), strict=True):
            if place != number:
                # below the one before: a packer orders equals by itself
                score = min(candidates[place].score, math.nextafter(least, -math.inf))
                reordered[place] = _moved(candidates[number], score, candidates[place].probability)
            least = reordered[place].score
    return sorted(reordered, key=lambda candidate: -candidate.score)


def _order_now(candidate: Candidate, asked: OtherTime) -> float:
    """The place of a value that holds now, without a known end; a value of before does not hold now."""
    began = candidate.chunk.time
    if asked.present_first:
        return -math.inf
    if began is None or asked.since is None or asked.until is None or asked.present_last:
        return 2
    return rules.order_then(began, math.inf, asked.since, asked.until)


def _with_added(
    candidates: Sequence[Candidate], added: Mapping[int, int], store: Store
) -> Iterator[Candidate]:
    """The candidates, each followed by the value that held before it, for which its own words and meaning say nothing."""
    listed = {candidate.chunk.record_id for candidate in candidates}
    wanted = [chunk_id for chunk_id, after in added.items() if after in listed]
    chunks = store.chunks(wanted) if wanted else {}
    behind = {added[chunk_id]: chunk for chunk_id, chunk in chunks.items()}
    for candidate in candidates:
        if candidate.chunk.id in chunks:
            continue
        yield candidate
        if (chunk := behind.pop(candidate.chunk.record_id, None)) is not None:
            score = math.nextafter(candidate.score, -math.inf)
            yield Candidate(chunk, score, candidate.probability, (Contribution("held", 1.0, score),))


def _moved(candidate: Candidate, score: float, probability: float) -> Candidate:
    share = Contribution("held", 1.0, score - candidate.score)
    parts = (*candidate.contributions, share)
    return candidate._replace(score=score, probability=probability, contributions=parts)


# ---------------------------------------------------------------- the memories behind an answer


def memories_at(
    context: MemoryContext, db: Connection, places: Iterable[Place], *, says_when: bool
) -> dict[Place, Memory]:
    """The memories behind records, best first. Beside values of another time each says when it holds; where the question asks
    for it, those that have such values and the first few do, for dates take the room of other memories. Of the first few, those
    of several days that have words in common do as well: the newer one may contradict the older.
    """
    listed = [*places]
    wanted: dict[str, list[str]] = defaultdict(list)
    for scope, uid in listed:
        wanted[scope].append(uid)
    memories: dict[Place, Memory] = {}
    changed: set[Place] = set()
    now = context.engine.clock()
    for space in context.spaces(db):
        scope = space.scope
        then = spaces.then_scope(scope)
        for key, (_, memory) in table.held(db, space, wanted[scope]).items():
            memories[scope, key] = memory
        for key in dict.fromkeys(map(spaces.key_of_then, wanted[then])):
            row = table.find(db, space, key)
            for holding in () if row is None else rules.held_times(row.versions):
                if (uid := spaces.then_uid(key, holding.start)) in wanted[then]:
                    assert row is not None
                    memory = as_memory(row, holding.version, (holding.start, holding.end))
                    memories[then, uid] = replace(memory, is_ahead=holding.start > now)
                    changed.add((scope, key))
    if says_when:
        dated = changed.union(listed[:MOST_DATED])
    else:
        dated = {*memories} if changed else _of_several_days(memories, listed[:MOST_DATED])
    for place in memories.keys() & dated:
        memory = memories[place]
        memories[place] = replace(memory, held=memory.held or (memory.version.valid_from, math.inf))
    return memories


def _of_several_days(memories: Mapping[Place, Memory], places: Iterable[Place]) -> set[Place]:
    """The places of memories that have words in common with one of another day."""
    told = {
        place: (day(memory.version.valid_from), {*analysis.terms(memory.value)} - analysis.STOP_TERMS)
        for place in places
        if (memory := memories.get(place)) is not None
    }
    return {
        place
        for place, (of_day, terms) in told.items()
        if any(of_day != other and len(terms & others) >= IN_COMMON for other, others in told.values())
    }
