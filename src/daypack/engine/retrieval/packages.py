"""The packages of a tree that a question names, found in the store."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from daypack.engine.retrieval.scope import BODY_AND_NAME, Scope, having
from daypack.index import facts
from daypack.rank.membership import is_in
from daypack.rank.texts.packages import (
    MANIFESTS,
    NO_PACKAGES,
    PackageName,
    Packages,
    degree,
    names_said,
    package_folders,
)
from daypack.rank.views import ChunkFlag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def packages_named(scope: Scope, text: str) -> Packages:
    """The packages of the store, inside the mask or not, and those that a text names."""
    view = scope.view
    manifests = facts.files_called(scope.db, MANIFESTS)
    if len(manifests) < 2:
        return NO_PACKAGES
    visible = set(view.record_ids[view.inside(view.alive, manifests)].tolist())
    folders = package_folders(frozenset(uri for record_id, uri in manifests.items() if record_id in visible))
    said = names_said(folders, text)
    if not said:
        return NO_PACKAGES
    inside = {folder: view.positions_in(facts.records_below(scope.db, folder)) for folder in said}
    named = {}
    for folder, name in said.items():
        using = _using(scope, name)
        others = [positions for other, positions in inside.items() if other != folder]
        within = is_in(using, inside[folder])
        outside = reduce(lambda rest, positions: rest & ~is_in(using, positions), others, ~within)
        named[folder] = degree(name, int(within.sum()), int(outside.sum()))
    return Packages(folders, named)


def _using(scope: Scope, name: PackageName) -> NDArray[np.int64]:
    """Positions of the code, other than tests and examples, whose text has all said words of a name."""
    view = scope.view
    here = [having(scope.postings_of(word), BODY_AND_NAME) for word in sorted(name.words)]
    using = reduce(lambda some, others: some[is_in(some, others)], here)
    aside = ChunkFlag.TEST | ChunkFlag.ASIDE | ChunkFlag.PAGE
    flags = view.flags[using] & (ChunkFlag.CODE | aside)
    program: NDArray[np.int64] = using[view.alive[using] & (flags == ChunkFlag.CODE)]
    return program
