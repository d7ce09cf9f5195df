"""The verbs of the sources door, under the names that agents know from context stores.

Without a `user_id` the owner asks; without a `session_id` the session without a name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Unpack, get_args

from daypack.doors.sources import serialize
from daypack.doors.sources.options import (
    AnyTags,
    Assembling,
    Facts,
    Filters,
    GlobalScope,
    HowMany,
    Intent,
    Key,
    Keys,
    Kind,
    KindOf,
    Kinds,
    Mode,
    ModeName,
    NoSession,
    Owner,
    Query,
    Ranking,
    Scope,
    ScopeOf,
    Session,
    Structured,
    Tags,
    Target,
    Text,
    Title,
    TokenBudget,
    User,
    UserScope,
    Workflow,
    WorkflowName,
)
from daypack.doors.sources.retrieval.assembly import empty_text
from daypack.doors.sources.tasks import serialize as tasks
from daypack.doors.sources.types import AssembleRequest, Assembly, Retrieval, RetrieveRequest
from daypack.doors.sources.writing.drafts import draft_of
from daypack.errors import InputError
from daypack.verbs.results import facts
from daypack.verbs.table import AGENTS, TERMINAL, Access, Answer, Flag, Positional, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

Request = TypeVar("Request", bound=RetrieveRequest)


def _request(kind: type[Request], query: str, **asked: Any) -> Request:
    """A request of the options that are given."""
    given = {name: value for name, value in asked.items() if value is not None}
    if scopes := given.pop("scopes", ()):
        given |= {f"include_{scope}_scope": scope in scopes for scope in ("user", "global")}
    return kind(query_text=query, **given)


def retrieve_context(
    daypack: Daypack,
    query: Query,
    limit: Annotated[
        int | None,
        "Maximum number of passages; by default 6.",
        Range(1, 100),
        Flag(
            "--limit -n",
            "Maximum number of items. [default: DAYPACK_QUERY_TOP_K, else 6]",
            range=Range(1, 1000),
        ),
    ] = None,
    ranking: Ranking = "common",
    kinds: Kinds = None,
    tags: AnyTags = None,
    source_keys: Keys = None,
    include_user_scope: UserScope = True,
    include_global_scope: GlobalScope = True,
    model_target: Target = "local",
    user_id: User = "",
    session_id: Session = "",
    intent_data: Annotated[Intent, TERMINAL] = None,
    **filters: Unpack[Filters],
) -> Retrieval:
    """Ranked passages (parts) of stored records that answer a question, best first, for one user and session,
    with every part of each score.
    """
    request = _request(
        RetrieveRequest,
        query,
        user_id=user_id,
        session_id=session_id,
        limit=limit,
        ranking=ranking,
        kinds=kinds,
        tags=tags,
        source_keys=source_keys,
        include_user_scope=include_user_scope,
        include_global_scope=include_global_scope,
        model_target=model_target,
        intent_data=intent_data,
        **filters,
    )
    return daypack.sources.retrieve(request)


def assembled(
    daypack: Daypack,
    query: Query,
    assembly_mode: Mode = "assistant",
    token_budget: TokenBudget = 1200,
    model_target: Target = "local",
    user_id: User = "",
    session_id: Session = "",
    intent_data: Annotated[Intent, TERMINAL] = None,
    **options: Unpack[Assembling],
) -> Assembly:
    request = _request(
        AssembleRequest,
        query,
        assembly_mode=assembly_mode,
        token_budget=token_budget,
        model_target=model_target,
        user_id=user_id,
        session_id=session_id,
        intent_data=intent_data,
        **options,
    )
    return daypack.sources.assemble(request)


def _assembly_answer(done: Assembly) -> Answer:
    data = serialize.assembly_to_dict(done)
    return Answer(data.pop("context_text") or empty_text(done), data)


def prepare_task_envelope(
    daypack: Daypack,
    query: Query,
    assembly_mode: Annotated[ModeName | None, "The sections; by default those of the workflow."] = None,
    token_budget: TokenBudget = 1200,
    model_target: Target = "local",
    intent_data: Annotated[
        dict[str, Any] | None,
        "Known facts: workflow, goal, output_type, target_type, constraints.",
        Flag(help="JSON, or @FILE: its values are part of the question."),
    ] = None,
    user_id: User = "",
    session_id: Session = "",
    **options: Unpack[Assembling],
) -> dict[str, Any]:
    """Parse a user's request into its intent (workflow, target, constraints, output contract), with its
    context and the user's preferences.
    """
    request = _request(
        AssembleRequest,
        query,
        assembly_mode=assembly_mode,
        token_budget=token_budget,
        model_target=model_target,
        user_id=user_id,
        session_id=session_id,
        intent_data=intent_data,
        **options,
    )
    return tasks.envelope_to_dict(daypack.tasks.envelope(request))


def update_preference(
    daypack: Daypack,
    approved_text: Annotated[str, "A text that the user approved; only its telling phrases are stored."] = "",
    workflow: Workflow = "",
    name: Annotated[str, "Or a preference to set: a level, a style, a default or a note."] = "",
    value: Annotated[str, "The value to set."] = "",
    user_id: Owner = "",
    session_id: NoSession = "",  # noqa: ARG001
) -> dict[str, Any]:
    """Learn a user's preferences (tone, style) from an approved text, or set one preference by name."""
    if bool(name) == bool(approved_text):
        raise InputError(
            "give either an approved_text to learn from, or the name of a preference with its value"
        )
    if approved_text:
        taught = daypack.tasks.learn(approved_text, workflow=workflow, user_id=user_id)
    else:
        taught = daypack.tasks.prefer(name, value, workflow=workflow, user_id=user_id)
    return tasks.taught_to_dict(taught)


