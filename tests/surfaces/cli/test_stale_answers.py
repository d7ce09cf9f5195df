"""An answer from a store that has not seen the files as they are says so, on every surface."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.code.packs.packing import hints_on_search
from daypack.shapes.wording import stale_sentences
from daypack.surfaces import core_verbs
from daypack.tokens import counter
from daypack.types import SearchStats, Tokenizer
from support import WORDS, daypack, project

STALE = "520 files changed since indexing; add them again."


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of which more files changed than a question reads again."""
    root = project(
        tmp_path_factory.mktemp("rewritten") / "shop",
        {f"m{n}.py": f"def f{n}():\n    return {n}\n" for n in range(520)},
    )
    daypack("add", ".", cwd=root)
    for n in range(520):
        (root / f"m{n}.py").write_text(f"def zulu{n}():\n    return 'quokka'\n")
    return root


def test_a_search_says_that_files_changed_whether_it_finds_something_or_not(rewritten: Path) -> None:
    nothing = daypack("search", "quokka", "--vectors", "none", cwd=rewritten, status=1)
    assert STALE in nothing.stderr
    old = daypack("search", "f77", "--vectors", "none", cwd=rewritten)
    assert "m77.py" in old.stdout
    assert STALE in old.stderr


def test_the_status_says_that_no_question_reads_so_many_files(rewritten: Path) -> None:
    status = daypack("status", cwd=rewritten).stdout
    assert "520 files changed since; too many for a query to read: run `daypack add .`\n" in status


def test_the_json_of_a_search_says_that_files_changed(rewritten: Path) -> None:
    answer = daypack("search", "f77", "--vectors", "none", "--json", cwd=rewritten)
    assert STALE in json.loads(answer.stdout)["notes"]


def test_agents_read_in_a_search_that_files_changed(rewritten: Path) -> None:
    with Daypack.open(rewritten / ".daypack", settings=WORDS) as dp:
        for question in ("quokka", "f77"):
            assert STALE in core_verbs.search(dp, [question]).text


@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
def test_a_small_pack_says_that_files_changed_before_it_shows_one_more_line(
    rewritten: Path, shape: str
) -> None:
    with Daypack.open(rewritten / ".daypack", settings=WORDS) as dp:
        for budget in (100, 150, 200, 300, 400, 800):
            pack = dp.pack("f77", budget=budget, shape=shape, vectors="none", after="")
            if pack.excerpts:
                assert ('"stale":520' if shape == "json" else STALE[:32]) in pack.text.replace(": ", ":"), (
                    budget
                )
            assert pack.tokens_used <= budget


def test_a_small_pack_on_a_terminal_says_once_that_files_changed(rewritten: Path) -> None:
    shown = daypack("pack", "f77", "--vectors", "none", "--budget", "80", cwd=rewritten)
    assert (shown.stdout + shown.stderr).count("changed since indexing") == 1


def test_listings_of_code_say_that_files_changed(rewritten: Path) -> None:
    hint = "520 files changed since indexing; add them again"
    assert hint in daypack("code", "symbols", "zulu5", cwd=rewritten, status=1).stderr
    assert hint in daypack("code", "callers", "f5", cwd=rewritten, status=1).stderr
    assert hint in daypack("code", "map", "--budget", "300", cwd=rewritten).stdout
    assert (
        f"no symbol named 'zulu5'; {hint[:32]}"
        in daypack("code", "callers", "zulu5", cwd=rewritten, status=1).stderr
    )
    for verb in (["symbols", "f5"], ["callers", "f5"], ["related", "f5"], ["map"]):
        found = json.loads(daypack("code", *verb, "--json", cwd=rewritten, status=None).stdout)
        assert hint in [one["text"] for one in found["hints"]], verb
        assert found["meta"]["index_state"]["stale_files"] == 520, verb


def test_a_map_with_a_remark_on_its_files_keeps_to_its_budget(rewritten: Path) -> None:
    with Daypack.open(rewritten / ".daypack", settings=WORDS) as dp:
        shown = 0
        for budget in (1, 10, 20, 30, 60, 120):
            found = dp.code.map(budget=budget)
            assert counter(Tokenizer.O200K)(found.text) <= budget
            assert len(found.shown) >= shown
            shown = len(found.shown)
        assert shown > 0


def test_a_search_in_a_copied_store_says_that_nothing_was_checked(tmp_path: Path) -> None:
    ferries = project(tmp_path / "ferries", {f"n{n}.md": f"# Ferry {n}\n" for n in range(30)})
    daypack("add", ".", cwd=ferries)
    other = project(tmp_path / "other", {"readme.md": "# Other\n"})
    daypack("backup", str(tmp_path / "bk"), cwd=ferries)
    daypack("restore", str(tmp_path / "bk"), "--store", str(tmp_path / "copy"), cwd=ferries)
    shutil.rmtree(ferries)
    answer = daypack("search", "ferry", "--vectors", "none", "--store", str(tmp_path / "copy"), cwd=other)
    assert "Degraded: 30 files answered from the store alone" in answer.stderr


def test_the_status_names_an_added_folder_that_is_no_longer_there(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"notes/tide.md": "The tide rises.\n", "docs/crane.md": "It lifts.\n"})
    daypack("add", "docs", "notes", cwd=shop)
    assert "missing" not in daypack("status", cwd=shop).stdout
    (shop / "notes").rename(shop / "vault")
    daypack("search", "tide", cwd=shop, status=None)
    line = "missing    notes: moved or deleted; add its new place, and run `daypack remove notes`\n"
    assert line in daypack("status", cwd=shop).stdout
    assert json.loads(daypack("status", "--json", cwd=shop).stdout)["missing_sources"] == ["notes"]


def test_the_status_of_a_file_that_is_gone_from_disk_says_so(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", {"tea.md": "Black tea.\n", "gone.md": "Green tea.\n"})
    daypack("add", ".", cwd=shop)
    (shop / "gone.md").unlink()
    said = daypack("status", "gone.md", cwd=shop).stdout
    assert said == "gone.md is no longer on disk; the store keeps its text until a question finds it gone\n"
    assert json.loads(daypack("status", "gone.md", "--json", cwd=shop).stdout)["gone"]
    assert not json.loads(daypack("status", "tea.md", "--json", cwd=shop).stdout)["gone"]
    unknown = daypack("status", "never.md", cwd=shop, status=2).stderr
    assert unknown == "daypack: never.md does not exist; check the path; the store has no text of this name\n"


def test_the_status_of_a_text_without_a_file_says_that_it_is_indexed(tmp_path: Path) -> None:
    daypack("add", "-", "--name", "tides", cwd=tmp_path, input=b"High water at noon.\n")
    assert daypack("status", "tides", cwd=tmp_path).stdout == "tides is indexed\n"


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        (SearchStats(stale=1), "1 file changed since indexing; add it again."),
        (SearchStats(stale=2), "2 files changed since indexing; add them again."),
        (
            SearchStats(stale=1, busy=True),
            "1 file changed since indexing; the store was locked, so the next question reads it.",
        ),
    ],
)
def test_one_changed_file_is_not_spoken_of_as_several(stats: SearchStats, said: str) -> None:
    assert stale_sentences(stats) == [said]
    ((_, hint),) = hints_on_search(stats, ())
    assert f"{hint}." == said


def test_the_hint_on_one_cited_file_agrees_with_it_when_more_files_changed() -> None:
    ((_, hint),) = hints_on_search(SearchStats(stale=3), {"a.md"})
    assert hint == "1 cited file changed since indexing; add it again"
