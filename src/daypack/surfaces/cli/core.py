"""The commands for everything that is stored: `daypack pack`, `search`, `get`, `status`, `doctor`, `reindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

from daypack.verbs.command import Command, Screen, Terminal
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import EmptyReason, Found, IngestReport, Pack


def _filter(text: str) -> Any:
    from daypack.shapes.strict_json import read_json
    from daypack.surfaces.cli.reading import text_argument

    return read_json(text_argument(text), what="--filter")


def _doors() -> tuple[str, ...]:
    from daypack.doors.registry import door_names

    return door_names()


Query = Annotated[str, Positional(read="query")]
Vectors = Literal["lazy", "all", "none"]


class QueryOptions(TypedDict, total=False):
    """Options of every command that searches everything."""

    vectors: Annotated[
        Vectors,
        "Which vectors to wait for: those of the best word matches, all, or none.",
        Flag(default="lazy", setting=True),
    ]
    lexical: Annotated[bool, "The same as --vectors none: words only, no model is loaded."]
    kind: Annotated[list[Literal["document", "code", "memory", "event"]], "Only records of this kind."]
    source: Annotated[
        list[str],
        "Only files that match, as 'src/**/*.py' or 'docs/', and labels that hold it.",
        Flag(metavar="GLOB"),
    ]
    door: Annotated[
        list[str], "Search only these stores. [default: all that you may see]", Flag("--in", choices=_doors())
    ]
    language: Annotated[str, "Only this language or format, as python or markdown.", Flag(metavar="NAME")]
    scope: Annotated[str, "Only records of this scope.", Flag(metavar="NAME")]
    session: Annotated[
        str,
        "Only records of this session, by its name or the begin of it; current, or all. [default: of sessions the current one]",
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
        'Only what passes, as \'{"status": "open"}\': documents by their fields, the rest by kind, uri, tags, metadata and so on.',
        Flag(metavar="JSON", read=_filter),
    ]
    project: Annotated[
        str,
        "Another project of the shared store by its path, or global for all. [default: this one]",
        Flag(metavar="PATH", only_with="DAYPACK_PROJECT_DIR"),
    ]
    refresh: Annotated[
        bool,
        "Look at the disk first, or answer from what is stored.",
        Flag("--refresh/--no-refresh", default=True),
    ]


def _asking(daypack: Daypack, terminal: Terminal, options: QueryOptions) -> dict[str, Any]:
    """Options as `Daypack.pack` and `search` take them; with --vectors all, all vectors are made first."""
    given: dict[str, Any] = {**options}
    lexical = given.pop("lexical", False)
    if given["vectors"] == "all":
        with terminal.progress("embedding") as step:
            daypack.embed(progress=step)
    return {**given, "vectors": "none"} if lexical else given


def _status(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    return 0 if found or reason in (EmptyReason.EMPTY_QUERY, EmptyReason.BUDGET_TOO_SMALL) else 1


# ---------------------------------------------------------------- pack


def pack(
    daypack: Daypack,
    query: Query,
    budget: Annotated[
        int,
        "The most the answer may count, frame and citations included.",
        Flag("--budget -b", read="tokens", setting=True),
    ] = 4000,
    tokenizer: Annotated[
        Literal["o200k", "cl100k", "approx", "chars", "bytes"],
        "What the budget is counted in.",
        Flag(setting=True),
    ] = "o200k",
    packing: Annotated[
        Literal["auto", "skip", "prefix"],
        "auto: best value; skip: rank order, pass over what does not fit; prefix: stop there.",
        Flag(setting=True),
    ] = "auto",
    shape: Annotated[
        Literal["markdown", "xml", "json", "explain"], "The shape of the answer.", Flag("--format -f")
    ] = "markdown",
    page: Annotated[int, "The next page holds what this one had no room for.", Range(1, 50)] = 1,
    as_json: Annotated[bool, "The same as --format json.", Flag("--json")] = False,
    explain: Annotated[bool, "The same as --format explain: why each item is in or out."] = False,
    *,
    terminal: Terminal,
    **options: Unpack[QueryOptions],
) -> Screen:
    """One cited pack for QUERY from everything in the store, within an exact budget.

    In a project without a store, the project is indexed first.
    """
    shown = "json" if as_json else "explain" if explain else shape
    # The table explains a pack; it is longer than one, and held to the budget itself it would have no room
    # for any.
    packed = "markdown" if shown == "explain" else shown
    answer = daypack.pack(
        query,
        budget=budget,
        tokenizer=tokenizer,
        packing=packing,
        shape=packed,
        page=page,
        **_asking(daypack, terminal, options),
    )
    status = _status(answer.empty_reason, bool(answer.excerpts))
    text = answer.to(shown)
    why = () if text else (_no_room(answer.empty_reason, budget, tokenizer),)
    return Screen(text, status, notes=why, asides=(_summary(answer),))


def _no_room(reason: EmptyReason | None, budget: int, tokenizer: str) -> str:
    """Why the answer is the empty text: the budget has no room even for a sentence that says so."""
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
        parts.append(f"--page {answer.next_page} shows what had no room")
    if stats.vectors_missing:
        parts.append(
            f"{stats.vectors_missing:,} of {stats.chunks:,} chunks have no vector yet (`daypack add --embed` makes them)"
        )
    if stats.stale:
        parts.append(f"{stats.stale:,} files changed since they were indexed (`daypack add` re-reads them)")
    return " · ".join(parts)


# ---------------------------------------------------------------- search


def search(
    daypack: Daypack,
    queries: Annotated[list[str], Positional(metavar="QUERY...", read="query")],
    limit: Annotated[int, "Results for each query.", Range(0, 1000), Flag("--limit -n")] = 10,
    sort: Annotated[
        Literal["relevance", "timeline"], "Best first, or as it happened, across sessions."
    ] = "relevance",
    ranking: Annotated[
        Literal["default", "ctx"], "ctx: stems and parts of words fused by rank, and proximity; no vectors."
    ] = "default",
    budget: Annotated[
        int | None,
        "The most o200k tokens that all answers may count together; the last results go first.",
        Flag("--budget -b", read="tokens"),
    ] = None,
    content: Annotated[
        Literal["code", "prose"] | None, "Only code, or only prose.", Flag("--content-type")
    ] = None,
    by_file: Annotated[
        bool, "Files instead of parts of files, each with its best part.", Flag("--files")
    ] = False,
    explain: Annotated[bool, "What each signal added to each score."] = False,
    as_json: Annotated[bool, "One JSON object a query.", Flag("--json")] = False,
    *,
    terminal: Terminal,
    **options: Unpack[QueryOptions],
) -> Screen:
    """Ranked results for each QUERY; several questions may be asked in one call."""
    import json

    from daypack.shapes import answers

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

    def page(count: int) -> str:
        shown = [answers.cut(result, count) for result in results] if budget is not None else results
        if as_json:
            return "".join(f"{json.dumps(answers.of_search(result))}\n" for result in shown)
        return "".join(
            answers.listing(result, heading=len(queries) > 1, explain=explain, by_file=by_file)
            for result in shown
        )

    text = page(limit) if budget is None else daypack.fit_to_budget(budget, limit, page)
    why = () if text or budget is None else (_no_room(results[0].empty_reason, budget, "o200k"),)
    if limit == 0 or any(result.candidates for result in results):
        return Screen(text, notes=why)
    return Screen(text, notes=why, status=max(_status(result.empty_reason, False) for result in results))


# ---------------------------------------------------------------- get


def get(daypack: Daypack, reference: Annotated[str, Positional()]) -> Found:
    """The exact text behind REFERENCE: path:12-40, a path, a citation, or a result's id."""
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
    why: Annotated[
        str | None, "Why this file is, or is not, in the store.", Flag(metavar="FILE", read="path")
    ] = None,
) -> dict[str, Any]:
    """What the store holds, how fresh it is, and what was passed over."""
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
    return Screen(f"{path} is not indexed yet, and nothing forbids it: run `daypack add {path}`\n", 1)


