"""Untrusted values that wait for a review beside a trusted one."""

from __future__ import annotations

from pathlib import Path

from support_memory import opened

from daypack import Daypack
from daypack.doors.memories.types import Gone, VersionState
from support import Clock


def conflicts(dp: Daypack, key: str) -> list[bool]:
    history = dp.memories.history(key)
    assert not isinstance(history, Gone)
    return [entry.conflict for entry in history]


def test_an_update_beside_a_waiting_proposal_is_no_conflict(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("bank/rate", "The bank pays 2 percent")
    clock.passes(1)
    proposed = dp.memories.remember("bank/rate", "The bank pays 9 percent", source="web:example.org")
    clock.passes(1)
    dp.memories.remember("bank/rate", "The bank pays 3 percent")
    assert conflicts(dp, "bank/rate") == [False, False, False]
    clock.passes(1)
    dp.memories.accept("bank/rate", proposed.token)
    assert conflicts(dp, "bank/rate") == [False, False, False, False]


def test_an_accepted_proposal_is_in_no_conflict_with_its_copy(
    dp: Daypack, tmp_path: Path, clock: Clock
) -> None:
    dp.memories.remember("bank/rate", "The bank pays 2 percent", shared=True)
    clock.passes(1)
    token = dp.memories.remember(
        "bank/rate", "The bank pays 9 percent", source="web:example.org", shared=True
    ).token
    with opened(tmp_path / "other", clock) as other:
        other.memories.files.import_lines(dp.memories.files.export(shared=True), shared=True)
        clock.passes(1)
        dp.memories.accept("bank/rate", token, shared=True)
        clock.passes(1)
        other.memories.accept("bank/rate", token, shared=True)
        other.memories.files.import_lines(dp.memories.files.export(shared=True), shared=True)
        assert conflicts(other, "bank/rate") == [False, False, False, False]


def test_a_proposal_that_is_made_again_waits_once(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("bank/rate", "The bank pays 2 percent", tags=["money"])
    first = dp.memories.remember("bank/rate", "The bank pays 9 percent", source="web:example.org")
    for _ in range(3):
        clock.passes(60)
        again = dp.memories.remember("bank/rate", "The bank pays 9 percent", source="web:example.org")
        assert (again.written, again.waiting, again.token) == (False, True, first.token)
    assert len(dp.memories.review()) == 1
    dp.memories.reject("bank/rate", first.token)
    clock.passes(60)
    assert dp.memories.remember("bank/rate", "The bank pays 9 percent", source="web:example.org").written
    states = [entry.state for entry in dp.memories.history("bank/rate") if not isinstance(entry, Gone)]
    assert states == [VersionState.WAITING, VersionState.REJECTED, VersionState.CURRENT]


def test_the_same_words_from_the_user_are_recorded_although_they_wait_as_a_proposal(
    dp: Daypack, clock: Clock
) -> None:
    dp.memories.remember("bank/rate", "The bank pays 2 percent")
    dp.memories.remember("bank/rate", "The bank pays 9 percent", source="web:example.org")
    clock.passes(60)
    done = dp.memories.remember("bank/rate", "The bank pays 9 percent")
    assert (done.written, done.waiting) == (True, False)
    assert dp.memories.recall("bank/rate").value == "The bank pays 9 percent"
