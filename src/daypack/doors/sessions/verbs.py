"""The verbs of sessions, under the names that agents know from context-mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from daypack.doors.sessions import pages, serialize
from daypack.doors.sessions.types import Category
from daypack.types.modes import TokenizerName
from daypack.verbs.table import TERMINAL, Access, Answer, Flag, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.sessions.types import Briefing, Timeline

SESSION = Flag("--session", "A session by its name or the beginning of its name, or current.", metavar="ID")
KIND = Flag(
    "--kind",
    "Only events of this kind.",
    metavar="NAME",
    choices=tuple(kind.value for kind in Category),
    retired="--category",
)
DATE = Flag(metavar="DATE", default=None, read="date")
Budget = Annotated[
    int,
    "Maximum o200k tokens of the page.",
    Range(0, 20_000),
    Flag("--budget -b", "Maximum size of the page.", read="tokens"),
]
Session = Annotated[str, "current, or a session.", SESSION]
Tokenizer = Annotated[TokenizerName, TERMINAL, "The tokenizer of the budget."]


def session_resume(
    daypack: Daypack, budget: Budget = 800, session: Session = "current", tokenizer: Tokenizer = "o200k"
) -> Briefing:
    """Resume a session after its context was compacted: its state, last request, open errors and tasks,
    constraints, decisions, each cited.
    """
    return daypack.sessions.resume(session=session, budget=budget, tokenizer=tokenizer)


def session_snapshot(
    daypack: Daypack, budget: Budget = 2000, session: Session = "current", tokenizer: Tokenizer = "o200k"
) -> Briefing:
    """Write a table of contents of a session, for the time after its context is compacted."""
    return daypack.sessions.snapshot(session=session, budget=budget, tokenizer=tokenizer)


def session_timeline(
    daypack: Daypack,
    session: Annotated[
        str,
        "current, all, or a session; by default current, or all of a time.",
        Flag(help="A session, current, or all. [default: current; all of a time]", metavar="ID"),
    ] = "",
    limit: Annotated[
        int,
        "Number of events, the newest.",
        Range(1, 1000),
        Flag("--limit -n", "Maximum number of events; the newest are shown.", range=Range(1, 100_000)),
    ] = 50,
    category: Annotated[list[str] | None, "Only these kinds, as decision or error.", KIND] = None,
    since: Annotated[
        str, "Only from this moment on: 2026-10-01, yesterday, 3 days ago, last week.", DATE
    ] = "",
    before: Annotated[str, "Only before this moment.", DATE] = "",
) -> Timeline:
    """Events of a session in order of time: what happened, step by step."""
    return daypack.sessions.timeline(
        session=session,
        limit=limit,
        categories=category or [],
        since=None if since == "" else since,
        before=None if before == "" else before,
    )


def _briefing_answer(found: Briefing) -> Answer:
    details = serialize.briefing_to_dict(found)
    del details["text"]
    return Answer(found.text, details)


def _timeline_answer(found: Timeline) -> Answer:
    return Answer(pages.timeline(found), serialize.timeline_to_dict(found))


TOOLSET = "knowledge"
VERBS: tuple[Verb, ...] = (
    Verb("session_resume", TOOLSET, Access.READ, session_resume, "session resume", plain=_briefing_answer),
    Verb(
        "session_snapshot", TOOLSET, Access.READ, session_snapshot, "session snapshot", plain=_briefing_answer
    ),
    Verb(
        "session_timeline", TOOLSET, Access.READ, session_timeline, "session timeline", plain=_timeline_answer
    ),
)
