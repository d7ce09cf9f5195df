"""What was acknowledged is there, whoever is killed and however many write."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from storm import verdict

from daypack import Daypack
from support import TESTS, WORDS, environment, ills, indexed

ROUNDS = 100
PROCESSES, OPERATIONS = 8, 250


def storm(*arguments: str, timeout: float) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(TESTS / "faults" / "storm.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_row_29_no_acknowledged_write_is_lost_to_a_kill_at_any_moment(tmp_path: Path) -> None:
    seed = time.time_ns() % 10_000
    rounds = storm("kill", str(tmp_path / "s"), str(ROUNDS), str(seed), timeout=400)
    assert len(rounds) == ROUNDS
    for number, outcome in enumerate(rounds):
        assert outcome["verdict"] == "kept", f"round {number} of seed {seed}: {outcome['verdict']}"
        assert outcome["damaged"] == [], f"round {number} of seed {seed}"
    assert sum(outcome["acknowledged"] for outcome in rounds) > ROUNDS, (
        "the children hardly wrote, so this showed nothing"
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([("a", "1"), ("b", "1")], "kept"),
        ([("a", "2"), ("b", "2")], "kept"),
        ([("a", "2"), ("b", "1")], "half"),
        ([("a", "1"), ("a", "1"), ("b", "1")], "doubled"),
        ([("a", "1")], "lost"),
        ([("a", "0"), ("b", "1")], "lost"),
    ],
)
def test_the_storm_tells_a_loss_from_a_half(found: list[tuple[str, str]], said: str) -> None:
    assert verdict(found, {"a": "1", "b": "1"}, {"a": "2", "b": "2"}) == said


@pytest.mark.slow
def test_row_28_eight_processes_lose_nothing_double_nothing_and_see_no_lock(tmp_path: Path) -> None:
    members = storm("crowd", str(tmp_path / "s"), str(PROCESSES), str(OPERATIONS), timeout=600)
    errors = [member["error"] for member in members if "error" in member]
    assert not errors, errors[0]
    assert len(members) == PROCESSES
    expected = {uid: word for member in members for uid, word in member["mine"].items()}
    with Daypack.open(tmp_path / "s", settings=WORDS) as daypack:
        with daypack.engine.store.reading() as db:
            rows = [
                (uid, text.split(" ", 1)[0])
                for uid, text in db.execute("SELECT uid, text FROM record WHERE uid != 'shared'")
            ]
            assert db.execute("SELECT count(*) FROM record WHERE uid = 'shared'").fetchone() == (1,)
        assert len(rows) == len(dict(rows))
        assert dict(rows) == expected
        assert ills(daypack) == []
        before = indexed(daypack.engine.store)
        daypack.reindex()
        assert indexed(daypack.engine.store) == before
