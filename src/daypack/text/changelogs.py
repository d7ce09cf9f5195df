"""Changelogs by their contents: headings that are versions, with lists below them, the newest first or each with its date.

A name tells most of them. An archive of old releases, or the notes of each release in one page, may be called anything.

A heading or the name of a page tells the release that a text is about:

    [2.4.0] - 2024-03-05          2.4.0
    Upgrading to 3.0              3.0
    5.0 to 6.0                    6.0
    docs/whatsnew/v0.13.1.rst     0.13.1
    2.4 Carts                     none: a numbered section
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

Release = tuple[int | str, ...]
"""The parts of a version: `(2, 4, 0)`, `(1, 0, "a", 37)`."""

LEAST_VERSIONS = 4  # guess: a page about an upgrade has sections for two or three
LONGEST = 100_000  # characters that are read: the newest versions tell
MOST = 3 / 4  # of the headings, or of the steps between them
_VERSION = re.compile(
    r"(?mi)^[#=*\[\s]{0,8}(?:[\w@/.-]{1,40}[ @])?(?:version |release |v\.? ?)?(?P<said>v?(?P<number>\d{1,4}(?:\.\d{1,6}){1,3})(?:[-.]?(?:alpha|beta|rc|m|a|b|final|release)[-.]?\d*)?)"
    r"\]?(?:\([^)\n]*\))?[\s:/–—-]*(?P<date>(?:[\[(][^\])\n]{0,40}[\])]|(?:released )?(?:on )?[\w.,/-]*\d{4}[\w.,/-]*|\w{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} \w{3,9} \d{4}|unreleased)?)[\s#=*]*$"
)
_ITEM = re.compile(r"(?m)^\s*[-*+•] ")
# the changes since the last release, as a heading: `[Unreleased]`, `dplyr (development version)`
_UNRELEASED = re.compile(
    r"(?i)[#=*\[\s]{0,8}(?:[\w@/.-]{1,40} )?\(?(?:unreleased|development version|(?:next|upcoming) (?:release|version)|not yet released)\)?\]?"
    r"(?:\([^)\n]*\))?(?: changes)?(?:[\s:/–—-]+\W?(?:unreleased|tbd|x+-x+-x+|\?+)\W?)?[\s#=*]*"
)
FIRST_OF_LINE, LATER_IN_LINE = 1.0, 0.5  # 2.0.0 and 2.0.3, for a question about 2.0
LONGEST_HEADING = 80  # characters; a sentence mentions versions of many things
_NUMBER = (
    r"\d{1,4}(?:\.\d{1,6}){1,3}(?:[-.]?(?:alpha|beta|rc|dev|pre|a|b|m)[-.]?\d*)?|\d{1,4}(?:\.\d{1,6})?\.[xX]"
)
# A number behind such a word is a version of that, not of the text's own subject.
_OTHERS = re.compile(
    r"\b(?:python|pypy|cpython|php|ruby|rails|rust|rustc|msrv|go|golang|node(?:\.?js)?|java|jdk|kotlin|scala|swift|elixir|erlang|otp|perl"
    r"|typescript|javascript|ecmascript|es|c\+\+|\.net|dotnet|gcc|clang|windows|macos|ios|android|ubuntu|debian|postgres(?:ql)?|mysql|sqlite"
    r"|http|tls|ssl|unicode|section|chapter|figure|table)[ /-]?(?:version |>=? ?|=+ ?)?v?$",
    re.IGNORECASE,
)
_SAID = re.compile(rf"(?<![\w.])(?:v(?P<major>\d{{1,4}})(?![\w.]*\w)|v?(?P<number>{_NUMBER}))(?![\w]|\.\d)")
# `2.4 Carts`; not `2.4 - The carts`, `Carts 2.4` or `2.4`
_NUMBERED = re.compile(r"\d{1,4}(?:\.\d{1,6}){1,3}\.?\s+[^\W_]")
_NEAR = 24  # characters before a number
_PARTS = re.compile(r"\d+|[a-z]+")
_LONG = {"alpha": "a", "beta": "b", "x": ""}
_ENDING = re.compile(r"\.[a-z]\w*$", re.IGNORECASE)


def is_changelog(text: str) -> bool:
    """True for a text whose headings are versions that fall, or that have dates, with lists below most."""
    text = text[:LONGEST]
    found = [*_VERSION.finditer(text)]
    if len(found) < LEAST_VERSIONS:
        return False
    ends = [*(match.start() for match in found[1:]), len(text)]
    listed = sum(
        _ITEM.search(text, match.end(), end) is not None for match, end in zip(found, ends, strict=True)
    )
    versions = [tuple(map(int, match["number"].split("."))) for match in found]
    falling = sum(later < earlier for earlier, later in pairwise(versions))
    dated = sum(bool(match["date"]) for match in found)
    return listed >= MOST * len(found) and (falling >= MOST * (len(found) - 1) or dated >= MOST * len(found))


def is_unreleased(heading: str) -> bool:
    """True for a heading of changes since the last release."""
    dated = _VERSION.fullmatch(heading)
    return _UNRELEASED.fullmatch(heading) is not None or (
        dated is not None and "unreleased" in dated["date"].lower()
    )


def version_of(headings: Sequence[str]) -> str:
    """The innermost of the headings above a text that is a version, or stands for the next one; "" without one."""
    found = (
        heading for heading in reversed(headings) if _VERSION.fullmatch(heading) or is_unreleased(heading)
    )
    return next(found, "")


def without_date(version: str) -> str:
    """A heading that is a version, without its date, link and marks: `2.4.0` of `[2.4.0] - 2024-03-05`."""
    found = _VERSION.fullmatch(version)
    return found["said"] if found else version.strip("[]#=* ")


def below_version(name: str, trail: Sequence[str]) -> str:
    """The nearest heading of a text, behind the version that it is about: `2.4.0 › Fixed`."""
    version = version_of((*trail, name))
    if not name:
        return " › ".join(trail)
    return f"{without_date(version)} › {name}" if version not in ("", name) else name


def release_of(number: str) -> Release:
    """The parts of a version as written: `v1.0a37` → `(1, 0, "a", 37)`, `2.x` → `(2,)`."""
    parts = _PARTS.findall(number.lower().removeprefix("v"))
    return tuple(int(part) if part.isdigit() else _LONG.get(part, part) for part in parts if part != "x")


def numbers_in(text: str, most: int | None = None) -> list[str]:
    """The first `most` versions that a text names, as written, without those of languages and platforms."""
    own = (
        match["major"] or match["number"]
        for match in _SAID.finditer(text)
        if not _OTHERS.search(text, max(0, match.start() - _NEAR), match.start())
    )
    return [*islice(own, most)]


def release_above(headings: Sequence[str], uri: str = "") -> Release | None:
    """The release that a text is about, by the innermost heading above it that names one, or by its page; None without one."""
    number = without_date(version_of(headings))
    if number[:1].isdigit() or number[1:2].isdigit():
        return release_of(number)
    for heading in reversed(headings):
        if (found := _in_heading(heading)) is not None:
            return found
    stem = _ENDING.sub("", uri.rpartition("/")[2])
    named = numbers_in(re.sub(r"(?<=\d)_(?=\d)", ".", stem).replace("_", " "))
    return release_of(named[-1]) if named else None


def _in_heading(heading: str) -> Release | None:
    if len(heading) > LONGEST_HEADING:
        return None
    numbers = numbers_in(heading)
    if not numbers or (len(numbers) == 1 and _NUMBERED.match(heading)):
        return None
    return release_of(numbers[-1])


def order_of(release: Release) -> tuple[tuple[int, int, str], ...]:
    """A key by which 1.0a37 comes before 1.0, and that before 1.0.1."""
    parts = [(1, part, "") if isinstance(part, int) else (-1, 0, part) for part in release]
    return (*parts, (0, 0, ""))


def nearness(asked: Release, release: Release) -> float:
    """1 for the release that is asked for and the first of its line, less for a later one of the line, 0 for any other."""
    shared = min(len(asked), len(release))
    if asked[:shared] != release[:shared]:
        return 0.0
    if not any((*asked[shared:], *release[shared:])):
        return FIRST_OF_LINE
    return LATER_IN_LINE if len(release) > len(asked) > 1 else 0.0
