"""Generated documents and filters, and MongoDB's meaning of them as mongomock has it: an oracle that shares
no line with us.

    python tests/doors/documents/document_oracle.py --pairs 100000        the full run; the suite takes a sample

mongomock differs from MongoDB in places that are known, and what is generated stays away from them: true
equals 1 there, and objects are equal in any order of their fields; `$size` and `$elemMatch` match scalars;
two operators on a path through an array must hold for one element; nothing at a path through an array or a
scalar is not null, and `$not` and `{$exists: false}` are false there; `$gte: null` does not find missing
fields, and {"a": {}} does; arrays as operands of operators are not looked for inside arrays; `$all: []` finds
everything. Those cases are stated one by one in test_document_filters.py.
"""

from __future__ import annotations

import argparse
import base64
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bson import ObjectId
from mongomock.filtering import filter_applies

from daypack.doors.documents.filters.language import parse_filter
from daypack.doors.documents.filters.predicate import predicate
from daypack.doors.documents.model.values import ValueKind, cleaned, kind_of
from daypack.shapes.strict_json import canonical

if TYPE_CHECKING:
    from daypack.doors.documents.collection import Collection

SCALARS: list[Any] = [
    None, True, False, 2, 5, 7, -3, 1 << 40, 2.0, 2.5, -3.0, 1e20, "", "a", "ab", "Ab", "b c", "日本", "z" * 30,
    {"$oid": "64b7f0c2a1b2c3d4e5f60718"}, {"$oid": "64b7f0c2a1b2c3d4e5f60719"}, {"$date": 0}, {"$date": 1_790_812_800_000}, {"$date": -5},
    {"$binary": {"base64": "AAE=", "subType": "00"}}, {"$binary": {"base64": "AAECAw==", "subType": "00"}},
]  # fmt: skip
PATTERNS = ["a", "^a", "b$", "^(a|z)+$", "[a-c]b", "本", "x*", "^A"]
TOP = ["a", "b", "c", "list", "items", "nested"]
DOTTED = [
    "nested.x",
    "nested.y.z",
    "items.x",
    "items.y",
    "items.y.z",
    "list.0",
    "items.1.x",
    "c.x",
    "a.x",
    "a.0",
]
INDEXED = ["a", "b", "nested.x", "items.x", "list", "items.y.z", "a.0"]
"""Paths that the differential test indexes; the others are scanned."""
TYPES = ["double", "string", "object", "array", "binData", "objectId", "bool", "date", "number"]


