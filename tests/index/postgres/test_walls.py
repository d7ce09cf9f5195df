"""Each project of a team on a server has a role of its own, whose sessions find nothing of another project."""

from __future__ import annotations

import http.client
import json
import secrets
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import support
from daypack import Daypack
from daypack.index.postgres.walls import NoWall, role_of
from daypack.team.walls import Walls
from daypack.types.servers import ServerAddress

CANARY = "quokkaria"
NAMES = ("pay", "ship")


def opened(place: ServerAddress) -> Daypack:
    return Daypack.open(place, root=place.folder, settings=support.WORDS)


def login_of(server_url: str) -> Iterator[str]:
    """The URL of a user who may make roles and schemas, and is no superuser."""
    name, password = f"app_{secrets.token_hex(4)}", secrets.token_hex(8)
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(f"CREATE ROLE {name} LOGIN CREATEROLE PASSWORD '{password}'".encode())
        db.execute(f"GRANT CREATE ON DATABASE daypack TO {name}".encode())
    yield server_url.replace(server_url.partition("://")[2].partition("@")[0], f"{name}:{password}")


@pytest.fixture(params=["superuser", "plain"])
def team(
    request: pytest.FixtureRequest, server_url: str, new_store: Callable[[], str], tmp_path: Path
) -> ServerAddress:
    """A team with two projects, each with a canary in many tables; its user is a superuser, or may just make roles."""
    url = new_store()
    if request.param == "plain":
        login = next(login_of(server_url))
        url = url.replace(server_url, login)
    (tmp_path / "t").mkdir()
    address = ServerAddress(url, tmp_path / "t")
    opened(address).close()
    walls = Walls(address)
    for name in NAMES:
        (tmp_path / name).mkdir()
        with opened(walls.place_of(tmp_path / name)) as dp:
            dp.memories.remember("plan", f"the {CANARY} of {name}")
            dp.documents.create("teas", indexes=["name"])
            dp.documents.collection("teas").insert([{"_id": 1, "name": f"{CANARY} {name}"}])
            dp.sources.store(kind="decision_outcome", text=f"a {CANARY} for {name}", scope="global")
    return address


@pytest.fixture
def place(team: ServerAddress, tmp_path: Path) -> Callable[[str], ServerAddress]:
    walls = Walls(team)
    return lambda name: walls.place_of(tmp_path / name)


def session(place: ServerAddress) -> psycopg.Connection[Any]:
    return psycopg.connect(place.conninfo, autocommit=True)


def schemas(team: ServerAddress) -> dict[str, str]:
    return {name: f"{team.schema}.{name}" for name in NAMES} | {"team": team.schema}


def tables_of(db: psycopg.Connection[Any], schema: str) -> list[str]:
    """The names of tables are in the catalog, which everybody reads; their rows are not."""
    said = "SELECT relname FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) AND relkind = 'r'"
    return [row[0] for row in db.execute(said, [schema]).fetchall()]


def test_the_projects_work_as_before(team: ServerAddress, place: Callable[[str], ServerAddress]) -> None:
    for name in NAMES:
        with opened(place(name)) as dp:
            assert dp.memories.recall("plan").value == f"the {CANARY} of {name}"
            assert f"{CANARY} {name}" in dp.pack(f"which {CANARY}?", budget=300).text
            dp.memories.forget("plan")  # which rewrites tables, so it needs their owner
            assert [one for one in dp.check(deep=True) if one.verdict.value != "ok"] == []


def test_no_statement_of_a_project_reads_or_changes_a_row_of_another(
    team: ServerAddress, place: Callable[[str], ServerAddress]
) -> None:
    theirs = schemas(team)["ship"]
    with session(place("pay")) as db:
        db.execute(f'SET search_path = "{schemas(team)["pay"]}"'.encode())
        db.execute("CREATE TABLE own (a int)")  # it may do so in its own schema
        for schema in (theirs, team.schema):
            names = tables_of(db, schema)
            assert len(names) > 40
            for table in names:
                at = f'"{schema}"."{table}"'
                for said in (
                    f"SELECT * FROM {at}", f"SELECT count(*) FROM {at}", f"TABLE {at}", f"COPY {at} TO STDOUT", f"DELETE FROM {at}",
                    f"CREATE VIEW own_{table} AS SELECT * FROM {at}", f"CREATE TABLE own_{table} AS TABLE {at}",
                    f"CREATE TABLE own_{table} (LIKE {at})", f"ALTER TABLE {at} OWNER TO CURRENT_USER", f"TRUNCATE {at}",
                    f"GRANT SELECT ON {at} TO CURRENT_USER", f"DROP TABLE {at} CASCADE", f"CREATE TABLE own_{table} () INHERITS ({at})",
                ):  # fmt: skip
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        db.execute(said.encode())


