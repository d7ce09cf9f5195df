"""A folded store gives the answers of the store without its fold, whatever was written, deleted or merged since."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from daypack import Daypack, Settings
from daypack.engine import upkeep
from daypack.engine.background import BackgroundEmbedding
from daypack.engine.checks import CheckVerdict
from daypack.engine.ingest import ingestion
from daypack.index.folded import checking, folding, layout, marks
from daypack.index.folded.folding import Folding, fold
from daypack.index.folded.viewing import load_view
from daypack.index.postings.columns import COLUMNS
from daypack.index.store import Store
from daypack.rank.bm25 import Bm25
from daypack.rank.views import LexicalView
from support import TOPICS

QUESTIONS = (
    "where is the ferry paid?",
    "retry the order of the kettle",
    "lantern",
    "how does `violin` flood",
)


@pytest.fixture(autouse=True)
def _small_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "SMALLEST", 1)


@pytest.fixture
def _merging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "MERGED_FROM", 0)


def opened(folder: Path) -> Daypack:
    settings = Settings(refresh=False)
    return Daypack.open(folder, root=folder.parent, settings=settings, clock=lambda: 1_790_000_000.0)


def text(chance: random.Random) -> str:
    return "\n\n".join(" ".join(chance.choices(TOPICS, k=chance.randint(3, 30))) for _ in range(3))


def add(daypack: Daypack, chance: random.Random, numbers: Sequence[int]) -> None:
    daypack.records.add([{"id": f"r{number}", "text": text(chance)} for number in numbers])


def filled(folder: Path) -> Daypack:
    """A store of several segments, some of whose chunks are deleted already."""
    chance, daypack = random.Random(3), opened(folder)
    assert daypack.engine.embedding.static is not None  # so that each segment gets instant vectors
    for first in range(0, 60, 20):
        add(daypack, chance, range(first, first + 20))
    daypack.records.delete(["r1", "r21"])
    return daypack


def answers(folder: Path, mode: str = "auto") -> list[str]:
    with opened(folder) as daypack:
        found = [repr(daypack.search(one, vectors=mode).candidates) for one in QUESTIONS]
        return [*found, *(daypack.pack(one, budget=200, vectors=mode).text for one in QUESTIONS)]


def forget(folder: Path) -> None:
    with Store.open(folder) as store, store.writing("folds") as db:
        marks.forget(db)


def is_used(store: Store) -> bool:
    with store.reading() as db:
        return load_view(db, folder=store.folder).fold is not None


@pytest.mark.parametrize("mode", ["auto", "none", "all"])
def test_a_folded_store_answers_in_the_same_bytes(tmp_path: Path, mode: str) -> None:
    folder = tmp_path / ".daypack"
    with filled(folder) as daypack:
        assert fold(daypack.engine.store) is Folding.DONE
        add(daypack, random.Random(9), range(100, 120))
        add(daypack, random.Random(9), range(5, 9))
        daypack.records.delete(["r2", "r101"])
        assert is_used(daypack.engine.store)
    folded = answers(folder, mode)
    forget(folder)
    assert answers(folder, mode) == folded


def test_an_open_store_answers_the_same_while_it_is_folded_and_written_to(tmp_path: Path) -> None:
    with filled(tmp_path / "a") as one, filled(tmp_path / "b") as other:
        for step in range(9):
            for daypack in (one, other):
                add(daypack, random.Random(step), range(step * 7, step * 7 + 5))
                daypack.records.delete([f"r{step * 5}"])
            if step % 3 == 1:
                assert fold(one.engine.store) is Folding.DONE
            for question in QUESTIONS[:2]:
                assert one.pack(question, budget=150).text == other.pack(question, budget=150).text
        assert checking.differences(one.engine.store.db, one.engine.store.folder) == 0


def same(one: LexicalView, other: LexicalView) -> None:
    alive = one.alive
    assert alive.tolist() == other.alive.tolist()
    assert one.columns[alive].tobytes() == other.columns[alive].tobytes()
    assert one.flags.tolist() == other.flags.tolist()
    assert one.bodies[alive].tolist() == other.bodies[alive].tolist()
    assert [part.tolist() for part in one.totals] == [part.tolist() for part in other.totals]
    places = np.flatnonzero(alive)
    assert [part.tolist() for part in one.neighbours(places)] == [
        part.tolist() for part in other.neighbours(places)
    ]
    assert one.section_sizes(places).tolist() == other.section_sizes(places).tolist()
    ids = np.concatenate([one.chunk_ids[places], [0, 1 << 40]])
    assert one.positions_of(ids).tolist() == other.positions_of(ids).tolist()
    records = np.unique(one.record_ids)[::3]
    assert one.inside(alive, records).tolist() == other.inside(alive, records).tolist()
    assert Bm25(one)._averages.tolist() == Bm25(other)._averages.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_a_view_with_a_fold_is_the_view_without_one(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    before: dict[bool, LexicalView | None] = {True: None, False: None}
    with opened(tmp_path / ".daypack") as daypack:
        store = daypack.engine.store
        for _ in range(25):
            step = chance.choices(["add", "delete", "fold", "sessions"], [5, 3, 2, 1])[0]
            if step == "add":
                add(daypack, chance, chance.sample(range(40), chance.randint(1, 9)))
            elif step == "delete":
                daypack.records.delete([f"r{chance.randrange(40)}" for _ in range(3)])
            elif step == "sessions":
                note = {
                    "id": f"n{chance.randrange(9)}",
                    "text": text(chance),
                    "kind": "event",
                    "session": "s",
                }
                daypack.records.add([note | {"time": float(chance.randrange(100))}])
            else:
                fold(store)
            with store.reading() as db:
                ids = [row[0] for row in db.execute("SELECT id FROM record")]
                hidden = chance.sample(ids, len(ids) // 5)
                same(load_view(db, hidden, None, store.folder), load_view(db, hidden))
                grown = {
                    folded: load_view(db, (), view, store.folder if folded else None)
                    for folded, view in before.items()
                }
                same(grown[True], grown[False])
                before.update(grown)
                assert checking.differences(db, store.folder) == 0


def of_file(store: Store) -> dict[str, np.ndarray]:
    with store.reading() as db:
        mark = marks.read(db)
    assert mark is not None
    path = marks.path_of(store.folder, mark.generation)
    found = layout.read_layout(path)
    assert found is not None
    return dict(layout.mapped(path, found))


def row_of(store: Store, uid: str) -> tuple[int, bytes]:
    """The row of a record's first chunk in the fold, and its instant vector."""
    arrays = of_file(store)
    said = "SELECT min(c.id) FROM chunk AS c JOIN record AS r ON r.id = c.record_id WHERE r.uid = ?"
    row = int(np.flatnonzero(arrays["columns"]["chunk_id"] == store.db.execute(said, (uid,)).get)[0])
    return row, arrays["codes"][row].tobytes()


