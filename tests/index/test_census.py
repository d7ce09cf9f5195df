"""Counts by place and by kind read few rows, and are those of a count of every row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from daypack.index import census, sql
from daypack.index.stores import open_store
from daypack.index.vectors import complete
from daypack.ports import Connection

_TEXTS = "uri title rendered author session trust tags metadata text hash imports fallback"
EMPTY_RECORD = dict.fromkeys(_TEXTS.split(), "") | {"mtime_ns": 0, "size": 0, "indexed_at": 0.0}
_NUMBERS = "start end start_line end_line section tokens"
EMPTY_CHUNK = dict.fromkeys(_NUMBERS.split(), 0) | dict.fromkeys(["kind", "name", "trail", "signature"], "")
EMPTY_CHUNK |= {"hash": b"", "embed_hash": b""}


def put(db: Connection, numbers: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(numbers):
        place = chance.choices(
            [("files", ""), ("docs", "a"), ("docs", "b"), ("docs", "b c"), ("notes", "")], [60, 9, 9, 3, 1]
        )
        kind = chance.choices(
            [("code", "python"), ("code", "go"), ("code", ""), ("document", "")], [9, 3, 1, 7]
        )
        named = {
            "door": place[0][0],
            "scope": place[0][1],
            "uid": str(number),
            "kind": kind[0][0],
            "language": kind[0][1],
        }
        sql.insert(db, "record", EMPTY_RECORD | named)


@pytest.mark.parametrize("few", [1, 3, 1_000])
@pytest.mark.parametrize("numbers", [0, 1, 60])
def test_counts_of_records_are_those_of_a_full_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: int, few: int
) -> None:
    monkeypatch.setattr(census, "FEW_RECORDS", few)
    with open_store(tmp_path) as store, store.writing() as db:
        put(db, numbers, seed=few)
        places = dict.fromkeys(db.execute("SELECT door, scope FROM record ORDER BY door, scope"))
        assert complete.places(db) == [*places]
        every = census.count_records(db, ("TRUE", ()))
        assert every == census.count_records(db, ("1 = 1", ()))
        assert sum(every.kinds.values()) == numbers


def test_hidden_chunks_count_in_no_place(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, store.writing() as db:
        put(db, 40, seed=5)
        for row in list(db.execute("SELECT id FROM record")):
            for ordinal in range(row[0] % 3):
                sql.insert(db, "chunk", EMPTY_CHUNK | {"record_id": row[0], "ordinal": ordinal})
        hidden = "uid NOT IN (SELECT CAST(value AS TEXT) FROM json_each(?))"
        found = census.chunks_by_place(db, (hidden, ("[1, 2, 3, 5, 7, 11]",)), "")
        counted = db.execute(
            f"""SELECT door, scope, count(*) FROM record JOIN chunk ON chunk.record_id = record.id
                WHERE {hidden} GROUP BY 1, 2 ORDER BY 1, 2""",
            ("[1, 2, 3, 5, 7, 11]",),
        )
        assert [(one.door, one.scope, one.chunks) for one in found] == list(counted)
        assert sum(one.chunks for one in census.chunks_by_place(db, ("TRUE", ()), "")) == sql.count(
            db, "SELECT count(*) FROM chunk"
        )
