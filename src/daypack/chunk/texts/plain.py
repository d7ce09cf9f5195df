"""Plain text as blocks: paragraphs, lists, and the headings that a long text shows by its numbers, capitals and margins.

    7.2. Leaving the club                numbered: the numbers of a text rise
    ARTICLE IV. Meetings                 a part by its word
    EXIT STATUS                          capitals alone in a line
    Rationale                            further left than
       Members are free to leave.        the text below it
    8. Fees. Each member pays …          a clause: its first words are its heading

A line alone proves little: "2. Open the lid." is a step of a list. So candidates are headings when the text has several in
order, with text between them. Lines that repeat headings, as a table of contents does, are headings over nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from daypack.chunk.sizing import Draft
from daypack.chunk.texts.blocks import LINE, NAME_LIMIT, Block, assemble, line_end
from daypack.chunk.texts.prose import ITEM, Adornments, adorned, paragraphs
from daypack.types import PieceKind

LEAST_HEADINGS = 3  # of a kind; fewer lines that look so are chance (guess)
LEAST_RUN = 4  # headings without text between them are a table of contents (guess)
LONGEST_TITLE = 120
LONGEST_LINE = 300  # of a table of contents
LONGEST_OVER_TEXT = 50  # of a title directly above text, which may be a line of it (guess)
SHORTEST_TEXT = 30  # characters below an unnumbered heading; less is another line of a list
LONGEST_LABEL = 70  # of an unnumbered heading, and of the first words of a clause
MOST_TITLE_LINES = 3
MOST_STARTS = 4  # of the numbers of one text; its parts may count again from 1 (guess)
MOST_SKIPPED = 3  # numbers between two headings: some headings are not recognized
_PAGE_BREAK = 4  # lines; without its head and foot it leaves more
_BY_WORD, _BY_NUMBER, _BY_LOOK = 20, 30, 40  # levels; underlined headings are above them

_NUMBERED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5})(?P<mark>[.):]?)[ \t\u00a0]+(?P<title>[^\W_].*|[\"'“‘(<$/`-].*)"
)
_WORDED = re.compile(
    r"(?P<word>part|book|title|chapter|article|appendix|annex|schedule|exhibit|section|clause)[ \t\u00a0]+"
    r"(?:\d{1,3}|(?-i:[IVXLC]{2,7})|one|two|three|four|five|six|seven|eight|nine|ten|(?-i:[A-Z])(?=[.:]|[ \t]*(?:[-–—]|$)))\b"
    r"(?:[.:]?[ \t]*(?:[-–—:].*)?|[.:]?[ \t\u00a0]+(?-i:[^a-z]).*)",
    re.IGNORECASE,
)
_WORD_LEVELS = {"part": 0, "book": 0, "title": 0, "section": 2, "clause": 3}
_LEADERS = re.compile(r"(?:\.[ \t]?){4,}[ \t]*[\divxlc]*$|[ \t]{3,}\d{1,4}$")
_LAST = frozenset("0123456789ivxlc.")  # characters of a page's number, or leaders without one
_GAP = re.compile(r"[ \t]{3,}|\t")
_RULE = re.compile(r"[ \t]*([=*_~-])\1{9,}[ \t\r]*\n?")
_BULLET = re.compile(r"[ \t]*(?:[*•-][ \t]+)?")
_OPENING = re.compile(r"([^.:;]{3,70})[.:](?=[ \t]+[A-Z\"“]|\s*$)")


class _Part(NamedTuple):
    """Lines without a blank one between, or an underlined heading among them."""

    start: int
    end: int
    heading: Block | None = None


class _Candidate(NamedTuple):
    """Lines that may be a heading: of `part`, up to `end`."""

    part: int  # its index
    end: int
    title: str
    number: tuple[int, ...] = ()
    level: int = 0
    margin: int = 0
    clause: bool = False  # text follows in the same line, or the title is the beginning of a sentence
    alone: bool = False  # no text in its part
    ruled: bool = False  # a line of dashes is above it


def cut_plain(text: str) -> Iterator[Draft]:
    """Text without a format: paragraphs, lists, and its headings."""
    return assemble(text, plain_blocks(text))


def plain_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a plain text, in order."""
    parts = list(_parts(text))
    body = _body_indent(text)
    found, contents = _headings(text, parts, body)
    above = _Above()
    for index, part in enumerate(parts):
        if part.heading is not None:
            yield part.heading
            above = _Above()
            continue
        start = part.start
        heading = found.get(index)
        if heading is not None:
            yield Block(start, heading.end, PieceKind.HEADING, heading.level, heading.title)
            start = heading.end
            above = _Above()
        if start >= part.end:
            continue
        if index in contents:
            yield Block(start, part.end, PieceKind.HEADING)
            continue
        is_item = ITEM.match(text, start) is not None
        continues, above = above.goes_on(text, start, part.end, is_item=is_item)
        continues = continues or _goes_on_next_page(text, parts[index - 1].end, start)
        yield Block(start, part.end, PieceKind.LIST if is_item else PieceKind.PARAGRAPH, continues=continues)


