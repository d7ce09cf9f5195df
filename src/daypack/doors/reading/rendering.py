"""Web pages and notebooks as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from daypack.guard.fences import fence

MAX_OUTPUT_LINES = 12  # of one notebook cell; guess
MAX_OUTPUT_CHARACTERS = 1_000


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
]
_TEXT = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,300}"
_TARGET = r"([^()\s]{0,500}(?:\([^()\s]{0,50}\))?)"
_WITHIN = re.compile(rf'\[({_TEXT})\]\(#[^()\s]{{0,300}}(?: "[^"\n]{{0,300}}")?\)')
_HINT = re.compile(rf'(\[{_TEXT}\]\([^()\s"]{{1,500}}) "[^"\n]{{0,300}}"\)')
_ITEM = re.compile(
    rf"[ \t>]*(?:(?:[-*+]|\d{{1,4}}[.)])[ \t]+)*!?\[{_TEXT}\]\({_TARGET}[^()\n]{{0,300}}\)[ \t|»·]*"
)
_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_MENU = 3  # lines of links in a row; guess
# An image next to the words of a heading or a link is an ornament, and its description is left out.
_WORDED = re.compile(r"(<(h[1-6]|a)\b[^<>]*>)((?:(?!</?\2\b)[\s\S]){1,4000}?)(</\2\s*>)", re.IGNORECASE)
_IMAGE = re.compile(r"<img\b[^<>]*>(?:\s*<br\s*/?>)?", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
# Code that is quoted only to indent it.
_QUOTED_CODE = re.compile(
    r"<blockquote\b[^<>]*>\s*(<pre\b[^<>]*>(?:(?!</pre)[\s\S])*</pre\s*>)\s*</blockquote\s*>", re.IGNORECASE
)


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
    text = _QUOTED_CODE.sub(r"\1", text)
    options = html_to_markdown.ConversionOptions(
        extract_metadata=False,  # at the top it would look like front matter
        inline_data_media="ALT_TEXT_ONLY",
        preprocessing=html_to_markdown.PreprocessingOptions(remove_navigation=bool(left_out)),
        exclude_selectors=left_out,
    )
    return html_to_markdown.convert(text, options).content or ""


def _without_ornaments(element: re.Match[str]) -> str:
    """A heading or link without its images; unchanged if it has no words."""
    words = _IMAGE.sub("", element[3])
    return f"{element[1]}{words}{element[4]}" if _TAG.sub("", words).strip() else element[0]


def _without_menus(content: str) -> str:
    """The page without menus before its first heading, and without tables of its own headings. Links inside the page are
    replaced by their words, because a reader of a pack cannot follow them.
    """
    kept, menu = list[str](), list[str]()
    fenced = begun = False
    headed = _HEADING.search(content) is not None
    for line in content.split("\n"):
        item = None if fenced else _ITEM.fullmatch(line)
        if item and (item[1].startswith("#") or (headed and not begun)):
            menu.append(line)
            continue
        if menu and not line.strip():
            menu.append(line)
            continue
        kept += _unless_menu(menu)
        menu = []
        if line.lstrip(" >\t").startswith("```"):
            fenced = not fenced
        begun = begun or (not fenced and _HEADING.match(line) is not None)
        kept.append(line if fenced else _plain(line))
    kept += _unless_menu(menu)
    return "\n".join(kept)


def _unless_menu(lines: list[str]) -> list[str]:
    """These lines of links; none if they are so many that they are a menu."""
    return [] if sum(map(bool, map(str.strip, lines))) >= _MENU else [_plain(line) for line in lines]


def _plain(line: str) -> str:
    """The line, with the links inside the page replaced by their words."""
    return _HINT.sub(r"\1)", _WITHIN.sub(r"\1", line)) if "](" in line else line


def render_notebook(text: str) -> str | None:
    """A Jupyter notebook as Markdown: prose unchanged, code in fences, short text outputs after their code. The info string of
    a fence names its cell: "python cell 3". None for other files.
    """
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None:  # format 3 has them in worksheets
        sheets = notebook.get("worksheets")
        first = sheets[0] if isinstance(sheets, list) and sheets else None
        cells = first.get("cells") if isinstance(first, dict) else None
    if not isinstance(cells, list):
        return None
    language = _notebook_language(notebook)
    parts: list[str] = []
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        source = _joined(cell.get("source", cell.get("input"))).strip("\n")
        kind = cell.get("cell_type")
        if kind == "code":
            if source.strip():
                parts.append(_fence(source, f"{language} cell {number}"))
            output = _outputs(cell.get("outputs"))
            if output:
                parts.append(_fence(output, f"text output {number}"))
        elif kind == "heading" and isinstance(cell.get("level"), int):
            parts.append(f"{'#' * min(6, max(1, cell['level']))} {source}")
        elif source.strip():
            parts.append(source)
    return "\n\n".join(parts) + "\n" if parts else ""


def _notebook_language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    if isinstance(metadata, dict):
        for key, field in (("language_info", "name"), ("kernelspec", "language")):
            info = metadata.get(key)
            if (
                isinstance(info, dict)
                and isinstance(info.get(field), str)
                and re.fullmatch(r"[A-Za-z0-9+#_-]{1,30}", info[field])
            ):
                return str(info[field]).lower()
    return "python"


def _joined(value: object) -> str:
    """The text of a field, which nbformat writes as a string or as a list of lines."""
    if isinstance(value, str):
        return value
    return "".join(line for line in value if isinstance(line, str)) if isinstance(value, list) else ""


_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def _outputs(outputs: object) -> str:
    texts: list[str] = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        if output.get("output_type") == "error":
            texts.append(f"{output.get('ename', 'Error')}: {output.get('evalue', '')}")
        elif output.get("output_type") == "stream":
            texts.append(_joined(output.get("text")))
        elif isinstance(data, dict):
            texts.append(_joined(data.get("text/plain")))
    text = _ANSI.sub("", "\n".join(part.strip("\n") for part in texts if part.strip()))
    lines = text.splitlines()
    if any(len(line) > 500 and " " not in line for line in lines):
        return ""  # encoded data, which is not for readers
    shown = "\n".join(lines[:MAX_OUTPUT_LINES])[:MAX_OUTPUT_CHARACTERS]
    return shown if len(shown) == len("\n".join(lines)) else f"{shown}\n…"


def _fence(text: str, info: str) -> str:
    mark = fence(text)
    return f"{mark}{info}\n{text}\n{mark}"
