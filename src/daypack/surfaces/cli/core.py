"""The commands for the whole store: `daypack pack`, `search`, `get`, `status`, `reindex`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Annotated, Any

from daypack.errors import NotFound
from daypack.guard.fences import one_line
from daypack.shapes.plain import pick
from daypack.shapes.wording import counted, day
from daypack.surfaces.cli.asking import check_question, pack, search
from daypack.system import path_named
from daypack.verbs.command import Command, Screen, Terminal
from daypack.verbs.table import Flag, Positional

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from daypack.api import Daypack
    from daypack.types import Found, IngestReport


MOST_SKIPPED = 30  # entries of a folder that a terminal shows

# ---------------------------------------------------------------- get


def get(daypack: Daypack, reference: Annotated[str, Positional(complete="file")]) -> Found:
    """Show the exact text behind a citation, a path or path:12-40."""
    from daypack.text.references import readings_of

    try:
        return daypack.get(reference)
    except NotFound as error:
        path = next((one.name for one in readings_of(reference) if os.path.lexists(one.name)), None)
        if path is None:
            raise
        name = daypack.files.name_of(path)
        if daypack.engine.store.find_records(name):  # relative to a folder below the root
            return daypack.get(name + reference[len(path) :])
        fault, _, _ = str(error).partition("; ")
        raise NotFound(fault, f"`daypack status {shlex.quote(path)}` gives the reason") from None


def found_screen(found: Found) -> Screen:
    from daypack.shapes.answers import notes_on_found

    text = found.text if found.text.endswith("\n") else found.text + "\n"
    return Screen(text, notes=tuple(notes_on_found(found)))


def found_data(found: Found) -> dict[str, Any]:
    from daypack.shapes import answers

    return answers.found_to_dict(found)


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

    With FILE: why this file is in the store, or is not; of a folder, its skipped entries.
    """
    from daypack.guard.paths import PathNotFound

    why = file or why
    if why is None:
        return daypack.status()
    name, issue, gone = daypack.files.name_of(why), None, False
    try:
        issue = daypack.files.why(why)
    except PathNotFound as error:
        if not daypack.engine.store.find_records(name):
            raise PathNotFound(error.path, "check the path; the store has no text of this name") from None
        gone = daypack.get(name).state == "gone"
    if issue is None and path_named(why).is_dir():
        files, skipped = daypack.files.below(why)
        entries = [pick(issue, "path=uri reason detail") for issue in skipped]
        own = {"path": why, "indexed": files > 0, "reason": None, "detail": ""}
        return own | {"files": files, "skipped": entries}
    stored = issue is None and bool(daypack.engine.store.find_records(name))
    return {
        "path": why,
        "indexed": stored,
        "reason": issue.reason.value if issue else None,
        "detail": issue.detail if issue else "",
        "encoding": daypack.files.encoding_of(why) if stored else "",
        "gone": gone,
    }


_ENCODINGS = {
    "cp1252": "Windows-1252, since its bytes are not UTF-8",
    "latin-1": "Latin-1, since its bytes are not UTF-8",
}


def status_screen(facts: dict[str, Any]) -> Screen:
    return _why_screen(facts) if "path" in facts else Screen(_status_text(facts))


def _why_screen(facts: dict[str, Any]) -> Screen:
    path, reason = facts["path"], facts["reason"]
    if "files" in facts and (facts["indexed"] or facts["skipped"]):
        return _folder_screen(facts)
    if facts.get("gone"):  # which an answer about a folder lacks
        kept = "the store keeps its text until a question finds it gone"
        return Screen(f"{path} is no longer on disk; {kept}\n")
    if facts["indexed"]:
        encoding = _ENCODINGS.get(facts["encoding"], facts["encoding"])
        return Screen(f"{path} is indexed{f', read as {encoding}' if encoding else ''}\n")
    if reason is not None:
        return Screen(f"{path} is not indexed: {_reason(facts)}\n", 1)
    return Screen(f"{path} is not indexed yet; to index it, run `daypack add {path}`\n", 1)


def _reason(facts: Mapping[str, str]) -> str:
    return f"{facts['reason'].replace('_', ' ')}{': ' + facts['detail'] if facts['detail'] else ''}"


