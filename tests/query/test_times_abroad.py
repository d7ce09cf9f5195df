"""Times in questions of other languages, on Wednesday 20 May 2026, 15:30 UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack, Settings
from daypack.query import parse_query
from daypack.query.times import abroad
from daypack.query.times.dates import time_range
from daypack.text.languages import Language
from daypack.types import Query

NOW = datetime(2026, 5, 20, 15, 30, tzinfo=UTC)

YESTERDAY = "2026-05-19 .. 2026-05-20"
LAST_WEEK = "2026-05-11 .. 2026-05-18"
THREE_DAYS_AGO = "2026-05-17 .. 2026-05-18"
THIRD_OF_MARCH = "2026-03-03 .. 2026-03-04"
MAY_2025 = "2025-05-01 .. 2025-06-01"


def asked(text: str) -> Query:
    return parse_query(text, now=NOW)


def named(query: Query) -> str:
    shown = [
        "open" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
        for at in (query.since, query.until)
    ]
    return " .. ".join(shown)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was haben wir gestern entschieden?", YESTERDAY),
        ("Was wurde letzte Woche beschlossen?", LAST_WEEK),
        ("Was haben wir vor drei Tagen gemacht?", THREE_DAYS_AGO),
        ("Was haben wir am 3. März 2026 gemacht?", THIRD_OF_MARCH),
        ("Was haben wir im Mai 2025 besprochen?", MAY_2025),
        ("Was haben wir seit Montag gemacht?", "2026-05-18 .. open"),
        ("Wer hat gestern den Schlüssel für die Tür genommen?", YESTERDAY),
        ("Qu'avons-nous décidé hier ?", YESTERDAY),
        ("qu'avons-nous décidé la semaine dernière ?", LAST_WEEK),
        ("Qu'avons-nous fait il y a trois jours ?", THREE_DAYS_AGO),
        ("Qu'avons-nous fait le 3 mars 2026 ?", THIRD_OF_MARCH),
        ("¿Qué decidimos ayer?", YESTERDAY),
        ("¿Qué hicimos la semana pasada en la oficina?", LAST_WEEK),
        ("¿Qué hicimos el 3 de marzo de 2026?", THIRD_OF_MARCH),
        ("Что мы решили вчера?", YESTERDAY),
        ("что было на прошлой неделе", LAST_WEEK),
        ("что мы делали 3 дня назад?", THREE_DAYS_AGO),
        ("что мы делали 3 марта 2026", THIRD_OF_MARCH),
        ("O que decidimos ontem?", YESTERDAY),
        ("O que fizemos na semana passada?", LAST_WEEK),
        ("O que fizemos há três dias?", THREE_DAYS_AGO),
        ("Cosa abbiamo deciso ieri?", YESTERDAY),
        ("Cosa abbiamo fatto tre giorni fa?", THREE_DAYS_AGO),
        ("Cosa abbiamo discusso a maggio 2025?", MAY_2025),
        ("Wat hebben we vorige week gedaan?", LAST_WEEK),
        ("Wat is er op 3 maart 2026 gebeurd?", THIRD_OF_MARCH),
        ("Co robiliśmy w zeszłym tygodniu?", LAST_WEEK),
        ("Co się stało 3 marca 2026?", THIRD_OF_MARCH),
        ("Geçen hafta ne yaptık?", LAST_WEEK),
        ("Üç gün önce ne yaptık?", THREE_DAYS_AGO),
        ("昨日は何を決めた?", YESTERDAY),
        ("先週何を決めましたか", LAST_WEEK),
        ("3日前に何をしましたか", THREE_DAYS_AGO),
        ("2026年3月3日に何を決めましたか", THIRD_OF_MARCH),
        ("2025年5月に何を話しましたか", MAY_2025),
        ("昨天我们决定了什么？", YESTERDAY),
        ("上周我们做了什么", LAST_WEEK),
        ("三天前做了什么？", THREE_DAYS_AGO),
        ("2026年3月3号我们决定了什么", THIRD_OF_MARCH),
        ("어제 무엇을 결정했어?", YESTERDAY),
        ("지난주에 우리가 뭘 했나요", LAST_WEEK),
        ("3일 전에 무엇을 했나요?", THREE_DAYS_AGO),
        ("2026년 3월 3일에 무엇을 결정했나요", THIRD_OF_MARCH),
    ],
)
def test_a_time_is_read_in_the_language_of_the_question(text: str, expected: str) -> None:
    query = asked(text)
    assert named(query) == expected
    assert (query.happenings is None) == ("Schlüssel" in text or "oficina" in text), (
        "with a subject it is ranked"
    )


def test_the_words_of_a_time_are_no_subject() -> None:
    query = asked("Welche Termine habe ich nächste Woche?")
    assert query.time_words >= {"nächste", "woche"}
    assert query.terms["woch"] < query.terms["termin"]
    query = asked("Wann war im März 2026 die Wahl?")
    assert "märz" in query.time_words
    assert "wahl" not in query.time_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was war bis zum 3. März 2026 offen?", "open .. 2026-03-04"),
        ("Was haben wir bis Ende Februar 2026 gemacht?", "open .. 2026-03-01"),
        ("Welche Termine habe ich nächste Woche?", "2026-05-25 .. 2026-06-01"),
        ("Was habe ich übermorgen vor?", "2026-05-22 .. 2026-05-23"),
    ],
)
def test_a_time_to_come_is_read_in_german(text: str, expected: str) -> None:
    assert named(asked(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Was steht im Vertrag über die Kündigung bis zum Ende der Frist?",
        "Combien de clés y a-t-il dans le tiroir ?",
        "Какой ключ открывает дверь?",
        "Quanto tempo há para responder?",
        "Da quale porta si entra?",
        "Hoe werkt de sleutel van deze deur?",
        "Gün sayısı nasıl hesaplanır?",
        "変数名に使える文字は何ですか",
        "怎么取消请求？",
        "환불 한도는 얼마인가요?",
        "How did Mars 2020 land?",
        "Which rover was on Mars 2020?",
    ],
)
def test_a_question_without_a_time_has_none(text: str) -> None:
    query = asked(text)
    assert (query.since, query.until, query.happenings) == (None, None, None)


@given(st.text(max_size=60), st.sampled_from(Language))
def test_any_text_is_read_in_any_language(text: str, language: Language) -> None:
    time_range(abroad.times(language, text), NOW)
    abroad.happenings(language, text)


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("Wir nehmen den blauen Schlüssel.", "Was haben wir heute entschieden?"),
        ("青い鍵を使います。", "今日は何を決めましたか？"),
        ("我们用蓝色的钥匙。", "今天我们决定了什么？"),
        ("파란 열쇠를 쓴다.", "오늘 무엇을 결정했어?"),
    ],
)
def test_a_question_about_a_day_finds_what_was_remembered_on_it(
    tmp_path: Path, value: str, question: str
) -> None:
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.memories.remember("key/colour", value)
        assert value in daypack.pack(question, budget=300).text
        before = (
            question.replace("heute", "gestern")
            .replace("今日", "昨日")
            .replace("今天", "昨天")
            .replace("오늘", "어제")
        )
        assert value not in daypack.pack(before, budget=300).text
