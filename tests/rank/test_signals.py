"""What a path, a name, a stack frame and an author say to a query."""

from __future__ import annotations

from typing import Any

import pytest

from daypack.rank.links import names_title, title_name
from daypack.rank.signals import (
    SymbolPlace,
    author_cue,
    component_of,
    component_share,
    symbol_boost,
    trace_boosts,
)
from daypack.rank.texts.names import name_share, says_key, stem_share
from daypack.text.paths import names_path
from daypack.types import Frame

# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("key", "terms", "says"),
    [
        ("team/lead", "team lead", True),
        ("team/lead", "team lead aureli", True),
        ("team/lead", "lead risk", False),
        ("style/python-lines", "style python", False),
        ("rent", "rent", True),
        ("rent", "rent flat", False),
        ("", "rent", False),
    ],
)
def test_a_query_says_a_key_with_all_of_its_words(key: str, terms: str, says: bool) -> None:
    assert says_key(key, frozenset(terms.split())) is says


# ---------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("uri", "path", "means"),
    [
        ("src/pay/retry.py", "src/pay/retry.py", True),
        ("src/pay/retry.py", "retry.py", True),
        ("src/pay/retry.py", "pay/retry.py", True),
        ("src/pay/retry.py", "./src/pay/retry.py", True),
        ("src/pay/retry.py", "src\\pay\\retry.py", True),
        ("src/pay/retry.py", "/home/ann/shop/src/pay/retry.py", True),  # of another machine: a trace
        ("retry.py", "src/retry.py", True),
        ("src/pay/retry.py", "etry.py", False),
        ("src/pay/retry.py", "src/pay", False),
        ("src/pay/retry.py", "src/other/retry.py", False),
        ("src/pay/retry.pyi", "retry.py", False),
        ("src/pay/Retry.py", "retry.py", False),
    ],
)
def test_a_path_of_the_query_means_a_file(uri: str, path: str, means: bool) -> None:
    assert names_path(uri, path) is means


@pytest.mark.parametrize(
    ("uri", "share"),
    [
        ("src/pay/retry.py", 1.0),
        ("src/pay/retry_budget.py", 1.0),
        ("src/pay/RetryQueue.java", 0.5),
        ("src/retry/__init__.py", 1.0),
        ("web/retry/index.ts", 1.0),
        ("src/retry/order.py", 0.0),
        ("Makefile", 0.0),
        ("", 0.0),
    ],
)
def test_a_file_is_named_by_the_words_of_its_name(uri: str, share: float) -> None:
    assert stem_share(uri, frozenset({"retri", "budget", "loop"})) == pytest.approx(share)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("retryBudget", 1),
        ("Client.retry_budget", 1),
        ("budget_of_client", 1 / 3),
        ("retry", 0),  # one word is said of everything
        ("RetryBudget.__init__", 0),  # what the class is called says nothing of its methods
        ("", 0),
    ],
)
def test_a_function_is_named_by_the_words_of_its_own_name(name: str, share: float) -> None:
    terms = frozenset({"retri", "budget", "loop"})
    assert name_share(name, terms, terms) == pytest.approx(share)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("is_retry_in_budget", 1),
        ("is_retry_of_budget", 2 / 4),
        ("is_retry_in_time", 1 / 4),  # a function word says nothing of a name that is not meant
        ("is_in", 0),
    ],
)
def test_function_words_complete_a_name_of_which_all_else_is_said(name: str, share: float) -> None:
    terms = frozenset({"retri", "budget"})
    assert name_share(name, terms, terms | {"is", "in"}) == pytest.approx(share)


@pytest.mark.parametrize(
    ("title", "component"),
    [
        ("retry: wait longer after each attempt", "retry"),
        ("cmd/refund-worker: log to stderr", "cmd/refund-worker"),
        ("fix(cli)!: refuse two budgets", "cli"),
        ("feat(core/retry): a budget of attempts", "core/retry"),
        ("pay.retry: waits forever", "pay.retry"),
        ("retry: does it wait?", ""),
        ("Wait longer: retries come too fast", ""),
        ("see https://example.org/retry", ""),
        ("std::retry is slow", ""),
        ("retry", ""),
        ("", ""),
    ],
)
def test_a_title_may_begin_with_the_component_that_changes(title: str, component: str) -> None:
    assert component_of(title) == component


