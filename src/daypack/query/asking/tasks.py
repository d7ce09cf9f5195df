"""Tasks: a change of the code, however one asks for it.

    Where do I have to change the code to fix the parser?    fix the parser
    Which files need to change to add a retry?               add a retry
    I want you to rename the option                          rename the option
    Can you please refactor the mailer?                      refactor the mailer

"Where do I change the colour?" may be about use, and "can you add a colour?" about an ability: they stay.
"""

from __future__ import annotations

import re

from daypack.query.sentences import CHANGES, CHANGES_BY_AUTHORS

_PLACE = (
    r"(?:where|(?:in |at )?(?:which|what) (?:source |code )?(?:files?|places?|functions?|methods?|class(?:es)?|modules?|lines?|parts? of the \w+))"
    r"(?: in (?:the|this|our) (?:code|code ?base|source|repository|repo|project))?"
)
_EDIT = r"(?:change|edit|modify|touch|adapt|update)"
_ASKED = (
    rf"(?i){_PLACE} (?:(?:do|should|must|would) (?:I|we|you) (?:(?:have|need) to )?{_EDIT}(?: the code| code| something| anything)?"
    rf"|(?:ha(?:ve|s)|needs?) to (?:change|be changed))(?: in order)? to (?=\w)"
)
_TOLD = (
    r"(?i)(?:please )?(?:(?:(?:I|we) (?:want|need)|(?:I|we)['’]d like|(?:I|we) would like) you to|(?:your|the) (?:task|job|goal) is to"
    r"|(?:implement|make|do|apply) (?:the following|this) (?:change|task|feature|fix)\s*:"
    rf"|(?:(?:can|could|would|will) you|(?:I|we) (?:want|need|have) to|we should|let['’]?s)(?= (?:{CHANGES_BY_AUTHORS})\b)"
    rf"|(?:please )?(?:can|could|would|will) you (?:please|kindly)(?= (?!skip\b)(?:{CHANGES}|support)\b)) (?=\w)"
)
_FIRST_LETTERS = frozenset("wWiIaAyYtTmMdDpPcClL")


def change_in(line: str) -> str:
    """The change that a line asks for; any other line as it is."""
    if line[:1] not in _FIRST_LETTERS:
        return line
    if asked := re.match(_ASKED, line):
        return line[asked.end() :].rstrip("? ")
    if told := re.match(_TOLD, line):
        return line[told.end() :].rstrip("? ")
    return line
