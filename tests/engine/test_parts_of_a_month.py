"""Events and dated notes of a part of a month."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from support import WORDS


def at(moment: str) -> float:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()


def test_the_end_of_a_month_has_its_last_events_and_notes(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for day in ("02", "15", "28"):
        (notes / f"2026-09-{day}.md").write_text(f"# 2026-09-{day}\n\nThe note of day {day}.\n")
    now = at("2026-11-28T12:00")
    with Daypack.open(tmp_path / "s", root=notes, settings=WORDS, clock=lambda: now) as daypack:
        daypack.files.add(notes)
        for day in ("03", "14", "29"):
            said = Said("user", f"We decided on item {day}.")
            daypack.sessions.add_steps([Step("autumn", at(f"2026-09-{day}T09:00"), said)])
        packed = daypack.pack("what did we decide at the end of September?")
        assert "Time read: 2026-09-21 to 2026-09-30 (UTC)." in packed.text
        assert "item 29" in packed.text
        assert "item 14" not in packed.text
        first = [
            daypack.search(question, limit=1).candidates[0].chunk.reference
            for question in ("notes of early September 2026", "notes of late September")
        ]
        assert ["-02.md" in first[0], "-28.md" in first[1]] == [True, True]
