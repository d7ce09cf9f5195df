"""A text whose format is not named is cut as Markdown where its lines show that."""

from __future__ import annotations

from chunk_checks import cut_text

from daypack import Daypack
from daypack.types import PieceKind

BERTHS = (
    "# Harbour\n\n## Berths\n\n| Berth | Boat | Depth |\n|---|---|---|\n"
    + "".join(
        f"| {number} | the boat of member {number} | {number / 10:.1f} m |\n" for number in range(1, 19)
    )
    + "| 19 | Kittiwake | 3.4 m |\n"
)


def test_a_record_of_markdown_is_cut_under_its_headings() -> None:
    text = "# Boats\n\nThe keeper has the key of each boat.\n\n## Fees\n\nA member pays in March.\n"
    assert [(piece.name, piece.trail) for piece in cut_text(text, "").pieces] == [
        ("Boats", ()),
        ("Fees", ("Boats",)),
    ]


def test_a_table_without_headings_is_a_table() -> None:
    (piece,) = cut_text(BERTHS.partition("## Berths\n\n")[2][:200], "").pieces
    assert (piece.kind, piece.signature) == (PieceKind.TABLE, "Berth | Boat | Depth")


def test_a_text_that_is_named_as_plain_stays_plain() -> None:
    assert {piece.kind for piece in cut_text(BERTHS, "text").pieces} == {PieceKind.PARAGRAPH}


def test_a_script_in_a_record_is_not_cut_at_its_comments() -> None:
    text = "# Install the pump.\napt-get install pump\n\n# Start it.\ncd /srv/pump\n./start --now\n"
    assert [piece.name for piece in cut_text(text, "").pieces] == [""]


def test_a_small_pack_shows_the_row_of_a_record_that_answers(dp: Daypack) -> None:
    dp.records.add([{"id": "harbour", "text": BERTHS}])
    pack = dp.pack("how deep is the berth of the Kittiwake?", budget=90, tokenizer="approx", vectors="none")
    assert "| 19 | Kittiwake | 3.4 m |" in pack.text
    assert "| Berth | Boat | Depth |" in pack.text
