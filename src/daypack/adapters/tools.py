"""The verbs that read, as tools for any framework of agents: their names, schemas and answers.

from daypack.adapters.tools import Tools
tools = Tools(".")
tools.schemas()["pack"]                         JSON Schema of the arguments, with its description
tools.call("pack", {"query": "how are refunds retried?"})
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daypack.adapters.shared import Project
from daypack.errors import DaypackError, InputError
from daypack.shapes.strict_json import read_json
from daypack.surfaces.failures import spoken
from daypack.surfaces.toolsets import offered
from daypack.text.checks import check_kind, likely_or_all
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from pydantic import BaseModel


class Tools:
    """The verbs that read a project: pack, search, get, status."""

    def __init__(self, folder: str | Path = ".", *, store: str | None = None, prefix: str = "") -> None:
        """Errors name tools as a model calls them: by the verb behind `prefix`, as in "daypack_". Raises InputError for
        a folder that does not exist.
        """
        self.project = Project(folder, store=store)
        self.prefix = prefix

    def at(self, folder: str, store: str | None) -> Tools:
        """These tools where they read this project, else those that do. Raises InputError."""
        same = self.project.at(folder, store) is self.project
        return self if same else Tools(folder, store=store, prefix=self.prefix)

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> str:
        """The text of an answer; facts are JSON. The arguments may be JSON, as models write them. Raises DaypackError, which
        speaks of tools and parameters.
        """
        verb = reading_verb(name)
        try:
            given = verb.arguments(_named(name, arguments))
            answer = self.project.ask(lambda daypack: verb.answer(daypack, given))
        except DaypackError as error:
            offered = {f"{self.prefix}{other}": one for other, one in reading_verbs().items()}
            error.args = (spoken(str(error), f"{self.prefix}{name}", offered),)
            raise
        if isinstance(answer, Answer):
            return answer.text
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """Name → JSON Schema of the arguments; its description is that of the tool."""
        return {name: {**verb.schema(), "description": verb.about} for name, verb in reading_verbs().items()}


def reading_verbs() -> dict[str, Verb]:
    return offered(("core",), Access.READ)


def reading_verb(name: str) -> Verb:
    """Raises InputError for a verb that does not read, or does not exist."""
    known = reading_verbs()
    if name not in known:
        raise InputError(f"{name!r} is not a tool; {likely_or_all(name, known)}")
    return known[name]


def _named(tool: str, arguments: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    """The arguments by name. Raises InputError, and BadJson for text that is not JSON."""
    if isinstance(arguments, str):
        arguments = read_json(arguments, what=f"the arguments of {tool}") if arguments.strip() else {}
    found: Mapping[str, Any] = {} if arguments is None else arguments
    check_kind(
        f"the argument of {tool}", found, Mapping, 'an object, as {"query": "how are refunds retried?"}'
    )
    return found


@cache
def arguments_model(name: str) -> type[BaseModel]:
    """The arguments of a verb that reads as a class of Pydantic, which refuses unknown ones. Raises InputError."""
    from pydantic import ConfigDict, Field, create_model

    verb, fields = reading_verb(name), dict[str, Any]()
    for one in verb.parameters:
        kind: Any = {list: list[str], dict: dict[str, Any], object: Any}.get(one.type, one.type)
        extra: Any = {
            name: one.schema()[name] for name in ("enum", "minimum", "maximum") if name in one.schema()
        }
        default = ... if one.required else one.default
        wanted = kind | None if default is None and kind is not Any else kind
        fields[one.name] = (wanted, Field(default, description=one.about, json_schema_extra=extra or None))
    config = ConfigDict(extra="forbid")
    found: type[BaseModel] = create_model(f"{name.title()}Arguments", __config__=config, **fields)
    return found
