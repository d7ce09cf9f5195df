"""The commands that ask the whole store: `daypack pack` and `search`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

from daypack.surfaces.cli.reading import query_argument, stdin_argument
from daypack.types.modes import PackingName, TokenizerName, VectorModeName
from daypack.verbs.command import BadUsage, Screen, Terminal
from daypack.verbs.table import VECTORS, Choices, Flag, Positional, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from daypack.api import Daypack
    from daypack.types import EmptyReason, Pack


def _doors() -> tuple[str, ...]:
    from daypack.doors.registry import door_names

    return door_names()


Words = Annotated[list[str] | None, Positional(metavar="QUESTION...")]
Questions = Annotated[
    list[str] | None,
    "A question; several are answered in turn.",
    Flag("--query -q", metavar="TEXT", read="query"),
]


class QueryOptions(TypedDict, total=False):
    """Options of every command that searches everything."""

    vectors: Annotated[VectorModeName, VECTORS, Flag(default="auto", setting=True, retired="--lexical=none")]
    kind: Annotated[list[Literal["document", "code", "memory", "event"]], "Only records of this kind."]
    source: Annotated[
        list[str],
        "Only files that match, as 'src/**/*.py' or 'docs/', and labels that contain the text.",
        Flag("--path", metavar="GLOB", retired="--source"),
    ]
    door: Annotated[
        list[str],
        "Search only these doors. [default: all that you may see]",
        Choices(_doors, part="--path"),
        Flag("--in"),
    ]
    history: Annotated[
        list[str],
        'A message before the question, oldest first, for a question that leaves out its subject; "assistant: …" is a reply.',
        Flag(metavar="TEXT", advanced=True),
    ]
    language: Annotated[str, "Only this language or format, as python or markdown.", Flag(metavar="NAME")]
    scope: Annotated[str, "Only records of this scope.", Flag(metavar="NAME")]
    session: Annotated[
        str,
        "Only records of this session, by its name or the beginning of its name; current, or all. [default: all]",
        Flag(metavar="ID"),
    ]
    since: Annotated[
        float,
        "Only records from this moment on: 2026-10-01, 2026-10-01T14:00, yesterday, 3 days ago, last week.",
        Flag(metavar="DATE", read="date"),
    ]
    before: Annotated[float, "Only records before this moment.", Flag(metavar="DATE", read="date")]
    filter: Annotated[
        Any,
        'Only records that match, as \'{"status": "open"}\': documents by their fields, others by kind, uri, tags, metadata and so on.',
        Flag(metavar="JSON", read="filter"),
    ]
    project: Annotated[
        str,
        "Another project of the shared store by its path, or global for all. [default: this one]",
        Flag(metavar="PATH|NAME", only_with="DAYPACK_PROJECT_DIR"),
    ]
    refresh: Annotated[
        bool,
        "Answer from the store, without checking the disk.",
        Flag("--no-refresh", default=True, seed="--refresh=true"),
    ]


def _query_arguments(
    daypack: Daypack, terminal: Terminal, options: QueryOptions
) -> tuple[dict[str, Any], bool]:
    """(the arguments of `Daypack.pack` and `search` without `refresh`, `refresh`). With --vectors all, it makes all vectors."""
    arguments: dict[str, Any] = {**options}
    if arguments["vectors"] == "all":
        with terminal.progress("embedding") as step:
            daypack.embed(progress=step)
    return arguments, arguments.pop("refresh")


def _queries(words: list[str] | None, questions: list[str] | None) -> list[str]:
    """The questions of a command: its words together, and each -q. Raises BadUsage, QueryTooLong."""
    if not words and not questions:
        raise BadUsage("the question is missing")
    return [*([query_argument(" ".join(words))] if words else []), *(questions or ())]


def check_question(arguments: dict[str, Any]) -> None:
    """Replace "-" by standard input, before a store is opened. Raises BadUsage, QueryTooLong."""
    if [*(arguments.get("words") or ())] == ["-"]:
        arguments["words"] = [stdin_argument("-")]
    _queries(arguments.get("words"), arguments.get("questions"))


def _note_on_words(words: list[str] | None) -> tuple[str, ...]:
    """A note for a caller who gave several questions as arguments."""
    several = words is not None and len(words) > 1 and any(" " in word for word in words)
    return ("the arguments were asked as one question; several take -q each",) if several else ()


def _exit_status(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    shown_before = (EmptyReason.NO_SUCH_PAGE, EmptyReason.ALL_SENT)
    return 0 if found or reason in shown_before else 1


def pack(
    daypack: Daypack,
    words: Words = None,
    questions: Questions = None,
    budget: Annotated[
        int,
        "Maximum size of the answer, frame and citations included.",
        Flag("--budget -b", read="tokens", setting=True),
    ] = 4000,
    tokenizer: Annotated[TokenizerName, "The tokenizer of the budget.", Flag(setting=True)] = "o200k",
    packing: Annotated[
        PackingName,
        "auto: best value; skip: rank order, skip items that do not fit; prefix: rank order, stop "
        "at the first that does not fit.",
        Flag(setting=True),
    ] = "auto",
    shape: Annotated[
        Literal["markdown", "xml", "json", "explain"], "The shape of the answer.", Flag("--format -f")
    ] = "markdown",
    page: Annotated[int, "The next page holds the items that did not fit this one.", Range(1, 50)] = 1,
    after: Annotated[
        str | None,
        "The ID of an earlier pack: only new text is packed, with a line on changes since. '' begins a conversation.",
        Flag(metavar="ID"),
    ] = None,
    task: Annotated[
        Literal["trace", "impact", "tests", "uses"] | None,
        "For a step of work on code: the question is a stack trace, a diff or a name.",
        Flag("--for", advanced=True),
    ] = None,
    as_json: Annotated[bool, "The same as --format json.", Flag("--json")] = False,
    explain: Annotated[bool, "The same as --format explain: the reason why each item is in or out."] = False,
    *,
    terminal: Terminal,
    **options: Unpack[QueryOptions],
) -> Screen:
    """Pack what answers a question, with citations, in a token budget.

    Words without quotes are one question, and - reads it from standard input. Several questions, each with -q, share the budget. In a project without a store, the project is indexed first.
    """
    from daypack.shapes.wording import headings_within

    shown = "json" if as_json else "explain" if explain else shape
    queries = _queries(words, questions)
    arguments, refresh = _query_arguments(daypack, terminal, options)
    headings, room = headings_within(queries if shown in ("markdown", "explain") else (), budget, tokenizer)
    share = max(0, room - (len(queries) - 1)) // len(queries)  # a blank line separates packs
    arguments |= {"budget": share, "tokenizer": tokenizer, "packing": packing, "shape": shown}
    packs: list[Pack] = []
    for query in queries:
        result = daypack.pack(
            query, page=page, after=after, refresh=refresh and not packs, task=task, **arguments
        )
        packs.append(result)
        if after is not None:  # the questions of a command are one conversation
            after = result.id or after
    reasons = (_no_room(one.empty_reason, share, tokenizer) for one in packs if not (one.text or one.least))
    return _packs_screen(packs, headings, shown, (*_note_on_words(words), *reasons))


def _packs_screen(
    packs: Sequence[Pack], headings: Sequence[str], shown: str, notes: tuple[str, ...]
) -> Screen:
    """The screen with all packs; in Markdown each has its heading, and its remarks are notes."""
    from daypack.shapes.wording import no_room_sentence, text_and_remarks

    status = min(_exit_status(pack.empty_reason, bool(pack.excerpts)) for pack in packs)
    asides = tuple(map(summary_of, packs))
    if shown != "markdown":
        notes += tuple(no_room_sentence(pack) for pack in packs if pack.least)
        return Screen("".join(pack.text for pack in packs), status, notes, asides=asides)
    texts, remarks = zip(*map(text_and_remarks, packs), strict=True)
    notes += tuple(dict.fromkeys(remark for of_pack in remarks for remark in of_pack))
    text = "\n".join(f"{heading}{body}" for heading, body in zip(headings, texts, strict=True))
    return Screen(text, status, notes, asides=asides, paint="pack")


def _no_room(reason: EmptyReason | None, budget: int, tokenizer: str) -> str:
    """The note on an answer without text, whose budget has no room even for a sentence."""
    from daypack.shapes.wording import empty_sentence
    from daypack.types import EmptyReason

    if reason in (None, EmptyReason.BUDGET_TOO_SMALL):
        return f"nothing fits a budget of {budget:,} {tokenizer} tokens; ask with a larger --budget"
    return empty_sentence(reason)


def summary_of(pack: Pack) -> str:
    """The line under a pack on a terminal: its size, and how to go on."""
    from daypack.shapes.wording import counted

    budget = pack.budget
    parts = [
        f"{pack.tokens_used:,} of {budget.limit:,} {budget.tokenizer.unit}",
        counted(len(pack.excerpts), "excerpt"),
    ]
    if pack.next_page:
        parts.append(f"--page {pack.next_page} shows the items that did not fit")
    if pack.id:
        parts.append(f"--after {pack.id} leaves out these")
    return " · ".join(parts)


def search(
    daypack: Daypack,
    words: Words = None,
    questions: Questions = None,
    limit: Annotated[int, "Results for each question.", Range(0, 1000), Flag("--limit -n")] = 10,
    sort: Annotated[
        Literal["relevance", "timeline"], "Best first, or in the order of time, across sessions."
    ] = "relevance",
    ranking: Annotated[
        Literal["default", "ctx"], "ctx: stems and parts of words fused by rank, and proximity; no vectors."
    ] = "default",
    budget: Annotated[
        int | None,
        "Maximum o200k tokens of all answers together; the lowest results are dropped first.",
        Flag("--budget -b", read="tokens"),
    ] = None,
    content: Annotated[
        Literal["code", "prose"] | None, "Only code, or only prose.", Flag("--content-type", advanced=True)
    ] = None,
    by_file: Annotated[
        bool, "Files instead of parts of files, each with its best part.", Flag("--files")
    ] = False,
    explain: Annotated[bool, "The share of each signal in each score."] = False,
    as_json: Annotated[bool, "One JSON object a query.", Flag("--json")] = False,
    *,
    terminal: Terminal,
    **options: Unpack[QueryOptions],
) -> Screen:
    """List what answers a question, best first.

    Words without quotes are one question, and - reads it from standard input; several are asked with -q each.
    """
    from daypack.shapes import answers

    queries = _queries(words, questions)
    arguments, refresh = _query_arguments(daypack, terminal, options)
    arguments |= {"limit": limit, "sort": sort, "content": content, "ranking": ranking, "trim": True}
    results = [
        daypack.search(query, refresh=refresh and number == 0, **arguments)
        for number, query in enumerate(queries)
    ]

    remarks: dict[str, list[str]] = {}  # of each page that was tried

    def page(count: int) -> str:
        shown = [answers.cut(result, count) for result in results] if budget is not None else results
        if as_json:
            return "".join(f"{json.dumps(answers.search_to_dict(result))}\n" for result in shown)
        text = "".join(
            answers.listing(result, heading=len(queries) > 1, explain=explain, by_file=by_file, remarks=False)
            for result in shown
        )
        remarks[text] = [remark for result in shown for remark in answers.remarks_on(result)]
        return text

    text = page(limit) if budget is None else daypack.fit_to_budget(budget, limit, page)
    notes = () if text or budget is None else (_no_room(results[0].empty_reason, budget, "o200k"),)
    hints = (*_note_on_words(words), *dict.fromkeys(remarks.get(text, ())))
    if limit == 0:
        return Screen(
            "" if not as_json else text, 1, notes=("--limit 0 asks for no results; give at least 1",)
        )
    if text and any(result.candidates for result in results):
        return Screen(text, notes=notes, hints=hints, paint="results")
    status = max(_exit_status(result.empty_reason, False) for result in results)
    return Screen(text, status, notes=notes, hints=hints)
