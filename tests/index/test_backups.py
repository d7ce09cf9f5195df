"""Backups of a whole store: exact, small, private, whole after every kill, and a way back from each."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import BackupDamaged, DaypackError, InputError, NotABackup
from daypack.index import database, schema
from daypack.index.copies import backups as backups_module
from daypack.index.copies import exchange
from daypack.index.salvage import shapes
from daypack.index.store import Store
from every_door import answers, fill, rows
from killing import kill_at, points
from support import TESTS, WORDS, Clock, environment, files_of, ills


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a project whose store has something of every door."""
    root = tmp_path_factory.mktemp("full")
    with Daypack.open(root / ".daypack", settings=WORDS, clock=Clock()) as dp:
        fill(dp)
    return root


def small(folder: Path, clock: Callable[[], float] | None = None) -> Daypack:
    """An open store with one record."""
    dp = Daypack.open(folder, settings=WORDS, clock=clock or Clock())
    dp.records.add([{"id": "kettle", "text": "a kettle of tea"}])
    return dp


# ---------------------------------------------------------------- round trip


def test_a_restored_store_has_every_row_and_every_answer(full: Path, tmp_path: Path) -> None:
    with Daypack.open(full / ".daypack", settings=WORDS, clock=Clock()) as dp:
        dp.backup(tmp_path / "b")
        stored = rows(full / ".daypack", counters=False)
        expected = answers(dp)
    (tmp_path / "new").mkdir()
    Daypack.restore(tmp_path / "b", tmp_path / "new" / ".daypack")
    assert rows(tmp_path / "new" / ".daypack", counters=False) == stored
    with Daypack.open(tmp_path / "new" / ".daypack", root=full, settings=WORDS, clock=Clock()) as dp:
        assert answers(dp) == expected
        assert ills(dp) == []


NEXT = "CREATE TABLE palette (name TEXT PRIMARY KEY); INSERT INTO palette VALUES ('red')"


def test_copies_of_an_older_version_are_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    with small(tmp_path / "s") as dp:
        dp.backup(tmp_path / "b")
        dp.export(lines.append)
    for module in (database, shapes):
        monkeypatch.setattr(module, "MIGRATIONS", (*schema.MIGRATIONS, NEXT))
    for module in (database, exchange):
        monkeypatch.setattr(module, "VERSION", schema.VERSION + 1)
    Daypack.open(tmp_path / "s", settings=WORDS).close()
    Daypack.restore(tmp_path / "b", tmp_path / "s")
    Daypack.restore(tmp_path / "b", tmp_path / "new")
    Daypack.import_lines(lines, tmp_path / "imported", settings=WORDS)
    for name in ("s", "new", "imported"):
        assert rows(tmp_path / name)["palette"] == [("red",)]
        with Daypack.open(tmp_path / name, settings=WORDS) as dp:
            assert dp.get("kettle").text == "a kettle of tea"
            assert ills(dp) == []


def test_files_beside_the_database_come_back_and_present_ones_stay(tmp_path: Path) -> None:
    with small(tmp_path / "s") as dp:
        (tmp_path / "s" / "spool").mkdir()
        (tmp_path / "s" / "spool" / "a.jsonl").write_text("an event")
        (tmp_path / "s" / "profiles").mkdir()
        (tmp_path / "s" / "profiles" / "mine.toml").write_text("old")
        (tmp_path / "s" / "profiles" / "link.toml").symlink_to("/etc/hostname")
        dp.backup(tmp_path / "b")
    shutil.rmtree(tmp_path / "s" / "spool")
    (tmp_path / "s" / "profiles" / "mine.toml").write_text("new")
    Daypack.restore(tmp_path / "b", tmp_path / "s")
    assert (tmp_path / "s" / "spool" / "a.jsonl").read_text() == "an event"
    assert (tmp_path / "s" / "profiles" / "mine.toml").read_text() == "new"
    (backup,) = Daypack.backups(tmp_path / "b")
    assert [file.path for file in backup.files] == ["daypack.db", "profiles/mine.toml", "spool/a.jsonl"]


