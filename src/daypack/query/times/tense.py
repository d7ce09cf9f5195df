"""The tense of a question: whether a date without a year is the last of its name or the next.

"who led the team in January?"        the last January
"who will lead the team in January?"  the next January
"is the office open in December?"     the next December where it is near, else the last one
"""

from __future__ import annotations

import enum
import re

_PAST = r"(?i)\b(?:did|didn['’]t|was|wasn['’]t|were|weren['’]t|had|hadn['’]t)\b"
# not the name Will, nor a last will
_WILL = r"\b(?<!free )(?<!last )will\b|(?:\A|[.?!\n] *)Will\b|(?<=[a-z])['’]ll\b|\bwon['’]t\b"
_AHEAD = (
    r"(?i)\b(?:shall|upcoming|planned|scheduled"
    r"|(?:am|is|are|be|(?<=['’])(?:m|s|re)) (?:[^.?!]{1,60} )?(?:going|due|about) to)\b"
)
_PRESENT = (
    r"(?i)\b(?:is|isn['’]t|are|aren['’]t|am|does|doesn['’]t|must|should)\b|\b(?:what|when|where|who|how)['’]s\b"
    r"|\bwho [a-z]{2,}s\b|\bwhat (?:begins|changes|ends|happens|starts)\b"
)

# "who led", not "users who signed up"
DID = r"(?:did|was|were|had|(?<!\w )(?<!\w, )who (?!need\b)\w*(?:ed|ran|held|paid))"


class Tense(enum.Enum):
    PAST = "past"  # also of a text that does not tell
    PRESENT = "present"
    FUTURE = "future"


def tense_of(text: str) -> Tense:
    if re.search(_PAST, text):
        return Tense.PAST
    if re.search(_WILL, text) or re.search(_AHEAD, text):
        return Tense.FUTURE
    return Tense.PRESENT if re.search(_PRESENT, text) else Tense.PAST


def says_past(text: str) -> bool:
    """True where a word says that the text is in the past."""
    return re.search(rf"(?i)\b{DID}\b", text) is not None