@pytest.mark.parametrize(
    ("uri", "component", "share"),
    [
        ("src/retry/wait.py", "retry", 1.0),
        ("src/retry.py", "retry", 1.0),
        ("src/_retry/wait.py", "retry", 1.0),
        ("cmd/refund-worker/main.go", "cmd/refund-worker", 1.0),
        ("cmd/refund-worker/main.go", "refund_worker", 1.0),
        ("cmd/refund-worker/main.go", "worker", 0.5),
        ("worker/cmd/main.go", "cmd/worker", 0.0),
        ("src/retrying.py", "retry", 0.0),
        ("src/retry.py", "retry/wait", 0.0),
        ("", "retry", 0.0),
    ],
)
def test_a_file_belongs_to_the_component_that_its_folders_are_called_after(
    uri: str, component: str, share: float
) -> None:
    assert component_share(uri, component) == share


# ---------------------------------------------------------------- definitions


@pytest.mark.parametrize(
    ("name", "mentions", "definitions", "boost"),
    [
        ("retry", {"retry": 3.0}, {"retry": 1}, 1.0),  # min(1, 3/3) / √1
        ("retry", {"retry": 1.0}, {"retry": 1}, 1 / 3),  # min(1, 1/3) / √1
        ("retry", {"retry": 9.0}, {"retry": 1}, 1.0),  # a name said often counts as said three times
        ("retry", {"retry": 3.0}, {"retry": 4}, 0.5),  # 1 / √4
        ("Worker.retry", {"retry": 3.0}, {"retry": 1}, 1.0),  # a method by its own name
        ("Worker.retry", {"Worker.retry": 1.0}, {"Worker.retry": 4}, 1 + 1 / 6),  # 1 (qualified) + ⅓ / √4
        ("Worker.retry", {"Worker.retry": 3.0}, {"Worker.retry": 1}, 1.5),  # 1 + 1, capped
        ("Worker.retry", {"Worker.retry": 0.5}, {"Worker.retry": 1}, 2 / 3),  # in pasted code alone: ½ + ⅙
        ("Worker.retry", {"Worker::retry": 1.0}, {"Worker::retry": 1}, 4 / 3),  # 1 + ⅓, however it is written
        ("Worker.retry", {"Worker->retry()": 1.0}, {"Worker->retry()": 1}, 4 / 3),
        ("pay.Worker.retry", {"Worker.retry": 1.0}, {"Worker.retry": 1}, 4 / 3),
        ("Other.retry", {"Worker.retry": 3.0}, {"Worker.retry": 4}, 0.5),  # same method of another class
        ("FastWorker.retry", {"Worker.retry": 3.0}, {"Worker.retry": 1}, 1.0),  # not qualified: only at a dot
        ("retry", {"retry": 1.0, "retry()": 1.0}, {"retry": 1, "retry()": 1}, 2 / 3),  # ⅓ + ⅓
        ("retry", {"retry": 3.0}, {"retry": 30}, 1 / 30**0.5),
        ("retry", {"retry": 3.0}, {"retry": 31}, 0.0),  # a name of thirty-one things says nothing
        ("retry", {"retry": 3.0}, {}, 0.0),
        ("retry", {"refund": 3.0}, {"refund": 1}, 0.0),
        ("Retry", {"retry": 3.0}, {"retry": 1}, 0.0),
        ("", {"retry": 3.0}, {"retry": 1}, 0.0),
    ],
)
def test_a_definition_that_is_mentioned_is_lifted(
    name: str, mentions: dict[str, float], definitions: dict[str, int], boost: float
) -> None:
    assert symbol_boost(name, mentions, definitions) == pytest.approx(boost)


# ---------------------------------------------------------------- stack frames


def boost(uri: str, lines: tuple[int, int], frames: list[Frame], name: str = "") -> float:
    return trace_boosts([SymbolPlace(uri, name, *lines)], frames)[0]


