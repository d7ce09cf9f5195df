"""Saved runs on the page: the ranks, reasons and curves that it shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from daypack.evaluate import Miss, Options, Run
from daypack.evaluate.run_folder import RunFolder
from daypack.surfaces.web.evaluations import curves, read_facts
from daypack.types import Packing, Tokenizer, VectorMode
from evaluate.runs_made import case, finding, run, term


def asked(name: str, *, budget: int, tokenizer: Tokenizer) -> Run:
    options = Options(budget=budget, tokenizer=tokenizer, packing=Packing.SKIP, vectors=VectorMode.NONE)
    return run([case("a", finding("x", 1), budget=budget)], name=name, options=options)


def test_a_case_has_the_rank_that_it_is_judged_by_and_leads_to_its_own_question(tmp_path: Path) -> None:
    options = asked("any", budget=90, tokenizer=Tokenizer.CHARS).options
    found_first = replace(term("t", packed=True), rank=1)
    RunFolder(tmp_path).save(
        run([case("a", finding("x", 2), found_first, budget=90)], options=options), "one"
    )
    (one,) = read_facts(tmp_path, {"run": "one"})["cases"]
    assert one["case"].first_rank == 2
    assert "rank" not in one
    assert one["url"].endswith("budget=90&packing=skip&tokenizer=chars&vectors=none")


@pytest.mark.parametrize(
    ("filters", "end"),
    [
        ({"kind": ["code"], "source": ["src/**"]}, "vectors=none&kind=code&source=src%2F%2A%2A"),
        ({"kind": ["code", "document"]}, ""),
        ({"kind": ["code"], "author": "ana"}, ""),
    ],
)
def test_a_case_leads_to_its_question_with_its_filters_or_to_none(
    tmp_path: Path, filters: dict[str, Any], end: str
) -> None:
    """It led to the question without them, which has another answer."""
    options = asked("any", budget=90, tokenizer=Tokenizer.CHARS).options
    narrow = replace(case("a", finding("x", 2)), filters=filters)
    RunFolder(tmp_path).save(run([narrow], options=options), "one")
    (one,) = read_facts(tmp_path, {"run": "one"})["cases"]
    assert one["case"] == narrow
    assert one["url"].endswith(end) and bool(one["url"]) == bool(end)


def test_lines_past_the_end_of_a_file_are_not_said_to_be_a_name_that_is_missing(tmp_path: Path) -> None:
    past = finding("x:40", None, packed=False, pack_miss=Miss.NOT_STORED)
    past = replace(past, retrieval_miss=Miss.NOT_STORED, lines=30, nearest="x:1-30")
    RunFolder(tmp_path).save(run([case("a", past)]), "one")
    ((miss,),) = (one["missing"] for one in read_facts(tmp_path, {"run": "one"})["cases"])
    assert (miss["why"], miss["nearest"]) == ("the file has 30 lines", "")


def test_budgets_in_characters_and_in_tokens_have_an_axis_each() -> None:
    tokens = [asked(f"t{budget}", budget=budget, tokenizer=Tokenizer.O200K) for budget in (100, 200)]
    characters = [asked(f"c{budget}", budget=budget, tokenizer=Tokenizer.CHARS) for budget in (400, 800)]
    assert [(title, unit) for title, unit, _ in curves([*tokens, *characters])] == [
        ("tea", "o200k tokens"),
        ("tea", "characters"),
    ]
    assert curves([tokens[0], characters[0]]) == []
