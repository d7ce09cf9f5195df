"""A value that was edited behind Daypack's back is damage, and no answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from daypack import Daypack
from daypack.errors import StoreDamaged
from support import WORDS, ills

READERS: dict[str, Callable[[Daypack], Any]] = {
    "recall": lambda dp: dp.memories.recall("door/code"),
    "history": lambda dp: dp.memories.history("door/code"),
    "list": lambda dp: dp.memories.list(),
    "search": lambda dp: dp.memories.search("code of the door"),
    "pack": lambda dp: dp.memories.pack("code of the door", budget_tokens=500),
    "export": lambda dp: [*dp.memories.files.export()],
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.memories.remember("door/code", "the code is 1234", tags=["door"])
        dp.memories.remember("tea", "green")
    return tmp_path / "s"


@pytest.mark.parametrize("column", ["value", "tags", "source", "author", "trust", "valid_from"])
@pytest.mark.parametrize("read", READERS)
def test_no_reader_returns_it(store: Path, read: str, column: str) -> None:
    new = {"value": "the code is 6666", "tags": '["mine"]', "trust": "untrusted", "valid_from": 5.0}
    db = apsw.Connection(str(store / "daypack.db"))
    db.execute(
        f"UPDATE memory_version SET {column} = ? WHERE value LIKE 'the code%'", (new.get(column, "me"),)
    )
    db.close()
    with Daypack.open(store, settings=WORDS) as dp:
        with pytest.raises(StoreDamaged, match="door/code"):
            READERS[read](dp)
        assert dp.memories.recall("tea").value == "green"


def test_a_searched_copy_that_was_edited_is_found_as_well(store: Path) -> None:
    db = apsw.Connection(str(store / "daypack.db"))
    db.execute("UPDATE record SET text = 'the code is 6666' WHERE uid = 'door/code'")
    db.close()
    with Daypack.open(store, settings=WORDS) as dp:
        assert ills(dp)
        for read in ("search", "pack"):
            try:
                assert "6666" not in str(READERS[read](dp))
            except StoreDamaged:
                continue
