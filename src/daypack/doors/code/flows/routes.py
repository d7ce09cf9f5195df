"""Routes: the handler of a request, as `POST /orders/{id}/pay`, by the literal that registers it.

A program says the path, or its end below a prefix that another line adds, as a text in a statement that also names the
handler:

    path("orders/<int:id>/pay", views.pay)              an argument
    mux.HandleFunc("POST /orders/{id}/pay", shop.pay)
    @PostMapping("/orders/{id}/pay")                    a decorator, an annotation or an attribute of the handler
    router.post("/orders/:id/pay", (req, res) => …)     a function in place

or the path is that of the handler's file: app/orders/[id]/pay/route.ts. Parameters match any text. A text whose statement does
none of this, as the request of a client, registers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from posixpath import dirname
from typing import NamedTuple

from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, CodePlace, Relation
from daypack.doors.code.graph.project_names import definitions
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.mentions import Mentions, Place
from daypack.doors.code.references import enclosing
from daypack.errors import InputError
from daypack.text.paths import is_test_path

METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
MOST_LINES = 12  # of a statement that registers a route
LONGEST_LINE = 2_000  # characters; the rest of a longer line is not read
MOST_HANDLERS = 5  # of one route
MOST_DEFINING = 200  # files that define the name of an action
_ROUTE = re.compile(
    rf"(?:(?P<method>{'|'.join(METHODS)})\s+(?=\S*/)|(?=/))(?P<path>/?[^\s\"'`?#]+)", re.IGNORECASE
)
# Without steps back: a line may hold anything.
_TEXT = re.compile(r"([\"'`])((?:\\.|(?!\1)[^\\\n])*+)\1")
_OF_METHOD = re.compile(rf"(?i)\A(?:{'|'.join(METHODS)})\s+(?=/)")
_PARAMETER = re.compile(r"[<>{}\[\]()*$%]|\A:|\A\d+\Z|\A[0-9a-f-]{32,}\Z")
_IN_PLACE = re.compile(r"=>|\bfunction\b|\bfunc\s*\(|\blambda\b|\bdo\b|\bfn\b|\{\s*\|")
_OF_PATHS = frozenset({"path", "route", "url"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASS_IN_PLACE = re.compile(r"\.as_view\b|::class\b")
_ACTION = re.compile(r"(?:\w+/)*(\w+)[#@](\w+)")
_NAMED_LAST = re.compile(r"(?<![\w.])([\w.]++)[\s,]*+\Z")
_CALLED = re.compile(r"\b(\w++)\s*+\(|\A\s*(\w+)\s+\"\"")
_MARK = re.compile(r"\s*(?:@|#\[|\[)")
_FILE_OF_ROUTE = re.compile(
    r"(?:^|/)(?:app|pages|routes)/(?P<path>.*?)/?(?:(?<![^/])(?:\+?(?:route|page|server|index)(?:\.server)?))?\.\w+$"
)


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


def handler_meant(text: str, mentions: Mentions, graph: CodeGraph) -> str:
    """path:line of the handler of a route; "" for a text without one. Raises InputError for a route with several handlers."""
    found, _ = handlers_and_requests(text, mentions, graph)
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
        if any(_said(text, route).words >= enough for text in _texts(_line(lines_of(place.uri), place.line)))
    ]


def handlers_of(route: Route, mentions: Mentions, graph: CodeGraph) -> list[Place]:
    """The lines of the handlers of a route: of several texts those that say most of its path; none when no code registers it."""
    found: dict[Place, Said] = {}
    prefixes: set[tuple[str, str]] = set()
    lines_of = cache(mentions.lines)
    for uri in graph.project.files.uris:
        if (said := _said_by_file(uri, route)).parts and not is_test_path(uri):
            found[_in_file(graph, uri, route.method)] = said
    for word in filter(None, reversed(route.parts)):  # the last may be the value of a parameter
        for place in mentions.lines_with(word):
            if is_test_path(place.uri) or graph.project.facts(place.uri) is None:
                continue
            lines = lines_of(place.uri)
            for text in _texts(_line(lines, place.line)):
                for handler, said in _registered(graph, lines, place, text, route, prefixes):
                    found[handler] = max(found.get(handler, said), said)
        if found:
            break
    most = max((said.words for said in found.values()), default=0)
    best = {place: said for place, said in found.items() if said.words == most}
    parts = max((said.parts for said in best.values()), default=0)
    if any(not mentions.lines_with(part) for part in route.parts[: len(route.parts) - parts] if part):
        return []  # no code says the prefix
    return sorted(best)[:MOST_HANDLERS]


def _registered(
    graph: CodeGraph,
    lines: Sequence[str],
    place: Place,
    text: str,
    route: Route,
    prefixes: set[tuple[str, str]],
) -> Iterator[tuple[Place, Said]]:
    """The handlers that a text in a line registers for a route, or that marks in its file register below it as a prefix, once for
    each file and text in `prefixes`.
    """
    if (said := _said(text, route)).parts:
        for handler in _bound(graph, lines, place, text, route.method):
            yield handler, said
    is_prefix = "/" in text and not any(_bound(graph, lines, place, text, ""))
    if is_prefix and (place.uri, text) not in prefixes and (rest := _below(text, route)) is not None:
        prefixes.add((place.uri, text))
        for number, line in enumerate(lines, 1):
            texts = _texts(_statement(lines, number)[1]) if _MARK.match(line) else []
            if texts and texts[0].startswith("/") and _parts(texts[0]) == ("",) * len(rest):
                for handler in _bound(graph, lines, Place(place.uri, number), texts[0], route.method):
                    yield handler, Said(sum(map(bool, _parts(text))), len(_parts(text)) + len(rest))


def _bound(graph: CodeGraph, lines: Sequence[str], place: Place, text: str, method: str) -> Iterator[Place]:
    first, statement = _statement(lines, place.line)
    if _takes(statement, method) and _is_path(text, statement):
        yield from _handlers(graph, place, first, statement, text)


def _below(text: str, route: Route) -> tuple[str, ...] | None:
    """The parts of a route behind the words of a text, as `5` of /orders/5 behind "/orders"; None where it does not say them."""
    parts = _parts(text)
    for end in range(len(route.parts), len(parts) - 1, -1):
        ends = route.parts[end - len(parts) : end]
        if any(parts) and [*map(str.lower, ends)] == [*map(str.lower, parts)]:
            return route.parts[end:]
    return None


def _texts(line: str) -> list[str]:
    return [text for _, text in _TEXT.findall(line)]


def _parts(path: str) -> tuple[str, ...]:
    return tuple("" if _PARAMETER.search(part) else part for part in path.split("/") if part)


def _said(text: str, route: Route) -> Said:
    """The parts of a route that a text says as its end; none when it says another path or no word of it."""
    parts = _parts(re.sub(_OF_METHOD, "", text).strip("^$"))
    ends = route.parts[max(0, len(route.parts) - len(parts)) :]
    if not any(parts) or len(parts) > len(route.parts):
        return NOTHING_SAID
    if any(one and one.lower() != two.lower() for one, two in zip(parts, ends, strict=True)):
        return NOTHING_SAID
    return Said(sum(map(bool, parts)), len(parts))


def _is_path(text: str, statement: str) -> bool:
    """True for a text with a slash, and for a word where the statement names a path, or a mark a method: `@Get("list")`."""
    naming = {*_OF_PATHS, *METHODS} if _MARK.match(statement) else _OF_PATHS
    return "/" in text or not naming.isdisjoint(_words_called(statement))


def _words_called(statement: str) -> set[str]:
    """The words in the first name that a statement calls: {"http", "post"} of `[HttpPost("orders")]`."""
    called = _CALLED.search(_TEXT.sub('""', statement))
    return {part.lower() for part in _WORD.findall(called[1] or called[2])} if called else set()


def _said_by_file(uri: str, route: Route) -> Said:
    """The parts of a route when the path of a file is that of the whole route; none for another file."""
    match = _FILE_OF_ROUTE.search(uri)
    if match is None:
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


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1][:LONGEST_LINE] if number <= len(lines) else ""


def _statement(lines: Sequence[str], number: int) -> tuple[int, str]:
    """The first line of the statement around a line, and its text: of a call of several lines all of them."""
    first = number
    while first > 1 and number - first < 3 and _line(lines, first - 1).rstrip().endswith(("(", ",")):
        first -= 1
        if _line(lines, first).rstrip().endswith("("):
            break
    else:
        first = number
    taken, depth = [], 0
    for at in range(first, min(first + MOST_LINES, len(lines) + 1)):
        taken.append(line := _line(lines, at))
        bare = _TEXT.sub('""', line)
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
        if depth <= 0 and first + len(taken) > number:
            break
    return first, "\n".join(taken)


def _takes(statement: str, method: str) -> bool:
    """False for a statement that names other methods of HTTP: in its text, in the name that it calls, or as texts."""
    texts = _texts(statement)
    named = {match[0].strip().lower() for text in texts if (match := _OF_METHOD.match(text))}
    named |= {text.lower() for text in texts} & {*METHODS}
    named |= _words_called(statement) & {*METHODS}
    return not method or not named or method in named


def _handlers(graph: CodeGraph, place: Place, first: int, statement: str, text: str) -> Iterator[Place]:
    """The lines of the functions or classes that a statement binds to its text."""
    uri, rows = place.uri, statement.count("\n") + 1
    facts = graph.project.facts(uri)
    if facts is None:
        return
    if _MARK.match(statement):
        marked = [one for one in facts.symbols if one.start_line <= place.line <= one.line]
        below = [one for one in facts.symbols if first < one.start_line <= first + MOST_LINES]
        for one in marked[-1:] or below[:1]:
            if one.kind in FUNCTIONS:  # the mark of a class is a prefix
                yield Place(uri, one.line)
        return
    behind = _behind(statement, text)
    if actions := _actions_named(graph, _texts(statement)):
        yield from actions
        return
    if _IN_PLACE.search(behind):
        yield place
        return
    takes_class = _CLASS_IN_PLACE.search(statement) is not None
    names = {*re.findall(r"\w+", behind)}
    targets: dict[CodePlace, None] = {}
    for edge in graph.outgoing(enclosing(facts, uri, place.line)):
        symbol = graph.symbol(edge.target)
        if symbol is None or symbol.name not in names or not first <= edge.line < first + rows:
            continue
        is_function = symbol.kind in FUNCTIONS and edge.relation is Relation.USES
        if symbol.kind in CLASS_LIKE if takes_class else is_function:
            targets[edge.target] = None
    last = [*targets][-1:]  # middleware stands before the handler
    for target in last or _of_last_name(graph, uri, behind):
        if (symbol := graph.symbol(target)) is not None:
            yield Place(target.uri, symbol.line)


def _actions_named(graph: CodeGraph, texts: Sequence[str]) -> list[Place]:
    """The methods of controllers that texts name: `login#create` of Ruby on Rails, `LoginController@create` of Laravel."""
    found = []
    for match in filter(None, map(_ACTION.fullmatch, texts)):
        words = (word[:1].upper() + word[1:] for word in match[1].split("_"))
        owner = "".join(words).removesuffix("Controller") + "Controller"
        found += [
            Place(place.uri, symbol.line)
            for place, symbol in definitions(graph.project, match[2], MOST_DEFINING)
            if symbol.name == match[2] and f".{symbol.qualified}".endswith(f".{owner}.{match[2]}")
        ]
    return found


def _behind(statement: str, text: str) -> str:
    """The arguments behind a text in the call that it is an argument of, without the contents of texts."""
    rest, depth = _TEXT.sub('""', statement.partition(text)[2][1:]), 0
    for at, letter in enumerate(rest):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return rest[:at]
    return rest


def _of_last_name(graph: CodeGraph, uri: str, arguments: str) -> list[CodePlace]:
    """The function whose name is the last argument of a call, as `handler.pay` of a value whose type is not known: that in the
    folder of the file, or the only one.
    """
    match = _NAMED_LAST.search(arguments)
    name = match[1].rpartition(".")[2] if match else ""
    found = [
        place
        for place, symbol in definitions(graph.project, name, MOST_HANDLERS)
        if symbol.name == name and symbol.kind in FUNCTIONS and not is_test_path(place.uri)
    ]
    near = [place for place in found if dirname(place.uri) == dirname(uri)]
    return next((one for one in (near, found) if len(one) == 1), [])


def _in_file(graph: CodeGraph, uri: str, method: str) -> Place:
    """The line of the function that a file names as the method, else its first line."""
    facts = graph.project.facts(uri)
    symbols = facts.symbols if facts is not None else ()
    return Place(uri, next((one.line for one in symbols if method and one.name == method.upper()), 1))
