"""Lists of items to fill in, as templates have under a heading: `- [ ]`."""

from __future__ import annotations

import re

_BLANK = re.compile(r"[\s_.…-]*")  # of a line to fill in
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)])[ \t]*(?:\[[ xX]?\])?", re.MULTILINE)
COMMENTS_AND_HEADINGS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"<!--[\s\S]*?-->",
        r"^(?:#{1,6}|={1,6})[ \t][^\n]*",
        # a line below an item is a rule, and underlines nothing
        r"^(?![-*+•][ \t]|\d+[.)][ \t])\S[^\n]*\n([=\-~^\"'`*+#.:_])\1{2,}[ \t]*$",
    )
)


def is_unfilled(text: str) -> bool:
    """True when no item of a list says anything, whatever the headings and comments beside the items say."""
    for pattern in COMMENTS_AND_HEADINGS:
        text = pattern.sub("", text)
    return _BLANK.fullmatch(_ITEM.sub("", text)) is not None