@pytest.mark.parametrize(
    ("uri", "lines", "expected"),
    [
        ("src/pay/retry.py", (10, 20), 0.6),  # where it was raised
        ("src/pay/refunds.py", (5, 5), 0.48),  # its caller: .6 x .8
        ("src/pay/main.py", (1, 99), 0.384),  # the caller's caller: .6 x .8²
        ("src/pay/retry.py", (14, 30), 0.0),
        ("src/pay/retry.py", (1, 12), 0.0),
        ("src/other/retry.py", (10, 20), 0.0),
    ],
)
def test_the_chunk_that_a_frame_stands_in_is_lifted_by_its_depth(
    uri: str, lines: tuple[int, int], expected: float
) -> None:
    frames = [
        Frame("/srv/app/src/pay/main.py", 7, depth=2),
        Frame("/srv/app/src/pay/refunds.py", 5, depth=1),
        Frame("/srv/app/src/pay/retry.py", 13),
    ]
    assert boost(uri, lines, frames) == pytest.approx(expected)


def test_of_several_frames_in_a_chunk_the_deepest_call_counts() -> None:
    assert boost(
        "retry.py", (10, 20), [Frame("retry.py", 12, depth=3), Frame("retry.py", 13, depth=1)]
    ) == pytest.approx(0.48)


def test_a_frame_stands_in_its_function_wherever_that_has_moved_since() -> None:
    places = [
        SymbolPlace("retry.py", "Retry.run", 40, 60),
        SymbolPlace("retry.py", "Retry.wait", 10, 20),
        SymbolPlace("queue.py", "run", 10, 20),
    ]
    assert trace_boosts(places, [Frame("retry.py", 13, "run")]) == pytest.approx([0.6, 0.0, 0.0])


def test_of_several_functions_of_one_name_the_line_tells_which() -> None:
    places = [
        SymbolPlace("retry.py", "Retry.__init__", 10, 20),
        SymbolPlace("retry.py", "Budget.__init__", 40, 60),
    ]
    assert trace_boosts(places, [Frame("retry.py", 13, "__init__")]) == pytest.approx([0.6, 0.0])
    assert trace_boosts(places, [Frame("retry.py", 99, "__init__")]) == pytest.approx([0.6, 0.6])


def test_a_function_that_its_file_no_longer_has_is_looked_for_by_its_line() -> None:
    assert boost("retry.py", (10, 20), [Frame("retry.py", 13, "retry_once")], "Retry.run") == pytest.approx(
        0.6
    )


# ---------------------------------------------------------------- authors


@pytest.mark.parametrize(
    ("author", "question", "named"),
    [
        ("Ann", "what did ann say?", True),
        ("Ann Lee", "what did lee say?", True),
        ("J Smith", "what did j say?", False),  # a letter is no name
        ("Ann", "what is planned?", False),
        ("", "what did ann say?", False),
        ("Ann", "", False),
        ("user", "what did ann say?", False),
    ],
)
def test_an_author_is_named_by_a_word_of_the_name(author: str, question: str, named: bool) -> None:
    words: Any = frozenset(question.rstrip("?").split())
    assert author_cue(author, words, 0.0) == named


@pytest.mark.parametrize(
    ("author", "cue"),
    [("user", 2.5), ("Human", 2.5), ("assistant", 0.0), ("Ann", 1.0), ("user Ann", 2.5), ("", 0.0)],
)
def test_the_asker_is_the_user_of_an_assistant_whatever_else_is_named(author: str, cue: float) -> None:
    assert author_cue(author, frozenset({"what", "did", "i", "say", "about", "ann"}), 2.5) == cue


# ---------------------------------------------------------------- titles


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Mercury (planet)", "Mercury"),
        ("Ida Marten", "Ida Marten"),
        ("introduction", ""),
        ("Ida", ""),
        ("(untitled)", ""),
        ("", ""),
    ],
)
def test_a_title_is_a_name_when_it_is_written_like_one(title: str, name: str) -> None:
    assert title_name(title) == name


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("as Ida Marten said", True),
        ("Ida Marten", True),
        ("Ida Martens, then Ida Marten.", True),
        ("Ida Martens", False),
        ("ida marten", False),
    ],
)
def test_a_title_is_named_by_all_of_it_and_nothing_longer(text: str, named: bool) -> None:
    assert names_title(text, "Ida Marten") is named