def test_the_token_of_a_server_is_in_no_backup(tmp_path: Path) -> None:
    with small(tmp_path / "s") as dp:
        (tmp_path / "s" / "token").write_text("a secret")
        dp.backup(tmp_path / "b")
    (backup,) = Daypack.backups(tmp_path / "b")
    assert [file.path for file in backup.files] == ["daypack.db"]


def test_a_backup_of_an_earlier_version_brings_no_token_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small(tmp_path / "s") as dp, monkeypatch.context() as earlier:
        earlier.setattr(backups_module, "LEFT_OUT", backups_module.LEFT_OUT[:-1])
        (tmp_path / "s" / "token").write_text("a secret")
        dp.backup(tmp_path / "b")
    (tmp_path / "s" / "token").unlink()
    Daypack.restore(tmp_path / "b", tmp_path / "s")
    assert not (tmp_path / "s" / "token").exists()


def test_a_second_backup_writes_what_changed_and_a_third_nothing(full: Path, tmp_path: Path) -> None:
    clock = Clock()
    shutil.copytree(full / ".daypack", tmp_path / "s")
    (tmp_path / "s").chmod(0o700)
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=clock) as dp:
        dp.records.add(
            [{"id": f"bulk{n}", "text": random.Random(n).randbytes(3000).hex()} for n in range(200)]
        )
        first = dp.backup(tmp_path / "b")
        clock.now += 1
        dp.records.add([{"id": "one", "text": "one more"}])
        second = dp.backup(tmp_path / "b")
        clock.now += 1
        third = dp.backup(tmp_path / "b")
    assert first.new_bytes > 1_500_000
    assert 0 < second.new_bytes < first.new_bytes / 2  # freed pages are overwritten as well
    assert (third.new_blocks, third.new_bytes) == (0, 0)


def test_everything_in_a_backup_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with small(tmp_path / "s") as dp:
            dp.backup(tmp_path / "b")
            dp.engine.store.snapshot(0.0)
    finally:
        os.umask(old)
    for top in (tmp_path / "b", tmp_path / "s" / "backup"):
        for path in (top, *top.rglob("*")):
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert (tmp_path / "b" / ".gitignore").read_text() == "*\n"


def test_a_person_restores_a_backup_by_the_page_that_is_in_it(tmp_path: Path) -> None:
    with small(tmp_path / "s") as dp:
        taken = dp.backup(tmp_path / "b")
    facts = json.loads((tmp_path / "b" / "backups" / f"{taken.backup.name}.json").read_text())
    (file,) = (file for file in facts["files"] if file["path"] == "daypack.db")
    content = b"".join((tmp_path / "b" / "blocks" / name[:2] / name).read_bytes() for name in file["blocks"])
    (tmp_path / "by-hand").mkdir(mode=0o700)
    (tmp_path / "by-hand" / "daypack.db").write_bytes(content)
    with Daypack.open(tmp_path / "by-hand", settings=WORDS) as dp:
        assert dp.get("kettle").text == "a kettle of tea"
    assert "sha256sum" in (tmp_path / "b" / "README.txt").read_text()


# ---------------------------------------------------------------- which backup


def numbered(tmp_path: Path, count: int = 4) -> Clock:
    """Backups of `count` states, one second apart: the record "n" says which."""
    clock = Clock(1000.0)
    with small(tmp_path / "s", clock) as dp:
        for number in range(count):
            clock.now = 1000.0 + number
            dp.records.add([{"id": "n", "text": f"state {number}"}])
            dp.backup(tmp_path / "b")
    return clock


def state(folder: Path) -> str:
    with Daypack.open(folder, settings=WORDS) as dp:
        return dp.get("n").text


