"""Numbers of sections: the parts of a long text that a question names by their numbers.

what does section 4.2 of the policy require?      4.2
MPL 2.0 clause 5.2                                5.2
may I leave early, by Article IV?                 IV
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections

MOST_NUMBERS = 3
WORDS = (
    "sections?|sect?\\.|clauses?|chapters?|articles?|paragraphs?|parts?|appendi(?:x|ces)|annex(?:es)?|bylaws?|rules?|schedules?"
    "|abschnitte?s?|kapitels?|ziffer|chapitres?|capítulos?|secci[oó]n(?:es)?|artículos?"
)
_NAMED = re.compile(
    rf"(?:\b(?i:{WORDS})[ ]|§{{1,2}}[ ]?)"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5}|(?![AI] [a-z])(?:[IVXLC]{1,6}|[A-Z]))(?![\w-]|\.\d)"
)


def numbers_of(sections: Sections) -> tuple[str, ...]:
    """The numbers of sections that a question names, in order; none for a report, whose numbers belong to its story."""
    if not sections.is_short:
        return ()
    named = (match["number"] for match in _NAMED.finditer(sections.words))
    return tuple(dict.fromkeys(named))[:MOST_NUMBERS]