def _parts(text: str) -> Iterator[_Part]:
    adornments = Adornments()
    for block_start, end in paragraphs(text):
        start = block_start
        for heading in adorned(text, start, end, adornments):
            yield _Part(start, heading.end, heading)
            start = heading.end
        if start < end:
            yield _Part(start, end)


class _Above(NamedTuple):
    """The margin of the lines that explain the term or item above, -1 for none."""

    margin: int = -1

    def goes_on(self, text: str, start: int, end: int, *, is_item: bool) -> tuple[bool, _Above]:
        """True when a block explains the term above it further, with the margin for the next block."""
        lines = text[start:end].rstrip().split("\n")
        margins = [_indent(line, 0) for line in (*lines[:3], *lines[3:][-1:]) if line.strip()]
        own = min(margins, default=0)
        if own >= self.margin > 0 and not is_item:
            return True, self
        hanging = margins[-1] if len(margins) > 1 else own + 2 if margins else -1
        return False, _Above(hanging if hanging > own else -1)


def _goes_on_next_page(text: str, end: int, start: int) -> bool:
    """True when a sentence ends behind the blank lines of a page break."""
    above = text[max(0, end - 80) : end].rstrip()
    below = text[start : start + 80].lstrip()
    return (
        below[:1].islower()
        and above[-1:] not in (".", ":", "?", "!", ";", "")
        and text.count("\n", end, start) > _PAGE_BREAK
    )


# ---------------------------------------------------------------- lines


def _indent(text: str, start: int) -> int:
    """The width of the blanks at the beginning of a line."""
    width = 0
    for character in text[start : start + 80]:
        if character == "\t":
            width += 8 - width % 8
        elif character in " \u00a0":
            width += 1
        else:
            break
    return width


def _body_indent(text: str) -> int:
    """The margin of most lines."""
    margins = Counter(
        _indent(text, line.start()) for line in LINE.finditer(text, 0, 400_000) if line[0].strip()
    )
    return margins.most_common(1)[0][0] if margins else 0


# ---------------------------------------------------------------- headings


def _headings(text: str, parts: Sequence[_Part], body: int) -> tuple[dict[int, _Candidate], set[int]]:
    """Index of a part → the heading that it begins with; and the parts that only repeat headings."""
    numbered: list[_Candidate] = []
    worded: list[_Candidate] = []
    labels: list[_Candidate] = []
    for index, part in enumerate(parts):
        if part.heading is not None:
            if match := _NUMBERED.fullmatch(part.heading.title):
                numbered.append(_Candidate(index, part.end, "", _number(match["number"])))
            continue
        begin = part.start
        if _RULE.match(text, begin, part.end):  # a rule above a title
            begin = line_end(text, begin, part.end)
        if begin >= part.end:
            continue
        after = parts[index + 1] if index + 1 < len(parts) else None
        following = -1 if after is None or after.heading is not None else _indent(text, after.start)
        if (
            after is not None
            and after.end - after.start < SHORTEST_TEXT
            and not _NUMBERED.match(text[after.start : after.end].strip())
        ):
            following = -1
        if candidate := _numbered(text, index, begin, part.end):
            numbered.append(candidate._replace(ruled=begin > part.start))
        elif candidate := _worded(text, index, begin, part.end):
            worded.append(candidate)
        elif candidate := _label(text, index, begin, part.end, body, following):
            labels.append(candidate)
    runs = _runs(numbered)
    rising = _rising(_marginal([candidate for candidate in numbered if candidate.part not in runs]))
    found = {
        candidate.part: candidate
        for candidate in _trusted(rising, len(parts), len(worded))
        if candidate.title
    }
    found.update((candidate.part, candidate) for candidate in worded)
    capitals = [candidate for candidate in labels if candidate.title.isupper()]
    margins = [candidate for candidate in labels if not candidate.title.isupper()]
    if len(margins) + (len(capitals) if body else 0) >= LEAST_HEADINGS:
        found.update((candidate.part, candidate) for candidate in margins)
    found.update((candidate.part, candidate) for candidate in capitals)
    return found, _contents(text, parts, found, runs)