@pytest.mark.parametrize(("at", "number"), [(None, 3), (5000.0, 3), (1003.0, 3), (1002.9, 2), (1000.0, 0)])
def test_the_newest_backup_before_a_time_is_restored(tmp_path: Path, at: float | None, number: int) -> None:
    numbered(tmp_path)
    Daypack.restore(tmp_path / "b", tmp_path / "new", at=at)
    assert state(tmp_path / "new") == f"state {number}"


def test_what_is_no_backup_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    numbered(tmp_path, 1)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    before = files_of(tmp_path)
    for source in ("none", "empty", "file", "s"):
        with pytest.raises(NotABackup):
            Daypack.restore(tmp_path / source, tmp_path / "new")
    with pytest.raises(NotABackup, match="its first is of 1970-01-01 00:16:40 UTC"):
        Daypack.restore(tmp_path / "b", tmp_path / "new", at=999.0)
    assert files_of(tmp_path) == before
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_not_for_backups_of_this_store_is_refused(tmp_path: Path) -> None:
    with small(tmp_path / "s") as dp, small(tmp_path / "other") as other:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "diary.txt").write_text("dear")
        (tmp_path / "file").write_text("x")
        (tmp_path / "link").symlink_to(tmp_path / "full")
        for name in ("full", "file", "link", "s", "s/inside", "no/parent"):
            with pytest.raises(NotABackup):
                dp.backup(tmp_path / name)
        with pytest.raises(InputError):
            dp.backup(tmp_path / "b", keep=0)
        other.backup(tmp_path / "b")
        with pytest.raises(NotABackup, match="each store has one of its own"):
            dp.backup(tmp_path / "b")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["diary.txt"]


def test_kept_backups_are_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    clock = numbered(tmp_path, 6)
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=clock) as dp:
        clock.now += 1
        assert dp.backup(tmp_path / "b", keep=3).removed == 4
    backups = Daypack.backups(tmp_path / "b")
    assert [backup.made_at for backup in backups] == [1004.0, 1005.0, 1006.0]
    used = {block for backup in backups for file in backup.files for block in file.blocks}
    assert {path.name for path in (tmp_path / "b" / "blocks").glob("*/*")} == used
    for backup in backups:
        assert Daypack.verify_backup(tmp_path / "b", at=backup.made_at) == backup


# ---------------------------------------------------------------- damage


def test_every_damaged_block_is_found_refused_and_mended_by_the_next_backup(tmp_path: Path) -> None:
    numbered(tmp_path, 1)
    shutil.copytree(tmp_path / "s", tmp_path / "present")
    (tmp_path / "present").chmod(0o700)
    before = files_of(tmp_path / "present")
    blocks = sorted((tmp_path / "b" / "blocks").glob("*/*"))
    for number, block in enumerate(blocks):
        content = block.read_bytes()
        for wrong in (content[:-1], b"", bytes([content[0] ^ 1]) + content[1:], None):
            block.unlink() if wrong is None else block.write_bytes(wrong)
            with pytest.raises(BackupDamaged, match=block.name):
                Daypack.verify_backup(tmp_path / "b")
            with pytest.raises(BackupDamaged, match=block.name):
                Daypack.restore(tmp_path / "b", tmp_path / "present")
            after = files_of(tmp_path / "present")
            after.pop("placing.lock")
            assert after == before
            with Daypack.open(tmp_path / "s", settings=WORDS, clock=Clock(2000.0 + number)) as dp:
                assert dp.backup(tmp_path / "b", keep=1).new_blocks == 1
            Daypack.verify_backup(tmp_path / "b")


