"""Fields whose names have dots, as labels, settings and dependencies have them."""

from __future__ import annotations

from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.errors import FilterError

PODS: list[dict[str, Any]] = [
    {"_id": 1, "labels": {"app.kubernetes.io/name": "pay", "tier": {"level": 2}}, "http.status": 200},
    {"_id": 2, "labels": {"app.kubernetes.io/name": "mail"}, "http.status": 500, "http": {"status": 404}},
    {"_id": 3, "labels": {}, "ports": [{"a.b": 5}, {"a": {"b": 6}}], "at": {"$date": 5}},
]


@pytest.fixture
def pods(dp: Daypack) -> Collection:
    collection = dp.documents.collection("pods")
    collection.insert(PODS)
    return collection


@pytest.mark.parametrize(
    ("filter", "found"),
    [
        ({"labels.app.kubernetes.io/name": "pay"}, [1]),
        ({"labels.app.kubernetes.io/name": {"$exists": True}}, [1, 2]),
        ({"http.status": 200}, [1]),
        ({"http.status": 404}, [2]),
        ({"http.status": 500}, []),  # a field inside another comes first
        ({"ports.a.b": 5}, [3]),
        ({"ports": {"$elemMatch": {"a.b": {"$gt": 5}}}}, [3]),
        ({"labels.tier.level": 2}, [1]),
        ({"at.$date": 5}, []),
    ],
)
def test_a_path_leads_to_a_field_with_dots(
    pods: Collection, filter: dict[str, Any], found: list[int]
) -> None:
    assert [one["_id"] for one in pods.find(filter)] == found
    pods.index(*filter)
    assert [one["_id"] for one in pods.find(filter)] == found


@pytest.mark.parametrize(
    ("projection", "shown"),
    [
        ({"_id.k": 1}, [{"_id": {"k": 1}}, {}]),
        ({"_id.k": 1, "t": 1}, [{"_id": {"k": 1}, "t": 5}, {"t": 6}]),
        ({"_id.k": 0}, [{"_id": {"n": 2}, "t": 5}, {"_id": 7, "t": 6}]),
        ({"t": 1}, [{"_id": {"k": 1, "n": 2}, "t": 5}, {"_id": 7, "t": 6}]),
        ({"t": 1, "_id": 0}, [{"t": 5}, {"t": 6}]),
    ],
)
def test_a_field_of_the_id_is_shown_or_left_out_alone(
    dp: Daypack, projection: dict[str, int], shown: list[Any]
) -> None:
    collection = dp.documents.collection("c")
    collection.insert([{"_id": {"k": 1, "n": 2}, "t": 5}, {"_id": 7, "t": 6}])
    assert collection.find(projection=projection, sort={"t": 1}) == shown


@pytest.mark.parametrize("projection", [{"_id": 0, "_id.k": 0}, {"_id.k": 1, "_id": 1}])
def test_the_id_and_a_field_of_it_in_one_projection_are_refused(
    dp: Daypack, projection: dict[str, int]
) -> None:
    collection = dp.documents.collection("c")
    collection.insert([{"_id": {"k": 1, "n": 2}, "t": 5}])
    with pytest.raises(FilterError, match=r"projection\._id\.k: is a part of _id"):
        collection.find(projection=projection)


def test_such_a_field_is_shown_left_out_and_sorted_by(pods: Collection) -> None:
    path = "labels.app.kubernetes.io/name"
    shown = pods.find({path: {"$exists": True}}, projection={path: 1}, sort={path: 1})
    assert [one["labels"] for one in shown] == [
        {"app.kubernetes.io/name": "mail"},
        {"app.kubernetes.io/name": "pay"},
    ]
    assert pods.find({"_id": 1}, projection={path: 0, "http.status": 0}) == [
        {"_id": 1, "labels": {"tier": {"level": 2}}}
    ]
    assert pods.misspelt(None, "labels.app.kubernetes.io/nmae").endswith("'labels.app.kubernetes.io/name'?")


def test_such_a_field_is_changed_in_its_place(pods: Collection) -> None:
    path = "labels.app.kubernetes.io/name"
    changed = pods.apply(
        pods.plan_update({"_id": 1}, {"$set": {path: "cash"}, "$inc": {"http.status": 1}}).token
    )
    assert pods.get(1) == {
        "_id": 1, "labels": {"app.kubernetes.io/name": "cash", "tier": {"level": 2}}, "http.status": 201,
    }  # fmt: skip
    pods.rollback(changed.change_id)
    assert pods.get(1) == PODS[0]
    pods.apply(pods.plan_update({}, {"$unset": {path: 1}, "$set": {"ports.0.a.b": 9, "new.one": 1}}).token)
    assert pods.get(1)["labels"] == {"tier": {"level": 2}}
    assert (pods.get(3)["ports"][0], pods.get(3)["new"]) == ({"a.b": 9}, {"one": 1})
