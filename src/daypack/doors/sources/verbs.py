"""The verbs of the sources door, under the names that agents know from context stores; those that others have
as well say what they are of.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from daypack.doors.sources import pages as source_pages
from daypack.doors.sources.tasks import pages as task_pages
from daypack.doors.sources.types import AssembleRequest, Assembly, RetrieveRequest, SourceDraft, SourcePolicy
from daypack.errors import InputError
from daypack.verbs.table import Access, Answer, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.sources.door import SourcesDoor
    from daypack.doors.sources.tasks.door import TasksDoor

Kind = Literal[
    "user_prompt",
    "normalized_query",
    "assistant_answer",
    "routing_decision",
    "decision_trace",
    "topic_pattern",
    "research_plan",
    "search_query",
    "evidence_summary",
    "research_report",
    "research_finding",
    "user_profile_note",
    "decision_outcome",
    "training_example",
]
Scope = Literal["session", "user", "global"]
User = Annotated[str, "Who asks or owns; without it, the owner that the server was started for."]
Session = Annotated[str, "In which session."]
Key = Annotated[str, "A name that stays when the text changes."]
Target = Annotated[
    Literal["local", "hosted"], "Where the answer goes; what a policy keeps from there is left out."
]
Mode = Annotated[Literal["assistant", "planner", "research", "drafting"], "Which sections the text has."]
Workflow = Annotated[
    Literal[
        "",
        "reply",
        "rewrite",
        "code",
        "draft",
        "summarize",
        "research",
        "analyze",
        "extract",
        "plan",
        "decide",
        "update_record",
    ],
    "Of which workflow; without it, of all.",
]
TokenBudget = Annotated[int, "The most o200k tokens that the text may count.", Range(0, 200_000)]


class Who(TypedDict):
    """Who asks or owns, and in which session; "" is the door's owner, and the session without a name."""

    user_id: str
    session_id: str


