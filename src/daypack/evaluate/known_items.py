"""Questions with a known answer, because they were made from it: known-item search on the user's own texts.

    the chunk      The wait before attempt n is doubled, at most a minute, times a random factor.
    words          doubled random factor attempt            its most distinctive words, by tf · idf
    sentence       wait attempt doubled minute random factor    a sentence, its rarest words kept
    vague          wait before attempt at most times        the same sentence, its rarest words left out

Such questions share their words with the answer, so they favour lexical matching, `words` most of all and
`vague` least; people ask in other words. They compare arms and settings on one store; they do not measure its
quality.

A hash of seed and text chooses the chunks and sentences: equal stores give equal questions on every machine,
and an added file changes few questions.
"""

from __future__ import annotations

import enum
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from daypack.text import analysis
from daypack.types import Chunk, RecordKind

WORDS_ASKED = 4  # guess, as are the next three: people type queries of this length
SENTENCE_ASKED = 6
LEFT_OUT = 3
FEWEST_LEFT = 4
LONGEST_SENTENCE = 400  # characters
_MARKER = re.compile(r"^[ \t]*(?:(?:[#>*+/|;%\"'`-]+|\d+[.)])[ \t]*)+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")
_COMMENT = re.compile(r"[ \t]*(?:#|//|/\*|\*|--|;|[rRuU]?\"\"\"|[rRuU]?'''|<!--)")
_CODE = re.compile(r"[(){}\[\]=<>;]|:$")
_CLOSING = " \t\"'`*/"
_PROSE = 0.85  # of a sentence's characters are letters and blanks; a line of code has fewer


class QuestionKind(enum.StrEnum):
    """Ways to make a question from its answer."""

    WORDS = "words"
    SENTENCE = "sentence"
    VAGUE = "vague"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the chunk that it was made from. A chunk of equal text answers it as well."""

    text: str
    kind: QuestionKind
    chunk_hash: str
    record_kind: RecordKind


def sampling_key(chunk_hash: str, seed: int) -> bytes:
    """Key that shuffles chunks; it depends on seed and text alone."""
    return hashlib.blake2b(f"{seed}\0{chunk_hash}".encode(), digest_size=8).digest()


def questions(chunk: Chunk, frequency: Callable[[str], int], chunks: int, seed: int) -> Iterator[Question]:
    """The questions that a chunk allows, at most one of each kind.

    `frequency` is the number of chunks, of `chunks`, that hold a term.
    """
    rarity = _Rarity(frequency, chunks)

    def asked(words: list[str], kind: QuestionKind) -> Question:
        return Question(" ".join(words), kind, chunk.hash, chunk.record_kind)

    words = analysis.words(chunk.text)
    counts, content = Counter(word.lower() for word in words), _content(words)
    best = set(
        sorted(content, key=lambda low: (-rarity[low] * (1 + math.log(counts[low])), low))[:WORDS_ASKED]
    )
    if len(best) == WORDS_ASKED:
        yield asked([word for low, word in content.items() if low in best], QuestionKind.WORDS)
    prose = [
        analysis.words(sentence)
        for sentence in sentences(chunk.text, code=chunk.record_kind is RecordKind.CODE)
    ]
    suited = [words for words in prose if len(_content(words)) >= LEFT_OUT + FEWEST_LEFT]
    if not suited:
        return
    words = suited[int.from_bytes(sampling_key(chunk.hash, seed), "big") % len(suited)]
    content = _content(words)
    rarest = sorted(content, key=lambda low: (-rarity[low], low))
    yield asked(
        [word for low, word in content.items() if low in rarest[:SENTENCE_ASKED]], QuestionKind.SENTENCE
    )
    yield asked([word for word in words if word.lower() not in rarest[:LEFT_OUT]], QuestionKind.VAGUE)


def sentences(text: str, *, code: bool = False) -> list[str]:
    """The sentences of prose, without the marks of lists and quotations; of code, those of comments."""
    found = []
    for paragraph in _commented(text) if code else re.split(r"\n[ \t]*\n", text):
        plain = " ".join(_MARKER.sub("", line).rstrip(_CLOSING) for line in paragraph.split("\n"))
        found += [
            sentence
            for sentence in _SENTENCE_END.split(plain)
            if len(sentence) <= LONGEST_SENTENCE and _is_prose(sentence)
        ]
    return found


def _commented(text: str) -> Iterator[str]:
    """Runs of lines that begin like comments and documentation, with the prose that continues them."""
    run: list[str] = []
    for line in text.split("\n"):
        if _COMMENT.match(line) or (run and line.strip() and not _CODE.search(line)):
            run.append(line)
        elif run:
            yield "\n".join(run)
            run = []
    if run:
        yield "\n".join(run)


def _is_prose(sentence: str) -> bool:
    return bool(sentence) and sum(c.isalpha() or c == " " for c in sentence) >= _PROSE * len(sentence)


def _content(words: list[str]) -> dict[str, str]:
    """Telling words, in lower case: no stop words, no numbers, no words of one or two letters of an alphabet."""
    found: dict[str, str] = {}
    for word in words:
        low = word.lower()
        if low not in analysis.STOP_WORDS and not word.isdigit() and (len(word) > 2 or not word.isascii()):
            found.setdefault(low, word)
    return found


class _Rarity(dict[str, float]):
    """Word → idf of its term."""

    def __init__(self, frequency: Callable[[str], int], chunks: int) -> None:
        self._frequency, self._chunks = frequency, chunks

    def __missing__(self, word: str) -> float:
        terms = analysis.ANALYZER[word]
        held = self._frequency(terms[0]) if terms else self._chunks
        self[word] = found = math.log1p((self._chunks - held + 0.5) / (held + 0.5))
        return found
