"""Notes that Evernote exports (`.enex`), as Markdown: a section each with its days, tags and source, and its text.

    ## Trip to the heath

    Created: 3 Nov 2026
    Tags: birds, autumn

    - [x] binoculars
    - [ ] map

An export holds each note as a page inside of XML, and its pictures as encoded lines, which are most of its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from daypack.doors.reading.notes.exported import Notes, lines_of
from daypack.doors.reading.pages.feeds import in_section
from daypack.doors.reading.pages.xml_texts import root_of
from daypack.text.prose.written_days import written_day

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WITHIN = r"[^<>]{0,2000}"  # a tag
_TODO = re.compile(r"<en-todo\b([^<>]*?)/?>(?:\s*</en-todo\s*>)?")
_ITEM = re.compile(rf"<li\b{_WITHIN}--en-checked:\s*(true|false){_WITHIN}>(?:\s*<div\b{_WITHIN}>)?")
# A link to another note has an address that only Evernote knows.
_OWN_LINK = re.compile(
    rf"<a\b{_WITHIN}\bhref\s*=\s*[\"']evernote:{_WITHIN}>((?:[^<]++|<(?!/?a\b)){{0,2000}}+)</a\s*>"
)
_ENCRYPTED = re.compile(r"<en-crypt\b[^<>]*>[^<>]*</en-crypt\s*>")
# A list of tasks, which the export has outside of the page, and lines of code.
_BLOCK = re.compile(rf"<div\b{_WITHIN}-en-(?:(task-group)|codeblock):\s*true{_WITHIN}>")
_DIV = re.compile(r"<(/?)div\b[^<>]*>")
_LINE_END = re.compile(r"<br\b[^<>]*>(?:\s*</div\s*>)?|</div\s*>")
_TAG = re.compile(r"<[^<>]*>")
_DATA = re.compile(r"<data\b[^<>]*>[^<]*")


def render_evernote(text: str) -> Notes | None:
    """Exported notes as Markdown; None for other XML, and for a damaged export."""
    root = root_of(text, "en-export")
    notes = root.findall("note") if root is not None else []
    sections = ["\n\n".join(filter(None, _section(note))) for note in notes]
    if not sections:
        return None
    return Notes("\n\n".join(sections) + "\n", _words(notes[0], "title") if len(notes) == 1 else "")


def without_data(text: str) -> str:
    """The export with empty lines in the place of the encoded ones, among which no words need be looked up."""
    return _DATA.sub(lambda found: "\n" * found[0].count("\n"), text)


def _section(note: Element) -> Iterator[str]:
    created, changed = (_day(_words(note, name)) for name in ("created", "updated"))
    tags = ", ".join(" ".join((tag.text or "").split()) for tag in note.iter("tag"))
    files = ", ".join(" ".join((name.text or "").split()) for name in note.iter("file-name"))
    facts = {
        "Created": created,
        "Changed": changed if changed != created else "",
        "Author": _words(note, "note-attributes/author"),
        "Tags": tags,
        "Source": _words(note, "note-attributes/source-url"),
    }
    yield f"## {_words(note, 'title') or 'Untitled'}"
    yield lines_of(facts)
    yield in_section(_page(note.findtext("content") or "")).strip()
    yield "\n".join(map(_task, note.iter("task")))
    yield f"Attachments: {files}" if files else ""


def _task(task: Element) -> str:
    mark = "x" if _words(task, "taskStatus") == "completed" else " "
    due = _day(_words(task, "dueDate"))
    return f"- [{mark}] {_words(task, 'title') or 'Task'}{f', due {due}' if due else ''}"


def _words(element: Element, path: str) -> str:
    return " ".join((element.findtext(path) or "").split())


def _day(moment: str) -> str:
    """The day of a moment as 20261103T081500Z; "" for none."""
    try:
        return written_day(datetime.strptime(moment[:8], "%Y%m%d"))
    except ValueError:
        return ""


def _page(content: str) -> str:
    """The page of a note in elements of HTML alone."""
    content = _TODO.sub(lambda found: "[x] " if "true" in found[1] else "[ ] ", content)
    content = _ITEM.sub(lambda found: f"<li>[{'x' if found[1] == 'true' else ' '}] ", content)
    content = _ENCRYPTED.sub("(encrypted)", _OWN_LINK.sub(r"\1", content))
    return "".join(_with_plain_blocks(content))


def _with_plain_blocks(page: str) -> Iterator[str]:
    """The page with its code as such, and without the notice in the place of a list of tasks."""
    done = 0
    while found := _BLOCK.search(page, done):
        end, behind = _end(page, found.end())
        yield page[done : found.start()]
        if not found[1]:
            yield f"<pre>{_TAG.sub('', _LINE_END.sub(chr(10), page[found.end() : end]))}</pre>"
        done = behind
    yield page[done:]


def _end(page: str, begin: int) -> tuple[int, int]:
    """The end of the content of a `div` that begins here, and the begin of the text behind it."""
    depth = 1
    for tag in _DIV.finditer(page, begin):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start(), tag.end()
    return len(page), len(page)
