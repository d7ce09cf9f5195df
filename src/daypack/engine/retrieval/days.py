"""The chunks about the days that a question names.

"what did I do on 23 January?"   2026-01-23.md; sections below "Friday, 23 January"; pages with that date in their front matter
"notes of March 2026"            all of that month
"what is due on 30 November?"     texts that say 2026-11-30, 30 November or November 30th
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import cache
from typing import NamedTuple

import numpy as np

from daypack.engine.retrieval.scope import BODY, NAMES, Scope
from daypack.index import facts
from daypack.index.postings.lexical import terms_between
from daypack.query.times import dated_names
from daypack.rank.membership import distinct, is_in
from daypack.rank.views import ChunkFlag, PostingsOf, TermPostings, together
from daypack.shapes.wording import THEN
from daypack.text import analysis
from daypack.types import Days
from daypack.types.arrays import Ints

MOST_READ = 4_000  # chunks whose names are read; of more the newest
MOST_SAYING = 200  # chunks that mention one day; of more the newest
MOST_SEARCHED = 2_000  # chunks whose texts are read for these, because they have the numbers of the day; of more the newest
MOST_FRONTS = 400  # files whose front matter is read; of more the newest
MOST_YEARS = 20
A_FEW_DAYS = 14  # whose numbers a name must have, beside the month
_ALL_YEARS = ("1900", "2100")  # that a name may have: the first, and the one after the last


class DaysFound(NamedTuple):
    """The chunks about days that a question names."""

    values: dict[int, float]  # position → 0 to 1
    saying: tuple[int, ...] = ()  # rising positions of those whose text mentions the one day asked for


NO_DAYS = DaysFound({})


def days_found(scope: Scope, asked: Days) -> DaysFound:
    """The chunks about the days; for one day, those whose texts mention it too."""
    view = scope.view
    prose = scope._replace(mask=scope.mask & ~view.code & ((view.flags & ChunkFlag.EVENT) == 0))
    dated = _records_dated(prose, asked)
    positions = distinct(np.concatenate([_named(prose, asked), view.inside(prose.mask, [*dated])]))
    positions = positions[-MOST_READ:]
    mentions = _mentions(prose, asked) if asked.length == 1 else {}
    saying = np.asarray(sorted(mentions), dtype=np.int64)
    at = scope.positions_by_id(distinct(np.concatenate([positions, saying])))
    values, mentioned = dict[int, float](), list[int]()
    for chunk in facts.chunk_names(scope.db, [*at]):
        # the uri of a value of another time ends with the days on which it began and ended
        names = THEN.sub("", chunk.uri), chunk.title, chunk.headings
        value = dated_names.value_of(asked, *names, dated.get(chunk.record_id, ""))
        of_mentions = dated_names.value_of_mentions(asked, mentions.get(at[chunk.chunk_id], ()), *names)
        if of_mentions:
            mentioned.append(at[chunk.chunk_id])
        if of_mentions and not dated_names.has_day(*names):  # a diary tells of its own day first
            value = max(value, of_mentions)
        if value:
            values[at[chunk.chunk_id]] = value
    return DaysFound(values, tuple(sorted(mentioned)))


def with_days_said(postings_of: PostingsOf, words: Iterable[str], saying: Sequence[int]) -> PostingsOf:
    """The postings of terms. Texts that say the day asked for have the words of the question for it, however they write it:
    "2026-11-30" is "30 November".
    """
    terms = frozenset(analysis.terms(" ".join(sorted(words))))
    if not (saying and terms):
        return postings_of

    @cache
    def found(term: str) -> TermPostings:
        postings = postings_of(term)
        if term not in terms:
            return postings
        without = np.asarray(saying, dtype=np.int64)
        without = without[~is_in(without, postings.positions)]
        tf = np.zeros((len(without), 4), dtype=np.uint8)
        tf[:, 0] = 1
        return together([postings, TermPostings(without, tf)]) if len(without) else postings

    return found


def _mentions(scope: Scope, asked: Days) -> dict[int, list[dated_names.NamedDay]]:
    """Position → mentions of the one day asked for. Many texts have its numbers by chance, as those that begin with the time of
    a change, so texts are read until enough mention it.
    """
    found = dict[int, list[dated_names.NamedDay]]()
    candidates = _saying(scope, asked)[-MOST_SEARCHED:][::-1]
    for first in range(0, len(candidates), MOST_SAYING):
        positions = candidates[first : first + MOST_SAYING]
        for position, text in zip(positions.tolist(), scope.texts_at(positions), strict=True):
            if mentions := dated_names.mentions_of(asked.first, text):
                found[position] = mentions
        if len(found) >= MOST_SAYING:
            break
    return found


def _saying(scope: Scope, asked: Days) -> Ints:
    """The positions of chunks whose texts may say the one day asked for: its number, and its month as a word, or as a number with a
    year. Of a day without a year, a month in a number counts in the years nearest to it.
    """
    months, numbers = dated_names.terms_of_months(asked)
    near = (asked.first.year - 1, asked.first.year, asked.first.year + 1)
    years = [str(year) for year in near] if asked.any_year else _years(asked)
    in_numbers = _both(scope.having(numbers, BODY), scope.having(years, BODY))
    days = _days(asked) | {f"{asked.first.day}{ending}" for ending in ("st", "nd", "rd", "th")}
    return _both(distinct(np.concatenate([scope.having(months, BODY), in_numbers])), scope.having(days, BODY))


def _named(scope: Scope, asked: Days) -> Ints:
    """The positions of chunks whose names may have one of the days."""
    months, numbers = dated_names.terms_of_months(asked)
    in_number = _both(scope.having(numbers, NAMES), scope.having(_years(asked), NAMES))
    if asked.any_year:
        in_number = scope.having(numbers, NAMES)
    found = distinct(np.concatenate([scope.having(months, NAMES), in_number]))
    if days := _days(asked):
        found = _both(found, scope.having(days, NAMES))
    else:  # the months of a long stretch are those of nearly all years
        years = [
            term for term in terms_between(scope.db, scope.view, *_ALL_YEARS) if re.fullmatch(r"\d{4}", term)
        ]
        elsewhere = scope.having({*years} - {*_years(asked)}, NAMES)
        elsewhere = elsewhere[~is_in(elsewhere, scope.having(_years(asked), NAMES))]
        found = found[~is_in(found, elsewhere)]
    # 20260123, 202601231415
    first, end = (f"{day:%Y%m%d}" for day in (asked.first, asked.last + timedelta(days=1)))
    in_one = terms_between(scope.db, scope.view, first, end)
    return distinct(np.concatenate([found, scope.having(in_one, NAMES)]))


def _records_dated(scope: Scope, asked: Days) -> dict[int, str]:
    """Record id → the date in its front matter, of records whose first chunk may have one of the days."""
    months, numbers = dated_names.terms_of_months(asked)
    found = _both(scope.having(months | numbers, BODY), scope.having(_years(asked), BODY))
    if days := _days(asked):
        found = _both(found, scope.having(days, BODY))
    before, _ = scope.view.neighbours(found)
    records = distinct(scope.view.record_ids[found[before == found]])[-MOST_FRONTS:].tolist()
    beginnings = facts.beginnings(scope.db, records, dated_names.LONGEST_FRONT)
    dates = {record_id: dated_names.date_of_front_matter(text) for record_id, text in beginnings.items()}
    return {
        record_id: date for record_id, date in dates.items() if dated_names.value_of(asked, "", "", (), date)
    }


def _both(first: Ints, second: Ints) -> Ints:
    return first[is_in(first, second)]


def _years(asked: Days) -> list[str]:
    return [str(year) for year in range(asked.first.year, asked.last.year + 1)][-MOST_YEARS:]


def _days(asked: Days) -> set[str]:
    """Index terms for the numbers of the days; none for many days, which most numbers may be."""
    if asked.length > A_FEW_DAYS:
        return set()
    numbers = {(asked.first + timedelta(days=step)).day for step in range(asked.length)}
    return {form for number in numbers for form in (str(number), f"{number:02}")}
