"""What the store opens, what it refuses, and that a refusal leaves everything as it was."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from daypack import Daypack
from daypack.adapters.shared import Project
from daypack.engine.checks import CheckVerdict
from daypack.errors import (
    DaypackError,
    FolderOfOthers,
    InputError,
    NotAStore,
    StoreDamaged,
    StoreEmpty,
    StoreError,
    StoreNotFound,
    StoreReadOnly,
    StoreUnsafe,
    StoreVersionMismatch,
)
from daypack.index import database, schema
from daypack.index.copies.backups import Backups
from daypack.index.embedded.opening import MARKER
from daypack.index.store import Store
from support import WORDS, files_of, ills, in_child, opened_until
from support import daypack as run


def made(folder: Path, text: str = "a kettle of tea") -> Path:
    with Daypack.open(folder, settings=WORDS) as daypack:
        daypack.records.add([{"id": "kettle", "text": text}])
    return folder


# ---------------------------------------------------------------- refused, and left as it was


def refused(folder: Path, error: type[DaypackError]) -> str:
    """The message with which a store is refused; nothing in its folder may have changed."""
    before = files_of(folder)
    for create in (True, False):
        with pytest.raises(error) as caught:
            Store.open(folder, create=create)
    assert files_of(folder) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_row_36_a_store_of_a_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    made(tmp_path / "s")
    with apsw.Connection(str(tmp_path / "s" / "daypack.db")) as db:
        db.pragma("user_version", schema.VERSION + 1)
    db.close()
    assert "upgrade daypack" in refused(tmp_path / "s", StoreVersionMismatch)


@pytest.mark.parametrize("application_id", [0, 0x12345678])
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_row_36_a_database_of_another_program_is_refused_unchanged(
    tmp_path: Path, application_id: int, journal: str
) -> None:
    (tmp_path / "s").mkdir(mode=0o700)
    db = sqlite3.connect(tmp_path / "s" / "daypack.db")
    db.execute(f"PRAGMA journal_mode={journal}")
    db.execute(f"PRAGMA application_id={application_id}")
    db.execute("CREATE TABLE music (title)")
    db.commit()
    db.close()
    assert "another program" in refused(tmp_path / "s", NotAStore)


@pytest.mark.parametrize("content", [b"x", b"Dear diary,\n" * 500, b"SQLite format 2\0" + b"\0" * 4096])
def test_a_text_file_of_that_name_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "s").mkdir(mode=0o700)
    (tmp_path / "s" / "daypack.db").write_bytes(content)
    assert "not a database" in refused(tmp_path / "s", NotAStore)


@pytest.mark.parametrize("wal", [b"", b"frames of the log"])
def test_an_empty_file_is_a_store_that_was_lost(tmp_path: Path, wal: bytes) -> None:
    folder = made(tmp_path / "s")
    os.truncate(folder / "daypack.db", 0)
    (folder / "daypack.db-wal").write_bytes(wal)
    assert "the store file is empty" in refused(folder, StoreEmpty)


def test_of_a_lost_store_every_command_says_what_to_do(tmp_path: Path) -> None:
    made(tmp_path / "s")
    os.truncate(tmp_path / "s" / "daypack.db", 0)
    for words in (["doctor"], ["recall", "k"], ["remember", "k", "v"], ["add", "."], ["search", "kettle"]):
        said = run("--store", str(tmp_path / "s"), *words, cwd=tmp_path, status=3).stderr
        assert "the store file is empty" in said
        assert "run `daypack restore` with a backup, or remove it to begin a new store" in said
    (tmp_path / "s" / "daypack.db").unlink()
    with Daypack.open(made(tmp_path / "s", "anew"), settings=WORDS) as daypack:
        assert daypack.get("kettle").text == "anew"


# ---------------------------------------------------------------- made


def test_no_marker_is_left_beside_a_store_that_was_made(tmp_path: Path) -> None:
    assert sorted(path.name for path in made(tmp_path / "s").iterdir()) == [".gitignore", "daypack.db"]


def test_every_file_of_a_new_store_is_private_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        folder = made(tmp_path / "s")
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_creation_killed_anywhere_leaves_what_the_next_opening_finishes(tmp_path: Path) -> None:
    """At every step that opens a file, locks it or runs a statement."""
    seen = set()
    for point in range(200):
        folder = tmp_path / str(point)

        def killed(folder: Path = folder, point: int = point) -> None:
            left = [point]

            def step(event: str, _arguments: tuple[object, ...]) -> None:
                if event in ("open", "os.mkdir", "os.remove"):
                    count()

            def count(*_: object) -> bool:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return True

            def traced(connection: apsw.Connection) -> None:
                count()
                connection.exec_trace = count

            apsw.connection_hooks.append(traced)
            sys.addaudithook(step)
            Store.open(folder).close()

        status = in_child(killed)
        file = folder / "daypack.db"
        seen.add(file.stat().st_size if file.exists() else -1)
        assert made(folder) == folder
        with Daypack.open(folder, settings=WORDS) as daypack:
            assert daypack.get("kettle").text == "a kettle of tea"
            assert ills(daypack) == []
        assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "daypack.db"]
        if status == 0:
            break
    else:
        pytest.fail("the creation never came to its end")
    assert {-1, 0} < seen


def test_a_store_that_was_lost_after_an_interrupted_creation_is_still_told_from_a_new_one(
    tmp_path: Path,
) -> None:
    made(tmp_path / "s")
    (tmp_path / "s" / MARKER).touch()  # its maker was killed before it took it away
    made(tmp_path / "s")
    os.truncate(tmp_path / "s" / "daypack.db", 0)
    refused(tmp_path / "s", StoreEmpty)


def test_processes_that_make_one_store_at_once_all_do(tmp_path: Path) -> None:
    for turn in range(25):
        folder = tmp_path / str(turn)
        go, start = os.pipe()
        children = []
        for number in range(3):
            pid = os.fork()
            if pid == 0:
                status = 77
                try:
                    os.close(start)
                    os.read(go, 1)  # until everybody is here
                    with Daypack.open(folder, settings=WORDS) as daypack:
                        daypack.records.add([{"id": f"r{number}", "text": "a kettle of tea"}])
                    status = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(status)
            children.append(pid)
        os.close(go)
        os.close(start)
        assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children] == [0, 0, 0]
        with Daypack.open(folder, settings=WORDS) as daypack:
            assert [daypack.get(f"r{number}").text for number in range(3)] == ["a kettle of tea"] * 3
        assert not (folder / MARKER).exists()


def test_a_linked_database_is_refused(tmp_path: Path) -> None:
    made(tmp_path / "real")
    for name in ("daypack.db", "daypack.db-wal", "daypack.db-shm"):
        folder = tmp_path / name
        folder.mkdir(mode=0o700)
        (folder / name).symlink_to(tmp_path / "real" / "daypack.db")
        if name != "daypack.db":
            (folder / "daypack.db").write_bytes((tmp_path / "real" / "daypack.db").read_bytes())
        assert "remove the link" in refused(folder, StoreUnsafe)


def test_a_dangling_link_is_refused_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir(mode=0o700)
    (tmp_path / "s" / "daypack.db").symlink_to(tmp_path / "elsewhere.db")
    refused(tmp_path / "s", StoreUnsafe)
    assert not (tmp_path / "elsewhere.db").exists()


def test_row_33_a_folder_that_everybody_may_write_is_refused(tmp_path: Path) -> None:
    made(tmp_path / "s").chmod(0o777)
    assert "chmod go-w" in refused(tmp_path / "s", StoreUnsafe)


def test_a_folder_that_others_may_read_is_a_warning_of_the_doctor(tmp_path: Path) -> None:
    made(tmp_path / "s").chmod(0o755)
    with Daypack.open(tmp_path / "s", settings=WORDS) as daypack:
        warnings = [
            check.detail
            for check in daypack.doctor()
            if check.verdict == "warning" and check.name == "permissions"
        ]
    assert "chmod 700" in warnings[0]


def test_a_device_a_pipe_or_a_folder_instead_of_the_file_is_refused(tmp_path: Path) -> None:
    for name, make in (("pipe", os.mkfifo), ("folder", os.mkdir)):
        folder = tmp_path / name
        folder.mkdir(mode=0o700)
        make(folder / "daypack.db")
        with pytest.raises(NotAStore, match="not a regular file"):
            Store.open(folder)


def test_a_file_instead_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("I was here first")
    with pytest.raises(StoreError):
        Store.open(tmp_path / "s")
    assert (tmp_path / "s").read_text() == "I was here first"


def test_no_store_is_made_for_a_question(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        Store.open(tmp_path / "s", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_files_does_not_become_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.py").write_text("print()\n")
    monkeypatch.chdir(tmp_path)
    for named in (".", tmp_path, Path("")):
        with pytest.raises(FolderOfOthers, match=r"name .*/\.daypack"):
            Daypack.open(named, settings=WORDS)
    Daypack.open(settings=WORDS).close()
    backup = tmp_path.parent / f"{tmp_path.name}-backup"
    with Daypack.open(settings=WORDS) as dp:
        dp.backup(backup)
    with pytest.raises(FolderOfOthers):
        Daypack.restore(backup, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".daypack", "main.py"]


def test_a_store_without_a_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for refused in (
        lambda: Daypack.open("", settings=WORDS),
        lambda: Daypack.restore("b", ""),
        lambda: Daypack.import_lines([], ""),
        lambda: Project(".", store=""),
    ):
        with pytest.raises(InputError, match="empty name"):
            refused()
    assert "empty name" in run("add", ".", "--store", "", cwd=tmp_path, status=2).stderr
    assert "empty name" in run("--store", "", "status", cwd=tmp_path, status=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_and_what_is_left_of_a_store_become_one(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    made(tmp_path / "s")
    for file in (tmp_path / "s").glob("daypack.db*"):
        file.unlink()
    made(tmp_path / "s")


def test_a_store_may_lie_in_a_folder_of_any_name(tmp_path: Path) -> None:
    for name in ("with space", "quote'\"", "日本", "per%cent?#", "new\nline"):
        made(tmp_path / name)
        with Daypack.open(tmp_path / name, settings=WORDS) as daypack:
            assert daypack.get("kettle").text == "a kettle of tea"


def test_a_folder_whose_name_is_no_text_is_refused_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreUnsafe, match="UTF-8"):
        Store.open(tmp_path / os.fsdecode(b"\xff"))
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- read only


def as_nobody(work: Callable[[], None]) -> int:
    def as_other() -> None:
        os.setgid(65534)
        os.setuid(65534)
        work()

    return in_child(as_other)


@pytest.mark.skipif(os.getuid() != 0, reason="gives a store to another user, which only root can")
def test_row_32_a_read_only_folder_answers_questions_and_refuses_writes(tmp_path: Path) -> None:
    folder = made(tmp_path / "s")
    with Daypack.open(folder, settings=WORDS) as daypack:  # everything that is imported late is imported here
        expected = daypack.pack("kettle").text
        daypack.records.add([{"id": "pot", "text": "a pot without a vector"}])
    for parent in (folder, *folder.parents):
        parent.chmod(parent.stat().st_mode | 0o055)
    os.chown(folder, 65534, 65534)
    folder.chmod(0o500)
    for file in folder.iterdir():
        os.chown(file, 65534, 65534)
        file.chmod(0o400)
    before = files_of(folder)

    def look() -> None:
        with Daypack.open(folder, settings=WORDS) as daypack:
            assert daypack.pack("kettle", vectors="none").text
            assert "kettle" in daypack.pack("kettle").text
            assert daypack.get("kettle").text == "a kettle of tea"
            assert daypack.status()["records"] == 2
            assert ills(daypack) == []
            for write in (
                lambda: daypack.records.add([{"id": "x", "text": "y"}]),
                lambda: daypack.records.delete(["kettle"]),
                daypack.reindex,
                daypack.embed,
            ):
                with pytest.raises(StoreReadOnly):
                    write()

    assert as_nobody(look) == 0
    assert files_of(folder) == before
    assert expected


@pytest.mark.skipif(os.getuid() != 0, reason="gives a store to another user, which only root can")
def test_row_33_a_store_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = made(tmp_path / "s")
    os.chown(folder, 1234, 1234)
    folder.chmod(0o755)
    for parent in folder.parents:
        parent.chmod(parent.stat().st_mode | 0o055)

    def look() -> None:
        with pytest.raises(StoreUnsafe, match="another user"):
            Store.open(folder)

    assert as_nobody(look) == 0


# ---------------------------------------------------------------- forks


def test_row_39_a_child_of_fork_reads_and_writes_by_a_connection_of_its_own(dp: Daypack) -> None:
    dp.records.add([{"id": "a", "text": "from the parent"}])

    def child() -> None:
        assert dp.get("a").text == "from the parent"
        dp.records.add([{"id": "b", "text": "from the child"}])

    assert in_child(child) == 0
    dp.records.add([{"id": "c", "text": "from the parent again"}])
    assert dp.get("b").text == "from the child"
    assert ills(dp) == []


def test_a_child_that_outlives_its_parent_loses_nothing_to_a_third_process(tmp_path: Path) -> None:
    """The third, as the last to close, would delete the WAL under a child whose locks are only its parent's."""
    folder = tmp_path / "s"
    told, tell = os.pipe()
    go_on, went_on = os.pipe()
    ready, ready_to = os.pipe()

    def parent() -> None:
        daypack = Daypack.open(folder, settings=WORDS)
        daypack.records.add([{"id": "a", "text": "from the parent"}])
        if os.fork():
            os._exit(0)
        try:
            os.read(go_on, 1)
            daypack.records.add([{"id": "b", "text": "from the child"}])
            os.write(ready_to, b"r")
            os.read(go_on, 1)
            daypack.records.add([{"id": "c", "text": "from the child again"}])
        finally:
            os.write(tell, b"d")
            os._exit(0)

    assert in_child(parent) == 0
    os.write(went_on, b"1")
    os.read(ready, 1)
    with Daypack.open(folder, settings=WORDS) as third:
        assert third.get("b").text == "from the child"
    os.write(went_on, b"2")
    os.read(told, 1)
    with Daypack.open(folder, settings=WORDS) as after:
        assert [after.get(name).text for name in "abc"] == [
            "from the parent",
            "from the child",
            "from the child again",
        ]
        assert ills(after) == []


