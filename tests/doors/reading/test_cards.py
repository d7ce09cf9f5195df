"""Calendars and contacts as programs export them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.cards import render_cards
from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record
from support import WORDS

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
X-WR-CALNAME:Harbour office
BEGIN:VTIMEZONE
TZID:Europe/Oslo
BEGIN:STANDARD
DTSTART:19961027T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260901T080000Z
DTSTART;TZID=Europe/Oslo:20261203T111500
DTEND;TZID=Europe/Oslo:20261203T114500
SUMMARY:Crane inspection\\, north quay
LOCATION:Quay 4\\; gate B
DESCRIPTION:Bring the helmets.\\nThe lift is closed\\, so come by the st
 airs.
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,FR;UNTIL=20270301T000000Z
ATTENDEE;CN="Holm, Ida";PARTSTAT=DECLINED:mailto:ida@example.org
ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.org
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
{}END:VCALENDAR
"""


def event(*lines: str) -> str:
    return CALENDAR.format("BEGIN:VEVENT\n" + "\n".join(lines) + "\nEND:VEVENT\n")


def text_of(text: str) -> str:
    found = render_cards(text)
    assert found is not None
    return found.text


def contact(*lines: str) -> str:
    return text_of("BEGIN:VCARD\r\nVERSION:3.0\r\n" + "\r\n".join(lines) + "\r\nEND:VCARD\r\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_event_says_when_and_where_it_is_in_words(newline: str) -> None:
    assert text_of(CALENDAR.format("").replace("\n", newline)) == (
        "# Harbour office\n\n"
        "## Crane inspection, north quay\n"
        "When: Thursday 3 December 2026, 11:15 to 11:45 (Europe/Oslo)\n"
        "Where: Quay 4; gate B\n"
        "Repeats: every 2 weeks on Thursday and Friday, until 1 March 2027\n"
        "With: Holm, Ida (declined), bo@example.org\n\n"
        "Bring the helmets.\nThe lift is closed, so come by the stairs.\n"
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("DTSTART:20261203T080000Z", "DURATION:PT1H30M"), "When: Thursday 3 December 2026, 08:00 to 09:30 (UTC)"),
        (("DTSTART;VALUE=DATE:20261203", "DTEND;VALUE=DATE:20261204"), "When: Thursday 3 December 2026"),
        (
            ("DTSTART;VALUE=DATE:20261203", "DTEND;VALUE=DATE:20261206"),
            "When: Thursday 3 December 2026 to Saturday 5 December 2026",
        ),
        (
            ("DTSTART:20261203T220000", "DTEND:20261204T020000"),
            "When: Thursday 3 December 2026, 22:00 to Friday 4 December 2026, 02:00",
        ),
        (("DTSTART:sometime",), "When: sometime"),
        (("RRULE:FREQ=MONTHLY;BYDAY=-1MO;COUNT=4",), "Repeats: every month on the last Monday, 4 times"),
        (("STATUS:CANCELLED",), "Status: cancelled"),
    ],
)  # fmt: skip
def test_times_and_repetitions_are_said_in_words(lines: tuple[str, ...], said: str) -> None:
    assert f"## (no title)\n{said}\n" in text_of(event(*lines))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("EXDATE:20261130T190000",), "Except: 30 November 2026"),
        (("EXDATE:20261130T190000,20261214T190000",), "Except: 30 November 2026, 14 December 2026"),
        (("EXDATE:20261130T190000", "EXDATE:20261214T190000"), "Except: 30 November 2026, 14 December 2026"),
        (("EXDATE;VALUE=DATE:20261130",), "Except: 30 November 2026"),
        (("EXDATE:20261130T180000Z",), "Except: 30 November 2026, 18:00 (UTC)"),
        (("RDATE:20261202T203000",), "Also: 2 December 2026, 20:30"),
        (("RDATE;VALUE=PERIOD:20261202T190000/PT1H",), "Also: 2 December 2026"),
        (("RDATE:20261202T190000", "EXDATE:20261130T190000"), "Also: 2 December 2026\nExcept: 30 November 2026"),
        (("EXDATE:never",), "Except: never"),
    ],
)  # fmt: skip
def test_a_series_says_on_which_days_it_does_not_take_place_or_does_so_too(
    lines: tuple[str, ...], said: str
) -> None:
    series = ("SUMMARY:Yoga", "DTSTART:20261102T190000", "RRULE:FREQ=WEEKLY;BYDAY=MO")
    assert f"\nRepeats: every week on Monday\n{said}\n" in text_of(event(*series, *lines))


