"""Happenings: questions that hold nothing but a time or a word for events; the answer is all that happened then.

    "what did we do yesterday?"         nothing but a time
    "what was decided last week?"       a time, and a kind of event
    "summarise the session"             no time: the newest day
    "what failed in the last session?"  a session, and a kind of event
    "what was the last error?"          the newest event of a kind
    "which files did we change?"        events of a kind, the newest first
    "what is left to do?"               open tasks, of any time, also those of notes
    "what are Ann's open tasks?"        open tasks with a subject; where none has it, ranked as a question with a subject
    "what do you remember?"             memories, of any time
    "what did Ann decide yesterday?"    a subject: ranked by words and meaning, like any question

In other languages open work, and what happened at a time. event_kinds.py has the words for kinds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Set
from datetime import UTC, datetime, timedelta
from functools import cache

from daypack.query.times import abroad
from daypack.query.times.dates import is_month, time_range, time_words, without_times
from daypack.query.times.event_kinds import kinds_of, words_for_kinds
from daypack.query.times.open_work_abroad import asks_for_open_work as asks_for_open_work_abroad
from daypack.text import analysis
from daypack.text.languages import Language, stop_terms
from daypack.types import Happenings

# Words that any question about the past may hold: they do not distinguish events.
_PLAIN = """done go went happen occur work handle finish complete accomplish achieve get got make made cover discuss talk speak spoke chat say said
tell told mention learn learnt know knew find found note remember memory store save keep kept record see saw look use start begin began stop end leave left
put pick resume continue stand stood spend spent add new news newest latest last recent past previous prior preceding update anything something
everything nothing thing stuff matter topic subject summary summarise summarize sum recap overview review digest list show give please let us exactly mainly
important much far already also else yet today tonight session conversation event activity progress history status day week weekend month year hour
morning afternoon evening night time ago since till early earlier late later remind coming upcoming ahead key short brief briefly quick full
highlight timeline standup assistant agent actually really ve ll re m d"""
# Things that are chosen or rejected: beside a word for that they are plain, and alone they are a subject: "what ideas do we have?"
_CHOICES = "approach idea alternative"
# The kinds of text that a day has, in the languages of abroad.py.
_NOTES = """daily weekly monthly note notes journal diary entry entries log logs logbook page pages file document text meeting meetings minutes call calls appointment
appointments notiz notizen tagebuch tagesnotiz eintrag einträge protokoll sitzung besprechung treffen termin termine
journée réunion compte rendu agenda rendez vous nota notas diario reunión acta entrada cita заметка заметки дневник запись встреча протокол"""
_MEMORIES = "remember memory memories remembered know known stored saved learn learned learnt noted"
_OPENING = "what summarise summarize recap anything where catch"
_US = "i we us our my you me session sessions conversation happened happen lately recently"
_OPEN = ("since", "until", "till")
_OF_LAST_SESSION = f"{_OPENING} which how did summary remind tell show list give continue resume"
# Questions about a program that has sessions, and for a date.
_OTHER = (
    r"(?i)\bhow (?:do|does|can|could|should|would|is|are|to)\b|\bwhere (?:is|are)\b(?! (?:I|we)\b)"
    r"|\ba (?:session|conversation|chat)\b|\b(?:is|was) the last time\b"
)
_PERSON = r"(?i)\A\W*who\b"  # "who leaves at the end of November?" asks for one of the events, not for all
_DEEDS = r"(?i)\b(?:did|have|had|were|was) (?:I|we|you)\b"
_THIS_SESSION = r"(?i)\b(?:in|during|within|of) (?:this|our|the current) (?:session|conversation|chat)\b"
_LEFT_OFF = r"\bwhere\b.*\b(?:I|we|us)\b.*\b(?:le(?:ave|ft) (?:it |things )?off|stop(?:ped)?|pick(?:ed)? (?:it |things )?up|resume|continue)\b"
_LAST_SESSION = (
    r"\b(?:last|latest|previous|prior|preceding|most recent) (?:\w+ )?(?:session|conversation|chat|time)\b|\bsession before\b"
    rf"|{_LEFT_OFF}"
)
_NEWEST = r"(?i)(?<!until )(?<!till )\b(?:last|latest|newest|recent(?:ly)?)\b"
# The last event of a kind is asked for by a word for the past, or by a kind that is nothing else than an event: "what are our
# latest requirements?" and "when do we run the last test?" ask documents.
_IN_THE_PAST = r"(?i)\b(?:was|were|did|ha(?:s|ve|d)(?! to\b)|ran|wrote|broke|(?!need\b)\w+ed|(?:show|repeat)(?: me)? (?:my|our))\b"
# "what happens when the last task failed?", "which command do I run to fix the last error?": the answer is a rule
_OF_RULES = r"(?i)\bwhat happens\b|\b(?:what|which)\b.{0,40} (?:do|does|should|can|could|must|would) (?:I|we|you|one)\b|\bwhich commands? (?!(?:was|has)\b)\w+s\b"
# "How much progress have we made on the edits?" asks for a text about them.
_WHICH_DEEDS = r"(?i)\W*(?:what|which|list|show)\b"
_ALWAYS_PAST = "commit decision error failure"
# Words of a question for open work, and those of them that ask for it.
_TO_DO = """something show give who by due overdue action actions point points dos what which anything is are was there s re do does did have has need
needs should must can shall i we you us me our my the a an of on for in from to be and so now still else yet not left over next step steps
task tasks todo todos work item items thing things list open pending outstanding unfinished undone done finish finished complete completed
remain remains remaining coming up session sessions project"""
_STILL_OPEN = (
    r"(?i)\b(?:to (?:be )?(?:do|done|finish|finished|complete|completed)|next|(?:not|n['’]t)(?: yet)? (?:been )?(?:done|finished|complete|completed)"
    r"|undone|unfinished|outstanding|pending|remain(?:s|ing)?|left|open (?:tasks?|todos?|items?|work)|(?:is|are|['’]s|still) open"
    r"|to-?dos|action (?:items|points)|(?:tasks?|items?|work|anything) (?:is |are )?(?:over)?due)\b"
)
# One of these makes such words a question for work: "next" and "the next item" may be names in code.
_FOR_WORK = r"(?i)\b(?:what|which|anything|tasks?|to-?dos?|action (?:items|points)|work|to (?:be )?(?:do|done|finish|finished|complete|completed))\b"
# A question for open work with a subject; "what do I have to do to install it?" asks for a rule.
_OPEN_WORK_OF = re.compile(
    r"(?i:\W*(?:(?:what|which|who|list|show|give|are|is|any|my|our)\b.*\b)?(?:(?:open|pending|outstanding|unfinished|remaining) (?:tasks?|items?|work)"
    r"|next steps|action (?:items|points)|to-?dos|left to do|tasks? .*\b(?:still|left|open|due))\b"
    r"|\W*(?:what(?:['’]s| is| are)|(?:what|which) (?:tasks?|items?|points?|work)|(?:is|are) anything)\b.*\bstill (?:to do|to be done|open)\b)"
    r"|What (?:does (?:[A-Z]\w+ )+(?:still )?have to |must (?:[A-Z]\w+ )+(?:still )?)do\b(?! (?:to|with)\b)"
)
_CONDITION = (
    r"(?i)\b(?:when|if|while|once|after)\b"  # "what must Server do when a client leaves?" asks for a rule
)
_OF_A_NAME = r"(?i)\b(?:does|did) (?:the )?(?:next|left|open|outstanding|pending|remain\w*|undone|unfinished)\b"  # "what does next do?"
_LONGEST = 200  # characters


def happenings_of(text: str, now: datetime, language: Language | None = None) -> Happenings | None:
    """The events that a question in a language (None: English) asks for; None when it has a subject."""
    if len(text) > _LONGEST:
        return None
    if asks_for_open_work_abroad(text, now, language):
        return Happenings(open_work=True)
    named: list[str] = []  # words of another language for a kind of event
    if language is not None:
        if (said := abroad.happenings(language, text)) is None:
            return None
        text, named = said
    words = {word.lower() for word in analysis.words(text)}
    since, until = time_range(text, now)
    timed = since is not None or until is not None
    if language is None and _asks_for_open_work(text):
        plain = {word.lower() for word in analysis.words(without_times(text, now))} if timed else words
        if plain <= {*_TO_DO.split()}:
            return Happenings(open_work=True)
    if re.search(_PERSON if timed else _OTHER, text):
        return None
    rest = without_times(text, now) if timed else text
    telling = _telling(rest)
    if not words_for_kinds().issuperset(telling):
        return None
    asks = not words.isdisjoint(_OF_LAST_SESSION.split())
    of_last = re.compile(_LEFT_OFF if timed else _LAST_SESSION, re.IGNORECASE)
    last_session = asks and of_last.search(text) is not None
    newest = bool(telling) and re.search(_NEWEST, of_last.sub("", rest)) is not None
    if not (timed or last_session):
        deeds = bool(telling) and asks and _asks_for_own_deeds(text)
        newest = deeds or (newest and _asks_for_the_past(text, words, telling))
        ours = not (telling or words.isdisjoint(_US.split()) or words.isdisjoint(_OPENING.split()))
        if not (newest or ours):
            return None  # "what is new?" may be asked of documents, and kinds of event have texts and tags to be found by
    written = sorted(words.difference(_OPEN, time_words(text, now)[1])) if timed else []
    own = [term for term in analysis.terms(" ".join(named)) if len(term) > 1] if telling else []
    return Happenings(
        kinds_of(rest),
        tuple(dict.fromkeys((*telling, *own))),
        tuple(term for word in written if word.isdigit() or is_month(word) for term in analysis.terms(word)),
        memories=not last_session and not words.isdisjoint(_MEMORIES.split()),
        last_session=last_session,
        newest=newest,
    )


def open_work_about(text: str, now: datetime) -> Happenings | None:
    """The open work with a subject that a question asks for."""
    if len(text) > _LONGEST or not _OPEN_WORK_OF.match(text):
        return None
    text = without_times(text, now)
    if re.search(_CONDITION, text):
        return None
    subject = [term for term in analysis.terms(text) if term not in analysis.STOP_TERMS | _terms(_TO_DO)]
    return Happenings(open_work=True, words=tuple(dict.fromkeys(subject))) if subject else None


def _telling(text: str) -> list[str]:
    """The terms of a question that distinguish events; things that are chosen only where no other does."""
    telling = [term for term in analysis.terms(text) if term not in analysis.STOP_TERMS | _terms(_PLAIN)]
    return [term for term in telling if term not in _terms(_CHOICES)] or telling


def _asks_for_own_deeds(text: str) -> bool:
    """True for a question that lists the deeds of those who ask, or of their session."""
    ours = asks_what_was_done(text) or re.search(_THIS_SESSION, text) is not None
    return ours and re.match(_WHICH_DEEDS, text) is not None and not re.search(_OF_RULES, text)


def _asks_for_the_past(text: str, words: Set[str], telling: Collection[str]) -> bool:
    """True when a question without a time, with these telling terms, is for events, and not for the last page or test of all."""
    if words.isdisjoint((*_OF_LAST_SESSION.split(), "when", "my", "our", "your")):
        return False
    if re.search(_OF_RULES, text):
        return False
    return re.search(_IN_THE_PAST, text) is not None or not _terms(_ALWAYS_PAST).isdisjoint(telling)


def _asks_for_open_work(text: str) -> bool:
    still_open = re.search(_STILL_OPEN, text) and re.search(_FOR_WORK, text)
    return still_open is not None and " " in text.strip() and re.search(_OF_A_NAME, text) is None


def is_time_alone(text: str, now: datetime, language: Language | None = None) -> bool:
    """True for a question with a time that asks what happened then, or for the notes of it."""
    if len(text) > _LONGEST:
        return False
    if happenings_of(text, now, language) is not None:
        return True
    said = abroad.times(language, text) if language is not None else text
    rest = set(analysis.terms(without_times(said, now))) - analysis.STOP_TERMS - _terms(_NOTES)
    stop = stop_terms(language) if language is not None else frozenset[str]()
    return rest <= (stop | _terms(_PLAIN) | words_for_kinds())


def asks_what_was_done(text: str) -> bool:
    """True for a question about the deeds of those who ask, as "what did we try for the flaky test yesterday?"."""
    return re.search(_DEEDS, text) is not None


@cache
def _terms(words: str) -> frozenset[str]:
    return frozenset(analysis.terms(words))


def time_in_words(since: float | None, until: float | None) -> str:
    """A time, in UTC: `2026-11-24`, `2026-11-16 to 2026-11-22`, `since 2026-11-20`; "" for any time."""
    first, last = (None if at is None else datetime.fromtimestamp(at, UTC) for at in (since, until))
    if first is None or last is None:
        return f"since {_said(first)}" if first else f"before {_said(last)}" if last else ""
    if _is_midnight(first) and _is_midnight(last):
        last -= timedelta(days=1)
    start, end = _said(first), _said(last)
    return start if start == end else f"{start} to {end}"


def _is_midnight(moment: datetime) -> bool:
    return not (moment.hour or moment.minute or moment.second or moment.microsecond)


def _said(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d" if _is_midnight(moment) else "%Y-%m-%d %H:%M")
