"""What the tests of cutting share: a record from a text, and the promises that hold for every cut."""

from __future__ import annotations

from daypack.chunk import _cut
from daypack.types import Cut, Piece, Record, RecordKind


def cut_text(text: str, language: str = "", kind: RecordKind = RecordKind.DOCUMENT) -> Cut:
    """The cut of a text, with its promises checked, and without the net that `cut` is hung in."""
    result = _cut(Record("a", text, kind, language=language))
    check_promises(text, result)
    return result


def cut_source(text: str, language: str) -> Cut:
    return cut_text(text, language, RecordKind.CODE)


def check_promises(text: str, result: Cut) -> None:
    """Spans are ordered, apart, non-blank, with true line numbers, and nothing non-blank is outside."""
    position = 0
    section = 0
    for piece in result.pieces:
        span = piece.span
        assert position <= span.start < span.end <= len(text)
        assert not text[position : span.start].strip(), "a gap holds text"
        assert text[span.start : span.end].strip(), "a piece is blank"
        assert span.start_line == text.count("\n", 0, span.start) + 1
        assert span.end_line == span.start_line + text.count("\n", span.start, span.end)
        assert piece.section >= section, "sections rise"
        assert len(piece.signature) <= 300
        assert "\n" not in piece.signature
        position, section = span.end, piece.section
    assert not text[position:].strip(), "the end is missing"


def texts(source: str, result: Cut) -> list[str]:
    return [source[piece.span.start : piece.span.end] for piece in result.pieces]


def named(result: Cut, name: str) -> Piece:
    """The one piece of that name; the first, when it has several parts."""
    return next(piece for piece in result.pieces if piece.name == name and piece.symbol is not None)


def names(result: Cut) -> list[str]:
    return [piece.name for piece in result.pieces if piece.symbol is not None]
