"""Every writing verb over a disk that fails, and over one that loses power. Run by the tests, and by `make storm`.

    python faulty.py FOLDER EVERY SEED      the k-th operation fails, for each k from SEED in steps of EVERY

A shim between SQLite and the system fails one write, sync, truncation, lock or read, lets the system's call read or write
half, or ends the process and leaves of everything unsynced a random part. One JSON object a round.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw

sys.path.insert(0, str(Path(__file__).parent.parent))

from storm import forked, heard

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.doors.sources.types import SourceDraft
from daypack.errors import DaypackError, NotFound
from support import WORDS, ills, project

KINDS = ("write", "sync", "truncate", "lock", "read", "short read", "short write", "power")
_CODES = {
    "write": apsw.SQLITE_IOERR_WRITE, "sync": apsw.SQLITE_IOERR_FSYNC, "truncate": apsw.SQLITE_IOERR_TRUNCATE,
    "lock": apsw.SQLITE_IOERR_LOCK, "read": apsw.SQLITE_IOERR_READ,
}  # fmt: skip


# As the system declares them: (descriptor, bytes, number of bytes, offset) → number of bytes, or -1.
_TRANSFER = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
)
_CALLS = {"short read": "pread64", "short write": "pwrite64"}


class Plan:
    """The operation that fails: the `at`th of a kind, none once it has failed. `seen` counts operations by kind."""

    def __init__(self, kind: str, at: int, seed: int = 0) -> None:
        self.kind, self.at, self.chance = kind, at, random.Random(f"{kind} {at} {seed}")
        self.seen = dict.fromkeys(KINDS, 0)
        self.armed = True

    def meets(self, kind: str) -> bool:
        """True when this operation is the one that fails."""
        self.seen[kind] += 1
        hit = self.armed and kind == self.kind and self.seen[kind] == self.at
        self.armed = self.armed and not hit
        return hit

    def fail(self, kind: str) -> None:
        if self.meets(kind):
            error = apsw.IOError(f"the {kind} that was chosen")
            error.extendedresult = _CODES[kind]
            raise error


class Unsynced(NamedTuple):
    """A file as it was at its last sync, and the writes and truncations since: (offset, bytes) or (length, None)."""

    base: bytes
    changes: list[tuple[int, bytes | None]]


class Shim(apsw.VFS):
    """The system's file layer with a plan."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("faulty", "unix", makedefault=True)
        self.plan = plan
        self.unsynced: dict[str, Unsynced] = {}
        self.calls = [self._halved(kind, call) for kind, call in _CALLS.items()]

    def _halved(self, kind: str, call: str) -> Any:
        """The system's call with the plan: a transfer that the plan chooses moves half of the bytes, as a signal may cause."""
        original = _TRANSFER(super().xGetSystemCall(call))

        @_TRANSFER
        def transfer(descriptor: int, data: int, amount: int, offset: int) -> int:
            amount = amount // 2 if amount > 1 and self.plan.meets(kind) else amount
            return int(original(descriptor, data, amount, offset))

        assert super().xSetSystemCall(call, ctypes.cast(transfer, ctypes.c_void_p).value)
        return original, transfer

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        return File(self, name, flags)

    def changes(self, path: str, offset: int, data: bytes | None) -> None:
        """Note a change before it is made; the power may go at it."""
        if path not in self.unsynced:
            self.unsynced[path] = Unsynced(Path(path).read_bytes(), [])
        self.unsynced[path].changes.append((offset, data))
        if self.plan.meets("power"):
            self.lose_power()

    def lose_power(self) -> None:
        """Leave of each file its synced content with some of the later changes, some of them torn, and die."""
        chance = self.plan.chance
        for path, (base, changes) in self.unsynced.items():
            content = bytearray(base)
            for offset, data in changes:
                luck = chance.random()
                if luck < 0.5:
                    continue
                if data is None:
                    del content[offset:]
                    continue
                part = data[: chance.randrange(len(data) + 1)] if luck < 0.65 else data
                content.extend(bytes(max(0, offset + len(part) - len(content))))
                content[offset : offset + len(part)] = part
            Path(path).write_bytes(content)
        os.kill(os.getpid(), signal.SIGKILL)


