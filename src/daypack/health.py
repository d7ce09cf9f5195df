"""The doctor: what may be wrong with the environment and with the data, each with its verdict and next step."""

from __future__ import annotations

import enum
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from daypack.index.schema import VERSION
from daypack.index.store import Store, text_hash

FIXED_SQLITE = (3, 51, 3)  # before it, concurrent checkpoints of a WAL could lose committed rows


class Verdict(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Check:
    """One question asked of the store; `detail` says what was found and, where it is not well, what to do."""

    name: str
    verdict: Verdict
    detail: str


def diagnose(store: Store, *, deep: bool = False) -> list[Check]:
    """All checks. `deep` also hashes every text, which reads the whole store."""
    return [*_environment(store), *_data(store), *(_texts(store) if deep else ())]


def _environment(store: Store) -> Iterator[Check]:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    fixed = version >= FIXED_SQLITE
    yield Check("sqlite", Verdict.OK if fixed else Verdict.WARNING, f"{apsw.sqlite_lib_version()}, " + ("WAL race fixed" if fixed else "exposed to the WAL race: upgrade apsw"))
    yield Check("schema", Verdict.OK, f"version {VERSION}")
    free = shutil.disk_usage(store.folder).free
    needed = 2 * store.file.stat().st_size
    yield Check("disk", Verdict.OK if free > needed else Verdict.WARNING, f"{free >> 20:,} MiB free" + ("" if free > needed else ": too little to back up before an upgrade"))
    mode = stat.S_IMODE(store.folder.stat().st_mode)
    open_to = mode & 0o077
    yield Check("permissions", Verdict.WARNING if open_to else Verdict.OK, f"{mode:04o}" + (f": others may look in; run `chmod 700 {store.folder}`" if open_to else ""))
    if not os.access(store.file, os.W_OK):
        yield Check("writable", Verdict.WARNING, "read only: answers come from what is there")
    wal = store.file.with_name(store.file.name + "-wal")
    size = wal.stat().st_size if wal.exists() else 0
    yield Check("wal", Verdict.OK if size < 256 << 20 else Verdict.WARNING, f"{size >> 10:,} KiB")


def _data(store: Store) -> Iterator[Check]:
    with store.reading() as db:
        problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)")]
        yield Check("integrity", Verdict.OK if problems == ["ok"] else Verdict.DAMAGE, "ok" if problems == ["ok"] else "; ".join(problems[:3]) + " (restore a backup, or remove the store and add again)")
        broken = list(db.execute("PRAGMA foreign_key_check"))
        yield Check("references", Verdict.DAMAGE if broken else Verdict.OK, f"{len(broken)} rows point nowhere" if broken else "ok")
        from daypack.index.lexical import load_view

        view = load_view(db)
        chunks = {row[0] for row in db.execute("SELECT id FROM chunk")}
        indexed = view.chunk_ids[view.alive].tolist()
        missing, extra, twice = len(chunks - set(indexed)), len(set(indexed) - chunks), len(indexed) - len(set(indexed))
        wrong = missing or extra or twice
        yield Check(
            "lexical index", Verdict.DAMAGE if wrong else Verdict.OK,
            f"{missing} chunks not indexed, {extra} indexed but gone, {twice} twice: run `daypack reindex`" if wrong else f"{len(indexed):,} chunks in {len(view.segment_ids)} segments",
        )  # fmt: skip
        odd = db.execute("SELECT count(*) FROM vec JOIN model ON model.id = vec.model_id WHERE length(codes) != dim OR scale < 0 OR scale != scale").fetchone()[0]
        yield Check("vectors", Verdict.DAMAGE if odd else Verdict.OK, f"{odd} vectors are malformed: delete the store's vectors by `daypack reindex --vectors`" if odd else "ok")


def _texts(store: Store) -> Iterator[Check]:
    bad = []
    with store.reading() as db:
        for record_id, uri, text, hash_ in db.execute("SELECT id, uri, text, hash FROM record"):
            if text_hash(text) != hash_:
                bad.append(f"{uri} (record {record_id})")
    yield Check("texts", Verdict.DAMAGE if bad else Verdict.OK, f"{len(bad)} texts differ from their hash: {', '.join(bad[:3])}" if bad else "every text matches its hash")
