"""Sessions in the storage of opencode, as files and as databases."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.doors.sessions.transcripts.reading import read_transcript
from daypack.doors.sessions.types import Did, Noted, Said
from support import daypack, project

T0 = 1_790_000_000_000
TABLES = """
    CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, parent_id TEXT, title TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
"""
LATER_TABLES = """
    CREATE TABLE session_v2 (id TEXT PRIMARY KEY, directory TEXT, parent_id TEXT, time_created INTEGER);
    CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, data TEXT);
"""
RAN = {
    "type": "tool",
    "callID": "call_1",
    "tool": "bash",
    "state": {
        "status": "completed",
        "input": {"command": "make"},
        "output": "no rule",
        "metadata": {"exit": 2},
    },
}
LATER_RAN = {
    "type": "tool",
    "id": "call_1",
    "name": "bash",
    "state": {
        "status": "completed",
        "input": {"command": "make"},
        "content": [{"type": "text", "text": "no rule"}],
        "metadata": {"exit": 2},
    },
}
MADE = Did("bash", {"command": "make"}, "no rule", True)
EXPECTED = [Said("user", "Mend the pump."), MADE, Said("assistant", "We decided to change the pump.")]


def messages(session: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The messages of a session with their parts, as opencode writes them first."""
    asked = {"id": f"msg_{session}_1", "sessionID": session, "role": "user", "time": {"created": T0}}
    said = {
        "id": f"msg_{session}_2",
        "sessionID": session,
        "role": "assistant",
        "time": {"created": T0 + 60_000},
    }
    parts: list[dict[str, Any]] = [RAN, {"type": "text", "text": "We decided to change the pump."}]
    return [(asked, [{"type": "text", "text": "Mend the pump."}]), (said, parts)]


def in_files(data: Path, folder: Path | str, session: str = "ses_1", **more: Any) -> Path:
    storage = data / "storage"
    info = {"id": session, "projectID": "p", "directory": str(folder), "time": {"created": T0}, **more}
    write(storage / "session" / "p" / f"{session}.json", info)
    write(storage / "project" / "p.json", {"id": "p", "worktree": str(folder)})
    write(storage / "session_diff" / f"{session}.json", [])
    for about, parts in messages(session):
        write(storage / "message" / session / f"{about['id']}.json", about)
        for number, part in enumerate(parts):
            write(storage / "part" / about["id"] / f"prt_{number}.json", {"id": f"prt_{number}", **part})
    return storage / "session" / "p" / f"{session}.json"


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def database(data: Path, tables: str = TABLES, name: str = "opencode.db") -> sqlite3.Connection:
    data.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(data / name)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(tables)
    return db


def in_database(
    db: sqlite3.Connection, folder: Path | str, session: str = "ses_1", parent: str | None = None
) -> None:
    db.execute("INSERT INTO session VALUES (?, ?, ?, '', ?)", (session, str(folder), parent, T0))
    for about, parts in messages(session):
        created, name = about["time"]["created"], about["id"]
        data = {key: value for key, value in about.items() if key not in ("id", "sessionID")}
        db.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, created, json.dumps(data)))
        for number, part in enumerate(parts):
            row = (f"{name}_{number}", name, session, created, json.dumps(part))
            db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", row)
    db.commit()


def in_later_tables(
    db: sqlite3.Connection, folder: Path | str, *more: tuple[str, dict[str, Any]], session: str = "ses_1"
) -> None:
    db.execute("INSERT INTO session_v2 VALUES (?, ?, NULL, ?)", (session, str(folder), T0))
    said = [LATER_RAN, {"type": "text", "text": "We decided to change the pump."}]
    rows = [("user", {"text": "Mend the pump."}), ("assistant", {"content": said}), *more]
    for seq, (kind, data) in enumerate(rows):
        row = (f"msg_{session}_{seq + 1}", session, kind, seq, T0 + 60_000 * seq, json.dumps(data))
        db.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)", row)
    db.commit()


def whats(path: Path) -> list[Said | Did | Noted]:
    reading = read_transcript(path)
    assert reading.client == "opencode"
    return [step.what for step in reading.steps]


def test_a_session_in_files_tells_who_said_and_did_what(tmp_path: Path) -> None:
    assert whats(in_files(tmp_path, "/srv/ferry")) == EXPECTED


def test_a_session_in_a_database_tells_the_same(tmp_path: Path) -> None:
    with closing(database(tmp_path)) as db:
        in_database(db, "/srv/ferry")
        assert whats(tmp_path / "opencode.db" / "ses_1") == EXPECTED


