"""Bad days of a fold: whatever happens to its file or to who writes it, answers are those of the store, and nothing is lost."""

from __future__ import annotations

import errno
import json
import mmap
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daypack import Daypack, Settings
from daypack.engine.checks import CheckVerdict
from daypack.engine.upkeep import fold_if_due
from daypack.errors import DiskFull, StoreDamaged
from daypack.index.folded import checking, folding, layout, marks
from daypack.index.folded.folding import Folding, fold
from daypack.index.folded.viewing import load_view
from daypack.index.store import Store
from daypack.system import lock
from killing import kill_at, points
from support import TESTS, TOPICS, environment, ills

QUESTIONS = ("where is the ferry paid?", "retry the order of the kettle", "lantern")


@pytest.fixture(autouse=True)
def _small_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "SMALLEST", 1)


def opened(folder: Path) -> Daypack:
    settings = Settings(refresh=False, embedder="hashing")
    return Daypack.open(folder, root=folder.parent, settings=settings, clock=lambda: 1_790_000_000.0)


def add(daypack: Daypack, seed: int, numbers: range) -> None:
    chance = random.Random(seed)
    texts = ["\n\n".join(" ".join(chance.choices(TOPICS, k=12)) for _ in range(3)) for _ in numbers]
    daypack.records.add([{"id": f"r{n}", "text": text} for n, text in zip(numbers, texts, strict=True)])


def answers(folder: Path) -> list[str]:
    with opened(folder) as daypack:
        return [daypack.pack(one, budget=200, vectors="none").text for one in QUESTIONS]


