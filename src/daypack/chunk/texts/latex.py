r"""LaTeX and the help pages of R as blocks.

    \section{Data}\label{s}    heading             \name{across}        ┐ heading "across: Apply a function"
    Each row is a flight.      paragraph           \title{Apply a …}    ┘
    \begin{table} … \end{…}    one block           \arguments{          heading "Arguments"
    \begin{itemize} … \end{…}  list                \item{.cols}{…}      paragraph

Braces may be nested in a title. The lines above `\begin{document}` are for the program that sets the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.sizing import Draft
from daypack.chunk.texts.blocks import NAME_LIMIT, Block, assemble
from daypack.types import PieceKind

_LEVELS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
    "frametitle": 5,
}
_BRACED = r"\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})*\}"
_LINE = re.compile(
    rf"[ \t]*\\(?:(?P<level>{'|'.join(_LEVELS)})\*?[ \t]*(?:\[[^\]\n]*\])?(?P<title>{_BRACED})(?:[ \t]*\\label{_BRACED})?"
    rf"|begin\{{(?P<name>[A-Za-z]+\*?)\}}(?:[ \t]*(?:<[^>\n]*>|\[[^\]\n]*\]))*(?P<argument>{_BRACED})?)"
)
_INSIDE = re.compile(r"\\(?:part|chapter|(?:sub){0,2}section)\*?[ \t]*[\[{]")
_DOCUMENT = re.compile(r"^[ \t]*\\begin\{document\}", re.MULTILINE)
_LISTS = frozenset({"itemize", "enumerate", "description", "compactitem", "thebibliography"})
_TABLES = frozenset({"table", "table*", "tabular", "tabular*", "tabularx", "longtable"})
_LITERAL = (
    "verbatim",
    "lstlisting",
    "minted",
    "algorithm",
    "algorithmic",
    "equation",
    "align",
    "gather",
    "multline",
    "Schunk",
)
_MARKUP = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[{}$~]")
_SEPARATOR = re.compile(r"\n[ \t]*\n\s*")


def cut_latex(text: str) -> Iterator[Draft]:
    """LaTeX: sections, frames, environments, lists."""
    return assemble(text, latex_blocks(text))


def cut_rd(text: str) -> Iterator[Draft]:
    """Help pages of R: a heading for each section."""
    return assemble(text, rd_blocks(text))


def plain(marked: str) -> str:
    """The words of a marked title: `\\emph{Old} data` is "Old data"."""
    return " ".join(_MARKUP.sub(lambda found: "" if found[0] in "{}$" else " ", marked).split())[:NAME_LIMIT]


def latex_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of LaTeX, in order."""
    begun = _DOCUMENT.search(text)
    position = 0
    if begun is not None:
        position = begun.end()
        yield Block(0, position, PieceKind.FRONT_MATTER)
    start = position  # of the paragraph being read
    unclosed = set[str]()
    while position < len(text):
        newline = text.find("\n", position)
        end = len(text) if newline < 0 else newline + 1
        line = _LINE.match(text, position, end)
        if line is None:
            if text[position:end].isspace():
                yield from _paragraph(text, start, position)
                start = end
            position = end
            continue
        heading = _heading(line)
        stop = end
        if heading is None:
            stop = -1 if line["name"] in unclosed else _environment_end(text, line)
            if stop < 0:
                unclosed.add(line["name"])
            if stop < 0 or _INSIDE.search(text, position, stop):
                position = end
                continue
        yield from _paragraph(text, start, position)
        if heading is not None:
            level, title = heading
            yield Block(position, stop, PieceKind.HEADING, level, title)
        else:
            yield Block(position, stop, _kind(line["name"]))
        start = position = stop
    yield from _paragraph(text, start, len(text))


def _heading(line: re.Match[str]) -> tuple[int, str] | None:
    """(level, title) of a section, of an abstract and of a slide with a title."""
    if line["level"]:
        return _LEVELS[line["level"]], plain(line["title"])
    if line["name"] == "abstract":
        return 2, "Abstract"
    if line["name"] == "frame" and line["argument"]:
        return 5, plain(line["argument"])
    return None


def _kind(environment: str) -> PieceKind:
    if environment in _LISTS:
        return PieceKind.LIST
    if environment in _TABLES:
        return PieceKind.TABLE
    return PieceKind.FENCE if environment.rstrip("*") in _LITERAL else PieceKind.PARAGRAPH


def _environment_end(text: str, line: re.Match[str]) -> int:
    """One past the line that ends an environment; -1 when none does."""
    name = line["name"]
    depth = 0
    for mark in re.compile(rf"\\(begin|end)\{{{re.escape(name)}\}}[^\n]*\n?").finditer(text, line.start()):
        depth += 1 if mark[1] == "begin" else -1
        if depth == 0:
            return mark.end()
    return -1


def _paragraph(text: str, start: int, end: int) -> Iterator[Block]:
    if text[start:end].strip():
        yield Block(start, end, PieceKind.PARAGRAPH)


# ---------------------------------------------------------------- help pages of R

_SECTION = re.compile(
    rf"^\\(?:(?:sub)?section(?P<title>{_BRACED})\{{|(?P<word>description|usage|arguments|value|details|note|examples|seealso"
    r"|references|source|format|author)\{)",
    re.MULTILINE,
)
_NAME = re.compile(rf"^\\name(?P<name>{_BRACED})", re.MULTILINE)
_TITLE = re.compile(r"^\\title\{(?P<title>(?:[^{}]|\{[^{}]*\})*)\}", re.MULTILINE)
_WORDS = {"seealso": "See also"}


def rd_title(text: str) -> str:
    """`across: Apply a function across multiple columns`."""
    found = (_NAME.search(text), _TITLE.search(text))
    return ": ".join(plain(each[1]) for each in found if each is not None)[:NAME_LIMIT]


def rd_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a help page, in order."""
    sections = [*_SECTION.finditer(text)]
    first = sections[0].start() if sections else len(text)
    if first:
        title = rd_title(text)
        yield Block(0, first, PieceKind.HEADING if title else PieceKind.PARAGRAPH, 1 if title else 0, title)
    ends = [each.start() for each in sections[1:]] + [len(text)]
    for section, end in zip(sections, ends, strict=False):
        word = section["word"]
        title = plain(section["title"]) if word is None else _WORDS.get(word, word.capitalize())
        yield Block(section.start(), section.end(), PieceKind.HEADING, 2, title)
        kind = PieceKind.FENCE if word in ("usage", "examples") else PieceKind.PARAGRAPH
        start = section.end()
        for gap in _SEPARATOR.finditer(text, start, end) if kind is PieceKind.PARAGRAPH else ():
            yield from _paragraph(text, start, gap.start())
            start = gap.end()
        if text[start:end].strip():
            yield Block(start, end, kind)
