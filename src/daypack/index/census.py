"""Counts over the records that a viewer may see. Each takes a condition over the table `record`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from daypack.index import sql

if TYPE_CHECKING:
    import apsw

    from daypack.ports import Condition

MOST_LANGUAGES = 12


def count_chunks(db: apsw.Connection, visible: Condition) -> int:
    where, parameters = visible
    chunks = f"SELECT count(*) FROM chunk WHERE record_id IN (SELECT id FROM record WHERE {where})"
    return sql.count(db, chunks, parameters)


class Held(NamedTuple):
    """A place's chunks, and the number that have a vector of the encoder."""

    door: str
    scope: str
    chunks: int
    encoded: int


def chunks_by_place(db: apsw.Connection, visible: Condition, model: str) -> list[Held]:
    """Counts of the chunks of every door and scope, and of those with a vector of `model`."""
    where, parameters = visible
    return sql.rows(
        db,
        Held._make,
        f"""SELECT r.door, r.scope, count(*), count(vec.hash)
            FROM (SELECT id, door, scope FROM record WHERE {where}) AS r JOIN chunk AS c ON c.record_id = r.id
            LEFT JOIN vec ON vec.model_id = (SELECT id FROM model WHERE name = ?) AND vec.hash = c.embed_hash
            GROUP BY r.door, r.scope ORDER BY r.door, r.scope""",
        (*parameters, model),
    )


def records_by_kind(db: apsw.Connection, visible: Condition) -> dict[str, int]:
    where, parameters = visible
    return dict(
        db.execute(f"SELECT kind, count(*) FROM record WHERE {where} GROUP BY kind ORDER BY kind", parameters)
    )


def records_by_language(db: apsw.Connection, visible: Condition) -> dict[str, int]:
    """The most common languages with their numbers of records, most first."""
    where, parameters = visible
    return dict(
        db.execute(
            f"SELECT language, count(*) FROM record WHERE {where} GROUP BY language ORDER BY count(*) DESC, language LIMIT ?",
            (*parameters, MOST_LANGUAGES),
        )
    )


def languages(db: apsw.Connection, visible: Condition) -> list[str]:
    """Every language of a record, in alphabetical order."""
    where, parameters = visible
    rows = db.execute(
        f"SELECT DISTINCT language FROM record WHERE {where} AND language <> '' ORDER BY language", parameters
    )
    return [language for (language,) in rows]


def growth(db: apsw.Connection, visible: Condition, steps: int) -> list[tuple[float, int]]:
    """(moment, number of the present records that were stored by then), oldest first."""
    where, parameters = visible
    ((first, last),) = db.execute(
        f"SELECT min(indexed_at), max(indexed_at) FROM record WHERE {where}", parameters
    )
    if first is None:
        return []
    step = max((last - first) / steps, 1.0)
    rows = db.execute(
        f"SELECT max(indexed_at), count(*) FROM record WHERE {where} GROUP BY CAST((indexed_at - ?) / ? AS INTEGER) ORDER BY 1",
        (*parameters, first, step),
    )
    moments, counts = zip(*rows, strict=True)
    return [*zip(moments, itertools.accumulate(counts), strict=True)]


def is_empty(db: apsw.Connection) -> bool:
    """True for a store that holds no content of its users."""
    tables = ("record", "memory", "memory_gone", "session", "collection", "source_item", "source", "label")
    return not any(sql.exists(db, f"SELECT 1 FROM {table} LIMIT 1") for table in tables)


def indexing_times(db: apsw.Connection) -> list[tuple[float, int]]:
    """(time of the last indexing, id) of every record."""
    return list(db.execute("SELECT indexed_at, id FROM record"))


def set_indexing_times(db: apsw.Connection, times: Iterable[tuple[float, int]]) -> None:
    db.executemany("UPDATE record SET indexed_at = ? WHERE id = ?", times)
