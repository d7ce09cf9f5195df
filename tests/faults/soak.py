"""Two agents, a watcher, command lines and the page on one store, for as long as is wanted. Run by the tests, and by `make soak`.

    python soak.py FOLDER MINUTES [EMBEDDER]      prints a table; exit status 1 when something grew, failed or stayed

Each round, all of them work at the same time on keys and files that return, so that the store keeps its size; then nobody
works, and each process is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

sys.path.extend(str(Path(__file__).parent.parent / room) for room in ("", "surfaces", "surfaces/mcp"))

from mcp.client import Client
from server import Page, served
from tool_calls import client

from daypack import Daypack
from documents_made import docx, paragraph
from support import WORDS, command, environment, ills

PAY = Path(__file__).parents[2] / "examples" / "pay"
PATIENCE = 120  # seconds for one operation, on a machine that does much else
PAGES = (
    "/",
    "/?q=retry",
    "/store",
    "/code",
    "/sessions",
    "/memories",
    "/documents",
    "/evaluations",
    "/health",
)
QUESTIONS = (
    "how are refunds retried?",
    "who is paged?",
    "idempotency key",
    "RetryPolicy.delay",
    "kettle harbour",
)
MOST_LOG = 16 << 20
"""Bytes of the write-ahead log: SQLite folds it in after 4 MiB, unless somebody reads meanwhile."""
SLACK = 2  # descriptors and threads: of a connection or a background that ends just now
MOST_GROWTH = (
    48 << 10
)  # bytes of memory a round, of which an agent makes 22 calls: caches of words and packs fill slowly


class Usage(NamedTuple):
    """A process at one moment; memory in bytes, of its own pages."""

    descriptors: int
    threads: int
    memory: int


def usage(pid: int) -> Usage:
    place = Path("/proc", str(pid))
    said = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    return Usage(len(os.listdir(place / "fd")), int(said["Threads"]), int(said["RssAnon"].split()[0]) << 10)


def processes(folder: Path) -> dict[int, str]:
    """PID → command line of every process that works in the folder, or keeps its temporary files there."""
    found = {}
    for place in Path("/proc").iterdir():
        if not place.name.isdecimal() or int(place.name) == os.getpid():
            continue
        try:
            there = Path(os.readlink(place / "cwd")).is_relative_to(folder)
            if there or os.fsencode(folder) in (place / "environ").read_bytes():
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(place.name)] = line.strip() or "ended, and nobody waited for it"
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


@dataclass
class Soak:
    """What was measured: a row of usages for each process, one usage a round."""

    folder: Path
    embedder: str = "hashing"
    usages: dict[str, list[Usage]] = field(default_factory=dict)
    minutes: float = 0.0
    operations: int = 0
    most_log: int = 0
    store: list[int] = field(default_factory=list)  # bytes of the database, one number a round
    left: list[str] = field(default_factory=list)  # temporary files, processes, and files of the store
    ills: list[str] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.folder / "pay"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def environment(self) -> dict[str, str]:
        return environment(DAYPACK_EMBEDDER=self.embedder)

    def done(self) -> None:
        """Count an operation, and look at the log."""
        self.operations += 1
        log = self.root / ".daypack" / "daypack.db-wal"
        if log.exists():
            self.most_log = max(self.most_log, log.stat().st_size)

    def growth(self, name: str, part: Callable[[Usage], int]) -> float:
        """The increase a round, by least squares, in the second half; the first fills caches."""
        values = [part(one) for one in self.usages[name]][len(self.usages[name]) // 2 :]
        if len(values) < 2:
            return 0.0
        return statistics.linear_regression(range(len(values)), values).slope

    def faults(self) -> list[str]:
        """Everything that grew or stayed; memory is judged from 100 rounds on."""
        found = [*self.left, *self.ills]
        if self.most_log > MOST_LOG:
            found.append(f"the log had {self.most_log:,} bytes")
        for name, usages in self.usages.items():
            middle, end = usages[len(usages) // 3 : -len(usages) // 3], usages[-len(usages) // 3 :]
            for what in ("descriptors", "threads"):
                before, after = (
                    max(getattr(one, what) for one in part) for part in (middle or usages[:1], end)
                )
                if after > before + SLACK:
                    found.append(f"{name}: {before} {what} became {after}")
            if len(usages) >= 100 and (growth := self.growth(name, lambda one: one.memory)) > MOST_GROWTH:
                found.append(f"{name}: memory grew by {growth / 1024:,.1f} KiB a round")
        return found

    def table(self) -> str:
        rounds = len(self.store)
        if not rounds:
            return "no round was finished"
        lines = [
            f"{rounds} rounds, {self.operations:,} operations in {self.minutes:.1f} minutes",
            f"{'':10}{'descriptors':>16}{'threads':>16}{'memory (MiB)':>22}{'KiB a round':>14}",
        ]
        for name, usages in self.usages.items():
            warm, last = usages[len(usages) // 2], usages[-1]
            most = Usage(*(max(column) for column in zip(*usages, strict=True)))
            row = (
                f"{a} … {b} ≤ {c}" for a, b, c in ((warm[n], last[n], most[n]) for n in range(2))
            )  # when warm, at the end, at most
            memory = f"{warm.memory / 2**20:.1f} … {last.memory / 2**20:.1f} ≤ {most.memory / 2**20:.1f}"
            growth = self.growth(name, lambda one: one.memory) / 1024
            lines.append(
                f"{name:10}" + "".join(f"{cell:>16}" for cell in row) + f"{memory:>22}{growth:>14.1f}"
            )
        store = f"{self.store[rounds // 2] / 2**20:.1f} … {self.store[-1] / 2**20:.1f}"
        lines.append(
            f"log at most {self.most_log / 2**20:.1f} MiB; database {store} MiB; left behind: {len(self.left)}"
        )
        return "\n".join([*lines, *(f"FAULT {fault}" for fault in self.faults())])


def words(*arguments: str) -> list[str]:
    return [str(word) for word in command(*arguments)]


# ---------------------------------------------------------------- who works


async def agent_works(agent: Client, name: str, number: int, soak: Soak) -> None:
    """Each kind of work that an agent does, on keys of its own; what a round makes, a later one deletes."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await asyncio.wait_for(agent.call_tool(tool, arguments), PATIENCE)
        assert not answer.is_error, (tool, answer)
        soak.done()
        return answer.structured_content or {}

    question, key = QUESTIONS[number % len(QUESTIONS)], f"{name}/{number % 9}"
    await call("remember", key=key, value=f"round {number} of {name}", tags=[name])
    await call("pack", query=question, budget=200 + number % 7 * 100)
    await call("search", queries=[question, f"round {number}"])
    # A question that its asker does not wait for.
    asking = asyncio.create_task(
        agent.call_tool("search", {"queries": [f"{question} {n}" for n in range(20)]})
    )
    await call("get", reference="docs/retries.md:1-3")
    asking.cancel()
    await call("recall", key=key)
    await call("search_memories", query=f"round {number}")
    await call("forget", key=key)
    await call(
        "insert",
        collection="teas",
        document={"_id": f"{name}{number}", "text": f"Leaves of {name}, {number}."},
    )
    plan = await call(
        "plan_update", collection="teas", filter={"_id": f"{name}{number}"}, update={"$set": {"year": number}}
    )
    await call("apply", token=plan["token"])
    await call("context_pack", collection="teas", field="text", query=f"leaves of {name}")
    await call("delete", collection="teas", filter={"_id": f"{name}{number}"})
    await call("ctx_index", source=f"{name}-{number % 4}", content=f"Note {number}: the kettle is copper.")
    await call("ctx_batch_execute", commands=[{"label": "echo", "command": ["echo", f"{name} {number}"]}])
    await call("ctx_purge", confirm=True, source=f"{name}-{number % 4}")
    await call("upsert_source", source_key=f"{name}/{number % 4}", text=f"Refunds need {number} reasons.")
    await call("retrieve_context", query=question)
    await call("delete_source", source_key=f"{name}/{number % 4}")
    await call("code_pack", query="RetryPolicy.delay", max_chars=3000)
    await call("session_timeline")
    await call("status")


