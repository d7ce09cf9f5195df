"""The commands of `daypack source` and `daypack audit`: all print JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack, get_args

from daypack.doors.sources import serialize
from daypack.doors.sources.options import (
    Facts,
    HowMany,
    Kind,
    KindOf,
    Owner,
    ScopeOf,
    Session,
    Structured,
    Tags,
    Title,
    User,
)
from daypack.doors.sources.verbs import VERBS, assembled, retrieve_context
from daypack.doors.sources.writing.drafts import draft_of
from daypack.errors import NotFound
from daypack.verbs.command import BadUsage, Command, Screen
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.sources.types import Assembly, Retrieval


def json_screen(data: Mapping[str, Any], *, found: bool) -> Screen:
    return Screen(json.dumps(data) + "\n", 0 if found else 1)


# ---------------------------------------------------------------- write


def import_(
    daypack: Daypack,
    path: Annotated[str, Positional(read="path")],
    kind: KindOf = "research_finding",
    recursive: Annotated[bool, "Include folders below."] = False,
    scope: ScopeOf = "session",
    title: Title = "",
    tags: Tags = None,
    structured_data: Structured = None,
    user_id: User = "",
    session_id: Session = "",
    **facts: Unpack[Facts],
) -> Screen:
    """Store the files of PATH, each under the key file:PATH: text, Markdown, HTML, JSON, NDJSON, XML and other
    text formats.
    """
    draft = draft_of(facts, "", kind, scope, title, tags, structured_data, user_id, session_id)
    done = daypack.sources.import_path(path, draft, recursive=recursive)
    return json_screen(serialize.imported_to_dict(done), found=bool(done.stored))


# ---------------------------------------------------------------- read


def export_training(
    daypack: Daypack,
    output: Annotated[
        str | None,
        "Write to this file, and print the number of records. [default: standard output]",
        Flag("--out -o", metavar="FILE", read="path", retired="--output"),
    ] = None,
    user_id: User = "",
    session_id: Session = "",
) -> Screen | dict[str, Any]:
    """Print the active records visible to this user and session, a JSON object a line."""
    found = daypack.sources.export(user_id=user_id, session_id=session_id)
    records = (serialize.source_with_parts_to_dict(item, daypack.sources.parts_of(item)) for item in found)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    if output is None:
        return Screen(lines)
    try:
        Path(output).write_text(lines, encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"{output} cannot be written: {error.strerror}") from None
    return {"exported_records": len(found), "training_path": output}


def retrieved(found: Retrieval) -> Screen:
    return json_screen(serialize.retrieval_to_dict(found), found=bool(found.items))


def _assembly_screen(serializer: str) -> Callable[[Assembly], Screen]:
    def shown(done: Assembly) -> Screen:
        return json_screen(getattr(serialize, serializer)(done), found=bool(done.retrieval.items))

    return shown


# ---------------------------------------------------------------- audit


def audit_list(
    daypack: Daypack,
    limit: Annotated[int, "Maximum number of entries.", Range(1, 1000), HowMany] = 100,
    user_id: Owner = "",
) -> Screen:
    """List writes, questions and deletions of a user's scoped records, latest first.

    An entry has ids and counts, no text. The calls of `daypack source` are logged, none on files, memories or documents.
    """
    found = daypack.sources.audit(user_id=user_id, limit=limit)
    return json_screen({"entries": [*map(serialize.audit_entry_to_dict, found)]}, found=True)


def audit_show(
    daypack: Daypack, audit_id: Annotated[int, Range(0, 2**63 - 1), Positional()], user_id: Owner = ""
) -> dict[str, Any]:
    """Show one entry of the log."""
    found = daypack.sources.audit(user_id=user_id, audit_id=audit_id)
    if not found:
        raise NotFound(f"no audit entry {audit_id}", "`daypack audit list` lists those of this user")
    return serialize.audit_entry_to_dict(found[0])


VERB = {verb.name: verb for verb in VERBS}
COMMANDS = (
    Command(VERB["store_source"], opens="created", help=f"Store TEXT as a record of a KIND.\n\nKinds are {', '.join(get_args(Kind))}."),
    Command(VERB["ingest_source"], opens="created", seeds=("source ingest-source",), help="Store a source; under an existing --source-key, as its next version."),
    Command(VERB["upsert_source"], opens="created", seeds=("source upsert-source",), help="Store a source under SOURCE_KEY: unchanged for the same content, else as the next version."),
    Command(import_, at="source import", opens="created", seeds=("source import-path",)),
    Command(VERB["delete_source"], seeds=("source delete-source",), help="Erase SOURCE_KEY, or the record with that id, with every version; a tombstone stays without the text."),
    Command(VERB["prune_sources"], help="Delete records that are too old or too many, by their policies and these options."),
    Command(VERB["get_source"], help="Show the record of an id, whatever its status, with its searched parts."),
    Command(VERB["list_sources"], help="List the records visible to this user and session, the newest first."),
    Command(VERB["source_stats"], help="Count the records visible to this user and session, by kind, scope, type and status."),
    Command(export_training, at="source export-training"),
    Command(retrieve_context, retrieved, "source retrieve", seeds=("source retrieve-context",), help="Retrieve records for QUERY, best first, with every part of each score."),
    Command(assembled, _assembly_screen("assembly_to_dict"), "source assemble", seeds=("source assemble-context",), help="Assemble records for QUERY as one text in sections, within a budget."),
    Command(assembled, _assembly_screen("blocks_to_dict"), "source prepare", seeds=("source prepare-context",), help="Assemble records for QUERY as blocks, each with its origin."),
    Command(assembled, _assembly_screen("selection_to_dict"), "source explain-selection", help="Explain why each item is in the assembled text, or is not."),
    Command(audit_list, at="audit list"),
    Command(audit_show, at="audit show"),
)  # fmt: skip
