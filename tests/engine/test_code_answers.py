"""Which code a report or a task is about, whatever its words have in common with tests, libraries and other
versions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack, Settings
from daypack.rank.signals import FRAME_ALONE
from daypack.rank.texts.pool import MOST
from daypack.types import EmptyReason
from support import WORDS, project

RETRY = "def wait(attempt):\n    return 2 ** attempt\n\n\ndef run(call):\n    for attempt in range(3):\n        call(wait(attempt))\n"
REFUND = "def refund(order, days):\n    if order.refunded_once or order.days > days:\n        return None\n    return order.refund_of(order.total, within=days)\n"
TEST_OF_RETRY = {
    "tests/test_retry.py": "from retry import wait\n\n\ndef test_wait():\n    assert wait(2) == 4\n"
}


def shares(tmp_path: Path, files: dict[str, str], query: str, signal: str) -> dict[str, float]:
    """What a signal added to the chunks of each file."""
    shop = project(tmp_path / "shop", files)
    with Daypack.open(tmp_path / "s", root=shop, settings=WORDS) as daypack:
        daypack.files.add(shop)
        found = daypack.search(query).candidates
    return {
        c.chunk.uri: share.share
        for c in found
        for share in c.contributions
        if share.signal == signal and c.chunk.symbol is not None
    }


def test_a_question_with_the_word_test_holds_tests_back_as_others_do(tmp_path: Path) -> None:
    files = {"src/retry.py": RETRY, **TEST_OF_RETRY}
    found = shares(tmp_path, files, "Show how long each test has to wait", "prior")
    assert found.get("tests/test_retry.py", 0.0) < 0


def test_a_frame_of_the_project_counts_however_deep_in_a_library_it_was_raised(tmp_path: Path) -> None:
    files = {
        "shop/retry.py": RETRY,
        "shop/orders.py": "def place(order):\n    return order.total\n",
        "shop/totals.py": "def total_of_an_order_that_fails(order):\n    raise ValueError('order fails with a total')\n",
    }
    library = "".join(
        f'  File "/usr/lib/python3/site-packages/http/part{n}.py", line {n}, in step{n}\n' for n in range(12)
    )
    trace = (
        "Order fails with a total\n\nTraceback (most recent call last):\n"
        f'  File "/srv/shop/orders.py", line 90, in place\n{library}ValueError: order fails with a total\n'
    )
    assert shares(tmp_path, files, trace, "trace") == {"shop/orders.py": pytest.approx(FRAME_ALONE / 1.2)}


@pytest.mark.parametrize("places", [1, 4])
def test_a_quoted_message_points_at_code_the_less_the_more_of_it_says_so(tmp_path: Path, places: int) -> None:
    files = {
        f"src/part{n}.py": f"def take{n}(order):\n    raise ValueError('order was refused')\n"
        for n in range(places)
    }
    found = shares(
        tmp_path, {"src/retry.py": RETRY, **files}, 'Taking stops with "Order was refused"', "exact"
    )
    assert found == {uri: pytest.approx(0.4 * MOST / 3 / 1.6 / places**0.5) for uri in files}


def test_a_pasted_message_points_at_the_code_that_raises_it(tmp_path: Path) -> None:
    files = {
        "src/pay.py": "def pay(order):\n    raise ValueError(f'order {order} was refused by the bank: {order.reason}')\n",
        "src/bank.py": "def refused(bank):\n    'Order was refused, by the bank.'\n    return bank.refused\n",
        "docs/bank.md": "# Bank\n\nAn order that was refused by the bank is not paid.\n",
    }
    message = "ValueError: order 12 was refused by the bank: too late"
    found = shares(tmp_path, {"src/retry.py": RETRY, **files}, message, "exact")
    assert found == {"src/pay.py": pytest.approx(0.4 * MOST / 3 * (5 / 9) ** 0.5 / 1.2)}


WORKERS = {
    f"cmd/{name}-worker/main.go": "package main\n\nfunc run() {\n\tlog(order)\n}\n"
    for name in ("order", "refund", "mail")
}


def test_a_change_to_a_component_is_looked_for_among_its_files(tmp_path: Path) -> None:
    says_the_same = {"lib/log.go": "package lib\n\n// of workers\nfunc logOrder() {\n\tlog(order)\n}\n"}
    shop = project(tmp_path / "shop", {**WORKERS, **says_the_same})
    with Daypack.open(tmp_path / "s", root=shop, settings=WORDS) as daypack:
        daypack.files.add(shop)
        best = {
            title: daypack.search(f"{title} log each order once").files[0].uri
            for title in ("worker:", "Workers")
        }
    assert best == {"worker:": "cmd/order-worker/main.go", "Workers": "lib/log.go"}


@pytest.mark.parametrize(
    ("text", "turned_away"),
    [
        ("Remove the chapel ceiling of the bishop before a call has to wait", False),
        ("Who painted the chapel ceiling of the bishop before a call has to wait?", True),
    ],
)
def test_a_task_may_be_in_words_that_the_code_does_not_have_yet(
    tmp_path: Path, text: str, turned_away: bool
) -> None:
    shop = project(tmp_path / "shop", {"src/retry.py": RETRY, **WORKERS})
    with Daypack.open(tmp_path / "s", root=shop, settings=Settings()) as daypack:
        daypack.files.add(shop)
        found = daypack.search(text)
        assert (found.weak or found.empty_reason is EmptyReason.NOTHING_RELEVANT) is turned_away


def test_the_imports_of_a_file_come_with_what_is_best_in_it(tmp_path: Path) -> None:
    imports = "import json\nimport logging\nfrom shop.money import Euro\nfrom shop.clock import Clock\n\n\n"
    noise = {
        f"src/part{n}.py": f"def step{n}(order):\n    return order.refund_of(step{n})\n" for n in range(20)
    }
    shop = project(tmp_path / "shop", {"src/refunds.py": imports + REFUND, **noise})
    with Daypack.open(tmp_path / "s", root=shop, settings=WORDS) as daypack:
        daypack.files.add(shop)
        pack = daypack.pack("refund an order only once within its days", budget=300)
    assert ("src/refunds.py", 1) in [
        (one.citation.uri, one.citation.span.start_line) for one in pack.excerpts
    ]


def test_a_pack_leaves_the_notice_of_copyright_out(tmp_path: Path) -> None:
    notice = (
        "# Copyright 2021 The Shop of Orders and Refunds. All rights reserved.\n"
        "# Licensed under the Shop License: an order of this file may be refunded within days, and only once.\n"
        "# It comes as it is, without warranties of any kind, be they of fitness, of title or of use.\n\n"
    )
    shop = project(tmp_path / "shop", {"src/refunds.py": notice + REFUND, "LICENSE": "The Shop License\n"})
    with Daypack.open(tmp_path / "s", root=shop, settings=WORDS) as daypack:
        daypack.files.add(shop)
        asked = daypack.pack("refund an order only once within its days", budget=1_000)
        legal = daypack.pack("under which license may src/refunds.py be used?", budget=1_000)
    assert "def refund" in asked.text
    assert "All rights reserved" not in asked.text
    assert "Shop License" in legal.text


OPTIONS = "class Options:\n    # How often a refund is tried before it is given up.\n    # A refund that the bank refuses is tried again.\n    # The wait doubles.\n    refund_tries = 3\n"
BANK = "def pay_back(order, options):\n    tried = 0\n    while tried < options.refund_tries:\n        tried += 1\n        if bank.refund(order):\n            return order.closed()\n        wait(doubles(tried))\n    return order.given_up()\n"


def test_a_report_prefers_statements_to_comments(tmp_path: Path) -> None:
    files = {
        "options.py": OPTIONS,
        "bank.py": BANK,
        "carts.py": "def add(cart, item):\n    cart.append(item)\n",
    }
    report = "A refund that the bank refuses is given up at once\n\nIt should be tried again, with a wait that doubles."
    question = "how often is a refund tried before it is given up?"
    lowered = shares(tmp_path, files, report, "prior")
    assert lowered["options.py"] < lowered.get("bank.py", 0.0) <= 0
    assert not shares(tmp_path / "asked", files, question, "prior")
