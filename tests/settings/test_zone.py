"""The zone of the machine: "today" ends when the day of its user does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.settings.zone import MachineZone
from support import WORDS

NEW_YORK = "America/New_York"


@pytest.fixture(scope="module")
def _in_new_york() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", NEW_YORK)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_in_new_york")
@given(st.integers(0, 2_000_000_000))
def test_the_machine_tells_the_time_of_its_zone(seconds: int) -> None:
    here, there = (datetime.fromtimestamp(seconds, zone) for zone in (MachineZone(), ZoneInfo(NEW_YORK)))
    assert here.replace(tzinfo=None) == there.replace(tzinfo=None)
    midnight = {"hour": 0, "minute": 0, "second": 0}
    assert here.replace(**midnight).timestamp() == there.replace(**midnight).timestamp()


@pytest.mark.usefixtures("_in_new_york")
def test_at_nine_in_the_evening_today_is_the_whole_day_of_the_asker(tmp_path: Path) -> None:
    now = datetime(2026, 11, 24, 21, tzinfo=ZoneInfo(NEW_YORK)).timestamp()  # 02:00 of the next day in UTC
    morning = now - timedelta(hours=11).total_seconds()
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS, clock=lambda: now) as dp:
        dp.sessions.add_steps([Step("s", morning, Said("user", "The ferry leaves at noon."))])
        pack = dp.pack("what did we do today?")
        assert [excerpt.text for excerpt in pack] == ["The ferry leaves at noon."]
        assert pack.text.startswith("Time read: 2026-11-24 05:00 to 2026-11-25 05:00 (UTC).")
        assert "2026-11-24 05:00" in dp.pack("summarise the session").text
        dp.memories.remember("pier", "closed", valid_from="yesterday")
        midnight = datetime(2026, 11, 23, tzinfo=ZoneInfo(NEW_YORK)).timestamp()
        assert [entry.version.valid_from for entry in dp.memories.history("pier")] == [midnight]
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS, clock=lambda: now, zone=UTC) as dp:
        assert dp.pack("what did we do today?").text.endswith("is stored from then.\n")
