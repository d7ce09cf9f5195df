"""Variants: how much of a chunk to show, from all of it down to one line.

    code        full        1.00 of the value   the whole chunk
                extract      .60                the definition line and the best run of lines
                signature    .15                the definition up to its body and the first line of its docstring
                line         .05                the definition line alone
    prose       full        1.00                the whole chunk
                extract      Σ of its sentences one sentence, two, three … the most telling first

    sentence j of a chunk   (2 + w_j + .3 max(w of its neighbours))^8, as a share of the sum over the chunk

w is the share of the query's weight that a sentence holds; the 2 stands for the chunk, whose surroundings were scored already
(docs/decisions/007-sentences.md). Every variant is some runs of whole lines or sentences, so each can be cited by its own spans.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_

from daypack.frozen import dataclass
from daypack.ports import CountTokens
from daypack.types import Candidate, Chunk, RecordKind, Span, Variant

EXTRACT_LINES = 8  # beats 16, 24 and 32 (docs/decisions/006-constants.md)
EXTRACT_VALUE, SIGNATURE_VALUE, LINE_VALUE = 0.6, 0.15, 0.05
NEAR, TELLING = 0.3, 8.0  # of sentences: what a neighbour counts, and how steeply worth rises with what it says
LEAST, LEAST_TURN = 100, 200  # characters of an extract: one sentence seldom tells whom it is about, in talk less than in a document
SCRAP = 20  # characters; less is no sentence
SMALL = 40  # tokens; below, a chunk is shown whole or not at all

Part = tuple[int, int]
"""Half-open characters of a chunk's text."""

# Begins with a set of characters, so that what lies between them is passed over in one go.
_SENTENCE_END = re.compile(r"[.!?。！？\n](?:(?<!\n)[\"')\]]*\s+|(?<=\n)(?:\s*\n|(?=\s*(?:[-*+•]|\d+[.)])\s)))")


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to show a candidate. `value` is a share of the candidate's value, `cost` in tokens as rendered."""

    variant: Variant
    parts: tuple[Part, ...]
    value: float
    cost: int

    def spans(self, chunk: Chunk) -> tuple[Span, ...]:
        """Where the parts stand in the record."""
        return (chunk.span,) if self.variant is Variant.FULL else tuple([sub_span(chunk, start, end) for start, end in self.parts])


def sub_span(chunk: Chunk, start: int, end: int) -> Span:
    """The span, in the record, of chunk.text[start:end] without blank edges; the slice must hold something."""
    piece = chunk.text[start:end]
    lead = len(piece) - len(piece.lstrip("\n\r\t "))
    start += lead if "\n" not in piece[:lead] else piece[:lead].rfind("\n") + 1  # keep the indentation of the first line
    end = start + len(chunk.text[start:end].rstrip())
    first = chunk.span.start_line + chunk.text.count("\n", 0, start)
    return Span(chunk.span.start + start, chunk.span.start + end, first, first + chunk.text.count("\n", start, end))


def _best_window(weights: Sequence[float]) -> tuple[int, int]:
    """(first, end) of the `EXTRACT_LINES` lines in a row that weigh most; the earlier ones of equals."""
    best, best_weight, end = (0, min(EXTRACT_LINES, len(weights))), -1.0, 0
    total = 0.0
    for first, weight in enumerate(weights):
        while end < len(weights) and end - first < EXTRACT_LINES:
            total += weights[end]
            end += 1
        if total > best_weight + 1e-12:
            best, best_weight = (first, end), total
        total -= weight
    return best


