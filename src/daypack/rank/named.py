"""The things that a query names: definitions, uses, files, lines and quotations, as found in the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from daypack.rank.texts.packages import NO_PACKAGES, Packages
from daypack.rank.uses import Uses
from daypack.types import Frame


class Place(NamedTuple):
    """Files by their record ids, or folders by their paths."""

    files: frozenset[int]
    folders: tuple[str, ...] = ()

    def holds(self, record_id: int, uri: str) -> bool:
        return record_id in self.files or any(f"/{folder}/" in f"/{uri}" for folder in self.folders)


NO_PLACE = Place(frozenset())


class Named(NamedTuple):
    """The named things. Identifiers are spelt as in the store; positions are those of chunks in the view."""

    definitions: dict[str, list[int]]  # identifier → positions of the chunks that define it
    mentions: dict[str, float]  # such an identifier → its weight in the query
    uses: tuple[Uses, ...]  # of names whose uses it asks for
    records: dict[int, float]  # record id → boost of its file, for a path or stack frame
    place: Place  # that a question is about
    frames: tuple[Frame, ...]  # lines of stored files in its stack traces
    quoted: tuple[str, ...]  # strings that it quotes
    missing: tuple[str, ...]  # anchors that no text in scope mentions
    holding: tuple[int, ...]  # positions of chunks that have all words of a key or a quotation
    releases: Mapping[int, float]  # position of a chunk about a release that it asks for → 0 to 1
    days: Mapping[int, float]  # position of a chunk about a day that it names → 0 to 1
    saying: tuple[int, ...]  # rising positions of chunks whose text mentions the day
    pages: tuple[int, ...]  # rising positions of chunks on the pages of documents that it names
    manifests: Mapping[int, float]  # position of a chunk of a manifest → 0 to 1, for a version in use
    introducing: Mapping[int, float]  # position of a chunk that introduces the whole project → 0 to 1
    packages: Packages


NOTHING_NAMED = Named(
    definitions={},
    mentions={},
    uses=(),
    records={},
    place=NO_PLACE,
    frames=(),
    quoted=(),
    missing=(),
    holding=(),
    releases={},
    days={},
    saying=(),
    pages=(),
    manifests={},
    introducing={},
    packages=NO_PACKAGES,
)
