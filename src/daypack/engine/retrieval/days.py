"""The chunks about the days that a question names.

"what did I do on 23 January?"   2026-01-23.md; sections below "Friday, 23 January"; pages with that date in their front matter
"notes of March 2026"            all of that month
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from daypack.index import facts
from daypack.index.lexical import terms_between
from daypack.query.times.dated_names import LONGEST_FRONT, date_of_front_matter, terms_of_months, value_of
from daypack.rank.membership import distinct, is_in
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Connection
    from daypack.types import Days

    Holding = Callable[[slice, Iterable[str]], NDArray[np.int64]]
    """Fields and terms → the rising positions of texts that have one of the terms in one of the fields."""

MOST_READ = 4_000  # chunks whose names are read; of more the newest
MOST_FRONTS = 400  # files whose front matter is read; of more the newest
MOST_YEARS = 20
A_FEW_DAYS = 14  # whose numbers a name must have, beside the month
_ALL_YEARS = ("1900", "2100")  # that a name may have: the first, and the one after the last
_BODY, _NAMES = slice(0, 1), slice(1, 4)  # fields of a posting; names, paths and headings are the second


def days_found(
    db: Connection, view: LexicalView, asked: Days, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> dict[int, float]:
    """Position → the value of a chunk about the days, 0 to 1."""
    texts = mask & ~view.code & ((view.flags & ChunkFlag.EVENT) == 0)

    def holding(fields: slice, terms: Iterable[str]) -> NDArray[np.int64]:
        found = [np.empty(0, dtype=np.int64)]
        for term in sorted(terms):
            positions, tf = postings_of(term)
            found.append(positions[texts[positions] & tf[:, fields].any(axis=1)])
        return distinct(np.concatenate(found))

    dated = _records_dated(db, view, asked, holding)
    positions = distinct(np.concatenate([_named(db, view, asked, holding), view.inside(texts, [*dated])]))
    positions = positions[-MOST_READ:]
    at = dict(zip(view.chunk_ids[positions].tolist(), positions.tolist(), strict=True))
    values = {
        at[chunk.chunk_id]: value_of(
            asked, chunk.uri, chunk.title, chunk.headings, dated.get(chunk.record_id, "")
        )
        for chunk in facts.chunk_names(db, [*at])
    }
    return {position: value for position, value in values.items() if value}


def _named(db: Connection, view: LexicalView, asked: Days, holding: Holding) -> NDArray[np.int64]:
    """The positions of chunks whose names may have one of the days."""
    months, numbers = terms_of_months(asked)
    in_number = _both(holding(_NAMES, numbers), holding(_NAMES, _years(asked)))
    if asked.any_year:
        in_number = holding(_NAMES, numbers)
    found = distinct(np.concatenate([holding(_NAMES, months), in_number]))
    if days := _days(asked):
        found = _both(found, holding(_NAMES, days))
    else:  # the months of a long stretch are those of nearly all years
        years = [term for term in terms_between(db, view, *_ALL_YEARS) if re.fullmatch(r"\d{4}", term)]
        elsewhere = holding(_NAMES, {*years} - {*_years(asked)})
        elsewhere = elsewhere[~is_in(elsewhere, holding(_NAMES, _years(asked)))]
        found = found[~is_in(found, elsewhere)]
    end = asked.last + timedelta(days=1)
    in_one = terms_between(db, view, f"{asked.first:%Y%m%d}", f"{end:%Y%m%d}")  # 20260123, 202601231415
    return distinct(np.concatenate([found, holding(_NAMES, in_one)]))


def _records_dated(db: Connection, view: LexicalView, asked: Days, holding: Holding) -> dict[int, str]:
    """Record id → the date in its front matter, of records whose first chunk may have one of the days."""
    months, numbers = terms_of_months(asked)
    found = _both(holding(_BODY, months | numbers), holding(_BODY, _years(asked)))
    if days := _days(asked):
        found = _both(found, holding(_BODY, days))
    before, _ = view.neighbours(found)
    records = distinct(view.record_ids[found[before == found]])[-MOST_FRONTS:].tolist()
    texts = facts.beginnings(db, records, LONGEST_FRONT)
    dates = {record_id: date_of_front_matter(text) for record_id, text in texts.items()}
    return {record_id: date for record_id, date in dates.items() if value_of(asked, "", "", (), date)}


def _both(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    return first[is_in(first, second)]


def _years(asked: Days) -> list[str]:
    return [str(year) for year in range(asked.first.year, asked.last.year + 1)][-MOST_YEARS:]


def _days(asked: Days) -> set[str]:
    """Index terms for the numbers of the days; none for many days, which most numbers may be."""
    if asked.length > A_FEW_DAYS:
        return set()
    numbers = {(asked.first + timedelta(days=step)).day for step in range(asked.length)}
    return {form for number in numbers for form in (str(number), f"{number:02}")}
