"""Rules for what a search of the knowledge base shows. Pure: values in, values out."""

from __future__ import annotations

from dataclasses import replace

from daypack.doors.knowledge.types import CommandOutput
from daypack.rank.rrf import SHORTEST
from daypack.text import analysis, logs
from daypack.types import Pack, SearchResult

FAILURE_TOKENS = 200  # of the failing lines of a command to which nothing was asked


def unasked(output: CommandOutput) -> list[str]:
    """The question to a command that failed and printed more than its last lines show; it matters little, since a log shows
    its failures whatever the question's words.
    """
    return ["failure"] if output.ran.status != 0 and output.lines > len(output.tail) else []


def shows_failure(pack: Pack) -> bool:
    """True when a line of a pack reports a failure."""
    return any(
        logs.severity(line) < logs.Severity.WARNING
        for excerpt in pack.excerpts
        for line in excerpt.text.split("\n")
    )


def holding_words(found: SearchResult) -> SearchResult | None:
    """The hits whose text has most words of the query as they are written, also inside other words; None
    without any.
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
