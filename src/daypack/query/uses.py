"""Uses: the names whose uses a query asks for, rather than their definitions.

who calls `total`?   where is CartError raised?     a question for uses
shop.CartError: no such item                        raised where the class is used
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from daypack.query.frames import LONGEST_LINE
from daypack.query.sections import QUALIFIER, Sections
from daypack.text.qualified_names import dotted

MOST_USES = 3
_MOST_LINES = 20
_CALLS = r"(?:call|catch|construct|create|import|instantiate|invoke|raise|reference|throw|use)s?"
_CALLED = r"(?:called|caught|constructed|created|imported|instantiated|invoked|raised|referenced|thrown|used)"
_BEFORE = (
    rf"(?i)\b(?:(?:who|what|that)|(?:which|all|every|any)(?:\s+\w+){{1,3}})\s+{_CALLS}\s+(?:the\s+)?\W?$"
    r"|\b(?:callers?|call\s?sites?|usages?|uses|users|references?)\s+(?:of|to)\s+(?:the\s+)?\W?$"
)
_WHERE = r"(?i)\bwhere\s+(?:is|are|was|does|do)\s+(?:the\s+)?\W?$"
_PRONOUN = r"(?i)\b(?:it|that|this|them|those|these)\b"
_AFTER = rf"(?i)^\W{{0,3}}\s*(?:\w+\s+)?{_CALLED}\b"
# An exception before its message: the class at the beginning of a line, behind "Uncaught" or in "instance of '…'".
_QUALIFIED = rf"({QUALIFIER}[A-Za-z_]\w{{2,80}})"
_RAISED = (
    rf"^(?:Caused by: |Exception in thread \S+ |Unhandled exception\. )?(?:\*\* \()?{_QUALIFIED}(?:\)\s|\s?\[[^\]]*\]:|:)",
    rf"\bUncaught {_QUALIFIED}",
    rf"\binstance of '{_QUALIFIED}'",
)
_EXCEPTION = r"\w(?:Error|Exception|Failure|Fault)$"


def names_used(sections: Sections, mentions: Iterable[str], before: Iterable[str] = ()) -> dict[str, bool]:
    """Qualified name, with points, → whether all of its uses are meant: True of a question, which means each; False
    of the exception of a pasted error, which was raised once. In "who calls it?" each of the names `before` is meant.
    """
    title = sections.title[:LONGEST_LINE]
    asked = {_pointed(name): True for name in (*_asked(title, mentions), *_pointed_at(title, before))}
    raised = {_pointed(name): False for name in _raised(sections)}
    return dict(islice({**raised, **asked}.items(), MOST_USES))


def _pointed_at(title: str, before: Iterable[str]) -> Iterable[str]:
    pronouns = re.finditer(_PRONOUN, title)
    return before if any(_asks_for(title[: one.start()], title[one.end() :]) for one in pronouns) else ()


def _asked(title: str, mentions: Iterable[str]) -> Iterator[str]:
    for name in mentions:
        before, found, after = title.partition(name)
        if found and _asks_for(before, after):
            yield name


def _asks_for(before: str, after: str) -> bool:
    """True when a question asks for the uses of the name between two of its parts."""
    return bool(re.search(_BEFORE, before) or (re.search(_WHERE, before) and re.search(_AFTER, after)))


def _raised(sections: Sections) -> Iterator[str]:
    lines = [sections.title, *sections.code.split("\n")]
    for line in lines[:_MOST_LINES]:
        for place, pattern in enumerate(_RAISED):
            found = re.search(pattern, line.strip()[:LONGEST_LINE])
            # a word before a colon is an exception by its ending; the other places say so
            if found and (place or re.search(_EXCEPTION, found[1])):
                yield found[1]


def _pointed(name: str) -> str:
    return dotted(name).replace("$", ".").strip(".")  # Java: Cart$Item
