"""Follows the write-ahead log of a store as Litestream does, in a process and with a SQLite of its own.

    python wal_reader.py STORE COPY      until COPY/stop exists; then COPY holds a database and its log

A read transaction keeps others from starting the log again, so the database file of its beginning and all frames since
are together every state that was committed. https://litestream.io/how-it-works/ describes the tables and the lock.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from pathlib import Path


def follow(store: Path, copy: Path) -> None:
    file, log = store / "daypack.db", store / "daypack.db-wal"
    db = sqlite3.connect(file, isolation_level=None, timeout=20)
    db.execute("PRAGMA journal_mode = wal")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    db.execute("CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)")
    db.execute(
        "INSERT INTO _litestream_seq VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1"
    )  # the log has a frame
    db.execute("BEGIN")
    db.execute("SELECT count(*) FROM _litestream_seq").fetchone()
    shutil.copyfile(file, copy / "daypack.db")
    (copy / "following").touch()
    at, head = 0, b""
    with (copy / "daypack.db-wal").open("wb") as out:
        while True:
            stopping = (copy / "stop").exists()
            with log.open("rb") as frames:
                if at:
                    frames.seek(0)
                    assert frames.read(32) == head, "the log was started again under a reader"
                head = head if at else frames.read(32)
                frames.seek(at)
                new = frames.read()
            out.write(new)
            at += len(new)
            if stopping and not new:
                break
            time.sleep(0.01)
    db.execute("COMMIT")
    db.close()


if __name__ == "__main__":
    follow(Path(sys.argv[1]), Path(sys.argv[2]))
