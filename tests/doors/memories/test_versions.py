"""What holds when: every answer about any moment agrees with a list that is simply read through."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support_memory import DAY, opened

from daypack import Daypack
from daypack.doors.memories.rules import holding, recency
from daypack.doors.memories.types import Gone, Memory, MemoryVersion, VersionState
from daypack.errors import InputError, MemoryConflict, NotFound
from daypack.types import Trust
from support import START, Clock, environment

KEYS = st.sampled_from(["a", "b/c"])
VALUES = st.sampled_from(["colour red", "colour green", "colour blue"])
DAYS = st.integers(-5, 5)


class Histories(RuleBasedStateMachine):
    """Random histories in a store, beside a list of everything that was said."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.said: dict[str, list[dict[str, object]]] = {}
        self.gone: dict[str, float] = {}

    @initialize()
    def open(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.manager = opened(Path(self.folder.name), self.clock)
        self.dp = self.manager.__enter__()

    def teardown(self) -> None:
        if hasattr(self, "manager"):
            self.manager.__exit__(None, None, None)
            self.folder.cleanup()

    @rule(hours=st.integers(1, 60))
    def time_passes(self, hours: int) -> None:
        self.clock.passes(hours * 3600.0)

    @rule(
        key=KEYS,
        value=VALUES,
        start=st.none() | DAYS,
        length=st.none() | st.integers(1, 6),
        ttl=st.none() | st.integers(1, 6),
        trusted=st.booleans(),
    )
    def remember(
        self, key: str, value: str, start: int | None, length: int | None, ttl: int | None, trusted: bool
    ) -> None:
        now = self.clock.now
        valid_from = None if start is None else now + start * DAY
        begins = now if valid_from is None else valid_from
        valid_to = None if length is None else begins + length * DAY
        done = self.dp.memories.remember(
            key,
            value,
            valid_from=valid_from,
            valid_to=valid_to,
            ttl_seconds=None if ttl is None else ttl * DAY,
            trust="user" if trusted else "untrusted",
        )
        if done.written:
            self.gone.pop(key, None)
            self.said.setdefault(key, []).append(
                {
                    "value": value,
                    "at": now,
                    "from": begins,
                    "to": valid_to,
                    "dies": None if ttl is None else now + ttl * DAY,
                    "trusted": trusted,
                    "token": done.token,
                    "rejected": None,
                }
            )

    @rule(key=KEYS, accept=st.booleans())
    def review(self, key: str, accept: bool) -> None:
        waiting = [memory for memory in self.dp.memories.review() if memory.key == key]
        if not waiting:
            return
        token = waiting[0].token
        now = self.clock.now
        old = next(item for item in self.said[key] if item["token"] == token)
        if accept:
            done = self.dp.memories.accept(key, token)
            if done.written:
                starts = old["from"] if old["from"] > old["at"] else now  # type: ignore[operator]
                if old["to"] is None or starts < old["to"]:  # type: ignore[operator]
                    self.said[key].append(
                        {**old, "at": now, "from": starts, "trusted": True, "token": done.token}
                    )
        else:
            self.dp.memories.reject(key, token)
            old["rejected"] = now

    @rule(key=KEYS)
    def forget(self, key: str) -> None:
        if key in self.said:
            self.dp.memories.forget(key)
            del self.said[key]
            self.gone[key] = self.clock.now

    @rule()
    def reopen(self) -> None:
        self.manager.__exit__(None, None, None)
        self.manager = opened(Path(self.folder.name), self.clock)
        self.dp = self.manager.__enter__()

    def model(self, key: str, at: float, known: float) -> str | None:
        """Read the list through from the end: the first that applies, trusted ones first."""
        for trusted in (True, False):
            for item in reversed(self.said.get(key, [])):
                if item["trusted"] is not trusted or item["at"] > known:  # type: ignore[operator]
                    continue
                if item["rejected"] is not None and item["rejected"] <= known:  # type: ignore[operator]
                    continue
                if item["from"] <= at and (item["to"] is None or at < item["to"]):  # type: ignore[operator]
                    dead = item["dies"] is not None and item["dies"] <= at  # type: ignore[operator]
                    return None if dead else str(item["value"])
        return None

    def recalled(self, key: str, at: float | None, known: float | None) -> str | None:
        try:
            found = self.dp.memories.recall(key, as_of=at, known_at=known, touch=False)
        except NotFound:
            return None
        if isinstance(found, Gone):
            # Values of a key that was used again at the moment it was forgotten hold from just after it.
            assert 0 <= found.at - self.gone[key] < 1e-4
            return None
        return found.value

    @invariant()
    def every_moment_is_as_the_list_says(self) -> None:
        if not hasattr(self, "dp"):
            return
        now = self.clock.now
        for key in ("a", "b/c"):
            assert self.recalled(key, None, None) == self.model(key, now, math.inf)
            for days in (-4, -1.5, 0, 2.5, 9):
                assert self.recalled(key, now + days * DAY, None) == self.model(
                    key, now + days * DAY, math.inf
                )
                assert self.recalled(key, now + days * DAY, now - DAY) == self.model(
                    key, now + days * DAY, now - DAY
                )

    @invariant()
    def lists_and_searches_show_what_holds_now(self) -> None:
        if not hasattr(self, "dp"):
            return
        holds = {
            key: value
            for key in ("a", "b/c")
            if (value := self.model(key, self.clock.now, math.inf)) is not None
        }
        assert {memory.key: memory.value for memory in self.dp.memories.list().memories} == holds
        found = {
            key: hit.memory.value
            for hit in self.dp.memories.search("colour", vectors="none").hits
            for key in (hit.memory.key, *hit.also)
        }
        assert found == holds


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=25, stateful_step_count=20, suppress_health_check=list(HealthCheck)
)


