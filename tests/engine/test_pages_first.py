"""Questions that name a page, a slide or a sheet find it in the document that they name."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.query import parse_query
from documents_made import epub, pdf, pptx, xlsx
from support import WORDS, project

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


LONG = " It goes on about the sea, the harbour and its people." * 8


def pages(question: str) -> list[tuple[str, int]]:
    return [(asked.unit, asked.number) for asked in parse_query(question, now=NOW).pages]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("page 4 of the forklift manual", [("page", 4)]),
        ("kickoff deck slide 4", [("slide", 4)]),
        ("compare slides 2 and slide 3", [("slide", 2), ("slide", 3)]),
        ("Was steht auf Seite 12 des Vertrags?", [("page", 12)]),
        ("which page is the fourth?", []),
        ("page 4.2 of the rules", []),
    ],
)
def test_a_question_names_places_by_their_numbers(question: str, named: list[tuple[str, int]]) -> None:
    assert pages(question) == named


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("page 4 of the forklift manual", "forklift-manual.pdf#page=4"),
        ("what does page 3 of the crane manual say?", "crane-manual.pdf#page=3"),
        ("kickoff deck slide 4", "kickoff.pptx#slide=4"),
        ("sheet 2 of the budget", "budget.xlsx#sheet=Actual"),
    ],
)
def test_a_page_is_found_by_its_number_in_the_document_that_the_question_names(
    tmp_path: Path, question: str, reference: str
) -> None:
    root = project(
        tmp_path / "office",
        {"notes.md": "# Notes\n\nThe forklift manual has page 4; the kickoff deck has a slide 4.\n"},
    )
    manual = [
        "Forklift manual\n\nThe manual of the forklift. Page one.",
        "Plug in.",
        "Test the brakes.",
        "8 bar.",
    ]
    (root / "forklift-manual.pdf").write_bytes(pdf(manual, title="Forklift manual"))
    (root / "crane-manual.pdf").write_bytes(pdf([f"Crane manual page {n}\n\nLift {n}." for n in range(1, 6)]))
    slides = (("Kickoff deck", ["A deck of slides"]), ("Goals", ["Ship"]), ("Team", ["Bo"]), ("Costs", ["9"]))
    (root / "kickoff.pptx").write_bytes(pptx(*((title, lines, "") for title, lines in slides)))
    (root / "budget.xlsx").write_bytes(
        xlsx({"Plan": [["a", "b"], ["x", 1]], "Actual": [["a", "b"], ["y", 2]]})
    )
    with Daypack.open(root / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(root)
        found = daypack.search(question, limit=3).candidates
    assert found[0].chunk.reference.rpartition(":")[0] == reference


@pytest.mark.parametrize(
    ("headings", "place"),
    [
        (
            ["Copyright", "Dedication", "Chapter 1: The Storm", "Chapter 2: The Boat", "Chapter 3: A Letter"],
            5,
        ),
        (["Copyright", "I", "II", "III", "IV"], 4),
        (["Copyright", "1", "2", "3. Sand", "4"], 4),
        (["Title", "Chapter One", "Chapter Two", "Chapter Three"], 4),
        (["The Start", "The Bend", "The Mouth", "The Sea"], 3),
        (["39 Steps", "I am here", "Civil: a word", "The Sea"], 3),
    ],
)
def test_a_chapter_has_the_number_of_its_heading(tmp_path: Path, headings: list[str], place: int) -> None:
    root = project(tmp_path / "books", {"notes.md": "# Notes\n\nThe keeper reads chapter 3.\n"})
    parts = {f"p{n}.xhtml": f"<h1>{one}</h1><p>Text {n}.{LONG}</p>" for n, one in enumerate(headings)}
    (root / "keeper.epub").write_bytes(epub(parts, title="The Lighthouse Keeper"))
    with Daypack.open(root / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(root)
        for question in ("chapter 3 of the lighthouse keeper", "what is in Kapitel 3 of the keeper?"):
            found = daypack.search(question, limit=3).candidates
            assert found[0].chunk.reference.startswith(f"keeper.epub#chapter={place}:"), question
