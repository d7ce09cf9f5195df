"""The intent of a question: the inside of a thing, which code shows, its use, which pages tell, or either.

where is a total computed?       mechanism
where do we compute a total?     mechanism: "we" work on the project
what handles refunds?            mechanism
how do I add a fee?              usage: "I" use it
how to add a fee                 way: to use a thing, or to make it
how do we add a fee?             any
what happens if I add a fee?     mechanism, as without "I"
why is my total rounded?         any, as without "my"
is a total rounded?              any
must a total be rounded?         usage: a rule
"""

from __future__ import annotations

import re

from daypack.query.kinds import asks_for_pages
from daypack.query.sentences import AUXILIARY, SENTENCE_END, WH, asks
from daypack.text import analysis
from daypack.text.name_sets import name_set
from daypack.types import Intent

# First person: the asker wants to use a thing. Of 160 questions about the insides of eight projects none says so, of
# 60 about their use three quarters. Those who work on a project say "we" and "our".
_FIRST_PERSON = re.compile(
    r"\b(?:I(?!/)|[Mm]y|mine|myself|me|(?:do|can|could|should|must|may) i"
    r"|(?i:(?:how (?:can|could)|do(?! you (?:believe|feel|know|reckon|see|suspect|think)\b)|should|must) (?:you|one)|(?:can|may) one))\b"
    # "We get an error", and not "where do we raise it?"
    r"|(?:\A|[,;.] |\b(?:after|although|and|as|because|but|if|since|when|whenever) )[Ww]e\b"
)
_PLURAL = re.compile(r"(?i)\b(?:how|can|could|should|may|must) (?:do |can |could |should |must )?we\b")
_HOW_TO = re.compile(r"(?i)\bhow to\b")
# … and so is this "I": "I'm working on …", "… is broken, where should I look?"
_WORKS_ON = re.compile(
    r"\bI(?:['’]m| am)(?: currently| now)? (?:working on|debugging|reviewing|refactoring|changing|fixing|reading)\b|(?<!\bcan )(?<!\bcould )(?<!\bdo )(?<!\bshould )\bI (?:think|suspect|believe|guess)\b"
    r"|\bI (?:do not|don['’]t) understand\b|\bif I (?:want|need|would like|have) to (?:know|understand|learn)\b|\b(?:should|do|can) I (?:start|begin|look)\b|\bshould I read\b"
    r"|\bif I (?:were to )?(?:remove|change|rename|delete|move|modify|edit|touch|drop|replace|refactor)d?\b",
    re.IGNORECASE,
)
# "where is the code that wakes mine up?"
_NAMES_CODE = re.compile(
    r"\b(?:the|our|this|that) code (?:behind|for|path|that|where|which)\b|\bwhere in (?:the|our|this) (?:code|code ?base|source)\b|\bwhich (?:function|class|method|module|source file)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:I|we)(?: (?:want|need|have|plan|would like|(?:am|are) (?:going|trying))|['’](?:m|re) (?:going|trying)|['’]d like) to"
    r" (?:change|modify|edit|fix|extend|refactor|rewrite|rename|improve|optimi[sz]e|debug|review|touch|clean)\b",
    re.IGNORECASE,
)
# "What happens when I press Ctrl+C?", "How are the options that I give checked?": the asker is in a clause beside the question.
_MAIN_CLAUSE = re.compile(
    r"(?:what happens|how (?:are|did|do|does|is|was|were)|where (?:are|do|does|is))\b"
    r".*?(?=\s(?:after|as|before|if|once|that|unless|until|when|whenever|which|while)\b)",
    re.IGNORECASE,
)
# "Why is my password not sent?", "Where are templates kept between two runs of my program?": about a thing, and not about an
# act of the asker.
_OF_THING = re.compile(
    r"why [^\W\d_]|(?:how|where) (?:are|did|do|does|is|was|were) (?!(?:I|my|one|we|you)\b)", re.IGNORECASE
)
_ASKING_VERB = f"{AUXILIARY}|may|must|has|have"
# Questions that a page answers as often as the code: reasons, policies, facts.
_OPEN_QUESTION = re.compile(
    r"(?:why|whose|who|when|how (?:long|many|much|often|old|soon|must|should)|what(?! happens| does\b)"
    r"|which(?! (?:function|class|method|module|file|code|type|struct)\b)"
    # a noun that people without code use too is one of code beside its deed: "which migration adds", not "which migration path"
    r"(?! (?:[\w-]{1,30} )?(?:component|controller|handler|macro|middleware|migration|trait) (?!(?:does|has|is|was)\b)[a-z]+(?:ed|[^\Ws]s) (?!(?:are|did|do|have|were)\b))"
    rf"|within|{_ASKING_VERB})\b",
    re.IGNORECASE,
)
# … but not these, which the code alone answers: "what handles redirects?", "what is responsible for …?"
_OF_CODE = re.compile(
    r"what(?:['’]s| is| are) (?:responsible|in charge|behind|the (?:main )?(?:entry ?points?|implementation|code|logic|function|class|method|algorithm)\b)|which (?:part|piece)s? of the"
    r" (?:code|system|app|application|repo|repository|project|program)\b|what (?:builds|calls|checks|computes|contains|controls|converts|creates|decides|defines|determines|dispatches|generates"
    r"|handles|implements|invokes|loads|manages|parses|raises|reads|registers|renders|returns|runs|sends|sets|starts|stores|throws|triggers|validates|writes)\b",
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
    r"\b(?:deprecat\w*|migrat\w*|no longer|any ?more|superseded|(?<!-)since|instead of|(?:which|what) (?:version|release)|what (?:replace[sd]?|changed)"
    r"|(?:was|were|been)\b[^?]{1,80}\b(?:removed|renamed|replaced|dropped|added|introduced|moved)"
    r"|(?:called|named|written|used?) (?:now|instead)|v\d+(?:\.\d+)*|(?:in|from|to|until|before|after) \d+\.\d+)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"wh(?:y|ose?)\b", re.IGNORECASE)
# Words on a project and its life, which pages describe; those of the second list only beside another.
_LIFE = """changelog changelogs conduct contribute contributing faq governance install installation installing licence license licensing maintained maintainers
prerequisites quickstart readme roadmap vulnerability"""
_LIFE_WITH = """authors badges build building breaking changes code coding community compatibility contribution contributions contributors conventions current
documentation get getting guide guidelines guides instructions intro introduction last latest layout library licenses maintainer maintains migrate migrating migration
minimum new notes old overview package page pages platforms policy previous process project projects release releases releasing report reporting repo repository
requirements run running security set setup software sponsors start started structure style support supported supports system tests tool upgrade upgrading version
versions vulnerabilities"""
_THIS = r"(?i)\bthis (?:project|repo|repository|code ?base|library|package|tool)\b"
# "After how long …", "If two share it, is it …": a preposition or a clause before the word that asks.
_BEFORE_ASKING = re.compile(
    rf"(?:[^,.?!]+, (?=(?:{WH}|whose|{_ASKING_VERB})\b))?"
    r"(?:(?:about|after|at|by|for|from|in|into|of|on|since|to|under|until|with|within) (?=(?:how|what|when|which|whose|whom)\b))?",
    re.IGNORECASE,
)


def is_of_project(asked: str) -> bool:
    """True when every telling word is about a project and its life, as "installation" and "release process" are."""
    sure, other = name_set(_LIFE), name_set(_LIFE_WITH)
    telling = [word for word in analysis.words(asked.lower()) if word not in analysis.STOP_WORDS]
    known = all(word in sure or word in other for word in telling)
    return known and (len(telling) > 1 or not sure.isdisjoint(telling) or bool(re.search(_THIS, asked)))


def intent_of(asked: str) -> Intent:
    """The intent of a question by its form: a noun phrase names a part of a thing, "how does" and "where is" ask
    for its insides, and "how do I" for its use. Of several sentences the last one that asks decides.
    """
    asking = [sentence for sentence in re.split(SENTENCE_END, asked) if asks(sentence)]
    asked = asking[-1] if asking else asked
    if is_of_project(asked) or asks_for_pages(asked):
        return Intent.USAGE
    if _NAMES_CODE.search(asked):
        return Intent.MECHANISM
    if _WORKS_ON.search(asked) and not _FIRST_PERSON.search(_WORKS_ON.sub("", asked)):
        return Intent.MECHANISM
    asking_word = _BEFORE_ASKING.sub("", asked, count=1)
    of_rule = _RULE.search(asked) or (
        not _REASON.match(asking_word) and (_OPTION.search(asked) or _CHANGED.search(asked))
    )
    if _CHANGES.search(asked) or _PLURAL.search(asked):
        return Intent.USAGE if of_rule else Intent.ANY
    if _HOW_TO.search(asked):
        return Intent.USAGE if of_rule else Intent.WAY
    if _FIRST_PERSON.search(asked):
        main = _MAIN_CLAUSE.match(asked)
        if main and not _FIRST_PERSON.search(main[0]):
            return Intent.MECHANISM
        return Intent.ANY if _OF_THING.match(asking_word) and not of_rule else Intent.USAGE
    if _OF_CODE.match(asking_word) or not _OPEN_QUESTION.match(asking_word):
        return Intent.USAGE if _OPTION_DOES.match(asking_word) else Intent.MECHANISM
    return Intent.USAGE if of_rule else Intent.ANY
