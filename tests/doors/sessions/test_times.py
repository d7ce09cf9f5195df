"""The time of an event that happens again, or whose result comes later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Did, Step

DAY = 86_400.0
T0 = 1_790_000_000.0


def test_a_command_that_runs_again_is_found_by_the_time_of_its_last_run(dp: Daypack) -> None:
    for number in range(3):
        made = Did("Bash", {"command": "make fares"}, "ok", failed=False)
        dp.sessions.add_steps([Step("s", T0 + number * DAY, made, f"k{number}")])
    for since, found in ((T0 + 1.5 * DAY, 1), (T0 + 2.5 * DAY, 0)):
        assert len(dp.search("make fares", door="sessions", since=since, vectors="none").candidates) == found


@pytest.mark.parametrize("imports", [1, 2])
def test_a_call_that_was_imported_while_it_ran_has_the_time_of_its_result(
    dp: Daypack, tmp_path: Path, imports: int
) -> None:
    def line(kind: str, hour: int, block: dict[str, Any]) -> str:
        at = f"2026-10-05T{hour:02}:00:00Z"
        message = {"role": kind, "content": [block]}
        return json.dumps(
            {"sessionId": "s", "type": kind, "uuid": f"u{hour}", "timestamp": at, "message": message}
        )

    given = {"command": "make fares"}
    begun = line("assistant", 6, {"type": "tool_use", "id": "t", "name": "Bash", "input": given})
    ended = line("user", 9, {"type": "tool_result", "tool_use_id": "t", "content": "ok"})
    path = tmp_path / "t.jsonl"
    for lines in ([begun], [begun, ended])[2 - imports :]:
        path.write_text("\n".join(lines) + "\n")
        dp.sessions.add_transcripts(path)
    (event,) = dp.sessions.timeline()
    assert event.count == 1
    assert dp.search("make fares", door="sessions", since="2026-10-05T08:00:00Z", vectors="none").candidates
