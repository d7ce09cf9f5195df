"""Plain words that a question calls names of code."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH


@pytest.mark.parametrize(
    "question",
    [
        "where is checkout defined?",
        "where is the function checkout implemented?",
        "where is the checkout function declared?",
        "definition of checkout",
        "the signature of the checkout method",
        "function checkout",
        "what does the function checkout do?",
        "how does the checkout function work?",
        "checkout",
    ],
)
def test_a_word_that_is_called_a_name_counts_as_one(question: str) -> None:
    assert parse_query(question, now=EPOCH).called == ("checkout",)


@pytest.mark.parametrize(
    "question", ["Checkout", "where is Checkout defined?", "the signature of the Checkout method"]
)
def test_a_word_written_as_a_type_counts_as_a_name(question: str) -> None:
    assert parse_query(question, now=EPOCH).called == ("Checkout",)


@pytest.mark.parametrize(
    "question",
    [
        "how do customers pay at the checkout?",
        "what is the definition of done for a task?",
        "which class of service does a parcel have?",
        "what type of card is taken?",
        "where is it defined?",
        "the function",
    ],
)
def test_other_words_are_no_names(question: str) -> None:
    assert parse_query(question, now=EPOCH).called == ()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("where is get meta refresh?", "get meta refresh"),
        ("Where is the retry middleware defined?", "retry middleware"),
        ("where are stack frames", "stack frames"),
        ("where is the card reader class?", "card reader"),
        ("where is task retry implemented?", "task retry"),
        ("is trusted proxy", "is trusted proxy"),
        ("from string", "from string"),
    ],
)
def test_the_words_behind_where_is_and_a_phrase_with_a_function_word_may_be_one_name(
    question: str, words: str
) -> None:
    assert parse_query(question, now=EPOCH).called == (words,)


@pytest.mark.parametrize(
    "question",
    [
        "how is get meta refresh used by the middleware?",
        "where is the file that the spider writes when it is closed?",
        "where is Ana's card?",
        "tide table",
        "the state of a table",
        "is the table up to date?",
        "as of today\n\nIt is wrong since Monday.",
        "tide table\n\nIt is wrong since Monday.",
    ],
)
def test_other_titles_are_no_name(question: str) -> None:
    assert not any(" " in name for name in parse_query(question, now=EPOCH).called)
