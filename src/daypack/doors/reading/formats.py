"""Makes a `Record` from bytes: open without following links, read up to a limit, decode, detect the language, render.

    open_inside → fstat → read → fstat again            a file that changes meanwhile is read once more, then skipped
    BOM · magic · NUL · UTF-8 · cp1252 · Latin-1        the bytes, not the name, decide whether a file is text
    notebook → Markdown with fences                     cell outputs are kept when they are short text
    HTML, mail, calendars, contacts, chats, subtitles → Markdown   but not templates, whose lines are code
    canvas of notes, diagram → Markdown                the text of its cards and arrows
    exported notes, outline → Markdown                 sections and lists
    man page → Markdown, line by line                   pages of plain text lose their heads and feet
    PDF, Word, PowerPoint, Excel → text with its pages  office/, in another process

A record of a rendered format has `language="markdown"`, the format of its text, and `rendered` names the original format; its
metadata hold the places of its text in the file, so that citations name them: the lines of a page, the pages of a PDF.
Other records have the text of the file unchanged, with its line endings, so a span is a place in the file. This module does
not redact: text must go through `guard.secrets.redact` before it is stored or shown.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from daypack.doors.reading.cards import render_cards
from daypack.doors.reading.chats.assistants import render_conversations
from daypack.doors.reading.chats.exports import render_chat
from daypack.doors.reading.chats.lines import render_chat_lines
from daypack.doors.reading.chats.mailboxes import is_message
from daypack.doors.reading.chats.subtitles import render_subtitles
from daypack.doors.reading.decoding import Decoded, decode
from daypack.doors.reading.languages import detect_language
from daypack.doors.reading.names import DOCUMENT_BEGINNINGS, DOCUMENTS, forbidden, saved_as, unwanted
from daypack.doors.reading.notes.evernote import render_evernote, without_data
from daypack.doors.reading.notes.keep import render_keep
from daypack.doors.reading.notes.outlines import render_graph, render_opml
from daypack.doors.reading.office.text import rows_of, table_lines
from daypack.doors.reading.pages.canvas import render_canvas, render_drawing
from daypack.doors.reading.pages.diagrams import render_diagram, render_excalidraw
from daypack.doors.reading.pages.feeds import render_feed
from daypack.doors.reading.pages.notebooks import render_notebook
from daypack.doors.reading.pages.rendering import render_html
from daypack.doors.reading.pages.templates import is_program, is_shell, is_template
from daypack.doors.reading.places.aligning import lines_in_file
from daypack.doors.reading.printed.manuals import render_man
from daypack.doors.reading.printed.paged import without_page_breaks
from daypack.doors.reading.titles import find_title, html_title
from daypack.doors.reading.walk import DEFAULT, FoundFile, WalkRules
from daypack.guard.fences import fence
from daypack.guard.paths import open_inside
from daypack.text.logs import is_log
from daypack.types import IngestIssue, Record, RecordKind, SkipReason


@dataclass(frozen=True, slots=True)
class _Raw:
    data: bytes
    size: int
    mtime_ns: int


# ---------------------------------------------------------------- reading


def read_file(found: FoundFile, rules: WalkRules = DEFAULT) -> Record | IngestIssue:
    """The record of a found file, or the issue that prevents it. Never blocks, never leaves the root, and never reads more than
    the size limit.
    """
    raw = _read(found, rules)
    if isinstance(raw, IngestIssue):
        return raw
    ending = found.uid.rpartition(".")[2].lower()
    if ending in DOCUMENTS and raw.data.strip() and not raw.data.startswith(DOCUMENTS[ending]):
        why = f"its bytes are not those of a .{ending} document; save it again, or rename it if it is text"
        return IngestIssue(found.uid, SkipReason.LOCKED_OR_DAMAGED, why)
    users = partial(_users_beside, found, rules)
    return record_from_bytes(raw.data, uid=found.uid, mtime_ns=raw.mtime_ns, size=raw.size, users=users)


def _users_beside(found: FoundFile, rules: WalkRules) -> str:
    """The list of people that Slack exports beside the folder of a channel; "" without one."""
    path = found.path.parent.parent / "users.json"
    if not path.is_relative_to(found.root):
        return ""
    raw = _read(found._replace(place=str(path), uid=path.name), rules)
    return raw.data.decode("utf-8", "replace") if isinstance(raw, _Raw) else ""


def _read(found: FoundFile, rules: WalkRules) -> _Raw | IngestIssue:
    for _ in range(2):
        try:
            raw = _read_once(found, rules)
        except OSError as error:
            return IngestIssue(found.uid, *_trouble(error))
        if raw is not None:
            return raw
    why = "it changed twice while it was read; the next refresh tries again"
    return IngestIssue(found.uid, SkipReason.CHANGED_WHILE_READING, why)


def _read_once(found: FoundFile, rules: WalkRules) -> _Raw | None:
    """The bytes; None when they have changed in the meantime. Raises OSError, also for a large or special file."""
    descriptor = open_inside(found.root, found.path.parts[len(found.root.parts) :])
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise _Refused(SkipReason.NOT_A_FILE, "it is no longer a regular file")
        if refusal := rules.too_large(found.path.name, before.st_size):
            raise _Refused(*refusal)
        limit = rules.limit(found.path.name)
        parts: list[bytes] = []
        length = 0
        # Reads little more than the expected size, because allocating a megabyte takes as long as reading a small file.
        while block := os.read(
            descriptor, min(max(before.st_size - length, 4_096), 1 << 20, limit + 1 - length)
        ):
            parts.append(block)
            length += len(block)
            if length > limit:  # the file has grown, or its size is not that of fstat (as in /proc)
                raise _Refused(SkipReason.TOO_LARGE, f"more than {limit:,} bytes")
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or length != after.st_size:
        return None
    return _Raw(b"".join(parts), length, after.st_mtime_ns)


class _Refused(OSError):
    def __init__(self, reason: SkipReason, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


def _trouble(error: OSError) -> tuple[SkipReason, str]:
    if isinstance(error, _Refused):
        return error.reason, error.detail
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return SkipReason.OUTSIDE_ROOT, "a link took its place, or that of a folder above it"
    if error.errno == errno.ENXIO:
        return SkipReason.NOT_A_FILE, "a socket or device took its place"
    return SkipReason.UNREADABLE, (error.strerror or str(error)).lower()


def record_from_bytes(
    data: bytes,
    *,
    uid: str,
    mtime_ns: int = 0,
    size: int = 0,
    fetched: bool = False,
    users: Callable[[], str] = str,
) -> Record | IngestIssue:
    """The record of a file's bytes, or the issue that prevents it. `uid` is the file's path; its name and the first bytes decide
    the language. HTML that was fetched is a page, whatever it holds. `users` reads the people of a chat of Slack.
    """
    name = uid.rpartition("/")[2]
    file = Record(
        uid=uid,
        text="",
        uri=uid,
        title=name,
        time=mtime_ns / 10**9 if mtime_ns else None,
        mtime_ns=mtime_ns,
        size=size or len(data),
    )
    if data.startswith(DOCUMENT_BEGINNINGS):
        # imported here, because it starts processes, and most projects have no documents
        from daypack.doors.reading.office.extract import form_of

        if form := form_of(uid, data):
            return _document(file, data, form)
    is_mail = name.lower().endswith((".eml", ".emlx", ".mbox")) or data.startswith(b"From ")
    if is_mail or is_message(uid, data):
        from daypack.doors.reading.mail import read_mail  # 30 ms; most projects have no mail

        if (mail := read_mail(data, _attachment)) is not None:
            read = replace(
                file,
                text=mail.text,
                title=mail.title or name,
                language="markdown",
                rendered="mail",
                author=mail.author,
                time=mail.time or file.time,
            )
            return replace(read, metadata=_lines_of(data.decode("utf-8", "replace"), read))
    if name.lower().endswith((".mht", ".mhtml")):
        from daypack.doors.reading.mail import saved_page

        if page := saved_page(data):
            source = data.decode("utf-8", "replace")
            return _of_text(file, Decoded(page), fetched=True, known="html", source=source)
    decoded = decode(data)
    if isinstance(decoded, Decoded):
        return _of_text(file, decoded, fetched=fetched, users=users)
    reason, detail = decoded
    return IngestIssue(uid, reason, detail + (saved_as(name) if reason is SkipReason.BINARY else ""))


def _attachment(name: str, data: bytes) -> str:
    """The text of a file that is attached to a mail, in Markdown; "" for one that would not be read from a folder."""
    if unwanted(name) or forbidden(name, name, is_folder=False):
        return ""
    record = record_from_bytes(data, uid=name, fetched=True)
    if not isinstance(record, Record):
        return ""
    if record.language in ("csv", "tsv"):
        return "\n".join(table_lines(rows_of(record.text)))
    if record.language in ("markdown", "text", ""):
        return record.text
    mark = fence(record.text)
    return f"{mark}{record.language}\n{record.text}\n{mark}"


def _of_text(
    file: Record,
    decoded: Decoded,
    *,
    fetched: bool,
    known: str = "",
    source: str = "",
    users: Callable[[], str] = str,
) -> Record | IngestIssue:
    """The record of a text file, in a `known` language or that of its name; notebooks and web pages are rendered. `source` is the
    file where the text is encoded in it.
    """
    uid, name, text = file.uid, file.title, decoded.text
    if "\n" not in text:  # an old Mac ends its lines so, and each editor shows them
        text = text.replace("\r", "\n")
    if not text or text.isspace():
        return IngestIssue(uid, SkipReason.EMPTY, "no text")
    head = text[:1024]
    language, kind = (known, file.kind) if known else detect_language(name, head)
    if language in _MAYBE_LOGS and is_log(text):
        language = "log"
    elif language == "text":
        text = without_page_breaks(text)
    if language in _MINIFIABLE and (long := _average_line(text)) > MAX_AVERAGE_LINE:
        return IngestIssue(uid, SkipReason.MINIFIED, f"its lines have {long:,.0f} characters on average")
    metadata: dict[str, Any] = {}
    if decoded.encoding != "utf-8":
        metadata["encoding"] = decoded.encoding
    is_bundle = kind is RecordKind.CODE and _is_bundle(text, head)
    if is_bundle or _says_generated(head) or (language == "html" and _API_PAGE.search(head)):
        metadata["generated"] = True
    plain = replace(file, text=text, kind=kind, title="", language=language)
    read = _rendered(plain, fetched=fetched, users=users)
    if not read.text or read.text.isspace():
        return IngestIssue(uid, SkipReason.EMPTY, "it has no text after rendering")
    metadata |= read.metadata or _lines_of(source or text, read)
    title = read.title or find_title(read.text, read.language) or name
    return replace(read, title=title, metadata=metadata)


def _lines_of(source: str, read: Record) -> dict[str, Any]:
    """The lines of the file behind those of its text, as metadata; nothing where both have the same."""
    if not read.rendered or read.rendered in _LINE_BY_LINE:
        return {}
    places = lines_in_file(source, read.text)
    return {"pages": places} if places else {}


def _rendered(file: Record, *, fetched: bool, users: Callable[[], str]) -> Record:
    """The record with its text in Markdown and the title in it, for a format that is read so; else as it is."""

    def as_markdown(text: str, rendered: str, title: str = "") -> Record:
        return replace(file, text=text, title=title, language="markdown", rendered=rendered)

    text, language = file.text, file.language
    if language == "notebook" and (cells := render_notebook(text)):
        return replace(as_markdown(cells.text, language), metadata={"pages": cells.pages})
    if language == "canvas" and (board := render_canvas(text)) is not None:
        return as_markdown(board, language)
    if language in ("notebook", "canvas"):
        return replace(file, language="json")
    if language == "markdown" and (drawing := render_drawing(text)) is not None:
        return as_markdown(drawing, "drawing")
    if language == "man":
        return as_markdown(render_man(text), "man", find_title(text, language))
    if language in _PAGES and not fetched and is_template(text):
        return replace(file, kind=RecordKind.CODE)
    if language == "html":
        title, page = html_title(text), render_html(text)
        if page is None:
            return replace(file, title=title)
        is_filled = not page.strip() or is_program(text, page) or is_shell(text, page)
        if is_filled and not fetched:
            return replace(file, title=title, kind=RecordKind.CODE)
        return as_markdown(page, "html", title)
    if language == "xml":
        if feed := render_feed(text):
            return replace(as_markdown(feed.text, "feed", feed.title), kind=RecordKind.DOCUMENT)
        if notes := render_evernote(text):
            read = as_markdown(notes.text, "notes", notes.title)
            return replace(read, metadata=_lines_of(without_data(text), read))
        if notes := render_opml(text):
            return as_markdown(notes.text, "notes", notes.title)
        if diagram := render_diagram(text):
            return as_markdown(diagram, "diagram")
    if language == "json":
        if chat := render_chat(text, users) or render_conversations(text):
            return replace(as_markdown(chat.text, "chat", chat.title), kind=RecordKind.DOCUMENT)
        if notes := render_keep(text) or render_graph(text):
            return as_markdown(notes.text, "notes", notes.title)
        if diagram := render_excalidraw(text):
            return as_markdown(diagram, "diagram")
    if language == "text" and (lines := render_chat_lines(text)):
        return as_markdown(lines, "chat")
    if language == "text" and (spoken := render_subtitles(text)):
        return replace(as_markdown(spoken.text, "subtitles", spoken.title), kind=RecordKind.DOCUMENT)
    if cards := render_cards(text):
        return as_markdown(cards.text, cards.kind, cards.title)
    return file


def _document(file: Record, data: bytes, form: str) -> Record | IngestIssue:
    """The record of a document, which another process reads."""
    from daypack.doors.reading.office.extract import Extracted, extract

    found = extract(data, form)
    if not isinstance(found, Extracted):
        return IngestIssue(file.uid, *found)
    if not found.text.strip():
        return IngestIssue(file.uid, SkipReason.EMPTY, "it contains no text")
    return replace(
        file,
        text=found.text,
        title=found.title or file.title,
        language=found.language,
        rendered=form,
        metadata={"pages": found.pages},
    )


_LINE_BY_LINE = frozenset({"man", "drawing"})
_MINIFIABLE = frozenset({"javascript", "css", "scss"})
_PAGES = frozenset({"html", "jinja2", "gotmpl"})
_MAYBE_LOGS = frozenset({"text", "ndjson"})  # `server.log.1`, `app.out`, `app.jsonl`
MAX_AVERAGE_LINE = 500
# Searched only before the first line of code, because a generator has such sentences in its strings.
_OPENING = re.compile(
    r"""(?:\s*+(?:(?:\#|//|--|;|%).*|/\*[\s\S]*?(?:\*/|\Z)|<!--[\s\S]*?(?:-->|\Z)|=begin\b[\s\S]*?(?:\n=end\b.*|\Z)|\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)|<\?php|["']use\ strict["'];?))*+"""
)
_GENERATED = re.compile(
    r"(?i:\b(?:do not|don'?t|never(?: ever)?) (?:edit|modify|change) (?:(?:this|it)(?: file)? )?(?:manually|by hand)\b)"
    r"|@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|(?m:(?:^\W*|[.;:!]\s+|\s-+\s+|[Pp]lease )[Dd]o not edit[ \t]*(?:[.!*#-]|$))"
    r"|[Aa]uto-?generated (?:by|from|file|on \d|distributable)\b|Generated by the protocol buffer|A Bison parser, made by"
    # all sources of a library in one file
    r"|\bfile (?:is an amalgamation of|has been merged from multiple)\b|(?m:^\W*[\w+-]+ amalgamated (?:forward )?(?:header|source)\b)"
    r"|(?im:^\W*(?:This (?:file|code) (?:is|was|has been) |Code )?(?:automatically )?generated (?:by|from|with|using|via)\b)"
)
# one in each of these sentences
_SIGNS = ("nerated", "NERATED", "DO NOT ", "o not edit", "Bison", "manually", "by hand", "malgam", "merged f")


# How bundles begin: those of webpack, of browserify, of esbuild, and of the loaders before them.
_LOADER = re.compile(
    r"\bwebpack(?:UniversalModuleDefinition|Bootstrap)\b|\bvar define,module,exports;|\bCannot find module '\"\+\w"
    r"|\bvar __defProp = Object\.defineProperty;|\bmod(?:ule)? = require\.modules\["
)
# Sentences of reference pages that a program made from the comments of code.
_API_PAGE = re.compile(
    r"(?i)<!-- (?:generated by|html header for) (?:javadoc|doxygen)\b"
    r"|<meta\s+name=\"?generator\"?\s+content=\"(?:javadoc|doxygen|rustdoc|docfx|dokka|phpdocumentor)\b"
)


def _says_generated(head: str) -> bool:
    """True when the opening comments of a file state that a program wrote it."""
    if not any(sign in head for sign in _SIGNS):
        return False
    opening = _OPENING.match(head)
    return opening is not None and _GENERATED.search(opening[0]) is not None


def _is_bundle(text: str, head: str) -> bool:
    """True for JavaScript that begins with the loader of its modules, and for any file whose last line names the map to the sources that it was built from."""
    if _LOADER.search(head):
        return True
    last = text[text.rstrip().rfind("\n") + 1 :]
    return last.startswith(("//# sourceMappingURL=", "//@ sourceMappingURL=", "/*# sourceMappingURL="))


def _average_line(text: str) -> float:
    return len(text) / (text.count("\n") + 1)
