"""Unified diffs: the files and lines that a change touches, located in the stored text.

A stored file may have the state before the change, the state after it, or another one. So a hunk is located by its lines:
at the offset at which most of them, removed, kept or added, are equal to those of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeVar

T = TypeVar("T")
LONGEST_LINE = 1_000
_FEWEST_BYTES = 18  # of a change with its head
LARGEST_DIFF_BYTES = 32 << 20  # that is shortened; a larger one is refused
MOST_RENAMES = 100  # of a diff that is shortened
LONGEST_KEPT = 200  # characters of a line in a diff that is shortened
# A hunk of a merge (`diff --cc`) has a range, and a column of signs, for each parent: @@@ -1,4 -1,5 +1,7 @@@
_HUNK = re.compile(r"@(@+) -(\d{1,7})(?:,(\d{1,7}))?(?: -\d{1,7}(?:,\d{1,7})?)* \+\d{1,7}(?:,\d{1,7})? @@+")
_RENAME = re.compile(r"(?m)^rename from (.+)\r?\nrename to (.+)$")
_WORD = re.compile(r"[A-Za-z_]\w+")


class Hunk(NamedTuple):
    """One part of a diff: its lines as (sign, text), with " ", "-" or "+" as sign."""

    path: str
    first: int  # the line, from 1, in the file before the change
    rows: tuple[tuple[str, str], ...]

    def side(self, sign: str) -> str:
        """The lines with this sign."""
        return "\n".join(text for own, text in self.rows if own == sign)


class Rename(NamedTuple):
    """The paths of a file before and after."""

    old: str
    new: str


def read_renames(text: str) -> tuple[Rename, ...]:
    """The renames that the headers of a diff of git name: a file without other changes has no hunk."""
    found = _RENAME.finditer(text) if "rename from " in text else ()
    return tuple([Rename(*(_unquoted(name.strip()) for name in match.groups())) for match in found])


def read_diff(text: str) -> tuple[Hunk, ...]:
    """The hunks of a unified diff; none for any other text."""
    if "@@ -" not in text:
        return ()
    hunks: list[Hunk] = []
    path = ""
    head: re.Match[str] | None = None
    rows: list[tuple[str, str]] = []
    old = 0  # lines of the old file among the rows

    def close() -> None:
        if head is not None and path:
            hunks.append(Hunk(path, int(head[2]), tuple(rows)))

    for raw in text.splitlines():
        line = raw[:LONGEST_LINE]
        if line.startswith(("--- ", "+++ ", "diff --")) and not (
            head and line.startswith("--- ") and old < int(head[3] or 1)  # a removed line of "-- …"
        ):
            close()
            head, rows = None, []
            if not line.startswith("diff"):
                name = _unquoted(line[4:].split("\t")[0].strip())
                if name != "/dev/null":
                    path = name[2:] if name.startswith(("a/", "b/")) else name
        elif match := _HUNK.match(line):
            close()
            head, rows, old = match, [], 0
        elif head is not None and (not line or line[0] in " -+"):
            signs, row = line[: len(head[1])], line[len(head[1]) :]
            sign = "-" if "-" in signs else "+" if "+" in signs else " "
            rows.append((sign, row))
            old += sign != "+"
    close()
    return tuple(hunks)


def shortened(text: str, most: int) -> tuple[str, str]:
    """(a diff in at most `most` bytes, what it leaves out as a clause): the changed lines without those around them; where these
    are still too many, the first ones of each change, and of the changes some of each file. A text that fits, or a text of another
    kind, is returned as it is.
    """
    size = len(text.encode("utf-8", "replace"))
    hunks = read_diff(text) if most < size <= LARGEST_DIFF_BYTES else ()
    if not hunks:
        return text, ""
    changes = [change for hunk in hunks for change in _changes(hunk)]
    renames = _spread(read_renames(text), MOST_RENAMES)
    names = "".join(f"rename from {one.old}\nrename to {one.new}\n" for one in renames)
    count = max(1, min(len(changes), most // _FEWEST_BYTES))
    while True:
        kept = of_each_file(changes, attrgetter("path"), count)
        heads = sum(len(path.encode()) + 50 for path in {change.path for change in kept}) + 30 * len(kept)
        room = max(0, most - len(names.encode()) - heads) // len(kept)
        short = names + "\n".join(_written(kept, room))
        if len(short.encode("utf-8", "replace")) <= most or count == 1:
            break
        count = max(1, count * 9 // 10)
    left = f"{len(kept):,} of the {len(changes):,} changes in this long diff were read"
    return short, left if len(kept) < len(changes) else ""


def of_each_file(items: Sequence[T], file_of: Callable[[T], str], count: int) -> list[T]:
    """At most `count` of the items, in their order: the first of each file, and others evenly; of more files, some evenly."""
    firsts = {file_of(item): number for number, item in reversed([*enumerate(items)])}
    first = sorted(firsts.values())
    others = [number for number in range(len(items)) if firsts[file_of(items[number])] != number]
    chosen = [*_spread(first, count), *_spread(others, max(0, count - len(first)))]
    return [items[number] for number in sorted(chosen)]


def _spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` of the items, evenly."""
    if len(items) <= count:
        return [*items]
    return [items[number * len(items) // count] for number in range(count)]


def _changes(hunk: Hunk) -> Iterator[Hunk]:
    """The runs of changed lines of a hunk, each as a hunk of its own."""
    old, first = hunk.first, hunk.first
    run: list[tuple[str, str]] = []
    for sign, text in (*hunk.rows, (" ", "")):
        if sign == " ":
            if run:
                yield hunk._replace(first=first, rows=tuple(run))
            run = []
        else:
            first = first if run else old
            run.append((sign, text))
        old += sign != "+"


def _written(changes: Sequence[Hunk], room: int) -> Iterator[str]:
    """The lines of a diff with these changes, each cut to about `room` bytes; the first line of each sign stays."""
    path = ""
    for change in changes:
        if change.path != path:
            path = change.path
            yield from (f"--- a/{path}", f"+++ b/{path}")
        left, kept, signs = room, [], set()
        for sign, text in change.rows:
            left -= len(text.encode("utf-8", "replace")) + 2
            if left >= 0 or sign not in signs:
                kept.append(f"{sign}{text[:LONGEST_KEPT]}")
            signs.add(sign)
        yield f"@@ -{change.first},{len(kept)} +{change.first},{len(kept)} @@"
        yield from kept


def _unquoted(name: str) -> str:
    """A path without the quotes and escapes that git puts around one with letters beyond ASCII: "a/gr\\303\\266.py"."""
    if len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return name
    plain = re.sub(
        rb"\\([0-7]{3}|.)",
        lambda found: _escaped(found[1]),
        name[1:-1].encode("utf-8", "replace"),
        flags=re.S,
    )
    return plain.decode("utf-8", "replace")


def _escaped(code: bytes) -> bytes:
    """The byte that an escape stands for: 303 in octal, or n, t, \\ and the quote."""
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(code, code)


def places_of(hunks: Sequence[Hunk], lines: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the lines, from 1, that hunks change in a stored file; none for those of which no line is in the file."""
    where: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        where.setdefault(line.strip(), []).append(number)
    changed = [number for hunk in hunks for number in _located(hunk, where)]
    return tuple(dict.fromkeys(min(max(1, number), len(lines)) for number in changed))


def _located(hunk: Hunk, where: Mapping[str, Sequence[int]]) -> list[int]:
    votes: Counter[int] = Counter()
    old = hunk.first
    for sign, text in hunk.rows:
        bare = text.strip()
        if len(bare) > 2:
            votes.update(number - old for number in where.get(bare, ())[:20])
        old += sign != "+"
    if not votes:
        return []
    offset = max(votes, key=lambda shift: (votes[shift], -abs(shift)))
    changed: list[int] = []
    old = hunk.first
    for sign, _ in hunk.rows:
        if sign == "-":
            changed.append(old + offset)
        elif sign == "+":
            changed.append(old - 1 + offset)
        old += sign != "+"
    return changed


def lines_in(hunks: Sequence[Hunk], lines: Sequence[str]) -> int:
    """The number of lines of some hunks, removed, kept or added, that a file has."""
    stripped = {line.strip() for line in lines}
    return sum(text.strip() in stripped for hunk in hunks for _, text in hunk.rows)


def words_of(text: str) -> frozenset[str]:
    """The identifiers of a text."""
    return frozenset(_WORD.findall(text))
