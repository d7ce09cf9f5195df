"""A question with all words of a key finds its memory first, among others with these words."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import Clock


@pytest.fixture
def notes(tmp_path: Path, clock: Clock) -> Daypack:
    """By words and by meaning, as everybody has it."""
    dp = Daypack.open(tmp_path / ".daypack", clock=clock)
    for key, value in [
        ("team/lead", "Sam leads the payments team while Aurelie is on parental leave until May 2027."),
        ("people/tobias", "Tobias Krenn leads the risk team."),
        ("style/python", "Format Python with ruff format, line length 100."),
        ("style/python-lines", "Python lines may have at most 120 characters."),
    ]:
        dp.memories.remember(key, value)
    return dp


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("What is the team lead?", "team/lead"),
        ("team lead", "team/lead"),
        ("style python", "style/python"),
        ("What is the style of Python?", "style/python"),
        ("Who leads the risk team?", "people/tobias"),
        ("How long may Python lines be?", "style/python-lines"),
    ],
)
def test_the_memory_whose_key_is_the_question_is_first(notes: Daypack, question: str, key: str) -> None:
    with notes:
        assert notes.search(question).candidates[0].chunk.uri == f"memory:{key}"
        assert notes.memories.search(question).hits[0].memory.key == key
