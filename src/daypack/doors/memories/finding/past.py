"""Questions about the past: they see the memories that held then, beside those that hold now.

    "who leads the team?"                 team/lead: Ann
    "who led the team before March?"      team/lead (2025-01-10 to 2026-03-01): Tom;  team/lead (since 2026-03-01): Ann

A value may be recorded long after the time that its text is about, so the present ones stay in the answer, behind the
values that held then. The record of a past value has a scope that ordinary viewers do not have, so that no ordinary answer changes by it.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.writing.indexing import as_memory
from daypack.filters import All, Where
from daypack.query import parse_query, past_time
from daypack.shapes.memory_block import key_and_time
from daypack.types import Candidate, Contribution

if TYPE_CHECKING:
    from daypack.doors.memories.context import MemoryContext
    from daypack.doors.memories.types import Memory
    from daypack.engine.engine import Engine
    from daypack.filters import Filter
    from daypack.ports import Connection, Revise

Place = tuple[str, str]  # the scope and uid of a record


class QuestionView(NamedTuple):
    """The engine and the filter for a question, and for one about the past the order of the candidates."""

    engine: Engine
    filter: Filter | None
    revised: Revise | None = None


def seen_then(engine: Engine, question: str, condition: Filter | None) -> QuestionView:
    """The given engine and filter, unless a question is about a time in the past in which memories held that do no longer."""
    viewer, now = engine.visibility.viewer, engine.now()
    with engine.store.reading() as db:
        scopes = [scope for scope in viewer.scopes if spaces.has_past(db, scope)]
        if not scopes or (period := past_time(parse_query(question, now=now), now)) is None:
            return QuestionView(engine, condition)
        ids = [record_id for scope in scopes for record_id in _held_then(db, scope, *period, now.timestamp())]
    if not ids:
        return QuestionView(engine, condition)
    visible = Where(
        "(door <> ? OR substr(scope, 1, 1) <> char(31) OR id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)))",
        (DOOR, json.dumps(ids)),
    )
    since, until = period
    return QuestionView(
        engine.seen_by(spaces.seeing_past(viewer)),
        visible if condition is None else All((condition, visible)),
        partial(then_first, since=since, until=until),
    )


def then_first(candidates: list[Candidate], *, since: float | None, until: float) -> list[Candidate]:
    """The candidates, in which the values that a key held then stand before the one that it holds now. They change places
    and scores, so that nothing else moves. A present value that held then as well stays where it is.
    """
    places: dict[str, list[int]] = defaultdict(list)
    held_then: dict[int, bool] = {}
    for number, candidate in enumerate(candidates):
        if candidate.chunk.door == DOOR:
            key, is_past = key_and_time(candidate.chunk.uri)
            began = candidate.chunk.time
            held_then[number] = bool(is_past) or (since is not None and began is not None and began < until)
            places[key].append(number)
    reordered = [*candidates]
    for numbers in places.values():
        least = math.inf
        for place, number in zip(numbers, sorted(numbers, key=lambda n: not held_then[n]), strict=True):
            if place != number:
                # below the one before: a packer orders equals by itself
                score = min(candidates[place].score, math.nextafter(least, -math.inf))
                reordered[place] = _moved(candidates[number], score, candidates[place].probability)
            least = reordered[place].score
    return sorted(reordered, key=lambda candidate: -candidate.score)


def _moved(candidate: Candidate, score: float, probability: float) -> Candidate:
    share = Contribution("held", 1.0, score - candidate.score)
    parts = (*candidate.contributions, share)
    return candidate._replace(score=score, probability=probability, contributions=parts)


def _held_then(db: Connection, scope: str, since: float | None, until: float, now: float) -> list[int]:
    """Ids of the records in the past of a scope that a question about this time means."""
    times: dict[str, dict[tuple[float, float], int]] = defaultdict(dict)
    for record_id, uid, start, end in table.past_times(db, DOOR, spaces.past_scope(scope)):
        times[spaces.key_of_past(uid)][start, end] = record_id
    begins = table.times_of(db, DOOR, scope, times) if since is None and until < now else {}
    return [
        record_id[time]
        for key, record_id in times.items()
        for time in rules.held_then(sorted(record_id), since, until, now_from=begins.get(key))
    ]


def memories_at(context: MemoryContext, db: Connection, places: Iterable[Place]) -> dict[Place, Memory]:
    """The memories behind records; beside values of the past each says when it held."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for scope, uid in places:
        wanted[scope].append(uid)
    memories: dict[Place, Memory] = {}
    about_past = False
    for space in context.spaces(db):
        scope = spaces.scope_of(space.owner, space.project)
        past = spaces.past_scope(scope)
        for key, (_, memory) in table.held(db, space, wanted[scope]).items():
            memories[scope, key] = memory
        for key in dict.fromkeys(map(spaces.key_of_past, wanted[past])):
            row = table.find(db, space, key)
            for holding in () if row is None else rules.held_times(row.versions):
                if (uid := spaces.past_uid(key, holding.start)) in wanted[past]:
                    assert row is not None
                    memories[past, uid] = as_memory(row, holding.version, (holding.start, holding.end))
                    about_past = True
    if about_past:
        memories = {
            place: replace(memory, held=memory.held or (memory.version.valid_from, math.inf))
            for place, memory in memories.items()
        }
    return memories
