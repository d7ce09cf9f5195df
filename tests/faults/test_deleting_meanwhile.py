"""What another process deletes while a question is answered is in the answer whole, or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daypack import Daypack
from daypack.doors.memories.types import Gone
from daypack.embed.hashing import HashingEmbedder
from daypack.errors import NotFound
from packs_read import parse
from support import WORDS, environment

TEXTS = {
    f"tea-{n}": f"Kettle {n} boils water for tea.\n\nIt stands on shelf {n} beside the samovar."
    for n in range(12)
}
GONE = ["tea-0", "tea-3", "tea-7"]
DELETES = """
import sys
from daypack import Daypack
with Daypack.open(sys.argv[1]) as dp:
    dp.records.delete(sys.argv[2:])
    for key in sys.argv[2:]:
        dp.memories.forget(key)
"""


class Meanwhile:
    """The hashing embedder.

    At its `turn`th call something happens elsewhere: the first is for the question, the second for what it
    found.
    """

    def __init__(self, turn: int, happens: Callable[[], object]) -> None:
        self._inner = HashingEmbedder()
        self.model_id, self.dim = self._inner.model_id, self._inner.dim
        self._turn, self._happens = turn, happens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._turn -= 1
        if self._turn == 0:
            self._happens()
        return self._inner.embed(texts)


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("verb", ["search", "pack"])
def test_an_answer_holds_what_was_deleted_meanwhile_whole_or_not_at_all(
    tmp_path: Path, verb: str, turn: int
) -> None:
    folder = tmp_path / ".daypack"
    happened: list[int] = []

    def delete_elsewhere() -> None:
        done = subprocess.run(
            [sys.executable, "-c", DELETES, str(folder), *GONE],
            env=environment(),
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()
        happened.append(1)

    with Daypack.open(folder, settings=WORDS) as dp:
        dp.records.add([{"id": name, "text": text} for name, text in TEXTS.items()])
        for name in TEXTS:
            dp.memories.remember(name, f"The kettle of {name} is descaled in spring.")
        dp.engine.embedding.model = Meanwhile(turn, delete_elsewhere)
        if verb == "search":
            shown = [
                (hit.chunk.reference, hit.chunk.text)
                for hit in dp.search("which kettle boils water for tea", limit=50).candidates
            ]
        else:
            pack = dp.pack("which kettle boils water for tea", budget=4000)
            assert pack.tokens_used <= 4000
            shown = [(excerpt.citation.reference, excerpt.text) for excerpt in pack.excerpts]
            assert [item.text for item in parse(pack.text, "markdown")] == [text for _, text in shown]
        assert happened
        assert len(shown) >= len(TEXTS) - len(GONE)
        for reference, text in shown:
            try:
                assert dp.get(reference).text == text
            except NotFound as error:
                assert any(name in reference for name in GONE)
                assert "deleted" in str(error) or "no record of that name" in str(error)
        again = dp.pack("which kettle boils water for tea", budget=4000).text
        assert "tea-1" in again
        assert not any(f"{name} " in again or f"{name}:" in again for name in GONE)


@pytest.mark.parametrize("verb", ["search", "pack", "auto"])
def test_memories_that_are_forgotten_meanwhile_are_answered_whole_or_not_at_all(
    tmp_path: Path, verb: str
) -> None:
    folder = tmp_path / ".daypack"

    def forget_elsewhere() -> None:
        with Daypack.open(folder, settings=WORDS) as other:
            for name in GONE:
                other.memories.forget(name)

    with Daypack.open(folder, settings=WORDS) as dp:
        for name, text in TEXTS.items():
            dp.memories.remember(name, text)
        dp.engine.embedding.model = Meanwhile(1, forget_elsewhere)
        if verb == "search":
            found = [
                hit.memory for hit in dp.memories.search("which kettle boils water for tea", top_k=50).hits
            ]
        else:
            block = dp.memories.pack(
                "which kettle boils water for tea",
                ordering="auto" if verb == "auto" else "relevance",
                touch=False,
            )
            assert block.tokens_used <= block.budget.limit
            found = [*block.memories]
        assert len(found) >= len(TEXTS) - len(GONE)
        assert all(memory.value == TEXTS[memory.key] for memory in found)
        assert all(isinstance(dp.memories.recall(name), Gone) for name in GONE)
