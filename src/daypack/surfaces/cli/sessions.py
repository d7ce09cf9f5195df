"""The commands of `daypack session`: parse, call the sessions door, print."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daypack.surfaces.cli.common import (
    F,
    Tokens,
    line,
    moment,
    note,
    opened,
    print_json,
    progress,
    text_argument,
    write,
)
from daypack.surfaces.cli.main import session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from daypack.api import Daypack
    from daypack.doors.sessions.types import PurgeReceipt, SessionReport

CATEGORIES = (
    "prompt", "decision", "constraint", "task", "plan", "rejected", "blocker", "error", "fix", "file", "git", "environment", "answer", "test", "web",
    "delegation", "command", "read", "tool", "session",
)  # fmt: skip


def common(command: F) -> F:
    options = [
        click.option("--json", "as_json", is_flag=True, help="As one JSON object."),
        click.option("--store", metavar="FOLDER", help="The store to use."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def which(command: F) -> F:
    return click.option(
        "--session",
        "session_id",
        default="current",
        show_default=True,
        metavar="ID",
        help="A session by its name or the begin of it, current, or all.",
    )(command)


@contextmanager
def door(context: click.Context, store: str | None, *, create: bool = False) -> Iterator[Daypack]:
    """The store, also where nothing but a spool is there yet."""
    from daypack.doors.sessions.hooks import waiting

    place = context.obj.place(store)
    with opened(context, store, create=create or bool(waiting(str(place.store)))) as daypack:
        yield daypack


# ---------------------------------------------------------------- what comes in


@session.command()
def capture() -> None:
    """Take one hook event as JSON on standard input, append it to the spool, and leave.

    For the hooks of coding agents. Exit status 0 whatever happens, so that no hook stops its agent.
    """
    from daypack.doors.sessions.hooks import main

    sys.exit(main())


@session.command("import")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
@click.pass_context
def import_(
    context: click.Context, /, paths: tuple[str, ...], yes: bool, as_json: bool, store: str | None
) -> None:
    """Import transcripts of Claude Code and Codex, and plain chats; what is there already is known.

    Each PATH is a transcript or a folder of them. Without any, those that agents keep for this project are
    looked for, and you are asked once.
    """
    from daypack.doors.sessions.serialize import report_to_dict

    with door(context, store, create=True) as daypack:
        named = [Path(text_argument(path)).expanduser() for path in paths]
        if not named:
            from daypack.doors.sessions.transcripts.reading import usual_places

            named = usual_places(daypack.root, Path.home())
            if not named:
                note("no transcripts of this project were found; name a file or a folder", always=True)
                context.exit(1)
            size = sum(path.stat().st_size for path in named) / 1e6
            click.echo(
                f"{len(named)} transcripts of this project, {size:,.1f} MB: {named[0].parent}"
                + (" …" if len(named) > 1 else ""),
                err=True,
            )
            if not yes and not click.confirm("Import them?", err=True):
                context.exit(0)
        with progress("importing") as step:
            report = daypack.sessions.add_transcripts(*named, progress=step)
        if as_json:
            print_json(report_to_dict(report))
        else:
            write(_report_text(report))
        context.exit(1 if report.issues and not report.files else 0)


def _report_text(report: SessionReport) -> str:
    lines = [
        f"{report.files:,} transcripts, {report.sessions:,} sessions: added {report.added:,} events, counted {report.repeated:,} again, knew {report.known:,}"
        + (f", dropped {report.evicted:,} of little importance" if report.evicted else "")
    ]
    if report.redactions:
        lines.append(f"redacted {report.redactions:,} secrets before anything was stored")
    if report.broken:
        lines.append(f"passed over {report.broken:,} lines that could not be read")
    lines += [f"passed over {line(issue, 200)}" for issue in report.issues]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- what is asked


@session.command("list")
@common
@click.pass_context
def list_(context: click.Context, /, as_json: bool, store: str | None) -> None:
    """The sessions there are, the latest first."""
    from daypack.doors.sessions.serialize import session_to_dict
    from daypack.shapes.wording import minute

    with door(context, store) as daypack:
        found = daypack.sessions.sessions()
        if as_json:
            print_json({"sessions": [session_to_dict(item) for item in found]})
        else:
            write(
                "".join(
                    f"{item.short}  {minute(item.started_at)} to {minute(item.last_at)}  {item.events:,} events  {line(item.client, 20)}  {line(item.id, 80)}\n"
                    for item in found
                )
            )
        context.exit(0 if found else 1)


@session.command()
@which
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="Events; of more, the newest are shown.",
)
@click.option(
    "--category",
    "categories",
    multiple=True,
    type=click.Choice(CATEGORIES),
    metavar="NAME",
    help="Only events of this category. [repeatable]",
)
@click.option("--since", metavar="DATE", help="Only events from this moment on.")
@click.option("--before", metavar="DATE", help="Only events before this moment.")
@common
@click.pass_context
def timeline(
    context: click.Context,
    /,
    session_id: str,
    limit: int,
    categories: tuple[str, ...],
    since: str | None,
    before: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """What happened, in order. What did not fit is said; it is the oldest that goes."""
    from daypack.doors.sessions import pages as session_pages
    from daypack.doors.sessions import serialize as session_data

    with door(context, store) as daypack:
        found = daypack.sessions.timeline(
            session=text_argument(session_id),
            limit=limit,
            categories=categories,
            since=moment(since),
            before=moment(before),
        )
        if as_json:
            print_json(session_data.timeline_to_dict(found))
        else:
            write(session_pages.timeline(found))
        context.exit(0 if found.events else 1)


def budgeted(default: int) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        options = [
            click.option(
                "--budget",
                "-b",
                type=Tokens(),
                default=default,
                show_default=True,
                help="The most the page may count.",
            ),
            click.option(
                "--tokenizer",
                type=click.Choice(["o200k", "cl100k", "approx", "chars", "bytes"]),
                default="o200k",
                show_default=True,
                help="What the budget is counted in.",
            ),
        ]
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@session.command()
@which
@budgeted(800)
@common
@click.pass_context
def resume(
    context: click.Context, /, session_id: str, budget: int, tokenizer: str, as_json: bool, store: str | None
) -> None:
    """What somebody needs to go on with a session, cited, within a budget.

    The last request, what stands in its way, open tasks, constraints, decisions, what was rejected, files.
    """
    _brief(context, store, "resume", session_id, budget, tokenizer, as_json=as_json)


@session.command()
@which
@budgeted(2000)
@common
@click.pass_context
def snapshot(
    context: click.Context, /, session_id: str, budget: int, tokenizer: str, as_json: bool, store: str | None
) -> None:
    """A table of contents of a session, for the moment before its context is compacted."""
    _brief(context, store, "snapshot", session_id, budget, tokenizer, as_json=as_json)


def _brief(
    context: click.Context,
    store: str | None,
    verb: str,
    session_id: str,
    budget: int,
    tokenizer: str,
    *,
    as_json: bool,
) -> None:
    """Nothing to go on with is an answer, also where there is no store yet: hooks ask this at the start of
    every session.
    """
    from daypack.doors.sessions.serialize import briefing_to_dict
    from daypack.errors import StoreNotFound

    try:
        with door(context, store) as daypack:
            ask = daypack.sessions.resume if verb == "resume" else daypack.sessions.snapshot
            found = ask(session=text_argument(session_id), budget=budget, tokenizer=tokenizer)
    except StoreNotFound:
        from daypack.doors.sessions.door import nothing_yet

        found = nothing_yet(budget, tokenizer)
    if as_json:
        print_json(briefing_to_dict(found))
    else:
        write(found.text)


# ---------------------------------------------------------------- purge


@session.command()
@click.option("--session", "session_id", metavar="ID", help="This session.")
@click.option("--project", "everything", is_flag=True, help="All sessions of the project.")
@click.option("--before", metavar="DATE", help="The sessions that ended before this moment.")
@common
@click.pass_context
def purge(
    context: click.Context,
    /,
    session_id: str | None,
    everything: bool,
    before: str | None,
    as_json: bool,
    store: str | None,
) -> None:
    """Remove sessions for good: their texts, what was indexed of them, their vectors."""
    with door(context, store) as daypack:
        receipt = daypack.sessions.purge(
            session=text_argument(session_id or ""), everything=everything, before=moment(before)
        )
        if as_json:
            print_json(
                {
                    "sessions": receipt.sessions,
                    "events": receipt.events,
                    "chunks": receipt.chunks,
                    "vectors": receipt.vectors,
                    "log_emptied": receipt.log_emptied,
                    "may_still_hold": list(receipt.may_still_hold),
                }
            )
        else:
            write(_purged_text(receipt))
        context.exit(0 if receipt.sessions else 1)


def _purged_text(receipt: PurgeReceipt) -> str:
    lines = [f"removed {receipt.sessions:,} sessions with {receipt.events:,} events"]
    if not receipt.log_emptied:
        lines.append(
            "other processes hold the store open; run it again once they are gone, so that the file is rewritten"
        )
    if receipt.may_still_hold:
        lines.append(f"not looked into: {', '.join(receipt.may_still_hold)}")
    return "\n".join(lines) + "\n"
