"""A look that reads changed files alone leaves what adding everything anew would leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.files import door as files_door
from daypack.doors.files import roots as files_roots
from daypack.doors.files import table as walks
from daypack.doors.files.entry import LARGEST_FILE
from support import WORDS

NAMES = ("harbour.py", "docs/tide.md", "docs/crane.txt", "lib/winch.js")
CONTENTS = {
    "code": b"def harbour():\n    return 1\n", "prose": b"# Tide\n\nIt rises.\n", "nothing": b"", "binary": b"\x00\x01\x02binary",
    "picture": b"\x89PNG\r\n\x1a\n\x00", "too large": b"x = 1\n" * 300_000, "latin": "naïve\n".encode("latin-1"),
}  # fmt: skip


def state(dp: Daypack) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What is stored, and what was passed over and why."""
    with dp.engine.store.reading() as db:
        return list(db.execute("SELECT uri, text FROM record ORDER BY uri")), sorted(
            (issue.uri, issue.reason.value)
            for issue in walks.skipped(dp.engine.store)
            if not issue.uri.endswith(".daypack/")
        )


@settings(max_examples=15)
@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([*CONTENTS])), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_reading_what_changed_leaves_what_adding_everything_leaves(tmp_path_factory, looks):  # type: ignore[no-untyped-def]
    folder: Path = tmp_path_factory.mktemp("port")
    for name in NAMES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"first\n")
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        for number, edits in enumerate(looks):
            for name, content in edits:
                (folder / name).write_bytes(CONTENTS[content] + b"\n" * number)  # in place: no folder changes
            dp.files.refresh(dp.files.check())
        seen = state(dp)
        assert all(found.fresh for found in dp.files.check().values())
    (folder / "other").mkdir()
    with Daypack.open(folder / "other" / ".daypack", root=folder, settings=WORDS) as anew:
        anew.files.add(folder)
        assert state(anew) == seen


def test_a_file_that_was_too_large_is_read_once_it_is_cut_down_in_place(dp: Daypack, tmp_path: Path) -> None:
    (tmp_path / "tide.py").write_text("# The tide rises.\n" * 100_000)
    dp.files.add(tmp_path)
    assert state(dp) == ([], [("tide.py", "too_large")])
    (tmp_path / "tide.py").write_text("# The tide falls.\n" * 90_000)
    assert all(found.fresh for found in dp.files.check().values())
    (tmp_path / "tide.py").write_text("# The tide turns.\n")
    dp.files.refresh(dp.files.check())
    assert state(dp) == ([("tide.py", "# The tide turns.\n")], [])


def test_a_large_file_is_read_where_the_project_says_so(tmp_path: Path) -> None:
    (tmp_path / "tide.py").write_text("def tide():\n    return 'rises'\n" * 50_000)
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        (issue,) = [one for one in walks.skipped(dp.engine.store) if one.uri == "tide.py"]
        assert issue.detail.endswith("at most 1,048,576 are read; DAYPACK_LARGEST_FILE_MIB=2 reads it")
    larger = replace(WORDS, of_doors=(("largest_file_mib", "2"),))
    with Daypack.open(tmp_path / ".daypack", settings=larger) as dp:
        dp.files.add(tmp_path)
        assert [uri for uri, _ in state(dp)[0]] == ["tide.py"]


@pytest.mark.parametrize("size", ["0", "65", "1.5", "", "²"])
def test_a_size_that_no_file_may_have_is_refused_with_the_range(size: str) -> None:
    with pytest.raises(ValueError, match="a whole number from 1 to 64"):
        LARGEST_FILE.read(size)  # type: ignore[misc]


def test_a_file_that_was_edited_in_place_is_read_without_a_walk(
    dp: Daypack, tmp_path: Path, monkeypatch
) -> None:  # type: ignore[no-untyped-def]
    for number in range(5):
        (tmp_path / f"berth_{number}.md").write_text(f"# Berth {number}\n")
    dp.files.add(tmp_path)
    (tmp_path / "berth_3.md").write_text("# Berth 3\n\nA schooner is moored.\n")
    starts: list[object] = []
    walk = files_door.walk

    def noted(root: Path, *, start: Path | None = None, **more: object) -> object:
        starts.append(start)
        return walk(root, start=start, **more)  # type: ignore[arg-type]

    for module in (files_door, files_roots):
        monkeypatch.setattr(module, "walk", noted)
    report = dp.files.refresh(dp.files.check())
    assert (report.updated, report.unchanged, starts) == (1, 4, [tmp_path / "berth_3.md"])
    assert dp.search("schooner", vectors="none").candidates


def test_a_text_with_what_is_no_character_is_stored_with_a_question_mark(dp: Daypack) -> None:
    assert dp.files.add_text("the lamp \ud800 is green", name="note").added == 1
    assert dp.get("note").text == "the lamp ? is green"
