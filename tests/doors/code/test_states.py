"""What an answer saw: after anything that git can do to a folder no pack cites text that is not there."""

from __future__ import annotations

import random
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest
from code_support import checked, opened

from daypack import Daypack
from daypack.doors.code import serialize as code_data
from daypack.doors.code.worktree import git_folder, is_dirty, read_head, work_trees
from daypack.errors import StoreReadOnly
from evals.quality.code.states import disturb, git, untrue
from support import WORDS, project

STATES = 60
WORDS_OF_CODE = [
    "harbour",
    "tide",
    "vessel",
    "anchor",
    "beacon",
    "pilot",
    "berth",
    "cargo",
    "ledger",
    "crane",
    "winch",
    "mooring",
]
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def module(rng: random.Random) -> str:
    """A file of functions that call each other."""
    names = rng.sample(WORDS_OF_CODE, 4)
    return "".join(
        f"def {name}_{n}():\n    return {names[n - 1]}_{(n - 1) % 4}() + {rng.randrange(1000)}\n\n\n"
        for n, name in enumerate(names)
    )


def repository(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / ".gitignore").write_text(".daypack\n")
    rng = random.Random(7)
    for n in range(8):
        (folder / f"part_{n}.py").write_text(module(rng))
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


@needs_git
@pytest.mark.slow
def test_no_pack_cites_text_that_is_not_there_whatever_git_did(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    rng = random.Random(20)
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        for number in range(STATES):
            disturb(folder, rng)
            words = " ".join(rng.sample(WORDS_OF_CODE, 2))
            # Every third answer is from what is stored: what changed since must be marked.
            pack = dp.code.pack(f"{words}_1 returns", anchor_policy="off", refresh=number % 3 != 2)
            checked(code_data.pack_to_dict(pack))
            assert untrue(folder, pack) == [], number


@needs_git
def test_an_answer_names_its_commit_and_whether_the_folder_differs(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)

        def state() -> dict[str, object]:
            found: dict[str, object] = checked(code_data.pack_to_dict(dp.code.pack("harbour")))["meta"][
                "index_state"
            ]
            return found

        clean = state()
        assert clean["project_watermark"]["git"] == {
            "head": git(folder, "rev-parse", "HEAD"),
            "branch": "main",
            "dirty": False,
        }  # type: ignore[index]
        (folder / "part_0.py").write_text("def harbour():\n    pass\n")
        dirty = state()
        assert dirty["project_watermark"]["git"]["dirty"] is True  # type: ignore[index]
        assert dirty["watermark"] != clean["watermark"]
        assert not dirty["stale"]


@needs_git
def test_a_linked_work_tree_and_packed_refs_are_understood(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    git(folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git(folder, "pack-refs", "--all")
    head = git(folder, "rev-parse", "HEAD")
    for root, branch in ((folder, "main"), (tmp_path / "side", "side")):
        found = git_folder(root)
        assert found is not None
        assert read_head(found) == (head, branch)
        assert is_dirty(root) is False
    git(folder, "checkout", "-q", "--detach")
    assert read_head(folder / ".git") == (head, "")


def test_a_branch_whose_name_is_not_utf8_has_its_commit_when_packed(tmp_path: Path) -> None:
    (tmp_path / "HEAD").write_bytes(b"ref: refs/heads/caf\xe9\n")
    (tmp_path / "packed-refs").write_bytes(
        b"# pack-refs with: peeled\n" + b"a" * 40 + b" refs/heads/caf\xe9\n"
    )
    assert read_head(tmp_path) == ("a" * 40, "caf?")


@needs_git
def test_what_is_renamed_is_not_read_twice_and_what_is_replaced_is_forgotten(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    with Daypack.open(folder / ".daypack", settings=WORDS) as dp:
        dp.files.add(folder)
        dp.code.graph()

        def facts() -> list[tuple[int, str]]:
            with dp.engine.store.reading() as db:
                return list(db.execute("SELECT id, hash FROM code_facts ORDER BY id"))

        before = facts()
        git(folder, "switch", "-qc", "other")
        (folder / "part_0.py").write_text("def winch():\n    pass\n")
        (folder / "part_1.py").rename(folder / "part_one.py")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "other")
        dp.code.pack("winch")
        there = facts()
        assert (
            len(set(there) - set(before)) == len(set(before) - set(there)) == 1
        )  # one text; what was renamed is known
        git(folder, "switch", "-q", "main")
        dp.code.pack("winch", anchor_policy="off")
        assert {hash_ for _, hash_ in facts()} == {hash_ for _, hash_ in before}


@needs_git
def test_a_work_tree_takes_over_what_another_knows_of_the_same_texts(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    git(folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / "part_0.py").write_text("def winch():\n    return 'only here'\n")

    def known(dp: Daypack) -> tuple[set[str], set[bytes]]:
        with dp.engine.store.reading() as db:
            hashes = {row[0] for row in db.execute("SELECT hash FROM code_facts")}
            return hashes, {row[0] for row in db.execute("SELECT hash FROM vec")}

    def facts_that_are_made(dp: Daypack) -> int:
        totals: list[int] = []
        dp.engine.working = lambda work: nullcontext(lambda _, total: totals.append(total))
        dp.code.graph()
        return max(totals, default=0)

    # the main one first, then the linked one
    for here, there in ((folder, tmp_path / "side"), (tmp_path / "side", folder)):
        shutil.rmtree(here / ".daypack", ignore_errors=True)
        shutil.rmtree(there / ".daypack", ignore_errors=True)
        with Daypack.open(here / ".daypack", settings=WORDS) as dp:
            dp.files.add(here)
            dp.code.graph()
            dp.engine.embed_pending()
            facts, vectors = known(dp)
        with Daypack.open(there / ".daypack", settings=WORDS) as dp:
            dp.files.add(there)
            assert known(dp)[1] < vectors
            own = dp.engine.store.chunks_of(dp.engine.store.stored_record("files", "", "part_0.py").id)  # type: ignore[union-attr]
            assert dp.status()["vectors_missing"] == len(own)  # the one text that is only here
            assert facts_that_are_made(dp) == 1
            assert len(known(dp)[0] & facts) == len(facts) - 1


@needs_git
def test_each_work_tree_answers_from_its_own_files_and_names_its_own_state(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    side = tmp_path / "side"
    git(folder, "worktree", "add", "-q", "-b", "side", str(side))
    (side / "part_0.py").write_text("def harbour_of_the_side():\n    pass\n")
    git(side, "commit", "-qam", "side")
    with (
        Daypack.open(folder / ".daypack", settings=WORDS) as main,
        Daypack.open(side / ".daypack", settings=WORDS) as other,
    ):
        main.files.add(folder)
        other.files.add(side)
        assert main.code.pack("harbour_of_the_side").items == ()
        assert other.code.pack("harbour_of_the_side").items[0].symbol == "harbour_of_the_side"
        for dp, root, branch in ((main, folder, "main"), (other, side, "side")):
            state = checked(code_data.pack_to_dict(dp.code.pack("harbour")))["meta"]["index_state"][
                "project_watermark"
            ]["git"]
            assert state == {"head": git(root, "rev-parse", "HEAD"), "branch": branch, "dirty": False}


@needs_git
def test_a_folder_that_claims_to_be_a_work_tree_of_a_repository_is_none(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repo")
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (folder / ".git" / "worktrees" / "stranger").mkdir(parents=True)
    (folder / ".git" / "worktrees" / "stranger" / "gitdir").write_text(f"{stranger}/.git\n")
    assert work_trees(folder) == []
    (stranger / ".git").write_text(f"gitdir: {folder}/.git/worktrees/stranger\n")
    assert work_trees(folder) == [stranger]


def test_a_folder_without_git_says_so_and_is_answered(tmp_path: Path) -> None:
    with opened(tmp_path / "app", {"a.py": "def harbour():\n    pass\n"}) as dp:
        shutil.rmtree(dp.root / ".git")
        found = checked(code_data.pack_to_dict(dp.code.pack("harbour")))
        assert found["meta"]["index_state"]["project_watermark"]["git"] is None
        assert found["data"]["items"][0]["symbol"] == "harbour"


# ---------------------------------------------------------------- strange files


def test_line_ends_encodings_links_and_what_is_no_code(tmp_path: Path) -> None:
    files = {
        "crlf.py": b"import os\r\n\r\n\r\ndef with_crlf():\r\n    return os.name\r\n",
        "utf16.py": "def in_utf16():\n    return 'é'\n".encode("utf-16"),
        "latin.py": "def in_latin():\n    return 'é'\n".encode("latin-1"),
        "broken.py": "def before():\n    pass\n\n\nclass (((:\n    def inside(:\n",
        "binary.py": bytes(range(256)) * 20,
        "one_line.js": "const x = [" + "1," * 400_000 + "1];",
        "deep.py": "x = " + "(" * 10_000 + "1" + ")" * 10_000,
        "empty.py": "",
    }
    with opened(tmp_path / "app", files) as dp:
        for query, name in (
            ("with_crlf", "crlf.py"),
            ("in_utf16", "utf16.py"),
            ("in_latin", "latin.py"),
            ("before", "broken.py"),
        ):
            pack = dp.code.pack(query)
            checked(code_data.pack_to_dict(pack))
            assert pack.items[0].file == name
        assert dp.code.pack("with_crlf").items[0].symbol == "with_crlf"
        assert {row.name for row in dp.code.symbols("")} >= {"with_crlf", "in_utf16", "in_latin", "before"}


def test_a_root_that_is_a_link_is_the_folder_it_leads_to(tmp_path: Path) -> None:
    folder = project(tmp_path / "real", {"a.py": "def harbour():\n    pass\n"})
    (tmp_path / "link").symlink_to(folder)
    with Daypack.open(tmp_path / "link" / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path / "link")
        (item,) = dp.code.pack("harbour").items
        assert (item.file, item.changed) == ("a.py", False)


def test_a_store_that_cannot_be_written_is_answered_from_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "app", {"a.py": "def hub():\n    pass\n\n\ndef use():\n    hub()\n"}) as dp:

        def refuse() -> None:
            raise StoreReadOnly(dp.engine.store.name)

        monkeypatch.setattr(dp.engine.store, "_check_writable", refuse)
        assert [row.symbol.name for row in dp.code.callers("hub", refresh=False)] == ["use"]
        with dp.engine.store.reading() as db:
            assert db.execute("SELECT count(*) FROM code_facts").get == 0
