"""Words for a part of a year, a quarter or a month, on Saturday 28 November 2026."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from daypack.errors import BadDate
from daypack.query import OtherTime, other_time, parse_query
from daypack.query.times.dates import moment_of, time_range, without_times
from daypack.query.times.stretches import PARTS_OF_MONTHS, months_from, part_of_months

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)


def named(text: str, now: datetime = NOW) -> str:
    since, until = time_range(text, now)
    shown = ["open" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}" for at in (since, until)]
    return "none" if since is until is None else " .. ".join(shown)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in early 2025", "2025-01-01 .. 2025-05-01"),
        ("early in 2025", "2025-01-01 .. 2025-05-01"),
        ("at the beginning of 2025", "2025-01-01 .. 2025-05-01"),
        ("at the start of last year", "2025-01-01 .. 2025-05-01"),
        ("mid 2025", "2025-05-01 .. 2025-09-01"),
        ("mid-2025", "2025-05-01 .. 2025-09-01"),
        ("in the middle of 2025", "2025-05-01 .. 2025-09-01"),
        ("late in 2025", "2025-09-01 .. 2026-01-01"),
        ("at the end of last year", "2025-09-01 .. 2026-01-01"),
        ("at the end of the year before last", "2024-09-01 .. 2025-01-01"),
        ("in the first half of 2025", "2025-01-01 .. 2025-07-01"),
        ("the second half of this year", "2026-07-01 .. 2027-01-01"),
        ("in the first quarter of last year", "2025-01-01 .. 2025-04-01"),
        ("in Q3 of last year", "2025-07-01 .. 2025-10-01"),
        ("the last quarter of 2025", "2025-10-01 .. 2026-01-01"),
        ("in the first quarter?", "2026-01-01 .. 2026-04-01"),
        ("early in Q3 2025", "2025-07-01 .. 2025-08-01"),
        ("at the end of last quarter", "2026-09-01 .. 2026-10-01"),
        ("late last summer", "2026-08-01 .. 2026-09-01"),
        ("at the beginning of September 2025", "2025-09-01 .. 2025-09-11"),
        ("in mid-September", "2026-09-11 .. 2026-09-21"),
        ("at the end of june", "2026-06-21 .. 2026-07-01"),
        ("late May", "2026-05-21 .. 2026-06-01"),
        ("who led in late December?", "2025-12-21 .. 2026-01-01"),
        ("who will lead early next year?", "2027-01-01 .. 2027-05-01"),
    ],
)
def test_a_word_for_a_part_narrows_a_year_a_quarter_or_a_month(text: str, expected: str) -> None:
    assert named(text) == expected
    assert set(without_times(text, NOW).split()) <= {"in", "at", "who", "led", "will", "lead", "?"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did we use at the start of the year?", "2026-01-01 .. 2026-05-01"),
        ("which tool was new late in the year?", "2026-09-01 .. 2027-01-01"),
        ("what has changed since the beginning of the year?", "2026-01-01 .. open"),
        ("what will we use at the end of the month?", "2026-11-21 .. 2026-12-01"),
        ("what will we use at the start of the month?", "2026-12-01 .. 2026-12-11"),
        ("the end of the quarter", "2026-09-01 .. 2026-10-01"),
        ("what runs at the end of the month?", "none"),
        ("why did the function return the start of the month?", "none"),
        ("will the function return the start of the month?", "none"),
        ("who added the job that runs at the end of the month?", "none"),
        ("who added the job which sends invoices at the end of the month?", "none"),
        ("I have a job that runs. What did we say at the end of the month?", "2026-11-21 .. 2026-12-01"),
        ("which trains were late at the end of the month?", "2026-11-21 .. 2026-12-01"),
        ("who found the key that was lost at the start of the month?", "2026-11-01 .. 2026-11-11"),
        ("what is in the report of the start of the year?", "none"),
        ("why was the second half of the year view empty?", "none"),
        ("what did we use earlier this year?", "2026-01-01 .. 2026-11-28"),
    ],
)
def test_the_year_is_this_one_where_a_question_is_about_the_past_or_the_future(
    text: str, expected: str
) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("where did we live in summer?", "2026-06-01 .. 2026-09-01"),
        ("what was Mara reading in the summer?", "2026-06-01 .. 2026-09-01"),
        ("in the summer, where did CI run?", "2026-06-01 .. 2026-09-01"),
        ("who was on call over the summer?", "2026-06-01 .. 2026-09-01"),
        ("where did CI run during the winter?", "2025-12-01 .. 2026-03-01"),
        ("which team did we have in autumn when CI moved?", "2026-09-01 .. 2026-12-01"),
        ("what did we use in late summer?", "2026-08-01 .. 2026-09-01"),
        ("what did we use at the end of the summer?", "2026-08-01 .. 2026-09-01"),
        ("who led the team before the summer?", "open .. 2026-06-01"),
        ("who has led the team since the summer?", "2026-06-01 .. open"),
        ("where will we live in the summer?", "2027-06-01 .. 2027-09-01"),
        ("what did we use in the summer of 2024?", "2024-06-01 .. 2024-09-01"),
        ("in summer", "2026-06-01 .. 2026-09-01"),
        ("how do we heat the office in winter?", "none"),
        ("who slept in the summer house?", "none"),
        ("what was in the fall-back plan?", "none"),
        ("why did the price drop in the fall of the market?", "none"),
        ("how did we register beans in Spring?", "none"),
    ],
)
def test_a_season_is_that_of_the_tense(text: str, expected: str) -> None:
    assert named(text) == expected


def test_a_part_that_is_still_ahead_is_that_of_the_last_year_in_the_past_tense() -> None:
    in_january = datetime(2027, 1, 9, tzinfo=UTC)
    assert named("what did we use at the end of the year?", in_january) == "2026-09-01 .. 2027-01-01"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("before the end of 2025", "open .. 2026-01-01"),
        ("after the start of 2025", "2025-01-01 .. open"),
        ("until the beginning of 2025", "open .. 2025-01-01"),
        ("two weeks before the end of 2025", "2025-12-18 .. 2026-01-01"),
        ("before early 2025", "open .. 2025-01-01"),
        ("since late 2025", "2025-09-01 .. open"),
        ("since the end of 2024", "2025-01-01 .. open"),
        ("since the start of 2024", "2024-01-01 .. open"),
        ("since the end of May", "2026-06-01 .. open"),
        ("what changed since the end of the month?", "2026-11-01 .. open"),
        ("up to the end of 2024", "open .. 2025-01-01"),
        ("up to the start of 2024", "open .. 2024-01-01"),
        ("up to May 2024", "open .. 2024-06-01"),
        ("up to May", "open .. 2026-06-01"),
        ("from the start of 2023 up to the end of 2024", "2023-01-01 .. 2025-01-01"),
        ("between mid 2024 and early 2025", "2024-05-01 .. 2025-05-01"),
        ("from the start of 2024 to the end of 2025", "2024-01-01 .. 2026-01-01"),
        ("compared to the start of 2025", "2025-01-01 .. 2025-05-01"),
    ],
)
def test_before_and_after_an_end_mean_its_edge(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between late April and early May 2024", "2024-04-21 .. 2024-05-11"),
        ("from early April to mid June 2024", "2024-04-01 .. 2024-06-21"),
        ("from mid-May to late July 2023", "2023-05-11 .. 2023-08-01"),
        ("between the end of May and the start of July 2023", "2023-05-21 .. 2023-07-11"),
        ("between late May and July 2023", "2023-05-21 .. 2023-08-01"),
        ("between late may and july 2023", "2023-05-21 .. 2023-08-01"),
        ("from the start of May to the end of 2024", "2024-05-01 .. 2025-01-01"),
        ("between late May and the release of autumn 2023", "2023-05-21 .. 2023-12-01"),
        ("in late April or May 2024", "2024-04-21 .. 2024-06-01"),
        ("in April or in early May of 2024", "2024-04-01 .. 2024-05-11"),
        ("in April, May or June 2024", "2024-04-01 .. 2024-07-01"),
        ("in May and July 2023", "2023-05-01 .. 2023-08-01"),
        ("between late December and early January 2024", "2023-12-21 .. 2024-01-11"),
        ("in May or in 2020", "2020-01-01 .. 2026-06-01"),
        ("between late May and July", "2026-05-21 .. 2026-08-01"),
    ],
)
def test_months_that_are_joined_share_the_year_of_the_last(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "at the end of the file",
        "the start of the quarter column",
        "an early return",
        "early may fail",
        "late march on",
        "the second half of the list",
        "in the first quarter of the list",
        "late binding",
        "the late 1990s",
        "the first half of 2000 lines",
        "early 2000 requests",
        "earlier 2025 builds",
        "mid 2025.1 builds",
        "the middle of the month column",
        "up to 2000 photos",
    ],
)
def test_such_words_beside_others_are_no_times(text: str) -> None:
    assert named(text) == "none"


@pytest.mark.parametrize(
    ("text", "expected", "rest"),
    [
        ("early 3 May 2024", "2024-05-03 .. 2024-05-04", ["early"]),
        ("the end of last week", "2026-11-16 .. 2026-11-23", ["the", "end", "of"]),
        ("which train was late in May?", "2026-05-01 .. 2026-06-01", ["which", "train", "was", "late", "in", "?"]),
    ],
)  # fmt: skip
def test_such_words_stay_beside_other_dates_and_where_they_tell_how(
    text: str, expected: str, rest: list[str]
) -> None:
    assert named(text) == expected
    assert without_times(text, NOW).split() == rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who was late last year?", "2025-01-01 .. 2026-01-01"),
        ("which trains were late last month?", "2026-10-01 .. 2026-11-01"),
        ("which invoices were paid late last year?", "2025-01-01 .. 2026-01-01"),
        ("which trains were not early last year?", "2025-01-01 .. 2026-01-01"),
        ("was the delivery late this quarter?", "2026-10-01 .. 2027-01-01"),
        ("why weren’t the morning trains early last year?", "2025-01-01 .. 2026-01-01"),
        ("were the trains late in May?", "2026-05-01 .. 2026-06-01"),
        ("was it late last month?", "2026-10-01 .. 2026-11-01"),
        ("who led the team late last year?", "2025-09-01 .. 2026-01-01"),
        ("was the plan approved late last year?", "2025-09-01 .. 2026-01-01"),
        ("was the mayor in late 2024 ill?", "2024-09-01 .. 2025-01-01"),
        ("what was the price at the end of last year?", "2025-09-01 .. 2026-01-01"),
    ],
)
def test_early_and_late_that_tell_how_it_was_leave_the_whole_time(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did we ship late this month?", "2026-11-01 .. 2026-12-01"),
        ("what did we ship in late 2026?", "2026-09-01 .. 2027-01-01"),
        ("what did we ship before the end of this month?", "open .. 2026-12-01"),
        ("what will we ship late this month?", "2026-11-21 .. 2026-12-01"),
        ("what did we plan for early next year?", "2027-01-01 .. 2027-05-01"),
        ("who led in late November?", "2025-11-21 .. 2025-12-01"),
    ],
)
def test_a_past_question_about_a_part_that_is_still_ahead_means_the_whole(text: str, expected: str) -> None:
    assert named(text, datetime(2026, 11, 9, tzinfo=UTC)) == expected


@given(
    st.sampled_from(sorted(PARTS_OF_MONTHS)),
    st.sampled_from(["2025", "last year", "this year", "September 2025", "February 2024", "last month", "Q2 2025", "last quarter", "winter 2024"]),
    st.datetimes(datetime(2025, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
)  # fmt: skip
def test_a_part_narrows_a_time_and_never_leaves_it(part: str, whole: str, now: datetime) -> None:
    since, until = time_range(f"in {whole}", now)
    assume(since is not None and until is not None)
    assert since is not None
    assert until is not None
    joint = " " if part in ("early", "mid", "late") else " of "
    first, end = time_range(f"in the {part}{joint}{whole}", now)
    assert first is not None
    assert end is not None
    assert since <= first < end <= until
    assert end - first < until - since


@given(st.integers(1970, 2100), st.integers(1, 12), st.sampled_from([1, 3, 12]))
def test_the_parts_of_a_time_follow_each_other_without_a_gap(year: int, month: int, count: int) -> None:
    whole = months_from(year, month, count)
    for names in (("early", "mid", "late"), ("first half", "second half"), ("q1", "q2", "q3", "q4")):
        parts = [part_of_months(whole, name) for name in names]
        assert (parts[0][0], parts[-1][1]) == whole
        assert [end for _, end in parts[:-1]] == [first for first, _ in parts[1:]]


def test_an_argument_may_name_a_part_as_well() -> None:
    assert moment_of("late 2025", NOW) == datetime(2025, 9, 1, tzinfo=UTC).timestamp()
    assert moment_of("the start of the year", NOW) == datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    with pytest.raises(BadDate):
        moment_of("the end of the file", NOW)


# ---------------------------------------------------------------- the time that runs


def asked(question: str) -> OtherTime | None:
    return other_time(parse_query(question, now=NOW), NOW)


@pytest.mark.parametrize(
    "question",
    ["was the office at Hafenstrasse in 2026?", "who led the team this year?", "who was the lead this year?"],
)
def test_a_question_in_the_past_about_the_running_year_means_it_until_now(question: str) -> None:
    assert asked(question) == OtherTime(datetime(2026, 1, 1, tzinfo=UTC).timestamp(), NOW.timestamp())


def test_earlier_this_year_means_another_value_than_the_present_one() -> None:
    time = asked("which database did Ann pick earlier this year?")
    assert time is not None
    assert time.present_last
    assert time.until == NOW.timestamp()


@pytest.mark.parametrize(
    "question",
    ["who leads the team this year?", "who has led the team since May?", "what did we do this year?"],
)
def test_the_running_year_is_the_present_in_other_questions(question: str) -> None:
    assert asked(question) is None
