"""Columns of tables in a terminal, and the text that its control sequences leave."""

from __future__ import annotations

import pytest

from daypack.evaluate.report.text import table
from daypack.text.terminal_text import display_width, padded, without_escapes


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [31m text", "plain [31m text"),
        ("\x1b[31m\x1b[1m1 failed\x1b[0m, 3 passed", "1 failed, 3 passed"),
        ("\x1b[38;2;255;0;0mred\x1b(B\x1b[m", "red"),
        ("\x1b]0;title\x07a\x1b]2;title\x1b\\b", "ab"),
        ("\x1b]8;;https://e.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2K\x1b[1A\x1b7done\x1b8\x1b[?25h", "done"),
        ("cut off \x1b[31", "cut off \x1b[31"),
    ],
)
def test_a_text_keeps_the_characters_that_a_terminal_shows(text: str, shown: str) -> None:
    assert without_escapes(text) == shown
