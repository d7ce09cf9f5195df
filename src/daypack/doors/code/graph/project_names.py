"""The names of all files of a project: definitions by name, by package and beside their type, without imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice
from posixpath import dirname
from typing import Protocol

from daypack.doors.code.graph.extraction.spelling import type_expression
from daypack.doors.code.graph.facts import (
    CLASS_LIKE,
    FUNCTIONS,
    MODULE,
    CodePlace,
    CodeSymbol,
    FileFacts,
    Mention,
)
from daypack.doors.code.graph.languages import CodeLanguage
from daypack.doors.code.graph.modules import ProjectFiles, files_of_module
from daypack.doors.code.graph.names import FileNames, names_of
from daypack.doors.code.graph.remembered import MISSING, Recent
from daypack.text.paths import is_test_path
from daypack.types import SymbolKind

KEPT_FILES = 6_000  # whose names are kept in memory
KEPT_METHODS = 50_000  # names whose methods are
MOST_DEFINING = 50  # files that are searched for the definition of a name
MOST_DEFINING_METHODS = 24  # … for methods of a name
Named = Callable[[str, int, str], list[CodePlace]]
"""The definitions that a bare name means in a scope of a file."""

_ANY_TYPE = frozenset({"object", "Any"})  # that each value has, in C# and Kotlin
_RUST_PLACES = frozenset({"crate", "self", "super"})


class Project(Protocol):
    """The files of a project with their names."""

    @property
    def files(self) -> ProjectFiles: ...

    @property
    def generated(self) -> Container[str]:
        """The files that a program wrote."""
        ...

    def facts(self, uri: str) -> FileFacts | None: ...

    def defining(self, name: str) -> Sequence[str]:
        """The files that define a name, in order."""
        ...

    def mentioning(self, name: str) -> Sequence[str]:
        """The files that mention a name, in order."""
        ...


def definitions(project: Project, name: str, most: int) -> Iterator[tuple[CodePlace, CodeSymbol]]:
    """The symbols of the files that define a name, of the first `most` files, in order."""
    for uri in project.defining(name)[:most]:
        facts = project.facts(uri)
        for index, symbol in enumerate(facts.symbols if facts is not None else ()):
            yield CodePlace(uri, index), symbol


class ProjectNames:
    """The names in the files of one state of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._files: Recent[str, FileNames | None] = Recent(KEPT_FILES)
        self._methods: Recent[tuple[str, frozenset[str]], list[CodePlace]] = Recent(KEPT_METHODS)

    def file(self, uri: str) -> FileNames | None:
        """The names of a file; None for one without facts."""
        file: FileNames | None = self._files.get(uri, MISSING)
        if file is MISSING and (file := self._files.again(uri)) is MISSING:
            facts = self.project.facts(uri)
            file = self._files.keep(uri, names_of(facts) if facts is not None else None)
        return file

    def symbol(self, place: CodePlace) -> CodeSymbol | None:
        file = self.file(place.uri)
        return file.facts.symbols[place.symbol] if file is not None and place.symbol >= 0 else None

    @staticmethod
    def local_binding(file: FileNames, scope: int, name: str) -> tuple[int, str] | None:
        """(scope, type) of the binding of a name in the scope or a scope around it; None without a binding."""
        while scope != MODULE:
            if (type_ := file.bound.get((scope, name, False))) is not None:
                return scope, type_
            scope = file.facts.symbols[scope].parent
        return None

    def attribute(self, place: CodePlace, name: str) -> str | None:
        """The type of an attribute that the methods of a class bind; None without a binding."""
        file = self.file(place.uri)
        return file.bound.get((place.symbol, name, True)) if file is not None and place.symbol >= 0 else None

    def _defining(
        self, name: str, kin: frozenset[str], most: int | None = None, *, but: str = ""
    ) -> Iterator[tuple[str, FileNames]]:
        """(path, names) of the files in the languages `kin` that define a name, of the first `most` of all that do, without the file `but`."""
        for uri in islice(self.project.defining(name), most):
            file = self.file(uri) if uri != but else None
            if file is not None and file.spec.name in kin:
                yield uri, file

    def methods_of(self, name: str, kin: frozenset[str]) -> list[CodePlace]:
        """The methods of a name in the languages `kin`, from at most MOST_DEFINING_METHODS files."""
        key = (name, kin)
        methods: list[CodePlace] = self._methods.get(key, MISSING)
        if methods is MISSING and (methods := self._methods.again(key)) is MISSING:
            methods = [
                CodePlace(uri, index)
                for uri, file in self._defining(name, kin, MOST_DEFINING_METHODS)
                for index in file.methods.get(name, ())
            ]
            self._methods.keep(key, methods)
        return methods

    def classes(self, name: str, kin: frozenset[str]) -> list[CodePlace]:
        """The classes of a name in the languages `kin`, those inside of others too, from at most MOST_DEFINING files."""
        return [
            CodePlace(uri, index)
            for uri, file in self._defining(name, kin, MOST_DEFINING)
            for index, symbol in enumerate(file.facts.symbols)
            if symbol.name == name and symbol.kind in CLASS_LIKE and symbol.kind is not SymbolKind.IMPL
        ]

    def in_package(self, uri: str, name: str, spec: CodeLanguage) -> list[CodePlace]:
        """The definitions of a name in the other files of the folder; without any, those in files elsewhere that declare the same
        package, as tests and the sources of each platform do.
        """
        folder, here = dirname(uri), self.file(uri)
        package = here.facts.module if here is not None and spec.modules == "package" else ""
        near, same = [], []
        for other, file in self._defining(name, spec.kin, but=uri):
            found = [CodePlace(other, index) for index in file.top.get(name, ())]
            if dirname(other) == folder:
                near += found
            elif package and file.facts.module == package:
                same += found
        return near or self.outside_tests(same, uri)

    def in_declared_package(self, module: str, spec: CodeLanguage) -> list[CodePlace]:
        """The definitions that a full path names, in files that declare the package or write the full path as the name of the
        definition; the names of the files do not matter, except for the class that holds the functions of a file.
        """
        full = module.replace("\\", ".")
        name, found = full.rpartition(".")[2], []
        for uri, file in self._defining(name, spec.kin, MOST_DEFINING):
            package = file.facts.module.replace("\\", ".")
            if package and not full.startswith(f"{package}."):
                continue
            below = full.removeprefix(f"{package}.")
            found += [CodePlace(uri, index) for index in file.qualified.get(below, ())]
            facade = file.facts.facade or file.spec.facade_of(uri)
            if facade and below == f"{facade}.{name}":
                found += [CodePlace(uri, index) for index in file.top.get(name, ())]
        return found

    def globally(self, name: str, spec: CodeLanguage) -> list[CodePlace]:
        """The definitions of a name in all files, for languages in which files see each other's names."""
        found = [
            CodePlace(uri, index)
            for uri, file in self._defining(name, spec.kin, MOST_DEFINING)
            for index in file.top.get(name, ())[:1]
        ]
        return self.bodies(found)

    def members_outside(
        self, place: CodePlace, symbol: CodeSymbol, name: str, spec: CodeLanguage
    ) -> list[CodePlace]:
        """Members of a type outside of its definition: methods with a receiver, `impl` blocks, extensions."""
        wanted = f"{symbol.name}.{name}"
        found = [
            CodePlace(uri, index)
            for uri, file in self._defining(name, spec.kin)
            for index, other in enumerate(file.facts.symbols)
            if other.name == name and (other.qualified == wanted or other.qualified.endswith("." + wanted))
        ]
        here = [other for other in found if other.uri == place.uri]
        near = [other for other in found if dirname(other.uri) == dirname(place.uri)]
        return self.bodies(here or near or (found if spec.package != "directory" else []))

    def reopened(self, place: CodePlace, name: str) -> list[CodePlace]:
        """The members of that name in the other blocks of a namespace, or of a class that may be written in parts; of several,
        the nearest to the place.
        """
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None or not file.spec.global_names:
            return []
        if symbol.kind is not SymbolKind.MODULE and not (file.spec.mixins or "partial " in symbol.signature):
            return []
        wanted = f"{symbol.qualified}.{name}"
        found = [
            CodePlace(uri, index)
            for uri, other in self._defining(name, file.spec.kin, MOST_DEFINING)
            for index, one in enumerate(other.facts.symbols)
            if wanted in (one.qualified, other.unopened.get(index))
            and one.parent not in (MODULE, place.symbol if uri == place.uri else MODULE)
        ]
        return self.nearest(self.bodies(found), place.uri, place.symbol)[:1]

    def bases_of(self, place: CodePlace, named: Named) -> list[tuple[str, Mention]]:
        """(file, base) of a class as written: at the class, and at the blocks of its members in this and in other files."""
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None:
            return []
        scopes = [place.symbol, *(file.impls.get(symbol.name, ()) if file.spec.qualified_members else ())]
        found = [(place.uri, base) for scope in dict.fromkeys(scopes) for base in file.bases.get(scope, ())]
        for uri, parts in self._parts_elsewhere(place, symbol, file, named):
            other = self.file(uri)
            assert other is not None, "a part is in a file with facts"
            found += [(uri, base) for scope in parts for base in other.bases.get(scope, ())]
        return found

    def _parts_elsewhere(
        self, place: CodePlace, symbol: CodeSymbol, file: FileNames, named: Named
    ) -> list[tuple[str, list[int]]]:
        """(file, scopes) of the parts that other files have of a class: in languages that mix modules into classes the class again,
        in others the blocks of its members, where the file has no class of that name. For such a block also the class.
        """
        if not file.spec.mixins and not file.spec.qualified_members:
            return []
        others = list(self._defining(symbol.name, file.spec.kin, MOST_DEFINING, but=place.uri))
        if file.spec.mixins:
            return [(uri, other.qualified.get(symbol.qualified, [])) for uri, other in others]
        parts = [
            (uri, other.impls.get(symbol.name, [])) for uri, other in others if symbol.name not in other.top
        ]
        if symbol.kind is SymbolKind.IMPL and symbol.name not in file.top:
            parts += [
                (uri, [*other.top[symbol.name], *other.impls.get(symbol.name, ())])
                for uri, other in others
                if symbol.name in other.top
            ]
        home = self._home(place, named) if any(scopes for _, scopes in parts) else set()
        return [
            (uri, [scope for scope in scopes if self._home(CodePlace(uri, scope), named) == home])
            for uri, scopes in parts
        ]

    def _home(self, place: CodePlace, named: Named) -> set[str]:
        """The file of a class. For a block of members that of the class that its file means by the name or, without an import,
        of the nearest one: several files when these are equally near.
        """
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None or symbol.kind is not SymbolKind.IMPL:
            return {place.uri}
        found = named(place.uri, symbol.parent, symbol.name) or self.nearest(
            self.classes(symbol.name, file.spec.kin), place.uri, place.symbol
        )
        return {one.uri for one in found}

    def parent(self, uri: str, scope: int) -> int:
        """The scope around a scope of a file."""
        symbol = self.symbol(CodePlace(uri, scope))
        return symbol.parent if symbol is not None else MODULE

    def is_function(self, place: CodePlace) -> bool:
        return (symbol := self.symbol(place)) is not None and symbol.kind in FUNCTIONS

    def is_method(self, place: CodePlace) -> bool:
        """True for a member of a class, and for a function that may be called as one."""
        file, symbol = self.file(place.uri), self.symbol(place)
        return (
            file is not None
            and symbol is not None
            and (symbol.kind is SymbolKind.METHOD or file.spec.functions_are_methods)
        )

    def are_extensions(self, places: Sequence[CodePlace]) -> bool:
        """True when the places are overloads of one extension."""
        names = {
            (place.uri, symbol.qualified) for place in places if (symbol := self.symbol(place)) is not None
        }
        return len(names) == 1 and all(map(self.is_extension, places))

    def is_extension(self, place: CodePlace, *, called: bool = True) -> bool:
        """True for a function that may be called on values of a type of which it is not a member, or a property of such values."""
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None or not file.spec.extension or called != (symbol.kind in FUNCTIONS):
            return False
        pattern = file.spec.extension.replace("{name}", re.escape(symbol.name))
        return re.search(pattern, symbol.signature) is not None

    def extended_type(self, place: CodePlace) -> str | None:
        """The name of the type whose values an extension takes, "" for any; None when the language states none."""
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None:
            return None
        match = re.search(file.spec.extension.replace("{name}", re.escape(symbol.name)), symbol.signature)
        if match is None or not match["type"]:
            return None
        written = type_expression(match["type"], file.spec.transparent)
        name = file.spec.plain_path(written).rpartition(".")[2]
        of_any = name in _ANY_TYPE or name in re.findall(r"\w+", match["generics"] or "")
        return "" if of_any else name or None

    def of_same_module(self, places: Sequence[CodePlace], scope: CodePlace) -> CodePlace | None:
        """The place whose module or class is that of the scope, when that module or class is spread over several files."""
        here = self.symbol(scope)
        for around in (here.qualified, here.qualified.rpartition(".")[0]) if here is not None else ():
            for place in places if around else ():
                symbol = self.symbol(place)
                if symbol is not None and symbol.qualified.rpartition(".")[0] == around:
                    return place
        return None

    @staticmethod
    def outside_tests(places: Sequence[CodePlace], uri: str) -> list[CodePlace]:
        """The places that a file may mean: only tests may mean definitions in tests."""
        return [*places] if is_test_path(uri) else [place for place in places if not is_test_path(place.uri)]

    def nearest(self, places: Sequence[CodePlace], uri: str, scope: int) -> list[CodePlace]:
        """The places in the innermost namespace around a scope; of these, those in the nearest folder, and of several those that
        people wrote. Only tests may mean definitions in tests.
        """
        places = self.outside_tests(places, uri)
        if len(places) < 2:
            return places
        here = self.symbol(CodePlace(uri, scope))

        def nearness(place: CodePlace) -> tuple[int, int]:
            symbol = self.symbol(place)
            names = [one.qualified.split(".") for one in (here, symbol) if one is not None]
            around = _common(*names) if len(names) == 2 else 0
            return around, _common(dirname(uri).split("/"), dirname(place.uri).split("/"))

        best = max(map(nearness, places))
        near = [place for place in places if nearness(place) == best]
        return [place for place in near if place.uri not in self.project.generated] or near

    def bodies(self, places: list[CodePlace]) -> list[CodePlace]:
        """The places with a body, or all places when none has one: next to the definition of a function, prototypes do not count."""
        bodies = [place for place in places if (file := self.file(place.uri)) and file.has_body(place.symbol)]
        return bodies if bodies and len(bodies) < len(places) else places

    def are_variants(self, places: Sequence[CodePlace]) -> bool:
        """True when the places have one full name, and a program has one of them, by its platform."""
        return len({self._full_name(place) for place in places}) == 1 and all(map(self._variant, places))

    def variant_for(self, uri: str, place: CodePlace) -> CodePlace:
        """The variant of a place that is nearest to the file `uri`; of several the declaration that the platforms share."""
        variants = self.written_twice(place)
        nearest = self.nearest(variants, uri, MODULE) or variants
        shared = [
            one
            for one in nearest
            if (file := self.file(one.uri)) and self._variant(one) == file.spec.variants[0]
        ]
        return (shared or nearest)[0]

    def _full_name(self, place: CodePlace) -> tuple[str, str] | None:
        file, symbol = self.file(place.uri), self.symbol(place)
        return (file.facts.module, symbol.qualified) if file is not None and symbol is not None else None

    def _variant(self, place: CodePlace) -> str:
        """The word at a definition, or at one around it, that says it belongs to a platform; "" for none."""
        file, scope = self.file(place.uri), place.symbol
        while file is not None and file.spec.variants and scope != MODULE:
            symbol = file.facts.symbols[scope]
            if found := [word for word in symbol.signature.split() if word in file.spec.variants]:
                return found[0]
            scope = symbol.parent
        return ""

    def _variants(self, place: CodePlace, symbol: CodeSymbol, file: FileNames) -> list[CodePlace]:
        """The place, then the definitions that other platforms have of it."""
        others = self._defining(symbol.name, file.spec.kin, MOST_DEFINING, but=place.uri)
        twins = [
            CodePlace(uri, i) for uri, other in others for i in other.qualified.get(symbol.qualified, ())
        ]
        return [place, *(twin for twin in twins if self.are_variants([place, twin]))]

    def overloads(self, place: CodePlace) -> list[CodePlace]:
        """The definitions that the file of a place has of its qualified name."""
        file, symbol = self.file(place.uri), self.symbol(place)
        indexes = file.qualified.get(symbol.qualified, ()) if file is not None and symbol is not None else ()
        return [CodePlace(place.uri, index) for index in indexes]

    def written_twice(self, place: CodePlace) -> list[CodePlace]:
        """The place, then the definitions of a function that it declares, or the declarations of a function that it defines; the
        definitions for other platforms.
        """
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is not None and symbol is not None and file.spec.variants:
            return self._variants(place, symbol, file)
        if file is None or symbol is None or symbol.kind not in FUNCTIONS or not file.spec.prototypes:
            return [place]
        return [
            place,
            *(
                CodePlace(uri, index)
                for uri, other in self._defining(symbol.name, file.spec.kin, MOST_DEFINING, but=place.uri)
                for index, twin in enumerate(other.facts.symbols)
                if _are_one(twin.qualified, symbol.qualified)
                and other.has_body(index) != file.has_body(place.symbol)
            ),
        ]

    def first_overload(self, place: CodePlace) -> CodePlace:
        """The first of the overloads or clauses that a file has of a function, to which edges lead; the place itself for others."""
        file, symbol = self.file(place.uri), self.symbol(place)
        if file is None or symbol is None or symbol.kind in CLASS_LIKE:
            return place
        return next(
            CodePlace(place.uri, index)
            for index, one in enumerate(file.facts.symbols)
            if one.qualified == symbol.qualified and one.kind not in CLASS_LIKE
        )

    def module_of_path(self, parts: Sequence[str], uri: str, spec: CodeLanguage) -> CodePlace | None:
        """The module that a path without an import names in the file `uri`. Its file counts even when no `mod` that the
        grammar can read declares it: many stand in macros and behind conditions.
        """
        path = [part.removesuffix("()") for part in parts]
        found = files_of_module(".".join(path), uri, spec, self.project.files)[:1]
        is_it = found and (
            _RUST_PLACES.issuperset(path)
            or path[-1] == found[0].removesuffix("/mod.rs").removesuffix(".rs").rpartition("/")[2]
        )
        return CodePlace(found[0], MODULE) if is_it else None


def _are_one(name: str, other: str) -> bool:
    """True for equal names; a namespace that one of them leaves out is ignored, because `using namespace` brings it."""
    short, long = sorted((name, other), key=len)
    return short == long or ("." in short and long.endswith(f".{short}"))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the common beginning of two paths, in parts."""
    return next(
        (number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
