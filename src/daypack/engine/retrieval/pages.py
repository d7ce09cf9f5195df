"""The chunks on the page, slide, chapter or sheet that a question names, in the documents that its other words name.

"page 4 of the forklift manual"    page 4 of manuals/forklift.pdf
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from daypack.index import facts
from daypack.rank.membership import distinct
from daypack.rank.views import LexicalView, PostingsOf
from daypack.text import analysis
from daypack.types import PageAsked, Pages, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Connection

MOST_DOCUMENTS = 400  # whose names are read; of more the newest


def pages_found(
    db: Connection, view: LexicalView, query: Query, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> tuple[int, ...]:
    """The positions of the chunks on the places that a query names."""
    words = query.terms.keys() - analysis.terms(" ".join(asked.text for asked in query.pages))
    if not (query.pages and words):
        return ()
    named = np.zeros(len(view), dtype=bool)
    for term in words:
        postings = postings_of(term)
        named[postings.positions[postings.tf[:, 1:].any(axis=1)]] = True
    records = distinct(view.record_ids[np.flatnonzero(named & mask)])[-MOST_DOCUMENTS:]
    documents = facts.documents_with_pages(db, records.tolist())
    shares = {id_: len(words & {*analysis.terms(f"{one.uri} {one.title}")}) for id_, one in documents.items()}
    best = max(shares.values(), default=0)
    meant = {
        id_: [lines for asked in query.pages if (lines := _lines(one.pages, asked))]
        for id_, one in documents.items()
        if 0 < shares[id_] == best
    }
    positions = view.inside(mask, [*meant])
    at = dict(zip(view.chunk_ids[positions].tolist(), positions.tolist(), strict=True))
    return tuple(
        sorted(
            at[chunk.chunk_id]
            for chunk in facts.symbol_lines(db, at)
            for first, last in meant[int(view.record_ids[at[chunk.chunk_id]])]
            if chunk.start_line <= last and chunk.end_line >= first
        )
    )


def _lines(pages: Pages, asked: PageAsked) -> tuple[int, float] | None:
    """The first and the last line of a place; None where a document has no such place."""
    if pages.unit != asked.unit:
        return None
    place = str(asked.number)
    at = pages.names.index(place) if place in pages.names else asked.number - 1
    if not 0 <= at < len(pages.lines):
        return None
    return pages.lines[at], pages.lines[at + 1] - 1 if at + 1 < len(pages.lines) else np.inf
