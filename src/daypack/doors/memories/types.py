"""The nouns of memories."""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields

from daypack.types import SHARED, Budget, EmptyReason, IngestIssue, SearchStats, Trust
from daypack.types.shown import Shown, ShownItems


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """One statement about a key, never changed once it is recorded. All times are Unix seconds.

    It states that `value` is valid in [`valid_from`, `valid_to`); None for `value` states that the key has
    none. `recorded_at` is the time of recording. `token` names it, `parent` the version that its writer knew;
    two versions with one parent were written independently.
    """

    token: str
    value: str | None
    recorded_at: float
    valid_from: float
    valid_to: float | None = None
    expires_at: float | None = None
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # keys of other memories that the value refers to
    source: str = ""  # its origin: a session, a file, a page, a tool
    author: str = ""  # its speaker or writer
    session: str = ""  # its conversation; its neighbours there give it its meaning
    trust: Trust = Trust.USER
    parent: str = ""
    verdict: Verdict | None = None  # of a review, None before one
    reviewed_at: float | None = None


class Verdict(enum.StrEnum):
    """The verdict of a review on an untrusted version."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


class VersionState(enum.StrEnum):
    """The state of a version at some moment."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    FUTURE = "future"  # valid from a later day on
    EXPIRED = "expired"
    WAITING = "waiting"  # untrusted, beside a trusted value: a review decides
    ACCEPTED = "accepted"  # a review recorded it again as trusted
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class MemoryHistory:
    """One line of a history: a version, its state now, and `conflict` when another was written beside it."""

    version: MemoryVersion
    state: VersionState
    conflict: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Memory(Shown, text="value", facts="key value version.token"):
    """The value of a key at one moment. A memory prints as its value."""

    key: str
    version: MemoryVersion
    owner: str
    project: str
    created_at: float
    accessed_at: float | None = None
    recalls: int = 0
    # in an answer about another time: from when on it holds, and until when; infinite where no end is known
    held: tuple[float, float] | None = None
    is_ahead: bool = False  # it holds only from then on

    @property
    def value(self) -> str:
        return self.version.value or ""

    @property
    def token(self) -> str:
        return self.version.token

    @property
    def updated_at(self) -> float:
        return self.version.recorded_at

    @property
    def shared(self) -> bool:
        """True when every owner in the project sees it."""
        return self.owner == SHARED


class GoneState(enum.StrEnum):
    FORGOTTEN = "forgotten"
    REDACTED = "redacted"


@dataclass(frozen=True, slots=True)
class Gone:
    """The remains of a memory that was forgotten or redacted; the store holds only a hash of its key."""

    key: str
    state: GoneState
    at: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory that says nearly the same, or something else about the same.

    `likeness` is the Jaccard index of the terms, in (0, 1].
    """

    key: str
    value: str
    token: str
    likeness: float
    trust: Trust = Trust.USER


@dataclass(frozen=True, slots=True)
class Remembered:
    """The result of a write. `memory` is the current one of the key, None before `valid_from`."""

    key: str
    token: str  # of the version that was written, or that existed already
    written: bool
    memory: Memory | None
    replaced: str | None = None  # token of the previous current version
    waiting: bool = False  # untrusted, beside a trusted value: a review decides
    similar: tuple[Similar, ...] = ()
    redactions: int = 0  # secrets replaced before anything was stored


@dataclass(frozen=True, slots=True, repr=False)
class MemoryHit(Shown, text="memory.value", facts="memory.key memory.value score"):
    """A memory that a query found. Signals are in [0, 1]; `semantic` is None without a vector."""

    memory: Memory
    score: float
    ranked: float  # score of the common ranking
    semantic: float | None
    keyword: float
    recency: float
    also: tuple[str, ...] = ()  # keys of other memories with this value


class Ordering(enum.StrEnum):
    """The order of memories in an answer."""

    RELEVANCE = "relevance"  # in the order of the common ranking
    RECENCY = "recency"
    BLEND = "relevance+recency"
    AUTO = "auto"  # the common ranking, and the common packer's choice by value and cost


@dataclass(frozen=True, slots=True, repr=False)
class MemoryAnswer(ShownItems[MemoryHit], facts="hits query"):
    """Hits of one query, best first."""

    query: str
    hits: tuple[MemoryHit, ...]
    stats: SearchStats
    empty_reason: EmptyReason | None = None


@dataclass(frozen=True, slots=True, repr=False)
class MemoryBlock(ShownItems[Memory], text="text", facts="memories topic tokens_used budget.limit"):
    """Memories on one topic as one Markdown string, which counts at most `budget.limit`."""

    topic: str
    text: str
    budget: Budget
    tokens_used: int
    memories: tuple[Memory, ...]  # in the order of the text
    ordering: Ordering
    stats: SearchStats
    omitted: int = 0  # relevant, but over budget
    too_big: tuple[str, ...] = ()  # keys of the omitted that no block of this budget has room for, best first


@dataclass(frozen=True, slots=True, repr=False)
class MemoryPage(ShownItems[Memory], facts="memories cursor"):
    """Memories in the order of their keys; `cursor` asks for the next page, "" on the last."""

    memories: tuple[Memory, ...]
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Counts of removed items, and the copies out of reach."""

    state: GoneState
    at: float
    keys: tuple[str, ...]
    kept: tuple[str, ...] = ()  # other keys, which lost the versions from a source and keep the rest
    versions: int = 0
    chunks: int = 0
    vectors: int = 0
    postings: int = 0
    files: tuple[str, ...] = ()  # rewritten shared files
    log_emptied: bool = True  # the write-ahead log holds no trace
    may_still_hold: tuple[str, ...] = ()  # backups, imported files, histories of git


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import of memories. Counts are versions."""

    added: int = 0
    unchanged: int = 0
    ended: int = 0  # memories whose text vanished from its file
    refused: int = 0  # forgotten or redacted before: an import does not restore them
    issues: tuple[IngestIssue, ...] = ()

    def __add__(self, other: ImportReport) -> ImportReport:
        """Both imports in one report: counts add up, issues follow each other."""
        return ImportReport(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))
