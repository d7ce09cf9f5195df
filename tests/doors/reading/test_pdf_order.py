"""The lines of a PDF's page are read from the top, column by column, in whatever order a program stored them."""

from __future__ import annotations

from documents_made import pdf, printed, text_of

LINE = tuple[str, int, int, int, str]


def at(top: int, text: str, left: int = 72, size: int = 11) -> LINE:
    return ("F", size, left, top, text)


def read(*lines: LINE) -> list[str]:
    return [line for line in text_of(pdf([printed(*lines)]), "pdf").split("\n") if line]


ADDRESS = [
    at(700, "Ann Lee"),
    at(686, "Bridge Street 8"),
    at(672, "Hull"),
    at(640, "Invoice 7 is due in May."),
]


def test_a_page_that_is_stored_from_its_end_is_read_from_its_top() -> None:
    assert read(*reversed(ADDRESS)) == read(*ADDRESS) == [line[4] for line in ADDRESS]


def test_a_heading_and_a_note_are_read_at_their_places_whenever_they_are_stored() -> None:
    head, note = (
        at(750, "Invoice", size=20),
        at(40, "* Without tax, which is due in the country of the customer."),
    )
    assert read(note, *ADDRESS, head) == ["# Invoice", *read(*ADDRESS), note[4]]


LEFT = [at(top, f"left {top} of the first column") for top in (700, 686, 672)]
RIGHT = [at(top, f"right {top} of the second", left=330) for top in (700, 686, 672)]


def test_columns_are_read_one_after_the_other() -> None:
    assert read(*LEFT, *RIGHT) == [line[4] for line in (*LEFT, *RIGHT)]
    assert read(*RIGHT, *LEFT) == [line[4] for line in (*RIGHT, *LEFT)]


def test_a_line_across_both_columns_divides_them() -> None:
    across = at(650, "A line that goes across both columns, from the left margin to the far right.")
    below_left, below_right = at(620, "left below"), at(620, "right below", left=330)
    found = read(*LEFT, below_left, *RIGHT, below_right, across)
    assert found == [line[4] for line in (*LEFT, *RIGHT, across, below_left, below_right)]


def test_rotated_text_stays_behind_the_line_that_is_stored_before_it() -> None:
    turned = b"BT /F 11 Tf 0 1 -1 0 40 300 Tm (printed in Hull) Tj ET"
    page = printed(*ADDRESS[:2]) + b"\n" + turned + b"\n" + printed(*ADDRESS[2:])
    found = [line for line in text_of(pdf([page]), "pdf").split("\n") if line]
    assert found.index("printed in Hull") == found.index("Bridge Street 8") + 1


def test_rows_stay_rows_where_few_of_them_have_a_first_cell() -> None:
    rows = [
        [at(700 - 14 * n, f"lot {n}", left=150), at(700 - 14 * n, f"{n}00 crowns", left=300)]
        for n in range(13)
    ]
    rows[-1].insert(0, at(700 - 14 * 12, "sold"))
    text = text_of(pdf([printed(*(line for row in rows for line in row))]), "pdf")
    assert "|  | lot 4 | 400 crowns |" in text
    assert "| sold | lot 12 | 1200 crowns |" in text
