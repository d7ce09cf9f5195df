"""Asides: events that do not answer a question.

    "session startup", "compacted"        unless the question asks for them
    a prompt of a session that goes on    if it only asks, or says what the question says: an agent packs what it was
                                          asked, and has read it; unless requests are asked for. Of a long session
                                          the newest prompts, of a search among events the one that has no answer yet
    a question of any session             if it is nearly the same

A prompt with a decision or a constraint tells something, and stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from daypack.doors.sessions.current import Live, live_sessions
from daypack.engine.doors import Asked
from daypack.index import sql
from daypack.ports import Connection
from daypack.query.sentences import asks, sentences_in
from daypack.text import analysis

_READ = 50_000  # characters of the newest prompts of a session: to analyse more makes each query slow. guess
_SAME = 0.75  # of all words of two texts: those that both have. guess
_OF_SESSIONS = re.compile(
    r"\b(?:sessions?|conversations?|context)\b.{0,40}\b(?:start\w*|beg[aiu]n\w*|resum\w*|end(?:s|ed)?|compact\w*|clear(?:ed)?)\b"
    r"|\b(?:start\w*|beg[aiu]n\w*|resum\w*|end(?:s|ed)?|compact\w*|clear(?:ed)?)\b.{0,40}\b(?:sessions?|conversations?|context)\b|\bcompact(?:ed|ion)\b",
    re.IGNORECASE,
)
_OF_REQUESTS = re.compile(
    r"\b(?:I|we|user|you)\b.{0,20}\b(?:ask|asked|request\w*|want\w*|said|say|told|tell)\b"
    r"|\b(?:my|our|users?|user['’]s|first|last|previous|earlier|latest)\b.{0,20}\b(?:requests?|prompts?|questions?|messages?)\b",
    re.IGNORECASE,
)


def asides(db: Connection, asked: Asked) -> list[int]:
    """Ids of the events that do not answer a query."""
    found = [] if _OF_SESSIONS.search(asked.query.text) else _notes(db)
    live = live_sessions(db, asked.now)
    words = _words(asked.query.text)
    of_requests = _OF_REQUESTS.search(asked.query.text) is not None
    for session in live:
        found += _of_session(db, session, asked, words, of_requests=of_requests)
    if not asked.among_events:  # a search among events by the words of a prompt looks for it
        found += [record_id for record_id, text in _questions(db, asked.alike) if _is_like(words, text)]
    return found


def _notes(db: Connection) -> list[int]:
    return [row[0] for row in db.execute("SELECT record_id FROM session_event WHERE category = 'session'")]


def _of_session(
    db: Connection, session: Live, asked: Asked, words: frozenset[str], *, of_requests: bool
) -> list[int]:
    """The prompts of a session that goes on that do not answer."""
    if asked.among_events and not session.asks:
        return []
    says_nothing = not (of_requests or asked.query.happenings)
    return [
        record_id
        for record_id, text, marks in _newest_prompts(db, session, 1 if asked.among_events else None)
        if _is_like(words, text) or (says_nothing and _asks(text) and not json.loads(marks))
    ]


def _newest_prompts(db: Connection, session: Live, most: int | None) -> Iterator[tuple[int, str, str]]:
    """(record id, text, marks) of the newest prompts of a session, at most `most`."""
    statement = """SELECT e.record_id, r.text, e.marks FROM session_event AS e JOIN record AS r ON r.id = e.record_id
              WHERE e.session_id = ? AND e.category = 'prompt' ORDER BY e.last_at DESC, e.number DESC"""
    read = 0
    for record_id, text, marks in islice(db.execute(statement, (session.id,)), most):
        yield record_id, text, marks
        read += len(text)
        if read >= _READ:
            return


def _questions(db: Connection, record_ids: Sequence[int]) -> list[tuple[int, str]]:
    """(record id, text) of those records that are prompts which ask, and say nothing else."""
    statement = f"""SELECT e.record_id, r.text FROM session_event AS e JOIN record AS r ON r.id = e.record_id
              WHERE e.record_id {sql.AMONG} AND e.category = 'prompt' AND e.marks = '[]'"""
    return [row for row in db.execute(statement, (sql.ids(record_ids),)) if _asks(row[1])]


def _asks(text: str) -> bool:
    """True for a text in which every sentence is a question."""
    return all(
        asks(sentence) for line in text.splitlines() if line.strip() for sentence in sentences_in(line)
    )


def _is_like(words: frozenset[str], text: str) -> bool:
    other = _words(text)
    return len(words & other) >= _SAME * len(words | other)


def _words(text: str) -> frozenset[str]:
    return frozenset(analysis.content_terms(analysis.terms(text)))
