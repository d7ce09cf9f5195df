"""The title of a PDF: the one that its author gave, else its first heading, else the name of the file."""

from __future__ import annotations

import pytest

from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record
from documents_made import pdf, printed

PAGE = printed(
    ("F", 24, 72, 700, "Fees of the pier"),
    *[("F", 11, 72, 650 - 14 * n, f"Boat {n} pays.") for n in range(9)],
)


def title(given: str, page: bytes | str = PAGE) -> str:
    record = record_from_bytes(pdf([page], title=given), uid="fees.pdf")
    assert isinstance(record, Record)
    return record.title


@pytest.mark.parametrize(
    "given",
    [
        "",
        "Microsoft Word - fees.doc",
        "\\(anonymous\\)",
        "PowerPoint Presentation",
        "Document1",
        "10811.exe",
        "fees final.pdf",
    ],
)
def test_a_title_that_a_program_filled_in_gives_way_to_the_heading(given: str) -> None:
    assert title(given) == "Fees of the pier"


def test_a_heading_with_a_blank_in_its_middle_begins_with_a_small_number() -> None:
    lines = [("F", 11, 72, 650 - 14 * n, f"Boat {n} pays.") for n in range(9)]
    heading = [("F", 11, 72, 700, "7"), ("F", 24, 82, 700, "Oil"), ("F", 24, 124, 700, "fees")]
    assert title("", printed(*heading, *lines)) == "7 Oil fees"


@pytest.mark.parametrize(
    "given", ["Rules of 2026", "Anonymous donors", "Document 7 of the council", "Lamps and Vue.js"]
)
def test_a_title_of_an_author_stays(given: str) -> None:
    assert title(given) == given


def test_a_page_without_a_heading_is_named_after_its_file() -> None:
    assert title("\\(anonymous\\)", "Boat 1 pays.") == "fees.pdf"
