"""What the tests of the running program share: the program itself, small projects, and a look at a store from
outside.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from daypack import Daypack
from daypack.engine.checks import CheckVerdict
from daypack.index import database
from daypack.index.embedded.connection import FileConnection
from daypack.index.folded.viewing import load_view
from daypack.index.postings.columns import FIELDS
from daypack.index.postings.lexical import merge, postings
from daypack.index.schema import MIGRATIONS
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.settings import Settings

TESTS = Path(__file__).parent
PAY = TESTS.parent / "examples" / "pay"
WORDS = Settings(embedder="hashing")
"""No model, no deadline: answers depend on store and query alone."""
INTERRUPTS = [
    sent
    for sent in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    if sent is not None and signal.getsignal(sent) is not signal.SIG_IGN
]
"""Signals that end a command as Ctrl-C does. What runs under `nohup` ignores SIGHUP, and so do its children."""
EPOCH = datetime.fromtimestamp(0, UTC)
TOPICS = [
    "ferry",
    "harbour",
    "tea",
    "retry",
    "payment",
    "kettle",
    "order",
    "queue",
    "samovar",
    "invoice",
    "lantern",
    "pier",
    "violin",
    "flood",
    "cellar",
]
"""Words of made texts, of which random ones make a store that is large enough for a fold."""


START = 1_790_000_000.0  # 2026-09-21


class Clock:
    """Unix seconds that pass when the test says so."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


def bytes_of(folder: Path) -> bytes:
    """Every byte of every file below a folder, the write-ahead log among them."""
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


# ---------------------------------------------------------------- child processes


def in_child(work: Callable[[], None]) -> int:
    """The exit status of a fork that does this work; 77 when it raised."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(77)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_after(statements: int, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit status of a child that does this work and is killed after so many SQL statements; 0 when the work took
    fewer. Only connections that the work opens are counted.
    """

    def counted() -> None:
        left = [statements]

        def trace(*_: object) -> bool:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return True

        connect = database.connect

        def traced(*arguments: Any, **options: Any) -> apsw.Connection:
            connection = connect(*arguments, **options)
            connection.exec_trace = trace
            return connection

        monkeypatch.setattr(database, "connect", traced)
        work()

    return in_child(counted)


def opened_until(folder: Path, statements: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit status of a child that is killed after so many SQL statements of opening the store."""
    return killed_after(statements, lambda: Store.open(folder).close(), monkeypatch)


# ---------------------------------------------------------------- the program


def tables_in_memory() -> FileConnection:
    """A connection to the tables of an empty store, without a file."""
    db = FileConnection(":memory:")
    for statement in ";".join(MIGRATIONS).split(";"):
        db.execute(statement)
    return db


def merge_all(db: Connection) -> None:
    """Merge all segments into one."""
    if ids := [row[0] for row in db.execute("SELECT id FROM segment ORDER BY id")]:
        merge(db, ids)


def environment(**changes: str) -> dict[str, str]:
    """What a process of ours sees: a home of its own, no network, the embedder without a model."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "LANG", "TMPDIR", "DAYPACK_TEST_SERVER")
        if name in os.environ
    }
    return {
        **kept,
        "HOME": "/nonexistent/home",
        "TZ": "UTC",
        # Also the sources beside these tests: an installed package may be that of another work tree.
        "PYTHONPATH": os.pathsep.join((str(TESTS / "offline"), str(TESTS.parent / "src"), str(TESTS.parent))),
        "PYTHONWARNINGS": "error",
        "DAYPACK_EMBEDDER": "hashing",
        **changes,
    }


def command(*arguments: str | bytes) -> list[str | bytes]:
    return [sys.executable, "-m", "daypack", *arguments]


