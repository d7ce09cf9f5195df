"""The chunks about the releases that a question asks for.

"what changed in 2.4?"              sections of changelogs, upgrade guides and pages with that version in their names
"what's new in the last release?"   the highest version of each changelog
"what will the next one bring?"     sections of unreleased changes, and fragments for the next changelog
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from daypack.engine.retrieval.scope import NAMES, Scope
from daypack.index import facts
from daypack.query.releases import LATEST, UNRELEASED
from daypack.rank.membership import distinct, is_in
from daypack.rank.places import is_changelog_name, is_fragment_name
from daypack.rank.views import ChunkFlag
from daypack.text import analysis, changelogs
from daypack.types import Query
from daypack.types.arrays import Ints

MOST_READ = 4_000  # chunks whose headings are read
# words, in any form, in the paths of changelogs, and of fragments for the next one
_LOGS = (
    "change",
    "changelog",
    "changeset",
    "history",
    "new",
    "news",
    "newsfragments",
    "release",
    "releasenotes",
    "whatsnew",
)
_FRAGMENTS = ("change", "changelog", "fragment", "news", "newsfragments", "unreleased")


class _Headed(NamedTuple):
    """A chunk with its file and the headings above it."""

    position: int
    uri: str
    headings: tuple[str, ...]

    @property
    def folder(self) -> str:
        return self.uri.rpartition("/")[0]


def releases_found(scope: Scope, query: Query) -> dict[int, float]:
    """Position → 1 for a chunk about a release that the question asks for, less for a later release of the same line."""
    found: dict[int, float] = {}
    for asked in query.releases:
        if asked == LATEST:
            values = _latest(_headed(scope, _in_changelogs(scope)))
        elif asked == UNRELEASED:
            values = _unreleased(scope)
        else:
            values = _named(scope, asked)
        for position, value in values.items():
            found[position] = max(found.get(position, 0.0), value)
    return found


def _headed(scope: Scope, positions: Ints) -> list[_Headed]:
    at = scope.positions_by_id(positions[:MOST_READ])
    return [
        _Headed(at[chunk_id], uri, headings)
        for chunk_id, uri, headings in facts.chunk_headings(scope.db, [*at])
    ]


def _named(scope: Scope, asked: str) -> dict[int, float]:
    """The values of chunks below a heading, or in a page, with a version in its name."""
    release = changelogs.release_of(asked)
    values: dict[int, float] = {}
    prose = scope._replace(mask=scope.mask & ~scope.view.code)
    for chunk in _headed(scope, _having_in_names(prose, asked)):
        own = changelogs.release_above(chunk.headings, chunk.uri)
        if own is not None and (value := changelogs.nearness(release, own)):
            values[chunk.position] = value
    return values


def _having_in_names(scope: Scope, asked: str) -> Ints:
    """The positions of chunks with all parts of a version in their names, paths or headings."""
    first, *rest = analysis.terms(asked)
    found = scope.having([first, f"v{first}"], NAMES)  # 2.4 or v2.4
    for term in rest:
        found = found[is_in(found, scope.having([term], NAMES))]
    return found


def _in_changelogs(scope: Scope) -> Ints:
    """The positions of the chunks of changelogs, by contents or name."""
    view, mask = scope.view, scope.mask
    by_contents = np.flatnonzero(mask & ((view.flags & ChunkFlag.CHANGELOG) > 0))
    pages = scope.pages_called(_LOGS)
    named = [record_id for record_id, uri in pages.items() if is_changelog_name(uri)]
    return distinct(np.concatenate([by_contents, view.inside(mask, named)]))


def _latest(headed: Sequence[_Headed]) -> dict[int, float]:
    """The chunks of the highest release in each folder, because each release may have a page of its own; not in a folder
    below one with a higher release, as an archive is.
    """
    of_chunk = {
        chunk.position: release
        for chunk in headed
        if not changelogs.is_unreleased(changelogs.version_of(chunk.headings))
        and (release := changelogs.release_above(chunk.headings, chunk.uri)) is not None
    }
    highest: dict[str, changelogs.Release] = {}
    for chunk in headed:
        if (release := of_chunk.get(chunk.position)) is not None:
            highest[chunk.folder] = max(highest.get(chunk.folder, release), release, key=changelogs.order_of)
    latest = {
        folder: release
        for folder, release in highest.items()
        if all(
            changelogs.order_of(release) >= changelogs.order_of(highest[above])
            for above in _above(folder, highest)
        )
    }
    return {
        chunk.position: 1.0
        for chunk in headed
        if chunk.position in of_chunk and of_chunk[chunk.position] == latest.get(chunk.folder)
    }


def _above(folder: str, folders: Iterable[str]) -> list[str]:
    return [other for other in folders if other != folder and f"{folder}/".startswith(other and f"{other}/")]


def _unreleased(scope: Scope) -> dict[int, float]:
    """The chunks below a heading of changes since the last release, and those of fragments."""
    headed = _headed(scope, _in_changelogs(scope))
    below = [
        chunk.position for chunk in headed if changelogs.is_unreleased(changelogs.version_of(chunk.headings))
    ]
    pages = scope.pages_called(_FRAGMENTS)
    named = [record_id for record_id, uri in pages.items() if is_fragment_name(uri)]
    return dict.fromkeys([*below, *scope.view.inside(scope.mask, named).tolist()], 1.0)
