"""A PostgreSQL server of our own for tests: started as a plain user in a folder of its own, stopped with the process.

`python tests/team_server.py COMMAND …` runs a command with the URL of one in DAYPACK_TEST_SERVER.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self

TESTS = Path(__file__).resolve().parent
PASSWORD = "canary-" + secrets.token_hex(8)
PLAIN_USER = "nobody"  # postgres refuses to run as root
_QUICK = {
    "fsync": "off",  # the tests of crashes kill processes, never the machine
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "200",
    "max_locks_per_transaction": "512",  # a schema that is dropped has some 200 tables and indexes
    "shared_buffers": "64MB",
    "wal_level": "replica",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
    "log_min_messages": "warning",
}


def why_not() -> str:
    """The reason why no server can be started here, "" where one can."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install '.[postgres]'"
    if importlib.util.find_spec("pgserver") is None:
        return "no PostgreSQL is installed: pip install -r requirements/team.txt"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(PLAIN_USER)
        except KeyError:
            return f"postgres refuses root, and there is no user {PLAIN_USER}"
    return ""


def programs() -> Path:
    spec = importlib.util.find_spec("pgserver")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Server:
    """A server and its folder. `url` holds the password; no message of ours may."""

    def __init__(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> None:
        self.folder, self.port = folder, free_port()
        self.settings = {**_QUICK, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://daypack:{PASSWORD}@127.0.0.1:{self.port}/daypack"

    def make(self) -> None:
        """Make the server's folder and its database."""
        self.folder.mkdir(parents=True, exist_ok=True)
        secret = self.folder / "secret"
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (self.folder, secret):
                shutil.chown(path, PLAIN_USER)
        data = ["-D", str(self.folder / "data"), "-U", "daypack", "--pwfile", str(secret)]
        self.run("initdb", *data, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync")
        secret.unlink()

    def copy(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> Server:
        """A replica of this server, which runs: it follows in `folder`, once it is started."""
        made = Server(folder, settings={**self.settings, **(settings or {})})
        made.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(made.folder, PLAIN_USER)
        source = ["-d", self.url.rpartition("/")[0] + "/?application_name=replica"]
        made.run(
            "pg_basebackup",
            *source,
            "-D",
            str(made.folder / "data"),
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
        )
        return made

    def promote(self) -> None:
        """Make a replica the primary, as an operator does when that is gone."""
        self.run("pg_ctl", "promote", "-D", str(self.folder / "data"), "-w")

    def start(self) -> None:
        options = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [programs() / "postgres", "-D", self.folder / "data", "-p", str(self.port), *options],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
                **_plain(),
            )
        self.wait()

    def wait(self) -> None:
        import psycopg

        for _ in range(400):
            try:
                with psycopg.connect(self.url.rpartition("/")[0] + "/postgres", autocommit=True) as db:
                    made = db.execute("SELECT 1 FROM pg_database WHERE datname = 'daypack'").fetchone()
                    if not made and not db.execute("SELECT 1 WHERE pg_is_in_recovery()").fetchone():
                        db.execute("CREATE DATABASE daypack")
                    return
            except psycopg.OperationalError:
                if self._process is None or self._process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2000:]) from None
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT ends at once and cleanly, SIGKILL as a crash does."""
        if self._process is not None:
            if how is signal.SIGKILL:
                os.killpg(self._process.pid, how)
            else:
                self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def run(self, program: str, *arguments: str) -> bytes:
        """The output of a program of PostgreSQL, run as the server's user. Raises RuntimeError."""
        done = subprocess.run(
            [programs() / program, *arguments], capture_output=True, cwd=self.folder, **_plain()
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        return done.stdout

    @contextlib.contextmanager
    def running(self) -> Iterator[Self]:
        """The server, which is started, and stopped in the end."""
        self.start()
        try:
            yield self
        finally:
            self.stop()

    def __enter__(self) -> Self:
        self.make()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextlib.contextmanager
def alone(settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server without a replica, in a folder that goes with it."""
    folder = place()
    try:
        with Server(folder, settings=settings) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Pair(NamedTuple):
    """A primary that acknowledges a write when its replica shows it, and that replica."""

    primary: Server
    replica: Server

    @property
    def url(self) -> str:
        """The URL that finds the one which takes writes."""
        hosts = f":{self.primary.port},127.0.0.1:{self.replica.port}/"
        return self.primary.url.replace(f":{self.primary.port}/", hosts) + "?target_session_attrs=read-write"

    def fail_over(self) -> None:
        """Kill the primary and promote the replica."""
        self.primary.stop(signal.SIGKILL)
        self.replica.promote()


@contextlib.contextmanager
def replicated(settings: Mapping[str, str]) -> Iterator[Pair]:
    """A primary and its replica, which has these settings."""
    import psycopg

    folder = place()
    safely = {"synchronous_commit": "remote_apply", "fsync": "on", "full_page_writes": "on"}
    try:
        with Server(folder / "primary", settings=safely) as primary:
            replica = primary.copy(folder / "replica", settings=dict(settings))
            with replica.running(), psycopg.connect(primary.url, autocommit=True) as db:
                db.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
                db.execute("SELECT pg_reload_conf()")
                waits = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
                while not db.execute(waits).fetchone():
                    time.sleep(0.05)
                yield Pair(primary, replica)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _plain() -> dict[str, object]:
    """Arguments of `subprocess` that run a program as the plain user."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam(PLAIN_USER)
    return {
        "user": user.pw_uid,
        "group": user.pw_gid,
        "extra_groups": [],
        "env": {"LC_ALL": "C", "PATH": os.environ["PATH"]},
    }


def place() -> Path:
    """A folder that the plain user can reach: those of pytest belong to their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="daypack-server-"))
    folder.chmod(0o755)
    return folder


def main(arguments: list[str]) -> int:
    """Run a command with the server's URL in DAYPACK_TEST_SERVER; without one, until the input ends."""
    if reason := why_not():
        sys.stderr.write(f"no server: {reason}\n")
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends with us
    with alone() as server:
        if arguments:
            # so that every Python of the suite keeps its stores there, and the suite knows what it leaves out
            paths = [str(TESTS / "offline"), str(TESTS), os.environ.get("PYTHONPATH", "")]
            environment = {
                **os.environ,
                "DAYPACK_TEST_SERVER": server.url,
                "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                "PYTEST_PLUGINS": "team_run",
            }
            return subprocess.run(arguments, env=environment, check=False).returncode
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
