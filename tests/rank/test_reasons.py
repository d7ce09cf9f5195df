"""A question that asks why is answered by a text that says why, in a page or in a comment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.rank.texts.reasons import NO_REASON_PRIOR, asks_for_reason, reason_priors
from support import opened_project

POOL = {"empti": 2.0, "pool": 1.0, "midnight": 3.0}


@pytest.mark.parametrize(
    "question",
    ["why is the pool emptied?", "Explain why it is off.", "what is the reason for the limit?", "How come?"],
)
def test_a_question_for_a_reason_asks_why(question):
    assert asks_for_reason(question)


@pytest.mark.parametrize("question", ["where is the reason of a response set?", "why should I use a pool?"])
def test_a_name_and_a_question_for_advantages_ask_for_no_reason(question):
    assert not asks_for_reason(question)


def test_a_text_counts_more_the_more_of_the_question_stands_near_its_reason():
    texts = [
        "The pool is emptied at midnight, because the bank cuts idle connections.",
        "The pool is full, because nothing returns connections.",
        "The pool is emptied at midnight.",
        "Taps drip, because they are old.",
    ]
    whole, part, none, other = reason_priors(texts, POOL).tolist()
    assert whole == 1.0
    assert NO_REASON_PRIOR < part < whole
    assert none == other == pytest.approx(NO_REASON_PRIOR)


def test_a_reason_far_from_the_words_of_the_question_is_another_one():
    text = f"The pool is emptied at midnight. {'It is blue. ' * 40}Taps drip, because they are old."
    assert reason_priors([text], POOL).tolist() == pytest.approx([NO_REASON_PRIOR])


@pytest.mark.parametrize(
    "text",
    [
        "def empty_pool(midnight, reason: str): …",
        "pool.empty(reason=midnight)",
        "@since 1.2 empties the pool",
    ],
)
def test_a_name_and_a_mark_of_a_version_are_no_reason(text):
    assert reason_priors([text], POOL).tolist() == pytest.approx([NO_REASON_PRIOR])


WHAT = "# The pool is emptied at midnight, by the clerk who closes the shop.\ndef empty(pool):\n    pool.clear()\n"
WHY = "# The pool is emptied at midnight, because the bank cuts idle connections then.\ndef renew(pool):\n    pool.clear()\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Daypack]:
    files = {
        "what.py": WHAT,
        "why.py": WHY,
        "shop.py": "# The shop is open at midnight.\ndef shop(day):\n    return day\n",
        "bank.md": "# The bank\n\nIt opens at nine.\n",
    }
    with opened_project(tmp_path, files) as daypack:
        yield daypack


def first(store: Daypack, question: str) -> str:
    return Path(store.search(question, limit=1, vectors="none").candidates[0].chunk.uri).name


def test_why_finds_the_text_that_gives_the_reason_and_where_the_other_one(store):
    assert first(store, "why is the pool emptied at midnight?") == "why.py"
    assert first(store, "where is the pool emptied at midnight?") == "what.py"