def test_a_parent_that_forks_inside_a_transaction_keeps_it(dp: Daypack) -> None:
    dp.records.add([{"id": "a", "text": "first"}])
    with dp.engine.store.writing() as db:
        db.execute("UPDATE record SET author = 'ana'")
        assert in_child(lambda: None if dp.get("a").text == "first" else os._exit(1)) == 0
    with dp.engine.store.reading() as db:
        assert db.execute("SELECT author FROM record").fetchone() == ("ana",)


# ---------------------------------------------------------------- migrations


NEXT = "ALTER TABLE record ADD COLUMN colour TEXT; CREATE TABLE palette (name TEXT PRIMARY KEY); INSERT INTO palette VALUES ('red')"


def upgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MIGRATIONS", (*schema.MIGRATIONS, NEXT))
    monkeypatch.setattr(database, "VERSION", schema.VERSION + 1)


def shape(folder: Path) -> tuple[int, list[str], list[tuple[str]]]:
    db = apsw.Connection(str(folder / "daypack.db"))
    version = db.pragma("user_version")
    columns = [row[1] for row in db.execute("PRAGMA table_info(record)")]
    tables = list(db.execute("SELECT name FROM sqlite_schema WHERE name = 'palette'"))
    db.close()
    return version, columns, tables


def test_a_migration_keeps_a_checked_private_copy_of_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path / "s")
    upgrade(monkeypatch)
    with Daypack.open(folder, settings=WORDS) as daypack:
        assert daypack.get("kettle").text == "a kettle of tea"
    (backup,) = Daypack.backups(folder / "backup")
    assert backup.schema == schema.VERSION
    Backups(folder / "backup").extract(backup, tmp_path / "copy")
    copy = tmp_path / "copy" / "daypack.db"
    version, columns, tables = shape(folder)
    assert (version, "colour" in columns, bool(tables)) == (schema.VERSION + 1, True, True)
    assert sqlite3.connect(copy).execute("SELECT text FROM record").fetchone() == ("a kettle of tea",)


