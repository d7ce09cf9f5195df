"""The name that a message suggests is like the one that was asked for: the folder or door that both begin with does not count."""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.errors import NotFound


@pytest.fixture
def dp(dp: Daypack) -> Daypack:
    dp.memories.remember("long/value", "The tide table hangs in the harbour.")
    dp.memories.remember("ferry", "It leaves at seven.")
    dp.files.add_text("The tide table.", name="harbour/tides/table.md")
    dp.knowledge.add_text("tide table", "High water at noon.")
    return dp


@pytest.mark.parametrize("name", ["memory:nope", "harbour/tides/boats.csv"])
def test_names_that_share_only_a_begin_are_not_suggested(dp: Daypack, name: str) -> None:
    with pytest.raises(NotFound, match="`daypack search` shows what can be read"):
        dp.get(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("memory:fery", "memory:ferry"), ("memory:long/vlaue", "memory:long/value"),
     ("harbour/tides/tabel.md", "harbour/tides/table.md"), ("harbor/tides/table.md", "harbour/tides/table.md")],
)  # fmt: skip
def test_a_slip_in_a_name_is_answered_with_the_name(dp: Daypack, name: str, meant: str) -> None:
    with pytest.raises(NotFound, match=f"did you mean {meant}"):
        dp.get(name)


def test_a_slip_in_a_label_to_remove_is_answered_with_the_label(dp: Daypack) -> None:
    with pytest.raises(NotFound, match="no label named 'tide tabel'; did you mean tide table"):
        dp.knowledge.remove("tide tabel")
