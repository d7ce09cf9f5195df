"""From bytes to a `Record`: open without following links, read within a bound, decode, name the language,
render.

    open_inside → fstat → read → fstat again      a file that changes under us is read once more, then passed over
    BOM · magic · NUL · UTF-8 · cp1252 · Latin-1  the bytes decide what is text, not the name
    notebook → Markdown with fences               cell outputs are kept when they are short text
    HTML     → Markdown
    PDF, Word, PowerPoint, Excel → text with its pages     office.py, in another process

Rendered formats carry `language="markdown"`, because that is what the chunker has in its hands, and
`rendered` names what they were. Everything else keeps its bytes' text as it is, line endings included, so a
span is a place in the file. Text is not redacted here: what is read must go through `guard.secrets.redact`
before it is stored or shown.
"""

from __future__ import annotations

import errno
import html
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from daypack.doors.reading.languages import detect_language
from daypack.doors.reading.walk import DEFAULT, FoundFile, WalkRules
from daypack.guard.paths import open_inside
from daypack.types import IngestIssue, Record, SkipReason

__all__ = ["decode", "detect_language", "read_file", "record_from_bytes"]

MAX_OUTPUT_LINES = 12  # of one notebook cell; guess
MAX_OUTPUT_CHARACTERS = 1_000

# What common binary formats begin with. Those that begin with printable characters (PDF, SQLite, …) need this
# list, the others would be found by their NUL bytes as well, but "a PNG image" says more than "NUL bytes".
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\x7fELF", "an ELF binary"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xca\xfe\xba\xbe", "a class file or Mach-O binary"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O binary"),
    (b"\xfe\xed\xfa\xcf", "a Mach-O binary"),
    (b"\x00asm", "WebAssembly"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"OggS", "Ogg media"),
    (b"fLaC", "FLAC audio"),
    (b"ID3\x03", "MP3 audio"),
    (b"ID3\x04", "MP3 audio"),
    (b"wOFF", "a web font"),
    (b"wOF2", "a web font"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"!<arch>\n", "an ar archive"),
)
_MAGICS = tuple(magic for magic, _ in _MAGIC)

