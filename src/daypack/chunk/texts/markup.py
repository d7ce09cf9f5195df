"""AsciiDoc, Org, Texinfo, man pages, MediaWiki and Gherkin as blocks: paragraphs, lists, tables and literal text, and headings
between them.

Six formats, one way: a scanner reads line by line, and lines that introduce a block (anchors, attributes,
captions) wait for it, so that its piece begins with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.sizing import Draft
from daypack.chunk.texts.blocks import NAME_LIMIT, Block, assemble
from daypack.types import PieceKind


def cut_asciidoc(text: str) -> Iterator[Draft]:
    """AsciiDoc: titles of one and of two lines, delimited blocks, tables."""
    return assemble(text, asciidoc_blocks(text))


def cut_org(text: str) -> Iterator[Draft]:
    """Org: headlines with their drawers, blocks from begin to end, tables."""
    return assemble(text, org_blocks(text))


def cut_texinfo(text: str) -> Iterator[Draft]:
    """Texinfo: chapters and sections with their nodes, examples, items, definitions."""
    return assemble(text, texinfo_blocks(text))


def cut_man(text: str) -> Iterator[Draft]:
    """Man pages in the macros of `man` or `mdoc`: sections, paragraphs, options, displays."""
    return assemble(text, man_blocks(text))


def cut_mediawiki(text: str) -> Iterator[Draft]:
    """Pages of a wiki: headings between equals signs, tables, literal text."""
    return assemble(text, mediawiki_blocks(text))


def cut_gherkin(text: str) -> Iterator[Draft]:
    """Features that a test tells: rules, and scenarios with their tags, steps and tables."""
    return assemble(text, gherkin_blocks(text))


# ---------------------------------------------------------------- lines to blocks


class _Reader:
    """The lines of a text, the block that they make, and the lines before it that introduce it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.end = 0  # of the line being read
        self.line = ""
        self._lead = self._start = -1
        self._stop = 0
        self._kind = PieceKind.PARAGRAPH
        self._unclosed: set[str] = set()

    def lines(self) -> Iterator[str]:
        """Each line without blanks at its end; it goes on where the last block ended."""
        while self.end < len(self.text):
            self.at = self.end
            newline = self.text.find("\n", self.at)
            self.end = len(self.text) if newline < 0 else newline + 1
            self.line = self.text[self.at : self.end].rstrip()
            yield self.line

    def add(self, kind: PieceKind) -> None:
        """Add the line to the block, which is a paragraph until a line says otherwise."""
        if self._start < 0:
            self._start, self._kind = self._begin(), kind
        elif self._kind is PieceKind.PARAGRAPH:
            self._kind = kind
        self._stop = self.at + len(self.line)

    def introduce(self) -> Iterator[Block]:
        """End the block; the line waits for the next one."""
        yield from self.close()
        if self._lead < 0:
            self._lead = self.at

    def close(self) -> Iterator[Block]:
        """End the block."""
        if self._start >= 0:
            yield Block(self._start, self._stop, self._kind)
        self._start = -1

    def heading(self, level: int, title: str, end: int = -1) -> Iterator[Block]:
        """End the block before a heading, which reaches to `end` or over the line."""
        yield from self.close()
        self.end = max(self.end, end)
        yield Block(self._begin(), self.end, PieceKind.HEADING, level, " ".join(title.split())[:NAME_LIMIT])

    def titled(self, level: int) -> Iterator[Block]:
        """The block, one line that the line read last underlines, as a heading."""
        start, self._start = self._start, -1
        yield Block(
            start, self.end, PieceKind.HEADING, level, self.text[start : self.at].strip()[:NAME_LIMIT]
        )

    def whole(self, end: int, kind: PieceKind) -> Iterator[Block]:
        """End the block before one that reaches to `end`, whatever its lines look like."""
        attached = self.text[self._start : self.at].endswith("\n+\n") if self._start >= 0 else False
        yield from self.close()
        self.end = end
        yield Block(self._begin(), end, kind, continues=attached)

    def rest(self) -> Iterator[Block]:
        """The last block, and lines that introduce nothing."""
        yield from self.close()
        if self._lead >= 0:
            yield Block(self._lead, len(self.text), PieceKind.PARAGRAPH)

    def above(self) -> str:
        """The only line of the block so far; "" when it has more, or none."""
        if self._start < 0 or self._lead >= 0:
            return ""
        above = self.text[self._start : self.at].rstrip()
        return "" if "\n" in above else above

    def closing(self, pattern: str) -> int:
        """One past the next line that a pattern matches as a whole; -1 when none does."""
        if pattern in self._unclosed:
            return -1
        line = re.compile(rf"^[ \t]*(?:{pattern})[ \t\r]*(?:\n|\Z)", re.MULTILINE | re.IGNORECASE)
        match = line.search(self.text, self.end)
        if match is None:
            self._unclosed.add(pattern)  # asking again would read the rest of the text again
            return -1
        return match.end()

    def _begin(self) -> int:
        start = self.at if self._lead < 0 else self._lead
        self._lead = -1
        return start


