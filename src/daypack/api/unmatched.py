"""The arguments of a query that leave nothing to search, as a clause for its empty answer.

Each argument is tried alone: an argument that no record passes is the likely slip, and a name that is nearly one of the
store's is corrected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from daypack.doors.sessions import current
from daypack.engine.citations import did_you_mean_file
from daypack.engine.filter_arguments import filter_from_arguments
from daypack.engine.open_store import OpenStore
from daypack.index.facts import any_record, uris_like
from daypack.ports import Connection

MOST_NAMED = 3  # names of one argument
LONGEST_NAME = 80
_GLOB = frozenset("*?[")


def unmatched_arguments(opened: OpenStore, narrow: Mapping[str, Any]) -> str:
    """The clause on the arguments that no record passes, "" where each of them lets some pass."""
    engine = opened.engine
    if narrow.get("session") in (current.CURRENT, current.ALL):  # no names
        narrow = {**narrow, "session": None}
    with engine.store.reading() as db:
        return "; ".join(
            _clause(opened, db, name, value)
            for name, value in narrow.items()
            if value is not None and not _passes(opened, db, {name: value})
        )


def _passes(opened: OpenStore, db: Connection, narrow: dict[str, Any]) -> bool:
    from daypack.filters import to_sql

    engine = opened.engine
    condition = filter_from_arguments(None, engine.doors, engine.now(), **narrow)
    assert condition is not None
    where, values = to_sql(condition)
    visible, hiding = engine.visibility.visible(db)
    return any_record(db, f"({visible}) AND ({where})", [*hiding, *values])


def _clause(opened: OpenStore, db: Connection, name: str, value: Any) -> str:
    said = [str(one) for one in ([value] if isinstance(value, (str, int, float)) else value)]
    match name:
        case "source":
            return f"no path or label matches {_quoted(said)}{_near(opened, db, said)}"
        case "door":
            doors = {door.name: door.content for door in opened.engine.doors}
            named = [f"{one}, for {doors[one]}," if doors[one] else one for one in said]
            # no brackets: a listing puts the whole sentence into some
            return f"{_joined(named, 'and')} {'holds' if len(named) == 1 else 'hold'} nothing"
        case "since":
            return f"nothing is from {_moment(opened, value)} or later"
        case "before":
            return f"nothing is from before {_moment(opened, value)}"
    return f"no record has the {name} {_quoted(said)}"


def _moment(opened: OpenStore, value: Any) -> str:
    """A moment as a caller wrote it; a number of seconds, which a command makes of a date, as a date."""
    if isinstance(value, str):
        return value[:LONGEST_NAME]
    try:
        moment = datetime.fromtimestamp(value, opened.engine.zone)
    except (OverflowError, ValueError, OSError):
        return str(value)
    return moment.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")


def _near(opened: OpenStore, db: Connection, globs: Sequence[str]) -> str:
    """The question whether another file was meant, for a path without wildcards."""
    if len(globs) != 1 or _GLOB & {*globs[0]}:
        return ""
    names = uris_like(db, globs[0], opened.engine.visibility.hidden_ids(db))
    meant = did_you_mean_file(globs[0], names, otherwise="")
    return f"; {meant}" if meant else ""


def _quoted(names: Sequence[str]) -> str:
    return _joined([repr(one[:LONGEST_NAME]) for one in names], "or")


def _joined(names: Sequence[str], word: str) -> str:
    shown = [*names[:MOST_NAMED], *([f"{len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else [])]
    return f"{', '.join(shown[:-1])} {word} {shown[-1]}" if len(shown) > 1 else shown[0]