def _best_lines(chunk: Chunk, weigher: Weigher) -> tuple[tuple[Span, ...], float]:
    lines = chunk.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    pieces = [(starts[i], starts[i + 1] - 1) for i in range(len(lines))]
    marks = weigher.marks(chunk.text, pieces)
    first, end = _best_window([*map(weigher.weight, marks)])
    while end - 1 > first and not lines[end - 1].strip():
        end -= 1
    while first < end - 1 and not lines[first].strip():
        first += 1
    head = _definition_lines(chunk, lines)
    share = weigher.share(marks, first, end)
    if not "".join(lines[first:end]).strip():
        first, end = 0, min(len(lines), EXTRACT_LINES)
    if chunk.symbol is None or first <= head + 2:
        first = 0 if chunk.symbol is not None else first
        return (sub_span(chunk, pieces[first][0], pieces[end - 1][1]),), share
    return (sub_span(chunk, 0, pieces[head - 1][1]), sub_span(chunk, pieces[first][0], pieces[end - 1][1])), share


def _sentences(chunk: Chunk) -> list[Part]:
    """Sentences and list items, in order; a heading goes with what it introduces, and so does a scrap."""
    text = chunk.text
    cuts = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    pieces: list[Part] = []
    start = 0
    for end in cuts[1:]:
        bare = text[start:end].strip()
        if len(bare) >= SCRAP and not (start == 0 and _is_heading(chunk, bare)):
            pieces.append((start, end))
            start = end
    if text[start:].strip():
        pieces[-1:] = [(pieces[-1][0], len(text))] if pieces else [(start, len(text))]
    return pieces


def _sentence_choices(chunk: Chunk, weigher: Weigher, whole: int, *, overhead: int, further: int) -> list[Choice]:
    """One sentence more a variant, the most telling first; values as the module says, costs by the share of the characters."""
    pieces = _sentences(chunk)
    shares = [weigher.part(mark) for mark in weigher.marks(chunk.text, pieces)]
    last = len(pieces) - 1
    beside = [0.0, *shares, 0.0]
    told = [(2 + own + NEAR * max(before, after)) ** TELLING for before, own, after in zip(beside, shares, beside[2:], strict=False)]
    value, length = sum(told), len(chunk.text)
    best = told.index(max(told))
    first, end = best, best + 1
    least = LEAST if chunk.record_kind is RecordKind.DOCUMENT else LEAST_TURN
    while pieces[end - 1][1] - pieces[first][0] < least and (first or end <= last):
        if end > last or (first and told[first - 1] > told[end]):
            first -= 1
        else:
            end += 1
    others = sorted([*range(first), *range(end, last + 1)], key=told.__getitem__, reverse=True)
    if not others:
        return []  # that would be all of it
    parts = [(pieces[first][0], pieces[end - 1][1])]
    worth, shown = sum(told[first:end]), parts[0][1] - parts[0][0]
    found: list[Choice] = []
    for i in others:
        paid = math.ceil(whole * shown / length) + overhead + further * (len(parts) - 1)
        found.append(Choice(Variant.EXTRACT, tuple(parts), worth / value, paid))
        _insert(parts, pieces[i])
        worth += told[i]
        shown += pieces[i][1] - pieces[i][0]
    return found


def _insert(parts: list[Part], new: Part) -> None:
    """Put a part among those in order; parts that touch become one."""
    start, end = new
    at = bisect_right(parts, new)
    after = at
    if after < len(parts) and parts[after][0] == end:
        end = parts[after][1]
        after += 1
    if at and parts[at - 1][1] == start:
        at -= 1
        start = parts[at][0]
    parts[at:after] = [(start, end)]


def _is_heading(chunk: Chunk, text: str) -> bool:
    bare = text.strip("#=*~-^ \t\n")
    return bool(bare) and (bare == chunk.name or bare in chunk.name.split(", "))


def _definition_lines(chunk: Chunk, lines: Sequence[str]) -> int:
    """How many lines the decorators and the definition take, from the top of the chunk."""
    if not chunk.signature:
        return 1
    wanted = "".join(chunk.signature.split())[:200]
    text = ""
    for number, line in enumerate(lines[:40], 1):
        text += "".join(line.split())
        if wanted in text:
            return number
    return 1


def signature_span(chunk: Chunk) -> Span:
    """The definition and the first line of its docstring, when the docstring is its next line."""
    lines = chunk.text.split("\n")
    count = _definition_lines(chunk, lines)
    if count < len(lines) and lines[count].lstrip().startswith(('"""', "'''", 'r"""', '"', "///", "//", "/**")):
        count += 1
    return sub_span(chunk, 0, sum(len(line) + 1 for line in lines[:count]) - 1)