def test_a_damaged_manifest_is_said_hides_no_other_and_costs_no_block(tmp_path: Path) -> None:
    clock = numbered(tmp_path, 3)
    manifests = sorted((tmp_path / "b" / "backups").iterdir())
    content = manifests[2].read_text()
    for wrong in (
        "",
        "{",
        "[]",
        content.replace('"path": "', '"path": "/etc/'),
        content.replace('"path": "', '"path": "../'),
    ):
        manifests[2].write_text(wrong)
        with pytest.raises(BackupDamaged, match="manifest"):
            backups_module._read(manifests[2])
        Daypack.restore(tmp_path / "b", tmp_path / "new")
        assert state(tmp_path / "new") == "state 1"
        shutil.rmtree(tmp_path / "new")
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=clock) as dp:
        clock.now += 1
        dp.backup(tmp_path / "b", keep=1)
    manifests[2].write_text(content)
    assert Daypack.verify_backup(tmp_path / "b", at=1002.0).made_at == 1002.0


def test_a_damaged_store_is_not_backed_up(tmp_path: Path) -> None:
    numbered(tmp_path, 1)
    file = tmp_path / "s" / "daypack.db"
    content = bytearray(file.read_bytes())
    content[4096 * 5 : 4096 * 6] = bytes(4096)
    file.write_bytes(content)
    with pytest.raises(DaypackError), Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.backup(tmp_path / "b")
    assert len(Daypack.backups(tmp_path / "b")) == 1
    assert not [*(tmp_path / "b").glob("image*")]


# ---------------------------------------------------------------- the store before


def test_a_restore_can_be_undone(tmp_path: Path) -> None:
    numbered(tmp_path)
    restored = Daypack.restore(tmp_path / "b", tmp_path / "s", at=1001.0, clock=Clock(3000.0))
    assert state(tmp_path / "s") == "state 1"
    assert restored.kept.backup
    Daypack.restore(tmp_path / "s" / "backup", tmp_path / "s", at=3000.0)
    assert state(tmp_path / "s") == "state 3"


def test_the_store_before_is_kept_three_times_at_most(tmp_path: Path) -> None:
    numbered(tmp_path)
    for number in range(5):
        Daypack.restore(tmp_path / "b", tmp_path / "s", at=1000.0, clock=Clock(3000.0 + number))
    assert [one.made_at for one in Daypack.backups(tmp_path / "s" / "backup")] == [3002.0, 3003.0, 3004.0]


@pytest.mark.parametrize("ruin", ["empty", "noise", "page", "cut"])
def test_a_damaged_store_is_set_aside_byte_for_byte(tmp_path: Path, ruin: str) -> None:
    numbered(tmp_path, 1)
    file = tmp_path / "s" / "daypack.db"
    whole = file.read_bytes()
    broken = {
        "empty": b"", "noise": os.urandom(9000), "page": whole[:100] + os.urandom(20_000) + whole[20_100:], "cut": whole[:9000],
    }[ruin]  # fmt: skip
    file.write_bytes(broken)
    Path(f"{file}-wal").write_bytes(b"a log")
    restored = Daypack.restore(tmp_path / "b", tmp_path / "s")
    assert state(tmp_path / "s") == "state 0"
    aside = tmp_path / "s" / restored.kept.aside
    assert (aside / "daypack.db").read_bytes() == broken
    assert aside.stat().st_mode & 0o777 == 0o700


def test_a_process_that_has_the_store_open_sees_the_restored_one(tmp_path: Path) -> None:
    numbered(tmp_path)
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.records.add([{"id": "late", "text": "a samovar came after the backups"}])
        assert dp.search("samovar").candidates
        with Daypack.open(tmp_path / "s", settings=WORDS) as reader, reader.engine.store.reading() as db:
            texts = "SELECT text FROM record ORDER BY uid"
            present = [*db.execute(texts)]
            Daypack.restore(tmp_path / "b", tmp_path / "s", at=1000.0)
            assert [*db.execute(texts)] == present
        assert dp.get("n").text == "state 0"
        assert not dp.search("samovar").candidates
        assert dp.search("state").candidates
        dp.records.add([{"id": "n", "text": "state 9"}])
        assert ills(dp) == []
    assert state(tmp_path / "s") == "state 9"


# ---------------------------------------------------------------- killed