def _numbered(text: str, index: int, start: int, end: int) -> _Candidate | None:
    """The numbered heading that a part begins with: its only lines, or one line over lines that are further right."""
    first_end = line_end(text, start, end)
    line = text[start:first_end].strip()
    match = _NUMBERED.fullmatch(line)
    if match is None or _leads(line):
        return None
    number = _number(match["number"])
    if len(number) == 1 and match["title"][0].islower():
        return None  # "3 kg of flour", "2. see above"
    level, margin = _BY_NUMBER + len(number), _indent(text, start)
    rest = text[first_end:end]
    lines = text[start:end].count("\n") + (not text.endswith("\n", start, end))
    if rest.strip() and _NUMBERED.match(rest.lstrip()):
        return None  # a table of contents, or a list
    if not rest.strip() or _indent(text, first_end) >= margin + 2:
        title = _GAP.split(match["title"])[0]
        alone = not rest.strip()
        if _is_title(title) and (
            alone or (len(title) <= LONGEST_OVER_TEXT and not _OPENING.match(title + " A"))
        ):
            name = f"{match['number']}{match['mark']} {title}"
            return _Candidate(index, first_end, name, number, level, margin, alone=alone)
    elif (lines <= MOST_TITLE_LINES and len(number) > 1) or rest.rstrip().endswith("?"):
        whole = " ".join(text[start:end].split())
        title = whole.split(" ", 1)[1]
        if lines <= MOST_TITLE_LINES and _is_title(title):
            return _Candidate(index, end, whole[:NAME_LIMIT], number, level, margin, alone=True)
    return _clause(text, index, start, end, match)


def _clause(text: str, index: int, start: int, end: int, match: re.Match[str]) -> _Candidate | None:
    """The clause that a part begins with; its first words are its heading."""
    title_at = start + text[start:end].index(match["title"])
    opening = _OPENING.match(text, title_at, end)
    words = " ".join((opening[1] if opening else match["title"][:LONGEST_LABEL]).split())
    if not words[:1].isupper() and words[:1] not in "\"“'‘(":
        return None
    stop = title_at + 1 if not opening else opening.end()
    return _Candidate(
        index,
        min(stop, end),
        f"{match['number']}{match['mark']} {words}",
        number := _number(match["number"]),
        _BY_NUMBER + len(number),
        _indent(text, start),
        clause=True,
    )


def _worded(text: str, index: int, start: int, end: int) -> _Candidate | None:
    """A heading such as "Chapter 4. Frost", alone in its lines."""
    title = " ".join(text[start:end].split())
    if len(title) > LONGEST_TITLE or text.count("\n", start, end - 1) > 1 or _leads(title):
        return None
    match = _WORDED.fullmatch(title)
    if match is None or title.endswith((",", ";")) or (title.endswith(".") and len(title.split()) > 8):
        return None
    return _Candidate(index, end, title, (), _BY_WORD + _WORD_LEVELS.get(match["word"].lower(), 1))


def _label(text: str, index: int, start: int, end: int, body: int, following: int) -> _Candidate | None:
    """An unnumbered heading: a line in capitals, or one further left than the text below it."""
    first_end = line_end(text, start, end)
    title = " ".join(text[start:first_end].split())
    if (
        not 2 <= len(title) <= LONGEST_LABEL
        or not title[0].isalpha()
        or "_" in title
        or _GAP.search(text[start:first_end].strip())
    ):
        return None
    rest = text[first_end:end]
    below = _indent(text, first_end) if rest.strip() else following
    own = _indent(text, start)
    if below < 0:
        return None
    if title.isupper() and _has_letters(title) and title[-1] != ":" and (not rest.strip() or below > own):
        return _Candidate(index, first_end, title, (), _BY_LOOK)
    if own < body <= below and title[0].isupper() and (title[-1].isalnum() or title[-1] in ")?\"'’”"):
        return _Candidate(index, first_end, title, (), _BY_LOOK + (own > 0))
    return None


def _has_letters(title: str) -> bool:
    letters = sum(character.isalpha() for character in title)
    return letters >= 4 and letters * 2 > len(title)


def _is_title(title: str) -> bool:
    """False for a sentence, a row, an entry of a table of contents."""
    if len(title) > LONGEST_TITLE or title.endswith((",", ";", ":")) or _leads(title):
        return False
    return not (title.endswith(".") and len(title.split()) > 8)


def _leads(line: str) -> bool:
    """True for an entry of a table of contents."""
    line = line.rstrip()
    return line[-1:] in _LAST and len(line) <= LONGEST_LINE and _LEADERS.search(line) is not None


def _number(text: str) -> tuple[int, ...]:
    """The parts of a section's number, without the zero of "2.0"; letters come after all numbers."""
    parts = [int(part) if part.isdigit() else 1_000 + ord(part) for part in text.split(".")]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _runs(numbered: Sequence[_Candidate]) -> set[int]:
    """Parts of numbered lines without text between them: a list of equal depth, or a table of contents."""
    runs: set[int] = set()
    run: list[_Candidate] = []
    for candidate in (*numbered, None):
        if run and (candidate is None or not _continues(run[-1], candidate)):
            if len(run) >= LEAST_RUN or (len(run) > 1 and len({len(one.number) for one in run}) == 1):
                runs.update(one.part for one in run)
            run = []
        if candidate is not None and candidate.alone:
            run.append(candidate)
    return runs


