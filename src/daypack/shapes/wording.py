"""Wording that shapes for readers share: dates, counts of omissions, notes, the reason for an empty pack."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from daypack.guard.fences import inline, one_line
from daypack.text.changelogs import version_of, without_date
from daypack.text.tables import COLUMN_MARK
from daypack.tokens import counter
from daypack.types import EmptyReason, Excerpt, Pack, RecordKind, SearchStats, Tokenizer, checksum_of

HASH_DIGITS = 8  # enough to see that a file changed; the store holds the whole hash

LONGEST_TITLE = 500  # characters that are looked at

MOST_HEADED = 0.1  # of a budget for several questions

UNKNOWN_SHOWN = 3  # words that no text has
TRAIL_LIMIT = 4  # innermost headings that are shown

MOST_MONTHS = 240

# The end of the uri of a value that a memory holds at another time: the two days, or the two minutes of one; a value to come
# may have no end.
THEN = re.compile(r"@(\d{4}-[\dT:-]+)\.\.(\d{4}-[\dT:-]+)?\Z")

_HEX = re.compile(r"[0-9a-f]+")
_WORD = re.compile(r"\w+")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

NOT_REWRITTEN = (
    "another process was reading, so the store's files may still hold it; the next memory command without concurrent "
    "readers removes it; on a server only that of the tables' owner does"
)
"""The note on an erasure whose store could not be rewritten at once."""

EMPTY_SENTENCES = {
    EmptyReason.EMPTY_QUERY: "Nothing to look for: the query has no words. Ask for a topic, a name, a path or an error text.",
    EmptyReason.EMPTY_STORE: "The store is empty. Add files to it first.",
    EmptyReason.FILTERED_OUT: "Nothing passed the filters. Remove a filter.",
    EmptyReason.NOTHING_RELEVANT: "Nothing relevant was found. Try other words, or add more sources.",
    EmptyReason.NOTHING_THEN: "No event of a session and no memory is stored from then.",
    EmptyReason.ANCHOR_NOT_FOUND: "No searched text mentions the names in the query. Check the "
    "spelling, or add the source.",
    EmptyReason.BUDGET_TOO_SMALL: "Nothing fits the budget. Ask again with a larger one.",
    EmptyReason.NO_SUCH_PAGE: "Nothing is left for this page: earlier pages show all that answers this.",
    EmptyReason.ALL_SENT: "Nothing new: earlier packs of this conversation show all that answers this.",
}


def counted(number: int, noun: str) -> str:
    """`1 file` or `1,200 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def empty_sentence(reason: EmptyReason | None, stats: SearchStats | None = None) -> str:
    """The sentence for an empty answer, after the time that was read from the question, if any."""
    sentence = EMPTY_SENTENCES[reason or EmptyReason.NOTHING_RELEVANT]
    if stats is not None and stats.skipped and reason is EmptyReason.EMPTY_STORE:
        were = "were" if stats.skipped > 1 else "was"
        sentence = f"The store is empty: {counted(stats.skipped, 'file')} {were} skipped. `daypack status .` gives the reasons."
    if stats is not None and stats.slip:
        sentence = f"Nothing passed the filters: {stats.slip}{'' if stats.slip.endswith('?') else '.'}"
    if stats is not None and stats.weak_because and reason in (None, EmptyReason.NOTHING_RELEVANT):
        sentence = f"Nothing relevant was found: {stats.weak_because}."
    return f"{time_sentence(stats)} {sentence}" if stats is not None and stats.time else sentence


def time_sentence(stats: SearchStats) -> str:
    """The time that was read from a question for events."""
    return f"Time read: {stats.time} (UTC)."


def opening_sentence(stats: SearchStats) -> str:
    """The sentence before the first item: a warning, or the time that was read; "" for most answers."""
    return weak_sentence(stats) if stats.weak else time_sentence(stats) if stats.time else ""


def short_opening(stats: SearchStats) -> str:
    """The same for a small budget, without the reason of a warning."""
    return "Weak answer." if stats.weak else opening_sentence(stats)


def checksum(record_hash: str) -> str:
    """Three digits that differ when a source changed (999 times of 1,000); "" for a text that is not a hash."""
    return checksum_of(record_hash) if _HEX.fullmatch(record_hash[:HASH_DIGITS]) else ""


def short_hash(record_hash: str) -> str:
    """The start of a hash, "" for other text."""
    start = record_hash[:HASH_DIGITS]
    return start if _HEX.fullmatch(start) else ""


@lru_cache(maxsize=4096)
def day(time: float) -> str:
    """UTC, "" for a time outside the calendar."""
    return _moment(time, "%Y-%m-%d")


def held_in_words(start: float, end: float, *, is_ahead: bool = False) -> str:
    """The time in which a memory holds: `2024-05-01 to 2024-09-30`, `since 2024-10-01`; `from 2027-01-01` where that is ahead."""
    if end == math.inf:
        return f"{'from' if is_ahead else 'since'} {day(start)}"
    return day(start) if day(start) == day(end) else f"{day(start)} to {day(end)}"


def months_in_words(start: float, end: float) -> str:
    """The years and the names of the months between two moments: `2024 2025 November December January`."""
    first, last = (_EPOCH + timedelta(seconds=time) for time in (start, end))
    months = min(12 * (last.year - first.year) + last.month - first.month + 1, MOST_MONTHS)
    passed = [(first.year + (first.month - 1 + n) // 12, (first.month - 1 + n) % 12) for n in range(months)]
    years = dict.fromkeys(str(year) for year, _ in passed)
    names = dict.fromkeys(datetime(2000, 1 + month, 1).strftime("%B") for _, month in passed)
    return " ".join([*years, *names])


def day_in(year: str, date: str) -> str:
    """A day without its year when that is `year`, as `24 Nov`; else in full."""
    return f"{int(date[8:])} {_MONTHS[int(date[5:7]) - 1]}" if year and date[:4] == year else date


def minute(time: float) -> str:
    """UTC without its name, for a column of times and for packs."""
    return _moment(time, "%Y-%m-%d %H:%M")


def utc_minute(time: float) -> str:
    """A time that stands alone: `2026-10-05 09:12 UTC`."""
    return _moment(time, "%Y-%m-%d %H:%M UTC")


def utc_minutes(start: float, end: float) -> str:
    """A stretch of time, with the day of its end only when that is another day."""
    first, last = minute(start), minute(end)
    if first == last:
        return utc_minute(end)
    return f"{first} to {last[11:] if first[:10] == last[:10] else last} UTC"


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
    """The day of a text, "" for a file, whose time is only its last write on this disk."""
    if excerpt.time is None:
        return ""
    if is_turn(excerpt):
        return minute(excerpt.time)
    return day(excerpt.time) if excerpt.door != "files" else ""


def author_of(excerpt: Excerpt) -> str:
    return excerpt.author if is_turn(excerpt) else ""


def without_links(text: str) -> str:
    """A title with its links and images replaced by their words."""
    text = text[:LONGEST_TITLE]
    while (shorter := _LINK.sub(r"\1", text)) != text:
        text = shorter
    return text.strip()


def title_of(excerpt: Excerpt) -> str:
    """The title; "" when the uri or the beginning of the text shows it, or when a heading of a file does."""
    title = without_links(excerpt.title)
    if not title or _begins(excerpt.text, title):
        return ""
    if excerpt.door == "files" and (excerpt.name or excerpt.trail):
        return ""
    uri = THEN.sub("", excerpt.citation.uri).casefold()
    last = uri.rpartition("/")[2]
    name = title.casefold()
    return "" if uri.endswith(name) or name in (last, last.partition(".")[0]) else title


def name_of(excerpt: Excerpt) -> str:
    """The part of its symbol's name that the text does not show, or else the nearest heading, behind the version that
    the text is about: `2.4.0 › Fixed`.
    """
    if excerpt.kind is RecordKind.CODE:
        return _symbol_of(excerpt)
    name = excerpt.name or "".join(excerpt.trail[-1:])
    version = version_of((*excerpt.trail, name))
    above = "" if version == name or _shows(excerpt, version) else version
    return " › ".join(part for part in (without_date(above), _heading_of(excerpt, name)) if part)


def _shows(excerpt: Excerpt, version: str) -> bool:
    """True when the text or the citation of an excerpt has a version, which is a heading."""
    if not version:
        return True
    named = excerpt.citation.uri if excerpt.door == "files" else excerpt.title  # no title is shown of a file
    return any(
        re.search(rf"(?<![\w.]){re.escape(said)}(?!\w|\.\d)", place) is not None
        for said, place in ((version, excerpt.text), (without_date(version), named))
    )


def _symbol_of(excerpt: Excerpt) -> str:
    name = excerpt.name
    if name in ("", excerpt.title):
        return ""
    shown = {*_WORD.findall(excerpt.text)}
    parts = [part for part in name.split(".") if not shown.issuperset(_WORD.findall(part))]
    return ".".join(parts) if ", " not in name or shown.isdisjoint(_WORD.findall(name)) else ""


def _heading_of(excerpt: Excerpt, name: str) -> str:
    if COLUMN_MARK in name:
        head = {*_WORD.findall(excerpt.text.partition("\n")[0])}
        return "" if head.issuperset(_WORD.findall(name)) else name
    if name in ("", excerpt.title) or any(part in excerpt.text for part in name.split(", ")):
        return ""
    plain = without_links(name)
    return "" if _begins(excerpt.text, plain) else plain


def _begins(text: str, title: str) -> bool:
    """True when the first line that is not blank holds the title."""
    return title.casefold() in text.lstrip()[: 4 * len(title) + 40].partition("\n")[0].casefold()


def path_of(excerpt: Excerpt) -> str:
    """`Retry.run` in code, whose names are qualified; `Retries › Backing off` in prose, without the title."""
    if excerpt.kind is RecordKind.CODE or not excerpt.trail:
        return "" if excerpt.name == excerpt.title else excerpt.name
    path = [part for part in (*excerpt.trail, excerpt.name) if part]
    if len(path) > 1 and path[-1] == path[-2]:
        path.pop()
    if path and path[0] == excerpt.title:
        path = path[1:]
    return " › ".join(path[-TRAIL_LIMIT:])


def left_out(pack: Pack) -> str:
    """`12 over budget, 3 duplicates, 4 of low score, 5 without content`, "" when nothing was."""
    parts = []
    if number := len(pack.omitted.budget):
        parts.append(f"{number:,} over budget")
    if number := len(pack.omitted.duplicate):
        parts.append(counted(number, "duplicate"))
    if number := len(pack.omitted.low_score):
        parts.append(f"{number:,} of low score")
    if number := len(pack.omitted.no_content):
        parts.append(f"{number:,} without content")
    if number := len(pack.omitted.sent):
        parts.append(f"{number:,} sent before")
    return ", ".join(parts)


def remarks(pack: Pack) -> list[str]:
    """The sentences that close a pack: the number of candidates without room, its notes, its place in a conversation."""
    over = len(pack.omitted.budget)
    return [*([f"{over:,} more."] if over else []), *notes(pack), *conversation_sentences(pack)]


def conversation_sentences(pack: Pack) -> list[str]:
    """The sentences on the conversation of a pack: sent items that changed or are gone, sent items that answer too, and its
    ID; none without `after`.
    """
    chain = pack.chain
    if chain is None or not chain.named:
        return []
    sentences = [
        f"{what} {', '.join(map(str, labels))}."
        for what, labels in (
            ("Changed since:", chain.changed),
            ("Removed or read again:", chain.removed),
            ("See above:", chain.again),
        )
        if labels
    ]
    return [*sentences, f"Pack {pack.id}."] if pack.id else sentences


def footer(pack: Pack, *, lean: bool = False) -> str:
    """The closing line of a pack in Markdown, "" without remarks. The lean one says only that files changed, and has what the
    next pack of the conversation relies on.
    """
    essential = [*stale_sentences(pack.stats), *_without_id(pack), *conversation_sentences(pack)]
    sentences = essential if lean else remarks(pack)
    line = " ".join(sentences).removesuffix(".")
    return f"[… {inline(line, 1000)}]\n" if line else ""


def text_and_remarks(pack: Pack) -> tuple[str, list[str]]:
    """(a pack in Markdown without its closing line, its remarks in full), for a terminal. In a conversation the line stays,
    because its reader is a model.
    """
    omitted = left_out(pack)
    counted = [f"Left out {omitted}."] if omitted else []
    if pack.least:
        counted = [no_room_sentence(pack), *counted]
    if pack.excerpts and pack.stats.weak and (warning := weak_sentence(pack.stats)) not in pack.text:
        counted = [warning, *counted]  # the budget had no room for it
    if pack.chain is not None and pack.chain.named:
        return pack.text, counted
    notes_on_pack = [*counted, *notes(pack)]
    for closing in (footer(pack), footer(pack, lean=True)):
        if closing and pack.text.endswith(closing):
            return f"{pack.text.removesuffix(closing).rstrip(chr(10))}\n", notes_on_pack
    return pack.text, notes_on_pack


def no_room_sentence(pack: Pack) -> str:
    """The sentence on a budget without room for one item, which has no room for a sentence either."""
    return f"Nothing fits in {counted(pack.budget.limit, 'token')}; {pack.least:,} are enough for an item."


def headings_within(questions: Sequence[str], budget: int, tokenizer: str) -> tuple[list[str], int]:
    """(a heading for the pack of each question, the rest of the budget). Headings are "" for a single question, and where
    they would cost much.
    """
    if len(questions) > 1:
        headings = [heading(question) for question in questions]
        cost = sum(map(counter(Tokenizer(tokenizer)), headings))
        if cost <= MOST_HEADED * budget:
            return headings, budget - cost
    return [""] * len(questions), budget


def heading(question: str) -> str:
    """The line above the pack of one of several questions."""
    return f"[? {inline(question, 100)}]\n"


def weak_sentence(stats: SearchStats) -> str:
    """The warning before a weak answer."""
    words = ", ".join(f"“{_name(word)}”" for word in stats.unknown[:UNKNOWN_SHOWN])
    more = f" and {extra} more" if (extra := len(stats.unknown) - UNKNOWN_SHOWN) > 0 else ""
    reason = f"the store says nothing about {words}{more}" if words else "no text is near to the question"
    reason = stats.weak_because or reason
    return f"Weak answer: {reason}; these are the nearest texts."


def notes(pack: Pack) -> list[str]:
    """The sentences that a reader needs to judge the pack, without live markup."""
    stats = pack.stats
    sentences = []
    if stats.anchors_missing:
        names = ", ".join(f"`{_name(name)}`" for name in stats.anchors_missing[:5])
        more = f" and {len(stats.anchors_missing) - 5} more" if len(stats.anchors_missing) > 5 else ""
        sentences.append(f"Nothing in the store mentions {names}{more}.")
    if stats.corrections:
        pairs = [f"`{_name(word)}` as `{_name(meant)}`" for word, meant in [*stats.corrections.items()][:5]]
        sentences.append(f"Also searched {', '.join(pairs)}.")
    return [*sentences, *state_sentences(stats), *_without_id(pack)]


def state_sentences(stats: SearchStats) -> list[str]:
    """The sentences on an answer that saw less than there is: arms that did not answer, files that changed."""
    sentences = []
    if stats.degraded:
        sentences.append(f"Degraded: {', '.join(one_line(arm, 240) for arm in stats.degraded[:5])}.")
    return [*sentences, *stale_sentences(stats)]


def stale_sentences(stats: SearchStats) -> list[str]:
    """The sentence on files that changed, in packs of any size; none where all are as indexed."""
    if not stats.stale:
        return []
    return [f"{counted(stats.stale, 'file')} changed since indexing; {step_of_stale(stats.stale, stats)}."]


def step_of_stale(files: int, stats: SearchStats) -> str:
    """The next step where a number of files changed and were not read again."""
    them = "it" if files == 1 else "them"
    return f"the store was locked, so the next question reads {them}" if stats.busy else f"add {them} again"


def _without_id(pack: Pack) -> list[str]:
    """The note that no pack can follow this one, when that is so."""
    unkept = pack.chain is not None and pack.chain.named and not pack.id
    return ["This pack has no ID, because the store could not be written."] if unkept else []


def _name(text: str) -> str:
    return one_line(text, 80).replace("`", "'")
