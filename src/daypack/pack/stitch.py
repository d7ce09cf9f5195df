"""Stitching: chosen spans become excerpts, best first; neighbours are joined and small gaps bridged.

Two spans of one record become one excerpt when they touch, or when at most 40 tokens are between them: that loses no
recall, and reads far better than three dots. Sources come best first, and so do the excerpts of a source: the imports of a
file are never before its answer. The source of a turn is its session.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from daypack.pack.extracts.edges import without_closers
from daypack.pack.select import Selected
from daypack.pack.sent import Sent, bridges
from daypack.ports import CountTokens
from daypack.text.changelogs import version_of
from daypack.types import JOINED, Chunk, Citation, Excerpt, RecordKind, Span, Variant

BRIDGE_TOKENS = 40

TextOf = Callable[[int], str]
"""Record id → the record's whole text."""


@dataclass(slots=True)
class _Run:
    span: Span
    members: list[Selected]
    score: float  # the best of its members'
    shown: Excerpt | None = None


class Stitcher:
    """Makes excerpts for one choice after another; the excerpts that two choices share are made once.

    `text_of` gives unchecked text, to look around a chunk (whose own text was checked when it was read); shown text from
    outside the chunks comes from `checked`. `tokens_of` gives the tokens of a whole chunk, as `count` counts them. Labels
    begin after those of `sent`, and no bridge repeats its spans. With `in_rank_order`, excerpts are not grouped by source,
    and no gap is bridged.
    """

    def __init__(
        self,
        text_of: TextOf,
        checked: TextOf,
        count: CountTokens,
        tokens_of: Callable[[Chunk], int],
        *,
        in_rank_order: bool,
        sent: Sent | None = None,
    ) -> None:
        self._text_of = text_of
        self._checked = checked
        self._count = count
        self._tokens_of = tokens_of
        self._in_rank_order = in_rank_order
        self._bridge = 0 if in_rank_order else BRIDGE_TOKENS
        self._sent = sent
        # by the ids of the chosen items of a record, which the runs keep alive
        self._runs: dict[tuple[int, ...], list[_Run]] = {}

    def excerpts(self, chosen: Sequence[Selected]) -> list[Excerpt]:
        """The excerpts of chosen variants, numbered from 1, or after those of earlier packs."""
        by_record: dict[int, list[Selected]] = {}
        for item in chosen:
            by_record.setdefault(item.candidate.chunk.record_id, []).append(item)
        by_source: dict[Hashable, list[_Run]] = {}
        for items in by_record.values():
            by_source.setdefault(source_of(items[0].candidate.chunk), []).extend(self._runs_of(items))
        if self._in_rank_order:
            every = [run for group in by_source.values() for run in group]
            flat = sorted(every, key=_worth)
        else:
            groups = [sorted(group, key=_worth) for group in by_source.values()]
            flat = [run for group in sorted(groups, key=lambda group: _worth(group[0])) for run in group]
        first = 1 if self._sent is None else self._sent.chain.sent + 1
        return [self._labelled(run, label) for label, run in enumerate(flat, first)]

    def _runs_of(self, items: Sequence[Selected]) -> list[_Run]:
        """The joined runs of the chosen items of one record, in the order of its text."""
        key = tuple(map(id, items))
        if key not in self._runs:
            record_id = items[0].candidate.chunk.record_id
            text = self._text_of(record_id)
            sent = () if self._sent is None else self._sent.spans.get(record_id, ())
            parts = [(span, item) for item in items for span in item.choice.spans(item.candidate.chunk)]
            joined: list[_Run] = []
            for inner, item in sorted(parts, key=lambda part: (part[0].start, part[0].end)):
                span = _from_line_start(inner, text)
                if (
                    joined
                    and _of_one_page(joined[-1].span, span, item)
                    and bridges(sent, joined[-1].span.end, span.start)
                    and self._joins(joined[-1], span, item, text)
                ):
                    last = joined[-1].span
                    joined[-1].span = Span(
                        last.start,
                        max(last.end, span.end),
                        last.start_line,
                        max(last.end_line, span.end_line),
                    )
                    joined[-1].members.append(item)
                    joined[-1].score = max(joined[-1].score, item.candidate.score)
                else:
                    joined.append(_Run(span, [item], item.candidate.score))
            if items[0].candidate.chunk.record_kind is RecordKind.CODE:
                for run in joined:
                    run.span = _without_closers(run.span, text)
            self._runs[key] = joined
        return self._runs[key]

    def _joins(self, run: _Run, span: Span, item: Selected, text: str) -> bool:
        """True where a span is shown with the run before it: they overlap, or little is between them. The rest of a piece of
        code that is worth less stays alone, so that a better piece begins its own excerpt.
        """
        if span.start < run.span.end:
            return True
        first = run.members[0].candidate.chunk
        is_rest = first.record_kind is RecordKind.CODE and run.span.start > first.span.start
        if is_rest and run.score < item.candidate.score:
            return False
        bridge = 0 if item.candidate.parts else self._bridge
        gap = text[run.span.end : span.start]
        return not gap.strip() or (len(gap) < 8 * bridge and self._count(gap) <= bridge)

    def _labelled(self, run: _Run, label: int) -> Excerpt:
        if run.shown is None:
            run.shown = self._excerpt(label, run)
        elif run.shown.citation.label != label:
            run.shown = run.shown._replace(citation=run.shown.citation._replace(label=label))
        return run.shown

    def _excerpt(self, label: int, run: _Run) -> Excerpt:
        members = {member.candidate.chunk.id: member for member in run.members}
        best = (
            run.members[0]
            if len(members) == 1
            else max(run.members, key=lambda item: (item.candidate.score, -item.candidate.chunk.id))
        )
        chunk = best.candidate.chunk
        text = self._shown([member.candidate.chunk for member in members.values()], run.span)
        tokens = self._tokens_of(chunk) if run.span == chunk.span else self._count(text)
        whole = all(member.choice.variant is Variant.FULL for member in members.values())
        names = [
            *dict.fromkeys([name for member in members.values() if (name := member.candidate.chunk.name)])
        ]
        return Excerpt(
            citation=Citation(
                label, chunk.cited(run.span), chunk.in_file(run.span), chunk.record_hash, tuple(members)
            ),
            text=text,
            score=best.candidate.score,
            variant=Variant.FULL if whole else best.choice.variant,
            name=names[0] if len(names) == 1 else ", ".join(names[:3]) if names else "",
            trail=_above([member.candidate.chunk.trail for member in members.values()]),
            kind=chunk.record_kind,
            language=chunk.language,
            title=chunk.title,
            author=chunk.author,
            time=chunk.time,
            trust=chunk.trust,
            door=chunk.door,
            session=chunk.session,
            whole=_is_whole(run.span, self._text_of(chunk.record_id)),
            tokens=tokens,
            duplicates=sum([member.candidate.duplicates for member in members.values()]),
        )

    def _shown(self, chunks: Sequence[Chunk], span: Span) -> str:
        """The text of a span over chunks of one record, in its order; from the checked text where they leave gaps that are
        not blank.
        """
        parts: list[str] = []
        at = span.start
        for chunk in chunks:
            first = chunk.span.start
            if at < first:
                between = self._text_of(chunk.record_id)[at:first]
                if between.strip():
                    break
                parts.append(between)
                at = first
            parts.append(chunk.text[at - first : span.end - first])
            at = max(at, min(span.end, chunk.span.end))
        return "".join(parts) if at == span.end else self._checked(chunks[0].record_id)[span.start : span.end]


