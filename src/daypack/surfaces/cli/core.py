"""The commands for the whole store: `daypack pack`, `search`, `get`, `status`, `doctor`, `reindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

from daypack.verbs.command import BadUsage, Command, Screen, Terminal
from daypack.verbs.table import VECTORS, Flag, Positional, Range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from daypack.api import Daypack
    from daypack.types import EmptyReason, Found, IngestReport, Pack


def _filter(text: str) -> Any:
    from daypack.shapes.strict_json import read_json
    from daypack.surfaces.cli.reading import text_argument

    return read_json(text_argument(text), what="--filter")


def _doors() -> tuple[str, ...]:
    from daypack.doors.registry import door_names

    return door_names()


Words = Annotated[list[str] | None, Positional(metavar="QUESTION...")]
Questions = Annotated[
    list[str] | None,
    "A question; several are answered in turn.",
    Flag("--query -q", metavar="TEXT", read="query"),
]
Vectors = Literal["auto", "all", "none"]


class QueryOptions(TypedDict, total=False):
    """Options of every command that searches everything."""

    vectors: Annotated[Vectors, VECTORS, Flag(default="auto", setting=True, retired="--lexical=none")]
    kind: Annotated[list[Literal["document", "code", "memory", "event"]], "Only records of this kind."]
    source: Annotated[
        list[str],
        "Only files that match, as 'src/**/*.py' or 'docs/', and labels that contain the text.",
        Flag("--path", metavar="GLOB", retired="--source"),
    ]
    door: Annotated[
        list[str], "Search only these stores. [default: all that you may see]", Flag("--in", choices=_doors())
    ]
    language: Annotated[str, "Only this language or format, as python or markdown.", Flag(metavar="NAME")]
    scope: Annotated[str, "Only records of this scope.", Flag(metavar="NAME")]
    session: Annotated[
        str,
        "Only records of this session, by its name or the beginning of its name; current, or all. "
        "[default: of sessions the current one]",
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
        Flag(metavar="JSON", read=_filter),
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


def _asking(daypack: Daypack, terminal: Terminal, options: QueryOptions) -> dict[str, Any]:
    """Options in the form that `Daypack.pack` and `search` take; with --vectors all, all vectors are made
    first.
    """
    given: dict[str, Any] = {**options}
    if given["vectors"] == "all":
        with terminal.progress("embedding") as step:
            daypack.embed(progress=step)
    return given


def _asked(arguments: dict[str, Any]) -> list[str]:
    """The questions of a command: its words are one, each -q is another. Raises BadUsage, QueryTooLong."""
    from daypack.surfaces.cli.reading import query_argument

    words, questions = arguments.get("words") or (), arguments.get("questions") or ()
    if not words and not questions:
        raise BadUsage("the question is missing")
    return [*([query_argument(" ".join(words))] if words else []), *questions]


def _check_question(arguments: dict[str, Any]) -> None:
    _asked(arguments)


def _one_question(words: list[str] | None) -> tuple[str, ...]:
    """A note for those who give several questions as arguments."""
    several = words is not None and len(words) > 1 and any(" " in word for word in words)
    return ("the arguments were asked as one question; several take -q each",) if several else ()


def _status(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    return 0 if found or reason in (EmptyReason.EMPTY_QUERY, EmptyReason.BUDGET_TOO_SMALL) else 1


# ---------------------------------------------------------------- pack


def pack(
    daypack: Daypack,
    words: Words = None,
    questions: Questions = None,
    budget: Annotated[
        int,
        "Maximum size of the answer, frame and citations included.",
        Flag("--budget -b", read="tokens", setting=True),
    ] = 4000,
    tokenizer: Annotated[
        Literal["o200k", "cl100k", "approx", "chars", "bytes"],
        "The tokenizer of the budget.",
        Flag(setting=True),
    ] = "o200k",
    packing: Annotated[
        Literal["auto", "skip", "prefix"],
        "auto: best value; skip: rank order, skip items that do not fit; prefix: rank order, stop "
        "at the first that does not fit.",
        Flag(setting=True),
    ] = "auto",
    shape: Annotated[
        Literal["markdown", "xml", "json", "explain"], "The shape of the answer.", Flag("--format -f")
    ] = "markdown",
    page: Annotated[int, "The next page holds the items that did not fit this one.", Range(1, 50)] = 1,
    as_json: Annotated[bool, "The same as --format json.", Flag("--json")] = False,
    explain: Annotated[bool, "The same as --format explain: the reason why each item is in or out."] = False,
    *,
    terminal: Terminal,
    **options: Unpack[QueryOptions],
) -> Screen:
    """Pack what answers a question, with citations, in a token budget.

    Words without quotes are one question. Several questions, each with -q, share the budget. In a project without a store, the project is indexed first.
    """
    shown = "json" if as_json else "explain" if explain else shape
    # The table explains a pack; it is longer than the pack, and would not fit the same budget.
    packed = "markdown" if shown == "explain" else shown
    asked = _asked({"words": words, "questions": questions})
    asking = _asking(daypack, terminal, options)
    look = asking.pop("refresh")
    from daypack.shapes.wording import headed, parted

    headings, room = headed(asked if packed == "markdown" else (), budget, tokenizer)
    share = max(0, room - (len(asked) - 1)) // len(asked)  # a blank line stands between packs
    answers = [
        daypack.pack(
            question,
            budget=share,
            tokenizer=tokenizer,
            packing=packing,
            shape=packed,
            page=page,
            refresh=look and not number,
            **asking,
        )
        for number, question in enumerate(asked)
    ]
    status = min(_status(answer.empty_reason, bool(answer.excerpts)) for answer in answers)
    asides = tuple(map(_summary, answers))
    why = tuple(_no_room(one.empty_reason, share, tokenizer) for one in answers if not one.to(shown))
    notes = (*_one_question(words), *why)
    if shown != "markdown":
        return Screen("".join(answer.to(shown) for answer in answers), status, notes, asides=asides)
    texts, remarks = zip(*map(parted, answers), strict=True)
    notes += tuple(dict.fromkeys(remark for found in remarks for remark in found))
    text = "\n".join(f"{heading}{found}" for heading, found in zip(headings, texts, strict=True))
    return Screen(text, status, notes, asides=asides, paint="pack")


def _no_room(reason: EmptyReason | None, budget: int, tokenizer: str) -> str:
    """The reason for an empty answer: the budget has no room even for a sentence that says so."""
    from daypack.shapes.wording import empty_sentence
    from daypack.types import EmptyReason

    if reason in (None, EmptyReason.BUDGET_TOO_SMALL):
        return f"nothing fits a budget of {budget:,} {tokenizer} tokens; ask with a larger --budget"
    return empty_sentence(reason)


def _summary(answer: Pack) -> str:
    stats = answer.stats
    parts = [
        f"{answer.tokens_used:,} of {answer.budget.limit:,} {answer.budget.tokenizer.value} tokens",
        f"{len(answer.excerpts)} excerpts",
    ]
    if answer.next_page:
        parts.append(f"--page {answer.next_page} shows the items that did not fit")
    if stats.stale:
        parts.append(f"{stats.stale:,} files changed since they were indexed (`daypack add` re-reads them)")
    return " · ".join(parts)


# ---------------------------------------------------------------- search


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
        "Maximum o200k tokens of all answers together; the last results go first.",
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

    Words without quotes are one question; several are asked with -q each.
    """
    import json

    from daypack.shapes import answers

    queries = _asked({"words": words, "questions": questions})
    asking = _asking(daypack, terminal, options)
    look = asking.pop("refresh")
    results = [
        daypack.search(
            query,
            limit=limit,
            refresh=look and not number,
            sort=sort,
            content=content,
            ranking=ranking,
            **asking,
        )
        for number, query in enumerate(queries)
    ]

    remarks: dict[str, list[str]] = {}  # of each page that was tried

    def page(count: int) -> str:
        shown = [answers.cut(result, count) for result in results] if budget is not None else results
        if as_json:
            return "".join(f"{json.dumps(answers.of_search(result))}\n" for result in shown)
        text = "".join(
            answers.listing(result, heading=len(queries) > 1, explain=explain, by_file=by_file, remarks=False)
            for result in shown
        )
        remarks[text] = [remark for result in shown for remark in answers.remarks_on(result)]
        return text

    text = page(limit) if budget is None else daypack.fit_to_budget(budget, limit, page)
    why = () if text or budget is None else (_no_room(results[0].empty_reason, budget, "o200k"),)
    hints = (*_one_question(words), *dict.fromkeys(remarks.get(text, ())))
    if limit == 0 or any(result.candidates for result in results):
        return Screen(text, notes=why, hints=hints, paint="results")
    status = max(_status(result.empty_reason, False) for result in results)
    return Screen(text, status, notes=why, hints=hints)


