"""The chunks on the page, slide, chapter or sheet that a question names, in the documents that its other words name.

"page 4 of the forklift manual"    page 4 of manuals/forklift.pdf
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from daypack.engine.retrieval.scope import NAMES, Scope
from daypack.index import facts
from daypack.index.facts import SymbolLines
from daypack.query.pages import number_of_chapter
from daypack.rank.membership import distinct
from daypack.text import analysis
from daypack.types import PageAsked, Pages, Query

MOST_DOCUMENTS = 400  # whose names are read; of more the newest


def pages_found(scope: Scope, query: Query) -> tuple[int, ...]:
    """The positions of the chunks on the places that a query names."""
    words = query.terms.keys() - analysis.terms(" ".join(asked.text for asked in query.pages))
    if not (query.pages and words):
        return ()
    view = scope.view
    records = distinct(view.record_ids[scope.having(words, NAMES)])[-MOST_DOCUMENTS:]
    documents = facts.documents_with_pages(scope.db, records.tolist())
    shares = {id_: len(words & {*analysis.terms(f"{one.uri} {one.title}")}) for id_, one in documents.items()}
    best = max(shares.values(), default=0)
    meant = {id_: one.pages for id_, one in documents.items() if 0 < shares[id_] == best}
    at = scope.positions_by_id(view.inside(scope.mask, [*meant]))
    chunks = defaultdict[int, list[SymbolLines]](list)
    for chunk in facts.symbol_lines(scope.db, at):
        chunks[int(view.record_ids[at[chunk.chunk_id]])].append(chunk)
    return tuple(
        sorted(
            {
                at[chunk.chunk_id]
                for id_, inside in chunks.items()
                for first, last in _lines(meant[id_], query.pages, inside)
                for chunk in inside
                if chunk.start_line <= last and chunk.end_line >= first
            }
        )
    )


def _lines(
    pages: Pages, asked: Sequence[PageAsked], chunks: Sequence[SymbolLines]
) -> list[tuple[int, float]]:
    """The first and the last line of each place that a document has."""
    is_book = pages.unit == "chapter"
    names = _numbers_of_chapters(pages, chunks) if is_book else pages.names
    has_own = is_book and any(names)  # then the copyright page does not count
    ends = (*(line - 1 for line in pages.lines[1:]), np.inf)
    return [
        (pages.lines[at], ends[at])
        for one in asked
        if one.unit == pages.unit
        for at in _places(names, one.number) or ([] if has_own else [one.number - 1])
        if 0 <= at < len(pages.lines)
    ]


def _places(names: Sequence[str], number: int) -> list[int]:
    return [at for at, name in enumerate(names) if name == str(number)]


def _numbers_of_chapters(pages: Pages, chunks: Sequence[SymbolLines]) -> list[str]:
    """The number in the first heading of each chapter; "" for one without."""
    names = [""] * len(pages.lines)
    for chunk in sorted(chunks, key=lambda chunk: chunk.start_line, reverse=True):
        names[bisect_right(pages.lines, chunk.start_line) - 1] = chunk.name
    return [str(number_of_chapter(name) or "") for name in names]
