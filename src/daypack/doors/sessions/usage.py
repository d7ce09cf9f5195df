"""The use of packs: the calls of Daypack in sessions, the items in packs, and the items that were used later.

An item is cited when a reply names its path, and else opened when a call reads, changes or gets it, in any stored session.
Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from daypack.doors.sessions.types import Category, SessionEvent
from daypack.shapes.wording import counted

# mcp__daypack__pack, mcp_daypack_pack, daypack.pack
_OUR_TOOL = re.compile(r"daypack[^a-z]+([a-z][a-z_]*)\Z")
MOST_UNUSED = 10


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts since the oldest stored session, and for the last 200 packs. `unused` has the unused names that were most often in
    packs.
    """

    asked: Mapping[str, int]  # tool → calls in the stored sessions
    packs: int
    items: int
    sources: int  # records in packs, of which …
    cited: int
    opened: int
    never: int
    unused: tuple[tuple[str, int], ...] = ()  # (name, number of items)


def usage_of(events: Iterable[SessionEvent], given: Mapping[str, int], packs: int) -> Usage:
    """The use of packs by these events. `given` maps the name of a record to its number of items in packs."""
    asked: Counter[str] = Counter()
    replies, calls = [], []
    for event in events:
        ours = _OUR_TOOL.search(event.author.lower())
        if ours is not None:
            asked[ours[1]] += event.count
        if event.category is Category.ANSWER:
            replies.append(event.text)
        elif event.category in (Category.FILE, Category.READ) or (ours is not None and ours[1] == "get"):
            calls.append(event.text)
    said, done = "\n".join(replies), "\n".join(calls)
    cited = {name for name in given if name in said}
    opened = {name for name in given if name not in cited and name in done}
    unused = Counter({name: count for name, count in given.items() if name not in cited | opened})
    return Usage(
        asked=dict(asked.most_common()),
        packs=packs,
        items=sum(given.values()),
        sources=len(given),
        cited=len(cited),
        opened=len(opened),
        never=len(unused),
        unused=tuple(sorted(unused.items(), key=lambda one: (-one[1], one[0]))[:MOST_UNUSED]),
    )


def page(found: Usage) -> str:
    """The counts as text."""
    if not found.asked and not found.packs:
        return ""
    asked = ", ".join(f"{name} {count:,}" for name, count in found.asked.items()) or "no call is recorded"
    lines = [
        f"asked   {asked}",
        f"given   {counted(found.packs, 'pack')}, {counted(found.items, 'item')} of {counted(found.sources, 'source')}",
        f"used    {counted(found.cited, 'source')} cited in a reply, {found.opened:,} opened or changed, {found.never:,} never",
    ]
    if found.unused:
        lines.append("unused  " + ", ".join(f"{name} ({count:,})" for name, count in found.unused))
    return "\n".join(lines) + "\n"
