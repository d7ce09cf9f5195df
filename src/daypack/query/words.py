"""Words: the index terms of a query with their weights, without those that do not distinguish texts: stop words, keywords
of pasted code, the name of the store's only language. A letter of a code, as in A-1, is not a stop word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from daypack.query.sections import LONGEST_DENSE_TEXT, Sections
from daypack.text import analysis, logs

_TITLE, _PROSE, _INLINE, _CODE = 2.0, 1.0, 1.0, 1.0
_MADE = 0.5  # of the words of a name that a request gives to a new thing
_SMALL_NUMBER = 2  # digits
_LOG, _FORMS = 8, 0.5  # lines of a log, and the most forms of its lines as a share of them

_CONTRACTED = r"(?i)(?<=[A-Za-z])(?:n['’]t|['’](?:s|re|ve|ll|d|m))\b"
# "currently" only where it belongs to the verb: code has currently selected tabs
_PRESENTLY = (
    r"(?i)\b(?:right now|these days|at (?:the|this|the present) moment(?! (?:of|that|when|where)\b)|at present|nowadays"
    r"|(?<= I )currently|(?<= we )currently|(?<= you )currently|currently(?=\s*(?:[?.!]|\Z)))\b"
)

# Keywords of the common languages. They are dropped from pasted code alone: in prose, people search for `class` and `test`.
_KEYWORDS = """and as assert async await break case catch class const continue def default defer del delete do elif else end enum except
export extends false final finally fn for foreach from func function global go if impl implements import in instanceof
interface is lambda let match mod module mut namespace new nil none nonlocal not null or package pass private protected pub
public raise require rescue return self static struct super switch this throw throws trait true try type typeof undefined
union unless unsafe use using var void where while with yield int str string bool boolean float double char list dict"""

# Usual spellings of a language; in a store with no other language, its name distinguishes nothing.
_SO_CALLED = """rust java c objc ruby php kotlin swift scala lua perl r julia haskell ocaml elixir erlang
clojure dart zig nim fortran"""
_LANGUAGE_NAMES = {
    **{name: name for name in _SO_CALLED.split()},
    "python": "python python3 py",
    "javascript": "javascript js",
    "typescript": "typescript ts",
    "tsx": "typescript ts",
    "go": "go golang",
    "cpp": "c++ cpp",
    "csharp": "c# csharp",
    "fsharp": "f# fsharp",
}
_ONE_LANGUAGE = ({"typescript", "tsx"},)  # two grammars of one language


def weighted_terms(
    sections: Sections,
    around: Iterable[tuple[str, float]],
    languages: frozenset[str],
    untelling: frozenset[str],
    made: Sequence[str] = (),
) -> dict[str, float]:
    """Term → weight. A kind of word is dropped only when other words remain. `around` are texts around the question, each with the weight of
    its words that the question lacks; `languages` are the programming languages of the store, `untelling` the function words of the query's
    natural language. Words that only the names in `made` have tell little: no text is about a thing that is to be made.
    """
    weights = _weights(sections)
    for term in _terms_of_names_alone(made, sections.title):
        weights[term] = weights.get(term, 0.0) * _MADE
    own = frozenset(weights)
    for text, weight in around:
        for term, value in _section_weights(analysis.terms(_full_words(text)), weight).items():
            if term not in own and term not in analysis.STOP_TERMS:
                weights[term] = max(value, weights.get(term, 0.0))
    spelt = (
        frozenset(analysis.terms(" ".join(analysis.codes(sections.text))))
        if sections.is_short
        else frozenset()
    )
    weights = _without(weights, untelling - spelt)
    if languages:
        weights = _without(weights, _language_terms(languages) - spelt)
    if (
        not sections.is_short
    ):  # in a report small numbers are versions, lines and list items: 3.9.1, "line 12"
        weights = _without(
            weights, frozenset(term for term in weights if term.isdigit() and len(term) <= _SMALL_NUMBER)
        )
    return weights


def _terms_of_names_alone(names: Sequence[str], title: str) -> set[str]:
    """The terms of names that the rest of a title lacks."""
    for name in names:
        title = title.replace(name, " ")
    return set(analysis.terms(" ".join(names))).difference(analysis.terms(title))


def _weights(sections: Sections) -> dict[str, float]:
    total = _section_weights(analysis.terms(_full_words(sections.title)), _TITLE)
    if sections.all_code and not sections.code:
        total = _without(total, _keyword_terms())
    code = analysis.terms(_distinct_lines(sections.code)) if sections.code else []
    for terms, weight in (
        (analysis.terms(_full_words(_distinct_lines(sections.prose))) if sections.prose else [], _PROSE),
        (analysis.terms("\n".join(sections.inline)) if sections.inline else [], _INLINE),
        ([term for term in code if term not in _keyword_terms()], _CODE),
    ):
        for term, value in _section_weights(terms, weight).items():
            total[term] = total.get(term, 0.0) + value
    # Of a bare URL or a comment all terms: better than nothing.
    return (
        total
        or _section_weights(code, _CODE)
        or _section_weights(analysis.terms(sections.text[:LONGEST_DENSE_TEXT]), _TITLE)
    )


def _distinct_lines(text: str) -> str:
    """A log without the lines that repeat the form of another; any other text as it is."""
    lines = text.split("\n")
    if len(lines) < _LOG:
        return text
    forms = {logs.form(line): line for line in lines}
    return "\n".join(forms.values()) if len(forms) <= _FORMS * len(lines) else text


def _section_weights(terms: Iterable[str], weight: float) -> dict[str, float]:
    return {term: weight * (1 + math.log(tf)) if tf > 1 else weight for term, tf in Counter(terms).items()}


def _full_words(text: str) -> str:
    """ "doesn't" as "does", "Ann's" as "Ann": the halves of a contraction are not words. Nor is "at the moment", because every text
    is about the present.
    """
    text = re.sub(_PRESENTLY, " ", text)
    return re.sub(_CONTRACTED, "", text) if "'" in text or "’" in text else text


def _without(weights: dict[str, float], dropped: frozenset[str]) -> dict[str, float]:
    """Without these terms, unless nothing else is left."""
    if not dropped:
        return weights
    return {term: weight for term, weight in weights.items() if term not in dropped} or weights


@cache
def _keyword_terms() -> frozenset[str]:
    """Keywords as index terms."""
    return frozenset(term for word in _KEYWORDS.split() for term in analysis.terms(word))


@cache
def _language_terms(languages: frozenset[str]) -> frozenset[str]:
    """Index terms of the store's programming language where it has exactly one, else none.

    Shell scripts, build files, markup and data do not count: nearly every project has some.
    """
    known = languages & _LANGUAGE_NAMES.keys()
    if len(known) != 1 and known not in _ONE_LANGUAGE:
        return frozenset()
    return frozenset(term for language in known for term in analysis.terms(_LANGUAGE_NAMES[language]))
