"""Happenings: questions that hold nothing but a time or a word for events; the answer is all that happened then.

    "what did we do yesterday?"         nothing but a time
    "what was decided last week?"       a time, and a kind of event
    "summarise the session"             no time: the newest day
    "what failed in the last session?"  a session, and a kind of event
    "what is left to do?"               open tasks, of any time
    "what do you remember?"             memories, of any time
    "what did Ann decide yesterday?"    a subject: ranked by words and meaning, like any question

In other languages only with a time.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache

from daypack.query.times import abroad
from daypack.query.times.dates import is_month, time_range, time_words, without_times
from daypack.text import analysis
from daypack.text.languages import Language, stop_terms
from daypack.types import Happenings

# Words that any question about the past may hold: they do not distinguish events.
_PLAIN = """do done doing go went going happen happened occur occurred work worked working handle handled finish finished
complete completed accomplish accomplished achieve achieved get got make made cover covered discuss discussed talk talked speak spoke
chat chatted say said tell told mention mentioned learn learned learnt know knew find found note noted notes remember remembered
memory memories store stored save saved keep kept record recorded see saw look looked use used start started begin began stop
stopped end ended leave left off put pick resume continue stand stood spend spent add added new news newest latest last recent
recently lately past previous prior preceding update updates updated anything something everything nothing thing things stuff matter summary
summaries summarise summarised summarize summarized sum recap overview review digest list show give please let us me exactly
mainly main important most much far already also else yet today tonight session sessions conversation conversations chat event
events activity progress history status happening happenings day days week weeks weekend month months year years hour hours
morning afternoon evening night time times ago since till during early earlier late later remind reminder coming upcoming ahead key short brief briefly quick
quickly full highlight highlights timeline standup assistant agent actually really ve ll re m d"""
# Words for a kind of event, which are in the tags or texts of events and memories.
_KINDS = """decide decided deciding decision decisions agree agreed agreement chose choose chosen choice settle settled reject rejected
abandon abandoned request requests requested ask asked question questions plan planned plans task tasks todo todos step steps
block blocked blocker blockers waiting error errors fail failed failing failure failures fix fixed fixes solve solved problem
problems issue issues wrong break broke broken change changed changes edit edited file files commit commits committed install
installed setup test tests tested command commands run ran try tried trying attempt attempts attempted answer answers answered constraint constraints requirement
requirements limit limits rule rules delegate delegated read search searched tool tools"""
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
_DEEDS = r"(?i)\b(?:did|have|had|were|was) (?:I|we|you)\b"
_LAST_SESSION = (
    r"(?i)\b(?:last|latest|previous|prior|preceding|most recent) (?:\w+ )?(?:session|conversation|chat|time)\b|\bsession before\b"
    r"|\bwhere\b.*\b(?:I|we|us)\b.*\b(?:le(?:ave|ft) (?:it |things )?off|stop(?:ped)?|pick(?:ed)? (?:it |things )?up|resume|continue)\b"
)
# Words of a question for open work, and those of them that ask for it.
_TO_DO = """what which anything is are was there s re do does did have has need needs should must can shall i we you us me our my the a an of on for in
from to be and so now still else yet not left over next step steps task tasks todo todos work item items thing things list open pending outstanding
unfinished undone done finish finished complete completed remain remains remaining coming up session sessions project"""
_STILL_OPEN = (
    r"(?i)\b(?:to (?:be )?(?:do|done|finish|finished|complete|completed)|next|(?:not|n['’]t)(?: yet)? (?:been )?(?:done|finished|complete|completed)"
    r"|undone|unfinished|outstanding|pending|remain(?:s|ing)?|left|open (?:tasks?|todos?|items?|work)|(?:is|are|['’]s|still) open)\b"
)
# One of these makes such words a question for work: "next" and "the next item" may be names in code.
_FOR_WORK = r"(?i)\b(?:what|which|anything|tasks?|todos?|work|to (?:be )?(?:do|done|finish|finished|complete|completed))\b"
_OF_A_NAME = r"(?i)\b(?:does|did) (?:the )?(?:next|left|open|outstanding|pending|remain\w*|undone|unfinished)\b"  # "what does next do?"
_LONGEST = 200  # characters


def happenings_of(text: str, now: datetime, language: Language | None = None) -> Happenings | None:
    """The events that a question in a language (None: English) asks for; None when it has a subject."""
    if len(text) > _LONGEST:
        return None
    named: list[str] = []  # words of another language for a kind of event
    if language is not None:
        if (said := abroad.happenings(language, text)) is None:
            return None
        text, named = said
    words = {word.lower() for word in analysis.words(text)}
    if language is None and words <= {*_TO_DO.split()} and _asks_for_open_work(text):
        return Happenings((), (), open_work=True)
    since, until = time_range(text, now)
    timed = since is not None or until is not None
    rest = analysis.terms(without_times(text, now) if timed else text)
    plain, of_kind = _terms(_PLAIN), _terms(_KINDS)
    if not timed and re.search(_OTHER, text):
        return None
    last_session = (
        not (timed or words.isdisjoint(_OF_LAST_SESSION.split()))
        and re.search(_LAST_SESSION, text) is not None
    )
    telling = [term for term in rest if term not in analysis.STOP_TERMS and term not in plain]
    if any(term not in of_kind for term in telling):
        return None
    if not (timed or last_session) and (
        telling or words.isdisjoint(_US.split()) or words.isdisjoint(_OPENING.split())
    ):
        return None  # "what is new?" may be asked of documents, and kinds of event have texts and tags to be found by
    written = sorted(words.difference(_OPEN, time_words(text, now)[1])) if timed else []
    dates = [term for word in written if word.isdigit() or is_month(word) for term in analysis.terms(word)]
    own = [term for term in analysis.terms(" ".join(named)) if len(term) > 1] if telling else []
    kinds = tuple(dict.fromkeys((*telling, *own)))
    memories = not last_session and not words.isdisjoint(_MEMORIES.split())
    return Happenings(kinds, tuple(dates), memories, last_session)


def _asks_for_open_work(text: str) -> bool:
    still_open = re.search(_STILL_OPEN, text) and re.search(_FOR_WORK, text)
    return still_open is not None and re.search(_OF_A_NAME, text) is None


def is_time_alone(text: str, now: datetime, language: Language | None = None) -> bool:
    """True for a question with a time that asks what happened then, or for the notes of it."""
    if len(text) > _LONGEST:
        return False
    if happenings_of(text, now, language) is not None:
        return True
    said = abroad.times(language, text) if language is not None else text
    rest = set(analysis.terms(without_times(said, now))) - analysis.STOP_TERMS - _terms(_NOTES)
    stop = stop_terms(language) if language is not None else frozenset[str]()
    return rest <= (stop | _terms(_PLAIN) | _terms(_KINDS))


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
