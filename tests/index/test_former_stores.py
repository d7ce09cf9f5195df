"""Stores of every released schema: they open, keep everything through a migration and through a death in the middle
of one, and a store of a later schema is left as it is.

`python scripts/fixture_store.py` writes the fixture of the present schema.
"""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from daypack import Daypack
from daypack.doors.files import table as walks
from daypack.doors.memories.types import Gone
from daypack.errors import StoreVersionMismatch
from daypack.index import schema
from daypack.index.store import Store
from daypack.types import SkipReason
from support import WORDS, files_of, ills, indexed, opened_until

STORES = Path(__file__).parent / "stores"
VERSIONS = sorted(int(path.name[1:].partition(".")[0]) for path in STORES.glob("v*.db.xz"))
KEPT = {
    "records": {
        f"note-{n}": f"# Note {n}\n\nThe kettle number {n} boils at {90 + n} degrees." for n in range(7)
    },
    "memory": ["we release on Thursdays", "we release on Mondays"],
    "documents": [{"_id": 0, "name": "Sencha", "year": 2019}, {"_id": 1, "name": "Assam", "year": 1999}],
    "sources": ["Refunds keep one key for all attempts."],
}


def placed(folder: Path, version: int) -> Path:
    folder.mkdir(mode=0o700)
    (folder / "daypack.db").write_bytes(lzma.decompress((STORES / f"v{version}.db.xz").read_bytes()))
    (folder / "daypack.db").chmod(0o600)
    return folder


def content(dp: Daypack) -> dict[str, Any]:
    """Everything that was put into the fixture, as its doors give it back."""
    history = dp.memories.history("release/day")
    assert not isinstance(history, Gone)
    assert isinstance(dp.memories.recall("gone"), Gone)
    found, _ = dp.sources.listed()
    with dp.engine.store.reading() as db:
        records = dict(db.execute("SELECT uid, text FROM record WHERE door = 'records'"))
    return {
        "records": records,
        "memory": [line.version.value for line in history],
        "documents": dp.documents.collection("teas").find(),
        "sources": [one.text for one in found],
    }


def check(folder: Path) -> None:
    with Daypack.open(folder, settings=WORDS) as dp:
        assert content(dp) == KEPT
        assert ills(dp) == []
        assert "lock gate opens at noon" in dp.pack("when does the lock gate open?").text
        assert dp.search("kettle number 3").candidates[0].chunk.uri == "note-3"
        change = dp.documents.plans()[0]
        before = indexed(dp.engine.store)
        dp.reindex()
        assert indexed(dp.engine.store) == before, "the index is not that of the texts"
        dp.documents.rollback(change["token"])
        assert dp.documents.collection("teas").get("1")["year"] == 2020
        dp.records.add([{"id": "new", "text": "written after the upgrade"}])
        assert dp.get("new").text == "written after the upgrade"


def version_of(folder: Path) -> int:
    db = apsw.Connection(str(folder / "daypack.db"))
    try:
        return int(db.pragma("user_version"))
    finally:
        db.close()


def test_there_is_a_fixture_of_the_present_schema() -> None:
    assert schema.VERSION in VERSIONS, "run scripts/fixture_store.py, and add its file"
    assert list(range(VERSIONS[0], schema.VERSION + 1)) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_of_each_schema_opens_with_everything_that_it_held(version: int, tmp_path: Path) -> None:
    folder = placed(tmp_path / "s", version)
    assert version_of(folder) == version
    check(folder)
    assert version_of(folder) == schema.VERSION


def test_the_backup_before_a_migration_has_the_time_of_the_clock_that_the_store_is_opened_with(
    tmp_path: Path,
) -> None:
    folder = placed(tmp_path / "s", VERSIONS[-2])
    with Daypack.open(folder, settings=WORDS, clock=lambda: 2000.0):
        pass
    assert [backup.made_at for backup in Daypack.backups(folder / "backup")] == [2000.0]


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_a_migrated_store_has_the_tables_of_a_new_one(version: int, tmp_path: Path) -> None:
    def tables(folder: Path) -> dict[str, str]:
        with Store.open(folder) as store, store.reading() as db:
            return {
                name: " ".join(sql.split())
                for name, sql in db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
            }

    assert tables(placed(tmp_path / "old", version)) == tables(tmp_path / "new")


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_a_death_at_any_statement_of_a_migration_leaves_the_old_store_or_the_new(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    whole = placed(tmp_path / "whole", version)
    for point in range(200):
        folder = tmp_path / "killed"
        shutil.copytree(whole, folder)

        status = opened_until(folder, point, monkeypatch)
        found = version_of(folder)
        seen.add(found)
        assert found in (version, schema.VERSION)
        if point % 5 == 0 or status == 0:
            check(folder)
        shutil.rmtree(folder)
        if status == 0:
            break
    else:
        pytest.fail("the migration never came to its end")
    assert seen == {version, schema.VERSION}


def test_folders_and_skipped_files_of_a_former_store_keep_their_roots(tmp_path: Path) -> None:
    """A folder had its root and a newline in front of its path; before that, its path alone."""
    folder = placed(tmp_path / "s", 17)
    db = apsw.Connection(str(folder / "daypack.db"))
    db.executemany(
        "INSERT INTO folder VALUES (?, ?, ?)",
        [("docs\n/p", "docs", 1), ("src\n/p", "src", 2), ("src\n/p/a\nb", "src", 3), ("/p/old", "old", 4)],
    )
    db.execute("INSERT INTO skipped VALUES ('docs/a.bin', 'docs', 'binary', '', 5, 6)")
    db.close()
    with Store.open(folder) as store:
        assert walks.folders(store, "docs") == {"/p": 1}
        assert walks.folders(store, "src") == {"/p": 2, "/p/a\nb": 3}
        assert walks.folders(store, "old") == {"/p/old": 4}
        unfit = walks.unfit(store, "docs")["docs/a.bin"]
        assert (unfit.issue.reason, unfit.stamp) == (SkipReason.BINARY, (5, 6))


def test_a_store_of_a_later_schema_is_refused_untouched(tmp_path: Path) -> None:
    folder = placed(tmp_path / "s", schema.VERSION)
    db = apsw.Connection(str(folder / "daypack.db"))
    db.pragma("user_version", schema.VERSION + 1)
    db.execute("CREATE TABLE hologram (id INTEGER PRIMARY KEY)")
    db.close()
    before = files_of(folder)
    for _ in range(2):
        with pytest.raises(StoreVersionMismatch, match=f"version {schema.VERSION + 1}"):
            Daypack.open(folder, settings=WORDS)
    assert files_of(folder) == before


def test_the_fixtures_stay_small() -> None:
    assert all(path.stat().st_size < 64_000 for path in STORES.iterdir())