# ---------------------------------------------------------------- AsciiDoc, and RDoc, whose headings and blocks are the same

_ASCIIDOC_HEADING = re.compile(r"(={1,6}|\#{1,6})[ \t]+(\S.*)")
_DELIMITER = re.compile(r"-{4,}|\.{4,}|={4,}|\+{4,}|_{4,}|\*{4,}|/{4,}|--|`{3,}(?=\w*)|[|,:!]={3,}")
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}")
_UNDERLINES = "=-~^+"  # of titles of two lines, the highest first
_ASCIIDOC_LEAD = re.compile(r"\[.*\]|\.[^\s.].*|\(\(\(.*\)\)\)|//(?!/).*")
_ASCIIDOC_ITEM = re.compile(r"[ \t]*(?:\*{1,5}|-|\.{1,5}|\d+\.|<[\d.]+>)[ \t]+\S|\S.*::(?:[ \t]|$)")
_ASCIIDOC_MARKS = re.compile(r"`|</?tt>|\*\*|\(\(\(.*?\)\)\)|\[\[.*?\]\]|[ \t]=+$")
_HOLDS_TEXT = "=_*"  # delimiters of blocks whose text is read as text


def asciidoc_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of an AsciiDoc text, in order."""
    reader = _Reader(text)
    for line in reader.lines():
        above = reader.above()
        if not line:
            yield from reader.close()
        elif heading := _ASCIIDOC_HEADING.fullmatch(line):
            yield from reader.heading(len(heading[1]), _ASCIIDOC_MARKS.sub("", heading[2]))
        elif above and _UNDERLINE.fullmatch(line) and abs(len(above) - len(line)) <= 2 and above[0].isalnum():
            yield from reader.titled(1 + _UNDERLINES.index(line[0]))
        elif (mark := _DELIMITER.match(line)) and (mark[0] == line or mark[0][0] == "`"):
            end = reader.closing(re.escape(mark[0]))
            kind = PieceKind.TABLE if mark[0][0] in "|,:!" else PieceKind.FENCE
            if end < 0:
                reader.add(PieceKind.PARAGRAPH)
            else:
                holds_text = mark[0][0] in _HOLDS_TEXT or mark[0] == "--"
                yield from reader.whole(end, PieceKind.PARAGRAPH if holds_text else kind)
        elif _ASCIIDOC_LEAD.fullmatch(line) and (line[0] == "[" or not above):
            yield from reader.introduce()
        else:
            reader.add(PieceKind.LIST if _ASCIIDOC_ITEM.match(line) else PieceKind.PARAGRAPH)
    yield from reader.rest()


# ---------------------------------------------------------------- Org

_ORG_HEADING = re.compile(r"(\*+)[ \t]+(\S.*)")
_ORG_BEGIN = re.compile(r"[ \t]*\#\+begin_(\w+)", re.IGNORECASE)
_ORG_LITERAL = frozenset(("src", "example", "export", "comment"))
_ORG_LEAD = re.compile(r"[ \t]*\#\+(?:name|caption|header|attr_\w+|results)\b.*", re.IGNORECASE)
_ORG_KEYWORDS = re.compile(r"\A(?:\s*(?:\#\+\w+:|\# |\#$|:\w[\w-]*:).*(?:\n|\Z))+", re.MULTILINE)
_ORG_DRAWER = re.compile(
    r"(?:[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):.*\n)?(?:[ \t]*:PROPERTIES:[ \t\r]*\n(?:[ \t]*:[^\s:]+:.*\n)*[ \t]*:END:[ \t\r]*(?:\n|\Z))?",
    re.IGNORECASE,
)
_ORG_ITEM = re.compile(r"[ \t]*(?:[-+]|\d+[.)])[ \t]|[ \t]+\*[ \t]")
_ORG_MARKS = re.compile(
    r"^(?:TODO|DONE|NEXT|WAITING|HOLD|CANCELLED)[ \t]+|\[\#\w\][ \t]*|[ \t]+:[\w@:%\#]+:$|(?<!\w)[=~](?=\S)|(?<=\S)[=~](?!\w)"
)
_ORG_LINK = re.compile(r"\[\[(?:[^\[\]]*\]\[)?([^\[\]]*)\]\]")


def org_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of an Org text, in order; the keywords at its top are its front matter."""
    reader = _Reader(text)
    keywords = _ORG_KEYWORDS.match(text)
    if keywords:
        yield from reader.whole(keywords.end(), PieceKind.FRONT_MATTER)
    for line in reader.lines():
        if not line:
            yield from reader.close()
        elif heading := _ORG_HEADING.fullmatch(line):
            drawer = _ORG_DRAWER.match(text, reader.end)
            title = _ORG_MARKS.sub("", _ORG_LINK.sub(r"\1", heading[2]))
            yield from reader.heading(len(heading[1]), title, drawer.end() if drawer else -1)
        elif (begin := _ORG_BEGIN.match(line)) and (
            end := reader.closing(rf"\#\+end_{re.escape(begin[1])}")
        ) >= 0:
            literal = begin[1].lower() in _ORG_LITERAL
            yield from reader.whole(end, PieceKind.FENCE if literal else PieceKind.PARAGRAPH)
        elif _ORG_LEAD.fullmatch(line):
            yield from reader.introduce()
        elif line.lstrip().startswith("|"):
            reader.add(PieceKind.TABLE)
        else:
            reader.add(PieceKind.LIST if _ORG_ITEM.match(line) else PieceKind.PARAGRAPH)
    yield from reader.rest()


