"""Most commands of `daypack source`: parse, call the sources door, print JSON.

The others: source_tasks.py.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from daypack.surfaces.cli import bench
from daypack.surfaces.cli.build import RowCommand
from daypack.surfaces.cli.common import F, Tokens, opened, print_json, query_argument, text_argument, write
from daypack.surfaces.cli.main import source

KINDS = (
    "user_prompt", "normalized_query", "assistant_answer", "routing_decision", "decision_trace", "topic_pattern", "research_plan", "search_query",
    "evidence_summary", "research_report", "research_finding", "user_profile_note", "decision_outcome", "training_example",
)  # fmt: skip
SCOPES = ("session", "user", "global")


class Data(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    """JSON, or @FILE."""

    name = "json|@file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        text = value
        if value.startswith("@"):
            try:
                text = Path(value[1:]).expanduser().read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                self.fail(f"{value[1:]} cannot be read: {error}", param, ctx)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"this is no JSON: {error}", param, ctx)


def command(name: str, *others: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command of the group under its name, and unlisted under the names that it has in the context store
    that agents may know.
    """

    def made(function: Callable[..., Any]) -> click.Command:
        first = source.command(name)(click.pass_context(function))
        for other in others:
            alias = copy.copy(first)
            alias.hidden = True
            source.add_command(alias, other)
        return first

    return made


def options(*found: Callable[[F], F]) -> Callable[[F], F]:
    def added(function: F) -> F:
        for one in reversed(found):
            function = one(function)
        return function

    return added


