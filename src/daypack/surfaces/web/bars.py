"""Numbers as shapes: the items of a pack as a bar of its budget, and scores as stacked shares.

Pure: nouns in, rows for a template out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from daypack.text.changelogs import below_version
from daypack.types import Candidate, OmissionReason, Pack

COLOURS = 8  # classes c0 … c7 in the style sheet
SIGNALS = {
    "bm25": ("words", "It says the words of the question."),
    "bm25_context": ("words around it", "Its neighbours say the words of the question."),
    "dense": ("meaning", "It means what the question means, in whatever words."),
    "dense_context": ("meaning around it", "Its neighbours mean what the question means."),
    "coherence": ("agreement", "Other parts of the same text answer too."),
    "file": ("file", "Its file as a whole answers the question."),
    "symbol": (
        "symbol",
        "The question names the thing that it defines, or asks for uses of a name that it uses.",
    ),
    "name": ("title", "Its name or heading has words of the question."),
    "trace": ("trace", "A stack trace or a line in the question leads to it."),
    "path": ("path", "The question names its file."),
    "exact": ("quotation", "It holds a quotation, a message or an option of the question."),
    "author": ("author", "The question names its author."),
    "link": ("link", "A good hit names it."),
    "wording": ("wording", "Its words match the question's, or come close to them."),
    "nearest": ("nearest page", "It is nearer to the question than all code."),
    "prior": (
        "place",
        "Tests, examples, old versions and other kinds of text count less, for a report comments as well.",
    ),
    "time": ("time", "It is of the time that the question names."),
}
"""Signal → its name for people, and what it says of a text."""


def best_score(pack: Pack) -> float:
    """The score that is shown as 1."""
    return max((candidate.score for candidate in pack.candidates), default=0.0) or 1.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: its start and its width, in percent of the whole."""

    label: str
    left: float
    width: float
    colour: int
    about: str
    link: str = ""


def reasons(pack: Pack) -> dict[int, str]:
    """Label of an excerpt → the names of the two signals that added most to the score of its best candidate."""
    by_label = {}
    for excerpt in pack.excerpts:
        own = [candidate for candidate in pack.candidates if candidate.chunk.id in excerpt.citation.chunk_ids]
        best = max(own, key=lambda candidate: candidate.score, default=None)
        parts = (
            sorted((part for part in best.contributions if part.share > 0), key=lambda part: -part.share)[:2]
            if best
            else []
        )
        by_label[excerpt.citation.label] = " and ".join(SIGNALS[part.signal][0] for part in parts)
    return by_label


def budget_bar(pack: Pack) -> list[Segment]:
    """A segment for each excerpt, in proportion to its tokens; the remaining used tokens are those of the frame."""
    whole = max(pack.budget.limit, 1)
    segments: list[Segment] = []
    left, why, best = 0.0, reasons(pack), best_score(pack)
    for number, excerpt in enumerate(pack.excerpts):
        width = 100 * excerpt.tokens / whole
        about = f"[{excerpt.citation.label}] {excerpt.citation.reference}: {excerpt.tokens:,} tokens, score {excerpt.score / best:.2f}, {excerpt.variant.value}; most for its {why[excerpt.citation.label] or 'place'}"
        segments.append(
            Segment(
                f"{excerpt.citation.label}",
                left,
                width,
                number % COLOURS,
                about,
                f"#item-{excerpt.citation.label}",
            )
        )
        left += width
    frame = 100 * pack.tokens_used / whole - left
    if frame > 0:
        segments.append(
            Segment(
                "frame",
                left,
                frame,
                -1,
                f"headings, citations and fences: {round(frame * whole / 100):,} tokens",
            )
        )
    return segments


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A candidate: the share of each signal in its score, and its outcome."""

    reference: str
    name: str
    score: float
    fate: str
    segments: tuple[Segment, ...]
    sum: float


def signals_of(candidates: Sequence[Candidate]) -> list[tuple[str, str]]:
    """(name, meaning) of the signals that added to a score, in order of appearance, which decides their colours."""
    return [SIGNALS[name] for name in _order(candidates)]


def _order(candidates: Sequence[Candidate]) -> list[str]:
    return list(dict.fromkeys(part.signal for candidate in candidates for part in candidate.contributions))


def score_rows(pack: Pack, limit: int) -> list[ScoreRow]:
    """The `limit` best candidates, with their scores as bars on a scale on which the best is 1. Negative shares are shown as
    numbers only.
    """
    names, best = _order(pack.candidates), best_score(pack)
    top = (
        max(
            (
                sum(max(0.0, part.share) for part in candidate.contributions)
                for candidate in pack.candidates[:limit]
            ),
            default=0.0,
        )
        or 1.0
    )
    shown = {chunk_id: excerpt for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    left_out = {omission.reference: omission.reason for omission in pack.omitted}
    rows = []
    for candidate in pack.candidates[:limit]:
        left, segments = 0.0, []
        for part in candidate.contributions:
            width = 100 * max(0.0, part.share) / top
            segments.append(
                Segment(
                    SIGNALS[part.signal][0],
                    left,
                    width,
                    names.index(part.signal) % COLOURS,
                    f"{SIGNALS[part.signal][0]} {part.share / best:+.2f} ({part.raw:.4g})",
                )
            )
            left += width
        excerpt = shown.get(candidate.chunk.id)
        if excerpt is not None:
            fate = f"in, as [{excerpt.citation.label}]"
        else:
            fate = {
                OmissionReason.BUDGET: "no room",
                OmissionReason.DUPLICATE: "a duplicate of another",
                OmissionReason.LOW_SCORE: "not relevant enough",
            }.get(left_out.get(candidate.chunk.reference, OmissionReason.BUDGET), "no room")
        rows.append(
            ScoreRow(
                candidate.chunk.reference,
                below_version(candidate.chunk.name, candidate.chunk.trail),
                candidate.score / best,
                fate,
                tuple(segments),
                sum(p.share for p in candidate.contributions) / best,
            )
        )
    return rows
