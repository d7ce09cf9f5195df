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

from daypack.query.asking.tasks import change_in

# Most questions begin by asking: the patterns for others are compiled at their first use.
_GREETING = (
    r"(?:hi|hello|hey|dear all|good (?:morning|evening|afternoon))(?: there| all| everyone| folks| team)?"
)
_THANKS = r"(?:please|pls|thanks|thank you|thx|cheers)(?: in advance| a lot| so much| very much)?"
_PLACE = r"in (?:(?:this|the current) project|(?:this|the|our) (?:repo|repository|code ?base|workspace))\b"
_OPENING = (
    rf"(?i){_GREETING}(?: (?!world)\w+(?=[,!:]))?\s*[,.!:–-]+\s*|(?:urgent|help)\s*[:!]\s*|(?:(?:a|another|one more|my|the next|next) )?(?:quick |short |follow-up )?question(?: is)?\s*[,:–-]\s*|(?:task|query|q):\s*"
    r"|(?:please )?answer (?:this|the|my)(?: following)? question\s*:\s*|(?:please )?help(?: me)? with th(?:is|e following)\s*:\s*"
    r"|(?:the |our |a )?(?:user|customer|colleague|client)(?: (?:asks|asked|wants to know|wrote|says))?\s*:\s*"
    r"|(?:give me |find )?(?:the |all (?:the )?)?(?:relevant )?(?:context|background|information|details|everything) (?:about|on|for)\s*:?\s+"
    rf"|(?:sorry|excuse me|ok(?:ay)?|so|and|well|now|also|first|next),\s+|before you (?:start|begin|answer),\s+|{_PLACE}\s*[,:]\s*"
)
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
    rf"(?i)(?:{_GREETING} +|(?:please|kindly|pls),? +"
    r"|(?:I|we)(?:['’]d| would) (?:really )?(?:appreciate it|be (?:very )?(?:grateful|glad|happy)) if (?:you|any(?:one|body)|some(?:one|body)) (?:can|could|would|will) "
    r"|(?:can|could|would|will) (?:you|any(?:one|body)|some(?:one|body))(?: please| kindly| also| just| quickly)* +)+"
)
_ANOTHER = (
    r"(?:the (?:user|customer)|(?:a|my|our) (?:colleague|boss|manager|client|customer|team ?mate|friend))"
)
_VERB = (
    r"(?i)(?:"
    r"(?P<give>(?:show|give|tell|remind|teach) (?:me|us)(?: of)?)"
    r"|(?P<explain>explain(?: to)?(?: me| us)?|describe|clarify|summari[sz]e|outline|let (?:me|us) know|walk (?:me|us) through"
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
_ASKING = re.compile(
    r"(?i)(?:how|what|why|where|when|which|who|whose|whom|whether|if|(?:in|at|on|for|from|to|by|with) (?:what|which|whom))\b"
)
_THING = re.compile(
    r"(?i)(?:the|a|an|all|every|each|any|some|our|my|your|its|this|that|these|those)\b|[\"'`“]"
)
_TAIL = re.compile(
    rf"(?i)\s*[,;–-]?\s*\b{_THANKS}(?=[.!?\s]*\Z)|\s+{_PLACE}(?=[.!?\s]*\Z)|\s*[,–-]\s*(?:do you know|any idea)(?=[?\s]*\Z)"
)
# Sentences that say how to work and to answer. A question about tests or citations is none of them.
_SAYS_NOTHING = (
    rf"(?i)(?:{_GREETING}|{_THANKS}(?:,? (?:that|this) (?:helped|helps|worked|works)| for [^.?!]{{1,40}})?|(?:I['’]m|I am)(?: quite| very)? new (?:here|to (?:\S+ ){{0,4}}\S+)"
    r"|(?:I['’]m|I am|we['’]re|we are) (?:completely |totally |a bit )?(?:stuck|lost|confused|puzzled)(?: here| now)?|(?:any )?help(?: (?:me|needed|please|is appreciated|would be appreciated))?"
    r"|you are (?:a|an|the) [^.?!]{1,80}|(?:please |let['’]s )?think (?:hard|carefully|deeply|step by step|(?:it|this) through)"
    r"|(?:please |and )?(?:make sure|ensure|check|verify)(?: that)?(?: all| the| existing| our)* tests? (?:still )?(?:pass|succeed|work)"
    r"|(?:please |and )?(?:run|update|add|write)(?: all| the| some| unit| new)* tests?(?: too| as well| for it| afterwards)?"
    r"|(?:please |and )?(?:answer|reply|respond|be|keep (?:it|the answer)) (?:brief\w*|concise\w*|short|precise\w*)[^.?!]{0,60}"
    r"|(?:please )?(?:do not|don['’]t|never) (?:change|edit|modify|touch|commit|guess|make (?:any|things))[^.?!]{0,60}"
    r"|(?:please )?cite [^.?!]{1,40}|task|</?[a-z_]{1,20}>"
    r"|(?:please )?(?:fix|resolve|solve|address|implement|handle|work on|look into|investigate) (?:this|the|the following) (?:github )?(?:issue|bug|problem|ticket|task"
    r"|change|feature|request)(?: below| above)?|make a plan(?: first)?[^.?!]{0,60}|keep the [^.?!]{1,40})[.,!;:\s]*"
)
# "What's in this project?" without its place asks for nothing
_NAMES_SOMETHING = re.compile(r"(?i)\b(?!(?:what|who|how|where|which|is|are|it|s)\b)\w")
# a sentence that goes on from the one before it
FOLLOWS = re.compile(r"(?i)(?:(?:and|also|then|plus|afterwards|after that|finally)\b|next,)")
# a whole question in quotation marks, which no text has to hold
_QUOTED = re.compile(r"[\"“`'*_]+([^\"“”`*]+?)[\"”`'*_]+")
_SENTENCE = r"(?<=[.?!])\s+"
# before a list
_ANNOUNCES = r"(?i)[^\n]{0,60}\b(?:questions?|following|tasks?|things|points|items|todos?)\b[^\n]{0,40}:"
_MARKER = r"\A(?:[-*+•]|\d{1,2}[.)])\s+"
_ITEM = r"(?i)\A(?:[-*+•#>]\s*|\d{1,2}[.)]\s+|(?:instructions|rules|guidelines|constraints|important)\s*:\s*)"
# the end of a letter
_SIGNED = rf"(?i)(?:{_THANKS}|(?:(?:kind|best|warm) )?regards|best(?: wishes)?|yours(?: sincerely)?|sincerely|all the best)[\s,.!–-]*"
_LONGEST = 300  # characters; a longer text is a report
_MOST = 6  # "Hi! Sorry, could you please tell me …"


def question_of(text: str) -> str:
    """A short question without the words that address another; any other text as it is."""
    question = _in_one_line(without_letterhead(text.strip()))
    first, line_end, rest = question.partition("\n")
    question = f"{change_in(first)}{line_end}{rest}"
    if question != text.strip():
        text = question
    if len(question) > _LONGEST or "\n" in question:
        return text
    if (quoted := _QUOTED.fullmatch(question)) and (_ASKING.match(quoted[1]) or quoted[1].endswith("?")):
        return quoted[1].strip()
    sentences = re.split(_SENTENCE, question)
    told = [
        sentence if before and FOLLOWS.match(sentence) else _asked(sentence)
        for before, sentence in enumerate(sentences)
        if len(sentences) == 1 or not re.fullmatch(_SAYS_NOTHING, sentence)
    ]
    stripped = " ".join(told)
    if told == sentences or not stripped.strip(".!? "):
        return text
    return stripped if stripped.endswith("?") or not question.endswith("?") else f"{stripped}?"


def without_letterhead(text: str) -> str:
    """A text of several lines without the lines before and after it that address another."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    first, last = 0, len(lines)
    while first < last - 1 and says_nothing(lines[first]):
        first += 1
    while first < last - 1 and says_nothing(lines[last - 1]):
        last -= 1
    signed = next(
        (
            number
            for number in range(max(first + 1, last - 4), last)
            if re.fullmatch(_SIGNED, lines[number].strip())
        ),
        last,
    )
    return "\n".join(lines[first:signed]).strip()


def _in_one_line(text: str) -> str:
    """A short list of questions or of things as one line: none is the title of the others."""
    items = items_of(text) if len(text) <= _LONGEST else []
    return " ".join(item if item.endswith((".", "?", "!")) else f"{item}." for item in items) or text


def items_of(text: str) -> list[str]:
    """The items of a text that is a list, or has a question in each line; none of any other text."""
    if "\n" not in text:
        return []
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if re.fullmatch(_ANNOUNCES, lines[0]):
        del lines[0]
    items = [re.sub(_MARKER, "", line) for line in lines]
    is_list = all(item and item != line for item, line in zip(items, lines, strict=True))
    return items if is_list or all(line.endswith("?") or _ASKING.match(line) for line in lines) else []


def says_nothing(line: str) -> bool:
    """True of a blank line, a greeting, and a line on how to work."""
    sentences = re.split(_SENTENCE, re.sub(_ITEM, "", line.strip()))
    return all(re.fullmatch(_SAYS_NOTHING, sentence) for sentence in sentences if sentence)


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
    if _ASKING.match(sentence):
        wanted = re.match(_WANTED, sentence) if sentence[:5].lower() == "what " else None
        return wanted.end() if wanted else 0
    if opening := re.match(_OPENING, sentence):
        return opening.end()
    if sentence[:5].lower() in _MATERIAL_BEGINS and (material := re.match(_MATERIAL, sentence)):
        return material.end()
    if looking := re.match(_LOOKING, sentence):
        after = looking.end()
        if (
            looking["of"]
            or _ASKING.match(sentence, after)
            or (looking["to"] and re.compile(_VERB).match(sentence, after))
        ):
            return after
    politely = re.match(_POLITELY, sentence)
    start = politely.end() if politely else 0
    if start and not sentence[:start].lower().rstrip().endswith("you") and _ASKING.match(sentence, start):
        return start  # "please, where …"
    verb = re.compile(_VERB).match(sentence, start)
    if verb is None:
        return 0
    is_told = (
        _ASKING.match(sentence, verb.end())
        or verb["give"]
        or verb["seek"]
        or verb["mind"]
        or verb["try"]
        or verb["wants"]
        or (verb["about"] and not verb["wonder"])
        or (verb["know"] and not verb["about"])
        or (
            (verb["explain"] or (verb["find"] and "to " in verb["find"]))
            and (politely or _THING.match(sentence, verb.end()))
        )
    )
    return verb.end() if is_told else 0
