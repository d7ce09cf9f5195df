"""An added file or folder is followed, whatever takes its place, and however a person named it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

TIDE = {"tide.md": "The tide rises.\n", "private/pay.md": "The pilot earns nine crowns.\n"}


@pytest.fixture
def daypack(tmp_path: Path) -> Iterator[Daypack]:
    (tmp_path / "port").mkdir()
    with Daypack.open(tmp_path / "port" / ".daypack", root=tmp_path / "port", settings=WORDS) as opened:
        yield opened


def stored(daypack: Daypack) -> dict[str, str]:
    """The texts by name, after a look at the disk that leaves nothing to do."""
    daypack.files.refresh(daypack.files.check())
    assert all(found.fresh for found in daypack.files.check().values())
    return {file.uri: daypack.get(file.uri).text for file in daypack.files.listing()}


def test_a_folder_that_was_added_by_a_link_follows_its_changes(daypack: Daypack, tmp_path: Path) -> None:
    notes = project(tmp_path / "cloud" / "notes", {"tide.md": "The tide rises.\n", "crane.md": "It lifts.\n"})
    (tmp_path / "notes").symlink_to(notes)
    daypack.files.add(tmp_path / "notes")
    assert daypack.files.roots() == [str(notes)]
    (notes / "tide.md").write_text("The tide falls again.\n")
    (notes / "crane.md").unlink()
    assert stored(daypack) == {f"{notes}/tide.md": "The tide falls again.\n"}
    assert daypack.files.remove(daypack.files.name_of(tmp_path / "notes")) == 1
    assert stored(daypack) == {}


def test_a_project_that_was_added_by_a_link_to_it_is_the_project(daypack: Daypack, tmp_path: Path) -> None:
    project(tmp_path / "port", {"tide.md": "The tide rises.\n"})
    (tmp_path / "link").symlink_to(tmp_path / "port")
    daypack.files.add(tmp_path / "link")
    assert daypack.files.roots() == ["."]
    assert stored(daypack) == {"tide.md": "The tide rises.\n"}


def by_a_folder(place: Path) -> None:
    place.mkdir()
    (place / "crane.md").write_text("It lifts.\n")


def by_a_link(place: Path) -> None:
    place.symlink_to(place.parent / "private")


def by_a_link_to_nothing(place: Path) -> None:
    place.symlink_to(place.parent / "nothing")


def by_nothing(place: Path) -> None:
    assert not place.exists()


@pytest.mark.parametrize("replaced", [by_a_folder, by_a_link, by_a_link_to_nothing, by_nothing])
def test_an_added_file_is_read_again_when_it_is_back(
    daypack: Daypack, tmp_path: Path, replaced: Callable[[Path], None]
) -> None:
    tide = project(tmp_path / "port", TIDE) / "tide.md"
    daypack.files.add(tide)
    tide.unlink()
    replaced(tide)
    if replaced is by_a_folder:
        assert [*stored(daypack)] == ["tide.md/crane.md"]
        (tide / "winch.md").write_text("It winds.\n")
        assert [*stored(daypack)] == ["tide.md/crane.md", "tide.md/winch.md"]
        shutil.rmtree(tide)
    else:
        assert stored(daypack) == {}
        tide.unlink(missing_ok=True)
    tide.write_text("The tide falls again.\n")
    assert stored(daypack) == {"tide.md": "The tide falls again.\n"}


@pytest.mark.parametrize("name", [".daypackignore", ".ignore", ".gitignore", ".git/info/exclude"])
@pytest.mark.parametrize("added", ["docs", "docs/private", "docs/private/pay.md"])
def test_an_ignore_file_that_is_made_above_an_added_root_counts_at_once(
    daypack: Daypack, tmp_path: Path, added: str, name: str
) -> None:
    port = project(tmp_path / "port", {f"docs/{path}": text for path, text in TIDE.items()})
    daypack.files.add(port / added)
    assert "docs/private/pay.md" in stored(daypack)
    (port / name).parent.mkdir(parents=True, exist_ok=True)
    (port / name).write_text("private/\n")
    assert "docs/private/pay.md" not in stored(daypack)
    (port / name).unlink()
    assert "docs/private/pay.md" in stored(daypack)


def test_an_ignore_file_that_is_a_link_leaves_nothing_to_look_at(daypack: Daypack, tmp_path: Path) -> None:
    port = project(tmp_path / "port", {**TIDE, "rules": "private/\n"})
    os.utime(port / "rules", ns=(1, 1))
    (port / ".gitignore").symlink_to("rules")
    daypack.files.add(port)
    assert "private/pay.md" in stored(daypack)  # as git, which follows no such link


def test_roots_that_share_an_ignore_file_are_all_read_by_its_new_lines(
    daypack: Daypack, tmp_path: Path
) -> None:
    port = project(
        tmp_path / "port", {".ignore": "*.log\n", "docs/pay.md": "Nine.\n", "src/pay.md": "Ten.\n"}
    )
    daypack.files.add(port / "docs", port / "src")
    assert [*stored(daypack)] == ["docs/pay.md", "src/pay.md"]
    (port / ".ignore").write_text("pay.md\n")
    daypack.files.add(port / "src")
    assert stored(daypack) == {}


def test_a_root_that_is_removed_leaves_the_root_around_it_in_step(daypack: Daypack, tmp_path: Path) -> None:
    port = project(tmp_path / "port", TIDE)
    daypack.files.add(port)
    daypack.files.add(port / "private")
    daypack.files.remove("private")
    (port / "private/crane.md").write_text("It lifts.\n")
    assert [*stored(daypack)] == ["private/crane.md", "private/pay.md", "tide.md"]
