"""A query taken apart into title, prose and code, the way issues, commit messages and questions are written.

How is the total of a cart computed?          title: the first line
                                              (without HTML comments, which come from issue templates)
It is wrong for `Cart.total` of an empty …    prose
```                                           code: fences, indented blocks, stack traces
File "shop/cart.py", line 12, in total
```
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from daypack.query.traces.frames import LONGEST_LINE, read_trace
from daypack.types import Frame

_LIST_ITEM = r"\s*(?:[-*+]|\d{1,3}[.)])\s"
_URL = r"\b(?:https?|ftp|git|ssh)://[^\s<>\"'`\]]+"
_CODE_START = (
    r"(?:def|class|async def|func|fn|pub fn|pub struct|const|let|var|import|from [\w.]+ import|export|public|private|protected|static"
    r"|package|namespace|using|#include|struct|interface|enum|impl|return|SELECT|INSERT INTO|UPDATE \w+ SET|CREATE TABLE)\b"
)
_COLOURS = r"\x1b\[[\d;]*[A-Za-z]|\[\d{1,3}(?:;\d{1,3})*m"  # of a terminal; some programs drop the escape
_INLINE = re.compile(r'`([^`\n]{1,400})`|"([^"\n]{1,400})"|“([^“”\n]{1,400})”')
_SINGLE_QUOTED = r"(?<![\w'])'(?=[^\s'])([^'\n]{2,200})(?<=\S)'(?!\w)"

QUALIFIER = r"(?:\w+(?:\.|::|\\|\$)){0,9}"  # of an exception: shop.errors., Shop\, Shop::
ERROR_LINE = re.compile(
    # shop.CartError: …, Shop\CartError: …, Shop::Error: …, ** (Shop.CartError) …, Exception in thread "main" shop.CartError: …
    rf"(?:\*\* \(|Exception in thread \"[^\"]*\" )?{QUALIFIER}(?:[A-Z]\w{{0,80}})?(?:Error|Exception)\b(?:\s*:|\)\s)"
    # Error: …, PHP Fatal error: …, PHP Fatal error: Uncaught Shop\EmptyCart: …, go: error: …
    r"|(?:[\w.+-]{1,30}: |PHP )?(?:[Ff]atal error(?:: +Uncaught [\w\\]+)?|(?:[Ff]atal|[Ee]rror|[Pp]anic)|FATAL|ERROR|PANIC|Uncaught [\w\\]+|error\[E\d+\])\s*:"
)

LONGEST_DENSE_TEXT = 1_000  # characters: 256 word pieces, what the embedder reads
SHORT_QUERY = 300  # characters; in a longer text the dates belong to a story, not to the question
# A link to a note. Its beginning is taken, because a note that links there may add a heading or other words.
_NOTE_LINK = re.compile(r"\[\[[^\W_][^\[\]|#\n]{0,200}(?=[|#][^\[\]\n]{0,200}\]\]|\]\])")
_MOST_INLINE = 200  # in a text with more quotations, no single one is telling
_BLOB_FOLDERS = frozenset({"blob", "tree", "raw", "blame", "edit", "src"})


class Sections(NamedTuple):
    """The parts of a query, each as text. `inline` is also contained in the title or the prose."""

    title: str
    prose: str
    code: str
    inline: tuple[str, ...]  # between backticks or quotation marks
    ticked: tuple[str, ...]  # between backticks
    quoted: tuple[str, ...]  # between quotation marks
    frames: tuple[Frame, ...]
    linked: tuple[str, ...]  # repository paths inside URLs, with `:line` where the link had one
    opening: str  # the first paragraph of the prose
    all_code: bool  # the query itself is code
    text: str  # all, as it came

    @property
    def words(self) -> str:
        """The title and the prose, without code."""
        return f"{self.title}\n{self.prose}"

    @property
    def is_short(self) -> bool:
        """True for a question; in a longer report, dates and numbers belong to its story."""
        return not self.code and len(self.title) + len(self.prose) <= SHORT_QUERY


def sections_of(text: str) -> Sections:
    """Take a query apart. Never fails: parts of unknown kind are prose."""
    whole = text
    text = _without_comments(text.replace("\r\n", "\n").replace("\r", "\n"))
    text = re.sub(_COLOURS, "", text) if "[" in text else text
    lines = text.split("\n")
    trace = read_trace(lines)
    code = code_lines(lines, trace.lines)
    title = ""
    prose: list[str] = []
    snippets: list[str] = []
    opening: list[str] = []
    linked: list[str] = []
    opening_is_over = False
    seen = False
    for number, line in enumerate(lines):
        bare = line.strip()
        if number in code:
            if number not in trace.places and not bare.startswith(("```", "~~~")):
                snippets.append(trace.told.get(number, line))
                seen = seen or bool(bare)
            opening_is_over = opening_is_over or bool(opening)
            continue
        if "://" in line:
            line, paths = _without_urls(line)
            linked.extend(paths)
            bare = line.strip()
        if not bare:
            opening_is_over = opening_is_over or bool(opening)
            continue
        if not seen:
            title = bare.lstrip("#").strip() or bare
            seen = True
            continue
        heading = bare.startswith("#")
        prose.append(bare.lstrip("#").strip() if heading else bare)
        if heading:
            opening_is_over = opening_is_over or bool(opening)
        elif not opening_is_over:
            opening.append(bare)
    words = "\n".join([title, *prose])
    ticked, quoted = _inline(words)
    return Sections(
        title=title,
        prose="\n".join(prose),
        code="\n".join(snippets),
        inline=(*ticked, *quoted),
        ticked=ticked,
        quoted=quoted,
        frames=trace.frames,
        linked=tuple(dict.fromkeys(linked)),
        opening=" ".join(opening),
        all_code=not title or (not prose and _looks_like_code(title)),
        text=whole,
    )


def _without_comments(text: str) -> str:
    """Without <!-- … -->. An opening that nothing closes is text."""
    start = text.find("<!--")
    if start < 0:
        return text
    parts: list[str] = []
    at = 0
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        parts.append(text[at:start])
        at = end + 3
        start = text.find("<!--", at)
    parts.append(text[at:])
    return "".join(parts)


def code_lines(lines: list[str], traced: frozenset[int]) -> set[int]:
    """The numbers of the lines in fences, indented blocks and traces; `traced` are those of the traces."""
    code = set(traced)
    fence = ""
    opened = -1
    blank = True  # the line before was blank or code: an indented line then begins a block
    for number, line in enumerate(lines):
        bare = line.strip()
        if fence:
            code.add(number)
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
            blank = True
            continue
        if bare.startswith(("```", "~~~")) and (bare[:3] == "~~~" or "`" not in bare.lstrip("`")):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            opened = number
            code.add(number)
            continue
        if number in traced:
            blank = True
            continue
        indented = line.startswith(("    ", "\t"))
        if bare and indented and blank and number > 0 and not re.match(_LIST_ITEM, line):
            code.add(number)
        else:
            blank = not bare
    if fence and opened == len(lines) - 1:
        code.discard(opened)  # a fence without a line after it is not a fence
    return code


def _without_urls(line: str) -> tuple[str, list[str]]:
    paths: list[str] = []

    def path_of(match: re.Match[str]) -> str:
        if path := _repository_path(match[0].rstrip(".,;:!?)")):
            paths.append(path)
            return f" {path} "
        return " "

    return re.sub(_URL, path_of, line), paths


def _repository_path(url: str) -> str:
    """…/blob/<revision>/src/x.py#L12 → src/x.py:12, "" for a URL that shows no file."""
    # few queries have a URL, and this import takes longer than parsing most queries
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    segments = unquote(parts.path).strip("/").split("/")
    if (parts.hostname or "") == "raw.githubusercontent.com" and len(segments) > 3:
        path = segments[3:]
    else:
        # owner/name/blob/<revision>/path; a revision with slashes looks like a path, and branches rarely have
        # slashes
        path = next((segments[i + 2 :] for i in range(2, len(segments)) if segments[i] in _BLOB_FOLDERS), [])
    if not path or not path[-1]:
        return ""
    line = re.match(r"(?:L|lines-)(\d{1,7})", parts.fragment)
    return "/".join(path) + (f":{line[1]}" if line else "")