# ---------------------------------------------------------------- Texinfo

_TEXINFO_LEVELS = {
    **dict.fromkeys(("top", "part", "chapter", "unnumbered", "appendix", "chapheading", "majorheading"), 1),
    **dict.fromkeys(("section", "unnumberedsec", "appendixsec", "appendixsection", "heading"), 2),
    **dict.fromkeys(("subsection", "unnumberedsubsec", "appendixsubsec", "subheading"), 3),
    **dict.fromkeys(("subsubsection", "unnumberedsubsubsec", "appendixsubsubsec", "subsubheading"), 4),
}
_TEXINFO_HEADING = re.compile(rf"@({'|'.join(_TEXINFO_LEVELS)})[ \t]+(\S.*)")
_TEXINFO_LITERAL = re.compile(
    r"@((?:small)?(?:example|lisp|display|format)|verbatim|menu|ignore|tex|iftex|html|titlepage)(?=[ \t]|$)"
)
# the node of a heading, places for links, entries of an index, comments
_TEXINFO_LEAD = re.compile(r"@(?:node|anchor|[ckfvptd]+index|comment|c)(?=[ \t{]|$).*")
_TEXINFO_ITEM = re.compile(r"@(?:item|def\w+)(?=[ \t]|$).*")
_TEXINFO_SAME = re.compile(r"@(?:item|def\w+)x\b.*")  # another name of the item or definition above
_TEXINFO_MARKS = re.compile(r"@\w+\{([^{}]*)\}|@([@{}])")


