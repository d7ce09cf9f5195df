"""Identities that read as two values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from support import daypack


@pytest.fixture
def both(dp: Daypack) -> Collection:
    collection = dp.documents.collection("both")
    hex_digits = "65a000000000000000000001"
    collection.insert(
        [{"_id": 2}, {"_id": "2"}, {"_id": {"$oid": hex_digits}}, {"_id": hex_digits}, {"_id": 3}]
    )
    return collection


def test_python_gets_the_document_of_exactly_this_string(both: Collection) -> None:
    for identity in ("2", 2, "65a000000000000000000001", {"$oid": "65a000000000000000000001"}, 3):
        assert both.get(identity) == {"_id": identity}


def test_a_string_that_no_document_has_is_read_as_a_person_writes_it(both: Collection) -> None:
    assert both.get("3") == {"_id": 3}
    assert both.get("2", as_written=True) == {"_id": 2}


def test_the_command_line_reads_json_first(tmp_path: Path, both: Collection) -> None:
    for written, identity in (("2", 2), ('"2"', "2")):
        assert json.loads(daypack("docs", "get", "both", written, cwd=tmp_path).stdout) == {"_id": identity}


def test_a_double_beyond_64_bits_has_no_remainder(dp: Daypack) -> None:
    numbers = dp.documents.collection("numbers")
    numbers.insert(
        [{"_id": 1, "n": 2.0**63}, {"_id": 2, "n": 1e300}, {"_id": 3, "n": -(2.0**63)}, {"_id": 4, "n": 8.5}]
    )
    for _ in range(2):
        assert [one["_id"] for one in numbers.find({"n": {"$mod": [2, 0]}})] == [3, 4]
        numbers.index("n")
