"""The commands of `daypack docs`: answers of the documents door, as canonical JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from daypack.doors.documents import verbs
from daypack.doors.documents.json_arguments import decoded, reader, text_of, typed
from daypack.doors.documents.verbs import Embedder, Field, FilterOption, Name, OptionalFilter, Query
from daypack.guard.inputs import lines_of, opened, read_file, read_stream
from daypack.shapes.outcomes import secrets_replaced
from daypack.shapes.strict_json import canonical
from daypack.types.modes import PackingName, TokenizerName
from daypack.verbs.command import BadUsage, Command, Screen, Terminal
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.documents.door import DocumentsDoor


JsonFlag = Annotated[bool, "Print errors as one JSON object too; answers are always JSON.", Flag("--json")]


def shown(answer: Any, as_json: JsonFlag = False) -> Screen:  # noqa: ARG001 - how errors are shown
    """A screen unchanged; data as a line of canonical JSON."""
    return answer if isinstance(answer, Screen) else Screen(_line(answer))


def _line(data: Any) -> str:
    return canonical(data) + "\n"


def deleted(answer: dict[str, Any], as_json: JsonFlag = False) -> Screen:
    notes = _noted(answer.pop("hint", ""))
    return shown(Screen(_line(answer), notes=notes), as_json)


def _noted(hint: str) -> tuple[str, ...]:
    return (hint,) if hint else ()


def _stale(collection: str, field: str, count: int) -> tuple[str, ...]:
    sync = f"run `daypack docs vsync {collection} {field}`"
    return (f"{count:,} documents were written since and have no vector yet; {sync}",) if count else ()


# ---------------------------------------------------------------- collections, writes


def create(
    daypack: Daypack,
    collection: Annotated[str | None, Positional(metavar="[COLLECTION]")] = None,
    indexes: Annotated[
        list[str] | None, "Index this path.", Flag("--index", metavar="PATH", instead="`daypack docs index`")
    ] = None,
) -> dict[str, Any]:
    """Make the store, and COLLECTION in it. `insert` makes both as well."""
    if collection is None:
        if indexes:
            raise BadUsage("--index needs a COLLECTION")
        return {"store": daypack.documents.store.name}
    return {"collection": collection, "created": daypack.documents.create(collection, indexes=indexes or ())}


def _documents(argument: str) -> Iterator[tuple[Any, str]]:
    from daypack.doors.documents.loading import read_documents

    text, name = _source(argument)
    if argument == "-" or argument.startswith("@"):
        return read_documents(text, name)
    with typed('{"name": "sencha"}'):
        return read_documents(text, name)


def _source(argument: str) -> tuple[str, str]:
    """(text, its name in errors) of JSON, @FILE or -."""
    if argument == "-":
        return decoded(read_stream(sys.stdin.buffer), "stdin"), "stdin"
    if os.path.isfile(argument):  # noqa: PTH113 (`Path` raises for JSON longer than a name)
        raise BadUsage(f"write @{argument} for what that file holds")
    if not argument.startswith("@"):
        return text_of(argument, "JSON"), "JSON"
    return decoded(read_file(argument[1:]), argument[1:]), argument[1:]


def insert(
    daypack: Daypack,
    collection: Name,
    document: Annotated[Any, Positional(metavar="JSON|@FILE|-", read=_documents)],
    *,
    terminal: Terminal,
) -> Screen:
    """Add to COLLECTION one document, an array, or one after another (NDJSON); - reads standard input."""
    with terminal.progress("writing") as step:
        _note_similar(daypack.documents, collection, terminal)
        written = daypack.documents.collection(collection).insert(document, progress=step)
    data = {"collection": written.collection, "inserted": written.inserted, "ids": list(written.ids)}
    return Screen(_line(data), notes=secrets_replaced(written.redactions))


def load(
    daypack: Daypack,
    collection: Name,
    file: Annotated[str, Positional(metavar="FILE|-", read="path")],
    replace: Annotated[bool, "Replace documents of the same _id."] = False,
    *,
    terminal: Terminal,
) -> Screen:
    """Load FILE, a JSON array, or documents one after another as of `dump`, into COLLECTION. After an interrupt, run it
    again to continue.
    """
    from daypack.doors.documents.loading import read_lines_or_text

    documents = daypack.documents
    with terminal.progress("loading") as step, _lines(file) as lines:
        _note_similar(documents, collection, terminal)
        named = read_lines_or_text(lines, file if file != "-" else "stdin")
        loaded = documents.collection(collection).load(named, replace=replace, progress=step)
    waiting = documents.pending()
    data = loaded.data
    del data["ids"]
    follows = f"the text of {waiting:,} documents follows: before the next question, or now with `daypack docs sync`"
    return Screen(_line(data), asides=(follows,) if waiting else ())


def _note_similar(documents: DocumentsDoor, name: str, terminal: Terminal) -> None:
    """A new collection with nearly the name of another one may be a slip."""
    documents.collection(name)
    if near := documents.similar_name(name):
        terminal.note(f"{name} is a new collection; {near} exists as well")


@contextmanager
def _lines(file: str) -> Iterator[Iterator[str]]:
    if file == "-":
        yield (decoded(line, "stdin") for line in lines_of(sys.stdin.buffer))
        return
    with opened(file) as stream:
        yield (decoded(line, file) for line in lines_of(stream, file))


def index(
    daypack: Daypack, collection: Name, paths: Annotated[list[str], Positional(metavar="PATH...")]
) -> dict[str, Any]:
    """Index each PATH of COLLECTION, so that filters on it examine few documents."""
    return {"indexed": daypack.documents.collection(collection).index(*paths)}


def sync(daypack: Daypack, *, terminal: Terminal) -> dict[str, Any]:
    """Index the text of written documents now, so that `pack` and `search` find it."""
    with terminal.progress("indexing") as step:
        return {"indexed": daypack.documents.catch_up(progress=step)}


# ---------------------------------------------------------------- reading


def find(
    daypack: Daypack,
    collection: Name,
    filter: OptionalFilter = None,
    projection: Annotated[
        Any,
        'Fields to show, as {"title": 1}, or to leave out, as {"body": 0}.',
        Flag("--fields", metavar="JSON", read=reader("--fields", '{"title": 1}'), seed="--project"),
    ] = None,
    sort: Annotated[
        Any,
        'The order, as {"year": -1, "title": 1}. [default: by insertion]',
        Flag(metavar="JSON", read=reader("--sort", '{"year": -1}')),
    ] = None,
    limit: Annotated[
        int | None, "Maximum number of documents. [default: all]", Range(0, float("inf")), Flag("--limit -n")
    ] = None,
    skip: Annotated[int, "Number of documents to skip.", Range(0, float("inf"))] = 0,
    *,
    terminal: Terminal,
) -> Screen:
    """Print the documents of COLLECTION that match FILTER, each a line of canonical JSON."""
    target = daypack.documents.collection(collection)
    printed = 0
    for document in target.each(filter, projection=projection, sort=sort, limit=limit, skip=skip):
        printed += 1
        terminal.write(_line(document))
    notes = _noted(target.misspelt(None if printed else filter, *(sort or ()), *(projection or ())))
    return Screen(status=0 if printed else 1, notes=notes)


def count(daypack: Daypack, collection: Name, filter: OptionalFilter = None) -> Screen:
    """Count the documents of COLLECTION that match FILTER."""
    target = daypack.documents.collection(collection)
    matched = target.count(filter)
    return Screen(_line(matched), notes=() if matched else _noted(target.misspelt(filter)))


def get(daypack: Daypack, collection: Name, identity: Annotated[str, Positional(metavar="ID")]) -> Any:
    """Print the document of COLLECTION with this ID: 24 hex digits, JSON, or a string."""
    return daypack.documents.collection(collection).get(identity, as_written=True)


def dump(daypack: Daypack, collection: Name) -> Screen:
    """Print every document of COLLECTION as a line of canonical JSON, in the order of insertion."""
    return Screen(line + "\n" for line in daypack.documents.collection(collection).dump(one_state=True))


def inspect(daypack: Daypack) -> dict[str, Any]:
    """List collections with their sizes, indexes and embedded fields; plans; text that waits to be indexed."""
    return daypack.documents.inspect()


def described(
    found: Sequence[verbs.Told],
    as_json: Annotated[bool, "Print JSON instead of Markdown.", Flag("--json")] = False,
) -> Screen:
    from daypack.doors.documents.model.manual import markdown

    descriptions = [told.answer for told in found]
    return Screen(_line({"collections": descriptions}) if as_json else markdown(descriptions))


# ---------------------------------------------------------------- vectors, context


def vsync(
    daypack: Daypack, collection: Name, field: Field, embedder: Embedder = None, *, terminal: Terminal
) -> dict[str, Any]:
    """Make the vectors of FIELD current. Without --embedder, by its last embedder, at first hashing."""
    with terminal.progress("embedding") as step:
        synced = daypack.documents.collection(collection).vsync(field, embedder=embedder, progress=step)
    return synced.data


def vstale(daypack: Daypack, collection: Name, field: Field, embedder: Embedder = None) -> Screen:
    """Count the outdated vectors of FIELD: changed texts, another model, or none made. Exit status 1 when
    there are any.
    """
    outdated = daypack.documents.collection(collection).vstale(field, embedder=embedder)
    return Screen(_line(outdated.data), 1 if outdated.stale else 0)


def nearest(
    found: verbs.Told, collection: Name, field: Field, limit: int = 10, as_json: JsonFlag = False
) -> Screen:
    answer = found.answer
    lines = "".join(_line(hit.data) for hit in answer.hits)
    notes = (*_noted(found.hint), *_stale(collection, field, answer.stale))
    return shown(Screen(lines, 0 if answer.hits or limit == 0 else 1, notes=notes), as_json)


def context(
    daypack: Daypack,
    collection: Name,
    field: Field,
    query: Query,
    budget: Annotated[int, "Maximum size of all texts.", Flag("--budget -b", read="tokens")] = 1000,
    filter: FilterOption = None,
    embedder: Annotated[
        str | None,
        "Embedder whose vectors rank. [default: that of the last vsync, else hashing; with --packing auto the store's]",
        Flag(metavar="NAME"),
    ] = None,
    packing: Annotated[
        PackingName,
        "prefix: whole texts by rank, up to the first that does not fit; skip: skip those that do "
        "not fit; auto: the best parts of texts.",
    ] = "prefix",
    tokenizer: Annotated[
        TokenizerName, "The tokenizer of the budget; approx is four characters a token."
    ] = "approx",
    explained: Annotated[
        bool, "Also show the ranking and the size of the rendered pack.", Flag("--explain")
    ] = False,
) -> Screen:
    """Print the most relevant texts of FIELD for QUERY, within a budget and cited by _id, as one line of
    canonical JSON.
    """
    target = daypack.documents.collection(collection)
    pack = target.context(
        field, query, budget=budget, filter=filter, embedder=embedder, packing=packing, tokenizer=tokenizer
    )
    data = (
        dict(sorted({**pack.data, "explain": dict(sorted(pack.facts.items()))}.items()))
        if explained
        else pack.data
    )
    notes = _noted("" if pack.chunks or pack.truncated else target.misspelt(filter, field))
    notes += _stale(collection, field, pack.facts.get("stale", 0))
    return Screen(_line(data), notes=notes)


# ---------------------------------------------------------------- planned changes


def planned(found: verbs.Told, as_json: JsonFlag = False) -> Screen:
    notes = (*secrets_replaced(found.answer.redactions), *_noted(found.hint))
    return shown(Screen(_line(found.answer.data), notes=notes), as_json)


def plans(daypack: Daypack) -> Screen:
    """List all plans and changes, newest first, each a line of JSON."""
    listed = daypack.documents.plans()
    none = "no plans; `daypack docs plan-update` makes one"
    return Screen("".join(map(_line, listed)), notes=() if listed else (none,))


Seeded = partial(Command, store_first=True)
COMMANDS = (
    Seeded(create, shown, "docs create", opens="created"),
    Seeded(insert, shown, "docs insert", opens="created"),
    Seeded(load, shown, "docs load", opens="created"),
    Seeded(verbs.delete, deleted, "docs delete", help="Remove every document of COLLECTION that matches FILTER; '{}' matches all."),
    Seeded(index, shown, "docs index"),
    Seeded(sync, shown, "docs sync"),
    Seeded(find, shown, "docs find"),
    Seeded(count, shown, "docs count"),
    Seeded(get, shown, "docs get"),
    Seeded(dump, shown, "docs dump"),
    Seeded(verbs.describe, described, "docs describe", help="Describe COLLECTION, or all: fields with their types and frequency, and one sample."),
    Seeded(inspect, shown, "docs inspect"),
    Seeded(verbs.explain, shown, "docs explain", help="Explain how FILTER is answered: the index or scan, the number of documents examined and matched."),
    Seeded(verbs.diagnose, shown, "docs diagnose", help="Explain why FILTER matches nothing: the number of documents that each condition matches by itself."),
    Seeded(vsync, shown, "docs vsync"),
    Seeded(vstale, shown, "docs vstale"),
    Seeded(verbs.vsearch, nearest, "docs vsearch", help="Print the documents whose FIELD is nearest to QUERY by cosine, each a line of JSON."),
    Seeded(context, shown, "docs context"),
    Seeded(verbs.plan_update, planned, "docs plan-update", help="Plan UPDATE for the documents that match FILTER. Nothing is changed; the printed token applies it."),
    Seeded(verbs.apply, shown, "docs apply", help="Carry out a plan, in one transaction. Nothing is changed when one of its documents changed since it was\nmade."),
    Seeded(verbs.rollback, shown, "docs rollback", help="Restore the documents from before a plan was applied; its token is the CHANGE_ID."),
    Seeded(plans, shown, "docs plans"),
)  # fmt: skip
