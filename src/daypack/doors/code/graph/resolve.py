"""The meanings of names: through scopes, imports, packages, bases and readable types.

f          a definition inside the function around it → the class around it, in languages that look there → the file →
           imports of that name → the other files of the package → names that a star or an include brings
a.f        the member f of the type of `a`, which annotations, assignments and return types state; else that of its bases
?.f        all members called f, because the expression before the dot is unknown

A single place is certain, candidates found by their spelling alone are ambiguous, built-in and foreign names have no
meaning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from posixpath import dirname
from typing import Any, NamedTuple

from daypack.doors.code.graph.facts import (
    CLASS_LIKE,
    FUNCTIONS,
    MODULE,
    VALUES,
    CodePlace,
    Import,
    Mention,
    Role,
)
from daypack.doors.code.graph.modules import files_of_module
from daypack.doors.code.graph.names import COMMON_MEMBERS, FileNames, first_place, is_member, unique
from daypack.doors.code.graph.project_names import Project, ProjectNames
from daypack.doors.code.graph.remembered import remembered
from daypack.types import SymbolKind

DEPTH = 8  # of re-exports, bases and types that are followed from one to the next
MOST_CANDIDATES = 6  # a name with more candidates gets no meaning
DISTINCT = 5  # letters: a name of this length that is a method of a single class means that method


class Meaning(NamedTuple):
    """The places that a name may mean. Several places are ambiguous, and so is a place found by its spelling alone."""

    places: tuple[CodePlace, ...] = ()
    certain: bool = True


_NOTHING = Meaning()


class Resolver:
    """The meanings of names in one state of a project."""

    def __init__(self, project: Project) -> None:
        self.names = ProjectNames(project, when_full=self._forget)
        self._known: dict[tuple[str, Role, str, str, int], Meaning] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self.answers: dict[str, dict[tuple[Any, ...], Any]] = defaultdict(dict)  # of remembered methods

    def _forget(self) -> None:
        for known in (self._known, self._reached, self.answers):
            known.clear()

    # ------------------------------------------------------------ mentions

    def meaning(self, uri: str, mention: Mention) -> Meaning:
        """The places that a mention means."""
        key = (uri, mention.role, mention.name, mention.of, mention.scope)
        if key not in self._known:
            self._known[key] = self._meaning(uri, mention)
        return self._known[key]

    def _meaning(self, uri: str, mention: Mention) -> Meaning:
        file = self.names.file(uri)
        if file is None:
            return _NOTHING
        if not mention.of:
            scope = mention.scope
            if mention.role is Role.EXTEND and scope >= 0:  # a class may have the name of its base
                scope = file.facts.symbols[scope].parent
            if (named := self._name(uri, scope, mention.name, DEPTH)) or not file.spec.mixins:
                return self._certain(named, file, uri)
            return self._guess(uri, file, mention)
        head = mention.of.partition(".")[0].removesuffix("()")
        if mention.of != "?":
            values = self._value(mention.of, uri, mention.scope, DEPTH)
            found = unique(place for value in values for place in self._member(value, mention.name, DEPTH))
            if found or (found := self._extensions(uri, file, mention)) or values:
                return self._certain(found, file, uri)
            if self._is_foreign(file, uri, mention, head):
                return _NOTHING
        elif found := self._extensions(uri, file, mention):
            return self._certain(found, file, uri)
        return self._guess(uri, file, mention)

    def _extensions(self, uri: str, file: FileNames, mention: Mention) -> list[CodePlace]:
        """The extensions of that name that are visible in the file: functions for calls, properties for other uses."""
        named = self._name(uri, mention.scope, mention.name, DEPTH) if file.spec.extension else []
        return [place for place in named if self.names.is_extension(place, called=mention.role is Role.CALL)]

    def _certain(self, places: Sequence[CodePlace], file: FileNames, uri: str) -> Meaning:
        if len(places) < 2:
            return Meaning(tuple(places))
        names = {
            (place.uri, symbol.qualified)
            for place in places
            if (symbol := self.names.symbol(place)) is not None
        }
        if len(names) == 1:  # overloads, and alternative definitions of one name
            return Meaning((places[0],))
        near = [place for place in places if dirname(place.uri) == dirname(uri)]
        if len(near) == 1 and file.spec.package == "directory":
            return Meaning((near[0],))
        return Meaning(tuple(places[:MOST_CANDIDATES]), certain=False)

    def _guess(self, here: str, file: FileNames, mention: Mention) -> Meaning:
        """The members of that name in all types, for an unknown owner."""
        if mention.role is not Role.CALL or mention.name.startswith("__"):
            return _NOTHING
        found = self.names.outside_tests(self.names.methods_of(mention.name, file.spec.kin), here)
        if not mention.of and (own := self.names.of_same_module(found, CodePlace(here, mention.scope))):
            return Meaning((own,))
        telling = len(mention.name) >= DISTINCT and mention.name not in COMMON_MEMBERS
        if telling and self.names.are_extensions(found):
            return Meaning((found[0],))
        if not found or len(found) > MOST_CANDIDATES:
            return _NOTHING
        alone = telling and len(found) == 1 and (not mention.of or self.names.is_method(found[0]))
        return Meaning(tuple(found), certain=alone and self._is_near(here, found[0].uri))

    def _is_near(self, uri: str, other: str) -> bool:
        """True when the files are in one folder, or `uri` imports from `other`."""
        if dirname(uri) == dirname(other):
            return True
        if uri not in self._reached:
            file = self.names.file(uri)
            entries = file.facts.imports if file is not None else ()
            self._reached[uri] = frozenset(
                place.uri for entry in entries for place in self.imported(uri, entry)
            )
        return other in self._reached[uri]

    def _is_foreign(self, file: FileNames, uri: str, mention: Mention, head: str) -> bool:
        """True for a member of a name that is imported from outside the project, and of a type that the project does not define."""
        if self.names.local_binding(file, mention.scope, head) is not None:
            return False
        if file.spec.is_type_name(mention.of) and not self._name(uri, mention.scope, head, DEPTH):
            return True
        entries = file.imported.get(head, ())
        return bool(entries) and not any(self._imported(uri, entry, 2) for entry in entries)

    # ------------------------------------------------------------ bare names

    def _name(self, uri: str, scope: int, name: str, depth: int) -> list[CodePlace]:
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
        owner = self._owner(uri, scope) if file.spec.class_scope_is_visible else None
        if owner is not None and (found := self._member(owner, name, depth - 1)):
            return found
        if found := first_place(uri, file.top.get(name)):
            return found
        found = self._brought(uri, name, depth)
        return self.names.nearest(found, uri, scope) if file.spec.global_names else found

    @remembered
    def _brought(self, uri: str, name: str, depth: int) -> list[CodePlace]:
        """The definitions of a name that imports, the package and stars bring into a file."""
        file = self.names.file(uri)
        if file is None:
            return []
        for entry in file.imported.get(name, ()):
            if found := self._imported(uri, entry, depth - 1):
                return found
        if name in file.imported:
            return []
        if file.spec.package == "directory" and (found := self.names.in_package(uri, name, file.spec)):
            return found
        if name == "default" and (exported := file.bound.get((MODULE, "default", False))):
            return (
                self._name(uri, MODULE, exported, depth - 1)
                if exported.isidentifier()
                else self._value(exported, uri, MODULE, depth - 1)
            )
        for entry in file.stars:
            for other in files_of_module(entry.module, uri, file.spec, self.names.project.files):
                if other != uri and (found := self._top(other, name, depth - 1)):
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

    def imported(self, uri: str, entry: Import) -> list[CodePlace]:
        """The places that an import brings: symbols, or the file itself."""
        return self._imported(uri, entry, DEPTH)

    @remembered
    def _imported(self, uri: str, entry: Import, depth: int) -> list[CodePlace]:
        file = self.names.file(uri)
        if file is None or depth <= 0:
            return []
        spec, files = file.spec, self.names.project.files
        found = files_of_module(entry.module, uri, spec, files)
        if not entry.item or entry.item == "*":
            if spec.modules == "package":
                last = entry.module.replace("\\", ".").rpartition(".")[2]
                named = unique(
                    place
                    for other in found
                    if (there := self.names.file(other)) is not None
                    for place in first_place(other, there.top.get(last))
                )
                return (
                    named
                    or self.names.in_declared_package(entry.module, spec)
                    or self._static(uri, entry, depth)
                )
            return [CodePlace(other, MODULE) for other in found[:1]]
        for other in found:
            if other != uri and (places := self._top(other, entry.item, depth - 1)):
                return places
        if not entry.module and spec.modules == "crate":
            return [CodePlace(other, MODULE) for other in files_of_module(entry.item, uri, spec, files)]
        joint = "" if entry.module.endswith(".") else "."
        if spec.modules in ("dotted", "crate"):
            below = files_of_module(f"{entry.module}{joint}{entry.item}", uri, spec, files)
            below = [other for other in below if other not in found]
            if below:
                return [CodePlace(other, MODULE) for other in below]
            # the A in use crate::shapes::Shape::A, and definitions in a `mod` inside the file
            if spec.modules == "crate":
                owner, _, last = entry.module.rpartition(".")
                for other in files_of_module(owner, uri, spec, files) if owner else ():
                    values = self._top(other, last, depth - 1)
                    if places := unique(
                        place for value in values for place in self._member(value, entry.item, depth - 1)
                    ):
                        return places
        if spec.modules == "relative" and entry.item == "default":
            return [CodePlace(other, MODULE) for other in found[:1]]
        return []

    def _static(self, uri: str, entry: Import, depth: int) -> list[CodePlace]:
        """The member of a class that an import names directly."""
        owner, _, name = entry.module.replace("\\", ".").rpartition(".")
        if "." not in owner:
            return []
        values = self._imported(uri, Import(owner, "", "", entry.statement), depth - 1)
        return unique(
            place
            for value in values
            if value.symbol != MODULE
            for place in self._member(value, name, depth - 1)
        )

    # ------------------------------------------------------------ values

    @staticmethod
    def _has_members(file: FileNames, scope: int) -> bool:
        """True for a class, and for a module in languages that mix modules into classes."""
        kind = file.facts.symbols[scope].kind
        return kind in CLASS_LIKE or (kind is SymbolKind.MODULE and file.spec.mixins)

    def _owner(self, uri: str, scope: int) -> CodePlace | None:
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
                found = self._name(uri, MODULE, owner, DEPTH)
                return found[0] if found else None
            scope = symbol.parent
        return None

    @remembered
    def _value(self, expression: str, uri: str, scope: int, depth: int) -> list[CodePlace]:
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
                    found += self._value(type_, value.uri, value.symbol, depth - 1)
                elif name in file.spec.passthrough:
                    found.append(value)
            values = unique(found)
            if not values:
                return []
        return values

    def _head(
        self, parts: list[str], file: FileNames, uri: str, scope: int, depth: int
    ) -> tuple[list[CodePlace], list[str]]:
        """(meanings of the first name of an expression, the names after it)."""
        first = parts[0].removesuffix("()")
        if first in file.spec.self_words:
            owner = self._owner(uri, scope)
            return ([owner] if owner else []), parts[1:]
        if parts[0] in file.spec.super_words:
            owner = self._owner(uri, scope)
            return (self._bases(owner, depth - 1) if owner else []), parts[1:]
        local = self.names.local_binding(file, scope, first)
        if local is not None:
            at, type_ = local
            # In `query = query.parse()` the name on the right is the one of the scope outside.
            values = (
                self._value(type_, uri, at, depth - 1) if type_ and type_.partition(".")[0] != first else []
            )
            return values, parts[1:]
        for length in range(len(parts), 1, -1):  # import a.b.c, then a.b.c.f
            module = ".".join(parts[:length])
            for entry in file.imported.get(first, ()):
                if not entry.item and not entry.name and entry.module == module:
                    found = files_of_module(module, uri, file.spec, self.names.project.files)
                    return [CodePlace(other, MODULE) for other in found[:1]], parts[length:]
        named = self._name(uri, scope, first, depth - 1)
        if (
            not named
            and (owner := self._owner(uri, scope)) is not None
            and (bound := self.names.attribute(owner, first))
        ):
            return self._value(bound, owner.uri, owner.symbol, depth - 1), parts[1:]  # @store.find
        if not named and file.spec.modules == "crate":  # crate::a::f, pool::Pool::new
            for length in range(len(parts), 0, -1):
                if (found_module := self.names.module_of_path(parts[:length], uri, file.spec)) is not None:
                    return [found_module], parts[length:]
        return unique(result for place in named for result in self._given(place, depth - 1)), parts[1:]

    def _given(self, place: CodePlace, depth: int) -> list[CodePlace]:
        """The class of a member's value: for a class the class itself, for a function that of its result."""
        symbol = self.names.symbol(place)
        if symbol is None or depth <= 0:
            return [place]
        if symbol.kind in CLASS_LIKE or symbol.kind is SymbolKind.MODULE:
            return [place]
        if symbol.kind in FUNCTIONS:  # without a call too: it may be a property
            return self._value(symbol.returns, place.uri, place.symbol, depth - 1) if symbol.returns else []
        file = self.names.file(place.uri)
        assert file is not None
        type_ = file.bound.get((symbol.parent, symbol.name, True)) or file.bound.get(
            (symbol.parent, symbol.name, False)
        )
        if not type_:
            return []
        called_as_its_type = type_.partition(".")[0] == symbol.name
        scope = MODULE if called_as_its_type else symbol.parent
        return self._value(type_, place.uri, scope, depth - 1)

    # ------------------------------------------------------------ members

    @remembered
    def _member(self, place: CodePlace, name: str, depth: int) -> list[CodePlace]:
        """The members of that name in a class or module: its own, else those of its bases."""
        file = self.names.file(place.uri)
        if file is None or depth <= 0:
            return []
        if place.symbol == MODULE:
            if found := self._top(place.uri, name, depth):
                return found
            if file.spec.package == "directory":
                return self.names.in_package(place.uri, name, file.spec)
            if (
                file.spec.modules == "dotted"
                and place.uri.rpartition("/")[2].rpartition(".")[0] in file.spec.index_files
            ):
                return [
                    CodePlace(other, MODULE)
                    for other in files_of_module(f".{name}", place.uri, file.spec, self.names.project.files)
                ]
            return []
        symbol = file.facts.symbols[place.symbol]
        if symbol.name == name and symbol.kind in CLASS_LIKE and file.spec.class_scope_is_visible:
            return [place]  # inside of a class its name means the class, not the constructor
        if found := first_place(place.uri, file.children.get((place.symbol, name))):
            return found
        if found := self.names.reopened(place, name):
            return found
        if symbol.kind is SymbolKind.MODULE and not file.spec.mixins:
            return []
        if file.spec.qualified_members and (
            found := self.names.members_outside(place, symbol, name, file.spec)
        ):
            return found
        for base in self._bases(place, depth - 1):
            if base != place and (found := self._member(base, name, depth - 1)):
                return found
        if symbol.kind is SymbolKind.TYPE and symbol.name != name:  # an alias, or a type that wraps a type
            aliased = file.bound.get((symbol.parent, symbol.name, False))
            for other in self._value(aliased, place.uri, symbol.parent, depth - 1) if aliased else ():
                if other != place and (found := self._member(other, name, depth - 1)):
                    return found
        return []

    @remembered
    def _bases(self, place: CodePlace, depth: int) -> list[CodePlace]:
        """The classes that a class extends."""
        found: list[CodePlace] = []
        for uri, mention in self.names.bases_of(place) if depth > 0 else ():
            outside = self.names.parent(uri, mention.scope)
            if mention.of:
                values = self._value(mention.of, uri, outside, depth - 1)
                found += [base for value in values for base in self._member(value, mention.name, depth - 1)]
            else:
                found += self._name(uri, outside, mention.name, depth - 1)[:1]
        return [base for base in unique(found) if base != place]
