"""Paths with numbers, and elements that are arrays, as MongoDB's matcher goes through them; the same with an index.

{"a": [[1, 2], 3]}    "a.0" leads to [1, 2], which is not opened; "a" leads to the array and to its elements
{"a": ["x"]}          "a.0.b" leads to nothing, not even to a missing value
{"a": [["x", -1]]}    $elemMatch sees {"0": "x", "1": -1}
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.documents.filters.language import parse_filter
from daypack.doors.documents.filters.predicate import predicate
from daypack.doors.documents.model.values import cleaned, order_key
from daypack.shapes.strict_json import canonical

NOTHING = object()
STATED: list[tuple[dict[str, Any], Any, bool]] = [
    ({"a.0": 1}, [[1, 2], 3], False),
    ({"a.0": [1, 2]}, [[1, 2], 3], True),
    ({"a.1": 3}, [[1, 2], 3], True),
    ({"a.0.1": 2}, [[1, 2], 3], True),
    ({"a.0": {"$ne": 1}}, [[1, 2], 3], True),
    ({"a.0": {"$nin": [1, 2]}}, [[1, 2], 3], True),
    ({"a.0": {"$lt": 5}}, [[1, 2], 3], False),
    ({"a.0": {"$type": "number"}}, [[1, 2], 3], False),
    ({"a.0": {"$type": "array"}}, [[1, 2], 3], True),
    ({"a.0": {"$size": 2}}, [[1, 2], 3], True),
    ({"a.0": {"$elemMatch": {"$gt": 1}}}, [[1, 2], 3], True),
    ({"a.0": 1}, [{"0": [1, 2]}], True),
    ({"a.0": 1}, {"0": [1, 2]}, True),
    ({"a.0.b": 1}, [{"b": [1, 2]}], True),
    ({"a.0.b": None}, ["x"], False),
    ({"a.0.b": {"$ne": None}}, ["x"], True),
    ({"a.0.b": {"$in": [None]}}, ["x"], False),
    ({"a.0.b": None}, [{"c": 1}], True),
    ({"a.0.b": None}, [{"b": 1}], True),
    ({"a.0.b": None}, [], False),
    ({"a.0.b": None}, "x", True),
    ({"a": {"$elemMatch": {"b": 1}}}, [[{"b": 1}]], False),
    ({"a": {"$elemMatch": {"b": 1}}}, [{"b": 1}], True),
    ({"a": {"$elemMatch": {"b": None}}}, [["x", -1]], True),
    ({"a": {"$elemMatch": {"b": None}}}, [[]], True),
    ({"a": {"$elemMatch": {"b": None}}}, ["x"], False),
    ({"a": {"$elemMatch": {"0": "x", "1": {"$lt": 0}}}}, [["x", -1]], True),
    ({"a": {"$elemMatch": {"0.b": 1}}}, [[{"b": 1}]], True),
]
PATHS = ["a", "a.0", "a.1", "a.0.0", "a.0.b", "a.b", "a.b.0", "a.0.b.1", "a.b.0.b"]
OPERANDS = [1, 2, "x", None, [1, 2], {"b": 1}]


@pytest.mark.parametrize(("asked", "value", "found"), STATED, ids=lambda part: canonical(part))
def test_a_path_with_a_number_leads_where_mongodb_goes(
    dp: Daypack, asked: dict[str, Any], value: Any, found: bool
) -> None:
    collection = dp.documents.collection("c")
    collection.insert([{"_id": 1, "a": value}])
    assert bool(collection.count(asked)) is found
    collection.index("a", "a.0", "a.1", "a.0.1", "a.0.b")
    assert bool(collection.count(asked)) is found


def elements(value: Any, steps: list[str]) -> Iterator[Any]:
    """The elements that MongoDB's iterator gives for a path into an object, NOTHING for a missing one: written after the
    description of its matcher, with no line of ours.
    """
    while steps and isinstance(value, dict):
        value, steps = value.get(steps[0], NOTHING), steps[1:]
    if isinstance(value, list):
        yield from in_array(value, steps)
    else:
        yield NOTHING if steps else value


def in_array(value: list[Any], steps: list[str]) -> Iterator[Any]:
    if not steps:
        yield from value
        yield value
        return
    for number, item in enumerate(value):
        if isinstance(item, dict):
            yield from elements(item, steps)
        if str(number) != steps[0]:
            continue
        if len(steps) == 1:
            yield item
        elif isinstance(item, dict):
            yield from elements(item, steps[1:])
        elif isinstance(item, list):
            yield from in_array(item, steps[1:])


def theirs(asked: dict[str, Any], document: dict[str, Any]) -> bool:
    ((path, condition),) = asked.items()
    ((name, operand),) = condition.items()
    found = [*elements(document, path.split("."))]
    if name in ("$eq", "$ne"):
        wanted = [operand]
    elif name in ("$in", "$nin"):
        wanted = operand
    elif name == "$lt":
        return any(type(item) in (int, float) and item < operand for item in found)
    else:
        kinds = {"array": list, "object": dict, "string": str, "null": type(None)}
        return any(isinstance(item, kinds[operand]) for item in found)
    equal = any(
        None in wanted if item is NOTHING else order_key(item) in [order_key(one) for one in wanted]
        for item in found
    )
    return equal is (name in ("$eq", "$in"))


def value(chance: random.Random, depth: int = 0) -> Any:
    pick = chance.random()
    if depth < 4 and pick < 0.4:
        return [value(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    if depth < 4 and pick < 0.65:
        return {name: value(chance, depth + 1) for name in ("b", "0", "1") if chance.random() < 0.5}
    return chance.choice([1, 2, 3, "x", None])


def condition(chance: random.Random) -> dict[str, Any]:
    match chance.choice(["$eq", "$ne", "$in", "$nin", "$lt", "$type"]):
        case "$in" | "$nin" as name:
            return {name: chance.sample(OPERANDS, 2)}
        case "$lt":
            return {"$lt": chance.randint(1, 4)}
        case "$type":
            return {"$type": chance.choice(["array", "object", "string", "null"])}
        case name:
            return {name: chance.choice(OPERANDS)}


@pytest.mark.parametrize("seed", range(4))
def test_random_paths_with_numbers_find_what_mongodb_finds_with_and_without_an_index(
    dp: Daypack, seed: int
) -> None:
    chance = random.Random(seed)
    documents = [{"_id": number, "a": value(chance)} for number in range(150)]
    asked = [{chance.choice(PATHS): condition(chance)} for _ in range(150)]
    collection = dp.documents.collection("c")
    collection.insert(documents)
    wanted = [{item["_id"] for item in documents if theirs(one, item)} for one in asked]
    for one, expected in zip(asked, wanted, strict=True):
        test = predicate(parse_filter(one))
        assert {item["_id"] for item in documents if test(cleaned(item))} == expected, canonical(one)
    collection.index(*PATHS)
    for one, expected in zip(asked, wanted, strict=True):
        assert {item["_id"] for item in collection.find(one)} == expected, canonical(one)
