"""Which names of a question only code has, and whether it asks of them alone."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH

CERTAIN = {
    "where is load_config called?": ("load_config",),
    "where is XmlConfig used": ("XmlConfig",),
    "why does loadConfig fail?": ("loadConfig",),
    "who calls Basket::total": ("Basket::total",),
    "who calls basket.total()": ("basket.total",),
    "what does Basket.total do": ("Basket.total",),
    "the iPhone and the IDs of e.g. Node.js in main.py": (),
    "who calls total": (),
    "It ends here.Then it goes on": (),
    "wo wird mahngebühr_berechnen aufgerufen?": ("mahngebühr_berechnen",),
    "где вызывается вычислить_сумму?": ("вычислить_сумму",),
    "関数load_configはどこで呼ばれますか": ("load_config",),
    "Das Fenster ist über.Dann geht es weiter": (),
}
ALONE = ["where is load_config called?", "callers of load_config", "load_config", "explain load_config", "docs for load_config", "Is load_config tested?", "which classes use load_config?"]  # fmt: skip
MORE = ["why does load_config read twice?", "add load_config", "rename load_config", "load_config does not work", "load_config raises KeyError", "where is load_config called?\n\n```\nload_config()\n```\n", "is load_config faster than the cache?", "document load_config"]  # fmt: skip


@pytest.mark.parametrize("text", CERTAIN)
def test_names_that_only_code_has_are_certain(text: str) -> None:
    assert parse_query(text, now=EPOCH).identifiers == CERTAIN[text]


@pytest.mark.parametrize("text", ALONE)
def test_a_question_for_uses_definition_or_meaning_asks_of_the_name_alone(text: str) -> None:
    assert parse_query(text, now=EPOCH).asks_of_names_alone


@pytest.mark.parametrize("text", MORE)
def test_a_task_a_report_or_another_subject_asks_of_more(text: str) -> None:
    assert not parse_query(text, now=EPOCH).asks_of_names_alone