def test_a_deleted_text_leaves_the_file_of_the_fold(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        store = daypack.engine.store
        canary = {"id": "canary", "text": "The password of the canary is Marmalade-77."}
        daypack.records.add([canary, {"id": "beside", "text": "A kettle stands beside it."}])
        fold(store)
        row, vector = row_of(store, "canary")
        with store.reading() as db:
            mark = marks.read(db)
        assert mark is not None
        file = marks.path_of(store.folder, mark.generation)
        assert vector in file.read_bytes()
        daypack.records.delete(["canary"])
        data = file.read_bytes()
        assert vector not in data
        assert b"armalade" not in data
        arrays = of_file(store)
        assert not arrays["codes"][row].any()
        assert not arrays["scales"][row]
        assert not arrays["signs"][:, row].any()
        assert not arrays["columns"]["length"][row].any()
        with store.reading() as db:
            assert marks.due(db) == []


def test_rows_that_a_killed_process_left_are_overwritten_by_the_next_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        fold(daypack.engine.store)
        row, _ = row_of(daypack.engine.store, "r7")
        with monkeypatch.context() as killed:
            killed.setattr(folding, "wipe", lambda store: None)
            daypack.records.delete(["r7"])
        assert of_file(daypack.engine.store)["codes"][row].any()
    with opened(tmp_path / ".daypack") as daypack:
        daypack.search("ferry", vectors="none")
        assert not of_file(daypack.engine.store)["codes"][row].any()


def test_chunks_deleted_while_a_fold_is_written_are_not_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = folding._write
    with filled(tmp_path / ".daypack") as daypack, opened(tmp_path / ".daypack") as other:
        ids = daypack.engine.store.db.execute("SELECT min(id) FROM chunk WHERE record_id = 9").get

        def and_delete(*arguments: object) -> layout.Layout:
            made = written(*arguments)  # type: ignore[arg-type]
            other.records.delete(["r8", "r9"])
            return made

        monkeypatch.setattr(folding, "_write", and_delete)
        assert fold(daypack.engine.store) is Folding.DONE
        arrays = of_file(daypack.engine.store)
        row = int(np.flatnonzero(arrays["columns"]["chunk_id"] == ids)[0])
        assert not arrays["codes"][row].any()
        with daypack.engine.store.reading() as db:
            same(load_view(db, folder=daypack.engine.store.folder), load_view(db))


def test_a_fold_of_segments_that_go_meanwhile_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = folding._write
    with filled(tmp_path / ".daypack") as daypack, opened(tmp_path / ".daypack") as other:

        def and_rebuild(*arguments: object) -> layout.Layout:
            made = written(*arguments)  # type: ignore[arg-type]
            other.reindex()
            return made

        monkeypatch.setattr(folding, "_write", and_rebuild)
        assert fold(daypack.engine.store) is Folding.CHANGED
        assert [path.name for path in (tmp_path / ".daypack" / "folded").iterdir()] == ["lock"]


def test_folded_segments_are_merged_only_with_all_others(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        fold(daypack.engine.store)
        for number in range(200, 220):
            add(daypack, random.Random(number), [number])
        assert is_used(daypack.engine.store)
        daypack.reindex()
        assert not is_used(daypack.engine.store)
        assert [path.name for path in (tmp_path / ".daypack" / "folded").glob("*.fold")] == []


@pytest.mark.usefixtures("_merging")
def test_the_segments_that_came_in_are_merged_before_a_fold_and_its_own_stay(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        store = daypack.engine.store
        assert len(folding.sizes_of(store.db)) == 3
        fold(store)
        (first,) = folding.sizes_of(store.db)
        for number in range(200, 203):
            add(daypack, random.Random(number), [number])
        assert len(folding.sizes_of(store.db)) == 4
        assert is_used(store)
        fold(store)
        assert next(iter(folding.sizes_of(store.db))) == first
        assert len(folding.sizes_of(store.db)) == 2
        assert is_used(store)


@pytest.mark.usefixtures("_merging")
def test_an_open_store_answers_after_another_process_merged_its_segments_for_a_fold(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        before = [repr(daypack.search(one).candidates) for one in QUESTIONS]
        with Store.open(tmp_path / ".daypack") as other:
            fold(other)
        assert [repr(daypack.search(one).candidates) for one in QUESTIONS] == before


def test_a_large_segment_is_not_merged_before_a_fold_nor_any_of_a_small_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        store = daypack.engine.store
        fold(store)
        assert len(folding.sizes_of(store.db)) == 3
        forget(tmp_path / ".daypack")
        monkeypatch.setattr(folding, "MERGED_FROM", 0)
        monkeypatch.setattr(folding, "SMALL", 1)
        fold(store)
        assert len(folding.sizes_of(store.db)) == 3
        assert is_used(store)


@pytest.mark.usefixtures("_merging")
def test_segments_that_are_large_together_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        store = daypack.engine.store
        sizes = [row[0] for row in store.db.execute("SELECT postings FROM segment ORDER BY id")]
        monkeypatch.setattr(folding, "MERGED", sum(sizes[:2]))
        fold(store)
        assert len(folding.sizes_of(store.db)) == 2
        assert is_used(store)


def test_a_segment_whose_chunks_are_all_deleted_ends_the_fold_and_its_file(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        fold(daypack.engine.store)
        daypack.records.delete([f"r{number}" for number in range(40, 60)])
        assert not is_used(daypack.engine.store)
        assert [*(tmp_path / ".daypack" / "folded").glob("*.fold")] == []
        assert fold(daypack.engine.store) is Folding.DONE


def test_a_store_is_folded_by_who_writes_much_and_by_who_embeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "FOLDED_FROM", 30)
    with filled(tmp_path / ".daypack") as daypack:
        assert not is_used(daypack.engine.store)  # each write was small
        monkeypatch.setattr(ingestion, "MUCH_WRITTEN", 10)
        add(daypack, random.Random(4), range(300, 340))
        assert is_used(daypack.engine.store)
        forget(tmp_path / ".daypack")
        embedding = BackgroundEmbedding(daypack.engine, idle_seconds=0.05)
        try:
            assert embedding.wait(60)
            assert is_used(daypack.engine.store)
        finally:
            embedding.stop()


def test_a_small_store_is_not_folded(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        assert upkeep.fold_if_due(daypack.engine.store) == ""
        assert not (tmp_path / ".daypack" / "folded").exists()


def test_the_doctor_names_a_fold_to_come_by_the_limit_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        assert "fold" not in {check.name for check in daypack.check()}
        monkeypatch.setattr(folding, "FOLDED_FROM", 30)
        assert "none yet" in {check.name: check.detail for check in daypack.check()}["fold"]
        monkeypatch.undo()
        assert "fold" not in {check.name for check in daypack.check()}


def test_the_doctor_and_status_know_the_fold(tmp_path: Path) -> None:
    with filled(tmp_path / ".daypack") as daypack:
        bytes_before = daypack.status()["bytes"]
        fold(daypack.engine.store)
        assert daypack.status()["bytes"] > bytes_before
        checks = {check.name: check for check in daypack.check(deep=True)}
        assert checks["fold"].verdict is CheckVerdict.OK
        assert "chunks" in checks["fold"].detail
        assert checks["folded chunks"].verdict is CheckVerdict.OK


def test_a_copy_of_a_store_has_no_fold_and_a_restored_one_makes_its_own(tmp_path: Path) -> None:
    folder = tmp_path / ".daypack"
    with filled(folder) as daypack:
        fold(daypack.engine.store)
        daypack.backup(tmp_path / "backups")
        daypack.records.delete(["r30", "r31", "r32"])
        with daypack.engine.store.reading() as db:
            assert marks.read(db) is not None
    Daypack.restore(tmp_path / "backups", folder)
    with opened(folder) as daypack:
        assert not is_used(daypack.engine.store)
        assert daypack.get("r30").text


def test_the_columns_of_a_row_are_those_that_a_deletion_reads() -> None:
    assert marks._ROW.size == COLUMNS.itemsize
    assert COLUMNS.names == ("chunk_id", "record_id", "group", "section", "time", "length", "flags")


@pytest.fixture
def a_file(tmp_path: Path) -> Iterator[Path]:
    plan = layout.planned("g", 10, {"records": 3, "sections": 2}, 4)
    path = tmp_path / "g.fold"
    with path.open("wb") as file:
        file.truncate(plan.size)
        file.write(plan.header())
    yield path


def test_a_file_that_does_not_say_what_it_holds_is_none(a_file: Path) -> None:
    whole = a_file.read_bytes()
    found = layout.read_layout(a_file)
    assert found is not None
    assert found.rows == 10
    for garbled in (
        b"",
        whole[:100],
        whole[:-1],
        b"x" + whole[1:],
        whole.replace(b'"format": 1', b'"format": 2'),
    ):
        a_file.write_bytes(garbled)
        assert layout.read_layout(a_file) is None
