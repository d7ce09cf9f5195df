"""Routes of resources: one declaration stands for the usual requests of a thing, each with a method of its controller.

    resources :orders                                   Ruby on Rails: OrdersController
    resources "/orders", OrderController                Phoenix
    Route::apiResource('orders', OrderController::class)    Laravel
    router.register("orders", OrderViewSet)             Django REST framework

`GET /orders/17` is `show` of the controller, or `retrieve` of the view set. Other actions are declared below a resource, or are
further methods of a view set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from daypack.doors.code.flows.registering import (
    MOST_DEFINING,
    Statement,
    controller_called,
    indent_of,
    line_of,
    methods_named,
)
from daypack.doors.code.graph.facts import CLASS_LIKE
from daypack.doors.code.graph.project_names import definitions
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.mentions import Place

MOST_BELOW = 200  # lines below a resource that may declare further actions of it
MOST_AROUND = 500  # lines above a resource that may stand around it
_UPDATES = {"put": ("update",), "patch": ("partial_update", "update")}
_MANY: Mapping[tuple[str, ...], Mapping[str, tuple[str, ...]]] = {
    (): {"get": ("index", "list"), "post": ("create", "store")},
    ("",): {"get": ("show", "retrieve"), **_UPDATES, "delete": ("destroy", "delete")},
    ("new",): {"get": ("new",)},
    ("create",): {"get": ("create",)},
    ("", "edit"): {"get": ("edit",)},
}
"""The parts of a path behind the name of a resource → the method of HTTP → the names of the method that handles it."""
_ONE: Mapping[tuple[str, ...], Mapping[str, tuple[str, ...]]] = {
    (): {"get": ("show",), "post": ("create",), **_UPDATES, "delete": ("destroy", "delete")},
    ("new",): {"get": ("new",)},
    ("edit",): {"get": ("edit",)},
}
"""The same for a resource of which each user has one: `resource :session`."""
_DECLARED = re.compile(
    r"\A\s*(?:(?P<rails>resources?)[\s(]+|(?:\w+::|\$\w+->)?(?:api)?resource\s*\(\s*|\w[\w.]*\.(?P<rest>register)\(\s*r?)(?=[:\"'])",
    re.IGNORECASE,
)
_NAME = re.compile(r"[\s,]*+(?::(\w++)(?!\w*:)|[\"']/?([\w/.-]++)[\"'])")
_OPTION = r"\b{}(?::|\s*=>)\s*[:\"']/?([\w/-]+)"
_PATH, _CONTROLLER = (re.compile(_OPTION.format(name)) for name in ("path", "controller"))
_NAMED_CLASS = re.compile(r",\s*(?:\w+[.\\])*([A-Z]\w*)")
_AROUND = re.compile(r"\s*(?:namespace|resources?)[\s(]+[:\"']/?(\w+)")
_UNSAID = re.compile(r"\bpath\b|\bshallow\b")
_LIMITED = re.compile(r"\b(only|except)\b\W*?[\[(%]([^\])]*)|\b(only|except):\s*:(\w+)")


class Actions(NamedTuple):
    """The names of the methods that handle a request for a resource, as projects call them, and whether the path says the action."""

    names: tuple[str, ...]
    is_said: bool


class Resource(NamedTuple):
    """A declared resource: the last part of its path, the names its controller may have, and the declaration."""

    part: str
    parents: tuple[str, ...]  # the resources that a name with dots stands below, as `albums.songs` of Laravel
    controllers: tuple[str, ...]
    is_one: bool  # each user has one: its path has no key
    is_of_views: bool  # further methods of a view set are actions, too
    statement: Statement

    def has(self, action: str) -> bool:
        """False for an action that the declaration leaves out."""
        for match in _LIMITED.finditer(self.statement.text):
            word, names = (match[1], match[2]) if match[1] else (match[3], match[4])
            if (action in re.findall(r"\w+", names)) != (word == "only"):
                return False
        return True

    def stands_below(self, before: Sequence[str], lines: Sequence[str]) -> bool:
        """False where the resources and namespaces around the declaration are not among the parts of a path `before` it."""
        around, indent = [*self.parents], indent_of(line_of(lines, self.statement.line))
        for number in range(self.statement.line - 1, max(0, self.statement.line - MOST_AROUND), -1):
            line = line_of(lines, number)
            if line.strip() and indent_of(line) < indent:
                indent = indent_of(line)
                if (opened := _AROUND.match(line)) is not None and not _UNSAID.search(line):
                    around.append(opened[1])
        return {part.lower() for part in around} <= {part.lower() for part in before}

    def actions(self, method: str, rest: Sequence[str], lines: Sequence[str]) -> Actions:
        """The actions that a method and the `rest` of a path mean."""
        kinds, keys = (_ONE, 0) if self.is_one else (_MANY, 1)
        # A key may be written as a word: /users/ada.
        for shape in dict.fromkeys([tuple(rest), ("",) * len(rest[:keys]) + tuple(rest[keys:])]):
            usual = kinds.get(shape, {})
            found = [
                name
                for one, names in usual.items()
                if method in ("", one)
                for name in names
                if self.has(name)
            ]
            if found:
                return Actions((*found,), bool(shape and shape[-1]))
            if rest and rest[-1] and len(rest) <= keys + 1 and shape not in kinds:
                declared = self._declares(method, rest[-1], lines)
                if declared or (self.is_of_views and len(rest) > 1):
                    return Actions((rest[-1].replace("-", "_"),), True)
        return Actions((), False)

    def _declares(self, method: str, name: str, lines: Sequence[str]) -> bool:
        """True where the block declares an action for a method: `post "cancel"`, `get :mine, on: :collection`."""
        declared = re.compile(
            rf"\s*(?:{re.escape(method) or 'get|post|put|patch|delete'}|match)\b[\s(]+(?:[:\"'/\w]+\s*,\s*)*[:\"']/?{re.escape(name)}\b"
        )
        indent = indent_of(line_of(lines, self.statement.line))
        for number in range(self.statement.line + 1, self.statement.line + MOST_BELOW):
            line = line_of(lines, number)
            if line.strip() and indent_of(line) <= indent:
                return False
            if declared.match(line):
                return True
        return False


def resources_declared(statement: Statement) -> list[Resource]:
    """The resources that a statement declares; [] for another statement."""
    match = _DECLARED.match(statement.text)
    if match is None:
        return []
    names: list[str] = []
    at, text = match.end(), statement.text
    while (said := _NAME.match(text, at)) is not None:
        names.append(said[1] or said[2])
        at = said.end()
    is_one = (match["rails"] or "").lower() == "resource"
    named_class, path, controller = (option.search(text, at) for option in (_NAMED_CLASS, _PATH, _CONTROLLER))
    found = []
    for name in names:
        own = _controllers(controller[1] if controller else name, is_one=is_one)
        owners = (named_class[1],) if named_class is not None else own
        *parents, part = re.split(r"\.", (path[1] if path else name).rpartition("/")[2])
        found.append(Resource(part, tuple(parents), owners, is_one, match["rest"] is not None, statement))
    return found


def handlers_of_resource(
    graph: CodeGraph, resource: Resource, actions: Actions, before: Sequence[str]
) -> Iterator[Place]:
    """The lines of the methods that handle actions of a resource, whose parts stand `before` it; the class of a view set whose method
    is inherited.
    """
    for owner in resource.controllers:
        found = [place for name in actions.names for place in methods_named(graph, owner, name, before)]
        if not found and actions.names and resource.is_of_views and not actions.is_said:
            found = _classes(graph, owner)
        if found:
            yield from found
            return


def _classes(graph: CodeGraph, name: str) -> list[Place]:
    return [
        Place(place.uri, symbol.line)
        for place, symbol in definitions(graph.project, name, MOST_DEFINING)
        if symbol.name == name and symbol.kind in CLASS_LIKE
    ]


def _controllers(name: str, *, is_one: bool) -> tuple[str, ...]:
    """The names of the controller of a resource in Ruby on Rails, whose name is plural: SessionsController of `resource :session`."""
    last = name.rpartition("/")[2]
    plural = (re.sub(r"y\Z", "ie", last) if re.search(r"[^aeiou]y\Z", last) else last) + (
        "es" if re.search(r"(?:s|x|ch|sh)\Z", last) else "s"
    )
    return tuple(map(controller_called, (plural, last) if is_one else (last,)))