asking = options(
    click.option("--user-id", metavar="ID", help="Who asks or owns. [default: DAYPACK_OWNER, else user]"),
    click.option("--session-id", metavar="ID", help="In which session. [default: the one without a name]"),
    click.option("--store", metavar="FOLDER", help="The store to use."),
)
facts = options(
    click.option(
        "--scope", type=click.Choice(SCOPES), default="session", show_default=True, help="Who sees it."
    ),
    click.option("--title", default="", help="A title."),
    click.option("--summary", default="", help="A summary, shown with it."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag. [repeatable]"),
    click.option("--url", "urls", multiple=True, metavar="URL", help="Where it comes from. [repeatable]"),
    click.option("--metadata", type=Data(), help="A JSON object, or @FILE."),
    click.option("--structured-data", type=Data(), help="JSON, or @FILE: its fields are searched."),
    click.option("--data-schema", type=Data(), help="What the structured data is: a JSON object, or @FILE."),
    click.option("--external-id", default="", metavar="ID", help="Its name elsewhere."),
    click.option(
        "--source-type", type=click.Choice(["direct_text", "imported_document"]), help="Where it comes from."
    ),
    click.option(
        "--content-class",
        type=click.Choice(["raw_source", "normalized_memory", "retrieval_chunk", "assembled_context"]),
        help="How far it was processed.",
    ),
    click.option(
        "--confidentiality",
        type=click.Choice(["private", "restricted", "shareable"]),
        help="Of a global record: shareable ones are everybody's. [default: shareable when global]",
    ),
    click.option(
        "--allow-user", "allow_users", multiple=True, metavar="ID", help="Only for these users. [repeatable]"
    ),
    click.option(
        "--allow-session",
        "allow_sessions",
        multiple=True,
        metavar="ID",
        help="Only in these sessions. [repeatable]",
    ),
    click.option(
        "--local-egress/--no-local-egress", default=True, help="Whether a model on this machine may get it."
    ),
    click.option(
        "--remote-egress/--no-remote-egress", default=False, help="Whether a hosted model may get it."
    ),
    click.option("--freshness-days", type=float, help="No longer found after so many days."),
    click.option("--retention-days", type=float, help="Deleted by prune after so many days."),
)
kind_option = click.option(
    "--kind", type=click.Choice(KINDS), default="research_finding", show_default=True, help="What it is."
)
text_option = click.option("--text", default="", help="Its text; - reads standard input.")
key_option = click.option(
    "--source-key", metavar="KEY", help="A name that stays when the text changes: then it has versions."
)


def _draft(
    given: dict[str, Any],
    *,
    text: str,
    kind: str,
    user_id: str | None,
    session_id: str | None,
    source_key: str | None = None,
    content_class: str = "raw_source",
) -> Any:
    """A SourceDraft from the options of a command."""
    from daypack.doors.sources.types import SourceDraft, SourcePolicy

    for name in ("metadata", "data_schema"):
        if given[name] is not None and not isinstance(given[name], dict):
            raise click.UsageError(f"--{name.replace('_', '-')} must be a JSON object")
    policy = SourcePolicy(
        given["confidentiality"],
        tuple(map(text_argument, given["allow_users"])),
        tuple(map(text_argument, given["allow_sessions"])),
        given["local_egress"],
        given["remote_egress"],
        given["freshness_days"],
        given["retention_days"],
    )
    return SourceDraft(
        sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text_argument(text),
        kind,
        given["scope"],
        user_id=user_id and text_argument(user_id),
        session_id=session_id and text_argument(session_id),
        source_key=source_key and text_argument(source_key),
        title=text_argument(given["title"]),
        summary=text_argument(given["summary"]),
        source_type=given["source_type"] or "direct_text",
        content_class=given["content_class"] or content_class,
        tags=tuple(map(text_argument, given["tags"])),
        urls=tuple(map(text_argument, given["urls"])),
        metadata=given["metadata"] or {},
        structured_data=given["structured_data"],
        data_schema=given["data_schema"],
        policy=policy,
        external_id=text_argument(given["external_id"]),
    )


# ---------------------------------------------------------------- write


def _keep(context: click.Context, store: str | None, draft: Any) -> None:
    from daypack.doors.sources import serialize as source_data

    with opened(context, store) as daypack:
        print_json(source_data.stored_to_dict(daypack.sources.ingest(draft)))


@command("store")
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("text")
@facts
@asking
def store_(
    context: click.Context,
    /,
    kind: str,
    text: str,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
    **given: Any,
) -> None:
    """Keep TEXT as a record of a KIND."""
    _keep(
        context,
        store,
        _draft(
            given,
            text=text,
            kind=kind,
            user_id=user_id,
            session_id=session_id,
            content_class="normalized_memory",
        ),
    )


@command("ingest", "ingest-source")
@text_option
@kind_option
@key_option
@facts
@asking
def ingest(
    context: click.Context,
    /,
    text: str,
    kind: str,
    source_key: str | None,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
    **given: Any,
) -> None:
    """Keep a source; under a --source-key that is there already, as its next version."""
    _keep(
        context,
        store,
        _draft(given, text=text, kind=kind, user_id=user_id, session_id=session_id, source_key=source_key),
    )


@command("upsert", "upsert-source")
@click.argument("source_key")
@text_option
@kind_option
@facts
@asking
def upsert(
    context: click.Context,
    /,
    source_key: str,
    text: str,
    kind: str,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
    **given: Any,
) -> None:
    """Keep a source under SOURCE_KEY: unchanged when it says the same, else the next version."""
    if not source_key:
        raise click.UsageError("an upsert needs a source key")
    _keep(
        context,
        store,
        _draft(given, text=text, kind=kind, user_id=user_id, session_id=session_id, source_key=source_key),
    )


@command("import", "import-path")
@click.argument("path")
@kind_option
@click.option("--recursive", is_flag=True, help="Also what lies in folders below.")
@facts
@asking
def import_(
    context: click.Context,
    /,
    path: str,
    kind: str,
    recursive: bool,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
    **given: Any,
) -> None:
    """Keep the files of PATH, each under the key file:PATH: text, Markdown, HTML, JSON, NDJSON and whatever
    else is text.
    """
    from daypack.doors.sources import serialize as source_data

    draft = _draft(given, text="", kind=kind, user_id=user_id, session_id=session_id)
    with opened(context, store) as daypack:
        done = daypack.sources.import_path(text_argument(path), draft, recursive=recursive)
    print_json(source_data.imported_to_dict(done))
    context.exit(0 if done.stored else 1)


@command("delete", "delete-source")
@click.argument("source_key")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="session", show_default=True, help="Where the key stands."
)
@asking
def delete(
    context: click.Context,
    /,
    source_key: str,
    scope: str,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
) -> None:
    """Delete what stands under SOURCE_KEY, or the record of that id, with every version: a tombstone stays,
    the text does not.
    """
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        receipt = daypack.sources.delete(
            text_argument(source_key), scope=scope, user_id=user_id, session_id=session_id
        )
    print_json(source_data.deleted_to_dict(source_key, receipt))


