"""Messages of programs that a query repeats."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from daypack.query.messages import MOST_WORDS
from daypack.types import QueryKind
from support import EPOCH


def messages(text: str) -> tuple[str, ...]:
    return parse_query(text, now=EPOCH).messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Error: Cart is empty and cannot be paid", "Cart is empty and cannot be paid"),
        ("CartError: Will not pay more than 5 carts", "Will not pay more than 5 carts"),
        ("cannot load carts.yaml: no such file", "cannot load carts.yaml: no such file"),
        ("why do I get order was refused?", "order was refused"),
    ],
)
def test_any_sentence_of_a_title_may_be_a_message(text: str, expected: str) -> None:
    assert messages(text) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        'why do I get "order was refused by the bank"?',
        "what causes the error 'order was refused by the bank'",
        "I see `order was refused by the bank` in the log, where does it come from?",
    ],
)
def test_a_quotation_in_a_question_is_a_message_by_itself(text: str) -> None:
    assert messages(text)[0] == "order was refused by the bank"


@pytest.mark.parametrize("text", ["Error: empty", "empty carts", "is it for me"])
def test_a_few_words_are_no_message(text: str) -> None:
    assert messages(text) == ()


def test_a_message_is_read_from_the_last_line_of_a_trace_and_not_from_its_code() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "shop/cart.py", line 12, in pay\n    refuse the whole order of carts\n'
        "shop.CartError: order was refused by the bank\n"
    )
    assert messages(trace) == ("order was refused by the bank",)


@pytest.mark.parametrize(
    "trace",
    [
        "lib/shop/bank.rb:12:in `pay': order was refused by the bank (Shop::Error)\n\tfrom bin/shop.rb:3:in `<main>'",
        "PHP Fatal error:  Uncaught Shop\\RefusedException: order was refused by the bank in /src/Bank.php:12\nStack trace:\n#0 {main}\n"
        "  thrown in /src/Bank.php on line 12",
        "PHP Fatal error:  Uncaught Shop\\Refused: order was refused by the bank",
        "thread 'main' panicked at 'order was refused by the bank', src/bank.rs:12:5\nnote: run with `RUST_BACKTRACE=1`",
        'Exception in thread "main" shop.RefusedException: order was refused by the bank\n\tat shop.Bank.pay(Bank.java:12)',
    ],
)
def test_a_message_is_read_from_the_line_that_names_the_error_and_its_place(trace: str) -> None:
    query = parse_query(trace, now=EPOCH)
    assert (query.kind, query.messages) == (QueryKind.ERROR, ("order was refused by the bank",))
    assert not {"trace", "backtrac", "src"} & query.terms.keys()


@pytest.mark.parametrize(
    "text", ["where is the wait before an attempt computed?", "how are orders refused by banks"]
)
def test_a_question_may_hold_a_message_but_is_none(text: str) -> None:
    query = parse_query(text, now=EPOCH)
    assert (query.messages, query.maybe_messages) == ((), (text,))


def test_the_words_of_a_message_are_counted() -> None:
    assert messages("Error: " + "refused order " * 500) == (
        " ".join(["refused", "order"] * (MOST_WORDS // 2)),
    )


def test_a_sentence_that_asks_is_a_message_only_between_marks() -> None:
    assert messages("how is the card of Ann refused") == ()
    assert messages('where do the docs ask "how is the card refused?"') == ("how is the card refused?",)
    assert messages("The card of Ann is refused.") == ("The card of Ann is refused.",)


REFUSED = "the bank refused the order of Ann"


@pytest.mark.parametrize(
    "text",
    [
        f"It stops twice.\n\n```\n{REFUSED}\n```\n\nWhat does it mean?",
        f"The command prints this and stops:\n\n    {REFUSED}\n\nHow can I avoid it?",
        f"> {REFUSED}\n\nHow do I get rid of it?",
        f"$ make pay\npaying ...\n{REFUSED}\nmake: *** [pay] Error 1",
        f"### Expected behavior\n\nIt pays.\n\n### Actual behavior\n\n{REFUSED}\n\n### System\n\nUbuntu",
        f"2026-11-27 10:14:03,120 ERROR [main] {REFUSED}",
        f"[2026-11-27T10:14:03Z] WARN shop.bank.Client: {REFUSED}",
        f"web_1  | {REFUSED}",
        f"I pay twice. The log says {REFUSED}",
        f"Paying fails with: {REFUSED}",
        f"I get this error: {REFUSED}",
        f"Why?\n\n```\n\x1b[31merror\x1b[0m: \x1b[1m{REFUSED}\x1b[0m\n```",
        f"Why?\n\n```\n\x1b[2K{REFUSED}\n```",
        f"Why?\n\n```\n[31m{REFUSED}[0m\n```",
        f"--- FAIL: TestPay (0.00s)\n    pay_test.go:12: {REFUSED}\nFAIL\nexit status 1",
        f"I keep getting **{REFUSED}**, please help",
        f"the server answered 500 ({REFUSED}) after an update of the image",
    ],
)
def test_a_line_of_output_is_a_message_however_it_was_pasted(text: str) -> None:
    assert REFUSED in [message.removeprefix("> ") for message in messages(text)]


def test_of_a_long_output_the_failures_and_the_end_are_messages() -> None:
    steps = [f"step {number} copies the layers of the shop" for number in range(30)]
    log = "\n".join([*steps[:10], f"10:14:09 ERROR [pool-2] {REFUSED}", *steps[10:], "the shop stays closed"])
    found = messages(f"What goes wrong?\n\n```\n{log}\n```")
    assert REFUSED in found
    assert "the shop stays closed" in found
    assert steps[0] not in found


def test_a_long_report_has_its_title_and_its_errors_as_messages() -> None:
    story = "\n".join(f"I went to the bank of my town on day {number}." for number in range(20))
    report = f"Orders are refused at night\n\n{story}\n\n```\nBankError: {REFUSED}\n```\n"
    assert messages(report) == ("Orders are refused at night", REFUSED)


def test_lines_of_one_form_are_one_message() -> None:
    lines = "\n".join(f"order {number} of Ann was refused by the bank" for number in range(5))
    assert messages(f"What goes wrong here?\n\n```\n{lines}\n```") == (
        "order 0 of Ann was refused by the bank",
    )
