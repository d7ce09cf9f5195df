"""WordPiece: a text as the numbers of the pieces of its words, by a vocabulary of one piece a line.

ASCII is cut here: no other module is loaded, and a vocabulary is ready in 3 ms. Other text is left to the package `tokenizers`, whose
tables of Unicode no copy could follow; both give the same numbers.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from daypack.errors import ModelUnavailable

FOLDER = Path(__file__).parent / "minilm"
VOCABULARY = FOLDER / "vocab.txt"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LONGEST_WORD = 100  # characters; a longer one is unknown
MAX_KNOWN_WORDS = 100_000  # kept with their numbers; a store's vocabulary rarely has more

# BERT drops control characters before it looks for words, and each punctuation mark is a word.
_DROPPED = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])
_ASCII_WORDS = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")


class WordPieces:
    """A BERT tokenizer in lower case. Special tokens that a text spells out stay plain text."""

    specials = 2  # tokens added to every text

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        """Raises KeyError for a vocabulary without [CLS], [SEP] and [UNK]."""
        self._vocabulary = vocabulary
        self._first, self._last, self._unknown = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self._known: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int) -> list[int]:
        """The numbers of the pieces of a text between those of the two special tokens, at most `limit` (2 or more) in all."""
        if not text.isascii():
            return self._library.encode(text, limit)
        known, found = self._known, [self._first]
        for word in _ASCII_WORDS.findall(text.translate(_DROPPED).lower()):
            found += known.get(word) or self._learn(word)
            if len(found) >= limit:
                break
        return [*found[: limit - 1], self._last]

    def _learn(self, word: str) -> tuple[int, ...]:
        if len(self._known) >= MAX_KNOWN_WORDS:
            self._known.clear()
        pieces = self._known[word] = tuple(word_pieces(word, self._vocabulary)) or (self._unknown,)
        return pieces

    @cached_property
    def _library(self) -> LibraryTokenizer:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        model = models.WordPiece(
            dict(self._vocabulary),
            unk_token="[UNK]",  # noqa: S106
            max_input_chars_per_word=LONGEST_WORD,
        )
        tokenizer = Tokenizer(model)
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", self._first), ("[SEP]", self._last)]
        )
        return LibraryTokenizer(tokenizer)


class LibraryTokenizer:
    """A tokenizer of the package `tokenizers`, which may be shared by threads."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._busy = threading.Lock()
        self.specials = int(tokenizer.num_special_tokens_to_add(False))

    def encode(self, text: str, limit: int) -> list[int]:
        """The numbers of the tokens of a text, at most `limit`."""
        with self._busy:  # the length limit is a state of the tokenizer
            self._tokenizer.enable_truncation(limit)
            # One at a time: a batch call would start a thread for every core of the machine.
            ids: list[int] = self._tokenizer.encode(text).ids
        return ids


def word_pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """Numbers of the longest pieces from left to right; none where a part of the word is in no piece (Wu et al., 2016)."""
    size = len(word)
    if size > LONGEST_WORD:
        return []
    found: list[int] = []
    start, mark, rest = 0, 0, word
    while start < size:
        end = len(rest)
        while (piece := vocabulary.get(rest[:end])) is None:
            end -= 1
            if end == mark:
                return []
        found.append(piece)
        start += end - mark
        mark, rest = 2, f"##{word[start:]}"
    return found


def vocabulary_in(text: str) -> dict[str, int]:
    """The number of each piece of a vocabulary: that of its line, from 0."""
    return {piece: number for number, piece in enumerate(text.split("\n")) if piece}


@lru_cache(maxsize=1)
def packaged_vocabulary() -> Mapping[str, int]:
    """The vocabulary of the packaged encoder and of the static table. Raises ModelUnavailable where it is missing or changed."""
    try:
        data = VOCABULARY.read_bytes()
    except OSError as error:
        raise ModelUnavailable("minilm", f"{VOCABULARY} cannot be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != VOCABULARY_SHA256:
        raise ModelUnavailable("minilm", f"{VOCABULARY} has been changed")
    return vocabulary_in(data.decode("utf-8"))
