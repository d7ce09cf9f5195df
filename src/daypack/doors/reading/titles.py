"""The title that a document gives itself."""

from __future__ import annotations

import html
import re
from itertools import pairwise

from daypack.text.headings import without_html

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_FRONT_MATTER_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE)
_LOGSEQ_TITLE = re.compile(r"\A(?:[\w-]+:: .*\n){0,10}?title:: *(\S.*)")
_HTML_TITLE = re.compile(r"<title\b[^>]{0,200}>([^<]{1,500})</title", re.IGNORECASE)
_FIRST_TITLE = {
    "asciidoc": (re.compile(r"^=+[ \t]+(\S.*)$|\A(\w.*)\n={3,}[ \t\r]*$", re.MULTILINE), "{}"),
    "org": (re.compile(r"^#\+title:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE), "{}"),
    "texinfo": (re.compile(r"^@(?:settitle|title)[ \t]+(\S.*)$", re.MULTILINE), "{}"),
    "mediawiki": (re.compile(r"^=[ \t]*([^\s=][^=\n]*)=[ \t\r]*$", re.MULTILINE), "{}"),
    "gherkin": (re.compile(r"^[ \t]*Feature:[ \t]*(\S.*)$", re.MULTILINE), "{}"),
    "man": (re.compile(r"^\.(?:TH|Dt)[ \t]+\"?([^\s\"]+)\"?[ \t]+\"?(\w+)", re.MULTILINE), "{}({})"),
}
"""Language → the line that has the title, and the form of the title with its parts."""
_LATEX_TITLE = re.compile(
    r"^[ \t]*\\(?:title|chapter)\*?(?:\[[^\]\n]*\])?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){1,500})\}",
    re.MULTILINE,
)
_LATEX_MARK = re.compile(r"\\(?:[A-Za-z]+\*?[ \t]*|.)|[{}$~]")
_TITLE_CHARACTERS = 20_000  # text after them is not searched for a title
_TITLE_LINES = 400  # a heading after them is not a title
_LONGEST_LINE = 1_000  # characters; no title is longer


def find_title(text: str, language: str) -> str:
    """The title that a document gives itself, or ""."""
    if language == "markdown":
        return _markdown_title(text)
    if language == "rst":
        return _rst_title(text)
    if language in ("latex", "rd"):
        found = _LATEX_TITLE.search(text, 0, _TITLE_CHARACTERS)
        return _without_marks(found[1]) if found else ""
    if language in _FIRST_TITLE:
        line, title = _FIRST_TITLE[language]
        match = line.search(text, 0, _TITLE_CHARACTERS)
        return title.format(*map(str.strip, filter(None, match.groups()))) if match else ""
    return ""


def _markdown_title(text: str) -> str:
    if (page := _LOGSEQ_TITLE.match(text, 0, _TITLE_CHARACTERS)) is not None:
        return page[1].rstrip()
    lines = [line[:_LONGEST_LINE] for line in text[:200_000].splitlines()[:_TITLE_LINES]]
    fallback = ""
    begin = 0
    if lines and lines[0].strip() in ("---", "+++"):
        end = next((index for index, line in enumerate(lines[1:], 1) if line.strip() == lines[0].strip()), 0)
        match = _FRONT_MATTER_TITLE.search("\n".join(lines[1:end]))
        fallback = match[1].strip("\"'") if match else ""
        begin = end + 1 if end else 0
    fence = ""
    for index in range(begin, len(lines)):
        line = lines[index]
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if fence:
            continue
        heading = _HEADING.match(line)
        if heading and (title := _plain(heading[1])):
            return title
        below = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if len(below) > 2 and not below.strip("=") and line.strip():
            return _plain(line)
    return fallback


_ADORNING = "=-~^*#+\"'`.:_"


def _rst_title(text: str) -> str:
    lines = text[:50_000].splitlines()[:_TITLE_LINES]
    for line, below in pairwise(lines):
        if below[:1] not in _ADORNING:  # true for nearly all lines
            continue
        title, mark = line.strip(), below.rstrip()
        if len(mark) >= max(3, len(title)) and not mark.strip(mark[0]) and title.strip(_ADORNING):
            return title
    return ""


def html_title(text: str) -> str:
    match = _HTML_TITLE.search(text, 0, 100_000)
    return " ".join(html.unescape(match[1]).split()) if match else ""


def _without_marks(title: str) -> str:
    """A title of LaTeX without commands and braces."""
    return " ".join(_LATEX_MARK.sub(lambda found: "" if found[0] in "{}$" else " ", title).split())


def _plain(heading: str) -> str:
    """A heading without HTML, link targets, anchors, images and emphasis marks."""
    heading = re.sub(r"[ \t]*\{[#.:][^{}]*\}[ \t]*$", "", without_html(heading))
    heading = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", heading)
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[*`]+", "", heading).strip()
