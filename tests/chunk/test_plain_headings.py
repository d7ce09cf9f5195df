"""Headings of plain texts: numbers, capitals, margins, and clauses of contracts."""

from __future__ import annotations

import pytest
from chunk_checks import cut_text, texts

from daypack.types import PieceKind

BOAT = "The boat belongs to all members, who keep it clean and report each damage to the keeper on the same day.\n"


def outline(text: str) -> list[str]:
    """The headings of the pieces, each once in a row."""
    paths = [" > ".join((*piece.trail, piece.name)) for piece in cut_text(text, "text").pieces]
    return [path for number, path in enumerate(paths) if number == 0 or path != paths[number - 1]]


def test_numbers_that_rise_are_headings_under_each_other() -> None:
    text = f"1. Purpose\n\n{BOAT}\n2. Crew\n\n2.1 Skippers\n\n{BOAT}\n2.2. Guests on board\n\n{BOAT}\n3. Harbour\n\n{BOAT}"
    assert outline(text) == [
        "1. Purpose",
        "2. Crew > 2.1 Skippers",
        "2. Crew > 2.2. Guests on board",
        "3. Harbour",
    ]


def test_a_numbered_question_may_have_two_lines_and_blanks_that_do_not_break() -> None:
    text = f"1. Boats\n\n    {BOAT}\n1.1.\u00a0Who may take the boat out when the\nkeeper is away?\n\n    {BOAT}\n1.2. Why?\n\n    {BOAT}"
    assert outline(text)[1:] == [
        "1. Boats > 1.1. Who may take the boat out when the keeper is away?",
        "1. Boats > 1.2. Why?",
    ]


def test_an_underlined_heading_is_above_the_numbers_below_it() -> None:
    text = (
        f"4. Fees\n-------\n\n4.1. Members\n\n{BOAT}\n4.2. Guests\n\n{BOAT}\n5. Leaving\n----------\n\n{BOAT}"
    )
    assert outline(text) == ["4. Fees > 4.1. Members", "4. Fees > 4.2. Guests", "5. Leaving"]


def test_a_rule_above_a_number_is_part_of_the_heading() -> None:
    part = (
        "=" * 40
        + "\n{0}. Part {0}\t\t\t*part-{0}*\n\n"
        + BOAT
        + "\n1. Take the key.\n\n2. Open the door.\n\n"
    )
    text = "".join(part.format(number) for number in (1, 2, 3))
    assert outline(text) == ["1. Part 1", "2. Part 2", "3. Part 3"]


def test_chapters_and_articles_are_headings_by_their_word() -> None:
    text = f"PART ONE\n\nChapter 1. The keeper\n\n{BOAT}\nArticle IV - Meetings\n\n{BOAT}\nSection 2. Votes\n\n{BOAT}"
    assert outline(text) == [
        "PART ONE > Chapter 1. The keeper",
        "PART ONE > Article IV - Meetings",
        "PART ONE > Article IV - Meetings > Section 2. Votes",
    ]


def test_words_of_chapters_inside_sentences_are_none() -> None:
    text = f"Section 2 says that each member pays, and that guests do not pay for the first day of their stay.\n\n{BOAT}"
    assert outline(text) == [""]


def test_lines_in_capitals_or_further_left_than_the_text_are_headings() -> None:
    page = "NAME\n     oil - oil the pump\n\nEXIT STATUS\n     The status is 0, or 2 when no oil is left.\n\nSee the keeper\n\n     He has more oil,\n     and he knows the pump.\n"
    assert outline(page) == ["NAME", "EXIT STATUS", "See the keeper"]


def test_a_term_that_stands_out_names_its_options() -> None:
    page = "OPTIONS\n     All are optional, and each may be given only once.\n\n   Colour\n     Paints the boat.\n\n   Tide\n     Waits for the tide.\n\nFILES\n     None is read.\n"
    assert outline(page) == ["OPTIONS", "OPTIONS > Colour", "OPTIONS > Tide", "FILES"]


def test_the_first_words_of_a_clause_are_its_heading() -> None:
    clause = "  {0}. {1} may take the boat out for a day, when the keeper has seen {1} sail and\nnobody else has asked for it.\n\n  a) In winter the boat stays in the shed.\n\n"
    text = "".join(
        clause.format(number, who) for number, who in enumerate(("Members", "Guests", "Children", "Dogs"), 1)
    )
    assert [path.split(" may ")[0] for path in outline(text)] == [
        "1. Members",
        "2. Guests",
        "3. Children",
        "4. Dogs",
    ]


