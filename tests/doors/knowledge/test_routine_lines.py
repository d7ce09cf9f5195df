"""The routine lines of a kept log do not bury its failures, nor the answers of other texts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.types import PieceKind
from support import WORDS

RUN = [f"tests/test_pier.py::test_tide_{n} PASSED [{n // 3:3d}%]" for n in range(300)]
RUN[180] = "tests/test_pier.py::test_ebb FAILED [ 60%]"


@pytest.fixture
def dp(tmp_path: Path) -> Daypack:
    (tmp_path / "docs").mkdir()
    for n in range(40):
        (tmp_path / "docs" / f"{n}.md").write_text(f"# Berth {n}\n\nThe pier of berth {n} opens at nine.\n")
    (tmp_path / "run.txt").write_text("\n".join(RUN) + "\n")
    opened = Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS)
    opened.files.add(tmp_path / "docs")
    script = f"print(open({str(tmp_path / 'run.txt')!r}).read())"
    opened.knowledge.run([sys.executable, "-c", script], label="run of the tests")
    return opened


def test_the_remarkable_lines_of_a_log_come_before_all_that_repeats_the_words(dp: Daypack) -> None:
    with dp:
        found = dp.search("which tests of the pier failed?", vectors="none", limit=10).candidates
    kinds = [one.chunk.kind for one in found if one.chunk.uri.startswith("source:")]
    assert "test_ebb FAILED" in found[0].chunk.text
    assert kinds == sorted(kinds, key=lambda kind: kind is not PieceKind.ALERT)
    assert PieceKind.BLOCK in kinds


def test_a_routine_line_that_the_question_names_is_still_found(dp: Daypack) -> None:
    with dp:
        best = dp.search("test_tide_77", vectors="none", limit=1).candidates[0]
    assert "test_tide_77 PASSED" in best.chunk.text
