"""Plain text in pages, as it was made for a printer: its running heads and feet become blank lines.

    …  then the server waits.                    …  then the server waits.

    Berg & Noor            [Page 12]
    ^L                                      →
    Protocol of the Ferry       1998

    The client answers                           The client answers

The lines by which GNU Info finds its nodes are blank lines too. Lines keep their numbers, so that a citation leads to its line in the file. A head that names no page stays once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

LEAST_PAGES = 3  # fewer equal heads or feet may be chance
SHARE = 0.25  # of all pages; left and right pages, and chapters, may have heads of their own (guess)
_FARTHEST = 8  # lines from a break to the head or foot of the page
_FEED = "\f"
_FOOT = re.compile(
    r"\S.*[ \t]\[page[ \t]+[\divxlc]+\]\s*|\s*[-–—\[(]*[ \t]*(?:page[ \t]+)?\d{1,4}[ \t]*[-–—\])]*\s*",
    re.IGNORECASE,
)
_NODE = re.compile(
    r"\x1f\f?\n(?:(?:Tag Table|Indirect|Local Variables):[^\x1f]*|(?:File|Node): [^\n]*|End Tag Table)|\x1f"
)
_GAP = re.compile(r"[ \t]{3}")  # between the columns of a head or foot
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")


def without_page_breaks(text: str) -> str:
    """The text with blank lines for the heads and feet of its pages and for its page breaks; other text as it is."""
    if "\x1f\n" in text:
        text = _NODE.sub(lambda found: "\n" * found[0].count("\n"), text)
    if text.count(_FEED) < LEAST_PAGES and len(_ends(text)) < LEAST_PAGES:
        return text
    lines = text.split("\n")
    heads: list[int] = []
    feet: list[int] = []
    for at, line in enumerate(lines):
        if _FEED in line:
            feet += _nearest(lines, range(at - 1, max(-1, at - 1 - _FARTHEST), -1))
            heads += _nearest(lines, range(at, min(len(lines), at + _FARTHEST)))
        elif _names_page(line):
            feet.append(at)
            if not any(_FEED in below for below in lines[at + 1 : at + _FARTHEST]):
                heads += _nearest(lines, range(at + 1, min(len(lines), at + _FARTHEST)))
    found = sorted({*heads, *feet})
    words = {at: " ".join(lines[at].replace(_FEED, "").split()) for at in found}
    forms = {at: _NUMBER.sub("#", words[at]) for at in found}
    pages = Counter(forms.values())
    variants: dict[str, set[str]] = defaultdict(set)
    for at in found:
        variants[forms[at]].add(words[at])
    least = max(LEAST_PAGES, SHARE * max(len(heads), len(feet)))
    tops, bottoms = {*heads}, {*feet}
    kept: set[str] = set()
    for at in found:
        form, line = forms[at], lines[at]
        counts = _FOOT.fullmatch(line) is not None
        if pages[form] >= least:
            if len(variants[form]) > 1 and not counts and not _GAP.search(line.strip()):
                continue  # "Chapter 3", each on a page of its own
            if at in tops and len(variants[form]) == 1 and form not in kept:
                kept.add(form)
                continue
            lines[at] = ""
        elif counts and at in bottoms:
            lines[at] = ""
    return "\n".join(line.replace(_FEED, "") for line in lines)


def _ends(text: str) -> list[str]:
    return re.findall(r"(?im)[ \t]\[page[ \t]+[\divxlc]+\][ \t\r]*$", text)


def _names_page(line: str) -> bool:
    return line.rstrip().endswith("]") and _FOOT.fullmatch(line) is not None


def _nearest(lines: list[str], indexes: range) -> list[int]:
    """The first of the lines that is not blank."""
    return next(([at] for at in indexes if lines[at].strip()), [])
