r"""Memories on a topic as one block of Markdown, to be pasted as it is.

    ## Context for 'release process' (3 memories, ~74 tokens)
    - **release/cadence**: Weekly on Thursdays at 2pm UTC
    - **release/steps**: Tag, build, then
      > wait for the smoke tests                            further lines of a value are quoted
    - **release/freeze** (untrusted, from web): There is none

The number of tokens is that of the whole block, in the unit of its budget. Stored text stays inside its
bullet: a line of a value cannot begin a bullet, a heading or a fence, and holds no live HTML, link or image,
and no invisible character.

Budgets in which no memory fits get the longest of these that fits:

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


def header(topic: str, memories: int, tokens: int) -> str:
    return f"## Context for '{inline(topic)}' ({memories} {'memory' if memories == 1 else 'memories'}, ~{tokens} tokens)"


def bullet(item: BlockItem) -> str:
    """One memory, in one line or more, none of which can be taken for anything else."""
    first, *further = _inert(item.text.strip()).split("\n")
    flags = ""
    if item.trust is Trust.UNTRUSTED:
        flags = f" (untrusted, from {inline(item.source, 60)})" if item.source else " (untrusted)"
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


def settled(topic: str, bullets: Sequence[str], count: CountTokens, *, note: str = "") -> tuple[str, int]:
    """(the block, its count): the header states the count of the block, header included."""
    tokens = 0
    lines = [*bullets, *([note] if note else [])]
    text = "\n".join([header(topic, len(bullets), tokens), *lines])
    for _ in range(8):
        used = count(text)
        if used == tokens:
            break
        tokens = max(used, tokens + 1)  # never back: 99 may lead to 100 and 100 to 99
        text = "\n".join([header(topic, len(bullets), tokens), *lines])
    return text, count(text)


def fitted(topic: str, items: Sequence[BlockItem], limit: int, count: CountTokens) -> tuple[str, list[int]]:
    """(the block, the items in it): items in order, skipping each that is too big for the rest of the budget."""
    bullets = [bullet(item) for item in items]
    room = limit - count(header(topic, max(len(items), 2), limit))  # the widest possible header
    chosen: list[int] = []
    for number, line in enumerate(bullets):
        cost = count(line) + 1  # and a line end
        if cost <= room:
            chosen.append(number)
            room -= cost
    while chosen:
        text, used = settled(topic, [bullets[number] for number in chosen], count)
        if used <= limit:
            return text, chosen
        chosen.pop()  # counts do not add up over concatenation
    return empty(topic, limit, count, found=bool(items)), []


def empty(topic: str, limit: int, count: CountTokens, *, found: bool) -> str:
    """The longest empty form that fits; at worst the empty string."""
    note = (
        f"_No memory fits the budget of {limit} tokens; ask again with a larger one._"
        if found
        else "_No memory is about this._"
    )
    for text in (settled(topic, [], count, note=note)[0], settled(topic, [], count)[0], STUB):
        if count(text) <= limit:
            return text
    return ""


# ---------------------------------------------------------------- as a shape of a pack


def _bullets(pack: Pack) -> list[str]:
    """Excerpts of one memory stand in one bullet."""
    found = []
    for uri, group in groupby(pack.excerpts, key=lambda excerpt: excerpt.citation.uri):
        parts = [*group]
        text = " … ".join(part.text.strip() for part in parts)
        found.append(bullet(BlockItem(uri.removeprefix(URI), text, parts[0].trust)))
    return found


def render(pack: Pack) -> str:
    if pack.excerpts:
        bullets = _bullets(pack)
        return "\n".join([header(pack.query, len(bullets), pack.tokens_used), *bullets])
    fits = pack.empty_reason is EmptyReason.BUDGET_TOO_SMALL
    note = (
        f"_No memory fits the budget of {pack.budget.limit} tokens; ask again with a larger one._"
        if fits
        else "_No memory is about this._"
    )
    return f"{render_header(pack)}\n{note}"


def render_header(pack: Pack) -> str:
    """The header of a pack without excerpts."""
    return header(pack.query, 0, pack.tokens_used)


def render_stub(pack: Pack) -> str:  # noqa: ARG001 - a shape like the others
    return STUB
