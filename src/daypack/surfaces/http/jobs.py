"""Long calls over HTTP, which agents have no tool for: adding files, and making vectors.

A job is a row of its own table in the form of a verb; its function gets the store with a report of progress.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from daypack.guard.paths import contained
from daypack.ports import Progress
from daypack.shapes.outcomes import issues_to_list
from daypack.shapes.plain import pick
from daypack.verbs import Access, Verb
from daypack.verbs.results import ISSUE, facts

if TYPE_CHECKING:
    from daypack.api import Daypack

_COUNTS = "added updated unchanged removed chunks redactions"  # of an IngestReport


class Job(NamedTuple):
    """A store, and the function that hears of progress: (done, total)."""

    daypack: Daypack
    step: Progress


def add(
    job: Job,
    paths: Annotated[
        list[str] | None, "Files and folders of the project; the whole project without any."
    ] = None,
) -> dict[str, Any]:
    """Index files and folders of the project, and remember them for later refreshes."""
    root = job.daypack.root
    report = job.daypack.files.add(*(contained(root, path) for path in paths or ["."]), progress=job.step)
    return {**pick(report, _COUNTS), "issues": issues_to_list(report.issues)}


def embed(job: Job) -> dict[str, Any]:
    """Make every vector that is missing, so that the model's vectors rank from the next question on."""
    return {"embedded": job.daypack.embed(progress=job.step)}


ADDED = facts(f"{' '.join(f'{name}:i' for name in _COUNTS.split())} issues:[issue]", issue=ISSUE)
EMBEDDED = facts("embedded:i")
JOBS = {
    job.name: job
    for job in (
        Verb("add", "store", Access.WRITE, add, "add", ADDED),
        Verb("embed", "store", Access.WRITE, embed, "embed", EMBEDDED),
    )
}
