"""A question is the same, whatever is pasted above or below it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.query.asking import pasted_in, told_in
from daypack.types import Query

NOW = datetime(2026, 11, 27, tzinfo=UTC)
QUESTION = "How are session cookies signed?"
PASTED = {
    "fence": "```python\napp = Shop(debug=True)\n\n@app.get('/orders')\ndef orders():\n    return rows\n```",
    "unclosed": "~~~\napp = Shop()",
    "log": "2026-11-27T08:14:02Z INFO worker started\n08:14:09 ERROR gateway returned 502 for the order\nERROR again",
    "trace": 'Traceback (most recent call last):\n  File "worker.py", line 88, in run\n    self.handle(job)\nGatewayError: 502',
    "shell": "$ make deploy\nBuilding image shop ...\nPushed shop:2026",
    "quotation": "> is the deploy broken since friday?\n> can somebody look at the queue",
    "list": "Environment:\n- macOS 14.2\n- Node 20.10",
    "heading": "# Question",
    "announced": "I get this in production:\n\n    raise GatewayError(502)",
}


def asked(text: str) -> Query:
    return parse_query(text, now=NOW)


@pytest.mark.parametrize("pasted", PASTED.values(), ids=PASTED)
def test_a_question_above_or_below_is_the_question(pasted: str) -> None:
    alone = asked(QUESTION)
    texts = [f"{pasted}\n\n{QUESTION}"]
    if not pasted.startswith("~~~") and pasted != "# Question":
        texts.append(f"{QUESTION}\n\n{pasted}")
    if pasted.startswith("~~~"):
        texts = [f"{QUESTION}\n\n{pasted}"]
    for query in map(asked, texts):
        assert (query.title, query.text, query.dense_text) == (QUESTION, QUESTION, QUESTION)
        assert (query.intent, query.is_report, query.about_code) == (alone.intent, False, False)
        assert {term: query.terms[term] for term in alone.terms} == alone.terms
        assert all(weight < 2 for term, weight in query.terms.items() if term not in alone.terms)


def test_what_is_pasted_still_tells_its_frames_and_words() -> None:
    query = asked(f"{QUESTION}\n\n{PASTED['trace']}")
    assert [frame.path for frame in query.frames] == ["worker.py"]
    assert {"gateway", "error"} <= {*query.terms}


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        f"Cookies are lost\n\n{QUESTION}\n\n```\nx = 1\n```",  # a title, and what is asked about it
        f"Cookies are lost after a restart of the shop.\n\n{PASTED['log']}\n\nWe saw this on two machines.",
        "x = 1\ny = 2\nHow are session cookies signed?",  # nothing says that these lines are code
        "",
        "\n\n",
        "> only a quotation\n> of two lines",
    ],
)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert pasted_in(text) is None


@pytest.mark.parametrize("said", ["What is wrong here?", "How do I fix this?", "Why does it fail?"])
def test_a_question_about_what_is_pasted_is_asked_with_it(said: str) -> None:
    text = f"{said}\n\n{PASTED['trace']}"
    assert told_in(text, pasted_in(text), is_short=False).asked == text
    assert "gateway" in asked(text).terms


def test_a_statement_below_a_log_is_the_title_of_a_report() -> None:
    query = asked(f"{PASTED['log']}\n\nPayments fail since the gateway was updated")
    assert query.title == "Payments fail since the gateway was updated"
    assert query.is_report
