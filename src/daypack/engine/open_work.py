"""Open work: open tasks of sessions, then those that notes tell of, the newest notes first.

A note is of the day in the name of its file, its title, a heading or its front matter. A task that a newer note has as done is done.
Tasks that name a day asked for come before the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.index import facts
from daypack.query.times.dated_names import (
    LONGEST_FRONT,
    date_of_front_matter,
    days_of,
    days_of_path,
    value_of_mentions,
)
from daypack.rank.views import ChunkFlag
from daypack.text import analysis
from daypack.text.prose.tasks import tasks_in
from daypack.types import PieceKind

if TYPE_CHECKING:
    from daypack.engine.retrieval.scope import Scope
    from daypack.index.facts import ChunkNames
    from daypack.types import Days
    from daypack.types.arrays import Ints

MOST_READ = 4_000  # chunks whose texts are read; of more the newest
_TEMPLATE = re.compile(r"(?i)template|(?:^|/)\.github/")  # their boxes are for copies to come
_OF_PROGRAMS = (PieceKind.ROW, PieceKind.FENCE)  # `actions:` and `action: keep` say what a program does
_LAST = 0.96  # the value of the oldest note; that of the first task is 1
Parts = Sequence[tuple[int, int]]
Day = tuple[int, int, int]


class OpenWork(NamedTuple):
    """The chunks with open tasks."""

    values: Mapping[int, float]  # position → 0 to 1
    parts: Mapping[int, Parts]  # id of a chunk of a note → its tasks, as places in the text of the record


class _Task(NamedTuple):
    chunk_id: int
    part: tuple[int, int]
    text: str
    said: tuple[str, ...]  # its terms
    names: frozenset[str]  # the terms around it
    day: Day
    is_open: bool


def open_work_of(scope: Scope, of_sessions: Ints, subject: Sequence[str], asked: Days | None) -> OpenWork:
    """The open tasks; of notes with a subject those that have all of its terms, in the task or in the names around it."""
    view = scope.view
    here = np.flatnonzero(scope.mask & ~view.code & ((view.flags & ChunkFlag.EVENT) == 0))[-MOST_READ:]
    at = scope.positions_by_id(here)
    tasks = [*_tasks(scope, dict(zip([*at], scope.texts_at(here), strict=True)))]
    done: dict[tuple[str, ...], Day] = {}
    for task in tasks:
        if not task.is_open:
            done[task.said] = max(task.day, done.get(task.said, task.day))
    parts, days = dict[int, list[tuple[int, int]]](), dict[int, tuple[bool, Day]]()
    for task in tasks:
        is_done = not task.is_open or task.day < done.get(task.said, task.day)
        if not is_done and {*subject} <= task.names.union(task.said):
            parts.setdefault(task.chunk_id, []).append(task.part)
            is_due = asked is not None and value_of_mentions(asked, days_of(task.text), "", "", ()) > 0
            days[task.chunk_id] = max((is_due, task.day), days.get(task.chunk_id, (False, task.day)))
    order = [
        *of_sessions[::-1].tolist(),
        *(at[one] for one in sorted(days, key=lambda one: days[one], reverse=True)),
    ]
    return OpenWork(dict(zip(order, np.linspace(1, _LAST, len(order)).tolist(), strict=True)), parts)


def _tasks(scope: Scope, texts: Mapping[int, str]) -> Iterator[_Task]:
    """The tasks of notes, by chunk id → text."""
    found = []
    for chunk in facts.chunk_names(scope.db, [*texts]):
        stem = chunk.uri.rpartition("/")[2].partition(".")[0]
        if chunk.kind in _OF_PROGRAMS or _TEMPLATE.search(chunk.uri):
            continue
        if tasks := tasks_in(texts[chunk.chunk_id], stem, *chunk.headings):
            found.append((chunk, tasks))
    fronts = facts.beginnings(scope.db, {chunk.record_id for chunk, _ in found}, LONGEST_FRONT)
    for chunk, tasks in found:
        day = max(_days(chunk, date_of_front_matter(fronts[chunk.record_id])), default=(0, 0, 0))
        names = frozenset(_terms(chunk.uri, chunk.title, *chunk.headings))
        for start, end, is_open in tasks:
            part, text = (chunk.start + start, chunk.start + end), texts[chunk.chunk_id][start:end]
            said = _terms(re.sub(r"\[.\]|\b(?:TODO|DONE)\b", " ", text))
            yield _Task(chunk.chunk_id, part, text, said, names, day, is_open)


def _terms(*texts: str) -> tuple[str, ...]:
    return tuple(analysis.terms(re.sub(r"[\W_]+", " ", " ".join(texts))))


def _days(chunk: ChunkNames, front: str) -> Iterator[Day]:
    for day in (
        *days_of_path(chunk.uri),
        *(one for name in (front, chunk.title, *chunk.headings) for one in days_of(name)),
    ):
        if day.year:
            yield day.year, day.month, day.day or 0
