r"""The rules of memories: the current version, its replacement, and the weight of age.

A memory is a list of versions that only grows. The current value is not stored but follows from them:

    holding(versions, valid_at, known_at)     of the versions recorded by `known_at` that cover `valid_at`,
                                              a trusted one before any untrusted one, and then the one recorded last

so a correction about the past, a fact for next month and an end are all one more version, and no answer about
the past changes. (Valid time and transaction time as in Snodgrass, Developing Time-Oriented Database
Applications in SQL, 1999.) When a version with an end has ended, the version below it holds again; when one
has expired, nothing holds.

    recency = 2 ^ (-age / 30 days)              age since the last access, else since the last change
    keyword = share of the query's words (\w+, lower case) that occur in key or value
    blend   = .9 common ranking + .1 recency    with weights: w1 cosine + w2 keyword + w3 recency, divided by their sum
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from daypack.doors.memories.types import MemoryHistory, MemoryVersion, Verdict, VersionState
from daypack.errors import InputError
from daypack.guard.fences import is_inert, one_line
from daypack.guard.secrets import redact, refuse_secret
from daypack.guard.suspects import may_hold_secret
from daypack.text.checks import check_text, is_moment
from daypack.types import SHARED, Trust

LONGEST_KEY = 512
KEY_NAME = 40  # characters of a key that is made from a text
LONGEST_VALUE = 10 << 20  # characters
MOST_TAGS = 64
LONGEST_TAG = 128
HALF_LIFE = 30 * 86400.0  # seconds
SMALLEST_BLOCK, LARGEST_BLOCK = 1, 100_000  # tokens of a memory block; values outside are clamped
SIMILAR = 0.25  # Jaccard index of terms from which two memories are shown side by side. guess
_SHARED_TERMS = 2  # one word in common is a topic, not a similarity


# ---------------------------------------------------------------- time


def holding(
    versions: Sequence[MemoryVersion], *, valid_at: float, known_at: float = math.inf
) -> MemoryVersion | None:
    """The version that holds at `valid_at` as known at `known_at`; `versions` as recorded."""
    best: MemoryVersion | None = None
    for version in versions:
        if (
            _counts(version, known_at)
            and covers(version, valid_at)
            and (best is None or _rank(version) >= _rank(best))
        ):
            best = version
    return None if best is None or best.value is None or _expired(best, valid_at) else best


class Held(NamedTuple):
    """A stretch of time, [`start`, `end`), in which a version held; without an end it still does."""

    version: MemoryVersion
    start: float
    end: float


def held_times(versions: Sequence[MemoryVersion]) -> list[Held]:
    """The times in which each version holds, as known today, in the order of time. Before and after them nothing holds."""
    counting = [version for version in versions if _counts(version, math.inf)]
    by_rank = sorted(counting, key=_rank)[::-1]  # of equal ranks the last one recorded first
    times: list[Held] = []
    free = [(-math.inf, math.inf)]
    for version in by_rank:
        start, end = version.valid_from, math.inf if version.valid_to is None else version.valid_to
        still_free: list[tuple[float, float]] = []
        for first, last in free:
            begin, stop = max(first, start), min(last, end)
            if begin >= stop:
                still_free.append((first, last))
                continue
            still_free += [part for part in ((first, begin), (stop, last)) if part[0] < part[1]]
            if version.expires_at is not None:  # it still covers what is below it
                stop = min(stop, version.expires_at)
            if version.value is not None and begin < stop:
                times.append(Held(version, begin, stop))
        free = still_free
    return sorted(times, key=lambda held: held.start)


def held_then(
    times: Sequence[tuple[float, float]], since: float | None, until: float, *, now_from: float | None
) -> list[tuple[float, float]]:
    """Of the past times in which a key held a value, those that a question about [`since`, `until`) means; `now_from` is the
    beginning of its present value.

    Without `since` it means the last before `until`, "who led the team before March?", which the present value may be.
    """
    inside = [time for time in times if time[0] < until and (since is None or time[1] > since)]
    if since is not None:
        return inside
    return [] if now_from is not None and now_from < until else inside[-1:]


def order_then(start: float, end: float, since: float | None, until: float) -> int:
    """The place of a value with a time among those of its key, for a question about [`since`, `until`): 0 for the one that
    held in the middle, 1 for another that held in it, 2 for the rest. Without `since` it means the last before `until`.
    """
    if since is None:
        return 0 if start < until else 2
    middle = since if math.isinf(until) else (since + until) / 2
    if start <= middle < end:
        return 0
    return 1 if start < until and end > since else 2


def covers(version: MemoryVersion, moment: float) -> bool:
    return version.valid_from <= moment and (version.valid_to is None or moment < version.valid_to)


def _counts(version: MemoryVersion, known_at: float) -> bool:
    if version.recorded_at > known_at:
        return False
    return not (
        version.verdict is Verdict.REJECTED
        and version.reviewed_at is not None
        and version.reviewed_at <= known_at
    )


def _expired(version: MemoryVersion, moment: float) -> bool:
    return version.expires_at is not None and version.expires_at <= moment


def _rank(version: MemoryVersion) -> int:
    """1 for a trusted version, 0 for an untrusted one, which replaces only untrusted ones."""
    return 0 if version.trust is Trust.UNTRUSTED else 1


def is_unreviewed(version: MemoryVersion) -> bool:
    return version.trust is Trust.UNTRUSTED and version.verdict is None


def moment_of(versions: Sequence[MemoryVersion], now: float) -> float:
    """Now, but not before the last recorded version: a clock that was set back hides nothing."""
    return max([now, *(version.recorded_at for version in versions)])


def moment_after(gone_at: float, now: float) -> float:
    """Now, but after the key was forgotten, so that a new version is not taken for a forgotten one."""
    return max(now, math.nextafter(gone_at, math.inf))


def next_change(versions: Sequence[MemoryVersion], now: float) -> float | None:
    """The next start, end or expiry, at which the current version may change; None without one."""
    moments = (
        at for v in versions for at in (v.valid_from, v.valid_to, v.expires_at) if at is not None and at > now
    )
    return min(moments, default=None)


def head(versions: Sequence[MemoryVersion]) -> MemoryVersion | None:
    """The version that a writer must have seen: the last one that is not merely proposed."""
    trusted = [version for version in versions if version.trust is not Trust.UNTRUSTED]
    known = [version for version in versions if version.verdict is not Verdict.REJECTED]
    return trusted[-1] if trusted else known[-1] if known else None


def histories(versions: Sequence[MemoryVersion], now: float) -> list[MemoryHistory]:
    """Each version with its state now, newest first."""
    moment = moment_of(versions, now)
    current = holding(versions, valid_at=moment)
    trusted = any(_rank(version) and covers(version, moment) for version in versions)
    said = defaultdict[str, set[str | None]](set)  # by parent; a proposal is part of no conflict
    for version in versions:
        if _rank(version):
            said[version.parent].add(version.value)
    entries = []
    for version in reversed(versions):
        if version is current:
            state = VersionState.CURRENT
        elif version.verdict is not None:
            state = VersionState(version.verdict.value)
        elif version.trust is Trust.UNTRUSTED and trusted:
            state = VersionState.WAITING
        elif version.valid_from > moment:
            state = VersionState.FUTURE
        elif _expired(version, moment):
            state = VersionState.EXPIRED
        else:
            state = VersionState.SUPERSEDED
        conflict = _rank(version) > 0 and len(said[version.parent]) > 1
        entries.append(MemoryHistory(version, state, conflict))
    return entries


def same_statement(old: MemoryVersion, new: MemoryVersion, *, moment: float) -> bool:
    """True when writing `new` over `old` would repeat it: then nothing is written."""
    # a default carries no claim about the time
    said_when = new.valid_from == new.recorded_at or new.valid_from == old.valid_from
    return (
        (old.value, old.tags, old.valid_to) == (new.value, new.tags, new.valid_to)
        and said_when
        and covers(old, moment)
        and old.expires_at == new.expires_at
        and _rank(old) >= _rank(new)
    )


# ---------------------------------------------------------------- names


def check_key(key: object) -> str:
    """The key in NFC, if valid. Raises InputError."""
    return _checked("key", key, LONGEST_KEY)


def check_new_key(key: object) -> str:
    """The key in NFC, if a memory may be written under it. Raises InputError, also for a likely secret."""
    checked = check_key(key)
    if redact(checked).count:
        raise InputError("the key looks like a secret, and keys are shown; give the memory another name")
    return checked


def is_sentence(text: str) -> bool:
    """True for a text, not a key: several words, or one in a script without spaces."""
    return bool(re.search(r"\S\s+\S", text)) or ("/" not in text and not text.isascii())


def keys_for(text: str) -> Iterator[str]:
    """Keys for a text that has none, without end: `notes/` and its first words, then with 2, 3 and so on."""
    # Marks are letters of Indic words, which `\w` leaves out.
    kept = (sign if sign.isalnum() or unicodedata.category(sign)[0] == "M" else " " for sign in text.lower())
    name = ""
    for word in "".join(kept).split():
        if name and len(name) + len(word) >= KEY_NAME:
            break
        name = f"{name}-{word}" if name else word[:KEY_NAME]
    name = f"notes/{name or 'note'}"
    yield name
    yield from (f"{name}-{number}" for number in count(2))


def history_of(key: str) -> str:
    """The command that lists the versions of a key, for messages."""
    return f"`daypack memory history {shlex.quote(key)}`"


def check_tags(tags: Collection[object]) -> tuple[str, ...]:
    """Tags once each, sorted. Raises InputError."""
    if isinstance(tags, str) or len(tags) > MOST_TAGS:
        raise InputError(f"tags must be a list of at most {MOST_TAGS} strings")
    return tuple(sorted({_checked("tag", tag, LONGEST_TAG) for tag in tags}))


def check_label(what: str, text: object) -> str:
    """A name that may be empty: a source, an author, a session, a project. Raises InputError."""
    return "" if text == "" else _checked(what, text, LONGEST_KEY)


def clean_label(what: str, text: object) -> str:
    """The name as `check_label` takes it, without secrets."""
    return redact(check_label(what, text)).text


def check_owner(owner: object) -> str:
    checked = _checked("owner", owner, LONGEST_TAG)
    if checked == SHARED:
        raise InputError(f"the owner {SHARED!r} means all users; write with shared=True (--shared) instead")
    if may_hold_secret(
        checked
    ):  # the rules of redaction take 20 ms to load, and every command names an owner
        refuse_secret("owner", checked)
    return checked


def _checked(what: str, text: object, longest: int) -> str:
    check_text(f"the {what}", text)
    assert isinstance(text, str)
    if not text or text != text.strip():
        raise InputError(
            f"the {what} must be a non-empty text without surrounding blanks, not {one_line(repr(text), 60)}"
        )
    if "\n" in text or "\t" in text or not is_inert(text):
        raise InputError(
            f"the {what} {one_line(repr(text), 60)} holds invisible characters or line ends; remove them"
        )
    if len(text) > longest:
        raise InputError(f"the {what} has {len(text):,} characters; at most {longest} are allowed")
    return unicodedata.normalize("NFC", text)


def check_value(value: object) -> str:
    """Check the value of a memory. Raises InputError."""
    check_text("the value", value, "a text to remember")
    if not isinstance(value, str) or not value.strip():
        raise InputError("the value is empty; give a text to remember")
    if len(value) > LONGEST_VALUE:
        raise InputError(
            f"the value has {len(value):,} characters; at most {LONGEST_VALUE:,} are allowed; use `daypack add` for files"
        )
    return value


_OUTSIDE = ("tool:", "web:", "http://", "https://")


def default_trust(source: str) -> Trust:
    """Untrusted for sources that are tools or pages, else the user's."""
    return Trust.UNTRUSTED if source.lower().startswith(_OUTSIDE) else Trust.USER


