"""Counters count what they say and take every string."""

import random
import runpy
from pathlib import Path

import pytest
import splintr
import toktok
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.tokens import _splintr_counter, _TwoSpeeds, count_batch, counter, counter_of_like_texts
from daypack.tokens.table import CannotTell, TableCounter
from daypack.types import Tokenizer

ROOT = Path(__file__).parents[2]
ENCODINGS = ("o200k_base", "cl100k_base")

# Words, spaces, contractions, code and what the byte-pair rules treat in a special way; surrogates and NUL on
# top.
texts = st.lists(
    st.one_of(
        st.sampled_from(
            [
                " ",
                "  ",
                "\n",
                "\n\n",
                "\r\n",
                "'s",
                "'",
                "indivisible",
                "foobar",
                "Hello",
                "12345",
                "🧠",
                "汉字",
                "é",
                "<|endoftext|>",
            ]
        ),
        st.text(alphabet=st.characters(codec=None), max_size=4),
    ),
    max_size=12,
).map("".join)

# What may stand at the two sides of a line end.
edges = st.one_of(
    st.sampled_from(
        [
            "\n",
            "\r",
            "\r\n",
            " ",
            "\t",
            "/",
            "//",
            "}",
            "\u0301",
            "\x1c",
            "\x85",
            "\u2028",
            "'s",
            "a",
            "A",
            "7",
            "。",
            "_",
        ]
    ),
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
@given(
    st.sampled_from([Tokenizer.O200K, Tokenizer.CL100K, Tokenizer.APPROX]),
    st.lists(lines, min_size=1, max_size=3),
)
def test_remembering_lines_changes_no_count(tokenizer: Tokenizer, many: list[str]) -> None:
    remembering = counter_of_like_texts(tokenizer)
    for text in [*many, "".join(many), "\n".join(many)]:
        assert remembering(text) == counter(tokenizer)(text)


@settings(max_examples=100)
@given(st.lists(texts, max_size=4))
def test_counts_agree_with_the_batch_counter(many: list[str]) -> None:
    encodable = [text.encode("utf-8", "replace").decode() for text in many]
    assert count_batch(Tokenizer.O200K, encodable) == toktok.batch_count(encodable, "o200k_base", threads=1)
    assert [*map(_splintr_counter("o200k_base"), encodable)] == toktok.batch_count(
        encodable, "o200k_base", threads=1
    )
    assert [*map(_splintr_counter("cl100k_base"), encodable)] == toktok.batch_count(
        encodable, "cl100k_base", threads=1
    )
    assert count_batch(Tokenizer.CL100K, encodable) == toktok.batch_count(encodable, "cl100k_base", threads=1)


# What the expressions of the two encodings tell apart, and the classes of characters that they speak of.
SAID = (
    " ", "  ", "   ", "\n", "\n\n", "\r\n", "\r", "\t", "\v", "\f", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000", "\u200b", "\0",
    "'s", "'S", "'Re", "'ll", "'d", "don't", "I'VE", "'\u017f", "Hello", "HELLOworld", "getUserIdFROM", "indivisible", "12345", "٣٤", "Ⅷ", "½",
    "ǅ", "ʰ", "ª", "ß", "İ", "é", "e\u0301", "\u0300", "汉字", "한국어", "เมือง", "नमस्ते", "עברית", "مرحبا", "🧠", "👩\u200d👩\u200d👧", "\ufeff", "\ufffd",
    "<|endoftext|>", "<|fim_prefix|>", "//", "///\n", "}\n", "---", "—", "…", "“q”", "https://example.org/c?d=e&f=1", "def f(self):\n    return x\n",
    "=" * 80, " " * 70, "x" * 50, "aB" * 40, "\n" * 90, "7" * 40,
)  # fmt: skip
PLANES = (0x20, 0x41, 0x80, 0xC0, 0x100, 0x1B0, 0x2B0, 0x300, 0x370, 0x410, 0x5D0, 0x620, 0x905, 0xE01, 0x1E00, 0x2000, 0x2160, 0x3040, 0x4E00,
          0xAC00, 0xFB00, 0x1D400, 0x1F600)  # fmt: skip


def written(choice: random.Random) -> str:
    """A text of what is SAID, and of characters from anywhere."""
    parts = [
        choice.choice(SAID)
        if choice.random() < 0.7
        else "".join(chr(choice.choice(PLANES) + choice.randrange(64)) for _ in range(choice.randrange(1, 5)))
        for _ in range(choice.randrange(1, 14))
    ]
    return "".join(parts)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_table_counts_ten_thousand_texts_as_the_vocabulary_in_memory_does(encoding: str) -> None:
    choice = random.Random(encoding)
    from_table, in_memory = TableCounter(encoding), _splintr_counter(encoding)
    told = 0
    while told < 10_000:
        text = written(choice)
        try:
            found = from_table(text)
        except CannotTell:
            continue
        told += 1
        assert found == in_memory(text), text


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "text",
    ["\u0378", "it'\u017f", "a\ud800", "=" * 1001],
    ids=["unassigned", "long s", "surrogate", "long run"],
)
def test_what_the_table_cannot_tell_is_counted_by_the_vocabulary_in_memory(encoding: str, text: str) -> None:
    with pytest.raises(CannotTell):
        TableCounter(encoding)(text)
    assert _TwoSpeeds(encoding)(text) == _splintr_counter(encoding)(text)


def test_who_counts_much_goes_on_with_the_vocabulary_in_memory_and_counts_the_same() -> None:
    count = _TwoSpeeds("o200k_base")
    line = "One line of many, with some wörds.\n"
    first = count(line)
    assert count.left > 0
    whole = count(line * 40_000)
    assert count.left < 0
    assert whole == first * 40_000
    assert count(line) == first


def test_the_tables_hold_the_tokens_of_the_encodings() -> None:
    """What to do when it fails: run the script."""
    script = runpy.run_path(str(ROOT / "scripts" / "token_tables.py"))
    for encoding, size in script["SIZES"].items():
        tokenizer = splintr.Tokenizer.from_pretrained(encoding)
        tokens = [tokenizer.decode_token_bytes(rank) for rank in range(size)]
        assert (script["TABLES"] / f"{encoding}.tokens").read_bytes() == script["table"](tokens)
