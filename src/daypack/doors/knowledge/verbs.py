"""The verbs of the knowledge base, under the names that agents know from context-mode.

The output of commands and the text of pages are always shown as untrusted.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.knowledge import pages, rules, serialize
from daypack.errors import InputError
from daypack.shapes.plain import pick
from daypack.verbs.results import ISSUE, facts
from daypack.verbs.table import MOST_QUESTIONS, Access, Answer, AtMost, Named, Range, Reach, Shaped, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from daypack.api import Daypack
    from daypack.doors.knowledge.types import CommandOutput
    from daypack.types import Pack, SearchResult

ANY_OBJECT = {"type": "object"}
MOST_COMMANDS = 20
MOST_REQUESTS = 50
_TEXT = {"type": "string"}


def _listed_objects(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": [required]}}


_COMMANDS = _listed_objects("command", label=_TEXT, command={"type": "array", "items": _TEXT})
_REQUESTS = _listed_objects("url", url=_TEXT, source=_TEXT)


def ctx_search(
    daypack: Daypack,
    queries: Annotated[
        list[str] | None, "Every related question in one call.", AtMost(MOST_QUESTIONS)
    ] = None,
    query: Annotated[str, "One question, instead of queries."] = "",
    limit: Annotated[int, "Results for each query.", Range(1, 100)] = 3,
    sort: Annotated[
        Literal["relevance", "timeline"], "timeline: in the order of time, across sessions and memories."
    ] = "relevance",
    source: Annotated[str, "Only labels that contain this, or files that match."] = "",
    content: Annotated[
        Literal["code", "prose"] | None, "Only this kind of text; by default both.", Named("contentType")
    ] = None,
    session: Annotated[str, "current, all, or a session."] = "",
    ranking: Annotated[
        Literal["default", "ctx"], "ctx: word stems and parts of words fused by rank, without meaning."
    ] = "default",
    project: Annotated[
        str | None, "Without it this project; global, or the absolute path of another."
    ] = None,
) -> Answer:
    """Search what this session has already stored, read or run, and everything indexed. Ask before reading a
    file or running a command again.
    """
    questions = [*(queries or []), *([query] if query else [])]
    if not questions:
        raise InputError('ctx_search needs queries, as ["what did we decide about retries?"]')
    narrow: dict[str, Any] = {"source": source} if source else {}
    if session:
        narrow["session"] = session

    def found_by(way: Literal["default", "ctx"], question: str, *, refresh: bool | None) -> SearchResult:
        return daypack.search(
            question,
            limit=limit,
            sort=sort,
            content=content,
            ranking=way,
            trim=True,
            other_sessions=False,
            project=project,
            refresh=refresh,
            **narrow,
        )

    results = []
    for number, text in enumerate(questions):
        hits = found_by(ranking, text, refresh=None if number == 0 else False)
        if not hits.candidates and ranking == "default":
            hits = rules.holding_words(found_by("ctx", text, refresh=False)) or hits
        results.append(hits)
    return Answer(
        pages.answers_text(results), {"answers": [serialize.search_to_dict(result) for result in results]}
    )


def ctx_stats(
    daypack: Daypack, source: Annotated[str, "Only labels that contain this."] = ""
) -> dict[str, Any]:
    """Inventory of the labelled sources and the stored sessions, with their age and freshness."""
    daypack.knowledge.try_refresh()
    return {
        "sources": [serialize.label_to_dict(label) for label in daypack.knowledge.labels(source)],
        "sessions": daypack.sessions.sessions_as_data(),
        "store": daypack.status(),
    }


def ctx_index(
    daypack: Daypack,
    source: Annotated[str, "The label; a previous text under it is replaced."],
    content: Annotated[str, "The text."] = "",
    path: Annotated[str, "A file or folder of the project, instead of content.", Reach.DISK] = "",
) -> dict[str, Any]:
    """Index a text, a file or a folder as a source under a label, so that search finds it."""
    if bool(content) == bool(path):
        raise InputError("ctx_index needs content or a path, one of them")
    if path:
        from daypack.guard.paths import contained

        update = daypack.knowledge.add_path(contained(daypack.root, path), label=source)
        return serialize.update_to_dict(update)
    return serialize.update_to_dict(daypack.knowledge.add_text(source, content))


def ctx_fetch_and_index(
    daypack: Daypack,
    url: Annotated[str, "An https:// address."] = "",
    source: Annotated[str, "The label; by default the address."] = "",
    requests: Annotated[Any, "Several at once, each with its label.", Shaped(_REQUESTS)] = None,
    concurrency: Annotated[int, "Number of simultaneous fetches.", Range(1, 8)] = 4,
    force: Annotated[bool, "Fetch although it was fetched within a day."] = False,
) -> dict[str, Any]:
    """Download (fetch) web pages from a URL (https://) and make them searchable, each as a source. Off unless
    the server runs with DAYPACK_WEB=1.
    """
    if not daypack.engine.settings.web:
        raise InputError("fetching pages is off; the operator of this server can allow it with DAYPACK_WEB=1")
    if bool(url) == (requests is not None):
        raise InputError("ctx_fetch_and_index needs url or requests, one of them")
    if url:
        return serialize.update_to_dict(daypack.knowledge.add_page(url, label=source, force=force))
    addresses = _requests(requests)
    updates = daypack.knowledge.add_pages(addresses, force=force, concurrency=concurrency)
    return {
        "pages": [
            {"url": address, "error": str(update)}
            if isinstance(update, InputError)
            else {"url": address, **serialize.update_to_dict(update)}
            for (address, _), update in zip(addresses, updates, strict=True)
        ]
    }


def _listed(value: Any, what: str, most: int) -> list[Any]:
    """The given list, or one from JSON in a string, or of a single item. Raises InputError."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = [value]
    items = value if isinstance(value, list) else [value]
    if not 1 <= len(items) <= most:
        raise InputError(f"{what} must be a list of 1 to {most}")
    return items


def _requests(value: Any) -> list[tuple[str, str]]:
    """(address, label) of each request. Raises InputError."""
    pairs = []
    for item in _listed(value, "requests", MOST_REQUESTS):
        url, source = (item.get("url"), item.get("source", "")) if isinstance(item, dict) else (item, "")
        if not isinstance(url, str) or not isinstance(source, str) or not url:
            raise InputError('a request must be {"url": ADDRESS, "source": LABEL}')
        pairs.append((url, source))
    return pairs


def failures(daypack: Daypack, output: CommandOutput, answers: Sequence[Pack], *, budget: int) -> list[Pack]:
    """Packs of the failing lines of a command whose output answers no question, unless its last lines show all of its output."""
    if rules.any_answers(answers):
        return []
    packs = daypack.knowledge.answers(output, rules.unasked(output), budget=min(budget, rules.FAILURE_TOKENS))
    return [pack for pack in packs if rules.shows_failure(pack)]


def ctx_batch_execute(
    daypack: Daypack,
    commands: Annotated[
        Any,
        'As [{"label": "tests", "command": ["pytest", "-q"]}]: lists of words, which no shell reads.',
        Shaped(_COMMANDS),
    ],
    queries: Annotated[
        list[str] | None, "Show only the parts that answer these.", AtMost(MOST_QUESTIONS)
    ] = None,
    budget: Annotated[int, "Maximum o200k tokens shown for each command.", Range(0, 20_000)] = 500,
    timeout: Annotated[float, "Seconds for each command.", Range(0.1, 3600)] = 120.0,
) -> Answer:
    """Run (execute) commands in the project's folder, keep their full output as sources, and show only the
    parts that answer the queries, such as failures.
    """
    texts, details = [], []
    for label, arguments in _commands(commands):
        daypack.engine.stopping.check()
        output = daypack.knowledge.run(arguments, label=label, seconds=timeout, folder=daypack.root)
        packs = daypack.knowledge.answers(output, queries or [], budget=budget)
        failing = failures(daypack, output, packs, budget=budget)
        texts.append(pages.output_text(output, packs, failing))
        details.append(serialize.output_to_dict(output))
    return Answer("\n".join(texts), {"outputs": details})


def _commands(value: Any) -> list[tuple[str, list[str]]]:
    """(label, arguments) of each command. Raises InputError."""
    pairs = []
    for item in _listed(value, "commands", MOST_COMMANDS):
        label, command = (
            (item.get("label", ""), item.get("command")) if isinstance(item, dict) else ("", item)
        )
        if isinstance(command, str):
            try:
                command = shlex.split(command)
            except ValueError as error:
                raise InputError(
                    f"a command cannot be split into words ({error}); write it as a list"
                ) from None
        is_list = isinstance(command, list) and all(isinstance(word, str) for word in command)
        if not command or not is_list or not isinstance(label, str):
            raise InputError('a command must be {"label": TEXT, "command": LIST OF WORDS}')
        pairs.append((label, command))
    return pairs


def ctx_purge(
    daypack: Daypack,
    confirm: Annotated[bool, "Must be true: purged data is gone for good."],
    session: Annotated[str, "This session.", Named("sessionId")] = "",
    scope: Annotated[Literal["project"] | None, "Every session of the project."] = None,
    source: Annotated[str, "The source under this label."] = "",
) -> dict[str, Any]:
    """Delete everything stored from a session, from all sessions of the project, or of one labelled source."""
    if not confirm:
        raise InputError("nothing was purged: confirm must be true")
    if sum((bool(session), scope is not None, bool(source))) != 1:
        raise InputError("ctx_purge needs sessionId, scope or source, one of them")
    if source:
        return {"texts": daypack.knowledge.remove(source)}
    receipt = daypack.sessions.purge(session=session, everything=scope is not None)
    return pick(receipt, "sessions events log_emptied may_still_hold")


STATS = facts(
    "sources:[label] sessions:[session] store:o",
    label=facts("label:t kind:t origin:t added:t checked:t bytes:i texts:i state:t"),
    session=facts("session:t short:t client:t folder:t started:t last:t events:i evicted:i request"),
)
TOOLSET = "knowledge"
VERBS: tuple[Verb, ...] = (
    Verb("ctx_search", TOOLSET, Access.READ, ctx_search, "search", looks=True, shared_only=("project",)),
    Verb("ctx_stats", TOOLSET, Access.READ, ctx_stats, "label list", STATS),
    Verb(
        "ctx_index",
        TOOLSET,
        Access.WRITE,
        ctx_index,
        "add",
        facts(
            "label? uri? replaced?:b changed?:b added?:i updated?:i unchanged?:i removed?:i chunks?:i issues?:[issue]",
            issue=ISSUE,
        ),
    ),
    Verb("ctx_fetch_and_index", TOOLSET, Access.WRITE, ctx_fetch_and_index, "add", ANY_OBJECT, fetches=True),
    Verb(
        "ctx_batch_execute",
        TOOLSET,
        Access.DANGEROUS,
        ctx_batch_execute,
        "run",
        idempotent=False,
        destructive=True,
        fetches=True,
    ),
    Verb(
        "ctx_purge",
        TOOLSET,
        Access.DANGEROUS,
        ctx_purge,
        "session purge",
        facts("texts?:i sessions?:i events?:i"),
        destructive=True,
    ),
)
