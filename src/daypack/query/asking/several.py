"""Several questions in one text. Each is ranked on its own: a text that answers one of them holds few words of the others.

    1. How are flags parsed?          How are flags parsed? Where are aliases resolved?
    2. Where are aliases resolved?    How are flags parsed, and where are aliases resolved?

Those before a question are its history, which tells the subject of a half that points back ("…, and who calls it?"). A whole text
stays together when one of its sentences points back ("When was he born?") or says too little ("And why?"). A list of full sentences
is a story.
"""

from __future__ import annotations

import re

from daypack.query.asking.complete import is_complete, says_enough, telling_words
from daypack.query.asking.layout import items_of, says_nothing, without_letterhead
from daypack.query.sentences import AUXILIARY, WH, sentences_in

_LONGEST = 600  # characters; a longer text is a report
_MOST = 5
_TELLING = 1  # each question has more telling words than this
_BEFORE = "(?:(?:after|at|before|by|during|for|from|in|of|on|since|to|under|until|with) )?"
_NOUNS = "what|which|whose|who"  # they ask for a thing, and begin clauses as well
_ASKS = rf"(?i){_BEFORE}(?:{WH}|whose|{AUXILIARY})\b"
# Behind "how", "when", "where" and "why" of a question an auxiliary comes before its subject: "how long entries live" is a clause.
_JOINT = (
    rf"(?i),? (?:and|but)(?: also)? (?={_BEFORE}(?:{_NOUNS}"
    rf"|(?:how|when|where|why)(?: \S+){{0,4}} (?:{AUXILIARY}|had|has|have|may|might|must))\b(?!\?))"
)
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
        if len(sentences) < 2:
            return _halves_of(body)
        parts = [sentence for sentence in sentences if not says_nothing(sentence)]
        parts = [re.sub(_ALSO, "", sentence) for sentence in parts]
        are_whole = all(map(_is_whole, parts))
    return parts if 2 <= len(parts) <= _MOST and are_whole else []


def _halves_of(sentence: str) -> list[str]:
    """The two questions that a sentence joins by "and" or "but"; none of any other sentence."""
    if not sentence.endswith("?") or not re.search(" (?:and|but) ", sentence):
        return []  # most texts: they compile no pattern for questions
    if not re.match(_ASKS, sentence):
        return []
    for joint in re.finditer(_JOINT, sentence):
        first, second = f"{sentence[: joint.start()]}?", sentence[joint.end() :]
        if _is_in_quotation(first) or _asks_within(first, second):
            continue
        if says_enough(first, more_than=_TELLING) and telling_words(second):
            return [first, second[0].upper() + second[1:]]
    return []


def _is_in_quotation(lead: str) -> bool:
    """True for the text before a place in quotes, code or brackets."""
    return bool(lead.count('"') % 2 or lead.count("`") % 2) or any(
        lead.count(first) > lead.count(last) for first, last in ("()", "“”", "«»")
    )


def _asks_within(first: str, second: str) -> bool:
    """True for the end of a clause: "which hosts are allowed and which are blocked" behind "Where is the code that checks"."""
    word = re.match(rf"(?i){_BEFORE}({_NOUNS})\b", second)
    return word is not None and word[1].lower() in re.findall(r"\w+", first.lower())[1:]


def _is_whole(question: str) -> bool:
    return question.endswith("?") and is_complete(question, more_than=_TELLING)
