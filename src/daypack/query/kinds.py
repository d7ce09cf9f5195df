"""The kind of a query, by the form of its words, and what it asks for: tests and documentation."""

from __future__ import annotations

import re

from daypack.query.names import Names
from daypack.query.sections import ERROR_LINE, SHORT_QUERY, Sections
from daypack.query.sentences import CHANGES, asks
from daypack.query.stories import Story
from daypack.text import analysis
from daypack.types import Anchor, AnchorKind, QueryKind

_SHORT_LEAD = 3  # telling words beside a stack trace that say no more than "why does this fail?"

_NEW = (
    r"(?i)(?:please )?(?:add|create|generate|write|we need|there (?:are|is) no|we have no)\b[^.?!]{0,40}?\b"
)
_NO_PAGES = r"(?i)\bexamples?\b|\b(?:docs?|documentation|readme|changelog|manual|guide)[ -](?:build|command|extract|generat|index|link|pars|render|search|string|templat|tool|writ)\w*"
_NEW_DOCS = (
    rf"{_NEW}(?:docs?|documentation|readme|tutorial|guide|manual|example|how-?to)s? (?:for|of|about|on|to)\b"
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|documented|readme|changelog|tutorials?|manual|guides?|(?<!for )examples?|how-?tos?|quick ?start)\b",
    re.IGNORECASE,
)
# "[Console] Fix …", "[6.4][cli] Fix …"
_LABELS = r"(?:\[[^\[\]\n]{1,40}\] ?){0,4}"
CHANGE = rf"(?i:{_LABELS}(?:[\w/().-]{{1,40}}: )?(?:please )?(?:{CHANGES})(?:s|es|ed|d|ing)?\b)"

_KIND_OF_TEST = r"(?:(?:unit|integration|end-to-end|e2e|acceptance|existing) )?"
_TESTS_ASKED = (
    rf"(?i)(?:(?:where (?:are|is|can i find)|which|what are|what(?= \w+ (?:cover|check|exercis))|find|list|show(?: me)?|(?:is|are) there) (?:the |any |all |a )?{_KIND_OF_TEST}(?:tests?|specs?)(?: (?:cases?|files?|suites?))?"
    rf"|(?:the )?{_KIND_OF_TEST}(?:tests|specs)) (?:of|for|about|(?:(?:that|which) )?(?:cover|check|exercis|test)\w*)\b"
)
_I = frozenset({"i", "me", "my", "mine", "myself"})
_YOU = frozenset({"you", "your", "yours"})
_REQUEST = r"\b(?:can|could|will|would) you\b"


def is_about_asker(text: str, question: str) -> bool:
    """True of a text with "I" whose question has no "you", unless that asks for something ("can you list …")."""
    words = frozenset(analysis.words(text.lower()))
    asked = frozenset(analysis.words(re.sub(_REQUEST, " ", question.lower())))
    return not _I.isdisjoint(words) and _YOU.isdisjoint(asked)


def asks_where_tests_are(asked: str) -> bool:
    """True when the tests of a thing are the answer: "where are the tests of the cart?"."""
    return re.match(_TESTS_ASKED, asked) is not None


def asks_for_docs(asked: str) -> bool:
    """True when the words of a question name documentation, other than pages to be written: these need the code that they are about."""
    return bool(_DOCS.search(asked)) and not re.match(_NEW_DOCS, asked)


def asks_for_pages(asked: str) -> bool:
    """True when the words of a question name pages. Examples do not count, because code has them as well; nor does a "documentation
    generator", which is code.
    """
    return asks_for_docs(re.sub(_NO_PAGES, " ", asked))


def is_about_code(sections: Sections, story: Story, *, named: bool) -> bool:
    """True when it reads as a report or a task about code, not as a question, which documentation may answer
    as well.

    A text with a title and a body is a report of something, whichever words it uses, unless it ends by asking.
    """
    asked = story is Story.NONE and asks(sections.title)
    return not asked and (named or is_report(sections, story))


def is_report(sections: Sections, story: Story) -> bool:
    """True when it tells what happens or what to change, at more length than a name does."""
    if story in (Story.FAILURE, Story.CHANGE):
        return True
    if story is Story.WISH or asks(sections.title):
        return False
    described = bool(sections.prose) and not sections.prose.endswith("?")
    return described or bool(sections.frames or sections.code or re.match(CHANGE, sections.title))


def kind_of(sections: Sections, names: Names, *, timed: bool) -> QueryKind:
    """The first kind that fits. A long text that merely contains a trace or a quotation is still a question."""
    title = sections.title
    if (
        sections.frames
        and len(_telling(analysis.terms(f"{title} {sections.prose[:SHORT_QUERY]}"))) <= _SHORT_LEAD
    ):
        return QueryKind.ERROR
    if ERROR_LINE.match(title or sections.code.lstrip()) and (not sections.prose or not title):
        return QueryKind.ERROR
    if not sections.prose and not sections.code:
        kinds = {anchor.kind for anchor in names.anchors}
        rest = _rest(title, names.anchors)
        if names.paths and AnchorKind.PATH in kinds and not rest:
            return QueryKind.PATH
        if AnchorKind.QUOTED in kinds and len(rest) <= 1:
            return QueryKind.QUOTED
        if names.alone:
            return QueryKind.IDENTIFIER
    return QueryKind.TEMPORAL if timed else QueryKind.NATURAL


def _rest(title: str, anchors: tuple[Anchor, ...]) -> list[str]:
    """Telling terms of the title outside its anchors."""
    for anchor in anchors:
        title = title.replace(anchor.text, " ")
    return _telling(analysis.terms(title))


def _telling(terms: list[str]) -> list[str]:
    return [term for term in terms if term not in analysis.STOP_TERMS and not term.isdigit()]
