"""The roots of the files door on disk: added folders and files, the folders of the last walk with their
times, and the skipped files. The column that names a root is called `source`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.guard.paths import DENIED
from daypack.index import sql
from daypack.index.meta import places as places_in
from daypack.index.meta import put_places
from daypack.ports import FILES, Connection
from daypack.types import IngestIssue, SkipReason

if TYPE_CHECKING:
    from daypack.index.database import Database
    from daypack.ports import Condition


class ListedFile(NamedTuple):
    """A stored file: tokens and number of its parts, its size in bytes, and when it changed in Unix seconds."""

    uri: str
    language: str
    tokens: int
    parts: int
    size: int
    changed_at: float


def roots(store: Database) -> list[tuple[str, str]]:
    """(path, kind) of the roots, oldest first."""
    with store.reading() as db:
        return list(db.execute("SELECT path, kind FROM source ORDER BY added_at, path"))


def times(store: Database) -> list[tuple[str, int, int]]:
    """(uid, modification time in ns, size in bytes) of each stored file."""
    with store.reading() as db:
        return list(
            db.execute("SELECT uid, mtime_ns, size FROM record WHERE door = ? AND scope = ''", (FILES,))
        )


def folders(store: Database, root: str) -> dict[str, int]:
    """Folder or ignore file → modification time at the last walk of a root."""
    with store.reading() as db:
        return dict(db.execute("SELECT path, mtime_ns FROM folder WHERE source = ?", (root,)))


def places(store: Database) -> dict[str, str]:
    """Root → the path where it was last read; a root of a copy that has read none is left out."""
    with store.reading() as db:
        return places_in(db)


def note_place(db: Connection, root: str, path: str) -> None:
    put_places(db, {**places_in(db), root: path})


def purposes(store: Database, first: str, end: str) -> dict[str, dict[str, bool]]:
    """uid → the purposes that `.gitattributes` declared when the file was read, between two uids (`roots.bounds_of`); files without
    any are left out.
    """
    statement = "SELECT uid, json_extract(metadata, '$.linguist') FROM record WHERE door = ? AND scope = '' AND uid >= ? AND uid < ? AND metadata LIKE '%\"linguist\"%'"
    with store.reading() as db:
        found = db.execute(statement, (FILES, first, end))
        return {uid: json.loads(declared) for uid, declared in found if declared}


def encoding(store: Database, uid: str) -> str:
    """The encoding in which a stored file was read, "" for UTF-8."""
    with store.reading() as db:
        statement = "SELECT json_extract(metadata, '$.encoding') FROM record WHERE door = ? AND scope = '' AND uid = ?"
        return next((found or "" for (found,) in db.execute(statement, (FILES, uid))), "")


def note_root(db: Connection, path: str, kind: str, *, now: float) -> None:
    db.execute(
        "INSERT INTO source VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET kind = excluded.kind",
        (path, kind, now),
    )


def note_walk(
    db: Connection,
    root: str,
    folders: Mapping[str, int],
    issues: Sequence[IngestIssue],
    times: Mapping[str, tuple[int, int]],
) -> None:
    """Store the folders and issues of a walk. `times` are (mtime_ns, size) of files that were opened and found unfit."""
    db.execute("DELETE FROM folder WHERE source = ?", (root,))
    db.executemany(
        "INSERT INTO folder VALUES (?, ?, ?)", ((root, path, mtime_ns) for path, mtime_ns in folders.items())
    )
    db.execute("DELETE FROM skipped WHERE source = ?", (root,))
    db.executemany(
        "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?, ?, ?)",
        (
            (root, issue.uri, issue.reason.value, issue.detail, *times.get(issue.uri, (0, 0)))
            for issue in issues
        ),
    )


class Unfit(NamedTuple):
    """A file that is not opened again until it changes."""

    issue: IngestIssue
    stamp: tuple[int, int]  # modification time in ns, size in bytes


def unfit(store: Database, root: str) -> dict[str, Unfit]:
    """The unfit files of a root, by uid."""
    with store.reading() as db:
        statement = (
            "SELECT uri, reason, detail, mtime_ns, size FROM skipped WHERE source = ? AND mtime_ns != 0"
        )
        return {row[0]: Unfit(_issue(row), (row[3], row[4])) for row in db.execute(statement, (root,))}


def unopened(store: Database, root: str) -> list[IngestIssue]:
    """The issues of files that were skipped for their size alone, then of those that were for their permissions, among them
    folders with a slash behind them.
    """
    statement = """SELECT uri, reason, detail FROM skipped WHERE source = ?
        AND ((reason = ? AND mtime_ns = 0) OR (reason = ? AND detail = ?)) ORDER BY reason"""
    reasons = SkipReason.TOO_LARGE.value, SkipReason.UNREADABLE.value
    with store.reading() as db:
        return sql.rows(db, _issue, statement, (root, *reasons, DENIED))


def skipped_of(store: Database, root: str) -> list[IngestIssue]:
    with store.reading() as db:
        return sql.rows(db, _issue, "SELECT uri, reason, detail FROM skipped WHERE source = ?", (root,))


def skipped(store: Database) -> list[IngestIssue]:
    """The issue of each skipped file, by name; that of the innermost root, where roots lie in each other."""
    with store.reading() as db:
        issues = sql.rows(
            db, _issue, "SELECT uri, reason, detail FROM skipped ORDER BY uri, length(source), source"
        )
    return [*{issue.uri: issue for issue in issues}.values()]


def _issue(row: Sequence[Any]) -> IngestIssue:
    return IngestIssue(row[0], SkipReason(row[1]), row[2])


def listing(db: Connection, visible: Condition) -> list[ListedFile]:
    """The visible files, by name."""
    where, parameters = visible
    return sql.rows(
        db,
        ListedFile._make,
        f"""SELECT r.uri, r.language, coalesce(sum(c.tokens), 0), count(c.id), r.size, CAST(r.mtime_ns AS REAL) / 1e9
            FROM (SELECT id, uri, language, size, mtime_ns FROM record WHERE door = ? AND {where}) AS r
            LEFT JOIN chunk AS c ON c.record_id = r.id GROUP BY r.id, r.uri, r.language, r.size, r.mtime_ns ORDER BY r.uri""",
        (FILES, *parameters),
    )


def has_files(db: Connection, visible: Condition) -> bool:
    """True when a file is visible."""
    where, parameters = visible
    return sql.exists(db, f"SELECT 1 FROM record WHERE door = ? AND {where} LIMIT 1", (FILES, *parameters))


def drop_root(db: Connection, root: str) -> None:
    """Forget a root, its place, its folders and its skipped files."""
    put_places(db, {other: path for other, path in places_in(db).items() if other != root})
    db.execute("DELETE FROM folder WHERE source = ?", (root,))
    db.execute("DELETE FROM skipped WHERE source = ?", (root,))
    db.execute("DELETE FROM source WHERE path = ?", (root,))


def forget_root(store: Database, root: str) -> None:
    with store.writing("noted") as db:
        drop_root(db, root)
