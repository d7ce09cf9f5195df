"""The definition of a name stands first, also where others use the name more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import copy_of_pay

CART = """class CheckoutForm:
    pass


class CheckoutError(Exception):
    pass


def checkout_total(cart):
    return sum(item.price for item in cart.items)


def checkout(cart, customer):
    total = checkout_total(cart)
    customer.pay(total)
    return CheckoutForm()
"""
LIMITS = "LONGEST_NAME = 40\nRETRY_MAX = 3\nTIMEOUT = 2.5\n"
SEND = """def send(order):
    for attempt in range(RETRY_MAX):
        if attempt == RETRY_MAX - 1:
            raise Failed(RETRY_MAX)
        if post(order, tries=RETRY_MAX):
            return attempt
"""


def first(folder: Path, question: str) -> str:
    with Daypack.open(folder / ".daypack", root=folder) as dp:
        dp.files.add(folder)
        return str(dp.search(question, vectors="none").candidates[0].chunk.reference)


@pytest.mark.parametrize(
    "question",
    [
        "checkout",
        "where is checkout defined?",
        "where is the function checkout defined?",
        "definition of checkout",
    ],
)
def test_a_function_of_one_plain_word_is_found_by_its_name(tmp_path: Path, question: str) -> None:
    (tmp_path / "cart.py").write_text(CART, encoding="utf-8")
    assert first(tmp_path, question) == "cart.py:13-16"


ROUTES = """from routing import Router, route_of


def routes_of(router):
    return [route_of(router, path) for path in router.paths]

"""
ROUTING = """class NoRoute(Exception):
    pass


class Router:
    \"\"\"Finds the handler of a path, the longest prefix first.\"\"\"

    def __init__(self, paths, parent=None):
        self.paths = paths
        self.parent = parent


def route_of(router, path):
    return router.find(path)
"""


@pytest.mark.parametrize(
    "question", ["Router", "where is Router defined?", "how does Router work?", "how does the router work?"]
)
def test_a_type_of_one_plain_word_is_found_by_its_name(tmp_path: Path, question: str) -> None:
    (tmp_path / "routes.py").write_text(ROUTES, encoding="utf-8")
    (tmp_path / "routing.py").write_text(ROUTING, encoding="utf-8")
    assert first(tmp_path, question).startswith("routing.py:5-")


def test_a_question_about_a_thing_of_the_trade_does_not_ask_for_its_class(tmp_path: Path) -> None:
    folder = copy_of_pay(tmp_path)
    assert first(folder, "what happens when a refund times out?").startswith("docs/refunds.md:")
    assert first(folder, "what does the refund do?").startswith("src/pay/refunds.py:32-")


@pytest.mark.parametrize(
    "question", ["RETRY_MAX", "where is RETRY_MAX defined?", "what is the value of RETRY_MAX?"]
)
def test_a_constant_is_found_where_it_gets_its_value(tmp_path: Path, question: str) -> None:
    (tmp_path / "limits.py").write_text(LIMITS, encoding="utf-8")
    (tmp_path / "send.py").write_text(SEND, encoding="utf-8")
    (tmp_path / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "main.py").write_text(
        "from send import send, RETRY_MAX\n\n\ndef main():\n    send(1)\n", encoding="utf-8"
    )
    assert first(tmp_path, question).startswith("limits.py:")


APART = """from response import body


class MetaRefresh:
    enabled = True

    def retry(self, request):
        return get_meta_refresh(request.response) and request.copy()


def get_loading_page(response):
    return body(response).find("refresh")


def get_meta_refresh(response):
    return body(response).find("refresh", "meta")


class Task:
    def retry(self):
        return self.run()
"""


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("where is get meta refresh?", "15-16"),
        ("where is meta refresh defined?", "1-5"),
        ("where is task retry implemented?", "20-21"),
        ("where is meta refresh retry implemented?", "7-8"),
    ],
)
def test_a_name_is_found_by_its_words_with_blanks_between(tmp_path: Path, question: str, lines: str) -> None:
    (tmp_path / "refresh.py").write_text(APART, encoding="utf-8")
    assert first(tmp_path, question) == f"refresh.py:{lines}"


PROXIES = """class Engine:
    def is_unsafe_trusted_proxies(self):
        trusted = self.trusted_proxies
        return trusted.is_trusted_proxy(ANY)

    def set_trusted_proxies(self, trusted_proxies):
        self.trusted_proxies = trusted_proxies

    def is_trusted_proxy(self, address):
        return any(address in network for network in self.networks)
"""


def test_a_phrase_with_a_function_word_is_found_as_the_name_of_its_words(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(PROXIES, encoding="utf-8")
    (tmp_path / "proxies.md").write_text(
        "# Trusted proxies\n\nA proxy that is trusted is one of the trusted proxies.\n", encoding="utf-8"
    )
    assert first(tmp_path, "is trusted proxy") == "engine.py:9-10"
