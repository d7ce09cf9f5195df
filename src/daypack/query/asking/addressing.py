"""Addressing: the words with which an asker turns to another. The question does not contain them, but they look like a part: "I
want to know where flags are parsed" does not ask how to want, nor how to use flags.

    Hi! Can you tell me how flags are parsed, please?     how flags are parsed?
    I need to understand where a token is renewed         where a token is renewed
    Show me the middleware for sessions                   the middleware for sessions
    In this repository, which port does the server use?   which port does the server use?

Words stay that may be meant: "show" of `show()`, "can you" of "can you nest routers?".
"""

from __future__ import annotations

import re

from daypack.query.asking.exclusions import is_exclusion, without_exclusions
from daypack.query.asking.layout import in_one_line, unpacked, unwrapped, without_letterhead
from daypack.query.asking.phrases import ASKING, FOLLOWS, GREETING, THANKS, instructs
from daypack.query.asking.tasks import change_in
from daypack.query.sentences import SENTENCE_END

_PLACE = r"in (?:(?:this|the current|our) (?:project|code|app(?:lication)?)|(?:this|the|our) (?:repo|repository|code ?base|source(?: code)?|workspace))\b"
_OPENING = (
    rf"(?i){GREETING}(?: (?!world)\w+(?=[,!:]))?\s*[,.!:–-]+\s*|(?:urgent|help)\s*[:!]\s*|(?:(?:a|another|one more|my|the next|next) )?(?:quick |short |follow-up )?question(?: is)?\s*[,:–-]\s*|(?:task|query|q):\s*"
    r"|(?:the |our |a )?(?:user|customer|colleague|client)(?: wrote| says)?\s*:\s*"
    r"|(?:give me |write |provide )?(?:an?|the) (?:(?:detailed|brief|short|quick|high[- ]level|thorough|complete) )*(?:explanation|overview|summary|description) of\s+"
    r"|(?:give me |find )?(?:the |all (?:the )?)?(?:relevant )?(?:context|background|information|details|everything) (?:about|on|for)\s*:?\s+"
    rf"|(?:sorry|apologies|excuse me)\b[^,.:?!]{{0,40}},\s+(?:but\s+)?|(?:ok(?:ay)?|so|and|well|now|also|first|next),\s+|(?:u[hm]+|er+m*|hm+)\b,?\s+(?:(?:so|like|well|ok(?:ay)?)\b,?\s+)*|before you (?:start|begin|answer),\s+|{_PLACE}\s*[,:]\s*"
)
# "Using your memory, answer in one sentence: …"
_INSTRUCTION = r"([A-Za-z'’,-]+ [A-Za-z'’ ,-]{1,100}:)\s+"
# "Based on the context above, …": material that has no other name
_MATERIAL = (
    r"(?i)(?:based on|according to|given|using|from) (?:the |these |this |our |my |all )?(?:(?:provided|given|above|following|previous|earlier|past) )*"
    r"(?:context|(?:document|passage|text|source|note|conversation|chat|discussion|message)s?|information|knowledge base|memor(?:y|ies))(?: above| below| provided)?,\s+"
)
_MATERIAL_BEGINS = ("based", "accor", "given", "using", "from ")
_SOURCE = r"(?:the|this|our) (?:source code|source|code ?base|code|repository|repo|project|files)(?: carefully| first)?"
_LOOKING = (
    rf"(?i)(?:take a look at|look (?:at|into|through|in)|go through|dig into|read(?: through)?|search(?: through)?|scan|inspect|analy[sz]e|review|study)"
    rf" {_SOURCE}(?P<to>,? (?:and|to|then) |, )?(?P<of>(?<=\w) for )?"
)
# stripped before one of the verbs below alone
_POLITELY = (
    rf"(?i)(?:{GREETING} +|(?:please|kindly|pls),? +"
    r"|(?:I|we)(?:['’]d| would) (?:really )?(?:appreciate it|be (?:very )?(?:grateful|glad|happy)) if (?:you|any(?:one|body)|some(?:one|body)) (?:can|could|would|will) "
    r"|(?:can|could|would|will) (?:you|any(?:one|body)|some(?:one|body))(?: please| kindly| also| just| quickly)* +)+"
)
_ANOTHER = (
    r"(?:the (?:user|customer)|(?:a|my|our) (?:colleague|boss|manager|client|customer|team ?mate|friend))"
)
_VERB = (
    r"(?i)(?:"
    r"(?P<give>(?:show|give|tell|remind|teach) (?:me|us)(?: of)?|walk (?:me|us) through)"
    r"|(?P<explain>explain(?: to)?(?: me| us)?|describe|clarify|summari[sz]e|outline|let (?:me|us) know"
    r"|point (?:me|us) to|help (?:me|us) (?:to )?(?:understand|find|see|learn|locate|know|figure out))"
    r"|(?P<know>(?:(?:I|we)(?: (?:just|also|really|only|still|now|do not|don['’]t))*"
    r" (?:want|need|wish|like|try|have|would like|would love|am trying|are trying|am looking)"
    r"|(?:I|we)['’]d (?:like|love)|(?:I['’]m|we['’]re) (?:trying|looking)) (?:to )?(?:know|understand))"
    r"|(?P<find>(?:(?:(?:I|we) (?:want|need|have|would like|am trying) to|(?:I|we)['’]d like to|I['’]m trying to) )?"
    r"(?:find(?: out)?|figure out|work out|locate|identify|determine|investigate|understand|look up|search(?: for)?|see|learn|show|list))"
    r"|(?P<mind>(?:do you )?mind (?:telling|showing|explaining|describing)(?: to)?(?: me| us)?)"
    r"|(?P<try>(?:(?:I|we)(?:['’](?:m|re)| am| are)? )?(?:(?:trying|struggling|having (?:trouble|difficulties|a hard time)) (?:to )?(?:understand(?:ing)?"
    r"|figur(?:e|ing) out|work(?:ing)? out|see(?:ing)?)|(?:need|want) to (?:know|understand|figure out|find out)))"
    rf"|(?P<asked>{_ANOTHER} (?:asks|asked|is asking|wonders|wants to (?P<wants>know|understand))(?: me| us)?)"
    r"|(?P<seek>(?:(?:I['’]m|I am|we['’]re|we are) )?(?:looking for|interested in|searching for)|(?:(?:I|we) need (?:some )?help|help (?:me|us)|(?:I|we) need) with)"
    r"|(?P<wonder>I(?: was|['’]m| am)? ?wonder(?:ing)?|(?:I['’]m|I am) (?:curious|asking|unsure|not sure)"
    r"|I (?:do not|don['’]t|can['’]t|cannot) (?:know|understand|see|find|remember)|I(?:['’]ve| have)? forg[eo]t(?:ten)?"
    r"|do you (?:know|remember|recall)|does (?:any|some)(?:one|body) know|any (?:idea|clue))"
    r")\b(?P<about>(?: (?:more|all|everything))? about)?(?: exactly)?[,:]? +"
)
_WANTED = r"(?i)what (?:I|we) (?:want|need|would like|wanted) to (?:know|understand|find out|see) is[,:]? "
_THING = re.compile(
    r"(?i)(?:the|a|an|all|every|each|any|some|our|my|your|its|this|that|these|those)\b|[\"'`“]"
)
_TAIL = re.compile(
    rf"(?i)\s*[,;–-]?\s*\b{THANKS}(?=[.!?\s]*\Z)|\s+{_PLACE}(?=[.!?\s]*\Z)|(?:\s*[,–-]\s*any idea|(?<!what)(?<!who)(?<!which)(?<!them)(?<!much)[\s,–-]+do you know)(?=[?\s]*\Z)"
)
# "What's in this project?" without its place asks for nothing
_NAMES_SOMETHING = re.compile(r"(?i)\b(?!(?:what|who|how|where|which|is|are|it|s)\b)\w")
# a whole question in quotation marks, which no text has to hold
_QUOTED = re.compile(r"[\"“`'*_]+([^\"“”`*]+?)[\"”`'*_]+")
_LONGEST = 300  # characters; a longer text is a report
_MOST = 6  # "Hi! Sorry, could you please tell me …"


