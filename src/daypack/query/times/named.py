"""The time that a question names, in its own language, with the words that say so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from daypack.query.sections import SHORT_QUERY, Sections
from daypack.query.sentences import asked_in
from daypack.query.times import abroad
from daypack.query.times.dates import named_dates, time_range, time_words
from daypack.text import analysis
from daypack.text.languages import Language

_FROM_NOW = 0.3  # the weight of a word of "six months ago", which in a stored text means another time; a factor. guess


class Times(NamedTuple):
    """The time that a question names: Unix seconds, and its words in the text, of which some count from now."""

    since: float | None = None
    until: float | None = None
    words: frozenset[str] = frozenset()
    from_now: frozenset[str] = frozenset()  # index terms
    dates: tuple[str, ...] = ()  # index terms of months and days

    @property
    def named(self) -> bool:
        return self.since is not None or self.until is not None

    def weighed(self, terms: Mapping[str, float]) -> Mapping[str, float]:
        """The terms of a question with less weight for those that count from now."""
        return {
            term: weight * (_FROM_NOW if term in self.from_now else 1.0) for term, weight in terms.items()
        }


def times_of(sections: Sections, language: Language | None, now: datetime) -> Times:
    dated = (
        f"{sections.title}\n{sections.prose}" if sections.is_short else asked_in(sections.title, SHORT_QUERY)
    )
    since, until = time_range(abroad.times(language, dated) if language else dated, now)
    if since is None and until is None:
        return Times()
    words, from_now = time_words(dated, now)
    return Times(
        since,
        until,
        frozenset(words),
        frozenset(analysis.terms(" ".join(from_now))),
        tuple(analysis.terms(" ".join(named_dates(dated)))),
    )
