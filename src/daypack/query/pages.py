"""Pages of documents: the places that a question names by their numbers.

page 4 of the forklift manual        page 4
kickoff deck, slide 4                slide 4
sheet 2 of the budget                sheet 2
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections
from daypack.types import PageAsked

MOST_PAGES = 3
_UNITS = {
    "page": "page",
    "seite": "page",
    "página": "page",
    "slide": "slide",
    "folie": "slide",
    "chapter": "chapter",
    "kapitel": "chapter",
    "sheet": "sheet",
}
_NAMED = re.compile(rf"(?i)\b({'|'.join(_UNITS)})s?[ ](?:no\.?[ ]?|#)?(\d{{1,4}})(?![\w-]|[.:]\d)")


def pages_of(sections: Sections) -> tuple[PageAsked, ...]:
    """The places that a question names, in order; none for a report, whose numbers belong to its story."""
    if not sections.is_short:
        return ()
    found = (
        PageAsked(_UNITS[match[1].lower()], int(match[2]), match[0])
        for match in _NAMED.finditer(f"{sections.title}\n{sections.prose}")
    )
    return tuple(dict.fromkeys(found))[:MOST_PAGES]
