"""A process that goes on while a backup is restored: the segments of the backup have numbers that it has seen."""

from __future__ import annotations

from pathlib import Path

from daypack import Daypack
from support import WORDS


def test_a_restored_store_is_read_anew(tmp_path: Path) -> None:
    store = tmp_path / "s"
    with Daypack.open(store, settings=WORDS) as running:
        running.memories.remember("first", "The kettle boils at noon.")
        running.backup(tmp_path / "b")
        running.memories.remember("second", "A samovar leaks in the hall.")
        assert len(running.search("samovar leaks", vectors="none").candidates) == 1
        Daypack.restore(tmp_path / "b", store)
        with Daypack.open(store, settings=WORDS) as other:
            text = "The lighthouse keeper paints a very long and winding stair, twice a year, in white and in red."
            other.memories.remember("second", text)
            fresh = other.search("winding stair", vectors="none")
        found = running.search("winding stair", vectors="none")
        assert found.candidates == fresh.candidates
        assert "lighthouse" in found.candidates[0].chunk.text
        before = running.engine.snapshots.current(vectors=False).view.columns
    with Daypack.open(store, settings=WORDS) as other:
        after = other.engine.snapshots.current(vectors=False).view.columns
    assert before.tobytes() == after.tobytes()
