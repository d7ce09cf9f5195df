"""Questions for a fact about the whole project: its licence, its dependencies, its checks, and others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import maybe_project, parse_query
from daypack.types import Intent, Overview, Query


def parsed(text: str) -> Query:
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC))


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("Which licence is it under?", Overview.LICENCE),
        ("license", Overview.LICENCE),
        ("Does this project have a license?", Overview.LICENCE),
        ("How is it licensed?", Overview.LICENCE),
        ("Can I use this commercially? Which licence?", Overview.LICENCE),
        ("What are its dependencies?", Overview.DEPENDENCIES),
        ("Which third-party libraries does it use?", Overview.DEPENDENCIES),
        ("Which packages are required?", Overview.DEPENDENCIES),
        ("list dependencies", Overview.DEPENDENCIES),
        ("What does this package depend on?", Overview.DEPENDENCIES),
        ("What are the dependencies?", Overview.DEPENDENCIES),
        ("Does it use other libraries?", Overview.DEPENDENCIES),
        ("Does it have CI?", Overview.CHECKS),
        ("Which checks does CI run?", Overview.CHECKS),
        ("Where is CI defined?", Overview.CHECKS),
        ("Which checks run on a pull request?", Overview.CHECKS),
        ("How is continuous integration set up?", Overview.CHECKS),
        ("Which workflow runs the tests?", Overview.CHECKS),
        ("Which CI do we use?", Overview.CHECKS),
        ("Who maintains this project?", Overview.PEOPLE),
        ("Who are the authors?", Overview.PEOPLE),
        ("maintainers", Overview.PEOPLE),
        ("How do I report a security problem?", Overview.SECURITY),
        ("security policy", Overview.SECURITY),
        ("Where should vulnerabilities be reported?", Overview.SECURITY),
        ("Which version is this?", Overview.VERSION),
        ("current version", Overview.VERSION),
        ("What changed in the last release?", Overview.RELEASE),
        ("What is new in the latest version?", Overview.RELEASE),
        ("latest changelog", Overview.RELEASE),
        ("Where is the entry point?", Overview.ENTRY),
        ("Where is main?", Overview.ENTRY),
        ("Which environment variables does it read?", Overview.ENVIRONMENT),
        ("What env vars can I set?", Overview.ENVIRONMENT),
        ("list of environment variables", Overview.ENVIRONMENT),
        ("How do I configure it with environment variables?", Overview.ENVIRONMENT),
        ("Why should I use this library?", Overview.REASON),
        ("What is this tool used for?", Overview.REASON),
    ],
)
def test_a_question_for_a_fact(asked: str, fact: Overview) -> None:
    assert parsed(asked).overview is fact


@pytest.mark.parametrize(
    "asked",
    [
        "Where are dependencies resolved?",
        "Which packages use it?",
        "What depends on this?",
        "Where are the libraries used?",
        "How do I use it in CI?",
        "How do I use this with GitHub Actions?",
        "How do I test a workflow?",
        "How is a license set?",
        "list owners",
        "Where is a vulnerability reported?",
        "What is an entry point?",
        "What is the current version of the schema?",
        "How is the current version stored?",
        "What are dependencies?",
        "How do I use dependencies?",
        "Which library do we use?",
        "What does pr checks do?",
        "Where is the license header parsed?",
        "Which workflow sends the mail?",
        "Who owns a lock?",
        "Who wrote the cart?",
        "security policy of sessions",
        "How do I report a bug?",
        "What changed in the cart?",
        "Where is the main loop?",
        "What are the entry points of plugins?",
        "Why does it use this?",
        "Why do we need a lock?",
        "What is a licence key used for?",
        "How are environment variables parsed?",
        "Where are environment variables read?",
        "environment variables",
        "How do I set environment variables?",
        "set environment variables",
        "Which environment variables does the test runner read?",
        "What is an environment?",
        "Does it run in CI?",
        "Is this run on every pull request?",
        "Do they run in the CI?",
        "What library is used for this?",
        "Which packages are used for this?",
    ],
)
def test_a_question_about_a_part_is_not_for_a_fact(asked: str) -> None:
    assert parsed(asked).overview is None


def test_pages_state_facts_and_code_has_the_entry() -> None:
    assert parsed("Which licence is it under?").intent is Intent.USAGE
    assert parsed("Where is the entry point?").intent is Intent.MECHANISM


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Why would I use zustand?", "zustand"),
        ("Which licence does Okio have?", "Okio"),
        ("Who wrote mdbook?", "mdbook"),
        ("What changed in the last release of gin?", "gin"),
        ("Which version of shop is this?", "shop"),
    ],
)
def test_the_name_of_the_project_stands_for_the_whole(asked: str, name: str) -> None:
    assert maybe_project(asked) == name
