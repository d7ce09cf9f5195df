"""Spelling: the index terms that the words of a query stand for, and the words that the store does not know.

A typo stands for the nearest word of the store; in a language other than English a word stands for all terms of its stem, and an
unknown compound of German for its parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from typing import NamedTuple, TypeAlias

import numpy as np

from daypack.engine.retrieval.scope import Scope
from daypack.index.postings.lexical import terms_between
from daypack.rank.fuzzy import Vocabulary, repairs
from daypack.rank.leading import EQUAL, leading
from daypack.rank.membership import is_in
from daypack.rank.top_k import best_positions
from daypack.rank.views import PostingsOf, TermPostings, together
from daypack.text import analysis, languages
from daypack.types import Query
from daypack.types.arrays import Ints

Words: TypeAlias = Mapping[str, Sequence[str]]
"""The words of a query as it writes them → their index terms."""

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
PART_WEIGHT = 0.8  # of a part of a compound, against the word as written. guess
SHORTEST_PART, LONGEST_COMPOUND = 4, 40  # characters
# between two parts, as in Urlaubstag and Straßenname
_LINKS = ("s", "n", "es", "en", "er")
SHORTEST_BASE = 3  # characters, without the letter that a form has lost
MOST_READ = 400  # chunks of one term whose texts are read for the word as written
FEW_READ = 8  # … and for a word that has it


class Spelling(NamedTuple):
    """The index terms of a query with their weights, and its scope, which finds these terms as the store spells them."""

    terms: Mapping[str, float]
    scope: Scope
    corrections: dict[str, str]
    in_words: dict[str, str]  # the corrections, each as a word of the query and a word of the store
    unknown: tuple[str, ...]  # words as the query writes them, of which no text in scope has a part
    nowhere: bool = False  # no text that the viewer sees has a part of them either


class _Respelling:
    """The scope of a query, in which a term that no text has also stands for another spelling of its name."""

    def __init__(self, scope: Scope, query: Query) -> None:
        written_of = _with_grouped(scope, _in_language_of(scope, query))
        respelt: dict[str, str] = {}  # such a term → the term that texts have
        self.respelt = respelt
        self.scope = scope._replace(postings_of=lambda term: written_of(respelt.get(term, term)))

    def respell(self, words: Words, unknown: Sequence[str]) -> list[str]:
        """Respell the unknown terms of names that texts write with other capitals; returns the other unknown terms."""
        for word, own in words.items():
            if (
                own
                and own[0] in unknown
                and (other := _with_other_capitals(word, own))
                and self.occurs(other)
            ):
                self.respelt[own[0]] = other
        return [term for term in unknown if term not in self.respelt]

    def occurs(self, term: str) -> bool:
        """True when a text inside the mask has the term."""
        positions = self.scope.postings_of(term).positions
        # A common term shows at once.
        return any(bool(self.scope.mask.take(positions[:some]).any()) for some in (64, 1 << 13, None))

    def frequency(self, term: str) -> int:
        """The number of texts inside the mask that have the term."""
        return int(self.scope.mask.take(self.scope.postings_of(term).positions).sum())


def language_found(scope: Scope, query: Query) -> languages.Language | None:
    """The language of the texts inside the mask that hold most of a question's words, when these texts agree.

    For a question that is too short to show its language, as "Wer schrieb Faust?"; None for any other.
    """
    if query.language or languages.is_english(query.title or query.text):
        return None
    bm25 = scope.snapshot.bm25
    lexical = bm25.matched(query.terms, scope.postings_of)
    lead = leading(bm25, lexical, scope.mask, EQUAL, depth=ASKED_FOR_LANGUAGE, enough=0)
    best = best_positions(lead.unit, lead.positions, ASKED_FOR_LANGUAGE, scope.view.numbers_of)
    spoken = {languages.language_of(text) for text in scope.texts_at(best)}
    return spoken.pop() if len(spoken) == 1 else None


def spelling_of(
    scope: Scope, query: Query, vocabulary: Callable[[], Vocabulary], is_word: Callable[[str], bool]
) -> Spelling:
    """The spelling of a query. `is_word` knows common words, which are never taken for typos: a question about a "drone" is
    not answered with "done".

    Words that are only outside the mask repair no typo: hidden text must not reveal itself.
    """
    written = scope
    respelling = _Respelling(scope, query)
    scope = respelling.scope
    unknown = [term for term in query.terms if not respelling.occurs(term)]
    if not unknown:
        return Spelling(query.terms, scope, {}, {}, ())
    words = {word: analysis.expand(word) for word in analysis.words(query.text)}
    if parts := _parts_of_compounds(respelling, query, unknown):
        split = _with_parts(query, parts)
        found = spelling_of(written, split, vocabulary, is_word)
        in_words = dict(_in_parts(_word_of(term, words), both) for term, both in parts.items())
        # the store still has no text with the word itself, which may mean something else
        return found._replace(in_words={**in_words, **found.in_words}, unknown=(*in_words, *found.unknown))
    unknown = respelling.respell(words, unknown)
    of_times = set(analysis.terms(" ".join(query.time_words)))
    misspelt = [term for term in _misspelt(query, words, unknown, is_word) if term not in of_times]
    corrections = repairs(misspelt, query.terms, vocabulary, respelling.frequency, listed=not query.language)
    # a time is read from the question, whether or not a text writes it
    unwritten = of_times.intersection(unknown)
    told = {term: weight for term, weight in query.terms.items() if term not in unwritten} or query.terms
    terms = {
        respelling.respelt.get(term, corrections.get(term, term)): weight
        * (CORRECTED_WEIGHT if term in corrections else 1.0)
        for term, weight in told.items()
    }
    missing = frozenset(unknown) - corrections.keys()
    strange = _strange_words(scope, query, words, missing)
    missed = {term for word in strange for term in words[word] if term in missing}
    nowhere = not any(scope.view.alive.take(scope.postings_of(term).positions).any() for term in missed)
    in_words = corrections_in_words(scope, corrections, words)
    return Spelling(terms, scope, corrections, in_words, strange, nowhere)


def _parts_of_compounds(
    respelling: _Respelling, query: Query, unknown: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Unknown term of a German question → two words of the store that it is made of: "Tiertötung" is Tier and Tötung."""
    if query.language != languages.Language.GERMAN:
        return {}
    written = analysis.folded_words(query.text)  # an index term may have lost an end
    long = [
        term for term in unknown if written.get(term, "").isalpha() and len(written[term]) <= LONGEST_COMPOUND
    ]
    splits = {term: [*_splits(written[term])] for term in long}
    candidates = {part: _term(part) for pairs in splits.values() for pair in pairs for part in pair}
    families = _families(respelling.scope, languages.Language.GERMAN, candidates)
    known = {
        part for part, term in candidates.items() if any(map(respelling.occurs, families.get(part) or [term]))
    }
    found: dict[str, tuple[str, str]] = {}
    for term, pairs in splits.items():
        both = [pair for pair in pairs if known.issuperset(pair)]
        if both:
            found[term] = max(both, key=partial(_evenness, written[term]))
    return found