def check_moment(what: str, moment: object) -> float | None:
    """Unix seconds that have a date, or None. Raises InputError."""
    if moment is None:
        return None
    if not is_moment(moment):
        raise InputError(f"{what} must be Unix seconds of the years 1 to 9999")
    return float(moment)


_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,256})(?:[|#][^\[\]\n]{0,256})?\]\]")


def links_in(value: str) -> tuple[str, ...]:
    """The keys that a value links to as `[[key]]`, `[[key|words]]` or `[[key#part]]`, in order."""
    return tuple(dict.fromkeys(match[1].strip() for match in _LINK.finditer(value) if match[1].strip()))[
        :MOST_TAGS
    ]


# ---------------------------------------------------------------- identity


def token_of(key: str, version: MemoryVersion) -> str:
    """16 hex digits of the version's whole content: the same statement has the same token in every store."""
    facts = [
        key, version.value, version.recorded_at, version.valid_from, version.valid_to, version.expires_at, version.tags, version.links,
        version.source, version.author, version.session, version.trust.value, version.parent,
    ]  # fmt: skip
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=8).hexdigest()


# ---------------------------------------------------------------- signals


def recency(now: float, then: float | None) -> float:
    """2^(-age / 30 days) in [0, 1]; 1 for future dates, 0 without a date."""
    return 0.0 if then is None else min(1.0, 2.0 ** (-max(0.0, now - then) / HALF_LIFE))


_WORDS = re.compile(r"\w+")


def keyword(query: str, text: str) -> float:
    """The share of the query's words that occur in the text; 0 for a query without words."""
    wanted = set(_WORDS.findall(query.lower()))
    return len(wanted & set(_WORDS.findall(text.lower()))) / len(wanted) if wanted else 0.0


@dataclass(frozen=True, slots=True)
class OrderWeights:
    """Weights of the blend. They are divided by their sum; when all are zero, the defaults are taken."""

    semantic: float = 0.6
    keyword: float = 0.3
    recency: float = 0.1

    def normalised(self) -> OrderWeights:
        """The weights with sum 1. Raises InputError for a negative or non-numeric weight."""
        parts = (self.semantic, self.keyword, self.recency)
        if not all(isinstance(weight, (int, float)) and 0 <= weight < math.inf for weight in parts):
            raise InputError("weights must be numbers from 0 up")
        total = sum(parts)
        return OrderWeights(*(weight / total for weight in parts)) if 0 < total < math.inf else OrderWeights()


def likeness(terms: Collection[str], other_terms: Collection[str]) -> float:
    """Jaccard index of two sets of terms; 0 when hardly any are common."""
    a, b = set(terms), set(other_terms)
    common = len(a & b)
    return common / len(a | b) if common >= min(_SHARED_TERMS, len(a), len(b)) > 0 else 0.0
