"""Every noun of the project: frozen, without IO, without third-party imports.

A stored thing never carries an opinion on itself: a `Chunk` has no score, a `Record` no rank. Opinions live
in `Contribution` and `Candidate`, and each ends where the query ends.

The nouns are imported when they are first used: most commands need few.
"""

from __future__ import annotations

# ruff: noqa: F403 (type checkers find the names; others by `__getattr__`)

TYPE_CHECKING = False  # not from `typing`, which a hook has no time to import; type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    from daypack.types.file_lines import *
    from daypack.types.packs import *
    from daypack.types.queries import *
    from daypack.types.records import *

_NAMES = {
    "daypack.types.packs": "Budget Chain Citation Excerpt Found Omission OmissionReason Omissions Pack Packing Tokenizer Variant",
    "daypack.types.queries": "ASKER_ROLES Anchor AnchorKind Candidate Content Contribution Days EmptyReason EventKind Frame Happenings Intent Overview PageAsked Query QueryKind RankedFile Ranking Requirement SearchResult SearchStats Sort Task Turn VectorMode",
    "daypack.types.file_lines": "FileLine FileLines",
    "daypack.types.records": "DATES EMPTY OWNER SHARED Chunk Cut IngestIssue IngestReport JOINED Pages Piece PieceKind Record RecordKind SkipReason Span SymbolKind Trust checksum_of cited_lines cited_name places_from reference_of with_hash",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    """A noun, imported when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'daypack.types' has no attribute {name!r}")
    import importlib

    noun = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return noun
