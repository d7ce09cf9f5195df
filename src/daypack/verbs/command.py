"""Rows of the command line: the words of a command, the function that they call, and the screen that shows
its result.

    def recalled_screen(found: Memory | Gone) -> Screen: ...

    COMMANDS = (Command(RECALL, recalled_screen), Command(share, shared_screen, "memory share"))

The function is that of a verb, or another one with a signature annotated in the same way. Options that only
`show` takes are parameters of `show`. The surface itself fills a parameter called `terminal` (see
`Terminal`). surfaces/cli makes the commands; neither this room nor a door knows how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from daypack.errors import DaypackError, InputError
from daypack.ports import Progress
from daypack.verbs.table import AGENTS, Parameter, Verb, parameters_of

Opening = Literal["none", "existing", "created", "indexed", "later"]
"""The way in which a command opens the store: not at all; an existing one; one that is made when it is
missing; one into which the project is indexed on first use; or one that the function opens itself (see
`Unopened`).
"""


FROM_THE_START = "the same command starts from the beginning"
"""Ends the `interrupted` of a command that does not go on where it stopped."""


class BadUsage(InputError, code="usage"):
    """The words of a command do not go together. The message ends with the name of the help page."""


def one_of(fault: str, *names: str) -> Callable[[Mapping[str, Any]], None]:
    """A check that exactly one of these arguments is given. It raises BadUsage."""

    def check(arguments: Mapping[str, Any]) -> None:
        if sum(bool(arguments.get(name)) for name in names) != 1:
            raise BadUsage(f"{fault}; exactly one of them")

    return check


class Screen(NamedTuple):
    """A result as a person's terminal shows it.

    `text` goes to standard output, piece by piece when it is iterable; the store stays open until the last.
    The rest are lines on standard error: `notes` always, `hints` only beside text (not with --json), `asides`
    only on a terminal.
    """

    text: str | Iterable[str] = ""
    status: int = 0
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    paint: Literal["", "pack", "results", "checks"] = ""  # how a terminal colours the text


class Unopened(Protocol):
    """The store of a command that needs its folder, and opens the store only when necessary."""

    @property
    def folder(self) -> Path: ...

    def open(self) -> AbstractContextManager[Any]:
        """The existing store. Raises StoreNotFound."""


class Terminal(Protocol):
    """The terminal, for commands that talk while they work."""

    def write(self, text: str) -> None:
        """Write exactly this text to standard output."""

    def note(self, text: str, *, always: bool = True) -> None:
        """A line to standard error; without `always` only on a terminal."""

    def confirm(self, question: str) -> bool:
        """Ask; standard input answers."""

    def progress(self, what: str) -> AbstractContextManager[Progress | None]:
        """A progress bar on a terminal, None elsewhere."""


@dataclass(frozen=True)
class Command:
    """A command: the verb or function that it calls, the screen for its result, and its words (the verb's
    `cli` by default).

    `show` gives a Screen or text; without it the result is a Screen or text already, or data that is printed
    as JSON. With `plain` (else the verb's) there is a --json that prints `plain(result)`. `rescue` turns an
    error, with the arguments read so far, into a result; it raises errors that it does not know.
    """

    run: Verb | Callable[..., Any]
    show: Callable[..., Screen | str] | None = None
    at: str = ""
    plain: Callable[[Any], Any] | None = None
    opens: Opening | Callable[[str], bool] = "existing"  # or whether the store in a folder may be made
    owned: bool = False  # takes --owner and --project, which choose the memories that it sees
    seeds: tuple[str, ...] = ()  # its words in tools that Daypack replaces: accepted, not listed
    retired: tuple[str, ...] = ()  # its words in an earlier release, likewise
    rescue: Callable[[DaypackError, dict[str, Any]], Any] | None = None
    help: str = ""  # instead of the function's docstring
    passes_options: bool = False  # hands on everything after the first argument unread
    check: Callable[[dict[str, Any]], None] | None = None  # of the arguments, before the store is opened
    store_first: bool = False  # takes the store's path as one more, first argument, as a seed's command does
    hidden: bool = False  # not listed in its group
    interrupted: str = ""  # its state after an interrupt, where finished work is not stored

    @property
    def words(self) -> str:
        """Words of the command behind `daypack`."""
        return self.at or (self.run.cli if isinstance(self.run, Verb) else "")

    @property
    def name(self) -> str:
        return self.words.rpartition(" ")[2]

    @property
    def everywhere(self) -> tuple[str, ...]:
        """All words that lead to it, its own first."""
        return (self.words, *self.seeds, *self.retired)

    @property
    def call(self) -> Callable[..., Any]:
        return self.run.call if isinstance(self.run, Verb) else self.run

    @property
    def data(self) -> Callable[[Any], Any] | None:
        """The result as JSON prints it."""
        return self.plain or (self.run.plain if isinstance(self.run, Verb) and self.show else None)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the function; the first is the store, where it opens one."""
        after = 0 if self.opens == "none" else 1
        return tuple(one for one in parameters_of(self.call, after=after) if one.only is not AGENTS)

    @cached_property
    def show_parameters(self) -> tuple[Parameter, ...]:
        """Parameters of `show` behind the result; a parameter that the function has too gets the same value."""
        return parameters_of(self.show, after=1) if self.show else ()
