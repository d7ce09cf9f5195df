"""A budget that is too small for one item names the one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.types import EmptyReason
from support import WORDS, daypack, project

FILES = {
    "cart.py": "def total(rows):\n    return sum(rows)\n\n\ndef due(rows):\n    return total(rows)\n",
    "notes.md": "# Carts\n\nThe total of a cart is the sum of its rows, each rounded on its own before they are added.\n",
}


@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
@pytest.mark.parametrize("task", [None, "impact"])
def test_the_named_budget_shows_an_item(tmp_path: Path, shape: str, task: str | None) -> None:
    with Daypack.open(project(tmp_path, FILES) / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        ask = {"shape": shape, "task": task, "vectors": "none"}
        empty = dp.pack("total", budget=3, **ask)  # type: ignore[arg-type]
        assert (empty.excerpts, empty.tokens_used, empty.empty_reason) == (
            (),
            0,
            EmptyReason.BUDGET_TOO_SMALL,
        )
        assert empty.least > 3
        found = dp.pack("total", budget=empty.least, **ask)  # type: ignore[arg-type]
        assert found.excerpts
        assert found.least == 0
        assert found.tokens_used <= empty.least


@pytest.mark.parametrize("command", [("code", "impact"), ("code", "uses"), ("pack",)])
def test_a_terminal_names_the_budget_of_the_smallest_item(tmp_path: Path, command: tuple[str, ...]) -> None:
    folder = project(tmp_path / "shop", FILES)
    done = daypack(*command, "total", "-b", "3", cwd=folder, status=1)
    assert done.stdout == ""
    assert "Nothing fits in 3 tokens; " in done.stderr
