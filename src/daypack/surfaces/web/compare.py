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
    """An item of one pack or both, which may stand in several parts in either. `kind` is "kept", "changed", "added" or "removed";
    `lines` are (sign, line) of a changed text, with "+", "-" or " " for the sign.
    """

    kind: str
    before: tuple[Excerpt, ...]
    after: tuple[Excerpt, ...]
    lines: tuple[tuple[str, str], ...] = ()

    @property
    def references(self) -> list[str]:
        return [part.citation.reference for part in self.after or self.before]

    @property
    def tokens_before(self) -> int:
        return sum(part.tokens for part in self.before)

    @property
    def tokens_after(self) -> int:
        return sum(part.tokens for part in self.after)

    @property
    def more(self) -> int:
        """The difference in tokens, second pack minus first."""
        return self.tokens_after - self.tokens_before


@dataclass(frozen=True, slots=True)
class Difference:
    """The items of two packs, in the order of the second, then those of the first alone."""

    before: Pack
    after: Pack
    changes: tuple[Change, ...]

    def count(self, kind: str) -> int:
        return sum(change.kind == kind for change in self.changes)


def difference(before: Pack, after: Pack) -> Difference:
    old, new = [*before.excerpts], [*after.excerpts]
    changes = []
    while new:
        parts, others = [new.pop(0)], list[Excerpt]()
        # a part that joins two of the other pack, or is cut in two there, is one item with them
        while found := _taken(old, parts):
            others += found
            parts += _taken(new, others)
        changes.append(_change(others, parts))
    changes += [_change([one], []) for one in old]
    return Difference(before, after, tuple(changes))


def _taken(left: list[Excerpt], others: list[Excerpt]) -> list[Excerpt]:
    """Take the excerpts from `left` that share text with one of `others`."""
    found = [one for one in left if any(_overlap(one, other) for other in others)]
    for one in found:
        left.remove(one)
    return found


def _overlap(one: Excerpt, other: Excerpt) -> bool:
    mine, theirs = one.citation.span, other.citation.span
    return one.citation.uri == other.citation.uri and mine.start < theirs.end and theirs.start < mine.end


def _change(before: list[Excerpt], after: list[Excerpt]) -> Change:
    old, new = _in_order(before), _in_order(after)
    if not old or not new:
        return Change("removed" if old else "added", old, new)
    texts = "\n".join(part.text for part in old), "\n".join(part.text for part in new)
    if len(old) == len(new) and texts[0] == texts[1]:
        return Change("kept", old, new)
    return Change("changed", old, new, _lines(*texts))


def _in_order(parts: list[Excerpt]) -> tuple[Excerpt, ...]:
    return tuple(sorted(parts, key=lambda part: part.citation.span.start))


def _lines(before: str, after: str) -> tuple[tuple[str, str], ...]:
    a, b = before.split("\n")[:LONGEST_COMPARED], after.split("\n")[:LONGEST_COMPARED]
    return tuple((line[0], line[2:]) for line in difflib.ndiff(a, b) if line[0] != "?")
