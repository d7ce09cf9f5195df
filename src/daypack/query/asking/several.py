"""Several questions in one text. Each is ranked on its own: a text that answers one of them holds few words of the others.

    1. How are flags parsed?          How are flags parsed? Where are aliases resolved?
    2. Where are aliases resolved?

A question that points back ("When was he born?", "And why?") stays with the one before it, and one of two halves ("How are flags
parsed, and which flags are hidden?") as well: they share a subject. A list of full sentences is a story.
"""

from __future__ import annotations

import re

from daypack.query.asking.complete import is_complete, says_enough
from daypack.query.asking.layout import items_of, says_nothing, without_letterhead
from daypack.query.sentences import sentences_in

_LONGEST = 600  # characters; a longer text is a report
_MOST = 5
_TELLING = 1  # each question has more telling words than this
_ALSO = r"(?i)\A(?:and|also|then|plus|finally),? "


def questions_in(text: str) -> list[str]:
    """The questions of a text that has two to five and nothing else; none of any other text."""
    body = without_letterhead(text.strip())
    if len(body) > _LONGEST:
        return []
    parts = items_of(body)
    if parts:
        tells = all(part.endswith((".", "!")) for part in parts)
        are_whole = not tells and all(says_enough(part) for part in parts)
    elif "\n" in body:
        return []
    else:
        sentences = sentences_in(body)
        if len(sentences) < 2:  # most texts: they compile no pattern for phrases
            return []
        parts = [sentence for sentence in sentences if not says_nothing(sentence)]
        parts = [re.sub(_ALSO, "", sentence) for sentence in parts]
        are_whole = all(map(_is_whole, parts))
    return parts if 2 <= len(parts) <= _MOST and are_whole else []


def _is_whole(question: str) -> bool:
    return question.endswith("?") and is_complete(question, more_than=_TELLING)
