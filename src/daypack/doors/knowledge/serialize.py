"""Labels, outputs of commands and search results as plain data."""

from __future__ import annotations

from typing import Any

from daypack.doors.knowledge.types import CommandOutput, Label, LabelUpdate
from daypack.shapes.outcomes import issues_to_list
from daypack.shapes.plain import pick, pick_set, rounded
from daypack.shapes.wording import instant
from daypack.types import Candidate, SearchResult


def search_to_dict(result: SearchResult) -> dict[str, Any]:
    """The places of the candidates, without their texts."""
    return {
        **pick(result, "query empty_reason notes"),
        **pick_set(result, "weak"),
        "results": [*map(_candidate_to_dict, result.candidates)],
    }


def _candidate_to_dict(found: Candidate) -> dict[str, Any]:
    chunk = found.chunk
    return {
        **pick(chunk, "reference id"),
        "score": rounded(found.score),
        **pick(chunk, "door session"),
        "time": instant(chunk.time) if chunk.time is not None else None,
    }


def label_to_dict(label: Label) -> dict[str, Any]:
    return {
        **pick(label, "label=name kind origin"),
        **pick(label, "added=added_at checked=checked_at", instant),
        **pick(label, "bytes=size texts=records state"),
    }


def update_to_dict(done: LabelUpdate) -> dict[str, Any]:
    return {
        **pick(done, "label uri replaced changed"),
        **pick(done.report, "added updated unchanged removed chunks bytes"),
        "issues": issues_to_list(done.report.issues),
    }


def output_to_dict(output: CommandOutput) -> dict[str, Any]:
    issue = output.issue
    return {
        "label": output.label,
        "uri": output.kept.uri if output.kept else None,
        "status": output.ran.status,
        "seconds": round(output.ran.seconds, 3),
        "bytes": output.ran.size,
        **pick(output, "lines stopped=ran.stopped tail"),
        "issue": issue.detail or issue.reason.value if issue else None,
    }
