"""Variants: the forms in which a chunk can be shown, from the whole text down to one line.

    code        full        1.00 of the value   the whole chunk
                extract     share^.4, ≤ .8      the definition and the passage that is worth most, in three sizes (`extracts`); in
                                                a small pack also the run alone; ^1 to ^.4 for a question, the more of its words the chunk
                                                has (`TOLD`): a chunk with none of them shows a guess
                signature    .15                the definition up to its body and the first line of its docstring
    prose       full        1.00                the whole chunk
                extract      Σ of its pieces    one piece, two, three … the most telling first; pieces are sentences, the
                                                rows of a table (always with its head), the entries of data

    piece j of a chunk      (2 + w_j + .3 max(w of its neighbours))^8, as a share of the sum over the chunk; ^4 in lists and code
    failing line of a log   w + .6

The share of an extract of code is that of the worth of its lines. w is the share of the query's weight that a piece of prose
holds. The 2 stands for the chunk around it, which was scored already (docs/decisions/007-sentences.md); it is 1 for rows and
entries, which tell nothing about each other. Every variant consists of whole lines or pieces, so each can be cited by its spans.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from operator import or_
from typing import NamedTuple

from daypack.pack.extracts.lines import best_runs, worths
from daypack.pack.extracts.passages import best_passages
from daypack.pack.extracts.seams import Seams, seams
from daypack.pack.sentences import is_data, sentences
from daypack.pack.weigher import Part, Weigher
from daypack.ports import CountTokens
from daypack.text import logs
from daypack.text.tables import COLUMN_MARK, head_rows
from daypack.text.unspaced import extent
from daypack.types import Candidate, Chunk, PieceKind, RecordKind, Span, Variant

# docs/decisions/036-extracts.md
FEW_LINES = 12  # a chunk of so few is shown whole or not at all; in a report or task,
FEW_LINES_OF_REPORT = 8  # … it has no extract
MOST_SHOWN, MOST_SHOWN_OF_REPORT = 0.67, 0.8  # the share of a chunk that an extract has, at most
EXTRACT_SIZES = (200, 400, 800)  # characters of the run of lines
EXTRACT_POWER, EXTRACT_MOST = 0.4, 0.8
TOLD = 0.3  # the share of a question's weight by which a chunk tells which of its lines answer
SIGNATURE_VALUE = 0.15
NEAR = 0.3  # the weight of a piece's neighbours
TELLING = 8.0  # the exponent that makes telling pieces stand out
TELLING_TOGETHER = 4.0  # the same for the items of a list and lines of code, which answer together
# letters of the shortest extract: one sentence seldom says whom it is about, in talk less than in a document
LEAST, LEAST_TURN = 100, 200
LONGEST = 4  # times LEAST
# added to the share w of the first of a log's most severe lines: of a failure, of a lesser line (docs/decisions/006-constants.md)
FAILING, MENTIONED = 0.6, 0.3
SMALL = 40  # tokens; below, a chunk is shown whole or not at all
REACH = 2  # lines on both sides of a line that is shown with them
SHORT_COMMENT = 3  # lines above a definition that are shown with it
REST = 12  # lines at most of the parameters of a definition beyond those that its signature has
NEAR_HEAD = 2  # lines between a definition and an extract, at most, that are shown with both

# The first line of a class, which names a thing and tells nothing; its parts are chunks of their own.
_BARE_HEAD = (
    r"(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|open|data|static|partial|readonly"
    r"|expect|actual|inner|pub(?:\([^)]*\))?)\s+)*"
    r"(?:class|struct|interface|trait|impl|module|defmodule|object|enum|protocol|extension|namespace|type)\b"
)


class Choice(NamedTuple):
    """One way to show a candidate. `value` is a share of the candidate's value, `cost` in tokens as rendered."""

    variant: Variant
    parts: tuple[Part, ...]
    value: float
    cost: int

    def spans(self, chunk: Chunk) -> tuple[Span, ...]:
        """The spans of the parts in the record."""
        return (
            (chunk.span,)
            if self.variant is Variant.FULL
            else tuple([_span(chunk, part) for part in self.parts])
        )


