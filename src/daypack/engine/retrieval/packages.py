"""The packages of a tree that a question names, found in the store."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

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
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from daypack.ports import Connection


def packages_named(db: Connection, view: LexicalView, text: str, postings_of: PostingsOf) -> Packages:
    """The packages of the view, and those that a text names."""
    manifests = facts.files_called(db, MANIFESTS)
    if len(manifests) < 2:
        return NO_PACKAGES
    visible = set(view.record_ids[view.inside(view.alive, manifests)].tolist())
    folders = package_folders(frozenset(uri for record_id, uri in manifests.items() if record_id in visible))
    said = names_said(folders, text)
    if not said:
        return NO_PACKAGES
    inside = {folder: view.positions_in(facts.records_below(db, folder)) for folder in said}
    named = {}
    for folder, name in said.items():
        using = _using(view, name, postings_of)
        others = [positions for other, positions in inside.items() if other != folder]
        within = is_in(using, inside[folder])
        outside = reduce(lambda rest, positions: rest & ~is_in(using, positions), others, ~within)
        named[folder] = degree(name, int(within.sum()), int(outside.sum()))
    return Packages(folders, named)


def _using(view: LexicalView, name: PackageName, postings_of: PostingsOf) -> NDArray[np.int64]:
    """Positions of the code, other than tests and examples, whose text has all said words of a name."""
    here = [
        positions[(tf[:, :2] > 0).any(axis=1)]
        for positions, tf in (postings_of(word) for word in sorted(name.words))
    ]
    using = reduce(lambda some, others: some[is_in(some, others)], here)
    aside = ChunkFlag.TEST | ChunkFlag.ASIDE | ChunkFlag.PAGE
    flags = view.flags[using] & (ChunkFlag.CODE | aside)
    program: NDArray[np.int64] = using[view.alive[using] & (flags == ChunkFlag.CODE)]
    return program
