"""Questions about a whole project, which have no word for a part of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import maybe_project, parse_query
from daypack.types import Intent, Overview, Query, Turn


def parsed(text: str, *before: str) -> Query:
    history = [Turn(said) for said in before]
    return parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC), history=history)


@pytest.mark.parametrize(
    "asked",
    [
        "What is this project?",
        "what does this repository do",
        "What is this library for?",
        "overview of this codebase",
        "Give me an overview of the code base",
        "Can you explain what this project does?",
        "Summarize this repository",
        "What's the purpose of this app?",
        "What is this?",
        "Was macht dieses Projekt?",
        "Que fait ce projet ?",
        "¿Qué es este proyecto?",
    ],
)
def test_a_question_for_what_the_project_is(asked: str) -> None:
    assert parsed(asked).overview is Overview.INTRODUCTION


@pytest.mark.parametrize(
    "asked",
    [
        "Explain the architecture",
        "How is the code organised?",
        "project structure",
        "What are the main components of this system?",
        "How does this work?",
        "Wie ist der Code aufgebaut?",
    ],
)
def test_a_question_for_how_the_project_is_built_up(asked: str) -> None:
    assert parsed(asked).overview is Overview.STRUCTURE


@pytest.mark.parametrize(
    ("asked", "overview"),
    [
        ("How do I get started?", Overview.START),
        ("How do I install it?", Overview.START),
        ("how to set up the project locally", Overview.START),
        ("installation", Overview.START),
        ("How do I build this?", Overview.WORK),
        ("How do I run the tests?", Overview.WORK),
        ("How can I contribute?", Overview.WORK),
        ("build instructions", Overview.WORK),
    ],
)
def test_a_question_for_what_one_does_with_the_project(asked: str, overview: Overview) -> None:
    assert parsed(asked).overview is overview


@pytest.mark.parametrize(
    "asked",
    [
        "What does this function do?",
        "Where does the app start?",
        "How does it run?",
        "How do I run the app in Docker?",
        "How do I install the plugin?",
        "What is a project?",
        "What is `project`?",
        "How does the layout work?",
        "layout code",
        "test code",
        "design system",
        "code",
        "project.py",
        "setup",
        "What should I use?",
        "Which library do we use?",
        "How do I get the project?",
        "What did we do yesterday?",
        "It is slow. What is this?",
    ],
)
def test_a_question_with_a_subject_of_its_own_is_about_that(asked: str) -> None:
    assert parsed(asked).overview is None


def test_it_of_a_conversation_is_what_was_spoken_of() -> None:
    assert parsed("How do I test it?", "Where is the cart rounded?").overview is None


def test_pages_answer_a_question_for_the_whole() -> None:
    assert parsed("Give me an overview of the project").intent is Intent.USAGE


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("What is zustand?", "zustand"),
        ("what does os-lib do", "os-lib"),
        ("Overview of Alertmanager", "Alertmanager"),
        ("Getting started with okio", "okio"),
        ("Was macht Okio?", "Okio"),
        ("What is this project?", ""),
        ("What is the retry limit?", ""),
        ("How do I test it with zustand?", ""),
        ("zustand", ""),
    ],
)
def test_one_word_may_be_the_name_of_the_project(asked: str, name: str) -> None:
    assert maybe_project(asked) == name


def test_a_name_that_the_store_knows_as_the_project_makes_an_overview() -> None:
    text = "What is zustand?"
    query = parse_query(text, now=datetime(2026, 5, 4, tzinfo=UTC), project="zustand")
    assert (query.overview, query.text) == (Overview.INTRODUCTION, text)
    assert parsed(text).overview is None
