"""Judgement of an answer by the expectations of its case.

    expected docs/refunds.md:20-25      retrieved   at rank 2 of the search, within the limit of 10
                                        packed      no: over budget
    expected "idempotency key"          packed      yes

A case is judged twice, as in the pipeline: by the results of a search, and by the pack. Terms are judged in
their scope, everything else in both. Terms are compared without case, and with white space of any kind as one
blank.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from daypack.evaluate.cases import Case, Expected, Expects, Require, TermsScope
from daypack.evaluate.measures import recall, reciprocal_rank
from daypack.types import EMPTY, Budget, EmptyReason, OmissionReason

DEPTH = 200
"""Number of search results that are checked for expected things."""

_LINES = re.compile(r"(?P<path>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.DOTALL)


class Miss(enum.StrEnum):
    """The reason why an expected thing is missing."""

    NOT_STORED = "not_stored"  # nothing in the store has the name
    EMPTY = "empty"  # the answer holds nothing at all
    NOT_RANKED = "not_ranked"  # not among the ranked candidates
    BELOW_LIMIT = "below_limit"  # ranked, but after the results that count
    BUDGET = "budget"
    DUPLICATE = "duplicate"  # the pack holds another text with the same content
    LOW_SCORE = "low_score"
    NO_CONTENT = "no_content"  # it tells a reader nothing by itself
    SENT = "sent"  # an earlier pack of the conversation holds it
    SHORTENED = "shortened"  # its chunk is in the pack, without this part


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of an answer with all names by which it may be recognised."""

    uri: str
    start_line: int
    end_line: int
    text: str
    uid: str = ""
    source_key: str = ""
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instead:
    """The content of a store that comes nearest to an expected thing which it lacks."""

    nearest: str = (
        ""  # the nearest stored name, "" where none is near; of lines past the end, those of the file
    )
    lines: int | None = None  # of the file, when the expected lines are past its end


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a store to one case.

    `ranked` is the search, best first, at most DEPTH; `candidates` are the packer's, each with the reason
    where it was left out. `lacking` maps the expected things that the store lacks to what it has instead.
    """

    ranked: tuple[Passage, ...]
    packed: tuple[Passage, ...]
    candidates: tuple[tuple[Passage, OmissionReason | None], ...]
    text: str  # of the pack, as rendered
    tokens_used: int
    budget: Budget
    empty_search: EmptyReason | None = None
    empty_pack: EmptyReason | None = None
    lacking: Mapping[Expected, Instead] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    vectors_pending: int = 0
    seconds: float = 0.0  # of search and pack together


@dataclass(frozen=True, slots=True)
class Finding:
    """One expected thing. `retrieved` and `packed` are None where not judged; a miss has its reason."""

    expected: Expected
    rank: int | None  # 1-based, of the first result that holds it; None when none of the first DEPTH does
    retrieved: bool | None
    packed: bool | None
    retrieval_miss: Miss | None = None
    pack_miss: Miss | None = None
    nearest: str = ""  # the nearest stored name, when this one is not stored
    lines: int | None = None  # of the file, when the expected ones are past its end

    @property
    def found(self) -> bool:
        return self.retrieved is not False and self.packed is not False


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case, judged. `retrieved` and `packed` are None when the case expects nothing there."""

    name: str
    query: str
    digest: str
    category: str
    findings: tuple[Finding, ...]
    limit: int
    require: Require
    tokens_used: int
    token_budget: int
    empty_search: EmptyReason | None = None
    empty_pack: EmptyReason | None = None
    degraded: tuple[str, ...] = ()
    vectors_pending: int = 0
    seconds: float = 0.0
    filters: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    @property
    def retrieved(self) -> bool | None:
        return self._verdict([finding.retrieved for finding in self.findings])

    @property
    def packed(self) -> bool | None:
        return self._verdict([finding.packed for finding in self.findings])

    def _verdict(self, found: list[bool | None]) -> bool | None:
        judged = [one for one in found if one is not None]
        if not judged:
            return None
        return all(judged) if self.require is Require.ALL else any(judged)

    @property
    def found(self) -> bool:
        """True when no verdict is negative."""
        return self.retrieved is not False and self.packed is not False

    @property
    def ranks(self) -> list[int | None]:
        """Ranks of the expected things that retrieval is judged by."""
        return [finding.rank for finding in self.findings if finding.retrieved is not None]

    @property
    def first_rank(self) -> int | None:
        """Rank of the first expected thing; where only terms of the pack are expected, their rank."""
        ranks = self.ranks or [finding.rank for finding in self.findings]
        return min((rank for rank in ranks if rank is not None), default=None)

    @property
    def reciprocal_rank(self) -> float:
        return reciprocal_rank(min((rank for rank in self.ranks if rank is not None), default=None))

    @property
    def recall(self) -> float:
        """R@limit: the share of the expected things within the limit."""
        return recall(self.ranks, self.limit) if self.ranks else 0.0

    @property
    def pack_recall(self) -> float:
        judged = [finding.packed for finding in self.findings if finding.packed is not None]
        return sum(judged) / len(judged) if judged else 0.0


