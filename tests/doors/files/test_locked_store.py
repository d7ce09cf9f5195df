"""A question while another process writes is answered from the texts that the store has."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from daypack import Daypack
from daypack.index.database import Database
from daypack.shapes.wording import stale_sentences
from support import WORDS


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
