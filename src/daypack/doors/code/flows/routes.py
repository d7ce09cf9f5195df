"""Routes: the handler of a request, as `POST /orders/{id}/pay`, by the literal that registers it.

A program says the path, or its end below a prefix that another line adds, as a text in a statement that also binds the
handler (`registering`), or as the name of a resource (`resources`); or the path is that of the handler's file:
app/orders/[id]/pay/route.ts. Parameters match any text. A text whose statement does none of this, as the request of a client,
registers nothing.

A prefix may hold all words of a route, `/users` of `/users/17`. Then the rest stands in a statement of the prefix's block, group,
class or file, or in the module that the prefix includes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from daypack.doors.code.flows.registering import (
    BESIDE,
    METHODS,
    OF_METHOD,
    TEXT,
    Statement,
    handlers_bound,
    indent_of,
    line_of,
    statement_at,
    texts_of,
)
from daypack.doors.code.flows.resources import Resource, handlers_of_resource, resources_declared
from daypack.doors.code.graph.facts import last_segment
from daypack.doors.code.graph.languages import language_of
from daypack.doors.code.graph.modules import files_of_module
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.mentions import Mentions, Place
from daypack.errors import InputError, NotFound
from daypack.text.paths import is_test_path

MOST_HANDLERS = 5  # of one route
MOST_PREFIXES = 20  # of one file
_ROUTE = re.compile(
    rf"(?:(?P<method>{'|'.join(METHODS)})\s+(?=\S*/)|(?=/))(?P<path>/?[^\s\"'`?#]+)", re.IGNORECASE
)
_PARAMETER = re.compile(r"[<>{}\[\]()*$%]|\A:|\A\d+\Z|\A[0-9a-f-]{32,}\Z")
_OPTIONAL = re.compile(r"\(/?[.:*]?[\w/:.]*\)|/?(?:\{\w+\?\}|:\w+\?)")
NOT_REGISTERED = "no code registers this route"
REGISTERED_AS = "give its path as the program registers it, or a file or name"
_PREFIXING = re.compile(r"(?i)\b(?:prefix|scope|group|namespace)\b")
_ASSIGNED = re.compile(r"\A\s*(?:export\s+)?(?:const|let|var|val|auto)?\s*(\w+)\s*(?::\s*[\w.]+\s*)?:?=")
_FILE_OF_ROUTE = re.compile(
    r"(?:^|/)(?:app|pages|routes)/(?P<path>.*?)/?(?:(?<![^/])(?:\+?(?:route|page|server|index)(?:\.server)?))?\.\w+$"
)
_PAGES = (".md", ".mdx", ".rst", ".txt", ".adoc")


class Said(NamedTuple):
    """The words of a route that a text says, and its number of parts, parameters too."""

    words: int
    parts: int


NOTHING_SAID = Said(0, 0)


class Route(NamedTuple):
    """A request: its method in lower case, "" for any, and the parts of its path as written; "" stands for a parameter."""

    method: str
    parts: tuple[str, ...]


def route_in(text: str) -> Route | None:
    """The route that a text is: `POST /orders/{id}`, `/orders/{id}`; None for another text, or without a word in the path."""
    match = _ROUTE.fullmatch(text.strip().strip("`'\""))
    if match is None or not any(parts := _parts(match["path"])):
        return None
    return Route((match["method"] or "").lower(), parts)


def names_request(text: str) -> bool:
    """True for a route with its method, as no file or name has one: `POST /orders/{id}`."""
    route = route_in(text)
    return route is not None and route.method != ""


def handler_meant(text: str, mentions: Mentions, graph: CodeGraph) -> str:
    """path:line of the handler of a route; "" for a text that is none.

    Raises InputError for a route with several handlers, and NotFound for a request that no code registers.
    """
    found, _ = handlers_and_requests(text, mentions, graph)
    if not found and names_request(text):
        raise NotFound(f"{NOT_REGISTERED}: {text.strip()}", REGISTERED_AS)
    if len(found) > 1:
        raise InputError(f"{text.strip()!r} may have {len(found)} handlers; say which: {', '.join(found)}")
    return found[0] if found else ""


def handlers_and_requests(text: str, mentions: Mentions, graph: CodeGraph) -> tuple[list[str], list[Place]]:
    """path:line of the handlers of a route, and the lines that say it, as those of clients and tests; none for another text, or a
    route that no code registers.
    """
    route = route_in(text)
    found = handlers_of(route, mentions, graph) if route is not None else []
    requests = requests_of(route, mentions) if route is not None and found else []
    return [f"{place.uri}:{place.line}" for place in found], requests


def requests_of(route: Route, mentions: Mentions) -> list[Place]:
    """The lines of texts that say the whole route, or two of its words."""
    word = next(part for part in reversed(route.parts) if part)
    lines_of = cache(mentions.lines)
    enough = min(2, sum(map(bool, route.parts)))
    return [
        place
        for place in mentions.lines_with(word)
        if any(
            _said(text, route).words >= enough for text in texts_of(line_of(lines_of(place.uri), place.line))
        )
    ]


def handlers_of(route: Route, mentions: Mentions, graph: CodeGraph) -> list[Place]:
    """The lines of the handlers of a route: of several texts those that say most of its path; none when no code registers it."""
    search = _Search(route, mentions, graph)
    found = search.by_files()
    # From the end, whose last parts may be values of parameters.
    for at in reversed([at for at, part in enumerate(route.parts) if part]):
        for place in mentions.lines_with(route.parts[at], BESIDE):
            if not is_test_path(place.uri) and graph.project.facts(place.uri) is not None:
                for handler, said in search.registered(place, at):
                    found[handler] = max(found.get(handler, said), said)
        if found:
            break
    most = max(found.values(), default=NOTHING_SAID)
    if any(not mentions.lines_with(part) for part in route.parts[: len(route.parts) - most.parts] if part):
        return []  # no code says the prefix
    return sorted(place for place, said in found.items() if said == most)[:MOST_HANDLERS]


class _Search:
    """The statements of a project that register a route."""

    def __init__(self, route: Route, mentions: Mentions, graph: CodeGraph) -> None:
        self._route, self._graph = route, graph
        self._lines = cache(mentions.lines)
        self._of_module = cache(self._handlers_in)  # many files may include one module
        # file → (text, group) of the prefixes whose wordless routes are found
        self._prefixes: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)

    def by_files(self) -> dict[Place, Said]:
        """The handlers in files whose path is that of the route."""
        return {
            _in_file(self._graph, uri, self._route.method): said
            for uri in self._graph.project.files.uris
            if (said := _said_by_file(uri, self._route)).parts and not is_test_path(uri)
        }

    def registered(self, place: Place, at: int) -> Iterator[tuple[Place, Said]]:
        """The handlers that a line registers, which says part `at` of the route."""
        lines, parts = self._lines(place.uri), self._route.parts
        line, statement = line_of(lines, place.line), statement_at(place.uri, lines, place.line)
        for resource in resources_declared(statement):
            if resource.part.lower() == parts[at].lower() and resource.stands_below(parts[:at], lines):
                yield from self._of_resource(resource, at)
        for text in texts_of(line):
            if (said := _said(text, self._route)).parts:
                for handler in self._bound(statement, place.line, text, self._route):
                    yield handler, said
            is_prefix = "/" in text or _PREFIXING.search(line)
            rest_of = _below(text, self._route) if is_prefix else None
            if rest_of is None or at + len(rest_of) >= len(parts):
                continue  # it does not say part `at`
            assigned = _ASSIGNED.match(line)
            known, prefix = self._prefixes[place.uri], (text, assigned[1] if assigned else "")
            if prefix in known or len(known) == MOST_PREFIXES:
                continue
            known.add(prefix)
            if not any(self._bound(statement, place.line, text, self._route._replace(method=""))):
                said = Said(sum(map(bool, _parts(text))), len(_parts(text)) + len(rest_of))
                for handler in self._below_prefix(statement, rest_of):
                    yield handler, said

    def _of_resource(self, resource: Resource, at: int) -> Iterator[tuple[Place, Said]]:
        route = self._route
        actions = resource.actions(route.method, route.parts[at + 1 :], self._lines(resource.statement.uri))
        words = 1 + len(resource.parents) + actions.is_said
        said = Said(words, len(route.parts) - at + 2 * len(resource.parents))
        for handler in handlers_of_resource(self._graph, resource, actions, route.parts[:at]):
            yield handler, said

    def _bound(self, statement: Statement, number: int, text: str, route: Route) -> Iterator[Place]:
        if statement.is_path(text) and not statement.groups:
            yield from handlers_bound(self._graph, statement, number, text, route)

    def _below_prefix(self, prefix: Statement, rest: Sequence[str]) -> Iterator[Place]:
        """The handlers of paths without a word, as "/" or "/:id", that stand for the rest of the route below a prefix: in its block,
        group, class or included modules.
        """
        lines = self._lines(prefix.uri)
        # a row in a table: { path: "/users", route: users }
        if line_of(lines, prefix.line - 1).strip() == "{":
            prefix = statement_at(prefix.uri, lines, prefix.line - 1)
        yield from self._wordless(prefix.uri, _numbers_below(lines, prefix), len(rest))
        for uri in _included(self._graph, prefix):
            yield from self._of_module(uri, len(rest))

    def _handlers_in(self, uri: str, parts: int) -> list[Place]:
        """The handlers of paths without a word that have this number of parts, in a whole module."""
        return [*self._wordless(uri, range(1, len(self._lines(uri)) + 1), parts)]

    def _wordless(self, uri: str, numbers: Iterable[int], parts: int) -> Iterator[Place]:
        for number in numbers:
            texts = texts_of(line_of(self._lines(uri), number))
            if not texts or _parts(texts[0]) != ("",) * parts or not (parts or texts[0] in ("", "/")):
                continue
            statement = statement_at(uri, self._lines(uri), number)
            if statement.is_mark or statement.registers:
                yield from handlers_bound(self._graph, statement, number, texts[0], self._route)


def _numbers_below(lines: Sequence[str], prefix: Statement) -> Iterator[int]:
    """The lines of a file whose statements stand below a prefix: those of its block, of the group that it is assigned to, and marks
    of a class or module that has no name for its group.
    """
    assigned = _ASSIGNED.match(prefix.text)
    indent, is_inside = indent_of(prefix.text), True
    for number in range(1, len(lines) + 1):
        line = line_of(lines, number)
        is_statement = line.strip() and not line.strip().startswith((")", "{"))
        if number > prefix.line and is_statement and indent_of(line) <= indent:
            is_inside = False
        if not TEXT.search(line):
            continue
        statement = statement_at(prefix.uri, lines, number)
        is_of_group = statement.owner == assigned[1] if assigned else statement.is_mark
        if is_of_group or (number > prefix.line and is_inside):
            yield number


def _included(graph: CodeGraph, prefix: Statement) -> list[str]:
    """The files of the modules that a statement puts below its prefix, by a name that the file imports or by their own name."""
    facts = graph.project.facts(prefix.uri)
    style = language_of(facts.language) if facts is not None else None
    if facts is None or style is None:
        return []
    words = {*re.findall(r"\w+", TEXT.sub('""', prefix.text))}
    found = [
        place.uri
        for entry in facts.imports
        if (entry.name or entry.item or last_segment(entry.module)) in words
        for place in graph.resolver.imported(prefix.uri, entry)
    ]
    for text in texts_of(prefix.text):
        found += files_of_module(text, prefix.uri, style, graph.project.files)
    return [uri for uri in dict.fromkeys(found) if uri != prefix.uri and graph.project.facts(uri) is not None]


def _below(text: str, route: Route) -> tuple[str, ...] | None:
    """The parts of a route behind the words of a text, as `5` of /orders/5 behind "/orders"; None where it does not say them."""
    parts = _parts(text)
    for end in range(len(route.parts), len(parts) - 1, -1):
        ends = route.parts[end - len(parts) : end]
        if any(parts) and [*map(str.lower, ends)] == [*map(str.lower, parts)]:
            return route.parts[end:]
    return None


def _parts(path: str) -> tuple[str, ...]:
    return tuple("" if _PARAMETER.search(part) else part for part in path.split("/") if part)


def _said(text: str, route: Route) -> Said:
    """The parts of a route that a text says as its end, without its optional parts where the route is shorter; none when it says
    another path or no word of it.
    """
    path = OF_METHOD.sub("", text).strip("^$")
    parts = _parts(path)
    if len(parts) > len(route.parts):
        parts = _parts(_OPTIONAL.sub("", path))
    ends = route.parts[max(0, len(route.parts) - len(parts)) :]
    if not any(parts) or len(parts) > len(route.parts):
        return NOTHING_SAID
    if any(one and one.lower() != two.lower() for one, two in zip(parts, ends, strict=True)):
        return NOTHING_SAID
    return Said(sum(map(bool, parts)), len(parts))


def _said_by_file(uri: str, route: Route) -> Said:
    """The parts of a route when the path of a file is that of the whole route; none for another file."""
    match = _FILE_OF_ROUTE.search(uri)
    if match is None or uri.endswith(_PAGES):
        return NOTHING_SAID
    folders = [part for part in match["path"].split("/") if not part.startswith("(")]
    is_open = bool(folders) and folders[-1].startswith("[...")  # for any number of parts
    parts = _parts("/".join(folders[:-1] if is_open else folders))
    wanted = route._replace(parts=route.parts[: len(parts)]) if is_open else route
    while parts and not parts[0] and len(parts) > len(wanted.parts):  # the language of a page
        parts = parts[1:]
    said = _said("/".join(part or ":" for part in parts), wanted)
    if said.parts != len(wanted.parts):
        return NOTHING_SAID
    return Said(0, said.parts) if is_open else said  # the texts in an open file say more


def _in_file(graph: CodeGraph, uri: str, method: str) -> Place:
    """The line of the function that a file names as the method, else its first line."""
    facts = graph.project.facts(uri)
    symbols = facts.symbols if facts is not None else ()
    return Place(uri, next((one.line for one in symbols if method and one.name == method.upper()), 1))
