"""The statement that registers a route: its path, its methods, and the functions or classes that it binds to them.

    path("orders/<int:id>/pay", views.pay)              an argument
    mux.HandleFunc("POST /orders/{id}/pay", shop.pay)
    @PostMapping("/orders/{id}/pay")                    a decorator, an annotation or an attribute of the handler
    router.post("/orders/:id/pay", (req, res) => …)     a function in place
    router.route("/:id").get(show).delete(drop)         a chain with a call for each method
    get "/orders/:id", OrderController, :show           a class and the name of its method, also as "orders#show"

A statement takes several lines at most, and says its path as a text in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename, dirname
from typing import NamedTuple, Protocol

from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, VALUES, CodePlace, Relation
from daypack.doors.code.graph.project_names import definitions
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.mentions import Place
from daypack.doors.code.references import enclosing, is_page
from daypack.text.paths import is_test_path, without_ending

METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
MOST_LINES = 12  # of a statement that registers a route
LONGEST_LINE = 2_000  # characters; the rest of a longer line is not read
MOST_DEFINING = 200  # files that define the name of an action
_METHOD = "|".join(METHODS)
# Without steps back: a line may hold anything.
TEXT = re.compile(r"([\"'`])((?:\\.|(?!\1)[^\\\n])*+)\1")
OF_METHOD = re.compile(rf"(?i)\A(?:{_METHOD})\s+(?=/)")
_IN_PLACE = re.compile(r"=>|\bfunction\b|\bfunc\s*\(|\blambda\b|\bdo\b|\bfn\b|\{\s*\||\A\s*,\s*(?:\w+\()?\|")
_OF_PATHS = frozenset({"path", "route", "url"})
_REGISTERING = frozenset({*METHODS, *_OF_PATHS, "any", "all", "handle", "func", "map", "match"})
BESIDE = (
    *METHODS,
    *_OF_PATHS,
    "handle",
    "mapping",
    "map",
    "router",
    "routes",
    "resource",
    "resources",
    "register",
    "prefix",
)
"""Each chunk that registers a route holds one of these words."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASS_IN_PLACE = re.compile(r"\.as_view\b|::class\b")
_ACTION = re.compile(r"(?:\w+/)*(\w+)[#@](\w+)")
_METHOD_OF_CLASS = re.compile(r"(\w+)::class\s*+,\s*+[\"'](\w+)[\"']|\b([A-Z]\w*+)\s*+,\s*+:(\w+)")
_NAMED_LAST = re.compile(r"(?<![\w.])([\w.]++)[\s,]*+\Z")
_CALLED = re.compile(r"\b(\w++)\s*+\(|\A\s*(\w+)\s+\"\"")
_GROUPING = frozenset({"group", "mount", "namespace", "prefix", "scope"})
_GROUP_IN_PLACE = re.compile(r"\bRoute\(.*\bfunc\s*\(\s*\w+\s+[\w.]*Router\s*\)")
_ROUTER_OF_PHP = re.compile(r"\bRoute::|\$(?:app|group|router|routes)->")
_OWNER = re.compile(r"\A\s*(?:@\s*)?(\w+)\s*(?:\.|->|::)")
_MARK = re.compile(r"\s*(?:@|#\[|\[)")
_FOR_METHOD = re.compile(rf"(?i)\.\s*({_METHOD})\s*\(")
_BY_METHOD = re.compile(rf"\A\s*,\s*(?:\w+::)*({_METHOD})\s*\(")


class Request(Protocol):
    """A request: its method of HTTP in lower case, "" for any, and the parts of its path."""

    @property
    def method(self) -> str: ...

    @property
    def parts(self) -> tuple[str, ...]: ...


class Statement(NamedTuple):
    """A statement in a file; `line`, counted from 1, is its first."""

    uri: str
    line: int
    text: str

    @property
    def is_mark(self) -> bool:
        """True for a decorator, an annotation or an attribute."""
        return _MARK.match(self.text) is not None

    @property
    def owner(self) -> str:
        """The name whose method is called: `router` of `router.get("/", show)`, "" for a plain call."""
        match = _OWNER.match(self.text)
        return match[1] if match else ""

    @property
    def words_called(self) -> set[str]:
        """The words in the first name that is called: {"http", "post"} of `[HttpPost("orders")]`."""
        called = _CALLED.search(TEXT.sub('""', self.text))
        return {part.lower() for part in _WORD.findall(called[1] or called[2])} if called else set()

    def is_path(self, text: str) -> bool:
        """True for a text with a slash; for a word where the statement names a path, or a mark a method: `@Get("list")`; and for the
        first text of a call of Laravel's router.
        """
        if "/" in text:
            return True
        if _ROUTER_OF_PHP.search(self.text):
            return self.registers and texts_of(self.text)[:1] == [text]
        naming = {*_OF_PATHS, *METHODS} if self.is_mark else _OF_PATHS
        return not naming.isdisjoint(self.words_called)

    @property
    def registers(self) -> bool:
        """True where the name that is called is that of a method of HTTP or says that a path is bound."""
        return not _REGISTERING.isdisjoint(self.words_called)

    @property
    def groups(self) -> bool:
        """True where it opens a group of routes, whose function handles no request: `r.Route("/users", func(r chi.Router) {`."""
        return not _GROUPING.isdisjoint(self.words_called) or _GROUP_IN_PLACE.search(self.text) is not None

    def takes(self, method: str) -> bool:
        """False where the statement names other methods of HTTP: in its text, in the name that it calls, or as texts."""
        texts = texts_of(self.text)
        named = {match[0].strip().lower() for text in texts if (match := OF_METHOD.match(text))}
        named |= {text.lower() for text in texts} & {*METHODS}
        named |= self.words_called & {*METHODS}
        return not method or not named or method in named


