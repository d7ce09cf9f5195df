"""Fakes and conformance suites: an adapter's author runs them to check that it fits a seam.

    class TestMyEmbedder(EmbedderConformance):
        def make(self) -> Embedder:
            return MyEmbedder()

Every test is a plain method, so pytest finds them in the subclass; this module itself needs no test
framework.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from daypack.embed.hashing import HashingEmbedder
from daypack.ports import CountTokens, Embedder
from daypack.types import Chunk, PieceKind, Record, RecordKind, Span, Trust
from daypack.types.arrays import Vectors

# ---------------------------------------------------------------- builders


def make_record(text: str = "Some text.\n", uid: str = "notes.md", **changes: Any) -> Record:
    """A record whose fields are the defaults except for those named."""
    return Record(**{"uid": uid, "text": text, "uri": uid, **changes})


def make_chunk(text: str = "Some text.", id: int = 1, **changes: Any) -> Chunk:
    """A chunk that starts at the beginning of a record of its own.

    `tokens` is a quarter of the characters, rounded up.
    """
    values: dict[str, Any] = {
        "id": id,
        "record_id": id,
        "ordinal": 0,
        "span": Span(0, len(text), 1, 1 + text.rstrip("\n").count("\n")),
        "text": text,
        "kind": PieceKind.PARAGRAPH,
        "name": "",
        "trail": (),
        "signature": "",
        "symbol": None,
        "section": 0,
        "tokens": -(-len(text) // 4),
        "hash": _hex(text),
        "uri": f"file{id}.md",
        "title": "",
        "record_kind": RecordKind.DOCUMENT,
        "language": "",
        "author": "",
        "session": "",
        "scope": "",
        "time": None,
        "trust": Trust.USER,
        "door": "files",
        "record_hash": _hex(text),
    }
    unknown = changes.keys() - {*Chunk._fields}
    if unknown:
        raise TypeError(f"Chunk has no {', '.join(sorted(unknown))}")
    return Chunk(**(values | changes))


def _hex(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


# ---------------------------------------------------------------- fakes


class FakeEmbedder:
    """A function of its input: bag of hashed words. `calls` holds the texts of every `embed`, in order."""

    dim = HashingEmbedder.dim

    def __init__(self, model_id: str = "fake-256-v1", *, fails: Exception | None = None) -> None:
        self.model_id = model_id
        self.calls: list[tuple[str, ...]] = []
        self._fails = fails
        self._hashing = HashingEmbedder()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(tuple(texts))
        if self._fails is not None:
            raise self._fails
        return self._hashing.embed(texts)


# ---------------------------------------------------------------- conformance: Embedder


class EmbedderConformance:
    """Promises that the pipeline relies on.

    A subclass makes the embedder; `make` is called once per test, so cache what is slow.
    """

    TEXTS = (
        "The retry policy doubles its delay after each failure.",
        "def connect(host, port): return Socket(host, port)",
        "chocolate cake",
        "Sessions expire thirty minutes after the last request, unless the client asked to be remembered for longer.",
        "The retry policy halves its delay after each failure.",
        "naïve café, 日本語, Привет",
        "one two three four five six seven eight nine",
    )

    def make(self) -> Embedder:
        raise NotImplementedError

    def test_model_id_names_the_model(self) -> None:
        """The id is a non-empty line, the same for two embedders made alike."""
        model_id = self.make().model_id
        assert model_id
        assert model_id.isprintable()
        assert model_id == self.make().model_id

    def test_rows_are_float32_of_the_stated_dimension(self) -> None:
        embedder = self.make()
        vectors = embedder.embed(self.TEXTS)
        assert vectors.dtype.name == "float32"
        assert vectors.shape == (len(self.TEXTS), embedder.dim)

    def test_rows_have_unit_length(self) -> None:
        vectors = self.make().embed(self.TEXTS)
        lengths = (vectors.astype("float64") ** 2).sum(axis=1) ** 0.5
        assert (abs(lengths - 1) < 1e-5).all()

    def test_no_texts_give_no_rows(self) -> None:
        embedder = self.make()
        assert embedder.embed([]).shape == (0, embedder.dim)

    def test_texts_without_tokens_give_zeros(self) -> None:
        vectors = self.make().embed(["", "words", "  \n\t "])
        assert not vectors[0].any()
        assert vectors[1].any()
        assert not vectors[2].any()

    def test_equal_text_gives_an_equal_vector_in_any_company(self) -> None:
        """Bit for bit: alone, in a batch, in another order, beside itself and beside longer texts."""
        embedder = self.make()
        together = embedder.embed(self.TEXTS)
        backwards = embedder.embed(self.TEXTS[::-1])[::-1]
        crowded = embedder.embed(
            [*self.TEXTS, *self.TEXTS, "filler " * 100, *(f"filler {text}" for text in self.TEXTS)]
        )
        for i, text in enumerate(self.TEXTS):
            alone = embedder.embed([text])[0].tobytes()
            assert together[i].tobytes() == alone, text
            assert backwards[i].tobytes() == alone, text
            assert crowded[i].tobytes() == crowded[len(self.TEXTS) + i].tobytes() == alone, text

    def test_different_texts_give_different_vectors(self) -> None:
        vectors = self.make().embed(self.TEXTS)
        assert len({row.tobytes() for row in vectors}) == len(self.TEXTS)

    def test_a_long_text_is_cut_instead_of_refused(self) -> None:
        vectors = self.make().embed(["word " * 200_000, "short"])
        assert vectors[0].any()
        assert vectors[1].any()

    def test_any_text_is_taken(self) -> None:
        """Control characters, lone surrogates, joiners, one very long word, special tokens of well-known
        models.
        """
        odd = [
            "\x00\x01",
            "\ud800 lone",
            "a\u200d\u0301b",
            "x" * 10_000,
            "[CLS] [SEP] [MASK] <s> </s> <|endoftext|>",
            "👩‍👩‍👧",
            "٣٤ हिन्दी",
        ]
        vectors = self.make().embed(odd)
        lengths = (vectors.astype("float64") ** 2).sum(axis=1) ** 0.5
        assert (abs(lengths - lengths.round()) < 1e-5).all()  # 1, or 0 for a text without tokens

    def test_the_texts_are_not_changed(self) -> None:
        texts = list(self.TEXTS)
        self.make().embed(texts)
        assert texts == list(self.TEXTS)


# ---------------------------------------------------------------- conformance: CountTokens


class TokenCounterConformance:
    """Promises that a budget relies on. A subclass makes the counter."""

    TEXTS = (
        "a",
        "Two words",
        "def f(x):\n    return x\n",
        " \n\t ",
        "naïve café 日本語 👩‍👩‍👧",
        "\ud800 lone surrogate",
        "<|endoftext|> is text like any other",
        "x" * 5_000,
        "0123456789 " * 500,
    )
    # Merging across the cut makes a tokenizer count a longer text lower, by a few tokens at the seam at most.
    SEAM_TOKENS = 4

    def make(self) -> CountTokens:
        raise NotImplementedError

    def test_the_empty_text_has_no_tokens(self) -> None:
        assert self.make()("") == 0

    def test_counts_are_whole_and_positive_for_visible_text(self) -> None:
        count = self.make()
        for text in self.TEXTS:
            tokens = count(text)
            assert type(tokens) is int
            assert tokens >= (1 if text.strip() else 0), text[:20]

    def test_counts_are_repeatable(self) -> None:
        count = self.make()
        assert [count(text) for text in self.TEXTS] == [count(text) for text in self.TEXTS]

    def test_a_prefix_does_not_count_more_than_the_whole(self) -> None:
        count = self.make()
        for text in self.TEXTS:
            whole = count(text)
            for cut in {len(text) // 4, len(text) // 2, len(text) - 1}:
                assert count(text[:cut]) <= whole + self.SEAM_TOKENS, (text[:20], cut)

    def test_two_texts_together_count_about_their_sum(self) -> None:
        """Never more than the sum and the seam: room for two excerpts suffices for both joined."""
        count = self.make()
        for first, second in zip(self.TEXTS, self.TEXTS[1:], strict=False):
            assert count(first + second) <= count(first) + count(second) + self.SEAM_TOKENS


__all__ = ["EmbedderConformance", "FakeEmbedder", "TokenCounterConformance", "make_chunk", "make_record"]
