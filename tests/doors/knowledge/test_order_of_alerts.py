"""The remarkable lines of a log have an order: the failure, then warnings, then the end, whatever the question's words."""

from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.shapes.answers import listing

PUMPS = [f"2026-10-05 10:{n // 60:02}:{n % 60:02} INFO pump {n} runs at {n % 9} bar" for n in range(1_500)]
QUESTIONS = ("why did the plant stop?", "what went wrong?", "purple elephants")


def shown(dp: Daypack, lines: list[str], query: str, *, budget: int = 150) -> str:
    dp.knowledge.add_text("plant", "\n".join(lines) + "\n", language="log")
    return dp.pack(query, source="plant", budget=budget, vectors="none").text


@pytest.mark.parametrize("query", QUESTIONS)
def test_the_failing_line_stands_before_the_end_of_the_log(dp: Daypack, query: str) -> None:
    log = [*PUMPS[:900], "2026-10-05 10:15:00 ERROR valve seven is stuck", *PUMPS[900:]]
    assert "valve seven is stuck" in shown(dp, log, query)


@pytest.mark.parametrize("query", QUESTIONS)
def test_the_end_of_a_log_that_repeats_the_question_is_still_behind_the_failure(
    dp: Daypack, query: str
) -> None:
    end = ["2026-10-05 10:25:00 INFO the plant did stop", "2026-10-05 10:25:01 INFO why not"]
    log = [*PUMPS[:900], "2026-10-05 10:15:00 FATAL valve seven is stuck", *PUMPS[900:], *end]
    text = shown(dp, log, query, budget=400)
    assert "valve seven is stuck" in text
    assert "the plant did stop" not in text or text.index("valve seven") < text.index("the plant did stop")
    assert "valve seven is stuck" in shown(dp, log, query)


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_failure_that_a_log_repeats_all_day_is_behind_the_one_that_came_once(
    dp: Daypack, query: str
) -> None:
    log = [*PUMPS]
    for n in range(20, 1_400, 30):
        log[n] = f"2026-10-05 10:{n // 60:02}:00 ERROR no answer from gauge {n}"
    log[811] = "2026-10-05 10:13:31 ERROR valve seven is stuck"
    assert "valve seven is stuck" in shown(dp, log, query)


@pytest.mark.parametrize("query", QUESTIONS)
def test_of_failures_of_one_severity_the_first_is_shown_first(dp: Daypack, query: str) -> None:
    log = [*PUMPS]
    log[300] = "2026-10-05 10:05:00 ERROR valve seven is stuck"
    for n in range(6):
        log[500 + 40 * n] = f"2026-10-05 10:09:00 ERROR {'abcdef'[n] * 4} cannot be reached without the valve"
    assert "valve seven is stuck" in shown(dp, log, query)


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_warning_stands_behind_a_failure_and_before_the_end(dp: Daypack, query: str) -> None:
    log = [*PUMPS]
    log[300] = "2026-10-05 10:05:00 WARN the oil is low"
    assert "the oil is low" in shown(dp, log, query)
    log[900] = "2026-10-05 10:15:00 ERROR valve seven is stuck"
    assert "valve seven is stuck" in shown(dp, log, query)


@pytest.mark.parametrize("query", QUESTIONS)
def test_the_failing_one_of_long_lines_is_shown_not_its_neighbours(dp: Daypack, query: str) -> None:
    far = " ".join(f"gauge {n} bar" for n in range(30))
    log = [f"{line} {far}" for line in PUMPS[:300]]
    log[150] = f"2026-10-05 10:02:30 ERROR valve seven is stuck {far}"
    assert "valve seven is stuck" in shown(dp, log, query, budget=200)


def test_a_line_that_the_question_singles_out_is_shown_before_the_failure(dp: Daypack) -> None:
    log = [*PUMPS]
    log[900] = "2026-10-05 10:15:00 ERROR valve seven is stuck"
    log[1_200] = "2026-10-05 10:20:00 INFO the operator turned the walrus key"
    assert "walrus key" in shown(dp, log, "who turned the walrus key?")


def test_the_level_of_a_json_line_counts(dp: Daypack) -> None:
    log = [f'{{"level":30,"time":{n},"msg":"request completed","error":null,"failed":0}}' for n in range(900)]
    log[400] = '{"level":60,"time":400,"msg":"valve seven is stuck"}'
    assert "valve seven is stuck" in shown(dp, log, "why did the plant stop?")


