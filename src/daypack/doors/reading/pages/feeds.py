"""Feeds (RSS and Atom) as Markdown: a section for each entry, with its author, day, link and content."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from daypack.doors.reading.pages.rendering import render_html
from daypack.doors.reading.pages.xml_texts import root_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_HEADING = re.compile(r"#{1,6} ")
_WRITERS = ("author", "creator")
_DAYS = ("pubDate", "published", "updated", "date")
_CONTENTS = ("encoded", "content", "description", "summary")


class Feed(NamedTuple):
    """The text of a feed, and its title."""

    text: str
    title: str


def render_feed(text: str) -> Feed | None:
    """The feed as Markdown; None for other XML, and for one that is damaged or defines entities, which may be bombs."""
    root = root_of(text, "rss", "feed", "rdf:RDF")
    try:
        return _read(root) if root is not None else None
    except RecursionError:  # for elements in elements in …
        return None


def _read(root: Element) -> Feed | None:
    entries = [one for one in root.iter() if _name(one) in ("item", "entry")]
    if not entries:
        return None
    about = root if _name(root) == "feed" else next((one for one in root if _name(one) == "channel"), root)
    title = _text(about, "title")
    parts = [f"# {title}" if title else "", in_section(_raw(about, "description", "subtitle"))]
    for entry in entries:
        told = ", ".join(filter(None, (_text(entry, *_WRITERS), _day(_text(entry, *_DAYS)))))
        about_it = "\n".join(filter(None, (told, _link(entry))))
        parts += [f"## {_text(entry, 'title') or 'Entry'}", about_it, in_section(_raw(entry, *_CONTENTS))]
    return Feed("\n\n".join(filter(None, parts)) + "\n", title)


def _day(moment: str) -> str:
    """The day of a moment of RFC 822 or ISO 8601, without weekday and time."""
    found = re.search(r"\d{1,2} [A-Za-z]{3,9} \d{4}|\d{4}-\d\d-\d\d", moment)
    return found[0] if found else moment


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _raw(element: Element, *names: str) -> str:
    """The words of the first of these children that has some, as they are written. The content of Atom may be elements."""
    from xml.etree.ElementTree import tostring

    for child in (child for name in names for child in element if _name(child) == name):
        if child.get("type") == "xhtml":
            for inner in child.iter():
                inner.tag = _name(inner)
            return "".join(tostring(inner, encoding="unicode") for inner in child)
        if words := "".join(child.itertext()).strip():
            return words
    return ""


def _text(element: Element, *names: str) -> str:
    """The words of a child on one line. Titles often hold entities twice."""
    return " ".join(unescape(_raw(element, *names)).split())


def _link(entry: Element) -> str:
    links = [child for child in entry if _name(child) == "link"]
    chosen = next((one for one in links if one.get("rel", "alternate") == "alternate"), None)
    address = "" if chosen is None else (chosen.get("href") or chosen.text or "").strip()
    return f"<{address}>" if re.fullmatch(r"https?://[^\s<>]+", address) else ""


def in_section(content: str) -> str:
    """The content of an entry or note as Markdown, with its headings below that of its section."""
    if "<" not in content:
        return unescape(content)
    lines, fenced = list[str](), False
    rendered = render_html(content)
    for line in (content if rendered is None else rendered).strip().split("\n"):
        fenced ^= line.startswith("```")
        lines.append(f"##{line}" if not fenced and _HEADING.match(line) else line)
    return "\n".join(re.sub(r"^#{7,}", "######", line) for line in lines)
