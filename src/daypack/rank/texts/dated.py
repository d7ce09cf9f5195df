"""Texts that say since which version a thing is so: entries of changelogs, and texts with a mark of a version.

question   since which release can I pass a currency?
entry      2.4.0 › Added: the cart takes a currency
mark       .. versionadded:: 2.4
"""

from __future__ import annotations

import re

import numpy as np

from daypack.rank.texts.pool import Texts
from daypack.text.changelogs import numbers_in
from daypack.types.arrays import Bools

LISTED = 3  # guess
UNDATED_PRIOR = 0.6  # .4 to .6 is flat
_MAY_SAY = re.compile(r"\d\.\d|@since|@deprecated|version(?:added|changed|removed)")
_MARK = re.compile(
    r"(?i)\bversion(?:added|changed|removed)\b|\bdeprecated:: ?v?\d|@(?:since|deprecated)\b|\bdeprecated\(\s*since\b|\bdeprecate_\w+\(\s*[\"']\d"
    r"|\b(?:since|as of|prior to|new in|(?:added|introduced|removed|deprecated|dropped|changed|fixed|available|required|renamed|replaced) (?:in|since|as of|from|with|before))"
    r" (?:[\w-]+ )?(?:version |release )?v?\d{1,4}\.\d"
)


def undated(texts: Texts, changelog: Bools, page: Bools) -> Bools:
    """bool (n,): texts outside changelogs, without a mark of a version, and other than pages that list versions."""
    without = ~changelog
    places = np.flatnonzero(without)
    without[places] = [
        not _is_dated(text, may_list=may_list)
        for may_list, text in zip(page[places].tolist(), texts.at(places), strict=True)
    ]
    return without


def _is_dated(text: str, *, may_list: bool) -> bool:
    # Few texts have a number with a point, and only these are searched for long.
    return _MAY_SAY.search(text) is not None and (
        _MARK.search(text) is not None or (may_list and len(numbers_in(text, LISTED)) == LISTED)
    )
