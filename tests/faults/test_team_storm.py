"""A sample of the storms on a team server: `make storm-team` runs 16 clients with 500 operations each."""

from __future__ import annotations

from pathlib import Path

import pytest
from team_storm import is_good, storm


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_foreign_when_the_server_is_killed(tmp_path: Path) -> None:
    done = storm(tmp_path, clients=6, operations=20, kills=1, seed=3)
    assert is_good(done), done
    assert sum(done["calls"].values()) >= 120
