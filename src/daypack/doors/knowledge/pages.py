"""Texts for people and agents: the answers to several questions on one page, labels, outputs of commands.

    ## what did we decide about retries?

    [1] session:5b1f7c02/53:1-1 · 2026-10-05 09:12 · assistant
    ```
    … We agreed on a retry budget of three attempts …
    ```

A hit shows the part of its text around the words of the question, in a fence that the text cannot close. The page has at
most `MOST_BYTES` bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from daypack.doors.knowledge.rules import any_answers
from daypack.doors.knowledge.types import CommandOutput, LabelUpdate
from daypack.guard.fences import encode, fence, inline, one_line, printed_line
from daypack.shapes.snippets import snippet
from daypack.shapes.wording import counted, empty_sentence, heading, minute, opening_sentence, state_sentences
from daypack.text import analysis
from daypack.types import Candidate, Pack, RecordKind, SearchResult, SkipReason, Trust

WINDOW = 1_500  # characters per hit
MOST_BYTES = 40_000


def answers_text(results: Sequence[SearchResult]) -> str:
    parts: list[str] = []
    room = MOST_BYTES
    for result in results:
        head = [f"## {inline(result.query)}\n"]
        if result.corrections_text:
            head.append(f"(searched for {inline(result.corrections_text)})\n")
        if not result.candidates:
            head.append(empty_sentence(result.empty_reason, result.stats) + "\n")
        elif said := opening_sentence(result.stats):
            head.append(f"({said})\n")
        head += [f"({inline(note, 1000)})\n" for note in (*result.notes, *state_sentences(result.stats))]
        parts.append("".join(head) + "\n")
        terms = frozenset(analysis.content_terms(analysis.terms(result.query)))
        for number, candidate in enumerate(result.candidates, 1):
            hit = _hit(number, candidate, terms)
            if (size := len(hit.encode("utf-8", "replace"))) > room:
                parts.append(
                    f"({len(result.candidates) - number + 1:,} more results did not fit: ask fewer "
                    f"questions at once)\n\n"
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


def update_text(done: LabelUpdate) -> str:
    report = done.report
    texts = report.added + report.updated + report.unchanged
    if not texts:
        why = report.issues[0] if report.issues else None
        return (
            f"{one_line(done.uri)} has no text to index"
            + (f": {why.reason.words}, {one_line(why.detail)}" if why else "")
            + "\n"
        )
    what = "replaced" if done.replaced and done.changed else "kept" if done.changed else "is unchanged:"
    passed = f", passed over {len(report.issues):,}" if report.issues else ""
    return f"{what} {one_line(done.uri)}: {report.bytes:,} characters in {counted(texts, 'text')}{passed}\n"


def output_text(output: CommandOutput, packs: Sequence[Pack], failures: Sequence[Pack] = ()) -> str:
    """The answers to the questions about an output; without an answer its failing lines, if any, and its last lines."""
    ran, issue = output.ran, output.issue
    if output.kept is not None:
        where = f"{counted(output.lines, 'line')}, kept as {one_line(output.kept.uri)}"
    elif issue is None or issue.reason is SkipReason.EMPTY:
        where = "it printed nothing"
    else:
        where = f"not stored, because it is not text: {one_line(issue.detail)}"
    stopped = f" ({ran.stopped})" if ran.stopped else ""
    head = (
        f"$ {one_line(shlex.join(ran.arguments))}\n"
        f"exit {ran.status} after {ran.seconds:.1f} s{stopped}; {ran.size:,} bytes, {where}\n"
    )
    asked = len(packs) > 1
    answers = "".join(f"\n{heading(p.query) if asked else ''}{p.text}" for p in packs)
    if any_answers(packs):
        return head + answers
    tail = _not_shown(output, failures)
    failing = "".join(f"\n{pack.text}" for pack in failures) + (
        "\nLast lines:\n" if (packs or failures) and tail else ""
    )
    return head + answers + failing + "".join(f"{printed_line(line)}\n" for line in tail)


def _not_shown(output: CommandOutput, packs: Sequence[Pack]) -> list[str]:
    """The last lines of an output after all excerpts of packs."""
    shown = max((one.citation.span.end_line for pack in packs for one in pack.excerpts), default=0)
    first = output.lines - len(output.tail) + 1
    return [line for number, line in enumerate(output.tail, first) if number > shown]
