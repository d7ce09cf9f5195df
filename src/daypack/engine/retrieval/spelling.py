"""Spelling: the words of a query as the store spells them, and those that it does not know.

A typo becomes the nearest word of the store; in a language other than English a word stands for all terms of its stem.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from daypack.index.lexical import postings, terms_between
from daypack.rank.fuzzy import Vocabulary, repairs
from daypack.rank.views import LexicalView, PostingsOf, TermPostings, together
from daypack.text import analysis, languages
from daypack.types import Query

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

CORRECTED_WEIGHT = 0.8  # of a typo's repair, against the word as written
MOST_READ = 400  # chunks of one term whose texts are read for the word as written


TextsOf = Callable[[Sequence[int]], Mapping[int, str]]
"""Chunk ids → the texts of those that are there."""


class Spelling(NamedTuple):
    """The index terms of a query with their weights, and the postings of each."""

    terms: Mapping[str, float]
    postings_of: PostingsOf
    corrections: dict[str, str]
    unknown: tuple[str, ...]  # words as the query writes them, of which no text in scope has a part


def spelling_of(
    db: apsw.Connection,
    view: LexicalView,
    query: Query,
    mask: NDArray[np.bool_],
    vocabulary: Callable[[], Vocabulary],
    texts_of: TextsOf,
    is_word: Callable[[str], bool],
) -> Spelling:
    """The spelling of a query inside the mask; `is_word` knows common words, which are spelled as they are meant.

    Words of the store outside the mask repair nothing: hidden text must not reveal itself, not even by a
    missing repair. A common word is not taken for a typo: a store without "drone" is not asked for "done".
    """
    postings_of = _postings_of(db, view, query, texts_of)

    def occurs(term: str) -> bool:
        positions = postings_of(term).positions
        return bool(mask[positions[:64]].any() or mask[positions].any())  # a common term shows at once

    unknown = [term for term in query.terms if not occurs(term)]
    if not unknown:
        return Spelling(query.terms, postings_of, {}, ())
    words = {word: analysis.expand(word) for word in analysis.words(query.text)}
    common = {term for word, terms in words.items() if is_word(word.lower()) for term in terms}
    misspelt = [term for term in unknown if term not in common]
    corrections = repairs(misspelt, query.terms, vocabulary, occurs)
    terms = {
        corrections.get(term, term): weight * (CORRECTED_WEIGHT if term in corrections else 1.0)
        for term, weight in query.terms.items()
    }
    missing = frozenset(unknown) - corrections.keys()
    said = (word for word, terms in words.items() if word.isalpha() and missing.issuperset(terms))
    return Spelling(terms, postings_of, corrections, tuple(said))


def _postings_of(db: apsw.Connection, view: LexicalView, query: Query, texts_of: TextsOf) -> PostingsOf:
    """The postings of a term; in a language other than English, those of every term with the stem of a query term, or of
    the word as the query writes it.
    """
    postings_of = partial(postings, db, view)
    if not query.language:
        return postings_of
    language = languages.Language(query.language)
    if written := languages.words_as_written(language, query.text):
        return cache(lambda term: _as_written(view, postings_of(term), written.get(term, ""), texts_of))
    families = {term: _family(db, view, language, term) or [term] for term in query.terms}
    return lambda term: together([postings_of(each) for each in families.get(term, (term,))])


def _as_written(view: LexicalView, found: TermPostings, word: str, texts_of: TextsOf) -> TermPostings:
    """The postings of a rare term in texts that have a word letter for letter, with its marks; all of them where none has."""
    if not word or not 0 < len(found.positions) <= MOST_READ:
        return found
    ids = view.chunk_ids[found.positions].tolist()
    texts = texts_of(ids)
    holds = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    held = [
        holds.search(unicodedata.normalize("NFC", texts.get(chunk_id, "")).lower()) is not None
        for chunk_id in ids
    ]
    return TermPostings(found.positions[held], found.tf[held]) if any(held) else found


def _family(db: apsw.Connection, view: LexicalView, language: languages.Language, term: str) -> list[str]:
    """The terms of a view that share the stem of a term."""
    bounds = languages.relatives_between(language, term)
    if bounds is None:
        return [term]
    near = terms_between(db, view, *bounds)
    (stem,) = languages.stems(language, [term])
    return [other for other, own in zip(near, languages.stems(language, near), strict=True) if own == stem]
