"""Which days the names of files, titles and headings are about."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from daypack.query import parse_query
from daypack.query.times.dated_names import date_of_front_matter, days_of, days_of_path, mentions_of, value_of
from daypack.types import Days

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
THE_23RD = Days(date(2026, 1, 23), date(2026, 1, 23))


@pytest.mark.parametrize(
    "name",
    [
        "2026-01-23",
        "2026_01_23 notes",
        "20260123",
        "202601231415 a thought",
        "23-01-2026",
        "23/1/2026",
        "1/23/2026",
        "23.1.2026",
        "23 January 2026",
        "January 23, 2026",
        "Jan 23rd, 2026",
        "2026-Jan-23",
        "Friday, 23 January 2026",
        "Freitag, 23. Januar 2026",
        "23 janvier 2026",
        "23 de enero de 2026",
        "23 января 2026",
        "2026年1月23日",
        "[1.2.0] - 2026-01-23",
    ],
)
def test_a_name_may_write_a_day_in_any_form(name: str) -> None:
    assert (2026, 1, 23) in days_of(name)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("- [ ] Mow the lawn 📅 2026-01-23", 2026),
        ("due: 2026-01-23T10:00:00Z", 2026),
        ("When: Friday 23 January 2026, 11:15 to 11:45", 2026),
        ("Paid on the 23rd of January.", None),
        ("On January 23rd, 2025 we met.", 2025),
        ("| 2025-Jan-23 | paid |", 2025),
        ("Am 23. Januar wird gemäht.", None),
        ("1/23/2026: paid", 2026),
    ],
)
def test_a_text_may_mention_a_day_in_any_form(text: str, year: int | None) -> None:
    assert {*mentions_of(THE_23RD.first, f"Some words before it. {text} And some after.")} == {(year, 1, 23)}


@pytest.mark.parametrize(
    "text",
    [
        "The January fair has 23 stands.",
        "from 1-23 items",
        "version 1.23.4",
        "2026-01-24",
        "23 June 2026, or January",
    ],
)
def test_a_text_with_the_numbers_of_a_day_alone_does_not_mention_it(text: str) -> None:
    assert mentions_of(THE_23RD.first, text) == []


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2026, 5, 30), "At least 30 may fail before the alarm rings."),
        (date(2026, 5, 30), "Of the doors up to 30 may be open, and may 30 pods run?"),
        (date(2026, 3, 4), "They march 4 abreast, in 4 marches."),
        (date(2026, 9, 5), "The field sep 5 chars wide, timeout 5 sep 10."),
        (date(2026, 12, 5), "It reads dec 5 bytes."),
    ],
)
def test_a_small_word_that_is_no_month_mentions_no_day(day: date, text: str) -> None:
    assert mentions_of(day, text) == []


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2026, 5, 30), "It ends on 30 May."),
        (date(2026, 5, 30), "it ends on 30 may 2026"),
        (date(2026, 5, 30), "IT ENDS ON MAY 30"),
        (date(2026, 12, 5), "due 2026-dec-5"),
        (date(2026, 11, 30), "it ends on 30 november"),
        (date(2026, 3, 4), "le 4 mars"),
    ],
)
def test_a_month_with_a_capital_or_a_year_mentions_its_day(day: date, text: str) -> None:
    assert mentions_of(day, text)


@pytest.mark.parametrize(
    "name", ["3-4-2026", "3/4/2026", "1.2.3", "12345678", "2026-13-45", "Room 2026", "in May", "30 February"]
)
def test_a_name_with_other_numbers_is_about_no_day(name: str) -> None:
    assert days_of(name) == []


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("daily/2026-01-23.md", (2026, 1, 23)),
        ("2026/01/23.md", (2026, 1, 23)),
        ("Journal/2026/01-January/23 Friday.md", (2026, 1, 23)),
        ("Journal/2026/01-January/2026-01-23/notes.md", (2026, 1, 23)),
        ("notes/2026-03.md", (2026, 3, None)),
        ("2026/March.md", (2026, 3, None)),
    ],
)
def test_a_path_may_have_the_day_in_its_folders(path: str, day: tuple[int, int, int | None]) -> None:
    assert day in days_of_path(path)


@pytest.mark.parametrize("path", ["src/v1.2/main.md", "Journal 2026.md", "chapter-01/23.md"])
def test_a_path_with_other_numbers_is_about_no_day(path: str) -> None:
    assert days_of_path(path) == []


def test_a_heading_without_a_year_takes_that_of_its_file() -> None:
    headings = ["Journal", "Friday, 23 January"]
    assert value_of(THE_23RD, "Journal.md", "Journal", headings) == 1
    assert value_of(THE_23RD, "Journal 2026.md", "Journal", headings) == 1
    assert value_of(THE_23RD, "Journal 2025.md", "Journal", headings) == 0


def test_a_note_of_the_day_is_worth_more_than_a_plan_for_it_in_the_note_of_another() -> None:
    own = value_of(THE_23RD, "2026-01-23.md", "2026-01-23", ["2026-01-23"])
    plan = value_of(THE_23RD, "2026-01-22.md", "2026-01-22", ["2026-01-22", "Plan for 2026-01-23"])
    assert own > plan > 0


def test_a_section_is_about_the_innermost_day() -> None:
    above = ["2026-01-22", "2026-01-23"]  # a log with one chapter a day, whose title is the first of them
    assert value_of(THE_23RD, "log.md", "2026-01-22", above[1:]) == 1
    assert value_of(THE_23RD, "log.md", "2026-01-22", above[:1]) == 0


def test_a_day_without_a_year_may_be_of_another_one() -> None:
    any_year = THE_23RD._replace(any_year=True)
    assert value_of(any_year, "2026-01-23.md", "", []) > value_of(any_year, "2024-01-23.md", "", []) > 0
    assert value_of(THE_23RD, "2024-01-23.md", "", []) == 0


def test_a_stretch_holds_the_days_and_months_inside_it() -> None:
    march = Days(date(2026, 3, 1), date(2026, 3, 31))
    assert [value_of(march, f"{name}.md", "", []) for name in ("2026-03-31", "2026-03", "2026-04-01")] == [
        1,
        1,
        0,
    ]


def test_a_newer_day_of_a_long_stretch_is_worth_a_little_more() -> None:
    year = Days(date(2026, 1, 1), date(2026, 12, 31))
    old, new = (value_of(year, f"2026-{day}.md", "", []) for day in ("01-01", "12-31"))
    assert 0.9 < old < new == 1


def test_front_matter_has_the_day_of_a_note() -> None:
    assert date_of_front_matter('---\ntitle: Call\ndate: "2026-01-23"\n---\n\nText.\n') == '"2026-01-23"'
    assert date_of_front_matter("Text.\n\ndate: 2026-01-23\n") == ""


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did I do on 23.1.2026?", "2026-01-23", "2026-01-23"),
        ("what did I do on 1/23/2026?", "2026-01-23", "2026-01-23"),
        ("Was war am 23.1. los?", "2026-01-23", "2026-01-23"),
        ("qu'ai-je fait le 1er mars 2026 ?", "2026-03-01", "2026-03-01"),
        ("¿Qué hice el 23 de enero de 2026?", "2026-01-23", "2026-01-23"),
        ("notes of March 2026", "2026-03-01", "2026-03-31"),
        ("what did we decide last week?", "2026-11-16", "2026-11-22"),
        ("what happened between 3 and 5 March?", "2026-03-03", "2026-03-05"),
        ("what happened from March 3 to 5, 2026?", "2026-03-03", "2026-03-05"),
        ("anything new since Monday?", "2026-11-23", "2026-11-28"),
    ],
)
def test_a_question_names_days(question: str, first: str, last: str) -> None:
    days = parse_query(question, now=NOW).days
    assert days is not None
    assert (days.first.isoformat(), days.last.isoformat(), days.alone) == (first, last, True)


@pytest.mark.parametrize("question", ["what is on 3/4/2026?", "what happened before May?", "who calls run?"])
def test_a_question_without_a_certain_beginning_names_no_days(question: str) -> None:
    assert parse_query(question, now=NOW).days is None


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("daily note of 17 March", True),
        ("what did we decide in the meeting on 3 March?", True),
        ("Notiz vom 3. März 2026", True),
        ("what did the law of 3 March 2019 change?", False),
        ("what did Ann say about the roof on 3 March?", False),
    ],
)
def test_a_question_for_a_kind_of_note_has_no_other_subject_than_the_day(question: str, alone: bool) -> None:
    days = parse_query(question, now=NOW).days
    assert days is not None
    assert days.alone is alone


@pytest.mark.parametrize(
    "question",
    ["does it write dec 5 bytes?", "why has mar 3 columns?", "timeout 5 sep 10", "may 3 pods run at once?"],
)
def test_small_words_that_count_things_name_no_days(question: str) -> None:
    assert parse_query(question, now=NOW).days is None


@pytest.mark.parametrize("question", ["what did we do on dec 5?", "notes of 5 sep 2025", "dec 5 meeting"])
def test_a_small_month_of_a_question_names_a_day(question: str) -> None:
    assert parse_query(question, now=NOW).days is not None