def matches(expected: Expected, passage: Passage) -> bool:
    """Tell whether a passage is, or holds, the expected thing."""
    wanted = expected.text
    match expected.kind:
        case Expects.ID:
            return wanted == passage.uid
        case Expects.SOURCE_KEY:
            return wanted in (passage.source_key, passage.uid)
        case Expects.SYMBOL:
            return any(symbol == wanted or symbol.endswith(f".{wanted}") for symbol in passage.symbols)
        case Expects.TERM:
            return normal(wanted) in normal(passage.text)
        case Expects.PATH:
            if wanted == passage.uri:
                return True
            path, first, last = path_lines(wanted)
            return path == passage.uri and first <= passage.end_line and passage.start_line <= last


def path_lines(text: str) -> tuple[str, int, int]:
    """ "docs/a.md:12-20" as (path, 12, 20). A path without lines stands for all lines."""
    found = _LINES.fullmatch(text)
    if found is None:
        return text, 1, 1_000_000_000
    first = int(found["first"])
    return found["path"], first, int(found["last"] or first)


def normal(text: str) -> str:
    """A text in the form for comparing terms: no case, white space as one blank."""
    return " ".join(text.casefold().split())


def judge(case: Case, answer: Answer, limit: int) -> CaseResult:
    """The case judged by its answer; results after the first `limit` do not count as found."""
    return CaseResult(
        name=case.name,
        query=case.query,
        digest=case.digest,
        category=case.category,
        findings=tuple(_finding(case, one, answer, limit) for one in case.expected),
        limit=limit,
        require=case.require,
        tokens_used=answer.tokens_used,
        token_budget=answer.budget.limit,
        empty_search=answer.empty_search,
        empty_pack=answer.empty_pack,
        degraded=answer.degraded,
        vectors_pending=answer.vectors_pending,
        seconds=answer.seconds,
        filters=case.filters,
    )


def _finding(case: Case, expected: Expected, answer: Answer, limit: int) -> Finding:
    term = expected.kind is Expects.TERM
    rank = next((rank for rank, passage in enumerate(answer.ranked, 1) if matches(expected, passage)), None)
    retrieved = packed = None
    retrieval_miss = pack_miss = None
    if not term or case.terms_scope is TermsScope.RETRIEVED_RECORDS:
        retrieved = rank is not None and rank <= limit
        if not retrieved:
            retrieval_miss = _retrieval_miss(expected, rank, answer)
    if not term or case.terms_scope is TermsScope.ASSEMBLED_CONTEXT:
        # Text of a header counts as well: a reader of the pack sees it. The excerpts hold the text as
        # written, the rendered form may quote it line by line. An empty pack is a sentence of our own.
        shown = answer.text if answer.packed else ""
        packed = any(matches(expected, passage) for passage in answer.packed) or (
            term and normal(expected.text) in normal(shown)
        )
        if not packed:
            pack_miss = _pack_miss(expected, answer)
    instead = answer.lacking.get(expected, Instead())
    return Finding(
        expected, rank, retrieved, packed, retrieval_miss, pack_miss, instead.nearest, instead.lines
    )


def _retrieval_miss(expected: Expected, rank: int | None, answer: Answer) -> Miss:
    if expected in answer.lacking:
        return Miss.NOT_STORED
    if rank is not None:
        return Miss.BELOW_LIMIT
    return Miss.NOT_RANKED if answer.ranked else Miss.EMPTY


def _pack_miss(expected: Expected, answer: Answer) -> Miss:
    if expected in answer.lacking:
        return Miss.NOT_STORED
    for passage, outcome in answer.candidates:
        if matches(expected, passage):
            return Miss.SHORTENED if outcome is None else Miss(outcome.value)
    return Miss.NOT_RANKED if answer.candidates else Miss.EMPTY