@command("prune")
@click.option(
    "--max-records",
    type=click.IntRange(1),
    metavar="N",
    help="Of each scope and kind keep the N used last. [default: DAYPACK_MAX_RECORDS_PER_SCOPE_KIND, else all]",
)
@click.option(
    "--retention-days",
    type=float,
    metavar="DAYS",
    help="Delete older ones, where their policy says nothing. [default: DAYPACK_RETENTION_DAYS, else never]",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be deleted.")
@asking
def prune(
    context: click.Context,
    /,
    max_records: int | None,
    retention_days: float | None,
    dry_run: bool,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
) -> None:
    """Delete what policies, and these options, say is kept too long or is too much."""
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        done = daypack.sources.prune(
            user_id=user_id,
            session_id=session_id,
            max_records=max_records,
            retention_days=retention_days,
            dry_run=dry_run,
        )
    print_json(source_data.pruned_to_dict(done))


# ---------------------------------------------------------------- read


@command("get")
@click.argument("record_id")
@asking
def get(
    context: click.Context, /, record_id: str, user_id: str | None, session_id: str | None, store: str | None
) -> None:
    """The record of an id, whatever its status, with its parts as they are searched."""
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        found = daypack.sources.get(text_argument(record_id), user_id=user_id, session_id=session_id)
        print_json(source_data.source_with_parts_to_dict(found, daypack.sources.parts_of(found)))


@command("list")
@click.option("--kind", type=click.Choice(KINDS), help="Only of this kind.")
@click.option("--scope", type=click.Choice(SCOPES), help="Only of this scope.")
@click.option(
    "--status",
    type=click.Choice(["active", "superseded", "deleted", "all"]),
    default="active",
    show_default=True,
    help="Only with this status.",
)
@click.option("--source-key", metavar="KEY", help="Only under this key.")
@click.option(
    "--limit", "-n", type=click.IntRange(1, 1000), default=100, show_default=True, help="At most so many."
)
@asking
def list_(
    context: click.Context,
    /,
    kind: str | None,
    scope: str | None,
    status: str,
    source_key: str | None,
    limit: int,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
) -> None:
    """The records that this user and session see, the newest first."""
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        found, total = daypack.sources.listed(
            kind=kind,
            scope=scope,
            status=None if status == "all" else status,
            source_key=source_key,
            limit=limit,
            user_id=user_id,
            session_id=session_id,
        )
    print_json(source_data.sources_to_dict(found, total))
    context.exit(0 if found else 1)


@command("stats")
@asking
def stats(context: click.Context, /, user_id: str | None, session_id: str | None, store: str | None) -> None:
    """How many records this user and session see, by kind, scope, type and status."""
    with opened(context, store, create=False) as daypack:
        print_json(daypack.sources.stats(user_id=user_id, session_id=session_id))


@command("export-training")
@click.option("--output", metavar="FILE", help="Write there, and say how many. [default: standard output]")
@asking
def export_training(
    context: click.Context,
    /,
    output: str | None,
    user_id: str | None,
    session_id: str | None,
    store: str | None,
) -> None:
    """The active records that this user and session see, a JSON object a line."""
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        found = daypack.sources.export(user_id=user_id, session_id=session_id)
        lines = "".join(
            json.dumps(source_data.source_with_parts_to_dict(item, daypack.sources.parts_of(item))) + "\n"
            for item in found
        )
    if output is None:
        write(lines)
    else:
        try:
            Path(output).write_text(lines, encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"{output} cannot be written: {error.strerror}") from None
        print_json({"exported_records": len(found), "training_path": output})


filters = options(
    click.option(
        "--ranking",
        type=click.Choice(["common", "weighted"]),
        default="common",
        show_default=True,
        help="How it is ranked.",
    ),
    click.option(
        "--include-user-scope/--no-user-scope", default=True, help="Also what is the user's in every session."
    ),
    click.option("--include-global-scope/--no-global-scope", default=True, help="Also what is everybody's."),
    click.option(
        "--model-target",
        type=click.Choice(["local", "hosted"]),
        default="local",
        show_default=True,
        help="Where the answer goes: what a policy keeps from there is left out.",
    ),
    click.option(
        "--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only of this kind. [repeatable]"
    ),
    click.option("--source-type", "source_types", multiple=True, help="Only of this type. [repeatable]"),
    click.option(
        "--content-class", "content_classes", multiple=True, help="Only of this class. [repeatable]"
    ),
    click.option(
        "--source-key", "source_keys", multiple=True, metavar="KEY", help="Only under this key. [repeatable]"
    ),
    click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="TAG",
        help="Only with this tag or another one given. [repeatable]",
    ),
    click.option(
        "--confidentiality",
        "confidentialities",
        multiple=True,
        help="Only of this confidentiality. [repeatable]",
    ),
    click.option("--max-age-days", type=float, help="Only from the last so many days."),
    click.option("--intent-data", type=Data(), help="JSON, or @FILE: its values are part of the question."),
    click.option(
        "--intent-schema",
        type=Data(),
        help="What the intent data is: only what it names as primary_text_paths is part of the question.",
    ),
    click.option(
        "--vectors",
        type=click.Choice(["lazy", "all", "none"]),
        default="lazy",
        show_default=True,
        help="Which vectors to wait for.",
    ),
)
MODES = ("assistant", "planner", "research", "drafting")
mode_option = click.option(
    "--assembly-mode",
    type=click.Choice(MODES),
    default="assistant",
    show_default=True,
    help="Which sections.",
)
assembling = options(
    click.option(
        "--token-budget",
        type=Tokens(),
        default=1200,
        show_default=True,
        help="The most that the text may count.",
    ),
    click.option(
        "--tokenizer",
        type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
        default="o200k",
        show_default=True,
        help="What the budget is counted in.",
    ),
    click.option(
        "--limit",
        "-n",
        type=click.IntRange(1, 1000),
        default=24,
        show_default=True,
        help="Items to choose from.",
    ),
)


