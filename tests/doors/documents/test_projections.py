"""Projections and orders of `find`, as MongoDB reads them."""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.errors import FilterError
from daypack.surfaces.toolsets import verbs

TEAS = [
    {"_id": 2, "name": "Sencha", "at": {"x": 1, "y": 2}},
    {"_id": 1, "name": "Assam", "at": {"x": 3, "y": 4}},
]


def test_an_empty_projection_shows_all_and_an_empty_order_keeps_the_order(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(TEAS)
    assert teas.find({}, projection={}, sort={}) == teas.find() == TEAS
    given = {"collection": "teas", "projection": {}, "sort": {}}
    assert [one["_id"] for one in verbs("docs")["find"](dp, given)["documents"]] == [2, 1]
    assert teas.find(projection={"_id": 1}) == [{"_id": 2}, {"_id": 1}]


@pytest.mark.parametrize(
    ("projection", "where"),
    [
        ({"at": 1, "at.x": 1}, r"projection\.at\.x: is a part of a field"),
        ({"at.x": 0, "at": 0}, r"projection\.at: is named as well"),
        ({"at.x.a": 1, "at.x": 1}, r"projection\.at\.x: is named as well"),
    ],
)
def test_a_field_and_a_part_of_it_in_one_projection_are_refused(
    dp: Daypack, projection: dict[str, int], where: str
) -> None:
    teas = dp.documents.collection("teas")
    teas.insert(TEAS)
    with pytest.raises(FilterError, match=where):
        teas.find(projection=projection)
    assert teas.find({"_id": 2}, projection={"at.x": 1, "at.y": 1}) == [{"_id": 2, "at": {"x": 1, "y": 2}}]
