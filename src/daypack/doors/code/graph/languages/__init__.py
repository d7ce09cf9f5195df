"""The settings of each language, from the TOML files in this folder: a new file adds a language.

grammar                 the tree-sitter grammar; the default is the file's name
extends                 the language whose query and settings this one extends
query                   tree-sitter patterns; extraction/extract.py lists their captures
own_query               patterns that languages which extend this one do not inherit
self, super             words for the instance, and for its base
bodies_behind           nodes that follow a definition and are its body
doc_above               a pattern for the beginning of documentation above a definition that is not a comment
wrappers                nodes around a definition that belong to it: decorators, `export`
constants               a pattern for the names of constants
transparent             types that wrap another type and count as that type: Optional[A] has the methods of A
passthrough             methods that return their own object: unwrap, await
modules                 the way in which an import names a file: see modules.py
extensions, index_files file endings that an import leaves out; files for which an import names their folder
package                 "file", or "directory" where files of a folder see each other
constructors            the names of functions that run when a class is called; one with the name of its class is such a function, too
class_scope_is_visible  whether a method sees the members of its class without a word for the instance
global_names            whether a name without an import may belong to any file, as in C and Ruby
qualified_members       whether members may be written outside of the body of their type: Go, Rust, C++
import_braces           whether one import may name several items: use a::{b, c}
dotted_names            whether a dot is a letter of names, as in R
functions_are_methods   whether a function of a file may be called as a method: Perl
mixins                  whether the functions of a module are members of the classes that include it
extension               a pattern, with {name}, of the signature of an extension: a function or property of values of another type,
                        which its group "type" names; its group "generics" has the types that may be any
variants                words in the signatures of definitions that a program has once for each platform: that of the declaration
                        that the platforms share, and that of the others
kin                     the languages whose names it shares; the language itself always
type_names              a pattern for expressions that can only name a type: an unknown one is foreign, unless a type of the project has its last name
root                    the name that a full path may begin with, as Elixir.Shop.Store
unnamed                 the name of an object in a class whose members are also those of the class: Companion
open_types              a pattern of the signature of a type whose members are also names of the scope around it: enums of C
structural              whether a type implements each interface whose methods it has, as in Go
facade                  the name, with {name} of the file, of the class by which the kin of a language name the functions of a file
prototypes              whether one file may declare a function that another file defines
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.text.name_sets import name_set
from daypack.text.syntax import plain_name

if TYPE_CHECKING:
    from tree_sitter import Query

_FOLDER = "daypack.doors.code.graph.languages"


class Queries(NamedTuple):
    """The patterns of a language as two queries: matches of several nodes take twice as long as single captures."""

    joint: Query  # patterns whose captures belong together
    kinds: tuple[str, ...]  # by joint pattern: what it captures, "definition", "import", "call" …
    alone: Query  # patterns that capture single nodes


@dataclass(frozen=True)
class CodeLanguage:
    """One language, as described by its file."""

    name: str
    grammar: str
    query: str
    self_words: frozenset[str] = frozenset()
    super_words: frozenset[str] = frozenset({"super", "super()"})
    wrappers: frozenset[str] = frozenset()
    bodies_behind: frozenset[str] = frozenset()
    doc_above: str = ""
    constants: str = "^[A-Z][A-Z0-9_]+$"
    transparent: frozenset[str] = frozenset()
    passthrough: frozenset[str] = frozenset()
    modules: str = "path"
    extensions: tuple[str, ...] = ()
    index_files: tuple[str, ...] = ()
    package: str = "file"
    constructors: frozenset[str] = frozenset()
    class_scope_is_visible: bool = False
    global_names: bool = False
    prototypes: bool = False
    structural: bool = False
    qualified_members: bool = False
    import_braces: bool = False
    mixins: bool = False
    dotted_names: bool = False
    functions_are_methods: bool = False
    extension: str = ""
    type_names: str = ""
    variants: tuple[str, ...] = ()
    root: str = ""
    unnamed: str = ""
    open_types: str = ""
    facade: str = ""
    kin: frozenset[str] = frozenset()
    _compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def compiled(self) -> Queries:
        """The two queries, kept because compiling them takes some milliseconds."""
        if "query" not in self._compiled:
            self._compiled["query"] = _compiled(self.grammar, self.query)
        found: Queries = self._compiled["query"]
        return found

    def is_constant(self, name: str) -> bool:
        return re.search(self.constants, name) is not None

    def is_open_type(self, signature: str) -> bool:
        return bool(self.open_types) and re.search(self.open_types, signature) is not None

    def facade_of(self, uri: str) -> str:
        """The class by which other languages name the functions of a file; "" in a language without one."""
        stem = re.sub(r"\W", "_", uri.rpartition("/")[2].rpartition(".")[0])
        return self.facade.replace("{name}", stem[:1].upper() + stem[1:])

    def plain_path(self, path: str) -> str:
        """A path without the name that each full one may begin with, and without the object whose members are those of its class."""
        if self.unnamed and self.unnamed in path:
            path = re.sub(rf"\.{self.unnamed}\b", "", path)
        return path.removeprefix(f"{self.root}.") if self.root else path

    def is_type_name(self, expression: str) -> bool:
        return bool(self.type_names) and re.fullmatch(self.type_names, expression) is not None


KINDS = name_set(
    "definition import named default_value package facade ignore types doc global local attribute extends call use calls tokens case outer"
)
_ALONE = frozenset({"ignore", "global", "local", "call", "use", "calls", "tokens", "outer"})


def _compiled(grammar: str, text: str) -> Queries:
    import semble_grammars
    from tree_sitter import Query

    language = semble_grammars.get_language(grammar)
    source = text.encode()
    whole = Query(language, text)
    joint: list[str] = []
    alone: list[str] = []
    kinds: list[str] = []
    for number in range(whole.pattern_count):
        pattern = source[whole.start_byte_for_pattern(number) : whole.end_byte_for_pattern(number)].decode()
        captures = set(re.findall(r"@([\w.]+)", re.sub(r"^\s*;.*", "", pattern, flags=re.MULTILINE)))
        (kind,) = {name.partition(".")[0] for name in captures} & KINDS
        if captures <= _ALONE:
            alone.append(pattern)
        else:
            joint.append(pattern)
            kinds.append(kind)
    return Queries(Query(language, "\n".join(joint)), tuple(kinds), Query(language, "\n".join(alone)))


@cache
def language_of(name: str) -> CodeLanguage | None:
    """The entry for any usual name of a language, or None."""
    name = plain_name(name)
    table = _table(name)
    if table is None:
        return None
    known = {item.name for item in fields(CodeLanguage)}
    values: dict[str, Any] = {"name": name, "grammar": name}
    for key, value in table.items():
        key = {"self": "self_words", "super": "super_words"}.get(key, key)
        if key not in known or key.startswith("_"):
            raise ValueError(f"{_FOLDER}/{name}.toml: {key!r} is not a setting of a language")
        values[key] = _typed(key, value)
    values["kin"] = frozenset({*values.get("kin", ()), name})
    return CodeLanguage(**values)


@cache
def languages() -> tuple[str, ...]:
    """The names of all languages that have a file."""
    return tuple(
        sorted(
            entry.name.removesuffix(".toml") for entry in _files().iterdir() if entry.name.endswith(".toml")
        )
    )


def _files() -> Any:
    return resources.files(_FOLDER)


def _table(name: str, *, with_own: bool = True) -> dict[str, Any] | None:
    file = _files() / f"{name}.toml"
    if not re.fullmatch(r"\w+", name) or not file.is_file():
        return None
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    own, base = table.pop("own_query", ""), table.pop("extends", "")
    merged = {} if not base else dict(_table(base, with_own=False) or {})
    merged.pop("grammar", None)
    for key, value in table.items():
        merged[key] = f"{merged.get(key, '')}\n{value}" if key == "query" else value
    if with_own:
        merged["query"] = f"{merged.get('query', '')}\n{own}"
    return merged


_SETS = frozenset(
    {
        "self_words",
        "super_words",
        "wrappers",
        "bodies_behind",
        "transparent",
        "passthrough",
        "kin",
        "constructors",
    }
)


def _typed(key: str, value: Any) -> Any:
    if key in _SETS:
        return frozenset(value)
    return tuple(value) if isinstance(value, list) else value
