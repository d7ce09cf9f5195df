"""The nouns of the knowledge door: labels, and the results of adding to them and of running commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.types import IngestIssue, IngestReport

if TYPE_CHECKING:
    from daypack.doors.reading.process import Ran

URI = "source:"
SEPARATOR = "\x1f"  # between a label and the name of a record under it


class Label(NamedTuple):
    """A label and the state of its origin at its last reading.

    `stamp` describes the origin: file → (mtime_ns, size), or the validators of a page.
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
    """The outcome of an addition. `replaced`: the label existed before. `changed`: its text is new."""

    label: str
    report: IngestReport
    replaced: bool = False
    changed: bool = True

    @property
    def uri(self) -> str:
        return f"{URI}{self.label}"


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """A command that ran, and the label of its output; `kept` is None for output other than text."""

    ran: Ran
    label: str
    lines: int
    tail: tuple[str, ...]  # its last lines
    kept: LabelUpdate | None = None
    issue: IngestIssue | None = None
