"""The releases that a question asks about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.types import Intent, Query


def parsed(text: str) -> Query:
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC))


@pytest.mark.parametrize(
    ("asked", "releases"),
    [
        ("what changed in 2.0?", ("2.0",)),
        ("what is new in v1.10.x", ("1.10",)),
        ("what bugs does 0.26.1 fix?", ("0.26.1",)),
        ("what broke in v3?", ("3",)),
        ("what are the breaking changes in version 7?", ("7",)),
        ("how do I replace the option when I go from 6 to 7?", ("7",)),
        ("what changed from 1.4 to 2.0?", ("2.0",)),
        ("what changed between 1.2.0 and 1.3.0?", ("1.2.0", "1.3.0")),
        ("what changed in the latest release?", ("latest",)),
        ("what's new?", ("latest",)),
        ("what did the last beta release fix?", ("latest",)),
        ("which features come with the next release?", ("unreleased",)),
        ("is there an unreleased fix for the cart?", ("unreleased",)),
    ],
)
def test_a_question_asks_about_these_releases(asked: str, releases: tuple[str, ...]) -> None:
    assert parsed(asked).releases == releases


@pytest.mark.parametrize(
    "asked",
    [
        "why does it wait 0.5 seconds since the last call?",
        "is a factor of 1.5 enough?",
        "what replaced the cart when moving from version 4?",
        "the v4 parser of carts",
        "how do I install the latest version?",
        "when was python 3.7 dropped?",
        "what does section 2.1 say about new carts?",
        "Fix the total of carts\n\nIt is wrong since 2.4.1, which changed the rounding.",  # a report
    ],
)
def test_a_question_asks_about_no_release(asked: str) -> None:
    assert parsed(asked).releases == ()


@pytest.mark.parametrize(
    "asked",
    [
        "since when can a cart be split?",
        "which release fixed the total?",
        "from which version can I pass a currency?",
        "when was the old total removed?",
        "when did carts get a currency?",
    ],
)
def test_the_answer_is_the_version_of_a_change(asked: str) -> None:
    assert parsed(asked).asks_for_version
    assert parsed(asked).intent is not Intent.MECHANISM


@pytest.mark.parametrize(
    "asked",
    [
        "which version are we on?",
        "which python version does it need?",
        "which python version should I use?",
        "what is the latest version?",
        "when does a cart expire?",
        "when was the cart paid?",
    ],
)
def test_the_answer_is_not_the_version_of_a_change(asked: str) -> None:
    assert not parsed(asked).asks_for_version
