"""An added file or folder is followed, whatever takes its place, and however a person named it."""

from __future__ import annotations

from collections.abc import Iterator
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
