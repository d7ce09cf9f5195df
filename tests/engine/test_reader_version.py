"""A store whose texts an earlier version of Daypack read or cut says so, until `reindex` reads them as a new store does."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.engine import upkeep
from daypack.engine.checks import CheckVerdict
from support import WORDS

KETTLE = "# Kettle\n\nThe kettle boils at 96 degrees.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "kettle.md").write_text(KETTLE)
    return tmp_path


def opened(shop: Path) -> Daypack:
    return Daypack.open(shop / ".daypack", root=shop, settings=WORDS)


def warned(dp: Daypack) -> bool:
    return any(
        check.name == "reading"
        and check.verdict is CheckVerdict.WARNING
        and "daypack reindex" in check.detail
        for check in dp.doctor()
    )


def test_a_new_store_has_no_warning(shop: Path) -> None:
    with opened(shop) as dp:
        dp.files.add(shop)
        assert not dp.status()["read_earlier"]
        assert not warned(dp)


def test_a_store_of_an_earlier_reader_says_so_until_it_is_reindexed(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(shop) as dp:
        dp.files.add(shop)
    monkeypatch.setattr(upkeep, "READER_VERSION", upkeep.READER_VERSION + 1)
    monkeypatch.setattr("daypack.api.upkeep.READER_VERSION", upkeep.READER_VERSION)
    with opened(shop) as dp:
        assert dp.status()["read_earlier"]
        assert warned(dp)
        dp.files.add(shop)
        assert warned(dp), "unchanged files were not read again"
        dp.reindex()
        assert not dp.status()["read_earlier"]
        assert not warned(dp)


def test_a_store_from_before_versions_were_kept_is_earlier(shop: Path) -> None:
    with opened(shop) as dp:
        dp.files.add(shop)
        with dp.engine.store.writing() as db:
            db.execute("DELETE FROM meta WHERE key = 'reader'")
        assert warned(dp)


def test_reindexing_reads_the_files_as_a_new_store_does(shop: Path) -> None:
    with opened(shop) as dp:
        dp.files.add(shop)
        with (
            dp.engine.store.writing() as db
        ):  # as if an earlier version had not known the title and the language
            db.execute("UPDATE record SET title = 'kettle.md', language = ''")
        dp.reindex()
        with dp.engine.store.reading() as db:
            assert list(db.execute("SELECT title, language FROM record")) == [("Kettle", "markdown")]


def test_reindexing_keeps_the_texts_of_a_folder_that_is_not_on_this_disk(shop: Path) -> None:
    place = shop / "elsewhere"
    place.mkdir()
    (place / "tea.md").write_text("# Tea\n\nSencha steeps for two minutes.\n")
    with opened(shop) as dp:
        dp.files.add(place)
        place.rename(shop / "moved")
        dp.reindex()
        assert dp.get("elsewhere/tea.md").text.startswith("# Tea")
        dp.search("sencha", refresh=False)
