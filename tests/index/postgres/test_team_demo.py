"""`make demo-team` shows what two people on one team see."""

from __future__ import annotations

import subprocess
import sys

import pytest

import support
import team_server


@pytest.mark.slow
def test_the_demo_of_a_team_runs_to_its_end_and_shows_no_private_text() -> None:
    if reason := team_server.why_not():
        pytest.skip(reason)
    done = subprocess.run(
        [sys.executable, support.TESTS / "team_demo.py"],
        env=support.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert "     ['release/day', 'release/doubt']" in shown  # Ana's list
    assert "     ['release/day']\n" in shown  # Ben's
    assert "     We release on Tuesdays.\n" in shown
    assert "needs the role write" in shown
    assert "schema daypack.payments     2 memories" in shown
    assert "canary" not in shown
