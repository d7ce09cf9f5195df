"""Matters that records are about: invented, of invented parties, drawn from a table of words.

    matter   what happened: topic, party, place, person, outcome, figure, docket
    row      a matter as a record: prose, or structured data beside a sentence

A set has 205 matters or so whose rows are asked for (`asked`), and with them, in mixed sets, rows that only
stand around: the same topics and parties in other combinations. Each row mentions topics that it is not
about. Sizes are those of the benchmark this one is held against.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, TypeVar

T = TypeVar("T")

SEED = 42
"""Seed of the sets whose figures are published, fixed before anything was measured on them."""
USERS = ("u_01", "u_02")
SESSIONS = ("s_01", "s_02")
_SCOPES = (
    (("global", "", ""),) * 10
    + (("user", "u_01", ""),) * 3
    + (("user", "u_02", ""),) * 2
    + (("session", "", "s_01"),) * 3
    + (("session", "", "s_02"),) * 2
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Corpus(StrEnum):
    """Worlds, plain and varied."""

    BASE = "base"  # legal
    PERTURBED = "perturbed"  # legal, with sister matters of some records, and mistyped questions
    # legal, with matters that ended the other way, and records stuffed with words of others
    ADVERSARIAL = "adversarial"
    MEDICAL = "medical"


class Variant(StrEnum):
    """In which form records are kept."""

    STRUCTURED = "structured"  # those that are asked for: a sentence, and the rest as structured data
    UNSTRUCTURED = "unstructured"  # the same ones as prose
    MIXED = "mixed"  # those that are asked for with structured data, among many more in prose


@dataclass(frozen=True, slots=True)
class Size:
    """Records of a set: how many are asked for, how many stand around, and what a variation adds to each."""

    asked: int
    around: int
    more_asked: int = 0
    more_around: int = 0


SIZES: Mapping[Corpus, Size] = {
    Corpus.BASE: Size(205, 1045),
    Corpus.PERTURBED: Size(205, 1045, 13, 37),
    Corpus.ADVERSARIAL: Size(205, 1045, 12, 188),
    Corpus.MEDICAL: Size(237, 1013),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """`words` stand in records; `asked` are ways to ask for them with other words."""

    domain: str
    words: str
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    topics: tuple[Topic, ...]
    parties: tuple[str, ...]
    people: tuple[str, ...]
    places: tuple[str, ...]
    bodies: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    units: tuple[str, ...]
    file_word: str
    statuses: Mapping[str, tuple[str, str]]  # name → words in records, words of a question
    sentences: Mapping[str, tuple[str, ...]]

    @property
    def domains(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(topic.domain for topic in self.topics))


@dataclass(frozen=True, slots=True)
class Matter:
    """One record's facts. `text` is all of it as prose, `opening` its first sentence."""

    key: str  # domain:number
    topic: Topic
    party: str
    other: str
    place: str
    person: str
    body: str
    status: str
    date: str
    figure: str
    docket: str
    aside: tuple[str, ...]
    scope: str
    user: str
    session: str
    kind: str
    tags: tuple[str, ...]
    opening: str
    text: str
    asked: bool

    @property
    def terms(self) -> tuple[str, str]:
        """Terms that an answer must show: strings of this record, in prose and in structured data alike."""
        return self.docket, self.figure

    def seen_by(self, user: str, session: str, *, session_only: bool) -> bool:
        if self.scope == "session":
            return self.session == session
        return not session_only and (self.scope == "global" or self.user == user)


