"""Questions for a version in use: that of the project, or the one that it needs of another program.

which version are we on?                 own: Overview.VERSION asks for it
which Python version do we use?          of Python
minimum pandas version?                  of pandas
what does it need of Python?             of python
which version fixed the cart?            neither: the version of a change
the current version of a document?       neither: the version of a part
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections
from daypack.text.name_sets import name_set
from daypack.types import Requirement

MOST_NAMED = 3  # guess: names in a question for a version; a longer one is about something else
_WORD = re.compile(r"[A-Za-z][\w+#.-]*[\w+#]|[A-Z]\b")
_NEEDS = r"(?:minim(?:um|al)|oldest|lowest|at least|requir(?:es?|ed)|needs?|needed|supported|supports?|runs? on|works? with|compatible with)"
_PROGRAM = (
    r"(?:bash|bun|c\+\+|clang|cmake|dart|deno|elixir|erlang|gcc|ghc|go|haskell|java|jdk|julia|kotlin|lua|node(?:\.?js)?|perl|php|python|r|ruby|rustc?|scala|swift"
    r"|typescript|zig)"
)
_REQUIRED = re.compile(
    rf"\b{_NEEDS}\b[^.?!]*\bversions?\b|\bversions?\b[^.?!]*\b{_NEEDS}\b|\b(?:minimum|minimal|oldest|lowest)(?: supported)? [\w.+#-]+(?: for [\w.+#-]+(?: \d+)?)?\??$"
    rf"|\A{_PROGRAM} versions?\W*\Z|\b(?:which|what) {_PROGRAM} versions? (?:do|are|should) (?:we|I)\b",
    re.IGNORECASE,
)
# "Since which version is it supported?" asks when a thing changed.
_OF_CHANGE = re.compile(
    r"\b(?:since|was|were|did|when|last|first|in which|add(?:ed)?|drop(?:ped)?|fix(?:ed)?)\b", re.IGNORECASE
)
# `version = "3.4.1"`, `"version": "3.4.1"`, `__version__ = "3.4.1"`, `<version>3.4.1</version>`
_OWN_LINE = (
    r"(?im)^[ \t]*(?:const )?[\"'<]?(?:__)?version(?:_name)?(?:__)?[\"'>]?[ \t]*(?:[:=][ \t]*)?[\"'(]?v?\d"
)
_OWN_FILE = r"\A\s*v?\d+\.\d+[\w.+-]*\s*\Z"  # of a file VERSION
OWN = Requirement((), (_OWN_LINE, _OWN_FILE))
"""The version of the project."""
_SAY_NOTHING = name_set(
    "a an and are at be by can compatible current currently do does for has have i in is it least lowest"
    " minimal minimum must need needed needs of oldest on or our project required requires run runs should"
    " still support supported supports that the this to today use using version versions we what which with work"
    " works"
)


def requirement_of(sections: Sections) -> Requirement | None:
    """The version of another program that a question asks for; None for any other question."""
    text = sections.title
    if not sections.is_short or _OF_CHANGE.search(text):
        return None
    if not _REQUIRED.search(text):
        return None
    words = (word for word in _WORD.findall(text) if word.lower() not in _SAY_NOTHING)
    of = tuple(dict.fromkeys(words))
    either = "|".join(map(re.escape, of))
    named = rf"(?i)(?<!\w)(?:{either})(?!\w)[^\n]{{0,60}}?"
    # `requires-python = ">=3.1"`, `go 1.21`, `<java.version>17`; then `>=3.1`, `= "1.80"`, `^7.2`; and any number
    key = (
        rf"(?im)(?:^|(?<=[\s\"'<{{(.]))(?:requires?d?[-_])?(?:{either})(?:[-_. ](?:tools[-_])?version[\"']?[ \t]*[:=(,>](?!=))?"
        r"[^\w\n/-]{0,8}(?<!\w)v?\d"
    )
    lines = (key, rf"{named}[<>=^~][ \"'v]{{0,3}}\d", rf"{named}\d")
    return Requirement(of, lines) if 0 < len(of) <= MOST_NAMED else None
