"""From the text of a query to a `Query`. This room takes the text apart once, and every other room reads the parts.

    "Can you tell me …, please?" →  …                                 asking/
    title, prose, code, inline   →  terms with their weights          sections.py, words.py
    paths, identifiers, quotes   →  anchors, mentions                 names.py
    "section 4.2", "§ 7"         →  numbers                           numbers.py
    "who calls f?", exceptions    →  uses                              uses.py
    stack traces                 →  frames                            frames.py
    "what changed in 2.0?"       →  releases                          releases.py
    "minimum pandas version?"    →  requirement                       requirements.py
    last week, before May        →  since, until                      dates.py
    letzte Woche, 先週            →  the same in English               abroad.py
    last week, will we            →  a time that is over or to come     times/other_times.py
    "what happened?"             →  happenings                        happenings.py
    "fix …", an error            →  kind                              kinds.py
    "how do I …", "do we …"      →  intent                            intents.py

    weight of a term = Σ over its sections of w · (1 + ln tf)      w: title 2, prose 1, inline 1, code 1, beside 1, pasted ½, said before ½ to 1

Pure, linear in the length of the text, and without errors: any text is a query. Only its first 8 KiB are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from daypack.query.asking import (
    Told,
    before_question,
    pasted_in,
    question_of,
    questions_in,
    told_in,
    turns_of,
)
from daypack.query.intents import intent_of
from daypack.query.keys import keys_of
from daypack.query.kinds import (
    asks_for_change,
    asks_for_docs,
    asks_for_tests,
    is_about_asker,
    is_about_code,
    is_report,
    kind_of,
)
from daypack.query.messages import messages_of, sayings_of
from daypack.query.names import names_of
from daypack.query.numbers import numbers_of
from daypack.query.releases import asks_for_version, releases_of
from daypack.query.requirements import requirement_of
from daypack.query.sections import SHORT_QUERY, Sections, dense_text, sections_of
from daypack.query.sentences import asked_in, asks
from daypack.query.stories import Story, in_a_line, story_in, subject_of
from daypack.query.times import abroad
from daypack.query.times.dates import named_dates, time_range, time_words
from daypack.query.times.happenings import happenings_of, time_in_words
from daypack.query.times.other_times import OtherTime, other_time
from daypack.query.uses import names_used
from daypack.query.words import weighted_terms
from daypack.text import analysis
from daypack.text.languages import Language, language_of, untelling_terms
from daypack.types import Intent, Query, Turn

_BESIDE, _PASTED = 1.0, 0.5  # the weight of a word beside the question, and of one that was pasted
_FROM_NOW = 0.3  # … of a word of "six months ago", which in a stored text means another time; a factor. guess
_NAMED_BEFORE = 1.0  # … and of an identifier in the turns before it
READ_BYTES = (
    8 << 10
)  # enough for the title, the text and the trace of a report; logs and lists come after them


def parse_query(
    text: str,
    *,
    now: datetime,
    languages: frozenset[str] = frozenset(),
    language: Language | None = None,
    whole: bool = False,
    history: Sequence[Turn] = (),
) -> Query:
    """The query of a text.

    `now` has the time zone of the asker, for "last week". `languages` are the programming languages of the store, and
    `language` is the natural one of a text whose words do not show it. With `whole`, as for a diff or a trace, the text is
    read to its end. `history` are the turns of the conversation before it.
    """
    read, unread = (text, 0) if whole else beginning(text)
    text = read if whole else question_of(read)
    pasted = None if whole else pasted_in(text)
    if pasted is not None:
        text = pasted.said_first(text)
    sections = sections_of(text)
    told = Told(text, "") if whole else told_in(text, pasted, is_short=sections.is_short)
    story = Story.NONE if told.is_labelled else story_in(sections)
    if story in (Story.FAILURE, Story.CHANGE):
        told = Told(text, "")  # "It prints one line. Shouldn't it print all?"
    question = sections_of(told.asked) if told.asked != text else sections
    # a sentence beside the question may hold its subject, a prompt around it anything
    embedded = dense_text(question if told.is_labelled else sections)
    asked = question.title or question.prose[:SHORT_QUERY]
    story = story if question is sections else story_in(question)
    subject = subject_of(question, story)
    reports = is_report(question, story)
    language = language_of(asked) or language
    untelling = untelling_terms(language, sections.text)
    names = names_of(sections)
    mentions = names_of(question).mentions if told.is_pasted else names.mentions
    dated = (
        f"{sections.title}\n{sections.prose}" if sections.is_short else asked_in(sections.title, SHORT_QUERY)
    )
    since, until = time_range(abroad.times(language, dated) if language else dated, now)
    timed, relative = ([], []) if since is None and until is None else time_words(dated, now)
    kind = kind_of(question, names, timed=since is not None or until is not None)
    before = before_question(told.asked, () if kind.is_name else history)
    around = [(told.beside, _PASTED if told.is_pasted else _BESIDE), *before.said]
    terms = weighted_terms(question, around, languages, untelling)
    if relative and sections.is_short:
        from_now = frozenset(analysis.terms(" ".join(relative)))
        terms = {term: weight * (_FROM_NOW if term in from_now else 1.0) for term, weight in terms.items()}
    # "tell me what happened", and "summarise the session", whose first word says so; of most questions both forms are one
    forms = dict.fromkeys((text.strip(), read.strip())) if sections.is_short else ()
    happened = next(filter(None, (happenings_of(form, now, language) for form in forms)), None)
    dates = () if since is None and until is None else named_dates(dated)
    about_code = is_about_code(question, story, named=bool(names.mentions))
    messages = messages_of(sections)
    return Query(
        text=told.asked if told.is_pasted else text,
        beside=told.beside,
        kind=kind,
        terms=terms,
        dense_text=embedded,
        title=question.title,
        anchors=names.anchors,
        mentions={**dict.fromkeys(before.names, _NAMED_BEFORE), **mentions},
        uses=names_used(sections, names.mentions, before.names),
        paths=tuple(dict.fromkeys(path.text for path in names.paths)),
        frames=sections.frames,
        messages=messages,
        sayings=sayings_of(sections, messages),
        keys=keys_of(sections),
        numbers=numbers_of(sections),
        releases=() if reports else releases_of(sections),
        requirement=requirement_of(sections),
        asks_for_version=asks_for_version(sections),
        asks_for_tests=names.test_path or asks_for_tests(subject),
        asks_for_docs=asks_for_docs(subject),
        asks_for_change=asks_for_change(question, story),
        about_asker=is_about_asker(read, told.asked),  # "tell me" says "me" as well
        about_code=about_code,
        is_report=reports,
        is_question=not reports and asks(asked),
        intent=Intent.MECHANISM if about_code else _intent(question, asked, story, language),
        since=since,
        until=until,
        happenings=happened,
        dates=tuple(analysis.terms(" ".join(dates))),
        time_words=frozenset(timed),
        language=language or "",
        unread=unread,
        is_incomplete=bool(before.said),
    )


def _intent(question: Sections, asked: str, story: Story, language: Language | None) -> Intent:
    if language or story is Story.OTHER:
        return Intent.ANY
    return intent_of(in_a_line(question) if story is Story.WISH else asked)


def beginning(text: str) -> tuple[str, int]:
    """(the part of a text that is read as a query, the number of bytes after it)."""
    if len(text) <= READ_BYTES // 4:  # of at most four bytes each
        return text, 0
    encoded = text.encode(errors="replace")
    read = encoded[:READ_BYTES].decode(errors="ignore") if len(encoded) > READ_BYTES else text
    return read, max(0, len(encoded) - READ_BYTES)


__all__ = ["OtherTime", "other_time", "parse_query", "questions_in", "time_in_words", "turns_of"]
