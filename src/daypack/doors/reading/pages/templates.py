"""Pages of HTML for readers, and those for programs: templates, demos, the first page of an app.

A page for readers is rendered as Markdown: its text matters. Of a template the attributes, the expressions and the scripts matter, and
a reader wants their lines, so it stays as it is:

    {% extends "base.html" %}   {{ order.total }}   <p th:text="#{home}">   <li v-for="…">   <li *ngFor="…">   <% if … %>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.text.fences import enclosed

READ = 200_000  # characters; templates are short, and what a page is shows early
LEAST = 2  # marks: a single `{{ name }}` may be an accident in a sentence; a tag is none and counts as two
LITTLE = 2_000  # characters that a page of readers exceeds; guess
NOTHING = 200  # characters that the first page of a web app shows before its script runs; guess
LONGEST_LINE = 200  # characters a line, on average, of a script that was written by hand

_MARK = re.compile(
    r"\{%-?\s*(?:load|extends|include|import|from|block|if|for|with|url|trans|blocktrans|set|macro|render|layout|assign|csrf)\w*"
    r"|\{\{[{-]?\s*(?:[#>/.$^&]?\s*[A-Za-z_$][^{}<>\n]{0,200}|[.$])\s*-?\}\}"
    r"|<%[-=#@!\s]|<\?(?:php|=)|<#(?:if|list|include|macro|assign)\b"
)
_LINE_MARK = re.compile(
    r"^[ \t]*@(?:if|for|foreach|extends|section|include|yield|model|using)\b", re.MULTILINE
)
_ATTRIBUTE_MARK = re.compile(
    r"\s(?:(?:data-th|th|tal|metal|py)[:-][\w:.-]+|\*ng[A-Z]\w*|\[\(?[A-Za-z][\w.-]*\)?\]|\([a-z][\w.]*\))=[\"']"
)
# Each with what one of its marks has inside: most pages have none, and a search for words with a fixed beginning is quick.
_MARKS = {
    _MARK: [*map(re.compile, (r"\{[%{]", "<[%?#]"))],
    _LINE_MARK: [re.compile("@(?:if|for|extends|section|include|yield|model|using)")],
    _ATTRIBUTE_MARK: [
        *(re.compile(rf"{name}[:-][\w:.-]+=[\"']") for name in ("th", "tal", "py")),
        *map(re.compile, (r"\*ng[A-Z]", r"\]=[\"']", r"\)=[\"']")),
    ],
}
# Attributes that a browser gets as well; in a whole page they do not tell a template from a saved page.
_CLIENT_MARK = re.compile(r"\s(?:(?:data-)?(?:v|ng|x|hx|phx|wire)[:-][\w:.-]+|[@:][a-z][\w.:-]*)=[\"']")
_WHOLE = re.compile(r"(?i)<(?:html|body)\b")
# Pages about templates show marks as code, and scripts have similar ones of their own.
_SHOWN = re.compile(r"(?i)<(pre|code|script|style|textarea|samp)\b|<!--")
_SHOWN_ENDS = {
    "": "-->",
    **{name: f"(?i)</{name}" for name in ("pre", "code", "script", "style", "textarea", "samp")},
}
_SCRIPT = re.compile(r"(?i)<script\b([^<>]{0,500})>([^<]*(?:<(?!/script)[^<]*)*)</script")
_SCRIPT_FROM = re.compile(r"(?i)<script\b[^<>]{0,500}\bsrc\s*=")
# An element with a name of its own, as <app-root> or by an id, that holds a few words at most.
_PLACE = re.compile(
    r"(?i)<(?:(?:div|main|section|body)\b[^<>]{0,500}\bid\s*=[^<>]{0,500}|[a-z]+-[a-z-]+\b[^<>]{0,500})>"
    r"(?:\s*<(?:div|span|p|b|i|em|strong|img|svg|h\d)\b[^<>]{0,500}>){0,5}[^<>]{0,60}(?:\s*</(?:span|p|b|i|em|strong|svg|h\d|div)\s*>){0,5}"
    r"\s*</(?:div|main|section|body|[a-z]+-[a-z-]+)\s*>"
)
_DATA = re.compile(r"(?i)\btype\s*=\s*[\"']?[\w.+/-]*(?:json|template|importmap|x-)")


def is_template(text: str) -> bool:
    """True for HTML with the expressions, attributes or tags of a template language outside of what it shows as code."""
    text = text[:READ]
    marks = _MARKS if _WHOLE.search(text) else {**_MARKS, _CLIENT_MARK: [_CLIENT_MARK]}
    patterns = [
        pattern
        for pattern, signs in marks.items()
        if any(sign.search(text) for sign in signs) and pattern.search(text)
    ]
    if not patterns:
        return False
    found = 0
    for start, end in _unshown(text):
        for pattern in patterns:
            for mark in pattern.finditer(text, start, end):
                found += LEAST if mark[0].startswith(("{%", "<")) else 1
                if found >= LEAST:
                    return True
    return False


def is_program(text: str, page: str) -> bool:
    """True for HTML that shows little, which is `page`, and has longer scripts of its own: a demo, or the first page of a web
    app.
    """
    if len(page) > LITTLE:
        return False
    own = [body for attributes, body in _SCRIPT.findall(text) if not _DATA.search(attributes)]
    length = sum(map(len, own))
    return length > len(page) and length < LONGEST_LINE * sum(body.count("\n") + 1 for body in own)


def is_shell(text: str, page: str) -> bool:
    """True for HTML that shows next to nothing, which is `page`, and has a place that a script from elsewhere fills: the first page
    of a web app with a link to skip to its content, or with "Loading…".
    """
    return (
        len(page.strip()) <= NOTHING
        and _SCRIPT_FROM.search(text) is not None
        and _PLACE.search(text) is not None
    )


def _unshown(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of a page outside of code and comments."""
    at = 0
    for _, opening, closing in enclosed(
        text, _SHOWN, _SHOWN_ENDS, lambda opening: (opening[1] or "").lower()
    ):
        yield at, opening.start()
        at = closing.start()
    yield at, len(text)
