"""The time that a question names, in its own language, with the words that say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from daypack.query.sections import SHORT_QUERY, Sections
from daypack.query.sentences import asked_in
from daypack.query.times import abroad
from daypack.query.times.dates import days_in, named_dates, time_range, time_words
from daypack.query.times.happenings import is_time_alone
from daypack.text import analysis
from daypack.text.languages import Language
from daypack.types import Days

_FROM_NOW = 0.3  # the weight of a word of "six months ago", which in a stored text means another time; a factor. guess


class Times(NamedTuple):
    """The time that a question names: Unix seconds, and its words in the text, of which some count from now."""

    since: float | None = None
    until: float | None = None
    words: frozenset[str] = frozenset()
    from_now: frozenset[str] = frozenset()  # index terms
    dates: tuple[str, ...] = ()  # index terms of months and days
    days: Days | None = None

    @property
    def named(self) -> bool:
        return self.since is not None or self.until is not None

    def weighed(self, terms: Mapping[str, float]) -> Mapping[str, float]:
        """The terms of a question with less weight for those that count from now."""
        return {
            term: weight * (_FROM_NOW if term in self.from_now else 1.0) for term, weight in terms.items()
        }


def times_of(sections: Sections, forms: Iterable[str], language: Language | None, now: datetime) -> Times:
    """The time in a question, of which `forms` are short forms that may name nothing else."""
    dated = sections.words if sections.is_short else asked_in(sections.title, SHORT_QUERY)
    spoken = language or abroad.language_of_date(dated)
    in_english = abroad.times(spoken, dated) if spoken else dated
    since, until = time_range(in_english, now)
    if since is None and until is None:
        return Times()
    days = days_in(in_english, now)
    if days is not None:
        days = days._replace(alone=any(is_time_alone(form, now, spoken) for form in forms))
    words, from_now = time_words(dated, now)
    if spoken:
        translated = sorted({*analysis.words(dated.lower())}.difference(analysis.words(in_english.lower())))
        words += translated
        from_now += translated if time_words(in_english, now)[1] else []
    return Times(
        since,
        until,
        frozenset(words),
        frozenset(analysis.terms(" ".join(from_now))),
        tuple(analysis.terms(" ".join(named_dates(dated)))),
        days,
    )
