"""Tasks in an agent's words find the tool that answers them by its description and its own tasks."""

from __future__ import annotations

from collections import Counter

import pytest

from daypack.surfaces.toolsets import verbs
from evals.quality import tools

LEAST = {"six": 0.95, "all": 0.90}  # of both halves, where .960 and .956 were measured


def test_every_tool_of_the_groups_is_asked_for_once_in_each_half() -> None:
    found = tools.choices()
    assert len({one.task for one in found}) == len(found) == 164
    core = tools.descriptions("six")
    asked = Counter((one.tool, one.half) for one in found if one.table == "all")
    assert asked == {(name, half): 1 for name in tools.descriptions("all").keys() - core for half in "ab"}
    six = [one for one in found if one.table == "six"]
    assert len(six) == 50
    assert {one.tool for one in six if one.half == "b"} == {one.tool for one in six} == {*core}


def test_every_verb_has_tasks_of_its_own_that_no_labelled_task_repeats() -> None:
    own = [task for verb in verbs().values() for task in verb.tasks]
    assert min(len(verb.tasks) for verb in verbs().values()) >= 6
    assert len({*own}) == len(own)
    labelled = {one.task.lower() for one in tools.choices()}
    assert [task for task in own if task.lower() in labelled] == []


def test_without_models_words_choose_among_the_names_that_are_offered() -> None:
    ranking = tools.by_tasks("six", models=False)
    assert ranking("open lines 40 to 80 of the file")[0] == "get"
    assert {*ranking("who calls this function?")} <= {*tools.descriptions("six")}
    assert ranking("") == []


@pytest.mark.slow
@pytest.mark.parametrize("table", [*tools.TABLES])
def test_tasks_and_descriptions_lead_to_the_right_tool(table: str) -> None:
    asked = [one for one in tools.choices() if one.table == table]
    misses = tools.missed(asked, tools.by_tasks(table))
    assert tools.shares(asked, misses)["both"] >= LEAST[table], [one.task for one, _ in misses]


def test_plain_bm25_ranks_the_same_descriptions() -> None:
    texts = {"find": "documents that match", "drop": "erase all"}
    ranking = tools.by_bm25(texts)
    assert ranking("erase")[0] == "drop"
    asked = [tools.Choice("six", "a", "drop", "erase"), tools.Choice("six", "b", "find", "erase")]
    misses = tools.missed(asked, ranking)
    assert tools.shares(asked, misses) == {"a": 1.0, "b": 0.0, "both": 0.5}
