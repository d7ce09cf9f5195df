"""Trees as git lays them out: submodules, sparse checkouts, branches, and the purposes that `.gitattributes` gives."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading import formats
from daypack.doors.reading.walk import FoundFile
from daypack.rank.views import ChunkFlag
from daypack.settings.places import find_place
from evals.quality.code.states import git
from support import WORDS, project

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

CRANES = {
    f"crane_{n}/lift_{m}.py": f"def lift_{n}_{m}():\n    return {n + m}\n" for n in range(5) for m in range(6)
}


def repository(folder: Path, files: dict[str, str]) -> Path:
    project(folder, files)
    git(folder, "init", "-q", "-b", "main")
    (folder / ".git/info/exclude").write_text(".daypack\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def stored(dp: Daypack) -> set[str]:
    return set(dp.engine.store.stored("files"))


def flags(dp: Daypack) -> dict[str, ChunkFlag]:
    """Path → flags of its first chunk."""
    view = dp.engine.snapshots.current(vectors=False).view
    with dp.engine.store.reading() as db:
        uris = dict(db.execute("SELECT id, uri FROM record"))
    alive = view.alive
    return {
        uris[int(record)]: ChunkFlag(int(flag))
        for record, flag in zip(view.record_ids[alive], view.flags[alive], strict=True)
    }


def test_other_work_trees_inside_a_repository_are_no_copies_of_its_files(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", {"a.py": "def pay():\n    return 1\n", "lib/b.py": "pay()\n"})
    for tree in ("wt", "lib/wt"):
        git(shop, "worktree", "add", "-q", tree, "-b", tree)
    said = "another work tree of this repository (git worktree); run `daypack` inside it"
    with Daypack.open(shop / ".daypack", settings=WORDS) as dp:
        dp.files.add(shop)
        assert stored(dp) == {"a.py", "lib/b.py"}
        assert dp.files.why(shop / "wt").detail == said
        assert dp.files.why(shop / "wt/a.py").detail.endswith(said)
        assert {one.uri for one in dp.files.below(shop)[1] if one.detail == said} == {"wt/", "lib/wt/"}
    assert find_place(shop / "lib", store=None).root == shop
    assert find_place(shop / "wt/lib", store=None).root == shop / "wt"
    with Daypack.open(shop / "wt/.daypack", settings=WORDS) as dp:
        dp.files.add(shop / "wt")
        assert stored(dp) == {"a.py", "lib/b.py"}


def test_work_trees_beside_a_bare_repository_are_read(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", {"a.py": "def pay():\n    return 1\n"})
    place = tmp_path / "place"
    place.mkdir()
    git(place, "clone", "-q", "--bare", str(shop), ".bare")
    (place / ".git").write_text("gitdir: ./.bare\n")
    git(place, "worktree", "add", "-q", "main")
    with Daypack.open(place / ".daypack", settings=WORDS) as dp:
        dp.files.add(place)
        assert "main/a.py" in stored(dp)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The uids of the files that are opened from now on."""
    opened: list[str] = []
    read = formats.read_file

    def noted(found: FoundFile, *arguments: object) -> object:
        opened.append(found.uid)
        return read(found, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(formats, "read_file", noted)
    return opened


def test_a_switch_of_branches_reads_only_the_files_that_differ(tmp_path: Path, reads: list[str]) -> None:
    folder = repository(tmp_path / "port", CRANES)
    git(folder, "switch", "-qc", "side")
    (folder / "crane_1/lift_1.py").write_text("def other():\n    pass\n")
    (folder / "crane_1/lift_9.py").write_text("def new():\n    pass\n")
    (folder / "crane_2/lift_2.py").unlink()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "side")
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        for branch, differing in (
            ("main", {"crane_1/lift_1.py", "crane_2/lift_2.py"}),
            ("side", {"crane_1/lift_1.py", "crane_1/lift_9.py"}),
        ):
            git(folder, "switch", "-q", branch)
            reads.clear()
            dp.files.refresh(dp.files.check())
            assert set(reads) == differing
            assert stored(dp) == set(git(folder, "ls-files").split())


def test_a_fresh_checkout_of_the_same_files_cuts_and_indexes_nothing_again(tmp_path: Path) -> None:
    folder = repository(tmp_path / "port", CRANES)
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        for name in CRANES:
            os.utime(folder / name, ns=(1, 1))
        report = dp.files.add(folder)
        assert (report.updated, report.unchanged, report.chunks) == (0, len(CRANES), 0)


