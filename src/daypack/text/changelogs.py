"""Changelogs by their contents: headings that are versions, with lists below them, the newest first or each with its date.

A name tells most of them. An archive of old releases, or the notes of each release in one page, may be called anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

LEAST_VERSIONS = 4  # guess: a page about an upgrade has sections for two or three
LONGEST = 100_000  # characters that are read: the newest versions tell
MOST = 3 / 4  # of the headings, or of the steps between them
_VERSION = re.compile(
    r"(?mi)^[#=*\[\s]{0,8}(?:[\w@/.-]{1,40}[ @])?(?:version |release |v\.? ?)?(?P<said>v?(?P<number>\d{1,4}(?:\.\d{1,6}){1,3})(?:[-.]?(?:alpha|beta|rc|m|a|b|final|release)[-.]?\d*)?)"
    r"\]?(?:\([^)\n]*\))?[\s:/–—-]*(?P<date>(?:[\[(][^\])\n]{0,40}[\])]|(?:released )?(?:on )?[\w.,/-]*\d{4}[\w.,/-]*|\w{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} \w{3,9} \d{4}|unreleased)?)[\s#=*]*$"
)
_ITEM = re.compile(r"(?m)^\s*[-*+•] ")


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


def version_of(headings: Sequence[str]) -> str:
    """The innermost of the headings above a text that is a version; "" without one."""
    return next((heading for heading in reversed(headings) if _VERSION.fullmatch(heading)), "")


def without_date(version: str) -> str:
    """A heading that is a version, without its date, link and marks: `2.4.0` of `[2.4.0] - 2024-03-05`."""
    found = _VERSION.fullmatch(version)
    return found["said"] if found else version


def below_version(name: str, trail: Sequence[str]) -> str:
    """The nearest heading of a text, behind the version that it is about: `2.4.0 › Fixed`."""
    version = version_of((*trail, name))
    if not name:
        return " › ".join(trail)
    return f"{without_date(version)} › {name}" if version not in ("", name) else name
