"""References to symbols (path, path:line, path:Name, Name, Class.name), and the places that they mean. Routes are in flows/routes.py."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence

from daypack.doors.code.graph.facts import CLASS_LIKE, MODULE, CodePlace, FileFacts
from daypack.doors.code.graph.languages import language_of, languages
from daypack.doors.code.graph.modules import files_of_module
from daypack.doors.code.graph.project_names import Project
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.project import StoredProject
from daypack.doors.code.types import SymbolRow
from daypack.engine.citations import did_you_mean_file
from daypack.errors import BadReference, InputError, NotFound
from daypack.system import unicode_forms
from daypack.text.analysis import parts
from daypack.text.checks import check_text, did_you_mean
from daypack.text.paths import is_aside_path, is_test_path
from daypack.text.qualified_names import dotted
from daypack.text.references import without_column
from daypack.text.storable import storable
from daypack.types import SymbolKind

Spellings = Callable[[str], Sequence[str]]
"""A path or reference → the names that it may mean, relative to the root; the last is as seen from there."""
FORMS = "a name (Cart, Cart.total), path:line, path:Name, the path of a file, or a route (POST /orders)"
_METHOD_OF_LUA = re.compile(r"(?<=\w):(?=[^\W\d]\w*$)")  # Cart:total
NEARLY = 200  # files that are searched for a name similar to a misspelt one


class SeveralMeant(InputError):
    """A name means several symbols; `rows` lists them."""

    def __init__(self, name: str, rows: Sequence[SymbolRow]) -> None:
        self.rows = tuple(rows)
        places = ", ".join(f"{row.file}:{row.line}" for row in rows[:5])
        super().__init__(f"{name!r} is defined in {len(rows)} places; say which: {places}")


def resolve_reference(
    graph: CodeGraph, project: StoredProject, reference: str, spellings: Spellings
) -> CodePlace:
    """The place that a reference means: path:12, path, path:Name, Name or Class.name.

    Raises BadReference, NotFound, and SeveralMeant.
    """
    check_text("the reference", reference, FORMS)
    text = (
        spelled(project, without_column(storable(reference).strip()), spellings) if reference.strip() else ""
    )
    if not text or "\0" in text:
        raise BadReference(reference, FORMS)
    text = _stored_path(project, text) or text
    for file in (text, _stored_path(project, _path_in(text))):
        if file in project.files.uris and project.facts(file) is None:
            raise _without_graph(reference, text)
    check_line(project, text)
    found = places_named(project, text)
    if not found:
        raise nothing_named(graph, project, reference, text)
    code = _without_constructors(graph, of_the_code_itself(project, found))
    outside = _without_parts(graph, _without_prototypes(graph, _without_overloads(graph, code)))
    if len(outside) > 1:
        raise SeveralMeant(text, [row for place in outside if (row := row_of(graph, place)) is not None])
    return outside[0]


def spelled(project: StoredProject, text: str, spellings: Spellings) -> str:
    """A path or reference relative to the root: as its caller sees it where a file is there, else from the root."""
    *below, plain = spellings(text)
    files = project.files.uris
    return next((one for one in below if one in files or _path_in(one) in files), plain)


def _path_in(text: str) -> str:
    """The path of path:12, path:Name or path#L12."""
    return text.rpartition("#" if "#" in text else ":")[0].rstrip(":")


def of_the_code_itself(project: StoredProject, places: list[CodePlace]) -> list[CodePlace]:
    """The places without those in tests, pages, examples, other code beside the program, and files that a program wrote, if any
    are left: these show what people defined, or repeat it.
    """
    code = [place for place in places if not is_test_path(place.uri)] or places
    code = [place for place in code if not is_page(project, place.uri)] or code
    code = [place for place in code if not is_aside_path(place.uri)] or code
    return [place for place in code if place.uri not in project.generated] or code


def is_page(project: Project, uri: str) -> bool:
    """True for a page with code, as Markdown or a notebook."""
    facts = project.facts(uri)
    return facts is not None and language_of(facts.language) is None


