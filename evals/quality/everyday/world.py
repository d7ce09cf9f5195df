"""The records and questions of the everyday world, and a store that holds them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.doors.sources.types import SourceDraft, SourceScope
from evals.quality.everyday.entries import Entry, parse
from evals.quality.everyday.fill import filling

HERE = Path(__file__).parent
NOW = datetime.fromisoformat("2026-09-23T09:00+00:00")  # a Wednesday; "last week" began on the 14th
HALVES = {
    **dict.fromkeys(("dispatch", "billing", "oncall", "mobile", "people"), "a"),
    **dict.fromkeys(("tracking", "warehouse", "data", "customers", "platform"), "b"),
}
DOORS = {"f": "files", "l": "labels", "m": "memories", "d": "documents", "e": "sessions", "s": "sources"}
PREFIXES = {"memories": "memory:", "labels": "source:", "documents": "docs:", "sources": "source:"}


class Gold(NamedTuple):
    """One item that answers: a record, or with `quote` the passage around a line of it.

    `key` is "" for a turn of a session, which is found by its quote.
    """

    door: str
    key: str
    quote: str = ""


class Question(NamedTuple):
    """`gold` has an entry for each fact that the answer needs, of any of the alternatives that state it.

    `kind` is single, multi, paraphrased, temporal or unanswerable. `reach` says how far an unanswerable
    question lies from the store: `twin` differs in one word from an answerable one, `near` is about the
    company, `far` about something else.
    """

    id: str
    half: str
    topic: str
    kind: str
    text: str
    gold: tuple[tuple[Gold, ...], ...]
    reach: str = ""


class Passage(NamedTuple):
    """A gold item in a store: half-open characters of a record, and the part of them that decides."""

    uri: str
    start: int
    end: int
    core: tuple[int, int]


# ---------------------------------------------------------------- reading


def entries() -> list[Entry]:
    """Every record in the order of time, hand-written and filling."""
    found = [
        entry
        for topic in HALVES
        for entry in parse((HERE / "world" / f"{topic}.txt").read_text("utf-8"), topic)
    ]
    return sorted([*found, *filling()], key=lambda entry: entry.at)


def questions() -> list[Question]:
    """The questions of both halves, in the order of the file."""
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [_question(json.loads(line)) for line in lines]


def _question(row: Mapping[str, Any]) -> Question:
    gold = tuple(tuple(gold_of(one) for one in alternatives) for alternatives in row["gold"])
    return Question(
        row["id"],
        HALVES[row["topic"]],
        row["topic"],
        row["kind"],
        row["question"],
        gold,
        row.get("reach", ""),
    )


def gold_of(text: str) -> Gold:
    """`m:KEY` is a record; `f:PATH@QUOTE` a passage of a file; `e:QUOTE` a turn of a session."""
    door, rest = DOORS[text[0]], text[2:]
    if door == "sessions":
        return Gold(door, "", rest)
    key, _, quote = rest.partition("@")
    return Gold(door, key, quote)


# ---------------------------------------------------------------- keeping


class Clock:
    """Unix seconds, set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def store(root: Path, found: Sequence[Entry]) -> Iterator[Daypack]:
    """A store of these entries in a folder, each kept at its own time, and the clock then at `NOW`.

    A folder that holds the store already is opened as it is.
    """
    place, clock = root / ".daypack", Clock()
    fresh = not place.exists()
    with Daypack.open(place, root=root, clock=clock) as dp:
        for entry in found if fresh else ():
            clock.now = entry.at.timestamp()
            keep(dp, entry, root)
        clock.now = NOW.timestamp()
        if fresh:
            dp.files.add(root)
            dp.documents.catch_up()
        yield dp


def keep(dp: Daypack, entry: Entry, root: Path) -> None:
    """Put an entry into its door, as a user of that door would."""
    _, key, at, text, head = entry
    match entry.door:
        case "files":
            path = root / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            os.utime(path, (at.timestamp(), at.timestamp()))
        case "labels":
            dp.knowledge.add_text(key, text)
        case "memories":
            dp.memories.remember(key, text, author=head["author"], tags=head["tags"].split(","))
        case "documents":
            name, _, number = key.partition("/")
            dp.documents.collection(name).insert({"_id": number, **head})
        case "sessions":
            dp.sessions.add_steps([Step(key, at.timestamp(), Said(head["who"], text))])
        case "sources":
            scope = SourceScope.USER
            draft = SourceDraft(text, kind=head["kind"], scope=scope, source_key=key, title=head["title"])
            dp.sources.ingest(draft)
        case other:
            raise ValueError(f"no door {other!r}")


# ---------------------------------------------------------------- gold in a store


def texts_of(dp: Daypack, found: Sequence[Entry]) -> dict[str, str]:
    """Uri → text of every record as the store holds it, the latest under each key."""
    uris = [PREFIXES.get(entry.door, "") + entry.key for entry in found if entry.door != "sessions"]
    uris += [event.reference for event in dp.sessions.timeline(session="all", limit=1_000).events]
    return {uri: dp.get(uri).text for uri in dict.fromkeys(uris)}


def passage(gold: Gold, texts: Mapping[str, str]) -> Passage:
    """The place of a gold item. Raises LookupError for a quote that is not there, or there twice."""
    if gold.door == "sessions":
        uris = [uri for uri, text in texts.items() if uri.startswith("session:") and gold.quote in text]
        if len(uris) != 1:
            raise LookupError(f"{len(uris)} turns hold {gold.quote!r}")
        return Passage(uris[0], 0, len(texts[uris[0]]), (0, len(texts[uris[0]])))
    uri = PREFIXES.get(gold.door, "") + gold.key
    text = texts[uri]
    if not gold.quote:
        return Passage(uri, 0, len(text), (0, len(text)))
    if text.count(gold.quote) != 1:
        raise LookupError(f"{uri} holds {gold.quote!r} {text.count(gold.quote)} times")
    at = text.index(gold.quote)
    start, end = around(text, at, lines=gold.door == "labels")
    return Passage(uri, start, end, (at, at + len(gold.quote)))


def around(text: str, at: int, *, lines: bool) -> tuple[int, int]:
    """The passage around a character: in a log its line and the two beside it, elsewhere what stands between
    blank lines, with the heading above.
    """
    if lines:
        start = text.rfind("\n", 0, max(text.rfind("\n", 0, at), 0)) + 1
        end = text.find("\n", at)
        after = text.find("\n", end + 1) if end >= 0 else -1
        return start, after if after >= 0 else len(text)
    start = text.rfind("\n\n", 0, at)
    end = text.find("\n\n", at)
    start = start + 2 if start >= 0 else 0
    if start:
        above = text.rfind("\n\n", 0, start - 2)
        heading = text[above + 2 if above >= 0 else 0 : start]
        if heading.startswith("#") and heading.count("\n") == 2:
            start -= len(heading)
    return start, end if end >= 0 else len(text)
