"""Uses: the names whose uses a query asks for, rather than their definitions.

who calls `total`?   where is CartError raised?     a question for uses
shop.CartError: no such item                        raised where the class is used
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from daypack.query.sections import QUALIFIER, Sections
from daypack.query.traces.frames import LONGEST_LINE
from daypack.text.qualified_names import dotted

MOST_USES = 3
_MOST_LINES = 20
_CALLS = r"(?:call|catch|construct|create|import|instantiate|invoke|raise|reference|throw|use)s?"
_CALLED = r"(?:called|caught|constructed|created|imported|instantiated|invoked|raised|referenced|thrown|used)"
_BEFORE = (
    rf"(?i)\b(?:(?:who|what|that)|(?:which|all|every|any)(?:\s+\w+){{1,3}})\s+{_CALLS}\s+(?:the\s+)?\W?$"
    r"|\b(?:callers?|call\s?sites?|usages?|uses|users|references?)\s+(?:of|to)\s+(?:the\s+)?\W?$"
)
_WHERE = r"(?i)\bwhere\s+(?:is|are|was|does|do)\s+(?:the\s+)?\W?$"
# In other languages; `@` is the name. A word such as "function" may stand beside it.
_ABROAD = (
    r"\bw(?:er|as) (?:ruft|(?:be)?nutzt|verwendet|importiert|erzeugt|wirft)\b[^,?]{0,20}@|\bwo(?:her)? (?:wird|werden)\b[^,?]{0,20}@[^,?]{0,15}\b(?:auf)?(?:gerufen|verwendet|benutzt|genutzt|importiert|erzeugt|geworfen)\b"
    r"|\bwelche \w+ (?:rufen|(?:be)?nutzen|verwenden|importieren)\b[^,?]{0,20}@",
    r"\bqu(?:i|elles? \w+) (?:appell|utilis|import|l[eè]v)(?:e|ent)\b[^,?]{0,20}@|\boù (?:est|sont)(?:[- ](?:il|elle)s?)? (?:appelé|utilisé|importé|levé)\w*[^,?]{0,20}@|\boù[^,?]{0,15}@ (?:est|sont)(?:-\w+)? (?:appelé|utilisé|importé|levé)",
    r"\b(?:quién|quien|qué \w+|que \w+) (?:llaman?|usan?|utilizan?|importan?|lanzan?)\b[^,?]{0,12}@|\bd[oó]nde se (?:llaman?|usan?|utilizan?|importan?|lanzan?)\b[^,?]{0,12}@",
    r"\b(?:quem|quais \w+|que \w+) (?:chamam?|usam?|utilizam?|importam?|lançam?)\b[^,?]{0,12}@|\bonde (?:é|são|está|se) (?:chamad|usad|utilizad|importad|lançad|chama|usa|utiliza)\w*[^,?]{0,12}@|\bonde[^,?]{0,12}@ (?:é|está) (?:chamad|usad|utilizad|importad|lançad)",
    r"\b(?:chi|quali \w+|che \w+) (?:chiama|usa|utilizza|importa|lancia)(?:no)?\b[^,?]{0,12}@|\bdov(?:e|['’]) ?(?:viene|vengono|è|sono) (?:chiamat|usat|utilizzat|importat|lanciat)[^,?]{0,20}@",
    r"\b(?:wie|wat|welke \w+) (?:roep(?:t|en)|gebruik(?:t|en)|importe(?:ert|ren))\b[^,?]{0,12}@|\bwaar (?:wordt|worden)\b[^,?]{0,12}@[^,?]{0,12}\b(?:aangeroepen|gebruikt|geïmporteerd)",
    r"\b(?:кто|что|какие \w+) (?:вызыва|использу|импортиру)[её]?[юя]?т\b[^,?]{0,12}@|\b(?:где|откуда)[^,?]{0,20}(?:вызыва|использу|импортиру)[её]?[юя]?тся\b[^,?]{0,12}@|\b(?:где|откуда)[^,?]{0,12}@ (?:вызыва|использу)",
    r"\b(?:kto|co|jakie \w+) (?:wywołuj|używaj?|importuj)[eaą]?\b[^,?]{0,12}@|\bgdzie (?:jest |są )?(?:wywoływan|używan|importowan)\w+[^,?]{0,14}@|\bgdzie[^,?]{0,14}@[^,?]{0,6}(?:wywoływan|używan)",
    r"@[^,?]{0,14}\b(?:nerede|nereden|nerelerde|kim|hangi \w+) (?:ça[ğg][ıi]?r|kullan[ıi](?:l|yor))\w*",
    r"(?:谁|哪些?\w{0,2}|哪里|哪儿|什么地方|何处)(?:在)?(?:调用|使用|用|引用|导入|抛出)(?:到|过)?了?[^,?，？]{0,6}@|@[^,?，？]{0,6}(?:在|是在)?(?:被)?(?:谁|哪里|哪儿|哪些\w{0,2}|什么地方|何处)(?:被)?(?:调用|使用|用|引用|导入|抛出)|@[^,?，？]{0,3}的(?:调用者|调用方|调用处|引用处)",
    r"@[^,?、？]{0,4}(?:は|が|を)?(?:どこ|誰|だれ)(?:で|から|が)?(?:呼|使|参照|利用|インポート)|(?:どこ|誰|だれ)(?:で|から|が)?[^,?、？]{0,2}@[^,?、？]{0,4}(?:を|が)(?:呼|使|参照|利用)|@[^,?、？]{0,4}を(?:呼び出して|呼んで|使って|使用して|利用して|参照して)いる(?:関数|箇所|場所|ところ|所|クラス|コード|メソッド)|@[^,?、？]{0,4}の(?:呼び出し元|呼出元|使用箇所|利用箇所|参照箇所)",
    r"@ ?(?:\w{1,6})? ?(?:어디서|어디에서|누가|어떤 \w+) ?(?:호출|사용|쓰|참조|임포트)|@ ?(?:\w{1,6})? ?(?:호출|사용|참조)하는 (?:함수|곳|코드|클래스|메서드|부분)|누가 [^,?]{0,6}@\w? ?(?:호출|사용)",
)  # fmt: skip
# The expressions take 10 ms to compile, and of questions in ASCII few have a word that they begin with.
_MAYBE_ABROAD = (
    r"(?i)[^\x00-\x7f]|\b(?:wer|was|wo|woher|welche|qui|quelles?|quien|que|donde|quem|quais|onde|chi|quali|che|dove|wie|wat|welke|waar"
    r"|kto|co|jakie|gdzie|nereden?|kim|hangi)\b"
)
_PRONOUN = r"(?i)\b(?:it|that|this|them|those|these)\b"
_AFTER = rf"(?i)^\W{{0,3}}\s*(?:\w+\s+)?{_CALLED}\b"
# An exception before its message: the class at the beginning of a line, behind "Uncaught" or in "instance of '…'".
_QUALIFIED = rf"({QUALIFIER}[A-Za-z_]\w{{2,80}})"
_RAISED = (
    rf"^(?:Caused by: |Exception in thread \S+ |Unhandled exception\. )?(?:\*\* \()?{_QUALIFIED}(?:\)\s|\s?\[[^\]]*\]:|:)",
    rf"\bUncaught {_QUALIFIED}",
    rf"\binstance of '{_QUALIFIED}'",
)
_EXCEPTION = r"\w(?:Error|Exception|Failure|Fault)$"


def names_used(sections: Sections, mentions: Iterable[str], before: Iterable[str] = ()) -> dict[str, bool]:
    """Qualified name, with points, → whether all of its uses are meant: True of a question, which means each; False
    of the exception of a pasted error, which was raised once. In "who calls it?" each of the names `before` is meant.
    """
    title = sections.title[:LONGEST_LINE]
    asked = {_pointed(name): True for name in (*_asked(title, mentions), *_pointed_at(title, before))}
    raised = {_pointed(name): False for name in _raised(sections)}
    return dict(islice({**raised, **asked}.items(), MOST_USES))


def _pointed_at(title: str, before: Iterable[str]) -> Iterable[str]:
    pronouns = re.finditer(_PRONOUN, title)
    return before if any(_asks_for(title[: one.start()], title[one.end() :]) for one in pronouns) else ()


def _asked(title: str, mentions: Iterable[str]) -> Iterator[str]:
    for name in mentions:
        before, found, after = title.partition(name)
        if found and (_asks_for(before, after) or _asks_abroad(f"{before}@{after}")):
            yield name


def _asks_for(before: str, after: str) -> bool:
    """True when a question asks for the uses of the name between two of its parts."""
    return bool(re.search(_BEFORE, before) or (re.search(_WHERE, before) and re.search(_AFTER, after)))


def _asks_abroad(title: str) -> bool:
    """True when a question in another language asks for the uses of a name, which is `@` there."""
    if not re.search(_MAYBE_ABROAD, title):
        return False
    return any(re.search(asked, title, re.IGNORECASE) for asked in _ABROAD)


def _raised(sections: Sections) -> Iterator[str]:
    lines = [sections.title, *sections.code.split("\n")]
    for line in lines[:_MOST_LINES]:
        for place, pattern in enumerate(_RAISED):
            found = re.search(pattern, line.strip()[:LONGEST_LINE])
            # a word before a colon is an exception by its ending; the other places say so
            if found and (place or re.search(_EXCEPTION, found[1])):
                yield found[1]


def _pointed(name: str) -> str:
    return dotted(name).replace("$", ".").strip(".")  # Java: Cart$Item
