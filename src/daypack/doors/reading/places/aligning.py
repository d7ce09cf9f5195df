"""The lines of a file behind the lines of the text that a reader made of it, so that a citation leads to the file.

    page.html                                  its text                              in the file
    12  <h2>Refunds</h2>                       1  ## Refunds                         12
    13  <p>They are <em>sent</em>              2                                     13: behind the heading
    14     after a day.</p>                    3  They are *sent* after a day.       13 to 14

A reader keeps the words of a file and their order, so the words of each line are looked up in the file without its tags, from both of
its ends: forwards the place of a line is never too late, backwards never too early. Where both agree, the place is certain; otherwise
it is the one that is nearer to the certain places around it. A line that is not found lies between its neighbours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from daypack.types import FileLine, FileLines

_TAG = re.compile(r"<title\b[^<>\n]*>[^<\n]*|<[^<>\n]*>")  # a title repeats the heading
_WORDS = re.compile(
    r"[^\W_]\w*+(?:[.-]\w++)*+(?: \w++(?:[.-]\w++)*+){0,3}+"
)  # as a file and its text write them alike
_TARGET = re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
GROUP = 8  # lines, of which the one with the longest words is looked up in the whole file
SHORT, LONG = (
    2,
    12,
)  # characters of words that are looked up between two certain places, and in the whole file
NEAR = 200  # characters; a farther place counts if the next line is not before it
TRIED, LEAST = 4, 3  # words of a line that are looked up as its first and last, and their characters
CROWDED = 3  # lines of the text on a line of the file: its number alone says too little


def lines_in_file(source: str, text: str) -> dict[str, Any] | None:
    """The lines of the file `source` behind those of its text, as metadata store them; None where none is found."""
    bare = [*map(str.strip, _TAG.sub("", source).split("\n"))]
    starts = [*accumulate([len(line) + 1 for line in bare], initial=0)]
    flat = " ".join(bare)
    numbers, lines = _lines(text)
    keys = [max(words, key=len) if len(words) > 1 else words[0] for words in lines]
    places = _placed(keys, flat)
    if 2 * len(places) < len(lines):  # an encoded file, in which short words are found by chance
        places = dict(_anchors(keys, flat))
    if not places:
        return None
    found = [
        FileLine(numbers[at], bisect_right(starts, start), bisect_right(starts, end))
        for at, start, end in _whole(lines, keys, places, flat)
    ]
    firsts: dict[int, int] = {}
    for number, line, _ in found:
        firsts.setdefault(line, number)
    if len(found) > CROWDED * len(firsts):
        return {"unit": "line", "lines": [1, *[*firsts.values()][1:]], "names": [*map(str, firsts)]}
    return FileLines.of(_with_others(found, numbers, len(bare)), text.count("\n") + 1).to_metadata()


def _lines(text: str) -> tuple[list[int], list[list[str]]]:
    """The lines of a text that have words: their numbers, and their words without the targets of links."""
    numbers, lines = list[int](), list[list[str]]()
    words_of = _WORDS.findall
    for number, line in enumerate((_TARGET.sub("]", text) if "](" in text else text).split("\n"), 1):
        if line and not line.startswith("```") and (words := words_of(line)):
            numbers.append(number)
            lines.append(words)
    return numbers, lines


def _placed(keys: Sequence[str], flat: str) -> dict[int, int]:
    """The keys that are found, by their index and in order, with their places."""
    places: dict[int, int] = {}
    before, behind = -1, 0
    for after, end in [*_anchors(keys, flat), (len(keys), len(flat))]:
        if after > before + 1:
            _between(keys, range(before + 1, after), flat[behind:end], behind, places)
        if after < len(keys):
            places[after] = end
            before, behind = after, end + len(keys[after])
    return places


def _anchors(keys: Sequence[str], flat: str) -> list[tuple[int, int]]:
    """The longest row of keys, one of each group, that have one place in the file and follow each other there."""
    unique = list[tuple[int, int]]()
    for first in range(0, len(keys), GROUP):
        key = max(keys[first : first + GROUP], key=len)
        if len(key) >= LONG and (place := flat.find(key)) >= 0 and flat.find(key, place + 1) < 0:
            unique.append((keys.index(key, first), place))
    tops, rows, before = list[int](), list[int](), dict[int, int]()
    for index, (_, place) in enumerate(unique):
        size = bisect_left(tops, place)
        before[index] = rows[size - 1] if size else -1
        tops[size : size + 1] = [place]
        rows[size : size + 1] = [index]
    row, at = list[tuple[int, int]](), rows[-1] if rows else -1
    while at >= 0:
        row.append(unique[at])
        at = before[at]
    return row[::-1]


def _between(keys: Sequence[str], inside: range, flat: str, offset: int, places: dict[int, int]) -> None:
    """Add the places of keys inside a part of the file: where both directions agree, and the others where they fit between."""
    low = _earliest([keys[at] for at in inside], flat)
    high = _latest([keys[at] for at in inside], flat)
    behind = above = 0
    count = len(inside)
    for at in [*(at for at in low if low[at] == high.get(at)), count]:
        end = low[at] if at < count else len(flat)
        for other in range(above, at):
            early, late = low.get(other, -1), high.get(other, -1)
            if not behind <= late < end or (behind <= early < end and end - late > early - behind):
                late = early
            if behind <= late < end:
                places[inside[other]] = offset + late
                behind = late + len(keys[inside[other]])
        if at < count:
            places[inside[at]] = offset + end
            behind, above = end + len(keys[inside[at]]), at + 1


def _earliest(keys: Sequence[str], flat: str) -> dict[int, int]:
    """The earliest place of each key behind that of the key before."""
    found: dict[int, int] = {}
    behind, far, far_place = 0, -1, 0
    for at, key in enumerate(keys):
        if len(key) < SHORT or (place := flat.find(key, behind)) < 0:
            continue
        if far >= 0 and far_place <= place:
            found[far] = far_place
            behind = far_place + len(keys[far])
        far = -1
        if place - behind > NEAR:
            far, far_place = at, place
        elif place >= behind:
            found[at] = place
            behind = place + len(key)
    if far >= 0:
        found[far] = far_place
    return found


def _latest(keys: Sequence[str], flat: str) -> dict[int, int]:
    """The latest place of each key before that of the key behind it."""
    last = len(keys) - 1
    found = _earliest([key[::-1] for key in reversed(keys)], flat[::-1])
    return {last - at: len(flat) - place - len(keys[last - at]) for at, place in found.items()}


def _whole(
    lines: Sequence[Sequence[str]], keys: Sequence[str], places: dict[int, int], flat: str
) -> Iterator[tuple[int, int, int]]:
    """The placed lines with the places of their first and their last words, between those of their neighbours."""
    limits = [*places.values(), len(flat)][1:]
    behind = 0
    for (at, place), limit in zip(places.items(), limits, strict=True):
        words, key = lines[at], keys[at]
        start = end = place
        if len(words) > 1:
            for word in words[:TRIED]:
                if word is key or (len(word) >= LEAST and (start := flat.rfind(word, behind, place)) >= 0):
                    break
            for word in words[: -TRIED - 1 : -1]:
                if word is key or (len(word) >= LEAST and (end := flat.find(word, place, limit)) >= 0):
                    break
            start, end = start if start >= 0 else place, end if end >= 0 else place
        yield at, start, end
        behind = end + 1


def _with_others(found: Sequence[FileLine], numbers: Sequence[int], count: int) -> Iterator[FileLine]:
    """The lines that are found, and the others with words on the lines of the file between them: one by one where the file has
    as many, else on all of them.
    """
    above = below = 0
    rows = iter((*found, FileLine(numbers[-1] + 1, count, count)))
    row = next(rows)
    for number in numbers:
        if number == row.number:
            yield row
            above, below = number, row.last
            row = next(rows)
        elif row.first - below == row.number - above:
            yield FileLine(number, below + number - above, below + number - above)
        else:
            first = min(below + 1, row.first)
            yield FileLine(number, first, max(first, row.first - 1))
