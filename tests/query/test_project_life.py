"""Words on a project and its life ask for its pages; the same words beside others may not."""

from __future__ import annotations

import pytest

from daypack.query.intents import intent_of
from daypack.types import Intent


@pytest.mark.parametrize(
    "text",
    [
        "installation",
        "Getting started",
        "supported versions",
        "security policy",
        "the release process",
        "code of conduct",
        "running the tests",
        "who maintains this project?",
        "What is this project about?",
        "the documentation of cookies",
        "tutorial for cookies",
    ],
)
def test_a_phrase_about_the_project_asks_for_pages(text: str) -> None:
    assert intent_of(text) is Intent.USAGE


@pytest.mark.parametrize(
    "text",
    [
        "security policy of sessions",
        "license header parser",
        "version comparison",
        "release",
        "build",
        "migration",
        "",
        "Write documentation for cookies",
        "Add a tutorial about cookies",
        "examples of cookies",
        "documentation generation for man pages",
    ],
)
def test_a_phrase_with_a_subject_of_its_own_asks_for_the_inside(text: str) -> None:
    assert intent_of(text) is Intent.MECHANISM
