"""Planned changes: what an update does, that it is done as a whole or not at all, and that it can be taken
back.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import mongomock
import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.errors import BadUpdate, NotFound, PlanConflict, PlanSpent
from support import WORDS, environment


def updated(collection: Collection, update: Any, filter: Any = None) -> Any:
    """The first document after an update that is applied and taken back."""
    before = collection.find()
    plan = collection.plan_update(filter or {"_id": 1}, update)
    collection.apply(plan.token)
    after = collection.get(1)
    collection.rollback(plan.token)
    assert collection.find() == before
    return after


@pytest.mark.parametrize(
    "update",
    [
        {"$set": {"name": "x", "origin.height": 5, "new.deep.field": [1]}},
        {"$set": {"tags.1": "z", "tags.4": "far"}},
        {"$unset": {"name": "", "origin.height": 1, "gone": 1}},
        {"$inc": {"year": 3, "price": 0.5, "fresh": 2}},
        {"$min": {"year": 2000, "price": 100, "fresh": 1}},
        {"$max": {"year": 2030, "price": 1, "fresh": 1}},
        {"$rename": {"name": "label", "gone": "there"}},
        {"$push": {"tags": "x", "fresh": 1}},
        {"$push": {"tags": {"$each": ["x", "y"]}}},
        {"$push": {"tags": {"$each": ["x", "y"], "$position": 1}}},
        {"$push": {"tags": {"$each": ["x"], "$slice": -2}}},
        {"$addToSet": {"tags": "green"}},
        {"$addToSet": {"tags": {"$each": ["green", "new"]}}},
        {"$pull": {"tags": "green"}},
        {"$pull": {"tags": {"$in": ["japan", "other"]}}},
        {"$pop": {"tags": 1}},
        {"$pop": {"tags": -1}},
        {"$set": {"a": 1}, "$unset": {"price": ""}, "$push": {"tags": 5}},
    ],
)
def test_an_operator_does_what_it_does_elsewhere(teas: Collection, update: Any) -> None:
    theirs = mongomock.MongoClient().db.teas
    theirs.insert_one(teas.get(1))
    theirs.update_one({"_id": 1}, update)
    assert updated(teas, update) == theirs.find_one({"_id": 1})


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ({"$pull": {"items": {"n": {"$gt": 1}}}}, {"items": [{"n": 1, "k": 1}, 7]}),
        ({"$pull": {"items": 7}}, {"items": [{"n": 1, "k": 1}, {"n": 2}]}),
        ({"$set": {"items.0.n": 9}}, {"items": [{"n": 9, "k": 1}, {"n": 2}, 7]}),
        ({"$addToSet": {"items": {"$each": [8, 7, 8]}}}, {"items": [{"n": 1, "k": 1}, {"n": 2}, 7, 8]}),
        ({"$mul": {"items.0.n": 5, "items.1.n": 0.5}}, {"items": [{"n": 5, "k": 1}, {"n": 1.0}, 7]}),
        ({"$mul": {"new": 5}}, {"items": [{"n": 1, "k": 1}, {"n": 2}, 7], "new": 0}),
        ({"$unset": {"items.0": ""}}, {"items": [None, {"n": 2}, 7]}),
    ],
)
def test_arrays_of_objects(dp: Daypack, update: Any, expected: Any) -> None:
    collection = dp.documents.collection("c")
    collection.insert({"_id": 1, "items": [{"n": 1, "k": 1}, {"n": 2}, 7]})
    assert updated(collection, update) == {"_id": 1, **expected}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (1, [[1], 2, [3, 1], None, [None]]),
        (None, [[1], 1, 2, [3, 1], [None], 1]),
        ([1], [1, 2, [3, 1], None, [None], 1]),
        ([], [[1], 1, 2, [3, 1], None, [None], 1]),
    ],
)
def test_pull_by_value_keeps_the_arrays_that_hold_the_value(dp: Daypack, value: Any, kept: Any) -> None:
    collection = dp.documents.collection("c")
    collection.insert({"_id": 1, "a": [[1], 1, 2, [3, 1], None, [None], 1]})
    assert updated(collection, {"$pull": {"a": value}}) == {"_id": 1, "a": kept}


@pytest.mark.parametrize(
    ("update", "problem"),
    [
        ({}, "takes an object of operators"),
        ({"$set": {}}, "$set: takes an object of fields"),
        ({"$set": {"name.x": 1}}, "'name' is \"Sencha\", which has no fields"),
        ({"$set": {"tags.x": 1}}, "'tags' is an array; name an element by its number"),
        ({"$set": {"tags.99999": 1}}, "the array has 2 elements"),
        ({"$set": {"tags.$": 1}}, "positional operators are not supported"),
        ({"$set": {"a": {"$oid": "x"}}}, "is not an ObjectId"),
        ({"$set": {"a": 1}, "$inc": {"a": 1}}, "another operator would change 'a' at once"),
        ({"$set": {"a": {}}, "$unset": {"a.b": 1}}, "another operator would change 'a.b' at once"),
        ({"$rename": {"a": "_id"}}, "the _id of a document never changes"),
        ({"$inc": {"year": "1"}}, "takes a number"),
        ({"$inc": {"name": 1}}, "its value is not a number"),
        ({"$inc": {"year": 9223372036854775807}}, "the result has more than 64 bits"),
        ({"$push": {"name": 1}}, "its value is not an array"),
        ({"$push": {"tags": {"$each": [1], "$sort": 1}}}, "is not supported beside $each"),
        ({"$pop": {"tags": 2}}, "takes 1 for the last element"),
        ({"$pull": {"tags": {"$gtt": 1}}}, "did you mean '$gt'?"),
    ],
)
def test_an_update_that_does_not_fit_plans_nothing(
    dp: Daypack, teas: Collection, update: Any, problem: str
) -> None:
    before = teas.find()
    with pytest.raises(BadUpdate) as error:
        teas.plan_update({"_id": 1}, update)
    assert problem in str(error.value)
    assert teas.find() == before
    assert dp.documents.plans() == []


def test_a_plan_shows_what_would_be_and_writes_nothing_else(dp: Daypack, teas: Collection) -> None:
    before = teas.find()
    plan = teas.plan_update({"year": {"$exists": True}}, {"$set": {"year": 2021}})
    assert (plan.matched, plan.changed) == (3, 1)
    assert plan.sample == ((teas.get(2), {**teas.get(2), "year": 2021}),)
    assert teas.find() == before
    assert [(item["state"], item["documents"]) for item in dp.documents.plans()] == [("planned", 1)]


def test_a_plan_fails_as_a_whole_when_one_of_its_documents_changed(teas: Collection) -> None:
    plan = teas.plan_update({}, {"$set": {"seen": True}})
    teas.load([({**teas.get(3), "name": "other"}, "line 1")], replace=True)
    now = teas.find()
    with pytest.raises(PlanConflict) as error:
        teas.apply(plan.token)
    assert error.value.ids == ("3",)
    assert teas.find() == now


def test_a_plan_expires_when_one_of_its_documents_is_deleted(teas: Collection) -> None:
    plan = teas.plan_update({}, {"$set": {"seen": True}})
    teas.delete({"_id": 4})
    now = teas.find()
    with pytest.raises(
        PlanSpent, match="expired when one of its documents was deleted; plan the update again"
    ):
        teas.apply(plan.token)
    assert teas.find() == now


def test_a_plan_is_applied_once_and_rolled_back_once(teas: Collection) -> None:
    plan = teas.plan_update({"_id": 1}, {"$inc": {"year": 1}})
    with pytest.raises(PlanSpent, match="was never applied"):
        teas.rollback(plan.token)
    teas.apply(plan.token)
    with pytest.raises(PlanSpent, match="was applied already"):
        teas.apply(plan.token)
    teas.rollback(plan.token)
    with pytest.raises(PlanSpent, match="was rolled back already"):
        teas.rollback(plan.token)
    with pytest.raises(PlanSpent, match="plan the update again"):
        teas.apply(plan.token)
    with pytest.raises(NotFound):
        teas.apply("f" * 24)


def test_a_rollback_that_would_lose_later_changes_is_refused_unless_it_is_forced(teas: Collection) -> None:
    before = teas.find()
    plan = teas.plan_update({}, {"$set": {"seen": True}})
    teas.apply(plan.token)
    teas.load([({**teas.get(1), "later": 1}, "line 1")], replace=True)
    teas.delete({"_id": 2})
    teas.delete({"_id": 3})
    teas.insert({"_id": 3, "made": "anew"})
    with pytest.raises(PlanConflict) as error:
        teas.rollback(plan.token)
    assert error.value.ids == ("1",)
    assert teas.get(1)["later"] == 1
    teas.rollback(plan.token, force=True)
    # What was deleted stays deleted: nothing in the store could bring it back.
    kept = [item for item in before if item["_id"] not in (2, 3)]
    assert teas.find(sort={"_id": 1}) == [kept[0], {"_id": 3, "made": "anew"}, *kept[1:]]


def test_a_plan_expires(tmp_path: Path) -> None:
    now = [1_790_000_000.0]
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=lambda: now[0]) as dp:
        collection = dp.documents.collection("c")
        collection.insert({"_id": 1})
        plan = collection.plan_update({}, {"$set": {"a": 1}}, expires_seconds=60)
        now[0] += 61
        assert dp.documents.plans()[0]["state"] == "expired"
        with pytest.raises(PlanSpent, match="expired on 2026-09-21"):
            collection.apply(plan.token)
        collection.plan_update({}, {"$set": {"a": 2}})
        assert len(dp.documents.plans()) == 1


# ---------------------------------------------------------------- crashes and races

KILLED = """
import os, signal, sys
from daypack import Daypack
from daypack.settings import Settings