def line_of(lines: Sequence[str], number: int) -> str:
    """A line by its number, counted from 1; "" before the first and behind the last."""
    return lines[number - 1][:LONGEST_LINE] if 0 < number <= len(lines) else ""


def texts_of(line: str) -> list[str]:
    """The contents of the texts in quotation marks."""
    return [text for _, text in TEXT.findall(line)]


def statement_at(uri: str, lines: Sequence[str], number: int) -> Statement:
    """The statement around a line: of a call of several lines all of them, and the calls that follow `.route(…)`."""
    first = number
    while first > 1 and number - first < 3 and line_of(lines, first - 1).rstrip().endswith(("(", ",")):
        first -= 1
        if line_of(lines, first).rstrip().endswith("("):
            break
    else:
        first = number
    taken: list[str] = []
    depth = 0
    for at in range(first, min(first + MOST_LINES, len(lines) + 1)):
        line = line_of(lines, at)
        is_chained = ".route(" in taken[0] and line.lstrip().startswith(".") if taken else False
        if taken and depth <= 0 and first + len(taken) > number and not is_chained:
            break
        taken.append(line)
        bare = TEXT.sub('""', line)
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
    return Statement(uri, first, "\n".join(taken))


def handlers_bound(
    graph: CodeGraph, statement: Statement, number: int, text: str, route: Request
) -> Iterator[Place]:
    """The lines of the functions or classes that a statement binds to the text in its line `number` for a route."""
    facts = graph.project.facts(statement.uri)
    if facts is None or not statement.takes(route.method):
        return
    if statement.is_mark:
        marked = [one for one in facts.symbols if one.start_line <= number <= one.line]
        below = [
            one for one in facts.symbols if statement.line < one.start_line <= statement.line + MOST_LINES
        ]
        for one in marked[-1:] or below[:1]:
            if one.kind in FUNCTIONS:  # the mark of a class is a prefix
                yield Place(statement.uri, one.line)
        return
    if actions := _methods_of_classes(graph, statement.text, route.parts):
        yield from actions
        return
    for line, arguments in _arguments(statement, text, route.method):
        if _IN_PLACE.search(_without_objects(arguments)):
            yield Place(statement.uri, line or number)
        else:
            yield from _named_last(graph, statement, number, arguments)


def _methods_of_classes(graph: CodeGraph, text: str, said: Iterable[str]) -> list[Place]:
    """The methods of controllers that a statement names: `login#create` of Ruby on Rails, `LoginController@create` and
    `[LoginController::class, 'create']` of Laravel, `LoginController, :create` of Phoenix.
    """
    found = [
        (controller_called(match[1]), match[2]) for match in map(_ACTION.fullmatch, texts_of(text)) if match
    ]
    found += [
        (php or phoenix, method or action) for php, method, phoenix, action in _METHOD_OF_CLASS.findall(text)
    ]
    return [place for owner, name in found for place in methods_named(graph, owner, name, said)]


def methods_named(graph: CodeGraph, owner: str, name: str, said: Iterable[str]) -> list[Place]:
    """The methods with a name of the classes or modules with a name; of several those with the fewest namespaces that the parts of a
    path do not say: Admin::OrdersController for /admin/orders.
    """
    words, ends = set(map(_letters, said)), f".{owner}.{name}"
    found: dict[Place, tuple[int, int]] = {}
    # Hundreds of controllers have a `show`.
    of_owner = {*graph.project.defining(owner)}
    defining = graph.project.defining(name)
    for uri in [uri for uri in defining if uri in of_owner] or defining[:MOST_DEFINING]:
        facts = graph.project.facts(uri)
        for symbol in facts.symbols if facts is not None else ():
            if symbol.name == name and f".{symbol.qualified}".endswith(ends):
                spaces = [*map(_letters, symbol.qualified.split(".")[:-2])]
                found[Place(uri, symbol.line)] = (sum(one not in words for one in spaces), -len(spaces))
    least = min(found.values(), default=None)
    return [place for place, rank in found.items() if rank == least]


