"""Repair: what can be read of a damaged store is kept, what is lost is said, and the damaged store is kept too."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from ruins import KINDS, Original, one_round, original

from daypack import Daypack
from daypack.errors import DaypackError, StoreEmpty, StoreError, StoreNotFound, StoreVersionMismatch
from daypack.index.salvage.image import Image
from daypack.index.salvage.rescue import DERIVED, rescue
from every_door import answers, fill, rows
from killing import kill_at, points
from support import WORDS, files_of, ills
from support import daypack as run

ROUNDS = 20


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return original(tmp_path_factory.mktemp("ruins") / "original")


@pytest.mark.slow
def test_row_34_damaged_stores_keep_the_records_on_intact_pages_and_say_every_loss(
    before: Original, tmp_path: Path
) -> None:
    """The first of the rounds that `make storm` runs."""
    outcomes = [one_round(before, tmp_path / "damaged", seed) for seed in range(ROUNDS)]
    for outcome in outcomes:
        assert not (outcome["missing"] and outcome["complete"]), outcome
        assert outcome["unnamed"] == 0 or outcome["pages"], outcome
        assert outcome["invented"] == [], outcome
        assert outcome["ills"] == [], outcome
        assert outcome.get("original_kept", True), outcome
        assert outcome.get("report", True), outcome
    intact, kept = (sum(outcome[name] for outcome in outcomes) for name in ("intact", "intact_kept"))
    assert kept >= 0.99 * intact
    assert {outcome["kind"] for outcome in outcomes} == {*KINDS}
    assert sum(outcome["repaired"] for outcome in outcomes) > ROUNDS / 2


def test_an_intact_store_is_read_row_for_row(before: Original, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    rescued = rescue(before.folder / "daypack.db", tmp_path / "new" / "daypack.db")
    assert rescued.complete
    assert rows(tmp_path / "new", without={*DERIVED}) == rows(before.folder, without={*DERIVED})


def test_commits_in_the_log_are_read_and_a_log_cut_short_is_no_loss(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        for number in range(5):
            dp.records.add([{"id": f"r{number}", "text": f"text {number} " * 400}])
        shutil.copytree(tmp_path / "s", tmp_path / "copy")
    log = (tmp_path / "copy" / "daypack.db-wal").read_bytes()
    found = set()
    for length in range(len(log), -1, -4_120):
        (tmp_path / "copy" / "daypack.db-wal").write_bytes(log[:length])
        assert Image.open(tmp_path / "copy" / "daypack.db").broken_frames == 0
        (tmp_path / "new.db").unlink(missing_ok=True)
        found.add(rescue(tmp_path / "copy" / "daypack.db", tmp_path / "new.db").kept["record"])
    assert found >= {1, 2, 3, 4, 5}
    torn = bytearray(log)
    torn[len(torn) * 7 // 8] ^= 1
    (tmp_path / "copy" / "daypack.db-wal").write_bytes(torn)
    (tmp_path / "copy").chmod(0o700)
    done = Daypack.repair(tmp_path / "copy", settings=WORDS)
    assert not done.complete


def test_what_was_deleted_stays_deleted(tmp_path: Path) -> None:
    """Also when the list of free pages is damaged, on which its old rows lie."""
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.records.add([{"id": f"r{n}", "text": f"secret {n} " * 900} for n in range(80)])
        dp.records.delete([f"r{n}" for n in range(20, 70)])
    file = tmp_path / "s" / "daypack.db"
    content = bytearray(file.read_bytes())
    trunk = int.from_bytes(content[32:36], "big")
    content[(trunk - 1) * 4096 : trunk * 4096] = bytes(4096)
    file.write_bytes(content)
    done = Daypack.repair(tmp_path / "s", settings=WORDS)
    assert done.found
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        assert dp.status()["records"] == 30
        assert ills(dp) == []


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM record WHERE door = 'memories'",
        "DELETE FROM record WHERE door = 'sources'",
        "UPDATE posting SET data = substr(data, 1, 3) WHERE term = 'kettl'",
        "UPDATE segment SET columns = substr(columns, 9)",
        "DELETE FROM chunk WHERE id % 3 = 0",
        "UPDATE vec SET codes = x'00'",
    ],
)
def test_everything_derived_is_made_again(tmp_path: Path, statement: str) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, notes_use=False) as dp:
        fill(dp)
        dp.pack("Sencha")
        expected = answers(dp)
        with dp.engine.store.writing() as db:
            db.pragma("foreign_keys", False)
            db.execute(f"PRAGMA defer_foreign_keys = ON; {statement}")
            dangling = [*db.execute("PRAGMA foreign_key_check")]
            db.execute("DELETE FROM chunk WHERE record_id NOT IN (SELECT id FROM record)")
        assert ills(dp) or dangling
    done = Daypack.repair(tmp_path / ".daypack", settings=WORDS)
    assert done.found
    assert done.complete, done
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, notes_use=False) as dp:
        assert ills(dp) == []
        if "vec" not in statement:
            assert answers(dp) == expected


SPACE, ITS_KEYS = "memory_space", "sqlite_autoindex_memory_space_1"


def without_roots(folder: Path, *names: str) -> None:
    """Zero the first page of tables and indexes of the store."""
    with contextlib.closing(sqlite3.connect(folder / "daypack.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema"))
    with (folder / "daypack.db").open("r+b") as file:
        for name in names:
            file.seek((roots[name] - 1) * 4096)
            file.write(bytes(4096))


def remembered(dp: Daypack) -> list[tuple[str, str | None]]:
    return [(memory.key, memory.value) for memory in dp.memories.list()]


@pytest.mark.parametrize("lost", [(SPACE,), (ITS_KEYS,), (SPACE, ITS_KEYS)], ids=["rows", "keys", "both"])
def test_a_repair_keeps_every_memory_of_an_owner_whose_row_is_lost(
    tmp_path: Path, lost: tuple[str, ...]
) -> None:
    for owner in ("ana", "ben"):
        with Daypack.open(tmp_path / "s", settings=WORDS, owner=owner) as dp:
            dp.memories.remember("tea/kind", f"{owner} drinks sencha")
            dp.memories.remember(f"{owner}/hour", "at four")
    without_roots(tmp_path / "s", *lost)
    done = Daypack.repair(tmp_path / "s", settings=WORDS)
    assert done.rescued is not None
    assert done.rescued.lost == done.removed == done.remaining == ()
    assert len(done.rescued.doubtful) == (2 if len(lost) == 2 else 0)
    for owner in ("ana", "ben"):
        with Daypack.open(tmp_path / "s", settings=WORDS, owner=owner) as dp:
            assert remembered(dp) == [(f"{owner}/hour", "at four"), ("tea/kind", f"{owner} drinks sencha")]
            assert ills(dp) == []


def test_a_repair_gives_no_owner_a_memory_that_may_be_of_another(tmp_path: Path) -> None:
    for owner in ("ana", "ben"):
        with Daypack.open(tmp_path / "s", settings=WORDS, owner=owner) as dp:
            dp.memories.remember("tea/kind", "sencha")
    without_roots(tmp_path / "s", SPACE, ITS_KEYS)
    done = Daypack.repair(tmp_path / "s", settings=WORDS)
    assert done.rescued is not None
    assert [row.table for row in done.rescued.lost if row.table == "memory"] == ["memory"] * 2
    for owner in ("ana", "ben"):
        with Daypack.open(tmp_path / "s", settings=WORDS, owner=owner) as dp:
            assert remembered(dp) == []


# ---------------------------------------------------------------- refused


def ruined(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    with Daypack.open(folder, settings=WORDS) as dp:
        dp.records.add([{"id": f"r{n}", "text": f"a kettle of tea {n} " * 150} for n in range(20)])
    file = folder / "daypack.db"
    file.write_bytes(change(file.read_bytes()))
    return folder


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda _: b"", StoreEmpty),
        (lambda _: b"Dear diary, " * 900, StoreError),
        (lambda content: content[:60] + (99).to_bytes(4, "big") + content[64:], StoreVersionMismatch),
    ],
)
def test_what_is_no_damaged_store_is_left_as_it_is(
    tmp_path: Path, change: Callable[[bytes], bytes], error: type[DaypackError]
) -> None:
    folder = ruined(tmp_path / "s", change)
    before = files_of(folder)
    with pytest.raises(error) as refused:
        Daypack.repair(folder, settings=WORDS)
    after = files_of(folder)
    after.pop("placing.lock", None)
    assert after == before
    assert "run `daypack repair`" not in str(refused.value)  # the user just did


def test_a_missing_store_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        Daypack.repair(tmp_path / "s", settings=WORDS)
    assert not (tmp_path / "s").exists()


def test_a_sound_store_is_left_as_it_is(tmp_path: Path) -> None:
    folder = ruined(tmp_path / "s", lambda content: content)
    before = files_of(folder)
    assert Daypack.repair(folder, settings=WORDS).found == ()
    assert files_of(folder) == before


# ---------------------------------------------------------------- killed, and at the terminal


def zeroed(content: bytes) -> bytes:
    """A database whose first pages behind the head are gone."""
    return content[:4096] + bytes(4096 * 3) + content[4096 * 4 :]


@pytest.mark.slow
def test_a_repair_killed_at_any_step_leaves_the_damaged_store_or_the_repaired_one(tmp_path: Path) -> None:
    folder = ruined(tmp_path / "made", zeroed)
    damaged = (folder / "daypack.db").read_bytes()
    seen = set()
    for point in points(8):
        target = tmp_path / "t"
        shutil.copytree(folder, target)
        target.chmod(0o700)

        def work(target: Path = target) -> None:
            Daypack.repair(target, settings=WORDS)

        lived = kill_at(point, work)
        now = (target / "daypack.db").read_bytes()
        seen.add(now == damaged)
        if now != damaged:
            assert (next(target.glob("aside/*/daypack.db"))).read_bytes() == damaged
            assert next(target.glob("aside/*/report.json")).stat().st_size
        Daypack.repair(target, settings=WORDS)
        with Daypack.open(target, settings=WORDS) as dp:
            assert ills(dp) == []
        shutil.rmtree(target)
        if lived:
            break
    assert seen == {True, False}


def test_the_terminal_shows_losses_and_where_everything_is(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.records.add([{"id": f"r{n}", "text": f"text {n} " + os.urandom(3000).hex()} for n in range(40)])
        dp.memories.remember("owner", "Ana")
    file = tmp_path / ".daypack" / "daypack.db"
    content = file.read_bytes()
    at = content.index(b"text 17 ")
    file.write_bytes(content[:at] + b"TEXT" + content[at + 4 :])
    assert "run `daypack repair`" in run("check", "--deep", cwd=tmp_path, status=1).stdout
    done = run("repair", cwd=tmp_path, status=1)
    assert "kept      40 records, 1 memory\n" in done.stdout
    assert "lost      record records r17: its text differs from its hash\n" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("report"))
    report = json.loads((tmp_path / ".daypack" / line.split()[1]).read_text())
    (lost,) = report["lost"]
    assert (lost["table"], lost["key"]) == ("record", ["records", "", "r17"])
    assert any("TEXT 17" in str(value) for value in lost["values"])
    assert run("repair", cwd=tmp_path).stdout == "nothing is damaged\n"
    run("check", "--deep", cwd=tmp_path)


def test_a_sample_reads_some_texts_and_other_ones_the_next_time(tmp_path: Path) -> None:
    now = [0.0]
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=lambda: now[0]) as dp:
        dp.records.add([{"id": f"r{n}", "text": f"text number {n}"} for n in range(300)])
        with dp.engine.store.writing() as db:
            db.execute("UPDATE record SET text = 'rotten' WHERE uid = 'r7'")
        found = []
        for moment in range(60):
            now[0] = float(moment)
            found.append(any(check.verdict == "damage" for check in dp.check(sample=0.1)))
        assert 0 < sum(found) < 20
        assert not any(check.verdict == "damage" for check in dp.check())
        assert any(check.verdict == "damage" for check in dp.check(deep=True))
