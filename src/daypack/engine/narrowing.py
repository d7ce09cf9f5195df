"""What a query is held to besides its words: the usual arguments as a filter, the kind of content, the order
of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from daypack.doors import CODE, DOORS
from daypack.errors import InputError, member
from daypack.text.storable import storable
from daypack.types import Chunk, Content, PieceKind, RecordKind, SearchResult, Sort

if TYPE_CHECKING:
    from daypack.filters import Filter


def narrowed(
    base: Filter | None,
    *,
    door: str | Sequence[str] | None = None,
    scope: str | None = None,
    kind: str | RecordKind | Sequence[str] | None = None,
    source: str | Sequence[str] | None = None,
    language: str | None = None,
    session: str | None = None,
    author: str | None = None,
    tag: str | Sequence[str] | None = None,
    since: float | None = None,
    before: float | None = None,
) -> Filter | None:
    """A filter from the usual arguments, together with one that was given; None when nothing is narrowed."""
    if all(
        value is None for value in (door, scope, kind, source, language, session, author, tag, since, before)
    ):
        return base
    from daypack.filters import All, AnyOf, Before, Glob, Labelled, OneOf, Since, Tagged

    parts: list[Filter] = [] if base is None else [base]
    for name, value in (("scope", scope), ("language", language), ("session", session), ("author", author)):
        if value is not None:
            parts.append(OneOf(name, (storable(value),)))
    if door is not None:
        named = [door] if isinstance(door, str) else [*door]
        doors: list[Filter] = [
            OneOf("door", tuple(name for item in named if item != CODE for name in _door(item)))
        ]
        if CODE in named:
            doors.append(All((OneOf("door", _door(CODE)), OneOf("kind", (RecordKind.CODE.value,)))))
        parts.append(doors[0] if len(doors) == 1 else AnyOf(tuple(doors)))
    if kind is not None:
        parts.append(
            OneOf(
                "kind",
                tuple(member(RecordKind, item).value for item in ([kind] if isinstance(kind, str) else kind)),
            )
        )
    if source is not None:
        names = [storable(item) for item in ([source] if isinstance(source, str) else source)]
        parts.append(
            AnyOf((*map(Glob, names), *(Labelled(name) for name in names if not set(name) & set("*?"))))
        )
    if tag is not None:
        parts.extend(Tagged(storable(item)) for item in ([tag] if isinstance(tag, str) else tag))
    if since is not None:
        parts.append(Since(since))
    if before is not None:
        parts.append(Before(before))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _door(name: str) -> tuple[str, ...]:
    if name not in DOORS:
        raise InputError(f"{name!r} is no door; choose from {', '.join(DOORS)}")
    return DOORS[name]


def of_content(condition: Filter | None, kind: Content) -> Filter:
    """Texts that can hold what is wanted; which of their chunks do is seen when they are read."""
    from daypack.filters import All, HoldsCode, Not, OneOf

    able: Filter = HoldsCode() if kind is Content.CODE else Not(OneOf("kind", (RecordKind.CODE.value,)))
    return able if condition is None else All((condition, able))


_FENCED = re.compile(r"^(```+|~~~+).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)


def _holds(chunk: Chunk, kind: Content) -> bool:
    program = chunk.record_kind is RecordKind.CODE
    if kind is Content.CODE:
        return program or chunk.kind is PieceKind.FENCE or _FENCED.search(chunk.text) is not None
    return not program and _FENCED.sub("", chunk.text).strip() != ""


def arranged(result: SearchResult, limit: int, order: Sort, kind: Content | None) -> SearchResult:
    """The answer with what was asked for of it, in the order in which it was asked for."""
    from daypack.rank.timeline import POOL, chronological

    found = [candidate for candidate in result.candidates if kind is None or _holds(candidate.chunk, kind)]
    notes: tuple[str, ...] = ()
    if order is Sort.TIMELINE:
        shown, cut = chronological(found[:POOL], limit)
        if cut:
            notes = (
                f"{len(cut):,} older result{'' if len(cut) == 1 else 's'} left out; ask with a larger --limit, or --before a date.",
            )
    else:
        shown = found[:limit]
    return replace(result, candidates=tuple(shown), files=result.files[:limit], sort=order, notes=notes)