class File(apsw.VFSFile):
    """A file whose operations follow the plan of its layer."""

    def __init__(self, shim: Shim, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self.shim, self.path = (
            shim,
            str(name.filename() if isinstance(name, apsw.URIFilename) else name or ""),
        )

    def xWrite(self, data: bytes, offset: int) -> None:
        if self.path:
            self.shim.changes(self.path, offset, bytes(data))
        self.shim.plan.fail("write")
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        if self.path:
            self.shim.changes(self.path, newsize, None)
        self.shim.plan.fail("truncate")
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self.shim.plan.fail("sync")
        super().xSync(flags)
        self.shim.unsynced.pop(self.path, None)

    def xLock(self, level: int) -> None:
        self.shim.plan.fail("lock")
        super().xLock(level)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.shim.plan.fail("read")
        return super().xRead(amount, offset)


# ---------------------------------------------------------------- the verbs


class Verb(NamedTuple):
    """A write, and whether a store has it."""

    do: Callable[[Daypack], object]
    is_done: Callable[[Daypack], bool]


def _holds(reference: str, text: str) -> Callable[[Daypack], bool]:
    def look(dp: Daypack) -> bool:
        try:
            return text in dp.get(reference).text
        except NotFound:
            return False

    return look


def _lacks(reference: str) -> Callable[[Daypack], bool]:
    return lambda dp: not _holds(reference, "")(dp)


def _remembers(key: str, value: str | None) -> Callable[[Daypack], bool]:
    def look(dp: Daypack) -> bool:
        try:
            return getattr(dp.memories.recall(key), "value", None) == value
        except NotFound:
            return value is None

    return look


def _apply(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.apply(teas.plan_update({"_id": 0}, {"$set": {"year": 2022}}).token)


VERBS = {
    "add": Verb(lambda dp: dp.records.add([{"id": "new", "text": "new text " * 700}]), _holds("new", "new text")),
    "replace": Verb(lambda dp: dp.records.add([{"id": "r1", "text": "other"}]), _holds("r1", "other")),
    "delete": Verb(lambda dp: dp.records.delete(["r2"]), _lacks("r2")),
    "files": Verb(lambda dp: dp.files.add(dp.root), _holds("tea.md", "kettle")),
    "remember": Verb(lambda dp: dp.memories.remember("k", "v"), _remembers("k", "v")),
    "change": Verb(lambda dp: dp.memories.remember("old", "new value"), _remembers("old", "new value")),
    "forget": Verb(lambda dp: dp.memories.forget("gone"), _remembers("gone", None)),
    "text": Verb(lambda dp: dp.knowledge.add_text("notes", "retry budget"), lambda dp: bool(dp.knowledge.labels())),
    "insert": Verb(
        lambda dp: dp.documents.collection("teas").insert([{"_id": 1, "name": "Assam"}]),
        lambda dp: dp.documents.collection("teas").count({"_id": 1}) == 1,
    ),
    "apply": Verb(_apply, lambda dp: dp.documents.collection("teas").count({"_id": 0, "year": 2022}) == 1),
    "session": Verb(
        lambda dp: dp.sessions.add_steps([Step("monday", 1e9, Said("user", "deploy the harbour"))]),
        lambda dp: len(dp.sessions.sessions()) == 1,
    ),
    "source": Verb(
        lambda dp: dp.sources.upsert("ferry", SourceDraft("It leaves at nine.")), lambda dp: bool(dp.sources.list())
    ),
    "reindex": Verb(lambda dp: dp.reindex(), lambda _: True),
    "embed": Verb(lambda dp: dp.embed(), lambda _: True),
}  # fmt: skip


def prepare(root: Path) -> Path:
    """A store that the verbs change."""
    project(root, {"tea.md": "# Tea\n\nThe kettle boils.\n"})
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        dp.records.add([{"id": f"r{n}", "text": f"record {n} " * 300} for n in range(6)])
        dp.memories.remember("old", "value")
        dp.memories.remember("gone", "to be forgotten")
        dp.documents.collection("teas").insert([{"_id": 0, "name": "Sencha"}])
    return root


# ---------------------------------------------------------------- a round


def one_round(prepared: Path, target: Path, kind: str, at: int) -> dict[str, Any]:
    """Run every verb, with a fault at the `at`th operation of a kind, and look at the store that is left."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(prepared, target)
    (target / ".daypack").chmod(0o700)

    def work(say: Callable[[object], None]) -> None:
        plan = Plan(kind, at)
        shim = Shim(plan)
        opened: Daypack | None = None
        for name, verb in VERBS.items():
            for _ in range(2):  # once more after the fault, which must be over then
                try:
                    if opened is None:
                        opened = Daypack.open(target / ".daypack", settings=WORDS)
                    verb.do(opened)
                    say({"done": name})
                    break
                except DaypackError as error:
                    say({"failed": name, "code": error.code, "over": not plan.armed})
                    with contextlib.suppress(DaypackError):
                        if opened is not None and verb.is_done(opened):
                            say({"done": name})
                            break
        if opened is not None:
            with contextlib.suppress(
                apsw.IOError
            ):  # of the shim; SQLite ignores such errors of the last checkpoint
                opened.close()
        say({"seen": plan.seen, "hit": not plan.armed})
        del shim

    pid, pipe = forked(work)
    said = [one for one in heard(pipe) if isinstance(one, dict)]
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    done = [one["done"] for one in said if "done" in one]
    failures = [one for one in said if "failed" in one]
    outcome: dict[str, Any] = {
        "kind": kind,
        "at": at,
        "done": len(done),
        "codes": [one["code"] for one in failures],
    }
    outcome["errors"] = [one["error"] for one in said if "error" in one]
    outcome["stuck"] = [name for name in VERBS if name not in done] if status == 0 else []
    outcome["hit"] = status == -signal.SIGKILL or any(one.get("hit") for one in said)

    def look(say: Callable[[object], None]) -> None:
        with Daypack.open(target / ".daypack", settings=WORDS) as dp:
            say({"lost": [name for name in done if not VERBS[name].is_done(dp)], "ills": ills(dp)})

    pid, pipe = forked(look)
    (found,) = heard(pipe)
    os.waitpid(pid, 0)
    assert isinstance(found, dict), found
    return {
        **outcome,
        "lost": found.get("lost", ["everything"]),
        "ills": found.get("ills", [found.get("error")]),
    }


def is_well(outcome: dict[str, Any]) -> bool:
    """True when nothing was lost."""
    return not (outcome["lost"] or outcome["ills"] or outcome["errors"] or outcome["stuck"])


if __name__ == "__main__":
    place, every, first = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    made = prepare(place / "prepared")
    results = []
    for fault in KINDS:
        number = 1 + first % every
        while True:
            result = one_round(made, place / "target", fault, number)
            if not result["hit"]:
                break
            results.append(result)
            sys.stdout.write(json.dumps(result) + "\n")
            number += every
    wrong = sum(not is_well(one) for one in results)
    sys.stderr.write(
        f"{len(results):,} faults, {sum(one['done'] for one in results):,} acknowledged writes: {wrong} rounds lost one, "
        f"left damage, or failed in another way than with a typed error\n"
    )
    sys.exit(1 if wrong else 0)
