"""The options of sources for agents and terminals, each described once."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from daypack.settings import LARGEST_AGENT_BUDGET
from daypack.types.modes import TokenizerName, VectorModeName
from daypack.verbs.table import AGENTS, TERMINAL, VECTORS, Flag, Positional, Range, Reach

Kind = Literal[
    "user_prompt", "normalized_query", "assistant_answer", "routing_decision", "decision_trace", "topic_pattern", "research_plan", "search_query",
    "evidence_summary", "research_report", "research_finding", "user_profile_note", "decision_outcome", "training_example",
]  # fmt: skip
Scope = Literal["session", "user", "global"]
User = Annotated[
    str,
    "The user who asks or owns; by default the owner that the server serves.",
    Reach.USER,
    Flag(
        "--owner",
        "The user who asks or owns. [default: DAYPACK_OWNER, else user]",
        "NAME",
        seed="--user-id",
        last=True,
    ),
]
Owner = Annotated[
    User,
    Flag("--owner", "The owner. [default: DAYPACK_OWNER, else user]", "NAME", seed="--user-id", last=True),
]
Session = Annotated[
    str,
    "The session.",
    Flag("--session", "The session. [default: the one without a name]", "ID", seed="--session-id", last=True),
]
NoSession = Annotated[Session, AGENTS]  # every verb of this toolset takes it
Query = Annotated[str, "The question or the request.", Positional(read="query")]
Text = Annotated[
    str, "The text of the record.", Flag(help="The text; - reads standard input.", default="", read="stdin")
]
KindOf = Annotated[Kind, "The kind of the record."]
ScopeOf = Annotated[Scope, "The reach of the record: this session, this user in all sessions, or all users."]
Title = Annotated[str, "A heading; by default none."]
Tags = Annotated[
    list[str] | None, "Words to find it by; by default none.", Flag("--tag", "A word to find it by.", "TAG")
]
Key = Annotated[str, "A name that stays when the text changes.", Positional()]
Structured = Annotated[
    dict[str, Any] | None,
    "Instead of text, or beside it: its fields are searched.",
    Flag(help="JSON, or @FILE: its fields are searched."),
]
Ranking = Annotated[
    Literal["common", "weighted"], "As in all searches, or by the weights of the sources alone."
]
Kinds = Annotated[
    list[Kind] | None, "Only records of these kinds; by default all.", Flag("--kind", "Only of this kind.")
]
AnyTags = Annotated[
    list[str] | None, "Any of these.", Flag("--tag", "Only with this tag or another given one.", "TAG")
]
Keys = Annotated[
    list[str] | None,
    "Only records under these keys; by default all.",
    Flag("--source-key", "Only under this key.", "KEY"),
]
UserScope = Annotated[
    bool,
    "Search the user's records too.",
    Flag("--include-user-scope/--no-user-scope", default=None, instead="--scope"),
]
GlobalScope = Annotated[
    bool,
    "Search records for all users too.",
    Flag("--include-global-scope/--no-global-scope", default=None, instead="--scope"),
]
Target = Annotated[
    Literal["local", "hosted"], "Destination of the answer; records whose policy forbids it are left out."
]
ModeName = Literal["assistant", "planner", "research", "drafting"]
Mode = Annotated[ModeName, "The sections of the text."]
WorkflowName = Literal[
    "reply", "rewrite", "code", "draft", "summarize", "research", "analyze", "extract", "plan", "decide", "update_record",
]  # fmt: skip
Workflow = Annotated[
    Literal["", WorkflowName],
    "The workflow; by default all.",
    Flag(help="The workflow. [default: all]", default=None),
]
HowMany = Flag("--limit -n")
TokenBudget = Annotated[
    int,
    "Maximum o200k tokens of the text.",
    Range(0, LARGEST_AGENT_BUDGET),
    Flag("--budget -b", "Maximum size of the text.", read="tokens", seed="--token-budget"),
]
Intent = Annotated[Any, "JSON, or @FILE: its values are part of the question."]
Names = list[str]
Advanced = Flag(advanced=True)


def _of_policy(names: str) -> Flag:
    return Flag(names, instead="--policy JSON")


class Facts(TypedDict, total=False):
    """Fields of a draft that a terminal alone sets."""

    summary: Annotated[str, TERMINAL, "A summary, shown with it.", Advanced]
    urls: Annotated[
        Names, TERMINAL, "Its address elsewhere.", Flag("--source", metavar="TEXT", retired="--url")
    ]
    metadata: Annotated[Any, TERMINAL, "A JSON object, or @FILE."]
    data_schema: Annotated[Any, TERMINAL, "The meaning of the structured data: a JSON object, or @FILE."]
    external_id: Annotated[str, TERMINAL, "Its id elsewhere.", Flag(metavar="ID", advanced=True)]
    source_type: Annotated[
        Literal["direct_text", "imported_document"], TERMINAL, "The origin of the record.", Advanced
    ]
    content_class: Annotated[
        Literal["raw_source", "normalized_memory", "retrieval_chunk", "assembled_context"],
        TERMINAL,
        "The state of its processing.",
        Advanced,
    ]
    policy: Annotated[
        Any,
        TERMINAL,
        "A JSON object, or @FILE: allowed_user_ids, allowed_session_ids, allow_local_model_egress, "
        "allow_remote_model_egress, freshness_days, retention_days.",
    ]
    confidentiality: Annotated[
        Literal["private", "restricted", "shareable"],
        TERMINAL,
        "Confidentiality of a global record: all users see shareable ones. [default: shareable when global]",
    ]
    allowed_user_ids: Annotated[Names, TERMINAL, "Only for these users.", _of_policy("--allow-user")]
    allowed_session_ids: Annotated[Names, TERMINAL, "Only in these sessions.", _of_policy("--allow-session")]
    allow_local_model_egress: Annotated[
        bool, TERMINAL, "Whether a model here may get it.", _of_policy("--local-egress/--no-local-egress")
    ]
    remote_egress: Annotated[
        bool,
        TERMINAL,
        "Allow or forbid a hosted model to get it.",
        _of_policy("--remote-egress/--no-remote-egress"),
    ]
    freshness_days: Annotated[
        float,
        TERMINAL,
        "`source retrieve` and `assemble` leave it out after this many days.",
        _of_policy("--freshness-days"),
    ]
    retention_days: Annotated[
        float, TERMINAL, "`prune` deletes it after this many days.", _of_policy("--retention-days")
    ]


class Filters(TypedDict, total=False):
    """Filters of a request that a terminal alone sets."""

    scopes: Annotated[
        list[Scope], TERMINAL, "Beside the session's records, only those of this scope.", Flag("--scope")
    ]
    source_types: Annotated[Names, TERMINAL, "Only of this type.", Flag("--source-type", advanced=True)]
    content_classes: Annotated[Names, TERMINAL, "Only of this class.", Flag("--content-class", advanced=True)]
    confidentialities: Annotated[Names, TERMINAL, "Only of this confidentiality.", Flag("--confidentiality")]
    max_age_days: Annotated[float, TERMINAL, "Only from the last days, this many.", Advanced]
    intent_schema: Annotated[
        Any, TERMINAL, "Its primary_text_paths name the intent data to ask with.", Advanced
    ]
    vectors: Annotated[VectorModeName, TERMINAL, VECTORS, Flag(default="auto")]


class Bounds(TypedDict, total=False):
    """Bounds of an assembled text that a terminal alone sets."""

    tokenizer: Annotated[TokenizerName, TERMINAL, "The tokenizer of the budget.", Flag(default="o200k")]
    limit: Annotated[
        int, TERMINAL, "Number of items to choose from.", Range(1, 1000), Flag("--limit -n", default=24)
    ]
    ranking: Annotated[Ranking, TERMINAL, Flag(default="common")]
    kinds: Annotated[Kinds, TERMINAL]
    tags: Annotated[AnyTags, TERMINAL]
    source_keys: Annotated[Keys, TERMINAL]
    include_user_scope: Annotated[UserScope, TERMINAL]
    include_global_scope: Annotated[GlobalScope, TERMINAL]


class Assembling(Bounds, Filters, total=False):
    """The options of every command that assembles, those of many calls first."""