async def commands_work(number: int, soak: Soak) -> None:
    """A line of commands, as a shell and the hooks of an agent type them."""

    async def run(*arguments: str, given: str = "") -> str:
        process = await asyncio.create_subprocess_exec(
            *words(*arguments), cwd=soak.root, env=soak.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(given.encode()), PATIENCE)
        assert process.returncode == 0, (arguments, out, err)
        soak.done()
        return out.decode()

    event = {
        "hook_event_name": "UserPromptSubmit", "session_id": f"s{number % 5}", "cwd": str(soak.root),
        "prompt": f"round {number}: look at the refunds",
    }  # fmt: skip
    await run("session", "capture", given=json.dumps(event))
    await run("add", "-", "--name", f"said-{number % 4}", given=f"# Said\n\nRound {number} was quiet.\n")
    await run("remember", f"line/{number % 6}", f"round {number}")
    assert f"round {number}" in await run("recall", f"line/{number % 6}")
    assert await run("pack", QUESTIONS[number % len(QUESTIONS)], "--budget", "400")
    await run("forget", f"line/{number % 6}")
    if number % 4 == 3:
        await run("run", "--", "echo", f"round {number}")
        await run("session", "purge", "--session", f"s{number % 5}")
        await run("remove", f"said-{number % 4}")
        await run("doctor")


