"""What stands first in a pack, and what is no item of one."""

from __future__ import annotations

from pathlib import Path

from random_packs import packed

from daypack import Daypack
from daypack.pack.variants import is_bare_head
from daypack.testing import make_chunk
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    Packing,
    PieceKind,
    RecordKind,
    SearchStats,
    Span,
    SymbolKind,
    Tokenizer,
)

GUIDE = """\
# Shipping

Parcels leave the warehouse at noon.

{filler}

## Refunds of parcels

A refund of a lost parcel is paid within nine days, and the carrier pays the refund back.
"""

PRICES = """\
# Studio

## Prices

| Item | Members | Guests | Note |
|---|---|---|---|
| Bisque firing, small kiln | 12 | 18 | per shelf |
| Bisque firing, large kiln | 20 | 30 | per shelf |
| Glaze firing, small kiln | 16 | 24 | cone 6 only |
| Glaze firing, large kiln | 26 | 39 | cone 6 or 10 |
| Clay, 10 kg bag of stoneware | 14 | 16 | white or speckled |
| Clay, 10 kg bag of porcelain | 22 | 25 | order a week before |
| Wheel, an evening | 8 | 14 | wheel 3 is out of use |
| Course, beginners, six evenings | 180 | 220 | clay included |

## Opening

The studio is open from nine to nine. It is closed on Tuesday.
"""


def code(text: str) -> Chunk:
    return make_chunk(text, 1)._replace(record_kind=RecordKind.CODE)


def test_the_best_piece_of_a_file_stands_before_its_other_pieces(tmp_path: Path) -> None:
    filler = "\n\n".join(
        f"## Shelf {n}\n\nShelf {n} holds boxes and tape of kind {n}." * 3 for n in range(12)
    )
    guide = tmp_path / "guide.md"
    guide.write_text(GUIDE.format(filler=filler), encoding="utf-8")
    with Daypack.open(tmp_path / "store") as daypack:
        daypack.files.add(guide)
        pack = daypack.pack(
            "when is the refund of a lost parcel paid, and when do parcels leave?", budget=400, vectors="none"
        )
    texts = [item.text for item in pack.excerpts]
    assert len(texts) > 1
    assert "nine days" in texts[0]
    assert any("at noon" in text for text in texts[1:])


def test_the_best_candidate_is_in_each_larger_budget(tmp_path: Path) -> None:
    prices = tmp_path / "prices.md"
    prices.write_text(PRICES, encoding="utf-8")
    with Daypack.open(tmp_path / "store", root=tmp_path) as daypack:
        daypack.files.add(prices)
        asked = "how much is a glaze firing in the large kiln for guests?"
        texts = [daypack.pack(asked, budget=limit, vectors="none").text for limit in range(20, 260)]
    has_row = ["| Glaze firing, large kiln | 26 | 39 |" in text for text in texts]
    assert has_row.index(True) < 70
    assert all(has_row[has_row.index(True) :])


def test_the_line_that_opens_a_class_is_no_item() -> None:
    for line in (
        "impl Fields {",
        "class Field(Base):",
        "pub struct Builder",
        "defmodule Shop.Refunds do",
        "expect open class Timeout {",
    ):
        assert is_bare_head(code(line)), line
    for line in ("pub struct Builder;", "type Key = str", "data class At(val x: Int)", "class A: pass;"):
        assert not is_bare_head(code(line)), line
    assert is_bare_head(code("namespace Shop.Tests\n{")), "a brace may have a line of its own"
    assert not is_bare_head(code("class Field:\n    size = 3"))
    assert not is_bare_head(make_chunk("class Field:", 1)), "prose may say so"


def test_a_class_that_is_found_by_its_name_shows_its_best_method() -> None:
    head = "class PilotBoats(Scheduler):"
    lines = [
        (head, "PilotBoats", (), SymbolKind.CLASS),
        *(
            (f"def tide_{n}(level):\n    return level + {n}", f"tide_{n}", (), SymbolKind.FUNCTION)
            for n in range(9)
        ),
        (
            "def assign(self, ships):\n    return sorted(ships)",
            "PilotBoats.assign",
            ("PilotBoats",),
            SymbolKind.METHOD,
        ),
        ("def __init__(self):\n    pass", "PilotBoats.__init__", ("PilotBoats",), SymbolKind.METHOD),
    ]
    texts, candidates = {1: ""}, []
    for n, (text, name, trail, symbol) in enumerate(lines):
        start = len(texts[1])
        texts[1] += f"{text}\n\n"
        first = 1 + texts[1][:start].count("\n")
        chunk = make_chunk(
            text,
            n + 1,
            record_id=1,
            ordinal=n,
            uri="harbour.py",
            span=Span(start, start + len(text), first, first + text.count("\n")),
            name=name,
            trail=trail,
            symbol=symbol,
            kind=PieceKind.SYMBOL,
            record_kind=RecordKind.CODE,
            language="python",
        )
        candidates.append(Candidate(chunk, 1 - n / 20, 0.9 if n == 0 else 0.2 - n / 100, ()))

    def first_of(found: list[Candidate]) -> str:
        pack = packed(
            "pilot boats", texts, found, Budget(60, Tokenizer.O200K), Packing.AUTO, "markdown", SearchStats()
        )
        return pack.excerpts[0].name

    assert first_of(candidates) == "PilotBoats.assign"
    impl = candidates[0]._replace(chunk=candidates[0].chunk._replace(symbol=SymbolKind.IMPL))
    assert first_of([impl, *candidates[1:]]).startswith("tide"), "the type has a definition of its own"
