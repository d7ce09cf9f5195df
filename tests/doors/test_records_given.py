"""Records as programs give them, and their faults."""

from __future__ import annotations

from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import BadRecord


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "x", "json": 1}, "[0]json: is given beside a text; give one of the two"),
        ({"json": float("nan")}, "[0]json: Out of range float values are not JSON compliant"),
        ({"json": {"a": [float("inf")]}}, "[0]json: Out of range float values are not JSON compliant"),
        ({"text": "x", "metadata": {"a": float("nan")}}, "[0]metadata: Out of range float values"),
        ({"text": "x", "trust": "foo"}, "[0]trust: must be one of user, agent, untrusted"),
        ({"text": "x", "kind": "foo"}, "[0]kind: must be one of "),
        ({"text": "x", "title": 0}, "[0]title: must be a string"),
        ({"text": "x", "author": False}, "[0]author: must be a string"),
    ],
)
def test_a_faulty_field_is_refused_by_its_name(dp: Daypack, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord) as error:
        dp.records.add([{"id": "a", **fields}])
    assert message in str(error.value)
    assert dp.status()["records"] == 0


def test_fields_without_a_value_are_left_out(dp: Daypack) -> None:
    dp.records.add([{"id": "a", "text": None, "json": {"n": 1}, "title": None, "session": None}])
    assert dp.get("a").text == '{\n "n": 1\n}'


def test_a_record_named_by_digits_is_found_before_the_chunk_of_that_number(dp: Daypack) -> None:
    dp.records.add([{"id": str(number), "text": f"text of {number}"} for number in (30, 2, 1, 12)])
    for number in (30, 2, 1, 12):
        assert dp.get(str(number)).text == f"text of {number}"
    chunk = dp.search("text", limit=1)[0].chunk
    assert dp.get(f"#{chunk.id}").text == dp.get(chunk.id).text == chunk.text
    dp.records.add([{"id": f"note {number}", "text": "more"} for number in range(5)])
    assert dp.get("9").text == "more"  # no record has that name, so it is a chunk