def test_a_clause_may_begin_with_its_title() -> None:
    clause = "   {0}. {1}. Each member answers for the boat, and for all that was in it\n      when it left the harbour.\n\n      (a) Oars are counted.\n\n"
    text = "".join(
        clause.format(number, title) for number, title in enumerate(("Damage", "Loss", "Delay", "Fire"), 1)
    )
    assert outline(text) == ["1. Damage", "2. Loss", "3. Delay", "4. Fire"]


@pytest.mark.parametrize(
    "text",
    [
        "To sail:\n\n1. Open the shed.\n\n2. Pull the boat out.\n\n3. Close the shed.\n",
        f"{BOAT}\n3 kg of oil are left\n\n{BOAT}\n",
        f"{BOAT}\n7. Seven is late\n\n{BOAT}",
        f"{BOAT}\nBook a table\n\nPart I have read\n\nChapter 3 is short\n\n{BOAT}",
        "Tide   Low\n1.     05:10\n2.     06:02\n3.     06:50\n",
    ],
)
def test_lists_and_lone_numbers_are_no_headings(text: str) -> None:
    assert outline(text) == [""]


def test_meanings_that_are_counted_anew_for_each_word_are_no_headings() -> None:
    word = "tide{0}\n\n1. A rise of water\n\n" + BOAT + "\n2. A fall of water\n\n" + BOAT + "\n"
    assert outline("".join(word.format(number) for number in range(9))) == [""]


def test_steps_of_a_section_do_not_end_it() -> None:
    steps = "   1. The keeper opens the shed with the key that hangs in the office of the\n      harbour.\n\n   2. The crew pulls the boat.\n\n"
    text = f"1. Purpose\n\n   {BOAT}\n2. Sailing\n\n{steps}3. Return\n\n   {BOAT}\n4. Fees\n\n   {BOAT}"
    assert outline(text) == ["1. Purpose", "2. Sailing", "3. Return", "4. Fees"]


def test_a_table_of_contents_has_nothing_to_say() -> None:
    contents = "Contents\n\n   1. Purpose . . . . . . . . 2\n   2. Crew . . . . . . . . . 3\n   2.1. Guests . . . . . . . 3\n   3. Harbour. . . . . . . . 12\n\n"
    body = f"1. Purpose\n\n   {BOAT}\n2. Crew\n\n   {BOAT}\n2.1. Guests\n\n   {BOAT}\n3. Harbour\n\n   {BOAT}"
    pieces = cut_text(contents + body, "text").pieces
    assert [piece.kind for piece in pieces if piece.span.end_line < 8] == [PieceKind.HEADING] * 1
    assert [piece.name for piece in pieces if piece.span.start_line >= 8] == [
        "1. Purpose",
        "2. Crew",
        "2.1. Guests",
        "3. Harbour",
    ]


def test_a_list_of_the_headings_has_nothing_to_say_either() -> None:
    titles = ("1. Purpose", "2. Crew", "2.1. Guests", "3. Harbour")
    listed = "\n\n".join(f"* {title}" for title in titles)
    body = "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{BOAT}" for title in titles)
    pieces = cut_text(f"{listed}\n\n{body}", "text").pieces
    assert {piece.kind for piece in pieces if piece.span.end_line < 8} == {PieceKind.HEADING}


def test_a_term_stays_with_all_paragraphs_that_explain_it() -> None:
    first = "  -a, --all      " + "Shows all boats, also those that are at sea. " * 4
    text = f"{first}\n\n                 Boats that sank are shown in grey.\n\n  -b             Shows none.\n"
    found = texts(text, cut_text(text, "text"))
    assert next(piece for piece in found if "grey" in piece).startswith("  -a, --all") or found[0].startswith(
        "-a, --all"
    )


def test_a_sentence_goes_on_behind_a_page_break() -> None:
    start = (
        "The keeper of the harbour counts all boats each evening, and writes their names into the book that lies in the "
        * 3
    )
    text = f"{start}\n\n\n\n\n\n\n\nshed, beside the oars.\n"
    assert len(cut_text(text, "text").pieces) == 1
