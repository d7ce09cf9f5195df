"""Later pages of a pack: each shows what the pages before had no room for, and the end says that it is one."""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.types import EmptyReason


@pytest.fixture
def dp(dp: Daypack) -> Daypack:
    dp.records.add(
        {"id": f"r{number}", "text": f"The ferry {number} waits for the tide of pier {number}. " * 12}
        for number in range(6)
    )
    return dp


def test_the_page_after_the_last_says_that_earlier_pages_show_all(dp: Daypack) -> None:
    page, seen = 1, set[str]()
    while True:
        pack = dp.pack("why does the ferry wait?", budget=400, page=page)
        uris = {excerpt.citation.uri for excerpt in pack.excerpts}
        assert uris.isdisjoint(seen)
        seen |= uris
        if pack.next_page is None:
            break
        page = pack.next_page
    assert page > 1
    for number in (page + 1, 50):
        beyond = dp.pack("why does the ferry wait?", budget=400, page=number)
        assert beyond.empty_reason is EmptyReason.NO_SUCH_PAGE
        assert beyond.text.startswith("Nothing is left for this page: earlier pages show all")


def test_a_page_of_an_answer_that_is_empty_keeps_its_reason(dp: Daypack) -> None:
    assert dp.pack("zebra crossing", page=2).empty_reason is dp.pack("zebra crossing").empty_reason
    small = dp.pack("why does the ferry wait?", budget=25, page=3)
    assert small.empty_reason is EmptyReason.BUDGET_TOO_SMALL