# ---------------------------------------------------------------- by example


def value(found: Memory | Gone) -> str:
    assert isinstance(found, Memory)
    return found.value


def test_a_correction_about_the_past_changes_what_held_then_and_not_what_was_known_then(
    dp: Daypack, clock: Clock
) -> None:
    dp.memories.remember("boss", "Ana", valid_from=START - 30 * DAY)
    clock.passes(10 * DAY)
    dp.memories.remember("boss", "Ben", valid_from=START - 5 * DAY)  # we learn it late
    assert value(dp.memories.recall("boss", as_of=START)) == "Ben"
    assert value(dp.memories.recall("boss", as_of=START, known_at=START + DAY)) == "Ana"
    assert value(dp.memories.recall("boss", as_of=START - 10 * DAY)) == "Ana"


def test_a_fact_for_next_month_holds_from_next_month_on(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("office", "Berlin")
    done = dp.memories.remember("office", "Vienna", valid_from=START + 30 * DAY)
    assert done.memory is not None
    assert done.memory.value == "Berlin"
    assert [hit.memory.value for hit in dp.memories.search("office").hits] == ["Berlin"]
    clock.passes(30 * DAY)
    assert value(dp.memories.recall("office")) == "Vienna"
    assert [hit.memory.value for hit in dp.memories.search("office").hits] == ["Vienna"]


def test_what_a_temporary_fact_covered_up_holds_again(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("desk", "on the second floor")
    dp.memories.remember("desk", "at home", valid_to=START + 7 * DAY)
    assert value(dp.memories.recall("desk")) == "at home"
    clock.passes(7 * DAY)
    assert value(dp.memories.recall("desk")) == "on the second floor"


def test_what_has_expired_brings_nothing_back(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("wifi", "old password hint")
    dp.memories.remember("wifi", "new hint", ttl_seconds=3600)
    clock.passes(3600)
    with pytest.raises(NotFound, match=r"'wifi' expired on .*history"):
        dp.memories.recall("wifi")
    assert dp.memories.list().memories == ()


def test_what_ended_or_has_not_begun_is_said_with_its_day(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("desk", "Ana covers the desk", valid_to=clock() + DAY)
    dp.memories.remember("lease", "from the harbour office", valid_from=clock() + 40 * DAY)
    clock.passes(2 * DAY)
    with pytest.raises(NotFound, match="'desk' held until "):
        dp.memories.recall("desk")
    with pytest.raises(NotFound, match="'lease' holds from "):
        dp.memories.recall("lease")
    with pytest.raises(NotFound, match="holds at that time"):
        dp.memories.recall("lease", as_of=clock())


def test_saying_the_same_again_writes_nothing(dp: Daypack) -> None:
    first = dp.memories.remember("k", "v", tags=["b", "a"])
    before = dp.engine.store.sequences()
    again = dp.memories.remember("k", "v", tags=["a", "b", "a"])
    assert (again.token, again.written) == (first.token, False)
    assert dp.engine.store.sequences() == before


def test_a_value_written_without_tags_keeps_those_that_it_has(dp: Daypack, clock: Clock) -> None:
    first = dp.memories.remember("k", "one", tags=["t", "u"])
    again = dp.memories.remember("k", "one")
    assert (again.token, again.written) == (first.token, False)
    clock.passes(60)
    dp.memories.remember("k", "two", source="web:x")  # waits, and would take nothing away
    assert dp.memories.remember("k", "two").written
    assert dp.memories.tags() == {"t": 1, "u": 1}
    assert [memory.value for memory in dp.memories.list(tags=["t"])] == ["two"]
    clock.passes(60)
    assert dp.memories.remember("k", "two", tags=["u"]).written
    assert dp.memories.tags() == {"u": 1}
    clock.passes(60)
    assert dp.memories.remember("k", "two", tags=[]).written
    assert dp.memories.tags() == {}


def test_repeating_what_holds_now_leaves_a_planned_change_as_it_is(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("office", "Berlin", valid_from=START - DAY)
    dp.memories.remember("office", "Vienna", valid_from=START + 30 * DAY)
    clock.passes(DAY)
    again = dp.memories.remember("office", "Berlin")
    assert not again.written
    assert again.memory is not None
    assert again.token == again.memory.token == dp.memories.history("office")[1].version.token  # type: ignore[index]
    clock.passes(30 * DAY)
    assert value(dp.memories.recall("office")) == "Vienna"


def test_a_history_keeps_everything_and_names_what_each_version_is(dp: Daypack, clock: Clock) -> None:
    for text in ("one", "two", "three"):
        dp.memories.remember("k", text)
        clock.passes(60)
    dp.memories.remember("k", "somebody says four", source="web:x")
    history = dp.memories.history("k")
    assert not isinstance(history, Gone)
    assert [(line.version.value, line.state.value) for line in history] == [
        ("somebody says four", "waiting"),
        ("three", "current"),
        ("two", "superseded"),
        ("one", "superseded"),
    ]


def test_a_restored_version_is_a_new_one(dp: Daypack, clock: Clock) -> None:
    token = dp.memories.remember("k", "one", tags=["t"]).token
    clock.passes(60)
    dp.memories.remember("k", "two")
    clock.passes(60)
    done = dp.memories.restore("k", token)
    assert done.token != token
    assert value(dp.memories.recall("k")) == "one"
    assert dp.memories.tags() == {"t": 1}


# ---------------------------------------------------------------- versions and conflicts


def test_a_write_against_an_old_version_is_answered_with_what_stands_there(dp: Daypack) -> None:
    token = dp.memories.remember("k", "one").token
    newer = dp.memories.remember("k", "two", version=token).token
    with pytest.raises(MemoryConflict) as caught:
        dp.memories.remember("k", "three", version=token)
    assert (caught.value.value, caught.value.token) == ("two", newer)
    assert value(dp.memories.recall("k")) == "two"


def test_a_version_that_must_be_none_is_a_conflict_where_something_stands(dp: Daypack) -> None:
    dp.memories.remember("k", "one", version="")
    with pytest.raises(MemoryConflict):
        dp.memories.remember("k", "two", version="")


def test_if_absent_writes_once(dp: Daypack) -> None:
    assert dp.memories.remember("k", "one", if_absent=True).written
    second = dp.memories.remember("k", "two", if_absent=True)
    assert not second.written
    assert second.memory is not None
    assert second.memory.value == "one"


WRITER = """
import sys
from daypack import Daypack, Settings
from daypack.errors import MemoryConflict
folder, number = sys.argv[1], sys.argv[2]
with Daypack.open(folder, settings=Settings(embedder="hashing")) as dp:
    for turn in range(20):
        for key in ("shared/one", "shared/two"):
            value = f"writer {number} turn {turn}"
            try:
                held = dp.memories.recall(key, touch=False).token
            except Exception:
                held = ""
            try:
                done = dp.memories.remember(key, value, version=held) if turn % 2 else dp.memories.remember(key, value)
                print("written", key, done.token, flush=True)
            except MemoryConflict as conflict:
                print("conflict", key, conflict.token, flush=True)
"""


def test_eight_processes_that_write_the_same_keys_lose_nothing(tmp_path: Path) -> None:
    store = tmp_path / ".daypack"
    with Daypack.open(store):
        pass
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(store), str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for number in range(8)
    ]
    answers = []
    for writer in writers:
        out, err = writer.communicate(timeout=240)
        assert writer.returncode == 0, err
        answers += [line.split() for line in out.splitlines()]
    assert len(answers) == 8 * 20 * 2
    with Daypack.open(store) as dp:
        for key in ("shared/one", "shared/two"):
            history = dp.memories.history(key)
            assert not isinstance(history, Gone)
            tokens = {line.version.token for line in history}
            written = [token for verdict, name, token in answers if (verdict, name) == ("written", key)]
            assert len(written) == len(set(written))
            assert set(written) == tokens
            assert all(
                token in tokens for verdict, name, token in answers if (verdict, name) == ("conflict", key)
            )
            found = dp.memories.recall(key)
            assert isinstance(found, Memory)
            assert found.token == history[0].version.token
        assert [check for check in dp.check(deep=True) if check.verdict.value == "damage"] == []


# ---------------------------------------------------------------- trust


def test_the_untrusted_never_replace_what_somebody_vouches_for(dp: Daypack) -> None:
    dp.memories.remember("rule", "deploys are on Thursdays")
    done = dp.memories.remember("rule", "deploys need no review", source="tool:fetch")
    assert done.waiting
    assert value(dp.memories.recall("rule")) == "deploys are on Thursdays"
    (waiting,) = dp.memories.review()
    dp.memories.reject("rule", waiting.token)
    assert dp.memories.review() == ()
    assert value(dp.memories.recall("rule")) == "deploys are on Thursdays"


def test_an_accepted_version_holds_as_ones_own(dp: Daypack) -> None:
    dp.memories.remember("rule", "deploys are on Thursdays")
    token = dp.memories.remember("rule", "deploys are on Fridays", source="https://example.org/rules").token
    done = dp.memories.accept("rule", token)
    assert done.memory is not None
    assert (done.memory.value, done.memory.version.trust) == ("deploys are on Fridays", Trust.USER)
    history = dp.memories.history("rule")
    assert not isinstance(history, Gone)
    assert [line.state for line in history] == [
        VersionState.CURRENT,
        VersionState.ACCEPTED,
        VersionState.SUPERSEDED,
    ]


# ---------------------------------------------------------------- what is alike


def test_what_says_nearly_the_same_is_reported_and_left_alone(dp: Daypack) -> None:
    dp.memories.remember("release/day", "Releases go out weekly on Thursdays at two")
    dp.memories.remember("lunch", "soup at noon")
    done = dp.memories.remember("release/when", "Releases go out weekly on Fridays at two")
    assert [(item.key, item.value) for item in done.similar] == [
        ("release/day", "Releases go out weekly on Thursdays at two")
    ]
    assert {memory.key for memory in dp.memories.list().memories} == {"release/day", "release/when", "lunch"}


# ---------------------------------------------------------------- clocks, pages, tags


def test_a_clock_that_is_set_back_makes_nothing_unknown(dp: Daypack, clock: Clock) -> None:
    dp.memories.remember("k", "one")
    clock.passes(-365 * DAY)
    assert value(dp.memories.recall("k")) == "one"
    dp.memories.remember("k", "two")
    assert value(dp.memories.recall("k")) == "two"
    assert all(0 <= hit.recency <= 1 for hit in dp.memories.search("two").hits)
    clock.now = 0.0
    assert dp.memories.pack("two").memories


@pytest.mark.parametrize(
    ("now", "then", "wanted"),
    [(0, 30 * DAY, 1.0), (30 * DAY, 0, 0.5), (60 * DAY, 0, 0.25), (1e18, 0, 0.0), (0, None, 0.0)],
)
def test_recency_halves_in_thirty_days_and_stays_between_nought_and_one(
    now: float, then: float | None, wanted: float
) -> None:
    assert recency(now, then) == pytest.approx(wanted)


def test_pages_give_every_memory_once_and_are_full(dp: Daypack) -> None:
    for number in range(23):
        dp.memories.remember(f"k/{number:02}", f"value {number}", tags=["even"] if number % 2 == 0 else [])
        if number % 5 == 0:
            dp.memories.remember(f"k/{number:02}", f"shared {number}", shared=True)
    dp.memories.redact("k/07", reason="r")
    seen, cursor = [], ""
    while True:
        page = dp.memories.list(limit=4, cursor=cursor)
        seen += [(memory.key, memory.shared) for memory in page.memories]
        cursor = page.cursor
        if not cursor:
            break
        assert len(page.memories) == 4
    assert seen == sorted(seen)
    assert len(seen) == len(set(seen)) == 23 - 1 + 5
    assert [memory.key for memory in dp.memories.list(tags=["even"]).memories] == [
        f"k/{n:02}" for n in range(0, 23, 2)
    ]
    assert dp.memories.tags() == {"even": 12}


@pytest.mark.parametrize("cursor", ["x", "====", "bm9uc2Vuc2U", "W10", "é", "W1tdLDFd"])
def test_a_cursor_that_is_none_is_refused(dp: Daypack, cursor: str) -> None:
    with pytest.raises(InputError, match="cursor"):
        dp.memories.list(cursor=cursor)


def test_related_begins_with_what_is_linked(dp: Daypack) -> None:
    dp.memories.remember("tea/green", "Brewed at 75 degrees, see [[people/ana|Ana]].")
    dp.memories.remember("people/ana", "Knows everything about porcelain.")
    dp.memories.remember("tea/black", "Brewed at 95 degrees.")
    assert [hit.memory.key for hit in dp.memories.related("tea/green").hits][:2] == [
        "people/ana",
        "tea/black",
    ]
    assert dp.memories.related("people/ana").hits[0].memory.key == "tea/green"


def test_holding_needs_no_version() -> None:
    assert holding([], valid_at=0) is None
    assert holding([MemoryVersion("t", None, 0, 0)], valid_at=1) is None


def test_what_was_recorded_comes_latest_first_and_ones_own_alone(tmp_path: Path) -> None:
    clock = Clock()
    with opened(tmp_path, clock) as dp, opened(tmp_path, clock, owner="bea") as other:
        for key, value in (("tea", "oolong"), ("cup", "blue"), ("tea", "sencha")):
            clock.passes(60)
            dp.memories.remember(key, value)
        clock.passes(60)
        other.memories.remember("tea", "assam")
        said = [(key, version.value) for key, version in dp.memories.recorded(limit=2)]
        assert said == [("tea", "sencha"), ("cup", "blue")]
        assert [version.value for _, version in other.memories.recorded()] == ["assam"]
