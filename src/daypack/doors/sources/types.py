"""The nouns of the sources door: scoped, versioned records with a policy.

They are separate from `types` because each class costs every command some time.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from daypack.types import EMPTY, EmptyReason, IngestIssue, SearchStats, Tokenizer, Trust
from daypack.types.shown import ShownItems

MOST_ASSEMBLED = 24  # retrieved items from which a text is assembled


class SourceKind(enum.StrEnum):
    """The part that a record plays in the workflow that keeps it."""

    USER_PROMPT = "user_prompt"
    NORMALIZED_QUERY = "normalized_query"
    ASSISTANT_ANSWER = "assistant_answer"
    ROUTING_DECISION = "routing_decision"
    DECISION_TRACE = "decision_trace"
    TOPIC_PATTERN = "topic_pattern"
    RESEARCH_PLAN = "research_plan"
    SEARCH_QUERY = "search_query"
    EVIDENCE_SUMMARY = "evidence_summary"
    RESEARCH_REPORT = "research_report"
    RESEARCH_FINDING = "research_finding"
    USER_PROFILE_NOTE = "user_profile_note"
    DECISION_OUTCOME = "decision_outcome"
    TRAINING_EXAMPLE = "training_example"


class SourceScope(enum.StrEnum):
    """The readers of a record: one session, one user, or every user whom its policy admits."""

    SESSION = "session"
    USER = "user"
    GLOBAL = "global"


class SourceStatus(enum.StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"  # an older version: kept and shown, never searched
    DELETED = "deleted"  # a tombstone without text


class SourceType(enum.StrEnum):
    DIRECT_TEXT = "direct_text"
    IMPORTED_DOCUMENT = "imported_document"


class ContentClass(enum.StrEnum):
    RAW_SOURCE = "raw_source"
    NORMALIZED_MEMORY = "normalized_memory"
    RETRIEVAL_CHUNK = "retrieval_chunk"
    ASSEMBLED_CONTEXT = "assembled_context"


class Confidentiality(enum.StrEnum):
    PRIVATE = "private"
    RESTRICTED = "restricted"
    SHAREABLE = "shareable"


class ModelTarget(enum.StrEnum):
    """The model that gets the answer: one on this machine or a hosted one."""

    LOCAL = "local"
    HOSTED = "hosted"


class SourceRanking(enum.StrEnum):
    COMMON = "common"  # as all other records are ranked
    WEIGHTED = "weighted"  # a weighted sum with a bonus for kind, scope and age


class AssemblyMode(enum.StrEnum):
    ASSISTANT = "assistant"
    PLANNER = "planner"
    RESEARCH = "research"
    DRAFTING = "drafting"


@dataclass(frozen=True, slots=True)
class SourcePolicy:
    """The readers that a record may have, and the models that may get it.

    Without a confidentiality, global records are shareable and others private.
    """

    confidentiality: Confidentiality | None = None
    allowed_user_ids: tuple[str, ...] = ()  # empty: no restriction
    allowed_session_ids: tuple[str, ...] = ()
    allow_local_model_egress: bool = True
    allow_remote_model_egress: bool = False
    freshness_days: float | None = None  # older than this, retrieval leaves it out
    retention_days: float | None = None  # older than this, `prune` deletes it


@dataclass(frozen=True, slots=True)
class StructuredField:
    """A leaf of structured data: `path` as in "parties[0].name"; `value_type` is JSON's name of its type."""

    path: str
    value_text: str
    value_type: str


@dataclass(frozen=True, slots=True)
class SourceDraft:
    """A record to store. `text` may be empty when there is structured data: it is then made of its fields.

    `user_id` and `session_id` are those of the owner; without a user, the door's.
    """

    text: str = ""
    kind: SourceKind | str = SourceKind.RESEARCH_FINDING
    scope: SourceScope | str = SourceScope.SESSION
    user_id: str | None = None
    session_id: str | None = None
    source_key: str | None = None
    title: str = ""
    summary: str = ""
    source_type: SourceType | str = SourceType.DIRECT_TEXT
    content_class: ContentClass | str = ContentClass.RAW_SOURCE
    tags: tuple[str, ...] | list[str] = ()
    urls: tuple[str, ...] | list[str] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    structured_data: Any = None
    data_schema: Mapping[str, Any] | None = None
    policy: SourcePolicy = field(default_factory=SourcePolicy)
    external_id: str = ""
    source_updated_at: float | None = None


