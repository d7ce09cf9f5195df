"""The nouns of tasks: intents of requests, preferences of users, and the envelope that holds both with the
context.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from daypack.doors.sources.types import AssembleRequest, Assembly, AssemblyMode, RetrievedSource, Source


class Constraint(NamedTuple):
    """A demand of a request on its answer; `text` is quoted from the request or its intent data."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class RequestIntent:
    """The reading of a request by a row of rules.toml. `matched` is the text that decided, "" for a guess."""

    workflow: str
    action: str
    output_type: str
    goal: str
    confidence: float  # from 0 to 1, by the kind of evidence; a degree, not a probability
    target_type: str
    subject: str  # the topic of the request, which the search looks for
    constraints: tuple[Constraint, ...]
    matched: str
    mode: AssemblyMode
    must_include: tuple[str, ...]
    must_avoid: tuple[str, ...]


class Origin(enum.StrEnum):
    LEARNED = "learned"  # from an approved text
    SET = "set"  # by hand, unchanged


@dataclass(frozen=True, slots=True)
class Lesson:
    """One learned or set preference. `text` is a hash; of the approved text only `phrase` is kept."""

    name: str
    value: str
    origin: Origin
    workflow: str = ""  # "" holds for all
    phrase: str = ""
    text: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Preference:
    """A current preference, with every lesson that it follows from."""

    name: str
    value: str
    origin: Origin
    workflow: str
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of a user, for a workflow or for all. `record` is the version that they were read from."""

    levels: Mapping[str, Preference]
    style: Mapping[str, Preference]
    defaults: Mapping[str, Preference]
    notes: tuple[Preference, ...]
    evidence_count: int  # lessons from approved texts
    record: Source | None = None


@dataclass(frozen=True, slots=True)
class Taught:
    """The changes by an approved text or an edit; none for a known text or one without telling phrases."""

    preferences: Preferences
    lessons: tuple[Lesson, ...]
    removed: tuple[Lesson, ...] = ()
    audit_id: int | None = None


@dataclass(frozen=True, slots=True)
class TaskEnvelope:
    """Everything that a model needs for a task: intent, context, preferences, and the contract of the answer."""

    request: AssembleRequest
    intent: RequestIntent
    # None: their policy forbids the destination of the answer, or the user's records were not requested
    preferences: Preferences | None
    source_references: tuple[RetrievedSource, ...]
    context_summary: tuple[tuple[RetrievedSource, str], ...]
    output_type: str
    must_include: tuple[str, ...]
    must_avoid: tuple[str, ...]
    assembly: Assembly
