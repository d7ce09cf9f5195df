"""The layout of PDF pages: titles, and whatever the places and sizes of lines, all of their text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.doors.reading.office.layout import Letter, Line, arranged
from daypack.doors.reading.office.program import BOLD_FONT, TALL

SIZES = st.sampled_from([8.0, 10.0, 10.2, 12.0, 18.0, 24.0])
LETTERS = st.builds(
    Letter, SIZES, st.floats(0.5, 20), st.floats(-50, 600), st.floats(-50, 800), st.booleans(), st.booleans()
)
TEXTS = st.sampled_from(
    ["Tide", "The tide rises at noon.", "# tide", "```", "1. Oil", "---", "<!-- x", "def oil():", "12"]
)
LINES = st.builds(
    Line, TEXTS, st.lists(LETTERS, max_size=3).map(tuple), words=st.just(()), is_running=st.just(False)
)


def line(text: str, top: float, size: float | tuple[float, ...] = 10.0, *, bold: bool = False) -> Line:
    sizes = size if isinstance(size, tuple) else (size, size, size)
    return Line(text, tuple(Letter(high, 5.0, 72.0 + at, top, bold, False) for at, high in enumerate(sizes)))


def below(top: float, *texts: str, bold: bool = False) -> list[Line]:
    return [line(text, top - 12 * at, bold=bold) for at, text in enumerate(texts)]


BODY = (
    "The tide rises at noon and falls at six.",
    "Oil the lamp before it burns out.",
    "Ring twice.",
    "Wait.",
)


def test_a_bold_line_is_a_title_and_a_bold_paragraph_is_not() -> None:
    (page,) = arranged([[line("Lamps", 760, bold=True), *below(740, *BODY, bold=True), *below(660, *BODY)]])
    assert page.startswith(f"# Lamps\n\n{BODY[0]}\n{BODY[1]}")


def test_a_bold_chapter_in_a_table_of_contents_is_not_a_title() -> None:
    listed = [
        line("1.1 Oil . . . . . . . 3", 748),
        line("2 Tides 9", 724, bold=True),
        line("2.1 Noon . . . . 9", 712),
    ]
    (page,) = arranged([[*listed, *below(660, *BODY), line("2 Tides", 580, bold=True), *below(560, *BODY)]])
    assert "\n2 Tides 9\n" in page
    assert "\n# 2 Tides\n" in page


def test_one_tall_sign_does_not_make_a_heading() -> None:
    (page,) = arranged(
        [
            [
                line("∅ is a set of tides", 760, (14.0, 10.0, 10.0)),
                *below(700, *BODY, *BODY),
                line("Tides", 580, 14.0),
            ]
        ]
    )
    assert page.startswith("∅ is a set of tides\n")
    assert page.endswith("# Tides")


@pytest.mark.parametrize(
    ("name", "bold"),
    [("ABCDEF+NimbusRomNo9L-Medi", True), ("NimbusRomNo9L-MediItal", True), ("SFBX1440", True), ("CMSSBX10", True),
     ("Arial-BoldMT", True), ("NimbusRomNo9L-Regu", False), ("CMR10", False), ("AcademicaBook", False), ("Medium", False)],
)  # fmt: skip
def test_fonts_are_bold_by_their_names(name: str, bold: bool) -> None:
    assert (BOLD_FONT.search(name.encode()) is not None) == bold


@pytest.mark.parametrize(
    ("sign", "tall"), [("(", True), ("/", True), ("𝑉", True), ("V", False), ("∑", False)]
)
def test_brackets_and_letters_of_formulas_do_not_tell_the_size_of_a_line(sign: str, tall: bool) -> None:
    assert (TALL.match(sign) is not None) == tall


def said(text: str) -> str:
    """The text without blanks and the marks of Markdown."""
    return re.sub(r"[\s#`\\~]", "", text)


@given(st.lists(st.lists(LINES, max_size=8), max_size=4))
def test_no_line_is_lost(pages: list[list[Line]]) -> None:
    for page, lines in zip(arranged(pages), pages, strict=True):
        assert sorted(said(page)) == sorted(said("".join(line.text for line in lines)))


@given(st.lists(st.lists(LINES, max_size=8), max_size=4))
def test_lines_that_go_down_the_page_stay_in_their_order(pages: list[list[Line]]) -> None:
    going_down = [[_moved(line, 800.0 - 60 * at) for at, line in enumerate(page)] for page in pages]
    assert [said(page) for page in arranged(going_down)] == [
        said("".join(line.text for line in page)) for page in pages
    ]


def _moved(line: Line, top: float) -> Line:
    return line._replace(letters=tuple(letter._replace(top=top) for letter in line.letters))


@given(st.lists(LINES, min_size=1, max_size=12))
def test_a_fence_that_is_opened_is_closed_and_text_cannot_break_out(lines: list[Line]) -> None:
    (page,) = arranged([lines])
    marks = [line for line in page.split("\n") if re.fullmatch(r"`{3,}", line)]
    while marks:
        first = marks.pop(0)
        assert first in marks, page
        del marks[: marks.index(first) + 1]
