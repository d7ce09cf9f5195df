"""The places that names mean: through scopes, imports, packages, bases and readable types.

f          a definition inside the function around it → the class around it, in languages that look there → the file →
           imports of that name → the other files of the package → names that a star or an include brings
a.f        the member f of the type of `a`, which annotations, assignments and return types state; else that of its bases

A name may have several places; `meanings` says which places are certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any

from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, MODULE, VALUES, CodePlace, Import
from daypack.doors.code.graph.languages import CodeLanguage
from daypack.doors.code.graph.modules import files_of_module
from daypack.doors.code.graph.names import FileNames, first_place, is_member, unique
from daypack.doors.code.graph.project_names import Project, ProjectNames
from daypack.doors.code.graph.remembered import Recent, recent_answers, remembered
from daypack.types import SymbolKind

DEPTH = 8  # of re-exports, bases and types that are followed from one to the next

_Head = tuple[list[CodePlace], list[str]]
"""(meanings of the first name of an expression, the names after it)."""


class Resolver:
    """The places of names in one state of a project. `depth` is the number of steps that may follow each other."""

    def __init__(self, project: Project) -> None:
        self.answers: dict[str, Recent[tuple[Any, ...], Any]] = defaultdict(recent_answers)
        self.names = ProjectNames(project)

    # ------------------------------------------------------------ bare names

    def named(self, uri: str, scope: int, name: str, depth: int = DEPTH) -> list[CodePlace]:
        """The definition of a bare name inside a scope; several when files of the project share it."""
        file = self.names.file(uri)
        if file is None or depth <= 0:
            return []
        symbols = file.facts.symbols
        current, innermost, outer = scope, True, False
        while current != MODULE:
            symbol = symbols[current]
            if self._has_members(file, current):
                sees_members = file.spec.class_scope_is_visible or innermost
                found = self._member(CodePlace(uri, current), name, depth - 1) if sees_members else []
                # Ruby sees the constants of modules further out, not their functions.
                if found and not (outer and file.spec.mixins and self.names.is_function(found[0])):
                    return found
                outer = True
            elif found := first_place(uri, file.children.get((current, name))):
                return found
            innermost = innermost and symbol.kind in VALUES
            current = symbol.parent
        owner = self.owner(uri, scope) if file.spec.class_scope_is_visible else None
        if owner is not None and (found := self._member(owner, name, depth - 1)):
            return found
        if found := first_place(uri, file.top.get(name)):
            return found
        found = self._brought(uri, name, depth)
        if not file.spec.global_names:
            return found
        # An import may name a definition in a folder of tests.
        return self.names.nearest(found, uri, scope) or (found if name in file.imported else [])

    @remembered
    def _brought(self, uri: str, name: str, depth: int) -> list[CodePlace]:
        """The definitions of a name that imports, the package and stars bring into a file."""
        file = self.names.file(uri)
        if file is None:
            return []
        if name in file.imported:
            brought = [self.imported(uri, entry, depth - 1) for entry in file.imported[name]]
            # In Rust a function may have the name of its module: `mod lift; pub use lift::lift;`
            return max(brought, key=lambda places: 1 + (places[0].symbol != MODULE) if places else 0)
        if file.spec.package == "directory" and (found := self.names.in_package(uri, name, file.spec)):
            return found
        if name == "default" and (exported := file.bound.get((MODULE, "default", False))):
            return (
                self.named(uri, MODULE, exported, depth - 1)
                if exported.isidentifier()
                else self.value(exported, uri, MODULE, depth - 1)
            )
        for entry in file.stars:
            for other in files_of_module(entry.module, uri, file.spec, self.names.project.files):
                if other != uri and (found := self._top(other, name, depth - 1)):
                    return found
            for place in self.imported(uri, entry, depth - 1):  # the members of a class or an Elixir module
                if place.symbol != MODULE and (found := self._member(place, name, depth - 1)):
                    return found
            full = f"{entry.module}.{name}" if file.spec.modules == "package" else ""
            if full and (found := self._declared(full, uri, file)):
                return found
        if file.spec.global_names:
            return self.names.globally(name, file.spec)
        return []

    def _top(self, uri: str, name: str, depth: int) -> list[CodePlace]:
        """The definitions that other files can import from a file under a name: its own, or those that it re-exports."""
        file = self.names.file(uri)
        if file is None or depth <= 0:
            return []
        if found := first_place(uri, file.top.get(name)):
            return found
        return self._brought(uri, name, depth)

    @remembered
    def imported(self, uri: str, entry: Import, depth: int = DEPTH) -> list[CodePlace]:
        """The places that an import brings: symbols, or the file itself."""
        file = self.names.file(uri)
        if file is None or depth <= 0:
            return []
        files = files_of_module(entry.module, uri, file.spec, self.names.project.files)
        if entry.item in ("", "*"):
            if file.spec.modules == "package":
                item = self._package_member(uri, entry, files, file, depth)
                return item if item or not file.spec.functions_are_methods else _modules(files[:1])
            return _modules(files[:1])
        for other in files:
            if other != uri and (places := self._top(other, entry.item, depth - 1)):
                return places
        if places := self._submodules(uri, entry, files, file.spec):
            return places
        if file.spec.modules == "crate":
            return self._member_of_item(uri, entry, file.spec, depth)
        if file.spec.modules == "relative" and entry.item == "default":
            return _modules(files[:1])
        return []

    def _package_member(
        self, uri: str, entry: Import, files: Sequence[str], file: FileNames, depth: int
    ) -> list[CodePlace]:
        """The definition whose qualified name is that of the module: `import shapes.Circle`."""
        last = entry.module.replace("\\", ".").rpartition(".")[2]
        named = unique(
            place
            for other in files
            if (names := self.names.file(other)) is not None
            for place in first_place(other, names.top.get(last))
        )
        return named or self._static(uri, entry, depth) or self._declared(entry.module, uri, file)

    def _submodules(
        self, uri: str, entry: Import, files: Sequence[str], spec: CodeLanguage
    ) -> list[CodePlace]:
        """The module below a module that an import names as an item; `files` are those of the module itself."""
        if spec.modules not in ("dotted", "crate"):
            return []
        joint = "" if entry.module.endswith(".") or not entry.module else "."
        below = files_of_module(f"{entry.module}{joint}{entry.item}", uri, spec, self.names.project.files)
        return _modules([other for other in below if other not in files])

    def _member_of_item(self, uri: str, entry: Import, spec: CodeLanguage, depth: int) -> list[CodePlace]:
        """The A in use crate::shapes::Shape::A, and definitions in a `mod` inside the file."""
        owner, _, last = entry.module.rpartition(".")
        for other in files_of_module(owner, uri, spec, self.names.project.files):
            values = self._top(other, last, depth - 1)
            if places := self.members(values, entry.item, depth - 1):
                return places
        return []

    def _static(self, uri: str, entry: Import, depth: int) -> list[CodePlace]:
        """The member of a class that an import names directly."""
        owner, _, name = entry.module.replace("\\", ".").rpartition(".")
        if "." not in owner:
            return []
        values = self.imported(uri, Import(owner, "", "", entry.statement), depth - 1)
        return self.members([value for value in values if value.symbol != MODULE], name, depth - 1)

    @remembered
    def qualified(self, path: str, uri: str) -> list[CodePlace]:
        """The definitions that a path of several names means in languages of packages: below an import of its first name, in full, or
        below a package around the file.
        """
        file = self.names.file(uri)
        first, dot, rest = path.partition(".")
        if file is None or file.spec.modules != "package" or not dot:
            return []
        paths = [f"{entry.module}.{rest}" for entry in file.imported.get(first, ())]
        paths += [path, *(f"{entry.module}.{path}" for entry in file.stars)]
        return next((found for full in paths if (found := self._declared(full, uri, file))), [])

    def _declared(self, path: str, uri: str, file: FileNames) -> list[CodePlace]:
        """The nearest definitions with this path, in full or below a package around the file; in tests only when there are no others."""
        package = file.facts.module.replace("\\", ".")
        found = self.names.in_declared_package(path, file.spec)
        while package and not found:
            found = self.names.in_declared_package(f"{package}.{path}", file.spec)
            package = package.rpartition(".")[0]
        return self.names.nearest(found, uri, MODULE) or found

    def _is_space(self, place: CodePlace) -> bool:
        """True for a class, and for a module that is a symbol."""
        symbol = self.names.symbol(place)
        return symbol is not None and (symbol.kind in CLASS_LIKE or symbol.kind is SymbolKind.MODULE)

    # ------------------------------------------------------------ values

    @staticmethod
    def _has_members(file: FileNames, scope: int) -> bool:
        """True for a class, and for a module in languages that mix modules into classes."""
        kind = file.facts.symbols[scope].kind
        return kind in CLASS_LIKE or (kind is SymbolKind.MODULE and file.spec.mixins)

    def owner(self, uri: str, scope: int) -> CodePlace | None:
        """The class around a scope, or the class of a method that is written outside of it."""
        file = self.names.file(uri)
        if file is None:
            return None
        while scope != MODULE:
            symbol = file.facts.symbols[scope]
            if self._has_members(file, scope):
                return CodePlace(uri, scope)
            if is_member(symbol, file.facts) and symbol.kind is SymbolKind.METHOD:
                owner = symbol.qualified.rpartition(".")[0].rpartition(".")[2]
                found = self.named(uri, MODULE, owner)
                return found[0] if found else None
            scope = symbol.parent
        return None

    def constructed(self, place: CodePlace) -> CodePlace | None:
        """The class whose constructor a place is; None for another place."""
        file, symbol = self.names.file(place.uri), self.names.symbol(place)
        if file is None or symbol is None or symbol.kind is not SymbolKind.METHOD:
            return None
        around = symbol.qualified.split(".")[-2:-1]
        named = symbol.name in file.spec.constructors or (
            file.spec.class_scope_is_visible and around == [symbol.name]
        )
        return self.owner(place.uri, place.symbol) if named else None

    @remembered
    def value(self, expression: str, uri: str, scope: int, depth: int = DEPTH) -> list[CodePlace]:
        """The classes and modules that an expression names, and the classes of its value; none for an unclear one."""
        file = self.names.file(uri)
        if file is None or depth <= 0 or expression == "?":
            return []
        parts = expression.split(".")
        values, rest = self._head(parts, file, uri, scope, depth)
        for part in rest:
            name = part.removesuffix("()")
            found: list[CodePlace] = []
            for value in values:
                members = self._member(value, name, depth - 1)
                if members:
                    found += [result for member in members for result in self._given(member, depth - 1)]
                elif (type_ := self.names.attribute(value, name)) is not None:
                    found += self.value(type_, value.uri, value.symbol, depth - 1)
                elif name in file.spec.passthrough:
                    found.append(value)
            values = unique(found)
            if not values:
                return []
        return values

    def _head(self, parts: list[str], file: FileNames, uri: str, scope: int, depth: int) -> _Head:
        first = parts[0].removesuffix("()")
        if first in file.spec.self_words:
            owner = self.owner(uri, scope)
            return ([owner] if owner else []), parts[1:]
        if parts[0] in file.spec.super_words:
            owner = self.owner(uri, scope)
            return (self.bases(owner, depth - 1) if owner else []), parts[1:]
        local = self.names.local_binding(file, scope, first)
        is_path = file.spec.modules == "crate" and first == parts[0] and not (local and local[1])
        if is_path and (around := self._module_in_scope(file, uri, scope, first, depth)) is not None:
            return [around], parts[1:]
        if local is not None:
            at, type_ = local
            # In `query = query.parse()` the name on the right is the one of the scope outside.
            values = (
                self.value(type_, uri, at, depth - 1) if type_ and type_.partition(".")[0] != first else []
            )
            return values, parts[1:]
        return self._path_head(parts, file, uri) or self._named_head(parts, file, uri, scope, depth)

    def _path_head(self, parts: list[str], file: FileNames, uri: str) -> _Head | None:
        """The namespace, or the imported module, that the longest beginning of an expression names."""
        calls = (length for length, part in enumerate(parts) if part.endswith("()"))
        for length in range(next(calls, len(parts)), 1, -1):
            path = self.qualified(".".join(parts[:length]), uri)
            if spaces := [place for place in path if self._is_space(place)]:
                return spaces, parts[length:]
        for length in range(len(parts), 1, -1):  # import a.b.c, then a.b.c.f
            module = ".".join(parts[:length])
            for entry in file.imported.get(parts[0].removesuffix("()"), ()):
                if not entry.item and not entry.name and entry.module == module:
                    files = files_of_module(module, uri, file.spec, self.names.project.files)
                    return _modules(files[:1]), parts[length:]
        return None

    def _named_head(self, parts: list[str], file: FileNames, uri: str, scope: int, depth: int) -> _Head:
        first = parts[0].removesuffix("()")
        named = self.named(uri, scope, first, depth - 1)
        owner = self.owner(uri, scope) if not named else None
        if owner is not None and (bound := self.names.attribute(owner, first)):
            return self.value(bound, owner.uri, owner.symbol, depth - 1), parts[1:]  # @store.find
        if not named and file.spec.modules == "crate":  # crate::a::f, pool::Pool::new
            for length in range(len(parts), 0, -1):
                if (found_module := self.names.module_of_path(parts[:length], uri, file.spec)) is not None:
                    return [found_module], parts[length:]
        return unique(result for place in named for result in self._given(place, depth - 1)), parts[1:]

    def _module_in_scope(
        self, file: FileNames, uri: str, scope: int, name: str, depth: int
    ) -> CodePlace | None:
        """The module of Rust that the head of a path names: `super` of a `mod` inside the file, or an imported module, also
        beside a function or variable of its name.
        """
        if name == "super":
            while scope != MODULE and file.facts.symbols[scope].kind is not SymbolKind.MODULE:
                scope = file.facts.symbols[scope].parent
            return CodePlace(uri, file.facts.symbols[scope].parent) if scope != MODULE else None
        for entry in file.imported.get(name, ()):
            path = [part for part in (*entry.module.split("."), entry.item) if part]
            if (module := self.names.module_of_path(path, uri, file.spec)) is not None:
                return module
            for place in self.imported(uri, entry, depth - 1):
                if place.symbol == MODULE:
                    return place
        return None

    def _given(self, place: CodePlace, depth: int) -> list[CodePlace]:
        """The class of a member's value: for a class the class itself, for a function that of its result."""
        symbol = self.names.symbol(place)
        if symbol is None or depth <= 0 or self._is_space(place):
            return [place]
        if symbol.kind in FUNCTIONS:  # without a call too: it may be a property
            return self.value(symbol.returns, place.uri, place.symbol, depth - 1) if symbol.returns else []
        file = self.names.file(place.uri)
        assert file is not None
        type_ = file.bound.get((symbol.parent, symbol.name, True)) or file.bound.get(
            (symbol.parent, symbol.name, False)
        )
        if not type_:
            return []
        called_as_its_type = type_.partition(".")[0] == symbol.name
        scope = MODULE if called_as_its_type else symbol.parent
        return self.value(type_, place.uri, scope, depth - 1)

    # ------------------------------------------------------------ members

    def members(self, values: Sequence[CodePlace], name: str, depth: int = DEPTH) -> list[CodePlace]:
        """The members of that name in several classes or modules."""
        return unique(place for value in values for place in self._member(value, name, depth))

    @remembered
    def _member(self, place: CodePlace, name: str, depth: int) -> list[CodePlace]:
        """The members of that name in a class or module: its own, else those of its bases."""
        file = self.names.file(place.uri)
        if file is None or depth <= 0:
            return []
        if place.symbol == MODULE:
            return self._member_of_file(place.uri, file.spec, name, depth)
        symbol = file.facts.symbols[place.symbol]
        if symbol.name == name and symbol.kind in CLASS_LIKE and file.spec.class_scope_is_visible:
            return [place]  # inside of a class its name means the class, not the constructor
        own = first_place(place.uri, file.children.get((place.symbol, name)))
        if found := own or self.names.reopened(place, name):
            return found
        if symbol.kind is SymbolKind.MODULE and not file.spec.mixins:
            return []
        if file.spec.qualified_members and (
            found := self.names.members_outside(place, symbol, name, file.spec)
        ):
            return found
        for base in self.bases(place, depth - 1):
            if base != place and (found := self._member(base, name, depth - 1)):
                return found
        return self._member_of_alias(place, file, name, depth)

    def _member_of_file(self, uri: str, spec: CodeLanguage, name: str, depth: int) -> list[CodePlace]:
        """A name in a module, a package or a folder."""
        if found := self._of_returned_table(uri, spec, name) or self._top(uri, name, depth):
            return found
        if spec.package == "directory":
            return self.names.in_package(uri, name, spec)
        if spec.modules == "dotted" and uri.rpartition("/")[2].rpartition(".")[0] in spec.index_files:
            return _modules(files_of_module(f".{name}", uri, spec, self.names.project.files))
        return []

    def _of_returned_table(self, uri: str, spec: CodeLanguage, name: str) -> list[CodePlace]:
        """A function in the table that a file of Lua returns: other files give the table a name of their own."""
        file = self.names.file(uri) if spec.modules == "path" else None
        if file is None or not (returned := file.bound.get((MODULE, "default", False))):
            return []
        return first_place(uri, file.qualified.get(f"{returned}.{name}"))

    def _member_of_alias(self, place: CodePlace, file: FileNames, name: str, depth: int) -> list[CodePlace]:
        """A member of the type that an alias names, or that a type wraps."""
        symbol = file.facts.symbols[place.symbol]
        if symbol.kind is not SymbolKind.TYPE or symbol.name == name:
            return []
        aliased = file.bound.get((symbol.parent, symbol.name, False))
        for other in self.value(aliased, place.uri, symbol.parent, depth - 1) if aliased else ():
            if other != place and (found := self._member(other, name, depth - 1)):
                return found
        return []

    @remembered
    def bases(self, place: CodePlace, depth: int = DEPTH) -> list[CodePlace]:
        """The classes that a class extends."""
        found: list[CodePlace] = []
        named = partial(self.named, depth=depth - 1)
        for uri, mention in self.names.bases_of(place, named) if depth > 0 else ():
            outside = self.names.parent(uri, mention.scope)
            if mention.of:
                found += self.qualified(f"{mention.of}.{mention.name}", uri)
                values = self.value(mention.of, uri, outside, depth - 1)
                found += [base for value in values for base in self._member(value, mention.name, depth - 1)]
            else:
                found += self.named(uri, outside, mention.name, depth - 1)[:1]
        return [base for base in unique(found) if base != place]

    def satisfied(self, place: CodePlace, name: str) -> list[CodePlace]:
        """The interfaces with a member of that name whose members a class has all, in languages in which it need not name them."""
        file = self.names.file(place.uri)
        if file is None or not file.spec.structural:
            return []
        found = []
        for method in self.names.methods_of(name, file.spec.kin):
            owner = self.owner(method.uri, method.symbol)
            symbol = self.names.symbol(owner) if owner is not None else None
            if owner is None or symbol is None or symbol.kind is not SymbolKind.INTERFACE:
                continue
            other = self.names.file(owner.uri)
            members = (
                [key[1] for key in other.children if key[0] == owner.symbol] if other is not None else []
            )
            if all(self.members([place], member) for member in members):
                found.append(owner)
        return unique(found)


def _modules(uris: Sequence[str]) -> list[CodePlace]:
    return [CodePlace(uri, MODULE) for uri in uris]