class Draw:
    """Random choices by `random.random` alone, whose sequence Python promises to keep."""

    def __init__(self, *seed: object) -> None:
        self._random = random.Random(":".join(map(str, seed))).random

    def below(self, number: int) -> int:
        return int(self._random() * number)

    def between(self, low: int, high: int) -> int:
        """Both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        return self._random() < share

    def one(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], number: int) -> list[T]:
        """`number` of them in random order, at most all."""
        return self.mixed(choices)[:number]

    def mixed(self, choices: Sequence[T]) -> list[T]:
        keys = [(self._random(), place) for place in range(len(choices))]
        return [choices[place] for _, place in sorted(keys)]


@cache
def world_of(corpus: Corpus) -> World:
    name = "medical" if corpus is Corpus.MEDICAL else "legal"
    data = tomllib.loads(resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    topics = [
        Topic(domain, words, tuple(asked))
        for domain, found in data.pop("domains").items()
        for words, *asked in found
    ]
    statuses = {name: (words, asked) for name, (words, asked) in data.pop("statuses").items()}
    sentences = {name: tuple(found) for name, found in data.pop("sentences").items()}
    lists: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    return World(topics=tuple(topics), statuses=statuses, sentences=sentences, **lists)


# ---------------------------------------------------------------- matters


@cache
def matters(corpus: Corpus, seed: int = SEED) -> tuple[Matter, ...]:
    """All matters of a set, those that are asked for first.

    No topic of a party stands twice, but for what a variation adds.
    """
    world, size = world_of(corpus), SIZES[corpus]
    maker = _Maker(world, Draw(seed, "medical" if corpus is Corpus.MEDICAL else "legal"))
    found = [maker.new(number, asked=number < size.asked) for number in range(size.asked + size.around)]
    more = _Maker(world, Draw(seed, corpus, "more"), taken=maker)
    if corpus is Corpus.PERTURBED:
        found += more.twins(found, size, more.sister)
    elif corpus is Corpus.ADVERSARIAL:
        found += more.twins(found, size, more.against)
    return tuple(found)


class _Maker:
    def __init__(self, world: World, draw: Draw, taken: _Maker | None = None) -> None:
        self._world, self._draw = world, draw
        self._pairs: set[tuple[str, str]] = taken._pairs if taken else set()
        self._numbers: dict[str, int] = taken._numbers if taken else {}
        self._taken: set[str] = taken._taken if taken else set()

    def new(self, number: int, *, asked: bool) -> Matter:
        world, draw = self._world, self._draw
        domain = world.domains[number % len(world.domains)]
        topics = [topic for topic in world.topics if topic.domain == domain]
        while True:
            topic, party = draw.one(topics), draw.one(world.parties)
            if (topic.words, party) not in self._pairs:
                break
        self._pairs.add((topic.words, party))
        scope, user, session = draw.one(_SCOPES)
        return self._told(
            Matter(
                key="",
                topic=topic,
                party=party,
                other=draw.one([name for name in world.parties if name != party]),
                place=draw.one(world.places),
                person=draw.one(world.people),
                body=draw.one(world.bodies),
                status=draw.one([*world.statuses]),
                date=self._date(),
                figure=self._figure(),
                docket="",
                aside=tuple(self._asides(topic)),
                scope=scope,
                user=user,
                session=session,
                kind=draw.one(world.kinds),
                tags=tuple(sorted(draw.some(world.tags, draw.between(1, 3)))),
                opening="",
                text="",
                asked=asked,
            )
        )

    def twins(self, found: Sequence[Matter], size: Size, made: Callable[[Matter], Matter]) -> list[Matter]:
        """Variations of some matters: `more_asked` of such as are asked for, `more_around` of any."""
        asked = [one for one in found if one.asked]
        chosen = self._draw.some(asked, size.more_asked) + [
            replace(one, asked=False) for one in self._draw.some(found, size.more_around)
        ]
        return [made(one) for one in chosen]

    def sister(self, one: Matter) -> Matter:
        """The same party and topic, at another place, with another person and figure, told in other
        sentences.
        """
        return self._told(
            replace(
                one,
                place=self._other(self._world.places, one.place),
                person=self._other(self._world.people, one.person),
                date=self._date(),
                figure=self._figure(),
            )
        )

    def against(self, one: Matter) -> Matter:
        """Something that speaks against a matter, or stands in its way."""
        return self._reverse(one) if one.asked or self._draw.chance(0.5) else self._stuffed(one)

    def _reverse(self, one: Matter) -> Matter:
        """The same party, topic and place, with another outcome."""
        status = self._other([*self._world.statuses], one.status)
        return self._told(
            replace(
                one,
                status=status,
                person=self._other(self._world.people, one.person),
                date=self._date(),
                figure=self._figure(),
            )
        )

    def _stuffed(self, one: Matter) -> Matter:
        """About something else, and full of this one's words."""
        about = self._draw.one([topic for topic in self._world.topics if topic.domain != one.topic.domain])
        told = self._told(
            replace(
                one, topic=about, party=one.other, other=one.party, date=self._date(), figure=self._figure()
            )
        )
        words = one.topic.words
        return replace(
            told,
            text=f"{told.text} Keywords: {words}, {one.party}, {words}, {one.place}, {words}, {one.person}.",
        )

    def _told(self, one: Matter) -> Matter:
        """With a key, a docket and sentences of its own."""
        draw, world = self._draw, self._world
        number = self._numbers.get(one.topic.domain, 0)
        self._numbers[one.topic.domain] = number + 1
        docket = self._docket()
        words = {
            "topic": one.topic.words,
            "party": one.party,
            "other": one.other,
            "place": one.place,
            "person": one.person,
            "body": one.body,
            "date": one.date,
            "status": world.statuses[one.status][0],
            "figure": one.figure,
            "docket": f"{world.file_word} {docket}",
            "month": draw.one(_MONTHS),
        }

        def say(name: str, **more: str) -> str:
            text = draw.one(world.sentences[name]).format(**{**words, **more})
            return text[:1].upper() + text[1:]

        opening = say("opening")
        rest = [
            say("outcome"),
            say("figure"),
            say("keeper"),
            *(say("aside", aside=aside) for aside in one.aside),
            say("closing"),
        ]
        if draw.chance(0.3):
            rest.append(
                say(
                    "rumour",
                    status=world.statuses[self._other([*world.statuses], one.status)][0],
                    place=draw.one(world.places),
                )
            )
        return replace(
            one,
            key=f"{one.topic.domain}:{number:04d}",
            docket=docket,
            opening=opening,
            text=" ".join([opening, *draw.mixed(rest)]),
        )

    def _other(self, choices: Sequence[T], one: T) -> T:
        return self._draw.one([choice for choice in choices if choice != one])

    def _asides(self, topic: Topic) -> Iterator[str]:
        """Topics that are mentioned and not meant, most of the same domain."""
        for _ in range(self._draw.between(1, 2)):
            near = self._draw.chance(0.7)
            yield self._draw.one(
                [
                    one.words
                    for one in self._world.topics
                    if (one.domain == topic.domain) is near and one != topic
                ]
            )

    def _date(self) -> str:
        draw = self._draw
        return f"{draw.between(1, 28)} {draw.one(_MONTHS)} {draw.between(2019, 2025)}"

    def _figure(self) -> str:
        """One that no other matter has, nor ends in: it tells whether an answer shows this one."""
        draw = self._draw
        while True:
            found = f"{draw.between(100, 989)}.{draw.between(1, 9)} {draw.one(self._world.units)}"
            if found not in self._taken:
                self._taken.add(found)
                return found

    def _docket(self) -> str:
        letters = "BCDFGHKLMNPRSTVW"
        while True:
            found = f"{self._draw.one(letters)}{self._draw.one(letters)}-{self._draw.between(1000, 9999)}"
            if found not in self._taken:
                self._taken.add(found)
                return found