def for_somebody(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a door and of who asks as one of the table: its own arguments, then `user_id` and
    `session_id`.
    """
    tasks = call.__annotations__["door"] == "TasksDoor"

    def asked(daypack: Daypack, *, user_id: str = "", session_id: str = "", **given: Any) -> Any:
        return call(
            daypack.tasks if tasks else daypack.sources,
            {"user_id": user_id, "session_id": session_id},
            **given,
        )

    _, _, *own = inspect.signature(call).parameters.values()
    user, session = (
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default="")
        for name in ("user_id", "session_id")
    )
    first = inspect.Parameter("daypack", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    asked.__doc__ = call.__doc__
    asked.__signature__ = inspect.Signature([first, *own, user, session])  # type: ignore[attr-defined]  # what `inspect` reads
    asked.__annotations__ = {one.name: one.annotation for one in own} | {
        "user_id": User,
        "session_id": Session,
    }
    return asked


@for_somebody
def retrieve_context(
    door: SourcesDoor,
    who: Who,
    query: str,
    limit: Annotated[int | None, Range(1, 100)] = None,
    ranking: Literal["common", "weighted"] = "common",
    kinds: list[Kind] | None = None,
    tags: Annotated[list[str] | None, "Any of these."] = None,
    source_keys: list[str] | None = None,
    include_user_scope: bool = True,
    include_global_scope: bool = True,
    model_target: Target = "local",
) -> dict[str, Any]:
    """Parts of records that answer a question, best first, for one user and session, with every part of each
    score.
    """
    asked = RetrieveRequest(
        query,
        **who,
        limit=limit,
        ranking=ranking,
        kinds=[*(kinds or ())],
        tags=tags or (),
        source_keys=source_keys or (),
        include_user_scope=include_user_scope,
        include_global_scope=include_global_scope,
        model_target=model_target,
    )
    return source_pages.of_retrieval(door.retrieve(asked))


def _assembling(shape: Callable[[Assembly], Any], about: str) -> Callable[..., Any]:
    """One of the verbs that assemble: they take the same, and say it in their own way."""

    def call(
        door: SourcesDoor,
        who: Who,
        query: str,
        assembly_mode: Mode = "assistant",
        token_budget: TokenBudget = 1200,
        model_target: Target = "local",
    ) -> Any:
        asked = AssembleRequest(
            query, **who, assembly_mode=assembly_mode, token_budget=token_budget, model_target=model_target
        )
        return shape(door.assemble(asked))

    call.__doc__ = about
    return for_somebody(call)


def _text_first(done: Assembly) -> Answer:
    data = source_pages.of_assembly(done)
    return Answer(data.pop("context_text"), data)


assemble_context = _assembling(
    _text_first,
    "What answers a question as one text in sections, within a token budget, for one user and session.",
)
prepare_context = _assembling(
    source_pages.of_prepared,
    "What answers a question as blocks, each with the record, version and checksum that it comes from.",
)
explain_selection = _assembling(
    source_pages.of_explained,
    "Why each record that answers a question would be in the assembled text, or would not.",
)


@for_somebody
def prepare_task_envelope(
    door: TasksDoor,
    who: Who,
    query: str,
    assembly_mode: Annotated[
        Literal["assistant", "planner", "research", "drafting"] | None,
        "Which sections; without it, those of the workflow.",
    ] = None,
    token_budget: TokenBudget = 1200,
    model_target: Target = "local",
    intent_data: Annotated[
        dict[str, Any] | None, "What is known already: workflow, goal, output_type, target_type, constraints."
    ] = None,
) -> dict[str, Any]:
    """What a request wants (workflow, target, constraints, what the answer must be), with its context and
    what its user prefers.
    """
    asked = AssembleRequest(
        query,
        **who,
        assembly_mode=assembly_mode,
        token_budget=token_budget,
        model_target=model_target,
        intent_data=intent_data,
    )
    return task_pages.of_envelope(door.envelope(asked))


@for_somebody
def update_preference(
    door: TasksDoor,
    who: Who,
    approved_text: Annotated[
        str, "A text that the user approved: its phrases teach, and nothing else of it is kept."
    ] = "",
    workflow: Workflow = "",
    name: Annotated[str, "Or a preference to set: a level, a style, a default or a note."] = "",
    value: Annotated[str, "What it is set to."] = "",
) -> dict[str, Any]:
    """Learn what the user prefers from a text that they approved, or set one preference by name."""
    if bool(name) == bool(approved_text):
        raise InputError(
            "give either an approved_text to learn from, or the name of a preference with its value"
        )
    user = who["user_id"]
    if approved_text:
        return task_pages.of_taught(door.learn(approved_text, workflow=workflow, user_id=user))
    return task_pages.of_taught(door.prefer(name, value, workflow=workflow, user_id=user))


@for_somebody
def reset_preferences(
    door: TasksDoor,
    who: Who,
    name: Annotated[str | None, "One of them."] = None,
    workflow: Annotated[str | None, "Only what is said of this workflow."] = None,
) -> dict[str, Any]:
    """Forget what was learned and set: of one preference or of all."""
    return task_pages.of_taught(door.reset(name, workflow=workflow, user_id=who["user_id"]))


@for_somebody
def get_preferences(door: TasksDoor, who: Who, workflow: Workflow = "") -> dict[str, Any]:
    """What the user prefers, and which phrase of which approved text taught it."""
    return task_pages.of_preferences(door.preferences(workflow, user_id=who["user_id"]))


@for_somebody
def get_source(
    door: SourcesDoor, who: Who, record_id: Annotated[str, "An id from a list or an answer."]
) -> dict[str, Any]:
    """One record with its version, status, policy and parts."""
    found = door.get(record_id, **who)
    return source_pages.of_whole(found, door.parts_of(found))


@for_somebody
def list_sources(
    door: SourcesDoor,
    who: Who,
    kind: Kind | None = None,
    scope: Scope | None = None,
    limit: Annotated[int, Range(1, 1000)] = 100,
) -> dict[str, Any]:
    """The active records that a user and session see, the newest first."""
    return source_pages.of_list(*door.listed(kind=kind, scope=scope, limit=limit, **who))


@for_somebody
def source_stats(door: SourcesDoor, who: Who) -> dict[str, Any]:
    """How many records a user and session see, by kind, scope, type and status, and what was pruned of the
    user's, and why.
    """
    return door.stats(**who)


@for_somebody
def store_source(
    door: SourcesDoor,
    who: Who,
    kind: Kind,
    text: str,
    scope: Scope = "session",
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """Keep a text that is already in form: a note, a decision, a summary."""
    done = door.store(kind, text, scope=scope, **who, tags=tags or ())
    return source_pages.of_stored(done)


@for_somebody
def ingest_source(
    door: SourcesDoor,
    who: Who,
    text: str = "",
    kind: Kind = "research_finding",
    scope: Scope = "session",
    source_key: Key = "",
    title: str = "",
    tags: list[str] | None = None,
    structured_data: Annotated[
        dict[str, Any] | None, "Instead of text, or beside it: its fields are searched."
    ] = None,
    allow_remote_model_egress: Annotated[bool, "Whether a hosted model may get it."] = False,
) -> dict[str, Any]:
    """Keep a source, for this session, this user or everybody; under a key that is there, as its next
    version.
    """
    draft = SourceDraft(
        text,
        kind,
        scope,
        **who,
        source_key=source_key,
        title=title,
        tags=tags or (),
        structured_data=structured_data,
        policy=SourcePolicy(allow_remote_model_egress=allow_remote_model_egress),
    )
    return source_pages.of_stored(door.ingest(draft))


@for_somebody
def upsert_source(
    door: SourcesDoor,
    who: Who,
    source_key: Key,
    text: str,
    kind: Kind = "research_finding",
    scope: Scope = "session",
    title: str = "",
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """Keep a source under a key: unchanged when it says the same, else the next version."""
    draft = SourceDraft(text, kind, scope, **who, title=title, tags=tags or ())
    return source_pages.of_stored(door.upsert(source_key, draft))


@for_somebody
def delete_source(door: SourcesDoor, who: Who, source_key: Key, scope: Scope = "session") -> dict[str, Any]:
    """Delete for good what stands under a key, with every version; a tombstone without text stays."""
    return source_pages.of_deleted(source_key, door.delete(source_key, scope=scope, **who))


@for_somebody
def prune_sources(
    door: SourcesDoor,
    who: Who,
    max_records: Annotated[
        int | None, "Of each owner, scope and kind keep so many, those used last.", Range(1, 1_000_000)
    ] = None,
    retention_days: Annotated[
        float | None, "Delete older ones, where their policy says nothing.", Range(0, 100_000)
    ] = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Delete for good what policies, and these bounds, say is kept too long or is too much."""
    return source_pages.of_pruned(
        door.prune(max_records=max_records, retention_days=retention_days, dry_run=dry_run, **who)
    )


ANY_OBJECT = {"type": "object"}
TOOLSET = "sources"
VERBS = (  # what asks is not idempotent: each call has an entry of its own in the log
    Verb(
        "retrieve_context",
        TOOLSET,
        Access.READ,
        retrieve_context,
        "source retrieve",
        ANY_OBJECT,
        idempotent=False,
    ),
    Verb("assemble_context", TOOLSET, Access.READ, assemble_context, "source assemble", idempotent=False),
    Verb(
        "prepare_context",
        TOOLSET,
        Access.READ,
        prepare_context,
        "source prepare",
        ANY_OBJECT,
        idempotent=False,
    ),
    Verb(
        "explain_selection",
        TOOLSET,
        Access.READ,
        explain_selection,
        "source explain-selection",
        ANY_OBJECT,
        idempotent=False,
    ),
    Verb(
        "prepare_task_envelope",
        TOOLSET,
        Access.READ,
        prepare_task_envelope,
        "source prepare-task-envelope",
        ANY_OBJECT,
        idempotent=False,
    ),
    Verb("get_preferences", TOOLSET, Access.READ, get_preferences, "source preferences", ANY_OBJECT),
    Verb("get_source", TOOLSET, Access.READ, get_source, "source get", ANY_OBJECT),
    Verb("list_sources", TOOLSET, Access.READ, list_sources, "source list", ANY_OBJECT),
    Verb("source_stats", TOOLSET, Access.READ, source_stats, "source stats", ANY_OBJECT),
    Verb("store_source", TOOLSET, Access.WRITE, store_source, "source store", ANY_OBJECT),
    Verb("ingest_source", TOOLSET, Access.WRITE, ingest_source, "source ingest", ANY_OBJECT),
    Verb("upsert_source", TOOLSET, Access.WRITE, upsert_source, "source upsert", ANY_OBJECT),
    Verb(
        "update_preference", TOOLSET, Access.WRITE, update_preference, "source update-preference", ANY_OBJECT
    ),
    Verb(
        "reset_preferences", TOOLSET, Access.WRITE, reset_preferences, "source reset-preferences", ANY_OBJECT
    ),
    Verb(
        "delete_source",
        TOOLSET,
        Access.DANGEROUS,
        delete_source,
        "source delete",
        ANY_OBJECT,
        destructive=True,
    ),
    Verb(
        "prune_sources",
        TOOLSET,
        Access.DANGEROUS,
        prune_sources,
        "source prune",
        ANY_OBJECT,
        destructive=True,
    ),
)
