"""The reference pages: every verb from the table, every public class and method from its docstring, every
promise with its test.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from daypack import api, types
from daypack.doors import registry
from daypack.doors.code.door import CodeDoor
from daypack.doors.documents.door import Collection, DocumentsDoor
from daypack.doors.files.door import FilesDoor
from daypack.doors.knowledge.door import KnowledgeDoor
from daypack.doors.memories.door import MemoriesDoor
from daypack.doors.memories.files.door import MemoryFiles
from daypack.doors.records.door import RecordsDoor
from daypack.doors.sessions.door import SessionsDoor
from daypack.doors.sources.door import SourcesDoor
from daypack.doors.sources.tasks.door import TasksDoor
from daypack.settings import Settings
from daypack.surfaces.toolsets import toolsets
from daypack.surfaces.toolsets import verbs as table
from daypack.verbs import Verb

ROOT = Path(__file__).resolve().parent.parent
DOORS = (
    ("dp.files", FilesDoor), ("dp.records", RecordsDoor), ("dp.memories", MemoriesDoor), ("dp.memories.files", MemoryFiles),
    ("dp.sessions", SessionsDoor), ("dp.knowledge", KnowledgeDoor), ("dp.documents", DocumentsDoor),
    ("dp.documents.collection(name)", Collection), ("dp.sources", SourcesDoor), ("dp.tasks", TasksDoor), ("dp.code", CodeDoor),
)  # fmt: skip
NOUNS = (
    types.Pack,
    types.Excerpt,
    types.Citation,
    types.Omission,
    types.SearchResult,
    types.Candidate,
    types.Chunk,
    types.Found,
    Settings,
)


# ---------------------------------------------------------------- verbs


def verbs() -> str:
    """Every verb with its arguments, by toolset."""
    parts = []
    for toolset in toolsets():
        parts.append(f"## Toolset `{toolset}`\n")
        parts += [_verb(verb) for verb in table().values() if verb.toolset == toolset]
    return "\n".join(parts)


def _verb(verb: Verb) -> str:
    answer = "data" if verb.result else "text and details"
    lines = [f"### {verb.name}\n", f"{verb.about}\n", f"Scope `{verb.access.value}`; answers {answer}.\n"]
    lines += [f"For tasks such as: {' · '.join(verb.tasks[:3])}\n"] if verb.tasks else []
    schema = verb.schema()
    if schema.get("properties"):
        lines += ["| Argument | Type | |", "|---|---|---|"]
        lines += [
            _argument(name, about, name in schema.get("required", ()))
            for name, about in schema["properties"].items()
        ]
        lines.append("")
    return "\n".join(lines)


def _argument(name: str, schema: dict[str, Any], required: bool) -> str:
    kind = schema.get("type", "any")
    if kind == "array":
        kind = f"list of {schema.get('items', {}).get('type', 'any')}"
    notes = [schema.get("description", "")]
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    if choices:
        notes.append("One of " + ", ".join(f"`{choice}`" for choice in choices) + ".")
    if "minimum" in schema:
        notes.append(f"From {schema['minimum']:,} to {schema['maximum']:,}.")
    if "default" in schema:
        notes.append(f"Default `{schema['default']}`.")
    return f"| `{name}`{'' if required else ' (optional)'} | {kind} | {' '.join(filter(None, notes)).replace('|', chr(92) + '|')} |"


# ---------------------------------------------------------------- settings


def settings() -> str:
    """Every setting with its default, and whether a project's files may choose it at once."""
    rows = ["| Variable | Default | Meaning | In a project's files |", "|---|---|---|---|"]
    for setting in registry.settings():
        about = setting.about + (
            f": {', '.join(f'`{choice}`' for choice in setting.choices)}" if setting.choices else ""
        )
        use = "after `daypack trust`" if setting.waits else "at once"
        default = json.dumps(setting.default).strip('"')
        rows.append(
            f"| `{setting.variable}` | {f'`{default}`' if default else '–'} | {about.replace('|', chr(92) + '|')} "
            f"| {use if setting.in_files else 'no'} |"
        )
    return "\n".join(rows) + "\n"


# ---------------------------------------------------------------- Python


def python() -> str:
    """The public classes and methods."""
    parts = [_class("Daypack", api.Daypack)]
    parts += [_class(name, door) for name, door in DOORS]
    parts.append("## What comes back\n")
    parts += [f"### {noun.__name__}\n\n{_docstring(noun)}\n\n```text\n{_fields(noun)}```\n" for noun in NOUNS]
    return "\n".join(parts)


def _class(name: str, found: type) -> str:
    lines = [f"## {name}\n", f"{_docstring(found)}\n"]
    for method, function in _methods(found):
        lines += [
            f"### {name.removesuffix('(name)')}.{method}\n",
            f"```text\n{method}{_signature(function)}\n```\n",
            f"{_docstring(function)}\n",
        ]
    return "\n".join(lines)


def _methods(found: type) -> Iterator[tuple[str, Any]]:
    """Public functions with a docstring, in the order of the source."""
    for name, value in ((name, value) for base in found.__mro__[:-1] for name, value in vars(base).items()):
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if not name.startswith("_") and inspect.isfunction(function) and function.__doc__:
            yield name, function


def _signature(function: Any) -> str:
    """As it is written, each argument on a line where they are many."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef)
    given = node.args
    if given.args and given.args[0].arg in ("self", "cls"):
        del given.args[0]
    text = ast.unparse(given)
    back = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if len(text) + len(back) < 100:
        return f"({text}){back}"
    depth, lines = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        lines[-1] += letter
        if letter == "," and not depth:
            lines.append("")
    return "(\n" + "".join(f"    {line.strip()}\n" for line in lines) + f"){back}"


def _docstring(found: Any) -> str:
    return inspect.cleandoc(found.__doc__ or "")


def _fields(noun: type) -> str:
    source = inspect.getsource(noun)
    fields = re.findall(
        r"^    (\w+: [^\n]+)$",
        source.partition("\n    def ")[0].partition("\n    @property")[0],
        re.MULTILINE,
    )
    properties = [
        name for name, value in vars(noun).items() if isinstance(value, property) and not name.startswith("_")
    ]
    return "\n".join([*fields, *(f"{name}  (derived)" for name in properties)]) + "\n"
