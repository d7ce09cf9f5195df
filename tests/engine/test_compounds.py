"""Compound words of German questions, which the texts write as two words."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS

TEXTS = {
    "schiffe.md": "# Schiffe\n\nDer Anstrich der Boote wird im April erneuert, dann sind die Rümpfe trocken.\n",
    "lampen.md": "# Lampen\n\nDie Lampe im Turm hat ein Glas, das der Wärter am Morgen mit einem Tuch putzt.\n",
    "krankheit.md": "# Krank\n\nBei einer Krankheit legt der Wärter nach drei Tagen eine ärztliche Bescheinigung vor.\n",
    "hafen.md": "# Hafen\n\nDer Hafen ist im Winter geschlossen, weil das Eis die Einfahrt versperrt.\n",
}


@pytest.fixture
def lighthouse(tmp_path: Path) -> Daypack:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    dp = Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS)
    dp.files.add(tmp_path)
    return dp


@pytest.mark.parametrize(
    ("asked", "found", "split"),
    [
        ("Wann ist der Bootsanstrich?", "schiffe.md", "Bootsanstrich → boots anstrich"),
        ("Womit putzt der Wärter das Lampenglas?", "lampen.md", "Lampenglas → lampen glas"),
        ("Wann braucht man die Krankheitsbescheinigung?", "krankheit.md", "Krankheitsbescheinigung → krankheits bescheinigung"),
    ],
)  # fmt: skip
def test_a_compound_that_no_text_has_finds_its_parts(
    lighthouse: Daypack, asked: str, found: str, split: str
) -> None:
    with lighthouse as dp:
        result = dp.search(asked)
        assert result.candidates[0].chunk.uri == found
        assert split in result.corrections_text, "the answer says so"


def test_a_compound_of_which_a_part_is_unknown_stays_unknown(lighthouse: Daypack) -> None:
    with lighthouse as dp:
        result = dp.search("Wann ist die Hafenkantine im Winter geschlossen?")
        assert not result.corrections_text
        assert result.candidates[0].chunk.uri == "hafen.md"
