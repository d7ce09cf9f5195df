"""The texts that state a fact about a whole project.

which licence?          LICENSE, the section on it in README.md, the manifest
which dependencies?     the manifest, the section on requirements in README.md
what runs on a change?  .github/workflows/test.yml
who maintains it?       MAINTAINERS, the section on authors in README.md, the manifest
how to report a hole?   SECURITY.md, the section on security in README.md
where does it start?    main.py, the manifest
why use it?             sections on reasons and features, the beginning of README.md
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daypack.rank.texts.introductions import Role
from daypack.types import Overview

# All values are guesses: they order the texts of one fact, and none competes with those of another.
_FALL = 0.06  # from one chunk of a file to the next
_BEGINNING = 5  # chunks of a README that may give reasons
_PAGES = (Role.README, Role.INDEX, Role.FOR_WORK, Role.TO_START)
_HEADS = {
    Overview.LICENCE: re.compile(r"(?i)\b(?:licen[cs]\w*|copyright)\b"),
    Overview.DEPENDENCIES: re.compile(r"(?i)\b(?:dependenc\w+|requirements?|prerequisites)\b"),
    Overview.PEOPLE: re.compile(
        r"(?i)\b(?:authors?|maintain\w+|credits|contributors|team|acknowledge?ments)\b"
    ),
    Overview.SECURITY: re.compile(r"(?i)\b(?:security|vulnerabilit\w+)\b"),
    Overview.REASON: re.compile(r"(?i)\b(?:why|motivation|rationale|benefits|advantages|features)\b"),
}
_STATED = {
    Overview.LICENCE: re.compile(r"(?i)licen[cs]e"),
    Overview.DEPENDENCIES: re.compile(
        r"(?i)dependenc|\brequires?\b|\bdeps\b|\bimplementation\b|packagereference|build-depends"
    ),
    Overview.PEOPLE: re.compile(r"(?i)\b(?:authors?|maintainers?|contributors|developers)\b"),
    Overview.ENTRY: re.compile(
        r"(?im)^\[+[\w.-]*(?:bin|scripts)\]|\"(?:bin|main|exports)\"|\bexecutables?\b"
    ),
}  # in a manifest
# … not for development
_FOR_USE = re.compile(
    r"(?i)(?<!dev)(?<!dev-)(?<!peer)(?<!optional-)(?<!development_)dependenc|^require \(|build-depends|packagereference",
    re.MULTILINE,
)
OWN_FILES = {
    Overview.LICENCE: Role.LICENCE,
    Overview.PEOPLE: Role.PEOPLE,
    Overview.SECURITY: Role.SECURITY,
    Overview.CHECKS: Role.CHECKS,
    Overview.ENTRY: Role.ENTRY,
}
_MAIN = re.compile(
    r"\b(?:def|fn|fun|func|function|int|proc|void) \(?(?:\w+[.:])*[mM]ain\b|\b__main__\b|@(?:\w+\.)?(?:group|main)\b"
)
_ON_CHANGE = re.compile(r"\bpull_request\b|\bmerge_requests?\b")
_OTHER_JOB = re.compile(
    r"(?i)(?:release|publish|deploy|stale|docs?|documentation|codeql|scan|dep(?:endency|s)?-?review|sponsors?|labels?|notify|nightly)[^/]*$"
)


def value_of_fact(
    overview: Overview, role: Role, uri: str, sections: Sequence[str], place: int, text: str
) -> float:
    """The value, 0 to 1, of a chunk at a place in a file as an answer to a question for a fact; `sections` are its headings below
    the title.
    """
    late = max(1 - _FALL * place, 0.4)
    if role is OWN_FILES.get(overview):
        match role:
            case Role.CHECKS:
                return 0.4 * late if place else _of_checks(uri, text)
            case Role.ENTRY:
                starts = 1.0 if _MAIN.search(text) else 0.7 * (place == 0)
                return starts * (1 - _FALL * uri.count("/"))
            case _:
                return float(place == 0)
    if role is Role.MANIFEST:
        stated = _STATED.get(overview)
        if stated is None or not stated.search(text):
            return 0.0
        surest = overview is Overview.DEPENDENCIES and _FOR_USE.search(text)
        return late * (1.0 if surest else 0.7)
    if role in _PAGES and (heads := _HEADS.get(overview)):
        if any(map(heads.search, sections)):
            return 0.9
        if overview is Overview.REASON and role in (Role.README, Role.INDEX):
            return 0.8 * late if place < _BEGINNING else 0.0
        if overview is Overview.SECURITY and heads.search(text):
            return 0.6
    return 0.0


def _of_checks(uri: str, text: str) -> float:
    """The value of the beginning of a workflow; a short name, as `ci` and `test` are, is about the whole."""
    name = uri.rpartition("/")[2].partition(".")[0]
    whole = 1 - 0.01 * min(len(name), 20)
    return whole * (1.0 if _ON_CHANGE.search(text) else 0.7) * (0.7 if _OTHER_JOB.search(uri) else 1.0)
