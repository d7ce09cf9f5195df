"""Points that end a sentence, and points that do not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.text.prose.endings import goes_on
from daypack.text.prose.months import is_month, month_names


def points(text: str) -> list[bool]:
    """Of each point of a text, whether the sentence goes on behind it."""
    return [goes_on(text, found.start(), found.end()) for found in re.finditer(r"\.\s+", text)]


@pytest.mark.parametrize(
    "text",
    [
        "Der Flug landet am 9. Juni um 14:35.",
        "Abgabe ist Montag, 9. Okt. 2026.",
        "Er kommt am 9. 6. 2026 an.",
        "Die Wohnung liegt im 2. Obergeschoss.",
        "The ferry leaves on 4. June at noon.",
        "The surgery is done by Dr. Osei.",
        "La llamó la Sra. López.",
        "Vgl. Abschnitt 3.",
        "See No. 5 on the list.",
        "Der Laden ist in der Lindenstr. 14 im Hof.",
        "Sklep jest przy ul. Długiej.",
        "Der Notdienst hat Tel. 0341 558720.",
        "Langsame Fahrzeuge, z. B. Boote, warten.",
        "The idea came from Mary S. Harbour.",
        "Use a script, e.g. Make.",
    ],
)
def test_a_sentence_goes_on_behind_a_date_and_an_abbreviation(text: str) -> None:
    assert all(points(text))


@pytest.mark.parametrize(
    "text",
    [
        "He lives in house 14. The garden is small.",
        "Did he come? No. He went home.",
        "The boat leaves at 9 a.m. The crew is early.",
        "It costs 3.14. The rest is free.",
        "That was plan b. Nobody had another.",
        "Give me your tel. The form asks for it.",
        "Mein Bruder wohnt in Haus 14. Dort ist es ruhig.",
    ],
)
def test_other_points_end_a_sentence(text: str) -> None:
    assert not any(points(text))


@given(st.text(alphabet="aZ. 19é\nд", max_size=30))
def test_any_point_is_looked_at(text: str) -> None:
    for at, letter in enumerate(text):
        if letter == ".":
            assert goes_on(text, at, at + 1) in (True, False)


def test_a_month_is_known_by_its_name_and_by_its_first_letters() -> None:
    assert {"june", "märz", "jänner", "enero", "мая"} <= dict(month_names()).keys()
    assert is_month("Okt") and is_month("Juni") and not is_month("Montag")
