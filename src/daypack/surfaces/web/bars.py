"""Numbers as shapes: the items of a pack as a bar of its budget, and scores as stacked shares.

Pure: nouns in, rows for a template out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daypack.text.changelogs import below_version
from daypack.types import Candidate, Contribution, OmissionReason, Pack

COLOURS = 8  # classes c0 … c7 in the style sheet
GROUPS: tuple[dict[str, tuple[str, str]], ...] = (
    {
        "bm25": ("words", "It says the words of the question."),
        "bm25_context": ("words around it", "Its neighbours say the words of the question."),
        "wording": ("wording", "Its words match the question's, or come close to them."),
    },
    {
        "dense": ("meaning", "It means what the question means, in whatever words."),
        "dense_context": ("meaning around it", "Its neighbours mean what the question means."),
        "nearest": ("nearest page", "It is nearer to the question than all code."),
    },
    {
        "file": ("file", "Its file as a whole answers the question."),
        "calls": ("calls", "It calls others, and does not only name a thing."),
        "coherence": ("agreement", "Other parts of the same text answer too."),
    },
    {
        "symbol": (
            "symbol",
            "The question names the thing that it defines, or asks for uses of a name that it uses.",
        ),
        "name": ("title", "Its name or heading has words of the question."),
    },
    {
        "trace": ("trace", "A stack trace or a line in the question leads to it."),
        "path": ("path", "The question names its file."),
        "exact": ("quotation", "It holds a quotation, a message or an option of the question."),
        "author": ("author", "The question names its author."),
    },
    {"link": ("link", "A good hit names it.")},
    {
        "prior": (
            "place",
            "Tests, examples, old versions and other kinds of text or event count less, for a report comments as well.",
        )
    },
    {"time": ("time", "It is of the time that the question names.")},
)
"""Signal → its name for people, and what it says of a text. The signals of a group have one colour."""
SIGNALS = {signal: said for group in GROUPS for signal, said in group.items()}
_COLOUR_OF = {signal: colour for colour, group in enumerate(GROUPS) for signal in group}


def best_score(pack: Pack) -> float:
    """The score that is shown as 1."""
    return max((candidate.score for candidate in pack.candidates), default=0.0) or 1.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: its start and its width, in percent of the whole. `look` is "lost" for a share that shares against the
    text take away, "against" for one of these, "" for all others.
    """

    label: str
    left: float
    width: float
    colour: int
    about: str
    link: str = ""
    look: str = ""


def reasons(pack: Pack) -> dict[int, str]:
    """Label of an excerpt → the names of the two signals that added most to the score of its best candidate."""
    by_label = {}
    for excerpt in pack.excerpts:
        own = [candidate for candidate in pack.candidates if candidate.chunk.id in excerpt.citation.chunk_ids]
        best = max(own, key=lambda candidate: candidate.score, default=None)
        gains = [part for part in best.contributions if part.share > 0] if best else []
        most = sorted(gains, key=lambda part: -part.share)[:2]
        by_label[excerpt.citation.label] = " and ".join(SIGNALS[part.signal][0] for part in most)
    return by_label


def budget_bar(pack: Pack) -> list[Segment]:
    """A segment for each excerpt, in proportion to its tokens; the remaining used tokens are those of the frame."""
    whole = max(pack.budget.limit, 1)
    segments: list[Segment] = []
    left, why, best = 0.0, reasons(pack), best_score(pack)
    for number, excerpt in enumerate(pack.excerpts):
        label, width = excerpt.citation.label, 100 * excerpt.tokens / whole
        about = f"[{label}] {excerpt.citation.reference}: {excerpt.tokens:,} tokens, score {excerpt.score / best:.2f}, {excerpt.variant.value}; most for its {why[label] or 'place'}"
        segments.append(Segment(f"{label}", left, width, number % COLOURS, about, f"#item-{label}"))
        left += width
    frame = 100 * pack.tokens_used / whole - left
    if frame > 0:
        about = f"headings, citations and fences: {round(frame * whole / 100):,} tokens"
        segments.append(Segment("frame", left, frame, -1, about))
    return segments


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A candidate: its score, the share of each signal in it as a bar and in numbers, and its outcome."""

    reference: str
    name: str
    score: float
    fate: str
    segments: tuple[Segment, ...]
    shares: tuple[str, ...]
    sum: float


def signals_of(candidates: Sequence[Candidate]) -> list[tuple[int, list[tuple[str, str]]]]:
    """(colour, (name, meaning) of its signals) of the signals that added to a score or took from one."""
    present = {part.signal for candidate in candidates for part in candidate.contributions}
    found = [
        (colour, [said for signal, said in group.items() if signal in present])
        for colour, group in enumerate(GROUPS)
    ]
    return [(colour, said) for colour, said in found if said]


def score_rows(pack: Pack, limit: int) -> list[ScoreRow]:
    """The `limit` best candidates, with their scores as bars on one scale. The full part of a bar is as long as the score."""
    shown, best = pack.candidates[:limit], best_score(pack)
    top = max((_gained(candidate) for candidate in shown), default=0.0) or 1.0
    citations = [excerpt.citation for excerpt in pack.excerpts]
    labels = {chunk_id: citation.label for citation in citations for chunk_id in citation.chunk_ids}
    left_out = {omission.reference: omission.reason for omission in pack.omitted}
    return [
        ScoreRow(
            candidate.chunk.reference,
            below_version(candidate.chunk.name, candidate.chunk.trail),
            candidate.score / best,
            _fate(labels.get(candidate.chunk.id), left_out.get(candidate.chunk.reference)),
            tuple(_score_bar(candidate, top, best)),
            tuple(_share(part, best) for part in candidate.contributions),
            sum(part.share for part in candidate.contributions) / best,
        )
        for candidate in shown
    ]


def _gained(candidate: Candidate) -> float:
    return sum(max(0.0, part.share) for part in candidate.contributions)


def _share(part: Contribution, best: float) -> str:
    return f"{SIGNALS[part.signal][0]} {part.share / best:+.2f} ({part.raw:.4g})"


def _score_bar(candidate: Candidate, top: float, best: float) -> Iterator[Segment]:
    """The shares for a text from the left, pale where those against it take them away, and below the pale ones those against."""
    parts = sorted(candidate.contributions, key=lambda part: _COLOUR_OF[part.signal])
    gained = _gained(candidate)
    kept = max(0.0, gained + sum(min(0.0, part.share) for part in parts))
    at = 0.0
    for part in parts:
        end = at + max(0.0, part.share)
        for begin, stop, look in ((at, min(end, kept), ""), (max(at, kept), end, "lost")):
            if stop > begin:
                yield _segment(part, begin, stop, top, best, look)
        at = end
    for part in parts:
        if part.share < 0 and at > 0:
            begin = max(0.0, at + part.share)
            yield _segment(part, begin, at, top, best, "against")
            at = begin


def _segment(part: Contribution, begin: float, stop: float, top: float, best: float, look: str) -> Segment:
    left, width = 100 * begin / top, 100 * (stop - begin) / top
    name, colour = SIGNALS[part.signal][0], _COLOUR_OF[part.signal]
    return Segment(name, left, width, colour, _share(part, best), look=look)


def _fate(label: int | None, reason: OmissionReason | None) -> str:
    if label is not None:
        return f"in, as [{label}]"
    return {
        OmissionReason.DUPLICATE: "a duplicate of another",
        OmissionReason.LOW_SCORE: "not relevant enough",
        OmissionReason.NO_CONTENT: "without content",
    }.get(reason or OmissionReason.BUDGET, "no room")
