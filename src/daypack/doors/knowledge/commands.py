"""The commands that add content (`daypack add`, `run`) and those of labels (`label`)."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.errors import DaypackError, InputError
from daypack.guard.fences import one_line
from daypack.system import path_named
from daypack.verbs.command import FROM_THE_START, BadUsage, Command, Screen, Terminal
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.knowledge.types import Label, LabelUpdate
    from daypack.types import IngestIssue, IngestReport


# ---------------------------------------------------------------- add


def add(
    daypack: Daypack,
    paths: Annotated[list[str], Positional(metavar="PATH...", read="path")],
    name: Annotated[str, "Name of the text from standard input (-)."] = "stdin",
    label: Annotated[
        str | None,
        "Keep it as one source under this label, replacing the previous one.",
        Flag(metavar="NAME"),
    ] = None,
    web: Annotated[  # noqa: ARG001 - `check_addition` reads it
        bool, "Allow fetching https:// addresses (off by default); only public ones.", Flag(setting=True)
    ] = False,
    force: Annotated[bool, "Fetch a page again although it was fetched within a day."] = False,
    vectors: Annotated[
        Literal["auto", "all"],
        "all: make every vector now; can be interrupted and run again.",
        Flag(retired="--embed=all"),
    ] = "auto",
    watch: Annotated[bool, "Then watch for changes until Ctrl-C, with a report for each change."] = False,
    as_json: Annotated[bool, "Print the report as one JSON object.", Flag("--json")] = False,
    *,
    terminal: Terminal,
) -> Screen:
    """Index each PATH: a folder, a file, or - for standard input.

    Only changed files are read again.
    """
    if label is not None or any(map(_is_url, paths)):
        return _kept_screen(_keep(daypack, paths[0], label or "", force=force), as_json=as_json)
    from daypack.engine.upkeep import READ_EARLIER, was_read_earlier
    from daypack.types import IngestReport

    files = [path for path in paths if path != "-"]
    with terminal.progress("indexing") as step:
        report = daypack.files.add(*files, progress=step) if files else IngestReport()
    if "-" in paths:
        report += daypack.files.add_text(_piped(), name=name)
    if was_read_earlier(daypack.engine.store):
        terminal.note(READ_EARLIER)
    named = {*map(daypack.files.name_of, files), *([name] if "-" in paths else [])}
    refused = [issue for issue in report.issues if issue.uri.rstrip("/") in named]

    def reports() -> Iterator[str]:
        yield shown(report)
        if watch:
            try:
                for change in daypack.files.watch(*files, note=terminal.note):
                    terminal.write(shown(change))
            except KeyboardInterrupt:
                terminal.note("stopped watching")

    def shown(report: IngestReport) -> str:
        embedded = 0
        if vectors == "all":
            with terminal.progress("embedding") as step:
                embedded = daypack.embed(progress=step)
        return _report_json(report, embedded) if as_json else _report_text(report, embedded)

    return Screen(reports(), 1 if refused else 0, notes=tuple(map(_refusal, refused)))


def check_addition(arguments: Mapping[str, Any]) -> None:
    """Check the arguments of `add` before a store is created for them. Raises BadUsage, PathNotFound and PathUnreadable."""
    from daypack.guard.paths import check_present

    paths, watch = arguments["paths"], arguments.get("watch")
    pages = [path for path in paths if _is_url(path)]
    if pages or arguments.get("label") is not None:
        if watch:
            raise BadUsage("--watch follows files and folders, no labels and no pages")
        if len(paths) > 1:
            raise BadUsage("add one labelled source or one page at a time")
    if watch and "-" in paths:
        raise BadUsage("--watch follows files and folders, not standard input")
    if pages and not arguments.get("web"):
        raise BadUsage("fetching pages is off; allow it with --web for this time, or with DAYPACK_WEB=1")
    for path in paths:
        if path != "-" and path not in pages:
            check_present(path_named(path), path)


def _refusal(issue: IngestIssue) -> str:
    return f"{one_line(issue.uri.rstrip('/'), 110)} was not added: {one_line(issue.why, 300)}"


def _piped() -> str:
    from daypack.guard.inputs import read_stream

    return read_stream(sys.stdin.buffer).decode("utf-8", "surrogateescape")


def _is_url(path: str) -> bool:
    return path.lower().startswith(("https://", "http://"))


def _keep(daypack: Daypack, path: str, label: str, *, force: bool) -> LabelUpdate:
    """Index one source under a label."""
    if path == "-":
        return daypack.knowledge.add_text(label, _piped())
    if not _is_url(path):
        return daypack.knowledge.add_path(path, label=label)
    return daypack.knowledge.add_page(path, label=label, force=force)


def _kept_screen(kept: LabelUpdate, *, as_json: bool) -> Screen:
    from daypack.doors.knowledge import pages, serialize

    text = _json(serialize.update_to_dict(kept)) if as_json else pages.update_text(kept)
    return Screen(text, 0 if kept.report.added + kept.report.updated + kept.report.unchanged else 1)


def _json(data: Any) -> str:
    return json.dumps(data) + "\n"


def _report_json(report: IngestReport, embedded: int) -> str:
    from daypack.shapes.outcomes import issues_to_list
    from daypack.shapes.plain import pick

    counts = pick(report, "added updated unchanged removed chunks bytes redactions")
    return _json({**counts, "embedded": embedded, "issues": issues_to_list(report.issues)})


def _report_text(report: IngestReport, embedded: int) -> str:
    from daypack.settings.installation import adding
    from daypack.shapes.outcomes import counts_in_words, secrets_replaced
    from daypack.shapes.wording import counted
    from daypack.types import SkipReason

    counts = counts_in_words(report, "added updated unchanged removed")
    lines = [f"{counts} ({counted(report.chunks, 'chunk')} written)"]
    if embedded:
        lines.append(f"embedded {counted(embedded, 'chunk')}")
    lines += secrets_replaced(report.redactions)
    reasons = Counter(issue.reason for issue in report.issues)
    if reasons:
        skipped = (f"{count:,} {reason.words}" for reason, count in sorted(reasons.items()))
        lines.append(f"skipped: {', '.join(skipped)}  (`daypack status FOLDER` lists them)")
    if SkipReason.NEEDS_EXTRA in reasons:
        lines.append(
            f"PDF, Excel and rich text files are read with an extra: {adding('office')}, then add them again"
        )
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- run


def check_command(arguments: Mapping[str, Any]) -> None:
    """Check that a command can be run before a store is created for its output. Raises CommandNotFound."""
    import shutil

    from daypack.doors.reading.process import CommandNotFound

    name = next(iter(arguments["arguments"]), "")
    if name and shutil.which(name) is None:
        raise CommandNotFound(name, "no such program")


def run(
    daypack: Daypack,
    label: Annotated[str, "Label of the output. [default: the command]", Flag(metavar="NAME")] = "",
    queries: Annotated[
        list[str] | None,
        "Print only the parts that answer this.",
        Flag("--query -q", metavar="TEXT", read="query"),
    ] = None,
    budget: Annotated[int, "Maximum size of all answers together.", Flag("--budget -b", read="tokens")] = 500,
    timeout: Annotated[
        float, "Stop the command after this time.", Range(0.1, 86_400), Flag(metavar="SECONDS")
    ] = 600.0,
    as_json: Annotated[bool, "Print one JSON object.", Flag("--json")] = False,
    *,
    arguments: Annotated[list[str], Positional(metavar="-- CMD ARG...")],
) -> Screen:
    """Run a command, keep its output, and print what answers a question.

    No shell is involved. The exit status is that of the command.
    """
    from daypack.doors.knowledge import pages, serialize
    from daypack.doors.knowledge.verbs import failures
    from daypack.shapes import answers

    output = daypack.knowledge.run(arguments, label=label, seconds=timeout)
    packs = daypack.knowledge.answers(output, queries or [], budget=budget)
    if as_json:
        found = [{"query": pack.query, "text": pack.text, **answers.pack_to_dict(pack)} for pack in packs]
        text = _json({**serialize.output_to_dict(output), "answers": found})
    else:
        failing = failures(daypack, output, packs, budget=budget)
        text = pages.output_text(output, packs, failing)
    return Screen(text, output.ran.status or (124 if output.ran.stopped else 0))


# ---------------------------------------------------------------- label


def list_(daypack: Daypack, partial: Annotated[str, Positional(metavar="[PART]")] = "") -> list[Label]:
    """List labelled sources, the latest first; with PART, those whose label contains it."""
    daypack.knowledge.try_refresh()
    return list(daypack.knowledge.labels(partial))


def labels_screen(found: list[Label], partial: Annotated[str, Positional()] = "") -> Screen:
    from daypack.shapes.wording import utc_minute

    lines = (
        f"{utc_minute(item.added_at)}  {item.kind:<6} {item.size:>12,} bytes  {one_line(item.name, 80)}{_state_text(item.state)}\n"
        for item in found
    )
    none = (
        f"no label contains {partial!r}; `daypack label list` lists all of them"
        if partial
        else "no labels yet; `daypack add --label NAME PATH` adds one"
    )
    return Screen("".join(lines), hints=() if found else (none,))


def labels_data(found: list[Label]) -> dict[str, Any]:
    from daypack.doors.knowledge import serialize

    return {"sources": [*map(serialize.label_to_dict, found)]}


def _state_text(state: str) -> str:
    return {
        "gone": "  (its origin is gone; this is its last text)",
        "stale": "  (not checked for a day)",
    }.get(state, "")


def refresh(
    daypack: Daypack,
    web: Annotated[
        bool,
        "Also fetch pages that were not checked within a day (off by default).",
        Flag(envvar="DAYPACK_WEB"),
    ] = False,
) -> dict[str, Any]:
    """Check the files, folders and pages behind labels, and read changed ones again.

    Every query checks files and folders; pages are checked only here, by their ETag.
    """
    changed = daypack.knowledge.refresh()
    refused: dict[str, str] = {}
    for name, kept in daypack.knowledge.refresh_pages() if web else ():
        if isinstance(kept, DaypackError):
            refused[name] = str(kept)
        elif kept.changed:
            changed.append(name)
    stale = [item.name for item in daypack.knowledge.labels() if item.state == "stale"]
    return {"changed": changed, "refused": refused, "stale": stale}


def refreshed_screen(done: dict[str, Any], web: bool = False) -> Screen:
    text = "".join(f"changed: {one_line(name, 80)}\n" for name in done["changed"]) or "nothing changed\n"
    text += "".join(f"not fetched: {one_line(why, 200)}\n" for why in done["refused"].values())
    if done["stale"] and not web:
        text += f"{len(done['stale']):,} pages were not looked at for a day; --web asks for them\n"
    return Screen(text, 1 if done["refused"] else 0)


def remove(daypack: Daypack, label: Annotated[str, Positional()]) -> int:
    """Erase the source under LABEL."""
    return daypack.knowledge.remove(label)


def remove_named(
    daypack: Daypack,
    names: Annotated[list[str], Positional(metavar="NAME...")],
    yes: Annotated[bool, "Do not ask."] = False,
    *,
    terminal: Terminal,
) -> str:
    """Take added folders and files, or texts from standard input, out of the store, by NAME.

    A NAME is one that `daypack status` lists as added, or that `daypack add - --name` gave. Files stay on disk.
    """
    from daypack.shapes.wording import counted

    added = {name: root for name in names if (root := _added(daypack, name)) is not None}
    roots, texts = dict.fromkeys(added.values()), [name for name in names if name not in added]
    known = all(_is_text(daypack, name) for name in texts)  # for others `remove_texts` has the message
    asked = bool(roots or (texts and sys.stdin.isatty())) and known and not yes
    if asked and not terminal.confirm(_removal([_place(daypack, root) for root in roots], texts)):
        return ""
    lines = [f"removed {counted(daypack.files.remove_texts(texts), 'text')}\n"] if texts else []
    lines += [
        f"removed {one_line(root, 80)}: {counted(daypack.files.remove(root), 'file')}\n" for root in roots
    ]
    lines += [
        f"kept the text {one_line(name, 80)}; the same command again removes it\n"
        for name in added
        if _is_text(daypack, name)
    ]
    return "".join(lines)


def _removal(places: list[str], texts: list[str]) -> str:
    """The question whether folders and files may go, of which the disk has a copy, and texts, which are in the store alone."""
    gone = ", ".join(one_line(place, 300) for place in places)
    if not texts:
        return f"Take {gone} out of the store? Files stay on disk."
    what = f"the text{'s' if len(texts) > 1 else ''} {', '.join(repr(one_line(name, 80)) for name in texts)}"
    if not places:
        return f"Erase {what}? The store holds the only copy."
    return f"Take {gone} out of the store, whose files stay on disk, and erase {what}, which the store alone holds?"


def _added(daypack: Daypack, name: str) -> str | None:
    """The added folder or file that a name means: the path as seen from the working folder, which may be gone from the disk,
    else the name as the store lists it. Raises InputError for two different ones.
    """
    if not name:
        return None
    roots = daypack.files.roots()
    seen = daypack.files.name_of(name)
    if seen in roots and name in roots and seen != name:
        places = (
            f"{_place(daypack, seen)} as seen from here, {_place(daypack, name)} as `daypack status` lists it"
        )
        raise InputError(f"{name!r} means two added folders or files: {places}; give the full path of one")
    spellings = [seen, name] if _is_text(daypack, name) else [seen, name, os.path.normpath(name)]
    return next((one for one in spellings if one in roots), None)


def _is_text(daypack: Daypack, name: str) -> bool:
    return daypack.engine.store.stored_record("text", "", name) is not None


def _place(daypack: Daypack, root: str) -> str:
    """The full path of an added folder or file."""
    from daypack.guard.paths import path_of

    return str(path_of(daypack.root, root))


def removed_text(texts: int, label: Annotated[str, Positional()]) -> str:
    from daypack.shapes.wording import counted

    return f"removed {one_line(label, 80)}: {counted(texts, 'text')}\n"


COMMANDS = (
    Command(add, at="add", opens="created", check=check_addition),
    Command(remove_named, at="remove"),
    Command(
        run,
        at="run",
        opens="created",
        passes_options=True,
        check=check_command,
        interrupted=f"the output of a command that was stopped is not kept; {FROM_THE_START}",
    ),
    Command(list_, labels_screen, "label list", labels_data),
    Command(refresh, refreshed_screen, "label refresh", dict),
    Command(remove, removed_text, "label remove"),
)
