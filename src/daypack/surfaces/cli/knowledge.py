"""Commands about sources under labels: parse, call the knowledge door, print."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from daypack.surfaces.cli.common import line, opened, print_json, text_argument, write
from daypack.surfaces.cli.main import source

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.knowledge import Kept, Output
    from daypack.types import Pack


def add_labelled(daypack: Daypack, path: str, label: str, *, as_json: bool) -> int:
    """Index one source under a label and say what came of it; the exit status."""
    if path == "-":
        kept = daypack.knowledge.add_text(label, sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    else:
        kept = daypack.knowledge.add_path(path, label=label)
    if as_json:
        print_json(data_of_kept(kept))
    else:
        write(kept_text(kept))
    return 0 if kept.report.added + kept.report.updated + kept.report.unchanged else 1


def data_of_kept(kept: Kept) -> dict[str, Any]:
    report = kept.report
    counts = {name: getattr(report, name) for name in ("added", "updated", "unchanged", "removed", "chunks", "bytes")}
    issues = [{"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail} for issue in report.issues]
    return {"label": kept.label, "uri": kept.uri, "replaced": kept.replaced, "changed": kept.changed, **counts, "issues": issues}


def kept_text(kept: Kept) -> str:
    report = kept.report
    if not report.added + report.updated + report.unchanged:
        why = report.issues[0] if report.issues else None
        return (
            f"{line(kept.uri, 200)} holds nothing to index"
            + (f": {why.reason.value.replace('_', ' ')}, {line(why.detail)}" if why else "")
            + "\n"
        )
    what = "replaced" if kept.replaced and kept.changed else "kept" if kept.changed else "is as it was:"
    passed = f", passed over {len(report.issues):,}" if report.issues else ""
    return (
        f"{what} {line(kept.uri, 200)}: {report.bytes:,} characters in {report.added + report.updated + report.unchanged:,} texts{passed}\n"
    )


# ---------------------------------------------------------------- run


def run_command(
    daypack: Daypack, arguments: Sequence[str], *, label: str, queries: Sequence[str], budget: int, seconds: float, as_json: bool
) -> int:  # fmt: skip
    """Run a command, print what answers the queries; the command's exit status."""
    from daypack.surfaces import answers

    output = daypack.knowledge.run([*map(text_argument, arguments)], label=label, seconds=seconds)
    packs = daypack.knowledge.answers(output, queries, budget=budget)
    if as_json:
        print_json(
            {**data_of_output(output), "answers": [{"query": pack.query, "text": pack.text, **answers.of_pack(pack)} for pack in packs]}
        )
    else:
        write(output_text(output, packs))
    return output.ran.status or (124 if output.ran.stopped else 0)


def data_of_output(output: Output) -> dict[str, Any]:
    ran = output.ran
    return {
        "label": output.label, "uri": output.kept.uri if output.kept else None, "status": ran.status, "seconds": round(ran.seconds, 3), "bytes": ran.size,
        "lines": output.lines, "stopped": ran.stopped, "tail": list(output.tail),
        "issue": output.issue.detail or output.issue.reason.value if output.issue else None,
    }  # fmt: skip


def output_text(output: Output, packs: Sequence[Pack]) -> str:
    from daypack.doors.knowledge import no_text

    ran = output.ran
    where = (
        no_text(output.issue)
        if output.issue is not None
        else f"{output.lines:,} lines, kept as {line(output.kept.uri if output.kept else '', 200)}"
    )
    lines = [f"$ {line(shlex.join(ran.arguments), 200)}"]
    lines.append(f"exit {ran.status} after {ran.seconds:.1f} s{f' ({ran.stopped})' if ran.stopped else ''}; {ran.size:,} bytes, {where}")
    if packs:
        return "\n".join(lines) + "\n\n" + "\n".join(pack.text for pack in packs)
    return "\n".join([*lines, *(line(item, 200) for item in output.tail)]) + "\n"


# ---------------------------------------------------------------- source


@source.command("list")
@click.argument("partial", default="", metavar="[PART]")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def list_(context: click.Context, /, partial: str, as_json: bool, store: str | None) -> None:
    """The sources under labels, the latest first; with PART, those whose label holds it."""
    from daypack.shapes.wording import minute

    with opened(context, store, create=False) as daypack:
        daypack.knowledge.refresh_quietly()
        found = daypack.knowledge.sources(text_argument(partial))
        if as_json:
            print_json({"sources": [data_of_source(item) for item in found]})
        else:
            write("".join(
                f"{minute(item.added_at)}  {item.kind:<6} {item.size:>12,} bytes  {line(item.name, 80)}{state_text(item.state)}\n" for item in found
            ))  # fmt: skip
        context.exit(0 if found else 1)


def data_of_source(item: Any) -> dict[str, Any]:
    from daypack.shapes.wording import instant

    return {
        "label": item.name, "kind": item.kind, "origin": item.origin, "added": instant(item.added_at), "checked": instant(item.checked_at),
        "bytes": item.size, "texts": item.records, "state": item.state,
    }  # fmt: skip


def state_text(state: str) -> str:
    return {"gone": "  (its origin is gone; this is what was read)", "stale": "  (not looked at for a day)"}.get(state, "")


@source.command()
@click.argument("label")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def remove(context: click.Context, label: str, store: str | None) -> None:
    """Remove the source under LABEL for good."""
    with opened(context, store, create=False) as daypack:
        removed = daypack.knowledge.remove(text_argument(label))
        write(f"removed {line(label, 80)}: {removed:,} texts\n")
