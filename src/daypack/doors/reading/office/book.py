"""Electronic books: an EPUB is a zip of web pages with a list of their order."""

from __future__ import annotations

import posixpath
import re
import zipfile
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.text import RefusedError, Text
from daypack.doors.reading.office.zipped_xml import attribute, first, local, needed, opened, part
from daypack.doors.reading.pages.rendering import render_html

_PAGES = frozenset({"application/xhtml+xml", "text/html"})
# A picture, or a link to another page, is replaced by its words, because a reader of a pack cannot see or follow it.
_INNER_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\((?![a-z]+:)[^()\s]{1,300}\)", re.IGNORECASE)


def read_epub(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the pages of a book that have text, as chapters from 1, in the order of the book's spine, without the table
    of contents. Raises RefusedError and FullError.
    """
    archive = opened(data)
    package = attribute(first(needed(archive, "META-INF/container.xml"), "rootfile"), "full-path")
    root = needed(archive, package)
    locked = _locked(part(archive, "META-INF/encryption.xml"))
    title = first(root, "title")
    text.title = " ".join("".join(title.itertext()).split()) if title is not None else ""
    chapters = 0
    for name in _spine(root, posixpath.dirname(package)):
        if name in locked:
            raise RefusedError(
                "locked_or_damaged", "the book is protected against copying; add a copy without protection"
            )
        page = _page(archive, name)
        if not page:
            continue
        chapters += 1
        if chapters > most_pages:
            text.leave_out(f"what follows chapter {most_pages:,} was")
            return
        text.gap()
        text.begin()
        text.add(page)


def _spine(package: Element, folder: str) -> list[str]:
    """The names of the pages, in reading order."""
    items = {attribute(one, "id"): one for one in package.iter() if local(one) == "item"}
    read = (items.get(attribute(one, "idref")) for one in package.iter() if local(one) == "itemref")
    return [
        posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href"))))
        for item in read
        if item is not None
        and attribute(item, "media-type") in _PAGES
        and "nav" not in attribute(item, "properties").split()
    ]


def _locked(encryption: Element | None) -> frozenset[str]:
    """The parts that need a key, without embedded fonts, which books scramble."""
    found = encryption.iter() if encryption is not None else ()
    return frozenset(unquote(attribute(one, "URI")) for one in found if local(one) == "CipherReference")


def _page(archive: zipfile.ZipFile, name: str) -> str:
    """A page as Markdown; "" for a page that is missing or has no text."""
    try:
        raw = archive.read(name)
    except (KeyError, RuntimeError, zipfile.BadZipFile, OSError, EOFError, NotImplementedError):
        return ""  # the other pages can still be read
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    content = render_html(raw.decode(encoding, "replace"))
    return _INNER_LINK.sub(r"\1", content).strip() if content else ""