def _inline(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ticked: list[str] = []
    quoted: list[str] = []
    text = text.replace("``", "`")
    for match in islice(_INLINE.finditer(text), _MOST_INLINE):
        if match[1] is not None:
            ticked.append(match[1].strip())
        elif match[3] is not None or _stands_alone(text, match):
            quoted.append((match[2] or match[3]).strip())
    if "'" in text:
        outside = _INLINE.sub(" ", text)
        quoted.extend(match[1] for match in islice(re.finditer(_SINGLE_QUOTED, outside), _MOST_INLINE))
    if "[[" in text:
        quoted.extend(match[0].rstrip() for match in islice(_NOTE_LINK.finditer(text), _MOST_INLINE))
    return tuple(dict.fromkeys(filter(None, ticked))), tuple(dict.fromkeys(filter(None, quoted)))


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """True when the marks open and close a quotation; 5" by 7" does not."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return not (before.isalnum() or after.isalnum())


def _looks_like_code(line: str) -> bool:
    line = line[:LONGEST_LINE]
    if line.endswith(("?", ".")) or "`" in line:
        return False
    marks = sum(line.count(mark) for mark in ("(", "{", ";", "=", "->", "::", "[", "<"))
    return bool(marks >= 1 and re.match(_CODE_START, line)) or (
        marks >= 2 and line.endswith((";", "{", "}", ")", ":", "]")) and " = " in line
    )


def dense_text(sections: Sections) -> str:
    """The text that a model embeds for a query."""
    told = f"{sections.title}\n{sections.opening}".strip() if sections.opening else sections.title
    if not told:
        # Only code or a trace: its last error line says what happened, the rest where.
        lines = [line.strip() for line in sections.code.split("\n") if line.strip()]
        errors = [line for line in lines if ERROR_LINE.match(line)]
        told = "\n".join([*errors[-1:], *lines]) if lines else sections.text.strip()
    return told[:LONGEST_DENSE_TEXT]
