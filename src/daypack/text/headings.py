"""Headings of Markdown as one reads them: HTML tags go, an image leaves its description."""

from __future__ import annotations

import re

# Only tags that occur in headings: `Vec<T>` and <stdio.h> are names.
_TAGS = "a|abbr|b|big|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|mark|p|picture|s|small|source|span|strong|sub|summary|sup|svg|tt|u"
_IMAGE = re.compile(r"""<img\b[^<>]*?\balt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]*>""", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE = re.compile(r"(`+[^`]*`+)")


def without_html(heading: str) -> str:
    """The heading without HTML; code spans keep theirs."""
    if "<" not in heading:
        return heading
    parts = _CODE.split(heading)
    for number in range(0, len(parts), 2):
        text = _IMAGE.sub(lambda match: match[1] or match[2] or "", _COMMENT.sub("", parts[number]))
        parts[number] = _TAG.sub("", text)
    return "".join(parts)