@command("retrieve", "retrieve-context")
@click.argument("query")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1000),
    help="At most so many items. [default: DAYPACK_QUERY_TOP_K, else 6]",
)
@filters
@asking
def retrieve(context: click.Context, /, query: str, store: str | None, **given: Any) -> None:
    """What answers QUERY, best first, with every part of each score."""
    from daypack.doors.sources import serialize as source_data
    from daypack.doors.sources.types import RetrieveRequest

    asked = RetrieveRequest(query_argument(query), **given)
    with opened(context, store, create=False) as daypack:
        found = daypack.sources.retrieve(asked)
    print_json(source_data.retrieval_to_dict(found))
    context.exit(0 if found.items else 1)


def _assembling(name: str, *others: str, shape: str, about: str) -> None:
    """One of the commands that assemble: they take the same, and print it in their own way."""

    def assembled(context: click.Context, /, query: str, store: str | None, **given: Any) -> None:
        from daypack.doors.sources import serialize as source_data
        from daypack.doors.sources.types import AssembleRequest

        asked = AssembleRequest(query_argument(query), **given)
        with opened(context, store, create=False) as daypack:
            done = daypack.sources.assemble(asked)
        print_json(getattr(source_data, shape)(done))
        context.exit(0 if done.retrieval.items else 1)

    assembled.__doc__ = about
    command(name, *others)(
        options(click.argument("query"), mode_option, assembling, filters, asking)(assembled)
    )


_assembling(
    "assemble",
    "assemble-context",
    shape="assembly_to_dict",
    about="What answers QUERY as one text in sections, within a budget.",
)
_assembling(
    "prepare",
    "prepare-context",
    shape="blocks_to_dict",
    about="The same as blocks, each with where it comes from.",
)
_assembling(
    "explain-selection", shape="selection_to_dict", about="Why each item is in the assembled text, or is not."
)


# ---------------------------------------------------------------- benchmark


source.add_command(RowCommand(bench.COMMANDS[-1], hidden=False))
