"""A store that holds nothing because every file was passed over says so, with the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import daypack, project


@pytest.mark.parametrize("verb", ["pack", "search"])
def test_a_question_after_every_file_was_skipped_leads_to_the_reasons(tmp_path: Path, verb: str) -> None:
    shop = project(tmp_path / "shop", {f"{n}.png": b"\x89PNG" for n in range(7)})
    daypack("add", ".", cwd=shop, status=None)
    answer = daypack(verb, "where is the tea?", "--vectors", "none", cwd=shop, status=1)
    said = "The store is empty: 7 files were skipped. `daypack status .` gives the reasons."
    assert said in answer.stdout + answer.stderr


def test_a_file_that_no_setting_reads_is_told_apart_from_one_that_a_setting_does(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"readme.md": "# Shop\n"})
    for name, size in (("some.log", 20), ("all.log", 80)):
        with (shop / name).open("wb") as stream:
            stream.truncate(size << 20)
    daypack("add", ".", cwd=shop)
    some = daypack("status", "some.log", cwd=shop, status=1).stdout
    assert "at most 10,485,760 are read; DAYPACK_LARGEST_FILE_MIB=20 reads it" in some
    every = daypack("status", "all.log", cwd=shop, status=1).stdout
    assert "at most 10,485,760 are read, and 64 MiB by any setting; split the file" in every


def test_an_add_counts_one_chunk_as_one(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"readme.md": "# Shop\n"})
    assert "(1 chunk written)" in daypack("add", ".", cwd=shop).stdout


def test_the_own_folder_of_daypack_is_not_counted_as_skipped(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("# Shop\n")
    (tmp_path / "sub" / ".daypack").mkdir(parents=True)
    daypack("add", ".", cwd=tmp_path)
    report = daypack("add", ".", cwd=tmp_path).stdout
    assert report == "added 0, updated 0, unchanged 1, removed 0 (0 chunks written)\n"
    assert "skipped" not in daypack("status", cwd=tmp_path).stdout
    assert "hidden" in daypack("status", ".daypack", cwd=tmp_path, status=1).stdout
