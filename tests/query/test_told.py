"""A question is the same, whatever is told beside it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.query import parse_query
from daypack.query.asking.pasted import pasted_in
from daypack.query.asking.told import Told, told_in
from daypack.types import Intent, Query

NOW = datetime(2026, 11, 27, tzinfo=UTC)
QUESTION = "Where are flags parsed?"


def asked(text: str) -> Query:
    return parse_query(text, now=NOW)


@pytest.mark.parametrize(
    "text",
    [
        "We run this in Docker on Kubernetes. Where are flags parsed?",
        "we use docker. Where are flags parsed?",
        "We use Python 3.12. Where are flags parsed?",
        "I'm new to this code base and my manager wants a summary by Friday. Where are flags parsed?",
        "Where are flags parsed? I need this for a blog post.",
        "Where are flags parsed? And why?",
        "Where are flags parsed? Also, how could it be improved?",
        "The build is slow since Monday. Where are flags parsed? Then suggest an improvement of it.",
        "Context: a pull request for the next release\n\nQuestion: Where are flags parsed?",
        "You are a helpful assistant. Use the tools.\n\nUser: can you tell me Where are flags parsed?",
        "<question>Where are flags parsed?</question>",
        "**Question:** Where are flags parsed?\n\n**Context:** Kubernetes",
    ],
)
def test_sentences_beside_a_question_are_told_apart(text: str) -> None:
    query = asked(text)
    assert query.title == QUESTION
    assert (query.intent, query.is_report) == (Intent.MECHANISM, False)
    assert {term: query.terms[term] for term in asked(QUESTION).terms} == asked(QUESTION).terms


@pytest.mark.parametrize(
    "text",
    [
        "Flags are ignored. Why does this happen?",
        "Flags are ignored. Why?",
        "Flags are ignored. How do I fix that?",
        "I heard that it had a flood in 1993. Are you sure?",
        "I am adding lazy loading to my gallery. How would you suggest I set this up to have good performance?",
        "Flags with dashes are dropped. The parser stops at the first one.",
        "Where are flags parsed? Where are aliases resolved?",
        "Who is Dr. Smith's wife?",
        "Who was the father of J. R. Tolkien?",
        "Was haben wir am 3. März 2026 gemacht?",
        'Who wrote "Yes. No. Maybe." in the log?',
        "",
    ],
)
def test_a_question_keeps_the_sentences_that_it_needs(text: str) -> None:
    assert told_in(text, pasted_in(text)) == Told(text, "")


def test_words_beside_a_question_count_half() -> None:
    query = asked("We run caches on Kubernetes. Where are flags parsed?")
    assert query.terms["kubernet"] == query.terms["cach"] == query.terms["flag"] / 2


def test_names_and_times_beside_a_question_are_read() -> None:
    query = asked(
        "I have been working on `parse_flags` since yesterday. Which callers does the change break?"
    )
    assert "parse_flags" in query.mentions
    assert query.since == datetime(2026, 11, 26, tzinfo=UTC).timestamp()


def test_the_question_of_a_long_prompt_is_its_title() -> None:
    context = "Sessions are kept in Redis. " * 40
    query = asked(f"Context:\n{context}\n\nQuestion: {QUESTION}")
    assert query.title == QUESTION


def test_a_letter_is_asked_as_its_question() -> None:
    letter = f"Hi,\n\n{QUESTION}\n\nBest,\nAnn"
    assert asked(letter) == asked(QUESTION)


def test_a_list_of_instructions_is_no_title() -> None:
    assert asked(f"Instructions:\n- be brief\n- cite sources\n\n{QUESTION}") == asked(QUESTION)


SENTENCES = st.sampled_from(
    [
        QUESTION,
        "We use Go.",
        "And why?",
        "Thanks!",
        "flag parsing",
        "Question: x",
        "It fails.",
        "3. März",
        "?",
        "…",
    ]
)


@given(st.lists(SENTENCES, max_size=5), st.sampled_from([" ", "\n", "\n\n"]))
def test_no_word_is_lost_and_none_is_added(sentences: list[str], between: str) -> None:
    text = between.join(sentences)
    told = told_in(text, pasted_in(text))
    assert bool(told.asked.strip()) is bool(text.strip())
    assert set(f"{told.asked} {told.beside}".split()) <= set(text.split())


def test_instructions_around_a_labelled_question_do_not_count() -> None:
    prompt = f"You are a helpful assistant. Use the context below to answer the user's question. If you do not know, say so.\n\nQuestion: {QUESTION}"
    assert asked(prompt).terms == asked(QUESTION).terms
