"""Finds transcripts, and reads them in their formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from daypack.doors.sessions.transcripts import chats, opencode_storage
from daypack.doors.sessions.transcripts.aider import aider_steps, is_aider
from daypack.doors.sessions.transcripts.claude import claude_steps, is_claude_line
from daypack.doors.sessions.transcripts.codex import codex_steps, is_codex_line
from daypack.doors.sessions.transcripts.copilot import copilot_steps, is_copilot_line
from daypack.doors.sessions.transcripts.gemini import gemini_steps, is_gemini_line, is_log, log_steps
from daypack.doors.sessions.transcripts.opencode import is_opencode, opencode_steps
from daypack.doors.sessions.types import Step
from daypack.errors import InputError
from daypack.shapes.loose_json import parsed

LARGEST_TRANSCRIPT = 256 << 20
LONGEST_LINE = 32 << 20


@dataclass(slots=True)
class Reading:
    """The steps of one file. `broken` is the number of skipped lines; `client` is "" when the file is not a transcript."""

    client: str = ""
    steps: list[Step] = field(default_factory=list)
    broken: int = 0


_LineSteps = Callable[[Sequence[Mapping[str, Any]], Path], Iterator[Step]]
_LINE_FORMATS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool], _LineSteps], ...] = (
    ("claude-code", is_claude_line, claude_steps),
    ("codex", is_codex_line, codex_steps),
    ("copilot", is_copilot_line, copilot_steps),
    ("opencode", is_opencode, opencode_steps),
    ("gemini", is_gemini_line, gemini_steps),
    ("chat", chats.is_chat_line, chats.chat_steps),
)


_TEXTS = (".md", ".txt")
_INSTALLED = ("node_modules", "site-packages")
_CHATS = ".specstory"  # where an extension of editors keeps chats
_PATTERNS = ("*.json*", *(f"*{ending}" for ending in _TEXTS), opencode_storage.DATABASES)
OF_SUB_AGENTS = "subagents"  # folders of Claude Code and Cursor; the session gets the answer
OF_CURSOR = "agent-transcripts"  # the folder in which Cursor keeps those of a project


def is_of_cursor(path: Path) -> bool:
    """True for a transcript where Cursor keeps it, under the name that hooks give to its session."""
    return OF_CURSOR in path.parts


def _is_chat(path: Path) -> bool:
    """True for a text with turns of a user and of an assistant; most texts in a folder are none."""
    try:
        text = _text_of(path)
    except (OSError, ValueError):
        return False
    return is_aider(text) or {turn["role"] for turn in chats.turns_of_text(text)} == {"user", "assistant"}


def _is_hidden(found: Path, folder: Path) -> bool:
    """True for a file in a hidden folder, or one of installed packages, inside `folder`."""
    inside = found.relative_to(folder).parts[:-1]
    return any(part in _INSTALLED or (part.startswith(".") and part != _CHATS) for part in inside)


def _text_of(path: Path) -> str:
    if (size := path.stat().st_size) > LARGEST_TRANSCRIPT:
        raise ValueError(f"{size:,} bytes, at most {LARGEST_TRANSCRIPT:,} are read")
    return path.read_bytes().decode("utf-8", "replace")


def find_transcripts(paths: Sequence[Path | str]) -> Iterator[Path]:
    """The transcripts among the paths, and in those that are folders, where a text counts only if it is a chat
    in no hidden folder or one of installed packages. Raises InputError for a missing path."""
    for named in paths:
        path = Path(os.path.abspath(named))  # the folders above tell the form of some
        if path.is_dir():
            names = sorted(found for pattern in _PATTERNS for found in path.rglob(pattern))
            for found in names:
                if (
                    found.is_file()
                    and not found.is_symlink()
                    and OF_SUB_AGENTS not in found.relative_to(path).parts
                    and not opencode_storage.is_piece(found)
                    and (found.suffix not in _TEXTS or (not _is_hidden(found, path) and _is_chat(found)))
                ):
                    yield from _sessions_in(found)
        elif path.is_file():
            yield from _sessions_in(path)
        elif opencode_storage.is_database(path.parent):
            yield path
        else:
            raise InputError(f"{named} does not exist; name a transcript, or a folder of them")


def _sessions_in(path: Path) -> Iterator[Path]:
    """The file itself; the sessions in a database of opencode, each by its name."""
    try:
        yield from (
            (kept.path for kept in opencode_storage.kept_in_database(path))
            if opencode_storage.is_database(path)
            else [path]
        )
    except (OSError, ValueError):
        yield path  # reading it says why


def read_transcript(path: Path) -> Reading:
    """The steps of a file in any known format, or of a session in a database. Raises OSError, and ValueError for a file that is
    too large, or a database that cannot be read.
    """
    if opencode_storage.is_database(path.parent):
        return Reading(
            "opencode", [*opencode_steps([opencode_storage.export_of_database(path.parent, path.name)], path)]
        )
    if opencode_storage.is_database(path):
        return Reading("opencode" if opencode_storage.kept_in_database(path) else "")
    text = _text_of(path)
    head = text[:4096].lstrip("\ufeff \t\r\n")
    if head.startswith("["):
        return _whole_file(text, path)
    if head.startswith("{"):
        reading = _lines(text, path)
        return reading if reading.client else _whole_file(text, path)
    if is_aider(text):
        return Reading("aider", [*aider_steps(text, path)])
    turns = chats.turns_of_text(text)
    chat = {"messages": turns, "timestamp": chats.exported_at(text, path.stat().st_mtime)}
    return Reading("chat", [*chats.steps_of_chat(chat, path, 0)]) if turns else Reading()


def _lines(text: str, path: Path) -> Reading:
    lines: list[dict[str, Any]] = []
    broken = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        value = parsed(line, None) if len(line) <= LONGEST_LINE else None
        if isinstance(value, dict):
            lines.append(value)
        else:
            broken += 1
    for client, belongs, steps in _LINE_FORMATS:
        if any(belongs(line) for line in lines[:50]):
            found = [*steps(lines, path)]
            return Reading(client if found or client != "chat" else "", found, broken)
    return Reading("", [], broken)


def _whole_file(text: str, path: Path) -> Reading:
    value = parsed(text, None)
    if value is None:
        return Reading("", [], 1)
    if isinstance(value, dict) and opencode_storage.is_in_files(path):
        value = opencode_storage.export_of_files(path)
    if isinstance(value, dict) and is_opencode(value):
        return Reading("opencode", [*opencode_steps([value], path)])
    if isinstance(value, dict) and is_gemini_line(value):
        return Reading("gemini", [*gemini_steps([value], path)])
    if is_log(value):
        return Reading("gemini", [*log_steps(value, path)])
    steps = [
        step
        for number, chat in enumerate(chats.conversations(value))
        for step in chats.steps_of_chat(chat, path, number)
    ]
    return Reading("chat" if steps else "", steps)
