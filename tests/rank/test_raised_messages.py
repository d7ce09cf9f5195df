"""How much of a pasted message code holds."""

from __future__ import annotations

import pytest
from texts_support import pool

from daypack.rank.texts.messages import raised
from daypack.rank.texts.pool import MOST


def worth(message: str, *texts: str, code: bool = True) -> list[float]:
    found = raised([message], pool(message, texts, [code] * len(texts)))
    return [round(float(value), 3) for value in found]


def test_the_code_that_fills_in_a_value_holds_the_message() -> None:
    raising = 'raise Refused(f"chart name {name} must not contain path separators")'
    saying = "# a chart has a name, and separators of a path are not contained in it"
    first, second = worth("chart name orders must not contain path separators", raising, saying)
    assert first > 0.9 * MOST
    assert second == 0


def test_each_further_place_makes_a_message_tell_less() -> None:
    text = 'fail("order was refused by the local bank")'
    alone, *shared = (
        worth("order was refused by the local bank", text),
        worth("order was refused by the local bank", text, text, text, text),
    )
    assert shared[0] == [pytest.approx(alone[0] / 2, abs=0.002)] * 4


def test_half_of_a_message_tells_less_than_all() -> None:
    whole, half, none = worth(
        "order was refused by the bank because of the amount",
        'fail("order was refused by the bank because of the amount")',
        'fail("order was refused by the bank: no such account")',
        "bank, order, amount",
    )
    assert whole > half > none == 0


def test_a_page_raises_nothing() -> None:
    assert worth("order was refused by the bank", "The order was refused by the bank.", code=False) == [0]


@pytest.mark.parametrize(
    "text",
    [
        "// the order was refused by the local bank",
        '"""The order was refused by the local bank."""',
        "# it isn't so that the order was refused by the local bank",
        "/// With [`deny`] the order was refused by the local bank.",
    ],
)
def test_a_comment_prints_nothing(text: str) -> None:
    assert worth("order was refused by the local bank", text) == [0]


@pytest.mark.parametrize(
    "text",
    [
        "fail(f'{n}: order was refused')",
        'say("no"); fail(`order was refused`)',
        r'fail("\"%s\": order was refused")',
    ],
)
def test_a_message_stands_behind_a_quotation_mark_of_any_kind(text: str) -> None:
    assert worth("order was refused", text)[0] > 0


def test_stop_words_in_a_row_are_no_message() -> None:
    assert worth("it is not there for all of them", "it is not there for all of them") == [0]


def test_values_alone_are_no_message() -> None:
    assert worth("--cash=1 --card=2 --bank=3", 'run("--cash=1 --card=2 --bank=3")') == [0]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("till: error (at <stdin>:1): cannot count over empty drawers", 'fail("cannot count over %s")'),
        (
            "page 'x.md' does not have a valid date in the front matter of its document",
            "\"page '#{path}' does not have a valid date in the #{source}\"",
        ),
        ("stamp 204 had non-zero till-length", 'fail("$what had non-zero till-length")'),
        ("unexpected drawer: 12", 'fail("unexpected drawer: $n")'),
        ('cannot index number with string ("foo")', 'fail("cannot index %s with %s (%s)")'),
        ("invalid value '12' for '--till <N>': no digit found", "f\"invalid value '{value}' for '{name}'\""),
    ],
    ids=["chain", "values", "hyphens", "short", "gaps", "beginning"],
)
def test_the_parts_of_a_format_hold_the_message(message: str, text: str) -> None:
    assert worth(message, text)[0] > 0


def test_two_words_inside_a_string_are_no_message() -> None:
    assert worth("unexpected drawer: 12", 'fail("an unexpected drawer: $n")') == [0]


def test_of_many_texts_with_the_words_of_a_message_those_with_rare_ones_are_compared() -> None:
    others = ["bank.refused(order, gold)"] * 300
    printing = 'fail("order was refused by the bank of the harbour for %s")'
    assert worth("order was refused by the bank of the harbour for gold", *others, printing)[-1] > 0


def test_a_text_with_other_words_of_a_message_makes_it_tell_no_less() -> None:
    message = "stow: error at the hatch: barrel cannot be lashed"
    lashing, prefix = 'fail("barrel cannot be lashed")', 'print("stow: error at the hatch")'
    alone, beside = worth(message, lashing)[0], worth(message, lashing, *[prefix] * 4)[0]
    assert beside == pytest.approx(alone)
