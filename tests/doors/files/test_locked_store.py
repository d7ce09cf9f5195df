"""A question while another process writes is answered from the texts that the store has."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event, Thread, Timer

import apsw
import pytest

from daypack import Daypack
from daypack.doors.files import claims, entry
from daypack.doors.files.entry import ADDING
from daypack.index.database import Database
from daypack.shapes.wording import stale_sentences
from daypack.system import lock
from daypack.types import SearchStats
from support import WORDS, project


def test_a_question_gives_up_soon_and_says_that_files_were_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("# Ferries\n\nThe ferry leaves at nine.\n")
    waits: list[float] = []
    begin = Database._begin

    def noted(self: Database, seconds: float) -> None:
        waits.append(seconds)
        begin(self, min(seconds, 0.1))

    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        dp.memories.remember("k", "v")
        (tmp_path / "b.md").write_text("# Ferries of today\n\nThe ferry leaves at ten.\n")
        other = apsw.Connection(str(tmp_path / ".daypack" / "daypack.db"))
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(Database, "_begin", noted)
        found = dp.search("ferry")
        assert [one.chunk.uri for one in found.candidates] == ["a.md"]
        assert found.stats.stale == 1
        assert stale_sentences(found.stats) == [
            "1 file changed since indexing; the store was locked, so the next question reads it."
        ]
        assert sum(waits) <= 3
        hint = ("warn", stale_sentences(found.stats)[0].removesuffix("."))
        assert dp.code.symbols("ferry").seen.hints == (hint,)
        other.execute("ROLLBACK")
        assert dp.search("ferry").stats.refreshed == 1


def test_a_question_during_a_first_add_leaves_the_files_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question read and cut the whole folder once more, beside the process that did so already."""
    monkeypatch.setattr(entry, "FIRST_FILES", 0.1)
    port = project(
        tmp_path / "port", {f"berth_{number}.md": "# Berth\n\nA mooring.\n" for number in range(30)}
    )
    asked: list[SearchStats] = []

    def ask(done: int, _: int) -> None:
        if done == 5:
            with Daypack.open(port / ".daypack", settings=WORDS) as other:
                asked.append(other.search("mooring").stats)

    with Daypack.open(port / ".daypack", settings=WORDS) as dp:
        dp.files.add(port, progress=ask)
        (during,), after = asked, dp.search("mooring").stats
    assert (during.refreshed, during.stale, during.degraded) == (0, 0, (ADDING,))
    assert (after.refreshed, after.degraded) == (0, ())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folder")
def test_a_question_waits_for_the_first_files_of_an_add_in_another_terminal(tmp_path: Path) -> None:
    """It answered at once that nothing was found."""
    port = project(tmp_path / "port", {"berth.md": "# Berth\n\nA mooring.\n"})
    asked, begun = list[list[str]](), Event()

    def ask() -> None:
        with Daypack.open(port / ".daypack", settings=WORDS) as other:
            begun.set()
            asked.append([one.chunk.uri for one in other.search("mooring").candidates])

    asking = Thread(target=ask)

    def pause(_: int, __: int) -> None:
        if not asking.ident:
            asking.start()
            begun.wait(60)
            asking.join(0.5)  # it waits for this add
            assert not asked

    with Daypack.open(port / ".daypack", settings=WORDS) as dp:
        dp.files.add(port, progress=pause)
    asking.join(60)
    assert asked == [["berth.md"]]


def test_a_question_after_an_add_that_was_killed_reads_the_rest(tmp_path: Path) -> None:
    port = project(
        tmp_path / "port", {f"berth_{number}.md": "# Berth\n\nA mooring.\n" for number in range(30)}
    )

    def killed(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with Daypack.open(port / ".daypack", settings=WORDS) as dp:
        with pytest.raises(KeyboardInterrupt):
            dp.files.add(port, progress=killed)
        after = dp.search("mooring").stats
    assert (after.refreshed, after.degraded) == (30, ())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folder")
def test_questions_that_look_at_the_same_moment_take_each_other_for_no_add(tmp_path: Path) -> None:
    """Each looks by a lock of its own, which the other found, and then it left the files unread."""
    looking = os.open(tmp_path, os.O_RDONLY)
    assert lock(looking, wait=False)
    assert not claims.is_adding(tmp_path)
    Timer(0.1, os.close, [looking]).start()
    with claims.adding(tmp_path):  # it waits for the one that looks
        assert claims.is_adding(tmp_path)
    assert not claims.is_adding(tmp_path)
