"""The days of items: a year is said once, where it changes."""

from __future__ import annotations

from datetime import datetime

from daypack.shapes import render
from daypack.types import Budget, Excerpt, Pack, RecordKind, checksum_of
from packs_read import parse
from shapes.packs import HASH, excerpt

SUM = checksum_of(HASH)


def at(moment: str) -> float:
    return datetime.fromisoformat(f"{moment}T12:00+00:00").timestamp()


def source(label: int, moment: str) -> Excerpt:
    return excerpt(label, f"{label}.txt", 1, 1, "Hi.", time=at(moment), door="sources")


def turn(label: int, moment: str) -> Excerpt:
    return excerpt(label, f"t:{label}", 1, 1, "Hi.", time=at(moment), kind=RecordKind.EVENT, whole=True)


def test_a_day_without_a_year_is_of_the_year_above() -> None:
    shown = (source(1, "2025-12-31"), source(2, "2026-01-02"), source(3, "2026-01-03"), turn(4, "2026-11-24"))
    plain = excerpt(5, "a.md", 1, 1, "Hi.")
    text = render(
        Pack("q", Budget(1_000), (*shown, plain, turn(6, "2026-02-09"), turn(7, "2024-02-09"))), "markdown"
    )
    assert [line for line in text.splitlines() if line.startswith("[")] == [
        f"[1 1.txt:1 @{SUM} · 2025-12-31]",
        f"[2 2.txt:1 @{SUM} · 2026-01-02]",
        f"[3 3.txt:1 @{SUM} · 3 Jan]",
        "[4 t:4 24 Nov] Hi.",
        f"[5 a.md:1 @{SUM}]",
        "[6 t:6 9 Feb] Hi.",
        "[7 t:7 2024-02-09] Hi.",
    ]
    assert [item.uri for item in parse(text, "markdown")] == [
        "1.txt",
        "2.txt",
        "3.txt",
        "t:4",
        "a.md",
        "t:6",
        "t:7",
    ]