def _term(word: str) -> str:
    return analysis.expand(word)[0]


def _evenness(word: str, parts: tuple[str, str]) -> tuple[int, int]:
    """The length of the shorter part of a compound; of two splits at one place the one without a link is better."""
    head, tail = parts
    return min(len(tail), len(word) - len(tail)), -len(head)


def _in_parts(word: str, parts: tuple[str, str]) -> tuple[str, str]:
    """(a compound, its parts), as the question writes them."""
    at = -len(parts[1])
    return word, f"{word[:at]} {word[at:]}".lower()


def _splits(word: str) -> Iterator[tuple[str, str]]:
    """The pairs of parts that a compound may be made of."""
    for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
        head, tail = word[:at], word[at:]
        yield head, tail
        for link in _LINKS:
            if head.endswith(link) and at - len(link) >= SHORTEST_PART:
                yield head.removesuffix(link), tail


def _with_parts(query: Query, parts: Mapping[str, Sequence[str]]) -> Query:
    """The query with the parts of compounds in place of these."""
    terms = {term: weight for term, weight in query.terms.items() if term not in parts}
    for term, both in parts.items():
        for part in both:
            terms.setdefault(_term(part), query.terms[term] * PART_WEIGHT)
    return query._replace(terms=terms)


def _misspelt(
    query: Query, words: Words, unknown: Sequence[str], is_word: Callable[[str], bool]
) -> list[str]:
    """The unknown terms that may be typos: not of common words, nor of an earlier turn, whose words need no repair."""
    common = {term for word, terms in words.items() for term in _common_terms(word, terms, is_word)}
    own = {term for terms in words.values() for term in terms}
    return [term for term in unknown if term not in common and (term in own or not query.is_incomplete)]


def _strange_words(scope: Scope, query: Query, words: Words, missing: frozenset[str]) -> tuple[str, ...]:
    """The words of a query that no text in scope has a part of, or has as a name. Words that ask, as "how many", and those of
    a time do not count.
    """
    low = query.text.lower()
    unasked = {*_HOW_MUCH.findall(low), *_TO_COME.findall(low), *_CAUSES.findall(low)}
    unasked |= query.time_words.union(_INDEFINITE, analysis.words(query.beside.lower()))
    return tuple(
        word
        for word, terms in words.items()
        if word.isalpha()
        and word.lower() not in unasked
        and (missing.issuperset(terms) or _is_strange_name(scope, word, terms, missing))
    )


