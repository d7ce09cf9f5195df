"""Full disks, rotten pages and truncated files: a typed error or the correct answer, never a traceback, a
hang or another text.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from daypack import Daypack
from daypack.errors import DaypackError, DiskFull, StoreDamaged
from daypack.index.store import Store
from support import TESTS, WORDS, daypack, ills, in_child, project

TEXTS = {
    f"r{n}": f"# Note {n}\n\nThe kettle number {n} boils at {90 + n} degrees.\n\n"
    + "More about tea and refunds. " * (n % 9)
    for n in range(60)
}


def records(start: int = 0) -> list[dict[str, str]]:
    return [{"id": uid, "text": text} for uid, text in list(TEXTS.items())[start:]]


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("intact") / "s"
    with Daypack.open(folder, settings=WORDS) as opened:
        for start in range(0, 60, 6):
            opened.records.add(records(start)[:6])
        opened.embed()
    assert not (folder / "daypack.db-wal").exists()
    return folder


# ---------------------------------------------------------------- full disks


def with_files_of_at_most(size: int, work: Callable[[], None]) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        work()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.mark.parametrize("room", [0, 4_096, 20_000, 60_000, 150_000, 400_000])
def test_row_31_a_full_disk_is_said_and_what_was_acknowledged_is_there(tmp_path: Path, room: int) -> None:
    folder = tmp_path / "s"
    with Daypack.open(folder, settings=WORDS) as opened:
        opened.records.add([{"id": "first", "text": "stored before the disk was full"}])
    size = max(path.stat().st_size for path in folder.iterdir())

    def child() -> None:
        kept = []

        def fill() -> None:
            with (
                pytest.raises(DiskFull, match="no space left"),
                Daypack.open(folder, settings=WORDS) as opened,
            ):
                for n in range(10_000):
                    opened.records.add(
                        [{"id": f"n{n}", "text": f"note {n} " + "the kettle boils over " * 200}]
                    )
                    kept.append(f"n{n}")

        with_files_of_at_most(size + room if room else 1_000, fill)
        with Daypack.open(folder, settings=WORDS) as opened:
            assert opened.get("first").text == "stored before the disk was full"
            for uid in kept:
                assert opened.get(uid).text.startswith("note ")
            assert ills(opened) == []
            opened.records.add([{"id": "after", "text": "space was freed"}])
            assert opened.get("after").text == "space was freed"

    assert in_child(child) == 0


def test_a_disk_that_fills_up_under_a_query_costs_the_new_vectors_only(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with Daypack.open(folder, settings=WORDS) as opened:
        opened.records.add(records())

    def child() -> None:
        with Daypack.open(folder, settings=WORDS) as opened:
            opened.search("tea", vectors="none")

            def ask() -> None:
                pack = opened.pack("kettle boils")
                assert pack.excerpts
                assert pack.stats.degraded[0].startswith("vectors not kept")

            with_files_of_at_most(1_000, ask)
            assert opened.pack("kettle boils").stats.degraded == ()

    assert in_child(child) == 0


def test_a_full_disk_does_not_keep_a_question_or_a_memory_from_its_answer(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("The kettle boils at noon.\n")

    def child() -> None:
        with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as opened:
            opened.files.add(note)
            opened.memories.remember("tea/kettle", "the kettle boils over when it is full")
            assert opened.memories.recall("tea/kettle").value
            opened.search("kettle", vectors="none")
            note.write_text("The kettle boils at one o'clock.\n")

            def ask() -> None:
                found = opened.search("when does the kettle boil?", vectors="none")
                assert found.candidates
                assert found.stats.stale == 1
                assert opened.memories.recall("tea/kettle").value.endswith("it is full")
                assert opened.memories.search("kettle")
                assert "boils over" in opened.memories.pack("kettle").text

            with_files_of_at_most(1_000, ask)
            assert opened.search("when does the kettle boil?").stats.stale == 0

    assert in_child(child) == 0


def test_a_process_that_starts_on_a_full_disk_reads_and_copies_the_store(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with Daypack.open(folder, settings=WORDS) as opened:
        opened.records.add(records())
        opened.memories.remember("tea/kettle", "the kettle boils over when it is full")

    def child() -> None:
        kept = []

        def ask() -> None:
            opened = Daypack.open(folder, settings=WORDS)
            kept.append(opened)
            assert opened.search("kettle", vectors="none").candidates
            assert opened.pack("kettle boils").excerpts
            assert opened.memories.recall("tea/kettle").value
            assert opened.status()["records"]
            assert any("disk is full" in check.detail for check in opened.doctor())
            lines: list[str] = []
            assert opened.export(lines.append)
            with pytest.raises(DiskFull, match="no space left"):
                opened.memories.remember("tea/pot", "it is hot")

        with_files_of_at_most(1_000, ask)
        (opened,) = kept
        opened.memories.remember("tea/pot", "it is hot")  # the disk has room again
        assert opened.memories.recall("tea/pot").value == "it is hot"
        assert not any("disk is full" in check.detail for check in opened.doctor())
        opened.close()

    assert in_child(child) == 0


def test_a_first_store_on_a_full_disk_is_refused_in_one_line(tmp_path: Path) -> None:
    def child() -> None:
        def make() -> None:
            with pytest.raises(DiskFull):
                Store.open(tmp_path / "s")

        with_files_of_at_most(0, make)
        with Daypack.open(tmp_path / "s", settings=WORDS) as opened:
            opened.records.add(records())
            assert ills(opened) == []

    assert in_child(child) == 0


# ---------------------------------------------------------------- damaged files


def used(folder: Path) -> str:
    """Do everything with a store; the code of the first error, "" when all went well. A text that comes out
    must be one that went in.

    A name may rot unseen by a query, for hashes are of texts; the doctor must see it.
    """
    garbled = set()
    try:
        with Daypack.open(folder, settings=WORDS) as opened:
            for query in ("kettle boils degrees", "note 17", "refunds"):
                pack = opened.pack(query, budget=1500, refresh=False)
                for excerpt in pack.excerpts:
                    garbled |= {excerpt.citation.uri} - TEXTS.keys()
                    assert any(excerpt.text in text for text in TEXTS.values()), excerpt
                for candidate in opened.search(query, vectors="none").candidates:
                    garbled |= {candidate.chunk.uri} - TEXTS.keys()
                    assert any(candidate.chunk.text in text for text in TEXTS.values()), candidate
            assert not garbled or ills(opened)
            for uid, text in TEXTS.items():
                assert opened.get(uid).text == text
            opened.status()
            found = ills(opened)
            opened.records.add([{"id": "new", "text": "one more"}])
            opened.records.delete(["new"])
            opened.reindex()
            return "" if not found else "doctor"
    except DaypackError as error:
        assert "\n" not in str(error)
        return error.code


def damaged(intact: Path, folder: Path, change: Callable[[bytearray], bytearray]) -> str:
    shutil.copytree(intact, folder, copy_function=shutil.copy2)
    folder.chmod(0o700)
    content = change(bytearray((intact / "daypack.db").read_bytes()))
    (folder / "daypack.db").write_bytes(content)
    outcome = used(folder)
    shutil.rmtree(folder)
    return outcome


def test_the_intact_store_is_well(intact: Path, tmp_path: Path) -> None:
    assert damaged(intact, tmp_path / "s", lambda content: content) == ""


@pytest.mark.slow
def test_row_34_flipped_bytes_are_an_error_or_make_no_difference_to_a_text(
    intact: Path, tmp_path: Path
) -> None:
    size = (intact / "daypack.db").stat().st_size
    outcomes = []
    for seed in range(80):
        chance = random.Random(seed)
        places = [chance.randrange(size) for _ in range(chance.choice([1, 1, 3, 40]))]

        def flip(content: bytearray, places: list[int] = places, chance: random.Random = chance) -> bytearray:
            for place in places:
                content[place] ^= 1 << chance.randrange(8)
            return content

        outcomes.append(damaged(intact, tmp_path / "s", flip))
    assert set(outcomes) <= {
        "",
        "doctor",
        "store_damaged",
        "not_a_store",
        "store_version",
        "store_error",
        "not_found",
    }, set(outcomes)
    assert outcomes.count("store_damaged") + outcomes.count("doctor") > 12


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["truncated", "zeroed page", "swapped pages", "doubled"])
def test_row_34_files_cut_short_and_pages_lost_are_an_error_or_make_no_difference(
    intact: Path, tmp_path: Path, kind: str
) -> None:
    size = (intact / "daypack.db").stat().st_size
    for seed in range(25):
        chance = random.Random(seed)
        page, other = (4096 * chance.randrange(size // 4096) for _ in range(2))

        def change(
            content: bytearray, page: int = page, other: int = other, chance: random.Random = chance
        ) -> bytearray:
            if kind == "truncated":
                return content[: chance.choice([page, page + 7, 50, 101, 512])]
            if kind == "zeroed page":
                content[page : page + 4096] = bytes(4096)
            elif kind == "swapped pages":
                content[page : page + 4096], content[other : other + 4096] = (
                    content[other : other + 4096],
                    content[page : page + 4096],
                )
            else:
                return content + content
            return content

        assert damaged(intact, tmp_path / "s", change) in {
            "",
            "doctor",
            "store_damaged",
            "store_empty",
            "not_a_store",
            "store_error",
            "not_found",
        }


def test_row_35_a_wal_of_another_store_or_of_noise_changes_no_answer(intact: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with Daypack.open(other, settings=WORDS) as opened:
        opened.records.add([{"id": "r1", "text": "not ours"}])
        foreign = (other / "daypack.db-wal").read_bytes()
    for number, noise in enumerate((foreign, os.urandom(50_000), b"")):
        folder = tmp_path / f"s{number}"
        shutil.copytree(intact, folder)
        folder.chmod(0o700)
        (folder / "daypack.db-wal").write_bytes(noise)
        (folder / "daypack.db-shm").write_bytes(noise[:32_768])
        # A whole WAL of another store makes the file that other store, as replacing the file itself would:
        # consistent, and not ours.
        assert used(folder) in {"", "doctor", "store_damaged", *(["not_found"] if noise is foreign else [])}


def test_the_doctor_finds_every_rotten_text_and_every_rotten_posting(intact: Path, tmp_path: Path) -> None:
    for statement, name in (
        ("UPDATE record SET text = replace(text, 'boils', 'cools') WHERE uid = 'r7'", "texts"),
        ("UPDATE posting SET data = data || data WHERE term = 'kettl'", "postings"),
        ("UPDATE posting SET data = substr(data, 1, 3) WHERE term = 'kettl'", "postings"),
        ("DELETE FROM posting WHERE term = 'kettl'", "postings"),
        ("UPDATE segment SET columns = substr(columns, 9)", "lexical index"),
        (
            "UPDATE segment SET columns = CAST(substr(columns, 1, 8) || x'00000080' || substr(columns, 13) AS BLOB)",
            "lexical index",
        ),
        ("DELETE FROM tomb; INSERT INTO tomb SELECT id FROM chunk LIMIT 1", "lexical index"),
        ("DELETE FROM chunk WHERE id = 3", "lexical index"),
        ("UPDATE vec SET codes = x'00'", "vectors"),
    ):
        folder = tmp_path / name
        shutil.copytree(intact, folder)
        folder.chmod(0o700)
        with Daypack.open(folder, settings=WORDS) as opened:
            with opened.engine.store.writing() as db:
                db.execute(statement)
            assert any(ill.startswith(name) for ill in ills(opened)), (statement, ills(opened))
            if name not in ("texts", "vectors"):
                opened.reindex()
                assert ills(opened) == []
        shutil.rmtree(folder)


def test_a_bug_of_ours_is_not_called_damage(dp: Daypack, monkeypatch: pytest.MonkeyPatch) -> None:
    dp.records.add(records())
    monkeypatch.setattr(dp.engine.retriever, "rank", lambda *_, **__: {}["a bug"])
    with pytest.raises(KeyError):
        dp.pack("kettle")
    with dp.engine.store.writing() as db:
        db.execute("UPDATE segment SET columns = substr(columns, 9)")
    with pytest.raises(StoreDamaged):
        dp.pack("kettle")


def test_damage_is_one_line_for_whoever_types_the_command(intact: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"a.md": "tea"})
    shutil.copytree(intact, shop / ".daypack")
    (shop / ".daypack").chmod(0o700)
    file = shop / ".daypack" / "daypack.db"
    # Every table and index but the first; the pages of the schema stay, for without them nothing opens, not
    # even for the doctor.
    connection = apsw.Connection(str(file))
    roots = [page for (page,) in connection.execute("SELECT rootpage FROM sqlite_schema WHERE rootpage > 3")]
    connection.close()
    content = bytearray(file.read_bytes())
    for page in roots:
        content[4096 * (page - 1) : 4096 * page] = os.urandom(4096)
    file.write_bytes(content)
    for arguments in (
        ("pack", "kettle"),
        ("search", "kettle"),
        ("get", "r1"),
        ("add", "."),
        ("status",),
        ("reindex",),
    ):
        done = daypack(*arguments, cwd=shop, status=3)
        assert done.stderr.startswith("daypack: ")
        assert done.stderr.count("\n") == 1
    assert "damage" in daypack("doctor", cwd=shop, status=1).stdout
    assert TESTS.exists()
