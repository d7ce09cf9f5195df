"""Sentences of a line, and those among them that ask.

Where are flags parsed? I use zsh.      two, of which the first asks
When a flag is empty, parsing fails.    one, which tells
"""

from __future__ import annotations

import re

# Alternatives of patterns, also of those of other modules: words that questions begin with.
WH = "how|what|why|where|when|which|who"
AUXILIARY = "is|are|was|were|do|does|did|can|could|should|will|would"
# Verbs of a change to be made, as tasks and commit messages begin; without verbs that are nouns as often, as "support" and "update"
# are. Users of a program do none of the first.
CHANGES_BY_AUTHORS = (
    "bump|deprecate|fix|implement|improve|optimi[sz]e|refactor|rename|revert|rewrite|simplify"
)
CHANGES = (
    f"{CHANGES_BY_AUTHORS}|add|allow|avoid|convert|delete|disable|drop|enable|ensure|expose|extend|extract|handle|introduce|make|migrate|move"
    "|prevent|remove|replace|skip"
)

# The patterns are compiled at their first use: most questions are one sentence.
SENTENCE_END = r"(?<=[.?!])\s+"
_ENDS = rf"{SENTENCE_END}|(?<=[.?!][\"'`”)])\s+"
_BEGINS = rf"(?i:{WH}|can|could|should|does|do|is|are|and|also|then)\b|[^\W\d_a-z]|[\"'`“(]"
_ABBREVIATED = r"(?:\b(?:[A-Z]\w{0,3}|\w|etc|vs|approx|cf)|\d)\.$"
# of the asker, not of the subject
OF_ASKER = (
    r"(?i)(?:I|we)(?:['’](?:m|re|ve)| am| are| have been| was| were)? (?:currently |also |just |now )?(?:(?:working|writing|preparing|building|reviewing|studying"
    r"|evaluating|migrating|planning|new|run|running|use|using|work|maintain|own|inherited|joined)\b|(?:need|want) (?:this|it|that)\b|have \S+ open\b)"
)
_QUESTION = re.compile(rf"(?:{WH}|{AUXILIARY})\b", re.IGNORECASE)
# "When a flag is empty, …", "What we get is …", "Which makes me think …", "Do not …", "Could carts have names."
_TELLS = rf"(?i)do(?:n['’]t| not)\b|could\b.*\.$|when(?:ever)? (?!(?:{AUXILIARY}|has|have|had|must|may|might)\b)|what (?:I|we|you|they) [^?]{{1,60}}? (?:is|was|are|were)\b(?!.*\?)|which (?:is why|makes?|made|means?|meant)\b(?!.*\?)"


def asks(sentence: str) -> bool:
    """True when a sentence is a question."""
    if sentence.rstrip().endswith("?"):
        return True
    return _QUESTION.match(sentence) is not None and not re.match(_TELLS, sentence)


def asked_in(line: str, longest: int) -> str:
    """The sentences of a line that ask; a line of at most `longest` characters as it is."""
    return line if len(line) <= longest else " ".join(filter(asks, sentences_in(line)))


def sentences_in(text: str) -> list[str]:
    """The sentences of a line; a point after a number, an initial or an abbreviation ends one before a word that asks alone."""
    sentences: list[str] = []
    for part in re.split(_ENDS, text):
        begins = re.match(_BEGINS, part)
        is_sure = (begins and len(begins[0]) > 1) or (sentences and re.match(OF_ASKER, sentences[-1]))
        if sentences and not is_sure and (not begins or re.search(_ABBREVIATED, sentences[-1])):
            sentences[-1] += f" {part}"
        else:
            sentences.append(part)
    return sentences
