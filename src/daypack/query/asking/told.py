"""Sentences beside a question: its occasion, or a question that follows it. Their words count half as much as those of the question, and say
nothing about its kind.

    We run this on Kubernetes. | How are flags parsed?
    flag parsing | I need this for a blog post.
    How are flags parsed? | And why?

A sentence stays with the question where the question points at it: "Flags are ignored. Why does this happen?"
"""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.query.asking.addressing import question_of
from daypack.query.asking.complete import says_enough
from daypack.query.asking.pasted import Pasted
from daypack.query.asking.phrases import FOLLOWS, instructs
from daypack.query.sentences import OF_ASKER, asks, sentences_in

# The patterns are compiled at their first use: most questions are one sentence.
_TELLING = 1  # a question beside pasted text has more telling words
# the line of a prompt that has the question
_LABELLED = (
    r"(?im)^[#>*\s]*(?:(?:the |my |user |user['’]s )?(?:question|query|request)|user|human|task)[*\s]*:[*\s]*(?P<line>\S.*)$"
    r"|<(?P<tag>(?:user_)?(?:question|query|request)|user|task)>(?P<inside>[^<]+)</(?P=tag)>"
)
# in a long text a query, a request or a user may be a part of the report
_LABELLED_IN_LONG = (
    r"(?im)^[#>*\s]*(?:the |my |user |user['’]s )?question[*\s]*:[*\s]*(?P<line>\S.*)$"
    r"|<(?P<tag>(?:user_)?(?:question|query))>(?P<inside>[^<]+)</(?P=tag)>"
)


class Told(NamedTuple):
    """A text of one line in two parts: sentences that ask, and those beside them. Without the latter, the former are the text."""

    asked: str
    beside: str
    is_labelled: bool = False  # "Question: …"
    is_pasted: bool = False  # the rest is not of the asker


def told_in(text: str, pasted: Pasted | None, *, is_short: bool = True) -> Told:
    """The sentences of a short text that ask for something, apart from those that only say more; of a long one, the question after a label. `pasted` are the
    parts of a text with pasted lines.
    """
    label = _LABELLED if is_short else _LABELLED_IN_LONG
    if (":" in text or "<" in text) and (labelled := re.search(label, text)):
        around = f"{text[: labelled.start()]} {text[labelled.end() :]}"
        beside = [sentence for sentence in sentences_in(" ".join(around.split())) if not instructs(sentence)]
        return Told(
            question_of((labelled["line"] or labelled["inside"]).strip()), " ".join(beside), is_labelled=True
        )
    if pasted is not None and asks(pasted.said) and says_enough(pasted.said, more_than=_TELLING):
        return Told(question_of(pasted.said), pasted.rest, is_labelled=True, is_pasted=True)
    if not is_short or "\n" in text.strip():
        return Told(text, "")
    sentences = sentences_in(text.strip())
    if len(sentences) < 2:
        return Told(text, "")
    first = [sentence for sentence in sentences[1:] if not FOLLOWS.match(sentence) or says_enough(sentence)]
    first = [*sentences[:1], *first]
    asking = list(filter(asks, first)) or [sentence for sentence in first if not re.match(OF_ASKER, sentence)]
    beside = [sentence for sentence in sentences if sentence not in asking]
    is_whole = asking and (any(map(says_enough, asking)) or all(map(FOLLOWS.match, beside)))
    if not beside or not is_whole:
        return Told(text, "")
    return Told(" ".join(asking), " ".join(beside))
