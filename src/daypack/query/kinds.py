"""The kind of a query and the intent of its asker, by the form of its words."""

from __future__ import annotations

import re

from daypack.query.names import Names
from daypack.query.sections import ERROR_LINE, SHORT_QUERY, Sections
from daypack.text import analysis
from daypack.types import Anchor, AnchorKind, Intent, QueryKind

_SHORT_LEAD = 3  # telling words beside a stack trace that say no more than "why does this fail?"

_TESTS = re.compile(
    r"\b(?:tests?|unit ?tests?|unittests?|pytest|jest|testcases?|specs?|conftest|fixtures?|test suite)\b",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|documented|readme|changelog|tutorials?|manual|guides?|(?<!for )examples?|how-?tos?|quick ?start)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:how|what|why|where|when|which|who|can|could|should|is|are|was|were|does|do|did|will|would)\b",
    re.IGNORECASE,
)
# First person: the asker wants to use a thing. Of 160 questions about the insides of eight projects none says so, of
# 60 about their use three quarters. Those who work on a project say "we" and "our".
_FIRST_PERSON = re.compile(
    r"\b(?:I(?!/)|[Mm]y|mine|myself|me|(?:do|can|could|should|must|may) i"
    r"|(?i:(?:how (?:can|could)|do|should|must) (?:you|one)|(?:can|may) one))\b"
    # "We get an error", and not "where do we raise it?"
    r"|(?:\A|[,;.] |\b(?:after|although|and|as|because|but|if|since|when|whenever) )[Ww]e\b"
)
_PLURAL = re.compile(r"(?i)\b(?:how|can|could|should|may|must) (?:do |can |could |should |must )?we\b")
# … and so is this "I": "I'm working on …", "… is broken, where should I look?"
_WORKS_ON = re.compile(
    r"\bI(?:['’]m| am)(?: currently| now)? (?:working on|debugging|reviewing|refactoring|changing|fixing|reading)\b|\bI (?:think|suspect|believe|guess)\b"
    r"|\bI (?:do not|don['’]t) understand\b|\b(?:should|do|can) I (?:start|begin|look|read)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:I|we)(?: (?:want|need|have|plan|would like|(?:am|are) (?:going|trying))|['’](?:m|re) (?:going|trying)|['’]d like) to"
    r" (?:change|modify|edit|fix|extend|refactor|rewrite|rename|improve|optimi[sz]e|debug|review|touch|clean)\b",
    re.IGNORECASE,
)
# "I am struggling to see | how flags are parsed": the question is an object, and its asker outside. Behind a comma it is about
# the trouble of the asker: "My flags are ignored, what overrides them?"
_WITHIN = re.compile(
    r"(?:what (?:I|we)\b|(?!(?:how|what|where|which|who|whose|why|when)\b)).*?[^\s,;:–-]\s+(?=(?:how|what|where|whether|why)\b)",
    re.IGNORECASE,
)
_AUXILIARY = "can|could|should|may|must|is|are|was|were|does|do|did|will|would|has|have"
# Questions that a page answers as often as the code: reasons, policies, facts.
_OPEN_QUESTION = re.compile(
    r"(?:why|whose|who|when|how (?:long|many|much|often|old|soon|must|should)|what(?! happens| does\b)|which(?! (?:function|class|method|module|file|code|type|struct)\b)"
    rf"|within|{_AUXILIARY})\b",
    re.IGNORECASE,
)
# Such a question for a rule, or for the life of a project around its code: pages lay both down.
_RULE = re.compile(
    r"\b(?:must|should|ha(?:ve|s) to|allowed|needed|required|supported|recommended|installs?|installing|installed|upgrades?|upgrading|upgraded|releases?|releasing"
    r"|released|publish(?:es|ing|ed)?|licen[cs]es?|patch(?:es)?|contribut\w+|compilers?|platforms?)\b",
    re.IGNORECASE,
)
# Such a question for an option, or for what became of a thing: pages describe options, and the code has nothing left of
# a removed thing. "Why is it removed?" asks for a reason, which either tells.
_FLAG = r"(?<!\S)[\"'`(]?--[a-z]"
_OPTION = re.compile(
    rf"\b(?:options?|settings?|flags?|environment variables?|defaults?)\b|{_FLAG}", re.IGNORECASE
)
# "What does --dry-run do?"; of a function the same words ask for the insides.
_OPTION_DOES = re.compile(
    rf"what does\b.*?(?:{_FLAG}|\b(?:option|setting|flag|switch|environment variable) (?:do|mean|control)\b)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:deprecat\w*|migrat\w*|no longer|any ?more|superseded|since|instead of|(?:which|what) (?:version|release)|what (?:replace[sd]?|changed)"
    r"|(?:was|were|been)\b[^?]{1,80}\b(?:removed|renamed|replaced|dropped|added|introduced|moved)"
    r"|(?:called|named|written|used?) (?:now|instead)|v\d+(?:\.\d+)*|(?:in|from|to|until|before|after) \d+\.\d+)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"wh(?:y|ose?)\b", re.IGNORECASE)
# "After how long …", "If two share it, is it …": a preposition or a clause before the word that asks.
_BEFORE_ASKING = re.compile(
    rf"(?:[^,.?!]+, (?=(?:how|what|why|where|when|which|whose|who|{_AUXILIARY})\b))?"
    r"(?:(?:about|after|at|by|for|from|in|into|of|on|since|to|under|until|with|within) (?=(?:how|what|when|which|whose|whom)\b))?",
    re.IGNORECASE,
)
_SENTENCE_END = r"(?<=[.?!])\s+(?=[^\W\d_])"
# A change to be made, as tasks and commit messages begin; without verbs that are nouns as often, as "support"
# and "update" are.
_CHANGE = (
    r"(?i)(?:[\w/().-]{1,40}: )?(?:please )?(?:add|allow|avoid|bump|convert|delete|deprecate|disable|drop|enable|ensure|expose|extend|extract|fix"
    r"|handle|implement|improve|introduce|make|migrate|move|optimi[sz]e|prevent|refactor|remove|rename|replace|revert|rewrite|simplify|skip)"
    r"(?:s|es|ed|d|ing)?\b"
)

_I = frozenset({"i", "me", "my", "mine", "myself"})
_YOU = frozenset({"you", "your", "yours"})
_REQUEST = r"\b(?:can|could|will|would) you\b"


def is_about_asker(text: str, question: str) -> bool:
    """True of a text with "I" whose question has no "you", unless that asks for something ("can you list …")."""
    words = frozenset(analysis.words(text.lower()))
    asked = frozenset(analysis.words(re.sub(_REQUEST, " ", question.lower())))
    return not _I.isdisjoint(words) and _YOU.isdisjoint(asked)


def asks_for_tests(asked: str) -> bool:
    """True when the words of a question name tests."""
    return bool(_TESTS.search(asked))


def asks_for_docs(asked: str) -> bool:
    """True when the words of a question name documentation."""
    return bool(_DOCS.search(asked))


def is_about_code(sections: Sections, *, named: bool) -> bool:
    """True when it reads as a report or a task about code, not as a question, which documentation may answer
    as well.

    A text with a title and a body is a report of something, whichever words it uses, unless it ends by asking.
    """
    if sections.title.endswith("?") or _QUESTION.match(sections.title):
        return False
    return named or is_report(sections)


def is_report(sections: Sections) -> bool:
    """True when it tells what happens or what to change, at more length than a name does."""
    if sections.title.endswith("?") or _QUESTION.match(sections.title):
        return False
    described = bool(sections.prose) and not sections.prose.endswith("?")
    return described or bool(sections.frames or sections.code or re.match(_CHANGE, sections.title))


def intent_of(asked: str) -> Intent:
    """The intent of a question by its form: a noun phrase names a part of a thing, "how does" and "where is" ask
    for its insides, and "how do I" for its use. Of several sentences the last one that asks decides.
    """
    asking = [sentence for sentence in re.split(_SENTENCE_END, asked) if asks(sentence)]
    asked = asking[-1] if asking else asked
    if _WORKS_ON.search(asked) and not _FIRST_PERSON.search(_WORKS_ON.sub("", asked)):
        return Intent.MECHANISM
    asking_word = _BEFORE_ASKING.sub("", asked, count=1)
    of_rule = _RULE.search(asked) or (
        not _REASON.match(asking_word) and (_OPTION.search(asked) or _CHANGED.search(asked))
    )
    if _CHANGES.search(asked) or _PLURAL.search(asked):
        return Intent.USAGE if of_rule else Intent.ANY
    if _FIRST_PERSON.search(asked):
        within = _WITHIN.match(asked)
        if within is None or _FIRST_PERSON.search(asked, within.end()):
            return Intent.USAGE
        asked = asked[within.end() :]
        return intent_of(asked)
    if not _OPEN_QUESTION.match(asking_word):
        return Intent.USAGE if _OPTION_DOES.match(asking_word) else Intent.MECHANISM
    return Intent.USAGE if of_rule else Intent.ANY


def asks(sentence: str) -> bool:
    """True when a sentence is a question."""
    return sentence.rstrip().endswith("?") or _QUESTION.match(sentence) is not None


def kind_of(sections: Sections, names: Names, *, timed: bool) -> QueryKind:
    """The first kind that fits. A long text that merely contains a trace or a quotation is still a question."""
    title = sections.title
    if (
        sections.frames
        and len(_telling(analysis.terms(f"{title} {sections.prose[:SHORT_QUERY]}"))) <= _SHORT_LEAD
    ):
        return QueryKind.ERROR
    if ERROR_LINE.match(title or sections.code.lstrip()) and (not sections.prose or not title):
        return QueryKind.ERROR
    if not sections.prose and not sections.code:
        kinds = {anchor.kind for anchor in names.anchors}
        rest = _rest(title, names.anchors)
        if names.paths and AnchorKind.PATH in kinds and not rest:
            return QueryKind.PATH
        if AnchorKind.QUOTED in kinds and len(rest) <= 1:
            return QueryKind.QUOTED
        if names.alone:
            return QueryKind.IDENTIFIER
    return QueryKind.TEMPORAL if timed else QueryKind.NATURAL


def _rest(title: str, anchors: tuple[Anchor, ...]) -> list[str]:
    """Telling terms of the title outside its anchors."""
    for anchor in anchors:
        title = title.replace(anchor.text, " ")
    return _telling(analysis.terms(title))


def _telling(terms: list[str]) -> list[str]:
    return [term for term in terms if term not in analysis.STOP_TERMS and not term.isdigit()]
