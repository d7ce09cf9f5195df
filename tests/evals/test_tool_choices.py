"""Tasks in an agent's words find the tool that answers them by its description."""

from __future__ import annotations

from collections import Counter

import pytest

from daypack.types import VectorMode
from evals.quality import tools

LEAST = {"six": 0.66, "all": 0.76}  # of both halves, where .680 and .789 were measured


def test_every_tool_of_the_groups_is_asked_for_once_in_each_half() -> None:
    found = tools.choices()
    assert len({one.task for one in found}) == len(found) == 164
    core = tools.descriptions("six")
    asked = Counter((one.tool, one.half) for one in found if one.table == "all")
    assert asked == {(name, half): 1 for name in tools.descriptions("all").keys() - core for half in "ab"}
    six = [one for one in found if one.table == "six"]
    assert len(six) == 50
    assert {one.tool for one in six if one.half == "b"} == {one.tool for one in six} == {*core}


@pytest.mark.slow
@pytest.mark.parametrize("table", [*tools.TABLES])
def test_descriptions_lead_to_the_right_tool(table: str) -> None:
    asked = [one for one in tools.choices() if one.table == table]
    with tools.by_daypack(tools.descriptions(table), VectorMode.ALL) as ranking:
        misses = tools.missed(asked, ranking)
    assert tools.shares(asked, misses)["both"] >= LEAST[table], [one.task for one, _ in misses]


def test_plain_bm25_ranks_the_same_descriptions() -> None:
    texts = {"find": "documents that match", "drop": "erase all"}
    ranking = tools.by_bm25(texts)
    assert ranking("erase")[0] == "drop"
    asked = [tools.Choice("six", "a", "drop", "erase"), tools.Choice("six", "b", "find", "erase")]
    misses = tools.missed(asked, ranking)
    assert tools.shares(asked, misses) == {"a": 1.0, "b": 0.0, "both": 0.5}
