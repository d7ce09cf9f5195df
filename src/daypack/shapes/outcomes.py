"""The outcome of a write, for every door: its counts in words, its issues as data, and the sentence for replaced secrets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from daypack.shapes.plain import pick
from daypack.shapes.wording import counted
from daypack.types import IngestIssue


def counts_in_words(report: object, names: str) -> str:
    """`added 2, unchanged 1,200` for the names "added unchanged"."""
    return ", ".join(f"{name} {getattr(report, name):,}" for name in names.split())


def issues_to_list(issues: Iterable[IngestIssue]) -> list[dict[str, Any]]:
    return [pick(issue, "uri reason detail") for issue in issues]


def secrets_replaced(count: int) -> tuple[str, ...]:
    """The sentence, if any secret was replaced."""
    return (f"replaced {counted(count, 'secret')} before anything was stored",) if count else ()