def _status_text(facts: dict[str, Any]) -> str:
    from datetime import UTC, datetime

    from daypack.guard.fences import one_line
    from daypack.shapes.weights import described

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in facts["kinds"].items()) or "nothing yet"
    languages = ", ".join(f"{name or 'unknown'} {count:,}" for name, count in facts["languages"].items())
    missing = facts["vectors_missing"]
    lines = [
        f"store      {facts['store']}  ({facts['bytes'] / 1e6:,.1f} MB)",
        f"sources    {', '.join(facts['sources']) or 'none: run `daypack add .`'}",
        f"records    {facts['records']:,}  ({kinds})",
        f"languages  {languages or 'none'}",
        f"chunks     {facts['chunks']:,}",
        f"vectors    {facts['chunks'] - missing:,} of {facts['chunks']:,} by {facts['embedder'] or 'a model that cannot be used; see --vectors none'}",
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


# ---------------------------------------------------------------- doctor, reindex

Checks = list[tuple[str, str, str]]


def doctor(
    daypack: Daypack, deep: Annotated[bool, "Also compare every stored text with its hash."] = False
) -> Checks:
    """Whether the environment and the store are well; exit status 1 when something is damaged."""
    return [(check.name, check.verdict.value, check.detail) for check in daypack.doctor(deep=deep)]


def _damaged(error: Exception, _arguments: dict[str, Any]) -> Checks:
    """The check of a store whose list of tables is damaged: it cannot be opened at all."""
    from daypack.errors import StoreDamaged

    if not isinstance(error, StoreDamaged):
        raise error
    mend = f"restore a copy, or remove {error.path} and add again"
    return [("opening", "damage", f"{error.path} cannot be opened ({error.detail}): {mend}")]


def checks_screen(checks: Checks) -> Screen:
    lines = (f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks)
    return Screen("".join(lines), 1 if any(verdict == "damage" for _, verdict, _ in checks) else 0)


def checks_data(checks: Checks) -> list[dict[str, str]]:
    return [{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks]


def reindex(daypack: Daypack) -> IngestReport:
    """Rebuild everything that is derived from the stored texts. Vectors of equal text are kept."""
    return daypack.reindex()


def rebuilt_text(report: IngestReport) -> str:
    return f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n"


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return facts


COMMANDS = (
    Command(pack, at="pack", opens="indexed"),
    Command(search, at="search", opens="indexed"),
    Command(get, found_screen, "get", found_data),
    Command(status, status_screen, "status", _plain),
    Command(doctor, checks_screen, "doctor", checks_data, rescue=_damaged),
    Command(reindex, rebuilt_text, "reindex"),
)
