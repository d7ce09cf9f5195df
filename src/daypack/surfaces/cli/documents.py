"""The commands of `daypack docs`: parse, call the documents door, print canonical JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daypack.surfaces.cli.common import (
    F,
    Tokens,
    note,
    opened,
    progress,
    query_argument,
    text_argument,
    write,
)
from daypack.surfaces.cli.main import docs

if TYPE_CHECKING:
    from daypack.doors.documents.collection import Collection
    from daypack.doors.documents.door import DocumentsDoor


def bound(command: F) -> F:
    """Options of every command here."""
    options = [
        click.option(
            "--json",
            is_flag=True,
            expose_value=False,
            help="Errors as one JSON object too; answers are JSON anyhow.",
        ),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


filter_option = click.option(
    "--filter", metavar="JSON", help="Only documents that pass, decided before anything is ranked."
)
embedder_option = click.option(
    "--embedder", metavar="NAME", help="hashing, minilm, folder:PATH or endpoint:URL."
)


@contextmanager
def door(context: click.Context, store: str | None, *, create: bool = False) -> Iterator[DocumentsDoor]:
    with opened(context, store, create=create) as daypack:
        yield daypack.documents


def _json(text: str | None, what: str) -> Any:
    """An argument that is JSON; None stays None. Raises BadJson."""
    from daypack.doors.documents.model.values import read_json

    return None if text is None else read_json(text_argument(text), what=what)


def _print(data: Any, *, sort_keys: bool = False) -> None:
    from daypack.doors.documents.model.values import canonical

    write(canonical(data, sort_keys=sort_keys) + "\n")


def _say_misspelt(collection: Collection, filter: Any, *fields: str) -> None:
    hint = collection.misspelt(filter, *fields)
    if hint:
        note(hint, always=True)


# ---------------------------------------------------------------- collections, writes


@docs.command()
@click.argument("collection", required=False)
@click.option("--index", "indexes", multiple=True, metavar="PATH", help="Index this path. [repeatable]")
@bound
@click.pass_context
def create(
    context: click.Context, /, collection: str | None, indexes: tuple[str, ...], store: str | None
) -> None:
    """Make the store, and COLLECTION in it. `insert` makes both as well."""
    with door(context, store, create=True) as documents:
        if collection is None:
            if indexes:
                raise click.UsageError("--index needs a COLLECTION")
            _print({"store": str(documents.store.folder)})
            return
        made = documents.create(text_argument(collection), indexes=[*map(text_argument, indexes)])
        _print({"collection": collection, "created": made})


@docs.command()
@click.argument("collection")
@click.argument("document", metavar="JSON|@FILE|-")
@bound
@click.pass_context
def insert(context: click.Context, /, collection: str, document: str, store: str | None) -> None:
    """Add to COLLECTION one document, an array of them, or one a line (NDJSON); - reads standard input."""
    from daypack.doors.documents.loading import read_documents

    text, name = _source(document)
    items = read_documents(text, name)
    with door(context, store, create=True) as documents, progress("writing") as step:
        target = documents.collection(text_argument(collection))
        _say_near(documents, target.name)
        done = target.insert_named(items, progress=step)
    _print({"collection": done.collection, "inserted": done.inserted, "ids": list(done.ids)})
    if done.redactions:
        note(f"replaced {done.redactions:,} secrets before anything was stored", always=True)


@docs.command()
@click.argument("collection")
@click.argument("file", metavar="FILE|-")
@click.option("--replace", is_flag=True, help="Replace documents of the same _id.")
@bound
@click.pass_context
def load(context: click.Context, /, collection: str, file: str, replace: bool, store: str | None) -> None:
    """Bring FILE, one document a line as `dump` writes them, into COLLECTION. Running it again goes on where
    it was interrupted.
    """
    from daypack.doors.documents.loading import read_lines

    with door(context, store, create=True) as documents, progress("loading") as step, _lines(file) as lines:
        target = documents.collection(text_argument(collection))
        _say_near(documents, target.name)
        done = target.load(
            read_lines(lines, file if file != "-" else "stdin"), replace=replace, progress=step
        )
        waiting = documents.pending()
    data = done.data
    del data["ids"]
    _print(data)
    if waiting:
        note(
            f"the text of {waiting:,} documents follows: before the next question, or now with `daypack docs sync`"
        )


def _say_near(documents: DocumentsDoor, name: str) -> None:
    """A new collection beside one of nearly the same name is perhaps a slip, and always said."""
    if near := documents.similar_name(name):
        note(f"{name} is a new collection; there is also {near}", always=True)


def _source(argument: str) -> tuple[str, str]:
    """(text, what it is called in errors) of JSON, @FILE or -."""
    from daypack.errors import InputError

    if argument == "-":
        return _decoded(sys.stdin.buffer.read(), "stdin"), "stdin"
    if argument.startswith("@"):
        try:
            return _decoded(Path(argument[1:]).read_bytes(), argument[1:]), argument[1:]
        except OSError as error:
            raise InputError(f"{argument[1:]} cannot be read ({error.strerror})") from None
    return text_argument(argument), "JSON"


def _decoded(data: bytes, name: str) -> str:
    from daypack.errors import BadJson

    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise BadJson(
            name, before.count(b"\n") + 1, error.start - before.rfind(b"\n"), "the bytes are not UTF-8"
        ) from None


@contextmanager
def _lines(file: str) -> Iterator[Iterator[str]]:
    from daypack.errors import InputError

    if file == "-":
        yield (_decoded(line, "stdin") for line in sys.stdin.buffer)
        return
    try:
        with Path(file).open("rb") as stream:
            yield (_decoded(line, file) for line in stream)
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from None


@docs.command()
@click.argument("collection")
@click.argument("filter", metavar="FILTER")
@bound
@click.pass_context
def delete(context: click.Context, /, collection: str, filter: str, store: str | None) -> None:
    """Remove every document of COLLECTION that passes FILTER; '{}' is all of them."""
    condition = _json(filter, "FILTER")
    with door(context, store) as documents:
        _print({"deleted": documents.collection(text_argument(collection)).delete(condition)})


@docs.command()
@click.argument("collection")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@bound
@click.pass_context
def index(context: click.Context, /, collection: str, paths: tuple[str, ...], store: str | None) -> None:
    """Index each PATH of COLLECTION, so that filters on it look at few documents."""
    with door(context, store) as documents:
        _print({"indexed": documents.collection(text_argument(collection)).index(*map(text_argument, paths))})


@docs.command()
@bound
@click.pass_context
def sync(context: click.Context, /, store: str | None) -> None:
    """Bring the text of written documents into the common index now, where `pack` and `search` find it."""
    with door(context, store) as documents, progress("indexing") as step:
        _print({"indexed": documents.catch_up(progress=step)})


# ---------------------------------------------------------------- reading


@docs.command()
@click.argument("collection")
@click.argument("filter", required=False, metavar="[FILTER]")
@click.option(
    "--project",
    "projection",
    metavar="JSON",
    help='Fields to show, as {"title": 1}, or to leave out, as {"body": 0}.',
)
@click.option(
    "--sort", metavar="JSON", help='The order, as {"year": -1, "title": 1}. [default: as they came]'
)
@click.option("--limit", "-n", type=click.IntRange(0), help="At most so many. [default: all]")
@click.option("--skip", type=click.IntRange(0), default=0, help="Leave out the first so many.")
@bound
@click.pass_context
def find(
    context: click.Context,
    /,
    collection: str,
    filter: str | None,
    projection: str | None,
    sort: str | None,
    limit: int | None,
    skip: int,
    store: str | None,
) -> None:
    """The documents of COLLECTION that pass FILTER, each a line of canonical JSON."""
    condition, shown, order = _json(filter, "FILTER"), _json(projection, "--project"), _json(sort, "--sort")
    found = 0
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        for document in target.each(condition, projection=shown, sort=order, limit=limit, skip=skip):
            found += 1
            _print(document)
        if not found:
            _say_misspelt(target, condition)
    context.exit(0 if found else 1)


@docs.command()
@click.argument("collection")
@click.argument("filter", required=False, metavar="[FILTER]")
@bound
@click.pass_context
def count(context: click.Context, /, collection: str, filter: str | None, store: str | None) -> None:
    """How many documents of COLLECTION pass FILTER."""
    condition = _json(filter, "FILTER")
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        found = target.count(condition)
        _print(found)
        if not found:
            _say_misspelt(target, condition)


@docs.command()
@click.argument("collection")
@click.argument("identity", metavar="ID")
@bound
@click.pass_context
def get(context: click.Context, /, collection: str, identity: str, store: str | None) -> None:
    """The document of COLLECTION whose _id is ID: 24 hex digits, JSON, or a string."""
    with door(context, store) as documents:
        _print(documents.collection(text_argument(collection)).get(text_argument(identity)))


@docs.command()
@click.argument("collection")
@bound
@click.pass_context
def dump(context: click.Context, /, collection: str, store: str | None) -> None:
    """Every document of COLLECTION as a line of canonical JSON, in the order in which they came."""
    with door(context, store) as documents:
        for line in documents.collection(text_argument(collection)).dump():
            write(line + "\n")


@docs.command()
@click.argument("collection", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON instead of Markdown.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def describe(context: click.Context, /, collection: str | None, as_json: bool, store: str | None) -> None:
    """What is in COLLECTION, or in each: fields with their types and how often they are there, and one
    sample.
    """
    from daypack.doors.documents.model.manual import markdown

    with door(context, store) as documents:
        found = documents.describe(text_argument(collection) if collection is not None else None)
    if as_json:
        _print({"collections": found})
    else:
        write(markdown(found))
    context.exit(0 if found else 1)


@docs.command()
@bound
@click.pass_context
def inspect(context: click.Context, /, store: str | None) -> None:
    """The collections with their sizes, indexes and embedded fields; plans; text that waits to be indexed."""
    with door(context, store) as documents:
        _print(documents.inspect())


@docs.command()
@click.argument("collection")
@click.argument("filter", required=False, metavar="[FILTER]")
@bound
@click.pass_context
def explain(context: click.Context, /, collection: str, filter: str | None, store: str | None) -> None:
    """How FILTER is answered: by which index or by a scan, how many documents that looks at, how many pass."""
    condition = _json(filter, "FILTER")
    with door(context, store) as documents:
        _print(documents.collection(text_argument(collection)).explain(condition).data)


@docs.command()
@click.argument("collection")
@click.argument("filter", metavar="FILTER")
@bound
@click.pass_context
def diagnose(context: click.Context, /, collection: str, filter: str, store: str | None) -> None:
    """Why FILTER passes nothing: how many documents each of its conditions lets through by itself."""
    condition = _json(filter, "FILTER")
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        counts = target.diagnose(condition)
        _print({"matched": target.count(condition), "predicates": [item.data for item in counts]})


# ---------------------------------------------------------------- vectors, context


@docs.command()
@click.argument("collection")
@click.argument("field")
@embedder_option
@bound
@click.pass_context
def vsync(
    context: click.Context, /, collection: str, field: str, embedder: str | None, store: str | None
) -> None:
    """Make the vectors of FIELD current. Without --embedder, by the one that it has, at first hashing."""
    with door(context, store) as documents, progress("embedding") as step:
        done = documents.collection(text_argument(collection)).vsync(
            text_argument(field), embedder=embedder, progress=step
        )
    _print(done.data)


@docs.command()
@click.argument("collection")
@click.argument("field")
@embedder_option
@bound
@click.pass_context
def vstale(
    context: click.Context, /, collection: str, field: str, embedder: str | None, store: str | None
) -> None:
    """Which vectors of FIELD are out of date: the text changed, another model made them, or there is none.
    Exit status 1 when there are such.
    """
    with door(context, store) as documents:
        found = documents.collection(text_argument(collection)).vstale(
            text_argument(field), embedder=embedder
        )
    _print(found.data)
    context.exit(1 if found.stale else 0)


@docs.command()
@click.argument("collection")
@click.argument("field")
@click.argument("query")
@click.option("--limit", "-n", type=click.IntRange(0), default=10, show_default=True, help="At most so many.")
@filter_option
@embedder_option
@bound
@click.pass_context
def vsearch(
    context: click.Context,
    /,
    collection: str,
    field: str,
    query: str,
    limit: int,
    filter: str | None,
    embedder: str | None,
    store: str | None,
) -> None:
    """The documents whose FIELD is nearest to QUERY by cosine, each a line of JSON."""
    condition = _json(filter, "--filter")
    query = query_argument(query)
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        answer = target.vsearch(text_argument(field), query, limit=limit, filter=condition, embedder=embedder)
        for hit in answer.hits:
            _print(hit.data)
        if not answer.hits:
            _say_misspelt(target, condition, text_argument(field))
    if answer.stale:
        note(
            f"{answer.stale:,} documents were written since and have no vector yet; run `daypack docs vsync {collection} {field}`",
            always=True,
        )
    context.exit(0 if answer.hits or limit == 0 else 1)


@docs.command("context")
@click.argument("collection")
@click.argument("field")
@click.argument("query")
@click.option(
    "--budget",
    "-b",
    type=Tokens(),
    default=1000,
    show_default=True,
    help="The most that the texts may count.",
)
@filter_option
@click.option(
    "--embedder",
    metavar="NAME",
    help="Whose vectors rank. [default: hashing; with --packing auto the store's]",
)
@click.option(
    "--packing",
    type=click.Choice(["prefix", "skip", "auto"]),
    default="prefix",
    show_default=True,
    help="prefix: whole texts by rank, up to the first that does not fit; skip: past it; auto: the best parts of texts.",
)
@click.option(
    "--tokenizer",
    type=click.Choice(["approx", "o200k", "cl100k", "chars", "bytes"]),
    default="approx",
    show_default=True,
    help="What the budget is counted in; approx is four characters a token.",
)
@click.option(
    "--explain", "explained", is_flag=True, help="Also say how it was made and what the rendered pack counts."
)
@bound
@click.pass_context
def context_(
    context: click.Context,
    /,
    collection: str,
    field: str,
    query: str,
    budget: int,
    filter: str | None,
    embedder: str | None,
    packing: str,
    tokenizer: str,
    explained: bool,
    store: str | None,
) -> None:
    """The most relevant texts of FIELD for QUERY, within a budget and cited by _id, as one line of canonical
    JSON.
    """
    condition = _json(filter, "--filter")
    query = query_argument(query)
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        pack = target.context(
            text_argument(field),
            query,
            budget=budget,
            filter=condition,
            embedder=embedder,
            packing=packing,
            tokenizer=tokenizer,
        )
        if not pack.chunks and not pack.truncated:
            _say_misspelt(target, condition, text_argument(field))
    _print({**pack.data, "explain": dict(pack.facts)} if explained else pack.data, sort_keys=True)


# ---------------------------------------------------------------- planned changes


@docs.command("plan-update")
@click.argument("collection")
@click.argument("filter", metavar="FILTER")
@click.argument("update", metavar="UPDATE")
@click.option(
    "--expires",
    default="24h",
    show_default=True,
    metavar="DURATION",
    help="How long the plan can be applied: 45s, 90m, 12h, 30d.",
)
@bound
@click.pass_context
def plan_update(
    context: click.Context, /, collection: str, filter: str, update: str, expires: str, store: str | None
) -> None:
    """What UPDATE would do to the documents that pass FILTER. Nothing is changed; the token it prints applies
    it.
    """
    from daypack.doors.memories.rules import seconds_of

    condition, change = _json(filter, "FILTER"), _json(update, "UPDATE")
    seconds = seconds_of(expires)
    with door(context, store) as documents:
        target = documents.collection(text_argument(collection))
        planned = target.plan_update(condition, change, expires_seconds=seconds)
        _print(planned.data)
        if planned.redactions:
            note(f"replaced {planned.redactions:,} secrets before anything was stored", always=True)
        if not planned.matched:
            _say_misspelt(target, condition)


@docs.command()
@click.argument("token")
@bound
@click.pass_context
def apply(context: click.Context, /, token: str, store: str | None) -> None:
    """Carry out a plan, in one transaction. Nothing is changed when one of its documents changed since it was
    made.
    """
    with door(context, store) as documents:
        _print(documents.apply(text_argument(token)).data)


@docs.command()
@click.argument("change_id")
@click.option("--force", is_flag=True, help="Also where later changes are lost.")
@bound
@click.pass_context
def rollback(context: click.Context, /, change_id: str, force: bool, store: str | None) -> None:
    """Restore the documents as they were before a plan was applied; its token is the CHANGE_ID."""
    with door(context, store) as documents:
        _print(documents.rollback(text_argument(change_id), force=force).data)


@docs.command()
@bound
@click.pass_context
def plans(context: click.Context, /, store: str | None) -> None:
    """Every plan and change that is kept, newest first, each a line of JSON."""
    with door(context, store) as documents:
        found = documents.plans()
    for plan in found:
        _print(plan)
    context.exit(0 if found else 1)