def texinfo_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a Texinfo text, in order; a definition and an item are blocks of their own."""
    reader = _Reader(text)
    for line in reader.lines():
        if not line:
            yield from reader.close()
        elif line[0] != "@":
            reader.add(PieceKind.PARAGRAPH)
        elif heading := _TEXINFO_HEADING.fullmatch(line):
            title = _TEXINFO_MARKS.sub(r"\1\2", heading[2])
            yield from reader.heading(_TEXINFO_LEVELS[heading[1]], title)
        elif (literal := _TEXINFO_LITERAL.match(line)) and (
            end := reader.closing(rf"@end[ \t]+{literal[1]}")
        ) >= 0:
            yield from reader.whole(end, PieceKind.LIST if literal[1] == "menu" else PieceKind.FENCE)
        elif _TEXINFO_LEAD.fullmatch(line):
            yield from reader.introduce()
        elif _TEXINFO_ITEM.fullmatch(line) and not _TEXINFO_SAME.fullmatch(line):
            yield from reader.close()
            reader.add(PieceKind.LIST)
        else:
            reader.add(PieceKind.PARAGRAPH)
    yield from reader.rest()


# ---------------------------------------------------------------- man pages

_MAN_SECTION = re.compile(r"\.[ \t]*(SH|Sh|SS|Ss)\b[ \t]*(.*)")
_MAN_PARAGRAPH = re.compile(r"\.[ \t]*(?:PP|LP|P|Pp|sp)\b.*")
_MAN_ITEM = re.compile(r"\.[ \t]*(?:TP|IP|HP|It)\b.*")
_MAN_LITERAL = re.compile(r"\.[ \t]*(nf|EX|Bd)\b.*")
_MAN_ENDS = {"nf": r"\.[ \t]*fi", "EX": r"\.[ \t]*EE", "Bd": r"\.[ \t]*Ed"}
_MAN_LEAD = re.compile(r"\.[ \t]*(?:Bl|Tg)\b.*|\.")
_ROFF_ESCAPES = re.compile(r'\\f(?:\[\w*\]|\(..|.)|"|\\&')


def man_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a man page, in order; an option is a block of its own."""
    reader = _Reader(text)
    for line in reader.lines():
        if not line:
            yield from reader.close()
        elif section := _MAN_SECTION.fullmatch(line):
            title = _ROFF_ESCAPES.sub("", section[2]).replace("\\-", "-").replace("\\(aq", "'")
            yield from reader.heading(1 if section[1] in ("SH", "Sh") else 2, title)
        elif (literal := _MAN_LITERAL.fullmatch(line)) and (
            end := reader.closing(_MAN_ENDS[literal[1]])
        ) >= 0:
            yield from reader.whole(end, PieceKind.FENCE)
        elif _MAN_LEAD.fullmatch(line):
            yield from reader.introduce()
        elif _MAN_ITEM.fullmatch(line):
            yield from reader.close()
            reader.add(PieceKind.LIST)
        else:
            if _MAN_PARAGRAPH.fullmatch(line):
                yield from reader.close()
            reader.add(PieceKind.PARAGRAPH)
    yield from reader.rest()


# ---------------------------------------------------------------- MediaWiki

_WIKI_HEADING = re.compile(r"(={1,6})[ \t]*(\S(?:.*[^\s=])?)[ \t]*\1")
_WIKI_LITERAL = re.compile(r"<(pre|nowiki|syntaxhighlight|source)\b(?!.*</\1)")
_WIKI_ITEM = re.compile(r"[*#:;]+")
_WIKI_LEAD = re.compile(r"<(?:span|div)\b(?=[^<>]*\bid=)[^<>]*+>(?:</(?:span|div)>)?")  # a place for links
_WIKI_MARKS = re.compile(r"\'{2,5}|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|<[^<>]*>")


def mediawiki_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a page of a wiki, in order."""
    reader = _Reader(text)
    for line in reader.lines():
        if not line:
            yield from reader.close()
        elif heading := _WIKI_HEADING.fullmatch(line):
            yield from reader.heading(len(heading[1]), _WIKI_MARKS.sub(r"\1", heading[2]))
        elif line.startswith("{|") and (end := reader.closing(r"\|\}.*")) >= 0:
            yield from reader.whole(end, PieceKind.TABLE)
        elif (literal := _WIKI_LITERAL.match(line)) and (end := reader.closing(rf"</{literal[1]}>.*")) >= 0:
            yield from reader.whole(end, PieceKind.FENCE)
        elif _WIKI_LEAD.fullmatch(line):
            yield from reader.introduce()
        else:
            reader.add(PieceKind.LIST if _WIKI_ITEM.match(line) else PieceKind.PARAGRAPH)
    yield from reader.rest()


# ---------------------------------------------------------------- Gherkin

_GHERKIN_LEVELS = {
    **dict.fromkeys(("Feature", "Ability", "Business Need"), 1),
    "Rule": 2,
    **dict.fromkeys(("Background", "Example", "Scenario", "Scenario Outline", "Scenario Template"), 3),
}
_GHERKIN_HEADING = re.compile(rf"[ \t]*({'|'.join(_GHERKIN_LEVELS)}):[ \t]*(.*)")
_GHERKIN_LITERAL = re.compile(r"[ \t]*(\"{3}|`{3}).*")


def gherkin_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a feature, in order."""
    reader = _Reader(text)
    for line in reader.lines():
        if not line:
            yield from reader.close()
        elif heading := _GHERKIN_HEADING.fullmatch(line):
            yield from reader.heading(_GHERKIN_LEVELS[heading[1]], heading[2] or heading[1])
        elif (literal := _GHERKIN_LITERAL.fullmatch(line)) and (end := reader.closing(literal[1])) >= 0:
            yield from reader.whole(end, PieceKind.FENCE)
        elif line.lstrip().startswith(("@", "#")):  # a tag, a comment
            yield from reader.introduce()
        else:
            reader.add(PieceKind.TABLE if line.lstrip().startswith("|") else PieceKind.PARAGRAPH)
    yield from reader.rest()
