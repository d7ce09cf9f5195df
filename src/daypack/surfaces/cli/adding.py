"""`daypack add` and `run`: what comes in, as files, texts, pages, or what a command prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from daypack.surfaces.cli.common import (
    SetOption,
    Tokens,
    opened,
    print_json,
    progress,
    query_argument,
    text_argument,
    write,
)

if TYPE_CHECKING:
    from daypack.types import IngestReport


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--name", default="stdin", show_default=True, help="What the text of standard input (-) is called."
)
@click.option(
    "--label", metavar="NAME", help="Keep it as one source under this label, in place of what stands there."
)
@click.option(
    "--web",
    is_flag=True,
    default=False,
    cls=SetOption,
    help="Fetch https:// addresses, which is off otherwise; only public ones.",
)
@click.option("--force", is_flag=True, help="Fetch a page again that was fetched within a day.")
@click.option("--embed", is_flag=True, help="Also make all vectors now; can be interrupted and run again.")
@click.option(
    "--watch", is_flag=True, help="Then follow what changes there, until Ctrl-C; a report for each change."
)
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
            context.exit(
                add_labelled(
                    daypack, paths[0], text_argument(label or ""), as_json=as_json, web=web, force=force
                )
            )
        files = [path for path in paths if path != "-"]
        if watch and len(files) < len(paths):
            raise click.UsageError("--watch follows files and folders, not standard input")
        with progress("indexing") as step:
            report = daypack.files.add(*files, progress=step) if files else None
        if "-" in paths:
            extra = daypack.files.add_text(
                sys.stdin.buffer.read().decode("utf-8", "surrogateescape"), name=text_argument(name)
            )
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
        issues = [
            {"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail}
            for issue in report.issues
        ]
        counts = {
            field: getattr(report, field)
            for field in ("added", "updated", "unchanged", "removed", "chunks", "bytes", "redactions")
        }
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
        lines.append(
            "PDF and Excel files are read with an extra: `pip install 'daypack[office]'`, then add them again"
        )
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- labelled sources


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--label", metavar="NAME", help="The label under which the output is kept. [default: the command]"
)
@click.option(
    "--query", "queries", multiple=True, metavar="TEXT", help="Print only what answers this. [repeatable]"
)
@click.option(
    "--budget",
    "-b",
    type=Tokens(),
    default=500,
    show_default=True,
    help="The most that the answers may count together.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 86_400),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop it after so long.",
)
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- CMD ARG...")
@click.pass_context
def run(
    context: click.Context,
    /,
    label: str | None,
    queries: tuple[str, ...],
    budget: int,
    timeout: float,
    as_json: bool,
    store: str | None,
    arguments: tuple[str, ...],
) -> None:
    """Run a command without a shell, keep all that it prints as a source, and print only what answers the
    queries.

    The exit status is that of the command.
    """
    from daypack.surfaces.cli.knowledge import run_command

    asked = [query_argument(query) for query in queries]
    with opened(context, store) as daypack:
        context.exit(
            run_command(
                daypack,
                arguments,
                label=text_argument(label or ""),
                queries=asked,
                budget=budget,
                seconds=timeout,
                as_json=as_json,
            )
        )
