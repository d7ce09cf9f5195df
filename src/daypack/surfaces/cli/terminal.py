"""Standard output and error, for people and for pipes.

A terminal gets colour (not with NO_COLOR), a pager for output longer than its screen (PAGER; not with
NO_PAGER), and a progress bar for work of more than a second. A pipe gets the text alone.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import click

from daypack.errors import InputError
from daypack.guard.fences import both_ends, displayed
from daypack.ports import Progress

LONGEST_NOTE = 1_000  # characters
PATIENCE = 1.0  # seconds before a progress bar appears
UNCHANGED = "nothing was changed"

_quiet = ContextVar("quiet", default=False)


def be_quiet(quiet: bool = True) -> None:
    """Keep notes and progress back until the next command, or let them through again."""
    _quiet.set(quiet)


def write(text: str) -> None:
    """Write exactly this text to stdout; a terminal gets no text that drives it, and a missing line end."""
    _put(displayed(text) if sys.stdout.isatty() else text)


def _put(text: str) -> None:
    data = text.encode("utf-8", "replace")
    if sys.stdout.isatty() and data and not data.endswith(b"\n"):
        data += b"\n"
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does; it has all that it needs. Nothing is left to flush when
        # Python ends.
        _let_go()
        sys.exit(0)
    except OSError as error:
        raise OutputLost(error.errno, error.strerror) from None


class OutputLost(OSError):
    """Standard output took no text."""


def lost_output(error: OSError) -> str:
    """The message when standard output did not take its text, "" for another error."""
    try:
        sys.stdout.flush()  # click writes completions by itself: the stream still holds them
    except OSError as held:
        error = OutputLost(held.errno, held.strerror)
    if not isinstance(error, OutputLost):
        return ""
    _let_go()
    return f"standard output cannot be written ({error.strerror}); write elsewhere"


def _let_go() -> None:
    """Send the text that standard output holds, and all further text, nowhere: Python flushes it once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show(text: str, paint: str = "") -> None:
    """A whole answer: painted and paged on a terminal, exactly this text elsewhere."""
    if not sys.stdout.isatty():
        write(text)
        return
    text = displayed(text)
    if has_colour(os.environ):
        text = painted(text, paint)
    if pager := pager_for(text, os.environ):
        _page(text, pager)
    else:
        _put(text)


def attended() -> bool:
    """True when a person may be at the terminal: a stream is one."""
    return any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def note(text: str, *, always: bool = True) -> None:
    """Write a line for people; without `always` only where a person sees it, not in pipes."""
    if not _quiet.get() and (always or sys.stderr.isatty()):
        click.echo(f"{mark('cyan')} {both_ends(text, LONGEST_NOTE)}", err=True)


def mark(colour: str) -> str:
    """The name before a line on standard error."""
    if sys.stderr.isatty() and has_colour(os.environ):
        return click.style("daypack:", fg=colour)
    return "daypack:"


def print_json(data: Any) -> None:
    """Write one JSON value on its own line."""
    write(json.dumps(data) + "\n")


def confirm(question: str) -> bool:
    """Ask on standard error; standard input answers. Raises InputError when it ends without an answer, Abort at an interrupt.
    A command asks before it changes anything.
    """
    try:
        if click.confirm(question, err=True):
            return True
        note(UNCHANGED)
        return False
    except click.Abort as aborted:
        if isinstance(aborted.__context__, EOFError):
            click.echo(err=True)
            raise InputError(
                "standard input ended without an answer; add --yes to go on without a question"
            ) from None
        raise click.Abort(UNCHANGED) from None


# ---------------------------------------------------------------- colour


def has_colour(variables: Mapping[str, str]) -> bool:
    return not variables.get("NO_COLOR") and variables.get("TERM") != "dumb"


_BOLD, _CYAN, _DIM, _RED, _YELLOW, _PLAIN = (f"\x1b[{code}m" for code in (1, 36, 2, 31, 33, 0))
_FENCE = re.compile(r"`{3,}")
_PAINTS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "pack": (
        (re.compile(r"^\[\d+ [^\]]+\]"), rf"{_CYAN}\g<0>{_PLAIN}"),
        (re.compile(r"^\[[^\]]+\]$"), rf"{_BOLD}\g<0>{_PLAIN}"),
    ),
    "results": (
        (re.compile(r"^# .*$"), rf"{_BOLD}\g<0>{_PLAIN}"),
        # a name may have blanks: two and a score end it
        (re.compile(r"^( *\d+\. )(.+?(?=  -?\d+\.\d{3}(?:  |$))|\S+)"), rf"\1{_CYAN}\2{_PLAIN}"),
        (re.compile(r"^      [+-]\d.*$"), rf"{_DIM}\g<0>{_PLAIN}"),
    ),
    "checks": (
        (re.compile(r"^damage\b"), rf"{_RED}\g<0>{_PLAIN}"),
        (re.compile(r"^(?!ok|damage)[a-z]+"), rf"{_YELLOW}\g<0>{_PLAIN}"),
    ),
}


def painted(text: str, paint: str) -> str:
    """The text with colours for its own lines; what is quoted in fences stays as it is.

    A fence that does not follow a header of a pack is shared: it holds headers.
    """
    rules = _PAINTS.get(paint, ())
    if not rules:
        return text
    lines: list[str] = []
    closing, before, shared = "", "", False
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if (closing and not (shared and line.startswith("["))) or (not closing and opening):
            # a longer fence holds shorter ones
            closing = "" if closing and line == closing else closing or (opening[0] if opening else "")
            if line == closing and not shared:
                shared = not before.startswith("[")
            shared = shared and bool(closing)
            lines.append(line)
            before = line
            continue
        before = line
        for pattern, replacement in rules:
            line, changed = pattern.subn(replacement, line)
            if changed:
                break
        lines.append(line)
    return "\n".join(lines)


# ---------------------------------------------------------------- pager


def pager_for(text: str, variables: Mapping[str, str]) -> list[str]:
    """The command that shows a text which is longer than the screen, [] for none."""
    import shlex
    import shutil

    size = shutil.get_terminal_size()
    rows = sum(1 + len(line) // max(1, size.columns) for line in text.split("\n"))
    if rows <= size.lines or variables.get("NO_PAGER") or variables.get("TERM") == "dumb":
        return []
    words = shlex.split(variables.get("PAGER", "less"))
    return words if words and words != ["cat"] and shutil.which(words[0]) else []


def _page(text: str, pager: list[str]) -> None:
    import signal
    import subprocess

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        with subprocess.Popen(pager, stdin=subprocess.PIPE, env={"LESS": "FRX", **os.environ}) as running:
            running.communicate(text.encode("utf-8", "replace"))
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- progress


@contextmanager
def progress(what: str) -> Iterator[Progress | None]:
    """A progress bar with rate and time left on stderr, after a second, on a terminal only."""
    if _quiet.get() or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what)
    try:
        yield bar.step
    finally:
        bar.close()


class _Bar:
    """A bar that stays hidden when the work ends within a second."""

    def __init__(self, what: str) -> None:
        self._what, self._began = what, time.monotonic()
        self._shown: Any = None
        self._task: Any = None

    def step(self, done: int, total: int) -> None:
        elapsed = time.monotonic() - self._began
        if self._shown is None:
            if elapsed < PATIENCE:
                return
            self._open()
        self._shown.update(self._task, completed=done, total=total, rate=f"{done / elapsed:,.0f}/s")

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._shown.add_task(self._what, total=None, rate="")
        self._shown.start()
