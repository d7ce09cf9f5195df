"""The verbs of JSON documents, under the names that agents know from document stores."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from daypack.doors.documents.json_arguments import read_filter, reader
from daypack.errors import BadDocument
from daypack.settings import LARGEST_AGENT_BUDGET
from daypack.types.modes import PackingName
from daypack.verbs.results import facts
from daypack.verbs.table import TERMINAL, Access, Answer, Check, Flag, Positional, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

Name = Annotated[str, "The collection."]
Field = Annotated[str, "The field, a dotted path, whose text is compared."]


def _check_filter(value: Any) -> None:
    from daypack.doors.documents.filters.language import parse_filter

    parse_filter(value)


def _check_document(value: Any) -> None:
    if not isinstance(value, dict):
        raise BadDocument("", "must be an object")


def _check_update(update: Any) -> None:
    """Nothing here: the plan names the part of an update that is wrong."""


# Without a check of their own, texts lose half a character that no store can hold, which would change what is written.
FILTER, DOCUMENT, UPDATE = Check(_check_filter), Check(_check_document), Check(_check_update)
Condition = Annotated[dict[str, Any] | None, 'A MongoDB-style filter, as {"status": "open"}.', FILTER]
OptionalFilter = Annotated[Condition, Positional(metavar="[FILTER]", read=read_filter("FILTER"))]
FilterOption = Annotated[
    Condition,
    Flag(
        "--filter", "Only documents that match, decided before ranking.", "JSON", read=read_filter("--filter")
    ),
]
Matching = Annotated[
    dict[str, Any],
    'A MongoDB-style filter, as {"status": "open"}; {} is every document.',
    FILTER,
    Positional(metavar="FILTER", read=read_filter("FILTER")),
]
Query = Annotated[str, Positional(read="query")]
Embedder = Annotated[
    str | None, TERMINAL, "hashing, minilm, folder:PATH or endpoint:URL.", Flag(metavar="NAME")
]
Most = Range(0, 1000)


class Told(NamedTuple):
    """An answer, a hint on the likely slip where nothing was found, and a look for the _ids of its untrusted documents,
    which only answers to agents show.
    """

    answer: Any
    hint: str
    untrusted: Callable[[], Sequence[Any]]

    @property
    def beside(self) -> dict[str, Any]:
        return _beside(self.hint, self.untrusted())


def context_pack(
    daypack: Daypack,
    collection: Name,
    field: Field,
    query: Annotated[str, "The task or question."],
    budget: Annotated[int, "Maximum tokens of all texts.", Range(0, LARGEST_AGENT_BUDGET)] = 1000,
    filter: Condition = None,
    packing: Annotated[PackingName, "auto: the best parts of long texts."] = "prefix",
) -> dict[str, Any]:
    """The texts of a collection's field that a task needs, packed into a token budget and cited by _id."""
    target = daypack.documents.collection(collection)
    found = target.context(field, query, budget=budget, filter=filter, packing=packing)
    hint = "" if found.chunks else target.misspelt(filter, field)
    untrusted = target.untrusted(filter, shown=[chunk.id for chunk in found.chunks])
    return {**found.data, **_beside(hint, untrusted)}


def vsearch(
    daypack: Daypack,
    collection: Name,
    field: Field,
    query: Annotated[Query, "The text that the documents should be near to."],
    limit: Annotated[
        int, "Maximum number of documents.", Most, Flag("--limit -n", range=Range(0, math.inf))
    ] = 10,
    filter: FilterOption = None,
    embedder: Embedder = None,
) -> Told:
    """Documents of a collection semantically closest to a query: nearest neighbours by cosine of embeddings,
    of those that match the filter.
    """
    target = daypack.documents.collection(collection)
    found = target.vsearch(field, query, limit=limit, filter=filter, embedder=embedder)
    hint = "" if found.hits else target.misspelt(filter, field)
    return Told(found, hint, partial(target.untrusted, filter, shown=[hit.id for hit in found.hits]))


def _nearest(told: Told) -> dict[str, Any]:
    found = told.answer
    hits = _readable([hit.data for hit in found.hits])
    return {"hits": hits, "embedder": found.embedder, "stale": found.stale, **told.beside}


def _beside(hint: str, untrusted: Sequence[Any] = ()) -> dict[str, Any]:
    """The hint of an answer and its untrusted _ids, where there are any."""
    found = {"hint": hint, "untrusted": untrusted}
    return {name: value for name, value in found.items() if value}


def find(
    daypack: Daypack,
    collection: Name,
    filter: Condition = None,
    projection: Annotated[dict[str, Any] | None, 'Fields to show, as {"title": 1}.'] = None,
    sort: Annotated[dict[str, Any] | None, 'The order, as {"year": -1}.'] = None,
    limit: Annotated[int, "Maximum number of documents.", Most] = 20,
    skip: Annotated[int, "Number of matching documents to leave out first.", Range(0, 1_000_000_000)] = 0,
) -> dict[str, Any]:
    """Find (fetch, query) documents of a collection that match a filter, such as status or date, sorted and
    limited, as Extended JSON.
    """
    from daypack.doors.documents.model.views import parse_projection

    target = daypack.documents.collection(collection)
    view = parse_projection(projection) if projection is not None else None
    found = target.find(filter, sort=sort, limit=limit + 1, skip=skip)
    whole = found[:limit]
    documents = whole if view is None else [view.of(document) for document in whole]
    matched = {"matched": target.count(filter)} if len(found) > limit else {}
    hint = target.misspelt(None if found else filter, *(sort or ()), *(projection or ()))
    untrusted = target.untrusted(filter, shown=[document["_id"] for document in whole])
    return {"documents": _readable(documents), **matched, **_beside(hint, untrusted)}


