"""The marks before a quoted line: `> ` of mail, `| ` of a box, `web-1  | ` of a container's log."""

from __future__ import annotations

import re

# A number before the bar is that of a line of code, which shows a place of its own.
_PREFIX = r"(?:(?:>|\||[\w.:-]{0,60}[A-Za-z][\w.:-]{0,60} {0,20}\|)(?:\s+|\Z))+"
_EARLIEST = 130  # characters in which a bar must follow


def without_quoting(line: str) -> str:
    """A line without the marks that quote it, and without blanks around it."""
    bare = line.strip()
    if not bare.startswith((">", "|")) and "|" not in bare[:_EARLIEST]:
        return bare
    match = re.match(_PREFIX, bare)
    return bare[match.end() :].strip() if match else bare
