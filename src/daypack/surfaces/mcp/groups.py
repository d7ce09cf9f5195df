"""The names that tools have, and groups of tools that are listed on demand.

With the toolsets of one tool that Daypack replaces, verbs keep the names of that tool. With all toolsets, each name begins
with its group, as `docs_find` or `memory_pack_context`; a call by the verb's own name works too. With the toolset "groups",
the list begins with the core and the tool `tools`, which adds a group by its name or for a task.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from daypack.errors import InputError
from daypack.surfaces.toolsets import ALL, ON_DEMAND, verbs
from daypack.text.checks import likely_or_all
from daypack.verbs import Verb

if TYPE_CHECKING:
    from daypack.verbs.choosing import Chooser

CORE = "core"
GROUPS = {
    "memory": "what was remembered: history, tags, older versions",
    "sources": "records of users and sessions: versions, preferences, context for a task",
    "code": "code: symbols, callers, tests, a map of the repository",
    "knowledge": "labelled texts, web pages, command output; sessions: resume, timeline",
    "docs": "JSON documents in collections: find, insert, planned updates",
}
TOOLS = "tools"
SHOWN = 4  # tools for a task


class Catalogue:
    """The tools of a server: those that are listed, and the verb behind each name."""

    def __init__(self, verbs: Mapping[str, Verb], toolsets: tuple[str, ...]) -> None:
        prefixed = not {ALL, ON_DEMAND}.isdisjoint(toolsets)
        self._verbs = {tool_name(verb) if prefixed else name: verb for name, verb in verbs.items()}
        self._own = {verb.name: verb for verb in self._verbs.values()}
        self.on_demand = ON_DEMAND in toolsets
        self.listed = {CORE} if self.on_demand else {verb.toolset for verb in verbs.values()}

    def tools(self) -> dict[str, Verb]:
        """The listed tools by name."""
        return {name: verb for name, verb in self._verbs.items() if verb.toolset in self.listed}

    def verb(self, name: str) -> str:
        """The name of a tool's verb, of one that is not offered too; an unknown name is returned as it is."""
        found = self._verbs.get(name) or self._own.get(name)
        found = found or next((verb for verb in verbs().values() if tool_name(verb) == name), None)
        return found.name if found else name

    def name_of(self, verb: str) -> str:
        """The name of a verb's tool; an unknown name is returned as it is."""
        return next((name for name, one in self._verbs.items() if one.name == verb), verb)

    def spoken(self, about: str) -> str:
        """A description with the verbs in backticks replaced by the names of their tools."""
        return re.sub(r"`(\w+)`", lambda verb: f"`{self.name_of(verb[1])}`", about)

    def offered(self, own: Mapping[str, Verb]) -> dict[str, Verb]:
        """Name of the tool → verb, for the verbs of a host, in groups that are not listed yet too."""
        return {name: own[verb.name] for name, verb in self._verbs.items() if verb.name in own}

    def groups(self) -> list[str]:
        """The groups that this server offers beside the core."""
        offered = {verb.toolset for verb in self._verbs.values()}
        return [name for name in GROUPS if name in offered]

    def load(self, group: Any) -> str:
        """List a group from now on; returns its tools as lines of text. Raises InputError."""
        if group not in self.groups():
            known = self.groups()
            raise InputError(f"no group {str(group)[:60]!r}; {likely_or_all(str(group), known)}")
        self.listed.add(group)
        lines = (f"{name}: {verb.about}" for name, verb in self._verbs.items() if verb.toolset == group)
        return "\n".join(lines) + "\n"

    def load_for(self, task: str) -> str:
        """List the group of the best tool for a task from now on; returns the best tools as lines of text.
        Raises InputError.
        """
        found = self._chooser.ranked(task)[:SHOWN]
        if not found:
            raise InputError("task has no words: say in a sentence what you are about to do")
        group = self._verbs[found[0]].toolset
        self.listed.add(group)
        lines = (f"{name} ({self._verbs[name].toolset}): {self._verbs[name].about}" for name in found)
        return "\n".join(lines) + f"\nBest first. The tools of {group} are listed now.\n"

    @cached_property
    def _chooser(self) -> Chooser:
        from daypack.verbs.choosing import Chooser  # numpy and the models, which only a task needs

        return Chooser.packaged(self._verbs)

    def loader(self) -> dict[str, Any]:
        """The tool that lists a group, as the wire describes it."""
        about = "; ".join(f"{name}: {GROUPS[name]}" for name in self.groups())
        return {
            "name": TOOLS,
            "title": "More tools",
            "description": f"More tools: those for a task, or a group at a time, with what each does. {about}.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "task": {"type": "string", "description": "The next step of your work, in a sentence."},
                    "group": {"type": "string", "enum": self.groups()},
                },
                "additionalProperties": False,
            },
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }


def tool_name(verb: Verb) -> str:
    """The name of a verb's tool where tools of all groups stand side by side."""
    name = verb.name.removeprefix("ctx_")
    return name if verb.toolset == CORE or name.startswith(f"{verb.toolset}_") else f"{verb.toolset}_{name}"


def title_of(verb: Verb) -> str:
    """The name of a verb's tool for people, such as "Docs: plan update"."""
    words = tool_name(verb).removeprefix(f"{verb.toolset}_").replace("_", " ")
    return words.capitalize() if verb.toolset == CORE else f"{verb.toolset.capitalize()}: {words}"
