"""Clients at once on one team server, which may be killed meanwhile: what was acknowledged, and what each of them sees.

    python tests/faults/team_storm.py FOLDER [CLIENTS] [OPERATIONS] [KILLS] [SEED] [postgresql]      16 clients, 500 operations, no kill

On PostgreSQL the team's store is on a primary with a replica; the primary is killed in the middle, and the replica promoted.

Every client is a person with a token, in one of two projects. It writes private and shared memories, documents and
sources, forgets some, and asks; every text names its writer and is used once. In the end each person's lists must hold
what the server acknowledged, once, and no answer may hold a private text of another person, or any of another project.
An operation whose answer was lost with the server is made again, as a client would. The last line is the sum, as JSON;
exit status 1 for a loss, a double or a foreign row.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from daypack import Daypack
from support import WORDS, command, environment
from team_server import Pair, replicated

PROJECTS = ("dune", "reef")
MARK = re.compile(r"\b(own|all)x(p\d+)x(\d+)\b")
AWAY = (
    "store_unreachable",
    "store_busy",
    "store_conflict",
)  # answers of a server that lost its store for a moment
PATIENCE = 60.0  # seconds until a server that was killed must be there again


@dataclass
class Tally:
    """What happened to the operations of all clients."""

    calls: Counter[str] = field(default_factory=Counter)  # by verb
    refused: Counter[str] = field(default_factory=Counter)  # by code
    foreign: list[str] = field(default_factory=list)
    again: int = 0  # operations made again after a connection was lost
    seconds: list[float] = field(default_factory=list)  # of each answered call


@dataclass
class Client:
    """A person who asks, and what the server acknowledged to them."""

    name: str
    project: str
    token: str
    port: int
    tally: Tally
    memories: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)

    def ask(self, verb: str, arguments: Mapping[str, Any]) -> tuple[int, Any]:
        """The status and data of an answer; an operation whose connection is lost is made again."""
        began = time.monotonic()
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
                connection.request("POST", f"/v1/{verb}", json.dumps(arguments).encode(), headers)
                response = connection.getresponse()
                text = response.read().decode()
            except (OSError, http.client.HTTPException):
                if time.monotonic() - began > PATIENCE:
                    raise
                self.tally.again += 1
                time.sleep(0.05)
                continue
            finally:
                connection.close()
            if (
                response.status == 503
                and json.loads(text).get("code") in AWAY
                and time.monotonic() - began < PATIENCE
            ):
                self.tally.again += 1
                time.sleep(0.05)
                continue
            self.tally.calls[verb] += 1
            self.tally.seconds.append(time.monotonic() - began)
            self._look(verb, text)
            return response.status, json.loads(text)

    def _look(self, verb: str, text: str) -> None:
        """Note every text of an answer that this person must not see."""
        for kind, writer, number in MARK.findall(text):
            if (kind == "own" and writer != self.name) or project_of(writer) != self.project:
                self.tally.foreign.append(f"{self.name} {verb}: {kind}x{writer}x{number}")

    def act(self, number: int, choose: random.Random) -> None:
        """One operation, by chance."""
        mine, ours = f"ownx{self.name}x{number}", f"allx{self.name}x{number}"
        match choose.choices(range(9), (25, 10, 15, 10, 6, 12, 8, 8, 6))[0]:
            case 0:
                key = f"k/{choose.randrange(40)}"
                if self._done("remember", {"key": key, "value": f"the kettle of {mine}"}):
                    self.memories[key] = mine
            case 1:
                key = f"team/{self.name}/{number}"
                if self._done("remember", {"key": key, "value": f"the harbour of {ours}", "shared": True}):
                    self.shared[key] = ours
            case 2:
                document = {"_id": ours, "text": f"a ledger of {ours}"}
                status, data = self.ask("insert", {"collection": "ledgers", "document": document})
                if (
                    status == 200 or data.get("code") == "duplicate_id"
                ):  # of the attempt whose answer was lost
                    self.documents.add(ours)
                else:
                    self.tally.refused[str(data.get("code"))] += 1
            case 3:
                found = {"kind": "decision_outcome", "text": f"decided {mine}", "scope": "user"}
                if self._done("store_source", found):
                    self.sources.add(mine)
            case 4 if self.memories:
                key = choose.choice(sorted(self.memories))
                status, data = self.ask("forget", {"key": key})
                if status in (200, 404):
                    del self.memories[key]
                else:
                    self.tally.refused[str(data.get("code"))] += 1
            case 5:
                self.ask("search", {"queries": [f"kettle {choose.randrange(40)}", "harbour ledger"]})
            case 6:
                self.ask(
                    "pack", {"query": "what was decided about the ledger of the harbour?", "budget": 600}
                )
            case 7:
                self.ask("recall", {"key": f"k/{choose.randrange(40)}"})
            case _:
                self.ask("list_memories", {"limit": 20})

    def _done(self, verb: str, arguments: Mapping[str, Any]) -> bool:
        status, data = self.ask(verb, arguments)
        if status != 200:
            self.tally.refused[str(data.get("code"))] += 1
        return status == 200

    # ------------------------------------------------------------ in the end

    def memories_now(self) -> list[tuple[str, str, bool]]:
        """(key, value, shared) of every memory that this person sees."""
        found, cursor = [], ""
        while True:
            status, page = self.ask("list_memories", {"limit": 50, "cursor": cursor})
            assert status == 200, page
            found += [(one["key"], one["value"], one["shared"]) for one in page["memories"]]
            if not (cursor := page["cursor"]):
                return found

    def documents_now(self) -> list[str]:
        """The IDs of the documents of the project."""
        found: list[str] = []
        while True:
            given = {
                "collection": "ledgers",
                "filter": {},
                "projection": {"_id": 1},
                "limit": 100,
                "skip": len(found),
            }
            status, page = self.ask("find", given)
            if status == 404 or page.get("code") == "no_collection":
                return found
            assert status == 200, page
            rows = page["documents"]
            found += [row["_id"] for row in rows]
            if not rows:
                return found

    def sources_now(self, place: Place) -> list[str]:
        """The texts of this person's sources, from the project's store: an answer of the server is cut at some 50."""
        with place.opened(self.project, owner=self.name) as dp:
            return [one.text for one in dp.sources.list(scope="user", limit=1000)]


class Place(NamedTuple):
    """The store of a team: a folder, and the URL of a server that has it instead."""

    folder: Path
    url: str = ""

    def opened(self, project: str = "", **options: Any) -> Daypack:
        """The store of the team, or of a project."""
        folder = self.folder / "projects" / project if project else self.folder
        server = f"{self.url}&schema=team{'.' if project else ''}{project}"
        return Daypack.open(
            server if self.url else folder, root=self.folder.parent, settings=WORDS, **options
        )


def project_of(person: str) -> str:
    return PROJECTS[int(person[1:]) % len(PROJECTS)]


def verdict(clients: list[Client], place: Place) -> Counter[str]:
    """The acknowledged writes that are there once, lost or doubled."""
    found: Counter[str] = Counter()

    def judge(expected: Mapping[str, str] | set[str], there: list[str]) -> None:
        counts = Counter(there)
        for one in expected:
            found["kept" if counts[one] == 1 else "doubled" if counts[one] else "lost"] += 1
        found["unasked"] += len(set(counts) - set(expected))

    for client in clients:
        memories = client.memories_now()
        judge(
            {f"{key} {mark}" for key, mark in client.memories.items()},
            [f"{key} {_mark(value)}" for key, value, all_ in memories if not all_],
        )
        judge(client.sources, [_mark(text) for text in client.sources_now(place)])
    for project in PROJECTS:
        ours = [client for client in clients if client.project == project]
        if ours:
            judge(
                {f"{key} {mark}" for one in ours for key, mark in one.shared.items()},
                [f"{key} {_mark(value)}" for key, value, all_ in ours[0].memories_now() if all_],
            )
            judge({one for client in ours for one in client.documents}, ours[0].documents_now())
    return found


def _mark(text: str) -> str:
    match = MARK.search(text)
    return match[0] if match else text


# ---------------------------------------------------------------- the server


def started(place: Place, port: int) -> subprocess.Popen[bytes]:
    """A team server that answers."""
    words = command("serve", "--team", "--no-open", "--tools", "all", "--port", str(port))
    store = f"{place.url}&schema=team" if place.url else str(place.folder)
    process = subprocess.Popen(
        words,
        cwd=place.folder.parent,
        env=environment(DAYPACK_STORE=store),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    with process.stdout as said:
        assert said.readline(), "the server did not start"
    return process


def storm(
    folder: Path, *, clients: int, operations: int, kills: int, seed: int, pair: Pair | None = None
) -> dict[str, Any]:
    """The sum of a storm on a new team in `folder`, or on the primary of a pair, which fails over in the middle."""
    tally = Tally()
    place = Place(folder / "team", pair.url if pair else "")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    people = []
    with place.opened() as dp:
        for project in PROJECTS:
            dp.team.add_project(project)
        for number in range(clients):
            name = f"p{number}"
            dp.team.add_person(name, writes=100_000)
            dp.team.put_member(name, project_of(name), "write")
            people.append(Client(name, project_of(name), dp.team.make_token(name)[1], port, tally))
    process = started(place, port)
    left = [clients * operations]
    lock = threading.Lock()

    def work(client: Client) -> None:
        choose = random.Random(f"{seed} {client.name}")
        for number in range(operations):
            client.act(number, choose)
            with lock:
                left[0] -= 1

    began = time.monotonic()
    try:
        with ThreadPoolExecutor(clients) as pool:
            running = [pool.submit(work, client) for client in people]
            for kill in range(kills):
                if pair is not None and kill == kills // 2:
                    _wait(lambda: left[0] <= clients * operations // 2)
                    pair.fail_over()
                    continue
                _wait(lambda kill=kill: left[0] <= clients * operations * (kills - kill) // (kills + 1))  # type: ignore[misc]
                process.kill()
                process.wait()
                process = started(place, port)
            for one in running:
                one.result()
        seconds = time.monotonic() - began
        found = verdict(people, place)
    finally:
        process.terminate()
        process.wait()
    with place.opened() as dp:
        lines, broken = len(dp.team.acts(limit=10**7)), dp.team.broken_lines()
    times = sorted(tally.seconds)
    return {
        "clients": clients, "operations": clients * operations, "kills": kills, "calls": dict(tally.calls), "again": tally.again,
        "kept": found["kept"], "lost": found["lost"], "doubled": found["doubled"], "unasked": found["unasked"],
        "foreign": len(tally.foreign), "examples": tally.foreign[:5], "refused": dict(tally.refused), "log": lines, "broken": broken,
        "seconds": round(seconds, 1), "p50_ms": round(1e3 * times[len(times) // 2]), "p95_ms": round(1e3 * times[len(times) * 95 // 100]),
    }  # fmt: skip


def _wait(until: Callable[[], bool]) -> None:
    while not until():
        time.sleep(0.05)


def is_good(done: Mapping[str, Any]) -> bool:
    """True when nothing was lost, doubled, foreign or refused."""
    bad = sum(done[name] for name in ("lost", "doubled", "unasked", "foreign", "broken"))
    return not bad and not done["refused"] and done["kept"] > 0


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    numbers = [int(word) for word in sys.argv[2:6]]
    clients, operations, kills, seed = (*numbers, *(16, 500, 0, 0)[len(numbers) :])
    with replicated({}) if sys.argv[6:] == ["postgresql"] else nullcontext() as pair:
        done = storm(folder, clients=clients, operations=operations, kills=kills, seed=seed, pair=pair)
    sys.stdout.write(json.dumps(done) + "\n")
    return 0 if is_good(done) else 1


if __name__ == "__main__":
    sys.exit(main())
