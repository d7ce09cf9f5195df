"""The table `meta`: facts of the whole store, one row each. Every function runs inside the transaction of its caller."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from daypack.ports import Connection

PLACES = "places"


def value_of(db: Connection, key: str) -> str | None:
    """The value under a key as text; None without one."""
    found = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if found is None else str(found[0])


def number_of(db: Connection, key: str) -> int:
    """The number under a key; 0 without one."""
    return int(value_of(db, key) or 0)


def put(db: Connection, key: str, value: str | int) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def put_once(db: Connection, key: str, value: str | int) -> None:
    """Keep a value where the key has none."""
    db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (key, value))


def drop(db: Connection | apsw.Connection, *keys: str) -> bool:
    """Remove the rows of these keys; True when one was there."""
    db.execute(f"DELETE FROM meta WHERE key IN ({', '.join('?' * len(keys))})", keys)
    return bool(db.changes())


def drop_as_read(db: Connection | apsw.Connection, key: str, value: str | None) -> None:
    """Remove a row that still has the value that was read."""
    db.execute("DELETE FROM meta WHERE key = ? AND CAST(value AS TEXT) = ?", (key, value))


def count_one(db: Connection, key: str) -> None:
    """Add one to the number under a key."""
    db.execute(
        """INSERT INTO meta VALUES (?, 1)
           ON CONFLICT (key) DO UPDATE SET value = CAST(meta.value AS INTEGER) + 1""",
        (key,),
    )


def places(db: Connection) -> dict[str, str]:
    """Root → the path where it was last read on this disk. A restored or an imported store begins without them."""
    found = value_of(db, PLACES)
    return dict(json.loads(found)) if found else {}


def put_places(db: Connection, of: Mapping[str, str]) -> None:
    if of:
        put(db, PLACES, json.dumps(of, sort_keys=True))
    else:
        drop(db, PLACES)
