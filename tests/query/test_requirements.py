"""Questions for a version in use."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.types import Requirement


def requirement(text: str) -> Requirement | None:
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC)).requirement


@pytest.mark.parametrize(
    "asked",
    [
        "which version is this?",
        "what version are we on?",
        "what is the current version?",
        "which version of shop is this?",
    ],
)
def test_a_question_for_the_version_of_the_project(asked: str) -> None:
    assert requirement(asked) == Requirement(())


@pytest.mark.parametrize(
    ("asked", "of"),
    [
        ("minimum pandas version?", ("pandas",)),
        ("what R version is needed?", ("R",)),
        ("which python versions does shop run on today?", ("python", "shop")),
        ("what is the oldest supported Go version?", ("Go",)),
        ("minimum python for shop 9?", ("python", "shop")),
    ],
)
def test_a_question_for_the_version_that_is_needed(asked: str, of: tuple[str, ...]) -> None:
    assert requirement(asked) == Requirement(of)


@pytest.mark.parametrize(
    "asked",
    [
        "since which version is a currency supported?",
        "which version fixed the cart?",
        "which python version was dropped?",
        "what does the cart need?",
        "which path works with the classic and the old major version of the cart alike?",
        "minimum order value?\n\nThe cart refuses it.",
    ],
)
def test_any_other_question(asked: str) -> None:
    assert requirement(asked) is None
