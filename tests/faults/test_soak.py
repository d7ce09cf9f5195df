"""A sample of the soak: `make soak` goes on for 20 minutes, and measures memory too."""

from __future__ import annotations

from pathlib import Path

import pytest
from soak import Soak, soaked

ROUNDS = 3


@pytest.mark.slow
def test_two_agents_a_watcher_commands_and_the_page_leave_nothing_open_and_nothing_behind(
    tmp_path: Path,
) -> None:
    soak = soaked(Soak(tmp_path.resolve()), lambda rounds: rounds < ROUNDS)
    assert soak.faults() == [], soak.table()
    assert {name: len(usages) for name, usages in soak.usages.items()} == dict.fromkeys(
        ("agent a", "agent b", "watcher", "page"), ROUNDS
    )
    assert soak.operations > ROUNDS * 50