def test_row_37_a_migration_killed_anywhere_leaves_the_old_version_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(monkeypatch)
    seen = set()
    for point in range(60):
        folder = tmp_path / str(point)
        with monkeypatch.context() as old:
            old.setattr(database, "MIGRATIONS", schema.MIGRATIONS)
            old.setattr(database, "VERSION", schema.VERSION)
            made(folder)

        status = opened_until(folder, point, monkeypatch)
        version, columns, tables = shape(folder)
        seen.add(version)
        assert ("colour" in columns, bool(tables)) == (
            (True, True) if version > schema.VERSION else (False, False)
        )
        with Daypack.open(folder, settings=WORDS) as daypack:
            assert daypack.get("kettle").text == "a kettle of tea"
            assert ills(daypack) == []
        assert shape(folder)[0] == schema.VERSION + 1
        if status == 0:
            break
    else:
        pytest.fail("the migration never came to its end")
    assert seen == {schema.VERSION, schema.VERSION + 1}


# ---------------------------------------------------------------- rot


def test_a_byte_that_rots_in_a_text_is_damage_and_never_an_answer(tmp_path: Path) -> None:
    folder = made(tmp_path / "s", "the pressure of the boiler is nine bar " * 40)
    file = folder / "daypack.db"
    content = bytearray(file.read_bytes())
    for at in range(len(content)):
        if content.startswith(b"nine bar", at):
            content[at : at + 4] = b"five"
    file.write_bytes(content)
    with Daypack.open(folder, settings=WORDS) as daypack:
        for ask in (
            lambda: daypack.pack("boiler pressure"),
            lambda: daypack.get("kettle"),
            lambda: daypack.search("boiler"),
        ):
            with pytest.raises(StoreDamaged, match="since it was stored"):
                ask()
        assert any("texts" in ill for ill in ills(daypack))


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_database_that_others_may_open_is_reported_and_refused_where_they_reach_it(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.records.add([{"id": "a", "text": "tea"}])
    file = tmp_path / "s" / "daypack.db"
    file.chmod(0o666)
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        (check,) = [one for one in dp.doctor() if one.name == "files"]
        assert check.verdict is CheckVerdict.WARNING
        assert "daypack.db has mode 0666" in check.detail
        assert "chmod 600" in check.detail
    (tmp_path / "s").chmod(0o755)
    with pytest.raises(StoreUnsafe, match=r"every user may write to daypack\.db"):
        Daypack.open(tmp_path / "s", settings=WORDS)
    file.chmod(0o600)
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        assert [one.verdict for one in dp.doctor() if one.name == "files"] == [CheckVerdict.OK]