def _readable(data: Any) -> Any:
    from daypack.doors.documents.model.values import with_dates  # a list of tools does without

    return with_dates(data)


def describe(
    daypack: Daypack,
    collection: Annotated[str | None, "One collection, or all.", Positional(metavar="[COLLECTION]")] = None,
) -> list[Told]:
    """Describe the collections: their fields (schema), types, frequencies, and a sample document. Ask this
    before filtering.
    """
    documents = daypack.documents
    return [
        Told(one, "", documents.collection(one["collection"]).untrusted)
        for one in documents.describe(collection)
    ]


def _described(found: Sequence[Told]) -> Answer:
    from daypack.doors.documents.model.manual import markdown

    answers = [{**told.answer, **told.beside} for told in found]
    return Answer(markdown(answers), {"collections": answers})


def explain(daypack: Daypack, collection: Name, filter: OptionalFilter = None) -> dict[str, Any]:
    """Explain the plan of a filter: whether it uses an index or a scan, and the number of documents."""
    return daypack.documents.collection(collection).explain(filter).data


def diagnose(daypack: Daypack, collection: Name, filter: Matching) -> dict[str, Any]:
    """Find out why a filter matches no documents: how many each condition matches by itself."""
    target = daypack.documents.collection(collection)
    return {"matched": target.count(filter), "predicates": [item.data for item in target.diagnose(filter)]}


def insert(
    daypack: Daypack,
    collection: Name,
    document: Annotated[dict[str, Any], "The document; without an _id it gets one.", DOCUMENT],
) -> dict[str, Any]:
    """Add one new document to a collection, which is created when it is new."""
    return daypack.documents.collection(collection).insert(document).data


def plan_update(
    daypack: Daypack,
    collection: Name,
    filter: Matching,
    update: Annotated[
        dict[str, Any],
        'Operators, as {"$set": {"status": "done"}}.',
        UPDATE,
        Positional(metavar="UPDATE", read=reader("UPDATE", '{"$set": {"status": "done"}}')),
    ],
    expires: Annotated[
        float,
        TERMINAL,
        "Time during which the plan can be applied: 45s, 90m, 12h, 30d.",
        Flag(metavar="DURATION", default="24h", read="duration"),
    ] = 86_400.0,
) -> Told:
    """Preview an update of documents: what setting fields would change, with documents before and after.
    Nothing is changed; `apply` takes the token.
    """
    target = daypack.documents.collection(collection)
    planned = target.plan_update(filter, update, expires_seconds=expires)
    hint = "" if planned.matched else target.misspelt(filter)
    return Told(planned, hint, partial(target.untrusted, filter))


def _planned(told: Told) -> dict[str, Any]:
    return {**_readable(told.answer.data), **told.beside}


def apply(daypack: Daypack, token: Annotated[str, "From `plan_update`."]) -> dict[str, Any]:
    """Carry out (commit) a planned update by its token, as a whole, or not at all when a document changed
    since.
    """
    return daypack.documents.apply(token).data


def rollback(
    daypack: Daypack,
    change_id: Annotated[str, "The token that was applied."],
    force: Annotated[bool, "Also when later changes are lost."] = False,
) -> dict[str, Any]:
    """Undo a planned update that was applied: restore the documents as they were before."""
    return daypack.documents.rollback(change_id, force=force).data


def delete(daypack: Daypack, collection: Name, filter: Matching) -> dict[str, Any]:
    """Delete the documents of a collection that match a filter. It cannot be undone."""
    target = daypack.documents.collection(collection)
    deleted = target.delete(filter)
    return {"deleted": deleted, **_beside("" if deleted else target.misspelt(filter))}


OBJECT = {"type": "object"}
PACKED = facts(
    "query chunks:[chunk] citations:[any] budgetTokens:i usedTokens:i truncated:b",
    chunk=facts("id:any score:n tokens:i text:t span?:[i]"),
)
NEAREST = facts("hits:[hit] embedder stale:i", hit=facts("id:any score:n document:o"))
DIAGNOSED = facts("predicates:[predicate] matched:i", predicate=facts("path:t filter:o matched:i hint?:t"))
PLANNED = facts("token matched:i changed:i sampleBeforeAfter:[pair] hint?", pair=facts("before:o after:o"))
TOOLSET = "docs"


def _verb(
    name: str,
    access: Access,
    call: Callable[..., Any],
    cli: str,
    result: dict[str, Any] | None = OBJECT,
    **more: Any,
) -> Verb:
    return Verb(name, TOOLSET, access, call, cli, result, elsewhere=True, **more)


READ, WRITE, DANGEROUS = Access.READ, Access.WRITE, Access.DANGEROUS
VERBS = (
    _verb("context_pack", READ, context_pack, "docs context", PACKED),
    _verb("vsearch", READ, vsearch, "docs vsearch", NEAREST, plain=_nearest),
    _verb("find", READ, find, "docs find", facts("documents:[o] matched?:i hint?")),
    _verb("describe", READ, describe, "docs describe", None, plain=_described),
    _verb("explain", READ, explain, "docs explain", facts("strategy indexes:[t] documents:i examined:i matched:i")),
    _verb("diagnose", READ, diagnose, "docs diagnose", DIAGNOSED),
    _verb("insert", WRITE, insert, "docs insert", facts("collection inserted:i ids?:[any]"), idempotent=False),
    _verb("plan_update", WRITE, plan_update, "docs plan-update", PLANNED, idempotent=False, plain=_planned),
    _verb("apply", WRITE, apply, "docs apply", idempotent=False),
    _verb("rollback", WRITE, rollback, "docs rollback", idempotent=False, destructive=True),
    _verb("delete", DANGEROUS, delete, "docs delete", facts("deleted:i hint?"), destructive=True),
)  # fmt: skip
