"""A reply asks for nothing that a store could hold."""

from __future__ import annotations

import pytest

from daypack.doors.sessions.hooks.replies import is_reply


@pytest.mark.parametrize(
    "prompt",
    [
        "yes",
        "Yes, go ahead.",
        "ok do it",
        "fix it and run the tests again",
        "looks good to me, commit this",
        "no, the other one",
        "that's wrong, try again!",
        "why?",
        "continue",
        "2",
        "b",
        "👍",
        "",
        "/compact",
        "Let's keep it simpler",
    ],
)
def test_a_prompt_that_only_goes_on_is_a_reply(prompt: str) -> None:
    assert is_reply(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the parser",
        "run the migration tests",
        "why are fees rounded?",
        "commit messages",
        "/src/fees.py",
        "API",
        "x" * 300,
        "да, исправь тесты",  # words of other languages may tell
        "手数料",
    ],
)
def test_a_prompt_that_names_something_is_none(prompt: str) -> None:
    assert not is_reply(prompt)
