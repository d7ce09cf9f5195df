"""Overviews: questions about the whole project, which have no word for a part of it.

what is this project?            introduction
how is the code organised?       structure
how do I install it?             start
how do I run the tests?          work
what is zustand?                 introduction, where the project is called so
which licence does it have?      licence, and other facts: project_facts.py

what does this function do?      none: a part
where does the app start?        none: the inside, and not what "I" do
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from daypack.query.asking.project_facts import fact_of
from daypack.query.asking.tongues import word_by_word
from daypack.text import analysis
from daypack.text.name_sets import name_set
from daypack.types import Overview

_LONGEST = 100  # characters
_WHOLE = name_set("app application code codebase lib library project program repo repository software")
# Only where "this" or "the" points at one: "package" and "system" are also parts.
_MAYBE_WHOLE = name_set("framework package product system tool workspace")
_POINTING = name_set("it its our the this your")
_ASKING = name_set("are can could do does how is should what where which would")
_PLAIN = name_set(
    "all and at be brief briefly can could current do does are is exactly entire environment for from general give good guide guidelines have here high how"
    " i in instructions it its level local locally look main me my of on one our overall please quick s short should steps suite that the there this to unit"
    " us want we what where which whole with would you your"
)
_TELLING = name_set("describe explain show tell")
_INTRODUCES = name_set(
    "about description goal goals idea introduction intro overview point purpose summarise summarize summary"
)
_STRUCTURE = name_set("architectural architecture")
_OF_STRUCTURE = name_set(
    "components design designed layout laid modules organisation organised organization organized parts pieces structure structured work works"
)
_START = name_set(
    "begin download get getting go install installation installing launch quickstart run running set setting setup start started up use using"
)
_VAGUE = name_set("get getting go run running set setting up use using")  # they need an object
_HALF = name_set("get getting go set setting")  # … and these another word: "get started", "set up"
_WORK = name_set(
    "build building compile compiling contribute contributing contribution contributions contributor contributors develop developing development test testing tests"
)
# without a person or "how to", words that seldom name a part
_ALONE = name_set(
    "contributing guide guidelines installation installing instructions quickstart started steps"
)
_PERSONS = name_set("i one we you")
_NOT_OF_NAMED = (None, Overview.WORK)  # "test with zustand" is other work
# Japanese writes a name and the word behind it without a blank.
_NAME = rf"{analysis.NAME_BEGIN}(?:{analysis.NAME_LETTER}|[.+-])*{analysis.NAME_LETTER}"
_OWNER = re.compile(r"(?<!\S)@[\w.-]+/")  # of a package: @shop/cart
_BEFORE_OVERVIEW = re.compile(
    r"\ban? (?=(?:\w+[ -]){0,2}(?:overview|summary|description|introduction|intro|idea)\b)"
)


def maybe_project(text: str) -> str:
    """The word that makes a question one about the whole project, if the project has that name: "zustand" of "what is
    zustand?"; "" for none.
    """
    names = dict.fromkeys(re.findall(_NAME, text)) if len(text) <= _LONGEST else ()
    unknown = (name for name in names if not _known().issuperset(analysis.words(name.lower())))
    return next((name for name in unknown if overview_of(text, name) not in _NOT_OF_NAMED), "")


def overview_of(text: str, project: str = "") -> Overview | None:
    """The side of the whole project, called `project`, that a question asks for; None for any other question."""
    if len(text) > _LONGEST:
        return None
    if project:
        text = text.replace(project, "project")
    said = _OWNER.sub("", _BEFORE_OVERVIEW.sub("", text.lower())).replace("code base", "codebase")
    readings = [analysis.words(said), *word_by_word(said)]
    for words in readings:
        if words and _known().issuperset(words) and (found := _overview(words)):
            return found
    facts = (fact_of(words, points=_points(frozenset(words))) for words in readings)
    return next(filter(None, facts), None)


def _overview(said: Sequence[str]) -> Overview | None:
    """The side that words ask for, which are all known."""
    words = frozenset(said)
    named, points = _names_whole(words), _points(words)
    asks = bool(words & _ASKING)
    if done := words & (_START | _WORK):
        means = points or not done <= _VAGUE
        return _deed(words, asks=asks) if means and not done <= _HALF else None
    if words & _STRUCTURE:
        return Overview.STRUCTURE
    if words & _OF_STRUCTURE:
        is_whole = points or "main" in words
        # "layout code" is code for a layout
        return (
            Overview.STRUCTURE if is_whole and (asks or "of" in words or said[-1] in _OF_STRUCTURE) else None
        )
    if asks:
        return Overview.INTRODUCTION if points and words & {"what", "what's"} else None
    introduces = words & (_INTRODUCES | _TELLING) and points
    return Overview.INTRODUCTION if introduces or (named and words & _POINTING) else None


def _names_whole(words: frozenset[str]) -> bool:
    return bool(words & _WHOLE) or bool(words & _MAYBE_WHOLE and words & _POINTING)


def _points(words: frozenset[str]) -> bool:
    """True of words that mean the whole: "this library", "it"."""
    return _names_whole(words) or bool(words & {"it", "its", "this"})


@cache
def _known() -> frozenset[str]:
    return (
        _PLAIN | _WHOLE | _MAYBE_WHOLE | _INTRODUCES | _TELLING | _STRUCTURE | _OF_STRUCTURE | _START | _WORK
    )


def _deed(words: frozenset[str], *, asks: bool) -> Overview | None:
    """The side that a question for what "I" do asks for: to use the whole, or to work on it."""
    if asks:
        if "which" in words or (not words & _PERSONS and "to" not in words):
            return None  # "which library do we use?", "how does it start?"
    elif not words & _ALONE:
        return None  # "run tests" may be a name
    return Overview.WORK if words & _WORK else Overview.START
