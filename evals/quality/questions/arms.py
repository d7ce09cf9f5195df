"""Arms: what answers a question. All read the files of one tree.

    auto   Daypack by its defaults
    none   words alone
    all    the encoder's vectors of every chunk, made first where they are missing
    code   the defaults with `--kind code`
    bm25   blocks of 40 lines in the order of BM25; a block that does not fit is passed over
    grep   lines that hold words of the question, with five lines around them: the lines with most distinct words
           first, files with most distinct words first

The baselines print a header with path and lines above each block; their tokens are counted with it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol

from daypack import Daypack
from daypack.ports import CountTokens
from daypack.text.analysis import STOP_WORDS
from daypack.tokens import counter
from daypack.types import Pack, Tokenizer, VectorMode
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.peers import WORD, Bm25Peer
from evals.quality.questions.asked import Kind
from evals.quality.questions.measures import Packed, Reply, Shown
from evals.quality.trees import line_starts

FILES = 10  # of a ranking that are kept
DEEP = 1000  # chunks asked for: more than any pool holds
AROUND = 5  # lines before and behind a line that grep finds
LEAST = 12  # tokens: a smaller rest of a budget holds no block
GREPPED = 50  # files whose lines grep shows
LETTERS = 3  # of a word that grep looks for


class Arm(Protocol):
    """Answers questions to one tree."""

    def ask(self, text: str, budgets: Sequence[int]) -> Reply: ...


class DaypackArm:
    """The installed package over the store of a tree. `narrow` limits every question."""

    def __init__(
        self,
        daypack: Daypack,
        kinds: Mapping[str, Kind],
        tokenizer: Tokenizer,
        vectors: VectorMode,
        narrow: Mapping[str, Any],
    ) -> None:
        self._daypack, self._kinds, self._tokenizer = daypack, kinds, tokenizer
        self._vectors, self._narrow = vectors, narrow

    def ask(self, text: str, budgets: Sequence[int]) -> Reply:
        found = self._daypack.search(text, limit=DEEP, vectors=self._vectors, **self._narrow)
        packs = {
            budget: self._packed(
                self._daypack.pack(
                    text, budget=budget, tokenizer=self._tokenizer, vectors=self._vectors, **self._narrow
                )
            )
            for budget in budgets
        }
        return Reply(tuple(file.uri for file in found.files[:FILES]), packs)

    def _packed(self, pack: Pack) -> Packed:
        count = counter(self._tokenizer)
        items = tuple(
            Shown(
                excerpt.citation.uri,
                excerpt.citation.span.start_line,
                excerpt.citation.span.end_line,
                count(excerpt.text),
                self._kinds.get(excerpt.citation.uri, Kind.OTHER),
                round(excerpt.score, 4),
            )
            for excerpt in pack.excerpts
        )
        return Packed(items, pack.tokens_used, pack.weak)


Block = tuple[str, int, int, str]
"""(path, first line, last line, text)."""


class BlocksArm:
    """A baseline that ranks blocks of lines; files come in the order of their best block."""

    def __init__(
        self, ranked: Callable[[str], Iterator[Block]], kinds: Mapping[str, Kind], tokenizer: Tokenizer
    ) -> None:
        self._ranked, self._kinds, self._count = ranked, kinds, counter(tokenizer)

    def ask(self, text: str, budgets: Sequence[int]) -> Reply:
        blocks = list(self._ranked(text))
        files = tuple(dict.fromkeys(path for path, *_ in blocks))[:FILES]
        sizes: dict[Block, tuple[int, int]] = {}
        return Reply(files, {budget: self._filled(blocks, budget, sizes) for budget in budgets})

    def _filled(self, blocks: Sequence[Block], budget: int, sizes: dict[Block, tuple[int, int]]) -> Packed:
        items, used = [], 0
        for block in blocks:
            if budget - used < LEAST:
                break
            path, first, last, text = block
            if block not in sizes:
                if len(text) > 12 * (budget - used):  # no text is that sparse in tokens
                    continue
                sizes[block] = _sizes(block, self._count)
            own, whole = sizes[block]
            if used + whole <= budget:
                used += whole
                items.append(Shown(path, first, last, own, self._kinds.get(path, Kind.OTHER)))
        return Packed(tuple(items), used)


def _sizes(block: Block, count: CountTokens) -> tuple[int, int]:
    """Tokens of the text, and with its header."""
    path, first, last, text = block
    own = count(text)
    return own, own + count(f"## {path}:{first}-{last}\n\n")


def bm25_blocks(collection: Collection) -> Callable[[str], Iterator[Block]]:
    """Question → blocks of 40 lines by BM25, best first."""
    peer = Bm25Peer(collection)

    def ranked(text: str) -> Iterator[Block]:
        scores = peer.scores(EvalQuery("", text, None, ""))
        for number in sorted((scores > 0).nonzero()[0].tolist(), key=lambda n: (-scores[n], n)):
            piece = peer.pieces[number]
            yield piece.doc_id, piece.start_line, piece.end_line, piece.text

    return ranked


def grep_blocks(files: Mapping[str, str]) -> Callable[[str], Iterator[Block]]:
    """Question → windows around matching lines. `files` are texts by path."""
    folded = {path: text.casefold() for path, text in files.items()}
    starts = {path: line_starts(text) for path, text in folded.items()}

    def ranked(text: str) -> Iterator[Block]:
        words = grep_words(text)
        hits = {path: found for path in folded if (found := _hits(folded[path], starts[path], words))}
        order = sorted(
            hits, key=lambda path: (-len(set().union(*hits[path].values())), -len(hits[path]), path)
        )[:GREPPED]
        windows = [
            (-strength, place, first, last, path)
            for place, path in enumerate(order)
            for first, last, strength in windows_of(
                hits[path], len(starts[path]) - files[path].endswith("\n")
            )
        ]
        for _, _, first, last, path in sorted(windows):
            lines = files[path].split("\n")[first : last + 1]
            yield path, first + 1, last + 1, "\n".join(lines) + "\n"

    return ranked


def grep_words(text: str) -> list[str]:
    """The words of a question that a person would look for: no stop words, three letters or more."""
    words = (word.casefold() for word in WORD.findall(text))
    return [*dict.fromkeys(word for word in words if len(word) >= LETTERS and word not in STOP_WORDS)]


def _hits(text: str, starts: Sequence[int], words: Sequence[str]) -> dict[int, set[str]]:
    """Line (from 0) → its words."""
    found: dict[int, set[str]] = {}
    for word in words:
        at = text.find(word)
        while at >= 0:
            line = bisect_right(starts, at) - 1
            found.setdefault(line, set()).add(word)
            if line + 1 == len(starts):
                break
            at = text.find(word, starts[line + 1])
    return found


def windows_of(hits: Mapping[int, Set[str]], lines: int) -> Iterator[tuple[int, int, int]]:
    """(first line, last line, words in its line) of windows that do not overlap, those with most words first.

    `hits` maps a line, from 0, to its words.
    """
    covered: set[int] = set()
    for line in sorted(hits, key=lambda line: (-len(hits[line]), line)):
        if line in covered:
            continue
        first = last = line
        while first > max(0, line - AROUND) and first - 1 not in covered:
            first -= 1
        while last < min(lines - 1, line + AROUND) and last + 1 not in covered:
            last += 1
        covered.update(range(first, last + 1))
        yield first, last, len(hits[line])
