"""Prose: Markdown and reStructuredText as blocks; plain text is in plain.py.

A scanner turns the text into blocks, one a paragraph, list, table or fence, and headings between them; blocks.py makes pieces
of them.

Scanners look at whole blank-line blocks with one search each, and go through a block line by line only when
that search found possible structure; plain paragraphs cost two regular expressions, however many lines they
have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from daypack.chunk.sizing import PIECE_TOKENS, Draft, characters
from daypack.chunk.texts.blocks import NAME_LIMIT, Block, assemble, line_end
from daypack.text.headings import without_html
from daypack.types import PieceKind


def cut_markdown(text: str) -> Iterator[Draft]:
    """Markdown of the common kind: CommonMark blocks, tables, front matter."""
    return assemble(text, markdown_blocks(text))


def cut_restructured(text: str) -> Iterator[Draft]:
    """reStructuredText: adorned headings, directives, literal blocks, grid and simple tables."""
    return assemble(text, restructured_blocks(text))


# ---------------------------------------------------------------- blocks of lines

# whitespace up to the last newline of a run, so the next block keeps its indentation
_SEPARATOR = re.compile(r"\n\s*\n")
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"\w")


def _first_line(text: str) -> int:
    """The start of the first line with a character."""
    match = _BLANK.match(text)
    first = match.end() if match else 0
    return text.rfind("\n", 0, first) + 1


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the lines between blank ones."""
    position = _first_line(text)
    for match in _SEPARATOR.finditer(text, position):
        yield position, match.start()
        position = match.end()
    if position < len(text):
        yield position, len(text)


# ---------------------------------------------------------------- Markdown

