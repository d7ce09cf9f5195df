"""One row a verb: the operations of the engine and the doors, for callers by name with plain data.

A verb is a plain function `(daypack, **arguments) -> answer`. Its signature is its row: annotations give
types, ranges, choices and one line of help, defaults are defaults. MCP tools, HTTP routes and commands
(command.py) are made from it. `Flag` and `Positional` say how a terminal writes a parameter, `TERMINAL` and
`AGENTS` mark a parameter that only one side offers.

    def recall(daypack: Daypack, key: Annotated[str, "The key.", Positional()]) -> Memory: ...

Names, descriptions and schemas are written here and never depend on the stored texts.
"""

from __future__ import annotations

import contextlib
import enum
import inspect
import re
import tomllib
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.text.checks import nearest
from daypack.types.servers import StoreConflict
from daypack.verbs.notes import (
    AGENTS,
    REQUIRED,
    TEAM,
    TERMINAL,
    UNBOUNDED,
    AtMost,
    Check,
    Choices,
    Flag,
    Named,
    Only,
    Positional,
    Range,
    Reach,
    Shaped,
)
from daypack.verbs.parameters import LONGEST_TEXT, NOT_GIVEN, Parameter, parameters_of

__all__ = [
    "AGENTS", "LONGEST_TEXT", "MOST_QUESTIONS", "NOT_GIVEN", "REQUIRED", "TEAM", "TERMINAL", "UNBOUNDED", "VECTORS", "Access", "Answer", "AtMost",
    "Check", "Choices", "Flag", "Named", "Only", "Parameter", "Positional", "Range", "Reach", "Shaped", "Verb", "access_of", "parameters_of",
]  # fmt: skip
Shorten = Callable[[Mapping[str, Any], Collection[str]], dict[str, Any]]
MOST_QUESTIONS = 20  # of one call
TRIES = 3  # of a read
MOST_NAMED = 2  # verbs that take an argument which another does not


class Access(enum.StrEnum):
    """Rights of a verb, and the ceiling of a server. Refreshing the index counts as reading."""

    READ = "read"
    WRITE = "write"
    DANGEROUS = "dangerous"

    def allows(self, other: Access) -> bool:
        return _ORDER.index(other) <= _ORDER.index(self)


_ORDER = (Access.READ, Access.WRITE, Access.DANGEROUS)
_ALIASES = {"ro": Access.READ, "rw": Access.WRITE, "read-write": Access.WRITE, "all": Access.DANGEROUS}


def access_of(name: str) -> Access:
    """A ceiling from its name, or that of a seed (ro, rw, read-write, all). Raises InputError with the list."""
    try:
        return _ALIASES.get(name) or Access(name)
    except ValueError:
        raise InputError(
            f"unknown access {one_line(repr(name), 60)}; choose from {', '.join(Access)}"
        ) from None


VECTORS = "auto: rank by words and meaning at once; all: make every missing vector first; none: words alone."

PATH = Parameter("path", "path", str, "Another store, below the server's roots.", default=None, optional=True)


class Answer(NamedTuple):
    """The answer of a verb that gives text: the text, and facts about the text for programs."""

    text: str
    details: Mapping[str, Any] = types.MappingProxyType({})