def controller_called(words: str) -> str:
    """The controller that a name means: LoginTokenController of login_token, LoginController of LoginController."""
    camel = "".join(word[:1].upper() + word[1:] for word in words.split("_"))
    return f"{camel.removesuffix('Controller')}Controller"


def _arguments(statement: Statement, text: str, method: str) -> Iterator[tuple[int, str]]:
    """(line, arguments) for each call that may name the handler: those behind the text, or where each method has a call of its own,
    in a chain or as `get(show).delete(drop)`, those of the method. Line 0 stands for that of the text.
    """
    said = next(match for match in TEXT.finditer(statement.text) if match[2] == text)
    before, after = statement.text[: said.start()], statement.text[said.end() :]
    rest = TEXT.sub('""', after)
    behind = _enclosed(rest)
    # Blanked texts hide their length, so lines are counted by their ends.
    first = statement.line + before.count("\n")
    if _BY_METHOD.match(behind):
        calls = f".{behind.lstrip(', ')}"
    elif before.rstrip("\"'`( ").endswith("route") and not behind.strip(", \n"):
        calls = rest[len(behind) :]
    else:
        yield 0, behind
        return
    for match in _FOR_METHOD.finditer(calls):
        if not method or match[1].lower() == method:
            yield first + calls.count("\n", 0, match.start(1)), f", {_enclosed(calls[match.end() :])}"


def _enclosed(text: str) -> str:
    """A text up to the bracket that closes the one around its begin."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return text[:at]
    return text


def _without_objects(arguments: str) -> str:
    """Arguments without the contents of objects among them, whose functions handle no request."""
    kept, depth = [], 0
    before = ","
    for letter in arguments:
        if letter == "{" and (depth or before in ",("):
            depth += 1
        if not depth:
            kept.append(letter)
        if letter == "}" and depth:
            depth -= 1
        before = before if letter.isspace() else letter
    return "".join(kept)


def _named_last(graph: CodeGraph, statement: Statement, number: int, arguments: str) -> Iterator[Place]:
    """The function that arguments name last, as middleware stands before the handler, or the class whose handlers are methods."""
    uri, rows = statement.uri, statement.text.count("\n") + 1
    facts = graph.project.facts(uri)
    if facts is None:
        return
    takes_class = _CLASS_IN_PLACE.search(statement.text) is not None
    names = {*re.findall(r"\w+", arguments)}
    targets: dict[CodePlace, None] = {}
    for edge in graph.outgoing(enclosing(facts, uri, number)):
        symbol = graph.symbol(edge.target)
        is_inside = statement.line <= edge.line < statement.line + rows
        if symbol is None or symbol.name not in names or not is_inside:
            continue
        is_function = symbol.kind in FUNCTIONS and edge.relation is Relation.USES
        if symbol.kind in CLASS_LIKE if takes_class else is_function:
            targets[edge.target] = None
    match = _NAMED_LAST.search(arguments)
    owner, _, name = match[1].rpartition(".") if match else ("", "", "")
    last = [place for place in targets if _has_name(graph, place, name)][-1:]
    for target in last or _of_name(graph, uri, owner.rpartition(".")[2], name) or [*targets][-1:]:
        if (symbol := graph.symbol(target)) is not None:
            yield Place(target.uri, symbol.line)


def _has_name(graph: CodeGraph, place: CodePlace, name: str) -> bool:
    symbol = graph.symbol(place)
    return symbol is not None and symbol.name == name


def _of_name(graph: CodeGraph, uri: str, owner: str, name: str) -> list[CodePlace]:
    """The function of a name, as `handler.pay` of a value whose type is not known: that in the module or file called after the
    value, where a constant may hold it, that in the folder of the file, or the only one.
    """
    found = [
        (place, symbol)
        for place, symbol in definitions(graph.project, name, MOST_DEFINING)
        if symbol.name == name
        and symbol.kind in FUNCTIONS | VALUES
        and not is_test_path(place.uri)
        and not is_page(graph.project, place.uri)
    ]
    facts = graph.project.facts(uri)
    entries = [one for one in facts.imports if owner and one.name == owner] if facts is not None else []
    imported = {place.uri for entry in entries for place in graph.resolver.imported(uri, entry)}
    of_owner = [place for place, _ in found if place.uri in imported] or [
        place
        for place, _ in found
        if owner and _letters(basename(without_ending(place.uri))) == _letters(owner)
    ]
    functions = [place for place, symbol in found if symbol.kind in FUNCTIONS]
    near = [place for place in functions if dirname(place.uri) == dirname(uri)]
    return next((one for one in (of_owner, near, functions) if len(one) == 1), [])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def indent_of(line: str) -> int:
    """The number of blanks before a line's text."""
    return len(line) - len(line.lstrip())
