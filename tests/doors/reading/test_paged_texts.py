"""Plain texts in pages, and manuals of GNU Info, without what is there for printers and programs."""

from __future__ import annotations

import pytest

from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.printed.paged import without_page_breaks
from daypack.types import Record

PAGE = "   The ferry of day {0} leaves at {0}:15.\n\n\n\nBerg & Noor             Harbour Rules                [Page {0}]\n\f\nHR 12                    Ferry Protocol                   1998\n\n\n"


def pages(count: int, page: str = PAGE) -> str:
    return "".join(page.format(number) for number in range(1, count + 1))


def test_heads_and_feet_become_blank_lines_and_all_lines_keep_their_numbers() -> None:
    text = pages(6)
    read = without_page_breaks(text)
    assert "[Page" not in read and "\f" not in read
    assert read.count("HR 12") == 1, "a head that names no page stays once"
    assert read.count("\n") == text.count("\n")
    assert read.split("\n")[9] == "   The ferry of day 2 leaves at 2:15."


def test_pages_without_form_feeds_are_known_by_their_feet() -> None:
    read = without_page_breaks(pages(6).replace("\f", ""))
    assert ("[Page" in read, read.count("HR 12")) == (False, 1)


def test_left_and_right_pages_may_have_heads_of_their_own() -> None:
    page = "  Boats of pier {0}.\n\n{0}\n\f{1}\n\n"
    heads = ("The Harbour Book", "Piers")
    read = without_page_breaks("".join(page.format(n, heads[n % 2]) for n in range(1, 11)))
    assert [line.strip() for line in read.split("\n") if line.strip() and "Boats" not in line] == [
        "Piers",
        "The Harbour Book",
    ]


@pytest.mark.parametrize(
    "text",
    [
        pages(2),
        "one\n\ftwo\n\fthree\n\ffour\n".replace("\f", ""),
        "See [Page 3] of the book.\nIt is [Page 4].\nAnd so on.\n",
        "a" * 100,
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert without_page_breaks(text) == text


def test_words_beside_page_breaks_that_differ_from_page_to_page_stay() -> None:
    names = ("oars", "sails", "ropes", "anchors", "lamps")
    read = without_page_breaks("".join(f"Here end the {name}.\n\fThe {name} of old\n" for name in names))
    assert all(f"Here end the {name}." in read and f"The {name} of old" in read for name in names)


def test_chapters_that_begin_with_a_form_feed_keep_their_headings() -> None:
    text = "".join(f"\fChapter {n}\n\nAda sailed for {n} days.\n\n" for n in range(1, 9))
    news = "".join(f"\f* Changes in Ferry {n}.1\n\nIt is faster than {n}.0.\n\n" for n in range(9, 1, -1))
    assert without_page_breaks(text + news) == (text + news).replace("\f", "")


def test_a_text_file_is_read_without_its_page_breaks() -> None:
    record = record_from_bytes(pages(6).encode(), uid="rules.txt")
    assert isinstance(record, Record)
    assert "[Page" not in record.text


INFO = (
    "This is harbour.info.\n\n\x1f\nFile: harbour.info,  Node: Top,  Next: Boats\n\nHarbour\n*******\n\nAll boats.\n\n* Menu:\n\n* Boats::\n\n"
    "\x1f\nFile: harbour.info,  Node: Boats,  Prev: Top\n\n1 Boats\n*******\n\n\0\b[index\0\b]\nA boat floats.\n\n\x1f\nTag Table:\nNode: Top\x7f24\n"
    "Node: Boats\x7f99\n\x1f\nEnd Tag Table\n"
)


def test_a_manual_of_info_is_read_without_the_lines_of_its_program() -> None:
    record = record_from_bytes(INFO.encode(), uid="harbour.info")
    assert isinstance(record, Record)
    assert all(mark not in record.text for mark in ("Node:", "\x1f", "\0", "Tag Table"))
    assert "1 Boats\n*******" in record.text
    assert record.text.count("\n") == INFO.count("\n")