def test_a_sparse_checkout_is_indexed_as_far_as_it_is_on_disk(tmp_path: Path, reads: list[str]) -> None:
    folder = repository(tmp_path / "port", CRANES)
    git(folder, "sparse-checkout", "set", "crane_1")
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        assert stored(dp) == {name for name in CRANES if name.startswith("crane_1/")}
        git(folder, "sparse-checkout", "add", "crane_2")
        reads.clear()
        dp.files.refresh(dp.files.check())
        assert set(reads) == {name for name in CRANES if name.startswith("crane_2/")}
        git(folder, "sparse-checkout", "set", "crane_2")
        dp.files.refresh(dp.files.check())
        assert stored(dp) == {name for name in CRANES if name.startswith("crane_2/")}


def test_a_submodule_is_a_part_of_the_tree_with_rules_of_its_own(tmp_path: Path) -> None:
    inner = repository(tmp_path / "winch", {"winch.py": "def winch():\n    pass\n", ".gitignore": "*.tmp\n"})
    folder = repository(tmp_path / "port", {"port.py": "def port():\n    pass\n", ".gitignore": "winch.py\n"})
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "lib/winch")
    git(folder, "commit", "-qm", "submodule")
    (folder / "lib/winch/left.tmp").write_text("x")
    code = {"port.py", "lib/winch/winch.py"}
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        assert {uid for uid in stored(dp) if uid.endswith((".py", ".tmp"))} == code
        assert [row.file for row in dp.code.symbols("winch")] == ["lib/winch/winch.py"]
        git(
            folder, "submodule", "--quiet", "deinit", "-f", "lib/winch"
        )  # as a clone without --recurse has it
        dp.files.refresh(dp.files.check())
        assert {uid for uid in stored(dp) if uid.endswith(".py")} == {"port.py"}


def test_a_change_of_attributes_reaches_the_files_that_did_not_change(
    tmp_path: Path, reads: list[str]
) -> None:
    files = {
        ".gitattributes": "* text=auto\n",
        "tables/tide.py": "def tide():\n    return 1\n",
        "vendor/crane.py": "def crane():\n    return 1\n",
        "made.py": "# Code generated by moor. DO NOT EDIT.\ndef made():\n    return 1\n",
        "own.py": "def own():\n    return 1\n",
    }
    folder = repository(tmp_path / "port", files)
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        found = flags(dp)
        assert found["made.py"] == ChunkFlag.CODE | ChunkFlag.GENERATED
        assert found["vendor/crane.py"] == ChunkFlag.CODE | ChunkFlag.ASIDE
        assert found["tables/tide.py"] == found["own.py"] == ChunkFlag.CODE
        (folder / ".gitattributes").write_text(
            "tables/** linguist-generated\nvendor/** -linguist-vendored\nmade.py linguist-generated=false\n"
        )
        reads.clear()
        dp.files.refresh(dp.files.check())
        assert set(reads) == {*files} - {"own.py"}
        found = flags(dp)
        assert found["tables/tide.py"] == ChunkFlag.CODE | ChunkFlag.GENERATED
        assert found["made.py"] == found["vendor/crane.py"] == found["own.py"] == ChunkFlag.CODE
        reads.clear()
        dp.files.refresh()
        assert reads == []


def test_generated_code_ranks_behind_what_it_is_made_from(tmp_path: Path) -> None:
    body = "def moor_vessel():\n    return 'the berth of the vessel is moored'\n"
    folder = repository(
        tmp_path / "port",
        {".gitattributes": "tables/** linguist-generated\n", "tables/moor.py": body * 2, "src/moor.py": body},
    )
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        found = dp.search("where is the vessel moored at a berth?")
        assert [hit.chunk.uri for hit in found][:2] == ["src/moor.py", "tables/moor.py"]
        assert found[1].score < 0.5 * found[0].score


@pytest.mark.parametrize("added", ["tables", "tables/moor.py"])
def test_a_refresh_follows_declarations_above_the_added_folder(tmp_path: Path, added: str) -> None:
    folder = repository(tmp_path / "port", {"tables/moor.py": "def moor_vessel():\n    return 1\n"})
    declared = folder / ".gitattributes"
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder / added)
        assert dp.files.refresh(dp.files.check()).updated == 0
        for lines, marked in (("tables/** linguist-generated\n", True), ("", False)):
            declared.write_text(lines) if lines else declared.unlink()
            assert dp.files.refresh(dp.files.check()).updated == 1
            assert bool(flags(dp)["tables/moor.py"] & ChunkFlag.GENERATED) is marked


def test_an_archive_of_releases_is_marked_as_a_changelog(tmp_path: Path) -> None:
    releases = "\n".join(f"*** Release 1.{n}.0 [2020-Jul-0{n}]\n * Mend the cart.\n" for n in range(6, 0, -1))
    folder = project(tmp_path / "app", {"change-archive.txt": releases, "notes.txt": "* Mend the cart.\n"})
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        marked = {uri for uri, flag in flags(dp).items() if flag & ChunkFlag.CHANGELOG}
    assert marked == {"change-archive.txt"}
