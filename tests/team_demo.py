"""Two people on one team server, whose store is on a PostgreSQL server that this starts: `make demo-team`.

It makes the team with commands, then each person asks over HTTP with a token of their own. All is real, and gone in the end.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from team_server import PASSWORD, alone, why_not

STORE = "DAYPACK_STORE"


class Demo:
    """A folder, and the URL of the team's store in the environment, as on the machine of a team."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, STORE: url, "DAYPACK_EMBEDDER": "hashing"}

    def command(self, *words: str) -> str:
        """Show a command of the administrator and what it prints; returns that."""
        say(f"$ daypack {' '.join(words)}")
        done = subprocess.run(
            [sys.executable, "-m", "daypack", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout.strip()

    @contextmanager
    def serving(self) -> Iterator[int]:
        """The port of the team's server."""
        words = ["serve", "--team", "--no-open", "--tools", "all", "--port", "0"]
        say(f"$ daypack {' '.join(words[:2])}")
        process = subprocess.Popen(
            [sys.executable, "-m", "daypack", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            say(f"  {url}")
            yield int(url.rpartition(":")[2].strip("/"))
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def asked(port: int, name: str, token: str, verb: str, **given: Any) -> Any:
    """Show what a person asks; returns the answer."""
    shown = " ".join(f"{key}={json.dumps(value)}" for key, value in given.items())
    say(f"{name}> {verb} {shown}")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        connection.request("POST", f"/v1/{verb}", json.dumps(given).encode(), headers)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def rows(url: str) -> list[tuple[str, int]]:
    """(schema, memories) of every store on the server."""
    import psycopg

    with psycopg.connect(url) as db:
        found = db.execute(
            "SELECT schemaname FROM pg_tables WHERE tablename = 'memory' ORDER BY 1"
        ).fetchall()
        counted = [
            (name, db.execute(f'SELECT count(*) FROM "{name}".memory').fetchone()) for (name,) in found
        ]  # type: ignore[call-overload]
    return [(name, int(count[0])) for name, count in counted if count is not None]


def show(url: str, folder: Path) -> None:
    demo = Demo(folder, url)
    say("# The administrator makes a team.")
    tokens: dict[str, str] = {}
    demo.command("team", "project", "add", "payments")
    for name, role in (("ana", "write"), ("ben", "read")):
        demo.command("team", "user", "add", name)
        demo.command("team", "member", "add", name, "payments", "--role", role)
        tokens[name] = demo.command("team", "token", "create", name).split()[-1]
    with demo.serving() as port:

        def ask(name: str, verb: str, **given: Any) -> Any:
            return asked(port, name, tokens[name], verb, **given)

        say("\n# Ana keeps one thing for the project and one for herself. Ben sees the first.")
        ask(
            "ana",
            "remember",
            key="release/day",
            value="We release on Thursdays, after the ledger closed.",
            shared=True,
        )
        ask("ana", "remember", key="release/doubt", value="I doubt the release process of the ledger.")
        for name in ("ana", "ben"):
            found = ask(name, "list_memories")["memories"]
            say(f"     {[one['key'] for one in found]}")
        say("\n# Ben packs an answer within 200 tokens.")
        answer = ask("ben", "pack", query="when do we release?", budget=200)
        say("     " + str(answer.get("text", answer)).strip().replace("\n", "\n     "))
        say("\n# Ben may read, so his write is refused.")
        say(f"     {ask('ben', 'remember', key='x', value='y')['detail']}")
        say("\n# Ana changes her mind, and Ben knows at once.")
        ask("ana", "remember", key="release/day", value="We release on Tuesdays.", shared=True)
        say(f"     {ask('ben', 'recall', key='release/day')['value']}")
        say("\n# The log names acts and no text.")
        say(demo.command("team", "log", "--limit", "4"))
    say("\n# Everything is in the tables of PostgreSQL, a schema for the team and one for each project.")
    for name, count in rows(url.partition("?")[0]):
        say(f"     schema {name:20} {count} memories")


def main() -> int:
    if reason := why_not():
        sys.stderr.write(f"no demo: {reason}\n")
        return 1
    began = time.monotonic()
    with (
        alone() as server,
        tempfile.TemporaryDirectory(prefix="daypack-team-", ignore_cleanup_errors=True) as folder,
    ):
        say(f"# A PostgreSQL server on port {server.port}: {server.url.replace(PASSWORD, '***')}")
        show(server.url, Path(folder))
    say(f"\n# {time.monotonic() - began:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
