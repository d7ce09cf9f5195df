r"""Memories on a topic as one block of Markdown, to be pasted as it is.

    ## Context for 'release process' (3 memories, ~74 tokens)
    - **release/cadence**: Weekly on Thursdays at 2pm UTC
    - **release/steps**: Tag, build, then
      > wait for the smoke tests                            further lines of a value are quoted
    - **release/freeze** (untrusted, from web): There is none
    - **release/day** (2024-05-01 to 2024-09-30): Mondays             in an answer about another time
    - **release/story** (part): It began with a broken tag              of the ordering `auto`, which may cut
    _Too big for this block: **release/story** (~960 tokens)._      of the better ones

The warning of a weak answer is the line below the header.

The number of tokens is that of the whole block, in the unit of its budget. Stored text stays inside its
bullet: a line of a value cannot begin a bullet, a heading or a fence, and holds no live HTML, link or image,
and no invisible character.

Budgets in which no memory fits get the longest of these that fits:

    ## Context for 'release process' (0 memories, ~52 tokens)
    _No memory fits the budget of 60 tokens; ask again with a larger one._
    _Too big for this block: **release/story** (~960 tokens)._

    ## Context for 'release process' (0 memories, ~36 tokens)
    _No memory fits the budget of 40 tokens; ask again with a larger one._

    ## Context for 'release process' (0 memories, ~15 tokens)

    No memories

and at last the empty string.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from daypack.guard.fences import DANGEROUS, code_point, escape_less_than, inline, is_inert, one_line
from daypack.ports import CountTokens
from daypack.shapes.wording import THEN, day, minute, weak_sentence
from daypack.types import EmptyReason, Pack, Trust

URI = "memory:"  # the begin of a memory's uri; its key follows
STUB = "No memories"

_LIVE = re.compile(r"\\*<(?=[A-Za-z/!?])")


class BlockItem(NamedTuple):
    """A memory as it is shown."""

    key: str
    text: str
    trust: Trust = Trust.USER
    source: str = ""
    held: str = ""  # when it holds, in an answer about another time
    cut: bool = False  # the text is a part of the value


def then_uri(key: str, start: float, end: float) -> str:
    """The uri of a value that a key holds at another time. It is shown, so it says when: by day, or by the minute of one
    day; without an end for a value that is to hold from then on.
    """
    say = minute if day(start) == day(end) else day
    return f"{URI}{key}@{say(start).replace(' ', 'T')}..{say(end).replace(' ', 'T')}"


def key_and_time(uri: str) -> tuple[str, str]:
    """The key that a uri names, and when its value holds where that is another time."""
    then = THEN.search(uri)
    key = uri[: then.start() if then else None].removeprefix(URI)
    if then is None:
        return key, ""
    return key, f"{then[1]} to {then[2]}" if then[2] else f"from {then[1]}"


def header(topic: str, memories: int, tokens: int) -> str:
    return f"## Context for '{inline(topic)}' ({memories} {'memory' if memories == 1 else 'memories'}, ~{tokens} tokens)"


def bullet(item: BlockItem) -> str:
    """One memory, in one line or more, none of which can be taken for anything else."""
    first, *further = _inert(item.text.strip()).split("\n")
    remarks = [*(["part"] if item.cut else []), *([item.held] if item.held else [])]
    if item.trust is Trust.UNTRUSTED:
        remarks.append(f"untrusted, from {inline(item.source, 60)}" if item.source else "untrusted")
    flags = f" ({', '.join(remarks)})" if remarks else ""
    return "\n".join(
        [f"- **{_key(item.key)}**{flags}: {first.rstrip()}", *(f"  > {line}".rstrip() for line in further)]
    )


def _key(key: str) -> str:
    return _quiet(one_line(key, 512)).replace("*", "\\*")


def _inert(text: str) -> str:
    text = text.replace("\r\n", "\n")
    return _quiet(text if is_inert(text) else re.sub(DANGEROUS, lambda match: code_point(match[0]), text))


def _quiet(text: str) -> str:
    """The text with HTML, links and images disarmed."""
    if "<" in text:
        text = _LIVE.sub(escape_less_than, text)
    return text.replace("](", "]\\(").replace("]:", "]\\:")


# ---------------------------------------------------------------- with a budget


def settled(
    topic: str, bullets: Sequence[str], count: CountTokens, *, note: str = "", warning: str = ""
) -> tuple[str, int]:
    """(the block, its count): the header states the count of the block, header included."""
    tokens = 0
    lines = [*([warning] if warning else []), *bullets, *([note] if note else [])]
    text = "\n".join([header(topic, len(bullets), tokens), *lines])
    for _ in range(8):
        used = count(text)
        if used == tokens:
            break
        tokens = max(used, tokens + 1)  # never back: 99 may lead to 100 and 100 to 99
        text = "\n".join([header(topic, len(bullets), tokens), *lines])
    return text, count(text)


class Fitted(NamedTuple):
    """A block, the items in it, and better items that are too big for any block of this budget, by number."""

    text: str
    chosen: list[int]
    too_big: list[int]


def fitted(
    topic: str,
    items: Sequence[BlockItem],
    limit: int,
    count: CountTokens,
    *,
    time: str = "",
    warning: str = "",
) -> Fitted:
    """Items in order, skipping each that is too big for the rest of the budget. A better item that is too big for the
    whole budget is named, because its reader would take the others for the best. The `warning` is the line before the items.
    Neither line displaces the best item that fits: a memory says more than the name of another.
    """
    bullets = [bullet(item) for item in items]
    costs = [count(line) + 1 for line in bullets]  # and a line end

    def settle(chosen: Sequence[int], *, note: str = "", warning: str = "") -> tuple[str, int]:
        return settled(topic, [bullets[number] for number in chosen], count, note=note, warning=warning)

    # Counted and not estimated, so that a larger budget never begins with a worse memory.
    first = next((n for n, cost in enumerate(costs) if cost <= limit and settle([n])[1] <= limit), None)
    if first is None:
        best = _too_big(items[0].key, costs[0], len(items) - 1) if items else ""
        nothing = empty(topic, limit, count, found=bool(items), best=best, time=time)
        return Fitted(nothing, [], [*range(len(items))])
    warning = _warned(warning) if warning else ""
    if settle([first], warning=warning)[1] > limit:
        warning = ""
    room = limit - count(header(topic, max(len(items), 2), limit))  # the widest possible header
    room -= count(warning) + 1 if warning else 0
    chosen = _filling(costs, room, first)
    too_big = [n for n in range(chosen[-1]) if n < first or costs[n] > room]
    note = _too_big(items[too_big[0]].key, costs[too_big[0]], len(too_big) - 1) if too_big else ""
    if note and settle([first], note=note, warning=warning)[1] <= limit:
        chosen = _filling(costs, room - count(note) - 1, first)
    else:
        note = ""
    text, used = settle(chosen, note=note, warning=warning)
    while used > limit:  # counts do not add up over concatenation
        del chosen[-1]
        text, used = settle(chosen, note=note, warning=warning)
    return Fitted(text, chosen, too_big)


def _warned(sentence: str) -> str:
    """The line that warns of a weak answer."""
    return f"_{inline(sentence, 400)}_"


def _filling(costs: Sequence[int], room: int, first: int) -> list[int]:
    """The numbers of the first item, and of those behind it that have room beside it."""
    chosen = [first]
    room -= costs[first]
    for number in range(first + 1, len(costs)):
        if costs[number] <= room:
            chosen.append(number)
            room -= costs[number]
    return chosen


def _too_big(key: str, cost: int, others: int) -> str:
    more = f" and {others} more" if others else ""
    return f"_Too big for this block: **{_key(one_line(key, 80))}** (~{cost} tokens){more}._"


def empty(topic: str, limit: int, count: CountTokens, *, found: bool, best: str = "", time: str = "") -> str:
    """The longest empty form that fits; at worst the empty string. `best` names the best memory that does not. `time` is the one that was read, of a topic that holds
    nothing else.
    """
    nothing = f"_No memory is from {time} (UTC)._" if time else "_No memory is about this._"
    note = (
        f"_No memory fits the budget of {limit} tokens; ask again with a larger one._" if found else nothing
    )
    notes = [f"{note}\n{best}", note, ""] if best else [note, ""]
    for text in (*(settled(topic, [], count, note=one)[0] for one in notes), STUB):
        if count(text) <= limit:
            return text
    return ""


# ---------------------------------------------------------------- as a shape of a pack


def _bullets(pack: Pack) -> list[str]:
    """Excerpts of one memory stand in one bullet."""
    bullets = []
    for uri, group in groupby(pack.excerpts, key=lambda excerpt: excerpt.citation.uri):
        parts = [*group]
        text = " … ".join(part.text.strip() for part in parts)
        key, times = key_and_time(uri)
        whole = len(parts) == 1 and parts[0].whole
        bullets.append(bullet(BlockItem(key, text, parts[0].trust, held=times, cut=not whole)))
    return bullets


def render(pack: Pack) -> str:
    if pack.excerpts:
        bullets = _bullets(pack)
        warning = [_warned(weak_sentence(pack.stats))] if pack.stats.weak else []
        return "\n".join([header(pack.query, len(bullets), pack.tokens_used), *warning, *bullets])
    fits = pack.empty_reason is EmptyReason.BUDGET_TOO_SMALL
    note = (
        f"_No memory fits the budget of {pack.budget.limit} tokens; ask again with a larger one._"
        if fits
        else f"_No memory is from {pack.stats.time} (UTC)._"
        if pack.stats.time
        else "_No memory is about this._"
    )
    return f"{render_header(pack)}\n{note}"


def render_header(pack: Pack) -> str:
    """The header of a pack without excerpts."""
    return header(pack.query, 0, pack.tokens_used)


def render_stub(pack: Pack) -> str:  # noqa: ARG001 - a shape like the others
    return STUB