def test_no_other_role_can_be_taken(team: ServerAddress, place: Callable[[str], ServerAddress]) -> None:
    ship, pay = role_of("daypack", schemas(team)["ship"]), role_of("daypack", schemas(team)["pay"])
    with psycopg.connect(team.conninfo) as admin:
        (owner,) = admin.execute("SELECT current_user").fetchone()  # type: ignore[misc]
    with session(place("pay")) as db:
        for said in (
            f'SET ROLE "{ship}"', f'SET ROLE "{owner}"', f'SET SESSION AUTHORIZATION "{ship}"', f'SET SESSION AUTHORIZATION "{owner}"',
            f'GRANT "{ship}" TO "{pay}"', f'ALTER ROLE "{pay}" SUPERUSER', f'ALTER ROLE "{ship}" PASSWORD \'x\'', "CREATE ROLE more",
            "CREATE SCHEMA more", "CREATE DATABASE more", f'ALTER SCHEMA "{schemas(team)["ship"]}" OWNER TO "{pay}"',
            f'CREATE TABLE "{schemas(team)["ship"]}".more (a int)', "SELECT pg_read_file('PG_VERSION')", "COPY (SELECT 1) TO PROGRAM 'cat'",
            "SELECT rolpassword FROM pg_authid", 'CREATE FUNCTION f() RETURNS int LANGUAGE c AS \'libc\', \'getpid\'',
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(said.encode())
            assert db.execute("SELECT current_user, session_user").fetchone() == (pay, pay), said
        for said in (
            "RESET ROLE",
            "SET ROLE NONE",
            "RESET SESSION AUTHORIZATION",
            "DISCARD ALL",
            f'SET ROLE "{pay}"',
        ):
            db.execute(said.encode())
            assert db.execute("SELECT current_user").fetchone() == (pay,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(f'SELECT * FROM "{schemas(team)["ship"]}".memory_version'.encode())


def test_a_search_path_leads_nowhere(team: ServerAddress, place: Callable[[str], ServerAddress]) -> None:
    found = schemas(team)
    with session(place("pay")) as db:
        db.execute(f'SET search_path = "{found["ship"]}", "{found["team"]}", public'.encode())
        for table in ("memory_version", "record", "team_token"):
            with pytest.raises(
                psycopg.errors.UndefinedTable
            ):  # a schema without a right to use it does not exist for names
                db.execute(f"SELECT * FROM {table}".encode())
        db.execute(f'SET search_path = "{found["ship"]}", "{found["pay"]}"'.encode())
        values = db.execute("SELECT value FROM memory_version").fetchall()
        assert values == [(f"the {CANARY} of pay",)]


def test_a_function_of_its_own_lends_no_rights(
    team: ServerAddress, place: Callable[[str], ServerAddress]
) -> None:
    """Views, functions with the rights of their owner, and triggers run as the role of the project, or not at all."""
    found = schemas(team)
    with session(place("pay")) as db:
        db.execute(f'SET search_path = "{found["pay"]}"'.encode())
        db.execute(
            "CREATE FUNCTION peek(said text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS"
            " 'DECLARE found text; BEGIN EXECUTE said INTO found; RETURN found; END'"
        )
        said = f"""SELECT peek('SELECT value FROM "{found["ship"]}".memory_version')"""
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute(said.encode())
        db.execute(
            "CREATE VIEW everything AS SELECT peek('SELECT value FROM memory_version LIMIT 1') AS value"
        )
        assert db.execute("SELECT value FROM everything").fetchall() == [(f"the {CANARY} of pay",)]
    with session(place("ship")) as db, pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute(f'SELECT * FROM "{found["pay"]}".everything'.encode())


def test_other_sessions_show_neither_rows_nor_statements(
    team: ServerAddress, place: Callable[[str], ServerAddress]
) -> None:
    with session(place("ship")) as theirs, session(place("pay")) as db:
        theirs.execute(f"SELECT '{CANARY}'")
        seen = db.execute("SELECT query FROM pg_stat_activity WHERE usename != current_user").fetchall()
        assert {query for (query,) in seen} <= {"<insufficient privilege>", None}
        theirs_of = "SELECT count(*) FROM pg_stats WHERE schemaname = %s"
        assert db.execute(theirs_of, [schemas(team)["ship"]]).fetchone() == (0,)


def test_a_wall_around_an_older_schema_takes_over_every_table(
    new_store: Callable[[], str], tmp_path: Path
) -> None:
    """A project that was made before there were walls belongs to the server's user, tables and functions alike."""
    team = ServerAddress(new_store(), tmp_path)
    opened(team).close()
    (tmp_path / "pay").mkdir()
    with opened(team.beside(tmp_path / "pay")) as dp:
        dp.memories.remember("a", "b")
    place = Walls(team).place_of(tmp_path / "pay")
    with opened(place) as dp:
        assert dp.memories.recall("a").value == "b"
        dp.memories.remember("c", "d")
        dp.memories.forget("a")
    with session(place) as db:
        owners = """SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = %(s)s::regnamespace
                    UNION SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = %(s)s::regnamespace"""
        schema = f'"{team.schema}.pay"'
        assert db.execute(owners, {"s": schema}).fetchall() == [(role_of("daypack", f"{team.schema}.pay"),)]
    assert Walls(team).place_of(tmp_path / "pay") == place, "a second server logs in with the same password"


def test_a_user_who_may_make_no_roles_is_told_what_to_do(
    server_url: str, new_store: Callable[[], str], tmp_path: Path
) -> None:
    url = new_store().replace(server_url, next(login_of(server_url)))
    team = ServerAddress(url, tmp_path)
    opened(team).close()
    with psycopg.connect(server_url, autocommit=True) as db:
        name = url.partition("://")[2].partition(":")[0]
        db.execute(f"ALTER ROLE {name} NOCREATEROLE".encode())
    with pytest.raises(NoWall, match="CREATEROLE` as a superuser"):
        Walls(team)


def test_a_team_server_opens_each_project_by_its_role(
    server_url: str, new_store: Callable[[], str], tmp_path: Path
) -> None:
    variables = {"DAYPACK_STORE": new_store()}
    for words in (
        "team user add ana", "team project add pay", "team project add ship", "team member add ana pay", "team member add ana ship",
    ):  # fmt: skip
        support.daypack(*words.split(), cwd=tmp_path, env=variables)
    token = support.daypack("team", "token", "create", "ana", cwd=tmp_path, env=variables).stdout.strip()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        support.command("serve", "--team", "--no-open", "--port", str(port)),
        cwd=tmp_path, env=support.environment(**variables), stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None and process.stdout.readline()
        for project in NAMES:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {
                "Authorization": f"Bearer {token}",
                "Content-Type": "application/json",
                "Daypack-Project": project,
            }
            connection.request("POST", "/v1/remember", json.dumps({"key": "k", "value": project}), headers)
            assert connection.getresponse().status == 200
            connection.close()
        schema = variables["DAYPACK_STORE"].partition("schema=")[2]
        with psycopg.connect(server_url) as db:
            said = "SELECT DISTINCT usename FROM pg_stat_activity WHERE usename LIKE %s"
            users = {row[0] for row in db.execute(said, [f"{schema}.%"]).fetchall()}
            assert users == {role_of("daypack", f"{schema}.{name}") for name in NAMES}
            for name in NAMES:
                values = db.execute(f'SELECT value FROM "{schema}.{name}".memory_version'.encode()).fetchall()
                assert values == [(name,)]
    finally:
        process.terminate()
        process.communicate()


def test_a_role_with_other_rights_is_no_wall(
    server_url: str, new_store: Callable[[], str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    team = ServerAddress(new_store(), tmp_path)
    opened(team).close()
    role = role_of("daypack", f"{team.schema}.pay")
    with psycopg.connect(server_url, autocommit=True) as db:
        db.execute(f'CREATE ROLE "{role}" LOGIN CREATEDB'.encode())
    with pytest.raises(NoWall, match="an administrator finds the reason in the server's log") as refused:
        Walls(team).place_of(tmp_path / "pay")
    assert role not in str(refused.value), "members see it"
    assert f"the role {role} has other rights" in caplog.text
