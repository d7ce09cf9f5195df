"""Stored text is inert, and can be had back."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.guard.fences import (
    DANGEROUS,
    decode,
    encode,
    escape,
    fence,
    inline,
    is_inert,
    one_line,
    unescape,
)

pieces = st.sampled_from(
    [
        "\r\n",
        "\r",
        "\n",
        "\\",
        "\\\\",
        "\\u{41}",
        "u{41}",
        "\x00",
        "\u200d",
        "\ufe0f",
        "\ud83d",
        "\ude00",
        "a",
        " ",
        "<",
        "](",
        "`",
        "```",
    ]
)
texts = st.lists(st.one_of(pieces, st.text(alphabet=st.characters(codec=None), max_size=4)), max_size=10).map(
    "".join
)


@settings(max_examples=150)
@given(texts)
def test_escaping_is_inert_and_reversible(text: str) -> None:
    assert unescape(escape(text)) == text
    assert is_inert(escape(text))
    shown, crlf, escaped = encode(text)
    assert is_inert(shown)
    assert decode(shown, crlf=crlf, escaped=escaped) == text
    assert (not crlf and not escaped) == (shown == text)


@settings(max_examples=150)
@given(texts)
def test_inertness_agrees_with_the_pattern(text: str) -> None:
    assert is_inert(text) == (re.search(DANGEROUS, text) is None)


def test_no_dangerous_character_is_printable_alone() -> None:
    # `is_inert` relies on it.
    assert [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if re.match(DANGEROUS, chr(code)) and chr(code).isprintable()
    ] == []


def test_every_control_bidi_and_tag_character_is_dangerous() -> None:
    spared = {"\n", "\t"}
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") and character not in spared:
            assert re.match(DANGEROUS, character), hex(code)
        if unicodedata.bidirectional(character) in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        ):
            assert re.match(DANGEROUS, character), hex(code)


@pytest.mark.parametrize("text", ["❤️‍🔥", "👩‍👩‍👧", "می‌خواهم", "naïve\tcafé\n", "C:\\dir", "ｆｕｌｌ"])
def test_scripts_and_emoji_are_left_as_they_are(text: str) -> None:
    assert encode(text) == (text, False, False)


@pytest.mark.parametrize("text", ["a\ufe0f\ufe01", "a\u200d\u200c", "a\u200c\ufe0f", "a\U000e0100\U000e0101"])
def test_messages_in_runs_of_invisible_characters_are_escaped(text: str) -> None:
    assert encode(text)[2]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\r\n", ("a\nb\n", True, False)),
        ("a\r\nb\n", ("a\\u{D}\nb\n", False, True)),  # mixed line ends: each carriage return shows
        ("a\r\nb\x00\r\n", ("a\nb\\u{0}\n", True, True)),
        ("a\rb", ("a\\u{D}b", False, True)),
    ],
)
def test_line_ends(text: str, shown: tuple[str, bool, bool]) -> None:
    assert encode(text) == shown


def test_a_fence_is_longer_than_any_run_of_backticks() -> None:
    assert fence("no `code` here") == "```"
    assert fence("a ```` b ``` c") == "`````"


@settings(max_examples=100)
@given(texts)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text, 20)
    assert is_inert(line)
    assert len(line.splitlines()) <= 1


@settings(max_examples=100)
@given(texts)
def test_an_inline_text_holds_no_live_html_link_or_image(text: str) -> None:
    line = inline(text)
    assert "](" not in line
    for position, character in enumerate(line):
        if character == "<":
            before = line[:position]
            assert (len(before) - len(before.rstrip("\\"))) % 2 == 1
