"""Facts about the whole project, asked for without a word for a part of it.

which licence is it under?               licence
which libraries does it use?             dependencies
where is CI defined?                     checks
who maintains this project?              people
how do I report a vulnerability?         security
which version is this?                   version
what changed in the last release?        release
where is the entry point?                entry
which environment variables does it use? environment
why should I use this library?           reason

where are dependencies resolved?         none: a part
which packages use it?                   none: the other side
how do I use it in CI?                   none: a deed
does it run in CI?                       none: "it" is a thing
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daypack.text.name_sets import name_set
from daypack.types import Overview

_PLAIN = name_set(
    "about all and any app application are at be by can codebase could current currently did do does exactly find for framework from give has have i in is it its kind library"
    " list located me most my of on one or our package please product program project repo repository should show software system tell that the there this to tool us was we what"
    " what's which with would you your"
)
_PLACE = "configured define defined live set setup up where"
_LIBRARIES = "crates gems libraries modules packages"  # "which library …" asks for one of some
_NEEDED = "needed required used"
_NEED = "have need require use"  # "which packages use it?" asks for the other side
_RUNS = "check checks jobs run runs test tests"
_FLOW = "workflow workflows"
_LAST = "last latest most newest recent"
_HOLES = "security vulnerabilities vulnerability"
_ENVIRONMENT, _VARIABLES = "env environment", "variable variables var vars"
_WHOLE = "application codebase it library package project repo repository software this"
_OF_WHOLE = f"{_WHOLE} app its list our the what what's which"
_FACTS: dict[Overview, tuple[tuple[str, ...], str]] = {
    Overview.LICENCE: (
        ("copyright licence licences licensing license licenses", "licensed & how is under what which"),
        "a allowed code commercial commercially covered first free open published released source terms type under use where",
    ),
    Overview.DEPENDENCIES: (
        (
            f"dependencies & {_NEED} {_NEEDED} external has list project runtime its it show the third third-party this",
            "depend & do does",
            f"{_LIBRARIES} & {_NEEDED}",
            f"{_LIBRARIES} & {_NEED} & do does",
        ),
        f"{_LIBRARIES} dependencies external other others party programs runtime third third-party",
    ),
    Overview.CHECKS: (
        (
            "ci",
            "ci & which what & use uses",
            "continuous & integration",
            "github & actions workflow workflows",
            f"{_RUNS} & merge pr prs pull & each every on run runs",
            f"{_FLOW} & checks tests & run runs",
        ),
        f"{_PLACE} {_RUNS} {_FLOW} a actions build builds commit config configuration configures continuous each every executed file"
        " files github gitlab happens how integration job lint merge pr prs pull push request requests",
    ),
    Overview.PEOPLE: (
        (
            "contributors maintainer maintainers",
            "who & author authors",
            f"who & behind created develops made maintain maintained maintains owner owners owns wrote & {_WHOLE}",
        ),
        "who",
    ),
    Overview.SECURITY: (
        (
            f"{_HOLES} & contact disclose disclosure policy",
            f"{_HOLES} & report reporting & a how i should we you",
            f"{_HOLES} & reported & should",
        ),
        f"{_HOLES} a bug bugs flaw hole how issue issues problem problems where",
    ),
    Overview.VERSION: (
        ("version & are current currently do it its our project that this",),
        "am are currently now number run running use using where",
    ),
    Overview.RELEASE: (
        (
            f"{_LAST} & release releases version & change changed changes features included new notes what what's",
            f"{_LAST} & changelog",
        ),
        "recent release version where",
    ),
    Overview.ENTRY: (
        ("main & what where which", "entry & point points", "entrypoint entrypoints"),
        f"{_PLACE} binary class cli command executable file files first function line main method server",
    ),
    Overview.ENVIRONMENT: (
        (
            # "how do I set environment variables?" may ask for a page on what the project does with them
            f"{_ENVIRONMENT} & {_VARIABLES} & {_OF_WHOLE}",
            f"{_ENVIRONMENT} & {_VARIABLES} & {_OF_WHOLE} & how & configure configured set",
            f"envvars & {_OF_WHOLE}",
        ),
        "accept accepts affect available configuration configure configured environment names read reads recognised recognized respect"
        " respects set support supported supports through understand understands use used uses using via",
    ),
    Overview.REASON: (
        (
            "why & adopt choose pick prefer use want & i one should would you",
            "what & good used & for",
            "advantages benefits",
        ),
        "instead over",
    ),
}
"""Fact → (sets of words of which each has one in the question, joined by "&"; words that may stand beside them and plain ones)."""
_DEEDS = (Overview.ENVIRONMENT, Overview.SECURITY)
# "it" is a thing that ran before: "does it run in CI?", "what library is used for this?"
_OF_A_THING = re.compile(
    r"(?:do|does|is|are|was|did) (?:it|this|that|they|these) (?:also )?(?:run|checked|tested)\b"
    r"|(?:what|which) (?:librar|package|module|framework|tool|crate|gem)\w* (?:is|are|was|were) .*\bfor (?:it|this|that)$"
)
_DOING = name_set("can i one to we you")


def fact_of(said: Sequence[str], *, points: bool) -> Overview | None:
    """The fact that the words of a question ask for, in their order; `points` is true where they mean the whole project."""
    if _OF_A_THING.match(" ".join(said)):
        return None
    words = frozenset(said)
    is_deed = "how" in words and not words.isdisjoint(_DOING)  # "how do I use it in CI?"
    for overview, (either, beside) in _FACTS.items():
        if (overview is Overview.REASON and not points) or (is_deed and overview not in _DEEDS):
            continue
        if any(_asks(words, sets, beside) for sets in either):
            return overview
    return None


def _asks(words: frozenset[str], sets: str, beside: str) -> bool:
    """True where each of the sets has a word of a question, whose other words are plain or beside them."""
    wanted = [name_set(one) for one in sets.split("&")]
    return all(map(words.intersection, wanted)) and words <= _PLAIN.union(name_set(beside), *wanted)
