"""The best of a ranked pool with their texts, and the probability that each is evidence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from daypack.rank.blend import Scored
from daypack.types import Candidate, Chunk, Contribution, RecordKind

# (score / best)^power stands in for a calibrated probability. Code and prose: 6 to 10 is flat. Turns, which
# are short and many, want to be taken nearly in rank order: 8 loses a point of evidence at 250 tokens, 16
# none.
CALIBRATION_POWER = 8.0
CALIBRATION_POWER_TURNS = 16.0
# of the probability of a file's best chunk, for its imports: a change below often needs another import there
WITH_ITS_IMPORTS = 0.1
# A signal whose own value judges a hit (`daypack.pack.worth`): the farthest of a pool has no share of the score, and would
# pass for a text without a vector, whose value is NaN.
MEASURED = "dense"


def to_candidates(scored: Scored, chunks: Mapping[int, Chunk], limit: int) -> list[Candidate]:
    """The best of a ranked pool with their texts."""
    best = float(scored.scores[0]) if len(scored.scores) else 0.0
    rows = scored.order[:limit]
    # Converted to Python's numbers at once: taken out of an array one by one, they cost more than all the
    # rest here.
    shares = {name: share[rows] for name, share in scored.blend.shares.items()}
    names = [name for name, share in shares.items() if share.any()]
    raws = [*zip(*[scored.blend.raw[name][rows].tolist() for name in names], strict=True)] or [()] * len(rows)
    parts = [*zip(*[shares[name].tolist() for name in names], strict=True)] or [()] * len(rows)
    # Thousands of them: past the constructor in half of its time.
    contribution = partial(tuple.__new__, Contribution)
    values = scored.scores[:limit].tolist()
    candidates = []
    of_file: dict[int, float] = {}  # the probability of its best chunk
    for rank, chunk_id in enumerate(scored.chunk_ids[:limit].tolist()):
        chunk = chunks.get(chunk_id)
        if chunk is None:
            continue
        signals = zip(names, raws[rank], parts[rank], strict=True)
        contributions = tuple(
            map(
                contribution,
                [part for part in signals if part[2] or (part[0] == MEASURED and part[1] == part[1])],
            )
        )
        value = values[rank]
        probability = _probability(value, best, chunk)
        best_of_file = of_file.setdefault(chunk.record_id, probability)
        if scored.imports[rank]:
            probability = max(probability, WITH_ITS_IMPORTS * best_of_file)
        candidates.append(Candidate(chunk, value, probability, contributions))
    return candidates


def _probability(value: float, best: float, chunk: Chunk) -> float:
    if best <= 0:
        return 0.0
    turns = chunk.record_kind in (RecordKind.EVENT, RecordKind.MEMORY)
    return float(max(0.0, value / best) ** (CALIBRATION_POWER_TURNS if turns else CALIBRATION_POWER))