def line_span(chunk: Chunk) -> Span:
    """The line of the definition that names the symbol, or the first line."""
    last = chunk.name.rpartition(".")[2]
    position = 0
    for line in chunk.text.split("\n")[:40]:
        if last and _has_word(line, last) and not line.lstrip().startswith(("#", "//", "/*", "*", "@")):
            return sub_span(chunk, position, position + len(line))
        position += len(line) + 1
    first = next((i for i, line in enumerate(chunk.text.split("\n")) if line.strip()), 0)
    start = sum(len(line) + 1 for line in chunk.text.split("\n")[:first])
    return sub_span(chunk, start, start + len(chunk.text.split("\n")[first]))


def _has_word(line: str, word: str) -> bool:
    """`\\b` before and behind, without an expression for every name."""
    at = line.find(word)
    while at != -1:
        end = at + len(word)
        before, behind = at > 0 and _in_word(line[at - 1]), end < len(line) and _in_word(line[end])
        if before != _in_word(word[0]) and behind != _in_word(word[-1]):
            return True
        at = line.find(word, at + 1)
    return False


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def in_full(chunk: Chunk, cost: int) -> Choice:
    """The whole chunk."""
    return Choice(Variant.FULL, ((0, len(chunk.text)),), 1.0, cost)


def choices(
    candidate: Candidate,
    weigher: Weigher,
    count: CountTokens,
    *,
    whole: int,
    overhead: int,
    further: int,
) -> list[Choice]:
    """All variants of a candidate, cheapest first; the full one, of `whole` tokens, is always last.

    `overhead` is what an excerpt costs beside its text, `further` what a second span does.
    """
    chunk = candidate.chunk
    if chunk.record_kind is not RecordKind.CODE:
        smaller = _sentence_choices(chunk, weigher, whole, overhead=overhead, further=further) if chunk.tokens > SMALL else []
        return [*smaller, in_full(chunk, whole + overhead)]
    drafts: list[tuple[Variant, tuple[Span, ...], float]] = []
    if chunk.tokens > SMALL:
        spans, share = _best_lines(chunk, weigher)
        if chunk.symbol is not None:
            line = line_span(chunk)
            if not chunk.text[: line.end - chunk.span.start].endswith(("(", ",", "[")):  # `def pack(` names a thing and tells nothing
                drafts.append((Variant.LINE, (line,), LINE_VALUE))
            drafts.append((Variant.SIGNATURE, (signature_span(chunk),), SIGNATURE_VALUE))
            drafts.append((Variant.EXTRACT, spans, EXTRACT_VALUE))
        else:
            drafts.append((Variant.EXTRACT, spans, EXTRACT_VALUE * share))
    drafts = [
        draft for draft in drafts
        if sum(span.end - span.start for span in draft[1]) < 0.8 * len(chunk.text) and all(_inside(chunk, span).strip() for span in draft[1])
    ]  # fmt: skip
    offset = chunk.span.start
    smaller = [
        Choice(
            variant,
            tuple([(span.start - offset, span.end - offset) for span in spans]),
            value,
            sum([count(_inside(chunk, span)) for span in spans]) + overhead + further * (len(spans) - 1),
        )
        for variant, spans, value in drafts
    ]
    return [*smaller, in_full(chunk, whole + overhead)]


def _inside(chunk: Chunk, span: Span) -> str:
    return chunk.text[span.start - chunk.span.start : span.end - chunk.span.start]


def outline(chunk: Chunk, *, whole: int, overhead: int) -> list[tuple[float, int]]:
    """(value, cost) of which no variant has more and less: bounds, known before any variant is made."""
    full = (1.0, max(1, whole + overhead))
    if chunk.tokens <= SMALL:
        return [full]
    if chunk.record_kind is RecordKind.CODE:
        return [(EXTRACT_VALUE, overhead + 1), full]
    least = LEAST if chunk.record_kind is RecordKind.DOCUMENT else LEAST_TURN
    return [(1.0, overhead + max(1, math.floor(whole * min(1.0, least / len(chunk.text)))))]


