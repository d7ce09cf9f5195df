"""Which answers are empty, and which carry a warning."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from daypack.query import parse_query
from daypack.rank.chance import (
    FAR_COSINE,
    REPEATED,
    SAYS_ALL,
    SAYS_MUCH,
    SMALL_COSINE,
    UNKNOWN_COSINE,
    UNKNOWN_COVERAGE,
    WEAK_COSINE,
    chance_of,
)
from daypack.types import EmptyReason
from support import EPOCH

QUESTION = "which ferry carries bicycles to the lighthouse?"


def pool_of(
    cosine: float,
    *,
    coverage: float = 0.3,
    unknown: tuple[str, ...] = (),
    in_scope: int = SAYS_ALL,
    lacking: int | None = None,
    code: bool = False,
    path: float = 0.0,
    exact: float = 0.0,
    missing: tuple[str, ...] = (),
) -> Any:
    features = SimpleNamespace(
        symbol=np.zeros(1, dtype=np.float32),
        dense=np.array([cosine, np.nan], dtype=np.float32),
        code=np.array([code, code]),
        path=np.array([path, 0.0], dtype=np.float32),
        exact=np.array([exact, 0.0], dtype=np.float32),
    )
    return SimpleNamespace(
        features=features,
        positions=np.arange(2),
        best_coverage=coverage,
        holds_half=False,
        unknown=unknown,
        in_scope=in_scope,
        lacking=in_scope if lacking is None else lacking,
        anchors_missing=missing,
        corrections={},
        of_release=False,
        of_days=False,
    )


def judged(pool: Any, text: str = QUESTION) -> tuple[EmptyReason | None, bool]:
    query = parse_query(text, now=EPOCH)
    return chance_of(pool, query, calibrated=True)[:2]


def test_what_no_text_is_near_to_is_turned_away() -> None:
    assert judged(pool_of(FAR_COSINE - 0.01))[0] is EmptyReason.NOTHING_RELEVANT
    assert judged(pool_of(FAR_COSINE + 0.01))[0] is None


def test_a_word_that_no_text_has_asks_for_a_nearer_text() -> None:
    between = UNKNOWN_COSINE - 0.02
    assert judged(pool_of(between)) == (None, False)
    assert judged(pool_of(between, unknown=("lighthouse",))) == (None, True)
    assert judged(pool_of(UNKNOWN_COSINE + 0.01, unknown=("lighthouse",))) == (None, False)
    known = UNKNOWN_COVERAGE + 0.01
    assert judged(pool_of(between, coverage=known, unknown=("lighthouse",))) == (None, False)


def test_a_missing_word_says_less_in_a_small_store() -> None:
    between = UNKNOWN_COSINE - 0.03
    assert judged(pool_of(between, unknown=("lighthouse",), in_scope=SAYS_MUCH // 2)) == (None, False)


def test_a_word_that_is_missing_outside_a_small_scope_too_says_as_much_as_in_a_large_store() -> None:
    between = UNKNOWN_COSINE - 0.03
    pool = pool_of(between, unknown=("lighthouse",), in_scope=SAYS_MUCH // 8, lacking=SAYS_MUCH)
    assert judged(pool) == (None, True)


def test_a_missing_word_asks_for_a_nearer_text_even_in_the_smallest_store() -> None:
    between = (FAR_COSINE + SMALL_COSINE) / 2
    assert judged(pool_of(between, coverage=0.8, in_scope=1)) == (None, False)
    assert judged(pool_of(between, unknown=("lighthouse",), in_scope=1)) == (None, True)


@pytest.mark.parametrize("coverage", [0.2, 0.5, 0.8])
def test_the_nearest_text_may_be_the_farther_the_more_of_the_words_one_text_has(coverage: float) -> None:
    bound = WEAK_COSINE - 0.25 * coverage
    assert judged(pool_of(bound - 0.01, coverage=coverage)) == (None, True)
    assert judged(pool_of(bound + 0.01, coverage=coverage)) == (None, False)


def test_words_alone_call_an_answer_weak_by_an_unknown_word_and_little_else() -> None:
    assert judged(pool_of(np.nan, coverage=0.3)) == (None, False)
    assert judged(pool_of(np.nan, coverage=0.3, unknown=("lighthouse",))) == (None, True)
    assert judged(pool_of(np.nan, coverage=0.4, unknown=("lighthouse",))) == (None, False)


def test_in_another_language_little_of_a_question_is_weak_and_less_is_nothing() -> None:
    german = "Welche Fähre bringt die Fahrräder zum Leuchtturm?"
    assert judged(pool_of(np.nan, coverage=0.09), german)[0] is EmptyReason.NOTHING_RELEVANT
    assert judged(pool_of(np.nan, coverage=0.12), german) == (None, True)
    assert judged(pool_of(np.nan, coverage=0.27), german) == (None, True)
    assert judged(pool_of(np.nan, coverage=0.29), german) == (None, False)
    assert judged(pool_of(np.nan, coverage=0.12))[0] is EmptyReason.NOTHING_RELEVANT
    assert judged(pool_of(np.nan, coverage=0.23)) == (None, False)


@pytest.mark.parametrize(
    "text",
    ["fix the crash when a ferry carries no bicycles", "Ferry crash\n\nIt sinks with bicycles aboard."],
)
def test_a_task_over_code_is_no_weak_question(text: str) -> None:
    assert judged(pool_of(FAR_COSINE - 0.05, unknown=("ferry",), code=True), text) == (None, False)


def test_a_text_that_repeats_a_message_is_an_answer_whatever_else_is_asked() -> None:
    far = FAR_COSINE - 0.05
    text = 'why does it print "no ferry carries bicycles in winter"?'
    assert judged(pool_of(far, coverage=0.2, unknown=("print",), exact=REPEATED), text) == (None, False)
    assert judged(pool_of(far, coverage=0.2, exact=REPEATED / 2), text)[0] is EmptyReason.NOTHING_RELEVANT


def test_a_stored_path_is_found_whatever_else_is_asked() -> None:
    text = "what does docs/ferry.md say about lighthouses?"
    assert judged(pool_of(0.1, unknown=("lighthouses",), path=0.3), text) == (None, False)


def test_a_file_that_is_called_by_a_word_of_the_question_is_no_path() -> None:
    assert judged(pool_of(0.1, unknown=("lighthouses",), path=0.1))[0] is EmptyReason.NOTHING_RELEVANT


NAMED = "who sells parts of Nabertherm kilns, and how fast?"


def test_a_name_that_a_text_has_makes_an_answer_weak_and_not_empty() -> None:
    far = FAR_COSINE - 0.05
    assert judged(pool_of(far, coverage=0.2, unknown=("sells", "parts")), NAMED) == (None, True)
    assert judged(pool_of(far, coverage=0.2, unknown=("sells", "Nabertherm")), NAMED)[0] is not None


@pytest.mark.parametrize("text", ["roof renovation: Nabertherm", "what did böttcher offer for the roof?"])
def test_a_name_behind_a_colon_or_with_a_letter_that_english_lacks_is_a_name(text: str) -> None:
    far = FAR_COSINE - 0.05
    words = ("Nabertherm", "böttcher")
    assert judged(pool_of(far, coverage=0.2, unknown=("roof",)), text) == (None, True)
    assert judged(pool_of(far, coverage=0.2, unknown=words), text)[0] is EmptyReason.NOTHING_RELEVANT


def test_a_day_is_no_name_of_a_thing() -> None:
    asked = "what did the harbour office sell on Monday?"
    assert judged(pool_of(FAR_COSINE - 0.05, coverage=0.2), asked)[0] is EmptyReason.NOTHING_RELEVANT


NEAR, FAR = FAR_COSINE + 0.01, FAR_COSINE - 0.01


@pytest.mark.parametrize(
    ("text", "name"),
    [("what is PostgreSQL", "PostgreSQL"), ("where is XmlConfig used", "XmlConfig"), ("GitHub", "GitHub")],
)
def test_a_missing_name_of_humps_empties_the_answer_by_words_from_afar_or_from_code(
    text: str, name: str
) -> None:
    assert judged(pool_of(NEAR, missing=(name,)), text)[0] is None
    for cosine, code in ((FAR, False), (np.nan, False), (NEAR, True)):
        pool = pool_of(cosine, code=code, missing=(name,))
        assert judged(pool, text)[0] is EmptyReason.ANCHOR_NOT_FOUND


@pytest.mark.parametrize(
    "text",
    [
        "what is loadConfig",
        "what is load_config",
        "what is XmlConfig()",
        "what is `XmlConfig`",
        "`XmlConfig`",
        '"XmlConfig"',
        "what is Xml::load",
    ],
)
def test_a_missing_name_that_only_code_has_empties_the_answer_beside_near_prose(text: str) -> None:
    missing = tuple(parse_query(text, now=EPOCH).identifiers)
    assert judged(pool_of(NEAR, missing=missing), text)[0] is EmptyReason.ANCHOR_NOT_FOUND


def test_two_missing_names_empty_the_answer_when_one_is_that_of_code_alone() -> None:
    pool = pool_of(NEAR, missing=("XmlConfig", "parse_config"))
    assert judged(pool, "who uses XmlConfig and parse_config?")[0] is EmptyReason.ANCHOR_NOT_FOUND