def space_of(scope: str, user_id: str, session_id: str) -> str:
    """The engine's scope of a record: its owner, because only the owner replaces and removes it.

    None of the three can hold the separator.
    """
    return f"session\x1f{session_id}\x1f{user_id}" if scope == "session" else f"{scope}\x1f{user_id}"


@dataclass(frozen=True, slots=True)
class Source:
    """A record in its stored form. Times are Unix seconds; `id` names this version and is never reused."""

    id: str
    kind: SourceKind
    scope: SourceScope
    user_id: str
    session_id: str
    source_key: str
    source_version: int
    source_status: SourceStatus
    source_type: SourceType
    content_class: ContentClass
    text: str
    title: str
    summary: str
    tags: tuple[str, ...]
    urls: tuple[str, ...]
    metadata: Mapping[str, Any]
    structured_data: Any
    data_schema: Mapping[str, Any] | None
    structured_fields: tuple[StructuredField, ...]
    policy: SourcePolicy
    content_checksum: str  # SHA-256 of text and structured data, "" of a tombstone
    token_count: int  # o200k tokens of the text
    created_at: float
    used_at: float | None = None
    deleted_at: float | None = None
    previous_record_id: str = ""
    external_id: str = ""
    source_updated_at: float | None = None
    trust: Trust = Trust.USER

    @property
    def space(self) -> str:
        return space_of(self.scope, self.user_id, self.session_id)


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A searched part of an active record; `tokens` are o200k, `words` the weighted ranking's."""

    chunk_id: int
    index: int
    text: str
    tokens: int
    words: tuple[str, ...]