def upper_hull(options: Sequence[Choice]) -> list[Choice]:
    """The choices on the upper convex hull of value over cost: each next one costs more and gains less per token."""
    hull: list[Choice] = []
    for option in sorted(options, key=lambda choice: (choice.cost, -choice.value)):
        if hull and option.value <= hull[-1].value:
            continue
        while hull:
            before_cost, before_value = (hull[-2].cost, hull[-2].value) if len(hull) > 1 else (0, 0.0)
            slope_last = (hull[-1].value - before_value) / max(hull[-1].cost - before_cost, 1)
            slope_new = (option.value - hull[-1].value) / max(option.cost - hull[-1].cost, 1)
            if slope_new < slope_last:
                break
            hull.pop()
        hull.append(option)
    return hull


def term_weigher(
    term_weights: Mapping[str, float], terms_of: Callable[[str], Sequence[str]], words_of: Callable[[str], Sequence[str]] = str.split
) -> Weigher:
    """Weight of a text's query terms, each counted once. `words_of` cuts a text, `terms_of` is asked about each part once."""
    return Weigher(term_weights, terms_of, words_of)


class Weigher:
    """The terms of one query as bits: which of them a text holds is one number, and numbers of parts join by `|`."""

    def __init__(
        self, term_weights: Mapping[str, float], terms_of: Callable[[str], Sequence[str]], words_of: Callable[[str], Sequence[str]]
    ) -> None:
        self._words_of, self._terms_of = words_of, terms_of
        self._bits = {term: 1 << i for i, term in enumerate(term_weights)}
        self._marks: dict[str, int] = {}  # of words that hold a query term
        self._seen: set[str] = set()  # words that were taken apart: candidates have most of theirs in common
        self._weights = list(term_weights.values())
        self._total = sum(self._weights)
        self._sums: dict[int, float] = {0: 0.0}

    def weight(self, mark: int) -> float:
        """Of the terms whose bits are set."""
        known = self._sums.get(mark)
        if known is None:
            known = self._sums[mark] = sum(weight for i, weight in enumerate(self._weights) if mark >> i & 1)
        return known

    def part(self, mark: int) -> float:
        """The share of the query's weight that terms hold."""
        return self.weight(mark) / self._total if self._total else 0.0

    def share(self, marks: Sequence[int], first: int, end: int) -> float:
        """How much of the weight of all pieces those from `first` to `end` hold; a half where nothing weighs anything."""
        whole = self.weight(reduce(or_, marks, 0))
        return min(1.0, self.weight(reduce(or_, marks[first:end], 0)) / whole) if whole else 0.5

    def marks(self, text: str, pieces: Sequence[tuple[int, int]]) -> list[int]:
        """The query terms of each piece (start, end) of a text that no word reaches across. Only pieces that may hold one are read."""
        found = [0] * len(pieces)
        telling = self._telling({*self._words_of(text)})
        if not telling:
            return found
        starts = [start for start, _ in pieces]
        touched = set()
        for word in telling:
            at = text.find(word)
            while at != -1:
                touched.add(bisect_right(starts, at) - 1)
                at = text.find(word, at + len(word))
        for i in touched:
            if i >= 0:
                start, end = pieces[i]
                for word in telling.intersection(self._words_of(text[start:end])):
                    found[i] |= self._marks[word]
        return found

    def _telling(self, words: set[str]) -> set[str]:
        """Those of the words that hold a query term."""
        new = words - self._seen
        self._seen |= new
        bits = self._bits
        without = bits.keys().isdisjoint
        for word, terms in zip(new, map(self._terms_of, new), strict=True):
            if not without(terms):
                self._marks[word] = reduce(or_, [bits.get(term, 0) for term in terms])
        return words & self._marks.keys()