def _bare(text: str, start: int, end: int) -> Part:
    """The part text[start:end], which is not blank, without blank edges, but with the indentation of its first line."""
    piece = text[start:end]
    lead = piece[: len(piece) - len(piece.lstrip("\n\r\t "))]
    return start + (lead.rfind("\n") + 1 if "\n" in lead else len(lead)), start + len(piece.rstrip())


def _span(chunk: Chunk, part: Part) -> Span:
    """The span of a part of a chunk in its record, without blank edges."""
    start, end = _bare(chunk.text, *part)
    first = chunk.span.start_line + chunk.text.count("\n", 0, start)
    return Span(
        chunk.span.start + start, chunk.span.start + end, first, first + chunk.text.count("\n", start, end)
    )


def _line_starts(lines: Sequence[str]) -> list[int]:
    """The place of each line in the text of all, and the place behind the last."""
    return [0, *accumulate([len(line) + 1 for line in lines])]


def lines_around(text: str, places: Sequence[int]) -> tuple[Part, ...]:
    """The parts of a text with the lines at these places and `REACH` lines on both sides."""
    starts = _line_starts(text.split("\n"))
    runs: list[tuple[int, int]] = []  # first line, end
    for line in sorted({bisect_right(starts, place) - 1 for place in places}):
        first, end = max(0, line - REACH), min(len(starts) - 1, line + REACH + 1)
        if runs and first <= runs[-1][1] + 1:
            first = runs.pop()[0]
        runs.append((first, end))
    return tuple(_bare(text, starts[first], starts[end] - 1) for first, end in runs)


def _extracts(
    chunk: Chunk,
    lines: Sequence[str],
    head: Part | None,
    weigher: Weigher,
    joints: Seams | None,
    *,
    alone: bool,
    question: bool,
) -> Iterator[tuple[Variant, tuple[Part, ...], float]]:
    """(variant, lines, value) of the best run of each of `EXTRACT_SIZES` with the lines `head` of the definition; before it, where
    the run may stand `alone`, the run. A head that only opens a class is left out, because the frame names the class.
    """
    text, starts = chunk.text, _line_starts(lines)
    marks = weigher.marks(text, [*pairwise(starts)])
    worth = worths(lines, marks, weigher)
    place = weigher.pointing.place(chunk)
    held = None if place is None else bisect_right(starts, place) - 1
    if held is not None:
        worth[held] += sum(worth)
    told = weigher.part(reduce(or_, marks)) / TOLD if question and place is None else 1.0
    whole, power = sum(worth), 1 - (1 - EXTRACT_POWER) * min(1.0, told)
    runs = (
        best_runs(lines, worth, EXTRACT_SIZES)
        if joints is None
        else best_passages(lines, joints, worth, EXTRACT_SIZES, held)
    )
    for run in runs:
        forms = [[run]]
        if head is not None and run[0] <= head[1] + NEAR_HEAD and head[0] <= run[1] + NEAR_HEAD:
            forms = [[(min(run[0], head[0]), max(run[1], head[1]))]]
        elif head is not None and not _opens_a_class(text[starts[head[0]] : starts[head[1]] - 1]):
            forms = [[run], sorted([head, run])] if alone else [sorted([head, run])]
        for form in forms:
            shown = sum([sum(worth[first:end]) for first, end in form])
            parts = tuple([_bare(text, starts[first], starts[end] - 1) for first, end in form])
            yield Variant.EXTRACT, parts, min(EXTRACT_MOST, (shown / whole) ** power)


