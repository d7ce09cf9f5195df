"""Questions about the matters of a world, in tiers from trivial to hard.

A question asks for one matter or several, each by its topic and by what it shares with the others (a party, a
person, a place) or has alone (how it ended). What is said singles every matter out among all that the asker
can see in the largest set, so in every smaller one: a question without an answer, or with two as good, is
never made. Tiers differ in how many are asked for, in whether topics are called by their own words, in what
tells the matter from others like it, in the budget, and in what the asker may look into.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from daypack.evaluate.benchmark import BenchCase, BenchSuite
from daypack.evaluate.cases import TermsScope
from evals.bench.worlds import SEED, SESSIONS, USERS, Corpus, Draw, Matter, matters, world_of


class Form(StrEnum):
    KEYWORDS = "keywords"  # words in a row
    SENTENCE = "sentence"
    TOPIC = "topic"  # nothing but the topic


class By(StrEnum):
    """Facts that tell a matter from others of its topic."""

    PARTY = "party"
    PERSON = "person"
    PLACE = "place"
    STATUS = "status"  # with the party
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Tier:
    """`cases` a run and `keys` a case, from and to; `paraphrased` is the share of topics that are asked for
    in other words.
    """

    name: str
    cases: tuple[int, int]
    budget: int
    keys: tuple[int, int]
    paraphrased: float
    form: Form
    by: tuple[By, ...]
    session_only: bool = False

    @property
    def terms_scope(self) -> TermsScope:
        return TermsScope.RETRIEVED_RECORDS if self.session_only else TermsScope.ASSEMBLED_CONTEXT


FOUR = (
    Tier("trivial", (3, 4), 2000, (1, 1), 0.0, Form.KEYWORDS, (By.PARTY,)),
    Tier("easy", (5, 8), 1500, (1, 2), 0.0, Form.KEYWORDS, (By.PERSON, By.PLACE)),
    Tier("medium", (8, 12), 1000, (2, 3), 0.5, Form.SENTENCE, (By.PARTY,)),
    Tier("hard", (12, 15), 800, (3, 4), 1.0, Form.SENTENCE, (By.PERSON, By.PLACE)),
)
TEN = (
    Tier("trivial", (3, 5), 2000, (1, 1), 0.0, Form.KEYWORDS, (By.PARTY,)),
    Tier("easy", (5, 8), 1500, (1, 2), 0.0, Form.KEYWORDS, (By.PERSON, By.PLACE)),
    Tier("moderate_easy", (8, 12), 1200, (2, 3), 0.25, Form.SENTENCE, (By.PARTY,)),
    Tier("moderate", (12, 16), 900, (3, 4), 0.5, Form.SENTENCE, (By.PARTY, By.PLACE)),
    Tier("moderate_hard", (16, 20), 700, (3, 4), 0.75, Form.SENTENCE, (By.PERSON, By.PLACE)),
    Tier("hard", (20, 24), 600, (1, 1), 1.0, Form.SENTENCE, (By.STATUS,)),
    Tier("harder", (24, 28), 500, (1, 2), 0.5, Form.SENTENCE, (By.PERSON, By.PLACE), session_only=True),
    Tier("very_hard", (28, 32), 400, (1, 1), 1.0, Form.SENTENCE, (By.STATUS, By.PLACE), session_only=True),
    Tier(
        "extreme",
        (32, 36),
        300,
        (1, 1),
        1.0,
        Form.KEYWORDS,
        (By.PARTY, By.PERSON, By.PLACE),
        session_only=True,
    ),
    Tier("maximum", (36, 40), 200, (1, 1), 1.0, Form.TOPIC, (By.NOTHING,), session_only=True),
)
TIERS: Mapping[str, tuple[Tier, ...]] = {"four": FOUR, "ten": TEN}
# of the questions to an adversarial set turn on how a matter ended of which another ended otherwise
_TWISTED = 0.5
_MISTYPED = 2  # words of a question to a perturbed set
_SHORTEST_MISTYPED = 6  # letters
_TRIES = 400

_SENTENCES: Mapping[By, tuple[str, ...]] = {
    By.PARTY: (
        "What do we have for {which} on {topics}?", "Prepare a briefing for {which}: {topics}.", "Has {which} anything about {topics}?",
        "I need whatever concerns {topics}, only for {which}.",
    ),
    By.PERSON: (
        "Of everything with {which}, what deals with {topics}?", "{which} should know: {topics}?", "Which of the files kept by {which} are about {topics}?",
    ),
    By.PLACE: (
        "What was decided in {which} about {topics}?", "Anything from {which} on {topics}?", "Collect what came out of {which}: {topics}.",
    ),
    By.STATUS: (
        "{topics}: which one, brought by {which}, {status}?", "Find what {status} for {which}, about {topics}.",
        "About {topics} for {which}, I only want the one that {status}.",
    ),
}  # fmt: skip


# ---------------------------------------------------------------- making


def suites(
    corpus: Corpus, *, series: int, runs: int, tiers: Sequence[Tier] = FOUR, seed: int = SEED
) -> Iterator[BenchSuite]:
    """`series` times `runs` suites, each of one tier: in a series tiers follow each other, the first have one
    more where they cannot be equal.
    """
    asker = _Asker(corpus, seed)
    for number in range(series):
        for run in range(runs):
            tier = tiers[run * len(tiers) // runs]
            name = f"series_{_letters(number)}_run_{run + 1:02d}"
            draw = Draw(seed, corpus, name, tier.name)
            made = [
                asker.case(f"run{run + 1:02d}_case{case + 1:02d}_{tier.name}", tier, draw)
                for case in range(draw.between(*tier.cases))
            ]
            yield BenchSuite(name, tuple(made))


def _letters(number: int) -> str:
    """a … z, aa, ab …"""
    found = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        found = chr(ord("a") + last) + found
    return found


class _Asker:
    def __init__(self, corpus: Corpus, seed: int) -> None:
        self._corpus, self._world = corpus, world_of(corpus)
        everything = matters(corpus, seed)
        self._visible = {
            (user, session, only): [
                one for one in everything if one.seen_by(user, session, session_only=only)
            ]
            for user in USERS
            for session in SESSIONS
            for only in (False, True)
        }
        self._alike = {
            (place, by): Counter(_told_by(one, by) for one in found)
            for place, found in self._visible.items()
            for by in By
        }

    def case(self, name: str, tier: Tier, draw: Draw) -> BenchCase:
        for _ in range(_TRIES):
            user, session = draw.one(USERS), draw.one(SESSIONS)
            by = (
                By.STATUS
                if self._corpus is Corpus.ADVERSARIAL and draw.chance(_TWISTED)
                else draw.one(tier.by)
            )
            wanted = self._wanted(tier, by, (user, session, tier.session_only), draw)
            if wanted:
                break
        else:
            raise AssertionError(f"{self._corpus} has nothing to ask for in tier {tier.name}")
        return BenchCase(
            name=name,
            tier=tier.name,
            query=self._query(wanted, tier, by, draw),
            keys=tuple(one.key for one in wanted),
            terms=tuple(term for one in wanted for term in one.terms),
            terms_scope=tier.terms_scope,
            budget=tier.budget,
            user="" if tier.session_only else user,
            session=session,
            include_user=not tier.session_only,
            include_global=not tier.session_only,
        )

    def _wanted(self, tier: Tier, by: By, place: tuple[str, str, bool], draw: Draw) -> list[Matter]:
        """Matters of different domains that share what they are asked by, each the only one of its kind; none
        where chance gave too few.
        """
        counts = self._alike[place, by]
        alone = [one for one in self._visible[place] if one.asked and counts[_told_by(one, by)] == 1]
        if by is By.STATUS and self._corpus is Corpus.ADVERSARIAL:
            topics = self._alike[place, By.PARTY]
            # those of which others ended otherwise
            alone = [one for one in alone if topics[_told_by(one, By.PARTY)] > 1]
        if not alone:
            return []
        first = draw.one(alone)
        if by in (By.STATUS, By.NOTHING):
            return [first]
        number = draw.between(*tier.keys)
        same = [
            one
            for one in alone
            if _shared(one, by) == _shared(first, by) and one.topic.domain != first.topic.domain
        ]
        found = [first]
        for one in draw.mixed(same):
            if all(one.topic.domain != other.topic.domain for other in found):
                found.append(one)
        return found[:number] if len(found) >= number else []

    def _query(self, wanted: Sequence[Matter], tier: Tier, by: By, draw: Draw) -> str:
        topics = [
            draw.one(one.topic.asked) if draw.chance(tier.paraphrased) else one.topic.words for one in wanted
        ]
        shared = _shared(wanted[0], by)
        if tier.form is Form.TOPIC and by is By.NOTHING:
            text = topics[0]
        elif tier.form is Form.KEYWORDS and by is not By.STATUS:
            text = " ".join(draw.mixed([*topics, shared.split()[0] if by is By.PARTY else shared]))
        else:
            status = self._world.statuses[wanted[0].status][1]
            text = draw.one(_SENTENCES[by]).format(which=shared, topics=_listed(topics), status=status)
            text = text[:1].upper() + text[1:]
        return _mistyped(text, draw) if self._corpus is Corpus.PERTURBED else text


def _told_by(one: Matter, by: By) -> tuple[str, ...]:
    """The fact by which a matter is told apart."""
    return (one.topic.words, _shared(one, by), one.status if by is By.STATUS else "")


def _shared(one: Matter, by: By) -> str:
    return {By.PERSON: one.person, By.PLACE: one.place, By.NOTHING: ""}.get(by, one.party)


def _listed(topics: Sequence[str]) -> str:
    return topics[0] if len(topics) == 1 else f"{', '.join(topics[:-1])} and {topics[-1]}"


def _mistyped(text: str, draw: Draw) -> str:
    """Two neighbouring letters changed places in some of the longer words, never the first letter."""
    words = text.split(" ")
    long = [place for place, word in enumerate(words) if len(word) >= _SHORTEST_MISTYPED and word.isalpha()]
    for place in draw.some(long, _MISTYPED):
        at = draw.between(1, len(words[place]) - 2)
        word = words[place]
        words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)


# ---------------------------------------------------------------- JSON


def suite_json(suite: BenchSuite) -> str:
    """A suite as a file: an object with name and cases, under the names that context stores have for them."""
    return (
        json.dumps(
            {"name": suite.name, "cases": [_case_row(case) for case in suite.cases]},
            ensure_ascii=False,
            indent=1,
        )
        + "\n"
    )


def _case_row(case: BenchCase) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": case.name, "category": case.tier, "query_text": case.query, "expected_source_keys": [*case.keys], "expected_terms": [*case.terms],
        "expected_terms_scope": case.terms_scope.value, "token_budget": case.budget, "include_user_scope": case.include_user,
        "include_global_scope": case.include_global, "session_id": case.session,
    }  # fmt: skip
    return {**row, "user_id": case.user} if case.user else row
