"""Search results and found texts as lines for people and agents, and as plain data for programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from daypack.guard.fences import encode, fence, one_line
from daypack.shapes.snippets import snippet
from daypack.text import analysis
from daypack.types import Chunk, EmptyReason, Found, Pack, SearchResult, Sort


def listing(result: SearchResult, *, heading: bool, explain: bool, by_file: bool) -> str:
    lines = [f"# {one_line(result.query)}"] if heading else []
    if result.corrections_text:
        lines.append(f"(searched for {result.corrections_text})")
    if result.empty_reason is not None or not result.candidates:
        # the shapes of packs come with it; most searches find something
        from daypack.shapes.wording import empty_sentence

        lines.append(empty_sentence(result.empty_reason))
    lines.extend(f"({note})" for note in result.notes)
    if by_file:
        for rank, file in enumerate(result.files, 1):
            lines.append(f"{rank:>2}. {one_line(file.uri, 200)}  {file.score:.3f}")
            lines.append(f"    {one_line(file.reference, 200)}  {one_line(file.name, 80)}".rstrip())
        return "\n".join(lines) + "\n"
    from daypack.shapes.wording import minute

    terms = frozenset(analysis.content_terms(analysis.terms(result.query)))
    told = result.sort is Sort.TIMELINE
    for rank, candidate in enumerate(result.candidates, 1):
        chunk = candidate.chunk
        name = one_line(chunk.name or " › ".join(chunk.trail), 80)
        reference = one_line(chunk.reference, 200)
        lines.append(f"{rank:>2}. {reference}  {candidate.score:.3f}  {name}".rstrip())
        when = f"{minute(chunk.time)}  " if told and chunk.time is not None else ""
        lines.append(f"    {when}{one_line(_telling(chunk, terms), 110)}")
        if explain:
            lines.extend(
                f"      {part.share:+.4f}  {part.signal} ({part.raw:.4g})" for part in candidate.contributions
            )
            lines.append(f"      {sum(part.share for part in candidate.contributions):+.4f}  sum")
    return "\n".join(lines) + "\n"


def cut(result: SearchResult, count: int) -> SearchResult:
    """The first `count` results, and the number of results without room."""
    over = max(len(result.candidates), len(result.files)) - count
    if over <= 0:
        return result
    note = f"{over:,} more had no room in the budget."
    reason = result.empty_reason if count else EmptyReason.BUDGET_TOO_SMALL
    return replace(
        result,
        candidates=result.candidates[:count],
        files=result.files[:count],
        empty_reason=reason,
        notes=(*result.notes, note),
    )


def _telling(chunk: Chunk, terms: frozenset[str]) -> str:
    """The line that shows why the chunk was found: the first one, unless another holds more of the query's
    words.
    """
    first = _first_line(chunk)
    lines = [found.strip() for found in chunk.text.split("\n") if found.strip()]
    best = max(lines, key=lambda found: len(terms.intersection(analysis.terms(found))), default=first)
    if len(terms.intersection(analysis.terms(best))) <= len(terms.intersection(analysis.terms(first))):
        best = first
    return best if len(best) <= 110 else snippet(best, terms, 106)


def _first_line(chunk: Chunk) -> str:
    """The first line that says something: not the heading, which is beside the reference already, nor its
    underline.
    """
    lines = [found.strip() for found in chunk.text.split("\n") if found.strip()]
    heading = chunk.name.rpartition(", ")[2] or chunk.name
    telling = (found for found in lines if found.lstrip("#=*~-^ ") and found.strip("# ") != heading)
    return next(telling, lines[0] if lines else "")


def of_search(result: SearchResult) -> dict[str, Any]:
    return {
        "query": result.query,
        "empty_reason": result.empty_reason.value if result.empty_reason else None,
        "notes": list(result.notes),
        "results": [
            {
                "reference": c.chunk.reference,
                "id": c.chunk.id,
                "uri": c.chunk.uri,
                "start_line": c.chunk.span.start_line,
                "end_line": c.chunk.span.end_line,
                "name": c.chunk.name,
                "trail": list(c.chunk.trail),
                "kind": c.chunk.record_kind.value,
                "hash": c.chunk.record_hash,
                "score": round(c.score, 6),
                "tokens": c.chunk.tokens,
                "door": c.chunk.door,
                "session": c.chunk.session,
                "time": c.chunk.time,
                "text": c.chunk.text,
                "contributions": {part.signal: round(part.share, 6) for part in c.contributions},
            }
            for c in result.candidates
        ],
        "files": [
            {"uri": file.uri, "score": round(file.score, 6), "reference": file.reference, "name": file.name}
            for file in result.files
        ],
        "stats": {
            "vectors": result.stats.vectors.value,
            "vectors_pending": result.stats.vectors_pending,
            "vectors_missing": result.stats.vectors_missing,
            "stale": result.stats.stale,
            "degraded": list(result.stats.degraded),
            "corrections": dict(result.stats.corrections),
            "anchors_missing": list(result.stats.anchors_missing),
            "query_kind": result.stats.query_kind.value,
        },
    }


def of_found(found: Found) -> dict[str, Any]:
    span = found.span
    return {
        "reference": found.reference,
        "uri": found.uri,
        "start": span.start,
        "end": span.end,
        "start_line": span.start_line,
        "end_line": span.end_line,
        "hash": found.record_hash,
        "state": found.state,
        "text": found.text,
    }


def fenced(found: Found) -> str:
    """The text behind a reference as one inert block: a reader sees its beginning and end, whatever it
    contains.
    """
    shown, crlf, escaped = encode(found.text.rstrip("\n"))
    notes = [*(["lines end in CRLF"] if crlf else []), *(["characters escaped"] if escaped else [])]
    if found.state != "current":
        notes.append("the file changed since; this is the text that was indexed")
    ticks = fence(shown)
    head = one_line(found.reference, 200) + (f" ({', '.join(notes)})" if notes else "")
    return f"{head}\n{ticks}\n{shown}\n{ticks}\n"


def of_pack(pack: Pack) -> dict[str, Any]:
    """Facts of a pack beside its text, for programs."""
    return {
        "budget": {
            "limit": pack.budget.limit,
            "tokenizer": pack.budget.tokenizer.value,
            "used": pack.tokens_used,
            "truncated": pack.truncated,
        },
        "citations": [
            {"n": c.label, "reference": c.reference, "ids": [*c.chunk_ids], "hash": c.record_hash}
            for c in pack.citations
        ],
        "omitted": {reason.value: len(left) for reason, left in pack.omitted.by_reason().items() if left},
        "page": pack.page,
        "next_page": pack.next_page,
        "empty_reason": pack.empty_reason.value if pack.empty_reason else None,
        "stale": pack.stats.stale,
        "refreshed": pack.stats.refreshed,
        "degraded": [*pack.stats.degraded],
        "vectors_missing": pack.stats.vectors_missing,
        "anchors_missing": [*pack.stats.anchors_missing],
    }


def of_places(result: SearchResult) -> dict[str, Any]:
    """Results of a search without their texts."""
    return {
        "query": result.query,
        "empty_reason": result.empty_reason.value if result.empty_reason else None,
        "results": [
            {
                "reference": c.chunk.reference,
                "id": c.chunk.id,
                "score": round(c.score, 6),
                "hash": c.chunk.record_hash,
            }
            for c in result.candidates
        ],
        "stale": result.stats.stale,
        "degraded": [*result.stats.degraded],
        "vectors_missing": result.stats.vectors_missing,
    }
