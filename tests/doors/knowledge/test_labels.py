"""Sources under labels: added, replaced, refreshed, removed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.errors import InputError, NotFound
from support import WORDS, Clock, daypack, ills, project


def hits(dp: Daypack, query: str, **narrow: object) -> list[str]:
    return [c.chunk.uri for c in dp.search(query, limit=50, vectors="none", **narrow).candidates]


def test_a_label_is_replaced_as_a_whole(dp: Daypack) -> None:
    dp.knowledge.add_text("tides", "High water is at noon.")
    kept = dp.knowledge.add_text("tides", "High water is at six.")
    assert (kept.replaced, kept.changed, kept.report.updated) == (True, True, 1)
    assert dp.get("source:tides").text == "High water is at six."
    assert [label.name for label in dp.knowledge.labels()] == ["tides"]
    assert hits(dp, "high water noon") == ["source:tides"]
    again = dp.knowledge.add_text("tides", "High water is at six.")
    assert (again.changed, again.report.unchanged) == (False, 1)
    assert ills(dp) == []


def test_a_folder_under_a_label_follows_its_files(dp: Daypack, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "a.md").write_text("# Alpha\n\nThe anchor is heavy.\n")
    (folder / "b.md").write_text("# Beta\n\nThe bell is loud.\n")
    dp.knowledge.add_path(folder, label="ship")
    assert hits(dp, "heavy anchor")[0] == "source:ship/a.md"
    (folder / "a.md").write_text("# Alpha\n\nThe anchor is of brass.\n")
    (folder / "b.md").unlink()
    (folder / "c.md").write_text("# Gamma\n\nThe compass is old.\n")
    assert hits(dp, "brass anchor")[0] == "source:ship/a.md"
    assert "source:ship/b.md" not in hits(dp, "loud bell")
    assert hits(dp, "old compass")[0] == "source:ship/c.md"
    assert ills(dp) == []


def test_of_a_file_that_is_gone_the_text_stays_and_that_is_said(dp: Daypack, tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("The keel is sound.\n")
    dp.knowledge.add_path(path, label="report")
    path.unlink()
    assert hits(dp, "sound keel") == ["source:report"]
    assert [label.state for label in dp.knowledge.labels()] == ["gone"]
    path.write_text("The keel is cracked.\n")
    assert hits(dp, "cracked keel") == ["source:report"]
    assert [label.state for label in dp.knowledge.labels()] == ["current"]


def test_a_folder_that_grew_too_large_is_named_and_keeps_no_other_label_from_its_files(
    dp: Daypack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anchor, logs = tmp_path / "anchor.txt", tmp_path / "logs"
    logs.mkdir()
    anchor.write_text("The anchor is heavy.\n")
    (logs / "1.txt").write_text("The bell is loud.\n")
    dp.knowledge.add_path(anchor, label="anchor")
    dp.knowledge.add_path(logs, label="logs")  # the latest label is read first
    monkeypatch.setattr("daypack.doors.knowledge.records.MOST_FILES", 1)
    (logs / "2.txt").write_text("The bell is silent.\n")
    anchor.write_text("The anchor is of brass.\n")
    found = dp.search("brass anchor", vectors="none")
    assert found.candidates[0].chunk.text == "The anchor is of brass."
    (problem,) = found.stats.degraded
    assert problem.startswith("label logs was not read again: ")
    assert dp.get("source:logs/1.txt").text == "The bell is loud.\n"


def test_a_look_that_finds_nothing_new_writes_nothing(dp: Daypack, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("The mast stands.\n")
    dp.knowledge.add_path(tmp_path / "x.txt")
    before = dp.engine.store.sequences()
    assert dp.knowledge.refresh() == []
    assert dp.engine.store.sequences() == before
    os.utime(tmp_path / "x.txt", (1, 1))
    dp.knowledge.refresh()  # touched, and as it was
    assert dp.knowledge.labels()[0].records == 1


def test_part_of_a_label_narrows_a_search(dp: Daypack) -> None:
    dp.knowledge.add_text("Tide tables", "The water is high.")
    dp.knowledge.add_text("weather", "The wind is high.")
    assert hits(dp, "high", source="tide") == ["source:Tide tables"]
    assert hits(dp, "high", source="100%") == []
    assert sorted(hits(dp, "high", door="knowledge")) == ["source:Tide tables", "source:weather"]


def test_what_was_removed_is_in_no_byte_of_the_store(dp: Daypack, tmp_path: Path) -> None:
    dp.knowledge.add_text("secret plan", "Zanzibar is the destination of the voyage.")
    dp.knowledge.add_text("other", "The other source stays.")
    assert dp.knowledge.remove("secret plan") == 1
    for path in (tmp_path / ".daypack").rglob("*"):
        assert path.is_dir() or b"anzibar" not in path.read_bytes()
    with pytest.raises(NotFound):
        dp.knowledge.remove("secret plan")


@pytest.mark.parametrize(
    "label", ["", "  ", "a\x1fb", "x" * 300, "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "\x1b[31m"]
)
def test_a_label_can_be_shown(dp: Daypack, label: str) -> None:
    with pytest.raises(InputError):
        dp.knowledge.add_text(label, "text")


def test_rebuilding_and_reopening_keep_the_sources(dp: Daypack, tmp_path: Path) -> None:
    dp.knowledge.add_text("tides", "High water is at noon.")
    dp.reindex()
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as again:
        assert hits(again, "high water") == ["source:tides"]
        assert [label.name for label in again.knowledge.labels()] == ["tides"]


# ---------------------------------------------------------------- what it costs


def steps(folder: Path, count: int, *, one_by_one: bool) -> int:
    """Steps of SQLite's machine, in tens, for so many texts under labels or as files of a folder: a cost that
    no clock is needed for.
    """
    spent = 0

    def stepped() -> bool:
        nonlocal spent
        spent += 1
        return False

    texts = {f"log {n}.md": f"Pump {n} of pier {n % 7} ran for {n} minutes." for n in range(count)}
    root = project(folder, {} if one_by_one else texts)
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        dp.engine.store.db.set_progress_handler(stepped, 10)
        if one_by_one:
            for name, text in texts.items():
                dp.knowledge.add_text(name, text)
        else:
            dp.files.add(root)
    return spent


@pytest.mark.parametrize("one_by_one", [True, False])
def test_ten_times_as_many_documents_cost_at_most_thirteen_times_as_much(
    tmp_path: Path, one_by_one: bool
) -> None:
    """Segments are merged as they grow, so it is a little more than ten times; looking among all of them for
    each would make it far more.
    """
    few, many = (steps(tmp_path / str(count), count, one_by_one=one_by_one) for count in (60, 600))
    assert many <= 13 * few


def test_an_index_that_was_lost_is_made_again_from_the_store(dp: Daypack, clock: Clock) -> None:
    for n in range(5):
        clock.passes(1)
        dp.knowledge.add_text(f"log {n}", f"Pump {n} leaks.")
    dp.sessions.add_steps([Step("s", 1_790_000_000.0, Said("user", "Mend the pump"), "k")])
    with dp.engine.store.writing() as db:
        for table in ("posting", "segment"):
            db.execute(f"DELETE FROM {table}")
    assert hits(dp, "pump leaks") == []
    dp.reindex()
    assert len(hits(dp, "pump leaks")) >= 5
    assert [label.name for label in dp.knowledge.labels()] == [f"log {n}" for n in (4, 3, 2, 1, 0)]
    assert [event.text for event in dp.sessions.timeline().events] == ["Mend the pump"]
    assert ills(dp) == []


# ---------------------------------------------------------------- as somebody types it


def test_add_with_a_label(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    assert (
        daypack("add", "-", "--label", "notes", cwd=ferry, input=b"The captain is Ana.").stdout
        == "kept source:notes: 19 characters in 1 text\n"
    )
    assert (
        "replaced source:notes"
        in daypack("add", "-", "--label", "notes", cwd=ferry, input=b"The captain is Ben.").stdout
    )
    assert (
        "is unchanged"
        in daypack("add", "-", "--label", "notes", cwd=ferry, input=b"The captain is Ben.").stdout
    )
    assert "has no text" in daypack("add", "-", "--label", "notes", cwd=ferry, input=b"\0\1", status=1).stdout
    assert "captain is Ben" in daypack("search", "captain", "--in", "knowledge", cwd=ferry).stdout
    assert daypack("get", "source:notes", cwd=ferry).stdout == "The captain is Ben.\n"
    found = json.loads(daypack("label", "list", "--json", cwd=ferry).stdout)["sources"]
    assert [(item["label"], item["kind"], item["state"]) for item in found] == [("notes", "text", "current")]
    daypack("add", "a", "b", "--label", "x", cwd=ferry, status=2)
    assert "removed notes" in daypack("label", "remove", "notes", cwd=ferry).stdout
    assert daypack("label", "list", cwd=ferry).stdout == ""


def test_an_empty_list_of_labels_says_how_to_get_one(tmp_path: Path) -> None:
    root = project(tmp_path / "ferry", {"README.md": "# Ferry\n\nThe pump is red.\n"})
    daypack("add", ".", cwd=root)
    assert "add --label" in daypack("label", "list", cwd=root).stderr
    daypack("add", "README.md", "--label", "manual", cwd=root)
    assert "no label contains 'tide'" in daypack("label", "list", "tide", cwd=root).stderr


@pytest.mark.parametrize("named", ["vendor", "vendor/ship", "vendor/ship/a.md"])
def test_a_label_reads_no_folder_that_an_ignore_file_excludes(
    dp: Daypack, tmp_path: Path, named: str
) -> None:
    project(tmp_path, {"vendor/ship/a.md": "The anchor is heavy.\n"})
    dp.knowledge.add_path(tmp_path / named, label="ship")
    assert len(hits(dp, "the heavy anchor")) == 1
    (tmp_path / ".gitignore").write_text("vendor/\n")
    assert hits(dp, "the heavy anchor") == []
    (issue,) = dp.knowledge.add_path(tmp_path / named, label="ship").report.issues
    assert ".gitignore:1: vendor/" in issue.detail
    (tmp_path / ".daypackignore").write_text("!vendor/\n")
    dp.knowledge.add_path(tmp_path / named, label="ship")
    assert len(hits(dp, "the heavy anchor")) == 1


@pytest.mark.parametrize("repository", [None, ".git", "docs/ship/.git"])
def test_a_labelled_folder_follows_the_ignore_files_of_the_project_above_it(
    dp: Daypack, tmp_path: Path, repository: str | None
) -> None:
    ship = project(tmp_path / "docs/ship", {"a.md": "The anchor is heavy.\n", "b.md": "The bell is loud.\n"})
    (ship / ".git").rmdir()
    if repository:
        (tmp_path / repository).mkdir()
    dp.knowledge.add_path(ship, label="ship")
    assert len(hits(dp, "the heavy anchor and the loud bell")) == 2
    (tmp_path / ".daypackignore").write_text("b.md\n")
    assert hits(dp, "the heavy anchor and the loud bell") == ["source:ship/a.md"]
    dp.files.add(ship)
    assert [file.uri for file in dp.files.listing()] == ["docs/ship/a.md"]
