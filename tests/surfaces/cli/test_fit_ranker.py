"""`daypack eval fit-ranker` as a user runs it: fitted, shown wherever it counts, and taken back."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from harbour import FILES, cases
from support import daypack, project


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("there") / "harbour", FILES)
    (folder / ".daypackignore").write_text("*.json\n", encoding="utf-8")
    (folder / "suite.json").write_text(json.dumps({"name": "harbour", "cases": cases()}), encoding="utf-8")
    daypack("add", ".", cwd=folder)
    return folder


@pytest.fixture
def harbour(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "harbour", symlinks=True))


def test_weights_that_help_are_kept_shown_and_taken_back(harbour: Path) -> None:
    asked = ("search", "the barmak lamp", "--vectors", "none", "--json")
    before = daypack(*asked, cwd=harbour).stdout
    done = daypack("eval", "fit-ranker", "suite.json", "--vectors", "none", cwd=harbour)
    prose, events = done.stdout.splitlines()[1:3]
    assert prose.split()[:2] == ["prose", "24"]
    assert prose.endswith("coherence x0  helps")
    assert events.endswith("20 more cases are needed")
    assert "nDCG@10 over 24 cases of harbour in 3 folds" in done.stdout
    assert "`daypack eval fit-ranker --undo` brings the defaults back" in done.stdout
    assert done.stderr == ""
    assert "weights    prose coherence x0, fitted" in daypack("status", cwd=harbour).stdout
    assert (
        "Weights  prose coherence x0"
        in daypack("pack", "the barmak lamp", "--vectors", "none", "--explain", cwd=harbour).stdout
    )
    assert daypack(*asked, cwd=harbour).stdout != before
    run = daypack("eval", "run", "suite.json", "--vectors", "none", "--name", "fitted", cwd=harbour).stdout
    assert "weights    prose coherence x0, fitted for this store" in run
    assert daypack("eval", "fit-ranker", "--undo", cwd=harbour).stdout == "the default weights rank again\n"
    assert (
        daypack("eval", "fit-ranker", "--undo", cwd=harbour).stdout == "the default weights ranked already\n"
    )
    assert daypack(*asked, cwd=harbour).stdout == before
    daypack("eval", "run", "suite.json", "--vectors", "none", "--name", "default", cwd=harbour)
    assert (
        "store weights none → prose coherence x0"
        in daypack("eval", "compare", "default", "fitted", cwd=harbour).stdout
    )


def test_a_dry_run_says_the_same_and_writes_nothing(harbour: Path) -> None:
    dry = json.loads(
        daypack(
            "eval", "fit-ranker", "suite.json", "--vectors", "none", "--dry-run", "--json", cwd=harbour
        ).stdout
    )
    assert json.loads(daypack("status", "--json", cwd=harbour).stdout)["fitted"] is None
    done = json.loads(
        daypack("eval", "fit-ranker", "suite.json", "--vectors", "none", "--json", cwd=harbour).stdout
    )
    assert (dry.pop("written"), done.pop("written")) == (False, True)
    assert dry == done
    assert done["measure"] == "nDCG@10"
    (prose, *_) = done["kinds"]
    assert (prose["kind"], prose["weights"], prose["helps"]) == ("prose", {"coherence": 0.0}, True)
    assert json.loads(daypack("status", "--json", cwd=harbour).stdout)["fitted"]["suite"] == "harbour"


def test_what_does_not_help_is_said_and_leaves_the_defaults(harbour: Path) -> None:
    (harbour / "suite.json").write_text(json.dumps(cases("talk/{}.md")), encoding="utf-8")
    done = daypack("eval", "fit-ranker", "suite.json", "--vectors", "none", cwd=harbour)
    assert "not shown to help" in done.stdout
    assert "nothing was written: the default weights stay" in done.stdout
    assert json.loads(daypack("status", "--json", cwd=harbour).stdout)["fitted"] is None


def test_a_suite_that_is_too_small_is_refused_before_anything_is_asked(harbour: Path) -> None:
    (harbour / "suite.json").write_text(json.dumps(cases()[:7]), encoding="utf-8")
    done = daypack("eval", "fit-ranker", "suite.json", cwd=harbour, status=2)
    assert "7 cases say what a search must find" in done.stderr
    assert "fewer than 20 cases" in done.stderr


def test_a_suite_or_remove_is_given_and_not_both(harbour: Path) -> None:
    for arguments in ((), ("suite.json", "--undo")):
        assert "give a SUITE" in daypack("eval", "fit-ranker", *arguments, cwd=harbour, status=2).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_cannot_be_written_is_measured_and_not_fitted(harbour: Path) -> None:
    store = harbour / ".daypack"
    store.chmod(0o500)
    try:
        done = daypack("eval", "fit-ranker", "suite.json", "--vectors", "none", cwd=harbour, status=3)
        assert "cannot be written" in done.stderr
        assert (
            "helps"
            in daypack(
                "eval", "fit-ranker", "suite.json", "--vectors", "none", "--dry-run", cwd=harbour
            ).stdout
        )
    finally:
        store.chmod(0o700)
