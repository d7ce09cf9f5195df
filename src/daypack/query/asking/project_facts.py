"""Facts about the whole project, asked for without a word for a part of it.

which licence is it under?               licence
which libraries does it use?             dependencies
where is CI defined?                     checks
who maintains this project?              people
how do I report a vulnerability?         security
what changed in the last release?        release
where is the entry point?                entry
why should I use this library?           reason

where are dependencies resolved?         none: a part
"""

from __future__ import annotations

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
    "a about all an and any app application are at be been by can codebase could current currently define defined did do does exactly find first for framework from get give has have i in"
    " is it its kind list located main me most my need needed needs of on one or our package please product program project repo repository set should show software system tell that the"
    " there this to tool library up us use used uses using was we what what's where which with would you your"
)
_USE = name_set("has have need needed needs require required requires use used uses")
_LIBRARIES = name_set("crates gems libraries modules packages")  # "which library …" asks for one of some
_RUNS = name_set("check checks jobs run runs test tests")
_FLOW = name_set("workflow workflows")
_WHO = name_set("list who")
_WHOLE = name_set("application codebase it library package project repo repository software this")


def fact_of(words: frozenset[str], *, points: bool) -> Overview | None:
    """The fact that the words of a question ask for; `points` is true where they mean the whole project."""
    for overview, (either, beside, must_point) in _facts().items():
        if must_point and not points:
            continue
        for sets in either:
            if all(words & wanted for wanted in sets) and words <= _PLAIN.union(beside, *sets):
                return overview
    return None


@cache
def _facts() -> dict[Overview, _Fact]:
    return {
        Overview.LICENCE: _Fact(
            (_sets("copyright licence licences licensed licensing license licenses"),),
            name_set(
                "allowed code commercial commercially covered free how open published released source terms type under"
            ),
        ),
        Overview.DEPENDENCIES: _Fact(
            (
                (name_set("dependencies dependency"), _USE | {"project", "its", "it", "this"}),
                _sets("depend depends"),
                (_LIBRARIES, _USE),
            ),
            _LIBRARIES
            | name_set("dependencies external other others party programs runtime third third-party"),
        ),
        Overview.CHECKS: _Fact(
            (
                _sets("ci"),
                _sets("continuous", "integration"),
                _sets("github", "action actions workflow workflows"),
                (_RUNS, name_set("merge pr prs pull"), name_set("each every on run runs")),
                (_FLOW, name_set("check checks test tests")),
            ),
            _RUNS
            | _FLOW
            | name_set(
                "action actions build builds commit config configuration configured configures continuous each every executed file files github gitlab"
                " happens how integration job lint live merge pr prs pull push request requests setup"
            ),
        ),
        Overview.PEOPLE: _Fact(
            (
                (_WHO, name_set("author authors contributors maintainer maintainers owner owners")),
                (
                    _WHO,
                    name_set("behind created develops made maintain maintained maintains owns wrote"),
                    _WHOLE,
                ),
            ),
            frozenset(),
        ),
        Overview.SECURITY: _Fact(
            (
                (
                    name_set("security vulnerabilities vulnerability"),
                    name_set("contact disclose disclosure policy report reported reporting"),
                ),
            ),
            name_set("bug bugs flaw hole how issue issues problem problems security vulnerability"),
        ),
        Overview.RELEASE: _Fact(
            (
                (
                    name_set("last latest most newest recent"),
                    name_set("release releases version"),
                    name_set("change changed changes features included new notes what what's"),
                ),
            ),
            name_set("recent release version"),
        ),
        Overview.ENTRY: _Fact(
            (
                _sets("main", "what where which"),
                _sets("entry", "point points"),
                _sets("entrypoint entrypoints"),
            ),
            name_set("binary class cli command executable file files function line method module server"),
        ),
        Overview.REASON: _Fact(
            (
                _sets("why", "adopt choose pick prefer use want", "i one should we would you"),
                _sets("what", "good used", "for"),
                _sets("advantages benefits"),
            ),
            name_set("instead over"),
            must_point=True,
        ),
    }


def _sets(*words: str) -> tuple[frozenset[str], ...]:
    return tuple(map(name_set, words))
