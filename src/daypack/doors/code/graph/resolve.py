"""What a name means: through scopes, imports, packages, bases and the types that can be read off.

    f          a definition inside the function around it → the class around it, where the language looks there → the file →
               what is imported under that name → the other files of the package → what a star or an include brings
    a.f        what `a` is, as far as annotations, assignments and return types say it; then its member, its bases' members
    ?.f        nothing is known of what stands before the dot: all members called f may be meant

A name that leads to exactly one place is certain. One that nothing but its spelling leads from has
candidates, and is called ambiguous. What belongs to nobody here, a built-in or a foreign module, means
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from posixpath import dirname
from typing import Any, NamedTuple, Protocol

from daypack.doors.code.graph.languages import CodeLanguage, language_of
from daypack.doors.code.graph.modules import Files, files_of_module
from daypack.doors.code.types import MODULE, CodeSymbol, FileFacts, Import, Mention, Place, Role, last_segment
from daypack.types import SymbolKind

KEPT_FILES = 4_000  # whose names are looked up; then memory begins anew
DEPTH = 8  # of re-exports, bases and types of types that are followed
MOST_CANDIDATES = 6  # a name with more is nobody's
DISTINCT = 5  # letters: a method of that length that one class alone has is taken for its own

CLASS_LIKE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.IMPL,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
VALUES = frozenset({SymbolKind.CONST, SymbolKind.VARIABLE})

# Members that containers, strings, files and futures have in some language: by such a name alone nothing is
# known.
COMMON_WORDS = (
    "append extend insert remove update values items index count clear close read write readline readlines write_text read_text split"
    " strip replace format encode decode lower upper startswith endswith group groups match search findall finditer send recv start stop"
    " cancel result submit acquire release notify wait flush fileno isatty truncate exists is_file is_dir mkdir unlink rename resolve"
    " filter map reduce forEach concat slice splice includes indexOf length toString valueOf hasOwnProperty apply then catch finally"
    " unwrap expect clone collect iter into_iter as_ref as_mut to_string to_owned is_some is_none is_empty contains insert entry push"
    " Error String Close Read Write Lock Unlock equals hashCode getClass println print printf setdefault discard popitem isdigit isalpha"
    " setUp tearDown assertEqual assertTrue assertFalse assertRaises assertIn connect execute fetchone fetchall commit rollback cursor"
    " isoformat strftime total_seconds timestamp toISOString getTime toLowerCase toUpperCase trim charAt substring parse stringify"
)
COMMON = frozenset(COMMON_WORDS.split())


class Project(Protocol):
    """The files of a project and what is known of them."""

    @property
    def files(self) -> Files: ...

    def facts(self, uri: str) -> FileFacts | None: ...

    def defining(self, name: str) -> Sequence[str]:
        """The files that define a name, in order."""
        ...

    def mentioning(self, name: str) -> Sequence[str]:
        """The files that mention a name, in order."""
        ...


class Meaning(NamedTuple):
    """The places that a name leads to. More than one, or one by spelling alone, is ambiguous."""

    places: tuple[Place, ...] = ()
    certain: bool = True


_NOTHING = Meaning()


class _File(NamedTuple):
    """Facts of a file, and where its names are."""

    facts: FileFacts
    spec: CodeLanguage
    top: dict[str, list[int]]  # definitions that stand in the file, or in its namespaces
    children: dict[tuple[int, str], list[int]]
    bound: dict[tuple[int, str, bool], str]
    imported: dict[str, list[Import]]
    stars: list[Import]
    methods: dict[str, list[int]]
    bases: dict[int, list[Mention]]  # what each definition extends, as written
    impls: dict[str, list[int]]  # blocks of members that stand outside of the type of that name
    mentions: dict[str, list[Mention]]  # by what is mentioned
    # by every name that may be meant: the item, what it is called here, the end of the module
    imports: dict[str, list[Import]]


class Resolver:
    """Meanings of names in one state of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._files: dict[str, _File | None] = {}
        self._known: dict[tuple[str, Role, str, str, int], Meaning] = {}
        # Answers to the questions that others lead to again and again. The depth is part of the question, so
        # no answer depends on an earlier one.
        self._extended: dict[tuple[Place, int], list[Place]] = {}
        self._members: dict[tuple[Place, str, int], list[Place]] = {}
        self._brings: dict[tuple[str, Import, int], list[Place]] = {}
        self._methods: dict[tuple[str, frozenset[str]], list[Place]] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._given_by: dict[tuple[str, str, int], list[Place]] = {}
        self._values: dict[tuple[str, str, int, int], list[Place]] = {}
        self._caches: tuple[dict[Any, Any], ...] = (
            self._files,
            self._known,
            self._extended,
            self._members,
            self._brings,
            self._methods,
            self._reached,
            self._given_by,
            self._values,
        )

    def file(self, uri: str) -> _File | None:
        if uri not in self._files:
            if len(self._files) >= KEPT_FILES:
                for known in self._caches:
                    known.clear()
            self._files[uri] = self._read(uri)
        return self._files[uri]

    def _read(self, uri: str) -> _File | None:
        facts = self.project.facts(uri)
        if facts is None:
            return None
        # The fences of a page are of several languages; their names lead no further than the page.
        spec = language_of(facts.language) or CodeLanguage(
            facts.language, "", "", modules="", kin=frozenset({facts.language})
        )
        top: dict[str, list[int]] = {}
        children: dict[tuple[int, str], list[int]] = {}
        methods: dict[str, list[int]] = {}
        impls: dict[str, list[int]] = {}
        is_space = [False] * len(facts.symbols)
        for index, symbol in enumerate(facts.symbols):
            outside = symbol.parent == MODULE or is_space[symbol.parent]
            is_space[index] = outside and symbol.kind is SymbolKind.MODULE
            if outside and symbol.kind is not SymbolKind.IMPL and not _is_member(symbol):
                top.setdefault(symbol.name, []).append(index)
            children.setdefault((symbol.parent, symbol.name), []).append(index)
            if symbol.kind is SymbolKind.METHOD:
                methods.setdefault(symbol.name, []).append(index)
            elif symbol.kind is SymbolKind.IMPL:
                impls.setdefault(symbol.name, []).append(index)
        bases: dict[int, list[Mention]] = {}
        mentions: dict[str, list[Mention]] = {}
        for mention in facts.mentions:
            mentions.setdefault(mention.name, []).append(mention)
            if mention.role is Role.EXTEND:
                bases.setdefault(mention.scope, []).append(mention)
        bound = {(item.scope, item.name, item.attribute): item.type for item in facts.bindings}
        imported: dict[str, list[Import]] = {}
        stars = []
        named: dict[str, list[Import]] = {}
        for entry in facts.imports:
            for name in {entry.item, entry.name, last_segment(entry.module)}:
                named.setdefault(name, []).append(entry)
            if entry.item == "*" or (not entry.item and not entry.name and spec.modules == "path"):
                stars.append(entry)
            else:
                imported.setdefault(entry.name or _bound_by(entry.module, spec), []).append(entry)
        return _File(
            facts, spec, top, children, bound, imported, stars, methods, bases, impls, mentions, named
        )

    def symbol(self, place: Place) -> CodeSymbol | None:
        file = self.file(place.uri)
        return file.facts.symbols[place.symbol] if file is not None and place.symbol >= 0 else None

    # ------------------------------------------------------------ mentions

    def meaning(self, uri: str, mention: Mention) -> Meaning:
        """The places that a mention leads to."""
        key = (uri, mention.role, mention.name, mention.of, mention.scope)
        if key not in self._known:
            self._known[key] = self._meaning(uri, mention)
        return self._known[key]

    def _meaning(self, uri: str, mention: Mention) -> Meaning:
        file = self.file(uri)
        if file is None:
            return _NOTHING
        if not mention.of:
            scope = mention.scope
            if mention.role is Role.EXTEND and scope >= 0:  # a class may be called as its base
                scope = file.facts.symbols[scope].parent
            return self._certain(self._name(uri, scope, mention.name, DEPTH), file, uri)
        head = mention.of.partition(".")[0].removesuffix("()")
        if mention.of != "?":
            values = self._value(mention.of, uri, mention.scope, DEPTH)
            found = _unique(place for value in values for place in self._member(value, mention.name, DEPTH))
            if found or values:
                return self._certain(found, file, uri)
            if self._is_foreign(file, uri, mention.scope, head):
                return _NOTHING
        return self._guess(uri, file, mention)

    def _certain(self, places: Sequence[Place], file: _File, uri: str) -> Meaning:
        if len(places) < 2:
            return Meaning(tuple(places))
        names = {
            (place.uri, symbol.qualified) for place in places if (symbol := self.symbol(place)) is not None
        }
        if len(names) == 1:  # overloads, and definitions for two versions of something
            return Meaning((places[0],))
        near = [place for place in places if dirname(place.uri) == dirname(uri)]
        if len(near) == 1 and file.spec.package == "directory":
            return Meaning((near[0],))
        return Meaning(tuple(places[:MOST_CANDIDATES]), certain=False)

    def _guess(self, here: str, file: _File, mention: Mention) -> Meaning:
        """Every member of that name, when nothing is known of what it is a member of."""
        if mention.role is not Role.CALL or mention.name.startswith("__"):
            return _NOTHING
        found = self._methods_of(mention.name, file.spec.kin)
        if not found or len(found) > MOST_CANDIDATES:
            return _NOTHING
        alone = len(found) == 1 and len(mention.name) >= DISTINCT and mention.name not in COMMON
        return Meaning(tuple(found), certain=alone and self._is_near(here, found[0].uri))

    def _methods_of(self, name: str, kin: frozenset[str]) -> list[Place]:
        """The methods of that name in some languages; of the first files that define it, where there are too
        many to choose from.
        """
        key = (name, kin)
        if key not in self._methods:
            self._methods[key] = [
                Place(uri, index)
                for uri in self.project.defining(name)[: 4 * MOST_CANDIDATES]
                if (file := self.file(uri)) is not None and file.spec.name in kin
                for index in file.methods.get(name, ())
            ]
        return self._methods[key]

    def _is_near(self, uri: str, other: str) -> bool:
        """Whether a file is of the same folder, or has something of the other by import."""
        if dirname(uri) == dirname(other):
            return True
        if uri not in self._reached:
            file = self.file(uri)
            entries = file.facts.imports if file is not None else ()
            self._reached[uri] = frozenset(
                place.uri for entry in entries for place in self.imported(uri, entry)
            )
        return other in self._reached[uri]

    def _is_foreign(self, file: _File, uri: str, scope: int, head: str) -> bool:
        """Whether a name is brought by an import from outside the project."""
        if self._local(file, scope, head) is not None:
            return False
        entries = file.imported.get(head, ())
        return bool(entries) and not any(self._imported(uri, entry, 2) for entry in entries)

    # ------------------------------------------------------------ bare names

    def _name(self, uri: str, scope: int, name: str, depth: int) -> list[Place]:
        file = self.file(uri)
        if file is None or depth <= 0:
            return []
        symbols = file.facts.symbols
        current, innermost = scope, True
        while current != MODULE:
            symbol = symbols[current]
            if symbol.kind in CLASS_LIKE:
                sees_members = file.spec.class_scope_is_visible or innermost
                if sees_members and (found := self._member(Place(uri, current), name, depth - 1)):
                    return found
            elif found := _places(uri, file.children.get((current, name))):
                return found
            innermost = innermost and symbol.kind in VALUES
            current = symbol.parent
        owner = self._owner(uri, scope) if file.spec.class_scope_is_visible else None
        if owner is not None and (found := self._member(owner, name, depth - 1)):
            return found
        if found := _places(uri, file.top.get(name)):
            return found
        return self._brought(uri, file, name, depth)

    def _brought(self, uri: str, file: _File, name: str, depth: int) -> list[Place]:
        """What imports, the package and stars give a name."""
        key = (uri, name, depth)
        if key not in self._given_by:
            self._given_by[key] = self._found_brought(uri, file, name, depth)
        return self._given_by[key]

    def _found_brought(self, uri: str, file: _File, name: str, depth: int) -> list[Place]:
        for entry in file.imported.get(name, ()):
            if found := self._imported(uri, entry, depth - 1):
                return found
        if name in file.imported:
            return []
        if file.spec.package == "directory" and (found := self._in_package(uri, name, file.spec)):
            return found
        if name == "default" and (exported := file.bound.get((MODULE, "default", False))):
            return (
                self._name(uri, MODULE, exported, depth - 1)
                if exported.isidentifier()
                else self._value(exported, uri, MODULE, depth - 1)
            )
        for entry in file.stars:
            for other in files_of_module(entry.module, uri, file.spec, self.project.files):
                if other != uri and (found := self._top(other, name, depth - 1)):
                    return found
        if file.spec.global_names:
            found = [
                Place(other, index)
                for other in self.project.defining(name)[:50]
                if (there := self.file(other)) is not None and there.spec.name in file.spec.kin
                for index in there.top.get(name, ())[:1]
            ]
            return self._bodies(found)
        return []

    def _bodies(self, places: list[Place]) -> list[Place]:
        """Without the declarations of what is also defined: a prototype in a header leads to the function."""
        bodies = [
            place
            for place in places
            if (symbol := self.symbol(place)) is not None and symbol.end_line > symbol.line
        ]
        return bodies if bodies and len(bodies) < len(places) else places

    def _in_package(self, uri: str, name: str, spec: CodeLanguage) -> list[Place]:
        folder = dirname(uri)
        return [
            Place(other, index)
            for other in self.project.defining(name)
            if dirname(other) == folder
            and other != uri
            and (file := self.file(other)) is not None
            and file.spec.name in spec.kin
            for index in file.top.get(name, ())
        ]

    def _top(self, uri: str, name: str, depth: int) -> list[Place]:
        """What another file sees of a file under a name: its own definition, or what it passes on."""
        file = self.file(uri)
        if file is None or depth <= 0:
            return []
        if found := _places(uri, file.top.get(name)):
            return found
        return self._brought(uri, file, name, depth)

    def imported(self, uri: str, entry: Import) -> list[Place]:
        """What an import brings: symbols, or the file itself."""
        return self._imported(uri, entry, DEPTH)

    def _imported(self, uri: str, entry: Import, depth: int) -> list[Place]:
        key = (uri, entry, depth)
        if key not in self._brings:
            self._brings[key] = self._found_import(uri, entry, depth) if depth > 0 else []
        return self._brings[key]

    def _found_import(self, uri: str, entry: Import, depth: int) -> list[Place]:
        file = self.file(uri)
        if file is None:
            return []
        spec, files = file.spec, self.project.files
        found = files_of_module(entry.module, uri, spec, files)
        if not entry.item or entry.item == "*":
            if spec.modules == "package":
                last = entry.module.replace("\\", ".").rpartition(".")[2]
                named = _unique(
                    place for other in found for place in _places(other, self._tops(other).get(last))
                )
                return named or self._of_package(entry.module, spec) or self._static(uri, entry, depth)
            return [Place(other, MODULE) for other in found[:1]]
        for other in found:
            if other != uri and (places := self._top(other, entry.item, depth - 1)):
                return places
        if not entry.module and spec.modules == "crate":
            return [Place(other, MODULE) for other in files_of_module(entry.item, uri, spec, files)]
        joint = "" if entry.module.endswith(".") else "."
        if spec.modules in ("dotted", "crate"):
            below = files_of_module(f"{entry.module}{joint}{entry.item}", uri, spec, files)
            below = [other for other in below if other not in found]
            if below:
                return [Place(other, MODULE) for other in below]
            # A of use crate::shapes::Shape::A, and what stands in a `mod` inside the file
            if spec.modules == "crate":
                owner, _, last = entry.module.rpartition(".")
                for other in files_of_module(owner, uri, spec, files) if owner else ():
                    values = self._top(other, last, depth - 1)
                    if places := _unique(
                        place for value in values for place in self._member(value, entry.item, depth - 1)
                    ):
                        return places
        if spec.modules == "relative" and entry.item == "default":
            return [Place(other, MODULE) for other in found[:1]]
        return []

    def _static(self, uri: str, entry: Import, depth: int) -> list[Place]:
        """A member of a class that is imported by itself."""
        owner, _, name = entry.module.replace("\\", ".").rpartition(".")
        if "." not in owner:
            return []
        values = self._imported(uri, Import(owner, "", "", entry.statement), depth - 1)
        return _unique(
            place
            for value in values
            if value.symbol != MODULE
            for place in self._member(value, name, depth - 1)
        )

    def _of_package(self, module: str, spec: CodeLanguage) -> list[Place]:
        """A name by its full path, where the file says its package and is called otherwise."""
        package, _, name = module.replace("\\", ".").rpartition(".")
        return [
            Place(uri, index)
            for uri in self.project.defining(name)[:50]
            if (file := self.file(uri)) is not None
            and file.spec.name in spec.kin
            and file.facts.module.replace("\\", ".") == package
            for index in file.top.get(name, ())[:1]
        ]

    def _tops(self, uri: str) -> dict[str, list[int]]:
        file = self.file(uri)
        return file.top if file is not None else {}

    # ------------------------------------------------------------ values

    def _local(self, file: _File, scope: int, name: str) -> tuple[int, str] | None:
        """(scope, type) of what a function around binds a name to; None when none does."""
        while scope != MODULE:
            if (type_ := file.bound.get((scope, name, False))) is not None:
                return scope, type_
            scope = file.facts.symbols[scope].parent
        return None

    def _owner(self, uri: str, scope: int) -> Place | None:
        """The class that a scope stands in, or was written for outside of it."""
        file = self.file(uri)
        if file is None:
            return None
        while scope != MODULE:
            symbol = file.facts.symbols[scope]
            if symbol.kind in CLASS_LIKE:
                return Place(uri, scope)
            if _is_member(symbol) and symbol.kind is SymbolKind.METHOD:
                owner = symbol.qualified.rpartition(".")[0].rpartition(".")[2]
                found = self._name(uri, MODULE, owner, DEPTH)
                return found[0] if found else None
            scope = symbol.parent
        return None

    def _value(self, expression: str, uri: str, scope: int, depth: int) -> list[Place]:
        """The classes and modules that an expression is, or is an instance of; nothing when that cannot be
        read off.
        """
        if depth <= 0 or expression == "?":
            return []
        key = (expression, uri, scope, depth)
        if key not in self._values:
            self._values[key] = self._found_value(expression, uri, scope, depth)
        return self._values[key]

    def _found_value(self, expression: str, uri: str, scope: int, depth: int) -> list[Place]:
        file = self.file(uri)
        if file is None:
            return []
        parts = expression.split(".")
        values, rest = self._head(parts, file, uri, scope, depth)
        for part in rest:
            name = part.removesuffix("()")
            found: list[Place] = []
            for value in values:
                members = self._member(value, name, depth - 1)
                if members:
                    found += [result for member in members for result in self._given(member, depth - 1)]
                elif (type_ := self._attribute(value, name)) is not None:
                    found += self._value(type_, value.uri, value.symbol, depth - 1)
                elif name in file.spec.passthrough:
                    found.append(value)
            values = _unique(found)
            if not values:
                return []
        return values

    def _head(
        self, parts: list[str], file: _File, uri: str, scope: int, depth: int
    ) -> tuple[list[Place], list[str]]:
        """What the first name of an expression is, and the names behind it."""
        first = parts[0].removesuffix("()")
        if first in file.spec.self_words:
            owner = self._owner(uri, scope)
            return ([owner] if owner else []), parts[1:]
        if parts[0] in file.spec.super_words:
            owner = self._owner(uri, scope)
            return (self._bases(owner, depth - 1) if owner else []), parts[1:]
        local = self._local(file, scope, first)
        if local is not None:
            at, type_ = local
            # The name inside its own type is the one outside: `query = query.parse()`.
            values = (
                self._value(type_, uri, at, depth - 1) if type_ and type_.partition(".")[0] != first else []
            )
            return values, parts[1:]
        for length in range(len(parts), 1, -1):  # import a.b.c, then a.b.c.f
            module = ".".join(parts[:length])
            for entry in file.imported.get(first, ()):
                if not entry.item and not entry.name and entry.module == module:
                    found = files_of_module(module, uri, file.spec, self.project.files)
                    return [Place(other, MODULE) for other in found[:1]], parts[length:]
        named = self._name(uri, scope, first, depth - 1)
        if (
            not named
            and (owner := self._owner(uri, scope)) is not None
            and (bound := self._attribute(owner, first))
        ):
            return self._value(bound, owner.uri, owner.symbol, depth - 1), parts[1:]  # @store.find
        if not named and file.spec.modules == "crate":  # crate::a::f, pool::Pool::new
            for length in range(len(parts) - 1, 0, -1):
                if (found_module := self._module_of_path(parts[:length], uri, file.spec)) is not None:
                    return [found_module], parts[length:]
        return _unique(result for place in named for result in self._given(place, depth - 1)), parts[1:]

    def _module_of_path(self, parts: Sequence[str], uri: str, spec: CodeLanguage) -> Place | None:
        """The module that a path names from where it is written, without an import."""
        path = ".".join(part.removesuffix("()") for part in parts)
        found = files_of_module(path, uri, spec, self.project.files)[:1]
        is_it = found and (
            parts[0] in ("crate", "self", "super")
            or found[0].rpartition("/")[2] in (f"{parts[-1]}.rs", "mod.rs")
        )
        return Place(found[0], MODULE) if is_it else None

    def _given(self, place: Place, depth: int) -> list[Place]:
        """What a member is an instance of when it is read or called: a class is itself, a function what it
        returns.
        """
        symbol = self.symbol(place)
        if symbol is None or depth <= 0:
            return [place]
        if symbol.kind in CLASS_LIKE or symbol.kind is SymbolKind.MODULE:
            return [place]
        if symbol.kind in FUNCTIONS:  # one that is not called may be a property
            return self._value(symbol.returns, place.uri, place.symbol, depth - 1) if symbol.returns else []
        file = self.file(place.uri)
        assert file is not None
        type_ = file.bound.get((symbol.parent, symbol.name, True)) or file.bound.get(
            (symbol.parent, symbol.name, False)
        )
        if not type_ or type_.partition(".")[0] == symbol.name:
            return []
        return self._value(type_, place.uri, symbol.parent, depth - 1)

    def _attribute(self, place: Place, name: str) -> str | None:
        """What an instance of a class has under a name that it binds in its methods."""
        file = self.file(place.uri)
        return file.bound.get((place.symbol, name, True)) if file is not None and place.symbol >= 0 else None

    # ------------------------------------------------------------ members

    def _member(self, place: Place, name: str, depth: int) -> list[Place]:
        key = (place, name, depth)
        if key not in self._members:
            self._members[key] = self._found_member(place, name, depth) if depth > 0 else []
        return self._members[key]

    def _found_member(self, place: Place, name: str, depth: int) -> list[Place]:
        file = self.file(place.uri)
        if file is None:
            return []
        if place.symbol == MODULE:
            if found := self._top(place.uri, name, depth):
                return found
            if file.spec.package == "directory":
                return self._in_package(place.uri, name, file.spec)
            if (
                file.spec.modules == "dotted"
                and place.uri.rpartition("/")[2].rpartition(".")[0] in file.spec.index_files
            ):
                return [
                    Place(other, MODULE)
                    for other in files_of_module(f".{name}", place.uri, file.spec, self.project.files)
                ]
            return []
        if found := _places(place.uri, file.children.get((place.symbol, name))):
            return found
        symbol = file.facts.symbols[place.symbol]
        if symbol.kind is SymbolKind.MODULE:
            return []
        if file.spec.qualified_members and (found := self._written_outside(place, symbol, name, file.spec)):
            return found
        for base in self._bases(place, depth - 1):
            if base != place and (found := self._member(base, name, depth - 1)):
                return found
        if symbol.kind is SymbolKind.TYPE and symbol.name != name:  # an alias, or a type around another
            aliased = file.bound.get((symbol.parent, symbol.name, False))
            for other in self._value(aliased, place.uri, symbol.parent, depth - 1) if aliased else ():
                if other != place and (found := self._member(other, name, depth - 1)):
                    return found
        return []

    def _written_outside(
        self, place: Place, symbol: CodeSymbol, name: str, spec: CodeLanguage
    ) -> list[Place]:
        """Members of a type that stand beside it: methods with a receiver, `impl` blocks, extensions."""
        wanted = f"{symbol.name}.{name}"
        found = []
        for uri in self.project.defining(name):
            file = self.file(uri)
            if file is None or file.spec.name not in spec.kin:
                continue
            for index, other in enumerate(file.facts.symbols):
                if other.name == name and (
                    other.qualified == wanted or other.qualified.endswith("." + wanted)
                ):
                    found.append(Place(uri, index))
        here = [other for other in found if other.uri == place.uri]
        near = [other for other in found if dirname(other.uri) == dirname(place.uri)]
        return self._bodies(here or near or (found if spec.package != "directory" else []))

    def _bases(self, place: Place, depth: int) -> list[Place]:
        if depth <= 0 or place.symbol < 0:
            return []
        key = (place, depth)
        if key not in self._extended:
            self._extended[key] = self._found_bases(place, depth)
        return self._extended[key]

    def _found_bases(self, place: Place, depth: int) -> list[Place]:
        file = self.file(place.uri)
        if file is None:
            return []
        symbols = file.facts.symbols
        scopes = [
            place.symbol,
            *(file.impls.get(symbols[place.symbol].name, ()) if file.spec.qualified_members else ()),
        ]
        found: list[Place] = []
        for mention in [mention for scope in dict.fromkeys(scopes) for mention in file.bases.get(scope, ())]:
            outside = symbols[mention.scope].parent
            if mention.of:
                values = self._value(mention.of, place.uri, outside, depth - 1)
                found += [base for value in values for base in self._member(value, mention.name, depth - 1)]
            else:
                found += self._name(place.uri, outside, mention.name, depth - 1)[:1]
        return [base for base in _unique(found) if base != place]


def _places(uri: str, indexes: Sequence[int] | None) -> list[Place]:
    return [Place(uri, index) for index in indexes[:1]] if indexes else []


def _unique(places: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(places))


def _is_member(symbol: CodeSymbol) -> bool:
    """Whether a symbol that stands outside its type belongs to it: a method with a receiver."""
    return symbol.parent == MODULE and "." in symbol.qualified


def _bound_by(module: str, spec: CodeLanguage) -> str:
    """The name under which an import without an alias is known: `import a.b` binds a in Python and b
    elsewhere.
    """
    if spec.modules == "dotted":
        return module.partition(".")[0]
    parts = (
        module.replace("\\", "/").replace("::", "/").split("/")
        if "/" in module or "\\" in module
        else module.split(".")
    )
    last = parts[-1]
    if spec.modules == "directory" and len(parts) > 1 and last[:1] == "v" and last[1:].isdigit():
        last = parts[-2]  # example.com/pool/v2
    return last
