"""A store moves from a file to a server and back, whole: `daypack store migrate`."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import support
from daypack import Daypack
from daypack.errors import CopyDiffers, CopyRefused, StoreError, StoreNotFound
from daypack.index.copies.tables import Tables
from daypack.index.postgres.parameters import comparable, original
from daypack.index.postgres.tables import tables
from daypack.index.schema import MIGRATIONS
from team_server import PASSWORD

pytestmark = pytest.mark.skipif(
    "DAYPACK_TEST_SERVER" in os.environ,
    reason="one of two stores is in a file, and `make test-team` has none there",
)
NOW = 1_760_000_000.0
ROOT = Path(__file__).resolve().parents[3]
QUESTIONS = (
    "why does every attempt carry the same idempotency key?",
    "refund",
    "when do we release?",
    "green tea",
)


def opened(store: Path | str, root: Path) -> Daypack:
    return Daypack.open(store, root=root, settings=support.WORDS, clock=lambda: NOW)


def packs(store: Path | str, root: Path) -> list[str]:
    with opened(store, root) as dp:
        return [dp.pack(question, budget=400).text for question in QUESTIONS]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """The folder of a store with rows in the tables of every door."""
    project = tmp_path / "pay"
    shutil.copytree(ROOT / "examples" / "pay", project)
    with opened(project / ".daypack", project) as dp:
        dp.files.add(project)
        dp.embed()
        dp.memories.remember("release/cadence", "every second Tuesday", tags=["release"])
        dp.memories.remember("release/cadence", "every Tuesday")
        dp.memories.remember("team/lead", "Ada\0with a NUL")
        dp.memories.remember("secret/plan", "soon forgotten")
        dp.memories.forget("secret/plan")
        dp.documents.create("teas", indexes=["steep", "name"])
        teas = dp.documents.collection("teas")
        teas.insert(
            [
                {"_id": n, "name": f"tea {n}", "steep": [n / 2, 2**60 + n, "hot", None, True][n % 5]}
                for n in range(40)
            ]
        )
        teas.delete({"_id": 39})
        dp.team.add_person("ana")
        dp.sources.store(kind="decision_outcome", text="we settle refunds on Fridays", scope="global")
    return project


def test_a_round_trip_gives_the_same_rows_and_packs(
    filled: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    url, back = new_store(), tmp_path / "back" / ".daypack"
    back.parent.mkdir()
    before = packs(filled / ".daypack", filled)
    there = Daypack.migrate(filled / ".daypack", url)
    again = Daypack.migrate(url, back)
    assert there.rows == again.rows and there.found == again.found == 0
    assert (
        min(there.rows[name] for name in ("record", "posting", "vec", "memory_version", "document_entry")) > 0
    )
    assert Daypack.differences(filled / ".daypack", back) == []
    assert packs(url, filled) == packs(back, filled) == packs(filled / ".daypack", filled) == before
    with opened(back, filled) as dp:
        assert [check for check in dp.check(deep=True) if check.verdict.value != "ok"] == []
        assert dp.files.refresh().updated == 0, "the copy knows what it has read"
    assert not [*(tmp_path / "back" / ".daypack").glob("copying*")]


def test_a_copy_asked_in_another_folder_keeps_its_files_and_reads_no_others(
    filled: Path, new_store: Callable[[], str], tmp_path: Path
) -> None:
    url, home = new_store(), tmp_path / "home"
    home.mkdir()
    (home / "diary.md").write_text("My walrus is a secret.\n")
    Daypack.migrate(filled / ".daypack", url)
    with opened(url, home) as dp:
        files = dp.files.listing()
        found = dp.search("walrus", vectors="none")
        assert "answered from the store alone" in found.stats.degraded[0]
        assert dp.files.listing() == files
    (filled / "new.md").write_text("A walrus on the quay.\n")
    with opened(url, filled) as dp:
        assert dp.search("walrus", vectors="none").candidates[0].chunk.uri == "new.md"


def test_a_copy_goes_on_with_its_own_numbers(
    filled: Path, new_store: Callable[[], str], tmp_path: Path
) -> None:
    """Numbers of deleted rows are never used again, and sequences that others remember do not fall."""
    url = new_store()
    with opened(filled / ".daypack", filled) as dp:
        dp.memories.remember("a/b", "one more")
        dp.memories.forget("a/b")
        sequences = dp.engine.store.sequences()
        with dp.engine.store.reading() as db:
            following = db.new_ids("chunk", 1).start
    Daypack.migrate(filled / ".daypack", url)
    with opened(url, filled) as dp:
        assert all(
            ours >= theirs for ours, theirs in zip(dp.engine.store.sequences(), sequences, strict=True)
        )
        with dp.engine.store.writing() as db:
            assert db.new_ids("chunk", 1).start == following
        dp.memories.remember("c/d", "written on the server")
    Daypack.migrate(url, tmp_path / "back")
    with opened(tmp_path / "back", filled) as dp, dp.engine.store.reading() as db:
        assert db.new_ids("chunk", 1).start > following


def killed(source: Path | str, target: Path | str, share: float) -> None:
    """A migration in another process that kills itself when it has copied this share of the rows."""

    def step(done: int, total: int) -> None:
        if done >= total * share:
            os.kill(os.getpid(), signal.SIGKILL)

    assert (
        support.in_child(lambda: Daypack.migrate(source, target, progress=step) and None) == -signal.SIGKILL
    )


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("way", ["to a server", "to a file"])
def test_a_killed_migration_goes_on_where_it_stopped(
    filled: Path, tmp_path: Path, new_store: Callable[[], str], way: str, share: float
) -> None:
    source: Path | str = filled / ".daypack"
    target: Path | str = new_store()
    if way == "to a file":
        Daypack.migrate(source, target)
        source, target = target, tmp_path / "back"
    killed(source, target, share)
    if isinstance(target, Path):
        assert not (target / "daypack.db").exists(), "half a store is none"
        with pytest.raises(StoreNotFound):
            Daypack.open(target, create=False)
    done = Daypack.migrate(source, target)
    assert 0 < done.found < sum(done.rows.values())
    assert Daypack.differences(source, target) == []
    assert packs(target, filled) == packs(source, filled)


def test_what_changed_since_a_kill_is_copied_anew(
    filled: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    killed(filled / ".daypack", url, 0.9)
    (filled / "docs" / "retries.md").write_text("# Retries\n\nNothing is retried any more.\n")
    with opened(filled / ".daypack", filled) as dp:
        dp.files.refresh()
    done = Daypack.migrate(filled / ".daypack", url)
    assert Daypack.differences(filled / ".daypack", url) == []
    assert packs(url, filled) == packs(filled / ".daypack", filled)
    assert done.rows["record"] > 0


def test_a_changed_row_of_half_a_copy_is_found_and_mended(filled: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    killed(filled / ".daypack", url, 0.9)
    base, _, schema = url.partition("?schema=")
    with psycopg.connect(base, autocommit=True) as db:
        db.execute(f"""UPDATE "{schema}.copying".record SET text = 'x' || text WHERE id = 3""".encode())
    Daypack.migrate(filled / ".daypack", url)
    assert Daypack.differences(filled / ".daypack", url) == []


def test_a_changed_row_of_a_finished_copy_is_named(filled: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    Daypack.migrate(filled / ".daypack", url)
    base, _, schema = url.partition("?schema=")
    with psycopg.connect(base, autocommit=True) as db:
        db.execute(f"""UPDATE "{schema}".memory_version SET author = author || '!' WHERE id = 2""".encode())
        db.execute(f"""DELETE FROM "{schema}".document_entry WHERE document_id = 7""".encode())
        db.execute(f"""INSERT INTO "{schema}".tomb VALUES (12345)""".encode())
    found = Daypack.differences(filled / ".daypack", url)
    assert [(one.table, one.key, one.what) for one in found if one.table != "document_entry"] == [
        ("tomb", (12345,), "missing in the first"), ("memory_version", (2,), "changed"),
    ]  # fmt: skip
    entries = [one for one in found if one.table == "document_entry"]
    assert {(one.key[3], one.what) for one in entries} == {(7, "missing in the second")}


def test_a_write_that_turns_out_otherwise_ends_the_migration(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that lies: what was written comes back changed."""
    put = Tables.put

    def lying(self: Tables, name: str, given: list[tuple[object, ...]]) -> None:
        put(self, name, [(*row[:-1], b"") if name == "chunk" else row for row in given])

    monkeypatch.setattr(Tables, "put", lying)
    with pytest.raises(CopyDiffers, match="of chunk in the copy"):
        Daypack.migrate(filled / ".daypack", tmp_path / "copy")
    assert not (tmp_path / "copy" / "daypack.db").exists()
    monkeypatch.undo()
    Daypack.migrate(filled / ".daypack", tmp_path / "copy")
    assert Daypack.differences(filled / ".daypack", tmp_path / "copy") == []


