"""Stories: sentences in which a user tells of a program. None of them seeks a way or a place.

I pay an order twice. The receipt shows it once. Shouldn't it agree? failure: the code is at fault
Refunds should have a limit. Nothing else may change.                change: the code is to be written
I run a shop behind a proxy. I'd like to log the address of clients. wish: a page tells how
"""

from __future__ import annotations

import re
from enum import Enum

from daypack.query.asking.complete import says_enough
from daypack.query.asking.phrases import instructs
from daypack.query.sections import SHORT_QUERY, Sections
from daypack.query.sentences import AUXILIARY, SENTENCE_END, asks

SHORTEST = 80  # characters

# The patterns are compiled at their first use: most questions are one sentence.
_REQUESTS = (
    r"(?i)(?:please |now |then |and )*(?:check|compare|describe|explain|fetch|find|get|give|help|identify|list|locate|look|mention|outline|recall|remember|remind|retrieve|say|search|show|summari[sz]e"
    r"|tell|trace|walk|write)\b"
)
# what comes with a change of the code, and never with its use
_CHANGE = (
    r"(?i)\b(?:add|cover|extend|include|plus|update|with|without|write|few|some|unit|and|by)(?: \w+){0,3} (?:tests?|specs?|changelog|readme|docs)\b|\b(?:tests?|specs?) (?:for|please|too|are|would)\b"
    r"|\b(?:keep|leave|remain|stay)(?:s|ing)?\b[^.;]{0,50}\b(?:default|standard|as (?:before|it|now|they|today)|unchanged|same|working|complete)\b|\bbackwards?[- ]compatib|\bnothing (?:else )?(?:may|must|should) change"
    r"|\bby default|\bexisting (?:\w+ )?(?:behaviou?r|calls|code|callers|names|patterns|tests|users)\b|\bplease (?:add|allow|let|make)\b|\b(?:be|make\w*) (?:adjustable|configurable|optional|possible)\b|\bopt-in\b|(?:\A|[.!?;] )(?:please )?(?:add|fix|implement|support) (?:an?|the|it|this|that|these|those)\b|\bacceptance criteria\b|\bas an? [^.,]{1,40},? I (?:want|need|would like)\b|\bfeature request\b"
)
_WISH = (
    r"(?i)\b(?:I|we)(?:['’]d| would|['’]ll)? (?:also |just |only |really |now )*(?:like|love|need|prefer|want|have|wish) (?!no\b|been\b|seen\b|a feeling\b)(?:\w+ )?(?:to|it|every|each|all|some)\b|\b(?:I|we)(?:['’]d| would) (?:like|love|prefer)\b|\b(?:I|we) (?:need|want)\b"
    r"|\b(?:I['’]m|I am|we['’]re|we are) (?:after|looking|trying|hoping)\b|\bmy (?:goal|aim|plan) is\b"
)
# … and no wish to use: "I'd like to see how it pads"
_CURIOUS = r"(?i)\b(?:I|we)(?:['’]d| would)? (?:like|love|want|need|wish) to (?:check|find out|know|learn|look at|see|understand) (?:how|if|what|when|where|whether|which|why)\b"
# a question for a place, a way or a page, and not "shouldn't it?": "how do I …?", "of those layers, how does it …?", "is there an option …?"
_AFTER = rf"(?i)[^?]*[,;:] (?:how|where|what|when) (?:{AUXILIARY})\b"
_SEEKS = (
    rf"{_AFTER}|(?:(?:and|so|then|but) )?(?:how|where|which|what|when|who|whose)\b|.*\b(?:can|could|do|did|may|must|should|am) (?:I|one)\b"
    r"|.*\b(?:is|are) there (?:an?|any|some|another)\b|.*\bis it possible\b|.*\bdo you\b"
    r"|.*\b(?:can|could|will|would) you (?:\w+ )?(?:describe|explain|give|help|list|recommend|show|suggest|summari[sz]e|tell|walk)\b"
)
_BROKEN = r"(?i)\b(?:fail(?:s|ed|ing|ure)?|crash\w*|traceback|wrong\w*|broken|bugs?|expected|exceptions?|segfault\w*)\b"
_ODD = (
    r"(?i)\b(?:but|yet|forever|rather than|should (?!I\b)|instead|although|though|despite|even|only|always|never|again|twice|still|empty|missing|lost|ignored|dropped|refused|reject\w*|swallow\w*|disappear\w*|surpris\w*|weird|strange\w*|odd|errors?|hangs?"
    r"|leak\w*|deadlock\w*|nothing|nil|null|none|nan|undefined|not|no|cannot|too|off by|stops?|stays?|comes? out|ends? (?:up )?(?:in|with)|inconsistent|supposed|no matter|as though|as if)\b|n['’]t\b"
)


class Story(Enum):
    """The thing that a story is about."""

    NONE = "none"  # the text is not a story
    FAILURE = "failure"
    CHANGE = "change"
    WISH = "wish"
    OTHER = "other"


def story_in(sections: Sections) -> Story:
    """The story of a query whose first line is a sentence, as its paragraphs go on; NONE of one with a title."""
    if sections.prose and not sections.title.endswith((".", "!")):
        return Story.NONE
    return story_of(in_a_line(sections))


def in_a_line(sections: Sections) -> str:
    """The title and the prose of a query as one line."""
    return f"{sections.title} {sections.prose}".replace("\n", " ").strip()


def story_of(text: str) -> Story:
    """The kind of a text of one line."""
    if len(text) < SHORTEST:
        return Story.NONE
    sentences = [sentence for sentence in re.split(SENTENCE_END, text) if not instructs(sentence)]
    requests = any(re.match(_REQUESTS, sentence) for sentence in sentences)
    told = [sentence for sentence in sentences if not (asks(sentence) or re.match(_AFTER, sentence))]
    asking = [sentence for sentence in sentences if sentence not in told]
    if len(sentences) > 1:
        asking = list(filter(says_enough, asking))  # "How can I fix it?" is about the story
    if asking:
        seeks = requests or any(re.match(_SEEKS, sentence) for sentence in asking)
        return Story.FAILURE if told and not seeks and _is_odd(text) else Story.NONE
    if re.search(_CHANGE, text):
        return Story.CHANGE
    if requests:
        return Story.NONE
    if re.search(_WISH, re.sub(_CURIOUS, " ", text)):
        return Story.FAILURE if re.search(_BROKEN, text) else Story.WISH
    if _is_odd(text):
        return Story.FAILURE
    return Story.OTHER if len(sentences) > 1 else Story.NONE


def _is_odd(text: str) -> bool:
    return bool(re.search(_ODD, text) or re.search(_BROKEN, text))


def subject_of(sections: Sections, story: Story) -> str:
    """The sentence of a query that names its subject: of a story the first one, as of a report its title."""
    if not sections.title:
        return sections.prose[:SHORT_QUERY]
    return sections.title if story is Story.NONE else re.split(SENTENCE_END, sections.title, maxsplit=1)[0]
