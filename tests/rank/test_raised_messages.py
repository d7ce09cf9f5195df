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
    ],
)
def test_a_comment_prints_nothing(text: str) -> None:
    assert worth("order was refused by the local bank", text) == [0]


@pytest.mark.parametrize("text", ["fail(f'{n}: order was refused')", 'say("no"); fail(`order was refused`)'])
def test_a_message_stands_behind_a_quotation_mark_of_any_kind(text: str) -> None:
    assert worth("order was refused", text)[0] > 0


def test_stop_words_in_a_row_are_no_message() -> None:
    assert worth("it is not there for all of them", "it is not there for all of them") == [0]


def test_values_alone_are_no_message() -> None:
    assert worth("--cash=1 --card=2 --bank=3", 'run("--cash=1 --card=2 --bank=3")') == [0]
