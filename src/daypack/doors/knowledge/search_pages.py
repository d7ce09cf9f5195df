"""Answers of several questions on one page, and what sources and outputs are, for people and programs.

    ## what did we decide about retries?

    [1] session:5b1f7c02/53:1-1 · 2026-10-05 09:12 · assistant
    ```
    … We agreed on a retry budget of three attempts …
    ```

A hit is a window of its text around the words of the question, in a fence that it cannot end. The page has at
most `MOST_BYTES`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from daypack.guard.fences import encode, fence, inline, one_line
from daypack.shapes.snippets import snippet
from daypack.shapes.wording import empty_sentence, instant, minute
from daypack.text import analysis
from daypack.types import Candidate, Pack, RecordKind, SearchResult, SkipReason, Trust

WINDOW = 1_500  # characters of one hit
MOST_BYTES = 40_000


def render(results: Sequence[SearchResult]) -> str:
    parts: list[str] = []
    room = MOST_BYTES
    for result in results:
        head = [f"## {inline(result.query)}\n"]
        if result.corrections_text:
            head.append(f"(searched for {inline(result.corrections_text)})\n")
        if not result.candidates:
            head.append(empty_sentence(result.empty_reason) + "\n")
        head += [f"({inline(note)})\n" for note in result.notes]
        parts.append("".join(head) + "\n")
        terms = frozenset(analysis.content_terms(analysis.terms(result.query)))
        for number, candidate in enumerate(result.candidates, 1):
            hit = _hit(number, candidate, terms)
            if (size := len(hit.encode("utf-8", "replace"))) > room:
                parts.append(
                    f"({len(result.candidates) - number + 1:,} more results had no room: ask fewer questions at once)\n\n"
                )
                break
            room -= size
            parts.append(hit)
    return "".join(parts).rstrip("\n") + "\n"


def _hit(number: int, candidate: Candidate, terms: frozenset[str]) -> str:
    chunk = candidate.chunk
    turn = chunk.record_kind in (RecordKind.EVENT, RecordKind.MEMORY)
    when = minute(chunk.time) if chunk.time is not None and (turn or chunk.door != "files") else ""
    title = (
        " › ".join(dict.fromkeys(part for part in (chunk.title, *chunk.trail, chunk.name) if part))
        if not turn
        else chunk.author
    )
    flag = "untrusted" if chunk.trust is Trust.UNTRUSTED else ""
    head = " · ".join(part for part in (inline(chunk.reference), when, inline(title, 120), flag) if part)
    text = chunk.text if len(chunk.text) <= WINDOW else snippet(chunk.text, terms, WINDOW)
    shown, _, escaped = encode(text.strip("\n"))
    ticks = fence(shown)
    return f"[{number}] {head}{' · escaped' if escaped else ''}\n{ticks}\n{shown}\n{ticks}\n\n"


def data(result: SearchResult) -> dict[str, Any]:
    """Where a question led, without the texts."""
    return {
        "query": result.query,
        "empty_reason": result.empty_reason.value if result.empty_reason else None,
        "notes": list(result.notes),
        "results": [
            {
                "reference": c.chunk.reference,
                "id": c.chunk.id,
                "score": round(c.score, 6),
                "door": c.chunk.door,
                "session": c.chunk.session,
                "time": instant(c.chunk.time) if c.chunk.time is not None else None,
            }
            for c in result.candidates
        ],
    }


# ---------------------------------------------------------------- sources


def data_of_label(label: Any) -> dict[str, Any]:
    return {
        "label": label.name,
        "kind": label.kind,
        "origin": label.origin,
        "added": instant(label.added_at),
        "checked": instant(label.checked_at),
        "bytes": label.size,
        "texts": label.records,
        "state": label.state,
    }


def data_of_kept(kept: Any) -> dict[str, Any]:
    report = kept.report
    counts = {
        name: getattr(report, name)
        for name in ("added", "updated", "unchanged", "removed", "chunks", "bytes")
    }
    issues = [
        {"uri": issue.uri, "reason": issue.reason.value, "detail": issue.detail} for issue in report.issues
    ]
    return {
        "label": kept.label,
        "uri": kept.uri,
        "replaced": kept.replaced,
        "changed": kept.changed,
        **counts,
        "issues": issues,
    }


def kept_text(kept: Any) -> str:
    report = kept.report
    texts = report.added + report.updated + report.unchanged
    if not texts:
        why = report.issues[0] if report.issues else None
        return (
            f"{one_line(kept.uri)} holds nothing to index"
            + (f": {why.reason.value.replace('_', ' ')}, {one_line(why.detail)}" if why else "")
            + "\n"
        )
    what = "replaced" if kept.replaced and kept.changed else "kept" if kept.changed else "is as it was:"
    passed = f", passed over {len(report.issues):,}" if report.issues else ""
    return f"{what} {one_line(kept.uri)}: {report.bytes:,} characters in {texts:,} text{'' if texts == 1 else 's'}{passed}\n"


# ---------------------------------------------------------------- what a command printed


def data_of_output(output: Any) -> dict[str, Any]:
    ran = output.ran
    return {
        "label": output.label,
        "uri": output.kept.uri if output.kept else None,
        "status": ran.status,
        "seconds": round(ran.seconds, 3),
        "bytes": ran.size,
        "lines": output.lines,
        "stopped": ran.stopped,
        "tail": list(output.tail),
        "issue": output.issue.detail or output.issue.reason.value if output.issue else None,
    }


def output_text(output: Any, packs: Sequence[Pack]) -> str:
    ran, issue = output.ran, output.issue
    if issue is None:
        where = (
            f"{output.lines:,} line{'' if output.lines == 1 else 's'}, kept as {one_line(output.kept.uri)}"
        )
    else:
        where = (
            "it printed nothing"
            if issue.reason is SkipReason.EMPTY
            else f"not kept, for it is no text: {one_line(issue.detail)}"
        )
    lines = [f"$ {one_line(shlex.join(ran.arguments))}"]
    lines.append(
        f"exit {ran.status} after {ran.seconds:.1f} s{f' ({ran.stopped})' if ran.stopped else ''}; {ran.size:,} bytes, {where}"
    )
    if packs:
        return "\n".join(lines) + "\n\n" + "\n".join(pack.text for pack in packs)
    return "\n".join([*lines, *(one_line(line) for line in output.tail)]) + "\n"
