"""The drill of docs/how-to/team-store.md: a dump of a store, restored into another database, is the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import support
import team_server
from daypack import Daypack

NOW = 1_760_000_000.0
PAY = Path(__file__).resolve().parents[3] / "examples" / "pay"
QUESTIONS = ("how are refunds retried?", "who is on call?", "kettle", "ledger")


@pytest.fixture
def server() -> Iterator[team_server.Server]:
    if reason := team_server.why_not():
        pytest.skip(reason)
    with team_server.alone() as started:
        yield started


def opened(url: str) -> Daypack:
    return Daypack.open(url, root=PAY, settings=support.WORDS, clock=lambda: NOW)


def filled(url: str) -> dict[str, str]:
    """The answers of a store that holds something of every kind."""
    with opened(url) as daypack:
        daypack.files.add(PAY)
        daypack.memories.remember("kettle", "is red\0with a NUL")
        daypack.memories.remember("kettle", "is blue", shared=True)
        daypack.documents.create("ledgers", indexes=["total"])
        daypack.documents.collection("ledgers").insert(
            [{"_id": n, "text": f"ledger {n}", "total": n} for n in range(9)]
        )
        daypack.embed()
        return answers(daypack)


def answers(daypack: Daypack) -> dict[str, str]:
    ledgers = daypack.documents.collection("ledgers").find({"total": {"$gte": 4}})
    memories = daypack.memories.list().memories
    return {
        "ledgers": repr([one["_id"] for one in ledgers]),
        "memories": repr([(one.key, one.value) for one in memories]),
        **{question: daypack.pack(question, budget=400, refresh=False).text for question in QUESTIONS},
    }


def test_a_dump_that_is_restored_beside_the_store_gives_its_answers(server: team_server.Server) -> None:
    base = server.url.rpartition("/")[0]
    before = filled(server.url)
    server.run("pg_dump", "--format=custom", "--schema=daypack", "--file=team.dump", server.url)
    with opened(server.url) as daypack:  # which goes on
        daypack.memories.remember("kettle", "is green")
    server.run(
        "createdb",
        f"--maintenance-db={base}/postgres",
        "--template=template0",
        "--encoding=UTF8",
        "--locale=C",
        "drill",
    )
    server.run("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={base}/drill", "team.dump")
    with opened(f"{base}/drill") as drill:
        assert answers(drill) == before
        assert [check for check in drill.check(deep=True) if check.verdict.value != "ok"] == []
        drill.memories.remember("teapot", "is new")  # numbers of new rows go on
        drill.documents.collection("ledgers").insert([{"_id": 100, "text": "ledger", "total": 1}])
        assert support.ills(drill) == []


def test_a_dump_of_a_team_holds_every_project(server: team_server.Server, tmp_path: Path) -> None:
    base = server.url.rpartition("/")[0]
    for project in ("dune", "reef"):
        with opened(f"{server.url}?schema=daypack.{project}") as daypack:
            daypack.memories.remember("name", project)
    with opened(server.url) as team:
        team.team.add_person("ana")
    server.run("pg_dump", "--format=custom", "--schema=daypack*", "--file=team.dump", server.url)
    with psycopg.connect(f"{base}/postgres", autocommit=True) as db:
        db.execute("DROP DATABASE daypack WITH (FORCE)")
        db.execute("CREATE DATABASE daypack TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    server.run("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={server.url}", "team.dump")
    with opened(server.url) as team:
        assert [person.name for person in team.team.people()] == ["ana"]
    for project in ("dune", "reef"):
        with opened(f"{server.url}?schema=daypack.{project}") as daypack:
            assert daypack.memories.recall("name").value == project
