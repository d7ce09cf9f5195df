"""The sessions that opencode keeps, in the form of its exports. They are only read.

    storage/session/PROJECT/ses_1.json    the info of a session; its messages in storage/message/ses_1/, and their parts in
                                          storage/part/msg_1/
    opencode.db                           tables `session`, `message` and `part`, with that JSON in `data`; since version 2
                                          also `session_v2` and `session_message`, with the parts of a message in its `data`

A session in a database is named like a file inside it: opencode.db/ses_1.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from shutil import copyfile, rmtree
from typing import Any, NamedTuple
from weakref import finalize

from daypack.shapes.loose_json import list_of, object_of, objects_of, parsed, text_of

DATABASES = "opencode*.db"  # one for each channel of releases
_BEGIN = b"SQLite format 3\0"
_PATIENCE = 2.0  # seconds to wait while opencode has the database for itself
_UNKNOWN = "a database of an unknown form; a session that `opencode export` writes can be read"
_PIECES = ("message", "part", "session_diff", "session_share", "todo", "project", "permission")


class Kept(NamedTuple):
    """A session: its name as a path, and its working folder."""

    path: Path
    folder: str


def size_of(path: Path) -> int:
    """The bytes of the messages of a session."""
    if not is_database(path.parent):
        return sum(piece.stat().st_size for piece in _pieces(path))
    with _opened(path.parent) as db:
        read = "SELECT coalesce(sum(length(data)), 0) FROM {} WHERE session_id = ?"
        tables = (table for _, messages in _tables(db) for table in messages)
        return sum(db.execute(read.format(table), (path.name,)).fetchone()[0] for table in tables)


# ---------------------------------------------------------------- files


def kept_in_files(storage: Path) -> list[Kept]:
    """The sessions in a folder of JSON files, without those of sub-agents."""
    infos = {path: _object_in(path) for path in sorted(storage.glob("session/*/*.json"))}
    return [
        Kept(path, text_of(info.get("directory")))
        for path, info in infos.items()
        if text_of(info.get("id")) and not text_of(info.get("parentID"))
    ]


def is_in_files(path: Path) -> bool:
    """True for the info of a session in a folder of JSON files."""
    return path.suffix == ".json" and path.parent.parent.name == "session" and _messages_of(path).is_dir()


def is_piece(path: Path) -> bool:
    """True for another file in such a folder, a piece of a session or a fact about it."""
    storage = next((above for above in path.parents if above.name == "storage"), None)
    return (
        storage is not None
        and path.relative_to(storage).parts[0] in _PIECES
        and Path(storage, "session").is_dir()
    )


def export_of_files(path: Path) -> Mapping[str, Any]:
    messages: list[Mapping[str, Any]] = []
    for file in _files_in(_messages_of(path)):
        parts = [_object_in(part) for part in _files_in(_parts_of(path, file.stem))]
        messages.append({"info": {**_object_in(file), "id": file.stem}, "parts": parts})
    return {"info": {**_object_in(path), "id": path.stem}, "messages": messages}


def _messages_of(path: Path) -> Path:
    return path.parents[2] / "message" / path.stem


def _parts_of(path: Path, message: str) -> Path:
    return path.parents[2] / "part" / message


def _pieces(path: Path) -> Iterator[Path]:
    for file in _files_in(_messages_of(path)):
        yield file
        yield from _files_in(_parts_of(path, file.stem))


def _files_in(folder: Path) -> list[Path]:
    """The JSON files in a folder; no link is followed."""
    return (
        [] if folder.is_symlink() else sorted(path for path in folder.glob("*.json") if not path.is_symlink())
    )


def _object_in(path: Path) -> dict[str, Any]:
    return dict(object_of(parsed(path.read_bytes().decode("utf-8", "replace"), {})))


# ---------------------------------------------------------------- a database


def is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(_BEGIN)) == _BEGIN


def kept_in_database(path: Path) -> list[Kept]:
    """The sessions in a database, without those of sub-agents. Raises ValueError for a database that cannot be read."""
    found: dict[str, Kept] = {}
    with _opened(path) as db:
        for sessions, messages in _tables(db):  # a session in both generations counts with the later one
            rows = db.execute(
                f"SELECT id, directory FROM {sessions} AS s WHERE parent_id IS NULL"
                f" AND EXISTS (SELECT 1 FROM {messages[0]} WHERE session_id = s.id) ORDER BY time_created, id"
            )
            found |= {str(name): Kept(path / str(name), str(folder)) for name, folder in rows}
    return [*found.values()]


def export_of_database(path: Path, name: str) -> Mapping[str, Any]:
    """A session in a database. Raises ValueError for a database that cannot be read."""
    with _opened(path) as db:
        for sessions, tables in reversed(_tables(db)):
            about = db.execute(
                f"SELECT id, directory, parent_id, time_created FROM {sessions} WHERE id = ?", (name,)
            ).fetchone()
            messages = [*(_messages if "part" in tables else _later_messages)(db, name)]
            if about and messages:
                info = {
                    "id": about[0],
                    "directory": about[1],
                    "parentID": about[2],
                    "time": {"created": about[3] or path.stat().st_mtime},
                }
                return {"info": info, "messages": messages}
    raise ValueError(f"no session {name} in {path.name}")


def _messages(db: sqlite3.Connection, name: str) -> Iterator[Mapping[str, Any]]:
    parts: dict[str, list[Mapping[str, Any]]] = {}
    for message, data in db.execute(
        "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id", (name,)
    ):
        parts.setdefault(message, []).append(_data(data))
    for message, created, data in db.execute(
        "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id", (name,)
    ):
        info = {"time": {"created": created}, **_data(data), "id": message}
        yield {"info": info, "parts": parts.get(message, [])}


def _later_messages(db: sqlite3.Connection, name: str) -> Iterator[Mapping[str, Any]]:
    """The messages of version 2, in the form of the first."""
    for message, kind, created, data in db.execute(
        "SELECT id, type, time_created, data FROM session_message WHERE session_id = ? ORDER BY seq", (name,)
    ):
        told = _data(data)
        info = {"time": {"created": created}, "id": message, "role": kind}
        parts: list[Mapping[str, Any]] = []
        match kind:
            case "user":
                parts = [{"type": "text", "text": told.get("text")}]
            case "assistant":
                parts = [_later_part(part) for part in list_of(told.get("content")) if part]
            case "shell":
                parts = [_typed(told)]
            case "compaction" if told.get("status", "completed") == "completed":
                parts = [{"type": "compaction"}]
        yield {"info": info, "parts": parts}


def _later_part(part: Any) -> Mapping[str, Any]:
    told = object_of(part)
    if told.get("type") != "tool":
        return told
    state = object_of(told.get("state"))
    texts = [text_of(item.get("text")) for item in objects_of(state.get("content"))]
    error = object_of(state.get("error")).get("message")
    shown = {**state, "output": "\n".join(filter(None, texts)), "error": error}
    shown["metadata"] = object_of(state.get("metadata")) or object_of(state.get("structured"))
    times = object_of(told.get("time"))
    shown["time"] = {"start": times.get("ran"), "end": times.get("completed")}
    return {"type": "tool", "callID": told.get("id"), "tool": told.get("name"), "state": shown}


def _typed(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """A command that the user typed behind "!"."""
    output, status = told.get("output"), told.get("status")
    state = {
        "status": "running" if status == "running" or output is None else "completed",
        "input": {"command": told.get("command")},
        "output": text_of(output) or text_of(object_of(output).get("output")),
        "metadata": {"exit": told.get("exit")},
    }
    call = text_of(told.get("shellID")) or text_of(told.get("callID"))
    return {"type": "tool", "callID": call, "tool": "bash", "state": state}


def _data(data: Any) -> dict[str, Any]:
    return dict(object_of(parsed(str(data), {})))


_GENERATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("session", ("message", "part")),
    ("session_v2", ("session_message",)),
)
_OF_SESSIONS = frozenset({"id", "directory", "parent_id", "time_created"})
_COLUMNS = {
    "session": _OF_SESSIONS,
    "session_v2": _OF_SESSIONS,
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "session_id", "message_id", "data"},
    "session_message": {"id", "session_id", "type", "seq", "time_created", "data"},
}


def _tables(db: sqlite3.Connection) -> list[tuple[str, tuple[str, ...]]]:
    """The tables of sessions, each with those of its messages, in the order of opencode's versions. A view may have no end."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    found = [
        (sessions, messages)
        for sessions, messages in _GENERATIONS
        if all(
            table in tables
            and _COLUMNS[table] <= {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            for table in (sessions, *messages)
        )
    ]
    if not found:
        raise ValueError(_UNKNOWN)
    return found


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database, open to read. SQLite itself would leave a log beside one that no program has open, so such a database is
    read as a file that cannot change, and one with an old log from a copy.
    """
    log, shared = (path.with_name(f"{path.name}-{name}") for name in ("wal", "shm"))
    try:
        if not log.exists() or not log.stat().st_size:
            place, how = path, "immutable=1"
        elif shared.exists():
            place, how = path, "mode=ro"
        else:
            copy = _copy_of(path, log, log.stat().st_mtime_ns)
            place, how = copy.path, "mode=ro"
        with closing(sqlite3.connect(f"{place.resolve().as_uri()}?{how}", uri=True, timeout=_PATIENCE)) as db:
            yield db
    except sqlite3.Error as error:
        raise ValueError(f"the database cannot be read ({error})") from error


class _Copy:
    """A copy of a database and its log, which goes when the next one is made, or with the process."""

    def __init__(self, path: Path, log: Path) -> None:
        folder = tempfile.mkdtemp(prefix="daypack-")
        finalize(self, rmtree, folder, ignore_errors=True)
        copyfile(log, Path(folder, "copy.db-wal"))
        self.path = Path(copyfile(path, Path(folder, "copy.db")))


@lru_cache(maxsize=1)
def _copy_of(path: Path, log: Path, _: int) -> _Copy:
    """A copy for all sessions that the process reads while the log stays as it is."""
    return _Copy(path, log)
