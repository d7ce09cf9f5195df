"""BibTeX: a piece for each entry, named after its key and its title.

    @article{hoffman2014,                   ┐
      author = {Hoffman and Gelman},        │ hoffman2014: The No-U-Turn Sampler
      title  = {The {No-U-Turn} Sampler},   │
    }                                       ┘

Text between entries is a comment for BibTeX, and belongs to the entry below it.
"""

from __future__ import annotations

import re

from daypack.chunk.sizing import Draft, Drafts, blocks
from daypack.types import PieceKind

NAME_LIMIT = 200

_ENTRY = re.compile(r"^[ \t]*@(?P<kind>\w+)[ \t]*[{(][ \t]*(?P<key>[^\s,{}()=]*)[ \t]*,?", re.MULTILINE)
_TITLE = re.compile(
    r"\btitle\s*=\s*[{\"](?P<title>(?:[^{}\"]|\{[^{}]*\}|\"(?!\s*,?\s*\n)){1,400})", re.IGNORECASE
)


def cut_bibtex(text: str) -> Drafts:
    """A draft for each entry; runs of lines for a text without entries."""
    entries = [*_ENTRY.finditer(text)]
    if not entries:
        return Drafts(blocks(text))
    drafts: list[Draft] = []
    start = 0
    for entry, following in zip(entries, [*entries[1:], None], strict=True):
        end = len(text)
        if following is not None:  # a comment directly above an entry belongs to it
            end = text.rfind("}", entry.end(), following.start()) + 1 or following.start()
        title = _TITLE.search(text, entry.end(), end)
        said = " ".join(title["title"].replace("{", "").replace("}", "").split()) if title else ""
        name = ": ".join(filter(None, (entry["key"], said)))[:NAME_LIMIT]
        drafts.append(Draft(start, end, PieceKind.ROW, name, section=len(drafts)))
        start = end
    return Drafts(drafts)