def _sentence_choices(
    chunk: Chunk, weigher: Weigher, whole: int, *, overhead: int, further: int, least: int
) -> list[Choice]:
    """Extracts of a chunk, each with one more of its pieces, the most telling ones first; costs by the share of characters."""
    pieces = sentences(chunk)
    if len(pieces) == 1:
        return []
    # Every extract of a table shows the names of its columns, and so does one of the first rows of a CSV file.
    is_table = chunk.kind is PieceKind.TABLE
    begins = range(_has_columns(chunk) and chunk.span.start_line == 1)
    head = head_rows([chunk.text[start:end] for start, end in pieces]) if is_table else begins
    values = _values(chunk, pieces, head, weigher)
    # An extract of a table has a row: its title and the names of its columns say nothing alone.
    below = head.stop if head.stop < len(pieces) else 0
    best = values.index(max(values[below:]), below)
    first, end = _stretch(pieces, values, best, least * len(chunk.text) // extent(chunk.text))
    others = [i for i in (*range(first), *range(end, len(pieces))) if i not in head]
    if not others:
        return []  # that would be the whole chunk
    # Of equal ones the nearest entry of data, and in a log the lines behind a failure: they explain it better.
    data, is_alert = is_data(chunk), chunk.kind is PieceKind.ALERT
    others.sort(key=lambda i: (-values[i], abs(i - best) if data else is_alert and i < best, i))
    parts = [(pieces[first][0], pieces[end - 1][1])]
    for i in head:
        if not first <= i < end:
            _insert(parts, pieces[i])
    total, length = sum(values), len(chunk.text)
    worth, shown = sum(values[first:end]), sum([stop - start for start, stop in parts])
    extracts: list[Choice] = []
    for i in others:
        cost = math.ceil(whole * shown / length) + overhead + further * (len(parts) - 1)
        extracts.append(Choice(Variant.EXTRACT, tuple(parts), worth / total, cost))
        _insert(parts, pieces[i])
        worth += values[i]
        shown += pieces[i][1] - pieces[i][0]
    return extracts


def _values(chunk: Chunk, pieces: Sequence[Part], head: Sequence[int], weigher: Weigher) -> list[float]:
    """The value of each piece, by the formula of the module; 0 for the rows of a table's `head`."""
    marks = weigher.marks(chunk.text, pieces)
    # The names of the columns are shown beside every row.
    if chunk.kind is PieceKind.TABLE and chunk.signature:
        (named,) = weigher.marks(chunk.signature, [(0, len(chunk.signature))])
        marks = [mark & ~named for mark in marks]
    shares = [0.0 if i in head else weigher.part(mark) for i, mark in enumerate(marks)]
    if (place := weigher.pointing.place(chunk)) is not None:
        shares[max(0, bisect_right([start for start, _ in pieces], place) - 1)] += 1.0
    if chunk.kind is PieceKind.ALERT:
        failing = _failing([chunk.text[start:end] for start, end in pieces])
        shares = [*map(sum, zip(shares, failing, strict=True))]
    beside = [0.0, *shares, 0.0]
    least = 1 if is_data(chunk) else 2
    telling = TELLING_TOGETHER if chunk.kind in (PieceKind.LIST, PieceKind.FENCE) else TELLING
    return [
        0.0 if i in head else (least + own + NEAR * max(before, after)) ** telling
        for i, (before, own, after) in enumerate(zip(beside, shares, beside[2:], strict=False))
    ]


def _stretch(pieces: Sequence[Part], values: Sequence[float], best: int, least: int) -> tuple[int, int]:
    """(first, end) of the pieces around the best one, the more valuable neighbour first, that have `least` characters. A
    neighbour that makes them LONGEST times as long stays out: an extract of a short sentence should fit a small budget.
    """
    first, end = best, best + 1

    def length(low: int, high: int) -> int:
        return pieces[high - 1][1] - pieces[low][0]

    while length(first, end) < least:
        sides = [(first, end + 1)] * (end < len(pieces)) + [(first - 1, end)] * (first > 0)
        fitting = [side for side in sides if length(*side) <= LONGEST * least]
        if not fitting:
            break
        first, end = max(fitting, key=lambda side: values[side[0] if side[0] < first else side[1] - 1])
    return first, end


def _least(chunk: Chunk) -> int:
    """The letters of the shortest extract; 0 for a log, whose lines say what they are about, and for rows below their columns."""
    if chunk.kind is PieceKind.ALERT or _has_columns(chunk):
        return 0
    return LEAST if chunk.record_kind is RecordKind.DOCUMENT else LEAST_TURN


def _has_columns(chunk: Chunk) -> bool:
    """True for rows of a table or CSV file, the names of whose columns are known."""
    is_row = chunk.kind is PieceKind.ROW and COLUMN_MARK in chunk.name
    return is_row or (chunk.kind is PieceKind.TABLE and bool(chunk.signature))


def _failing(lines: Sequence[str]) -> list[float]:
    """The part that is added to the share of each line of a log, whatever the question is: FAILING or MENTIONED for the
    first of the most severe lines, which often causes the others.
    """
    severities = [*map(logs.severity, lines)]
    worst = min(severities)
    additions = [0.0] * len(lines)
    if worst is not logs.Severity.NONE:
        additions[severities.index(worst)] = FAILING if worst <= logs.Severity.ERROR else MENTIONED
    return additions


def _insert(parts: list[Part], new: Part) -> None:
    """Put a part among those in order; parts that touch become one."""
    start, end = new
    at = bisect_right(parts, new)
    after = at
    if after < len(parts) and parts[after][0] == end:
        end = parts[after][1]
        after += 1
    if at and parts[at - 1][1] == start:
        at -= 1
        start = parts[at][0]
    parts[at:after] = [(start, end)]


def _definition_lines(chunk: Chunk, lines: Sequence[str]) -> Part | None:
    """The lines of the definition, with a short comment or the decorators above; None in a later part of a long definition,
    which only has its name.
    """
    wanted = "".join(chunk.signature.split())[:200]
    lengths = [0, *accumulate(len("".join(line.split())) for line in lines)]
    at = "".join("".join(line.split()) for line in lines).find(wanted) if wanted else -1
    if at < 0:
        return None
    first = bisect_right(lengths, at) - 1
    end = bisect_left(lengths, at + len(wanted))
    while first and lines[first - 1].lstrip().startswith(("@", "#[")):
        first -= 1
    return (first if first > SHORT_COMMENT else 0), end


def _behind_brackets(joints: Seams, end: int) -> int:
    """The end of a definition, with the rest of its parameters where few lines have it."""
    return next((n for n in range(end, min(end + REST, len(joints.inside))) if not joints.inside[n]), end)


def _signature(chunk: Chunk, lines: Sequence[str], starts: Sequence[int], head: Part) -> Part:
    """The definition, with the first line of its docstring when that is the next line and not empty."""
    first, end = head
    below = lines[end].strip() if end < len(lines) else ""
    if below.startswith(('"""', "'''", 'r"""', '"', "///", "//", "/**")) and below.strip("r\"'/*! "):
        end += 1
    return _bare(chunk.text, starts[first], starts[end] - 1)


def _names_a_class(text: str) -> bool:
    """Tell whether a text is one line, which begins a class."""
    return "\n" not in text and re.match(_BARE_HEAD, text.lstrip()) is not None


def _opens_a_class(head: str) -> bool:
    """Tell whether the lines of a definition begin a class, and say nothing else."""
    return (
        re.match(_BARE_HEAD, head.lstrip()) is not None and re.search(r"\n[ \t]*(?:[\"'#*]|//)", head) is None
    )


def is_bare_head(chunk: Chunk) -> bool:
    """Tell whether a chunk holds only the line that opens a class."""
    text = chunk.text.strip()
    complete = text.endswith((";", "}", ")")) or "=" in text
    head = text.removesuffix("{").rstrip()  # a brace may have a line of its own
    return chunk.record_kind is RecordKind.CODE and not complete and _names_a_class(head)


def in_full(chunk: Chunk, cost: int) -> Choice:
    """The whole chunk."""
    return Choice(Variant.FULL, ((0, len(chunk.text)),), 1.0, cost)


def first_parts(
    chunk: Chunk, places: Sequence[Part], count: CountTokens, overhead: int, further: int
) -> list[Choice]:
    """The first of the places of a record that are in a chunk, which may be the rest of one, ever more of them, and all."""
    first, last = chunk.span.start, chunk.span.end
    parts = [(start - first, end - first) for start, end in places if first <= start and end <= last]
    made = []
    for size in [len(parts) >> half for half in reversed(range(len(parts).bit_length()))]:
        apart = sum(chunk.text[end:start].strip() != "" for (_, end), (start, _) in pairwise(parts[:size]))
        told = count("\n".join(chunk.text[start:end] for start, end in parts[:size]))
        share = (size / len(parts)) ** EXTRACT_POWER
        made.append(Choice(Variant.EXTRACT, tuple(parts[:size]), share, told + overhead + further * apart))
    return made


def choices(
    candidate: Candidate,
    weigher: Weigher,
    *,
    whole: int,
    overhead: int,
    further: int,
    least: int | None = None,
    alone: bool = False,
    question: bool = False,
    report: bool = False,
) -> list[Choice]:
    """All variants of a candidate, cheapest first. The last is the full one, of `whole` tokens; smaller ones cost by their
    share of its characters. `overhead` is the cost of an excerpt beside its text, `further` that of one more span, and
    `least` the number of letters of the shortest extract of prose, for callers whose frame says what it is about. Lines of
    code may stand `alone`, without the definition that the frame names. `question` tells that they are to answer one, `report` that
    the text is a report or task, which gets runs of lines instead of passages.
    """
    chunk = candidate.chunk
    full = in_full(chunk, whole + overhead)
    if chunk.tokens <= SMALL:
        return [full]
    if chunk.record_kind is not RecordKind.CODE:
        least = _least(chunk) if least is None else least
        found = _sentence_choices(chunk, weigher, whole, overhead=overhead, further=further, least=least)
        return [*found, full]
    text, around = chunk.text, overhead - further
    most = MOST_SHOWN_OF_REPORT if report else MOST_SHOWN
    smaller = [
        Choice(variant, parts, value, math.ceil(whole * shown / len(text)) + around + further * len(parts))
        for variant, parts, value in _drafts_of_code(
            chunk, weigher, alone=alone, question=question, report=report
        )
        if (shown := sum([end - start for start, end in parts])) < most * len(text)
        and all(text[start:end].strip() for start, end in parts)
    ]
    return [*sorted(smaller, key=lambda choice: choice.cost), full]


def _drafts_of_code(
    chunk: Chunk, weigher: Weigher, *, alone: bool, question: bool, report: bool
) -> Iterator[tuple[Variant, tuple[Part, ...], float]]:
    """(variant, parts of the text, value) of the signature and the extracts."""
    lines = chunk.text.split("\n")
    starts = _line_starts(lines)
    head = _definition_lines(chunk, lines)
    if not report and len(lines) <= FEW_LINES:
        return
    joints = None if report else seams(lines)
    if head is not None and joints is not None:
        head = head[0], _behind_brackets(joints, head[1])
    if head is not None:
        part = _signature(chunk, lines, starts, head)
        if not _opens_a_class(chunk.text[slice(*part)]):
            yield Variant.SIGNATURE, (part,), SIGNATURE_VALUE
    if not report or len(lines) > FEW_LINES_OF_REPORT:
        yield from _extracts(chunk, lines, head, weigher, joints, alone=alone, question=question)


def outline(chunk: Chunk, *, whole: int, overhead: int) -> list[tuple[float, int]]:
    """(value, cost) pairs that bound all variants before any is made: none has a higher value at a lower cost."""
    full = (1.0, max(1, whole + overhead))
    if chunk.tokens <= SMALL:
        return [full]
    if chunk.record_kind is RecordKind.CODE:
        # an extract would be the whole chunk
        few = chunk.span.end_line - chunk.span.start_line < FEW_LINES
        return [(SIGNATURE_VALUE if few else EXTRACT_MOST, overhead + 1), full]
    least = _least(chunk)
    return [(1.0, overhead + max(1, math.floor(whole * min(1.0, least / len(chunk.text)))))]


def upper_hull(options: Sequence[Choice]) -> list[Choice]:
    """The choices on the upper convex hull of value over cost: each costs more than the one before, and gains less a token."""
    hull: list[Choice] = []
    for option in sorted(options, key=lambda choice: (choice.cost, -choice.value)):
        if hull and option.value <= hull[-1].value:
            continue
        while hull:
            before_cost, before_value = (hull[-2].cost, hull[-2].value) if len(hull) > 1 else (0, 0.0)
            slope_last = (hull[-1].value - before_value) / max(hull[-1].cost - before_cost, 1)
            slope_new = (option.value - hull[-1].value) / max(option.cost - hull[-1].cost, 1)
            if slope_new < slope_last:
                break
            hull.pop()
        hull.append(option)
    return hull