@pytest.mark.parametrize("query", ["how did the pumps run at bar?", "pump 7 runs at 7 bar, why?"])
def test_a_failure_that_is_far_from_the_question_in_meaning_is_shown(dp: Daypack, query: str) -> None:
    log = [*PUMPS]
    for n in range(0, 1_500, 300):
        log[n] = f"2026-10-05 10:{n // 60:02}:00 ERROR pump {n} runs at no bar"
    log[900] = "2026-10-05 10:15:00 FATAL valve seven is stuck"
    dp.knowledge.add_text("plant", "\n".join(log) + "\n", language="log")
    dp.embed()
    pack = dp.pack(query, source="plant", budget=200, vectors="all")
    assert "valve seven is stuck" in pack.text
    (worst,) = [one for one in pack.candidates if "valve seven" in one.chunk.text]
    signals = [part.signal for part in worst.contributions]
    assert signals == ["alert"], "a low cosine would be a reason to leave it out"


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_search_of_a_log_lists_the_failing_lines_first(dp: Daypack, query: str) -> None:
    end = ["2026-10-05 10:25:00 INFO the plant did stop", "2026-10-05 10:25:01 INFO why not"]
    log = [*PUMPS[:900], "2026-10-05 10:15:00 ERROR valve seven is stuck", *PUMPS[900:], *end]
    dp.knowledge.add_text("plant", "\n".join(log) + "\n", language="log")
    for limit in (1, 5):
        found = dp.search(query, source="plant", limit=limit, vectors="none")
        assert found.empty_reason is None
        assert "valve seven is stuck" in found.candidates[0].chunk.text
        listed = listing(found, heading=False, explain=False, by_file=False)
        assert listed.split("\n")[1].strip() == "2026-10-05 10:15:00 ERROR valve seven is stuck"
        for one in found.candidates:
            assert sum(part.share for part in one.contributions) == pytest.approx(one.score)


def test_a_search_that_no_filter_holds_to_a_log_goes_by_its_words(dp: Daypack) -> None:
    log = [*PUMPS[:900], "2026-10-05 10:15:00 ERROR valve seven is stuck", *PUMPS[900:]]
    dp.knowledge.add_text("plant", "\n".join(log) + "\n", language="log")
    assert not dp.search("purple elephants", vectors="none").candidates


def test_a_search_lists_the_line_that_its_question_singles_out_first(dp: Daypack) -> None:
    log = [*PUMPS]
    log[900] = "2026-10-05 10:15:00 ERROR valve seven is stuck"
    log[1_200] = "2026-10-05 10:20:00 INFO the operator turned the walrus key"
    dp.knowledge.add_text("plant", "\n".join(log) + "\n", language="log")
    found = dp.search("who turned the walrus key?", source="plant", vectors="none")
    assert "walrus key" in listing(found, heading=False, explain=False, by_file=False)


def test_routine_lines_that_a_question_does_not_tell_apart_stay_out_of_its_pack(dp: Daypack) -> None:
    routine = "\n".join(f"2026-11-24 06:{n % 60:02} INFO receipt {n} booked" for n in range(1, 401))
    failure = "2026-11-24 18:02 ERROR receipt 401 rejected: printer out of paper"
    dp.knowledge.add_text("till", f"{routine}\n{failure}\n", language="log")
    dp.knowledge.add_text(
        "reading", "# Reading\n\nThe book on salt by Kurlansky was finished in October, loved it."
    )
    book = dp.pack("was the book on salt by Kurlansky finished in October?", vectors="none")
    assert book.excerpts[0].citation.uri == "source:reading"
    assert (
        book.tokens_used < 250
    )  # the failure and its neighbours at most, and none of sixteen parts with "booked"
    rejected = dp.pack("why was receipt 401 rejected?", vectors="none")
    assert "printer out of paper" in rejected.text
    assert rejected.tokens_used < 300
    one = dp.pack("when was receipt 205 booked?", vectors="none")
    assert "receipt 205 booked" in one.text


def test_a_routine_line_that_a_question_names_is_packed_among_many_alike(dp: Daypack) -> None:
    parts = ("basket", "invoice", "message", "parcel", "session", "ticket")
    lines = [
        f"2026-11-24 06:{n % 60:02} INFO {parts[n % 6]} {n * 7 % 1_000} {('sent', 'opened', 'closed')[n % 3]}"
        for n in range(600)
    ]
    dp.knowledge.add_text("shop", "\n".join(lines) + "\n", language="log")
    dp.knowledge.add_text("page", "# Invoices\n\nAn invoice is sent on Mondays.")
    found = [line for line in lines[::60] if line in dp.pack(line[17:], budget=500, vectors="none").text]
    assert len(found) >= 8
