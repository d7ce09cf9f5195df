"""Memories in Markdown: notes with front matter, and sections of files such as CLAUDE.md."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from daypack.types import IngestIssue, SkipReason

LARGEST_NOTE = 1 << 20  # bytes of a Markdown file
MOST_NOTES = 5_000
ENDINGS = frozenset({"", ".markdown", ".md", ".mdc", ".mdx", ".txt"})  # of a file that is imported by itself


@dataclass(frozen=True, slots=True)
class Note:
    """One memory of a Markdown file."""

    key: str
    value: str
    tags: tuple[str, ...] = ()


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"(\s*)([A-Za-z_][\w-]*):[ \t]*(.*)")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def notes_in(text: str, base: str) -> list[Note]:
    """The memories of a Markdown file called `base`.

    A file with front matter is one memory, under its `name`; `tags` and `type` become tags. Any other file
    gives one memory a heading.
    """
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    match = _FRONT_MATTER.match(text)
    if match:
        fields = _fields(match[1])
        body = text[match.end() :].strip()
        description = " ".join(fields.get("description", []))
        value = f"{description}\n\n{body}".strip() if description and description not in body else body
        folder, _, last = base.rpartition("/")
        name = _slug(" ".join(fields.get("name", []))) or last
        kinds = [*fields.get("tags", []), *fields.get("type", [])]
        tags = tuple(sorted({tag.lstrip("#").strip() for tag in kinds} - {""}))
        return [Note(f"{folder}/{name}" if folder else name, value, tags)] if value else []
    notes: dict[str, Note] = {}
    for heading, body in _sections(text):
        key = f"{base}/{heading}" if heading else base
        number = 2
        while key in notes:
            key, number = f"{base}/{heading}-{number}", number + 1
        notes[key] = Note(key, body)
    return [*notes.values()]


def _fields(block: str) -> dict[str, list[str]]:
    """The simple part of YAML: `name: words`, `tags: [a, b]`, and lists of `- item` below a name."""
    fields: dict[str, list[str]] = {}
    name = ""
    for line in block.split("\n"):
        match = _FIELD.fullmatch(line)
        if match:
            name, value = match[2].lower(), match[3].strip()
            inner = value[1:-1].split(",") if value.startswith("[") and value.endswith("]") else [value]
            fields[name] = [item for part in inner if (item := part.strip().strip("\"'").strip())]
        elif line.strip().startswith("- ") and name:
            fields[name].append(line.strip()[2:].strip().strip("\"'"))
    return fields


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """(path of headings as a slug, text below it) of each heading with text."""
    trail: list[tuple[int, str]] = []
    lines: list[str] = []
    fence = ""

    def done() -> Iterator[tuple[str, str]]:
        body = "\n".join(lines).strip()
        if body:
            # The title of the file says no more than its name.
            yield "/".join(slug for level, slug in trail if level > 1 or len(trail) == 1), body

    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = _HEADING.fullmatch(line) if not fence else None
        if heading is None:
            lines.append(line)
            continue
        yield from done()
        lines = []
        level = len(heading[1])
        trail = [(at, slug) for at, slug in trail if at < level]
        trail.append((level, _slug(heading[2]) or "section"))
    yield from done()


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", text.lower()))[:80]


# ---------------------------------------------------------------- files


def markdown_files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            if (
                name.lower().endswith(".md")
                and not path.is_symlink()
                and path.is_file()
                and count < MOST_NOTES
            ):
                count += 1
                yield path


def read_notes(path: Path, base: str, issues: list[IngestIssue]) -> list[Note]:
    try:
        if path.stat().st_size > LARGEST_NOTE:
            issues.append(
                IngestIssue(str(path), SkipReason.TOO_LARGE, f"larger than {LARGEST_NOTE >> 20} MiB")
            )
            return []
        return notes_in(path.read_text(encoding="utf-8"), base)
    except (OSError, UnicodeDecodeError) as error:
        issues.append(IngestIssue(str(path), SkipReason.UNREADABLE, str(error)))
        return []
