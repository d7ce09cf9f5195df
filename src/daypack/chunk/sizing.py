"""Sizes of pieces, the places at which long text is cut, and the function that makes pieces from drafts.

A cutter returns *drafts*: rough character ranges with their facts. Only `finish` turns drafts into pieces, and it alone
keeps the promise of a `Cut`:

    drafts  ─►  in order  ─►  gaps that hold text get a piece  ─►  blank ends trimmed  ─►  lines counted

So a cutter that misjudges a file may cut it badly, but no character is lost or in two pieces. Sizes are in characters, four
to a token; texts of wider characters get fewer (see `characters`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from daypack.text.prose.endings import goes_on
from daypack.types import Piece, PieceKind, Span, SymbolKind

PIECE_TOKENS = 256  # the limit of the embedder, and the size with which packing was measured
SMALL_TOKENS = 60  # a smaller paragraph is joined to its neighbour …
MERGED_TOKENS = 120  # … if both together are below this
TINY_TOKENS = 20  # a lead-in ("For example:"), which belongs to the text that follows
CHARACTERS_PER_TOKEN = 4
SAMPLE_CHARACTERS = 65_536
BLOCK_LINES = 40  # 20 to 40 rank files equally well (docs/decisions/006-constants.md)
BLOCK_CHARACTERS = 4_000


class Draft(NamedTuple):
    """A future piece: a half-open range of characters, not trimmed, without lines. One without a `symbol` defines nothing."""

    start: int
    end: int
    kind: PieceKind
    name: str = ""
    trail: tuple[str, ...] = ()
    signature: str = ""
    symbol: SymbolKind | None = None
    section: int = 0
    is_test: bool = False


class Drafts(NamedTuple):
    """The drafts of a record, the imports of its code, and the reason if its structure was not used."""

    drafts: Iterable[Draft]
    imports: tuple[str, ...] = ()
    fallback: str = ""


def characters(text: str, tokens: int) -> int:
    """The number of characters of `text` that make about `tokens` tokens.

    A token is about four UTF-8 bytes in all scripts that were measured: four characters of English, and little more than one
    of Chinese. The ratio is measured at the head of the text, once per record, so that cutting need not count.
    """
    if text.isascii():
        return tokens * CHARACTERS_PER_TOKEN
    sample = text[:SAMPLE_CHARACTERS]
    return max(8, tokens * CHARACTERS_PER_TOKEN * len(sample) // len(sample.encode("utf-8", "replace")))


# ---------------------------------------------------------------- drafts to pieces


def finish(text: str, drafts: Iterable[Draft]) -> tuple[Piece, ...]:
    """The pieces of the drafts: ordered, trimmed, with lines. Each non-blank character is in exactly one piece."""
    pieces: list[Piece] = []
    position = 0  # the non-blank characters before it are in pieces
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
                start = newline + 1  # keep the indentation of the first line, which has a meaning
            elif start and text[start - 1] != "\n":
                start += blank
        first = line + text.count("\n", counted, start)
        counted, line = end, first + text.count("\n", start, end)
        span = Span(start, end, first, line)
        pieces.append(Piece(span, *draft[2:]))

    for draft in drafts:
        start = max(draft.start, position)
        if start > position:
            add(Draft(position, start, PieceKind.BLOCK, section=last.section), position, start)
        add(draft, start, draft.end)
        position = max(start, draft.end)
        last = draft
    if position < len(text):
        add(Draft(position, len(text), PieceKind.BLOCK, section=last.section), position, len(text))
    return tuple(pieces)


# ---------------------------------------------------------------- where to cut

_END = re.compile(r"\n|[.!?…;:][\"'”’»)\]*_`]*\s+|[。！？；]\s*")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_INDENTATION = 40  # characters behind a mark, in which the next word begins
_WRAPPED = 60  # characters of a line that may have been broken. guess
_CLUSTER_LIMIT = 64  # characters; bounds the time of a long run of combining marks


def split_sentences(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Parts of about equal length, at most `limit` characters each, cut after a sentence, else at a blank, else anywhere."""
    while end - start > limit:
        parts = -(-(end - start) // limit)
        high = start + min(limit, (end - start) // parts + limit // 8)
        cut = break_point(text, start + max(1, (high - start) // 2), high)
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def break_point(text: str, low: int, high: int) -> int:
    """The best offset in (low, high] for the end of a part: the last end of a line, else of a sentence, else of a clause, else a
    blank, else any.
    """
    ends: dict[_End, int] = {}
    for match in _END.finditer(text, low, high):
        if (end := _end_of(text, match)) is not None and match.end() > low:
            ends[end] = match.end()
    if ends:
        return ends[min(ends)]
    blank = max(text.rfind(" ", low, high), text.rfind("\t", low, high), text.rfind("\u3000", low, high))
    if blank > low:
        return blank + 1
    cut = high
    floor = max(low, high - _CLUSTER_LIMIT)
    while cut > floor and _inside_cluster(text, cut):
        cut -= 1
    return cut if cut > floor else high


class _End(IntEnum):
    """Ends of parts, the best first."""

    LINE = 0
    SENTENCE = 1
    CLAUSE = 2


def _end_of(text: str, mark: re.Match[str]) -> _End | None:
    """The kind of end at a mark; None for the point of an abbreviation or of a number."""
    at, after = mark.span()
    next_character = text[after : after + _INDENTATION].lstrip()[:1]
    if "\n" in mark[0] and not _is_wrapped(text, at, next_character):
        return _End.LINE
    match text[at]:
        case ".":
            return None if goes_on(text, at, after) else _End.SENTENCE
        case "!" | "?" | "。" | "！" | "？":
            return _End.SENTENCE
        case "…" if not next_character.islower():
            return _End.SENTENCE
        case _:
            return _End.CLAUSE


def _is_wrapped(text: str, at: int, next_character: str) -> bool:
    """True when the line up to `at` goes on in the next one, as in a paragraph of fixed width."""
    if next_character.islower():
        return True
    return text[at] == "\n" and next_character.isalpha() and at - text.rfind("\n", 0, at) > _WRAPPED


def _inside_cluster(text: str, cut: int) -> bool:
    """True when a reader sees the characters before and at `cut` as one."""
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
    """Runs of whole lines, of at most `max_lines` lines and `limit` characters, cut at a blank line if one is near.

    A line of more than `limit` characters is cut by `split_sentences`.
    """
    lines = text.count("\n", start, end) + 1
    if lines <= max_lines and end - start <= limit:
        if end > start:
            yield start, end
        return
    # even runs, instead of forty lines and then one
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
        if not count:  # a line that is too long for a run
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
    """Groups of neighbouring entries, of at most `limit` characters; a longer entry is cut by lines.

    `starts` are ascending; an entry ends at the start of the next.
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
    """Runs of any number of whole lines, of up to `limit` characters: the fastest way to cut."""
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