# UTF-32 before UTF-16: its little-endian mark begins with the one of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1b\x08") + b"\x7f"
_HIGH = bytes(range(128, 256))


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and the encoding that gave it."""

    text: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class _Raw:
    data: bytes
    size: int
    mtime_ns: int


# ---------------------------------------------------------------- reading


def read_file(found: FoundFile, rules: WalkRules = DEFAULT) -> Record | IngestIssue:
    """The record of a file that a walk found.

    Never blocks, never leaves the root, never holds more than the size limit.
    """
    raw = _read(found, rules)
    return (
        raw
        if isinstance(raw, IngestIssue)
        else record_from_bytes(raw.data, uid=found.uid, mtime_ns=raw.mtime_ns, size=raw.size)
    )


def _read(found: FoundFile, rules: WalkRules) -> _Raw | IngestIssue:
    limit = rules.limit(found.path.name)
    for _ in range(2):
        try:
            raw = _read_once(found, limit)
        except OSError as error:
            return IngestIssue(found.uid, *_trouble(error))
        if raw is not None:
            return raw
    return IngestIssue(
        found.uid,
        SkipReason.CHANGED_WHILE_READING,
        "it changed twice while it was read; the next refresh tries again",
    )


def _read_once(found: FoundFile, limit: int) -> _Raw | None:
    """The bytes, None when they changed meanwhile. Raises OSError, also for what is no file or too large."""
    descriptor = open_inside(found.root, found.path.parts[len(found.root.parts) :])
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise _Refused(SkipReason.NOT_A_FILE, "it is no regular file any more")
        if before.st_size > limit:
            raise _Refused(SkipReason.TOO_LARGE, f"{before.st_size:,} bytes, at most {limit:,} are read")
        parts: list[bytes] = []
        length = 0
        # No more than there should be: room for a megabyte is made and given back in the time that a small
        # file takes to read.
        while block := os.read(
            descriptor, min(max(before.st_size - length, 4_096), 1 << 20, limit + 1 - length)
        ):
            parts.append(block)
            length += len(block)
            if length > limit:  # it grew, or its size is not what fstat says (as in /proc)
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


def record_from_bytes(data: bytes, *, uid: str, mtime_ns: int = 0, size: int = 0) -> Record | IngestIssue:
    """The record of a file's bytes.

    `uid` is its path; its name decides the language together with the first bytes.
    """
    if data.startswith((b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        # it starts processes; most projects have no documents
        from daypack.doors.reading.office import form_of

        if form := form_of(uid, data):
            return _document(data, form, uid=uid, mtime_ns=mtime_ns, size=size)
    decoded = decode(data)
    if not isinstance(decoded, Decoded):
        return IngestIssue(uid, *decoded)
    text = decoded.text
    if not text or text.isspace():
        return IngestIssue(uid, SkipReason.EMPTY, "no text")
    name, head = uid.rpartition("/")[2], text[:1024]
    language, kind = detect_language(name, head)
    if language in _MINIFIABLE and (long := _average_line(text)) > MAX_AVERAGE_LINE:
        return IngestIssue(uid, SkipReason.MINIFIED, f"its lines have {long:,.0f} characters on average")
    metadata: dict[str, Any] = {}
    if decoded.encoding != "utf-8":
        metadata["encoding"] = decoded.encoding
    if ("enerated" in head or "DO NOT " in head) and _GENERATED.search(head):
        metadata["generated"] = True
    rendered, title = "", ""
    if language == "notebook":
        notebook = render_notebook(text)
        if notebook is None:
            language = "json"
        else:
            text, rendered, language = notebook, "notebook", "markdown"
    elif language == "html":
        title = _html_title(text)
        page = render_html(text)
        if page is not None:
            text, rendered, language = page, "html", "markdown"
    if not text or text.isspace():
        return IngestIssue(uid, SkipReason.EMPTY, "nothing is left to read once it is rendered")
    return Record(
        uid=uid,
        text=text,
        kind=kind,
        door="files",
        uri=uid,
        title=title or find_title(text, language) or name,
        language=language,
        rendered=rendered,
        time=mtime_ns / 10**9 if mtime_ns else None,
        metadata=metadata,
        mtime_ns=mtime_ns,
        size=size or len(data),
    )


def _document(data: bytes, form: str, *, uid: str, mtime_ns: int, size: int) -> Record | IngestIssue:
    """The record of a document that another process reads."""
    from daypack.doors.reading.office import Extracted, extract

    found = extract(data, form)
    if not isinstance(found, Extracted):
        return IngestIssue(uid, *found)
    if not found.text.strip():
        return IngestIssue(uid, SkipReason.EMPTY, "there is no text in it")
    return Record(
        uid=uid,
        text=found.text,
        door="files",
        uri=uid,
        title=found.title or uid.rpartition("/")[2],
        language=found.language,
        rendered=form,
        time=mtime_ns / 10**9 if mtime_ns else None,
        metadata={"pages": found.pages},
        mtime_ns=mtime_ns,
        size=size or len(data),
    )


_MINIFIABLE = frozenset({"javascript", "css", "scss"})
MAX_AVERAGE_LINE = 500
_GENERATED = re.compile(
    r"@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|[Aa]uto-?generated (?:by|from|file)\b|Generated by the protocol buffer"
)


def _average_line(text: str) -> float:
    return len(text) / (text.count("\n") + 1)


# ---------------------------------------------------------------- decoding


def decode(data: bytes) -> Decoded | tuple[SkipReason, str]:
    """Bytes as text, or why they are none. A byte order mark is taken off; everything else stays."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError:
                break  # not the mark it looked like
            if "\0" in text:
                break
            return Decoded(text, encoding)
    if data.startswith(_MAGICS):
        return SkipReason.BINARY, next(what for magic, what in _MAGIC if data.startswith(magic))
    if b"\0" in data:
        return SkipReason.BINARY, "it holds NUL bytes"
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _decode_legacy(data: bytes) -> Decoded | tuple[SkipReason, str]:
    control = len(data) - len(data.translate(None, _CONTROL))
    if control > len(data) // 200:
        return SkipReason.BINARY, f"{control:,} control characters in {len(data):,} bytes"
    # A UTF-8 file with a few broken bytes is still UTF-8: more characters of several bytes came out whole
    # than broke.
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd")
    if sum(1 for character in mended if character > "\x7f") - broken > broken:
        return Decoded(mended, "utf-8 with errors")
    high = len(data) - len(data.translate(None, _HIGH))
    # Western European text has a few per cent; other scripts would come out as noise
    if high > 0.3 * len(data):
        return SkipReason.UNREADABLE, "neither UTF-8 nor Western European text; save it as UTF-8"
    try:
        return Decoded(data.decode("cp1252"), "cp1252")
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1")


