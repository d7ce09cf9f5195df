"""Rules for the answers of the knowledge door. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daypack.doors.knowledge.types import CommandOutput
from daypack.rank.rrf import SHORTEST
from daypack.text import analysis, logs
from daypack.types import Pack, SearchResult

FAILURE_TOKENS = 200  # for the failing lines of a command whose output answers no question


def unasked(output: CommandOutput) -> list[str]:
    """The question for the output of a command that failed and printed more than its last lines; none for other commands. Its
    words matter little, because a search in a log also finds failures without them.
    """
    return ["failure"] if output.ran.status != 0 and output.lines > len(output.tail) else []


def any_answers(packs: Sequence[Pack]) -> bool:
    """True when a pack has an excerpt."""
    return any(pack.excerpts for pack in packs)


def shows_failure(pack: Pack) -> bool:
    """True when a line of a pack reports a failure."""
    return any(
        logs.severity(line) < logs.Severity.WARNING
        for excerpt in pack.excerpts
        for line in excerpt.text.split("\n")
    )


def holding_words(found: SearchResult) -> SearchResult | None:
    """The hits whose text contains more than half of the query's words as written, also inside other words; None without such
    hits.
    """
    asked = {word.lower() for word in analysis.words(found.query)}
    asked = {word for word in asked if len(word) >= SHORTEST and word not in analysis.STOP_WORDS}
    if not asked:
        return None
    kept = []
    for candidate in found.candidates:
        text = f"{candidate.chunk.uri} {candidate.chunk.title} {candidate.chunk.text}".lower()
        if 2 * sum(word in text for word in asked) > len(asked):
            kept.append(candidate)
    return replace(found, candidates=tuple(kept)) if kept else None
