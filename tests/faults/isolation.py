"""Probes of a team on PostgreSQL: every verb as each person, and raw SQL as the role of each project; foreign rows are counted.

    python tests/faults/isolation.py [PROBES] [SEED]      100,000 probes

Each round makes a team of six people in two projects. Every text names its project and its owner, and no question does, so a
mark in an answer that its asker must not see is a foreign row. Four of five probes are statements in sessions of a project's role
over the tables of the other one and of the team; the others are calls of verbs through REST, the protocol of agents and the
classes of Python. A silent person's texts must all be there in the end. The last line is the sum, as JSON; exit status 1 for a foreign
row, an answered statement or a lost text.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "surfaces" / "team"))

import psycopg
from support_probes import MARK, OTHER_PROJECT, PRIVATE, TEAM_VERBS, marked, probes
from support_team import JSON, TeamServer, began, message, serving

import team_server
from daypack import Daypack
from daypack.errors import DaypackError
from support import WORDS

PEOPLE = {
    "pay": {"ana": "admin", "ben": "admin", "rita": "read", "will": "write", "sam": "write"},
    "ship": {"ana": "write", "carol": "admin", "sam": "write"},
}
SILENT = "sam"
ASKERS = [(project, who) for project, roles in PEOPLE.items() for who in roles if who != SILENT]
ALL = "all"
OF_VERBS = 1 / 5
ROUND = 5_000  # probes of verbs on one team, which they fill and empty


@dataclass
class Tally:
    """The probes that were made, and the rows that came back to somebody who must not see them."""

    probes: Counter[str] = field(default_factory=Counter)  # by way
    verbs: set[str] = field(default_factory=set)
    foreign: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)  # statements over another schema that were not refused
    refused: Counter[str] = field(default_factory=Counter)  # by the class of the error

    def look(self, way: str, project: str, who: str, name: str, said: str) -> None:
        """Count a probe, and note every mark of its answer that its asker must not see."""
        self.probes[way] += 1
        for found, owner in set(MARK.findall(said)):
            if found != project or (owner not in (who, ALL) and way != "sql"):  # a role is no person
                self.foreign.append(f"{way} {project} {who} {name}: {found} {owner}")


async def fill(server: TeamServer) -> None:
    shared = [write for write in OTHER_PROJECT if write not in PRIVATE]
    for project, roles in PEOPLE.items():
        writers = [who for who, role in roles.items() if role != "read"]
        for who in writers:
            for number, (verb, arguments) in enumerate(PRIVATE):
                done = await server.ask(f"{who}@{project}", verb, marked(arguments, project, who, number))
                assert done.status == 200, done.text
        for number, (verb, arguments) in enumerate(shared):
            done = await server.ask(f"{writers[0]}@{project}", verb, marked(arguments, project, ALL, number))
            assert done.status == 200, done.text


# ---------------------------------------------------------------- by verbs


async def ask(server: TeamServer, tally: Tally, count: int, choose: random.Random) -> None:
    """Probes of every verb in turn, by three ways."""
    sessions = {place: await began(server, f"{place[1]}@{place[0]}") for place in ASKERS}
    calls = [(name, arguments) for name in TEAM_VERBS for arguments in probes(name)]
    choose.shuffle(calls)
    with contextlib.ExitStack() as ended:
        own = {place: ended.enter_context(_as_person(server, *place)) for place in ASKERS}
        for number in range(count):
            name, arguments = calls[number % len(calls)]
            place = project, who = choose.choice(ASKERS)
            tally.verbs.add(name)
            way = ("rest", "mcp", "sdk")[number % 3]
            if way == "rest":
                said = (await server.ask(f"{who}@{project}", name, arguments)).text
            elif way == "mcp":
                body = message("tools/call", name=name, arguments=arguments)
                named = {**JSON, "Mcp_Session_Id": sessions[place]}
                said = (await server.request("POST", "/mcp", f"{who}@{project}", body, **named)).text
            else:
                said = _called(own[place], name, arguments)
            tally.look(way, project, who, name, said)


def _as_person(server: TeamServer, project: str, who: str) -> Daypack:
    with server.opened(server.folder / "projects" / project) as opened:
        return Daypack.open(opened.engine.store.place, root=opened.root, settings=WORDS, owner=who)


def _called(dp: Daypack, name: str, arguments: Mapping[str, Any]) -> str:
    try:
        verb = TEAM_VERBS[name]
        return repr(verb.call(dp, **verb.arguments(arguments), **verb.asked_by(dp.sources.owner)))
    except DaypackError as error:
        return str(error)


# ---------------------------------------------------------------- by raw SQL

BEFORE = (
    "", "", "RESET ROLE", "SET ROLE NONE", "RESET SESSION AUTHORIZATION", "RESET ALL", 'SET search_path = "{schema}"',
    'SET ROLE "{owner}"', 'SET SESSION AUTHORIZATION "{owner}"', "SET row_security = off", "BEGIN ISOLATION LEVEL SERIALIZABLE",
)  # fmt: skip
READS = (
    "SELECT * FROM {at}", "TABLE {at}", "SELECT count(*) FROM {at}", "SELECT t::text FROM {at} AS t", "COPY {at} TO STDOUT",
    "SELECT * FROM {mine} UNION ALL SELECT * FROM {at}", "SELECT * FROM {mine} AS m, {at} AS t", "SELECT EXISTS (SELECT 1 FROM {at})",
    "WITH t AS MATERIALIZED (SELECT * FROM {at}) SELECT * FROM t", "SELECT peek('SELECT t::text FROM {at} AS t')",
    "CREATE TEMP VIEW v AS SELECT * FROM {at}", "CREATE TEMP TABLE v AS SELECT * FROM {at}", "SELECT query_to_xml('TABLE {at}', true, true, '')",
    "SELECT table_to_xml('{at}', true, true, '')", "DELETE FROM {at} RETURNING *", "EXPLAIN ANALYZE SELECT * FROM {at}", "LOCK TABLE {at}",
    "DECLARE c CURSOR FOR SELECT * FROM {at}", "UPDATE {at} SET ctid = ctid", "MERGE INTO {mine} AS m USING {at} AS t ON FALSE WHEN MATCHED THEN DO NOTHING",
    "SELECT most_common_vals FROM pg_stats WHERE schemaname = '{schema}'", "SELECT pg_relation_filepath('{at}'), pg_read_file(pg_relation_filepath('{at}'))",
    "SELECT * FROM {table}",
)  # fmt: skip
PEEK = (
    "CREATE OR REPLACE FUNCTION peek(said text) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER AS"
    " 'BEGIN RETURN QUERY EXECUTE said; END'"
)


def query(server: TeamServer, schema: str, tally: Tally, count: int, choose: random.Random) -> None:
    """Statements in sessions of each project's role, over every table of the other project and of the team."""
    for project in PEOPLE:
        opened = server.opened(server.folder / "projects" / project)
        opened.close()
        own = f"{schema}.{project}"
        others = [schema, *(f"{schema}.{other}" for other in PEOPLE if other != project)]
        with psycopg.connect(opened.engine.store.place.conninfo, autocommit=True) as db:  # type: ignore[union-attr]
            db.execute(f'SET search_path = "{own}"'.encode())
            db.execute(PEEK.encode())
            targets = [*_targets(db, others)]
            choose.shuffle(targets)
            for number in range(count // len(PEOPLE)):
                other, table, owner = targets[number % len(targets)]
                names = {
                    "at": f'"{other}"."{table}"', "mine": f'"{own}"."{table}"', "schema": other, "table": table, "owner": owner,
                }  # fmt: skip
                statements = (choose.choice(BEFORE).format(**names), choose.choice(READS).format(**names))
                said = probe(db, own, statements, table, tally)
                tally.look("sql", project, ALL, statements[1], said)


def _targets(db: psycopg.Connection[Any], schemas: list[str]) -> Iterator[tuple[str, str, str]]:
    said = """SELECT n.nspname, c.relname, pg_get_userbyid(c.relowner) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
              WHERE n.nspname = ANY (%s) AND c.relkind = 'r'"""
    yield from db.execute(said, [schemas]).fetchall()


def probe(
    db: psycopg.Connection[Any], own: str, statements: tuple[str, str], table: str, tally: Tally
) -> str:
    """What a session of the role reads by these statements, as text."""
    found = ""
    try:
        for statement in statements:
            if not statement:
                continue
            try:
                if statement.startswith("COPY"):
                    with db.cursor().copy(statement.encode()) as copy:
                        found = b"".join(map(bytes, copy)).decode("utf-8", "replace")
                else:
                    done = db.execute(statement.encode())
                    found = repr(done.fetchall()) if done.description is not None else ""
            except psycopg.Error as error:
                tally.refused[type(error).__name__] += 1
            else:
                # By its bare name a table is the role's own; of the statistics of others it sees no row.
                harmless = statement == f"SELECT * FROM {table}" or (
                    found == "[]" and "pg_stats" in statement
                )
                if statement is statements[1] and not harmless:
                    tally.answered.append(statement)
    finally:
        db.rollback()
        db.execute(f'ROLLBACK; RESET ALL; SET search_path = "{own}"'.encode())
    return found


# ---------------------------------------------------------------- rounds


async def survey(url: str, folder: Path, tally: Tally, verbs: int, statements: int, seed: int) -> int:
    """One team; the number of texts of the silent person that are missing afterwards."""
    choose = random.Random(seed)
    schema = url.partition("schema=")[2]
    async with serving(folder, url=url, members=PEOPLE) as server, server.started():
        await fill(server)
        await ask(server, tally, verbs, choose)
        await asyncio.to_thread(query, server, schema, tally, statements, choose)
        lost = 0
        for project in PEOPLE:
            said = ""
            for verb, arguments in (
                ("list_memories", {}), ("list_sources", {}), ("list_sources", {"session_id": "s1"}),
                ("get_preferences", {"workflow": "reply"}), ("memory_history", {"key": "diary/day"}), ("memory_history", {"key": "diary/night"}),
            ):  # fmt: skip
                said += (await server.ask(f"{SILENT}@{project}", verb, arguments)).text
            lost += len(PRIVATE) - len(set(re.findall(rf"zq{project}q{SILENT}q(\d+)", said)))
        return lost


def run(url: str, folder: Path, *, count: int, seed: int) -> dict[str, Any]:
    """The sum of so many probes on new teams on the server of `url`, whose schemas are dropped in the end."""
    tally, lost = Tally(), 0
    of_verbs = int(count * OF_VERBS)
    rounds = max(1, -(-of_verbs // ROUND))
    for number in range(rounds):
        name = f"probes_{os.getpid()}_{seed}_{number}"
        place = folder / str(number)
        place.mkdir()
        verbs = of_verbs * (number + 1) // rounds - of_verbs * number // rounds
        statements = (count - of_verbs) * (number + 1) // rounds - (count - of_verbs) * number // rounds
        lost += asyncio.run(
            survey(f"{url}?schema={name}", place / "team", tally, verbs, statements, seed + number)
        )
    return {
        "probes": dict(tally.probes), "verbs": len(tally.verbs), "of": len(TEAM_VERBS), "foreign": len(tally.foreign), "answered": len(tally.answered),
        "lost": lost, "examples": [*tally.foreign[:3], *tally.answered[:3]], "refused": dict(tally.refused),
    }  # fmt: skip


def is_good(done: Mapping[str, Any]) -> bool:
    """True when every probe came back without a foreign row, and nothing was lost."""
    return not (done["foreign"] or done["answered"] or done["lost"])


def main() -> int:
    numbers = [int(word) for word in sys.argv[1:]]
    count, seed = (*numbers, *(100_000, 0)[len(numbers) :])
    place, folder = team_server.place(), Path(tempfile.mkdtemp(prefix="daypack-probes-"))
    try:
        with team_server.Server(place) as server:
            done = run(server.url, folder, count=count, seed=seed)
    finally:
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(json.dumps(done) + "\n")
    return 0 if is_good(done) else 1


if __name__ == "__main__":
    sys.exit(main())
