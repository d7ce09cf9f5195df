"""The commands that look for damage in a store and mend it: `daypack doctor`, `check`, `repair`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from daypack.errors import StoreDamaged
from daypack.guard.fences import one_line
from daypack.verbs.command import BadUsage, Command, Screen, Unopened
from daypack.verbs.table import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from daypack.api import Daypack
    from daypack.api.repairing import Repaired
    from daypack.index.salvage.rescue import Lost

SHOWN = 20  # losses on a terminal; the report has all

Checks = list[tuple[str, str, str]]


def doctor(
    daypack: Daypack,
    deep: Annotated[
        bool, "The same as `daypack check --deep`.", Flag(instead="daypack check --deep")
    ] = False,
) -> Checks:
    """Check the environment and the store; exit status 1 reports damage."""
    checks = daypack.check(deep=True) if deep else daypack.doctor()
    return [(check.name, check.verdict.value, check.detail) for check in checks]


def check(
    daypack: Daypack,
    deep: Annotated[bool, "Also compare every text with its hash, and add up every posting."] = False,
    sample: Annotated[float, "Compare a random share of the texts with their hashes, as 5%.", Flag(metavar="SHARE", read=_share)] = 0.0,
) -> Checks:  # fmt: skip
    """Check the data of the store: pages, rows, index, vectors, audits; exit status 1 reports damage.

    `daypack repair` mends it.
    """
    checks = daypack.check(deep=deep, sample=sample)
    return [(one.name, one.verdict.value, one.detail) for one in checks]


def _share(text: str) -> float:
    number = text.strip().removesuffix("%")
    try:
        share = float(number) / (100 if number != text.strip() else 1)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise BadUsage(f"{text!r:.40} is not a share; write 5% or 0.05")
    return share


def _damaged(error: Exception, _arguments: dict[str, Any]) -> Checks:
    """The check of a store whose list of tables is damaged, so that it cannot be opened."""
    if not isinstance(error, StoreDamaged):
        raise error
    return [("opening", "damage", f"{error.path} cannot be opened ({error.detail}): {error.mend}")]


def checks_screen(checks: Checks) -> Screen:
    lines = (f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks)
    damaged = any(verdict == "damage" for _, verdict, _ in checks)
    return Screen("".join(lines), 1 if damaged else 0, paint="checks")


def checks_data(checks: Checks) -> list[dict[str, str]]:
    return [{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks]


# ---------------------------------------------------------------- repair


def repair(store: Unopened) -> Repaired:
    """Rescue what can be read of a damaged store, and rebuild everything else; exit status 1 reports losses.

    The damaged store is kept, and a report beside it lists what is lost. End other processes that use the store first.
    """
    from daypack.api import Daypack

    return Daypack.repair(store.folder)


def repaired_screen(repaired: Repaired) -> Screen:
    if repaired.rescued is None:
        return Screen("nothing is damaged\n")
    return Screen("".join(_repaired_lines(repaired)), 0 if repaired.complete else 1)


def _repaired_lines(repaired: Repaired) -> Iterator[str]:
    rescued = repaired.rescued
    assert rescued is not None
    counts = rescued.kept
    shown = ((counts.get(table, 0), names) for table, names in _SHOWN_TABLES.items())
    parts = (f"{count:,} {one if count == 1 else more}" for count, (one, more) in shown if count)
    yield f"kept      {', '.join(parts)}\n"
    yield from _listed("lost", [*map(_loss, rescued.lost), *repaired.removed])
    yield from _listed("doubtful", [*map(_loss, rescued.doubtful)])
    if rescued.pages or rescued.cells or rescued.frames:
        yield (
            f"unread    {rescued.pages:,} pages, {rescued.cells:,} rows, {rescued.frames:,} frames of the log: "
            f"they may have held more\n"
        )
    for line in repaired.remaining:
        yield f"damaged   {one_line(line, 160)}\n"
    if repaired.complete:
        yield "lost      nothing\n"
    yield f"original  {repaired.kept.aside or 'the newest backup in the folder `backup` of the store'}\n"
    yield f"report    {repaired.report}\n"


def _listed(word: str, lines: list[str]) -> Iterator[str]:
    for line in lines[:SHOWN]:
        yield f"{word:<9} {one_line(line, 160)}\n"
    if len(lines) > SHOWN:
        yield f"{word:<9} {len(lines) - SHOWN:,} more\n"


def _loss(row: Lost) -> str:
    return f"{row.table} {_named(row.key) or row.rowid}: {row.why}"


_SHOWN_TABLES = {
    "record": ("record", "records"), "memory": ("memory", "memories"), "document": ("document", "documents"),
    "session_event": ("event", "events"), "source_item": ("source", "sources"),
}  # fmt: skip


def _named(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key if isinstance(part, str | int) and part != "")


def repaired_data(repaired: Repaired) -> dict[str, Any]:
    from daypack.api.repairing import report_of

    places = {
        "kept_backup": repaired.kept.backup,
        "kept_aside": repaired.kept.aside,
        "report": repaired.report,
    }
    return {**report_of(repaired), **places}


COMMANDS = (
    Command(doctor, checks_screen, "doctor", checks_data, rescue=_damaged),
    Command(check, checks_screen, "check", checks_data, rescue=_damaged),
    Command(repair, repaired_screen, "repair", repaired_data, opens="later"),
)
