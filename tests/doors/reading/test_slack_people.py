"""People of a Slack export whom a channel knows by their ids alone have the names of the list beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack.doors.reading.formats import read_file
from daypack.doors.reading.walk import walk
from daypack.types import Record

DAY = [
    {"type": "message", "user": "U01", "ts": "1793693700.000200", "text": "<@U02>: who tells <@U03>?"},
    {"type": "message", "user": "U02", "ts": "1793693760.000200", "text": "I do."},
]
PEOPLE = [
    {"id": "U01", "name": "ida", "profile": {"real_name": "Ida Holm", "display_name": "idah"}},
    {"id": "U02", "name": "bo", "profile": {"real_name": "", "display_name": "Bo"}},
    {"id": "U04", "name": "eve"},
]


def export(folder: Path, people: str | None = None) -> str:
    """The text of the only channel of an export."""
    (folder / "quay").mkdir(parents=True)
    (folder / "quay/2026-11-03.json").write_text(json.dumps(DAY))
    (folder / "users.json").write_text(json.dumps(PEOPLE) if people is None else people)
    [day] = [file for file in walk(folder).files if file.uid.startswith("quay")]
    record = read_file(day)
    assert isinstance(record, Record)
    return record.text


def test_people_are_named_as_in_the_list_of_the_export(tmp_path: Path) -> None:
    text = export(tmp_path)
    assert "Ida Holm, 3 Nov 2026" in text
    assert ": @Bo: who tells @U03?" in text
    assert "\nBo, 3 Nov 2026" in text


@pytest.mark.parametrize("people", ["", "[", "{}", "[1, null]", '[{"id": "U01", "profile": 5}]', "[[]]"])
def test_a_list_that_is_damaged_leaves_the_ids(tmp_path: Path, people: str) -> None:
    assert "U01, 3 Nov 2026" in export(tmp_path, people)


def test_a_list_outside_of_the_added_folder_is_not_read(tmp_path: Path) -> None:
    export(tmp_path)
    [day] = walk(tmp_path / "quay").files
    record = read_file(day)
    assert isinstance(record, Record)
    assert "U01, 3 Nov 2026" in record.text
    assert "Ida" not in record.text


def test_a_link_to_a_list_is_not_followed(tmp_path: Path) -> None:
    export(tmp_path / "export")
    (tmp_path / "people.json").write_text(json.dumps(PEOPLE))
    (tmp_path / "export/users.json").unlink()
    (tmp_path / "export/users.json").symlink_to(tmp_path / "people.json")
    [day] = [file for file in walk(tmp_path / "export").files if file.uid.startswith("quay")]
    record = read_file(day)
    assert isinstance(record, Record)
    assert "Ida" not in record.text