def is_used(folder: Path) -> bool:
    with Store.open(folder) as store, store.reading() as db:
        return load_view(db, folder=folder).fold is not None


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A store without a fold."""
    folder = tmp_path / ".daypack"
    with opened(folder) as daypack:
        for first in range(0, 60, 20):
            add(daypack, first, range(first, first + 20))
        daypack.records.delete(["r1", "r21"])
    return folder


@pytest.fixture
def folder(plain: Path) -> Path:
    """A folded store with a tail."""
    with opened(plain) as daypack:
        assert fold(daypack.engine.store) is Folding.DONE
        add(daypack, 7, range(100, 110))
        daypack.records.delete(["r2"])
    assert is_used(plain)
    return plain


def file_of(folder: Path) -> Path:
    return next((folder / "folded").glob("*.fold"))


def without_folder(folder: Path) -> None:
    shutil.rmtree(folder / "folded")


def from_a_later_version(folder: Path) -> None:
    data = file_of(folder).read_bytes()
    file_of(folder).write_bytes(data.replace(b'"format": 1', b'"format": 9', 1))


def truncated(folder: Path) -> None:
    os.truncate(file_of(folder), file_of(folder).stat().st_size // 2)


def emptied(folder: Path) -> None:
    os.truncate(file_of(folder), 0)


def of_zeros(folder: Path) -> None:
    size = file_of(folder).stat().st_size
    header = file_of(folder).read_bytes()[:4096]
    file_of(folder).write_bytes(header.ljust(size, b"\0"))


def with_a_garbled_header(folder: Path) -> None:
    data = bytearray(file_of(folder).read_bytes())
    data[40:60] = b"\xff" * 20
    file_of(folder).write_bytes(data)


def of_another_store(folder: Path) -> None:
    data = file_of(folder).read_bytes()
    file_of(folder).write_bytes(data.replace(file_of(folder).stem.encode(), b"0123456789abcdef", 1))


@pytest.mark.parametrize(
    "ruin",
    [
        without_folder,
        from_a_later_version,
        truncated,
        emptied,
        of_zeros,
        with_a_garbled_header,
        of_another_store,
    ],
    ids=lambda ruin: ruin.__name__,
)
def test_a_derived_folder_that_is_gone_or_ruined_costs_time_and_is_made_again(
    folder: Path, ruin: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(folder)
    ruin(folder)
    assert not is_used(folder)
    assert answers(folder) == expected
    monkeypatch.setattr(folding, "FOLDED_FROM", 10)
    with opened(folder) as daypack:
        assert ills(daypack) == []
        fold_said = [check for check in daypack.doctor() if check.name == "fold"]
        if ruin is not of_zeros:  # whose header is whole: only its rows tell
            assert [check.verdict for check in fold_said] == [CheckVerdict.WARNING]
            assert "reindex" in fold_said[0].detail
            assert fold_if_due(daypack.engine.store) == ""
        else:
            assert fold(daypack.engine.store) is Folding.DONE
    assert is_used(folder)
    assert answers(folder) == expected


def flipped(folder: Path, part: str, row: int) -> None:
    found = layout.read_layout(file_of(folder))
    assert found is not None
    place = next(one for one in found.parts if one.name == part)
    with file_of(folder).open("r+b") as file:
        file.seek(place.offset + row * place.dtype.itemsize + 9)  # of a row of columns: the record
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 0x10]))


def test_a_flipped_bit_is_found_by_a_full_check(folder: Path) -> None:
    for part in ("columns", "flags", "bodies", "records"):
        whole = file_of(folder).read_bytes()
        flipped(folder, part, 5)
        with opened(folder) as daypack:
            assert [one for one in ills(daypack) if one.startswith("folded chunks")], part
        file_of(folder).write_bytes(whole)
        with opened(folder) as daypack:
            assert ills(daypack) == []


def test_a_flipped_bit_that_stops_a_question_costs_the_fold_and_not_the_next_question(folder: Path) -> None:
    expected = answers(folder)
    for row in range(40):
        flipped(folder, "columns", row)
    with opened(folder) as daypack:
        with pytest.raises(StoreDamaged, match="ask again"):
            for question in QUESTIONS:
                daypack.pack(question, budget=200, vectors="none")
        assert [daypack.pack(one, budget=200, vectors="none").text for one in QUESTIONS] == expected
        assert ills(daypack) == []
    assert not is_used(folder)


def test_two_processes_do_not_fold_at_once(plain: Path) -> None:
    (plain / "folded").mkdir(mode=0o700)
    descriptor = os.open(plain / "folded" / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    assert lock(descriptor, wait=False)
    with Store.open(plain) as store:
        assert fold(store) is Folding.BUSY
        os.close(descriptor)
        assert fold(store) is Folding.DONE
        assert fold(store) is Folding.DONE
    assert len([*(plain / "folded").glob("*.fold")]) == 1


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_during_a_fold_leaves_the_store_as_it_was(
    folder: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, before = answers(folder), file_of(folder)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with opened(folder) as daypack:
        with monkeypatch.context() as disk:
            disk.setattr(os if call == "fsync" else Path, call, full)
            with pytest.raises(DiskFull):
                fold(daypack.engine.store)
            disk.setattr(folding, "FOLDED_FROM", 10)
            disk.setattr(folding, "WORTH_FOLDING", 0.0)
            assert "full" in fold_if_due(daypack.engine.store)
        assert [*(folder / "folded").iterdir()] == [before, folder / "folded" / "lock"] or {
            *(folder / "folded").iterdir()
        } == {before, folder / "folded" / "lock"}
        assert ills(daypack) == []
    assert is_used(folder)
    assert answers(folder) == expected


def test_a_read_only_store_uses_its_fold_and_makes_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(folder)
    monkeypatch.setattr(folding, "FOLDED_FROM", 10)
    monkeypatch.setattr(folding, "WORTH_FOLDING", 0.0)
    files = {*(folder / "folded").iterdir()}
    with opened(folder) as daypack:
        daypack.engine.store.read_only = True
        assert [daypack.pack(one, budget=200, vectors="none").text for one in QUESTIONS] == expected
        assert daypack.engine.snapshots.current(vectors=False).view.fold is not None
        assert fold_if_due(daypack.engine.store) == ""
    assert {*(folder / "folded").iterdir()} == files


def test_a_file_system_that_maps_no_files_is_read_instead(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(folder)

    def unable(*_: object, **__: object) -> None:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr(mmap, "mmap", unable)
    assert is_used(folder)
    assert answers(folder) == expected


def test_a_fold_that_dies_at_any_step_leaves_a_sound_store(plain: Path, tmp_path: Path) -> None:
    expected = answers(plain)
    lived = False
    for point in points(4):
        copy = tmp_path / f"at{point}" / ".daypack"
        shutil.copytree(plain, copy)

        def work(copy: Path = copy) -> None:
            with Store.open(copy) as store:
                fold(store)

        lived = kill_at(point, work)
        assert answers(copy) == expected, point
        with opened(copy) as daypack:
            assert ills(daypack) == [], point
            assert fold(daypack.engine.store) is Folding.DONE, point
        assert is_used(copy)
        assert len([*(copy / "folded").iterdir()]) == 2, point  # nothing of the one that died
        assert answers(copy) == expected, point
        if lived:
            break
    assert lived


@pytest.mark.parametrize("rebuilt", [True, False])
def test_a_merge_or_a_rebuild_that_dies_beside_a_fold_leaves_a_sound_store(
    folder: Path, tmp_path: Path, rebuilt: bool
) -> None:
    for point in range(0, 40, 3):
        copy = tmp_path / f"at{point}" / ".daypack"
        shutil.copytree(folder, copy)

        def work(copy: Path = copy) -> None:
            with opened(copy) as daypack:
                if rebuilt:
                    daypack.reindex()
                else:
                    for number in range(200, 212):
                        add(daypack, number, range(number, number + 1))
                    daypack.records.delete([f"r{number}" for number in range(40, 60)])

        kill_at(point, work)
        with opened(copy) as daypack:
            assert ills(daypack) == [], point
            store = daypack.engine.store
            with store.reading() as db:
                assert checking.differences(db, store.folder) == 0
                folded, bare = load_view(db, folder=store.folder), load_view(db)
                assert folded.columns[folded.alive].tobytes() == bare.columns[bare.alive].tobytes()
                assert [part.tolist() for part in folded.totals] == [part.tolist() for part in bare.totals]


def storm(*arguments: str) -> Iterator[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, str(TESTS / "faults" / "storm.py"), "folds", *arguments],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return map(json.loads, done.stdout.splitlines())


@pytest.mark.slow
def test_folds_are_killed_beside_readers_and_a_writer_and_nothing_is_lost(tmp_path: Path) -> None:
    seed = time.time_ns() % 10_000
    rounds = [*storm(str(tmp_path / "s"), "12", str(seed))]
    assert len(rounds) == 12
    for number, outcome in enumerate(rounds):
        assert outcome["verdict"] == "kept", f"round {number} of seed {seed}: {outcome}"
        assert outcome["damaged"] == [], f"round {number} of seed {seed}"
        assert outcome["wrong"] == 0, f"round {number} of seed {seed}"
    assert all(outcome["folds"] for outcome in rounds[::2]), "a round without a fold"


def test_the_mark_of_a_fold_is_in_no_copy(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with Store.open(folder) as store:
        store.copy_to(tmp_path / "copy" / "daypack.db")
    with Store.open(tmp_path / "copy") as copy, copy.reading() as db:
        assert marks.read(db) is None