_STRUCTURE = r"[ \t]*(?:[#`~|>*+<=:-]|\d{1,9}[.)])"
_MAY_OPEN = re.compile(_STRUCTURE)
_MAY_FOLLOW = re.compile(r"\n" + _STRUCTURE)
_MARKDOWN_LINE = re.compile(
    r"[ ]{0,3}(?:"
    r"(?P<heading>\#{1,6})(?:[ \t]+(?P<title>[^\n]*))?(?=\n|\Z)"
    r"|(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})"
    r"|(?P<underline>(?:={2,}|-{2,})[ \t\r]*(?=\n|\Z))"
    r"|(?P<comment><!--)"
    r"|(?P<delimiter>\|?[ \t]*:?-+:?[ \t]*\|[ \t:|-]*\r?(?=\n|\Z))"
    r"|(?P<row>\|)"
    r")"
    r"|[ \t]*(?P<item>(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\r?(?=\n|\Z)))"
)
_ITEM = re.compile(r"[ \t]*(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\r?(?:\n|\Z))")
_FRONT_MATTER = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(?=[^\s])")
_FRONT_MATTER_LIMIT = 65_536
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t\r]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_ANCHOR = re.compile(r"[ \t]*\{[#.:][^{}]*\}[ \t]*$")
# a fence with what the code above it printed, in notebooks and in lessons: ```text output 3   ```output   ~~~ {.output}
_RESULT = re.compile(r"[ ]{0,3}[`~]{3,}[ \t]*(?:text )?\{?\.?output\b")
# lines right above a heading that label it: <a name=limits>   r[pay.limits]   (limits)=   {#limits}
_ANCHORED = r"(?:<a\b[^<>\n]*>(?:</a>)?|\w+\[[^\s\[\]]+\]|\([^\s()]+\)=|\{#[^\s{}]+\})"
_LABEL = re.compile(rf"(?:[ ]{{0,3}}(?:<!--[^<>\n]*-->{_ANCHORED}?|{_ANCHORED})[ \t\r]*\n)+")
# a note or a tab of MkDocs, whose text is indented, its end, and a fence in that text
_NOTE = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+[\w\"]")
_NOTE_END = re.compile(r"\n(?=[ ]{0,3}\S)|\Z")
_NOTED_FENCE = re.compile(r"^(?:[ ]{4}|\t)[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_SETEXT_LIMIT = 300  # a longer "heading" is a paragraph over a rule


def markdown_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a Markdown text, in order."""
    size = len(text)
    position = 0
    if (front := _front_matter(text)) is not None:
        yield front
        position = front.end
    blank = _BLANK.match(text, position)
    position = max(position, text.rfind("\n", 0, blank.end()) + 1) if blank else position

    # False once no further comment is closed: asking again would read the rest of the text again
    comments_end = True
    in_list = False
    note: _Note | None = None
    while position < size:
        separator = _SEPARATOR.search(text, position)
        end, after = (separator.start(), separator.end()) if separator else (size, size)
        indented = text.startswith(("    ", "\t"), position)
        if not indented:
            note = _Note(text, position) if _NOTE.match(text, position) else None
        fence, close = note.fence(position, end) if note else (-1, -1)
        if indented:
            kind = PieceKind.LIST if in_list else PieceKind.FENCE
            if close > end:
                end, after = close, _next_line(text, line_end(text, close, size))
            elif note and fence < 0 and kind is PieceKind.FENCE:
                kind = PieceKind.LIST if _ITEM.match(text, position) else PieceKind.PARAGRAPH
            yield Block(position, end, kind, continues=in_list and not _ITEM.match(text, position))
            position = after
            continue
        if close > end:
            end = after = fence
        kind = PieceKind.LIST if in_list and text[position] == " " else PieceKind.PARAGRAPH
        if _MAY_OPEN.match(text, position) or _MAY_FOLLOW.search(text, position, end):
            lines = _StructuredLines(text, position, end, kind, comments_end=comments_end)
            yield from lines.blocks()
            kind, comments_end = lines.kind, lines.comments_end
            after = after if lines.after is None else lines.after
        else:
            yield Block(position, end, kind, continues=kind is PieceKind.LIST)
        in_list = kind is PieceKind.LIST
        position = after


class _Note:
    """A note or a tab of MkDocs, which begins at `start`: the fences in its indented text."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        ending = _NOTE_END.search(text, start)
        self._end = ending.start() if ending else len(text)
        self._closed = True  # False once a fence is not: asking again would read the rest of the note again

    def fence(self, start: int, end: int) -> tuple[int, int]:
        """(start, end) of the last fence that is opened between two places, wherever it is closed; -1 twice without one."""
        found = (-1, -1)
        while self._closed and (fence := _NOTED_FENCE.search(self._text, max(start, found[1]), end)):
            closing = re.compile(rf"\n[ \t]+{fence[1][0]}{{{len(fence[1])},}}[ \t\r]*$", re.MULTILINE)
            close = closing.search(self._text, fence.end(), self._end)
            self._closed = close is not None
            found = (fence.start(), close.end() if close else end)
        return found


def _front_matter(text: str) -> Block | None:
    front = _FRONT_MATTER.match(text)
    if front is None:
        return None
    close = re.compile(r"\n(?:" + re.escape(front[1]) + r"|\.\.\.)[ \t]*\r?(?:\n|\Z)").search(
        text, front.end() - 1, _FRONT_MATTER_LIMIT
    )
    return Block(0, close.end(), PieceKind.FRONT_MATTER) if close else None


class _StructuredLines:
    """Lines without a blank one between, of which one may be structure, as blocks. They begin as one of `kind`.

    After `blocks()`, `kind` is the kind of the last lines, `after` the start of the next block if the last one reached beyond
    the blank lines, and `comments_end` is False when no further comment is closed.
    """

    def __init__(self, text: str, start: int, end: int, kind: PieceKind, *, comments_end: bool) -> None:
        self.kind = kind
        self.after: int | None = None
        self.comments_end = comments_end
        self._text = text
        self._end = end
        self._run = start  # the beginning of lines that belong to no block yet
        self._continues = kind is PieceKind.LIST and not _ITEM.match(text, start)
        self._blocks: list[Block] = []

    def blocks(self) -> list[Block]:
        line = self._run
        while line < self._end:
            stop = line_end(self._text, line, self._end)
            structure = _MARKDOWN_LINE.match(self._text, line)
            line = self._read(structure, line, stop) if structure else stop
        if line > self._end:
            self.after = _next_line(self._text, line)
        self._close_run(self._end)
        return self._blocks

    def _close_run(self, line: int) -> None:
        """Make a block of the lines before `line` that belong to none yet."""
        if self._run < line:
            self._blocks.append(Block(self._run, line, self.kind, continues=self._continues))

    def _read(self, structure: re.Match[str], line: int, stop: int) -> int:
        """Read a line with structure, which ends at `stop`. Returns the start of the next line to read."""
        match structure.lastgroup:
            case "heading" | "title":
                self._heading(structure, line, stop)
            case "underline":
                self._underline(structure["underline"], line, stop)
            case "fence":
                return self._fence(structure["fence"], line)
            case "comment":
                return self._comment(line, stop)
            case "item":
                self._item(line)
            case "delimiter" | "row" if self.kind is PieceKind.PARAGRAPH:
                self.kind = PieceKind.TABLE
        return stop

    def _heading(self, structure: re.Match[str], line: int, stop: int) -> None:
        start = self._run if _LABEL.fullmatch(self._text, self._run, line) else line
        self._close_run(start)
        level, title = len(structure["heading"]), _title(structure["title"] or "")
        self._blocks.append(Block(start, stop, PieceKind.HEADING, level, title))
        self._run, self.kind, self._continues = stop, PieceKind.PARAGRAPH, False

    def _underline(self, mark: str, line: int, stop: int) -> None:
        """A heading of the lines above, if they are a short paragraph."""
        if self._run < line and self.kind is PieceKind.PARAGRAPH and line - self._run <= _SETEXT_LIMIT:
            level = 1 if "=" in mark else 2
            title = _title(self._text[self._run : line])
            self._blocks.append(Block(self._run, stop, PieceKind.HEADING, level, title))
            self._run = stop

    def _fence(self, mark: str, line: int) -> int:
        self._close_run(line)
        stop = _fence_end(self._text, line, mark)
        in_item = self.kind is PieceKind.LIST and self._text[line] in " \t"  # the item may go on after it
        continues = in_item or _RESULT.match(self._text, line) is not None
        self._blocks.append(Block(line, min(stop, len(self._text)), PieceKind.FENCE, continues=continues))
        self._run, self._continues = stop, in_item
        self.kind = PieceKind.LIST if in_item else PieceKind.PARAGRAPH
        return stop

    def _comment(self, line: int, stop: int) -> int:
        """Lines inside a comment are not structure."""
        close_at = self._text.find("-->", line + 4) if self.comments_end else -1
        if close_at < 0:
            self.comments_end = False
            return stop
        if close_at < self._end:
            return max(stop, line_end(self._text, close_at, self._end))
        stop = line_end(self._text, close_at, len(self._text))
        self._blocks.append(Block(self._run, stop, PieceKind.PARAGRAPH))
        self._run = stop
        return stop

    def _item(self, line: int) -> None:
        if self._continues and self._run < line:
            self._close_run(line)
            self._run = line
        self.kind, self._continues = PieceKind.LIST, False


def _fence_end(text: str, start: int, mark: str) -> int:
    """One past the line that closes a fence opened by `mark`, or past the text."""
    close = re.compile(
        r"\n[ ]{0,3}" + re.escape(mark[0]) + "{" + str(len(mark)) + r",}[ \t\r]*(?=\n|\Z)"
    ).search(text, start)
    return close.end() + 1 if close else len(text)


def _next_line(text: str, position: int) -> int:
    """The start of the next line with a character, at or after `position`, itself the start of a line."""
    match = _BLANK.match(text, position)
    if not match:
        return position
    return max(position, text.rfind("\n", position, match.end()) + 1)


def _title(raw: str) -> str:
    """A heading in its readable form: no closing hashes, HTML, link targets or code marks."""
    title = _CLOSING_HASHES.sub(
        "", _ANCHOR.sub("", without_html(raw[: 8 * NAME_LIMIT]).rstrip()[: 4 * NAME_LIMIT])
    )
    if "](" in title:
        title = _LINK.sub(r"\1", title)
    return " ".join(title.replace("`", "").replace("**", "").split())[:NAME_LIMIT]


# ---------------------------------------------------------------- reStructuredText

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t\r]*(?=\n|\Z)")
_DIRECTIVE = re.compile(
    r"\.\.[ \t]+(?:(code|code-block|sourcecode|parsed-literal|literalinclude|math|doctest)|(table|list-table|csv-table))::"
)
_ANY_DIRECTIVE = re.compile(r"\.\.[ \t]+[\w:+.-]*\w::")
_TERM = re.compile(r"\S[^\n]*\n[ \t]+\S")  # of a definition, which is below it, indented
ITEM = re.compile(r"[ \t]*(?:[*+•-]|\(?(?:\d{1,9}|#|[A-Za-z])[.)])[ \t]+\S")
_GRID = re.compile(r"[ \t]*(?:\+[-=+]{3,}\+|={2,}[ ]+={2,}[= ]*)[ \t\r]*(?=\n|\Z)")
# A release and its changes, as directives: the first is a heading, the others are its items.
_RELEASE = re.compile(
    r"\.\.[ \t]+changelog::[ \t]*\n(?:[ \t]+:(?!version:)[\w-]+:[^\n]*\n)*[ \t]+:version:[ \t]*(?P<version>\S[^\n]*)"
    r"(?:\n[ \t]+:(?!released:)[\w-]+:[^\n]*)*(?:\n[ \t]+:released:[ \t]*(?P<day>\S[^\n]*))?"
)
_CHANGE = re.compile(r"[ \t]+\.\.[ \t]+change::")
_RELEASE_LEVEL = 100  # below every heading with an adornment
_LONG = frozenset({PieceKind.FENCE, PieceKind.TABLE})  # are whole blocks, however long
_MAX_TITLE = 200


