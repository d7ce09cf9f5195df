"""The chance that a ranked pool answers its query at all: empty, weak or neither.

    empty    no text is near, and no chunk holds a good part of the words, a name that the question spells, a message that it
             repeats, or the changes of a release that it asks for
    weak     the nearest text is far, the farther the more of the words one chunk has: nearest < .47 − .25 coverage; for a query
             with a word that no text in scope has, and of whose words no chunk has .4, nearest < .42

The score of the best candidate does not tell, because scores are relative to the pool.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from daypack.rank.blend import Pool
from daypack.rank.order import brevity, is_task
from daypack.text import analysis
from daypack.text.qualified_names import telling_parts
from daypack.types import EmptyReason, Query, QueryKind

# Bounds of an empty and of a weak answer, on the scale of the best chunk's cosine (of the default model) and of
# the share of the query's idf mass that one chunk holds (docs/decisions/016-chance-of-an-answer.md).
FAR_COSINE = 0.27
FAR_COVERAGE = 0.45
FAR_COVERAGE_LEXICAL = 0.14
# For a question in a language that the model does not read, which words alone answer: a Chinese question has its topic in
# a sixth of its terms, and each of its characters is in some text.
FAR_COVERAGE_FOREIGN, WEAK_COVERAGE_FOREIGN = 0.10, 0.28
WEAK_COSINE, COVERAGE_COUNTS = 0.47, 0.25
# For a word that no text in scope has: the answer may use other words, which then must be near.
UNKNOWN_COSINE, UNKNOWN_COVERAGE = 0.42, 0.4
UNKNOWN_COVERAGE_LEXICAL = 0.35
# Words that are missing tell less the fewer texts there are, so the bounds rise to their values with the size of the store (of the
# scope, when texts outside have the words). In the smallest store: the bound for an unknown word, and the coverage from which a
# text is never far.
SMALL_COSINE = 0.30
COVERED = 0.6
SAYS_MUCH = 400  # chunks, from which the bound for an unknown word rises no more
SAYS_ALL = 3000  # … and the other one: few texts say little in other words
# A name in an English question: a word with a capital inside a sentence or at its end behind a colon, and a word with a letter that
# English lacks.
_NAME = re.compile(
    r"(?<=[^\W\d_A-Z][ ,;])[^\W\d_a-z][^\W\d_]{3,}|(?<=: )[^\W\d_a-z][^\W\d_]{3,}(?=\W*\Z)"
    r"|(?<![^\W\d_])(?=[A-Za-z]*[^\W\d_A-Za-z])[^\W\d_]{4,}"
)
REPEATED = 2.0  # the value of a text that certainly repeats a part of the query, whatever the rest of it says


class Chance(NamedTuple):
    """The chance that the best of a pool are wanted."""

    empty: (
        EmptyReason | None
    )  # the reason why the answer would be noise; None when something is worth showing
    weak: bool  # there is little chance that it is wanted
    by_name: bool = False  # nothing but a name speaks for it


def chance_of(pool: Pool, query: Query, *, calibrated: bool) -> Chance:
    """The chance that a pool answers its query.

    `calibrated` says that the dense features are cosines of the model that FAR_COSINE was measured with;
    another model has its own scale of cosines, and words alone decide.
    """
    task = is_task(query, pool)
    # a file that is named by its path, not by a word that happens to be its name, a definition that the question asks for
    # by its name, or a message that a text repeats
    pointed = bool(query.paths) and bool(pool.features.path.any())
    pointed = pointed or (bool(query.called) and bool(pool.features.symbol.any()))
    pointed = pointed or bool((pool.features.exact >= REPEATED).any())
    pointed = pointed or (pool.of_days and query.days is not None and query.days.alone)
    # the vector of "And why?" tells nothing
    nearest = None if query.is_incomplete else _nearest(pool, calibrated=calibrated)
    empty = _why_empty(pool, query, nearest, task=task, pointed=pointed)
    question = query.kind in (QueryKind.NATURAL, QueryKind.TEMPORAL) and not task and not pointed
    if empty is EmptyReason.NOTHING_RELEVANT and question and _names_a_thing(pool, query):
        return Chance(None, weak=True, by_name=True)
    return Chance(empty, empty is None and question and _is_weak(pool, query, nearest))


def _why_empty(
    pool: Pool, query: Query, nearest: float | None, *, task: bool, pointed: bool
) -> EmptyReason | None:
    if not pool.in_scope:
        return EmptyReason.FILTERED_OUT
    if not len(pool.positions):
        return EmptyReason.ANCHOR_NOT_FOUND if pool.anchors_missing else EmptyReason.NOTHING_RELEVANT
    if _lacks_what_is_named(pool, query, nearest):
        return EmptyReason.ANCHOR_NOT_FOUND
    if pointed or pool.of_release or (nearest is not None and nearest >= FAR_COSINE):
        return None
    # half of the query's words in one place: in a small store idf tells no more
    if pool.holds_half:
        return None
    bound = FAR_COVERAGE_LEXICAL if nearest is None or task else FAR_COVERAGE
    if query.language and nearest is None:
        bound = FAR_COVERAGE_FOREIGN
    return EmptyReason.NOTHING_RELEVANT if pool.best_coverage < bound * brevity(query) else None


def _lacks_what_is_named(pool: Pool, query: Query, nearest: float | None) -> bool:
    """True when a query asks of names alone, and no text in scope has one of them. A text near to a name that may be a
    product's, as `PostgreSQL`, may answer under another name; code may not.
    """
    whole = query.text.strip().strip("\"'`“”")
    asked = query.identifiers if query.asks_of_names_alone else ()
    names = (whole,) if _is_lacking(pool, whole) else asked
    if not names or not all(_is_lacking(pool, name) for name in names):
        return False
    if not set(names) <= set(query.maybe_products) or nearest is None or nearest < FAR_COSINE:
        return True
    return bool(pool.features.code[np.nanargmax(pool.features.dense)])


def _is_lacking(pool: Pool, name: str) -> bool:
    """True when no text in scope has a name of the query. A misspelt name is answered by the name that was meant."""
    if name not in pool.anchors_missing:
        return False
    first = {term for part in telling_parts(name) for term in analysis.terms(part)[:1]}
    return first.isdisjoint(term for word in pool.corrections for term in analysis.terms(word)[:1])


def _names_a_thing(pool: Pool, query: Query) -> bool:
    """True when a text in scope has a name that the question spells, other than one of its time. The text may answer in
    other words or another language, and an empty answer would deny that the store knows the name.
    """
    if query.language or not len(pool.positions):
        return False  # German spells every noun with a capital
    known = {*_NAME.findall(query.title or query.text)}.difference(pool.unknown)
    times = {*query.dates, *analysis.terms(" ".join(query.time_words))}
    return any(times.isdisjoint(analysis.terms(name)) for name in known)


def _is_weak(pool: Pool, query: Query, nearest: float | None) -> bool:
    if nearest is None:
        known = WEAK_COVERAGE_FOREIGN if query.language else 0.0
        return pool.best_coverage < (UNKNOWN_COVERAGE_LEXICAL if pool.unknown else known) * brevity(query)
    least = FAR_COSINE if pool.best_coverage < COVERED else 0.0
    bound = _of_size(WEAK_COSINE - COVERAGE_COUNTS * pool.best_coverage, least, pool.lacking / SAYS_ALL)
    if pool.unknown and pool.best_coverage < UNKNOWN_COVERAGE:
        bound = max(bound, _of_size(UNKNOWN_COSINE, SMALL_COSINE, pool.lacking / SAYS_MUCH))
    return nearest < bound


def _of_size(bound: float, least: float, size: float) -> float:
    """The bound in a store of a size, of which 1 is enough for its value; `least` in the smallest store."""
    return min(bound, least + (bound - least) * min(1.0, size))


def _nearest(pool: Pool, *, calibrated: bool) -> float | None:
    """The best cosine of a pool; None without a vector of a model whose cosines are known."""
    known = pool.features.dense[~np.isnan(pool.features.dense)] if calibrated else np.empty(0)
    return float(known.max()) if len(known) else None