def _above(trails: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The outermost headings that all have, or those of the first down to a version, which the text below it is about."""
    alike = takewhile(lambda level: len({*level}) == 1, zip(*trails, strict=False))
    shared = tuple(level[0] for level in alike)
    first, version = trails[0], version_of(trails[0])
    return max(shared, first[: first.index(version) + 1] if version else (), key=len)


def source_of(chunk: Chunk) -> Hashable:
    """The key of a chunk's source, whose excerpts are shown together."""
    return (chunk.scope, chunk.session) if chunk.record_kind is RecordKind.EVENT else chunk.record_id


def _from_line_start(span: Span, text: str) -> Span:
    """The span with the indentation of its first line, so that the lines of an excerpt line up as in the file."""
    line_start = text.rfind("\n", 0, span.start) + 1
    return (
        span
        if text[line_start : span.start].strip(" \t")
        else Span(line_start, span.end, span.start_line, span.end_line)
    )


def _without_closers(span: Span, text: str) -> Span:
    """The span of code without the lines at its edges that close blocks which it does not show."""
    shown = text[span.start : span.end]
    start, end = without_closers(shown)
    if (start, end) == (0, len(shown)):
        return span
    first = span.start_line + shown.count("\n", 0, start)
    return Span(span.start + start, span.start + end, first, first + shown.count("\n", start, end))


def _worth(run: _Run) -> tuple[float, int]:
    return -run.score, run.members[0].candidate.chunk.id


def _is_whole(span: Span, text: str) -> bool:
    return (
        len(text) - (span.end - span.start) < 100
        and not text[: span.start].strip()
        and not text[span.end :].strip()
    )


def _of_one_page(left: Span, right: Span, item: Selected) -> bool:
    """True when both spans are on one page, so that one citation names it. Paragraphs, cells and lines do not count as pages."""
    pages = item.candidate.chunk.pages
    return pages is None or pages.unit in JOINED or pages.at(left.start_line) == pages.at(right.start_line)
