"""Lines of a log that stand out, whichever program wrote it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.text.logs import Severity, form, groups, severity, urgencies


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2026-10-05 10:00:02 FATAL valve 7 is stuck", Severity.FATAL),
        ("panic: runtime error: index out of range [3] with length 3", Severity.FATAL),
        ("Segmentation fault (core dumped)", Severity.FATAL),
        ("tests/test_a.py::test_b FAILED [ 59%]", Severity.ERROR),
        ("--- FAIL: TestMux (0.00s)", Severity.ERROR),
        ("not ok 14 - closes the gate", Severity.ERROR),
        ("Traceback (most recent call last):", Severity.ERROR),
        ("ValueError: no such pump", Severity.ERROR),
        ("error[E0308]: mismatched types", Severity.ERROR),
        ("npm ERR! code ELIFECYCLE", Severity.ERROR),
        ("e: file:///srv/pier/Pump.kt:7:3 Unresolved reference: oil", Severity.ERROR),
        ("e2e: 12 pages", Severity.NONE),
        ("process exited with code 137", Severity.ERROR),
        ("thread 'main' panicked at src/main.rs:4:5", Severity.ERROR),
        ("2026/11/18 02:00:01 [crit] 12#0: *9 SSL_do_handshake() did not succeed", Severity.FATAL),
        ("2026/11/18 02:00:01 [emerg] 12#0: no ports left", Severity.FATAL),
        ("2026/11/18 02:00:01 [error] 12#0: *9 no live upstreams", Severity.ERROR),
        ("restic[7]: Fatal: unable to save", Severity.FATAL),
        ('{"level":60,"msg":"shutting down"}', Severity.FATAL),
        ('{"level": "critical", "event": "circuit opened"}', Severity.FATAL),
        ('{"level":50,"msg":"order not saved"}', Severity.ERROR),
        ("ts=10:00 level=error msg=gone", Severity.ERROR),
        ('10.0.0.7 - - [16/Nov/2026:10:00:00 +0000] "POST /book HTTP/1.1" 502 157', Severity.ERROR),
        ('10.0.0.7 - - [16/Nov/2026:10:00:00 +0000] "GET /book HTTP/1.1" 200 502', Severity.NONE),
        ("connection refused by 10.0.0.7", Severity.MENTION),
        ("10:00:01 WARN the oil is low", Severity.WARNING),
        ("warning: unused import: `std::fmt`", Severity.WARNING),
        ('{"level":40,"msg":"slow query"}', Severity.WARNING),
        ("12m  Warning  BackOff  pod/search  restarting", Severity.WARNING),
        ('{"level":30,"msg":"done","err":null,"failed":0}', Severity.NONE),
        ("tests/test_a.py::test_b PASSED [ 59%]", Severity.NONE),
        ("test_raises[ValueError] PASSED", Severity.NONE),
        ("3000 passed, 0 failed, 0 errors", Severity.NONE),
        ("done without errors; failed: 0", Severity.NONE),
        ("process exited with code 0", Severity.NONE),
        ("INFO pump 7 at 3.4 bar", Severity.NONE),
    ],
)
def test_the_severity_of_a_line(line: str, expected: Severity) -> None:
    assert severity(line) is expected


def test_lines_of_one_statement_have_one_form() -> None:
    one = 'INFO pump 7 of "north" at 3.4 bar, /var/run/a.sock 0xbeef1234'
    other = 'INFO pump 812 of "south lock" at 12 bar, /tmp/x/y.sock 0x00ff'
    assert form(one) == form(other) != form("INFO valve 7 of 'north' at 3.4 bar")


def test_lines_of_one_event_in_json_have_one_form_and_other_events_another() -> None:
    line = '{"level":30,"time":%d,"req":"r-%d","msg":"%s"}'
    assert form(line % (1, 7, "done")) == form(line % (2, 99, "done")) != form(line % (1, 7, "listening"))


def test_names_made_of_letters_and_digits_are_of_one_form() -> None:
    assert form("started pod search-5d4f6c7b8-9zq4m") == form("started pod search-44558c708-590cc")


def lines_of(number: int) -> list[str]:
    return [f"10:00:{n % 60:02} INFO pump {n} at {n % 9} bar" for n in range(number)]


def test_one_line_in_thousands_is_found_with_its_neighbours() -> None:
    log = lines_of(5_000)
    log[1_700] = "10:28:20 ERROR pump 1700 lost pressure"
    log[3_100] = "someone pulled the brake"
    found = {group.severity: range(group.first, group.end) for group in groups(log)}
    assert 1_700 in found[Severity.ERROR]
    assert len(found[Severity.ERROR]) == 5
    assert 3_100 in found[Severity.RARE]
    assert 4_999 in found[Severity.TAIL]


def test_of_many_failures_of_one_form_the_first_are_enough() -> None:
    log = [f"ERROR pump {n} lost pressure" for n in range(900)] + lines_of(100)
    log[500] = "FATAL the main valve is stuck"
    found = groups(log)
    assert len(found) < 10
    assert any(group.first <= 0 < group.end for group in found)
    assert any(group.first <= 500 < group.end and group.severity is Severity.FATAL for group in found)


def test_a_stack_trace_reaches_to_its_message() -> None:
    trace = [
        "Traceback (most recent call last):",
        '  File "a.py", line 1',
        "    open_valve()",
        "StuckError: valve 7",
    ]
    log = [*lines_of(300), *trace, *lines_of(300)]
    assert any(group.first <= 300 and group.end >= 304 for group in groups(log))


def test_a_short_log_stands_out_as_a_whole_or_not_at_all() -> None:
    assert groups(["compiling", "ERROR no such file", "done"]) == [(0, 3, Severity.ERROR)]
    assert groups(["compiling", "done"]) == []


def test_failures_come_before_warnings_rare_lines_and_the_end() -> None:
    told = [
        "a rare line",
        "WARN the oil is low",
        "ERROR late",
        "no answer, timed out",
        "FATAL stuck",
        "the end",
    ]
    assert by_urgency(told) == [4, 2, 3, 1, 0, 5]


def test_of_one_severity_the_failure_of_a_rare_form_is_first_then_the_earlier_one() -> None:
    told = [f"ERROR no answer from gauge {n}" for n in range(3)]
    assert by_urgency([*told, "ERROR stuck", "ERROR lost", "the end"]) == [3, 4, 0, 1, 2, 5]


def test_a_mention_that_a_log_repeats_says_less_than_a_rare_line() -> None:
    told = [f"Failed password from 10.0.0.{n}" for n in range(3)]
    assert by_urgency([*told, "remounting read-only", "the end"])[0] == 3


def by_urgency(told: list[str]) -> list[int]:
    ranked = urgencies(told)
    return sorted(range(len(told)), key=lambda n: (ranked[n], n))


@given(
    st.lists(
        st.sampled_from(["INFO a 1", "ERROR b", "", "  at c", "Traceback (most recent call last):", "odd"]),
        max_size=200,
    )
)
def test_groups_are_in_order_without_overlaps(log: list[str]) -> None:
    end = 0
    for group in groups(log):
        assert end <= group.first < group.end <= len(log)
        end = group.end


def test_the_same_failure_again_says_less_than_a_warning_that_stands_alone() -> None:
    denied = "10:00:0{} ERROR gate {} denied a pass"
    texts = [
        denied.format(1, 7),
        "10:00:02 WARN clock stepped back",
        denied.format(3, 8),
        denied.format(4, 9),
    ]
    found = urgencies([*texts, "10:00:09 INFO the end"])
    assert [one.severity for one in found] == [
        Severity.ERROR,
        Severity.WARNING,
        Severity.RARE,
        Severity.RARE,
        Severity.TAIL,
    ]