def test_a_session_of_version_2_tells_the_same_and_has_the_users_commands_and_compactions(
    tmp_path: Path,
) -> None:
    shell = {
        "shellID": "sh_1",
        "command": "ls",
        "status": "exited",
        "exit": 0,
        "output": {"output": "pump.py"},
    }
    more = [
        ("shell", shell),
        ("compaction", {"status": "completed", "summary": "All."}),
        ("synthetic", {"text": "x"}),
    ]
    with closing(database(tmp_path, LATER_TABLES)) as db:
        in_later_tables(db, "/srv/ferry", *more)
    listed = Did("bash", {"command": "ls"}, "pump.py", False)
    assert whats(tmp_path / "opencode.db" / "ses_1") == [*EXPECTED, listed, Noted("compacted")]


def test_a_call_of_version_2_that_fails_or_still_runs_says_so(tmp_path: Path) -> None:
    def call(name: str, **state: Any) -> dict[str, Any]:
        return {"type": "tool", "id": name, "name": "edit", "state": {"input": {"filePath": "a.py"}, **state}}

    failed = call("c1", status="error", error={"type": "unknown", "message": "no such file"})
    more = ("assistant", {"content": [failed, call("c2", status="running")]})
    with closing(database(tmp_path, LATER_TABLES)) as db:
        in_later_tables(db, "/srv/ferry", more)
    given = {"filePath": "a.py"}
    assert whats(tmp_path / "opencode.db" / "ses_1")[3:] == [
        Did("edit", given, "no such file", True),
        Did("edit", given),
    ]


def test_a_file_written_before_a_page_was_read_keeps_its_trust(dp: Daypack, tmp_path: Path) -> None:
    def call(name: str, seconds: int, **given: str) -> dict[str, Any]:
        ran = {"created": T0 + 120_000, "ran": T0 + 121_000, "completed": T0 + 120_000 + seconds * 1_000}
        state = {"status": "completed", "input": given, "content": [{"type": "text", "text": "ok"}]}
        return {"type": "tool", "id": name, "name": name, "state": state, "time": ran}

    made = [call("write", 10, filePath="a.py", content="a"), call("webfetch", 20, url="https://example.org")]
    with closing(database(tmp_path, LATER_TABLES)) as db:
        in_later_tables(
            db, "/srv/ferry", ("assistant", {"content": [*made, {"type": "text", "text": "Read."}]})
        )
    dp.sessions.add_transcripts(tmp_path / "opencode.db")
    trusts = {(event.category.value, event.trust.value) for event in dp.sessions.timeline()}
    assert {("file", "agent"), ("web", "untrusted")} <= trusts
    assert dp.sessions.timeline().events[-1].text == "Read."


def test_a_session_that_opencode_moved_twice_counts_once(dp: Daypack, tmp_path: Path) -> None:
    assert dp.sessions.add_transcripts(in_files(tmp_path, "/srv/ferry")).added == 4
    with closing(database(tmp_path)) as db:
        in_database(db, "/srv/ferry")
        assert dp.sessions.add_transcripts(tmp_path / "opencode.db").added == 0
        db.executescript(LATER_TABLES)
        in_later_tables(db, "/srv/ferry")
        report = dp.sessions.add_transcripts(tmp_path / "opencode.db")
    assert (report.added, report.repeated, report.files) == (0, 0, 1)


def test_the_storage_of_opencode_as_a_folder_has_its_sessions_and_no_fault(
    dp: Daypack, tmp_path: Path
) -> None:
    in_files(tmp_path, "/srv/ferry")
    in_files(tmp_path, "/srv/ferry", "ses_2", parentID="ses_1")
    with closing(database(tmp_path)) as db:
        in_database(db, "/srv/ferry", "ses_3")
        in_database(db, "/srv/ferry", "ses_4", parent="ses_3")
    report = dp.sessions.add_transcripts(tmp_path)
    assert report.issues == ()
    assert {session.id for session in dp.sessions.sessions()} == {"ses_1", "ses_3"}


@pytest.mark.parametrize(("below", "sessions"), [("", 1), ("session", 1), ("session/p", 1), ("message", 0)])
def test_the_storage_of_opencode_is_read_from_any_folder_in_it(
    dp: Daypack, tmp_path: Path, below: str, sessions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_files(tmp_path, "/srv/ferry")
    monkeypatch.chdir(tmp_path / "storage" / below)
    report = dp.sessions.add_transcripts(".")
    assert (report.sessions, report.issues) == (sessions, ())


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in folder.glob("opencode*") if not path.name.endswith("-shm")
    }