def value(chance: random.Random, depth: int = 0) -> Any:
    pick = chance.random()
    if depth < 2 and pick < 0.12:
        return [value(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    if depth < 2 and pick < 0.24:
        return inner(chance, depth + 1)
    return chance.choice(SCALARS)


def inner(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    return {name: value(chance, depth + 1) for name in ("x", "y", "z") if chance.random() < 0.5}


def document(chance: random.Random, number: int) -> dict[str, Any]:
    found: dict[str, Any] = {"_id": number}
    for name in ("a", "b", "c"):
        if chance.random() < 0.8:
            found[name] = value(chance)
    if chance.random() < 0.7:
        found["items"] = [inner(chance) for _ in range(chance.randint(0, 3))]
    if chance.random() < 0.7:
        found["list"] = [chance.choice(SCALARS) for _ in range(chance.randint(0, 4))]
    if chance.random() < 0.7:
        found["nested"] = {"x": value(chance), **({"y": inner(chance)} if chance.random() < 0.6 else {})}
    return found


def operand(chance: random.Random, *, null: bool) -> Any:
    pick = chance.choice([*SCALARS, {"x": 2}, {"x": 5, "y": "a"}, {}])
    return 5 if pick is None and not null else pick


def condition(chance: random.Random, path: str) -> Any:
    top = "." not in path
    kinds = ["is", "$eq", "$ne", "$in", "$nin", "$gt", "$gte", "$lt", "$lte", "$regex", "$type", "$exists"]
    if top:
        kinds += ["$all", "$not", "two", "whole"]
    if path == "list":
        kinds += ["$size", "by value"]
    if path == "items":
        kinds += ["by field"]
    match chance.choice(kinds):
        case "is":
            found = operand(chance, null=top)
            return found if found != {} else 5
        case "whole":
            return [chance.choice(SCALARS) for _ in range(chance.randint(0, 2))]
        case "$eq" | "$ne" as name:
            return {name: operand(chance, null=top)}
        case "$in" | "$nin" as name:
            return {name: [operand(chance, null=top) for _ in range(chance.randint(0, 4))]}
        case "$gt" | "$lt" as name:
            return {name: operand(chance, null=True)}
        case "$gte" | "$lte" as name:
            return {name: operand(chance, null=False)}
        case "$regex":
            return {"$regex": chance.choice(PATTERNS), **({"$options": "i"} if chance.random() < 0.3 else {})}
        case "$type":
            return {"$type": chance.choice(TYPES)}
        case "$exists":
            return {"$exists": True if not top else chance.random() < 0.5}
        case "$all":
            return {"$all": [operand(chance, null=False) for _ in range(chance.randint(1, 2))]}
        case "$size":
            return {"$size": chance.randint(0, 4)}
        case "$not":
            while not _is_operators(found := condition(chance, path)) or "$not" in found:
                pass
            found.pop("$options", None)
            return {"$not": found}
        case "two":
            return {"$gte": operand(chance, null=False), "$lt": operand(chance, null=False)}
        case "by value":
            return {"$elemMatch": {"$gt": operand(chance, null=False), "$ne": operand(chance, null=False)}}
        case _:
            return {
                "$elemMatch": {chance.choice(["x", "y"]): condition(chance, "x"), "z": condition(chance, "z")}
            }


def _is_operators(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and bool(found)
        and kind_of(found) is ValueKind.OBJECT
        and next(iter(found)).startswith("$")
    )


def search_filter(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3]) if depth == 0 else chance.choice([1, 1, 2])):
        if depth < 2 and chance.random() < 0.25:
            found[chance.choice(["$and", "$or", "$nor"])] = [
                search_filter(chance, depth + 1) for _ in range(chance.randint(1, 3))
            ]
        else:
            path = chance.choice(TOP + DOTTED)
            found[path] = condition(chance, path)
    return found or ({} if depth == 0 else {"a": 5})


def python(value: Any) -> Any:
    """A value as pymongo hands it over."""
    match value:
        case {"$oid": digits}:
            return ObjectId(digits)
        case {"$date": moment}:
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=moment)
        case {"$binary": {"base64": data}}:
            return base64.b64decode(data)
        case dict():
            return {name: python(item) for name, item in value.items()}
        case list():
            return [python(item) for item in value]
    return value


def disagreements(
    seed: int,
    filters: int,
    documents: int,
    answer: Callable[[dict[str, Any]], set[int]] | None = None,
    given: list[Any] | None = None,
) -> tuple[int, list[str]]:
    """(pairs that were compared, what disagreed).

    `answer` gives the numbers of the matching ones of `given` by another way, which is held to the predicate.
    """
    chance = random.Random(seed)
    found = given if given is not None else [document(chance, number) for number in range(documents)]
    clean = [cleaned(item) for item in found]
    theirs = [python(item) for item in found]
    wrong: list[str] = []
    pairs = 0
    for _ in range(filters):
        asked = search_filter(chance)
        test = predicate(parse_filter(asked))
        search = python(asked)
        ours: set[int] = set()
        for item, twin in zip(clean, theirs, strict=True):
            pairs += 1
            holds = test(item)
            if holds:
                ours.add(item["_id"])
            if holds is not bool(filter_applies(search, twin)):
                wrong.append(
                    f"{'' if holds else 'not '}matched by us: {canonical(asked)} on {canonical(item)}"
                )
        if answer is not None and answer(asked) != ours:
            wrong.append(f"SQL and predicate differ: {canonical(asked)}")
    return pairs, wrong


def matching(collection: Collection, asked: dict[str, Any]) -> set[int]:
    """The numbers of the documents that a collection finds, by its indexes where it can."""
    return {item["_id"] for item in collection.find(asked)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    import tempfile
    from pathlib import Path

    from daypack import Daypack

    done, wrong, seed = 0, [], arguments.seed
    while done < arguments.pairs:
        chance = random.Random(1_000_000 + seed)
        found = [document(chance, number) for number in range(50)]
        with tempfile.TemporaryDirectory() as folder, Daypack.open(Path(folder) / ".daypack") as dp:
            collection = dp.documents.collection("c")
            collection.insert(found)
            collection.index(*INDEXED)
            pairs, more = disagreements(seed, 100, 0, partial(matching, collection), found)
        done, seed = done + pairs, seed + 1
        wrong += more
    sys.stdout.write("".join(f"{line}\n" for line in wrong[:20]))
    sys.stdout.write(f"{done:,} pairs, {len(wrong):,} disagreements\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
