"""A query in the form that the engine understands. A query is text; this room takes it apart once, and every
other room reads the parts.

    title, prose, code, inline   →  terms with their weights          sections.py, words.py
    paths, identifiers, quotes   →  anchors, mentions                 names.py
    stack traces                 →  frames                            frames.py
    last week, before May        →  since, until                      dates.py

    weight of a term = Σ over the sections it stands in of w · (1 + ln tf)      w: title 2, prose 1, inline 1, code 1

Pure, linear in the length of the text, and without errors: any text is a query.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from daypack.query import names
from daypack.query.dates import time_range
from daypack.query.sections import Sections, split
from daypack.query.words import keyword_terms, language_terms
from daypack.text import analysis
from daypack.types import Anchor, AnchorKind, Query, QueryKind

LONGEST_DENSE_TEXT = 1_000  # characters: 256 word pieces, what the embedder reads
_SHORT_QUERY = 300  # characters up to which a date in the prose is about the question, not about its story
_SMALL_NUMBER = 2  # digits
_SHORT_LEAD = 3  # telling words beside a stack trace that say no more than "why does this fail?"
_TITLE, _PROSE, _INLINE, _CODE = 2.0, 1.0, 1.0, 1.0
_MENTION_TITLE, _MENTION_INLINE, _MENTION_PROSE, _MENTION_TRACE, _MENTION_CODE = 3.0, 2.0, 1.0, 1.0, 0.5
_MOST_ANCHORS = 20
_MOST_MENTIONS = 200

_CONTRACTED = r"(?i)(?<=[A-Za-z])(?:n['’]t|['’](?:s|re|ve|ll|d|m))\b"
_TESTS = re.compile(
    r"\b(?:tests?|unit ?tests?|unittests?|pytest|jest|testcases?|specs?|conftest|fixtures?|test suite)\b",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|documented|readme|changelog|tutorials?|manual|guides?|(?<!for )examples?|how-?tos?|quick ?start)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:how|what|why|where|when|which|who|can|could|should|is|are|was|were|does|do|did|will|would)\b",
    re.IGNORECASE,
)
# A change to be made, as tasks and commit messages begin; without verbs that are nouns as often, as "support"
# and "update" are.
_CHANGE = (
    r"(?i)(?:[\w/().-]{1,40}: )?(?:please )?(?:add|allow|avoid|bump|convert|delete|deprecate|disable|drop|enable|ensure|expose|extend|extract|fix"
    r"|handle|implement|improve|introduce|make|migrate|move|optimi[sz]e|prevent|refactor|remove|rename|replace|revert|rewrite|simplify|skip)"
    r"(?:s|es|ed|d|ing)?\b"
)
_ERROR = re.compile(
    r"(?:\w+\.){0,9}[A-Z]\w{0,80}(?:Error|Exception)\b\s*:|(?:fatal|error|panic|fatal error|ERROR|Uncaught \w+|error\[E\d+\])\s*:"
)


def parse_query(text: str, *, now: float, languages: frozenset[str] = frozenset()) -> Query:
    """The parts of a query.

    `now` is Unix seconds, for "last week"; `languages` are those of the store (`Record.language`).
    """
    sections = split(text)
    weights = _weights(sections)
    if not weights and text.strip():
        # a bare URL, a comment: better than nothing
        weights = _section_weights(analysis.terms(text[:LONGEST_DENSE_TEXT]), _TITLE)
    weights = _without(weights, analysis.STOP_TERMS)
    weights = _without(weights, language_terms(languages)) if languages else weights
    short = not sections.code and len(sections.title) + len(sections.prose) <= _SHORT_QUERY
    if not short:  # there they are versions, line numbers and list items: 3.9.1, "line 12"
        weights = _without(
            weights, frozenset(term for term in weights if term.isdigit() and len(term) <= _SMALL_NUMBER)
        )

    paths = _paths(sections)
    anchors = tuple(islice(_anchors(sections, paths), _MOST_ANCHORS))
    since, until = time_range(f"{sections.title}\n{sections.prose}" if short else sections.title, now)
    mentions = _mentions(sections)
    asked = sections.title or sections.prose[:_SHORT_QUERY]
    return Query(
        text=text,
        kind=_kind(sections, paths, anchors, timed=since is not None or until is not None),
        terms=weights,
        dense_text=_dense_text(sections, text),
        title=sections.title,
        anchors=anchors,
        mentions=mentions,
        paths=tuple(dict.fromkeys(path.text for path in paths)),
        frames=sections.frames,
        asks_for_tests=bool(_TESTS.search(asked))
        or any(_is_test_path(path.text) for path in names.paths_in(sections.title)),
        asks_for_docs=bool(_DOCS.search(asked)),
        about_code=_about_code(sections, named=bool(mentions)),
        since=since,
        until=until,
    )


# ---------------------------------------------------------------- terms


def _section_weights(terms: Iterable[str], weight: float) -> dict[str, float]:
    return {term: weight * (1 + math.log(tf)) if tf > 1 else weight for term, tf in Counter(terms).items()}


def _weights(sections: Sections) -> dict[str, float]:
    total = _section_weights(analysis.terms(_full_words(sections.title)), _TITLE)
    if sections.all_code and not sections.code:
        total = _without(total, keyword_terms())
    code = analysis.terms(sections.code) if sections.code else []
    for terms, weight in (
        (analysis.terms(_full_words(sections.prose)) if sections.prose else [], _PROSE),
        (analysis.terms("\n".join(sections.inline)) if sections.inline else [], _INLINE),
        ([term for term in code if term not in keyword_terms()], _CODE),
    ):
        for term, value in _section_weights(terms, weight).items():
            total[term] = total.get(term, 0.0) + value
    return total or _section_weights(code, _CODE)


def _full_words(text: str) -> str:
    """ "doesn't" as "does", "Ann's" as "Ann": the halves of a contraction are not words."""
    return re.sub(_CONTRACTED, "", text) if "'" in text or "’" in text else text


def _without(weights: dict[str, float], dropped: frozenset[str]) -> dict[str, float]:
    """Without these terms, unless nothing else is left."""
    if not dropped:
        return weights
    return {term: weight for term, weight in weights.items() if term not in dropped} or weights


# ---------------------------------------------------------------- names


def _paths(sections: Sections) -> list[names.PathName]:
    found = names.paths_in(sections.title)
    if (whole := _whole(sections)) and not found and (path := names.path_name(whole, alone=True)):
        found.append(path)
    if sections.prose:
        found += names.paths_in(sections.prose)
    for inline in sections.inline:
        if " " not in inline and (path := names.path_name(inline, alone=inline in sections.ticked)):
            found.append(path)
    found += [path for link in sections.linked if (path := names.path_name(link, alone=True))]
    # in code a dot is an attribute: only paths with a folder are believed
    if sections.code and not sections.frames:
        found += [
            path
            for path in names.paths_in(sections.code)
            if "/" in path.text and "." in path.text.rpartition("/")[2]
        ]
    return list(dict.fromkeys(found))


def _anchors(sections: Sections, paths: list[names.PathName]) -> Iterable[Anchor]:
    known = {path.text for path in paths}
    for quoted in sections.quoted:
        if len(quoted) > 1 and any(letter.isalnum() for letter in quoted) and names.path_name(quoted) is None:
            yield Anchor(AnchorKind.QUOTED, quoted)
    for path in paths:
        yield Anchor(AnchorKind.PATH, path.text, path.line)
    for ticked in sections.ticked:
        if ticked not in known and (name := names.single_name(ticked)):
            yield Anchor(AnchorKind.IDENTIFIER, name)
    whole = _whole(sections)
    if whole and not sections.ticked and names.is_name(whole) and (name := names.single_name(whole)):
        yield Anchor(AnchorKind.IDENTIFIER, name)


def _about_code(sections: Sections, *, named: bool) -> bool:
    """True when it reads as a report or a task about code, not as a question, which documentation may answer
    as well.

    A text with a title and a body is a report of something, whichever words it uses, unless it ends by asking.
    """
    if sections.title.endswith("?") or _QUESTION.match(sections.title):
        return False
    described = bool(sections.prose) and not sections.prose.endswith("?")
    return named or described or bool(sections.frames or sections.code or re.match(_CHANGE, sections.title))


def _mentions(sections: Sections) -> dict[str, float]:
    """Every identifier with the sum of the weights of its sections."""
    mentions: dict[str, float] = {}

    def add(found: Iterable[str], weight: float) -> None:
        for name in dict.fromkeys(found):
            if name in mentions or len(mentions) < _MOST_MENTIONS:
                mentions[name] = mentions.get(name, 0.0) + weight

    ticked = [name for text in sections.ticked if (name := names.single_name(text))]
    add(
        [*names.names_in(sections.title), *(name for name in ticked if f"`{name}" in sections.title)],
        _MENTION_TITLE,
    )
    add([*ticked, *(name for inline in sections.inline for name in names.names_in(inline))], _MENTION_INLINE)
    if sections.prose:
        add(names.names_in(sections.prose), _MENTION_PROSE)
    add((frame.function for frame in sections.frames if len(frame.function) > 1), _MENTION_TRACE)
    if sections.code:
        add(names.names_in_code(sections.code), _MENTION_CODE)
    return mentions


def _is_test_path(path: str) -> bool:
    name = path.rpartition("/")[2]
    return (
        name.startswith(("test_", "conftest"))
        or "_test." in name
        or ".test." in name
        or ".spec." in name
        or "tests/" in path
    )


# ---------------------------------------------------------------- kind and dense text


def _whole(sections: Sections) -> str:
    """The query when it is one run without blanks."""
    title = sections.title
    return (
        title if title and not sections.prose and not sections.code and len(title.split(None, 1)) == 1 else ""
    )


def _kind(
    sections: Sections, paths: list[names.PathName], anchors: tuple[Anchor, ...], *, timed: bool
) -> QueryKind:
    """The first kind that fits. A long text that merely contains a trace or a quotation is still a question."""
    title = sections.title
    if (
        sections.frames
        and len(_telling(analysis.terms(f"{title} {sections.prose[:_SHORT_QUERY]}"))) <= _SHORT_LEAD
    ):
        return QueryKind.ERROR
    if _ERROR.match(title or sections.code.lstrip()) and (not sections.prose or not title):
        return QueryKind.ERROR
    if not sections.prose and not sections.code:
        kinds = {anchor.kind for anchor in anchors}
        rest = _rest(title, anchors)
        if paths and AnchorKind.PATH in kinds and not rest:
            return QueryKind.PATH
        if AnchorKind.QUOTED in kinds and len(rest) <= 1:
            return QueryKind.QUOTED
        words = title.replace("`", " ").split()
        if (
            words
            and len(words) <= 4
            and all(names.is_name(word) or word in _ticked_words(sections) for word in words)
        ):
            return QueryKind.IDENTIFIER
    return QueryKind.TEMPORAL if timed else QueryKind.NATURAL


def _ticked_words(sections: Sections) -> frozenset[str]:
    return frozenset(ticked for ticked in sections.ticked if names.single_name(ticked))


def _rest(title: str, anchors: tuple[Anchor, ...]) -> list[str]:
    """Telling terms of the title outside its anchors."""
    for anchor in anchors:
        title = title.replace(anchor.text, " ")
    return _telling(analysis.terms(title))


def _telling(terms: list[str]) -> list[str]:
    return [term for term in terms if term not in analysis.STOP_TERMS and not term.isdigit()]


def _dense_text(sections: Sections, text: str) -> str:
    told = f"{sections.title}\n{sections.opening}".strip() if sections.opening else sections.title
    if not told:
        # Only code or a trace: its last error line says what happened, the rest where.
        lines = [line.strip() for line in sections.code.split("\n") if line.strip()]
        errors = [line for line in lines if _ERROR.match(line)]
        told = "\n".join([*errors[-1:], *lines]) if lines else text.strip()
    return told[:LONGEST_DENSE_TEXT]


__all__ = ["parse_query"]
