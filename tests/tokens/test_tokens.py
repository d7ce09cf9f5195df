"""Counters count what they say and take every string."""

import pytest
import toktok
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.tokens import _splintr_counter, count_batch, counter, counter_of_like_texts
from daypack.types import Tokenizer

# Words, spaces, contractions, code and what the byte-pair rules treat in a special way; surrogates and NUL on top.
texts = st.lists(
    st.one_of(
        st.sampled_from(
            [" ", "  ", "\n", "\n\n", "\r\n", "'s", "'", "indivisible", "foobar", "Hello", "12345", "🧠", "汉字", "é", "<|endoftext|>"]
        ),
        st.text(alphabet=st.characters(codec=None), max_size=4),
    ),
    max_size=12,
).map("".join)

# What may stand at the two sides of a line end.
edges = st.one_of(
    st.sampled_from(["\n", "\r", "\r\n", " ", "\t", "/", "//", "}", "\u0301", "\x1c", "\x85", "\u2028", "'s", "a", "A", "7", "。", "_"]),
    texts,
)
lines = st.lists(st.tuples(edges, st.just("\n"), edges).map("".join), max_size=6).map("".join)


def test_known_counts() -> None:
    assert counter(Tokenizer.O200K)("hello world") == 2
    assert counter(Tokenizer.CL100K)("hello world") == 2
    assert counter(Tokenizer.APPROX)("hello") == 2  # ceil(5 / 4)
    assert counter(Tokenizer.CHARS)("né") == 2
    assert counter(Tokenizer.BYTES)("né") == 3


@pytest.mark.parametrize("tokenizer", Tokenizer)
def test_the_empty_text_counts_nothing(tokenizer: Tokenizer) -> None:
    assert counter(tokenizer)("") == 0


def test_special_tokens_in_stored_text_are_text() -> None:
    assert counter(Tokenizer.O200K)("<|endoftext|>") == 7


@pytest.mark.parametrize("tokenizer", Tokenizer)
def test_a_lone_surrogate_counts_as_the_replacement_character(tokenizer: Tokenizer) -> None:
    assert counter(tokenizer)("a\ud800b\0") == counter(tokenizer)("a\ufffdb\0")


@settings(max_examples=300)
@given(st.sampled_from([Tokenizer.O200K, Tokenizer.CL100K, Tokenizer.APPROX]), st.lists(lines, min_size=1, max_size=3))
def test_remembering_lines_changes_no_count(tokenizer: Tokenizer, many: list[str]) -> None:
    remembering = counter_of_like_texts(tokenizer)
    for text in [*many, "".join(many), "\n".join(many)]:
        assert remembering(text) == counter(tokenizer)(text)


@settings(max_examples=100)
@given(st.lists(texts, max_size=4))
def test_counts_agree_with_the_batch_counter(many: list[str]) -> None:
    encodable = [text.encode("utf-8", "replace").decode() for text in many]
    assert count_batch(Tokenizer.O200K, encodable) == toktok.batch_count(encodable, "o200k_base", threads=1)
    assert [*map(_splintr_counter("o200k_base"), encodable)] == toktok.batch_count(encodable, "o200k_base", threads=1)
    assert [*map(_splintr_counter("cl100k_base"), encodable)] == toktok.batch_count(encodable, "cl100k_base", threads=1)
    assert count_batch(Tokenizer.CL100K, encodable) == toktok.batch_count(encodable, "cl100k_base", threads=1)