def daypack(
    *arguments: str | bytes,
    cwd: Path,
    input: bytes = b"",
    status: int | None = 0,
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
) -> subprocess.CompletedProcess[str]:
    """Run the program as a user does. Fails when it ends with another exit status, and on any traceback."""
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        input=input,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=environment(**(env or {})),
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert "Traceback" not in err, err
    assert status is None or done.returncode == status, (
        f"exit status {done.returncode}, stdout {out!r}, stderr {err!r}"
    )
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def on_a_terminal(
    *arguments: str,
    cwd: Path,
    at: bytes = b"",
    typed: bytes | signal.Signals = b"",
    status: int = 0,
    **variables: str,
) -> str:
    """What a terminal of 24 lines shows of a command: both its outputs. Once it shows `at`, keys are `typed`, or a signal
    is sent, as Ctrl-C does.
    """
    import pty  # not on every system

    master, slave = pty.openpty()
    with subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        env=environment(TERM="xterm", LINES="24", COLUMNS="100", **variables),
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
            if at and at in shown:
                at = b""
                if isinstance(typed, signal.Signals):
                    process.send_signal(typed)
                else:
                    os.write(master, typed)
        os.close(master)
        assert process.wait() == status, shown
    return shown.decode()


def project(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A repository with these files."""
    (folder / ".git").mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def opened_project(at: Path, files: Mapping[str, str | bytes]) -> Daypack:
    """A new store beside a repository with these files, which it holds."""
    root = project(at / "project", files)
    daypack = Daypack.open(at / "store", root=root, settings=WORDS)
    daypack.files.add(root)
    return daypack


def copy_of_pay(folder: Path) -> Path:
    """A copy of examples/pay in a folder, without a store."""
    return Path(
        shutil.copytree(PAY, folder / "pay", ignore=shutil.ignore_patterns(".daypack", "__pycache__"))
    )


def end(server: subprocess.Popen[Any]) -> int:
    """The exit status of a server that is asked to end. One that does not is killed, and fails its test alone."""
    server.terminate()
    try:
        return server.wait(120)
    except subprocess.TimeoutExpired:
        server.kill()
        raise


@contextmanager
def in_the_end() -> Iterator[None]:
    """Fails where the block takes 30 seconds of processor time. What is done here takes a fraction of one;
    were it done by backtracking, or with the square of its length, it would take minutes, so no machine is
    slow or busy enough to blur the two.
    """
    began = time.process_time()
    yield
    assert time.process_time() - began < 30


# ---------------------------------------------------------------- a store, from outside


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Name → (modification time, content) of every file below a folder."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def ills(daypack: Daypack, *, deep: bool = True) -> list[str]:
    """What the doctor finds damaged."""
    return [
        f"{check.name}: {check.detail}"
        for check in (daypack.check(deep=True) if deep else daypack.doctor())
        if check.verdict is CheckVerdict.DAMAGE
    ]


def indexed(store: Store) -> dict[tuple[str, str, str, int], tuple[Any, ...]]:
    """The lexical index without its ids: chunk → (lengths, {term: frequencies}).

    Equal indexes give equal dictionaries.
    """
    with store.reading() as db:
        view = load_view(db)
        names = {
            row[0]: row[1:]
            for row in db.execute(
                "SELECT c.id, r.door, r.scope, r.uid, c.ordinal FROM chunk AS c JOIN record AS r ON r.id = c.record_id"
            )
        }
        terms: dict[int, dict[str, tuple[int, ...]]] = {}
        for (term,) in list(db.execute("SELECT DISTINCT term FROM posting")):
            found = postings(db, view, term)
            assert (np.diff(found.positions) > 0).all(), f"{term} occurs twice in a chunk"
            for position, frequencies in zip(found.positions.tolist(), found.tf.tolist(), strict=True):
                terms.setdefault(position, {})[term] = tuple(frequencies)
    living = np.flatnonzero(view.alive).tolist()
    ids = view.chunk_ids.tolist()
    assert sorted(ids[position] for position in living) == sorted(names), (
        "the index holds other chunks than the store"
    )
    assert len(FIELDS) == view.lengths.shape[1] or not living
    return {
        names[ids[position]]: (tuple(view.lengths[position].tolist()), terms.get(position, {}))
        for position in living
    }
