"""The command `daypack`.

Exit status: 0 ok · 1 nothing found, or a check failed · 2 bad input · 3 the store cannot be used · 130 interrupted.
Heavy imports wait inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

# One query is one small matrix product: a pool of BLAS threads costs start-up time and gains nothing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import Chunk, IngestReport, Pack, SearchResult

VERSION = "0.1.0"
F = TypeVar("F", bound=Callable[..., Any])

EPILOG = """\b
Start here:
  daypack pack "how are refunds retried?"       indexes the project on first use
  daypack search "retry budget" --explain       why each result is where it is
  daypack get src/pay/retry.py:40-88            the exact text behind a citation
\b
Exit status: 0 ok, 1 nothing found or a check failed, 2 bad input, 3 the store cannot be used."""


class Commands(click.Group):
    """Commands in the order in which they were written, as a newcomer meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], list(self.commands), n=1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from None
            raise


class Elsewhere(Commands):
    """A group whose commands stand in a module of their own, which is imported when one of them is asked for."""

    def __init__(self, *arguments: Any, module: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._module = module

    def list_commands(self, ctx: click.Context) -> list[str]:
        importlib.import_module(self._module)
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        importlib.import_module(self._module)
        return super().get_command(ctx, cmd_name)


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, "-V", "--version", message="daypack %(version)s")
@click.option(
    "--store",
    metavar="FOLDER",
    envvar="DAYPACK_STORE",
    help="The store to use. [default: the nearest .daypack upwards, else the project's root]",
)
@click.option(
    "--embedder",
    metavar="NAME",
    envvar="DAYPACK_EMBEDDER",
    help="minilm, hashing, folder:PATH or endpoint:URL. Only an endpoint ever sends text anywhere. [default: minilm]",
)
@click.pass_context
def cli(context: click.Context, store: str | None, embedder: str | None) -> None:
    """Packs what a task needs, and no more: local files, hybrid search, an exact token budget, citations that can be checked."""
    context.obj = (store, embedder)


# ---------------------------------------------------------------- shared options


