"""The commands of `daypack source` and `daypack audit`: all print JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack, get_args

from daypack.doors.sources.verbs import VERBS, HowMany, Kind, ModeName, Scope, Session, User
from daypack.errors import NotFound
from daypack.text.checks import did_you_mean
from daypack.types.modes import TokenizerName, VectorModeName
from daypack.verbs.command import BadUsage, Command, Screen
from daypack.verbs.table import VECTORS, Choices, Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.sources.types import Assembly, SourceDraft

Names = list[str]
Budget = Flag("--budget -b", default=1200, read="tokens", seed="--token-budget")
Advanced = Flag(advanced=True)
Text = Annotated[str, "The text; - reads standard input.", Flag(read="stdin")]
KindOption = Annotated[Kind, "The kind of record."]
KindArgument = Annotated[Kind, Positional(metavar="KIND")]
Query = Annotated[str, Positional(read="query")]
SourceKey = Annotated[str, Positional()]
AssemblyMode = Annotated[ModeName, "Which sections."]


class Viewer(TypedDict, total=False):
    """The user and the session of a command."""

    user_id: User
    session_id: Session


def _of_policy(names: str) -> Flag:
    return Flag(names, instead="--policy JSON")


class Facts(TypedDict, total=False):
    """Fields of a draft besides its text, kind and key."""

    scope: Annotated[Scope, "The readers of the record.", Flag(default="session")]
    title: Annotated[str, "A title."]
    summary: Annotated[str, "A summary, shown with it.", Advanced]
    tags: Annotated[Names, "A tag.", Flag("--tag", metavar="TAG")]
    urls: Annotated[Names, "Its address elsewhere.", Flag("--source", metavar="TEXT", retired="--url")]
    metadata: Annotated[Any, "A JSON object, or @FILE."]
    structured_data: Annotated[Any, "JSON, or @FILE: its fields are searched."]
    data_schema: Annotated[Any, "The meaning of the structured data: a JSON object, or @FILE."]
    external_id: Annotated[str, "Its id elsewhere.", Flag(metavar="ID", advanced=True)]
    source_type: Annotated[Literal["direct_text", "imported_document"], "The origin of the record.", Advanced]
    content_class: Annotated[
        Literal["raw_source", "normalized_memory", "retrieval_chunk", "assembled_context"],
        "The state of its processing.",
        Advanced,
    ]
    policy: Annotated[
        Any,
        "A JSON object, or @FILE: allowed_user_ids, allowed_session_ids, allow_local_model_egress, "
        "allow_remote_model_egress, freshness_days, retention_days.",
    ]
    confidentiality: Annotated[
        Literal["private", "restricted", "shareable"],
        "Confidentiality of a global record: all users see shareable ones. [default: shareable when global]",
    ]
    allowed_user_ids: Annotated[Names, "Only for these users.", _of_policy("--allow-user")]
    allowed_session_ids: Annotated[Names, "Only in these sessions.", _of_policy("--allow-session")]
    allow_local_model_egress: Annotated[
        bool, "Whether a model here may get it.", _of_policy("--local-egress/--no-local-egress")
    ]
    allow_remote_model_egress: Annotated[
        bool, "Allow or forbid a hosted model to get it.", _of_policy("--remote-egress/--no-remote-egress")
    ]
    freshness_days: Annotated[
        float,
        "`source retrieve` and `assemble` leave it out after this many days.",
        _of_policy("--freshness-days"),
    ]
    retention_days: Annotated[
        float, "`prune` deletes it after this many days.", _of_policy("--retention-days")
    ]
    user_id: User
    session_id: Session


def _of_scope(names: str) -> Flag:
    return Flag(names, instead="--scope")


class Filters(TypedDict, total=False):
    """The filters of a request, and its ranking."""

    ranking: Annotated[Literal["common", "weighted"], "The ranking.", Flag(default="common")]
    scopes: Annotated[list[Scope], "Beside the session's records, only those of this scope.", Flag("--scope")]
    include_user_scope: Annotated[bool, "The user's too.", _of_scope("--include-user-scope/--no-user-scope")]
    include_global_scope: Annotated[
        bool, "Everybody's too.", _of_scope("--include-global-scope/--no-global-scope")
    ]
    model_target: Annotated[
        Literal["local", "hosted"],
        "Destination of the answer: records whose policy forbids it are left out.",
        Flag(default="local"),
    ]
    kinds: Annotated[Names, "Only of this kind.", Flag("--kind"), Choices(get_args(Kind))]
    source_types: Annotated[Names, "Only of this type.", Flag("--source-type", advanced=True)]
    content_classes: Annotated[Names, "Only of this class.", Flag("--content-class", advanced=True)]
    source_keys: Annotated[Names, "Only under this key.", Flag("--source-key", metavar="KEY")]
    tags: Annotated[Names, "Only with this tag or another given one.", Flag("--tag", metavar="TAG")]
    confidentialities: Annotated[Names, "Only of this confidentiality.", Flag("--confidentiality")]
    max_age_days: Annotated[float, "Only from the last days, this many.", Advanced]
    intent_data: Annotated[Any, "JSON, or @FILE: its values are part of the question."]
    intent_schema: Annotated[Any, "Its primary_text_paths name the intent data to ask with.", Advanced]
    vectors: Annotated[VectorModeName, VECTORS, Flag(default="auto")]
    user_id: User
    session_id: Session


class Bounds(TypedDict, total=False):
    """The bounds of an assembled text."""

    token_budget: Annotated[int, "Maximum size of the text.", Budget]
    tokenizer: Annotated[TokenizerName, "The tokenizer of the budget.", Flag(default="o200k")]
    limit: Annotated[int, "Number of items to choose from.", Range(1, 1000), Flag("--limit -n", default=24)]


class Assembling(Bounds, Filters, total=False):
    """The options of every command that assembles."""


def json_screen(data: Mapping[str, Any], *, found: bool) -> Screen:
    return Screen(json.dumps(data) + "\n", 0 if found else 1)


# ---------------------------------------------------------------- write


def _draft(facts: Facts, **own: Any) -> SourceDraft:
    """A draft from the options of a command. Raises BadUsage."""
    from daypack.doors.sources.types import SourceDraft, SourcePolicy

    given: dict[str, Any] = {**own, **facts}
    for name in ("metadata", "data_schema", "policy"):
        if given.get(name) is not None and not isinstance(given[name], dict):
            raise BadUsage(f"--{name.replace('_', '-')} must be a JSON object")
    policy = given.pop("policy", {})
    if unknown := [name for name in policy if name not in SourcePolicy.__slots__]:
        meant = did_you_mean(
            unknown[0], SourcePolicy.__slots__, f"it takes {', '.join(SourcePolicy.__slots__)}"
        )
        raise BadUsage(f"--policy does not take {unknown[0]!r}; {meant}")
    policy |= {name: given.pop(name) for name in SourcePolicy.__slots__ if name in given}
    for name in ("allowed_user_ids", "allowed_session_ids"):
        policy[name] = tuple(policy.get(name, ()))
    return SourceDraft(**given, policy=SourcePolicy(**policy))


def _kept(daypack: Daypack, draft: SourceDraft) -> dict[str, Any]:
    from daypack.doors.sources.serialize import stored_to_dict

    return stored_to_dict(daypack.sources.ingest(draft))


def store(
    daypack: Daypack,
    kind: KindArgument,
    text: Annotated[str, Positional(read="stdin")],
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    return _kept(daypack, _draft(facts, text=text, kind=kind, **_class(facts)))


def _class(facts: Facts) -> dict[str, str]:
    return {} if "content_class" in facts else {"content_class": "normalized_memory"}


def ingest(
    daypack: Daypack,
    text: Text = "",
    kind: KindOption = "research_finding",
    source_key: Annotated[
        str, "A name that stays when the text changes; it gives the record versions.", Flag(metavar="KEY")
    ] = "",
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    """Store a source; under an existing --source-key, as its next version."""
    return _kept(daypack, _draft(facts, text=text, kind=kind, source_key=source_key))


def upsert(
    daypack: Daypack,
    source_key: SourceKey,
    text: Text = "",
    kind: KindOption = "research_finding",
    **facts: Unpack[Facts],
) -> dict[str, Any]:
    """Store a source under SOURCE_KEY: unchanged for the same content, else as the next version."""
    if not source_key:
        raise BadUsage("an upsert needs a source key")
    return _kept(daypack, _draft(facts, text=text, kind=kind, source_key=source_key))


def import_(
    daypack: Daypack,
    path: Annotated[str, Positional(read="path")],
    kind: KindOption = "research_finding",
    recursive: Annotated[bool, "Include folders below."] = False,
    **facts: Unpack[Facts],
) -> Screen:
    """Store the files of PATH, each under the key file:PATH: text, Markdown, HTML, JSON, NDJSON, XML and other
    text formats.
    """
    from daypack.doors.sources.serialize import imported_to_dict

    done = daypack.sources.import_path(path, _draft(facts, kind=kind), recursive=recursive)
    return json_screen(imported_to_dict(done), found=bool(done.stored))


# ---------------------------------------------------------------- read


def export_training(
    daypack: Daypack,
    output: Annotated[
        str | None,
        "Write to this file, and print the number of records. [default: standard output]",
        Flag("--out -o", metavar="FILE", read="path", retired="--output"),
    ] = None,
    **viewer: Unpack[Viewer],
) -> Screen | dict[str, Any]:
    """Print the active records visible to this user and session, a JSON object a line."""
    from daypack.doors.sources.serialize import source_with_parts_to_dict

    found = daypack.sources.export(**viewer)
    records = (source_with_parts_to_dict(item, daypack.sources.parts_of(item)) for item in found)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    if output is None:
        return Screen(lines)
    try:
        Path(output).write_text(lines, encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"{output} cannot be written: {error.strerror}") from None
    return {"exported_records": len(found), "training_path": output}


def retrieve(
    daypack: Daypack,
    query: Query,
    limit: Annotated[
        int | None, "Maximum number of items. [default: DAYPACK_QUERY_TOP_K, else 6]", Range(1, 1000), HowMany
    ] = None,
    **filters: Unpack[Filters],
) -> Screen:
    """Retrieve records for QUERY, best first, with every part of each score."""
    from daypack.doors.sources.serialize import retrieval_to_dict
    from daypack.doors.sources.types import RetrieveRequest

    found = daypack.sources.retrieve(RetrieveRequest(query, limit=limit, **request_options(filters)))
    return json_screen(retrieval_to_dict(found), found=bool(found.items))


def request_options(options: Filters) -> dict[str, Any]:
    """The options of a command as a request takes them."""
    given: dict[str, Any] = {**options}
    if scopes := given.pop("scopes", ()):
        given |= {f"include_{scope}_scope": scope in scopes for scope in ("user", "global")}
    return given


def assembled(
    daypack: Daypack, query: Query, assembly_mode: AssemblyMode = "assistant", **options: Unpack[Assembling]
) -> Assembly:
    from daypack.doors.sources.types import AssembleRequest

    request = AssembleRequest(query, assembly_mode=assembly_mode, **request_options(options))
    return daypack.sources.assemble(request)


def _assembly_screen(serializer: str) -> Callable[[Assembly], Screen]:
    def shown(done: Assembly) -> Screen:
        from daypack.doors.sources import serialize

        return json_screen(getattr(serialize, serializer)(done), found=bool(done.retrieval.items))

    return shown


# ---------------------------------------------------------------- audit


def audit_list(
    daypack: Daypack,
    limit: Annotated[int, "Maximum number of entries.", Range(1, 1000), HowMany] = 100,
    user_id: User = "",
) -> Screen:
    """List a user's writes, questions and deletions, the latest first: ids and counts, no text."""
    from daypack.doors.sources.serialize import audit_entry_to_dict

    found = daypack.sources.audit(user_id=user_id, limit=limit)
    return json_screen({"entries": [*map(audit_entry_to_dict, found)]}, found=True)