def _folder_screen(facts: dict[str, Any]) -> Screen:
    """A folder's number of indexed files, and a line for each skipped entry."""
    files, skipped = facts["files"], facts["skipped"]
    lines = [f"{facts['path']}: {counted(files, 'file')} indexed, {len(skipped):,} skipped"]
    lines += [f"  {one['path']}  {_reason(one)}" for one in skipped[:MOST_SKIPPED]]
    if (more := len(skipped) - MOST_SKIPPED) > 0:
        lines.append(f"  … and {more:,} more; --json lists all")
    return Screen("\n".join(lines) + "\n", 0 if files else 1)


def _status_text(facts: dict[str, Any]) -> str:
    from daypack.shapes.weights import described

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in facts["kinds"].items()) or "nothing yet"
    languages = ", ".join(f"{name or 'unknown'} {count:,}" for name, count in facts["languages"].items())
    lines = [
        f"store      {facts['store']}  ({facts['bytes'] / 1e6:,.1f} MB)",
        f"added      {', '.join(facts['sources']) or 'none: run `daypack add .`'}",
        *(
            f"missing    {root}: moved or deleted; add its new place, and run `daypack remove {shlex.quote(root)}`"
            for root in facts["missing_sources"]
        ),
        f"records    {facts['records']:,}  ({kinds})",
        f"languages  {languages or 'none'}",
        f"chunks     {facts['chunks']:,}",
        f"vectors    by {facts['embedder'] or 'a model that cannot be used; see --vectors none'}",
        *_vector_lines(facts["vectors"]),
        f"freshness  {_freshness(facts['stale_files'], facts['stale_folders'], facts['unchecked_files'], facts['root'])}",
    ]
    if facts["read_earlier"]:
        lines.append(
            "reading    by an earlier version of Daypack; `daypack reindex` gives the answers of this one"
        )
    if fitted := facts["fitted"]:
        lines.append(
            f"weights    {described(fitted['weights'])}, fitted on {one_line(fitted['suite'], 48)}, {day(fitted['created'])}, for answers by "
            + (f"{fitted['embedder']} and words" if fitted["embedder"] else "words alone")
        )
    if facts["broken"]:
        lines.append(
            f"broken     {facts['broken']:,} packs named items of their conversation that had changed or gone"
        )
    if facts["skipped"]:
        skipped = (f"{count:,} {reason.replace('_', ' ')}" for reason, count in facts["skipped"].items())
        lines.append(f"skipped    {', '.join(skipped)}")
    return "\n".join(lines) + "\n"


def _freshness(files: int, folders: int, unchecked: int, root: str) -> str:
    """The files that changed; of a folder with new files, or with an interrupted `add`, their number is not known."""
    if unchecked:
        return (
            f"{counted(unchecked, 'file')} cannot be checked: the store has not read them in {root}; "
            "run `daypack add .` in their folder"
        )
    if not files and not folders:
        return "every file is as indexed"
    from daypack.doors.files.entry import SMALL_CHANGE

    changed = [f"{counted(files, 'file')} changed"] if files else []
    since = " and ".join([*changed, *(["files came or went"] if folders else [])])
    return f"{since} since; " + (
        "too many for a query to read: run `daypack add .`"
        if files > SMALL_CHANGE
        else f"the next query reads {'it' if files == 1 and not folders else 'them'}"
    )


def _vector_lines(entries: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each door."""
    for door in dict.fromkeys(entry["door"] for entry in entries):
        places = [entry for entry in entries if entry["door"] == door]
        chunks, encoded = (sum(place[name] for place in places) for name in ("chunks", "encoded"))
        state = max((place["state"] for place in places), key=("complete", "instant", "partial").index)
        by_model = "" if state == "complete" else f", {encoded:,} of {chunks:,} by the model"
        if by_model and encoded == chunks:
            by_model += ", in use after the next change"
        yield f"  {door:<8} {state}{by_model}"


# ---------------------------------------------------------------- reindex


def reindex(daypack: Daypack, *, terminal: Terminal) -> IngestReport:
    """Read the files again, and rebuild everything that derives from texts.

    Vectors of equal text are kept. After an upgrade the store answers as a new one would.
    """
    with terminal.progress("reading") as step:
        return daypack.reindex(progress=step)


def rebuilt_text(report: IngestReport) -> str:
    return f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n"


COMMANDS = (
    Command(pack, at="pack", opens="indexed", check=check_question),
    Command(search, at="search", opens="indexed", check=check_question),
    Command(get, found_screen, "get", found_data),
    Command(status, status_screen, "status", dict),
    Command(reindex, rebuilt_text, "reindex"),
)
