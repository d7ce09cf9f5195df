"""The other time that a question asks about, over or to come, on 21 September 2026."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from daypack.query import OtherTime, other_time, parse_query

NOW = datetime(2026, 9, 21, 12, tzinfo=UTC)


def asked(question: str) -> OtherTime | None:
    return other_time(parse_query(question, now=NOW), NOW)


def at(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("who led the team in 2024?", "2024-01-01", "2025-01-01"),
        ("who led the team before March?", None, "2026-03-01"),
        ("what was our database until last year?", None, "2026-01-01"),
        ("where did I live between May and July 2023?", "2023-05-01", "2023-08-01"),
        ("where did we deploy in March 2025?", "2025-03-01", "2025-04-01"),
        ("where did my grandfather live in 1938?", "1938-01-01", "1939-01-01"),
        ("who ran the shop in May 1965?", "1965-05-01", "1965-06-01"),
    ],
)
def test_a_time_that_is_over(question: str, since: str | None, until: str) -> None:
    assert asked(question) == OtherTime(None if since is None else at(since), at(until))


@pytest.mark.parametrize(
    "question",
    [
        "who was formerly the lead?",
        "what was our previous database?",
        "where did the team used to sit?",
        "what did the pool size use to be?",
        "where did I use to live?",
        "what did we use before PostgreSQL?",
        "which database was in place prior to the migration?",
        "who had the keys before Ben?",
        "who led the team before Ann?",
        "who ran the shop prior to the move?",
        "what was our old database?",
        "what was Mara's old address?",
        "what was the kids’ old school?",
        "what was its old name?",
        "which provider did we choose at first?",
        "what was the limit until recently?",
        "where did we keep the logs in the past?",
    ],
)
def test_a_word_for_the_past_means_the_time_before_now(question: str) -> None:
    time = asked(question)
    assert time is not None
    assert time[:3] == (None, NOW.timestamp(), False)


@pytest.mark.parametrize(
    "question",
    [
        "since when does Ann lead the team?",
        "How has the rent changed?",
        "how often did the owner of payments change?",
        "When did we switch to Redis?",
        "how long have we used Redis?",
        "what changed about the release day?",
        "how has the bisque firing developed?",
        "how did the rent change over the years?",
        "how did the owner of payments change",
    ],
)
def test_the_course_of_a_thing_is_all_the_past_with_the_present_first(question: str) -> None:
    assert asked(question) == OtherTime(-math.inf, NOW.timestamp(), present_first=True)


@pytest.mark.parametrize(
    "question",
    [
        "how is the owner changed?",
        "how long is the timeout?",
        "when does the migration start?",
        "what changed in 2.0?",
        "how did we switch the database to Redis?",
        "How did you rename a file in git?",
        "how did the migration change the schema of users?",
    ],
)
def test_a_question_about_the_present_or_a_release_is_not_about_a_course(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "who leads the team?",
        "who has led the team since May?",
        "who leads the team this year?",
        "what is due today?",
        "which key is used to sign the release?",
        "which key did you use to sign the release?",
        "what do we use to be sure?",
        "what was the name of the cat?",
        "what must be done before the release?",
        "how many points are needed before a rider counts as there?",
        "is the old town far?",
        "can users who signed up before the change log in?",
        "how old was the cat?",
        "what did we do yesterday?",  # asks for events, not for values
        "previously " + "on this ticket " * 30,
    ],
)
def test_the_present_is_no_other_time(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("who will lead the team in January?", "2027-01-01", "2027-02-01"),
        ("who leads the team in January 2027?", "2027-01-01", "2027-02-01"),
        ("how much will the rent be next year?", "2027-01-01", "2028-01-01"),
        ("is there free delivery on 2026-12-28?", "2026-12-28", "2026-12-29"),
        ("is the office open on October 3?", "2026-10-03", "2026-10-04"),
        ("what will change in January?", "2027-01-01", "2027-02-01"),
        ("who is going to be on call next Monday?", "2026-09-28", "2026-09-29"),
        ("who is on call tomorrow?", "2026-09-22", "2026-09-23"),
        ("which release is planned for December?", "2026-12-01", "2027-01-01"),
        ("who'll lead the team after March?", "2027-04-01", None),
        ("who will lead the team in three months?", "2026-12-01", "2027-01-01"),
    ],
)
def test_a_word_or_a_date_that_points_ahead_means_a_time_to_come(
    question: str, since: str, until: str | None
) -> None:
    time = asked(question)
    assert time is not None
    assert (time.since, time.until, time.is_ahead) == (at(since), at(until) if until else None, True)


@pytest.mark.parametrize(
    "question", ["who will lead the team?", "And who'll lead the team?", "Hello. What will the rent be?"]
)
def test_who_will_and_what_will_mean_the_time_from_now_on(question: str) -> None:
    assert asked(question) == OtherTime(NOW.timestamp(), None, is_ahead=True)


@pytest.mark.parametrize(
    "question",
    [
        "when will the rent rise?",
        "where will we deploy?",
        "what's the upcoming price?",
        "is the rent going to rise?",
    ],
)
def test_other_words_alone_that_point_ahead_mean_the_present_and_then_what_follows(question: str) -> None:
    assert asked(question) == OtherTime(NOW.timestamp(), None, is_ahead=True, present_first=True)


def test_the_rest_of_this_year_is_ahead_of_a_question_with_will() -> None:
    assert asked("what will the rent be this year?") == OtherTime(
        NOW.timestamp(), at("2027-01-01"), is_ahead=True
    )


@pytest.mark.parametrize(
    "question",
    [
        "what did Will do?",
        "where is the last will?",
        "which button is next to the field?",
        "which region will deploys use by default?",
        "why won't deploys to the region work?",
        "how is the next deploy region chosen?",
        "how does next() work?",
        "what is the next.js version?",
        "is data loss due to a crash possible?",
        "why won't the server start?",
        "how are retries scheduled?",
        "what does the planned flag do?",
        "shall I use tabs?",
        "what is the next step of a checkout that was started " + "and left open " * 20,
    ],
)
def test_words_that_only_look_ahead_name_no_time(question: str) -> None:
    assert asked(question) is None


def test_a_thing_after_before_is_kept_and_a_date_is_not() -> None:
    things = [
        asked(f"what did we use before {rest}?")
        for rest in ("Redis", "we moved to Redis last year", "eu-central-1")
    ]
    assert [time and time.before for time in things] == ["Redis", "", "eu-central-1"]


@pytest.mark.parametrize("time", ["9999-12-31", "5000 years ago", "9000 years from now"])
def test_a_time_outside_the_calendar_after_before_is_a_thing_as_any_other(time: str) -> None:
    assert asked(f"which cache did we use before {time}?") == OtherTime(None, NOW.timestamp(), before=time)


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("who won the cup last year as of 2019?", "2019-01-01", "2020-01-01"),
        ("who was our landlord this year as of 2024?", "2024-01-01", "2025-01-01"),
        ("where were the last winter games held as of 1992?", "1992-01-01", "1993-01-01"),
        ("who has read the news on Saturday the longest as of 2015?", "2015-01-01", "2016-01-01"),
        ("who led the team before the move as of 18 October 2019?", "2019-10-18", "2019-10-19"),
        ("what was our rent last winter as at the end of March 2025?", "2025-03-21", "2025-04-01"),
    ],
)
def test_a_date_after_as_of_is_the_only_time_of_the_question(question: str, since: str, until: str) -> None:
    assert asked(question) == OtherTime(at(since), at(until))


@pytest.mark.parametrize(
    "question",
    [
        "which photos had a width of 1920?",
        "what did we scale in 1920 pixels?",
        "is the page sharp in 1920 px?",
        "does the video play in 1920 x 1080?",
        "who made the stream run in 1920 × 1080?",
        "which images were resized from 1920 to 1280?",
        "which screens were between 1280 and 1920 wide?",
        "what failed after 1950 iterations?",
        "who made the job stop after 1900 retries?",
        "what was lost in 1950 of 2000 cases?",
        "did the heap grow from 1900 MB to 1950 MB?",
    ],
)
def test_a_number_that_may_be_an_old_year_is_no_time(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("where did she live from 1938 to 1945?", "1938-01-01", "1946-01-01"),
        ("who sold 500 in 2024 and 300 in 2025?", "2024-01-01", "2026-01-01"),
        ("what did we sell in 2024 to 500 people?", "2024-01-01", "2025-01-01"),
        ("who led the shop from 3 May 1960 to 1965?", "1960-05-03", "1966-01-01"),
    ],
)
def test_an_old_year_beside_another_date_is_a_time(question: str, since: str, until: str) -> None:
    assert asked(question) == OtherTime(at(since), at(until))