def query_options(command: F) -> F:
    """Options of every command that searches."""
    options = [
        click.option("--store", metavar="FOLDER", help="The store to use."),
        click.option(
            "--vectors",
            type=click.Choice(["lazy", "all", "none"]),
            default="lazy",
            show_default=True,
            help="Which vectors to wait for: those of the best word matches, all, or none.",
        ),
        click.option("--lexical", is_flag=True, help="The same as --vectors none: words only, no model is loaded."),
        click.option(
            "--kind",
            "kinds",
            multiple=True,
            type=click.Choice(["document", "code", "memory", "event"]),
            help="Only records of this kind. [repeatable]",
        ),
        click.option(
            "--source", "sources", multiple=True, metavar="GLOB", help="Only files that match, as 'src/**/*.py' or 'docs/'. [repeatable]"
        ),
        click.option(
            "--in",
            "doors",
            multiple=True,
            type=click.Choice(["files", "records", "memories"]),
            help="Only what came in there; without it, everything that is yours to see. [repeatable]",
        ),
        click.option("--language", metavar="NAME", help="Only this language or format, as python or markdown."),
        click.option("--scope", metavar="NAME", help="Only records of this scope."),
        click.option("--session", metavar="ID", help="Only records of this session."),
        click.option("--since", metavar="DATE", help="Only records from this day on (2026-10-01, or with a time: 2026-10-01T14:00)."),
        click.option("--before", metavar="DATE", help="Only records before this day."),
        click.option("--refresh/--no-refresh", default=True, help="Look at the disk first, or answer from what is stored."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _narrow(
    kinds: Sequence[str],
    sources: Sequence[str],
    doors: Sequence[str],
    language: str | None,
    scope: str | None,
    session: str | None,
    since: str | None,
    before: str | None,
) -> dict[str, Any]:
    given: dict[str, Any] = {"language": language, "scope": scope, "session": session, "since": _moment(since), "before": _moment(before)}
    if kinds:
        given["kind"] = list(kinds)
    if doors:
        given["door"] = list(doors)
    if sources:
        given["source"] = [_text_argument(source) for source in sources]
    return {name: value if not isinstance(value, str) else _text_argument(value) for name, value in given.items() if value is not None}


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is no date; write 2026-10-01 or 2026-10-01T14:00") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _text_argument(text: str) -> str:
    """An argument as text: bytes that are no UTF-8 are replaced, and that is said."""
    clean = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if clean != text:
        _note("an argument held bytes that are no UTF-8; they were replaced", always=True)
    return clean


def _query_argument(text: str) -> str:
    """A query, refused here when it is too long: before anything is opened, made or indexed for it."""
    from daypack.errors import QueryTooLong
    from daypack.settings import LONGEST_QUERY_BYTES

    query = _text_argument(text)
    if (length := len(query.encode())) > LONGEST_QUERY_BYTES:
        raise QueryTooLong(length, LONGEST_QUERY_BYTES)
    return query


class _Budget(click.ParamType):  # type: ignore[type-arg]  # generic only in the newest click
    name = "tokens"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002 (click's signature)
        if isinstance(value, int):
            return value
        from daypack.errors import BadBudget
        from daypack.settings import LARGEST_BUDGET

        try:
            limit = int(str(value).replace("_", "").replace(",", ""))
        except ValueError:
            raise BadBudget(value, LARGEST_BUDGET) from None
        if not 0 <= limit <= LARGEST_BUDGET:
            raise BadBudget(limit, LARGEST_BUDGET)
        return limit


# ---------------------------------------------------------------- pack


@cli.command()
@click.argument("query")
@click.option(
    "--budget", "-b", type=_Budget(), default=4000, show_default=True, help="The most the answer may count, frame and citations included."
)
@click.option(
    "--tokenizer",
    type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
    default="o200k",
    show_default=True,
    help="What the budget is counted in.",
)
@click.option(
    "--packing",
    type=click.Choice(["auto", "skip", "prefix"]),
    default="auto",
    show_default=True,
    help="auto: best value; skip: rank order, pass over what does not fit; prefix: stop there.",
)
@click.option(
    "--format",
    "-f",
    "shape",
    type=click.Choice(["markdown", "xml", "json", "explain"]),
    default="markdown",
    show_default=True,
    help="The shape of the answer.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--explain", is_flag=True, help="The same as --format explain: why each item is in or out.")
@query_options
@click.pass_context
def pack(
    context: click.Context, /, query: str, budget: int, tokenizer: str, packing: str, shape: str, as_json: bool, explain: bool, store: str | None, vectors: str, lexical: bool,
    refresh: bool, **narrow: Any,
) -> None:  # fmt: skip
    """One cited pack for QUERY from everything in the store, within an exact budget.

    In a project without a store, the project is indexed first.
    """
    narrowed = _narrow(**narrow)
    query = _query_argument(query)
    shape = "json" if as_json else "explain" if explain else shape
    # The table explains a pack; it is longer than one, and held to the budget itself it would have no room for any.
    packed = "markdown" if shape == "explain" else shape
    with _opened(context, store, first_use=True) as daypack:
        with _embedding(daypack, vectors):
            answer = daypack.pack(
                query, budget=budget, tokenizer=tokenizer, packing=packing, shape=packed, vectors="none" if lexical else vectors, refresh=refresh, **narrowed
            )  # fmt: skip
        _write(answer.to(shape))
        _note(_summary(answer))
        context.exit(_found(answer.empty_reason, bool(answer.excerpts)))


def _summary(answer: Pack) -> str:
    stats = answer.stats
    parts = [
        f"{answer.tokens_used:,} of {answer.budget.limit:,} {answer.budget.tokenizer.value} tokens",
        f"{len(answer.excerpts)} excerpts",
    ]
    if stats.vectors_missing:
        parts.append(f"{stats.vectors_missing:,} of {stats.chunks:,} chunks have no vector yet (`daypack add --embed` makes them)")
    if stats.stale:
        parts.append(f"{stats.stale:,} files changed since they were indexed (`daypack add` re-reads them)")
    return " · ".join(parts)


# ---------------------------------------------------------------- search


@cli.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@click.option("--limit", "-n", type=click.IntRange(0, 1000), default=10, show_default=True, help="Results for each query.")
@click.option("--files", "by_file", is_flag=True, help="Files instead of parts of files, each with its best part.")
@click.option("--explain", is_flag=True, help="What each signal added to each score.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a query.")
@query_options
@click.pass_context
def search(
    context: click.Context,
    /,
    queries: tuple[str, ...],
    limit: int,
    by_file: bool,
    explain: bool,
    as_json: bool,
    store: str | None,
    vectors: str,
    lexical: bool,
    refresh: bool,
    **narrow: Any,
) -> None:
    """Ranked results for each QUERY; several questions may be asked in one call."""
    narrowed = _narrow(**narrow)
    asked = [_query_argument(query) for query in queries]
    found = False
    reasons = []
    with _opened(context, store, first_use=True) as daypack:
        for number, query in enumerate(asked):
            with _embedding(daypack, vectors):
                result = daypack.search(
                    query, limit=limit, vectors="none" if lexical else vectors, refresh=refresh and not number, **narrowed
                )
            found = found or bool(result.candidates)
            reasons.append(result.empty_reason)
            if as_json:
                _write(_search_json(result) + "\n")
            else:
                _write(_search_text(result, heading=len(asked) > 1, explain=explain, by_file=by_file))
    context.exit(0 if found or limit == 0 else max(_found(reason, False) for reason in reasons))


def _search_text(result: SearchResult, *, heading: bool, explain: bool, by_file: bool) -> str:
    from daypack.guard.fences import one_line

    lines = [f"# {one_line(result.query)}"] if heading else []
    if result.corrections_text:
        lines.append(f"(searched for {result.corrections_text})")
    if result.empty_reason is not None or not result.candidates:
        from daypack.shapes.wording import empty_sentence

        lines.append(empty_sentence(result.empty_reason))
    if by_file:
        for rank, file in enumerate(result.files, 1):
            lines.append(f"{rank:>2}. {one_line(file.uri, 200)}  {file.score:.3f}")
            lines.append(f"    {one_line(file.reference, 200)}  {one_line(file.name, 80)}".rstrip())
        return "\n".join(lines) + "\n"
    for rank, candidate in enumerate(result.candidates, 1):
        chunk = candidate.chunk
        name = one_line(chunk.name or " › ".join(chunk.trail), 80)
        reference = one_line(chunk.reference, 200)
        lines.append(f"{rank:>2}. {reference}  {candidate.score:.3f}  {name}".rstrip())
        lines.append(f"    {one_line(_first_line(chunk), 110)}")
        if explain:
            lines.extend(f"      {part.share:+.4f}  {part.signal} ({part.raw:.4g})" for part in candidate.contributions)
            lines.append(f"      {sum(part.share for part in candidate.contributions):+.4f}  sum")
    return "\n".join(lines) + "\n"


def _first_line(chunk: Chunk) -> str:
    """The first line that says something: not the heading, which stands beside the reference, nor its underline."""
    lines = [line.strip() for line in chunk.text.split("\n") if line.strip()]
    heading = chunk.name.rpartition(", ")[2] or chunk.name
    telling = (line for line in lines if line.lstrip("#=*~-^ ") and line.strip("# ") != heading)
    return next(telling, lines[0] if lines else "")


def _search_json(result: SearchResult) -> str:
    import json

    return json.dumps(
        {
            "query": result.query,
            "empty_reason": result.empty_reason.value if result.empty_reason else None,
            "results": [
                {
                    "reference": c.chunk.reference, "id": c.chunk.id, "uri": c.chunk.uri, "start_line": c.chunk.span.start_line,
                    "end_line": c.chunk.span.end_line, "name": c.chunk.name, "trail": list(c.chunk.trail), "kind": c.chunk.record_kind.value, "hash": c.chunk.record_hash,
                    "score": round(c.score, 6), "tokens": c.chunk.tokens, "text": c.chunk.text,
                    "contributions": {part.signal: round(part.share, 6) for part in c.contributions},
                }
                for c in result.candidates
            ],
            "files": [
                {"uri": file.uri, "score": round(file.score, 6), "reference": file.reference, "name": file.name} for file in result.files
            ],
            "stats": {
                "vectors": result.stats.vectors.value, "vectors_pending": result.stats.vectors_pending, "vectors_missing": result.stats.vectors_missing,
                "stale": result.stats.stale, "degraded": list(result.stats.degraded), "corrections": dict(result.stats.corrections),
                "anchors_missing": list(result.stats.anchors_missing), "query_kind": result.stats.query_kind.value,
            },
        },
        ensure_ascii=True,
    )  # fmt: skip


# ---------------------------------------------------------------- get


@cli.command()
@click.argument("reference")
@click.option("--json", "as_json", is_flag=True, help="Text, span, hash and state as one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def get(context: click.Context, reference: str, as_json: bool, store: str | None) -> None:
    """The exact text behind REFERENCE: path:12-40, a path, a citation, or a result's id."""
    with _opened(context, store, create=False) as daypack:
        found = daypack.get(_text_argument(reference))
        if as_json:
            import json

            span = found.span
            place = {"start": span.start, "end": span.end, "start_line": span.start_line, "end_line": span.end_line}
            _write(
                json.dumps(
                    {
                        "reference": found.reference,
                        "uri": found.uri,
                        **place,
                        "hash": found.record_hash,
                        "state": found.state,
                        "text": found.text,
                    }
                )
                + "\n"
            )
        else:
            _write(found.text if found.text.endswith("\n") else found.text + "\n")
        if found.state != "current":
            _note("the file changed since it was cited; this is the text that was indexed", always=True)


# ---------------------------------------------------------------- add


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--name", default="stdin", show_default=True, help="What the text of standard input (-) is called.")
@click.option("--embed", is_flag=True, help="Also make all vectors now; can be interrupted and run again.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def add(context: click.Context, paths: tuple[str, ...], name: str, embed: bool, as_json: bool, store: str | None) -> None:
    """Index each PATH: a folder, a file, or - for standard input. Only what changed is read again."""
    with _opened(context, store) as daypack:
        files = [path for path in paths if path != "-"]
        with _progress("indexing") as step:
            report = daypack.files.add(*files, progress=step) if files else None
        if "-" in paths:
            extra = daypack.files.add_text(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"), name=_text_argument(name))
            report = extra if report is None else report + extra
        assert report is not None
        embedded = 0
        if embed:
            with _progress("embedding") as step:
                embedded = daypack.embed(progress=step)
        if as_json:
            import json

            issues = [{"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail} for issue in report.issues]
            counts = {
                field: getattr(report, field) for field in ("added", "updated", "unchanged", "removed", "chunks", "bytes", "redactions")
            }
            _write(json.dumps({**counts, "embedded": embedded, "issues": issues}) + "\n")
        else:
            _write(_report_text(report, embedded))


def _report_text(report: IngestReport, embedded: int) -> str:
    lines = [
        f"added {report.added:,}, updated {report.updated:,}, unchanged {report.unchanged:,}, removed {report.removed:,} ({report.chunks:,} chunks written)"
    ]
    if embedded:
        lines.append(f"embedded {embedded:,} chunks")
    if report.redactions:
        lines.append(f"redacted {report.redactions:,} secrets before anything was stored")
    reasons: dict[str, int] = {}
    for issue in report.issues:
        reasons[issue.reason.value] = reasons.get(issue.reason.value, 0) + 1
    if reasons:
        lines.append(
            "passed over: "
            + ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in sorted(reasons.items()))
            + "  (`daypack status --why FILE` explains one)"
        )
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- eval


@cli.group("eval", cls=Elsewhere, module="daypack.surfaces.cli.evaluate")
def evaluate() -> None:
    """How good the answers are, judged by questions whose answers are known."""


# ---------------------------------------------------------------- memory


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.memory")
def memory() -> None:
    """What somebody wants remembered: by key, with its history, until it is forgotten."""


# ---------------------------------------------------------------- status, doctor, reindex


@cli.command()
@click.option("--why", "why_path", metavar="FILE", help="Why this file is, or is not, in the store.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def status(context: click.Context, why_path: str | None, as_json: bool, store: str | None) -> None:
    """What the store holds, how fresh it is, and what was passed over."""
    import json

    with _opened(context, store, create=False) as daypack:
        if why_path is not None:
            _why(context, daypack, why_path, as_json=as_json)
            return
        facts = daypack.status()
        if as_json:
            _write(json.dumps(facts) + "\n")
            return
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
        if facts["skipped"]:
            lines.append("passed over " + ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in facts["skipped"].items()))
        _write("\n".join(lines) + "\n")


def _why(context: click.Context, daypack: Daypack, path: str, *, as_json: bool) -> None:
    import json

    issue = daypack.files.why(path)
    stored = issue is None and bool(daypack.engine.store.find_records(daypack.files.name_of(path)))
    if as_json:
        _write(
            json.dumps(
                {"path": path, "indexed": stored, "reason": issue.reason.value if issue else None, "detail": issue.detail if issue else ""}
            )
            + "\n"
        )
    elif issue is not None:
        _write(f"{path} is not indexed: {issue.reason.value.replace('_', ' ')}{': ' + issue.detail if issue.detail else ''}\n")
    elif stored:
        _write(f"{path} is indexed\n")
    else:
        _write(f"{path} is not indexed yet, and nothing forbids it: run `daypack add {path}`\n")
    context.exit(0 if stored else 1)


@cli.command()
@click.option("--deep", is_flag=True, help="Also compare every stored text with its hash.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def doctor(context: click.Context, deep: bool, as_json: bool, store: str | None) -> None:
    """Whether the environment and the store are well; exit status 1 when something is damaged."""
    from daypack.errors import StoreDamaged

    try:
        with _opened(context, store, create=False) as daypack:
            checks = [(check.name, check.verdict.value, check.detail) for check in daypack.doctor(deep=deep)]
    except StoreDamaged as error:  # what says which tables there are may be damaged as well, and then nothing can be opened
        checks = [("opening", "damage", str(error))]
    if as_json:
        import json

        _write(json.dumps([{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks]) + "\n")
    else:
        _write("".join(f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks))
    context.exit(1 if any(verdict == "damage" for _, verdict, _ in checks) else 0)


@cli.command()
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def reindex(context: click.Context, store: str | None) -> None:
    """Rebuild everything that is derived from the stored texts. Vectors of equal text are kept."""
    with _opened(context, store, create=False) as daypack:
        report = daypack.reindex()
        _write(f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n")


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """The completion script for SHELL: source it, or put it where your shell looks for such."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    _write(found(cli, {}, "daypack", "_DAYPACK_COMPLETE").source() + "\n")


# ---------------------------------------------------------------- plumbing


@contextmanager
def _opened(
    context: click.Context,
    store: str | None,
    *,
    create: bool = True,
    first_use: bool = False,
    owner: str | None = None,
    project: str | None = None,
) -> Iterator[Daypack]:
    from daypack.api import Daypack
    from daypack.errors import NotAProject, StoreNotFound
    from daypack.settings import find_place, settings_from
    from daypack.types import OWNER

    given, embedder = context.obj
    named = store or given
    place = find_place(Path.cwd(), store=named)
    if not place.exists and not create:
        raise StoreNotFound(str(place.store))
    if not place.exists and first_use:
        from daypack.doors.walk import looks_like_project

        # Asked before the store is made: a folder that is no project must be left as it was.
        problem = looks_like_project(place.root, Path.home())
        if problem is not None:
            raise NotAProject(str(place.root), problem)
    with Daypack.open(
        place.store,
        root=place.root,
        settings=settings_from({**os.environ, **({"DAYPACK_EMBEDDER": embedder} if embedder else {})}),
        owner=owner or os.environ.get("DAYPACK_OWNER") or OWNER,
        project=project or os.environ.get("DAYPACK_PROJECT") or "",
    ) as daypack:
        # Also where a store stands already: the first indexing may have been interrupted before it had anything.
        if first_use and (not place.exists or named is None):
            with _progress("indexing") as step:
                report = daypack.first_use(Path.home(), progress=step)
            if report is not None:
                _note(f"indexed {report.added:,} files ({report.bytes / 1e6:,.1f} MB, {report.chunks:,} chunks) into {place.store}")
        yield daypack


@contextmanager
def _embedding(daypack: Daypack, vectors: str) -> Iterator[None]:
    """With --vectors all, make what is missing under a progress bar before the query waits for it."""
    if vectors == "all":
        with _progress("embedding") as step:
            daypack.embed(progress=step)
    yield


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _found(reason: Any, found: bool) -> int:
    from daypack.types import EmptyReason

    return 0 if found or reason in (EmptyReason.EMPTY_QUERY, EmptyReason.BUDGET_TOO_SMALL) else 1


def _write(text: str) -> None:
    """Exactly this text to stdout; a terminal also gets the line end that it needs."""
    data = text.encode("utf-8", "replace")
    if sys.stdout.isatty() and data and not data.endswith(b"\n"):
        data += b"\n"
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader went away, as `head` does; what it wanted it has. Nothing is left to flush when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _note(text: str, *, always: bool = False) -> None:
    """A line for people; not for pipes, unless they must know."""
    if always or sys.stderr.isatty():
        click.echo(f"daypack: {text}", err=True)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    # What a command imports stays; with Python's own 700 the collector looks through it dozens of times, a tenth of a cold search.
    gc.set_threshold(100_000, 20, 20)
    from daypack.errors import DaypackError

    arguments = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in arguments
    try:
        status = cli.main(args=arguments, prog_name="daypack", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except DaypackError as error:
        _fail(str(error), error.code, error.exit_status, as_json=as_json)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "daypack"
        _fail(f"{error.format_message().rstrip('.')}; see `{command} --help`", "usage", 2, as_json=as_json)
    except click.ClickException as error:
        _fail(error.format_message(), "usage", 2, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; what was done so far is kept, run the same command to go on", "interrupted", 130, as_json=as_json)


def _fail(message: str, code: str, exit_status: int, *, as_json: bool) -> NoReturn:
    line = " ".join(message.split())
    if as_json:
        import json

        line = json.dumps({"error": {"code": code, "message": line}})
    else:
        line = f"daypack: {line}"
    sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.exit(exit_status)


if __name__ == "__main__":
    main()
