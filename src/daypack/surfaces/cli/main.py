"""The command `daypack`.

Exit status: 0 ok · 1 nothing found, or a check failed · 2 bad input · 3 the store cannot be used · 130 interrupted.
Heavy imports wait inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

# One query is one small matrix product: a pool of BLAS threads costs start-up time and gains nothing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

from daypack.surfaces.cli.common import (
    Commands,
    Elsewhere,
    F,
    Given,
    SetOption,
    Tokens,
    embedding,
    found_status,
    narrow_from,
    note,
    opened,
    print_json,
    progress,
    query_argument,
    query_options,
    text_argument,
    write,
)

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import IngestReport, Pack

VERSION = "0.1.0"

EPILOG = """\b
Start here:
  daypack pack "how are refunds retried?"       indexes the project on first use
  daypack search "retry budget" --explain       why each result is where it is
  daypack get src/pay/retry.py:40-88            the exact text behind a citation
\b
Exit status: 0 ok, 1 nothing found or a check failed, 2 bad input, 3 the store cannot be used."""


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
    help="minilm, hashing, folder:PATH or endpoint:URL. Only an endpoint ever sends text anywhere. [default: minilm]",
)
@click.pass_context
def cli(context: click.Context, store: str | None, embedder: str | None) -> None:
    """Packs what a task needs, and no more: local files, hybrid search, an exact token budget, citations that can be checked."""
    context.obj = Given(store, embedder)


# ---------------------------------------------------------------- pack


@cli.command()
@click.argument("query")
@click.option(
    "--budget",
    "-b",
    cls=SetOption,
    type=Tokens(),
    default=4000,
    show_default=True,
    help="The most the answer may count, frame and citations included.",
)
@click.option(
    "--tokenizer",
    cls=SetOption,
    type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
    default="o200k",
    show_default=True,
    help="What the budget is counted in.",
)
@click.option(
    "--packing",
    cls=SetOption,
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
@click.option("--page", type=click.IntRange(1, 50), default=1, help="The next page holds what this one had no room for.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--explain", is_flag=True, help="The same as --format explain: why each item is in or out.")
@query_options
@click.pass_context
def pack(
    context: click.Context, /, query: str, budget: int, tokenizer: str, packing: str, shape: str, page: int, as_json: bool, explain: bool, store: str | None, vectors: str, lexical: bool,
    refresh: bool, **narrow: Any,
) -> None:  # fmt: skip
    """One cited pack for QUERY from everything in the store, within an exact budget.

    In a project without a store, the project is indexed first.
    """
    narrowed = narrow_from(**narrow)
    query = query_argument(query)
    shape = "json" if as_json else "explain" if explain else shape
    # The table explains a pack; it is longer than one, and held to the budget itself it would have no room for any.
    packed = "markdown" if shape == "explain" else shape
    with opened(context, store, first_use=True) as daypack:
        with embedding(daypack, vectors):
            answer = daypack.pack(
                query, budget=budget, tokenizer=tokenizer, packing=packing, shape=packed, vectors="none" if lexical else vectors, refresh=refresh, page=page, **narrowed
            )  # fmt: skip
        write(answer.to(shape))
        note(_summary(answer))
        context.exit(found_status(answer.empty_reason, bool(answer.excerpts)))


def _summary(answer: Pack) -> str:
    stats = answer.stats
    parts = [
        f"{answer.tokens_used:,} of {answer.budget.limit:,} {answer.budget.tokenizer.value} tokens",
        f"{len(answer.excerpts)} excerpts",
    ]
    if answer.next_page:
        parts.append(f"--page {answer.next_page} shows what had no room")
    if stats.vectors_missing:
        parts.append(f"{stats.vectors_missing:,} of {stats.chunks:,} chunks have no vector yet (`daypack add --embed` makes them)")
    if stats.stale:
        parts.append(f"{stats.stale:,} files changed since they were indexed (`daypack add` re-reads them)")
    return " · ".join(parts)


# ---------------------------------------------------------------- search


@cli.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@click.option("--limit", "-n", type=click.IntRange(0, 1000), default=10, show_default=True, help="Results for each query.")
@click.option(
    "--sort",
    type=click.Choice(["relevance", "timeline"]),
    default="relevance",
    show_default=True,
    help="Best first, or as it happened, across sessions.",
)
@click.option(
    "--ranking",
    type=click.Choice(["default", "ctx"]),
    default="default",
    show_default=True,
    help="ctx: stems and parts of words fused by rank, and proximity; no vectors.",
)
@click.option("--budget", "-b", type=Tokens(), help="The most o200k tokens that all answers may count together; the last results go first.")
@click.option("--content-type", "content", type=click.Choice(["code", "prose"]), help="Only code, or only prose.")
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
    sort: str,
    budget: int | None,
    content: str | None,
    ranking: str,
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
    import json

    from daypack.surfaces import answers

    narrowed = narrow_from(**narrow)
    asked = [query_argument(query) for query in queries]
    results = []
    with opened(context, store, first_use=True) as daypack:
        for number, query in enumerate(asked):
            with embedding(daypack, vectors):
                result = daypack.search(
                    query,
                    limit=limit,
                    vectors="none" if lexical else vectors,
                    refresh=refresh and not number,
                    sort=sort,
                    content=content,
                    ranking=ranking,
                    **narrowed,
                )
            results.append(result)

        def page(count: int) -> str:
            shown = [answers.cut(result, count) for result in results] if budget is not None else results
            if as_json:
                return "".join(f"{json.dumps(answers.of_search(result))}\n" for result in shown)
            return "".join(answers.listing(result, heading=len(asked) > 1, explain=explain, by_file=by_file) for result in shown)

        write(page(limit) if budget is None else daypack.fitted(budget, limit, page))
    found = any(result.candidates for result in results)
    context.exit(0 if found or limit == 0 else max(found_status(result.empty_reason, False) for result in results))


# ---------------------------------------------------------------- get


@cli.command()
@click.argument("reference")
@click.option("--json", "as_json", is_flag=True, help="Text, span, hash and state as one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def get(context: click.Context, reference: str, as_json: bool, store: str | None) -> None:
    """The exact text behind REFERENCE: path:12-40, a path, a citation, or a result's id."""
    with opened(context, store, create=False) as daypack:
        found = daypack.get(text_argument(reference))
        if as_json:
            from daypack.surfaces import answers

            print_json(answers.of_found(found))
        else:
            write(found.text if found.text.endswith("\n") else found.text + "\n")
        if found.state != "current":
            note("the file changed since it was cited; this is the text that was indexed", always=True)


