"""The six verbs that an agent needs: pack, search, get, remember, forget, status."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.memories import verbs as memory
from daypack.doors.memories.serialize import version_to_dict
from daypack.doors.memories.types import Gone, VersionState
from daypack.doors.registry import door_names
from daypack.errors import InputError, NotFound
from daypack.guard.fences import fence, one_line
from daypack.settings import LARGEST_AGENT_BUDGET
from daypack.shapes import answers
from daypack.shapes.memory_block import URI, key_and_time
from daypack.shapes.wording import counted, minute
from daypack.text.references import readings_of
from daypack.types import EmptyReason, Trust
from daypack.verbs.results import facts
from daypack.verbs.table import MOST_QUESTIONS, Access, Answer, AtMost, Choices, Named, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.memories.types import MemoryVersion
    from daypack.types import Found

MOST_EARLIER, LONGEST_EARLIER = 5, 200  # earlier values of a memory that `get` lists, and characters of each
ASK_FOR = "ask for a topic, a name, a path or an error text"
NO_WORDS = f"the query has no words; {ASK_FOR}"
Doors = Annotated[
    list[str] | None,
    Named("in"),
    Choices(door_names, part="source"),
    "Only these: files holds code and pages, docs JSON documents.",
]
History = Annotated[list[str] | None, "Messages before a follow-up question, oldest first."]
Sources = Annotated[list[str] | None, "Only files that match a glob, as src/**/*.py."]


def pack(
    daypack: Daypack,
    query: Annotated[str, "The task or question, in full words."],
    budget: Annotated[int, "Maximum o200k tokens of the answer.", Range(0, LARGEST_AGENT_BUDGET)] = 4000,
    format: Literal["markdown", "xml", "json"] = "markdown",
    doors: Doors = None,
    source: Sources = None,
    page: Annotated[int, "2 and on: items that did not fit before.", Range(1, 50)] = 1,
    after: Annotated[str, "The pack ID that an earlier answer ends with: only what is new comes."] = "",
    history: History = None,
) -> Answer:
    """Ask this first: what a task or question needs (to fix, add, change, explain, continue; how, why, which
    rules) from this project's code, documents, decisions and memories, in one answer within a token
    budget, cited as path:lines.
    """
    found = daypack.pack(
        query, budget=budget, shape=format, page=page, after=after, history=history, **_narrow(doors, source)
    )
    if found.empty_reason is EmptyReason.EMPTY_QUERY:
        raise InputError(NO_WORDS)
    return Answer(found.text, answers.pack_to_dict(found))


def search(
    daypack: Daypack,
    queries: Annotated[list[str], "One or several questions, words or names.", AtMost(MOST_QUESTIONS)],
    limit: Annotated[int, "Most results for each query.", Range(1, 100)] = 5,
    doors: Doors = None,
    source: Sources = None,
    history: History = None,
) -> Answer:
    """Find where a word, name, phrase or topic is mentioned: list ranked places (files, functions), a line of
    text for each hit. For exploring; `get` opens one, `pack` answers a task.
    """
    texts, details, reasons = [], [], set()
    for number, query in enumerate(queries):
        found = daypack.search(
            query,
            limit=limit,
            trim=True,
            refresh=None if number == 0 else False,
            history=history,
            **_narrow(doors, source),
        )
        texts.append(answers.listing(found, heading=len(queries) > 1, explain=False, by_file=False))
        details.append(answers.places_to_dict(found))
        reasons.add(found.empty_reason)
    if reasons <= {EmptyReason.EMPTY_QUERY}:
        raise InputError(NO_WORDS if queries else f"no query was given; {ASK_FOR}")
    return Answer("".join(texts), {"answers": details})


def get(
    daypack: Daypack,
    reference: Annotated[
        str, "path:12-40, a path, a memory:KEY (and its earlier values), or an id from a result."
    ],
    page: Annotated[int, "2 and on: the rest of a long text.", Range(1, 100_000)] = 1,
) -> Answer:
    """Open and read the exact text or lines behind a reference (path, citation, result, id), the rest of a
    long text a page at a time; verify it, and whether the file has changed since it was indexed.
    """
    found = _found_now(daypack, reference)
    details = answers.found_to_dict(found)
    del details["text"]
    text, pages = answers.paged(found, page)
    size = {"characters": len(found.text), "page": page, "pages": pages}
    earlier = _earlier_versions(daypack, found.uri) if page == 1 else []
    if earlier:
        details["earlier"] = [version_to_dict(version) for version in earlier]
        text += _earlier_block(earlier)
    return Answer(text, {**details, **size, "next_page": page + 1 if page < pages else None})


def _found_now(daypack: Daypack, reference: str) -> Found:
    """The text behind a reference. An agent opens files that it has just written or edited, so the disk is looked at again for
    an unknown name, and for a changed file unless its hash or the id of a result is given: these name a text, not a file.
    """
    is_id = reference.strip().isdecimal()
    readings = [*readings_of(reference.strip().removesuffix("]"))]
    with suppress(NotFound):
        found = daypack.get(reference)
        if found.state != "changed" or is_id or any(reading.hash for reading in readings):
            return found
    daypack.refresh_if_stale()
    try:
        return daypack.get(reference)
    except NotFound:
        names = {reading.name for reading in readings}
        if issue := next((one for one in daypack.files.skipped() if one.uri in names), None):
            raise NotFound(f"{issue.uri} is not indexed ({issue.why})", "read the file itself") from None
        raise


def _earlier_versions(daypack: Daypack, uri: str) -> list[MemoryVersion]:
    """The last values that a memory had before its present one, newest first, each cut; none for other texts."""
    key, then = key_and_time(uri)
    if then or not uri.startswith(URI):
        return []
    try:
        history = daypack.memories.history(key)
    except NotFound:
        return []
    if isinstance(history, Gone):
        return []
    former = (VersionState.SUPERSEDED, VersionState.EXPIRED)
    versions = [line.version for line in history if line.state in former][:MOST_EARLIER]
    return [replace(version, value=one_line(version.value or "", LONGEST_EARLIER)) for version in versions]


def _earlier_block(versions: list[MemoryVersion]) -> str:
    """Earlier values as one inert block, a line each."""
    lines = [
        f"{minute(version.recorded_at)}  {version.value}"
        + (" (untrusted)" if version.trust is Trust.UNTRUSTED else "")
        for version in versions
    ]
    ticks = fence("\n".join(lines))
    return "\n".join([f"[{counted(len(lines), 'earlier value')}, newest first]", ticks, *lines, ticks, ""])


def status(daypack: Daypack) -> dict[str, Any]:
    """Status of the store: how many files, records, memories and documents, how big and fresh the index is,
    what changed on disk, and the skipped files.
    """
    found = daypack.status()
    empty = not (found["records"] or found["sources"])
    return found | (
        {"hint": "nothing is indexed yet; `pack` and `search` index this project"} if empty else {}
    )


def _narrow(doors: list[str] | None, source: list[str] | None) -> dict[str, Any]:
    return {name: value for name, value in (("door", doors), ("source", source)) if value}


REMEMBERED = facts("key:t version:t written:b waiting:b")
COUNTED = facts("records:i chunks:i stale_files:i")
RECEIPT = facts("state:t keys:[t]")
PACKED = facts(
    "budget:budget citations:[citation] omitted:o page:i next_page:i? empty_reason pack?:t stale?:i degraded?:[t] anchors_missing?:[t]",
    budget=facts("limit:i tokenizer:t used:i truncated:b"),
    citation=facts("n:i reference:t hash:t ids:[i]"),
)
PLACE = facts("reference:t name:t text:t score:n uri:t start_line:i end_line:i id:i hash:t")
FOUND = facts("answers:[answer]", answer=facts("query:t results:[place]", place=PLACE))
GOT = facts(
    "reference:t uri:t state:t hash:t start_line:i end_line:i page:i pages:i earlier?:[version]",
    version=facts("value version:t recorded_at:t trust:t"),
)

TOOLSET = "core"
MEMORY = {verb.name: verb for verb in memory.VERBS}
VERBS = (
    Verb("pack", TOOLSET, Access.READ, pack, "pack", details=PACKED, looks=True),
    Verb("search", TOOLSET, Access.READ, search, "search", details=FOUND, looks=True),
    Verb("get", TOOLSET, Access.READ, get, "get", details=GOT, looks=True),
    replace(MEMORY["remember"], toolset=TOOLSET, result=REMEMBERED),
    replace(MEMORY["forget"], toolset=TOOLSET, result=RECEIPT),
    Verb("status", TOOLSET, Access.READ, status, "status", COUNTED),
)
