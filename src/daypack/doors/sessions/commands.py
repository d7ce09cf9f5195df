"""The commands of `daypack session`."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from daypack.doors.sessions import pages, serialize, usage
from daypack.doors.sessions.hooks import capturing, spool
from daypack.doors.sessions.verbs import VERBS
from daypack.errors import DaypackError, StoreNotFound
from daypack.guard.fences import one_line
from daypack.shapes.wording import NOT_REWRITTEN, counted, utc_minutes
from daypack.system import path_named
from daypack.verbs.command import Command, Screen, Terminal, one_of
from daypack.verbs.table import Flag, Positional

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.sessions.types import Briefing, PurgeReceipt, Session, SessionReport
    from daypack.doors.sessions.usage import Usage

# ---------------------------------------------------------------- writing


def capture() -> Screen:
    """Append one hook event (JSON on standard input) to the spool, and exit.

    For the hooks of coding agents. The exit status is always 0, so that no hook stops its agent.
    """
    return Screen(status=capturing.main())


def import_(
    daypack: Daypack,
    paths: Annotated[list[str] | None, Positional(metavar="[PATH]...", read="path")] = None,
    yes: Annotated[bool, "Do not ask."] = False,
    as_json: Annotated[bool, "Print one JSON object.", Flag("--json")] = False,
    *,
    terminal: Terminal,
) -> Screen:
    """Import transcripts of coding agents, and plain chats; known events are not imported again.

    Each PATH is a transcript or a folder of them. Without a PATH, the command looks for agents' transcripts
    of this project and asks once.
    """
    named = [path_named(path) for path in paths or ()]
    if not named:
        from daypack.doors.sessions.transcripts.places import usual_places

        sizes = usual_places(daypack.root, Path.home(), os.environ)
        named = [*sizes]
        if not named:
            notes = ("no transcripts of this project found; name a file or a folder",)
            return Screen(status=1, notes=notes)

        size = sum(sizes.values()) / 1e6
        more = " …" if len(named) > 1 else ""
        question = (
            f"{counted(len(named), 'transcript')} of this project, {size:,.1f} MB: {named[0].parent}{more}\n"
        )
        sys.stderr.write(question)
        if not yes and not terminal.confirm("Import them?"):
            return Screen()
    with terminal.progress("importing") as step:
        report = daypack.sessions.add_transcripts(*named, progress=step)
    text = json.dumps(serialize.report_to_dict(report)) + "\n" if as_json else _report_text(report)
    if report.files or report.issues:
        return Screen(text, 0 if report.files else 1)
    none = f"no transcripts in {', '.join(str(path) for path in named[:3])}; name a transcript, or a folder of them"
    return Screen(text, 1, notes=(none,))


def _report_text(report: SessionReport) -> str:
    from daypack.shapes.outcomes import secrets_replaced

    lines = [
        f"{counted(report.files, 'transcript')}, {counted(report.sessions, 'session')}: {report.added:,} new, {report.repeated:,} repeated, {report.known:,} already imported"
        + (f", dropped {report.evicted:,} of little importance" if report.evicted else "")
    ]
    lines += secrets_replaced(report.redactions)
    if report.broken:
        lines.append(f"passed over {counted(report.broken, 'line')} that could not be read")
    lines += [f"skipped {one_line(issue, 200)}" for issue in report.issues]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- reading


_NO_SESSIONS = "no sessions yet; `daypack install --client NAME --hooks` captures them, `daypack session import` reads transcripts"


def list_(daypack: Daypack) -> tuple[Session, ...]:
    """List sessions, the latest first."""
    return daypack.sessions.sessions()


def stats(daypack: Daypack) -> Usage:
    """Show what agents asked, what packs gave, and which sources came up again in replies and calls.

    Needs hooks (`daypack install --hooks`); the last 200 packs count.
    """
    return daypack.sessions.usage()


def _stats_screen(found: Usage) -> Screen:
    none = (
        "no packs and no calls yet; `daypack install --client NAME --hooks` lets an agent's hooks record them"
    )
    text = usage.page(found)
    return Screen(text, hints=() if text else (none,))


def _sessions_screen(found: tuple[Session, ...]) -> Screen:
    lines = (
        f"{item.short}  {utc_minutes(item.started_at, item.last_at)}  {counted(item.events, 'event')}"
        f"  {one_line(item.client, 20)}  {one_line(item.request or item.id, 80)}\n"
        for item in found
    )
    return Screen("".join(lines), hints=() if found else (_NO_SESSIONS,))


def _sessions_to_dict(found: tuple[Session, ...]) -> dict[str, Any]:
    return {"sessions": [*map(serialize.session_to_dict, found)]}


def _briefing_screen(found: Briefing) -> Screen:
    return Screen(found.text, hints=() if found.session else (_NO_SESSIONS,))


def _nothing_yet(error: DaypackError, arguments: dict[str, Any], default: int) -> Briefing:
    """The briefing for a project without a store, because hooks request one at the start of each session."""
    if not isinstance(error, StoreNotFound):
        raise error
    from daypack.doors.sessions.door import nothing_yet

    return nothing_yet(arguments.get("budget", default), arguments.get("tokenizer", "o200k"))


# ---------------------------------------------------------------- removing


def purge(
    daypack: Daypack,
    session: Annotated[str, "This session.", Flag("--session", metavar="ID")] = "",
    everything: Annotated[
        bool, "All sessions of the project.", Flag("--everything", retired="--project")
    ] = False,
    before: Annotated[
        float | None, "Sessions that ended before this moment.", Flag(metavar="DATE", read="date")
    ] = None,
) -> PurgeReceipt:
    """Erase sessions: their texts, index entries and vectors."""
    return daypack.sessions.purge(session=session, everything=everything, before=before)


def _purged_screen(receipt: PurgeReceipt) -> Screen:
    lines = [f"removed {counted(receipt.sessions, 'session')} with {counted(receipt.events, 'event')}"]
    if not receipt.log_emptied:
        lines.append(NOT_REWRITTEN)
    if receipt.sessions:
        lines += [f"may still hold it: {one_line(place, 200)}" for place in receipt.may_still_hold]
    return Screen("\n".join(lines) + "\n", 0 if receipt.sessions else 1)


def _has_spool(folder: str) -> bool:
    """True when hooks have spooled events in this folder, even if it has no store yet."""
    return bool(spool.waiting(folder))


VERB = {verb.name: verb for verb in VERBS}
COMMANDS = (
    Command(capture, at="session capture", opens="none"),
    Command(import_, at="session import", opens="created"),
    Command(list_, _sessions_screen, "session list", _sessions_to_dict, opens=_has_spool),
    Command(
        VERB["session_timeline"],
        pages.timeline,
        plain=serialize.timeline_to_dict,
        opens=_has_spool,
        help="Show events in order; older events that did not fit are counted.",
    ),
    Command(
        VERB["session_resume"],
        _briefing_screen,
        plain=serialize.briefing_to_dict,
        opens=_has_spool,
        rescue=lambda error, arguments: _nothing_yet(error, arguments, 800),
        help="Summarise a session so that its work can go on, with citations, within a budget.\n\n"
        "The last request and answer, blockers, open tasks, constraints, decisions, rejected approaches, files.",
    ),
    Command(
        VERB["session_snapshot"],
        _briefing_screen,
        plain=serialize.briefing_to_dict,
        opens=_has_spool,
        rescue=lambda error, arguments: _nothing_yet(error, arguments, 2000),
    ),
    Command(stats, _stats_screen, "stats", asdict, opens=_has_spool),
    Command(
        purge,
        _purged_screen,
        "session purge",
        serialize.receipt_to_dict,
        opens=_has_spool,
        check=one_of(
            "say what to purge: --session ID, --everything or --before DATE",
            "session",
            "everything",
            "before",
        ),
    ),
)