# ---------------------------------------------------------------- get


def get(daypack: Daypack, reference: Annotated[str, Positional()]) -> Found:
    """Show the exact text behind a citation, a path or path:12-40."""
    return daypack.get(reference)


def found_screen(found: Found) -> Screen:
    stale = "the file changed since it was cited; this is the text that was indexed"
    text = found.text if found.text.endswith("\n") else found.text + "\n"
    return Screen(text, notes=(stale,) if found.state != "current" else ())


def found_data(found: Found) -> dict[str, Any]:
    from daypack.shapes import answers

    return answers.of_found(found)


# ---------------------------------------------------------------- status


def status(
    daypack: Daypack,
    file: Annotated[str | None, Positional(metavar="[FILE]", read="path")] = None,
    why: Annotated[
        str | None,
        "Explain why this file is, or is not, in the store.",
        Flag(metavar="FILE", read="path", instead="`daypack status FILE`"),
    ] = None,
) -> dict[str, Any]:
    """Show the content of the store, its freshness, and the skipped files.

    With FILE: why this file is in the store, or is not.
    """
    why = file or why
    if why is None:
        return daypack.status()
    issue = daypack.files.why(why)
    stored = issue is None and bool(daypack.engine.store.find_records(daypack.files.name_of(why)))
    return {
        "path": why,
        "indexed": stored,
        "reason": issue.reason.value if issue else None,
        "detail": issue.detail if issue else "",
    }


