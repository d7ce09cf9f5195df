"""The tables of a PDF are read from the places of their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.doors.reading.office.columns import Word, tables
from daypack.doors.reading.office.extract import Extracted, extract
from daypack.doors.reading.office.layout import Letter, Line, arranged
from documents_made import pdf, printed

EM = 10.0


def line(base: float, *cells: tuple[float, str]) -> list[Word]:
    """Words from (left edge, text), each letter 5 points wide and each blank 2.5."""
    found = []
    for left, text in cells:
        at = left
        for word in text.split():
            found.append(Word(word, at, at + 5 * len(word), base))
            at += 5 * len(word) + 2.5
    return found


def rows(*lines: list[Word]) -> list[list[list[str]]]:
    return [table.rows for table in tables(lines, EM, [True] * len(lines))]


def test_words_above_each_other_are_the_cells_of_a_column() -> None:
    assert rows(
        line(700, (70, "Berth"), (200, "Day"), (260, "Remarks")),
        line(680, (70, "up to 8 m"), (200, "18.00")),
        line(660, (70, "8 to 12 m"), (200, "26.00"), (260, "pier C")),
    ) == [[["Berth", "Day", "Remarks"], ["up to 8 m", "18.00", ""], ["8 to 12 m", "26.00", "pier C"]]]


def test_the_lines_of_a_cell_are_joined_when_rows_are_farther_from_each_other() -> None:
    assert rows(
        line(700, (70, "Berth"), (200, "Remarks")),
        line(680, (70, "small"), (200, "with electricity")),
        line(667, (200, "from May on")),
        line(647, (70, "large"), (200, "none")),
    ) == [[["Berth", "Remarks"], ["small", "with electricity from May on"], ["large", "none"]]]


def test_a_line_without_a_first_cell_goes_on_with_the_row_above_where_all_lines_are_as_near() -> None:
    assert rows(
        line(700, (70, "Berth"), (200, "Remarks")),
        line(687, (70, "small"), (200, "with electricity")),
        line(674, (200, "from May on")),
        line(661, (70, "large"), (200, "none")),
    ) == [[["Berth", "Remarks"], ["small", "with electricity from May on"], ["large", "none"]]]


def test_a_short_cell_beside_the_middle_of_a_long_one_is_in_its_row() -> None:
    assert rows(
        line(700, (70, "Berth"), (200, "Remarks")),
        line(680, (200, "with electricity")),
        line(673.5, (70, "small")),
        line(667, (200, "from May on")),
        line(640, (70, "large"), (200, "none")),
    ) == [[["Berth", "Remarks"], ["small", "with electricity from May on"], ["large", "none"]]]


def test_text_below_a_table_ends_it() -> None:
    text = line(640, (70, "Members of the club pay less than others do in all months"))
    assert (
        tables(
            [
                line(700, (70, "Berth"), (200, "Day")),
                line(680, (70, "small"), (200, "18.00")),
                line(660, (70, "large"), (200, "26.00")),
                text,
            ],
            EM,
            [True] * 4,
        )[0].end
        == 3
    )


def test_the_equal_gaps_of_justified_text_are_no_columns() -> None:
    words = [(70 + 31.0 * at, "which") for at in range(12)]
    assert rows(line(700, *words), line(687, *words), line(674, *words)) == []


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from([70.0, 95.0, 200.0, 300.0, 410.0]), st.sampled_from(["a", "tide", "of 12"])
            ),
            max_size=4,
        ),
        max_size=8,
    ),
    st.lists(st.sampled_from([6.0, 12.0, 20.0, 60.0, -30.0]), min_size=8, max_size=8),
)
def test_every_word_of_a_table_is_in_a_cell_once(
    cells: list[list[tuple[float, str]]], steps: list[float]
) -> None:
    base, page = 700.0, []
    for found, step in zip(cells, steps, strict=False):
        base -= step
        page.append(line(base, *dict(found).items()))
    for table in tables(page, EM, [True] * len(page)):
        words = [word.text for each in page[table.start : table.end] for word in each]
        assert sorted(" ".join(cell for row in table.rows for cell in row).split()) == sorted(words)
        assert {len(row) for row in table.rows} == {len(table.rows[0])}
        assert len(table.rows[0]) > 1


def test_a_table_stands_between_the_texts_around_it() -> None:
    letter = Letter(10, 5, 70, 700, False, False)
    lines = [
        Line(" ".join(word.text for word in words), (letter, letter._replace(left=300)), tuple(words))
        for words in (
            line(740, (70, "All prices are in euros and hold from May on")),
            line(700, (70, "Berth"), (200, "Day")),
            line(680, (70, "small"), (200, "18.00")),
            line(660, (70, "large"), (200, "26.00")),
            line(620, (70, "Members of the club pay less than others do")),
        )
    ]
    (page,) = arranged([lines])
    assert "\n\n| Berth | Day |\n| --- | --- |\n| small | 18.00 |\n| large | 26.00 |\n\n" in page


def test_a_printed_table_is_read_with_its_columns() -> None:
    pytest.importorskip("pypdfium2")
    page = [
        ("F", 11, 72, 760, "The tariff of the harbour holds from the first of May until the end of the year.")
    ]
    for at, (berth, day, remark) in enumerate(
        [
            ("Berth", "Day", "Remarks"),
            ("up to 8 m", "18.00", "with electricity"),
            ("8 to 12 m", "26.00", "only at pier C"),
        ]
    ):
        top = 720 - 20 * at
        page += [("F", 11, 72, top, berth), ("F", 11, 200, top, day), ("F", 11, 300, top, remark)]
    found = extract(pdf([printed(*page)]), "pdf")
    assert isinstance(found, Extracted)
    assert "| up to 8 m | 18.00 | with electricity |\n| 8 to 12 m | 26.00 | only at pier C |" in found.text
