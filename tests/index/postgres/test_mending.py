"""The step that a message about a store on a server names: one that helps there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import support
from daypack import Daypack
from daypack.errors import StoreDamaged, StoreReadOnly
from daypack.types.servers import ServerAddress

REPAIR = "daypack repair"


def opened(url: str, folder: Path) -> Daypack:
    return Daypack.open(url, root=folder, settings=support.WORDS)


def edit(daypack: Daypack, statement: str) -> None:
    with daypack.engine.store.writing() as db:
        db.execute(statement)


@pytest.fixture
def stocked(tmp_path: Path) -> Path:
    (tmp_path / "tea.md").write_text("The kettle boils at nine.\n")
    return tmp_path


def test_an_edited_text_is_restored_by_the_tools_of_the_server(
    stocked: Path, new_store: Callable[[], str]
) -> None:
    with opened(new_store(), stocked) as daypack:
        daypack.files.add(stocked)
        daypack.memories.remember("tea", "The kettle is green.")
        edit(daypack, "UPDATE record SET text = replace(text, 'kettle', 'teapot')")
        with pytest.raises(StoreDamaged, match=r"with `pg_restore`$") as raised:
            daypack.search("kettle")
        assert REPAIR not in str(raised.value)
        found = [check.detail for check in daypack.check(deep=True) if check.verdict == "damage"]
        assert found and all("`pg_restore`" in detail and REPAIR not in detail for detail in found)


def test_malformed_vectors_are_made_again_by_reindex(stocked: Path, new_store: Callable[[], str]) -> None:
    with opened(new_store(), stocked) as daypack:
        daypack.files.add(stocked)
        daypack.embed()
        edit(daypack, "UPDATE vec SET codes = substr(codes, 1, 3)")
        details = [check.detail for check in daypack.check() if check.verdict == "damage"]
        assert details == ["1 vectors are malformed: run `daypack reindex`"]
        daypack.reindex()
        daypack.embed()
        assert all(check.verdict == "ok" for check in daypack.check())
        assert daypack.search("kettle").candidates


def test_a_store_that_the_user_may_only_read_is_made_writable_by_its_owner(
    stocked: Path, new_store: Callable[[], str]
) -> None:
    url = new_store()
    opened(url, stocked).close()
    readers = f"{url}&options=-c%20default_transaction_read_only%3Don"
    with opened(readers, stocked) as daypack, pytest.raises(StoreReadOnly, match="ask its owner"):
        daypack.memories.remember("tea", "green")


def test_people_of_a_team_are_sent_to_their_administrator(tmp_path: Path) -> None:
    called = ServerAddress("postgresql://ada@db/team", tmp_path, called="payments")
    assert called.mend == "its administrator can restore a backup"
