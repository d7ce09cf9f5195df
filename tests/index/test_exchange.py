"""A whole store as JSON lines: lossless, sorted, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import BadExport, DaypackError, InputError, StoreNotEmpty, StoreVersionMismatch
from daypack.index.copies.exchange import COUNTERS, LEFT_OUT
from every_door import answers, fill, rows
from support import WORDS, files_of, ills


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("full")
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        fill(dp)
        dp.pack("Sencha")
    return root


def exported(folder: Path) -> list[str]:
    lines: list[str] = []
    with Daypack.open(folder, settings=WORDS) as dp:
        assert dp.export(lines.append) == len(lines) - 2
    return lines


def test_an_import_has_every_row_every_answer_and_the_same_export(full: Path, tmp_path: Path) -> None:
    lines = exported(full / ".daypack")
    (tmp_path / "new").mkdir()
    new = tmp_path / "new" / ".daypack"
    Daypack.import_lines(lines, new, settings=WORDS)
    assert exported(new) == lines

    def kept(folder: Path) -> dict[str, list[tuple[object, ...]]]:
        found = rows(folder, without={*LEFT_OUT})
        found["meta"] = [row for row in found["meta"] if row[0] not in COUNTERS]
        found["sqlite_sequence"] = [row for row in found["sqlite_sequence"] if row[0] not in LEFT_OUT]
        return found

    assert kept(new) == kept(full / ".daypack")
    with Daypack.open(full / ".daypack", settings=WORDS, notes_use=False) as dp:
        expected = answers(dp)
    with Daypack.open(new, root=full, settings=WORDS, notes_use=False) as dp:
        assert answers(dp) == expected
        assert ills(dp) == []


def test_lines_are_json_and_sorted_and_a_second_export_is_the_same(full: Path) -> None:
    lines = exported(full / ".daypack")
    assert lines == exported(full / ".daypack")
    facts = [json.loads(line) for line in lines]
    assert facts[0]["format"] == "daypack export 1"
    assert facts[-1] == {"rows": len(lines) - 2}
    tables = [one["table"] for one in facts[1:-1]]
    assert tables == sorted(tables)
    assert not LEFT_OUT & {*tables}


def with_line(number: int, text: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [*lines[:number], text, *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: [], "line 1 .* not JSON"),
        (lambda lines: lines[1:], "line 1 .* does not begin an export"),
        (lambda lines: lines[:-1], "ends before its last line"),
        (lambda lines: lines[:5] + lines[6:], "ends before its last line"),
        (lambda lines: [*lines, lines[-1]], "behind the last line"),
        (with_line(2, "{"), "line 3 .* not JSON"),
        (with_line(2, "[]"), "line 3 .* not an object"),
        (with_line(2, '{"table": "posting", "row": {}}'), "line 3 .* not a row of a table"),
        (with_line(2, '{"table": "record", "row": {"id": 1}}'), "line 3 .* its columns are not those"),
        (with_line(2, '{"table": "tomb; DROP TABLE record", "row": {}}'), "line 3 .* not a row"),
        (
            with_line(2, '{"table": "meta", "row": {"key": {"$hex": "zz"}, "value": 1}}'),
            "line 3 .* not one that",
        ),
        (with_line(2, '{"table": "meta", "row": {"key": true, "value": 1}}'), "line 3 .* not one that"),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], "line 3 .* has its key"),
    ],
)
def test_what_is_not_an_export_is_refused_with_its_line(
    full: Path, tmp_path: Path, change: Callable[[list[str]], list[str]], said: str
) -> None:
    with pytest.raises(BadExport, match=said):
        Daypack.import_lines(change(exported(full / ".daypack")), tmp_path / "new", settings=WORDS)
    assert not (tmp_path / "new").exists()


def test_an_export_of_a_newer_version_is_refused(full: Path, tmp_path: Path) -> None:
    lines = exported(full / ".daypack")
    lines[0] = '{"format": "daypack export 1", "schema": 99}'
    with pytest.raises(
        StoreVersionMismatch, match=r"the export is of a newer Daypack .* upgrade daypack and import it"
    ):
        Daypack.import_lines(lines, tmp_path / "new", settings=WORDS)


@pytest.mark.parametrize(
    ("old", "new"), [('"trust":"user"', '"trust":"anybody"'), ('"text":"', '"text":"changed ')]
)
def test_an_export_that_was_edited_is_refused_as_such(full: Path, tmp_path: Path, old: str, new: str) -> None:
    lines = exported(full / ".daypack")
    edited = [line.replace(old, new) if '"table":"record"' in line else line for line in lines]
    assert edited != lines
    with pytest.raises(
        BadExport, match=r"the export cannot be imported: it was changed after .*; nothing was imported"
    ) as refused:
        Daypack.import_lines(edited, tmp_path / "new", settings=WORDS)
    assert "repair" not in str(refused.value)
    assert "placing" not in str(refused.value)
    assert not (tmp_path / "new").exists()


def test_a_store_with_content_is_not_imported_into(full: Path, tmp_path: Path) -> None:
    lines = exported(full / ".daypack")
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.memories.remember("mine", "stays")
    before = files_of(tmp_path / "s")
    with pytest.raises(StoreNotEmpty):
        Daypack.import_lines(lines, tmp_path / "s", settings=WORDS)
    assert files_of(tmp_path / "s") == before
    Daypack.open(tmp_path / "empty", settings=WORDS).close()
    Daypack.import_lines(lines, tmp_path / "empty", settings=WORDS)
    assert exported(tmp_path / "empty") == lines


def test_a_file_is_private_and_there_completely_or_not_at_all(full: Path, tmp_path: Path) -> None:
    with Daypack.open(full / ".daypack", settings=WORDS) as dp:
        dp.export_file(tmp_path / "all.jsonl")
        assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "all.jsonl").read_text().splitlines(keepends=True) == exported(full / ".daypack")
        with pytest.raises(DaypackError, match="cannot be written"):
            dp.export_file(tmp_path / "no" / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_an_export_replaces_files_alone(tmp_path: Path, kind: str) -> None:
    """A rename would put a file in the place of a device, as `/dev/zero` is."""
    target = tmp_path / "target"
    target.mkdir() if kind == "folder" else os.mkfifo(target)
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp, pytest.raises(InputError, match="is not a file"):
        dp.export_file(target)
    assert not target.is_file()
