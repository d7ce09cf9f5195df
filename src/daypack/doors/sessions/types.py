"""The nouns of sessions."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from daypack.types import EMPTY, Budget, Span, Trust
from daypack.types.shown import ShownItems, on_line


class Category(enum.StrEnum):
    """The kind of an event, by its use for going on with the work."""

    PROMPT = "prompt"  # a person's request
    DECISION = "decision"
    CONSTRAINT = "constraint"
    TASK = "task"
    PLAN = "plan"
    REJECTED = "rejected"  # an approach that was tried or considered, and given up
    BLOCKER = "blocker"
    ERROR = "error"
    FIX = "fix"  # a failed command works again
    FILE = "file"  # a file was written, changed or deleted
    GIT = "git"
    ENVIRONMENT = "environment"  # something was installed, started or configured
    ANSWER = "answer"  # the assistant's words
    TEST = "test"
    WEB = "web"
    DELEGATION = "delegation"  # a task was given to another agent
    COMMAND = "command"
    READ = "read"  # a file was looked at
    TOOL = "tool"
    SESSION = "session"  # it began, ended or was compacted


class State(enum.StrEnum):
    """The state of a task, an error or a command."""

    NONE = ""
    OPEN = "open"
    ACTIVE = "in progress"
    DONE = "done"
    DROPPED = "dropped"  # a task that its list no longer has


# ---------------------------------------------------------------- what comes in


@dataclass(frozen=True, slots=True)
class Said:
    """A turn in words. `who` is "user" or "assistant"."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Did:
    """A call of a tool. `output` is None when it is unknown, `failed` when nothing tells."""

    tool: str
    input: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    output: str | None = None
    failed: bool | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about the session itself: it began, ended, or was compacted."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a session, from a hook or a transcript. `time` is Unix seconds; `key` names this
    occurrence, "" without a name, where the time identifies it. `client` is the program that ran the session,
    `folder` its place.
    """

    session: str
    time: float
    what: Said | Did | Noted
    key: str = ""
    client: str = ""
    folder: str = ""


# ---------------------------------------------------------------- what is kept


@dataclass(frozen=True, slots=True)
class Mark:
    """Half-open characters of an event with a meaning of their own, as a decision in an answer."""

    category: Category
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Event:
    """An event to be stored. Equal `category`, `subject` and text in a session are the same event."""

    category: Category
    text: str
    author: str
    trust: Trust
    subject: str = ""  # the file, the command, the task
    state: State = State.NONE
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """A stored event. `number` is its place in the session, `reference` what `daypack get` takes."""

    number: int
    reference: str
    session: str
    category: Category
    text: str
    author: str
    first_at: float
    last_at: float
    count: int
    subject: str = ""
    state: State = State.NONE
    marks: tuple[Mark, ...] = ()
    record_id: int = 0
    trust: Trust = Trust.AGENT

    @property
    def categories(self) -> tuple[Category, ...]:
        """Its own category, and those of its marks."""
        return tuple(dict.fromkeys((self.category, *(mark.category for mark in self.marks))))


@dataclass(frozen=True, slots=True)
class Session:
    """A session of an agent or a person, in Unix seconds. `evicted` counts events beyond the cap; `request` is the beginning
    of the first request that is kept.
    """

    id: str
    short: str  # begins the references to its events: session:SHORT/12
    client: str
    folder: str
    started_at: float
    last_at: float
    events: int
    evicted: int = 0
    request: str = ""


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Counts of an import: `repeated` raised the count of an event, `known` ones were there before."""

    sessions: int = 0
    added: int = 0
    repeated: int = 0
    known: int = 0
    evicted: int = 0
    broken: int = 0  # unreadable lines
    redactions: int = 0
    files: int = 0
    issues: tuple[str, ...] = ()

    def __add__(self, other: SessionReport) -> SessionReport:
        """Both reports in one: counts add up, issues follow each other."""
        return SessionReport(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))


@dataclass(frozen=True, slots=True, repr=False)
class Timeline(ShownItems[SessionEvent], facts="events sessions cut"):
    """Events in the order of time. `cut` older ones, back to `cut_from`, were left out. A timeline is a sequence of
    events, and prints a line for each.
    """

    events: tuple[SessionEvent, ...]
    sessions: tuple[Session, ...]
    cut: int = 0
    cut_from: float | None = None

    def __str__(self) -> str:
        return "\n".join(f"{one.reference}  {one.category}  {on_line(one.text)}" for one in self.events)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a briefing: its text, and the event behind it. `span` is within the event's text."""

    text: str
    number: int
    reference: str = ""
    note: str = ""  # "open", "in progress", "×3"
    span: Span | None = None
    trust: Trust = Trust.AGENT


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under one heading, most important first. `more` lines did not fit."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Briefing(ShownItems[Section], text="text", facts="sections tokens_used budget.limit left_out"):
    """A page for going on with the work, rendered within a budget. `left_out` lines did not fit. A briefing is a
    sequence of sections, and prints as its text.
    """

    session: Session | None
    budget: Budget
    sections: tuple[Section, ...]
    text: str
    tokens_used: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PurgeReceipt:
    """Counts of what a purge removed. `log_emptied` is False when others held the store open: run it again."""

    sessions: int
    events: int
    chunks: int
    vectors: int
    log_emptied: bool = False
    may_still_hold: tuple[str, ...] = ()