@dataclass(frozen=True)
class Verb:
    """A function in the table.

    `cli` is its command; where it has none, `cli` is "-" followed by the reason. `result` is the JSON Schema
    of what it returns, or None when it returns text (a `str` or an `Answer`).
    """

    name: str
    toolset: str
    access: Access
    call: Callable[..., Any]
    cli: str
    result: Mapping[str, Any] | None = None
    details: Mapping[str, Any] | None = None  # JSON Schema of the facts beside its text, for programs
    idempotent: bool = True
    destructive: bool = False
    looks: bool = False  # answers from the index, so that a project is indexed first
    fetches: bool = False  # reaches beyond this machine, or runs a given command
    elsewhere: bool = False  # a caller of a server may name another store as `path`; the host takes it out
    shared_only: tuple[str, ...] = ()  # parameters that exist only where several projects share a store
    in_team: bool = False  # as a team server offers it
    plain: Callable[[Any], Any] | None = None  # turns an answer into data; None: it is data
    brief: Shorten | None = None  # the data for agents, with the required fields; None: they receive all
    help: str = ""  # instead of the function's docstring, where several verbs call one function

    def in_shared_store(self) -> Verb:
        return replace(self, shared_only=()) if self.shared_only else self

    def for_team(self) -> Verb | None:
        """The verb as a server offers it to the people of a team: without parameters that name a user or a place on the
        server's disk; None for one that reaches beyond the store.
        """
        return None if self.fetches else replace(self, in_team=True, elsewhere=False)

    def asked_by(self, person: str) -> dict[str, str]:
        """The arguments by which a team server names the caller to the verb; the caller cannot give them."""
        return {one.python: person for one in parameters_of(self.call) if one.reach is Reach.USER}

    @cached_property
    def about(self) -> str:
        """The description of the verb, for an agent."""
        return " ".join((self.help or self.call.__doc__ or "").split())

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Tasks in users' words that this verb answers: those in the `tasks.toml` beside its function, or none.

        No agent is sent them with a list of tools: a chooser (choosing.py) and the reference read them.
        """
        beside = Path(inspect.getfile(self.call)).with_name("tasks.toml")
        return tuple(_tasks_in(beside).get(self.name, ())) if beside.is_file() else ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        own = tuple(
            one
            for one in parameters_of(self.call)
            if one.python not in self.shared_only
            and one.only is not TERMINAL
            and (one.only is not TEAM or self.in_team)
            and (one.reach is None or not self.in_team)
        )
        return (*own, PATH) if self.elsewhere else own

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        required = [one.name for one in self.parameters if one.required]
        found: dict[str, Any] = {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
        }
        if required:
            found["required"] = required
        return found | {"additionalProperties": False}

    def arguments(
        self, given: Mapping[str, Any], others: Iterable[Verb] = (), offered: Mapping[str, Verb] | None = None
    ) -> dict[str, Any]:
        """Checked arguments by their Python names. Raises InputError for missing, unknown or wrong ones; an argument of one
        of the `others` is not taken for a misspelt one, and those that are `offered` are named.
        """
        known = {one.name: one for one in self.parameters}
        given = self._by_own_names(known, given)
        for name in given:
            if name not in known:
                raise InputError(
                    f"{self.name} has no argument {one_line(repr(name), 60)}; {_meant(self, name, known, others, offered or {})}"
                )
        missing = [one.name for one in self.parameters if one.required and one.name not in given]
        if missing:
            listed = " and ".join([", ".join(missing[:-1]), missing[-1]] if len(missing) > 1 else missing)
            raise InputError(f"{self.name} needs {listed}")
        return {known[name].python: known[name].checked(value) for name, value in given.items()}

    def _by_own_names(self, known: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
        """The values by the names of the parameters, which agents also write in camel case. The one required text that is missing
        is the one text under a name that nothing here resembles, `symbol` for `reference`, where the verb only reads: a
        wrong guess would stay in the store.
        """
        found = {_own_name(name, known, given): value for name, value in given.items()}
        missing = [one for one in known.values() if one.required and one.name not in found]
        unknown = [name for name in found if name not in known]
        if len(missing) == len(unknown) == 1 and self.access is Access.READ:
            (wanted,), (name,) = missing, unknown
            takes_text = wanted.type in (str, list) and not wanted.choices
            if (
                takes_text
                and isinstance(found[name], str)
                and not nearest(name, known.keys() - {wanted.name})
            ):
                found[wanted.name] = found.pop(name)
        return found

    def __call__(self, daypack: Any, given: Mapping[str, Any]) -> Any:
        return self.answer(daypack, self.arguments(given))

    def answer(self, daypack: Any, arguments: Mapping[str, Any]) -> Any:
        """The answer to checked arguments, as data or an `Answer`. A read that the store's server ended in favour of another
        transaction is made again.
        """
        for _ in range(TRIES - 1 if self.access is Access.READ else 0):
            with contextlib.suppress(StoreConflict):
                return self._answered(daypack, arguments)
        return self._answered(daypack, arguments)

    def for_agent(self, answer: Answer | dict[str, Any]) -> Answer | dict[str, Any]:
        """The answer in the form that agents receive."""
        if self.brief is None or isinstance(answer, Answer):
            return answer
        return self.brief(answer, (self.result or {}).get("required", ()))

    def _answered(self, daypack: Any, arguments: Mapping[str, Any]) -> Any:
        found = self.call(daypack, **arguments)
        return found if self.plain is None else self.plain(found)  # may read the store too


@cache
def _tasks_in(path: Path) -> Mapping[str, list[str]]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _own_name(name: str, known: Mapping[str, Parameter], given: Mapping[str, Any]) -> str:
    """The name of a parameter that a caller writes in camel case or with hyphens, or as `query` where a verb takes several
    `queries`; other names as they are.
    """
    own = re.sub("(?<=[a-z])[A-Z]", lambda found: f"_{found[0]}", name).lower().replace("-", "_")
    own = "queries" if own == "query" and own not in known else own
    return own if name not in known and own in known and own not in given else name


def _meant(
    asked: Verb,
    name: str,
    known: Mapping[str, Parameter],
    others: Iterable[Verb],
    offered: Mapping[str, Verb],
) -> str:
    listed = f"it takes {', '.join(known) or 'none'}"
    taking = [verb for verb in others if any(name == one.name for one in verb.parameters)]
    # `budget` may be `budget_tokens`, but `sort`, an argument of another verb, is not `source`.
    alike = [one for one in known if name in one or one in name] if taking else known
    if near := nearest(name, alike):
        return f"did you mean {near}?"
    commands = dict.fromkeys(
        verb.cli for verb in taking if verb.name in offered and verb.cli not in ("", asked.cli)
    )
    named = [f"`daypack {command}`" for command in [*commands][:MOST_NAMED]]
    return f"{listed}; {name} is an argument of {' and '.join(named)}" if named else listed
