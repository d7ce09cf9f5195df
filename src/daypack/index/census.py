"""Counts over the records that a viewer may see. Each takes a condition over the table `record`."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from daypack.index import sql
from daypack.index.vectors import complete
from daypack.ports import Condition, Connection

MOST_LANGUAGES = 12
EVERYTHING = "TRUE"  # the condition where nothing is hidden
FEW_RECORDS = 1_000  # of a place or a kind: counted at once


def count_chunks(db: Connection, visible: Condition) -> int:
    where, parameters = visible
    # The hidden ones are few: counting all others by their records takes fifty times as long.
    hidden = f"SELECT count(*) FROM (SELECT id FROM record WHERE NOT ({where})) AS r CROSS JOIN chunk AS c ON c.record_id = r.id"
    return sql.count(db, "SELECT count(*) FROM chunk") - sql.count(db, hidden, parameters)


class Held(NamedTuple):
    """A place's chunks, and the number that have a vector of the encoder."""

    door: str
    scope: str
    chunks: int
    encoded: int


def chunks_by_place(db: Connection, visible: Condition, model: str) -> list[Held]:
    """Counts of the chunks of every door and scope, and of those with a vector of `model`."""
    where, parameters = visible
    records = _counted(db, "door, scope", complete.places(db))
    if not records:
        return []
    # Mostly one place holds nearly all: its chunks are those that are in no other.
    largest = max(records, key=records.__getitem__)
    others = """SELECT r.door, r.scope, count(*) FROM json_each(?) AS w CROSS JOIN record AS r
        ON r.door = json_extract(w.value, '$[0]') AND r.scope = json_extract(w.value, '$[1]') CROSS JOIN chunk AS c ON c.record_id = r.id GROUP BY 1, 2"""
    smaller = json.dumps([place for place in records if place != largest])
    chunks = {row[:2]: row[2] for row in db.execute(others, (smaller,))}
    chunks[largest] = sql.count(db, "SELECT count(*) FROM chunk") - sum(chunks.values())
    if where != EVERYTHING:
        hidden = f"""SELECT r.door, r.scope, count(*) FROM (SELECT id, door, scope FROM record WHERE ({where}) IS NOT TRUE) AS r
            CROSS JOIN chunk AS c ON c.record_id = r.id GROUP BY 1, 2"""
        for door, scope, count in db.execute(hidden, parameters):
            chunks[door, scope] -= count
    places = f"SELECT id, door, scope, ({where}) AS shown FROM record"
    made = f"""SELECT door, scope, count(*) FROM vec CROSS JOIN chunk AS c ON c.embed_hash = vec.hash CROSS JOIN ({places}) AS r ON r.id = c.record_id
        WHERE vec.model_id = (SELECT id FROM model WHERE name = ?) AND shown GROUP BY 1, 2"""
    encoded = {row[:2]: row[2] for row in db.execute(made, (*parameters, model))}
    return [
        Held(door, scope, count, encoded.get((door, scope), 0))
        for (door, scope), count in sorted(chunks.items())
        if count
    ]


def _counted(db: Connection, columns: str, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The numbers of records with each of these values of two columns, which have an index and no other values.

    The largest number is that of all records, which SQLite knows without reading a row, minus the others; its rows are never
    counted to the end.
    """
    found = dict.fromkeys(pairs, 0)
    left, most = [*found], FEW_RECORDS
    one = f"SELECT count(*) FROM (SELECT 1 FROM record WHERE ({columns}) = (?, ?) LIMIT ?) AS few"
    while len(left) > 1:
        found.update((pair, sql.count(db, one, (*pair, most))) for pair in left)
        left, most = [pair for pair in left if found[pair] == most], 8 * most
    for pair in left:
        others = sum(count for other, count in found.items() if other != pair)
        found[pair] = sql.count(db, "SELECT count(*) FROM record") - others
    return found


class Records(NamedTuple):
    """Numbers of records: by kind, and by language, of the most common languages, most first."""

    kinds: dict[str, int]
    languages: dict[str, int]


def count_records(db: Connection, visible: Condition) -> Records:
    where, parameters = visible
    kinds: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    # In the order of their index, in which both lie together.
    counts = (
        _counted(db, "kind, language", sql.pairs(db, "kind", "language"))
        if where == EVERYTHING
        else {
            row[:2]: row[2]
            for row in db.execute(
                f"SELECT kind, language, count(*) FROM record WHERE {where} GROUP BY kind, language ORDER BY kind, language",
                parameters,
            )
        }
    )
    for (kind, language), count in counts.items():
        kinds[kind] += count
        languages[language] += count
    common = sorted(languages.items(), key=lambda item: (-item[1], item[0]))[:MOST_LANGUAGES]
    return Records(dict(kinds), dict(common))


def languages(db: Connection, visible: Condition) -> list[str]:
    """Every language of a record, in alphabetical order."""
    where, parameters = visible
    rows = db.execute(
        f"SELECT DISTINCT language FROM record WHERE {where} AND language <> '' ORDER BY language", parameters
    )
    return [language for (language,) in rows]


def growth(db: Connection, visible: Condition, steps: int) -> list[tuple[float, int]]:
    """(moment, number of the present records that were stored by then), oldest first."""
    where, parameters = visible
    ((first, last),) = db.execute(
        f"SELECT min(indexed_at), max(indexed_at) FROM record WHERE {where}", parameters
    )
    if first is None:
        return []
    step = max((last - first) / steps, 1.0)
    rows = db.execute(
        f"SELECT max(indexed_at), count(*) FROM record WHERE {where} GROUP BY CAST(floor((indexed_at - ?) / ?) AS INTEGER) ORDER BY 1",
        (*parameters, first, step),
    )
    moments, counts = zip(*rows, strict=True)
    return [*zip(moments, itertools.accumulate(counts), strict=True)]


def is_empty(db: Connection) -> bool:
    """True for a store that holds no content of its users."""
    tables = ("record", "memory", "memory_gone", "session", "collection", "source_item", "source", "label")
    return not any(sql.exists(db, f"SELECT 1 FROM {table} LIMIT 1") for table in tables)


def has_records(db: Connection) -> bool:
    return sql.exists(db, "SELECT 1 FROM record LIMIT 1")


def indexing_times(db: Connection) -> list[tuple[float, int]]:
    """(time of the last indexing, id) of every record."""
    return list(db.execute("SELECT indexed_at, id FROM record"))


def set_indexing_times(db: Connection, times: Iterable[tuple[float, int]]) -> None:
    db.executemany("UPDATE record SET indexed_at = ? WHERE id = ?", times)
