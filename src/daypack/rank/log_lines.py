"""Lines of logs among the candidates: failures come first, routine lines are held back. Pure.

People ask a log what went wrong, in words that its failures seldom have. So when a filter holds a question to a few
logs, their remarkable lines (`daypack.text.logs`) join the candidates, the most urgent first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from daypack.rank.candidates import CALIBRATION_POWER
from daypack.text.logs import Severity, Urgency, urgencies
from daypack.types import Candidate, Chunk, Contribution, PieceKind

# The most urgent line gets the best candidate's score and probability, or SINGLED_OUT of its probability where the
# query singles a place out; each further line gets these shares of the one before (docs/decisions/006-constants.md).
ALERT, ALERT_PROBABILITY = 0.9, 0.43
SINGLED_OUT = 0.5
WORTH = 0.35  # of the best score, below which other lines of a log are left out
ALIKE = 0.9  # of the best score: the question does not tell such chunks apart
ROUTINE = 0.5  # share of the score of routine lines of a log that a question does not tell apart


def with_remarkable_lines(candidates: list[Candidate], remarkable: Sequence[Chunk]) -> list[Candidate]:
    """The candidates of a question to a few logs, together with the `remarkable` chunks of these logs, which come log by log.

    A failure that the question's words lead to keeps its place. A rare line, and the end of a log, join only where the
    question finds nothing else.
    """
    best, second, *_ = [*sorted((item.score for item in candidates), reverse=True), 0.0, 0.0]
    singled_out = len(candidates) > 1 and second < ALIKE * best
    if not singled_out:
        candidates = routine_held_back(candidates)
    score = max((candidate.score for candidate in candidates), default=1.0)
    probability = SINGLED_OUT if singled_out else 1.0
    # A few lines of a log fit into any budget: without this bound they would fill it.
    merged = {item.chunk.id: item for item in candidates if item.score >= WORTH * score}
    place: dict[int, int] = {}
    by_urgency = _by_urgency(remarkable)
    enough = bool(candidates) or by_urgency[0][0].severity < Severity.RARE
    for urgency, chunk in by_urgency:
        known = merged.get(chunk.id)
        if known is None and urgency.severity >= Severity.RARE and enough:
            continue
        place[chunk.id] = len(place)
        is_placed = urgency.severity >= (Severity.TAIL if singled_out else Severity.RARE)
        if known is None or is_placed or known.probability < probability:
            # The worst failure has no other signals: the packer might judge by them that it is far from the question.
            parts = known.contributions if known is not None and place[chunk.id] else ()
            rest = score - sum(part.share for part in parts)
            parts = (*parts, Contribution("alert", urgency.severity, rest))
            merged[chunk.id] = Candidate(chunk, score, probability, parts)
        score, probability = score * ALERT, probability * ALERT_PROBABILITY
    last = len(place)
    return sorted(
        merged.values(), key=lambda item: (-item.score, -item.probability, place.get(item.chunk.id, last))
    )


def _by_urgency(chunks: Sequence[Chunk]) -> list[tuple[Urgency, Chunk]]:
    """Chunks of several logs, the most urgent first; equally urgent ones in the given order."""
    urgent: list[tuple[Urgency, Chunk]] = []
    for _, of_log in groupby(chunks, key=lambda chunk: chunk.record_id):
        group = [*of_log]
        urgent += zip(urgencies([chunk.text for chunk in group]), group, strict=True)
    return sorted(urgent, key=lambda item: item[0])


def routine_held_back(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates, best first, after routine lines lost a part of their score.

    A log repeats its routine lines, and a question may share its words with each. Where the two best lines of a log
    score alike, all of its lines are held back; where a failure of the log is the best answer, all that score like two others.
    """
    routine: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.chunk.language == "log" and candidate.chunk.kind is PieceKind.BLOCK:
            routine.setdefault(candidate.chunk.record_id, []).append(candidate)
    if not routine:
        return candidates
    lowered: dict[int, Candidate] = {}
    best = max(candidates, key=lambda candidate: candidate.score).chunk
    for record_id, group in routine.items():
        scores = sorted((candidate.score for candidate in group), reverse=True)
        fails = best.kind is PieceKind.ALERT and best.record_id == record_id
        all_alike = len(scores) > 1 and scores[1] >= ALIKE * scores[0]
        lowered |= {
            candidate.chunk.id: _held_back(candidate)
            for candidate in group
            if all_alike or (fails and _are_alike(scores, candidate.score))
        }
    if not lowered:
        return candidates
    return sorted(
        (lowered.get(candidate.chunk.id, candidate) for candidate in candidates),
        key=lambda candidate: -candidate.score,
    )


def _are_alike(scores: Sequence[float], score: float) -> bool:
    """True for a score to which at least two others come near."""
    return sum(ALIKE * score <= other <= score / ALIKE for other in scores) > 2  # it is among them


def _held_back(candidate: Candidate) -> Candidate:
    """The candidate with ROUTINE of its score; its prior accounts for the rest."""
    before = [part for part in candidate.contributions if part.signal == "prior"]
    prior = Contribution(
        "prior",
        ROUTINE * (before[0].raw if before else 1.0),
        sum(part.share for part in before) - (1 - ROUTINE) * candidate.score,
    )
    return candidate._replace(
        score=ROUTINE * candidate.score,
        probability=ROUTINE**CALIBRATION_POWER * candidate.probability,
        contributions=(*(part for part in candidate.contributions if part.signal != "prior"), prior),
    )