def _without_constructors(graph: CodeGraph, places: list[CodePlace]) -> list[CodePlace]:
    """The places without the constructors of their classes: `Cart` means the class, `Cart.Cart` its constructor."""
    symbols = [graph.symbol(place) for place in places]
    classes = {symbol.qualified for symbol in symbols if symbol is not None and symbol.kind in CLASS_LIKE}
    return [
        place
        for place, symbol in zip(places, symbols, strict=True)
        if symbol is None or symbol.qualified.rpartition(".")[0] not in classes
    ]


def _without_overloads(graph: CodeGraph, places: list[CodePlace]) -> list[CodePlace]:
    """The places without further overloads or clauses of a function in a file: relations lead to its first."""
    firsts: dict[tuple[str, str], CodePlace] = {}
    for place in places:
        symbol = graph.symbol(place)
        firsts.setdefault((place.uri, symbol.qualified if symbol is not None else ""), place)
    return [*firsts.values()]


def _without_prototypes(graph: CodeGraph, places: list[CodePlace]) -> list[CodePlace]:
    """Only the definition, when all other places declare it: calls of a declaration are calls of its definition."""
    names = graph.resolver.names
    bodies = names.bodies(places) if len(places) > 1 else places
    return bodies if len(bodies) == 1 and {*names.written_twice(bodies[0])}.issuperset(places) else places


def _without_parts(graph: CodeGraph, places: list[CodePlace]) -> list[CodePlace]:
    """Only the part with the shortest path when all places are parts of one class of C#: `Cart.cs` before `Cart.Lines.cs`."""
    symbols = [graph.symbol(place) for place in places]
    names = {
        symbol.qualified if symbol is not None and "partial " in symbol.signature else ""
        for symbol in symbols
    }
    is_one = len(names) == 1 and "" not in names
    return [min(places, key=lambda place: (len(place.uri), place))] if is_one else places


def places_named(project: StoredProject, text: str) -> list[CodePlace]:
    """All places that a reference may mean; none for a text that is not a reference."""
    if whole := _stored_path(project, text):
        return [CodePlace(whole, MODULE)] if project.facts(whole) is not None else []
    if (part := _part_of_file(project, text)) is None:
        files = project.files.components(text) or _files_of_module(project, text)
        return _named(project, _METHOD_OF_LUA.sub(".", text)) or [CodePlace(uri, MODULE) for uri in files]
    path, end, facts = part
    if (line := _line_in(end)) is not None:
        return [enclosing(facts, path, line)]
    return [place for place in _named(project, end) if place.uri == path]


def _files_of_module(project: StoredProject, text: str) -> list[str]:
    """The file of a module with dots in its name, as Python imports it: shop.cart is shop/cart.py or shop/cart/__init__.py."""
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)+", text):
        return []
    styled = (one for one in map(language_of, sorted(languages())) if one is not None)
    found = [
        uri
        for one in styled
        if one.modules == "dotted"
        for uri in files_of_module(text, "", one, project.files)
    ]
    return [uri for uri in found if project.facts(uri) is not None]


def declarations(project: StoredProject, text: str) -> list[SymbolRow]:
    """The definitions without relations that a reference from the root means; for a file those in it, or the file itself where it has a name of
    several words and defines none, as a model of SQL.
    """
    own = project.unrelated_by_file
    if (whole := _stored_path(project, text)) in project.unread:
        return own.get(whole) or _named_by_file([whole])
    for sign in ":#":
        path, _, end = text.rpartition(sign)
        if (path := _stored_path(project, path)) in project.unread:
            line = _line_in(end)
            return [
                row
                for row in own.get(path, ())
                if (end in (row.name, row.bare) if line is None else row.line <= line <= row.end_line)
            ][-1:]
    if named := [row for row in project.unrelated if text in (row.name, row.bare)]:
        return named
    return _named_by_file(sorted(uri for uri in project.unread.keys() - own.keys() if _stem(uri) == text))


