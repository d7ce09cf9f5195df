"""A question is the same, however politely it is put."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.query import parse_query
from daypack.query.asking.addressing import question_of

NOW = datetime(2026, 11, 27, tzinfo=UTC)
ADDRESSED = {
    "how are flags parsed?": (
        "Hi! Can you tell me how are flags parsed, please?",
        "Could someone please explain to me how are flags parsed?",
        "I'm new to this project. how are flags parsed?",
        "In this repository, how are flags parsed?",
        "Quick question: how are flags parsed in this codebase?",
        "how are flags parsed? Thanks in advance!",
        "OK, so, how are flags parsed?",
        "You are a senior engineer. how are flags parsed?",
        "how are flags parsed? Make sure that all tests still pass.",
        "Think step by step. how are flags parsed? Answer briefly and cite your sources.",
        "how are flags parsed? Don't change any files yet.",
        '"how are flags parsed?"',
        "Q: how are flags parsed?",
        "Look at the code and tell me how are flags parsed?",
        "Based on the documents above, how are flags parsed?",
        "Answer the following question: how are flags parsed?",
        "The user asks: how are flags parsed?",
        "hey claude, how are flags parsed?",
        "URGENT: how are flags parsed?",
        "I'm stuck. how are flags parsed?",
        "Thanks, that helped. Next question: how are flags parsed?",
        "Before you start, find out how are flags parsed?",
        "First, how are flags parsed?",
        "how are flags parsed in our code?",
        "how are flags parsed? Which file is it in?",
        "how are flags parsed? Give me the file and line.",
        "how are flags parsed? List the functions involved.",
        "how are flags parsed? Explain it like I'm five.",
        "how are flags parsed? Antworte bitte auf Deutsch.",
        "how are flags parsed? Answer in Spanish.",
        'how are flags parsed? Return JSON with keys "file" and "reason".',
        "how are flags parsed? At most 3 sentences.",
        "how are flags parsed? Draw a mermaid diagram.",
        "how are flags parsed? Only code please.",
        "Please answer the following question using your memory: how are flags parsed?",
        "Search my notes and tell me: how are flags parsed?",
        "In one sentence: how are flags parsed?",
        "Sorry to bother you again, but how are flags parsed?",
        "um, so like how are flags parsed?",
        "hmm how are flags parsed do you know?",
        "Use the documents below to answer the question. how are flags parsed?",
        '{"query": "how are flags parsed?"}',
    ),
    "where a token is renewed": (
        "I need to understand where a token is renewed",
        "Please find out where a token is renewed",
        "Show me where a token is renewed",
        "help me find where a token is renewed",
        "I don't know where a token is renewed, thanks",
        "We would like to know where a token is renewed",
        "locate where a token is renewed",
        "Read the source and explain where a token is renewed",
        "Do you remember where a token is renewed",
        "Would you mind telling me where a token is renewed",
        "I'd appreciate it if you could explain where a token is renewed",
        "I'm struggling to understand where a token is renewed",
        "What I want to know is where a token is renewed",
        "My colleague asked me where a token is renewed",
        "trying to figure out where a token is renewed",
    ),
    "the middleware of sessions": (
        "Walk me through the middleware of sessions",
        "Give me a detailed explanation of the middleware of sessions",
        "Show me the middleware of sessions",
        "Can you explain the middleware of sessions",
        "I'd like to know more about the middleware of sessions",
        "tell me about the middleware of sessions",
        "I want to see the middleware of sessions",
        "I need help with the middleware of sessions",
        "I'm looking for the middleware of sessions",
        "everything about the middleware of sessions",
        "Give me the context for: the middleware of sessions",
    ),
}
AS_THEY_ARE = (
    "can you nest routers?",
    "Can you use middlewares in subrouters?",
    "I want to change the error page",
    "How do I show the help?",
    "What did Rosa tell me about the bridge?",
    "find the index of an item",
    "explain plan of a query",
    "show",
    "tell me",
    "please",
    "hello world",
    "What's in this project?",
    "Please add a retry to the mailer",
    "who can explain the invoice?",
    '"connection reset by peer"',
    "which tests must pass?",
    "Add tests.",
    "look at the code of the parser",
    "the user asks for a refund",
    "hello world, in seven languages",
    "using the context manager, how are files closed?",
    "from notes to a draft, which steps are there?",
    "help for the option --all",
    "Do you remember my birthday?",
    "search: results are unsorted",
    "project files: where are they?",
    "what do you know?",
    "which of them do you know?",
    "Search the documents. The answer is empty.",
)


@pytest.mark.parametrize(
    ("addressed", "question"), [(text, question) for question, texts in ADDRESSED.items() for text in texts]
)
def test_words_that_address_another_are_no_part_of_the_question(addressed: str, question: str) -> None:
    assert question_of(addressed) == question
    alone = parse_query(question, now=NOW)
    assert parse_query(addressed, now=NOW)._replace(about_asker=False) == alone


@pytest.mark.parametrize("text", AS_THEY_ARE)
def test_words_that_may_be_meant_stay(text: str) -> None:
    assert question_of(text) == text


@pytest.mark.parametrize("key", ["question", "query", "prompt", "text"])
def test_the_question_of_an_object_is_its_value(key: str) -> None:
    sent = json.dumps({"limit": 3, key: 'Where is "X" set?'})
    assert question_of(sent) == 'Where is "X" set?'


@pytest.mark.parametrize(
    "text", ['{"limit": 3}', '{"query": ""}', "{name}", '{"query": ["a"]}', "[1]", "{" * 2000 + "}" * 2000]
)
def test_other_text_in_braces_stays(text: str) -> None:
    assert question_of(text) == text


def test_a_report_stays_as_it_is() -> None:
    report = "Can you tell me how flags are parsed?\n\nThey are not read from the environment."
    assert question_of(report) == report


@pytest.mark.parametrize(
    "title", ["Search documents", "Answer a question", "Words of a sentence", "Search in the current project"]
)
def test_a_title_of_words_that_instruct_stays(title: str) -> None:
    report = f"{title}\n\nThe list of results is empty for a phrase in quotation marks."
    assert parse_query(report, now=NOW).title == title


PHRASES = st.sampled_from(
    [text for texts in ADDRESSED.values() for text in texts]
    + [*AS_THEY_ARE, "Hi!", "thanks", "in this repo", "?", "I"]
)


@given(st.lists(PHRASES, min_size=1, max_size=3).map(" ".join))
def test_something_is_left_that_the_text_holds(text: str) -> None:
    words, left = (re.findall(r"\w+", one) for one in (text, question_of(text)))
    assert bool(left) is bool(words)
    assert Counter(left) <= Counter(words)


@pytest.mark.parametrize(
    "text",
    [
        "summarise the session",
        "Can you summarize what happened today?",
        "Hi! what did we do yesterday, please?",
    ],
)
def test_a_summary_of_a_time_is_still_asked_for(text: str) -> None:
    assert parse_query(text, now=NOW).happenings is not None


WRAPPED = "Where are the flags of a command parsed\nwhen it has subcommands, and which of them\nwins if an alias has the same name?"


def test_a_question_that_was_broken_at_a_width_is_one_line() -> None:
    assert question_of(WRAPPED) == WRAPPED.replace("\n", " ")
    assert question_of(f"Hi Claude,\n\n{WRAPPED}\n\nThanks!") == WRAPPED.replace("\n", " ")


@pytest.mark.parametrize(
    "text",
    [
        "The parser of flags loses an empty value\nIn command.go it is taken for a missing one",
        "Flags are lost here, see the two lines\n    parse(flags, aliases, subcommands)",
        "Which of these flags wins when both are given\n- the flag of the command itself\n- the flag of its parent",
        "flags\naliases of a command",
    ],
)
def test_a_title_and_its_text_stay_two_lines(text: str) -> None:
    assert "\n" in question_of(text)