# ---------------------------------------------------------------- rows


def rows(corpus: Corpus, variant: Variant, seed: int = SEED) -> list[dict[str, Any]]:
    """A set as rows of JSON, in the order in which they are kept: by chance, the same for every variant."""
    found = [one for one in matters(corpus, seed) if one.asked or variant is Variant.MIXED]
    structured = {Variant.STRUCTURED: True, Variant.UNSTRUCTURED: False}.get(variant)
    return [
        _row(one, world_of(corpus), one.asked if structured is None else structured)
        for one in Draw(seed, corpus, "order").mixed(found)
    ]


def _row(one: Matter, world: World, structured: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "source_key": one.key, "text": one.opening if structured else one.text, "kind": one.kind, "scope": one.scope, "tags": [*one.tags],
        "metadata": {"domain": one.topic.domain},
    }  # fmt: skip
    if one.user:
        row["user_id"] = one.user
    if one.session:
        row["session_id"] = one.session
    if structured:
        row["structured_data"] = {
            "title": one.topic.words,
            "matter": {"party": one.party, "other_side": one.other, "place": one.place},
            "decision": {"body": one.body, "outcome": world.statuses[one.status][0], "date": one.date},
            "figure": one.figure,
            "file": {"keeper": one.person, world.file_word: one.docket},
            "not_covered": [*one.aside],
        }
        row["data_schema"] = {
            "schema_name": "matter",
            "schema_mode": "declared",
            "root_type": "object",
            "primary_text_paths": ["title"],
        }
    return row
