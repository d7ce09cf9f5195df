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
    "question",
    [
        "how do customers pay at the checkout?",
        "where is the checkout page styled?",
        "what is the definition of done for a task?",
        "which class of service does a parcel have?",
        "what type of card is taken?",
        "where is it defined?",
        "the function",
    ],
)
def test_other_words_are_no_names(question: str) -> None:
    assert parse_query(question, now=EPOCH).called == ()
