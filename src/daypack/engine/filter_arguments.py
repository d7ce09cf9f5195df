"""The arguments that narrow a query as a filter, and those that arrange its results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from daypack.errors import InputError
from daypack.text.checks import check_text, choice_meant, member
from daypack.text.storable import storable
from daypack.types import Chunk, Content, PieceKind, RecordKind, SearchResult, Sort

if TYPE_CHECKING:
    from datetime import date, datetime

    from daypack.engine.doors import Door
    from daypack.filters import Filter


_ALONE = ("scope", "language", "session", "author")  # arguments of one value


class FilterArguments(TypedDict, total=False):
    """The limits that a query may set besides its words. None and an empty list set no limit."""

    door: str | Iterable[str] | None
    """Names of doors, as `--in` takes them."""
    scope: str | None
    kind: str | RecordKind | Iterable[str] | None
    source: str | Iterable[str] | None
    """Globs of uris, or labels."""
    language: str | None
    session: str | None
    author: str | None
    tag: str | Iterable[str] | None
    """Tags that a record must have, all of them."""
    since: float | str | date | None
    """Unix seconds, a date or datetime, an ISO 8601 date, or words as "yesterday"; so is `before`."""
    before: float | str | date | None


def settled(arguments: FilterArguments) -> FilterArguments:
    """The arguments with their several values in tuples, which can be read more than once; without empty ones."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if name in _ALONE and value:
            check_text(name, value)
        if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
            value = (*value,) or None
        found[name] = value
    return cast(FilterArguments, found)


def filter_from_arguments(
    base: Filter | None, doors: Sequence[Door], now: datetime, **arguments: Unpack[FilterArguments]
) -> Filter | None:
    """The filter of the arguments and of `base` together; None when neither limits anything.

    Raises InputError, and BadDate for text that is not a date.
    """
    values = {name: value for name, value in arguments.items() if value is not None}
    if not values:
        return base
    from daypack.filters import All, AnyOf, Before, Glob, Labelled, OneOf, Since, Tagged

    names = [name for name in _ALONE if name in values]
    for name in names:
        check_text(name, values[name])
    parts: list[Filter] = [] if base is None else [base]
    parts += [OneOf(name, (storable(str(values[name])),)) for name in names]
    if (named := arguments.get("door")) is not None:
        parts.append(_in_doors(doors, _listed("door", named)))
    if (kind := arguments.get("kind")) is not None:
        parts.append(OneOf("kind", tuple(member(RecordKind, item).value for item in _listed("kind", kind))))
    if (source := arguments.get("source")) is not None:
        globs = [storable(item) for item in _listed("source", source)]
        parts.append(
            AnyOf((*map(Glob, globs), *(Labelled(name) for name in globs if not set(name) & set("*?"))))
        )
    if (tag := arguments.get("tag")) is not None:
        parts.extend(Tagged(storable(item)) for item in _listed("tag", tag))
    if (since := read_moment("since", arguments.get("since"), now)) is not None:
        parts.append(Since(since))
    if (before := read_moment("before", arguments.get("before"), now)) is not None:
        parts.append(Before(before))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _listed(what: str, value: str | Iterable[str]) -> Sequence[str]:
    """The texts of an argument that takes one or several. Raises InputError."""
    alone = isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable)
    items: list[Any] = [value] if alone else [*value]
    for item in items:
        check_text(what, item)
    return items


def _in_doors(doors: Sequence[Door], names: Sequence[str]) -> Filter:
    from daypack.filters import All, AnyOf, OneOf

    known = {door.name: door for door in doors}
    for name in names:
        if name not in known:
            part = choice_meant(name, [*known], "source")
            raise InputError(f"{name!r} is not a door; choose from {', '.join(known)}{part}")
    chosen = [known[name] for name in names]
    arms: list[Filter] = [
        OneOf("door", tuple(handled for door in chosen if not door.kinds for handled in door.handlings))
    ]
    arms += [
        All((OneOf("door", tuple(door.handlings)), OneOf("kind", door.kinds)))
        for door in chosen
        if door.kinds
    ]
    return arms[0] if len(arms) == 1 else AnyOf(tuple(arms))


def holding_content(condition: Filter | None, kind: Content) -> Filter:
    """A filter for records that may hold content of a kind; only their texts show which chunks do."""
    from daypack.filters import All, HoldsCode, Not, OneOf

    able: Filter = HoldsCode() if kind is Content.CODE else Not(OneOf("kind", (RecordKind.CODE.value,)))
    return able if condition is None else All((condition, able))


_FENCED = r"(?ms)^(```+|~~~+)[^\n]*\n?(.*?)(?:^\1|\Z)"
_HEADING = r"(?m)^#{1,6} .*$"


def _content(chunk: Chunk) -> Content:
    """Code for a program, and for a text that is longer inside its fences than outside, apart from headings; else prose."""
    if chunk.record_kind is RecordKind.CODE:
        return Content.CODE
    fenced = sum(len(match[2].strip()) for match in re.finditer(_FENCED, chunk.text))
    if not fenced:  # an indented block has no fence
        return Content.CODE if chunk.kind is PieceKind.FENCE else Content.PROSE
    around = re.sub(_HEADING, "", re.sub(_FENCED, "", chunk.text)).strip()
    return Content.CODE if fenced > len(around) else Content.PROSE


def arrange(
    result: SearchResult, limit: int, order: Sort, kind: Content | None, *, trim: bool
) -> SearchResult:
    """The results of one kind of content in the requested order; with `trim` only those that are worth showing."""
    from daypack.rank.timeline import POOL, chronological

    candidates = [candidate for candidate in result.candidates if kind in (None, _content(candidate.chunk))]
    files = result.files
    if trim:
        from daypack.pack.worth import worth_showing

        candidates = [*worth_showing(candidates)]
        shown_uris = {candidate.chunk.uri for candidate in candidates}
        files = tuple(file for file in files if file.uri in shown_uris)
    notes: tuple[str, ...] = ()
    if order is Sort.TIMELINE:
        shown, cut = chronological(candidates[:POOL], limit)
        if cut:
            from daypack.shapes.wording import counted

            left_out = counted(len(cut), "older result")
            notes = (f"{left_out} left out; ask with a larger `limit`, or `before` a date.",)
    else:
        shown = candidates[:limit]
    return replace(result, candidates=tuple(shown), files=files[:limit], sort=order, notes=notes)


def read_moment(name: str, value: float | str | date | None, now: datetime) -> float | None:
    """Unix seconds of a moment, which is Unix seconds, a date or datetime, an ISO 8601 date, or words as "3 days ago"; None for None.

    `name` begins the message of BadDate, which is raised for any other text.
    """
    if value is None:
        return None
    from daypack.query.times.dates import moment_of  # few calls name one

    return moment_of(value, now, name)
