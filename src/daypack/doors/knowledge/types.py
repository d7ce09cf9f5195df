"""The nouns of the knowledge door: labels, and the results of additions and of commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.types import IngestIssue, IngestReport

if TYPE_CHECKING:
    from daypack.doors.reading.process import Ran

DOOR = "knowledge"
URI = "source:"
SEPARATOR = "\x1f"  # between a label and the name of a record under it


class Label(NamedTuple):
    """A label, and the state of its origin when it was last read. `stamp` is file → (mtime_ns, size), or the validators of a
    page.
    """

    name: str
    kind: str  # text, file, folder, page, output
    origin: str
    added_at: float
    checked_at: float
    size: int
    records: int
    state: str  # "current", "stale" or "gone"
    stamp: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LabelUpdate:
    """The outcome of an addition. `replaced`: the label existed before. `changed`: its text differs from the previous one."""

    label: str
    report: IngestReport
    replaced: bool = False
    changed: bool = True

    @property
    def uri(self) -> str:
        return f"{URI}{self.label}"


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """A command that ran, and the label of its output; `kept` is None for output that is not text."""

    ran: Ran
    label: str
    lines: int
    tail: tuple[str, ...]  # the last lines of the output
    kept: LabelUpdate | None = None
    issue: IngestIssue | None = None