def test_a_place_that_holds_a_store_or_half_of_another_is_refused(
    filled: Path, tmp_path: Path, new_store: Callable[[], str]
) -> None:
    for target in (tmp_path / "there", new_store()):
        with opened(target, tmp_path) as dp:
            dp.memories.remember("a", "b")
        with pytest.raises(CopyRefused, match="name a place that holds no store"):
            Daypack.migrate(filled / ".daypack", target)
        with opened(target, tmp_path) as dp:
            assert dp.memories.recall("a").value == "b"
    with opened(tmp_path / "other", tmp_path) as dp:
        dp.memories.remember("c", "d")
    for target in (tmp_path / "half", new_store()):
        killed(filled / ".daypack", target, 0.5)
        with pytest.raises(CopyRefused, match=r"a copy of .*pay.* was begun here"):
            Daypack.migrate(tmp_path / "other", target)
        Daypack.migrate(filled / ".daypack", target)
    url = new_store()
    base, _, schema = url.partition("?schema=")
    with psycopg.connect(base, autocommit=True) as db:
        db.execute(f'CREATE SCHEMA "{schema}"; CREATE TABLE "{schema}".theirs (a int)'.encode())
    with pytest.raises(StoreError, match="holds tables"):
        Daypack.migrate(filled / ".daypack", url)


