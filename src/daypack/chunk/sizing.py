"""Spans to size: the length of a piece, the place to cut a long one, and the way from drafts to pieces.

Every cutter hands over *drafts*: rough character ranges with the facts known about them. `finish` is the only
place where a draft becomes a piece, and it alone keeps the promise of a `Cut`:

    drafts  ─►  in order  ─►  gaps that hold text get a piece  ─►  blank ends trimmed  ─►  lines counted

so a cutter that misjudges a file may cut it badly, but can neither lose a character nor give one away twice.
Sizes are characters, four to a token; texts of wider characters get a smaller share (see `characters`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from daypack.types import Piece, PieceKind, Span, SymbolKind

PIECE_TOKENS = 256  # the limit of the embedder, and the unit that packing was measured with
SMALL_TOKENS = 60  # a paragraph below this waits for its neighbour …
MERGED_TOKENS = 120  # … as long as both stay below this
TINY_TOKENS = 20  # a lead-in ("For example:"), which belongs to the text that follows
CHARACTERS_PER_TOKEN = 4
SAMPLE_CHARACTERS = 65_536
BLOCK_LINES = 40  # 20 to 40 rank files equally well (docs/decisions/006-constants.md)
BLOCK_CHARACTERS = 4_000


class Draft(NamedTuple):
    """A piece to be: half-open characters, not yet trimmed, lines not yet counted."""

    start: int
    end: int
    kind: PieceKind
    name: str = ""
    trail: tuple[str, ...] = ()
    signature: str = ""
    symbol: SymbolKind | None = None
    section: int = 0


class Drafts(NamedTuple):
    """Drafts of a record, the imports of its code, and the reason when its structure was not used."""

    drafts: Iterable[Draft]
    imports: tuple[str, ...] = ()
    fallback: str = ""


def characters(text: str, tokens: int) -> int:
    """Number of characters of `text` that make about `tokens` tokens.

    A token is about four UTF-8 bytes in every script that was measured, so four characters of English but not
    much more than one of Chinese. The share is taken from the head of the text: one number a record keeps the
    cutting loops free of counting.
    """
    if text.isascii():
        return tokens * CHARACTERS_PER_TOKEN
    sample = text[:SAMPLE_CHARACTERS]
    return max(8, tokens * CHARACTERS_PER_TOKEN * len(sample) // len(sample.encode("utf-8", "replace")))


# ---------------------------------------------------------------- drafts to pieces


def finish(text: str, drafts: Iterable[Draft]) -> tuple[Piece, ...]:
    """Pieces of the drafts: ordered, trimmed, with lines; every non-blank character has its piece."""
    pieces: list[Piece] = []
    position = 0  # up to here every non-blank character has its piece
    counted, line = 0, 1  # `line` is the line of the character at `counted`
    last = Draft(0, 0, PieceKind.BLOCK)

    def add(draft: Draft, start: int, end: int) -> None:
        nonlocal counted, line
        body = text[start:end].rstrip()
        end = start + len(body)
        if not body:
            return
        if body[0].isspace():
            blank = len(body) - len(body.lstrip())
            newline = text.rfind("\n", start, start + blank)
            if newline >= 0:
                start = newline + 1  # the indentation of the first line is part of its meaning
            elif start and text[start - 1] != "\n":
                start += blank
        first = line + text.count("\n", counted, start)
        counted, line = end, first + text.count("\n", start, end)
        span = Span(start, end, first, line)
        pieces.append(
            Piece(span, draft.kind, draft.name, draft.trail, draft.signature, draft.symbol, draft.section)
        )

    for draft in drafts:
        start = max(draft.start, position)
        if start > position:
            gap = text[position:start]
            if not gap.isspace():
                add(Draft(position, start, PieceKind.BLOCK, section=last.section), position, start)
        if draft.end > start:
            add(draft, start, draft.end)
            position = draft.end
        else:
            position = start
        last = draft
    if position < len(text):
        add(Draft(position, len(text), PieceKind.BLOCK, section=last.section), position, len(text))
    return tuple(pieces)


# ---------------------------------------------------------------- where to cut

# no initial ("S. Smith"), and no abbreviation before a small letter
_SENTENCE_END = re.compile(
    r"(?:\.(?<!\b[A-Z]\.)[\"'”’»)\]*_`]*\s+(?![a-z])|[!?…;:][\"'”’»)\]*_`]*\s+)|[。！？；]\s*|\n"
)
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_CLUSTER_LIMIT = 64  # no natural cluster is longer; a wall of combining marks must not cost more


def split_sentences(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Parts of about equal length, none above `limit`, cut after a sentence, else at a blank, else anywhere."""
    while end - start > limit:
        parts = -(-(end - start) // limit)
        high = start + min(limit, (end - start) // parts + limit // 8)
        cut = break_point(text, start + max(1, (high - start) // 2), high)
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def break_point(text: str, low: int, high: int) -> int:
    """The best place in (low, high] to end a part: after a sentence, a blank, or any character."""
    sentence = 0
    for match in _SENTENCE_END.finditer(text, low, high):
        sentence = match.end()
    if sentence > low:
        return sentence
    blank = max(text.rfind(" ", low, high), text.rfind("\t", low, high), text.rfind("\u3000", low, high))
    if blank > low:
        return blank + 1
    cut = high
    floor = max(low, high - _CLUSTER_LIMIT)
    while cut > floor and _inside_cluster(text, cut):
        cut -= 1
    return cut if cut > floor else high


def _inside_cluster(text: str, cut: int) -> bool:
    """True when the characters before and at `cut` are one to a reader."""
    if cut >= len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if after < "\u0300":
        return before == "\r" and after == "\n"
    return (
        unicodedata.category(after) in ("Mn", "Me", "Mc")
        or after in _JOINERS
        or before == "\u200d"
        or "\udc00" <= after <= "\udfff"
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
    )


def split_lines(text: str, start: int, end: int, max_lines: int, limit: int) -> Iterator[tuple[int, int]]:
    """Runs of whole lines, at most `max_lines` and `limit` characters, cut at a blank line where one is near.

    A line that is longer than `limit` by itself is cut like a sentence.
    """
    lines = text.count("\n", start, end) + 1
    if lines <= max_lines and end - start <= limit:
        if end > start:
            yield start, end
        return
    # even runs, not forty lines and then one
    share = min(max_lines, -(-lines // -(-lines // max_lines)) + max_lines // 8)
    while start < end:
        cut, count, blank = start, 0, -1
        while count < share and cut < end:
            newline = text.find("\n", cut, end)
            after = end if newline < 0 else newline + 1
            if after - start > limit:
                break
            if count >= share // 2 and text[cut:after].isspace():
                blank = after
            cut = after
            count += 1
        if not count:  # a line too long for a run of its own
            newline = text.find("\n", start, end)
            cut = end if newline < 0 else newline + 1
            yield from split_sentences(text, start, cut, limit)
        else:
            if blank > 0 and cut < end:
                cut = blank
            yield start, cut
        start = cut


def blocks(text: str) -> Iterator[Draft]:
    """The text in runs of at most 40 lines."""
    for start, end in split_lines(text, 0, len(text), BLOCK_LINES, BLOCK_CHARACTERS):
        yield Draft(start, end, PieceKind.BLOCK)


def group(text: str, starts: Sequence[int], end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Neighbouring entries together as long as they fit `limit`; an entry above it is cut by lines.

    `starts` rise; an entry reaches to the next one's start.
    """
    first = -1
    for index, start in enumerate(starts):
        stop = starts[index + 1] if index + 1 < len(starts) else end
        if first >= 0 and stop - first > limit:
            yield first, start
            first = -1
        if stop - start > limit:
            yield from split_runs(text, start, stop, limit)
        elif first < 0:
            first = start
    if first >= 0:
        yield first, end


def split_runs(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Whole lines up to `limit` characters, however many; the fastest cut there is."""
    while end - start > limit:
        cut = text.rfind("\n", start, start + limit) + 1
        if cut <= start:
            newline = text.find("\n", start + limit - 1, end)
            cut = end if newline < 0 else newline + 1
            yield from split_sentences(text, start, cut, limit)
        else:
            yield start, cut
        start = cut
    if end > start:
        yield start, end
