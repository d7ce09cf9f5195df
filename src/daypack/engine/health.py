"""The doctor and `check`: checks of the environment and of the data, each with its verdict and next step."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import apsw

from daypack.engine.checks import Check, CheckVerdict
from daypack.engine.doors import Checks, Door
from daypack.engine.upkeep import READ_EARLIER, was_read_earlier
from daypack.errors import FittedWeightsDamaged, StoreDamaged
from daypack.index.folded import checking
from daypack.index.folded.marks import FOLDER
from daypack.index.salvage import integrity
from daypack.index.schema import VERSION
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.shapes.weights import described
from daypack.system import others_may
from daypack.types.tuned_weights import from_json

FIXED_SQLITE = (3, 51, 3)  # before it, concurrent checkpoints of a WAL could lose committed rows


_PRIVATE = ("daypack.db", "token")

# what reading garbled rows raises
_GARBLED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


def diagnose(store: Store, doors: Sequence[Door]) -> list[Check]:
    """The quick view: checks of the environment and of the doors' files, and those of the data that read no text."""
    files = (one for door in doors if door.folder_checks for one in door.folder_checks(store.folder))
    return [*_environment(store), *files, *check(store, doors)]


def check(store: Store, doors: Sequence[Door], *, share: float = 0.0, seed: float = 0.0) -> list[Check]:
    """Checks of the data. `share`, from 0 to 1, of the texts are compared with their hashes, chosen by `seed`; with all
    of them, every posting is added up and every document is read as well.
    """
    checks = [*_surviving(store, "data", _data(store, doors)), *_surviving(store, "weights", _weights(store))]
    if share >= 1:
        return [*checks, *_contents(store, doors)]
    if share > 0:
        checks += _surviving(store, "texts", _texts(store, doors, share, seed))
    return checks


def damage(store: Store, doors: Sequence[Door]) -> list[Check]:
    """The checks that find damage in the data of the store."""
    checks = [*_surviving(store, "data", _data(store, doors)), *_contents(store, doors)]
    return [check for check in checks if check.verdict is CheckVerdict.DAMAGE]


def _contents(store: Store, doors: Sequence[Door]) -> list[Check]:
    """The checks that read everything."""
    checks = [
        ("texts", _texts(store, doors)),
        ("postings", _postings(store)),
        ("folded chunks", _fold_contents(store)),
    ]
    checks += [
        (door.name, _of_door(store, door.deep_checks)) for door in doors if door.deep_checks is not None
    ]
    return [check for name, part in checks for check in _surviving(store, name, part)]


def _of_door(store: Store, checks: Checks) -> Iterator[Check]:
    with store.reading() as db:
        yield from checks(db)


def _surviving(store: Store, name: str, checks: Iterator[Check]) -> Iterator[Check]:
    """The checks that could run: rows may be too damaged to read, and that is a finding as well."""
    try:
        yield from checks
    except (StoreDamaged, apsw.Error, *_GARBLED) as error:
        yield Check(name, CheckVerdict.DAMAGE, f"cannot be read to the end ({_problem(error)}): {store.mend}")


def _problem(error: Exception) -> str:
    return error.detail if isinstance(error, StoreDamaged) else " ".join(str(error).split())


def _environment(store: Store) -> Iterator[Check]:
    if server := store.server():
        yield Check("server", CheckVerdict.OK, ", ".join(server))
        yield Check("schema", CheckVerdict.OK, f"version {VERSION}")
        if store.read_only:
            yield Check("writable", CheckVerdict.WARNING, "read only: answers come from the stored texts")
        return
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    fixed = version >= FIXED_SQLITE
    yield Check(
        "sqlite",
        CheckVerdict.OK if fixed else CheckVerdict.WARNING,
        f"{apsw.sqlite_lib_version()}, "
        + ("WAL race fixed" if fixed else "exposed to the WAL race: upgrade apsw"),
    )
    yield Check("schema", CheckVerdict.OK, f"version {VERSION}")
    free = shutil.disk_usage(store.folder).free
    needed = 2 * _size(store.file)
    yield Check(
        "disk",
        CheckVerdict.OK if free > needed else CheckVerdict.WARNING,
        f"{free >> 20:,} MiB free" + ("" if free > needed else ": too little to back up before an upgrade"),
    )
    status = store.folder.stat()
    mode, open_to = stat.S_IMODE(status.st_mode), others_may(status, 0o077)
    yield Check(
        "permissions",
        CheckVerdict.WARNING if open_to else CheckVerdict.OK,
        f"{mode:04o}" + (f": other users may read it; run `chmod 700 {store.folder}`" if open_to else ""),
    )
    yield _files_of_others(store)
    if store.disk_full:
        yield Check(
            "writable",
            CheckVerdict.WARNING,
            "the disk is full: answers come from the stored texts; free some space",
        )
    elif not os.access(store.file, os.W_OK):
        yield Check("writable", CheckVerdict.WARNING, "read only: answers come from the stored texts")
    wal = store.file.with_name(store.file.name + "-wal")
    size = _size(wal)
    yield Check("wal", CheckVerdict.OK if size < 256 << 20 else CheckVerdict.WARNING, f"{size >> 10:,} KiB")