# ---------------------------------------------------------------- titles


_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_FRONT_MATTER_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HTML_TITLE = re.compile(r"<title\b[^>]{0,200}>([^<]{1,500})</title", re.IGNORECASE)
_TITLE_LINES = 400  # a first heading further down is no title


def find_title(text: str, language: str) -> str:
    """The title that a document gives itself, "" when it gives none."""
    if language == "markdown":
        return _markdown_title(text)
    if language == "rst":
        return _rst_title(text)
    return ""


def _markdown_title(text: str) -> str:
    lines = text[:200_000].splitlines()[:_TITLE_LINES]
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
        if heading and heading[1]:
            return _plain(heading[1])
        below = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if len(below) > 2 and not below.strip("=") and line.strip():
            return _plain(line)
    return fallback


_ADORNING = frozenset("=-~^*#+\"'`.:_")


def _rst_title(text: str) -> str:
    lines = text[:50_000].splitlines()[:_TITLE_LINES]
    for line, below in pairwise(lines):
        if below[:1] not in _ADORNING:  # nearly every line
            continue
        title, mark = line.strip(), below.rstrip()
        if (
            len(mark) >= max(3, len(title))
            and mark[0] in "=-~^*#+\"'`.:_"
            and not mark.strip(mark[0])
            and title.strip("=-~^*#+\"'`.:_")
        ):
            return title
    return ""


def _html_title(text: str) -> str:
    match = _HTML_TITLE.search(text, 0, 100_000)
    return " ".join(html.unescape(match[1]).split()) if match else ""


def _plain(heading: str) -> str:
    """A heading without link targets, images and emphasis marks."""
    heading = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", heading)
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[*`]+|<[^>]*>", "", heading).strip()


# ---------------------------------------------------------------- rendering


def render_html(text: str) -> str | None:
    """The page as Markdown; None when it cannot be converted.

    Scripts, styles, navigation and inline images go.
    """
    import html_to_markdown  # 50 ms; only a project with pages pays for it

    options = html_to_markdown.ConversionOptions(
        extract_metadata=False,  # it would stand in front as front matter
        inline_data_media="ALT_TEXT_ONLY",
    )
    try:
        return html_to_markdown.convert(text, options).content
    except Exception:  # a native parser on hostile input: whatever it raises, the text itself is still there
        return None


def render_notebook(text: str) -> str | None:
    """A Jupyter notebook as Markdown: prose as it is, code in fences, short text outputs behind their code.

    None when it is no notebook. A fence's info string says which cell it was: "python cell 3".
    """
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None:  # format 3 kept them in worksheets
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
    """nbformat writes text as one string or as a list of lines."""
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
        return ""  # encoded data, not something that was printed to be read
    shown = "\n".join(lines[:MAX_OUTPUT_LINES])[:MAX_OUTPUT_CHARACTERS]
    return shown if len(shown) == len("\n".join(lines)) else f"{shown}\n…"


def _fence(text: str, info: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{info}\n{text}\n{mark}"
