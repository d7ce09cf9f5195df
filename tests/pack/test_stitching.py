"""Neighbours in a file become one excerpt, which begins with the best of them."""

from __future__ import annotations

from daypack.pack.select import Selected
from daypack.pack.stitch import Stitcher
from daypack.pack.variants import Choice, in_full
from daypack.testing import make_chunk
from daypack.types import Candidate, Chunk, Excerpt, RecordKind, Span, Variant

LOCAL = "func local() {\n\tfirst()\n\tsecond()\n\tthird()\n}"
INHERITED = "func inherited() {\n\tanswer()\n}"


def chunks(*texts: str) -> list[Chunk]:
    """Pieces of one file of code, with a blank line between them."""
    found, start, line = [], 0, 1
    for n, text in enumerate(texts, 1):
        span = Span(start, start + len(text), line, line + text.count("\n"))
        chunk = make_chunk(text, n, record_kind=RecordKind.CODE)
        found.append(chunk._replace(record_id=1, ordinal=n - 1, span=span))
        start, line = span.end + 2, span.end_line + 2
    return found


def stitched(*chosen: tuple[Chunk, str, float], text: str) -> list[Excerpt]:
    """The excerpts of (chunk, the part of it that is shown, score)."""
    items = []
    for chunk, part, score in chosen:
        start = chunk.text.index(part)
        some = Choice(Variant.EXTRACT, ((start, start + len(part)),), 0.5, 10)
        choice = in_full(chunk, 10) if part == chunk.text else some
        items.append(Selected(Candidate(chunk, score, score, ()), choice, score))
    stitcher = Stitcher(
        lambda _: text, lambda _: text, len, lambda chunk: len(chunk.text), in_rank_order=False
    )
    return stitcher.excerpts(items)


def test_the_end_of_a_worse_function_does_not_stand_before_a_better_one() -> None:
    text = f"{LOCAL}\n\n{INHERITED}"
    local, inherited = chunks(LOCAL, INHERITED)
    end = "\tthird()\n}"
    best, rest = stitched((inherited, INHERITED, 0.9), (local, end, 0.4), text=text)
    assert best.text == INHERITED
    assert rest.text == "\tthird()"


def test_the_end_of_a_better_function_leads_to_its_neighbour() -> None:
    text = f"{LOCAL}\n\n{INHERITED}"
    local, inherited = chunks(LOCAL, INHERITED)
    (only,) = stitched((inherited, INHERITED, 0.4), (local, "\tthird()\n}", 0.9), text=text)
    assert only.text == f"\tthird()\n}}\n\n{INHERITED}"


def test_whole_neighbours_are_one_excerpt_whichever_is_better() -> None:
    text = f"{LOCAL}\n\n{INHERITED}"
    local, inherited = chunks(LOCAL, INHERITED)
    (only,) = stitched((inherited, INHERITED, 0.9), (local, LOCAL, 0.4), text=text)
    assert only.text == text


def test_a_bracket_that_closes_another_block_is_not_shown() -> None:
    rest = ";\n\nusing Pay = int;\n\n// Ships.\nvoid ship();"
    (chunk,) = chunks(rest)
    (only,) = stitched((chunk, rest, 0.9), text=rest)
    assert only.text == "using Pay = int;\n\n// Ships.\nvoid ship();"
    assert (only.citation.span.start_line, only.citation.span.end_line) == (3, 6)