# ---------------------------------------------------------------- add


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--name", default="stdin", show_default=True, help="What the text of standard input (-) is called.")
@click.option("--label", metavar="NAME", help="Keep it as one source under this label, in place of what stands there.")
@click.option(
    "--web", is_flag=True, default=False, cls=SetOption, help="Fetch https:// addresses, which is off otherwise; only public ones."
)
@click.option("--force", is_flag=True, help="Fetch a page again that was fetched within a day.")
@click.option("--embed", is_flag=True, help="Also make all vectors now; can be interrupted and run again.")
@click.option("--watch", is_flag=True, help="Then follow what changes there, until Ctrl-C; a report for each change.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def add(
    context: click.Context,
    paths: tuple[str, ...],
    name: str,
    label: str | None,
    web: bool,
    force: bool,
    embed: bool,
    watch: bool,
    as_json: bool,
    store: str | None,
) -> None:
    """Index each PATH: a folder, a file, or - for standard input. Only what changed is read again."""
    with opened(context, store) as daypack:
        if label is not None or any(path.lower().startswith(("https://", "http://")) for path in paths):
            from daypack.surfaces.cli.knowledge import add_labelled

            if watch:
                raise click.UsageError("--watch follows files and folders, no labels and no pages")
            if len(paths) > 1:
                raise click.UsageError("add one labelled source or one page at a time")
            context.exit(add_labelled(daypack, paths[0], text_argument(label or ""), as_json=as_json, web=web, force=force))
        files = [path for path in paths if path != "-"]
        if watch and len(files) < len(paths):
            raise click.UsageError("--watch follows files and folders, not standard input")
        with progress("indexing") as step:
            report = daypack.files.add(*files, progress=step) if files else None
        if "-" in paths:
            extra = daypack.files.add_text(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"), name=text_argument(name))
            report = extra if report is None else report + extra
        assert report is not None

        def tell(report: IngestReport) -> None:
            embedded = 0
            if embed:
                with progress("embedding") as step:
                    embedded = daypack.embed(progress=step)
            _write_report(report, embedded, as_json=as_json)

        tell(report)
        if watch:
            from daypack.surfaces.cli.watching import watch_files

            watch_files(daypack, files, tell)


def _write_report(report: IngestReport, embedded: int, *, as_json: bool) -> None:
    if as_json:
        issues = [{"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail} for issue in report.issues]
        counts = {field: getattr(report, field) for field in ("added", "updated", "unchanged", "removed", "chunks", "bytes", "redactions")}
        print_json({**counts, "embedded": embedded, "issues": issues})
    else:
        write(_report_text(report, embedded))


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
    if "needs_extra" in reasons:
        lines.append("PDF and Excel files are read with an extra: `pip install 'daypack[office]'`, then add them again")
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- labelled sources


@cli.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--label", metavar="NAME", help="The label under which the output is kept. [default: the command]")
@click.option("--query", "queries", multiple=True, metavar="TEXT", help="Print only what answers this. [repeatable]")
@click.option("--budget", "-b", type=Tokens(), default=500, show_default=True, help="The most that the answers may count together.")
@click.option(
    "--timeout", type=click.FloatRange(0.1, 86_400), default=600.0, show_default=True, metavar="SECONDS", help="Stop it after so long."
)
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- CMD ARG...")
@click.pass_context
def run(
    context: click.Context, /, label: str | None, queries: tuple[str, ...], budget: int, timeout: float, as_json: bool, store: str | None,
    arguments: tuple[str, ...],
) -> None:  # fmt: skip
    """Run a command without a shell, keep all that it prints as a source, and print only what answers the queries.

    The exit status is that of the command.
    """
    from daypack.surfaces.cli.knowledge import run_command

    asked = [query_argument(query) for query in queries]
    with opened(context, store) as daypack:
        context.exit(
            run_command(
                daypack, arguments, label=text_argument(label or ""), queries=asked, budget=budget, seconds=timeout, as_json=as_json
            )
        )


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.knowledge")
def label() -> None:
    """Sources under labels: texts, files, folders, what commands printed."""


# ---------------------------------------------------------------- sources


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.source_tasks")
def source() -> None:
    """Records of a session, a user or everybody, with versions and a policy; retrieved and assembled for a task."""


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.sources")
def audit() -> None:
    """What was written, asked and deleted among sources."""


# ---------------------------------------------------------------- eval


@cli.group("eval", cls=Elsewhere, module="daypack.surfaces.cli.evaluate")
def evaluate() -> None:
    """How good the answers are, judged by questions whose answers are known."""


# ---------------------------------------------------------------- sessions


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.sessions")
def session() -> None:
    """What happened while an agent worked: captured by hooks, imported from transcripts."""


# ---------------------------------------------------------------- code


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.code")
def code() -> None:
    """Packs of code with what stands near it: who calls, uses, extends and tests what; a map of the repository."""


# ---------------------------------------------------------------- memory


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.memory")
def memory() -> None:
    """What somebody wants remembered: by key, with its history, until it is forgotten."""


# ---------------------------------------------------------------- docs


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.documents")
def docs() -> None:
    """Collections of JSON documents: filters as MongoDB's, vectors, planned changes, texts for a task."""


# ---------------------------------------------------------------- mcp


def _server_options(command: F) -> F:
    """Options of every command that serves."""
    options = [
        click.option(
            "--scope", default="read-write", show_default=True, metavar="SCOPE", help="read, read-write or dangerous: what tools may do."
        ),
        click.option(
            "--tools", multiple=True, default=["core"], show_default=True, metavar="NAME", help="A toolset to offer, or all. [repeatable]"
        ),
        click.option("--root", "roots", multiple=True, metavar="FOLDER", help="Where stores may be, and nowhere else. [repeatable]"),
        click.option("--owner", metavar="NAME", help="Whose memories; no others are seen. [default: user]"),
        click.option("--project", metavar="NAME", help="Of which project, in a store that several share."),
        click.option("--host", "address", default="127.0.0.1", show_default=True, help="The address to listen on."),
        click.option("--port", type=click.IntRange(0, 65535), default=8377, show_default=True, help="The port; 0 takes a free one."),
        click.option("--name", "names", multiple=True, metavar="HOST", help="Another name that this server is called by. [repeatable]"),
        click.option("--beyond-this-machine", "beyond", is_flag=True, help="Allow an address that other machines reach."),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@cli.command()
@click.option("--http", "over_http", is_flag=True, help="Streamable HTTP instead of standard input and output.")
@_server_options
@click.pass_context
def mcp(
    context: click.Context, scope: str, tools: tuple[str, ...], roots: tuple[str, ...], owner: str | None, project: str | None, over_http: bool,
    address: str, port: int, names: tuple[str, ...], beyond: bool, store: str | None,
) -> None:  # fmt: skip
    """Serve agents over the Model Context Protocol, on standard input and output, until the client goes away."""
    from daypack.surfaces.cli import serving

    host, folder = serving.make_host(context, store=store, roots=roots, scope=scope, tools=tools, owner=owner, project=project)
    if over_http:
        serving.serve_http(host, folder, version=VERSION, address=address, port=port, beyond=beyond, names=names)
    else:
        serving.serve_stdio(host, version=VERSION)


@cli.command()
@_server_options
@click.option("--open/--no-open", "opens", default=None, help="Open the page in a browser. [default: on a terminal]")
@click.pass_context
def serve(
    context: click.Context, scope: str, tools: tuple[str, ...], roots: tuple[str, ...], owner: str | None, project: str | None,
    address: str, port: int, names: tuple[str, ...], beyond: bool, store: str | None, opens: bool | None,
) -> None:  # fmt: skip
    """Serve a page to look at packs, the verbs as REST, and MCP, on this machine."""
    from daypack.surfaces.cli import serving

    host, folder = serving.make_host(context, store=store, roots=roots, scope=scope, tools=tools, owner=owner, project=project)
    show = sys.stdout.isatty() if opens is None else opens
    serving.serve_page(host, folder, version=VERSION, address=address, port=port, beyond=beyond, names=names, opens=show)


# ---------------------------------------------------------------- install, uninstall

AGENTS = ["claude-code", "codex", "cursor", "gemini", "vscode"]
_client_option = click.option("--client", required=True, type=click.Choice(AGENTS), help="The agent to set up.")
_place_option = click.option(
    "--project/--user", "for_project", default=True, help="For this project, or for you wherever you work. [default: project]"
)
_dry_option = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@cli.command()
@_client_option
@_place_option
@click.option("--hooks", is_flag=True, help="Also let its hooks tell Daypack what happens, and be told where work stood.")
@click.option("--scope", default="read-write", show_default=True, metavar="SCOPE", help="read, read-write or dangerous: what tools may do.")
@click.option("--tools", multiple=True, metavar="NAME", help="A toolset to offer beside the core, or all. [repeatable]")
@_dry_option
def install(client: str, for_project: bool, hooks: bool, scope: str, tools: tuple[str, ...], dry_run: bool) -> None:
    """Set Daypack up in an agent: shows the difference, keeps a backup, and can be run again."""
    from daypack.surfaces.cli import installing

    installing.install(client, for_user=not for_project, hooks=hooks, scope=scope, tools=tools, dry_run=dry_run)


@cli.command()
@_client_option
@_place_option
@_dry_option
def uninstall(client: str, for_project: bool, dry_run: bool) -> None:
    """Take out of an agent's settings exactly what `install` added."""
    from daypack.surfaces.cli import installing

    installing.uninstall(client, for_user=not for_project, dry_run=dry_run)


# ---------------------------------------------------------------- status, doctor, reindex


@cli.command()
@click.option("--why", "why_path", metavar="FILE", help="Why this file is, or is not, in the store.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def status(context: click.Context, why_path: str | None, as_json: bool, store: str | None) -> None:
    """What the store holds, how fresh it is, and what was passed over."""
    with opened(context, store, create=False) as daypack:
        if why_path is not None:
            _why(context, daypack, why_path, as_json=as_json)
            return
        facts = daypack.status()
        if as_json:
            print_json(facts)
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
        write("\n".join(lines) + "\n")


def _why(context: click.Context, daypack: Daypack, path: str, *, as_json: bool) -> None:
    issue = daypack.files.why(path)
    stored = issue is None and bool(daypack.engine.store.find_records(daypack.files.name_of(path)))
    if as_json:
        print_json(
            {"path": path, "indexed": stored, "reason": issue.reason.value if issue else None, "detail": issue.detail if issue else ""}
        )
    elif issue is not None:
        write(f"{path} is not indexed: {issue.reason.value.replace('_', ' ')}{': ' + issue.detail if issue.detail else ''}\n")
    elif stored:
        write(f"{path} is indexed\n")
    else:
        write(f"{path} is not indexed yet, and nothing forbids it: run `daypack add {path}`\n")
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
        with opened(context, store, create=False) as daypack:
            checks = [(check.name, check.verdict.value, check.detail) for check in daypack.doctor(deep=deep)]
    except StoreDamaged as error:  # what says which tables there are may be damaged as well, and then nothing can be opened
        checks = [("opening", "damage", str(error))]
    if as_json:
        print_json([{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks])
    else:
        write("".join(f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks))
    context.exit(1 if any(verdict == "damage" for _, verdict, _ in checks) else 0)


@cli.command()
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def reindex(context: click.Context, store: str | None) -> None:
    """Rebuild everything that is derived from the stored texts. Vectors of equal text are kept."""
    with opened(context, store, create=False) as daypack:
        report = daypack.reindex()
        write(f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n")


@cli.group(cls=Elsewhere, module="daypack.surfaces.cli.configuring")
def config() -> None:
    """What files and variables set instead of options."""


@cli.command()
@click.option("--revoke", is_flag=True, help="Take it back.")
def trust(revoke: bool) -> None:
    """Let the settings of this project's files take effect: they may come from whoever wrote the repository.

    They choose the model, an address that texts are sent to, whose memories are used, and whether pages are fetched. When they
    change, they wait again.
    """
    from daypack.surfaces.cli.configuring import trust_project

    trust_project(revoke=revoke)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """The completion script for SHELL: source it, or put it where your shell looks for such."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    write(found(cli, {}, "daypack", "_DAYPACK_COMPLETE").source() + "\n")


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
    said = " ".join(message.split())
    if as_json:
        import json

        said = json.dumps({"error": {"code": code, "message": said}})
    else:
        said = f"daypack: {said}"
    sys.stderr.buffer.write(said.encode("utf-8", "replace") + b"\n")
    sys.exit(exit_status)


if __name__ == "__main__":
    main()
