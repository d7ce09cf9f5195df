"""Two packs side by side: the items of both, the items of one alone, and the items with different extents.

Pure: packs in, rows for a template out.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from daypack.types import Excerpt, Pack

LONGEST_COMPARED = 400  # lines; longer excerpts are shown without their differences


@dataclass(frozen=True, slots=True)
class Change:
    """An item of one pack or both. `kind` is "kept", "changed", "added" or "removed"; `lines` are (sign, line) of a
    changed text, with "+", "-" or " " for the sign.
    """

    kind: str
    uri: str
    reference: str
    before: Excerpt | None
    after: Excerpt | None
    lines: tuple[tuple[str, str], ...] = ()

    @property
    def more(self) -> int:
        """The difference in tokens, second pack minus first."""
        return (self.after.tokens if self.after else 0) - (self.before.tokens if self.before else 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """The items of two packs, in the order of the second, then those of the first alone."""

    before: Pack
    after: Pack
    changes: tuple[Change, ...]

    def count(self, kind: str) -> int:
        return sum(change.kind == kind for change in self.changes)


def difference(before: Pack, after: Pack) -> Difference:
    left = [*before.excerpts]
    changes = []
    for one in after.excerpts:
        old = _same(one, left)
        if old is not None:
            left.remove(old)
        changes.append(_change(old, one))
    changes += [_change(old, None) for old in left]
    return Difference(before, after, tuple(changes))


def _same(one: Excerpt, left: list[Excerpt]) -> Excerpt | None:
    """The excerpt in `left` of the same record that overlaps most with `one`; None when none overlaps."""
    span = one.citation.span
    best, most = None, 0
    for old in left:
        if old.citation.uri != one.citation.uri:
            continue
        common = min(old.citation.span.end, span.end) - max(old.citation.span.start, span.start)
        if common > most:
            best, most = old, common
    return best


def _change(before: Excerpt | None, after: Excerpt | None) -> Change:
    shown = after or before
    assert shown is not None
    uri, reference = shown.citation.uri, shown.citation.reference
    if before is None or after is None:
        return Change("added" if before is None else "removed", uri, reference, before, after)
    if before.text == after.text:
        return Change("kept", uri, reference, before, after)
    return Change("changed", uri, reference, before, after, _lines(before.text, after.text))


def _lines(before: str, after: str) -> tuple[tuple[str, str], ...]:
    a, b = before.split("\n")[:LONGEST_COMPARED], after.split("\n")[:LONGEST_COMPARED]
    return tuple((line[0], line[2:]) for line in difflib.ndiff(a, b) if line[0] != "?")
