"""From the text of a query to a `Query`. This room takes the text apart once, and every other room reads the parts.

    "Can you tell me …, please?" →  …                                 reading.py, asking/
    title, prose, code, inline   →  terms with their weights          sections.py, words.py
    paths, identifiers, quotes   →  anchors, mentions                 names.py
    "where is load_config set?"  →  identifiers                       identifiers.py
    "section 4.2", "§ 7"         →  numbers                           numbers.py
    "page 4 of …", "slide 3"      →  pages                            pages.py
    "who calls f?", exceptions    →  uses                              uses.py
    stack traces                 →  frames                            traces/frames.py
    "what changed in 2.0?"       →  releases                          releases.py
    "minimum pandas version?"    →  requirement                       requirements.py
    last week, before May        →  since, until                      times/named.py, times/dates.py
    "notes of 3 March"           →  days                              times/named.py, times/dates.py
    letzte Woche, 先週            →  the same in English               times/abroad.py
    last week, will we            →  a time that is over or to come     times/other_times.py
    "what happened?"             →  happenings                        times/happenings.py
    "what did we decide about …"  →  event_kinds                      times/event_kinds.py
    "what is this project?"      →  overview                          asking/overviews.py
    "fix …", an error            →  kind                              kinds.py
    "add x, like y"              →  a change, and its names           changes.py
    "how do I …", "do we …"      →  intent                            intents.py

    weight of a term = Σ over its sections of w · (1 + ln tf)      w: title 2, prose 1, inline 1, code 1, beside 1, pasted ½, said before ½ to 1

Pure, linear in the length of the text, and without errors: any text is a query. Only its first 8 KiB are read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from daypack.query import kinds
from daypack.query.asking import Before, before_question, maybe_project, overview_of, questions_in, turns_of
from daypack.query.changes import asks_for_change, names_changed, names_made
from daypack.query.identifiers import asks_of_names_alone, identifiers_of, maybe_products
from daypack.query.intents import intent_of
from daypack.query.keys import keys_of
from daypack.query.messages import messages_of
from daypack.query.names import Names, names_of
from daypack.query.numbers import numbers_of
from daypack.query.pages import pages_of
from daypack.query.reading import Reading, beginning, reading_of
from daypack.query.releases import LATEST, asks_for_version, releases_of
from daypack.query.requirements import OWN, requirement_of
from daypack.query.sections import Sections, dense_text
from daypack.query.sentences import asks
from daypack.query.stories import Story, in_a_line, subject_of
from daypack.query.times.event_kinds import kinds_asked
from daypack.query.times.happenings import asks_what_was_done, happenings_of, open_work_about, time_in_words
from daypack.query.times.named import times_of
from daypack.query.times.other_times import OtherTime, asks_course, other_time
from daypack.query.uses import names_used
from daypack.query.words import weighted_terms
from daypack.text import analysis
from daypack.text.languages import Language, language_of, untelling_terms
from daypack.types import Intent, Overview, Query, QueryKind, Turn

_BESIDE, _PASTED = 1.0, 0.5  # the weight of a word beside the question, and of one that was pasted
_OF_PROJECT = 0.3  # … and of the name of the project, which most texts have. guess
_NAMED_BEFORE = 1.0  # … and of an identifier in the turns before it


def parse_query(
    text: str,
    *,
    now: datetime,
    languages: frozenset[str] = frozenset(),
    language: Language | None = None,
    whole: bool = False,
    history: Sequence[Turn] = (),
    project: str = "",
) -> Query:
    """The query of a text.

    `now` has the time zone of the asker, for "last week". `languages` are the programming languages of the store, and
    `language` is the natural one of a text whose words do not show it. With `whole`, as for a diff or a trace, the text is
    read to its end. `history` are the turns of the conversation before it. `project` is the word of the text that names the whole
    project, as `maybe_project` finds it.
    """
    read, unread = (text, 0) if whole else beginning(text)
    reading = reading_of(read, whole=whole)
    sections, told, question = reading.sections, reading.told, reading.question
    language = language_of(reading.asked) or language
    names = names_of(sections)
    # "tell me what happened", and "summarise the session", whose first word says so; of most questions both forms are one
    forms = dict.fromkeys((reading.text.strip(), read.strip())) if sections.is_short else ()
    times = times_of(sections, forms, language, now)
    kind = kinds.kind_of(question, names, timed=times.named)
    before = before_question(told.asked, () if kind.is_name else history)
    to_change = asks_for_change(question, reading.story)
    made = names_made(question) if to_change else ()
    around = [(told.beside, _PASTED if told.is_pasted else _BESIDE), *before.said]
    terms = weighted_terms(question, around, languages, untelling_terms(language, sections.text), made)
    for term in terms.keys() & {*analysis.terms(project)}:
        terms[term] *= _OF_PROJECT
    query = Query(
        text=told.asked if told.is_pasted else reading.text,
        beside=told.beside,
        kind=kind,
        terms=times.weighed(terms) if sections.is_short else terms,
        # a sentence beside the question may hold its subject, a prompt around it anything
        dense_text=dense_text(question if told.is_labelled else sections),
        title=question.title,
        asks_for_change=to_change,
        changed=names_changed(sections, names.mentions, made) if to_change else (),
        about_asker=kinds.is_about_asker(read, told.asked),  # "tell me" says "me" as well
        language=language or "",
        unread=unread,
        is_incomplete=bool(before.said),
    )
    query = _with_form(query, reading, names, before)
    query = _with_names(query, reading, names, before, made)
    query = _with_numbers(query, sections)
    is_plain = (
        sections.is_short and kind is QueryKind.NATURAL and not (told.beside or before.said or names.anchors)
    )
    if is_plain:
        query = _with_overview(
            query, next(filter(None, (overview_of(form, project) for form in forms)), None)
        )
    return query._replace(
        since=times.since,
        until=times.until,
        days=times.days,
        dates=times.dates,
        time_words=times.words,
        happenings=next(filter(None, (happenings_of(form, now, language) for form in forms)), None)
        or (None if language or names.anchors or not sections.is_short else open_work_about(read, now)),
        event_kinds=kinds_asked(reading.asked) if sections.is_short else (),
    )


def _with_form(query: Query, reading: Reading, names: Names, before: Before) -> Query:
    """The query with the thing that it asks for: a report, code, tests or pages."""
    question, story = reading.question, reading.story
    reports = kinds.is_report(question, story)
    about_code = kinds.is_about_code(question, story, named=bool(names.mentions))
    subject = subject_of(question, story)
    where_tests_are = not reports and kinds.asks_where_tests_are(subject)
    return query._replace(
        is_report=reports,
        is_question=not reports and asks(reading.asked),
        about_code=about_code,
        intent=Intent.MECHANISM if about_code else _intent(reading, before.question, query.language),
        asks_for_tests=names.test_path or where_tests_are,
        asks_where_tests_are=where_tests_are,
        asks_for_docs=kinds.asks_for_docs(subject),
    )


def _with_names(query: Query, reading: Reading, names: Names, before: Before, made: Collection[str]) -> Query:
    """The query with everything that it names letter for letter, but the names in `made`, which are those of new things."""
    sections, question = reading.sections, reading.question
    named = names_of(question).mentions if reading.told.is_pasted else names.mentions
    mentions = {name: weight for name, weight in named.items() if name not in made}
    identifiers = identifiers_of(query.title, mentions)
    may_be_alone = not (query.is_report or query.asks_for_change or query.beside)
    messages = messages_of(sections)
    return query._replace(
        anchors=names.anchors,
        mentions={**dict.fromkeys(before.names, _NAMED_BEFORE), **mentions},
        called=names.called,
        identifiers=identifiers,
        maybe_products=maybe_products(query.title, identifiers),
        asks_of_names_alone=may_be_alone and asks_of_names_alone(question, identifiers),
        uses=names_used(sections, names.mentions, before.names),
        paths=tuple(dict.fromkeys(path.text for path in names.paths)),
        frames=sections.frames,
        messages=messages.sure,
        maybe_messages=messages.maybe,
        keys=tuple(key for key in keys_of(sections) if key not in made),
    )


def _with_numbers(query: Query, sections: Sections) -> Query:
    """The query with the sections, pages and versions that it asks for."""
    return query._replace(
        numbers=numbers_of(sections),
        pages=pages_of(sections),
        releases=() if query.is_report else releases_of(sections),
        requirement=requirement_of(sections),
        asks_for_version=asks_for_version(sections),
    )


def _with_overview(query: Query, overview: Overview | None) -> Query:
    """The query of a question about the whole project, with the texts that answer it."""
    in_files = (Overview.ENTRY, Overview.ENVIRONMENT, Overview.VERSION)
    return query._replace(
        overview=overview,
        # a changelog says the version where no manifest does
        releases=query.releases or (LATEST,) * (overview in (Overview.RELEASE, Overview.VERSION)),
        requirement=OWN if overview is Overview.VERSION else query.requirement,
        intent=query.intent if overview is None or overview in in_files else Intent.USAGE,  # pages introduce
    )


def _intent(reading: Reading, before: str, language: str) -> Intent:
    """The intent of a question; of one without a form of its own that of the question before it."""
    if before:
        reading = reading_of(before, whole=False)
    if language or reading.story is Story.OTHER:
        return Intent.ANY
    return intent_of(in_a_line(reading.question) if reading.story is Story.WISH else reading.asked)


__all__ = [
    "OtherTime",
    "asks_course",
    "asks_what_was_done",
    "maybe_project",
    "other_time",
    "parse_query",
    "questions_in",
    "time_in_words",
    "turns_of",
]
