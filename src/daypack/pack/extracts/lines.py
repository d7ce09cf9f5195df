"""Lines of code: the worth of each line for a query, and the run of lines that is worth most for its size.

    worth of a line    e^(3 words + .2 near + .75 depth + .5 length)

    words     the share that the line's terms have of the weight of the piece's terms; a term of many lines counts less
    near      the shares of the three lines before and the three after, together; here every term counts in full
    depth     the line's indentation, 1 for the deepest line of the piece
    length    1 from 100 characters on

A logistic regression on the lines that commits changed gave the factors; 2.5 to 3.5 for `words` do equally well
(docs/decisions/036-extracts.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from math import exp, log1p

from daypack.pack.weigher import Weigher
from daypack.text.name_sets import name_set

WORDS, NEAR, DEPTH, LENGTH = 3.0, 0.2, 0.75, 0.5
REACH = 3  # lines before and after that are near
LONG = 100  # characters
MARGIN = 3  # characters that the indentation and the end of a line cost
EQUAL = 1e-9  # sums that differ by less are equal
_ENDS = name_set("end done esac fi")  # words that close a block


def worths(lines: Sequence[str], marks: Sequence[int], weigher: Weigher) -> list[float]:
    """The worth of each line of a piece, above 0; `marks` are those of the lines."""
    shares, telling = _shares(marks, weigher)
    around = [0.0, *accumulate(shares)]
    count = len(lines)
    texts = [line.lstrip() for line in lines]
    indents = [len(line) - len(text) for line, text in zip(lines, texts, strict=True)]
    margins = [indent for indent, text in zip(indents, texts, strict=True) if text]
    least = min(margins, default=0)
    deeper = DEPTH / (max(margins, default=0) - least or 1)
    worth = []
    for i, text in enumerate(texts):
        exponent = WORDS * telling[i]
        exponent += NEAR * (around[min(i + REACH + 1, count)] - around[max(0, i - REACH)] - shares[i])
        if text:
            exponent += deeper * (indents[i] - least) + LENGTH * min(1.0, len(text) / LONG)
        worth.append(exp(exponent))
    return worth


def _shares(marks: Sequence[int], weigher: Weigher) -> tuple[list[float], list[float]]:
    """(the share of the weight of all terms that each mark has, the same with less for a term of many marks)."""
    bits = {i: [*_bits(mark)] for i, mark in enumerate(marks) if mark}
    counts = Counter(chain.from_iterable(bits.values()))
    whole = sum(map(weigher.weight, counts)) or 1.0
    share = {bit: weigher.weight(bit) / whole for bit in counts}
    most = log1p(len(marks))
    rare = {bit: share[bit] * log1p(len(marks) / count) / most for bit, count in counts.items()}
    shares, telling = [0.0] * len(marks), [0.0] * len(marks)
    for i, found in bits.items():
        shares[i] = sum([share[bit] for bit in found])
        telling[i] = sum([rare[bit] for bit in found])
    return shares, telling


def _bits(mark: int) -> Iterator[int]:
    """The powers of two of which a mark is the sum."""
    while mark:
        bit = mark & -mark
        yield bit
        mark ^= bit


def best_runs(lines: Sequence[str], worth: Sequence[float], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """For each size (first, end) of the consecutive lines, of at most so many characters or one line, that are worth most
    together; of equals the first. Loose ends of a run are left out, down to the line that is worth most: blank lines, the head of
    a block whose body is not shown, and the mark that closes a block whose body is not shown.
    """
    costs = [len(line.strip()) + MARGIN for line in lines]
    return [_without_loose_ends(lines, worth, *_best_run(costs, worth, size)) for size in sizes]


def _best_run(costs: Sequence[int], worth: Sequence[float], size: int) -> tuple[int, int]:
    best, run = 0.0, (0, 1)
    first, total, cost = 0, 0.0, 0
    for end, (gained, paid) in enumerate(zip(worth, costs, strict=True), 1):
        total += gained
        cost += paid
        while cost > size and first < end - 1:
            total -= worth[first]
            cost -= costs[first]
            first += 1
        if total > best + EQUAL:
            best, run = total, (first, end)
    return run


def _without_loose_ends(
    lines: Sequence[str], worth: Sequence[float], first: int, end: int
) -> tuple[int, int]:
    best = max(range(first, end), key=worth.__getitem__)
    while end - 1 > best and (not lines[end - 1].strip() or _opens_a_block(lines, end - 1)):
        end -= 1
    while first < best and _closes_a_block(lines[first]):
        first += 1
    return first, end


def _opens_a_block(lines: Sequence[str], at: int) -> bool:
    """True where the next line that is not blank is deeper."""
    below = next((line for line in lines[at + 1 :] if line.strip()), "")
    return _indent(below) > _indent(lines[at])


def _closes_a_block(line: str) -> bool:
    """True for brackets and words that end a block; for a blank line too."""
    return line.strip() in _ENDS or not any(map(str.isalnum, line))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
