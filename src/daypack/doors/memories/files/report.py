"""The report of an import of memories."""

from __future__ import annotations

from dataclasses import dataclass, fields

from daypack.types import IngestIssue


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import of memories. Counts are versions."""

    added: int = 0
    unchanged: int = 0
    ended: int = 0  # memories whose text vanished from its file
    refused: int = 0  # forgotten or redacted before: an import does not restore them
    issues: tuple[IngestIssue, ...] = ()

    def __add__(self, other: ImportReport) -> ImportReport:
        """Both imports in one report: counts add up, issues follow each other."""
        return ImportReport(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))
