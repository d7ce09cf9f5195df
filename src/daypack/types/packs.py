"""Budgets, citations, excerpts, packs."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from daypack.text.storable import text_hash
from daypack.types.queries import Candidate, EmptyReason, SearchStats
from daypack.types.records import RecordKind, Span, Trust, reference_of
from daypack.types.shown import ShownItems


class Tokenizer(enum.StrEnum):
    """The counters that a budget can use."""

    O200K = "o200k"
    CL100K = "cl100k"
    APPROX = "approx"  # ceil(characters / 4)
    CHARS = "chars"
    BYTES = "bytes"

    @property
    def unit(self) -> str:
        """Its units in words: "o200k tokens", "characters"."""
        return {"chars": "characters", "bytes": "bytes"}.get(self.value, f"{self.value} tokens")


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit and its counter. A number without its tokenizer is not a budget."""

    limit: int
    tokenizer: Tokenizer = Tokenizer.O200K


class Packing(enum.StrEnum):
    """The rule that chooses candidates for a budget."""

    AUTO = "auto"
    SKIP = "skip"
    PREFIX = "prefix"


class Variant(enum.StrEnum):
    """The part of a chunk that an excerpt shows."""

    FULL = "full"
    EXTRACT = "extract"
    SIGNATURE = "signature"
    LINE = "line"
    BRIDGE = "bridge"  # a short run between two chosen chunks, added so that they read as one

    @property
    def is_whole(self) -> bool:
        """True when it shows every line of its chunk, or of its run."""
        return self in (Variant.FULL, Variant.BRIDGE)


class Citation(NamedTuple):
    """The place of an excerpt; resolves to exact text, or says that it changed.

    `label` is the number in the pack, `reference` what `daypack get` takes (`src/pay/retry.py:40-88`).
    """

    label: int
    uri: str
    span: Span
    record_hash: str
    chunk_ids: tuple[int, ...] = ()

    @property
    def reference(self) -> str:
        return reference_of(self.uri, self.span.start_line, self.span.end_line)


class Found(NamedTuple):
    """The text behind a reference. `state` is "current"; "changed" when the original was changed after it was read, or when
    the text has another hash than the `cited` one; "gone" when its file is no longer on disk.
    """

    reference: str
    uri: str
    span: Span
    text: str
    record_hash: str
    state: str = "current"
    trust: Trust = Trust.USER
    cited: str = ""  # the hash in the reference, when no text has it
    others: tuple[str, ...] = ()  # references of other texts with this name, when no hash chose one

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Found {self.reference}: {len(self.text):,} characters, {self.state}>"


class Excerpt(NamedTuple):
    """Text as packed: exactly the characters of its citation's span."""

    citation: Citation
    text: str
    score: float
    variant: Variant = Variant.FULL
    name: str = ""
    trail: tuple[str, ...] = ()
    kind: RecordKind = RecordKind.DOCUMENT
    language: str = ""
    title: str = ""
    author: str = ""
    time: float | None = None
    trust: Trust = Trust.USER
    door: str = "files"
    session: str = ""
    whole: bool = False  # its whole record is shown, apart from blank edges
    tokens: int = 0  # of `text` alone
    duplicates: int = 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        citation = self.citation
        return f"<Excerpt [{citation.label}] {citation.reference}: {self.variant}, {self.tokens:,} tokens>"


class OmissionReason(enum.StrEnum):
    """The reason why a candidate is not in the pack."""

    BUDGET = "budget"
    DUPLICATE = "duplicate"
    LOW_SCORE = "low_score"
    NO_CONTENT = (
        "no_content"  # it tells a reader nothing: links, marks, a heading, the line that opens a class
    )
    SENT = "sent"  # an earlier pack of the conversation shows its text


class Omission(NamedTuple):
    """A candidate that was left out, with its place and the reason."""

    reference: str
    reason: OmissionReason
    score: float
    tokens: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Omissions(Sequence[Omission]):
    """The candidates that are not in a pack, by reason, best first. Each becomes an `Omission` only when it is read, because
    most packs only count them.
    """

    budget: tuple[Candidate, ...] = ()
    duplicate: tuple[Candidate, ...] = ()
    low_score: tuple[Candidate, ...] = ()
    no_content: tuple[Candidate, ...] = ()
    sent: tuple[Candidate, ...] = ()

    def by_reason(self) -> dict[OmissionReason, tuple[Candidate, ...]]:
        """The candidates of each reason; NO_CONTENT and SENT only where there are any."""
        found = {
            OmissionReason.BUDGET: self.budget,
            OmissionReason.DUPLICATE: self.duplicate,
            OmissionReason.LOW_SCORE: self.low_score,
        }
        rare = {OmissionReason.NO_CONTENT: self.no_content, OmissionReason.SENT: self.sent}
        return found | {reason: some for reason, some in rare.items() if some}

    def __len__(self) -> int:
        return sum(map(len, self.by_reason().values()))

    def __iter__(self) -> Iterator[Omission]:
        for reason, candidates in self.by_reason().items():
            for candidate in candidates:
                chunk = candidate.chunk
                yield Omission(chunk.reference, reason, candidate.score, chunk.tokens, chunk.name)

    @overload
    def __getitem__(self, index: int) -> Omission: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Omission, ...]: ...

    def __getitem__(self, index: int | slice) -> Omission | tuple[Omission, ...]:
        return tuple(self)[index]


