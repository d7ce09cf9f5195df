"""`daypack status`, `doctor` and `reindex`: what the store holds, and whether it is well."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from daypack.guard.fences import one_line
from daypack.surfaces.cli.common import opened, print_json, write

if TYPE_CHECKING:
    from daypack.api import Daypack


@click.command()
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
        if fitted := facts["fitted"]:
            from daypack.rank.tuned_weights import described

            day = datetime.fromtimestamp(fitted["created"], UTC).date()
            lines.append(
                f"weights    {described(fitted['weights'])}, fitted on {one_line(fitted['suite'], 48)}, {day}, for answers by "
                + (f"{fitted['embedder']} and words" if fitted["embedder"] else "words alone")
            )
        if facts["skipped"]:
            lines.append(
                "passed over "
                + ", ".join(
                    f"{count:,} {reason.replace('_', ' ')}" for reason, count in facts["skipped"].items()
                )
            )
        write("\n".join(lines) + "\n")


def _why(context: click.Context, daypack: Daypack, path: str, *, as_json: bool) -> None:
    issue = daypack.files.why(path)
    stored = issue is None and bool(daypack.engine.store.find_records(daypack.files.name_of(path)))
    if as_json:
        print_json(
            {
                "path": path,
                "indexed": stored,
                "reason": issue.reason.value if issue else None,
                "detail": issue.detail if issue else "",
            }
        )
    elif issue is not None:
        write(
            f"{path} is not indexed: {issue.reason.value.replace('_', ' ')}{': ' + issue.detail if issue.detail else ''}\n"
        )
    elif stored:
        write(f"{path} is indexed\n")
    else:
        write(f"{path} is not indexed yet, and nothing forbids it: run `daypack add {path}`\n")
    context.exit(0 if stored else 1)


@click.command()
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
    except (
        StoreDamaged
    ) as error:  # what says which tables there are may be damaged as well, and then nothing can be opened
        checks = [("opening", "damage", str(error))]
    if as_json:
        print_json([{"name": name, "verdict": verdict, "detail": detail} for name, verdict, detail in checks])
    else:
        write("".join(f"{verdict:<8} {name:<14} {detail}\n" for name, verdict, detail in checks))
    context.exit(1 if any(verdict == "damage" for _, verdict, _ in checks) else 0)


@click.command()
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def reindex(context: click.Context, store: str | None) -> None:
    """Rebuild everything that is derived from the stored texts. Vectors of equal text are kept."""
    with opened(context, store, create=False) as daypack:
        report = daypack.reindex()
        write(f"rebuilt {report.chunks:,} chunks of {report.updated:,} records\n")
