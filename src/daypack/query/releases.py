"""The releases that a question asks about: versions that it names, the latest one, or the one to come.

what changed in 2.0?                    2.0
what broke in v3?                       3
what is new in the latest release?      latest
what will the next version bring?       unreleased
why does it wait 0.5 seconds?           none: a number with a unit
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections
from daypack.text.changelogs import numbers_in

LATEST, UNRELEASED = "latest", "unreleased"
MOST_NAMED = 4  # guess: versions; a list of more asks for none of them
_RELEASE = r"(?:releases?|versions?|alpha|beta|release candidate)"
_WHAT = r"\b(?:what|what'?s|which|anything|any|list|summari[sz]e|show|changes?|news|features?|fix(?:es)?)\b[^.?!]{0,80}?"
_LATEST = re.compile(
    rf"{_WHAT}\b(?:latest|newest|last|most recent)(?: [\w.-]+)? {_RELEASE}\b|\bwhat(?:'?s| is| are) new\??$",
    re.IGNORECASE,
)
_UNRELEASED = re.compile(
    rf"{_WHAT}\b(?:(?:next|upcoming|coming)(?: [\w.-]+)? {_RELEASE}|not (?:yet )?released)\b|\bunreleased\b",
    re.IGNORECASE,
)
# "how do I install the latest version?" is about use
_USE = re.compile(
    r"\b(?:how (?:do|can|should|to)|install|download|publish|upgrade to|update to|pin)\b", re.IGNORECASE
)
# A number with one point may be anything, unless the question is about a change or says that it means a version.
_CHANGE = re.compile(
    r"\b(?:chang(?:e[ds]?|ing)|new|happen(?:s|ed)?|br(?:ea|o)k\w*|fix(?:e[ds])?|add(?:ed|s)?|introduc\w*|remov\w*|drop(?:s|ped)?|deprecat\w*|renam\w*"
    r"|replac\w*|migrat\w*|upgrad\w*|updat\w*|mov(?:e[ds]?|ing)|since|releas\w*|versions?|support\w*|features?|behaviou?r|differ\w*)\b",
    re.IGNORECASE,
)
_UNIT = r"(?:(?<=\d)| )(?:%|x\b|ms\b|s\b|sec\w*|min\w*|hours?|days?|weeks?|years?|[kmgt]i?b\b|bytes|px|em\b|tokens?|times\b|percent|points?|euros?|dollars?|per\b)"
_MAJOR = re.compile(rf"\b(?:version|release) (\d{{1,4}})\b(?!{_UNIT}|[.]\d)", re.IGNORECASE)
# the version that one moves away from
_LEFT = re.compile(r"\bfrom (?:version |release )?v?\d[\w.]*", re.IGNORECASE)
_STEP = re.compile(r"\bfrom (?:v|version )?\d{1,4} to (?:v|version )?(\d{1,4})\b(?!\.\d)", re.IGNORECASE)
# The answer is a version: "since when", "which release fixed", "when was it dropped".
_ASKS_VERSION = re.compile(
    r"\bsince when\b|\b(?:which|what)(?: [\w.-]+)? (?:versions?|releases?)\b"
    r"|\bwhen (?:was|were|did|has|have)\b[^.?!]*\b(?:add|introduc|drop|remov|deprecat|fix|repair|mend|renam|support|arriv|appear|chang|bec[ao]m|stop|replac|releas|mov|br(?:ea|o)k"
    r"|get|got|start|begin|began|land|ship)\w*",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:need\w*|requir\w*|minim\w+|oldest|compatible|current\w*|this|we|our|using|install\w*|run|latest|newest|should|must|recommend\w*|do i)\b",
    re.IGNORECASE,
)


def asks_for_version(sections: Sections) -> bool:
    """True when the answer is the version of a change, not the one in use."""
    text = sections.title
    return sections.is_short and _ASKS_VERSION.search(text) is not None and not _PRESENT.search(text)


def releases_of(sections: Sections) -> tuple[str, ...]:
    """Versions as written, without the v, and `LATEST` or `UNRELEASED`; none for a report, which names versions in its story."""
    if not sections.is_short:
        return ()
    text = sections.words.strip()
    about_change = _CHANGE.search(text) is not None
    to = _LEFT.sub(" ", text)
    named = [
        number
        for number in numbers_in(to)
        if (about_change or number.count(".") > 1)
        and not re.search(rf"(?<![\d.]){re.escape(number)}{_UNIT}", to)
    ]
    named += [match[1] for match in _MAJOR.finditer(to)]
    if about_change:
        named += [match[1] for match in _STEP.finditer(text)]
    if len(named) > MOST_NAMED:
        return ()
    if not _USE.search(text):
        named += [LATEST] if _LATEST.search(text) and not named else []
        named += [UNRELEASED] if _UNRELEASED.search(text) else []
    return tuple(dict.fromkeys(named))