verb, given, at = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Daypack.open(".daypack", settings=Settings(embedder="hashing")) as dp:
    documents = dp.documents
    count = 0

    def counted(cursor, statement, bindings):
        global count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    dp.engine.store.db.exec_trace = counted
    if verb == "plan":
        documents.collection(given).plan_update({}, {"$inc": {"n": 100}})
    else:
        getattr(documents, verb)(given)
    print(count)
"""


def killed_at(folder: Path, verb: str, given: str, at: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", KILLED, verb, given, str(at)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_process_that_is_killed_while_it_plans_leaves_a_whole_plan_or_none(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.documents.collection("c").insert([{"_id": number, "n": number} for number in range(12)])
    at = died = 0
    while (done := killed_at(tmp_path, "plan", "c", at := at + 1)).returncode == -signal.SIGKILL:
        died += 1
        with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
            collection = dp.documents.collection("c")
            assert [document["n"] for document in collection.find()] == [*range(12)], (
                f"killed at statement {at}"
            )
            for plan in dp.documents.plans():  # what is listed is whole: it can be carried out and taken back
                assert dp.documents.apply(plan["token"]).matched == 12
                dp.documents.rollback(plan["token"])
    assert done.returncode == 0, done.stderr
    assert died >= 3
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        assert len(dp.documents.plans()) == 1


@pytest.mark.parametrize("verb", ["apply", "rollback"])
def test_a_process_that_is_killed_at_any_statement_leaves_the_old_or_the_new(
    tmp_path: Path, verb: str
) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        collection = dp.documents.collection("c")
        collection.insert([{"_id": number, "n": number} for number in range(12)])
        collection.index("n")
        plan = collection.plan_update({}, {"$inc": {"n": 100}})
        if verb == "rollback":
            collection.apply(plan.token)
    old, new = (0, 100) if verb == "apply" else (100, 0)

    def state() -> tuple[str, set[int], int]:
        with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
            collection = dp.documents.collection("c")
            shift = {item["n"] - item["_id"] for item in collection.find()}
            return dp.documents.plans()[0]["state"], shift, collection.count({"n": {"$gte": 100}})

    at, died = 1, 0
    while (done := killed_at(tmp_path, verb, plan.token, at)).returncode == -signal.SIGKILL:
        died += 1
        assert state() == ({"apply": "planned", "rollback": "applied"}[verb], {old}, 12 if old else 0), (
            f"killed at statement {at}"
        )
        at += 9
    assert done.returncode == 0, done.stderr
    assert died >= 5
    assert state() == ({"apply": "applied", "rollback": "rolled_back"}[verb], {new}, 12 if new else 0)
