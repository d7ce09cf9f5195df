"""Columns of tables in a terminal."""

from __future__ import annotations

import pytest

from daypack.evaluate.report.text import table
from daypack.text.display_width import display_width, padded


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("kettle", 6), ("鍵", 2), ("ﾌﾛ", 2), ("열쇠", 4), ("e\u0301", 1), ("clé", 3), ("（）", 4)],
)
def test_a_wide_character_fills_two_columns_and_a_mark_none(text: str, width: int) -> None:
    assert display_width(text) == width
    assert display_width(padded(text, 8)) == display_width(padded(text, 8, right=True)) == 8


def test_a_longer_text_is_not_cut() -> None:
    assert padded("鍵の場所", 3) == "鍵の場所"


def test_the_columns_of_a_table_stand_below_each_other() -> None:
    rows = table([("key", "rank"), ("鍵の場所", "1"), ("clé", "12")], right=[1])
    assert rows == ["key       rank", "鍵の場所     1", "clé         12"]