def _named_by_file(uris: Sequence[str]) -> list[SymbolRow]:
    return [row for row in map(SymbolRow.of_file, uris) if len(parts(row.bare)) > 1]


def _stem(uri: str) -> str:
    return uri.rpartition("/")[2].partition(".")[0]


def check_line(project: StoredProject, text: str) -> None:
    """Raise NotFound for a line that its file does not have."""
    part = None if _stored_path(project, text) else _part_of_file(project, text)
    line = _line_in(part[1]) if part is not None else None
    if part is None or line is None:
        return
    count = project.lines(part[0])
    if not 1 <= line <= count:
        raise NotFound(f"{part[0]} has no line {line:,}", f"its last line is {count:,}")


def _part_of_file(project: StoredProject, text: str) -> tuple[str, str, FileFacts] | None:
    """(path, the text after it, facts) of path:12, path:Name, or path#L12 as the pages of hosts write it."""
    for sign in ":#":
        path, _, end = text.rpartition(sign)
        path = _stored_path(project, path.rstrip(":"))
        if path and (facts := project.facts(path)) is not None:
            return path, end, facts
    return None


def _line_in(end: str) -> int | None:
    """The first line of `12`, `12-40`, `L12` or `L12-L40`."""
    match = re.fullmatch(r"L?(-?\d{1,4000})(?:-L?\d+)?", end)  # int() reads no more digits
    return int(match[1]) if match else None


def _stored_path(project: StoredProject, path: str) -> str:
    """The stored file of a path, or the only one whose path ends with it, as traces and people write it; "" for another text."""
    forms = unicode_forms(path)
    if whole := next((form for form in forms if form in project.files.uris), ""):
        return whole
    below = tuple(f"/{form}" for form in forms)
    ends = [uri for uri in project.files.uris if uri.endswith(below)] if "." in path else []
    return ends[0] if len(ends) == 1 else ""


def enclosing(facts: FileFacts, uri: str, line: int) -> CodePlace:
    """The innermost symbol around a line of a file, from 1; the file itself for a line outside of all symbols."""
    symbols = facts.symbols
    inside = [i for i, symbol in enumerate(symbols) if symbol.start_line <= line <= symbol.end_line]
    return CodePlace(uri, max(inside, key=lambda i: (symbols[i].start_line, i)) if inside else MODULE)


def _named(project: StoredProject, name: str) -> list[CodePlace]:
    """The symbols of a name, which may begin with the module, namespace or crate of their file: shop.cart.total,
    Shop\\Cart::total, crate::cart::total. Those in tests only when no others have the name.
    """
    return next(filter(None, (_spelt(project, one) for one in unicode_forms(name))), [])


def _spelt(project: StoredProject, name: str) -> list[CodePlace]:
    parts = dotted(re.sub(r"\([^()]*\)$", "", name)).strip(".").split(".")
    # In R a name itself has dots.
    uris = sorted({*project.defining(parts[-1]), *project.defining(".".join(parts))})
    in_tests: list[CodePlace] = []
    for cut in range(len(parts)):
        wanted = ".".join(parts[cut:])
        found = []
        for uri in uris:
            facts = project.facts(uri)
            if facts is None or not _is_of_module(uri, facts.module, _below_root(project, uri, parts[:cut])):
                continue
            for index, symbol in enumerate(facts.symbols):
                if symbol.kind is not SymbolKind.IMPL and (
                    symbol.qualified == wanted or symbol.qualified.endswith(f".{wanted}")
                ):
                    found.append(CodePlace(uri, index))
        if not all(is_test_path(place.uri) for place in found):
            return found
        in_tests = in_tests or found
    return in_tests


def _below_root(project: StoredProject, uri: str, module: Sequence[str]) -> Sequence[str]:
    """The path of a module without its first name when this stands for all files: Rust's `crate`, the name in a manifest."""
    head = module[0].replace("_", "-").lower() if module else ""
    roots = (
        folder
        for name, folder in project.files.manifests.items()
        if name.lower().rpartition("/")[2].replace("_", "-") == head
    )
    is_root = head == "crate" or any(not folder or uri.startswith(f"{folder}/") for folder in roots)
    return module[1:] if is_root else module


