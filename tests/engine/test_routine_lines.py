"""The routine lines of a log do not bury its failures, nor the answers of other texts, in a pack of the whole store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.rank.log_lines import routine_held_back
from daypack.types import PieceKind
from support import WORDS

RUN = [f"tests/test_pier.py::test_tide_{n} PASSED [{n // 3:3d}%]" for n in range(300)]
RUN[180] = "tests/test_pier.py::test_ebb FAILED [ 60%]"


@pytest.fixture
def dp(tmp_path: Path) -> Iterator[Daypack]:
    (tmp_path / "docs").mkdir()
    for n in range(40):
        (tmp_path / "docs" / f"{n}.md").write_text(f"# Berth {n}\n\nThe pier of berth {n} opens at nine.\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as opened:
        opened.files.add(tmp_path / "docs")
        opened.knowledge.add_text("run of the tests", "\n".join(RUN) + "\n", language="log")
        yield opened


def test_the_failing_line_of_a_log_comes_before_lines_that_repeat_the_words(dp: Daypack) -> None:
    pack = dp.pack("when does the pier open in the tests?", budget=150, vectors="none")
    assert "test_ebb FAILED" in pack.excerpts[0].text


def test_a_routine_line_that_the_question_names_is_still_shown(dp: Daypack) -> None:
    pack = dp.pack("test_tide_77", budget=300, vectors="none")
    assert "test_tide_77 PASSED" in pack.excerpts[0].text


def test_the_shares_of_lines_that_are_held_back_add_up_to_their_score(dp: Daypack) -> None:
    found = [*dp.search("which tests of the pier passed?", vectors="none", limit=60).candidates]
    before = {one.chunk.id: one.score for one in found}
    held = [one for one in routine_held_back(found) if one.score != before[one.chunk.id]]
    assert len(held) > 1
    assert {one.chunk.kind for one in held} == {PieceKind.BLOCK}
    for one in held:
        assert sum(part.share for part in one.contributions) == pytest.approx(one.score, abs=1e-5)
