"""Notes of an annotation: what a parameter takes, its options on a terminal, and the side that offers it."""

from __future__ import annotations

import enum
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

REQUIRED = inspect.Parameter.empty


class Range(NamedTuple):
    """Bounds of a number, both included."""

    least: float
    most: float


UNBOUNDED = Range(-math.inf, math.inf)


class AtMost(NamedTuple):
    """The number of items that a list may have."""

    items: int


class Shaped(NamedTuple):
    """The JSON Schema of a parameter whose value its verb reads: what a caller should write, where more is understood."""

    schema: Mapping[str, Any]


class Named(NamedTuple):
    """The parameter's name for callers, where Python forbids it."""

    name: str


class Choices(NamedTuple):
    """Values that are made elsewhere; a function is called when the verb's parameters are read. `part` is what callers name
    the parameter that takes a part of a value, written VALUE:PART.
    """

    values: tuple[str, ...] | Callable[[], tuple[str, ...]]
    part: str = ""


class Check(NamedTuple):
    """A check that raises the error of a language of its own, instead of the one of the type."""

    of: Callable[[Any], object]


class Flag(NamedTuple):
    """An option of the command line whose name, or more, differs from the parameter's.

    `read` turns the text of the terminal into the value: a function, or the name of a reader in
    surfaces/cli/reading.py ("date", "end", "tokens", "query", "stdin", "json", "path"). `complete` gives the names that
    a shell offers, from the folder of the store; "file" leaves them to the shell, as for a path.

    `seed` and `retired` are spellings that are accepted and not shown: of the tools that Daypack replaces, and
    of an earlier release, with a note that names the new one. "--top-k" takes a value as the option does;
    "--lexical=none" is a flag that stands for the value behind the equals sign.
    """

    names: str = ""  # "--limit -n", "--a/--no-a"; "--no-touch" alone says False
    help: str = ""  # instead of the parameter's line, which agents read
    metavar: str = ""
    default: Any = REQUIRED  # instead of the function's
    read: str | Callable[[str], Any] = ""
    setting: bool = False  # lets a variable or a file set the default, under the parameter's name
    range: Range | None = None  # instead of the parameter's; UNBOUNDED where the function clamps
    choices: tuple[str, ...] = ()  # instead of the parameter's
    complete: Callable[[Path], Iterable[str]] | Literal["file"] | None = None
    envvar: str = ""  # a variable that sets it
    only_with: str = ""  # a variable without which there is no such option
    seed: str = ""
    retired: str = ""
    advanced: bool = False  # only `daypack help COMMAND` shows it
    last: bool = False  # help shows it behind the command's other options
    instead: str = ""  # the option as a whole is retired: what people write now


class Positional(Flag):
    """An argument of the command line without a name; `names` stays empty."""

    __slots__ = ()


class Only(enum.Enum):
    """The side that offers a parameter, where only one does; `TEAM` is the terminal and the servers of a team."""

    TERMINAL = "terminal"
    AGENTS = "agents"
    TEAM = "team"


class Reach(enum.Enum):
    """A parameter that names something beyond the caller's own content, another user or a place on the server's disk: a
    team server does not take it.
    """

    USER = "user"
    DISK = "disk"


TERMINAL, AGENTS, TEAM = Only.TERMINAL, Only.AGENTS, Only.TEAM
