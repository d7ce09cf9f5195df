"""A question about a name that no text of the store has: empty where it asks of nothing else, answered otherwise, and told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.types import EmptyReason
from support import WORDS

CONF = '''"""Configuration of the shop."""
import json


def load_config(path):
    """Read the configuration from a file."""
    with open(path) as file:
        return json.load(file)


def save_config(path, values):
    """Write the configuration to a file."""
    with open(path, "w") as file:
        json.dump(values, file)
'''
CART = '''"""The cart of a customer."""
from conf import load_config


class Cart:
    """Items that a customer wants to buy."""

    def __init__(self, items):
        self.items = items
        self.config = load_config("shop.json")

    def total(self):
        """The sum of all prices."""
        return sum(item.price for item in self.items)
'''


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    folder: Path = tmp_path_factory.mktemp("small")
    (folder / "conf.py").write_text(CONF)
    (folder / "cart.py").write_text(CART)
    with Daypack.open(folder / ".daypack", root=folder, settings=WORDS) as dp:
        dp.files.add(folder)
        yield dp


ALONE = {
    "where is reload_config called": ("reload_config",),
    "where is `reload_config` defined?": ("reload_config",),
    "where is XmlConfig used": ("XmlConfig",),
    "who calls Basket::total": ("Basket::total",),
    "what does parse_config do": ("parse_config",),
    "callers of reload_config": ("reload_config",),
    "who uses XmlConfig and parse_config?": ("XmlConfig", "parse_config"),
    "NoSuchThingHere OtherMissing": ("NoSuchThingHere", "OtherMissing"),
}
ANSWERED = {
    "load_config NoSuchThingHere": ("NoSuchThingHere",),
    "`reload_config` vs load_config": ("reload_config",),
    "add a function `parse_config` that reads the configuration": ("parse_config",),
    "Why does the cart read its configuration with reload_config?": ("reload_config",),
    "what is the difference between load_config and parse_config?": ("parse_config",),
    "where is load_confg used": ("load_confg",),
}
KNOWN = [
    "where is load_config called",
    "who calls Cart::total",
    "who calls basket.total()",
    "what does Cart.total do",
]


@pytest.mark.parametrize("question", ALONE)
def test_a_question_about_an_unknown_name_alone_is_empty_and_gives_the_next_step(
    small: Daypack, question: str
) -> None:
    found = small.code.pack(question)
    assert (found.items, found.empty_reason, found.anchors_missing) == (
        (),
        "anchor_not_found",
        ALONE[question],
    )
    assert ALONE[question][0] in found.hints[0][1]
    assert [tool for tool, _, _ in found.next_actions] == ["code_pack", "symbols", "search"]
    packed = small.pack(question)
    assert (packed.empty_reason, packed.stats.anchors_missing) == (
        EmptyReason.ANCHOR_NOT_FOUND,
        ALONE[question],
    )


@pytest.mark.parametrize("question", ANSWERED)
def test_a_text_that_says_more_than_an_unknown_name_is_answered_and_the_name_is_told(
    small: Daypack, question: str
) -> None:
    found = small.code.pack(question)
    assert found.items
    assert found.anchors_missing == ANSWERED[question]
    assert any(f"no code here mentions {ANSWERED[question][0]!r}" in text for _, text in found.hints)
    packed = small.pack(question)
    assert packed.empty_reason is None
    assert packed.stats.anchors_missing == ANSWERED[question]
    assert f"Nothing in the store mentions `{ANSWERED[question][0]}`" in packed.text


@pytest.mark.parametrize("question", KNOWN)
def test_a_known_name_is_answered(small: Daypack, question: str) -> None:
    found = small.code.pack(question)
    assert found.items
    assert (found.anchors_missing, found.hints) == ((), ())


def test_with_the_anchor_policy_off_an_unknown_name_shows_the_nearest_code(small: Daypack) -> None:
    assert small.code.pack("where is reload_config called", anchor_policy="off").items


def test_a_name_whose_words_a_text_writes_apart_is_known(tmp_path: Path) -> None:
    (tmp_path / "limits.md").write_text(
        "# Limits\n\nThe option `--rate-limit` holds calls back. The Retry Budget is small.\n"
    )
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        for question in ("what does rate_limit do", "what does RetryBudget mean"):
            assert dp.pack(question).stats.anchors_missing == ()
        assert dp.pack("what does limit_rate do").empty_reason is EmptyReason.ANCHOR_NOT_FOUND