def _is_of_module(uri: str, package: str, module: Sequence[str]) -> bool:
    """True when the name of a module and the path of the file, of its folder, or the package that it declares, end alike over
    the length of the shorter one; `src/shop/cart.py` is of shop.cart and of src.shop.
    """
    *folders, file = uri.lower().split("/")
    wanted = [part.lower() for part in module]
    paths = ([*folders, file.partition(".")[0]], folders, [*filter(None, dotted(package).lower().split("."))])
    return not wanted or any(
        (least := min(len(path), len(wanted))) and path[-least:] == wanted[-least:] for path in paths
    )


def nothing_named(graph: CodeGraph, project: StoredProject, reference: str, text: str) -> NotFound:
    """The error for a reference that means nothing, with the file or name that was probably meant."""
    path = text.partition(":")[0]
    if is_folder(project, path):
        path = path.rstrip("/")
        step = f"`daypack code symbols --path {path}` lists the symbols in it"
        return NotFound(f"{path!r} is a folder, not a symbol or file", step)
    ending = path[path.rfind(".") :] if "." in path else "/"
    if path not in project.files.uris and ("/" in path or any(uri.endswith(ending) for uri in project.uris)):
        step = did_you_mean_file(path, project.uris_like(path))
        return NotFound(f"no file named {path!r}", step)
    if part := next((row for row in project.unrelated if text in (row.name, row.bare)), None):
        return _without_graph(reference, part.reference)
    name = dotted(text.rpartition(":")[2]).rpartition(".")[2]
    own = project.facts(_stored_path(project, path))
    names = (
        [symbol.name for symbol in own.symbols]
        if own is not None
        else [row.name.rpartition(".")[2] for row in _nearly(graph, project, name)]
    )
    step = did_you_mean(name, names, "`daypack code symbols` lists names")
    return NotFound(f"no symbol named {reference!r}", step)


def _without_graph(reference: str, place: str) -> NotFound:
    step = f"`daypack get {shlex.quote(place)}` shows the text, and `daypack search` finds mentions"
    return NotFound(
        f"no relations of {reference!r} are known: calls and uses in its language are not read", step
    )


def is_folder(project: StoredProject, path: str) -> bool:
    return any(uri.startswith(f"{path.rstrip('/')}/") for uri in project.files.uris)


def _nearly(graph: CodeGraph, project: StoredProject, name: str) -> list[SymbolRow]:
    """The symbols whose names begin like this name."""
    start = name[:3]
    uris = project.defining_like(start)[:NEARLY] if start else []
    found = [(uri, facts) for uri in uris if (facts := project.facts(uri)) is not None]
    places = [CodePlace(uri, index) for uri, facts in found for index in range(len(facts.symbols))]
    return [row for place in places if (row := row_of(graph, place)) is not None]


def named_like(
    graph: CodeGraph, project: StoredProject, part: str, lies_in: Callable[[str], bool]
) -> Iterator[tuple[SymbolRow, str]]:
    """The definitions whose names contain `part`, in any case, in the files that `lies_in` takes, each with its bare name."""
    for uri in filter(lies_in, project.defining_like(part) if part else project.uris):
        facts = project.facts(uri)
        for index, symbol in enumerate(facts.symbols if facts is not None else ()):
            if part.casefold() in symbol.name.casefold() and (row := row_of(graph, CodePlace(uri, index))):
                yield row, symbol.name
    for row in project.unrelated:
        if part.casefold() in row.bare.casefold() and lies_in(row.file):
            yield row, row.bare


def row_of(graph: CodeGraph, place: CodePlace) -> SymbolRow | None:
    """The row of a place in listings, a file as its first line; None for a symbol that is gone."""
    symbol = graph.symbol(place)
    if symbol is not None:
        return SymbolRow.of(place.uri, symbol)
    return SymbolRow.of_file(place.uri) if place.symbol == MODULE else None