class Adornments:
    """Levels of headings in the order in which their styles appear, as reStructuredText has them."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}

    def heading(self, text: str, start: int, end: int) -> Block | None:
        """The heading that starts at `start`, if any: title and underline, or line, title, line."""
        first_end = line_end(text, start, end)
        over = _ADORNMENT.match(text, start, end)
        if over:
            title_at = first_end
            title_end = line_end(text, title_at, end)
            under = _ADORNMENT.match(text, title_end, end) if title_at < title_end else None
            if under is None or under[1] != over[1]:
                return None
        else:
            title_at, title_end = start, first_end
            under = _ADORNMENT.match(text, title_end, end)
            if under is None:
                return None
        title = text[title_at:title_end].strip()
        if (
            not title
            or len(title) > _MAX_TITLE
            or not _WORD.search(title)
            or len(under[0].rstrip()) < min(4, len(title))
        ):
            return None
        style = under[1] + ("over" if over else "")
        level = self._levels.setdefault(style, len(self._levels) + 1)
        return Block(
            start,
            line_end(text, title_end, end),
            PieceKind.HEADING,
            level,
            " ".join(title.replace("`", "").split()),
        )


def adorned(text: str, position: int, end: int, adornments: Adornments) -> Iterator[Block]:
    """The headings that a block begins with."""
    while position < end:
        heading = adornments.heading(text, position, end)
        if heading is None:
            return
        yield heading
        position = heading.end


def restructured_blocks(text: str) -> Iterator[Block]:
    """Blocks of reStructuredText; indented text stays with the directive, list item, term or "::" above it."""
    adornments = Adornments()
    limit = characters(text, PIECE_TOKENS)
    held: Block | None = None  # waits for its indented lines
    for block_start, end in paragraphs(text):
        start = block_start
        indented = text[start] in " \t"
        change = indented and _CHANGE.match(text, start, end)
        if held is not None and indented and not change:
            if held.kind not in _LONG and end - held.start > limit and held.end > held.start:
                yield held
                held = Block(start, end, held.kind)
            else:
                held = held._replace(end=end)
            continue
        if held is not None and held.end > held.start:
            yield held
        held = None
        if change:
            held = Block(start, end, PieceKind.LIST)
            continue
        if not indented:
            for heading in adorned(text, start, end, adornments):
                yield heading
                start = heading.end
        if start < end:
            block, held = _restructured_block(text, start, end)
            if block is not None:
                yield block
    if held is not None and held.end > held.start:
        yield held


def _restructured_block(text: str, start: int, end: int) -> tuple[Block | None, Block | None]:
    """(the block of a paragraph, or None; the block that waits for the indented lines below it, or None)."""
    whole = partial(Block, start, end)
    if release := _RELEASE.match(text, start, end):
        return whole(PieceKind.HEADING, _RELEASE_LEVEL, _release_title(release)), None
    if text.startswith("..", start):
        if directive := _DIRECTIVE.match(text, start):
            return None, whole(PieceKind.FENCE if directive[1] else PieceKind.TABLE)
        paragraph = whole(PieceKind.PARAGRAPH)
        return (None, paragraph) if _ANY_DIRECTIVE.match(text, start) else (paragraph, None)
    if _GRID.match(text, start):
        return whole(PieceKind.TABLE), None
    if ITEM.match(text, start):
        return None, whole(PieceKind.LIST)
    if _TERM.match(text, start, end):
        return None, whole(PieceKind.PARAGRAPH)
    is_lead = text.endswith("::", start, end) or text.startswith("::", end - 3)
    # the lines that follow indented are kept whole
    return whole(PieceKind.PARAGRAPH), Block(end, end, PieceKind.FENCE) if is_lead else None


def _release_title(release: re.Match[str]) -> str:
    """The heading of a release in a directive: `2.4.0 (5 March 2024)`, `2.5.0 (unreleased)`."""
    return f"{release['version'].strip()} ({(release['day'] or 'unreleased').strip()})"