def _continues(above: _Candidate, below: _Candidate) -> bool:
    """True when nothing separates two numbered lines."""
    is_level = len(above.number) != len(below.number) or above.margin == below.margin
    return below.alone and not below.ruled and below.part == above.part + 1 and is_level


def _marginal(numbered: Sequence[_Candidate]) -> list[_Candidate]:
    """The candidates without the lists between them: numbers without dots further right, and sentences beside titles."""
    titles = [candidate for candidate in numbered if candidate.title and not candidate.clause]
    margins = Counter(candidate.margin for candidate in titles)
    margin = margins.most_common(1)[0][0] if len(titles) >= LEAST_HEADINGS else 80
    simple = sum(len(candidate.number) == 1 and candidate.margin <= margin for candidate in titles)
    underlined = sum(not candidate.title for candidate in numbered)
    ruled = sum(candidate.ruled for candidate in titles)

    def stands_out(candidate: _Candidate) -> bool:
        if ruled >= LEAST_HEADINGS:
            return candidate.ruled
        return candidate.margin <= margin and not (candidate.clause and simple >= LEAST_HEADINGS)

    return [
        candidate
        for candidate in numbered
        if len(candidate.number) > 1
        or not candidate.title
        or (underlined < LEAST_HEADINGS and stands_out(candidate))
    ]


def _rising(numbered: Sequence[_Candidate]) -> list[_Candidate]:
    """The candidates whose numbers follow each other."""
    rising: list[_Candidate] = []
    last: tuple[int, ...] | None = None
    for candidate in numbered:
        if last is None or not candidate.title or _follows(candidate.number, last):
            rising.append(candidate)
            last = candidate.number
    return rising


def _follows(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    if all(part in (0, 1, 1_000 + ord("A")) for part in number):
        return True  # another part of the text begins, or its first appendix
    if number <= last:
        return False
    same = 0
    while same < min(len(number), len(last)) and number[same] == last[same]:
        same += 1
    before = last[same] if same < len(last) else 0
    return number[same] - before <= MOST_SKIPPED and all(part <= 2 for part in number[same + 1 :])


def _trusted(rising: Sequence[_Candidate], count: int, chapters: int) -> list[_Candidate]:
    """The candidates, if they are many enough; clauses, if text belongs to them beyond their own lines."""
    clauses = [candidate for candidate in rising if candidate.clause]
    titles = [candidate for candidate in rising if not candidate.clause]
    deep = sum(len(candidate.number) > 1 for candidate in rising)
    trusted = titles if len(titles) >= LEAST_HEADINGS or deep >= 2 else []
    starts = sum(candidate.number in ((0,), (1,)) for candidate in titles)
    if starts > MOST_STARTS + chapters:  # lists, as the meanings of a word in a dictionary
        trusted = [candidate for candidate in titles if len(candidate.number) > 1]
    if clauses:
        reach = (clauses[-1].part - clauses[0].part) / max(1, len(clauses) - 1)
        if deep >= LEAST_HEADINGS or (
            len(clauses) > LEAST_HEADINGS and reach >= 1.5 and len(clauses) * 10 >= count
        ):
            trusted = [*trusted, *clauses]
    return trusted


def _contents(text: str, parts: Sequence[_Part], found: dict[int, _Candidate], runs: set[int]) -> set[int]:
    """The parts whose lines are headings of the text, or lead to pages."""
    titles = {_bare(candidate.title) for candidate in found.values()}
    titles.update(_bare(part.heading.title) for part in parts if part.heading is not None)

    def share(lines: Sequence[str]) -> float:
        return sum(_leads(line) or _bare(line) in titles for line in lines) / max(1, len(lines))

    contents: set[int] = set()
    run: list[int] = []
    for index, part in enumerate(parts):
        lines = [line for line in text[part.start : part.end].split("\n") if line.strip()]
        # the first lines suffice for most parts
        if part.heading is None and index not in found and share(lines[:4]) and share(lines) > 0.5:
            run.append(len(lines))
            if sum(run) >= LEAST_RUN:
                contents.update(range(index - len(run) + 1, index + 1))
        else:
            run = []
    return contents | {index for index in runs if index not in found}


def _bare(title: str) -> str:
    """A title without bullet, leaders and page."""
    title = title[:LONGEST_LINE]
    mark = _BULLET.match(title)
    return (
        " ".join(_LEADERS.sub("", title[mark.end() if mark else 0 :].rstrip()).split()).rstrip(".").casefold()
    )
