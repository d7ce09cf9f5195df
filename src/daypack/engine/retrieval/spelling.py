"""Spelling: the index terms that the words of a query stand for, and the words that the store does not know.

A typo stands for the nearest word of the store; in a language other than English a word stands for all terms of its stem.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.index.lexical import postings, terms_between
from daypack.rank.fuzzy import Vocabulary, repairs
from daypack.rank.leading import EQUAL, leading
from daypack.rank.membership import is_in
from daypack.rank.top_k import best_positions
from daypack.rank.views import LexicalView, PostingsOf, TermPostings, together
from daypack.text import analysis, languages
from daypack.types import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.engine.retrieval.snapshots import Snapshot
    from daypack.ports import Connection

CORRECTED_WEIGHT = 0.8  # of a typo's repair, against the word as written
ASKED_FOR_LANGUAGE = 3  # texts
# of "how many": the word asks for a number, and its absence says nothing of the store
_HOW_MUCH = re.compile(
    r"\bhow (many|much|often|long|far|fast|soon|late|old|big|large|high|tall|deep|wide|heavy)\b"
)
_TO_COME = re.compile(r"\bgoing(?= to\b)")
# "What decides whether …?", "What keeps a browser …?": the verb asks for a cause, and a text says "if"
_CAUSES = re.compile(
    r"\bwhat ([a-z]+s) (?=(?:an?|each|every|if|its?|my|our|that|the|this|when|whether|which|your)\b)"
)
_INDEFINITE = frozenset(
    f"{who}{one}" for who in ("any", "every", "no", "some") for one in ("body", "one", "thing")
)
# of memory, or a hash: its letters are digits
_ADDRESS = r"(?i)(?=.*\d)(?:0x)?[0-9a-f]{6,}"
_INFLECTIONS = (
    ("ies", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
# but a year, which no text groups
_LONG_NUMBER = r"(?!(?:19|20)\d\d\Z)[1-9]\d{3,11}"
_GROUP, _BETWEEN_GROUPS = 3, "[.,'’ \u00a0\u2009\u202f]"
SHORTEST_BASE = 3  # characters, without the letter that a form has lost
MOST_READ = 400  # chunks of one term whose texts are read for the word as written
FEW_READ = 8  # … and for a word that has it


TextsOf = Callable[[Sequence[int]], Mapping[int, str]]
"""Chunk ids → the texts of those that are there."""


class Spelling(NamedTuple):
    """The index terms of a query with their weights, and the postings of each."""

    terms: Mapping[str, float]
    postings_of: PostingsOf
    corrections: dict[str, str]
    in_words: dict[str, str]  # the corrections, each as a word of the query and a word of the store
    unknown: tuple[str, ...]  # words as the query writes them, of which no text in scope has a part
    nowhere: bool = False  # no text that the viewer sees has a part of them either


def language_found(
    db: Connection, snapshot: Snapshot, query: Query, mask: NDArray[np.bool_], texts_of: TextsOf
) -> languages.Language | None:
    """The language of the texts inside the mask that hold most of a question's words, when these texts agree.

    For a question that is too short to show its language, as "Wer schrieb Faust?"; None for any other.
    """
    if query.language or languages.is_english(query.title or query.text):
        return None
    lexical = snapshot.bm25.matched(query.terms, partial(postings, db, snapshot.view))
    lead = leading(snapshot.bm25, lexical, mask, EQUAL, depth=ASKED_FOR_LANGUAGE, enough=0)
    best = lead.positions[best_positions(lead.unit, ASKED_FOR_LANGUAGE)]
    texts = texts_of(snapshot.view.chunk_ids[best].tolist())
    spoken = {languages.language_of(text) for text in texts.values()}
    return spoken.pop() if len(spoken) == 1 else None


def spelling_of(
    db: Connection,
    view: LexicalView,
    query: Query,
    mask: NDArray[np.bool_],
    vocabulary: Callable[[], Vocabulary],
    texts_of: TextsOf,
    is_word: Callable[[str], bool],
) -> Spelling:
    """The spelling of a query inside the mask. `is_word` knows common words, which are never taken for typos: a question
    about a "drone" is not answered with "done".

    Words that are only outside the mask repair no typo: hidden text must not reveal itself.
    """
    written_of = _with_grouped(view, _postings_of(db, view, query, texts_of), texts_of)
    respelt: dict[str, str] = {}  # filled below

    def postings_of(term: str) -> TermPostings:
        return written_of(respelt.get(term, term))

    def occurs(term: str) -> bool:
        positions = postings_of(term).positions
        # A common term shows at once.
        return any(bool(mask.take(positions[:some]).any()) for some in (64, 1 << 13, None))

    def frequency(term: str) -> int:
        return int(mask.take(postings_of(term).positions).sum())

    unknown = [term for term in query.terms if not occurs(term)]
    if not unknown:
        return Spelling(query.terms, postings_of, {}, {}, ())
    words = {word: analysis.expand(word) for word in analysis.words(query.text)}
    respelt.update(
        (own[0], other)
        for word, own in words.items()
        if own and own[0] in unknown and (other := _with_other_capitals(word, own)) and occurs(other)
    )
    unknown = [term for term in unknown if term not in respelt]
    common = {term for word, terms in words.items() for term in _common_terms(word, terms, is_word)}
    of_times = set(analysis.terms(" ".join(query.time_words)))
    misspelt = [term for term in unknown if term not in common and term not in of_times]
    if query.is_incomplete:  # a word of an earlier turn needs no repair
        own = {term for terms in words.values() for term in terms}
        misspelt = [term for term in misspelt if term in own]
    corrections = repairs(misspelt, query.terms, vocabulary, frequency, listed=not query.language)
    # a time is read from the question, whether or not a text writes it
    unwritten = of_times.intersection(unknown)
    told = {term: weight for term, weight in query.terms.items() if term not in unwritten} or query.terms
    terms = {
        respelt.get(term, corrections.get(term, term)): weight
        * (CORRECTED_WEIGHT if term in corrections else 1.0)
        for term, weight in told.items()
    }
    missing = frozenset(unknown) - corrections.keys()
    low = query.text.lower()
    unasked = {*_HOW_MUCH.findall(low), *_TO_COME.findall(low), *_CAUSES.findall(low)}
    unasked |= query.time_words.union(_INDEFINITE, analysis.words(query.beside.lower()))
    strange = [
        word
        for word, terms in words.items()
        if word.isalpha()
        and word.lower() not in unasked
        and (
            missing.issuperset(terms)
            or _is_strange_name(view, word, terms, mask, missing, postings_of, texts_of)
        )
    ]
    missed = {term for word in strange for term in words[word] if term in missing}
    nowhere = not any(view.alive.take(postings_of(term).positions).any() for term in missed)
    in_words = corrections_in_words(corrections, words, view, mask, postings_of, texts_of)
    return Spelling(terms, postings_of, corrections, in_words, tuple(strange), nowhere)


def corrections_in_words(
    corrections: Mapping[str, str],
    asked: Iterable[str],
    view: LexicalView,
    mask: NDArray[np.bool_],
    postings_of: PostingsOf,
    texts_of: TextsOf,
) -> dict[str, str]:
    """The corrections of index terms as people write them: a word that is `asked` → a word of a text in the mask."""

    def stored(term: str) -> str:
        positions = postings_of(term).positions
        ids = view.chunk_ids[positions[mask[positions]][:FEW_READ]].tolist()
        return _word_of(
            term, (word for text in texts_of(ids).values() for word in analysis.words(text))
        ).lower()

    return {_word_of(wrong, asked): stored(right) for wrong, right in corrections.items()}


def _word_of(term: str, words: Iterable[str]) -> str:
    """The first of the words, or of their parts, that has an index term; the term itself where none has it."""
    parts = (part for word in words for part in (word, *analysis.parts(word)))
    return next((part for part in parts if analysis.expand(part)[:1] == (term,)), term)


def _with_other_capitals(word: str, terms: Sequence[str]) -> str:
    """The index term of a name of several words where a text writes it as one ("OneNote", "Onenote"), or the other way round; ""
    where both are one term.
    """
    if not (word.isascii() and word.isalpha()):
        return ""
    other = analysis.expand(terms[0])[0] if len(terms) > 1 else word.lower()
    return "" if other == terms[0] else other


def _is_strange_name(
    view: LexicalView,
    word: str,
    terms: Sequence[str],
    mask: NDArray[np.bool_],
    missing: AbstractSet[str],
    postings_of: PostingsOf,
    texts_of: TextsOf,
) -> bool:
    """True for a name such as `CloudFlare` that no text in the mask has, also where texts have a part of it: they write its parts
    apart ("shopping cart" for `ShoppingCart`), or are about something else ("cloud").
    """
    whole, *parts = terms
    if not (parts and word.isascii() and whole in missing):
        return False
    if not missing.isdisjoint(parts):
        return True
    where = reduce(
        lambda first, second: first[is_in(first, second)], (postings_of(part).positions for part in parts)
    )
    texts = texts_of(view.chunk_ids[where[mask[where]][:MOST_READ]].tolist())
    apart = re.compile(r"[\W_]{1,3}".join(map(re.escape, analysis.parts(word))), re.IGNORECASE)
    return not any(map(apart.search, texts.values()))


def _common_terms(word: str, terms: Sequence[str], is_word: Callable[[str], bool]) -> Sequence[str]:
    """The terms of a word that are spelt right: of a common word in any of its forms ("drones", "subscribed"), of the
    common words in a name (`DroneShell`), and of addresses.
    """
    if re.fullmatch(_ADDRESS, word) or any(map(is_word, _forms(word.lower()))):
        return terms
    return [term for part in analysis.parts(word) if is_word(part) for term in analysis.expand(part)]


def _forms(word: str) -> Iterator[str]:
    """A word, and the words that it may be a regular form of."""
    yield word
    for ending, base in _INFLECTIONS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_BASE:
            yield word[: -len(ending)] + base


def _postings_of(db: Connection, view: LexicalView, query: Query, texts_of: TextsOf) -> PostingsOf:
    """The postings of a term. In a language other than English they include those of every term with the same stem, or,
    where its marks matter, those of the word as the query writes it.
    """
    postings_of = partial(postings, db, view)
    if not query.language:
        return postings_of
    language = languages.Language(query.language)
    if written := languages.words_as_written(language, query.text):
        return cache(lambda term: _as_written(view, postings_of(term), written.get(term, ""), texts_of))
    folded = analysis.folded_words(query.text)
    families = _families(db, view, language, {term: folded.get(term, term) for term in query.terms})
    return cache(lambda term: together([postings_of(each) for each in families.get(term) or [term]]))


def _with_grouped(view: LexicalView, postings_of: PostingsOf, texts_of: TextsOf) -> PostingsOf:
    """The postings of a term; those of a long number include the texts that group its digits, as 84,300 and 84 300 do."""

    @cache
    def of_number(number: str) -> TermPostings:
        own = postings_of(number)
        first = len(number) % _GROUP or _GROUP
        groups = [number[:first], *(number[at : at + _GROUP] for at in range(first, len(number), _GROUP))]
        each = [postings_of(group) for group in groups]
        where = reduce(lambda left, right: left[is_in(left, right)], (one.positions for one in each))
        if not 0 < len(where) <= MOST_READ:
            return own
        ids = view.chunk_ids[where].tolist()
        texts = texts_of(ids)
        grouped = _BETWEEN_GROUPS.join(groups)
        holds = re.compile(rf"(?<!\d)(?<!\d[.,]){grouped}(?!\d|{_BETWEEN_GROUPS}\d{{3}}(?!\d))")
        holding = np.asarray([holds.search(texts.get(i, "")) is not None for i in ids])
        rows, _ = each[0].rows_at(where[holding])
        return together([own, TermPostings(where[holding], each[0].tf[rows])])

    return lambda term: of_number(term) if re.fullmatch(_LONG_NUMBER, term) else postings_of(term)


def _as_written(view: LexicalView, postings: TermPostings, word: str, texts_of: TextsOf) -> TermPostings:
    """The postings of a rare term in texts that hold a word letter for letter, with its marks; all postings when none does."""
    if not word or not 0 < len(postings.positions) <= MOST_READ:
        return postings
    ids = view.chunk_ids[postings.positions].tolist()
    texts = texts_of(ids)
    holds = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    counts = [len(holds.findall(unicodedata.normalize("NFC", texts.get(i, "")).lower())) for i in ids]
    holders = np.flatnonzero(counts)
    if not len(holders):
        return postings
    tf = postings.tf[holders]
    tf[:, 0] = np.minimum(np.asarray(counts)[holders], 255)
    return TermPostings(postings.positions[holders], tf)


def _families(
    db: Connection, view: LexicalView, language: languages.Language, words: Mapping[str, str]
) -> dict[str, list[str]]:
    """Index term → the terms of a view that share its stem, or the stem of its word.

    The index has cut off English endings, so each term is also tried with those that it may have lost, of which `e` is the most
    frequent.
    """

    @cache
    def by_stem(bounds: tuple[str, str]) -> dict[str, list[str]]:
        terms_of: dict[str, list[str]] = {}
        near = terms_between(db, view, *bounds)
        whole = [
            (term, word) for term in near for word in (term, f"{term}e", *languages.restored(language, term))
        ]
        for (term, _), stem in zip(
            whole, languages.stems(language, [word for _, word in whole]), strict=True
        ):
            terms_of.setdefault(stem, []).append(term)
        return terms_of

    return {
        term: [
            *dict.fromkeys(
                near
                for stem in languages.stems(language, [term, word, *languages.restored(language, word)])
                for near in by_stem(bounds).get(stem, ())
            )
        ]
        for term, word in words.items()
        if (bounds := languages.relatives_between(language, term)) is not None
    }
