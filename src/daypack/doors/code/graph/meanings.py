"""The meanings of mentions: the places that a name may mean, and whether they are certain.

A single place is certain, candidates found by their spelling alone are ambiguous, built-in and foreign names have no
meaning. A name with an unclear expression before its dot, "?", may mean the members of that name in all types.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from posixpath import dirname
from typing import NamedTuple

from daypack.doors.code.graph.facts import MODULE, CodePlace, Mention, Role
from daypack.doors.code.graph.modules import COMPONENT_ENDINGS
from daypack.doors.code.graph.names import FileNames, common_members
from daypack.doors.code.graph.remembered import MISSING, remembered
from daypack.doors.code.graph.resolve import DEPTH, Resolver
from daypack.types import SymbolKind

MOST_CANDIDATES = 6  # a name with more candidates gets no meaning
DISTINCT = 5  # letters: a name of this length that is a method of a single class means that method
_NAMED_BY_BUILD = ("#imports", "#components")  # modules of Nuxt that hold the names it brings


class Meaning(NamedTuple):
    """The places that a name may mean. Several places are ambiguous, and so is a place found by its spelling alone."""

    places: tuple[CodePlace, ...] = ()
    certain: bool = True


_NOTHING = Meaning()


class Meanings:
    """The meanings of mentions in one state of a project."""

    def __init__(self, resolver: Resolver) -> None:
        self.answers = resolver.answers  # of remembered methods
        self._resolver, self._names = resolver, resolver.names

    def of(self, uri: str, mention: Mention) -> Meaning:
        """The places that a mention in a file means."""
        known = self.answers["meaning"]
        key = (uri, mention.role, mention.name, mention.of, mention.scope)  # without its lines
        meaning: Meaning = known.get(key, MISSING)
        if meaning is MISSING and (meaning := known.again(key)) is MISSING:
            meaning = known.keep(key, self._meaning(uri, mention))
        return meaning

    def _meaning(self, uri: str, mention: Mention) -> Meaning:
        file = self._names.file(uri)
        if file is None:
            return _NOTHING
        return self._member(uri, file, mention) if mention.of else self._bare(uri, file, mention)

    def _bare(self, uri: str, file: FileNames, mention: Mention) -> Meaning:
        scope = mention.scope
        if mention.role is Role.EXTEND and scope >= 0:  # a class may have the name of its base
            scope = file.facts.symbols[scope].parent
        places = self._resolver.named(uri, scope, mention.name) or self._brought_by_build(uri, file, mention)
        if places or not file.spec.mixins:
            return self._certain(places, file, uri)
        return self._guess(uri, file, mention)

    def _brought_by_build(self, uri: str, file: FileNames, mention: Mention) -> list[CodePlace]:
        """The component that a tag names without an import; with Nuxt, the function of another file that a call names so."""
        name, files = mention.name, self._names.project.files
        is_imported = any(entry.module not in _NAMED_BY_BUILD for entry in file.imported.get(name, ()))
        if file.spec.modules != "relative" or is_imported:
            return []
        if self._names.local_binding(file, mention.scope, name) is not None:
            return []
        if uri.endswith(COMPONENT_ENDINGS) and (tagged := files.components(name)):
            return [CodePlace(other, MODULE) for other in tagged if other != uri]
        if mention.role is not Role.CALL or not files.is_brought(uri):
            return []
        found = self._names.outside_tests(self._names.globally(name, file.spec), uri)
        return [
            place
            for place in found
            if files.is_brought(place.uri) and not place.uri.endswith(COMPONENT_ENDINGS)
        ]

    def _member(self, uri: str, file: FileNames, mention: Mention) -> Meaning:
        values = self._resolver.value(mention.of, uri, mention.scope) if mention.of != "?" else []
        members = self._resolver.members(values, mention.name) if values else []
        path = f"{mention.of}.{mention.name}"
        if (
            places := members
            or self._resolver.qualified(path, uri)
            or self._extensions(uri, file, mention, values)
        ):
            return self._certain(places, file, uri)
        if values or (mention.of != "?" and self._is_foreign(file, uri, mention)):
            return _NOTHING
        head = mention.of.partition(".")[0]
        if file.spec.is_type_name(mention.of) and not self._is_known(file, uri, mention.scope, head):
            return self._of_last_name(uri, file, mention)
        return self._guess(uri, file, mention)

    def _of_last_name(self, uri: str, file: FileNames, mention: Mention) -> Meaning:
        """The members of the types whose name a path ends with: the alias of a type may be written by a macro elsewhere. Without
        such a type the path is foreign.
        """
        classes = self._names.classes(mention.of.rpartition(".")[2], file.spec.kin)
        found = self._names.outside_tests(self._resolver.members(classes, mention.name), uri)
        return Meaning(tuple(found), certain=False) if len(found) <= MOST_CANDIDATES else _NOTHING

    def _is_known(self, file: FileNames, uri: str, scope: int, name: str) -> bool:
        return self._names.local_binding(file, scope, name) is not None or bool(
            self._resolver.named(uri, scope, name)
        )

    def _extensions(
        self, uri: str, file: FileNames, mention: Mention, values: Sequence[CodePlace]
    ) -> list[CodePlace]:
        """The extensions of that name that a value has: functions for calls, properties for other uses. Without a known value those
        that are visible in the file, unless the value may have a member of that name.
        """
        if not file.spec.extension:
            return []
        visible = self._visible_extensions(uri, mention)
        if not values:
            is_open = mention.name in common_members(file.spec.name) or self._methods(uri, file, mention.name)
            return [] if is_open else visible
        called = mention.role is Role.CALL
        methods = visible or (self._methods(uri, file, mention.name) if file.spec.global_names else [])
        return [
            place
            for place in methods
            if self._names.is_extension(place, called=called)
            and any(
                self._extends(one, values, is_visible=bool(visible)) for one in self._names.overloads(place)
            )
        ]

    def _extends(self, extension: CodePlace, values: Sequence[CodePlace], *, is_visible: bool) -> bool:
        """True for an extension of the class of one of the values, or of a base of it. Foreign bases have bases that are not known,
        so a class with one may have an extension of a foreign type that the file sees.
        """
        type_ = self._names.extended_type(extension)
        if not type_:
            return type_ is not None
        file = self._names.file(extension.uri)
        is_open = is_visible and file is not None and not self._names.classes(type_, file.spec.kin)
        return any(self._is_a(value, type_, DEPTH, is_open=is_open) for value in values)

    def _is_a(self, place: CodePlace, name: str, depth: int, *, is_open: bool) -> bool:
        """True for a class of that name, with such a base or, where the answer is open, with a foreign base; an alias may be any."""
        file, symbol = self._names.file(place.uri), self._names.symbol(place)
        if file is None or symbol is None or depth <= 0:
            return False
        named = partial(self._resolver.named, depth=depth - 1)
        written = {base.name for _, base in self._names.bases_of(place, named)}
        if name in (symbol.name, *written) or (is_open and symbol.kind is SymbolKind.TYPE):
            return True
        if is_open and not all(self._names.classes(base, file.spec.kin) for base in written):
            return True
        bases = self._resolver.bases(place, depth - 1)
        return any(self._is_a(base, name, depth - 1, is_open=is_open) for base in bases)

    def _visible_extensions(self, uri: str, mention: Mention) -> list[CodePlace]:
        called = mention.role is Role.CALL
        visible = self._resolver.named(uri, mention.scope, mention.name)
        return [place for place in visible if self._names.is_extension(place, called=called)]

    def _methods(self, uri: str, file: FileNames, name: str) -> list[CodePlace]:
        """The methods of that name of values of any type. In Kotlin an extension that is a member is none: only its class sees it."""
        methods = self._names.outside_tests(self._names.methods_of(name, file.spec.kin), uri)
        return [one for one in methods if file.spec.global_names or not self._names.is_extension(one)]

    def _certain(self, places: Sequence[CodePlace], file: FileNames, uri: str) -> Meaning:
        if self._names.are_variants(places):
            return Meaning((self._names.variant_for(uri, places[0]),))
        if len(places) < 2:
            return Meaning(tuple(places))
        names = {
            (place.uri, symbol.qualified)
            for place in places
            if (symbol := self._names.symbol(place)) is not None
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
        is_own = file.spec.functions_are_methods and mention.of in file.spec.self_words
        if is_own and (indexes := file.methods.get(mention.name)):  # else a method of a base
            return Meaning((CodePlace(here, indexes[0]),))
        methods = self._methods(here, file, mention.name)
        if not mention.of and (own := self._names.of_same_module(methods, CodePlace(here, mention.scope))):
            return Meaning((own,))
        telling = len(mention.name) >= DISTINCT and mention.name not in common_members(file.spec.name)
        if telling and self._names.are_extensions(methods):
            return Meaning((methods[0],))
        if mention.of and file.spec.extension:
            methods += self._visible_extensions(here, mention)
        if not methods or len(methods) > MOST_CANDIDATES:
            return _NOTHING
        alone = telling and len(methods) == 1 and (not mention.of or self._names.is_method(methods[0]))
        return Meaning(tuple(methods), certain=alone and self._is_near(here, methods[0].uri))

    def _is_near(self, uri: str, other: str) -> bool:
        """True when the files are in one folder, or `uri` imports from `other`."""
        return dirname(uri) == dirname(other) or other in self._imported_files(uri)

    @remembered
    def _imported_files(self, uri: str) -> frozenset[str]:
        file = self._names.file(uri)
        entries = file.facts.imports if file is not None else ()
        return frozenset(place.uri for entry in entries for place in self._resolver.imported(uri, entry))

    def _is_foreign(self, file: FileNames, uri: str, mention: Mention) -> bool:
        """True for a member of a name that is imported from outside the project."""
        head = mention.of.partition(".")[0].removesuffix("()")
        if self._names.local_binding(file, mention.scope, head) is not None:
            return False
        entries = file.imported.get(head, ())
        return bool(entries) and not any(self._resolver.imported(uri, entry, 2) for entry in entries)