def status_screen(facts: dict[str, Any]) -> Screen:
    return _why_screen(facts) if "path" in facts else Screen(_status_text(facts))


def _why_screen(facts: dict[str, Any]) -> Screen:
    path, reason, detail = facts["path"], facts["reason"], facts["detail"]
    if facts["indexed"]:
        return Screen(f"{path} is indexed\n")
    if reason is not None:
        why = f"{reason.replace('_', ' ')}{': ' + detail if detail else ''}"
        return Screen(f"{path} is not indexed: {why}\n", 1)
    return Screen(f"{path} is not indexed yet; to index it, run `daypack add {path}`\n", 1)


def _status_text(facts: dict[str, Any]) -> str:
    from datetime import UTC, datetime

    from daypack.guard.fences import one_line
    from daypack.shapes.weights import described

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in facts["kinds"].items()) or "nothing yet"
    languages = ", ".join(f"{name or 'unknown'} {count:,}" for name, count in facts["languages"].items())
    lines = [
        f"store      {facts['store']}  ({facts['bytes'] / 1e6:,.1f} MB)",
        f"sources    {', '.join(facts['sources']) or 'none: run `daypack add .`'}",
        f"records    {facts['records']:,}  ({kinds})",
        f"languages  {languages or 'none'}",
        f"chunks     {facts['chunks']:,}",
        f"vectors    by {facts['embedder'] or 'a model that cannot be used; see --vectors none'}",
        *_vector_lines(facts["vectors"]),
        f"freshness  {'every file is as indexed' if not facts['stale_files'] else str(facts['stale_files']) + ' files changed since; the next query re-reads them'}",
    ]
    if fitted := facts["fitted"]:
        day = datetime.fromtimestamp(fitted["created"], UTC).date()
        lines.append(
            f"weights    {described(fitted['weights'])}, fitted on {one_line(fitted['suite'], 48)}, {day}, for answers by "
            + (f"{fitted['embedder']} and words" if fitted["embedder"] else "words alone")
        )
    if facts["skipped"]:
        skipped = (f"{count:,} {reason.replace('_', ' ')}" for reason, count in facts["skipped"].items())
        lines.append("passed over " + ", ".join(skipped))
    return "\n".join(lines) + "\n"


def _vector_lines(entries: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each door."""
    for door in dict.fromkeys(entry["door"] for entry in entries):
        places = [entry for entry in entries if entry["door"] == door]
        chunks, encoded = (sum(place[name] for place in places) for name in ("chunks", "encoded"))
        state = max((place["state"] for place in places), key=("complete", "instant", "partial").index)
        by_model = "" if state == "complete" else f", {encoded:,} of {chunks:,} by the model"
        if by_model and encoded == chunks:
            by_model += ", whose vectors rank from the next text on"
        yield f"  {door:<9}{state}{by_model}"


# ---------------------------------------------------------------- doctor, reindex

Checks = list[tuple[str, str, str]]


def doctor(
    daypack: Daypack, deep: Annotated[bool, "Also compare every stored text with its hash."] = False
) -> Checks:
    """Check the environment and the store; exit status 1 reports damage."""
    return [(check.name, check.verdict.value, check.detail) for check in daypack.doctor(deep=deep)]


def _damaged(error: Exception, _arguments: dict[str, Any]) -> Checks:
    """The check of a store whose list of tables is damaged, so that it cannot be opened."""
    from daypack.errors import StoreDamaged

    if not isinstance(error, StoreDamaged):
        raise error
    mend = f"restore a copy, or remove {error.path} and add again"
    return [("opening", "damage", f"{error.path} cannot be opened ({error.detail}): {mend}")]


def checks_screen(checks: Checks) -> Screen:
    lines = (f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks)
    damaged = any(verdict == "damage" for _, verdict, _ in checks)
    return Screen("".join(lines), 1 if damaged else 0, paint="checks")


def checks_data(checks: Checks) -> list[dict[str, str]]:
    return [{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks]


def reindex(daypack: Daypack) -> IngestReport:
    """Rebuild everything that derives from the stored texts. Vectors of equal text are kept."""
    return daypack.reindex()


def rebuilt_text(report: IngestReport) -> str:
    return f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n"


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return facts


COMMANDS = (
    Command(pack, at="pack", opens="indexed", check=_check_question),
    Command(search, at="search", opens="indexed", check=_check_question),
    Command(get, found_screen, "get", found_data),
    Command(status, status_screen, "status", _plain),
    Command(doctor, checks_screen, "doctor", checks_data, rescue=_damaged),
    Command(reindex, rebuilt_text, "reindex"),
)
