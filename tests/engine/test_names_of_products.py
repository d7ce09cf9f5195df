"""Names of products, however a question and a text spell their capitals."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project


def opened(tmp_path: Path, files: dict[str, str]) -> Daypack:
    root = project(tmp_path / "p", files)
    dp = Daypack.open(tmp_path / "s", root=root, settings=WORDS)
    dp.files.add(root)
    return dp


@pytest.mark.parametrize(
    ("written", "asked"), [("Onenote", "OneNote"), ("OneNote", "onenote"), ("YouTube", "youtube")]
)
def test_other_capitals_are_no_typo(tmp_path: Path, written: str, asked: str) -> None:
    with opened(tmp_path, {"a.md": f"# Notes\n\n{written} keeps the minutes.\n", "b.md": "Other.\n"}) as dp:
        found = dp.search(f"{asked} minutes", vectors="none")
        assert found.stats.corrections == {}
        assert found.candidates[0].chunk.uri == "a.md"
        assert found.stats.anchors_missing == ()
        assert "bm25" in {one.signal for one in found.candidates[0].contributions if one.share}
        assert not dp.search(asked, vectors="none").empty_reason