def test_days_of_a_series_in_a_time_zone_are_compared_in_that_zone() -> None:
    zoned = (
        "DTSTART;TZID=Europe/Oslo:20261102T190000",
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Oslo:20261130T190000",
    )
    assert "\nExcept: 30 November 2026\n" in text_of(event(*zoned))


def test_a_task_has_its_day_and_a_description_that_is_a_page_is_read_as_one() -> None:
    made = CALENDAR.replace("BEGIN:VEVENT", "BEGIN:VTODO").replace("END:VEVENT", "END:VTODO").format("")
    made = made.replace("DTSTART;", "DUE;").replace("Bring the helmets.\\n", "<p>Bring <b>helmets</b>.</p>")
    assert "\nDue: Thursday 3 December 2026, 11:15 (Europe/Oslo)\n" in text_of(made)
    assert "Bring **helmets**." in text_of(made)


def test_a_person_has_their_numbers_and_address_and_no_picture() -> None:
    assert contact(
        "N:Holm;Ida;;Dr.;",
        "FN:Dr. Ida Holm",
        "ORG:Harbour;Cranes",
        "item1.TEL;TYPE=WORK,VOICE:+47 21 555 018",
        "TEL;CELL:tel:+47 90 555 018",
        "ADR;TYPE=HOME:;;Quay 4;Bergen;;5003;Norway",
        "BDAY:1984-03-17",
        "NOTE:Call before the round\\, 7:30.",
        "PHOTO;ENCODING=b;TYPE=JPEG:AAAA",
        " BBBB",
        "UID:77",
    ) == (
        "## Dr. Ida Holm\nOrganization: Harbour, Cranes\nPhone (work): +47 21 555 018\nPhone (cell): +47 90 555 018\n"
        "Address (home): Quay 4, Bergen, 5003, Norway\nBirthday: 17 March 1984\nNote: Call before the round, 7:30.\n"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("BDAY:--0509", "Birthday: 9 May"),
        ("BDAY:--02-29", "Birthday: 29 February"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-09", "Birthday: 9 May"),
        ("BDAY;VALUE=date:1984-05-09", "Birthday: 9 May 1984"),
        ("BDAY:--1309", "Birthday: --1309"),
        ("BDAY:in spring", "Birthday: in spring"),
        ("X-ABDATE:20110604", "Date: 4 June 2011"),
    ],
)
def test_a_birthday_without_a_year_is_a_day(line: str, said: str) -> None:
    assert contact("FN:Ida Holm", line) == f"## Ida Holm\n{said}\n"


def test_labels_that_people_gave_to_dates_and_numbers_are_kept() -> None:
    assert contact(
        "FN:Ida Holm",
        "item1.X-ABDATE;X-APPLE-OMIT-YEAR=1604:1604-06-04",
        "item1.X-ABLabel:_$!<Anniversary>!$_",
        "item2.TEL:030 555",
        "item2.X-ABLabel:Summer house",
    ) == ("## Ida Holm\nAnniversary: 4 June\nPhone (Summer house): 030 555\n")


def test_a_contact_of_an_old_telephone_is_decoded() -> None:
    assert contact(
        "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Wei=C3=9F;J=C3=BCr=\r\ngen;;;", "TEL;HOME:030 555"
    ) == ("## Jürgen Weiß\nPhone (home): 030 555\n")


@pytest.mark.parametrize(
    "text", ["", "BEGIN:VCALENDAR\nEND:VCALENDAR\n", "BEGIN:VBLOCK\nx:1\n", "The calendar\nBEGIN:VCALENDAR\n"]
)
def test_other_text_is_no_calendar(text: str) -> None:
    assert render_cards(text) is None


@given(st.lists(st.sampled_from(CALENDAR.splitlines()) | st.text(max_size=30)))
def test_any_lines_are_a_calendar_or_none(lines: list[str]) -> None:
    found = render_cards("BEGIN:VCALENDAR\n" + "\n".join(lines))
    assert found is None or found.text.strip()


def test_an_event_is_found_by_its_day_in_a_file_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "export.txt").write_text(event("SUMMARY:Paint day", "DTSTART;VALUE=DATE:20270109"))
    record = record_from_bytes((tmp_path / "export.txt").read_bytes(), uid="export.txt")
    assert isinstance(record, Record)
    assert (record.title, record.rendered, record.language) == ("Harbour office", "calendar", "markdown")
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        assert "Paint day" in dp.pack("what is on 9 January 2027?", budget=100, vectors="none").text
