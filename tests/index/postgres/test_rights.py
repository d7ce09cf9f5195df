"""Users of a server with fewer rights than the owner of the store, and what each of them is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

import support
from daypack import Daypack
from daypack.errors import StoreError, StoreReadOnly
from daypack.types.servers import ServerAddress

_NUMBERS = count()


class Shared(NamedTuple):
    """A store with one memory, and the URL of another user, who has no right yet."""

    owner: str
    other: str
    schema: str
    login: str

    def grant(self, rights: str) -> None:
        base = self.owner.partition("?")[0]
        with psycopg.connect(base, autocommit=True) as db:
            db.execute(f'GRANT USAGE ON SCHEMA "{self.schema}" TO {self.login}'.encode())
            db.execute(f'GRANT ALL ON ALL SEQUENCES IN SCHEMA "{self.schema}" TO {self.login}'.encode())
            db.execute(f'GRANT {rights} ON ALL TABLES IN SCHEMA "{self.schema}" TO {self.login}'.encode())


def opened(url: str, folder: Path) -> Daypack:
    return Daypack.open(url, root=folder, settings=support.WORDS)


@pytest.fixture
def shared(tmp_path: Path, server_url: str, new_store: Callable[[], str]) -> Iterator[Shared]:
    owner, login = new_store(), f"guest_{os.getpid()}_{next(_NUMBERS)}"
    with opened(owner, tmp_path) as dp:
        dp.memories.remember("release/day", "Thursday")
    scheme, _, rest = owner.partition("://")
    schema = owner.partition("schema=")[2]
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(f"CREATE ROLE {login} LOGIN PASSWORD 'guest'".encode())
        yield Shared(owner, f"{scheme}://{login}:guest@{rest.rpartition('@')[2]}", schema, login)
        db.execute(f"DROP OWNED BY {login} CASCADE; DROP ROLE {login}".encode())


def test_a_user_without_a_right_to_the_schema_is_told_so(shared: Shared, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"may not use the schema own_\w+; ask its owner"):
        opened(shared.other, tmp_path)


def test_a_user_who_may_only_read_asks_and_writes_nothing(shared: Shared, tmp_path: Path) -> None:
    shared.grant("SELECT")
    with opened(shared.other, tmp_path) as dp:
        assert "Thursday" in dp.pack("when is the release day?", budget=200).text
        with pytest.raises(StoreReadOnly):
            dp.memories.remember("release/day", "Friday")


def test_what_a_user_forgets_who_may_not_rewrite_tables_goes_with_the_next_command_of_their_owner(
    shared: Shared, tmp_path: Path
) -> None:
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with opened(shared.other, tmp_path) as dp:
        assert not dp.memories.forget("release/day").log_emptied

    def is_due() -> bool:
        with psycopg.connect(shared.owner.partition("?")[0]) as db:
            statement = f"SELECT 1 FROM \"{shared.schema}\".meta WHERE key = 'purge'"
            return db.execute(statement.encode()).fetchone() is not None

    assert is_due()
    with opened(shared.owner, tmp_path) as dp:
        dp.memories.list()
    assert not is_due()


def test_reads_rewrite_no_table_for_a_user_who_may_not_rewrite_all_of_the_store(
    shared: Shared, tmp_path: Path, server_url: str
) -> None:
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with psycopg.connect(server_url, autocommit=True) as db:
        tables = [*tables_of(db, shared.schema)]
        for table in [table for table in tables if table != "sent_item"]:
            db.execute(f'ALTER TABLE "{shared.schema}".{table} OWNER TO {shared.login}'.encode())
        before = tables_of(db, shared.schema)
        with opened(shared.other, tmp_path) as dp:
            assert not dp.memories.forget("release/day").log_emptied
            assert not dp.memories.list()
        assert tables_of(db, shared.schema) == before


def test_the_right_to_maintain_all_tables_is_enough_to_rewrite_them(
    shared: Shared, tmp_path: Path, server_url: str
) -> None:
    with psycopg.connect(server_url) as db:
        if db.info.server_version < 170_000:
            pytest.skip("PostgreSQL 17 brought the right")
    shared.grant("SELECT, INSERT, UPDATE, DELETE, MAINTAIN")
    with opened(shared.other, tmp_path) as dp:
        assert dp.memories.forget("release/day").log_emptied


@pytest.mark.parametrize("owns", [True, False])
def test_on_an_older_server_the_owner_of_all_tables_may_rewrite_them(
    shared: Shared, tmp_path: Path, server_url: str, monkeypatch: pytest.MonkeyPatch, *, owns: bool
) -> None:
    monkeypatch.setattr("daypack.index.postgres.rights._MAINTAINED", 1_000_000)
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with psycopg.connect(server_url, autocommit=True) as db:
        for table in tables_of(db, shared.schema) if owns else ():
            db.execute(f'ALTER TABLE "{shared.schema}".{table} OWNER TO {shared.login}'.encode())
    with opened(shared.other, tmp_path) as dp:
        assert dp.memories.forget("release/day").log_emptied is owns


def tables_of(db: psycopg.Connection[Any], schema: str) -> dict[str, int]:
    """Table → the number of its file, which a rewriting changes."""
    statement = (
        "SELECT relname, relfilenode FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
    )
    return dict(db.execute(statement, [f'"{schema}"']).fetchall())


def test_remarks_of_the_server_about_a_rewriting_are_not_taken_for_a_refusal(
    shared: Shared, tmp_path: Path
) -> None:
    with opened(f"{shared.owner}&options=-c%20client_min_messages%3Ddebug1", tmp_path) as dp:
        assert dp.memories.forget("release/day").log_emptied


def test_a_right_to_write_that_is_granted_later_is_seen_by_the_next_write(
    shared: Shared, tmp_path: Path
) -> None:
    shared.grant("SELECT")
    with opened(shared.other, tmp_path) as dp:
        with pytest.raises(StoreReadOnly):
            dp.memories.remember("release/day", "Friday")
        shared.grant("SELECT, INSERT, UPDATE, DELETE")
        dp.memories.remember("release/day", "Friday")
        assert "Friday" in dp.pack("when is the release day?", budget=200).text


@pytest.mark.parametrize("rights", ["SELECT, INSERT", "SELECT, INSERT, UPDATE", "SELECT, UPDATE, DELETE"])
def test_a_user_who_lacks_one_right_to_write_may_only_read(
    shared: Shared, tmp_path: Path, rights: str
) -> None:
    shared.grant(rights)
    with opened(shared.other, tmp_path) as dp:
        assert "Thursday" in dp.pack("when is the release day?", budget=200).text
        with pytest.raises(StoreReadOnly):
            dp.memories.remember("release/day", "Friday")


def test_a_user_who_lacks_the_rights_to_one_table_may_only_read(
    shared: Shared, tmp_path: Path, server_url: str
) -> None:
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(f'REVOKE INSERT ON "{shared.schema}".memory FROM {shared.login}'.encode())
    with opened(shared.other, tmp_path) as dp:
        assert "Thursday" in dp.pack("when is the release day?", budget=200).text
        with pytest.raises(StoreReadOnly, match="ask its owner for the rights"):
            dp.memories.remember("release/day", "Friday")


def test_a_table_of_another_program_in_the_schema_takes_no_right_to_write(
    shared: Shared, tmp_path: Path, server_url: str
) -> None:
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(f'CREATE TABLE "{shared.schema}".harbour (id serial PRIMARY KEY)'.encode())
    with opened(shared.other, tmp_path) as dp:
        assert dp.memories.remember("release/day", "Friday").written


def test_rights_to_a_table_outlive_a_migration_that_makes_it_again(
    shared: Shared, tmp_path: Path, server_url: str
) -> None:
    shared.grant("SELECT, INSERT, UPDATE, DELETE")
    with psycopg.connect(server_url, autocommit=True) as db:
        schema = f'SET search_path = "{shared.schema}"; '
        for statement in (
            "ALTER TABLE folder DROP CONSTRAINT folder_pkey",
            "ALTER TABLE folder ADD PRIMARY KEY (path)",
            "ALTER TABLE skipped DROP CONSTRAINT skipped_pkey",
            "ALTER TABLE skipped ADD PRIMARY KEY (uri)",
            "UPDATE daypack_schema SET version = 17",
        ):
            db.execute((schema + statement).encode())
    with opened(shared.owner, tmp_path):
        pass
    with opened(shared.other, tmp_path) as dp:
        dp.memories.remember("release/day", "Friday")
        assert "Friday" in dp.pack("when is the release day?", budget=200).text


@pytest.mark.parametrize("schema", ["Zwei", "müll", "a" * 64])
def test_a_schema_whose_name_cannot_be_used_is_no_target_of_a_copy(
    shared: Shared, tmp_path: Path, schema: str
) -> None:
    target = f"{shared.owner.partition('?')[0]}?schema={schema}"
    with pytest.raises(StoreError, match="has no usable name"):
        Daypack.migrate(shared.owner, target)
    with pytest.raises(StoreError, match="has no usable name"):
        ServerAddress(target, tmp_path).named(schema).schema  # noqa: B018


def test_the_tools_of_the_server_are_named_with_a_database_and_a_schema_that_they_take(
    shared: Shared, tmp_path: Path
) -> None:
    with opened(f"{shared.owner}.part", tmp_path) as dp, pytest.raises(StoreError) as raised:
        dp.backup(tmp_path / "backup")
    assert f"--schema='\"{shared.schema}.part\"' --file=FILE 'postgresql://daypack@" in str(raised.value)
    assert "/daypack'` and `pg_restore`" in str(raised.value)
