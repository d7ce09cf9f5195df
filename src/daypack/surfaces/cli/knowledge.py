"""Commands about sources under labels: parse, call the knowledge door, print."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from daypack.surfaces.cli.common import line, note, opened, print_json, text_argument, write
from daypack.surfaces.cli.main import label as labels

if TYPE_CHECKING:
    from daypack.api import Daypack


def add_labelled(
    daypack: Daypack, path: str, label: str, *, as_json: bool, web: bool = False, force: bool = False
) -> int:
    """Index one source under a label and say what came of it; the exit status."""
    from daypack.doors.knowledge import pages, serialize

    if path == "-":
        kept = daypack.knowledge.add_text(label, sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    elif is_url(path):
        if not web:
            raise click.UsageError(
                "fetching pages is off; allow it with --web for this time, or with DAYPACK_WEB=1"
            )
        kept = daypack.knowledge.add_page(path, label=label, force=force)
    else:
        kept = daypack.knowledge.add_path(path, label=label)
    if as_json:
        print_json(serialize.update_to_dict(kept))
    else:
        write(pages.update_text(kept))
    return 0 if kept.report.added + kept.report.updated + kept.report.unchanged else 1


def is_url(path: str) -> bool:
    return path.lower().startswith(("https://", "http://"))


# ---------------------------------------------------------------- run


def run_command(
    daypack: Daypack,
    arguments: Sequence[str],
    *,
    label: str,
    queries: Sequence[str],
    budget: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Run a command, print what answers the queries; the command's exit status."""
    from daypack.doors.knowledge import pages, serialize
    from daypack.shapes import answers

    output = daypack.knowledge.run([*map(text_argument, arguments)], label=label, seconds=seconds)
    packs = daypack.knowledge.answers(output, queries, budget=budget)
    if as_json:
        print_json(
            {
                **serialize.output_to_dict(output),
                "answers": [
                    {"query": pack.query, "text": pack.text, **answers.of_pack(pack)} for pack in packs
                ],
            }
        )
    else:
        write(pages.output_text(output, packs))
    return output.ran.status or (124 if output.ran.stopped else 0)


# ---------------------------------------------------------------- label


@labels.command("list")
@click.argument("partial", default="", metavar="[PART]")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def list_(context: click.Context, /, partial: str, as_json: bool, store: str | None) -> None:
    """The sources under labels, the latest first; with PART, those whose label holds it."""
    from daypack.doors.knowledge import serialize
    from daypack.shapes.wording import minute

    with opened(context, store, create=False) as daypack:
        daypack.knowledge.refresh_quietly()
        found = daypack.knowledge.labels(text_argument(partial))
        if as_json:
            print_json({"sources": [serialize.label_to_dict(item) for item in found]})
        else:
            write(
                "".join(
                    f"{minute(item.added_at)}  {item.kind:<6} {item.size:>12,} bytes  {line(item.name, 80)}{state_text(item.state)}\n"
                    for item in found
                )
            )
            if not found:
                note(
                    "no label holds that"
                    if partial
                    else "nothing is kept under a label yet; `daypack add --label NAME PATH` does that",
                    always=True,
                )
        context.exit(0 if found else 1)


def state_text(state: str) -> str:
    return {
        "gone": "  (its origin is gone; this is what was read)",
        "stale": "  (not looked at for a day)",
    }.get(state, "")


@labels.command()
@click.option(
    "--web",
    is_flag=True,
    envvar="DAYPACK_WEB",
    help="Also ask for pages that nobody asked for within a day, which is off otherwise.",
)
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def refresh(context: click.Context, /, web: bool, as_json: bool, store: str | None) -> None:
    """Look at the files, folders and pages behind labels, and read again what changed.

    Files and folders are looked at by every query; pages only here, by what their servers said of them
    (ETag).
    """
    from daypack.errors import DaypackError

    with opened(context, store, create=False) as daypack:
        changed = daypack.knowledge.refresh()
        refused: dict[str, str] = {}
        for name, kept in daypack.knowledge.refresh_pages() if web else ():
            if isinstance(kept, DaypackError):
                refused[name] = str(kept)
            elif kept.changed:
                changed.append(name)
        stale = [item.name for item in daypack.knowledge.labels() if item.state == "stale"]
        if as_json:
            print_json({"changed": changed, "refused": refused, "stale": stale})
        else:
            write("".join(f"changed: {line(name, 80)}\n" for name in changed) or "nothing changed\n")
            write("".join(f"not fetched: {line(why, 200)}\n" for why in refused.values()))
            if stale and not web:
                write(f"{len(stale):,} pages were not looked at for a day; --web asks for them\n")
        context.exit(1 if refused else 0)


@labels.command()
@click.argument("label")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def remove(context: click.Context, label: str, store: str | None) -> None:
    """Remove the source under LABEL for good."""
    with opened(context, store, create=False) as daypack:
        removed = daypack.knowledge.remove(text_argument(label))
        write(f"removed {line(label, 80)}: {removed:,} texts\n")
