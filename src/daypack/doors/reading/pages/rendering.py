"""Web pages as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from daypack.doors.reading.pages.arranged import arranges, divided, taken_apart, titles
from daypack.doors.reading.pages.code import with_plain_code
from daypack.doors.reading.pages.formulas import with_formulas
from daypack.doors.reading.pages.merged import merged_cells
from daypack.doors.reading.pages.tables import Edit, Table, edited, read_tables

_AROUND = [  # landmarks that HTML names, and the anchors that documentation generators add to headings
    "nav",
    "footer",
    "[role=navigation]",
    "[role=search]",
    "[role=contentinfo]",
    "[role=dialog]",  # above all questions about cookies
    "[role=alertdialog]",
    "dialog",
    "a.headerlink",
    ".mw-editsection",  # of MediaWiki, as the next four
    ".mw-jump-link",
    ".mw-hidden-catlinks",
    ".mw-portlet",
    ".vector-dropdown",
    ".katex-html",  # a formula for the eye; its TeX is beside it
]
# … and others write, for a link to the place itself
_ANCHOR = re.compile(
    r"""<a\b[^<>]*\bhref\s*=\s*["']?#[^<>]*>\s*(?:#|¶|§|🔗|\u200b|&para;|&sect;|&\#8203;)\s*</a\s*>""",
    re.IGNORECASE,
)
_TEXT = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,300}"
_TARGET = r"([^()\s]{0,500}(?:\([^()\s]{0,50}\))?)"
_AFAR = r"""(?:\([^()\s]{0,200}\)|[^()\s]){0,500}(?: "[^"\n]{0,300}")?\)"""
# In the page or its site, for //… is another. A link behind it begins a word, unless it is the number of a note.
_WITHIN = re.compile(rf"\[({_TEXT})\]\((?:#|/(?!/)){_AFAR}(?=(!?\[(?!\d{{1,5}}\])\w))?")
_PICTURE = re.compile(rf"!\[([^\[\]\n]{{0,500}})\]\((?:https?:/)?/{_AFAR}")
_BEFORE_PICTURE = re.compile(r"(?<=\w)(?=\[?!\[[^\]\n])")  # whose words would continue this one
_WORDLESS = re.compile(rf"(?<!!)\[ {{0,9}}\]\({_AFAR} ?")
_HINT = re.compile(rf'(\[{_TEXT}\]\([^()\s"]{{1,500}}) "[^"\n]{{0,300}}"\)')
_ITEM = re.compile(
    rf"[ \t>]*(?:(?:[-*+]|\d{{1,4}}[.)])[ \t]+)*!?\[{_TEXT}\]\({_TARGET}[^()\n]{{0,300}}\)[ \t|»·]*"
)
_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_MENU = 3  # lines of links in a row; guess
# An image next to the words of a heading or a link is an ornament, and its description is left out.
_WORDED = re.compile(r"(<(h[1-6]|a)\b[^<>]*>)((?:[^<]++|<(?!/?\2\b)){1,4000}+)(</\2\s*>)", re.IGNORECASE)
_IMAGE = re.compile(r"<img\b[^<>]*>(?:\s*<br\s*/?>)?", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def render_html(text: str) -> str | None:
    """The page as Markdown, without scripts, styles, navigation, footers and inline images; None when the conversion fails."""
    try:
        content = _converted(text, _AROUND)
        if not _HEADING.search(content):  # the text may be in an unclosed navigation
            whole = _converted(text, [])
            content = whole if not content.strip() or _HEADING.search(whole) else content
    except Exception:  # a native parser may fail in any way on hostile input; the text is still usable
        return None
    return _without_menus(content)


def _converted(text: str, left_out: list[str]) -> str:
    import html_to_markdown  # takes 50 ms, only in projects with pages

    if "<img" in text or "<IMG" in text:
        text = _WORDED.sub(_without_ornaments, text)
    text = with_formulas(_ANCHOR.sub("", text))
    if "<table" in text or "<TABLE" in text:
        text = with_plain_tables(text)
    if "<pre" in text or "<PRE" in text:
        text = with_plain_code(text)
    options = html_to_markdown.ConversionOptions(
        compact_tables=True,  # a column as wide as its widest cell costs tokens in each row
        extract_metadata=False,  # at the top it would look like front matter
        inline_data_media="ALT_TEXT_ONLY",
        preprocessing=html_to_markdown.PreprocessingOptions(remove_navigation=bool(left_out)),
        exclude_selectors=left_out,
    )
    return html_to_markdown.convert(text, options).content or ""


def with_plain_tables(text: str) -> str:
    """The page with tables of values alone, each with a cell in each place. Those that arrange the page are taken apart."""
    return edited(
        text, (edit for table in read_tables(text) if not table.is_unread for edit in _changed(text, table))
    )


def _changed(text: str, table: Table) -> Iterable[Edit]:
    if above := titles(table):
        return divided(text, table, above)
    return taken_apart(text, table) if arranges(table) else merged_cells(text, table)


def _without_ornaments(element: re.Match[str]) -> str:
    """A heading or link without its images; unchanged if it has no words."""
    words = _IMAGE.sub("", element[3])
    return f"{element[1]}{words}{element[4]}" if _TAG.sub("", words).strip() else element[0]


def _without_menus(content: str) -> str:
    """The page without menus before its first heading, and without tables of its own headings. Links inside the page or its
    site are replaced by their words, because a reader of a pack cannot follow them.
    """
    kept, menu = list[str](), list[str]()
    fenced = begun = False
    headed = _HEADING.search(content) is not None
    for line in content.split("\n"):
        if not (line.strip() or kept or menu):
            continue
        item = None if fenced or "](" not in line else _ITEM.fullmatch(line)
        if item and item[1].startswith("#") and headed and not begun:
            continue  # "Skip to the content"
        if item and (item[1].startswith("#") or (headed and not begun)):
            menu.append(line)
            continue
        if menu and not line.strip():
            menu.append(line)
            continue
        if menu:
            kept += _unless_menu(menu)
            menu = []
        if "```" in line and line.lstrip(" >\t").startswith("```"):
            fenced = not fenced
        begun = begun or (not fenced and _HEADING.match(line) is not None)
        kept.append(line if fenced or "](" not in line else _plain(line))
    kept += _unless_menu(menu)
    return "\n".join(kept)


def _unless_menu(lines: list[str]) -> list[str]:
    """These lines of links; none if they are so many that they are a menu."""
    return [] if sum(map(bool, map(str.strip, lines))) >= _MENU else [_plain(line) for line in lines]


def _plain(line: str) -> str:
    """The line, with the links inside the page or site, and pictures elsewhere, replaced by their words. Links without words, as
    those of pictures without a description, are left out.
    """
    if "](" not in line:
        return line
    if "![" in line:
        line = _PICTURE.sub(r"\1", _BEFORE_PICTURE.sub(" ", line))
    if "](#" in line or "](/" in line:
        line = _WITHIN.sub(lambda found: f"{found[1]} " if found[2] else found[1], line)
    if "[](" in line or "[ ](" in line:
        line = _WORDLESS.sub("", line)
    return _HINT.sub(r"\1)", line) if '")' in line else line