@pytest.mark.slow
def test_a_backup_killed_at_any_step_leaves_whole_backups_and_the_next_succeeds(tmp_path: Path) -> None:
    numbered(tmp_path, 2)
    states: set[int] = set()
    for point in points(30):
        target = tmp_path / "t"
        shutil.copytree(tmp_path / "b", target)

        def work(target: Path = target) -> None:
            with Daypack.open(tmp_path / "s", settings=WORDS, clock=Clock(2000.0)) as dp:
                dp.records.add([{"id": "n", "text": "state 2"}])
                dp.backup(target, keep=2)

        lived = kill_at(point, work)
        found = Daypack.backups(target)
        states.add(len(found))
        assert found
        for backup in found:
            Daypack.verify_backup(target, at=backup.made_at)
        with Daypack.open(tmp_path / "s", settings=WORDS, clock=Clock(2001.0)) as dp:
            dp.backup(target, keep=2)
        assert len(Daypack.backups(target)) == 2
        used = {block for one in Daypack.backups(target) for file in one.files for block in file.blocks}
        assert {path.name for path in (target / "blocks").glob("*/*")} == used
        assert not [*target.glob("image*")]
        shutil.rmtree(target)
        if lived:
            break
    assert states == {2, 3}


@pytest.mark.slow
@pytest.mark.parametrize("former", ["sound", "damaged", "missing"])
def test_a_restore_killed_at_any_step_leaves_the_old_store_or_the_new(tmp_path: Path, former: str) -> None:
    numbered(tmp_path, 2)
    seen: set[str] = set()
    for point in points(20):
        target = tmp_path / "t"
        if former != "missing":
            shutil.copytree(tmp_path / "s", target)
            target.chmod(0o700)
        if former == "damaged":
            (target / "daypack.db").write_bytes(b"SQLite format 3\0" + os.urandom(5000))

        def work(target: Path = target) -> None:
            Daypack.restore(tmp_path / "b", target, at=1000.0)

        lived = kill_at(point, work)
        if former == "sound":
            seen.add(state(target))
        elif former == "damaged":
            kept = [*target.glob("aside/*/daypack.db")]
            try:
                seen.add(state(target))
                assert kept
            except DaypackError:
                seen.add("damaged")
        else:
            seen.add(state(target) if (target / "daypack.db").exists() else "missing")
        Daypack.restore(tmp_path / "b", target, at=1000.0)
        assert state(target) == "state 0"
        assert not (target / "placing").exists()
        shutil.rmtree(target)
        if lived:
            break
    assert seen == {"state 0", {"sound": "state 1"}.get(former, former)}


# ---------------------------------------------------------------- under writers


@pytest.mark.slow
def test_backups_during_eight_writers_restore_states_that_existed(tmp_path: Path) -> None:
    """Each commit adds the record that its number names, so a state that existed has all numbers up to its own."""
    done = subprocess.run(
        [sys.executable, str(TESTS / "faults" / "storm.py"), "backup", str(tmp_path / "s"), "8", "40"],
        capture_output=True, text=True, timeout=400, check=False, env=environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert not [one for one in said if "error" in one]
    committed = {number for one in said for number in one.get("committed", ())}
    assert len(committed) == 8 * 40
    backups = Daypack.backups(tmp_path / "b")
    sizes = []
    for backup in backups:
        target = tmp_path / "restored"
        Daypack.restore(tmp_path / "b", target, at=backup.made_at)
        with Store.open(target) as store, store.reading() as db:
            found = {int(uid) for (uid,) in db.execute("SELECT uid FROM record")}
            highest = store.sequences()[0]
        assert found == {number for number in committed if number <= highest}
        sizes.append(len(found))
        with Daypack.open(target, settings=WORDS) as dp:
            assert ills(dp) == []
        shutil.rmtree(target)
    assert len(backups) >= 3
    assert any(0 < size < len(committed) for size in sizes), "no backup met the writers at work"