def closed(data: Path) -> None:
    database(data).close()


def of_a_crash(data: Path) -> None:
    """A database whose last messages are in its log, and that no program has open."""
    with closing(database(data / "running")) as db:
        in_database(db, "/srv/ferry")
        for name in ("opencode.db", "opencode.db-wal"):
            (data / name).write_bytes((data / "running" / name).read_bytes())
    for path in (data / "running").iterdir():
        path.unlink()
    (data / "running").rmdir()


@pytest.mark.parametrize(("leave", "sessions"), [(closed, 0), (of_a_crash, 1)])
def test_reading_a_database_leaves_nothing_beside_it(
    dp: Daypack, tmp_path: Path, leave: Callable[[Path], None], sessions: int
) -> None:
    data = tmp_path / "opencode"
    data.mkdir()
    leave(data)
    before, names = snapshot(data), sorted(os.listdir(data))
    assert dp.sessions.add_transcripts(data / "opencode.db").sessions == sessions
    assert (snapshot(data), sorted(os.listdir(data))) == (before, names)


def test_the_copy_of_an_old_log_goes_when_the_log_changes(
    dp: Daypack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, copies = tmp_path / "opencode", tmp_path / "copies"
    data.mkdir()
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    of_a_crash(data)
    for second in (1, 2):
        os.utime(data / "opencode.db-wal", (second, second))
        dp.sessions.add_transcripts(data / "opencode.db")
    assert len([*copies.iterdir()]) == 1


def test_a_view_in_the_place_of_a_table_is_not_read(dp: Daypack, tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM n)"
    view = f"CREATE VIEW session AS {endless} SELECT id, '' directory, NULL parent_id, 1 time_created FROM n;"
    database(tmp_path, view + TABLES.partition(";")[2]).close()
    (issue,) = dp.sessions.add_transcripts(tmp_path / "opencode.db").issues
    assert "unknown form" in issue


@pytest.mark.parametrize("linked", ["message/ses_1", "part/msg_ses_1_1", "part/msg_ses_1_1/prt_0.json"])
def test_no_link_is_followed_to_a_piece_of_a_session(tmp_path: Path, linked: str) -> None:
    path = in_files(tmp_path, "/srv/ferry")
    piece = tmp_path / "storage" / linked
    piece.symlink_to(piece.rename(tmp_path / "elsewhere"))
    assert "Mend the pump." not in str(read_transcript(path).steps)


def test_a_database_that_opencode_has_open_is_read_with_the_newest_messages(
    dp: Daypack, tmp_path: Path
) -> None:
    with closing(database(tmp_path)) as db:
        in_database(db, "/srv/ferry")
        before = snapshot(tmp_path)
        assert dp.sessions.add_transcripts(tmp_path / "opencode.db").added == 4
        assert snapshot(tmp_path) == before


@pytest.mark.parametrize("damage", ["another form", "bytes"])
def test_a_database_that_cannot_be_read_says_why(dp: Daypack, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "opencode.db"
    database(tmp_path, "CREATE TABLE other (id TEXT);").close()
    if damage == "bytes":
        path.write_bytes(path.read_bytes()[:100] + b"x" * 5_000)
    (issue,) = dp.sessions.add_transcripts(path).issues
    assert ("unknown form" if damage == "another form" else "cannot be read") in issue


@pytest.mark.parametrize("moved", [False, True])
def test_sessions_of_the_project_are_found_where_opencode_keeps_them(tmp_path: Path, moved: bool) -> None:
    ferry, home = project(tmp_path / "ferry", {"sub/README.md": "# Ferry\n"}), tmp_path / "home"
    data = (tmp_path / "moved" if moved else home / ".local" / "share") / "opencode"
    for session, folder in (("ses_1", ferry), ("ses_2", ferry / "sub"), ("ses_3", tmp_path / "other")):
        in_files(data, folder, session)
    with closing(database(data)) as db:
        in_database(db, ferry, "ses_1")
        in_database(db, tmp_path / "other", "ses_3")
    with closing(database(data, name="opencode-dev.db")) as db:
        in_database(db, ferry, "ses_5")
    env = {"HOME": str(home), **({"XDG_DATA_HOME": str(tmp_path / "moved")} if moved else {})}
    done = daypack("session", "import", "--yes", cwd=ferry, env=env)
    assert "3 transcripts of this project" in done.stderr
    assert "3 sessions: 12 new" in done.stdout
    assert " 0 new, 0 repeated" in daypack("session", "import", "--yes", cwd=ferry, env=env).stdout
