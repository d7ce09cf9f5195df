"""Fields that begin with $, as descriptions of interfaces and schemas have them."""

from __future__ import annotations

from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import BadDocument, BadUpdate, FilterError, InputError

SPEC: dict[str, Any] = {
    "_id": "pay",
    "$schema": "https://example.org/schema",
    "paths": {"/refunds": {"post": {"body": {"$ref": "#/schemas/Refund"}, "tags": ["money"]}}},
    "$defs": {"Refund": {"type": "object", "$comment": "Kept for 48 hours."}},
}


def test_a_document_with_references_is_kept_found_and_changed(dp: Daypack) -> None:
    specs = dp.documents.collection("specs")
    specs.insert([SPEC, {"_id": "other", "paths": {}}])
    assert specs.get("pay") == SPEC
    wanted = {"paths./refunds.post.body.$ref": "#/schemas/Refund"}
    specs.index("paths./refunds.post.body.$ref")
    assert [one["_id"] for one in specs.find(wanted, sort={"paths./refunds.post.body.$ref": 1})] == ["pay"]
    assert specs.find(wanted, projection={"paths./refunds.post.body.$ref": 1}) == [
        {"_id": "pay", "paths": {"/refunds": {"post": {"body": {"$ref": "#/schemas/Refund"}}}}}
    ]
    specs.apply(
        specs.plan_update(wanted, {"$set": {"paths./refunds.post.body.$ref": "#/schemas/Money"}}).token
    )
    assert specs.get("pay")["paths"]["/refunds"]["post"]["body"] == {"$ref": "#/schemas/Money"}
    lines = list(specs.dump())
    again = dp.documents.collection("again")
    again.load((one, "line") for one in specs.find())
    assert list(again.dump()) == lines
    assert "48 hours" in dp.pack("how long is a refund kept?", budget=300).text


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"$set": {"a": 1}}, "has the field '$set'"),
        ({"price": {"$numberDecimal": "1.5"}}, "has the field '$numberDecimal', a type that is not kept"),
        ({"a": 1, "at": {"x": 1, "$date": 5}}, "is not a $date"),
        ({"$oid": "64b7f0c2a1b2c3d4e5f60718"}, "an object with fields of its own"),
    ],
)
def test_signs_that_mean_a_type_or_an_operator_are_no_fields(
    dp: Daypack, document: dict[str, Any], problem: str
) -> None:
    with pytest.raises(BadDocument) as error:
        dp.documents.collection("c").insert(document)
    assert problem in str(error.value)


def test_positions_of_arrays_are_refused_where_a_field_is_meant(dp: Daypack) -> None:
    specs = dp.documents.collection("specs")
    specs.insert(SPEC)
    for path in ("a.$", "a.$[].b", "$a", "$natural"):
        with pytest.raises(BadUpdate):
            specs.plan_update({}, {"$set": {path: 1}})
        with pytest.raises(FilterError):
            specs.find({}, projection={path: 1})
        with pytest.raises(FilterError, match=r"sort\..* is not a path"):
            specs.find({}, sort={path: 1})
        with pytest.raises(InputError, match="is not a path"):
            specs.index(path)