def corrections_in_words(
    scope: Scope, corrections: Mapping[str, str], asked: Iterable[str]
) -> dict[str, str]:
    """The corrections of index terms as people write them: a word that is `asked` → a word of a text in the mask."""

    def stored(term: str) -> str:
        positions = scope.postings_of(term).positions
        texts = scope.texts_at(positions[scope.mask[positions]][:FEW_READ])
        return _word_of(term, (word for text in texts for word in analysis.words(text))).lower()

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


def _is_strange_name(scope: Scope, word: str, terms: Sequence[str], missing: frozenset[str]) -> bool:
    """True for a name such as `CloudFlare` that no text in the mask has, also where texts have a part of it: they write its parts
    apart ("shopping cart" for `ShoppingCart`), or are about something else ("cloud").
    """
    whole, *parts = terms
    if not (parts and word.isascii() and whole in missing):
        return False
    if not missing.isdisjoint(parts):
        return True
    where = _in_all([scope.postings_of(part) for part in parts])
    texts = scope.texts_at(where[scope.mask[where]][:MOST_READ])
    apart = re.compile(r"[\W_]{1,3}".join(map(re.escape, analysis.parts(word))), re.IGNORECASE)
    return not any(map(apart.search, texts))


def _in_all(found: Sequence[TermPostings]) -> Ints:
    """The positions that are in the postings of each term."""
    return reduce(lambda first, second: first[is_in(first, second)], (one.positions for one in found))


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


def _in_language_of(scope: Scope, query: Query) -> PostingsOf:
    """The postings of a term. In a language other than English they include those of every term with the same stem, or,
    where its marks matter, those of the word as the query writes it.
    """
    postings_of = scope.postings_of
    if not query.language:
        return postings_of
    language = languages.Language(query.language)
    if written := languages.words_as_written(language, query.text):
        return cache(lambda term: _as_written(scope, term, written.get(term, "")))
    folded = analysis.folded_words(query.text)
    families = _families(scope, language, {term: folded.get(term, term) for term in query.terms})
    return cache(lambda term: together([postings_of(each) for each in families.get(term) or [term]]))


def _with_grouped(scope: Scope, postings_of: PostingsOf) -> PostingsOf:
    """The postings of a term; those of a long number include the texts that group its digits, as 84,300 and 84 300 do."""

    @cache
    def of_number(number: str) -> TermPostings:
        own = postings_of(number)
        first = len(number) % _GROUP or _GROUP
        groups = [number[:first], *(number[at : at + _GROUP] for at in range(first, len(number), _GROUP))]
        each = [postings_of(group) for group in groups]
        where = _in_all(each)
        if not 0 < len(where) <= MOST_READ:
            return own
        grouped = _BETWEEN_GROUPS.join(groups)
        holds = re.compile(rf"(?<!\d)(?<!\d[.,]){grouped}(?!\d|{_BETWEEN_GROUPS}\d{{3}}(?!\d))")
        holding = np.asarray([holds.search(text) is not None for text in scope.texts_at(where)])
        rows, _ = each[0].rows_at(where[holding])
        return together([own, TermPostings(where[holding], each[0].tf[rows])])

    return lambda term: of_number(term) if re.fullmatch(_LONG_NUMBER, term) else postings_of(term)


def _as_written(scope: Scope, term: str, word: str) -> TermPostings:
    """The postings of a rare term in texts that hold a word letter for letter, with its marks; all postings when none does."""
    postings = scope.postings_of(term)
    if not word or not 0 < len(postings.positions) <= MOST_READ:
        return postings
    texts = scope.texts_at(postings.positions)
    holds = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    counts = [len(holds.findall(unicodedata.normalize("NFC", text).lower())) for text in texts]
    holders = np.flatnonzero(counts)
    if not len(holders):
        return postings
    tf = postings.tf[holders]
    tf[:, 0] = np.minimum(np.asarray(counts)[holders], 255)
    return TermPostings(postings.positions[holders], tf)


def _families(scope: Scope, language: languages.Language, words: Mapping[str, str]) -> dict[str, list[str]]:
    """Index term → the terms of a view that share its stem, or the stem of its word.

    The index has cut off English endings, so each term is also tried with those that it may have lost, of which `e` is the most
    frequent.
    """

    @cache
    def by_stem(bounds: tuple[str, str]) -> dict[str, list[str]]:
        terms_of: dict[str, list[str]] = {}
        near = terms_between(scope.db, scope.view, *bounds)
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