def question_of(text: str) -> str:
    """A short question without the words that address another; any other text as it is."""
    question = in_one_line(unwrapped(without_letterhead(unpacked(text.strip()))), _LONGEST)
    first, line_end, rest = question.partition("\n")
    question = f"{change_in(first)}{line_end}{rest}"
    if question != text.strip():
        text = question
    if len(question) > _LONGEST or "\n" in question:
        return text
    if (quoted := _QUOTED.fullmatch(question)) and (ASKING.match(quoted[1]) or quoted[1].endswith("?")):
        return quoted[1].strip()
    sentences = re.split(SENTENCE_END, question)
    told = [
        sentence if before and FOLLOWS.match(sentence) else without_exclusions(_asked(sentence))
        for before, sentence in enumerate(sentences)
        if len(sentences) == 1 or not (instructs(sentence) or is_exclusion(sentence))
    ]
    stripped = " ".join(told)
    if told == sentences or not stripped.strip(".!? "):
        return text
    return stripped if stripped.endswith("?") or not question.endswith("?") else f"{stripped}?"


def _asked(sentence: str) -> str:
    """A sentence without its first and last words, as long as these address another and others are left."""
    for _ in range(_MOST):
        shorter = _TAIL.sub("", sentence[_lead(sentence) :])
        if shorter == sentence or not _NAMES_SOMETHING.search(shorter):
            break
        sentence = shorter
    return sentence


def _lead(sentence: str) -> int:
    """The number of characters with which a sentence addresses another."""
    if ASKING.match(sentence):
        wanted = re.match(_WANTED, sentence) if sentence[:5].lower() == "what " else None
        return wanted.end() if wanted else 0
    if opening := re.match(_OPENING, sentence):
        return opening.end()
    if ":" in sentence and (told := re.match(_INSTRUCTION, sentence)) and instructs(told[1]):
        return told.end()
    if sentence[:5].lower() in _MATERIAL_BEGINS and (material := re.match(_MATERIAL, sentence)):
        return material.end()
    return _lead_to_look(sentence) or _lead_to_do(sentence)


def _lead_to_look(sentence: str) -> int:
    """The length of "I am looking for the place of", before the words for a thing or a deed."""
    looking = re.match(_LOOKING, sentence)
    if looking is None:
        return 0
    after = looking.end()
    names_more = looking["of"] or ASKING.match(sentence, after)
    is_deed = looking["to"] and re.compile(_VERB).match(sentence, after)
    return after if names_more or is_deed else 0


def _lead_to_do(sentence: str) -> int:
    """The length of "please, can you tell me"."""
    politely = re.match(_POLITELY, sentence)
    start = politely.end() if politely else 0
    if start and not sentence[:start].lower().rstrip().endswith("you") and ASKING.match(sentence, start):
        return start  # "please, where …"
    verb = re.compile(_VERB).match(sentence, start)
    if verb is None:
        return 0
    after = verb.end()
    tells = any(verb[name] for name in ("give", "seek", "mind", "try", "wants"))
    tells = tells or bool((verb["about"] and not verb["wonder"]) or (verb["know"] and not verb["about"]))
    if tells or ASKING.match(sentence, after):
        return after
    of_thing = verb["explain"] or (verb["find"] and "to " in verb["find"])
    return after if of_thing and (politely or _THING.match(sentence, after)) else 0
