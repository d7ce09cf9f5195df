"""Sentences: the pieces of a text that an extract is made of, in order.

prose       sentences and list items; a heading, a scrap or a sentence that ends in a colon stays with the text after it
a fence     the whole, if it is short
a table     its rows; a log its lines, data its entries, a chat its messages
a run-on    its clauses
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from daypack.pack.weigher import Part
from daypack.text.prose.endings import goes_on
from daypack.text.tables import row_ends
from daypack.text.unspaced import extent
from daypack.types import Chunk, PieceKind

LONGEST_NUMBER = 20  # characters of the number of a list item, with its indentation
SCRAP = 20  # letters; a shorter one is not a sentence
# characters without the end of a sentence, as in data on one line; they are cut into pieces of at most CLAUSE
RUN_ON, CLAUSE = 600, 200
# characters: a longer list or fence may be shown in part; 480 loses as much in packs of 300 tokens as it gains in larger ones
TOGETHER = 200

# Begins with a set of characters, so that the text between them is skipped in one go.
# In Chinese and Japanese no blank stands behind the end of a sentence.
_SENTENCE_END = re.compile(
    r"[.!?。！？｡؟۔।\n](?:(?<=[。！？｡])[」』”’）〉》】\"')\]]*\s*|(?<!\n)[\"')\]]*\s+|(?<=\n)(?:\s*\n|(?=\s*(?:[-*+•]|\d+[.)])\s)))"
)
_LINE_END = re.compile(r"\n\s*")
_CODE = re.compile(r"^[ \t>]*(`{3}|~{3})[\s\S]*?(?:^[ \t>]*\1|\Z)", re.MULTILINE)  # fences
# the end of a sentence that introduces what follows, or the line of a directive of reStructuredText
_COLON = re.compile(
    r"(?:[:：][*_`\"')\]]{0,3}|^[ \t]*\.\.[ \t]+[\w:-]+::[^\n]*(?:\n[ \t]+:[^\n]*)*)\s*\Z", re.MULTILINE
)
_ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d+|#)[.)])\s")
# where a run-on is cut, the best first: after an item of data, a clause, a word
_CLAUSE_ENDS = tuple(map(re.compile, (r".*[}\])>;；]+[,;]?\s*", r".*[,;|，、；：]\s*", r".*\s")))
_DATA_LINE = re.compile(r"^([ \t]*)(\S.*)", re.MULTILINE)
# the line of a message, or of another event: "3/11/26, 08:15 - Ida:", "Ida Holm, 3 Nov 2026 08:15 UTC:"
_TIMED_LINE = re.compile(r"^(?=\S)[^\n]{0,80}?(?<!\d)\d{1,2}:\d\d(?!\d)", re.MULTILINE)
_FEW_MESSAGES = 2
_MESSAGE = 300  # characters of one that is not cut. guess
_LINES = frozenset({"csv", "tsv"})  # languages whose entries are lines, and are blocks of lines
_BLOCKS = frozenset({"json", "jsonc", "json5", "yaml", "xml"})
_CLOSING = ("}", "]", "</")


def sentences(chunk: Chunk) -> list[Part]:
    """The pieces of a chunk in order, which cover it."""
    text = chunk.text
    if chunk.kind is PieceKind.ROW and chunk.language in _BLOCKS and len(entries := _entries(text)) > 1:
        return entries
    if chunk.kind is PieceKind.TABLE and (ends := row_ends(text)):
        return [(start, end) for start, end in pairwise([0, *ends, len(text)]) if start < end]
    if chunk.language == "log" or is_data(chunk):
        return [(start, end) for start, end in pairwise(_cuts(text, _LINE_END)) if start < end]
    code = [match.span() for match in _CODE.finditer(text)] if "```" in text or "~~~" in text else []
    cuts = _message_cuts(text) or _cuts(text, _SENTENCE_END, code)
    pieces: list[Part] = []
    start = 0
    for end in cuts[1:]:
        bare = text[start:end].strip()
        if extent(bare) >= SCRAP and not (start == 0 and _is_heading(chunk, bare)):
            pieces.append((start, end))
            start = end
    if text[start:].strip():
        pieces[-1:] = [(pieces[-1][0], len(text))] if pieces else [(start, len(text))]
    return _together(text, pieces, code)


def _together(text: str, pieces: Sequence[Part], code: Sequence[Part]) -> list[Part]:
    """The pieces, with short fences whole, and a sentence that ends in a colon joined to the code, text or list after it."""
    joined: list[Part] = []
    introduced = False  # the last one begins with a sentence that introduces the rest of it
    for start, end in pieces:
        if joined and end - joined[-1][0] <= TOGETHER:
            before = text[joined[-1][0] : joined[-1][1]]
            colon = _COLON.search(before) is not None
            in_code = any(first < start < last for first, last in code)
            if colon or in_code or (introduced and _ITEM.match(text, start)):
                joined[-1] = (joined[-1][0], end)
                introduced = introduced or colon
                continue
        joined.append((start, end))
        introduced = False
    return joined


def _cuts(text: str, ends: re.Pattern[str], code: Sequence[Part] = ()) -> list[int]:
    """The places at which a text is cut: the ends of sentences or lines, and of clauses in run-ons."""
    cuts = [0]
    ends_of_sentences = (match.end() for match in ends.finditer(text) if not _goes_on(text, match, code))
    for end in (*ends_of_sentences, len(text)):
        if end - cuts[-1] > RUN_ON:
            cuts += _clause_ends(text, cuts[-1], end)
        cuts.append(end)
    return cuts


def _message_cuts(text: str) -> list[int]:
    """The places at which a chat is cut: before the line of each message, so that none loses its author and time. Empty for a
    text of which few lines have a time.
    """
    starts = [match.start() for match in _TIMED_LINE.finditer(text)]
    if len(starts) < _FEW_MESSAGES or 2 * len(starts) < sum(map(bool, map(str.strip, text.split("\n")))):
        return []
    cuts = [0]
    for start, end in pairwise([*dict.fromkeys((0, *starts)), len(text)]):
        if end - start > _MESSAGE:
            cuts += [start + cut for cut in _cuts(text[start:end], _SENTENCE_END)[1:-1]]
        cuts.append(end)
    return cuts


def _clause_ends(text: str, start: int, end: int) -> list[int]:
    """The ends, but the last, of the pieces of a run-on text[start:end], none longer than CLAUSE: a sentence that fills
    pages, or data on one line, would otherwise be shown whole or not at all.
    """
    clause_ends = []
    while end - start > CLAUSE:
        line = text.rfind("\n", start + CLAUSE // 2, start + CLAUSE) + 1
        if line:
            start = line
            clause_ends.append(start)
            continue
        window = text[start : start + CLAUSE].replace("\n", " ")
        ends = (match.end() for each in _CLAUSE_ENDS if (match := each.match(window)))
        start += next((at for at in ends if at >= CLAUSE // 2), CLAUSE)
        clause_ends.append(start)
    return clause_ends


def _entries(text: str) -> list[Part]:
    """The entries of nested data, each from one of the least indented lines to the next; a single entry is opened."""
    begins: dict[int, list[int]] = {}  # indentation → where its lines begin
    for line in _DATA_LINE.finditer(text):
        if not line[2].startswith(_CLOSING):
            begins.setdefault(len(line[1]), []).append(line.start())
    starts = next((places for _, places in sorted(begins.items()) if len(places) > 1), [0])
    return [*pairwise([0, *starts[1:], len(text)])]


def is_data(chunk: Chunk) -> bool:
    """Tell whether a chunk is a table or entries, each of which is a fact by itself."""
    return chunk.kind is PieceKind.TABLE or (
        chunk.kind is PieceKind.ROW and chunk.language in _LINES | _BLOCKS
    )


def _goes_on(text: str, mark: re.Match[str], code: Sequence[Part]) -> bool:
    """Tell whether a mark ends no sentence: the number of a list item, a point before the rest of its sentence, or a mark
    within a line of code.
    """
    at, after = mark.span()
    if "\n" not in mark[0] and any(start < at < end for start, end in code):
        return True
    if text[at] != "." or not at:
        return False
    line = text.rfind("\n", max(0, at - LONGEST_NUMBER), at) + 1
    is_number = text[at - 1].isdigit() and text[line:at].strip().isdigit()
    return is_number or goes_on(text, at, after)


def _is_heading(chunk: Chunk, text: str) -> bool:
    bare = text.strip("#=*~-^ \t\n")
    return bool(bare) and (bare == chunk.name or bare in chunk.name.split(", "))
