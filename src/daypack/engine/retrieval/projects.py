"""The project of a question, found in the store: the texts that introduce the whole, and the packages that the question names."""

from __future__ import annotations

from functools import reduce

import numpy as np

from daypack.engine.retrieval.scope import BODY_AND_NAME, Scope, having
from daypack.index import facts
from daypack.rank.membership import distinct, is_in
from daypack.rank.texts import introductions, packages, variables
from daypack.rank.texts.facts import OWN_FILES, value_of_fact
from daypack.rank.views import ChunkFlag, LexicalView
from daypack.text import analysis
from daypack.types import Overview
from daypack.types.arrays import Bools, Ints


def packages_named(scope: Scope, text: str) -> packages.Packages:
    """The packages of the store, inside the mask or not, and those that a text names."""
    view = scope.view
    folders = _packages(scope)
    said = packages.names_said(folders, text)
    if not said:
        return packages.NO_PACKAGES
    inside = {folder: view.positions_in(facts.records_below(scope.db, folder)) for folder in said}
    named = {}
    for folder, name in said.items():
        using = _using(scope, name)
        others = [positions for other, positions in inside.items() if other != folder]
        within = is_in(using, inside[folder])
        outside = reduce(lambda rest, positions: rest & ~is_in(using, positions), others, ~within)
        named[folder] = packages.degree(name, int(within.sum()), int(outside.sum()))
    return packages.Packages(folders, named)


def is_package(scope: Scope, name: str) -> bool:
    """True when a package of the store is called so."""
    return bool(packages.names_said(_packages(scope), name))


def _packages(scope: Scope) -> frozenset[str]:
    """The folders of the packages of the store; none where it has a single one."""
    view = scope.view
    manifests = facts.files_called(scope.db, packages.MANIFESTS)
    if len(manifests) < 2:
        return frozenset()
    return packages.package_folders(frozenset(_inside(view, view.alive, manifests).values()))


def _using(scope: Scope, name: packages.PackageName) -> Ints:
    """Positions of the code, other than tests and examples, whose text has all said words of a name."""
    view = scope.view
    here = [having(scope.postings_of(word), BODY_AND_NAME) for word in sorted(name.words)]
    using = reduce(lambda some, others: some[is_in(some, others)], here)
    aside = ChunkFlag.TEST | ChunkFlag.ASIDE | ChunkFlag.PAGE
    flags = view.flags[using] & (ChunkFlag.CODE | aside)
    program: Ints = using[view.alive[using] & (flags == ChunkFlag.CODE)]
    return program


def introducing(scope: Scope, overview: Overview) -> dict[int, float]:
    """Position → value of the chunks that introduce the whole project from the side that is asked for; the best has 1."""
    if overview in (Overview.RELEASE, Overview.VERSION):
        return {}  # changelogs and manifests say them: `Named.releases`, `Named.manifests`
    if overview is Overview.ENVIRONMENT:
        return _naming_variables(scope)
    view = scope.view
    values: dict[int, float] = {}
    called = (
        introductions.BUILDS | introductions.ENTRIES if overview is Overview.ENTRY else introductions.BUILDS
    )
    files = scope.pages_called(introductions.WORDS, called) | scope.manifests_ending()
    for record_id, role in _roles(scope, files, OWN_FILES.get(overview)).items():
        at = scope.positions_by_id(view.inside(scope.mask, [record_id]))
        headings = {chunk_id: names for chunk_id, _, names in facts.chunk_headings(scope.db, [*at])}
        title = next((names[:1] for chunk_id in at if (names := headings.get(chunk_id))), ())
        texts = scope.texts_of([*at])
        # a manifest may say all in tags, and a list of owners has two words: "* @shop/keepers"
        is_short = role in (introductions.Role.MANIFEST, introductions.Role.PEOPLE)
        telling = [chunk_id for chunk_id in at if is_short or introductions.tells(texts.get(chunk_id, ""))]
        for place, chunk_id in enumerate(telling):
            names = headings.get(chunk_id, ())
            sections = names[1:] if names[:1] == title else names
            value = introductions.value_of(overview, role, sections, place) or value_of_fact(
                overview, role, files[record_id], sections, place, texts[chunk_id]
            )
            if value:
                values[at[chunk_id]] = value
    best = max(values.values(), default=1.0)
    return {position: value / best for position, value in values.items()}


def _naming_variables(scope: Scope) -> dict[int, float]:
    """Position → value of the chunks that name environment variables; the best has 1."""
    view = scope.view
    terms = {term for word in variables.WORDS for term in analysis.expand(word)}
    postings = [scope.postings_of(term) for term in sorted(terms)]
    found, rows = np.unique(np.concatenate([one.positions for one in postings]), return_inverse=True)
    often = np.bincount(rows, weights=np.concatenate([one.tf[:, 0] for one in postings]))
    order = np.argsort(-often, kind="stable")
    positions = found[order][scope.mask[found[order]]][: variables.MOST_READ]
    at = scope.positions_by_id(positions)
    texts = scope.texts_of([*at])
    of = facts.names_of(scope.db, distinct(view.record_ids[positions]).tolist())
    values = {
        position: variables.value_of_naming(
            of.get(int(view.record_ids[position]), ""), int(view.flags[position]), texts.get(chunk_id, "")
        )
        for chunk_id, position in at.items()
    }
    best = sorted(values, key=lambda position: (-values[position], position))[: variables.MOST_NAMING]
    highest = max(values.values(), default=0.0)
    return {position: values[position] / highest for position in best if values[position]}


def is_project(scope: Scope, name: str) -> bool:
    """True when the title of the README, or a manifest, at the top of the project has this name."""
    files = (
        facts.files_called(scope.db, introductions.READMES | packages.MANIFESTS) | scope.manifests_ending()
    )
    for record_id, role in _roles(scope, files).items():
        at = scope.view.inside(scope.mask, [record_id])
        if role is introductions.Role.README:
            ids = scope.view.chunk_ids[at].tolist()
            headings = (names for _, _, names in facts.chunk_headings(scope.db, ids) if names)
            if introductions.title_names(next(headings, ("",))[0], name):
                return True
        elif introductions.manifest_names(files[record_id], "\n".join(scope.texts_at(at)), name):
            return True
    return False


def _roles(
    scope: Scope, files: dict[int, str], fact: introductions.Role | None = None
) -> dict[int, introductions.Role]:
    """The roles of those of some files that the query may find; of files that state a fact only those of the role `fact`."""
    return introductions.roles_of(_inside(scope.view, scope.mask, files), fact)


def _inside(view: LexicalView, mask: Bools, files: dict[int, str]) -> dict[int, str]:
    """Record id → path, of those of some files with a chunk inside the mask."""
    here = {*view.record_ids[view.inside(mask, files)].tolist()}
    return {record_id: uri for record_id, uri in files.items() if record_id in here}
