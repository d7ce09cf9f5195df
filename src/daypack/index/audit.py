"""Audit logs as hash chains: each line carries a hash of itself and of the line before.

A line that is changed or taken out breaks the chain at the line after it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from daypack.ports import Connection


class AuditLog(NamedTuple):
    """The log in `table`, whose lines have a time, an action, and a value for each of `columns`."""

    table: str
    columns: tuple[str, ...]

    def append(self, db: Connection, at: float, action: str, *values: str | bytes) -> int:
        """Write a line; returns its id."""
        before = db.execute(f"SELECT chain FROM {self.table} ORDER BY id DESC LIMIT 1").fetchone()
        line = (at, action, *values)
        db.execute(
            f"INSERT INTO {self.table} (at, action, {', '.join(self.columns)}, chain) VALUES (?, ?, {'?, ' * len(values)}?)",
            (*line, _link(before[0] if before else b"", line)),
        )
        return db.last_insert_rowid()

    def broken_lines(self, db: Connection) -> int:
        """Count the lines that do not follow from the line before."""
        before, broken = b"", 0
        for *line, chain in db.execute(
            f"SELECT at, action, {', '.join(self.columns)}, chain FROM {self.table} ORDER BY id"
        ):
            broken += _link(before, line) != chain
            before = chain
        return broken


def _link(before: bytes, line: Any) -> bytes:
    said = json.dumps([value.hex() if isinstance(value, bytes) else value for value in line])
    return hashlib.blake2b(before + said.encode(), digest_size=16).digest()