class SourceAction(enum.StrEnum):
    CREATED = "created"
    UPDATED = "updated"  # a new version; the old one is superseded
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class StoredSource:
    """The outcome of a write. `similar` are ids of earlier records that say nearly the same: both are kept.

    `pruned` lists the records that it displaced.
    """

    record: Source
    action: SourceAction
    redactions: int = 0
    similar: tuple[str, ...] = ()
    pruned: SourceReceipt | None = None
    audit_id: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedSources:
    """The outcome of an import."""

    stored: tuple[StoredSource, ...]
    issues: tuple[IngestIssue, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceWeights:
    """Every constant of the weighted ranking. Ages are in days."""

    semantic: float = 0.60
    lexical: float = 0.25
    keyword: float = 0.08
    key_match: float = 0.07  # for a record whose source key was requested
    tag_match: float = 0.07  # for one with a tag that was requested
    title_words: float = 0.04  # these five are summed and then weighted by `keyword`
    tag_words: float = 0.03
    field_words: float = 0.04
    key_words: float = 0.02
    first_chunk: float = 0.01
    kinds: Mapping[str, float] = field(
        default_factory=lambda: {
            "research_report": 0.15,
            "research_finding": 0.15,
            "decision_outcome": 0.08,
            "topic_pattern": 0.08,
            "user_profile_note": 0.08,
        }
    )
    scopes: Mapping[str, float] = field(
        default_factory=lambda: {"session": 0.12, "user": 0.08, "global": 0.03}
    )
    fresh: float = 0.05
    stale: float = -0.25
    decay_start: float = 0.5  # share of the largest age at which `fresh` begins to fall
    max_age_days: float = 45.0
    max_age_days_of: Mapping[str, float] = field(
        default_factory=lambda: {
            "research_report": 60.0,
            "assistant_answer": 14.0,
            "topic_pattern": 30.0,
            "user_profile_note": 120.0,
        }
    )
    semantic_candidates: int = 4  # times the limit: so many of the nearest in meaning are scored …
    lexical_candidates: int = 4  # … and so many of those with the largest overlap


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Settings of the sources door. Nothing is pruned unless `max_records` says so."""

    max_records: int | None = None  # active records that a write leaves of each owner, scope and kind
    retention_days: float | None = None  # the limit for `prune` where a policy sets none
    query_top_k: int = 6  # items of an answer when the request names no limit
    similar: float = (
        0.85  # Jaccard index of the words of two records from which a write reports their similarity
    )
    weights: SourceWeights = field(default_factory=SourceWeights)


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """A question, its viewer, and its filters. Filters are applied before anything is ranked."""

    query_text: str
    user_id: str | None = None
    session_id: str | None = None
    limit: int | None = None  # None: the default of the door's settings
    ranking: SourceRanking | str = SourceRanking.COMMON
    include_user_scope: bool = True
    include_global_scope: bool = True
    model_target: ModelTarget | str = ModelTarget.LOCAL
    kinds: tuple[str, ...] | list[str] = ()
    source_types: tuple[str, ...] | list[str] = ()
    content_classes: tuple[str, ...] | list[str] = ()
    source_keys: tuple[str, ...] | list[str] = ()
    tags: tuple[str, ...] | list[str] = ()  # any one is enough
    confidentialities: tuple[str, ...] | list[str] = ()
    max_age_days: float | None = None
    intent_data: Any = None  # structured data whose words are part of the question
    # … or, where it declares primary text paths, the words of those alone
    intent_schema: Mapping[str, Any] | None = None
    vectors: str = "auto"


@dataclass(frozen=True, slots=True)
class AssembleRequest(RetrieveRequest):
    """A question whose answer is a text in sections, of at most `token_budget` tokens of `tokenizer`."""

    limit: int | None = MOST_ASSEMBLED
    assembly_mode: AssemblyMode | str | None = None  # None: assistant, or the mode of a task's workflow
    token_budget: int = 1200
    tokenizer: Tokenizer | str = Tokenizer.O200K


@dataclass(frozen=True, slots=True)
class RetrievedSource:
    """A part of a record as an answer.

    `parts` add up to `score`; `signals` are those of the weighted ranking, whichever ranking was requested.
    """

    record: Source
    chunk_id: int
    text: str
    score: float
    parts: Mapping[str, float]
    tokens: int  # o200k, of `text`
    reference: str
    signals: Mapping[str, float] = field(default_factory=lambda: EMPTY)
    cut: bool = False  # `text` holds the most telling sentences alone

    @property
    def kind(self) -> str:
        return self.record.kind.value

    @property
    def scope(self) -> str:
        return self.record.scope.value

    @property
    def source_key(self) -> str:
        return self.record.source_key


@dataclass(frozen=True, slots=True, repr=False)
class Retrieval(ShownItems[RetrievedSource], facts="items request.query_text visible"):
    """The answer to a request, a sequence of items that prints each below its place. `excluded` counts, by reason, records that the viewer may see and that filters
    or policy kept out.
    """

    request: RetrieveRequest
    items: tuple[RetrievedSource, ...]
    visible: int  # records that could be ranked
    excluded: Mapping[str, int]
    ranking: SourceRanking
    stats: SearchStats
    empty_reason: EmptyReason | None = None
    audit_id: int | None = None
    low: tuple[RetrievedSource, ...] = ()  # ranked, and not worth showing in an assembly, best first

    def __str__(self) -> str:
        return "\n\n".join(f"{item.reference}\n{item.text}" for item in self.items)


class LeftOut(enum.StrEnum):
    """The reason that keeps a retrieved item out of an assembled text."""

    BUDGET = "token_budget"
    DUPLICATE = "near_duplicate"
    LOW_SCORE = "low_score"


@dataclass(frozen=True, slots=True)
class AssembledSection:
    name: str
    items: tuple[RetrievedSource, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Assembly(
    ShownItems[AssembledSection],
    text="context_text",
    facts="sections request.query_text tokens_used request.token_budget",
):
    """A text in sections, a sequence of them that prints as its text. `tokens_used` counts the final `context_text`, by the request's tokenizer, and is
    never above the budget.
    """

    request: AssembleRequest
    context_text: str
    tokens_used: int
    sections: tuple[AssembledSection, ...]
    left_out: tuple[tuple[RetrievedSource, LeftOut], ...]
    retrieval: Retrieval
    audit_id: int | None = None

    @property
    def token_count_estimate(self) -> int:
        """The name used by callers of context stores; it is a count."""
        return self.tokens_used

    @property
    def omitted_items(self) -> int:
        return len(self.left_out)

    @property
    def truncated(self) -> bool:
        """True when the budget, rather than anything else, kept something out or cut it."""
        return any(why is LeftOut.BUDGET for _, why in self.left_out) or any(
            item.cut for section in self.sections for item in section.items
        )


@dataclass(frozen=True, slots=True)
class SourceReceipt:
    """The outcome of a deletion. `purged`: the file was rewritten; False means that this is still due: other
    processes held the store, or a write pruned a few records, which go together (at the latest when the store
    is closed).
    """

    records: tuple[str, ...]  # ids, now tombstones
    reason: str
    dry_run: bool = False
    purged: bool = False
    audit_id: int | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log: ids and counts, no text of a record or of a question."""

    id: int
    at: float
    action: str
    user_id: str
    details: Mapping[str, Any]
