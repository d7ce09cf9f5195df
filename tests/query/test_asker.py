"""Who says "I" means what they said themselves."""

from __future__ import annotations

import pytest

from daypack.query.kinds import is_about_asker


@pytest.mark.parametrize(
    ("question", "about_asker"),
    [
        ("What did I say about Ann?", True),
        ("How much is MY rent?", True),
        ("Could you list what I planned, and can you remind me of the dates?", True),
        ("What did you recommend to me?", False),  # what the assistant said is as likely meant
        ("Can you say again what your plan for my trip was?", False),
        ("What did Ann say?", False),
        ("", False),
    ],
)
def test_who_says_i_means_what_they_said_and_who_says_you_may_not(question: str, about_asker: bool) -> None:
    assert is_about_asker(question) is about_asker
