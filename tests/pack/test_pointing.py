"""The place of a text that a question points at is in every form of that text."""

from __future__ import annotations

import pytest

from daypack.pack.pointing import Pointing, pointing_of
from daypack.pack.variants import choices
from daypack.pack.weigher import Weigher
from daypack.query import parse_query
from daypack.testing import make_chunk
from daypack.types import Candidate, Chunk, Frame, RecordKind, SymbolKind, Variant
from support import EPOCH

LINES = [f"    step_{n}(order)" for n in range(40)]
TEXT = "def settle(order):\n" + "\n".join(LINES)
PROSE = " ".join(f"The clerk of desk {n} counts the coins of the till each evening." for n in range(30))


def function() -> Chunk:
    return make_chunk(TEXT, 1, tokens=len(TEXT) // 4, record_kind=RecordKind.CODE)._replace(
        name="settle", signature="def settle(order):", symbol=SymbolKind.FUNCTION
    )


def extract(chunk: Chunk, question: str) -> str:
    """The smallest extract of a chunk for a question."""
    weigher = Weigher({"step": 1.0, "clerk": 1.0}, pointing_of(parse_query(question, now=EPOCH)))
    found = choices(Candidate(chunk, 1.0, 1.0, ()), weigher, whole=chunk.tokens, overhead=10, further=5)
    first = next(choice for choice in found if choice.variant is Variant.EXTRACT)
    return "\n".join(chunk.text[start:end] for start, end in first.parts)


@pytest.mark.parametrize("line", [2, 9, 25, 41])
def test_an_extract_shows_the_line_that_the_question_names(line: int) -> None:
    chunk = function()
    shown = extract(chunk, f"{chunk.uri}:{line}")
    assert LINES[line - 2] in shown.split("\n")
    assert "def settle(order):" in shown


def test_an_extract_shows_the_code_that_the_question_repeats() -> None:
    assert "step_33(order)" in extract(function(), 'what does "step_33(order) step_34(order)" do?')


def test_an_extract_of_a_page_shows_the_sentence_that_the_question_quotes() -> None:
    page = make_chunk(PROSE, 1, tokens=len(PROSE) // 4)
    quoted = "The clerk of desk 23 counts the coins"
    assert quoted in extract(page, f'where do the docs say "{quoted}"?')


def test_a_line_of_another_file_points_nowhere() -> None:
    assert Pointing((Frame("other.py", 3),)).place(function()) is None


def test_an_extract_shows_the_line_of_a_frame() -> None:
    chunk = function()
    trace = f'Traceback (most recent call last):\n  File "{chunk.uri}", line 30, in settle\nValueError: no'
    assert LINES[28] in extract(chunk, trace).split("\n")


def test_a_line_points_nowhere_where_another_function_than_that_of_its_frame_is_around_it() -> None:
    chunk = function()
    assert Pointing((Frame(chunk.uri, 30, "Desk.refund"),)).place(chunk) is None
    assert Pointing((Frame(chunk.uri, 30, "Desk.settle"),)).place(chunk) is not None


def test_an_extract_shows_the_line_that_prints_a_message() -> None:
    chunk = function()
    line = '    raise Refused(f"order {order} was refused by the {bank} of the buyer")'
    text = chunk.text.replace(LINES[29], line)
    printing = chunk._replace(text=text, span=chunk.span._replace(end=len(text)))
    assert line in extract(printing, "Error: order 12 was refused by the local bank of the buyer").split("\n")


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("If the new till is broken, does the old one keep running?", False),
        ("what does the till is unchanged since noon mean?", True),
    ],
)
def test_two_common_words_of_a_question_point_at_no_message(question: str, shown: bool) -> None:
    chunk = function()
    said = '    log("till is unchanged since noon")'
    chunk = chunk._replace(text="\n".join(["def settle(order):", *LINES[:30], said, *LINES[30:]]))
    assert (said in extract(chunk, question)) == shown
