"""Wording: a text expresses a question in similar words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from daypack.embed.static import open_table
from daypack.rank.texts.wording import wording

TABLE = open_table()


def said(question: dict[str, float], *texts: str) -> list[float]:
    found: list[float] = wording(
        question, [TABLE.words_of(text) for text in texts], TABLE.embed_words
    ).tolist()
    return found


def test_a_text_with_all_words_says_the_whole_question() -> None:
    assert said({"kitchen": 2.0, "rules": 1.0}, "The rules of the kitchen.") == [pytest.approx(1)]


def test_like_words_count_more_than_others() -> None:
    like, other = said({"cafeteria": 1.0}, "Lunch ends at two.", "The lease ends in May.")
    assert like > other


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    rare, common = said({"biometric": 5.0, "page": 1.0}, "A biometric lock.", "A page.")
    assert rare > common


def test_a_share_is_equal_to_the_bit_whatever_other_texts_are_read() -> None:
    numbers = np.random.default_rng(0)
    words = {f"w{i}": numbers.standard_normal(256, dtype=np.float32) for i in range(301)}
    words = {word: vector / np.linalg.norm(vector) for word, vector in words.items()}

    def vectors_of(asked: Sequence[str]) -> NDArray[np.float32]:
        return np.array([words[word] for word in asked], dtype=np.float32)

    question = {f"w{i}": 1.0 + i for i in range(7)}
    near = [word for word in words if word not in question]
    for word, other in zip(near, question, strict=False):
        words[word] = (words[word] + words[other]) / np.float32(2**0.5)
    texts = [[word] for word in near]
    alone = [wording(question, [text], vectors_of)[0] for text in texts]
    assert wording(question, texts, vectors_of).tolist() == alone


def test_texts_without_words_say_nothing() -> None:
    assert said({"kitchen": 1.0}, "", "…") == [0, 0]
    assert said({}, "kitchen") == [0]


@given(
    st.dictionaries(st.sampled_from(["red", "crimson", "pay", "zzxq"]), st.floats(0.1, 9), max_size=4),
    st.lists(
        st.lists(st.sampled_from(["red", "money", "wage", "qqzz"]), max_size=4, unique=True), max_size=4
    ),
)
def test_a_share_lies_between_none_and_all(question: dict[str, float], texts: list[list[str]]) -> None:
    def vectors_of(words: Sequence[str]) -> NDArray[np.float32]:
        return TABLE.embed_words(words)

    shares = wording(question, texts, vectors_of)
    assert shares.shape == (len(texts),)
    assert ((shares >= 0) & (shares <= 1 + 1e-6)).all()