def reset_preferences(
    daypack: Daypack,
    name: Annotated[str | None, "One of them.", Positional()] = None,
    workflow: Annotated[
        str | None,
        "Only those for this workflow.",
        Flag(help="The workflow. [default: all]", choices=get_args(WorkflowName)),
    ] = None,
    user_id: Owner = "",
    session_id: NoSession = "",  # noqa: ARG001
) -> dict[str, Any]:
    """Forget a user's learned and set preferences of style: clear one or all."""
    return tasks.taught_to_dict(daypack.tasks.reset(name, workflow=workflow, user_id=user_id))


def get_preferences(
    daypack: Daypack,
    workflow: Workflow = "",
    user_id: Owner = "",
    session_id: NoSession = "",  # noqa: ARG001
) -> dict[str, Any]:
    """A user's preferences of writing style, as learned or set, each with the phrase and the approved text
    that taught it.
    """
    return tasks.preferences_to_dict(daypack.tasks.preferences(workflow, user_id=user_id))


def get_source(
    daypack: Daypack,
    record_id: Annotated[str, "An id from a list or an answer."],
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """Show one stored record by its id or number, with its version, status, policy and parts."""
    found = daypack.sources.get(record_id, user_id=user_id, session_id=session_id)
    return serialize.source_with_parts_to_dict(found, daypack.sources.parts_of(found))


def list_sources(
    daypack: Daypack,
    kind: Annotated[Kind | None, "Only records of this kind; by default all."] = None,
    scope: Annotated[Scope | None, "Only records of this scope; by default all."] = None,
    status: Annotated[
        Literal["active", "superseded", "deleted", "all"], TERMINAL, "Only records with this status."
    ] = "active",
    source_key: Annotated[
        str | None, TERMINAL, "Only records under this key; by default all.", Flag(metavar="KEY")
    ] = None,
    limit: Annotated[int, "Maximum number of records.", Range(1, 1000), HowMany] = 100,
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """List the active records that a user and session can see, the newest first; of a kind or scope."""
    found, total = daypack.sources.listed(
        kind=kind,
        scope=scope,
        status=None if status == "all" else status,
        source_key=source_key,
        limit=limit,
        user_id=user_id,
        session_id=session_id,
    )
    return serialize.sources_to_dict(found, total)


def source_stats(daypack: Daypack, user_id: User = "", session_id: Session = "") -> dict[str, Any]:
    """Count a user's records by kind, scope, type and status, and the pruned records by reason."""
    return daypack.sources.stats(user_id=user_id, session_id=session_id)


def store_source(
    daypack: Daypack,
    kind: Annotated[KindOf, Positional(metavar="KIND")],
    text: Annotated[Text, Positional(read="stdin")],
    scope: ScopeOf = "session",
    title: Annotated[Title, TERMINAL] = "",
    tags: Tags = None,
    structured_data: Annotated[Structured, TERMINAL] = None,
    user_id: User = "",
    session_id: Session = "",
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    """Store a finished text as a user's record: a note, a decision, a summary."""
    facts.setdefault("content_class", "normalized_memory")
    draft = draft_of(facts, text, kind, scope, title, tags, structured_data, user_id, session_id)
    return serialize.stored_to_dict(daypack.sources.ingest(draft))


def ingest_source(
    daypack: Daypack,
    text: Annotated[Text, "The text; by default none, where structured_data is given."] = "",
    kind: KindOf = "research_finding",
    scope: ScopeOf = "session",
    source_key: Annotated[
        Key,
        Flag(help="A name that stays when the text changes; it gives the record versions.", metavar="KEY"),
    ] = "",
    title: Title = "",
    tags: Tags = None,
    structured_data: Structured = None,
    allow_remote_model_egress: Annotated[bool, AGENTS, "Allow a hosted model to get it."] = False,
    user_id: User = "",
    session_id: Session = "",
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    """Ingest a new source with title, scope and structured data, for this session, this user or all users,
    and whether remote models may see it; under an existing key, as its next version.
    """
    if allow_remote_model_egress:
        facts["remote_egress"] = True
    draft = draft_of(facts, text, kind, scope, title, tags, structured_data, user_id, session_id, source_key)
    return serialize.stored_to_dict(daypack.sources.ingest(draft))


def upsert_source(
    daypack: Daypack,
    source_key: Key,
    text: Text,
    kind: KindOf = "research_finding",
    scope: ScopeOf = "session",
    title: Title = "",
    tags: Tags = None,
    structured_data: Annotated[Structured, TERMINAL] = None,
    user_id: User = "",
    session_id: Session = "",
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    """Write a source under a key: create it, do nothing for the same content, else add a version."""
    draft = draft_of(facts, text, kind, scope, title, tags, structured_data, user_id, session_id)
    return serialize.stored_to_dict(daypack.sources.upsert(source_key, draft))


def delete_source(
    daypack: Daypack,
    source_key: Key,
    scope: Annotated[ScopeOf, Flag(help="Scope of the key.")] = "session",
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """Erase a user's record or source by its key, in every version; a tombstone without text stays."""
    receipt = daypack.sources.delete(source_key, scope=scope, user_id=user_id, session_id=session_id)
    return serialize.deleted_to_dict(source_key, receipt)


def prune_sources(
    daypack: Daypack,
    max_records: Annotated[
        int | None,
        "Keep this many of each owner, scope and kind, those used last.",
        Range(1, 1_000_000),
        Flag(
            help="Keep the N records used last of each scope and kind. [default: "
            "DAYPACK_MAX_RECORDS_PER_SCOPE_KIND, else all]",
            metavar="N",
            range=Range(1, math.inf),
        ),
    ] = None,
    retention_days: Annotated[
        float | None,
        "Delete older ones without a policy of their own.",
        Range(0.001, 100_000),
        Flag(
            help="Delete older ones without a policy of their own. [default: DAYPACK_RETENTION_DAYS, else never]",
            metavar="DAYS",
        ),
    ] = None,
    dry_run: Annotated[bool, "Only list what would be deleted."] = False,
    user_id: User = "",
    session_id: Session = "",
) -> dict[str, Any]:
    """Prune a user's records: erase those that are too old (days) or too many, by their policies and these bounds, with
    every version; dry_run=true lists them first and erases nothing.
    """
    return serialize.pruned_to_dict(
        daypack.sources.prune(
            user_id=user_id,
            session_id=session_id,
            max_records=max_records,
            retention_days=retention_days,
            dry_run=dry_run,
        )
    )


RECORD = facts("id kind scope title text source_key source_version:i source_status tags:[t] policy:o")
RECEIPT = "reason deleted:i record_ids:[t] dry_run:b"
TOOLSET = "sources"
_READ, _WRITE, _DANGEROUS = Access.READ, Access.WRITE, Access.DANGEROUS
VERBS = (  # what asks is not idempotent: each call has an entry of its own in the log
    Verb("retrieve_context", TOOLSET, _READ, retrieve_context, "source retrieve", serialize.RETRIEVED, idempotent=False, plain=serialize.retrieval_to_dict, brief=serialize.BRIEF_LIST),
    Verb("assemble_context", TOOLSET, _READ, assembled, "source assemble", idempotent=False, plain=_assembly_answer,
         help="Assemble one prompt text in sections from a user's stored records for a question, within a token budget, for one user "
             "and session."),
    Verb("prepare_context", TOOLSET, _READ, assembled, "source prepare", serialize.PREPARED, idempotent=False, plain=serialize.blocks_to_dict,
         help="Separate blocks of records for a question, each with its record, version and checksum (hash), for an audit.", brief=serialize.BRIEF),
    Verb("explain_selection", TOOLSET, _READ, assembled, "source explain-selection", serialize.SELECTION, idempotent=False, plain=serialize.selection_to_dict,
         help="Explain the selection: why each record would be in the assembled text for a question, or was left out.", brief=serialize.BRIEF),
    Verb("prepare_task_envelope", TOOLSET, _READ, prepare_task_envelope, "source prepare-task-envelope", tasks.ENVELOPE, idempotent=False),
    Verb("get_preferences", TOOLSET, _READ, get_preferences, "source preferences", tasks.PREFERENCES),
    Verb("get_source", TOOLSET, _READ, get_source, "source get", RECORD, brief=serialize.BRIEF),
    Verb("list_sources", TOOLSET, _READ, list_sources, "source list", facts("items:[record] total:i", record=RECORD), brief=serialize.BRIEF_LIST),
    Verb("source_stats", TOOLSET, _READ, source_stats, "source stats", facts("record_count:i records_by_kind:o records_by_scope:o pruned_records_total:i pruned_by_reason:o")),
    Verb("store_source", TOOLSET, _WRITE, store_source, "source store", RECORD, brief=serialize.BRIEF_LIST),
    Verb("ingest_source", TOOLSET, _WRITE, ingest_source, "source ingest", RECORD, brief=serialize.BRIEF_LIST),
    Verb("upsert_source", TOOLSET, _WRITE, upsert_source, "source upsert", RECORD, brief=serialize.BRIEF_LIST),
    Verb("update_preference", TOOLSET, _WRITE, update_preference, "source update-preference", tasks.LEARNED),
    Verb("reset_preferences", TOOLSET, _WRITE, reset_preferences, "source reset-preferences", tasks.LEARNED),
    Verb("delete_source", TOOLSET, _DANGEROUS, delete_source, "source delete", facts(f"source_key source_status {RECEIPT}"), destructive=True),
    Verb("prune_sources", TOOLSET, _DANGEROUS, prune_sources, "source prune", facts("pruned_records:i receipts:[receipt]", receipt=facts(RECEIPT)), destructive=True),
)  # fmt: skip
