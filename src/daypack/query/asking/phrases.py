"""Phrases that both the lines and the sentences of a text may be made of."""

from __future__ import annotations

import re

from daypack.query.sentences import WH, asks
from daypack.text.name_sets import name_set

# Most questions begin by asking: the patterns for others are compiled at their first use.
GREETING = (
    r"(?:hi|hello|hey|dear all|good (?:morning|evening|afternoon))(?: there| all| everyone| folks| team)?"
)
THANKS = r"(?:please|pls|thanks|thank you|thx|cheers)(?: in advance| a lot| so much| very much)?"
ASKING = re.compile(
    rf"(?i)(?:{WH}|whose|whom|whether|if|(?:in|at|on|for|from|to|by|with) (?:what|which|whom))\b"
)
# A question about tests or citations only looks like an instruction.
_HOW = (
    rf"(?i)(?:{GREETING}|{THANKS}(?:,? (?:that|this) (?:helped|helps|worked|works)| for [^.?!]{{1,40}})?|(?:I['’]m|I am)(?: quite| very)? new (?:here|to (?:\S+ ){{0,4}}\S+)"
    r"|(?:I['’]m|I am|we['’]re|we are) (?:completely |totally |a bit )?(?:stuck|lost|confused|puzzled)(?: here| now)?|(?:any )?help(?: (?:me|needed|please|is appreciated|would be appreciated))?"
    r"|you are (?:a|an|the) [^.?!]{1,80}|(?:please |let['’]s )?think (?:hard|carefully|deeply|step by step|(?:it|this) through)"
    r"|(?:please |and )?(?:make sure|ensure|check|verify)(?: that)?(?: all| the| existing| our)* tests? (?:still )?(?:pass|succeed|work)"
    r"|(?:please |and )?(?:run|update|add|write)(?: all| the| some| unit| new)* tests?(?: too| as well| for it| afterwards)?"
    r"|(?:please |and )?(?:answer|reply|respond|be|keep (?:it|the answer)) (?:brief\w*|concise\w*|short|precise\w*)[^.?!]{0,60}"
    r"|(?:please )?(?:do not|don['’]t|never) (?:change|edit|modify|touch|commit|guess|make (?:any|things))[^.?!]{0,60}"
    r"|(?:please |and )?(?:answer|reply|respond|write|explain(?: it| this)?|return|output|format|give)(?: me)?(?: the answer| it| this| everything)? (?:in|as|like) [^.?!]{1,60}|antworte[^.?!]{1,40}|eli5"
    r"|(?:please )?(?:return|output|give me|use|respond with|answer with|reply with)(?: only)?(?: valid)? (?:json|yaml|xml|markdown|a (?:json|markdown|bullet)[^.?!]{0,40}|bullet points)[^.?!]{0,60}"
    r"|(?:please )?(?:draw|add|include|make|create|show)(?: me)?(?: also)? an? (?:\w+ )?(?:diagram|table|chart|graph|list)[^.?!]{0,60}|(?:at most|max(?:imum)?|no more than) \d+ \w+"
    r"|(?:which|what) (?:file|line|function|class|module)s? (?:is|are) (?:it|that|this|they|these) in|(?:please )?(?:give|tell|show) me (?:only |just )?the (?:file|path|line|location|name)s?[^.?!]{0,40}"
    r"|(?:please )?(?:list|name) the (?:file|function|class|method|module)s? (?:involved|in question)|(?:only|just) (?:the )?code(?: please)?|step by step"
    r"|(?:please )?cite [^.?!]{1,40}|task|</?[a-z_]{1,20}>"
    r"|(?:please )?(?:fix|resolve|solve|address|implement|handle|work on|look into|investigate) (?:this|the|the following) (?:github )?(?:issue|bug|problem|ticket|task"
    r"|change|feature|request)(?: below| above)?|make a plan(?: first)?[^.?!]{0,60}|keep the [^.?!]{1,40})[.,!?;:\s]*"
)
# a sentence that goes on from the one before it
FOLLOWS = re.compile(r"(?i)(?:(?:and|also|then|plus|afterwards|after that|finally)\b|next,)")
# "Using your memory, answer in one sentence": words that name nothing, of which one instructs
_INSTRUCTS = (
    "answer asked asks help question questions reply respond say sentence sentences tell wants word words"
)
_NAMES_NOTHING = """a above according again all an and any another are assistant based base below brief briefly by can chat client clearly code codebase
colleague concisely consult context conversation conversations could current customer do docs documentation documents don't earlier english few
files find first following for from give got have help helpful here history i if in information into is it its know knowledge look me
memories memory more my need new next no not notes now of on one only or our paragraph past plain please previous project provide provided
query quick repo repository request search short simple single so some source sources team that the these this those three through to two up us use user
user's using what with yes you your"""


def instructs(sentence: str) -> bool:
    """True of a sentence that says how to work and to answer, and asks for nothing. A title has no point at its end."""
    if re.fullmatch(_HOW, sentence):
        return True
    if asks(sentence) or not sentence.endswith((".", "!", ":")):
        return False
    words = re.findall(r"[\w'’]+", sentence.lower().replace("’", "'"))
    instructing, empty = name_set(_INSTRUCTS), name_set(_NAMES_NOTHING)
    return len(words) > 1 and not instructing.isdisjoint(words) and empty.issuperset(set(words) - instructing)