def _files_of_others(store: Store) -> Check:
    """Files of the store that other users may read or write; the folder's own mode does not stop a group."""
    open_files = []
    for path in sorted(store.folder.iterdir()):
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISREG(status.st_mode) and path.name.startswith(_PRIVATE) and others_may(status, 0o077):
            open_files.append(f"{path.name} has mode {stat.S_IMODE(status.st_mode):04o}")
    if not open_files:
        return Check("files", CheckVerdict.OK, "readable by their owner alone")
    mend = f"run `chmod 600 {store.folder}/daypack.db*`"
    return Check("files", CheckVerdict.WARNING, f"{', '.join(open_files)}: other users may open it; {mend}")


def _size(path: Path) -> int:
    """Size in bytes; 0 for a file that is gone: others open and close the store at the same time."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _data(store: Store, doors: Sequence[Door]) -> Iterator[Check]:
    with store.reading() as db:
        problems = db.problems(5)
        yield _judged("integrity", f"{'; '.join(problems[:3])}: {store.mend}" if problems else "", "ok")
        dangling = db.dangling_rows()
        yield _judged("references", f"{dangling} rows refer to missing rows" if dangling else "", "ok")
        missing, extra, twice = integrity.index_mismatch(db)
        wrong = (
            f"{missing} chunks not indexed, {extra} indexed but gone, {twice} twice: run `daypack reindex`"
        )
        yield _judged(
            "lexical index", wrong if missing or extra or twice else "", "every chunk is indexed once"
        )
        yield from _fold(db, store.folder)
        if was_read_earlier(store):
            yield Check("reading", CheckVerdict.WARNING, READ_EARLIER)
        odd = integrity.malformed_vectors(db)
        yield _judged("vectors", f"{odd} vectors are malformed: run `daypack reindex`" if odd else "", "ok")
        for door in doors:
            if door.checks is not None:
                yield from door.checks(db)


def _fold(db: Connection, folder: Path) -> Iterator[Check]:
    """The check of the fold, for a store that has one or is large enough for it."""
    state = checking.state(db, folder)
    if state.trouble:
        detail = f"not used, for {state.trouble}: answers take longer; run `daypack reindex`"
        yield Check("fold", CheckVerdict.WARNING, detail)
    elif state.folded:
        detail = f"{state.folded:,} of {state.chunks:,} chunks, {state.bytes >> 20:,} MiB"
        yield Check("fold", CheckVerdict.OK, detail)
    elif state.is_large:
        yield Check("fold", CheckVerdict.OK, "none yet: chunks are read from the database")


def _fold_contents(store: Store) -> Iterator[Check]:
    with store.reading() as db:
        if not checking.state(db, store.folder).folded:
            return
        wrong = checking.differences(db, store.folder)
    detail = f"{wrong:,} chunks differ from the store: delete the folder `{FOLDER}`, which is made again"
    yield _judged("folded chunks", detail if wrong else "", "those of the store")


def _judged(name: str, damage: str, well: str) -> Check:
    """A check that reports the damage in `details`, or that all is well when they are empty."""
    return Check(name, CheckVerdict.DAMAGE if damage else CheckVerdict.OK, damage or well)


def _weights(store: Store) -> Iterator[Check]:
    """The check of the ranking, for a store with fitted weights."""
    if text := store.fitted_weights():
        try:
            fitted = from_json(text, store.name)
        except FittedWeightsDamaged as error:
            yield Check("weights", CheckVerdict.DAMAGE, str(error))
        else:
            yield Check("weights", CheckVerdict.OK, f"{described(fitted.weights)}, fitted for this store")


def _texts(store: Store, doors: Sequence[Door], share: float = 1.0, seed: float = 0.0) -> Iterator[Check]:
    bad = []
    read = 0
    aliases = {name: handling.alias for door in doors for name, handling in door.handlings.items()}
    with store.reading() as db:
        garbled = integrity.garbled_records(db)
        for record_id, door, uri in integrity.record_places(db):
            if share < 1 and Random(f"{seed} {record_id}").random() >= share:
                continue
            read += 1
            try:
                if record_id in garbled:
                    raise ValueError
                store.record_text(record_id)
                store.read_record(db, record_id)
                store.chunks_of(record_id)
            except (StoreDamaged, *_GARBLED):
                bad.append(f"{aliases.get(door) or uri} (record {record_id})")
    detail = (
        f"{len(bad)} records have changed since they were stored ({', '.join(bad[:3])}): {store.mend}"
        if bad
        else ""
    )
    yield _judged(
        "texts", detail, f"{read:,} texts match their hashes" if share < 1 else "every text matches its hash"
    )


def _postings(store: Store) -> Iterator[Check]:
    """True when every posting lies in its segment, and the frequencies of a chunk add up to its length."""
    with store.reading() as db:
        bad = integrity.broken_postings(db)
    yield _judged("postings", f"{bad} do not add up: run `daypack reindex`" if bad else "", "they add up")
