"""Questions for a version in use."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.types import Requirement


def requirement(text: str) -> Requirement | None:
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC)).requirement


def of(text: str) -> tuple[str, ...] | None:
    found = requirement(text)
    return None if found is None else found.of


@pytest.mark.parametrize(
    "asked", ["which version is this?", "what version are we on?", "what is the current version?"]
)
def test_a_question_for_the_version_of_the_project(asked: str) -> None:
    assert of(asked) == ()


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("minimum pandas version?", ("pandas",)),
        ("python version", ("python",)),
        ("which Node version do we use?", ("Node",)),
        ("what R version is needed?", ("R",)),
        ("which python versions does shop run on today?", ("python", "shop")),
        ("what is the oldest supported Go version?", ("Go",)),
        ("minimum python for shop 9?", ("python", "shop")),
    ],
)
def test_a_question_for_the_version_that_is_needed(asked: str, names: tuple[str, ...]) -> None:
    assert of(asked) == names


@pytest.mark.parametrize(
    "asked",
    [
        "since which version is a currency supported?",
        "which version fixed the cart?",
        "which python version was dropped?",
        "what does the cart need?",
        "schema version",
        "what is the current version of the cart?",
        "which path works with the classic and the old major version of the cart alike?",
        "minimum order value?\n\nThe cart refuses it.",
    ],
)
def test_any_other_question(asked: str) -> None:
    assert requirement(asked) is None


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("which version are we on?", 'version = "3.4.1"'),
        ("which version are we on?", '  "version": "3.4.1",'),
        ("which version are we on?", '__version__ = "3.4.1"'),
        ("which version are we on?", 'const Version = "v3.4.1"'),
        ("which version are we on?", "    <version>3.4.1</version>"),
        ("minimum sails version?", '    "sails>=3.1",'),
        ("minimum rust version?", 'rust-version = "1.80"'),
        ("minimum PHP version?", '    "php": "^7.2.5 || ^8.0",'),
        ("what R version is needed?", "    R (>= 4.1.0)"),
        ("which Ruby version is required?", "  s.required_ruby_version = '>= 2.7.3'"),
        ("which Go version do I need?", "go 1.25.0"),
        ("which Java version does it need?", "    <java.version>17</java.version>"),
    ],
)
def test_the_line_that_says_it(asked: str, line: str) -> None:
    found = requirement(asked)
    assert found is not None
    text = f"name = harbour\nlamps = 2\n{line}\nversioned = yes\n"
    [match] = re.finditer(found.lines[0], text)
    assert line in text[text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]


def test_a_long_line_takes_no_time() -> None:
    found = requirement("which python version does it need?")
    assert found is not None
    for text in ("python " * 50_000, "=1" * 100_000, "python=x " * 50_000):
        assert not any(re.search(line, text) for line in found.lines)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("which Python version does it need?", "    \"tomli; python_version < '3.11'\","),
        ("which Go version do I need?", "\tgithub.com/go-openapi/spec v0.22.9"),
    ],
)
def test_a_line_about_another_program_is_not_the_surest(asked: str, line: str) -> None:
    found = requirement(asked)
    assert found is not None
    assert not re.search(found.lines[0], line)
