"""Who says "I" means what they said themselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.query.kinds import is_about_asker
from daypack.types import Intent


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
    assert is_about_asker(question, question) is about_asker


@pytest.mark.parametrize(
    "text",
    [
        "Can you tell me what my rent is?",
        "How much is my rent? Answer briefly and cite your sources.",
        "Do you remember how much my rent is?",
        "Remind me what the rent is",
    ],
)
def test_a_you_that_is_no_part_of_the_question_does_not_count(text: str) -> None:
    assert parse_query(text, now=datetime(2026, 11, 27, tzinfo=UTC)).about_asker


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("I am struggling to see how flags are parsed", Intent.MECHANISM),
        ("My colleague asked me where a token is renewed", Intent.MECHANISM),
        ("Would you mind telling me how flags are parsed?", Intent.MECHANISM),
        ("What I want to know is how flags are parsed", Intent.MECHANISM),
        ("I am struggling to see how I pass a flag", Intent.USAGE),
        ("My flags are ignored, what overrides them?", Intent.USAGE),
        ("How do I find where my flags are parsed?", Intent.USAGE),
        ("I want to change the error page", Intent.ANY),
        ("I'm working on the error page", Intent.MECHANISM),
        ("I think the error page is broken, where should I look?", Intent.MECHANISM),
        ("I don't understand the error page", Intent.MECHANISM),
        ("Where do we render the error page?", Intent.MECHANISM),
        ("How does our error page work?", Intent.MECHANISM),
        ("How do we render the error page?", Intent.ANY),
        ("How do I render the error page?", Intent.USAGE),
        ("Can I change the error page?", Intent.USAGE),
        ("How do you render the error page?", Intent.USAGE),
        ("how to render the error page", Intent.WAY),
        ("Where do I start reading if I want to know about the error page?", Intent.MECHANISM),
        ("What handles the error page?", Intent.MECHANISM),
        ("What is responsible for the error page?", Intent.MECHANISM),
        ("Which part of the code renders the error page?", Intent.MECHANISM),
        ("What would break if I removed the error page?", Intent.MECHANISM),
        ("We render an error page and get nothing", Intent.USAGE),
        ("As a new developer, what should I read to understand the error page?", Intent.MECHANISM),
        ("I don't understand how I change the error page", Intent.USAGE),
        ("How do we upgrade the error page?", Intent.USAGE),
        ("What happens when I press Ctrl+C?", Intent.MECHANISM),
        ("How are the options that I give a rule checked?", Intent.MECHANISM),
        ("How did I mend the error page when it broke?", Intent.USAGE),
        ("Why is my password not sent to another host?", Intent.ANY),
        ("When my server crashes, why is the header not shown in the log?", Intent.ANY),
        ("Why must I name the host?", Intent.USAGE),
        ("My flags are ignored, why?", Intent.USAGE),
        ("How do I run the one test, and why does CI fail?", Intent.USAGE),
        ("Where are templates kept between two runs of my program?", Intent.ANY),
        ("How do the ignore files above the folder I search take part?", Intent.ANY),
        ("Where is my cache kept?", Intent.USAGE),
        ("My cart is empty: what can fill it?", Intent.USAGE),
        ("I misspell an option: how can I see the right ones?", Intent.USAGE),
        ("How can I guess the language of a page?", Intent.USAGE),
        ("I guess it is in the cart, but where is a total rounded?", Intent.MECHANISM),
    ],
)
def test_an_asker_outside_the_question_does_not_ask_how_to_use_a_thing(question: str, intent: Intent) -> None:
    assert parse_query(question, now=datetime(2026, 11, 27, tzinfo=UTC)).intent is intent
