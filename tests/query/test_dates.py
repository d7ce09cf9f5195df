"""Which stretch of time a question names, on Wednesday 20 May 2026, 15:30 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.errors import BadDate
from daypack.query import time_in_words
from daypack.query.times.dates import end_of, moment_of, time_range

NOW = datetime(2026, 5, 20, 15, 30, tzinfo=UTC)


def named(text: str, now: datetime = NOW) -> str:
    """The stretch as `since .. until`, with the hour where it is not midnight."""

    def show(moment: float | None) -> str:
        if moment is None:
            return "open"
        at = datetime.fromtimestamp(moment, UTC)
        return at.strftime("%Y-%m-%d") if (at.hour, at.minute) == (0, 0) else at.strftime("%Y-%m-%d %H:%M")

    since, until = time_range(text, now)
    return "none" if since is None and until is None else f"{show(since)} .. {show(until)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did we do today", "2026-05-20 .. 2026-05-21"),
        ("what did Ann say yesterday?", "2026-05-19 .. 2026-05-20"),
        ("the day before yesterday", "2026-05-18 .. 2026-05-19"),
        ("what broke the week before March 10?", "2026-03-03 .. 2026-03-10"),
        ("what broke two weeks before 10 March 2025?", "2025-02-24 .. 2025-03-10"),
        ("what broke the month before March?", "2026-02-01 .. 2026-03-01"),
        ("what broke on the Sunday before 10 March 2026?", "2026-03-08 .. 2026-03-09"),
        ("what broke before March?", "open .. 2026-03-01"),
        ("what broke last night", "2026-05-19 18:00 .. 2026-05-20 06:00"),
        ("decisions of last week", "2026-05-11 .. 2026-05-18"),
        ("decisions of this week", "2026-05-18 .. 2026-05-25"),
        ("last weekend", "2026-05-16 .. 2026-05-18"),
        ("what broke over the weekend", "2026-05-16 .. 2026-05-18"),
        ("what did I ask this morning", "2026-05-20 .. 2026-05-20 12:00"),
        ("the call of yesterday evening", "2026-05-19 18:00 .. 2026-05-20"),
        ("what did we do Tuesday?", "2026-05-19 .. 2026-05-20"),
        ("the past morning", "2026-05-19 .. 2026-05-19 12:00"),
        ("what happened between Monday and Wednesday?", "2026-05-18 .. 2026-05-21"),
        ("what did we do since the weekend?", "2026-05-16 .. open"),
        ("what happened the week before last?", "2026-05-04 .. 2026-05-11"),
        ("the month before last", "2026-03-01 .. 2026-04-01"),
        ("what did we do on the 19th?", "2026-05-19 .. 2026-05-20"),
        ("what did we do on the 31st?", "2026-03-31 .. 2026-04-01"),
        ("it is on the 3rd floor", "none"),
        ("it happens on the 45th", "none"),
        ("last month", "2026-04-01 .. 2026-05-01"),
        ("last quarter", "2026-01-01 .. 2026-04-01"),
        ("last year", "2025-01-01 .. 2026-01-01"),
        ("in the past week", "2026-05-13 15:30 .. 2026-05-20 15:30"),
        ("the last 3 days", "2026-05-17 15:30 .. 2026-05-20 15:30"),
        ("in the past two hours", "2026-05-20 13:30 .. 2026-05-20 15:30"),
        ("3 days ago", "2026-05-17 .. 2026-05-18"),
        ("two weeks ago", "2026-05-03 .. 2026-05-10"),
        ("a month ago", "2026-04-01 .. 2026-05-01"),
        ("a couple of days ago", "2026-05-18 .. 2026-05-19"),
        ("on Monday", "2026-05-18 .. 2026-05-19"),
        ("last Wednesday", "2026-05-13 .. 2026-05-14"),
        ("on 2026-10-01", "2026-10-01 .. 2026-10-02"),
        ("2026/10/1 release", "2026-10-01 .. 2026-10-02"),
        ("in 2026-03", "2026-03-01 .. 2026-04-01"),
        ("what happened in May 2023", "2023-05-01 .. 2023-06-01"),
        ("on 8 May, 2023", "2023-05-08 .. 2023-05-09"),
        ("on May 8th 2023", "2023-05-08 .. 2023-05-09"),
        ("the 3rd of March 2024", "2024-03-03 .. 2024-03-04"),
        ("on May 7", "2026-05-07 .. 2026-05-08"),
        ("on December 24", "2025-12-24 .. 2025-12-25"),
        ("on 29 February", "2024-02-29 .. 2024-03-01"),
        ("in June", "2025-06-01 .. 2025-07-01"),
        ("in 2024", "2024-01-01 .. 2025-01-01"),
        ("next week", "2026-05-25 .. 2026-06-01"),
        ("next month", "2026-06-01 .. 2026-07-01"),
        ("the coming year", "2027-01-01 .. 2028-01-01"),
        ("next January", "2027-01-01 .. 2027-02-01"),
        ("next May", "2027-05-01 .. 2027-06-01"),
        ("next Wednesday", "2026-05-27 .. 2026-05-28"),
        ("the next 3 days", "2026-05-20 15:30 .. 2026-05-23 15:30"),
        ("what is due tomorrow", "2026-05-21 .. 2026-05-22"),
        ("the day after tomorrow", "2026-05-22 .. 2026-05-23"),
        ("three weeks from now", "2026-06-07 .. 2026-06-14"),
        ("the plan in Q1 2024", "2024-01-01 .. 2024-04-01"),
        ("the first quarter of 2026", "2026-01-01 .. 2026-04-01"),
        ("2025-Q4 figures", "2025-10-01 .. 2026-01-01"),
        ("what broke in Q3", "2025-07-01 .. 2025-10-01"),
        ("last summer", "2025-06-01 .. 2025-09-01"),
        ("last spring", "2025-03-01 .. 2025-06-01"),
        ("this spring", "2026-03-01 .. 2026-06-01"),
        ("next winter", "2026-12-01 .. 2027-03-01"),
        ("in summer 2024", "2024-06-01 .. 2024-09-01"),
        ("in the winter of 2025", "2025-12-01 .. 2026-03-01"),
        ("on Christmas 2024", "2024-12-24 .. 2024-12-27"),
        ("on Christmas Eve", "2025-12-24 .. 2025-12-25"),
        ("last Christmas", "2025-12-24 .. 2025-12-27"),
        ("on New Year's Eve", "2025-12-31 .. 2026-01-01"),
        ("deploy region 2026-03", "2026-03-01 .. 2026-04-01"),
    ],
)
def test_a_date_is_a_stretch_as_wide_as_its_words(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who will lead in January?", "2027-01-01 .. 2027-02-01"),
        ("who will lead in May?", "2026-05-01 .. 2026-06-01"),
        ("who'll be on call on Friday?", "2026-05-22 .. 2026-05-23"),
        ("what will close on June 3?", "2026-06-03 .. 2026-06-04"),
        ("what will close on the 3rd?", "2026-06-03 .. 2026-06-04"),
        ("what will close in two weeks?", "2026-05-31 .. 2026-06-07"),
        ("what is planned for July?", "2026-07-01 .. 2026-08-01"),
        ("who will lead until March?", "open .. 2027-04-01"),
        ("is it open in June?", "2026-06-01 .. 2026-07-01"),
        ("who is on call on Monday?", "2026-05-25 .. 2026-05-26"),
        ("who is on call Monday?", "2026-05-25 .. 2026-05-26"),
        ("who is on call over the weekend?", "2026-05-23 .. 2026-05-25"),
        ("is the office open on the 30th?", "2026-05-30 .. 2026-05-31"),
        ("what is new since Monday?", "2026-05-18 .. open"),
        ("what are the notes from Monday?", "2026-05-18 .. 2026-05-19"),
        ("what did we note on Monday?", "2026-05-18 .. 2026-05-19"),
        ("who will lead in 2030?", "2030-01-01 .. 2031-01-01"),
        ("who will lead in summer 2031?", "2031-06-01 .. 2031-09-01"),
        ("who leads in June?", "2026-06-01 .. 2026-07-01"),
        ("is it open in October?", "2025-10-01 .. 2025-11-01"),
        ("what is new since June?", "2025-06-01 .. open"),
        ("who led in June?", "2025-06-01 .. 2025-07-01"),
        ("what did Will say in June?", "2025-06-01 .. 2025-07-01"),
        ("what did they say will happen in June?", "2025-06-01 .. 2025-07-01"),
    ],
)
def test_the_tense_tells_which_year_a_date_without_one_means(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("before 2023-05-01", "open .. 2023-05-01"),
        ("before May 2023", "open .. 2023-05-01"),
        ("until yesterday", "open .. 2026-05-20"),
        ("by Friday", "open .. 2026-05-16"),
        ("after 2023", "2024-01-01 .. open"),
        ("after May 1, 2023", "2023-05-02 .. open"),
        ("since 2024", "2024-01-01 .. open"),
        ("since last Monday", "2026-05-18 .. open"),
        ("changes since 3 days ago", "2026-05-17 .. open"),
        ("since last week", "2026-05-11 .. open"),
        ("between May and July 2023", "2023-05-01 .. 2023-08-01"),
        ("between 2021 and 2023", "2021-01-01 .. 2024-01-01"),
        ("from 1 March 2024 to 5 March 2024", "2024-03-01 .. 2024-03-06"),
        ("from Monday until yesterday", "2026-05-18 .. 2026-05-20"),
        ("after March 2024 and before June 2024", "2024-04-01 .. 2024-06-01"),
        ("yesterday and today", "2026-05-19 .. 2026-05-21"),
    ],
)
def test_prepositions_open_an_end_or_join_two_dates(text: str, expected: str) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "how does this work",
        "this may break",
        "it may 5 times fail",
        "you may march on",
        "the march of progress",
        "may I ask",
        "the sun sat on the mat",
        "a retry in 2048 tokens",
        "in 2000 lines of code",
        "port 2023 is taken",
        "between tests and documentation",
        "the last element of this list",
        "after the request, before the response",
        "from cart import total",
        "version 2023.1.2",
        "Monday meetings",
        "CVE-2023-12345",
        "the 2010-11 season",
        "recently",
        "on 2026-13-45",
        "on 31 February 2024",
        "in 1850",
        "what did we do in 3 days",
        "how are beans defined in Spring?",
        "fall back to the last value",
        "does the last fall through to the default?",
        "how do I upgrade to the next Spring release?",
        "what does the last Spring Boot version need?",
        "Will a lock be released within 5 minutes?",
        "will the token expire in 24 hours?",
        "will the cache be read within 3 days?",
        "will a key of 2048 bits do?",
        "will it fit in 2048 bits?",
        "who led in 2060?",
        "the report for May",
        "who owns the Christmas tree?",
        "ticket AB-2026-03",
    ],
)
def test_words_with_other_meanings_are_no_dates(text: str) -> None:
    assert named(text) == "none"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tickets 41 and 3 May 2024", "2024-05-03 .. 2024-05-04"),
        ("tickets 2 and 3 May 2024", "2024-05-03 .. 2024-05-04"),
        ("between room 12 and 3 May 2024", "2024-05-03 .. 2024-05-04"),
        ("who came at 10:30 - 5 May?", "2026-05-05 .. 2026-05-06"),
        ("Release 1.2 - 5 May 2024", "2024-05-05 .. 2024-05-06"),
        ("On March 3 and 10 people came, who?", "2026-03-03 .. 2026-03-04"),
        ("what failed on May 5 and 20 minutes later?", "2026-05-05 .. 2026-05-06"),
        ("who came on March 3 - 10 people?", "2026-03-03 .. 2026-03-04"),
        ("retries between 3 and 5 may fail, why?", "none"),
        ("retries 3 to 5 may fail, why?", "none"),
        ("what happened on 3 and 5 May 2024?", "2024-05-03 .. 2024-05-06"),
        ("what happened between May 3 and 5 in Rome?", "2026-05-03 .. 2026-05-06"),
        ("what happened on May 3 and 5, 2024?", "2024-05-03 .. 2024-05-06"),
        ("what happened May 3 to 5 2024?", "2024-05-03 .. 2024-05-06"),
        ("what happened 3-5 May?", "2026-05-03 .. 2026-05-06"),
        ("what happened from 3rd to 5th of may 2024?", "2024-05-03 .. 2024-05-06"),
    ],
)
def test_a_number_beside_a_date_is_no_other_day(text: str, expected: str) -> None:
    assert named(text) == expected


@given(
    st.text(max_size=100)
    | st.sampled_from(["9999 years ago", "last 9999 months", "on 9999-12-31", "in 9999-12"]),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_text_at_any_time_gives_an_ordered_stretch_or_none(text: str, now: datetime) -> None:
    since, until = time_range(text, now)
    assert since is None or until is None or since < until


def test_the_last_day_of_a_month_has_a_month_before_it() -> None:
    on_the_31st = datetime(2026, 3, 31, tzinfo=UTC)
    assert named("a month ago", on_the_31st) == "2026-02-01 .. 2026-03-01"
    assert named("the last 2 months", on_the_31st) == "2026-01-28 .. 2026-03-31"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-01", "2026-05-01 00:00"),
        ("2026-05-01T14:00+02:00", "2026-05-01 12:00"),
        ("2026-05-01T14:00Z", "2026-05-01 14:00"),
        ("2026-05-01 14:00:00Z", "2026-05-01 14:00"),
        ("2026-W18", "2026-04-27 00:00"),
        ("now", "2026-05-20 15:30"),
        ("today", "2026-05-20 00:00"),
        (" Yesterday ", "2026-05-19 00:00"),
        ("3 days ago", "2026-05-17 00:00"),
        ("two weeks ago", "2026-05-06 00:00"),
        ("2 hours ago", "2026-05-20 13:30"),
        ("last week", "2026-05-11 00:00"),
        ("this month", "2026-05-01 00:00"),
        ("monday", "2026-05-18 00:00"),
        ("march", "2026-03-01 00:00"),
        ("May 2025", "2025-05-01 00:00"),
        ("2024", "2024-01-01 00:00"),
    ],
)
def test_a_moment_is_the_beginning_of_the_stretch_that_its_words_name(text: str, expected: str) -> None:
    assert datetime.fromtimestamp(moment_of(text, NOW), UTC).strftime("%Y-%m-%d %H:%M") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-01", "2026-05-01 23:59:59.999999"),
        ("2026-W18", "2026-05-03 23:59:59.999999"),
        ("2026-05-01T14", "2026-05-01 14:59:59.999999"),
        ("2026-05-01T14:00+02:00", "2026-05-01 12:00:59.999999"),
        ("2026-05-01 14:00:00 UTC", "2026-05-01 14:00:00.999999"),
        ("2026-05-01T14:00:00.250Z", "2026-05-01 14:00:00.250000"),
        ("now", "2026-05-20 15:30:00.000000"),
        ("yesterday", "2026-05-19 23:59:59.999999"),
        ("1 day ago", "2026-05-19 23:59:59.999999"),
        ("2 hours ago", "2026-05-20 13:30:00.000000"),
        ("last week", "2026-05-17 23:59:59.999999"),
        ("2024", "2024-12-31 23:59:59.999999"),
    ],
)
def test_the_end_of_a_time_is_that_of_the_stretch_that_its_words_name(text: str, expected: str) -> None:
    assert datetime.fromtimestamp(end_of(text, NOW), UTC).strftime("%Y-%m-%d %H:%M:%S.%f") == expected


def test_a_moment_in_numbers_is_itself() -> None:
    assert end_of(1.5, NOW) == 1.5
    assert moment_of(1.5, NOW) == 1.5


@pytest.mark.parametrize(
    "value",
    [
        "garbage",
        "",
        "soon",
        "2026-13-45",
        "why last week",
        float("nan"),
        1e300,
        True,
        None,
        b"today",
        "x" * 10_000,
    ],
)
def test_what_is_not_a_date_is_refused_with_examples(value: object) -> None:
    with pytest.raises(BadDate, match=r"since .* is not a valid date; write 2026-10-01"):
        moment_of(value, NOW, "since")


# ---------------------------------------------------------------- zones

EVENING = datetime(2026, 11, 24, 18, 30, tzinfo=timezone(timedelta(hours=-8)))
"""Tuesday in Oakland, Wednesday in UTC."""


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did we do today?", "2026-11-24 08:00", "2026-11-25 08:00"),
        ("what did we do yesterday?", "2026-11-23 08:00", "2026-11-24 08:00"),
        ("yesterday evening", "2026-11-24 02:00", "2026-11-24 08:00"),
        ("3 days ago", "2026-11-21 08:00", "2026-11-22 08:00"),
        ("last week", "2026-11-16 08:00", "2026-11-23 08:00"),
        ("on Monday", "2026-11-23 08:00", "2026-11-24 08:00"),
        ("what was decided this month?", "2026-11-01 08:00", "2026-12-01 08:00"),
        ("what was decided last year?", "2025-01-01 08:00", "2026-01-01 08:00"),
    ],
)
def test_a_day_that_counts_from_now_is_a_day_of_the_asker(text: str, first: str, last: str) -> None:
    since, until = time_range(text, EVENING)
    assert since is not None
    assert until is not None
    assert time_in_words(since, until) == f"{first} to {last}"


@pytest.mark.parametrize("text", ["on 2026-11-20", "on November 20, 2026", "in May 2026", "in 2025"])
def test_a_date_that_is_written_out_is_utc_as_it_is_shown(text: str) -> None:
    assert time_range(text, EVENING) == time_range(text, EVENING.astimezone(UTC))


def test_a_moment_in_words_is_read_by_the_clock_of_the_asker_and_a_written_date_is_not() -> None:
    assert moment_of("today", EVENING) == datetime(2026, 11, 24, 8, tzinfo=UTC).timestamp()
    assert moment_of("2026-11-24", EVENING) == datetime(2026, 11, 24, tzinfo=UTC).timestamp()


def test_a_week_across_the_end_of_summer_time_begins_and_ends_at_midnight() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 10, 27, 9, tzinfo=berlin)
    since, until = time_range("last week", now)
    assert since == datetime(2026, 10, 18, 22, tzinfo=UTC).timestamp()
    assert until == datetime(2026, 10, 25, 23, tzinfo=UTC).timestamp()
