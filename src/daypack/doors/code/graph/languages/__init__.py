"""The settings of each language, read from the files beside this one: a language is added by adding a file.

grammar                 of tree-sitter; the default is the file's name
extends                 another language whose query and settings these are added to
query                   tree-sitter patterns; extraction/extract.py says what their captures mean
own_query               patterns that a language which extends this one does not get
self, super             words for the instance, and for its base
bodies_behind           nodes that follow a definition and are its body
doc_above               a pattern: the beginning of a documentation above a definition that is not a comment
wrappers                nodes that belong to the definition inside them: decorators, `export`
constants               a pattern: a variable of such a name is a constant
transparent             types that stand for the one inside them: Optional[A] is an A to a caller of its methods
passthrough             methods that return the object they are called on: unwrap, await
modules                 how an import names a file: see modules.py
extensions, index_files endings of files that an import leaves out; files that a folder is imported by
package                 "file", or "directory" where files of a folder see each other
class_scope_is_visible  whether a method sees its class's members without a word for the instance
global_names            whether an unimported name may belong to any file, as in C and Ruby
qualified_members       whether members may be written outside the body: Go, Rust, C++
import_braces           whether one import names several items: use a::{b, c}
mixins                  whether functions of a module are members of what includes it
extension               what the signature of a function holds that may be called on a value of another type, with {name} for its name
kin                     languages that share names with it, itself always
prototypes              whether one file may declare a function that another defines
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
    """The patterns of a language, run apart: a match of several nodes takes twice as long as one."""

    joint: Query  # patterns whose captures belong together
    kinds: tuple[str, ...]  # the finding of each pattern: "definition", "import", "call" …
    alone: Query  # patterns that capture single nodes


@dataclass(frozen=True)
class CodeLanguage:
    """One language as its file describes it."""

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
    class_scope_is_visible: bool = False
    global_names: bool = False
    prototypes: bool = False
    qualified_members: bool = False
    import_braces: bool = False
    mixins: bool = False
    extension: str = ""
    kin: frozenset[str] = frozenset()
    _compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def compiled(self) -> Queries:
        """The query in two; compiling takes some milliseconds, so it is kept."""
        if "query" not in self._compiled:
            self._compiled["query"] = _compiled(self.grammar, self.query)
        found: Queries = self._compiled["query"]
        return found

    def is_constant(self, name: str) -> bool:
        return re.search(self.constants, name) is not None


KINDS = name_set(
    "definition import named default_value package ignore doc global local attribute extends call use calls"
)
_ALONE = frozenset({"ignore", "global", "local", "call", "use", "calls"})


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
    """The entry of a language by any of its usual names, or None."""
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
    {"self_words", "super_words", "wrappers", "bodies_behind", "transparent", "passthrough", "kin"}
)


def _typed(key: str, value: Any) -> Any:
    if key in _SETS:
        return frozenset(value)
    return tuple(value) if isinstance(value, list) else value