def test_the_command_shows_what_it_copied_and_no_password(filled: Path, new_store: Callable[[], str]) -> None:
    url = new_store()
    bare, secret = url.replace(f":{PASSWORD}", ""), {"PGPASSWORD": PASSWORD}
    refused = support.daypack("store", "migrate", ".daypack", url, cwd=filled, status=2)
    assert "PGPASSWORD" in refused.stderr and PASSWORD not in refused.stderr
    said = support.daypack("store", "migrate", ".daypack", bare, cwd=filled, env=secret)
    assert "every row equals its original" in said.stdout
    assert f"use it with --store '{bare}', or" in said.stderr, (
        "a shell may look for files that match a bare `?`"
    )
    assert PASSWORD not in said.stdout + said.stderr
    assert (
        support.daypack("store", "compare", ".daypack", bare, cwd=filled, env=secret).stdout
        == "every row is equal\n"
    )
    again = support.daypack("store", "migrate", ".daypack", bare, cwd=filled, env=secret, status=3)
    assert "it holds tables already" in again.stderr
    back = json.loads(
        support.daypack("store", "migrate", bare, "../back", "--json", cwd=filled, env=secret).stdout
    )
    assert back["rows"]["record"] > 0
    support.daypack("remember", "release/cadence", "every Friday", cwd=filled)
    changed = support.daypack(
        "store", "compare", ".daypack", "../back", cwd=filled, env=secret, status=1
    ).stdout
    assert "memory_version" in changed
    said = support.daypack("export", "../lines", "--store", bare, cwd=filled, env=secret, status=3).stderr
    assert "`daypack store migrate`" in said


@given(st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(), st.binary()))
def test_a_value_comes_back_from_its_comparable_bytes(value: float | str | bytes) -> None:
    found = original(comparable(value))
    assert found == value
    assert not isinstance(found, int) or -(2**63) <= found < 2**63, "SQLite takes no other whole number"


def test_whole_numbers_beyond_64_bits_come_back_from_a_server(
    tmp_path: Path, new_store: Callable[[], str]
) -> None:
    url, numbers = new_store(), [1e19, -1e19, 2.0**63, -(2.0**63), 2**63 - 1, 1e300]
    with opened(url, tmp_path) as dp:
        dp.documents.create("stars", indexes=["n"])
        dp.documents.collection("stars").insert(
            [{"_id": str(place), "n": number} for place, number in enumerate(numbers)]
        )
    Daypack.migrate(url, tmp_path / "back")
    with opened(tmp_path / "back", tmp_path) as dp:
        stars = dp.documents.collection("stars")
        assert [one["_id"] for one in stars.find({"n": {"$gte": 1e19}})] == ["0", "5"]
        assert [one["_id"] for one in stars.find({"n": -1e19})] == ["1"]


def test_every_table_is_copied_behind_those_that_it_refers_to() -> None:
    order = [*tables()]
    made = re.findall(r"CREATE TABLE (\w+) \((.*?)\)(?: WITHOUT ROWID)?;", "".join(MIGRATIONS), re.DOTALL)
    assert [*dict(made)] == order
    for name, body in made:
        for other in re.findall(r"REFERENCES (\w+)", body):
            assert order.index(other) <= order.index(name), (name, other)
