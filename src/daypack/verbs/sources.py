"""The verbs of the sources door, under the names that agents know from context stores; those that others have as well say what they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.shapes import source_pages
from daypack.source_types import AssembleRequest, Assembly, RetrieveRequest, SourceDraft, SourcePolicy
from daypack.verbs.table import Access, Answer, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

Kind = Literal[
    "user_prompt", "normalized_query", "assistant_answer", "routing_decision", "decision_trace", "topic_pattern", "research_plan", "search_query",
    "evidence_summary", "research_report", "research_finding", "user_profile_note", "decision_outcome", "training_example",
]  # fmt: skip
Scope = Literal["session", "user", "global"]
User = Annotated[str, "Who asks or owns; without it, the owner that the server was started for."]
Session = Annotated[str, "In which session."]
Key = Annotated[str, "A name that stays when the text changes."]
Target = Annotated[Literal["local", "hosted"], "Where the answer goes; what a policy keeps from there is left out."]
Mode = Annotated[Literal["assistant", "planner", "research", "drafting"], "Which sections the text has."]
TokenBudget = Annotated[int, "The most o200k tokens that the text may count.", Range(0, 200_000)]


def retrieve_context(
    daypack: Daypack,
    query: str,
    user_id: User = "",
    session_id: Session = "",
    limit: Annotated[int, Range(1, 100)] = 6,
    ranking: Literal["common", "weighted"] = "common",
    kinds: list[Kind] | None = None,
    tags: Annotated[list[str] | None, "Any of these."] = None,
    source_keys: list[str] | None = None,
    include_user_scope: bool = True,
    include_global_scope: bool = True,
    model_target: Target = "local",
) -> dict[str, Any]:
    """Parts of records that answer a question, best first, for one user and session, with every part of each score."""
    asked = RetrieveRequest(
        query, user_id=user_id, session_id=session_id, limit=limit, ranking=ranking, kinds=[*(kinds or ())], tags=tags or (), source_keys=source_keys or (),
        include_user_scope=include_user_scope, include_global_scope=include_global_scope, model_target=model_target,
    )  # fmt: skip
    return source_pages.of_retrieval(daypack.sources.retrieve(asked))


def _assembled(daypack: Daypack, query: str, user_id: str, session_id: str, mode: str, budget: int, target: str) -> Assembly:
    return daypack.sources.assemble(
        AssembleRequest(query, user_id=user_id, session_id=session_id, assembly_mode=mode, token_budget=budget, model_target=target)
    )


def assemble_context(
    daypack: Daypack,
    query: str,
    user_id: User = "",
    session_id: Session = "",
    assembly_mode: Mode = "assistant",
    token_budget: TokenBudget = 1200,
    model_target: Target = "local",
) -> Answer:
    """What answers a question as one text in sections, within a token budget, for one user and session."""
    done = source_pages.of_assembly(_assembled(daypack, query, user_id, session_id, assembly_mode, token_budget, model_target))
    return Answer(done.pop("context_text"), done)


def prepare_context(
    daypack: Daypack,
    query: str,
    user_id: User = "",
    session_id: Session = "",
    assembly_mode: Mode = "assistant",
    token_budget: TokenBudget = 1200,
    model_target: Target = "local",
) -> dict[str, Any]:
    """What answers a question as blocks, each with the record, version and checksum that it comes from."""
    return source_pages.of_prepared(_assembled(daypack, query, user_id, session_id, assembly_mode, token_budget, model_target))


def get_source(
    daypack: Daypack, record_id: Annotated[str, "An id from a list or an answer."], user_id: User = "", session_id: Session = ""
) -> dict[str, Any]:
    """One record with its version, status and policy."""
    return source_pages.of_source(daypack.sources.get(record_id, user_id=user_id, session_id=session_id))


def list_sources(
    daypack: Daypack,
    kind: Kind | None = None,
    scope: Scope | None = None,
    limit: Annotated[int, Range(1, 1000)] = 100,
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """The active records that a user and session see, the newest first."""
    found = daypack.sources.list(kind=kind, scope=scope, limit=limit, user_id=user_id, session_id=session_id)
    return {"records": [*map(source_pages.of_source, found)]}


def source_stats(daypack: Daypack, user_id: User = "", session_id: Session = "") -> dict[str, Any]:
    """How many records a user and session see, by kind, scope, type and status."""
    return daypack.sources.stats(user_id=user_id, session_id=session_id)


def store_source(
    daypack: Daypack, kind: Kind, text: str, scope: Scope = "session", user_id: User = "", session_id: Session = "", tags: list[str] | None = None
) -> dict[str, Any]:  # fmt: skip
    """Keep a text that is already in form: a note, a decision, a summary."""
    done = daypack.sources.store(kind, text, scope=scope, user_id=user_id, session_id=session_id, tags=tags or ())
    return source_pages.of_stored(done)


def ingest_source(
    daypack: Daypack,
    text: str = "",
    kind: Kind = "research_finding",
    scope: Scope = "session",
    source_key: Key = "",
    user_id: User = "",
    session_id: Session = "",
    title: str = "",
    tags: list[str] | None = None,
    structured_data: Annotated[dict[str, Any] | None, "Instead of text, or beside it: its fields are searched."] = None,
    allow_remote_model_egress: Annotated[bool, "Whether a hosted model may get it."] = False,
) -> dict[str, Any]:
    """Keep a source, for this session, this user or everybody; under a key that is there, as its next version."""
    draft = SourceDraft(
        text, kind, scope, user_id=user_id, session_id=session_id, source_key=source_key, title=title, tags=tags or (),
        structured_data=structured_data, policy=SourcePolicy(allow_remote_model_egress=allow_remote_model_egress),
    )  # fmt: skip
    return source_pages.of_stored(daypack.sources.ingest(draft))


def upsert_source(
    daypack: Daypack,
    source_key: Key,
    text: str,
    kind: Kind = "research_finding",
    scope: Scope = "session",
    user_id: User = "",
    session_id: Session = "",
    title: str = "",
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """Keep a source under a key: unchanged when it says the same, else the next version."""
    draft = SourceDraft(text, kind, scope, user_id=user_id, session_id=session_id, title=title, tags=tags or ())
    return source_pages.of_stored(daypack.sources.upsert(source_key, draft))


def delete_source(
    daypack: Daypack, source_key: Key, scope: Scope = "session", user_id: User = "", session_id: Session = ""
) -> dict[str, Any]:  # fmt: skip
    """Delete for good what stands under a key, with every version; a tombstone without text stays."""
    return source_pages.of_receipt(daypack.sources.delete(source_key, scope=scope, user_id=user_id, session_id=session_id))


def prune_sources(
    daypack: Daypack,
    max_records: Annotated[int | None, "Of each owner, scope and kind keep so many, those used last.", Range(1, 1_000_000)] = None,
    retention_days: Annotated[float | None, "Delete older ones, where their policy says nothing.", Range(0, 100_000)] = None,
    dry_run: bool = False,
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """Delete for good what policies, and these bounds, say is kept too long or is too much."""
    done = daypack.sources.prune(
        max_records=max_records, retention_days=retention_days, dry_run=dry_run, user_id=user_id, session_id=session_id
    )
    return {"pruned": [*map(source_pages.of_receipt, done)]}


ANY_OBJECT = {"type": "object"}
TOOLSET = "sources"
VERBS = (  # what asks is not idempotent: each call has an entry of its own in the log
    Verb("retrieve_context", TOOLSET, Access.READ, retrieve_context, "source retrieve", ANY_OBJECT, idempotent=False),
    Verb("assemble_context", TOOLSET, Access.READ, assemble_context, "source assemble", idempotent=False),
    Verb("prepare_context", TOOLSET, Access.READ, prepare_context, "source prepare", ANY_OBJECT, idempotent=False),
    Verb("get_source", TOOLSET, Access.READ, get_source, "source get", ANY_OBJECT),
    Verb("list_sources", TOOLSET, Access.READ, list_sources, "source list", ANY_OBJECT),
    Verb("source_stats", TOOLSET, Access.READ, source_stats, "source stats", ANY_OBJECT),
    Verb("store_source", TOOLSET, Access.WRITE, store_source, "source store", ANY_OBJECT),
    Verb("ingest_source", TOOLSET, Access.WRITE, ingest_source, "source ingest", ANY_OBJECT),
    Verb("upsert_source", TOOLSET, Access.WRITE, upsert_source, "source upsert", ANY_OBJECT),
    Verb("delete_source", TOOLSET, Access.DANGEROUS, delete_source, "source delete", ANY_OBJECT, destructive=True),
    Verb("prune_sources", TOOLSET, Access.DANGEROUS, prune_sources, "source prune", ANY_OBJECT, destructive=True),
)
