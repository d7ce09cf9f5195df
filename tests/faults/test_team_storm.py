"""A sample of the storms on a team server: `make storm-team` runs 16 clients with 500 operations each."""

from __future__ import annotations

from pathlib import Path

import pytest
from team_storm import is_good, storm

import team_server


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_foreign_when_the_server_is_killed(tmp_path: Path) -> None:
    done = storm(tmp_path, clients=6, operations=20, kills=1, seed=3)
    assert is_good(done), done
    assert sum(done["calls"].values()) >= 120


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_foreign_when_the_primary_is_killed_and_its_replica_promoted(
    tmp_path: Path,
) -> None:
    if reason := team_server.why_not():
        pytest.skip(reason)
    with team_server.replicated({}) as pair:
        done = storm(tmp_path, clients=6, operations=20, kills=1, seed=3, pair=pair)
    assert is_good(done), done
    assert sum(done["calls"].values()) >= 120