class Chain(NamedTuple):
    """The place of a pack in a conversation, and what became of the items that were sent in it."""

    asker: str  # a digest of the viewer, the only one for whom the ID of the pack is valid
    after: str = ""  # the ID of the pack before; "" for the first
    sent: int = 0  # items sent before; new labels follow theirs
    changed: tuple[int, ...] = ()  # labels of sent items whose text has changed since; each is reported once
    removed: tuple[int, ...] = ()  # labels of sent items that are gone; each is reported once
    again: tuple[int, ...] = ()  # labels of sent items that answer this question better than any new one
    named: bool = False  # the text contains the ID
    kept: bool = True  # the store keeps the pack, so that another can follow it


_FIRST = "abcdefghjkmnpqrstvwxyz"  # no letter looks like another
_FURTHER = f"0123456789{_FIRST}"
ID_LENGTH = 6


def _id_of(parts: Sequence[str]) -> str:
    """An ID of six letters and digits, equal for equal texts. It begins with a letter, so that it is not read as a number."""
    number = int(text_hash("\0".join(parts)), 16)
    found = ""
    for letters in (_FIRST, *[_FURTHER] * (ID_LENGTH - 1)):
        number, place = divmod(number, len(letters))
        found += letters[place]
    return found


@dataclass(frozen=True, slots=True, repr=False)
class Pack(
    ShownItems[Excerpt], text="text", facts="excerpts query tokens_used budget.limit budget.tokenizer omitted"
):
    """Excerpts for one question inside one budget. A pack is a sequence of them, and prints as its text.

    `tokens_used` counts the final rendered string, frame and citations included, by `budget.tokenizer`, and
    is never above `budget.limit`; in the shape "explain" it counts the Markdown of the pack that is explained. `truncated` means that the budget, and nothing else, kept something out.
    `least` is a budget with room for one item, where the budget had none; 0 for other packs.
    `optimality` is value over the upper bound of any packing of the same candidates, in [0, 1].
    """

    query: str
    budget: Budget
    excerpts: tuple[Excerpt, ...]
    omitted: Omissions = Omissions()
    tokens_used: int = 0
    packing: Packing = Packing.AUTO
    optimality: float = 1.0
    stats: SearchStats = field(default_factory=SearchStats)
    empty_reason: EmptyReason | None = None
    least: int = 0
    candidates: tuple[Candidate, ...] = ()  # the ranked candidates, for the explain shape
    text: str = ""  # the final rendered string in `shape`
    shape: str = "markdown"
    page: int = 1  # the second page holds the best candidates that the first had no room for
    chain: Chain | None = None  # None for a pack that no other can follow
    # (pack, shape) → text
    renderer: Callable[[Pack, str], str] | None = field(default=None, compare=False, repr=False)

    @property
    def truncated(self) -> bool:
        partial = (Variant.EXTRACT, Variant.SIGNATURE, Variant.LINE)
        return bool(self.omitted.budget) or any(excerpt.variant in partial for excerpt in self.excerpts)

    @property
    def weak(self) -> bool:
        """True where the best candidate has little chance of answering."""
        return self.stats.weak and bool(self.excerpts)

    @property
    def id(self) -> str:
        """The ID that `after` takes, the same for packs of the same items; "" for a pack that is not kept."""
        chain = self.chain
        if chain is None or not chain.kept:
            return ""
        gone = (",".join(map(str, labels)) for labels in (chain.changed, chain.removed))
        items = (
            f"{c.uri}@{c.record_hash}:{c.span.start}-{c.span.end}"
            for c in (one.citation for one in self.excerpts)
        )
        return _id_of([chain.asker, chain.after, *gone, *items])

    @property
    def next_page(self) -> int | None:
        """The page with the candidates that the budget kept out of this one; None without any, and for a pack that follows
        another, whose conversation `after` continues.
        """
        further = self.chain is not None and self.chain.after
        return self.page + 1 if self.excerpts and self.omitted.budget and not further else None

    def to_markdown(self) -> str:
        """The pack in its default shape; the text itself when that is its shape."""
        return self.to("markdown")

    def to_xml(self) -> str:
        return self.to("xml")

    def to_json(self) -> str:
        return self.to("json")

    def to(self, shape: str) -> str:
        """The pack in another shape. The budget was counted on `self.shape`; another one may count more.
        Raises InputError for an unknown one.
        """
        if shape == self.shape:
            return self.text
        if self.renderer is None:
            raise ValueError(
                f"this pack was made without a renderer; it is text in the shape {self.shape} only"
            )
        return self.renderer(self, shape)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(excerpt.citation for excerpt in self.excerpts)
