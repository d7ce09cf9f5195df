"""Aider's history of a project, `.aider.chat.history.md`, becomes steps of sessions.

    # aider chat started at 2026-11-02 09:00:00
    #### a request, each of its lines with two spaces at the end
    > a line of the program, with two spaces at the end: a question, "Applied edit to src/pump.py"
    the answer, below an empty line; the further lines of several that the program writes at once have no sign either

A line with these beginnings but without the two spaces belongs to the answer. Only the start of a session has a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from daypack.doors.sessions.transcripts.values import moment_of
from daypack.doors.sessions.types import Did, Said, Step

HISTORY = ".aider.chat.history.md"
_START = re.compile(r"^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[ \t]*$", re.MULTILINE)
_LINE = re.compile(r"(####|>) ?(.*?)[ ]{2}")
_EDITED, _SCRAPED = re.compile(r"Applied edit to (.+)"), re.compile(r"Scraping (.+)\.\.\.")
_ASKING = re.compile(r"/(?:ask|code|architect|context)\s+")
"""Commands before a request; the text behind others is for the program."""
_RUNNING = re.compile(r"(?:!|/run\s+|/test\s+)(.+)", re.DOTALL)


def is_aider(text: str) -> bool:
    return _START.match(text.lstrip("\ufeff \t\r\n")) is not None


def aider_steps(text: str, path: Path) -> Iterator[Step]:
    starts = [*_START.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        time = moment_of(start[1]) or path.stat().st_mtime
        session = f"{re.sub('[-:]', '', start[1]).replace(' ', '-')}-aider"
        for number, (who, said) in enumerate(_turns(text[start.end() : end])):
            what = _what(who, said.strip())
            if what is not None:
                at = time + 0.001 * number  # only the order is known
                yield Step(session, at, what, f"{number}", client="aider", folder=str(path.parent))


def _turns(text: str) -> Iterator[tuple[str, str]]:
    """(author, text) of each turn: "####" for the user, ">" for a line of the program, "" for the answer."""
    author, lines = "", list[str]()
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found is None and author == ">" and line.strip():  # the program wrote several lines at once
            lines.append(line)
            continue
        now = found[1] if found else ""
        if now != author or now == ">":
            yield author, "\n".join(lines)
            author, lines = now, []
        lines.append(found[2] if found else line)
    yield author, "\n".join(lines)


def _what(who: str, text: str) -> Said | Did | None:
    if not text or text == "<blank>":
        return None
    if who == "":
        return Said("assistant", text)
    if who == ">":
        if scraped := _SCRAPED.fullmatch(text):  # the answer below may be from this page
            return Did("web_fetch", {"url": scraped[1]})
        edited = _EDITED.fullmatch(text)
        return Did("edit", {"file_path": edited[1]}, "", failed=False) if edited else None
    if run := _RUNNING.fullmatch(text):
        return Did("shell", {"command": run[1]})
    text = _ASKING.sub("", text, count=1) if _ASKING.match(text) else text
    return None if text.startswith("/") else Said("user", text)