def audit_show(
    daypack: Daypack, audit_id: Annotated[int, Range(0, 2**63 - 1), Positional()], user_id: User = ""
) -> dict[str, Any]:
    """Show one entry of the log."""
    from daypack.doors.sources.serialize import audit_entry_to_dict

    found = daypack.sources.audit(user_id=user_id, audit_id=audit_id)
    if not found:
        raise NotFound(f"no audit entry {audit_id}", "`daypack audit list` lists those of this user")
    return audit_entry_to_dict(found[0])


VERB = {verb.name: verb for verb in VERBS}
COMMANDS = (
    Command(
        store,
        at="source store",
        opens="created",
        help=f"Store TEXT as a record of a KIND.\n\nKinds are {', '.join(get_args(Kind))}.",
    ),
    Command(ingest, at="source ingest", opens="created", seeds=("source ingest-source",)),
    Command(upsert, at="source upsert", opens="created", seeds=("source upsert-source",)),
    Command(import_, at="source import", opens="created", seeds=("source import-path",)),
    Command(
        VERB["delete_source"],
        seeds=("source delete-source",),
        help="Erase SOURCE_KEY, or the record with that id, with every version; a tombstone stays without the text.",
    ),
    Command(
        VERB["prune_sources"],
        help="Delete records that are too old or too many, by their policies and these options.",
    ),
    Command(
        VERB["get_source"], help="Show the record of an id, whatever its status, with its searched parts."
    ),
    Command(
        VERB["list_sources"], help="List the records visible to this user and session, the newest first."
    ),
    Command(VERB["source_stats"]),
    Command(export_training, at="source export-training"),
    Command(retrieve, at="source retrieve", seeds=("source retrieve-context",)),
    Command(
        assembled,
        _assembly_screen("assembly_to_dict"),
        "source assemble",
        seeds=("source assemble-context",),
        help="Assemble records for QUERY as one text in sections, within a budget.",
    ),
    Command(
        assembled,
        _assembly_screen("blocks_to_dict"),
        "source prepare",
        seeds=("source prepare-context",),
        help="Assemble records for QUERY as blocks, each with its origin.",
    ),
    Command(
        assembled,
        _assembly_screen("selection_to_dict"),
        "source explain-selection",
        help="Explain why each item is in the assembled text, or is not.",
    ),
    Command(audit_list, at="audit list"),
    Command(audit_show, at="audit show"),
)
