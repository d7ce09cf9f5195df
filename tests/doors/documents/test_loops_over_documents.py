"""Loops over a collection, with other calls between two documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.errors import InputError
from support import WORDS


@pytest.fixture
def notes(dp: Daypack) -> Collection:
    collection = dp.documents.collection("notes")
    collection.insert({"_id": n, "n": n, "text": f"note {n}"} for n in range(1, 2_501))
    return collection


@pytest.mark.parametrize(
    "call",
    [
        lambda dp: dp.memories.recall("a/b"),
        lambda dp: dp.memories.remember("a/c", "value"),
        lambda dp: dp.pack("value", budget=100),
        lambda dp: dp.records.add([{"id": "r", "text": "a record"}]),
        lambda dp: dp.documents.collection("notes").plan_update({"_id": 1}, {"$set": {"n": 5}}),
        lambda dp: dp.documents.collection("copies").load([{"_id": 1}]),
    ],
)
@pytest.mark.parametrize("loop", [iter, Collection.dump, lambda notes: notes.each(sort={"n": 1})])
def test_any_call_may_be_made_inside_a_loop(
    dp: Daypack, notes: Collection, loop: Callable[[Collection], Any], call: Callable[[Daypack], Any]
) -> None:
    dp.memories.remember("a/b", "value")
    documents = loop(notes)
    assert next(documents)
    call(dp)
    assert len(list(documents)) == 2_499


def test_a_collection_is_copied_by_loading_a_loop_over_it(dp: Daypack, notes: Collection) -> None:
    assert dp.documents.collection("copies").load(notes.each()).inserted == 2_500
    assert dp.documents.collection("copies").find() == notes.find()


def test_a_loop_that_was_not_finished_blocks_no_other_writer(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as one, Daypack.open(tmp_path / "s") as other:
        one.documents.collection("notes").insert([{"_id": n} for n in range(3)])
        half_read = one.documents.collection("notes").each()
        next(half_read)
        other.documents.collection("notes").delete({"_id": 2})
        assert not other.engine.store.owes_purge()
        assert list(half_read) == [{"_id": 1}, {"_id": 2}]  # read before, with its page


def test_a_loop_ends_with_the_documents_that_matched_at_its_begin(notes: Collection) -> None:
    seen = []
    for document in notes.each({"n": {"$gte": 1}}):
        if len(seen) < 10:
            notes.insert({"n": document["n"] + 10_000})
        if not seen:
            notes.delete({"_id": 2_000})
            notes.apply(notes.plan_update({"_id": 2_001}, {"$set": {"n": -1}}).token)
        seen.append(document["n"])
    assert seen == [-1 if n == 2_001 else n for n in range(1, 2_501) if n != 2_000]


@pytest.mark.parametrize("path", ["n", "text"])
def test_a_loop_over_an_index_gives_the_same_documents(notes: Collection, path: str) -> None:
    filters: list[dict[str, Any]] = [
        {"n": 7},
        {"n": {"$gt": 1_200}},
        {"text": {"$in": ["note 3", "note 2400"]}},
    ]
    before = [list(notes.each(one, limit=1_100, skip=1)) for one in filters]
    notes.index(path)
    assert [list(notes.each(one, limit=1_100, skip=1)) for one in filters] == before
    assert before == [notes.find(one, limit=1_100, skip=1) for one in filters]


def test_a_write_inside_a_loop_over_one_state_is_refused_with_its_reason(notes: Collection) -> None:
    lines = notes.dump(one_state=True)
    assert json.loads(next(lines))["_id"] == 1
    with pytest.raises(InputError, match="is being read by this `Daypack`; end that read, then write"):
        notes.insert({"n": 1})
    assert len(list(lines)) == 2_499
    assert notes.insert({"n": 1}).inserted == 1