async def page_works(page: Page, cookie: str, number: int, soak: Soak) -> None:
    """Somebody who reads the page, and a program that calls the API."""
    for path in PAGES:
        status, _, _ = await asyncio.to_thread(page.ask, "GET", path, Cookie=cookie)
        assert status == 200, (path, status)
        soak.done()
    for verb, arguments in (
        ("pack", {"query": QUESTIONS[number % len(QUESTIONS)]}),
        ("remember", {"key": "api", "value": str(number)}),
    ):
        status, _, said = await asyncio.to_thread(page.ask, "POST", f"/v1/{verb}", arguments)
        assert status == 200, (verb, said)
        soak.done()


def files_change(number: int, soak: Soak) -> None:
    """A changed text, a changed office document, a new file and one that is gone."""
    notes = soak.root / "notes"
    notes.mkdir(exist_ok=True)
    (notes / f"{number % 6}.md").write_text(f"# Note\n\nThe harbour of round {number} was calm.\n")
    (notes / "minutes.docx").write_bytes(docx(paragraph(f"Round {number} was minuted.")))
    (notes / f"new-{number}.md").write_text(f"# New\n\nA crane of round {number}.\n")
    (notes / f"new-{number - 2}.md").unlink(missing_ok=True)


# ---------------------------------------------------------------- together


@asynccontextmanager
async def watcher(soak: Soak) -> AsyncIterator[asyncio.subprocess.Process]:
    """`daypack add . --watch`, until Ctrl-C; fails when that does not end it well."""
    with (soak.folder / "watched.txt").open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            *words("add", ".", "--watch"), cwd=soak.root, env=soak.environment(),
            stdout=out, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stderr is not None
        try:
            while b"watching" not in (line := await asyncio.wait_for(process.stderr.readline(), PATIENCE)):
                assert line, "the watcher ended"
            yield process
            process.send_signal(signal.SIGINT)
            _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
            assert process.returncode == 0 and b"Traceback" not in said, said
        finally:
            if process.returncode is None:
                process.kill()


async def _soaked(soak: Soak, goes_on: Callable[[int], bool]) -> None:
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        chosen = {"env": {"DAYPACK_EMBEDDER": soak.embedder}}
        named: dict[str, int] = {}
        agents = []
        for name in ("agent a", "agent b"):
            before = processes(soak.folder)
            agents.append(
                await stack.enter_async_context(
                    client(soak.root, "--tools", "all", "--access", "dangerous", **chosen)
                )
            )
            (named[name],) = processes(soak.folder).keys() - before.keys()
        named["watcher"] = (await stack.enter_async_context(watcher(soak))).pid
        before = processes(soak.folder)
        page = stack.enter_context(served(soak.root, "--access", "dangerous", **chosen))
        (named["page"],) = processes(soak.folder).keys() - before.keys()
        cookie = await asyncio.to_thread(page.enter)
        number = 0
        while goes_on(number):
            await asyncio.to_thread(files_change, number, soak)
            await asyncio.gather(
                *(agent_works(agent, f"agent{n}", number, soak) for n, agent in enumerate(agents)),
                commands_work(number, soak),
                page_works(page, cookie, number, soak),
            )
            for name, pid in named.items():
                soak.usages.setdefault(name, []).append(usage(pid))
            soak.minutes = (time.monotonic() - began) / 60
            soak.store.append((soak.root / ".daypack" / "daypack.db").stat().st_size)
            number += 1


def soaked(soak: Soak, goes_on: Callable[[int], bool]) -> Soak:
    """Rounds in a new folder while `goes_on(rounds so far)`; every process has ended then."""
    shutil.copytree(PAY, soak.root, ignore=shutil.ignore_patterns(".daypack", "__pycache__"))
    (soak.root / "pyproject.toml").touch()
    soak.temporary.mkdir()
    usual, os.environ["TMPDIR"] = os.environ.get("TMPDIR"), str(soak.temporary)
    try:
        subprocess.run(
            words("add", "."), cwd=soak.root, env=soak.environment(), check=True, capture_output=True
        )
        asyncio.run(_soaked(soak, goes_on))
    finally:
        if usual is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = usual
    soak.left += [f"process {pid} is left: {line}" for pid, line in processes(soak.folder).items()]
    soak.left += [f"temporary file {path.name} is left" for path in soak.temporary.iterdir()]
    with Daypack.open(soak.root / ".daypack", settings=WORDS) as dp:
        soak.ills = ills(dp)
    known = {".gitignore", "daypack.db", "spool", "evals", "token", "placing.lock"}
    soak.left += [
        f"{path.name} is left in the store"
        for path in (soak.root / ".daypack").iterdir()
        if path.name not in known
    ]
    return soak


if __name__ == "__main__":
    place, minutes, *embedder = sys.argv[1:]
    # A shell that starts this in the background has it ignore Ctrl-C, and the watcher would inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    end = time.monotonic() + float(minutes) * 60
    result = Soak(Path(place).resolve(), *embedder)
    try:
        soaked(result, lambda _: time.monotonic() < end)
    finally:
        sys.stdout.write(result.table() + "\n")
    sys.exit(1 if result.faults() else 0)
