"""An option is checked before a store is opened or made, and the error names it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from support import daypack, project


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return project(tmp_path / "shop", {"tea.py": "def tea():\n    return 'sold by weight'\n"})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("code pack tea --limit 1001", "'--limit' / '-n': 1001 is not in the range 0<=x<=1000"),
        ("code pack tea --max-chars -1", "'--max-chars': -1 is not in the range x>=0"),
        ("source prune --max-records 0", "'--max-records': 0 is not in the range x>=1"),
        ("source retrieve tea --limit 1001", "'--limit' / '-n': 1001 is not in the range 1<=x<=1000"),
        ("session timeline --limit 0", "'--limit' / '-n': 0 is not in the range 1<=x<=100000"),
        ("session timeline --limit 100001", "'--limit' / '-n': 100001 is not in the range 1<=x<=100000"),
        ("docs vsearch lamps name tea --limit -1", "'--limit' / '-n': -1 is not in the range x>=0"),
        ("session timeline --kind nope", "'--kind': 'nope' is not one of"),
        ("source reset-preferences --workflow ''", "'--workflow': '' is not one of"),
        ("source reset-preferences --workflow nope", "'--workflow': 'nope' is not one of"),
        ("source update-preference --set tone=warm --workflow ''", "'--workflow': '' is not one of"),
        ("source preferences --workflow ''", "'--workflow': '' is not one of"),
    ],
)
def test_a_wrong_value_is_refused_by_its_option_before_a_store_is_made(
    empty: Path, words: str, said: str
) -> None:
    done = daypack(*shlex.split(words), cwd=empty, status=2)
    assert said in done.stderr
    assert done.stdout == ""
    assert not (empty / ".daypack").exists()


def test_an_empty_choice_is_taken_where_it_is_the_default(empty: Path) -> None:
    assert "tea" in daypack("code", "symbols", "tea", "--kind", "", cwd=empty).stdout


def test_an_empty_workflow_deletes_no_preference(empty: Path) -> None:
    daypack("source", "update-preference", "--set", "formality=low", cwd=empty)
    daypack("source", "reset-preferences", "--workflow", "", cwd=empty, status=2)
    assert '"formality": "low"' in daypack("source", "preferences", cwd=empty).stdout


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("code pack", "0<=x<=1000"),
        ("code pack", "x>=0"),
        ("source prune", "x>=1"),
        ("source retrieve", "1<=x<=1000"),
        ("session timeline", "1<=x<=100000"),
        ("docs vsearch", "x>=0"),
        ("source reset-preferences", "[default: all]"),
        ("source reset-preferences", "update_record]"),
    ],
)
def test_help_shows_the_values_that_an_option_takes(empty: Path, words: str, shown: str) -> None:
    assert shown in daypack(*words.split(), "--help", cwd=empty).stdout


def test_help_names_the_owner_and_the_session_behind_the_options_of_a_command(empty: Path) -> None:
    for command in ("store", "ingest", "upsert", "import", "assemble", "prepare-task-envelope", "retrieve"):
        page = daypack("source", command, "--help", cwd=empty).stdout
        options = [line.split()[0] for line in page.splitlines() if line.startswith("  -")]
        assert options[-5:-1] == ["--owner", "--session", "--quiet", "--store"], command
