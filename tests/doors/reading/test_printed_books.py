"""Books as PDFs: tables of contents, heads with the names of chapters, and brackets, which are taller than letters."""

from __future__ import annotations

from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.office.layout import Letter, Line, arranged
from daypack.doors.reading.office.running import running
from daypack.types import Record
from documents_made import pdf, printed


def line(text: str, top: float, *heights: float) -> Line:
    ends = (text[0], text[len(text) // 2], text[-1])
    letters = [
        Letter(height, 5, 72, top, False, False, end in "()[]")
        for height, end in zip(heights, ends, strict=True)
    ]
    return Line(text, tuple(letters))


def test_a_line_that_begins_with_a_bracket_is_no_heading() -> None:
    page = [line("The keeper oils the pump each Monday at noon", 700, 10, 10, 10)]
    page += [line("(see Section 3 [Pumps], page 4) and the winch", 688, 12, 10, 10)]
    page += [line("[as the keeper before did, for many years]", 676, 12, 10, 12)]
    page += [
        line(f"line {n} of the book, which is of the usual size", 664 - 12 * n, 10, 10, 10) for n in range(9)
    ]
    assert "#" not in arranged([page])[0]


def test_a_table_of_contents_is_neither_headings_nor_a_table() -> None:
    contents = [
        ("F", 18, 72, 720, "Contents"),
        *(("F", 16, 72, 690 - 20 * n, f"{n} Piers " + ". " * 20 + f"{n * 7}") for n in range(1, 4)),
        *(
            ("F", 11, 72 + 20 * (n % 2), 600 - 14 * n, f"{n}.1 Boats " + ". " * 20 + f"{n * 8}")
            for n in range(1, 9)
        ),
    ]
    text = [
        ("F", 11, 72, 720 - 14 * n, "The boats of this pier are old, and the keeper is too.")
        for n in range(30)
    ]
    record = record_from_bytes(pdf([printed(*contents), printed(*text)]), uid="book.pdf")
    assert isinstance(record, Record)
    assert "|" not in record.text
    assert [one for one in record.text.split("\n") if one.startswith("#")] == ["# Contents"]


def test_a_head_with_the_name_of_a_chapter_stays_where_the_name_is_new() -> None:
    names = ("Boats", "Oars", "Sails")
    pages = [
        [
            f"Chapter {1 + n // 4}: {names[n // 4]} {n + 3}",
            *(f"{'abcdefghijkl'[n] * k} is red." for k in range(2, 9)),
        ]
        for n in range(12)
    ]
    found = running(pages)
    assert [n for n, lines in enumerate(found) if 0 not in lines.gone] == [0, 4, 8]
    assert [n for n, lines in enumerate(found) if 0 in lines.kept] == [0, 4, 8]
    assert all(lines.gone | lines.kept == {0} for lines in found)


def test_a_head_that_counts_the_pages_is_no_heading() -> None:
    names = ("Boats", "Oars", "Sails")
    pages = [
        printed(
            (
                "B",
                11,
                72,
                750,
                f"{n + 3} Chapter {1 + n // 4}. {names[n // 4]}"
                if n % 2
                else f"{1 + n // 4}.{n}. Care of {names[n // 4]}, 1 & 2 {n + 3}",
            ),
            *([("B", 18, 72, 720, f"{1 + n // 4} {names[n // 4]}")] if n % 4 == 0 else []),
            *(
                ("F", 11, 72, 690 - 14 * k, f"The {'abcdefghijkl'[n] * k} of this pier is red, and old.")
                for k in range(2, 12)
            ),
        )
        for n in range(12)
    ]
    pages = [
        printed(("B", 11, 72, 750, "Contents"), ("F", 11, 72, 600, "Boats, oars."), ("B", 11, 72, 50, "iii")),
        *pages[1:],
    ]
    record = record_from_bytes(pdf(pages), uid="book.pdf")
    assert isinstance(record, Record)
    headings = [one.lstrip("# ") for one in record.text.split("\n") if one.startswith("#")]
    assert headings == ["Contents", "2 Oars", "3 Sails"]
    assert "4 Chapter 1. Boats" in record.text  # once: no text of the document is lost
    assert "iii" in record.text
