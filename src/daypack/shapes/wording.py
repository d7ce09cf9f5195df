"""Wording that all shapes for readers share: dates, counts of omissions, notes, the reason of an empty pack."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from daypack.guard.fences import inline, one_line
from daypack.types import EmptyReason, Excerpt, Pack, RecordKind

HASH_DIGITS = 8  # enough to see that a file changed; the store holds the whole hash

TRAIL_LIMIT = 4  # innermost headings that are shown

_HEX = re.compile(r"[0-9a-f]+")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,24}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

EMPTY_SENTENCES = {
    EmptyReason.EMPTY_QUERY: "Nothing to look for: the query has no words. Ask for a topic, a name, a path or an error text.",
    EmptyReason.EMPTY_STORE: "The store is empty. Run `daypack add PATH` first.",
    EmptyReason.FILTERED_OUT: "Nothing passed the filters. Remove a filter.",
    EmptyReason.NOTHING_RELEVANT: "Nothing relevant was found. Try other words, or add more sources with `daypack add PATH`.",
    EmptyReason.ANCHOR_NOT_FOUND: "The store does not mention the names in the query. Check the "
    "spelling, or run `daypack add` on the source.",
    EmptyReason.BUDGET_TOO_SMALL: "Nothing fits the budget. Ask again with a larger one.",
}

ESCAPED = "In excerpts marked escaped, \\u{…} stands for a character that is unsafe to show, and every backslash is doubled."


def empty_sentence(reason: EmptyReason | None) -> str:
    return EMPTY_SENTENCES[reason or EmptyReason.NOTHING_RELEVANT]


def short_hash(record_hash: str, digits: int = HASH_DIGITS) -> str:
    """The start of a hash, "" for other text."""
    start = record_hash[:digits]
    return start if _HEX.fullmatch(start) else ""


def language_name(language: str) -> str:
    """A language name that can follow a fence, "" for other text."""
    return language if _LANGUAGE.fullmatch(language) else ""


@lru_cache(maxsize=4096)
def day(time: float) -> str:
    """UTC, "" for a time outside the calendar."""
    return _moment(time, "%Y-%m-%d")


def minute(time: float) -> str:
    return _moment(time, "%Y-%m-%d %H:%M")


def instant(time: float) -> str:
    """ISO 8601."""
    return _moment(time, "%Y-%m-%dT%H:%M:%SZ")


def _moment(time: float, pattern: str) -> str:
    try:
        moment = _EPOCH + timedelta(seconds=time)
    except (OverflowError, ValueError):
        return ""
    # Not `strftime("%Y")`: its form of years before 1000 differs between systems.
    return f"{moment.year:04}{moment.strftime(pattern[2:])}"


def is_turn(excerpt: Excerpt) -> bool:
    """True for a turn of a conversation on some day; False for text of a file."""
    return excerpt.kind in (RecordKind.EVENT, RecordKind.MEMORY)


def date_of(excerpt: Excerpt) -> str:
    """The day of the content, where it tells a reader something.

    A file's time is its last write on this disk, and tells nothing.
    """
    if excerpt.time is None:
        return ""
    if is_turn(excerpt):
        return minute(excerpt.time)
    return day(excerpt.time) if excerpt.door != "files" else ""


def author_of(excerpt: Excerpt) -> str:
    return excerpt.author if is_turn(excerpt) else ""


def title_of(excerpt: Excerpt) -> str:
    """The title, when the uri does not contain it already."""
    title = excerpt.title.strip()
    if not title:
        return ""
    uri = excerpt.citation.uri.casefold()
    last = uri.rpartition("/")[2]
    return "" if title.casefold() in (uri, last, last.partition(".")[0]) else title


def path_of(excerpt: Excerpt) -> str:
    """`Retry.run` in code, whose names are qualified; `Retries › Backing off` in prose, without a title on
    top.
    """
    if excerpt.kind is RecordKind.CODE or not excerpt.trail:
        return "" if excerpt.name == excerpt.title else excerpt.name
    path = [part for part in (*excerpt.trail, excerpt.name) if part]
    if len(path) > 1 and path[-1] == path[-2]:
        path.pop()
    if path and path[0] == excerpt.title:
        path = path[1:]
    return " › ".join(path[-TRAIL_LIMIT:])


def left_out(pack: Pack) -> str:
    """`12 over budget, 3 duplicates, 4 of low score`, "" when nothing was."""
    parts = []
    if number := len(pack.omitted.budget):
        parts.append(f"{number:,} over budget")
    if number := len(pack.omitted.duplicate):
        parts.append(f"{number:,} duplicate{'' if number == 1 else 's'}")
    if number := len(pack.omitted.low_score):
        parts.append(f"{number:,} of low score")
    return ", ".join(parts)


def remarks(pack: Pack) -> list[str]:
    """The sentences that close a pack: counts of omissions, then its notes."""
    omitted = left_out(pack)
    return [*([f"Left out {omitted}."] if omitted else []), *notes(pack)]


def parted(pack: Pack) -> tuple[str, list[str]]:
    """A pack in Markdown without its closing remarks, and the remarks, for a terminal that shows them apart."""
    said = remarks(pack)
    closing = "".join(f"{inline(line, 1000)}\n" for line in said)
    body, found, rest = pack.text.rpartition(closing or pack.text + "\n")
    if not found or rest not in ("", f"{ESCAPED}\n"):
        return pack.text, said
    return (f"{body}{rest}" if rest else f"{body.rstrip(chr(10))}\n"), said


def notes(pack: Pack) -> list[str]:
    """Notes that a reader needs to judge the pack: one sentence each, only those that apply.

    Inert, one line each.
    """
    stats = pack.stats
    found = []
    if stats.anchors_missing:
        names = ", ".join(f"`{_name(name)}`" for name in stats.anchors_missing[:5])
        more = f" and {len(stats.anchors_missing) - 5} more" if len(stats.anchors_missing) > 5 else ""
        found.append(f"Nothing in the store mentions {names}{more}.")
    if stats.corrections:
        pairs = [f"`{_name(word)}` as `{_name(meant)}`" for word, meant in [*stats.corrections.items()][:5]]
        found.append(f"Also searched {', '.join(pairs)}.")
    if stats.degraded:
        found.append(f"Degraded: {', '.join(one_line(arm, 80) for arm in stats.degraded[:5])}.")
    if stats.vectors_pending:
        found.append(f"{stats.vectors_pending:,} ranked without vectors.")
    if stats.stale:
        found.append(
            f"{stats.stale:,} file{'' if stats.stale == 1 else 's'} changed since indexing; run `daypack add` again."
        )
    return found


def _name(text: str) -> str:
    return one_line(text, 80).replace("`", "'")
