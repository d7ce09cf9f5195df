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
from functools import cache
from typing import NamedTuple

from daypack.text.name_sets import name_set
from daypack.types import Overview


class _Fact(NamedTuple):
    """The words that ask for a fact: each set of one of `either` has a word of the question, whose other words are plain or `beside`."""

    either: tuple[tuple[frozenset[str], ...], ...]
    beside: frozenset[str]
    must_point: bool = False  # at the whole


_PLAIN = name_set(
    "about all and any app application are at be by can codebase could current currently did do does exactly find for framework from give has have i in is it its kind library"
    " list located me most my of on one or our package please product program project repo repository should show software system tell that the there this to tool us was we what"
    " what's which with would you your"
)
_PLACE = name_set("configured define defined live set setup up where")
_LIBRARIES = name_set("crates gems libraries modules packages")  # "which library …" asks for one of some
_NEEDED = name_set("needed required used")
_NEED = name_set("have need require use")  # "which packages use it?" asks for the other side
_RUNS = name_set("check checks jobs run runs test tests")
_FLOW = name_set("workflow workflows")
_LAST = name_set("last latest most newest recent")
_HOLES = name_set("security vulnerabilities vulnerability")
_ENVIRONMENT, _VARIABLES = name_set("env environment"), name_set("variable variables var vars")
_WHOLE = name_set("application codebase it library package project repo repository software this")
_OF_WHOLE = _WHOLE | name_set("app its list our the what what's which")
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
    for overview, (either, beside, must_point) in _facts().items():
        if (must_point and not points) or (is_deed and overview not in _DEEDS):
            continue
        for sets in either:
            if all(words & wanted for wanted in sets) and words <= _PLAIN.union(beside, *sets):
                return overview
    return None


@cache
def _facts() -> dict[Overview, _Fact]:
    return {
        Overview.LICENCE: _Fact(
            (
                _sets("copyright licence licences licensing license licenses"),
                _sets("licensed", "how is under what which"),
            ),
            name_set(
                "a allowed code commercial commercially covered first free open published released source terms type under use where"
            ),
        ),
        Overview.DEPENDENCIES: _Fact(
            (
                (
                    name_set("dependencies"),
                    _NEED
                    | _NEEDED
                    | name_set("external has list project runtime its it show the third third-party this"),
                ),
                _sets("depend", "do does"),
                (_LIBRARIES, _NEEDED),
                (_LIBRARIES, _NEED, name_set("do does")),
            ),
            _LIBRARIES
            | name_set("dependencies external other others party programs runtime third third-party"),
        ),
        Overview.CHECKS: _Fact(
            (
                _sets("ci"),
                _sets("ci", "which what", "use uses"),
                _sets("continuous", "integration"),
                _sets("github", "actions workflow workflows"),
                (_RUNS, name_set("merge pr prs pull"), name_set("each every on run runs")),
                (_FLOW, name_set("checks tests"), name_set("run runs")),
            ),
            _PLACE
            | _RUNS
            | _FLOW
            | name_set(
                "a actions build builds commit config configuration configures continuous each every executed file files github gitlab"
                " happens how integration job lint merge pr prs pull push request requests"
            ),
        ),
        Overview.PEOPLE: _Fact(
            (
                _sets("contributors maintainer maintainers"),
                _sets("who", "author authors"),
                (
                    name_set("who"),
                    name_set(
                        "behind created develops made maintain maintained maintains owner owners owns wrote"
                    ),
                    _WHOLE,
                ),
            ),
            name_set("who"),
        ),
        Overview.SECURITY: _Fact(
            (
                (_HOLES, name_set("contact disclose disclosure policy")),
                (_HOLES, name_set("report reporting"), name_set("a how i should we you")),
                (_HOLES, name_set("reported"), name_set("should")),
            ),
            _HOLES | name_set("a bug bugs flaw hole how issue issues problem problems where"),
        ),
        Overview.VERSION: _Fact(
            (_sets("version", "are current currently do it its our project that this"),),
            name_set("am are currently now number run running use using where"),
        ),
        Overview.RELEASE: _Fact(
            (
                (
                    _LAST,
                    name_set("release releases version"),
                    name_set("change changed changes features included new notes what what's"),
                ),
                (_LAST, name_set("changelog")),
            ),
            name_set("recent release version where"),
        ),
        Overview.ENTRY: _Fact(
            (
                _sets("main", "what where which"),
                _sets("entry", "point points"),
                _sets("entrypoint entrypoints"),
            ),
            _PLACE
            | name_set(
                "binary class cli command executable file files first function line main method server"
            ),
        ),
        Overview.ENVIRONMENT: _Fact(
            (
                # "how do I set environment variables?" may ask for a page on what the project does with them
                (_ENVIRONMENT, _VARIABLES, _OF_WHOLE),
                (_ENVIRONMENT, _VARIABLES, _OF_WHOLE, name_set("how"), name_set("configure configured set")),
                (name_set("envvars"), _OF_WHOLE),
            ),
            name_set(
                "accept accepts affect available configuration configure configured environment names read reads recognised recognized respect"
                " respects set support supported supports through understand understands use used uses using via"
            ),
        ),
        Overview.REASON: _Fact(
            (
                _sets("why", "adopt choose pick prefer use want", "i one should would you"),
                _sets("what", "good used", "for"),
                _sets("advantages benefits"),
            ),
            name_set("instead over"),
            must_point=True,
        ),
    }


def _sets(*words: str) -> tuple[frozenset[str], ...]:
    return tuple(map(name_set, words))
