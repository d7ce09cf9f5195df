"""Standard output and error, for people and for pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click


def write(text: str) -> None:
    """Exactly this text to stdout; a terminal also gets the line end that it needs."""
    data = text.encode("utf-8", "replace")
    if sys.stdout.isatty() and data and not data.endswith(b"\n"):
        data += b"\n"
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader went away, as `head` does; what it wanted it has. Nothing is left to flush when Python
        # ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def note(text: str, *, always: bool = True) -> None:
    """A line for people; without `always` only where a person sees it, not in pipes."""
    if always or sys.stderr.isatty():
        click.echo(f"daypack: {text}", err=True)


def print_json(data: Any) -> None:
    """One JSON value on a line of its own."""
    import json

    write(json.dumps(data) + "\n")


def confirm(question: str) -> bool:
    """Ask on standard error; standard input answers."""
    return click.confirm(question, err=True)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
