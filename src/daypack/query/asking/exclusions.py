"""Exclusions: kinds of files that a question does not ask for. Their names would ask for them.

Where are flags parsed, excluding the tests?          Where are flags parsed?
Where are flags parsed? Ignore tests and docs.        Where are flags parsed?
Why is this flag not in the documentation?            (asks about the documentation)
"""

from __future__ import annotations

import re

_KIND = (
    r"(?:(?:any|all|the|your|our|its) )*(?:(?:unit|integration|automated) )?(?:tests?|specs?|test (?:files|cases|code|suite)|documentation|docs?|read ?mes?|changelogs?|release notes"
    r"|examples?|samples?|comments|generated (?:code|files)|vendored (?:code|files)|third[- ]party code|node_modules|mocks|fixtures)(?: (?:files?|folders?|director(?:y|ies)|pages?))?"
)
_KINDS = rf"{_KIND}(?:(?:,? (?:and|or|nor) |, ){_KIND})*"
_NOT = (
    r"(?:but )?(?:not (?:in|from|within|inside|of)?|excluding|exclude|except(?: for| in)?|ignoring|ignore|without|other than|outside(?: of)?|skipping|skip|leaving out|leave out|no"
    r"|rather than|instead of)"
)
_CLAUSE = rf"(?i)\s*(?:[,;–]|\s-)\s*{_NOT} ?{_KINDS}(?=[\s?.!]*\Z)|\s*\(\s*{_NOT} ?{_KINDS}\s*\)"
_ONLY = r"(?i)\s*(?:\(|[,;–])\s*(?:only (?:the )?(?:source )?(?:code|files)|(?:source )?(?:code|files) only)\s*\)?(?=[\s?.!]*\Z)"
# each exclusion has one
_SIGNS = r"(?i)no|n['’]t|exclud|except|ignor|without|than|outside|skip|leav|instead|only"
_FIRST = rf"(?i)(?:please )?{_NOT} ?{_KINDS}\s*[,:]\s+(?=\w)"
_SENTENCE = (
    rf"(?i)(?:please |and |but )*(?:{_NOT}|(?:I|we) (?:do not|don['’]t) (?:mean|want|need)|(?:I['’]m|I am) not (?:looking for|interested in)"
    rf"|(?:do not|don['’]t) (?:look (?:in|at)|show(?: me)?|include|search(?: in)?|use|consider|bother with)) ?{_KINDS}[.!\s]*"
)


def without_exclusions(question: str) -> str:
    """A question of one line without what it excludes, unless nothing else is left."""
    if not _may_exclude(question):  # most questions: they compile no pattern
        return question
    shorter = re.sub(_FIRST, "", question, count=1) if re.match(_FIRST, question) else question
    shorter = re.sub(_ONLY, "", re.sub(_CLAUSE, "", shorter))
    return shorter if shorter.strip(" ?.!") else question


def is_exclusion(sentence: str) -> bool:
    """True of a sentence that only excludes kinds of files."""
    return _may_exclude(sentence) and re.fullmatch(_SENTENCE, sentence) is not None


def _may_exclude(text: str) -> bool:
    return re.search(_SIGNS, text) is not None
