"""The line below a hit: the part of a long line that has the words of the question."""

from __future__ import annotations

import pytest

from daypack.shapes.snippets import snippet
from daypack.text import analysis

LEAD = {
    "chinese": "在这个示例中我们先来看看侦听器的基本用法以及它如何响应数据的变化，" * 9,
    "japanese": "この例では灯台の基本的な使い方とその変化への応じ方を見てみましょう。" * 9,
    "thai": "ในตัวอย่างนี้เราจะดูวิธีใช้งานพื้นฐานของประภาคารและการเปลี่ยนแปลง" * 5,
}


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("chinese", "侦听器必须用同步语句创建。", "同步语句"),
        ("japanese", "鍵は赤い引き出しにあります。", "赤い引き出し"),
        ("thai", "กุญแจอยู่ในลิ้นชักสีแดง", "ลิ้นชักสีแดง"),
    ],
)
def test_text_without_blanks_is_shown_where_it_has_the_words(language: str, told: str, asked: str) -> None:
    shown = snippet(f"{LEAD[language]}{told}{LEAD[language]}", analysis.terms(asked), 60)
    assert asked in shown
    assert len(shown) <= 64
    assert shown.startswith("… ")


def test_a_letter_keeps_its_marks() -> None:
    shown = snippet(LEAD["thai"], (), 61)
    assert LEAD["thai"].startswith(shown.removesuffix(" …"))
    for width in range(40, 70):
        rest = LEAD["thai"].removeprefix(snippet(LEAD["thai"], (), width).removesuffix(" …"))
        assert rest[0] not in "\u0e31\u0e34\u0e35\u0e36\u0e37\u0e38\u0e39\u0e47\u0e48\u0e49\u0e4c"


def test_other_text_is_cut_between_words() -> None:
    text = "The keeper lights the lamp at dusk and counts the ships. " * 9
    shown = snippet(f"{text}The red drawer holds the key. {text}", analysis.terms("red drawer"), 60)
    assert "red drawer" in shown
    words = shown.strip("… ").split(" ")
    assert set(words) <= set(f"{text}The red drawer holds the key.".split(" "))
