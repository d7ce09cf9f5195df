"""Complete questions, and those that need the words before them.

How are flags parsed?     complete
Why does this happen?     needs the sentence before it
And where is it called?   needs the question before it
"""

from __future__ import annotations

import re

from daypack.text import analysis
from daypack.text.name_sets import name_set

_POINTS = r"(?i)\b(?:it|its|this|that|these|those|they|them|their|there|such|same|above)\b"
# without the "that" of "a function that sails" and the "there" of "is there a way"
_POINTS_AWAY = (
    r"(?i)\b(?:it|its|they|them|their|these|those|this(?! (?:project|repo\w*|code ?base|code|package|library|file|store)\b)|same|he|she|him|her|his|hers"
    r"|another|others)\b|(?:\A|\b(?:about|after|and|are|at|before|by|can|did|do|does|for|from|how|in|into|is|like|of|on|than|to|was|why|with|without) )that\b"
)
_POINTS_BACK = (
    r"(?i)\b(?:this|that|these|those)\b(?= (?:up|off|out|to|in|for|with|on|at|is|was|be|work|happen)\b|\W*$)"
)
ENOUGH = 3  # a question with more telling words needs no sentence before it
# of advice asked for; they are in any question
_GENERAL = """advice advise approach approaches begin best change correct do fix going handle happen happened happening happens help idea ideas look
make may mean means might must need please possible proceed properly reason recommend recommended right solve start step steps suggest
suggested suggestions sure take thing things think thoughts true try understand use useful want way ways work works would wrong"""


def is_complete(question: str, *, more_than: int = 0) -> bool:
    """True of a question with a subject of its own, which points at nothing said before: it `says_enough` without a pronoun."""
    return says_enough(question, more_than=more_than) and not re.search(_POINTS_AWAY, question)


def says_enough(sentence: str, *, more_than: int = 0) -> bool:
    """True of a sentence that is a question by itself, because more than `more_than` of its words tell its subject. "Why?" and "How do
    I fix this?" need the sentence before them.
    """
    if re.search(_POINTS_BACK, sentence):
        return False
    return len(telling_words(sentence)) > (ENOUGH if re.search(_POINTS, sentence) else more_than)


def telling_words(sentence: str) -> list[str]:
    """The words of a sentence that tell its subject: neither stop words nor words of any question."""
    return [
        word
        for word in analysis.words(sentence.lower())
        if word not in analysis.STOP_WORDS and word not in name_set(_GENERAL)
    ]
