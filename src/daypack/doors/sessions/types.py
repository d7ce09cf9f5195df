"""The nouns of sessions."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from daypack.types import EMPTY, Budget, Trust
from daypack.types.shown import ShownItems, on_line


class Category(enum.StrEnum):
    """The kind of an event, by its use for continuing the work."""

    PROMPT = "prompt"  # a request of the user
    DECISION = "decision"
    CONSTRAINT = "constraint"
    TASK = "task"
    PLAN = "plan"
    REJECTED = "rejected"  # an approach that was tried or considered, and abandoned
    BLOCKER = "blocker"
    ERROR = "error"
    FIX = "fix"  # a failed command works again
    FILE = "file"  # a file was written, changed or deleted
    GIT = "git"
    ENVIRONMENT = "environment"  # a program or package was installed, started or configured
    ANSWER = "answer"  # the assistant's words
    TEST = "test"
    WEB = "web"
    DELEGATION = "delegation"  # a task was given to another agent
    COMMAND = "command"
    READ = "read"  # a file was read
    TOOL = "tool"
    SESSION = "session"  # the session began, ended or was compacted


class State(enum.StrEnum):
    """The state of a task, an error or a command."""

    NONE = ""
    OPEN = "open"
    ACTIVE = "in progress"
    DONE = "done"
    DROPPED = "dropped"  # a task that is no longer in its list


# ---------------------------------------------------------------- what comes in


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of words. `who` is "user" or "assistant"."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Did:
    """A call of a tool. `output` and `failed` are None when unknown."""

    tool: str
    input: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    output: str | None = None
    failed: bool | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """A fact of the session itself: it began, ended, or was compacted."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a session, from a hook or a transcript. `time` is in Unix seconds. `key` identifies the occurrence; with ""
    the time identifies it, and with `timed` either of the two: hooks do not know the key. `client` is the program that ran the
    session, `folder` its working folder.
    """

    session: str
    time: float
    what: Said | Did | Noted
    key: str = ""
    client: str = ""
    folder: str = ""
    timed: bool = False


# ---------------------------------------------------------------- what is kept


@dataclass(frozen=True, slots=True)
class Mark:
    """A half-open range of characters in an event's text with its own category, as a decision in an answer."""

    category: Category
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Event:
    """An event to be stored. Events of a session with equal `category`, `subject`, and text or `known_by`, are the same event."""

    category: Category
    text: str
    author: str
    trust: Trust
    subject: str = ""  # the file, command or task
    state: State = State.NONE
    marks: tuple[Mark, ...] = ()
    known_by: str = ""  # the part of the text that tells it from other events, if not the whole


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """A stored event. `number` is its position in the session, `reference` an argument for `daypack get`."""

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
        """The category of the event, then those of its marks."""
        return tuple(dict.fromkeys((self.category, *(mark.category for mark in self.marks))))


@dataclass(frozen=True, slots=True)
class Session:
    """A session of an agent or a person. Times are in Unix seconds. `evicted` is the number of evicted events; `request` is
    the beginning of the first request that is still stored.
    """

    id: str
    short: str  # the beginning of the name in references to events: session:SHORT/12
    client: str
    folder: str
    started_at: float
    last_at: float
    events: int
    evicted: int = 0
    request: str = ""


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Numbers of events in an import: `repeated` ones raised the count of a stored event, `known` ones were imported before."""

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
        """The sum of the counts, and the issues of both reports."""
        return SessionReport(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))


@dataclass(frozen=True, slots=True, repr=False)
class Timeline(ShownItems[SessionEvent], facts="events sessions cut"):
    """Events in the order of time, without `cut` older ones, the first of them at `cut_from`. A timeline is a sequence of
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
    """One line of a briefing: its text, and the event that it comes from."""

    text: str
    number: int
    reference: str = ""
    note: str = ""  # "open", "in progress", "×3"
    trust: Trust = Trust.AGENT


@dataclass(frozen=True, slots=True)
class Section:
    """The lines under a heading, the most important first. `more` is the number of lines that did not fit."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Briefing(ShownItems[Section], text="text", facts="sections tokens_used budget.limit left_out"):
    """A page with which to continue the work, rendered within a budget. `left_out` is the number of lines that did not fit. A
    briefing is a sequence of sections, and prints as its text.
    """

    session: Session | None
    budget: Budget
    sections: tuple[Section, ...]
    text: str
    tokens_used: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PurgeReceipt:
    """Counts of the removed sessions and events. `log_emptied` is False when other processes had the store open: a
    later look at the memories rewrites it.
    """

    sessions: int
    events: int
    chunks: int
    vectors: int
    log_emptied: bool = False
    may_still_hold: tuple[str, ...] = ()
