"""A story of several sentences is a report, as a title with a body is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query, questions_in
from daypack.query.sentences import asks
from daypack.types import Intent, QueryKind

NOW = datetime(2026, 11, 27, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "I pay an order of two carts. The bank takes the money twice, but the receipt shows it once.",
        "When the cart is empty everything is fine. When it has one item, the total is always zero.",
        "We pay by card. What we get is a receipt without a total, and nothing in the log.",
        "I'd like refunds to be limited to a number of days. Without the option nothing may change.",
        "On Sunday our shop was closed, but orders came in. They should have been refused with a message.",
        "I want to refund two orders at once, and the first one fails. The bank shows a single one.",
        "paying by card on sundays is refused by the bank. mondays are no problem at all, so i guess it is the clock",
        'If a card is refused I expect "Is it yours?" on the page. Of two cards the second one does not ask.',
        "Could carts have a second name, declared where the cart is made. Please cover it by tests and update the page.",
        "Totals of a cart that was paid by card still count the fee twice when the order is sent, and the receipt shows it.",
        "A cart without items has a total of one euro, which comes from the fee. Shouldn't it be zero for all of them?",
        "The receipt takes forever for a large cart; twice the items is far more than twice the time. Can you fix the loop?",
        "Why is an order of two carts accepted for the weekend? The shop is closed then, and it should be refused.",
        "Add a limit to the number of refunds, the bank wants one. I want to be ready for the weekend.",
        "Our shipper wants times as plain seconds. Teach the total a further format, leave the standard one as it is.",
    ],
)
def test_a_story_without_a_question_is_about_code(text: str) -> None:
    query = parse_query(text, now=NOW)
    assert (query.is_report, query.about_code, query.intent) == (True, True, Intent.MECHANISM)


@pytest.mark.parametrize(
    "text",
    [
        "I installed the shop with brew on my laptop. I want to enable the completion of commands in fish.",
        "We talked about the budget of the shop. Summarize the decisions and name the people behind them.",
        "Find the decision on the new bank and its reasons. Include the dates and the people.",
        "My orders are refused by the bank since Monday. How do I find the reason of it?",
        "Carts. Orders and their totals.",
        "My order is refused although the bank says it is paid. Is there an option for one question a day to the bank?",
        "The receipt of my order is empty and I see no error. Can I turn on the log of the shop for a single order?",
        "Can the shop read the address of a client that is behind a proxy, with no change of the settings there?",
        "Is it possible that a cart, which never had an item, is paid for by somebody else than its owner?",
        "Was the first half of September a good month for the people of the shop on the hill? Answer yes or no.",
        "Can you list the order in which I brought up the parts of my shop, from start to end? Mention ONLY five items.",
        "and the second of those carts, how does it count its items if it was opened twice by one owner",
        "We run a shop behind a proxy, and its log has the address of the proxy. I would like to have that of the client.",
        "My command has forty options in three groups. I want each option to be read from a variable.",
    ],
)
def test_a_request_or_a_question_is_no_story(text: str) -> None:
    assert not parse_query(text, now=NOW).is_report


def test_the_paragraphs_of_a_story_are_read_as_its_sentences_are() -> None:
    told = (
        "We run a shop behind a proxy on one machine. I would like to see the address of clients in its log."
    )
    apart = told.replace(". ", ".\n\n")
    assert not parse_query(apart, now=NOW).is_report
    titled = "Address of clients in the log\n\n" + told
    assert parse_query(titled, now=NOW).is_report


@pytest.mark.parametrize(
    "asked", ["Can you fix this?", "Where should I look?", "Why?", "Any ideas?", "How can I fix it?"]
)
def test_a_question_without_a_subject_leaves_a_story_a_report(asked: str) -> None:
    told = "I pay an order of two carts. The bank takes the money twice, but the receipt shows it once."
    assert parse_query(f"{told} {asked}", now=NOW).is_report
    assert not parse_query(f"{told} Where are the receipts of a bank printed?", now=NOW).is_report


@pytest.mark.parametrize("marker", ["- ", "* ", "1. "])
def test_a_list_of_sentences_is_a_story(marker: str) -> None:
    told = [
        "I pay an order of two carts.",
        "The bank takes the money twice.",
        "The receipt shows it only once.",
    ]
    text = "\n".join(f"{marker}{sentence}" for sentence in told * 4)
    assert questions_in(text) == []
    query = parse_query(text, now=NOW)
    assert (query.is_report, query.title) == (True, " ".join(told * 4))


@pytest.mark.parametrize(
    "heading",
    ["# Bug report", "### Problem", "*Description*", "**Describe the bug**", "What happened?", "## Details:"],
)
def test_the_first_heading_of_a_form_is_not_the_title(heading: str) -> None:
    told = (
        "We run a shop behind a proxy on one machine. I would like to see the address of clients in its log."
    )
    assert parse_query(f"{heading}\n\n{told}", now=NOW) == parse_query(told, now=NOW)
    assert parse_query(f"# Address of clients\n\n{told}", now=NOW).is_report


def test_a_ticket_is_a_change() -> None:
    ticket = "As a clerk, I want refunds to have a limit of days.\n\nAcceptance criteria:\n* A refund after it is refused."
    assert parse_query(ticket, now=NOW).is_report


def test_a_wish_in_paragraphs_is_about_use() -> None:
    told = "The shop runs on one machine behind a proxy.\n\nI would like to see the address of clients in its log."
    assert parse_query(told, now=NOW).intent is Intent.USAGE


def test_a_story_that_neither_complains_nor_wishes_may_be_about_anything() -> None:
    told = "The shop is split in modules. Each module has a folder of orders with its own line of history."
    assert parse_query(told, now=NOW).intent is Intent.ANY


def test_a_story_that_wishes_for_tests_and_pages_asks_for_neither() -> None:
    wish = (
        "I'd like refunds to be limited to a number of days. Please add tests and document it in the readme."
    )
    query = parse_query(wish, now=NOW)
    assert (query.asks_for_tests, query.asks_for_docs) == (False, False)


def test_the_days_of_a_long_story_are_no_filter() -> None:
    story = (
        "Last week a colleague gave a command its own hook. " + "The logger of the shop is nil below it. " * 8
    )
    query = parse_query(story, now=NOW)
    assert (query.kind, query.since, query.until) == (QueryKind.NATURAL, None, None)
    asked = parse_query(f"{story}Which hook was changed last week?", now=NOW)
    assert asked.since is not None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("when is a cart empty", True),
        ("When does a cart expire?", True),
        ("When a cart is empty, the total is zero.", False),
        ("What we get is an empty cart.", False),
        ("what is an empty cart", True),
        ("What we get is an empty cart, is it?", True),
        ("Which makes me think of a bug.", False),
        ("which cart is empty", True),
        ("The cart is empty.", False),
        ("Do not empty the cart.", False),
        ("Could carts have names.", False),
        ("could carts have names", True),
    ],
)
def test_a_clause_that_begins_like_a_question_may_tell(sentence: str, *, expected: bool) -> None:
    assert asks(sentence) is expected


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("so where is the code that wakes mine up because i think it is late", Intent.MECHANISM),
        ("Do you think the check of the cart is right?", Intent.ANY),
        ("Was the copy of a cart removed?", Intent.USAGE),
    ],
)
def test_an_opinion_on_code_is_no_question_of_use(text: str, intent: Intent) -> None:
    assert parse_query(text, now=NOW).intent is intent
