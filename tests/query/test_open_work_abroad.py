"""Questions for open work in other languages, and those that only have words of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def asks(question: str) -> bool:
    happenings = parse_query(question, now=NOW).happenings
    return happenings is not None and happenings.open_work


@pytest.mark.parametrize(
    "question",
    [
        "Was ist noch zu tun?",
        "Welche Aufgaben sind offen?",
        "Was muss ich noch erledigen?",
        "Was steht noch an?",
        "Was steht noch aus?",
        "Offene Punkte?",
        "Was ist bis Ende Dezember fällig?",
        "Welche Aufgaben sind bis zum 15. Dezember fällig?",
        "Que reste-t-il à faire ?",
        "Quelles tâches sont encore ouvertes ?",
        "¿Qué queda por hacer?",
        "¿Qué tareas están pendientes?",
        "O que falta fazer?",
        "Cosa resta da fare?",
        "Wat moet er nog gebeuren?",
        "Co jest jeszcze do zrobienia?",
        "Что осталось сделать?",
        "残っているタスクは？",
        "还有什么要做？",
        "남은 할 일은?",
    ],
)
def test_a_question_for_open_work_is_understood_in_other_languages(question: str) -> None:
    assert asks(question)


@pytest.mark.parametrize(
    "question",
    [
        "Was ist zu tun, wenn die Pumpe ausfällt?",
        "Wann ist das Bad offen?",
        "Was steht am 18. Dezember an?",
        "Welche Aufgaben hat der Kassenwart?",
        "Que faire en cas de panne ?",
        "¿Qué hay que hacer para compilarlo?",
        "Wat is een open deur?",
        "open",
        "aperto",
        "待办列表组件怎么渲染？",
    ],
)
def test_a_question_with_another_subject_is_none_for_open_work(question: str) -> None:
    assert not asks(question)
