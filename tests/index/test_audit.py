"""The chain of an audit log: what was changed or taken out shows at the line after it."""

from __future__ import annotations

import hashlib
import json

import pytest

from daypack.index.audit import AuditLog
from daypack.index.embedded.connection import FileConnection

LOG = AuditLog("log", ("mark", "note"))


@pytest.fixture
def db() -> FileConnection:
    made = FileConnection(":memory:")
    made.execute(
        "CREATE TABLE log (id INTEGER PRIMARY KEY, at REAL, action TEXT, mark BLOB, note TEXT, chain BLOB)"
    )
    for number in range(4):
        assert LOG.append(made, float(number), "write", b"\x01", f"note {number}") == number + 1
    return made


def test_a_whole_log_has_no_broken_line(db: FileConnection) -> None:
    assert LOG.broken_lines(db) == 0


def test_a_line_hashes_itself_and_the_one_before(db: FileConnection) -> None:
    first, second = [row[0] for row in db.execute("SELECT chain FROM log ORDER BY id LIMIT 2")]
    said = json.dumps([1.0, "write", "01", "note 1"]).encode()
    assert second == hashlib.blake2b(first + said, digest_size=16).digest()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE log SET note = '' WHERE id = 2",
        "DELETE FROM log WHERE id = 2",
        "UPDATE log SET mark = x'02' WHERE id = 4",
    ],
)
def test_a_changed_line_or_a_gap_is_found(db: FileConnection, change: str) -> None:
    db.execute(change)
    assert LOG.broken_lines(db) == 1
