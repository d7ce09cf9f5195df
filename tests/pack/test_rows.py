"""The rows, entries and steps that stand for a text."""

from __future__ import annotations

import pytest

from daypack.pack.variants import choices
from daypack.pack.weigher import Weigher
from daypack.testing import make_chunk
from daypack.types import Candidate, Chunk, PieceKind, Variant


def table(*lines: str, language: str = "markdown", kind: PieceKind = PieceKind.TABLE) -> Chunk:
    text = "\n".join(lines)
    return make_chunk(text, 1, tokens=len(text) // 4)._replace(kind=kind, language=language)


def first_extract(chunk: Chunk, **terms: float) -> str:
    """The smallest extract, with a mark where something is left out."""
    found = choices(
        Candidate(chunk, 1.0, 1.0, ()), Weigher(terms), whole=chunk.tokens, overhead=10, further=5
    )
    assert found[0].variant is Variant.EXTRACT
    return "…".join(chunk.text[start:end] for start, end in found[0].parts)


ROWS = [f"| code {n} | the meaning of number {n}, in a few words of no interest |" for n in range(20)]
TOLD = "| code 99 | the wheel is broken, and the carriage is left behind at the stop |"


@pytest.mark.parametrize(
    "head",
    [
        ["| Code | Meaning |", "|------|---------|"],
        ["|===", "| Code | Meaning", ""],
        ["+------+---------+", "| Code | Meaning |", "+======+=========+"],
    ],
)
def test_a_row_of_a_table_is_shown_with_the_names_of_its_columns(head: list[str]) -> None:
    chunk = table(*head, *ROWS[:10], TOLD, *ROWS[10:])
    extract = first_extract(chunk, wheel=1.0, broken=1.0)
    assert "Code | Meaning" in extract
    assert TOLD in extract
    assert len(extract) < len(chunk.text) / 3


def test_a_row_of_a_later_part_of_a_table_is_shown_alone() -> None:
    assert first_extract(table(*ROWS[:10], TOLD, *ROWS[10:]), wheel=1.0).count("| code ") == 2


def test_a_row_below_named_columns_is_shown_without_its_neighbours() -> None:
    chunk = table("| Key | Act |", "|---|---|", "| a | up |", "| b | down |", *["| c | aside |"] * 20)
    named = chunk._replace(signature="Key Act")
    assert first_extract(named, down=1.0) == "| Key | Act |\n|---|---|\n…| b | down |\n"


def test_a_row_is_shown_with_the_years_below_the_first_row_of_names() -> None:
    rows = [f"| Boat {n} | {n} | {n} |" for n in range(20)]
    chunk = table(
        "|  | Years ended |  |", "|---|---|---|", "|  | 2025 | 2024 |", *rows, "| Berths | 18 | 16 |"
    )
    extract = first_extract(chunk._replace(signature="Years ended"), berth=1.0)
    assert extract == "|  | Years ended |  |\n|---|---|---|\n|  | 2025 | 2024 |\n…| Berths | 18 | 16 |"


def test_a_row_of_a_csv_file_is_shown_below_the_names_of_its_columns_whatever_these_say() -> None:
    columns = "airline,fatal_accidents_85_99,fatalities_85_99"
    rows = [f"Line {n} of no interest,{n},{n}" for n in range(20)]
    told = "Aeroflot,14,128"
    text = "\n".join([columns, *rows[:10], told, *rows[10:]])
    chunk = make_chunk(text, 1, tokens=len(text) // 4)._replace(
        kind=PieceKind.ROW, language="csv", name="airline | fatal_accidents_85_99 | fatalities_85_99"
    )
    extract = first_extract(chunk, fatal=1.0, accidents=1.0, aeroflot=1.0)
    assert extract == f"{columns}\n…{told}\n"


def test_an_extract_of_a_table_has_a_row_whatever_the_title_says() -> None:
    chunk = table("## States", "", "| Code | Meaning |", "|---|---|", *ROWS)._replace(
        signature="Code Meaning"
    )
    assert "| code 0 |" in first_extract(chunk, stat=1.0)


def test_the_words_of_the_columns_choose_no_row() -> None:
    told = "| 17 | the wheel is broken |"
    chunk = table("| Code | Meaning |", "|---|---|", "| 16 | meaning of the code unknown |", *ROWS[:9], told)
    query = {"mean": 1.0, "code": 1.0, "wheel": 0.8}
    assert told not in first_extract(chunk, **query)
    assert told in first_extract(chunk._replace(signature="Code Meaning"), **query)


def test_one_row_stands_for_many_of_a_file_of_rows() -> None:
    rows = [f"AN-{1000 + n},Anvil,{n}.20,Lindau,12 days" for n in range(25)]
    chunk = table(*rows, "MA-2000,Mallet,10.99,Bregenz,8 days", language="csv", kind=PieceKind.ROW)
    extract = first_extract(chunk, mallet=1.0)
    assert "MA-2000,Mallet,10.99,Bregenz,8 days" in extract
    assert len(extract.splitlines()) < 6


@pytest.mark.parametrize(
    ("language", "entry"),
    [
        ("json", '    {{\n      "id": "{}",\n      "note": "of no interest"\n    }},'),
        ("yaml", "- id: {}\n  note: of no interest"),
        ("xml", '  <order id="{}">\n    <note>of no interest</note>\n  </order>'),
    ],
)
def test_one_entry_stands_for_many_and_is_not_taken_apart(language: str, entry: str) -> None:
    wanted = entry.format("W-1").replace(
        "of no interest", "a broken wheel, which was left behind at the stop"
    )
    lines = [*(entry.format(n) for n in range(9)), wanted, *(entry.format(n) for n in range(9))]
    extract = first_extract(table(*lines, language=language, kind=PieceKind.ROW), wheel=1.0)
    assert wanted in extract
    assert extract.count("of no interest") < 3


def test_the_only_entry_is_opened() -> None:
    keys = [f'  "key {n}": {{\n    "size": {n},\n    "note": "of no interest"\n  }},' for n in range(9)]
    text = ["{", *keys, '  "wheel": {\n    "size": 4,\n    "note": "round, and made of beech"\n  }', "}"]
    extract = first_extract(table(*text, language="json", kind=PieceKind.ROW), wheel=1.0)
    assert '"wheel": {' in extract
    assert "beech" in extract
    assert extract.count("of no interest") < 3


def test_a_step_is_shown_with_its_number() -> None:
    steps = [f"{n}. Turn the valve {n} times, and wait for a minute." for n in range(1, 12)]
    steps[4:6] = ["5. Restart a pump.", "6. (Perhaps) look at the gauge, which is behind the boiler."]
    extract = first_extract(table(*steps, kind=PieceKind.LIST), gaug=1.0)
    assert "6. (Perhaps) look at the gauge" in extract
    assert all(line[0].isdigit() for line in extract.splitlines())
