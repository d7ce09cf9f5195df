"""Names of products, however a question and a text spell their capitals."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import opened_project


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CloudFlare", "The cloud provider bills each month."),
        ("OpenTelemetry", "The gate is open on Mondays."),
        ("WireGuard", "A guard checks the tickets.\n\nThe wire is cut."),
        ("BitTorrent", "Each bit counts."),
    ],
)
@pytest.mark.parametrize("low", [False, True])
def test_a_name_is_unknown_where_texts_have_only_its_parts(
    tmp_path: Path, name: str, text: str, low: bool
) -> None:
    with opened_project(tmp_path, {"a.md": f"# Notes\n\n{text}\n"}) as dp:
        found = dp.search(f"how is {name.lower() if low else name} configured?", vectors="none")
        assert found.empty_reason or name.lower() in {word.lower() for word in found.stats.unknown}


def test_a_name_is_known_where_a_text_writes_its_words_apart(tmp_path: Path) -> None:
    with opened_project(tmp_path, {"a.md": "# Notes\n\nA shopping cart is kept for three days.\n"}) as dp:
        found = dp.search("how long is a ShoppingCart kept?", vectors="none")
        assert found.candidates
        assert not found.weak


@pytest.mark.parametrize(
    ("written", "asked"), [("Onenote", "OneNote"), ("OneNote", "onenote"), ("YouTube", "youtube")]
)
def test_other_capitals_are_no_typo(tmp_path: Path, written: str, asked: str) -> None:
    with opened_project(
        tmp_path, {"a.md": f"# Notes\n\n{written} keeps the minutes.\n", "b.md": "Other.\n"}
    ) as dp:
        found = dp.search(f"{asked} minutes", vectors="none")
        assert found.stats.corrections == {}
        assert found.candidates[0].chunk.uri == "a.md"
        assert found.stats.anchors_missing == ()
        assert "bm25" in {one.signal for one in found.candidates[0].contributions if one.share}
        assert not dp.search(asked, vectors="none").empty_reason
