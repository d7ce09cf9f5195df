"""The verbs that read, as tools for any framework of agents: their names, schemas and answers.

from daypack.adapters.tools import Tools
tools = Tools(".")
tools.schemas()["pack"]                         JSON Schema of the arguments, with its description
tools.call("pack", {"query": "how are refunds retried?"})
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daypack.adapters.shared import Project
from daypack.errors import InputError
from daypack.shapes.strict_json import read_json
from daypack.surfaces.toolsets import offered
from daypack.text.checks import check_kind, did_you_mean
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from pydantic import BaseModel


class Tools:
    """The verbs that read a project: pack, search, get, status."""

    def __init__(self, folder: str | Path = ".", *, store: str | None = None) -> None:
        """Raises InputError for a folder that does not exist."""
        self.project = Project(folder, store=store)

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> str:
        """The text of an answer. The arguments may be JSON, as models write them. Raises DaypackError."""
        verb = reading_verb(name)
        given = verb.arguments(_named(name, arguments))
        answer = self.project.ask(lambda daypack: verb.answer(daypack, given))
        return answer.text if isinstance(answer, Answer) else str(answer)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """Name → JSON Schema of the arguments; its description is that of the tool."""
        return {name: {**verb.schema(), "description": verb.about} for name, verb in reading_verbs().items()}


def reading_verbs() -> dict[str, Verb]:
    return offered(("core",), Access.READ)


def reading_verb(name: str) -> Verb:
    """Raises InputError for a verb that does not read, or does not exist."""
    known = reading_verbs()
    if name not in known:
        raise InputError(
            f"{name!r} is not a tool; {did_you_mean(name, known, 'choose from ' + ', '.join(known))}"
        )
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


def arguments_model(verb: Verb) -> type[BaseModel]:
    """The arguments of a verb as a class of Pydantic, which refuses unknown ones."""
    from pydantic import ConfigDict, Field, create_model

    fields: dict[str, Any] = {}
    for one in verb.parameters:
        kind: Any = {list: list[str], dict: dict[str, Any], object: Any}.get(one.type, one.type)
        extra: Any = {
            name: one.schema()[name] for name in ("enum", "minimum", "maximum") if name in one.schema()
        }
        default = ... if one.required else one.default
        wanted = kind | None if default is None and kind is not Any else kind
        fields[one.name] = (wanted, Field(default, description=one.about, json_schema_extra=extra or None))
    config = ConfigDict(extra="forbid")
    found: type[BaseModel] = create_model(f"{verb.name.title()}Arguments", __config__=config, **fields)
    return found
