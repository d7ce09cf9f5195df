"""The layout of PDF pages: whatever the places and sizes of lines, all of their text stays."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from daypack.doors.reading.office.layout import Letter, Line, arranged

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
