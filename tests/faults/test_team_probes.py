"""A sample of the probes of a team on PostgreSQL: `make probes-team` makes 100,000."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from isolation import Tally, is_good, probe, run


@pytest.mark.slow
def test_no_probe_by_a_verb_or_by_raw_sql_finds_a_foreign_row(server_url: str, tmp_path: Path) -> None:
    done = run(server_url, tmp_path, count=1_500, seed=5)
    assert is_good(done), done
    assert done["verbs"] == done["of"]
    assert min(done["probes"][way] for way in ("rest", "mcp", "sdk")) >= 90
    assert done["refused"]["InsufficientPrivilege"] > 1_000


def test_a_probe_of_somebody_who_may_read_counts_as_a_foreign_row(
    server_url: str, new_store: Callable[[], str], tmp_path: Path
) -> None:
    """The probes themselves: what an administrator reads is counted."""
    url = new_store()
    base, _, schema = url.partition("?schema=")
    tally = Tally()
    with psycopg.connect(base, autocommit=True) as db:
        db.execute(f'CREATE SCHEMA "{schema}"; CREATE TABLE "{schema}".memory (value text)'.encode())
        db.execute(f"INSERT INTO \"{schema}\".memory VALUES ('zqshipqsamq1')".encode())
        said = probe(db, "public", ("RESET ROLE", f'SELECT * FROM "{schema}".memory'), "memory", tally)
        tally.look("sql", "pay", "all", "a statement", said)
        db.execute(f'DROP SCHEMA "{schema}" CASCADE'.encode())
    assert tally.answered and tally.foreign == ["sql pay all a statement: ship sam"]
