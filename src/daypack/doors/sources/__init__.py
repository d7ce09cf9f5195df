"""The sources door: scoped, versioned records under a policy, for agents that serve several users.

A record belongs to one session, to one user, or to all users. Under a source key it has versions: writing the
same content changes nothing, writing anything else supersedes the version before. Every version is a row of
`source_item` (table.py); the active one is a record of the common index as well, so it is ranked like any
other text.

A write goes through `SourcesDoor.ingest`: rules.py checks the draft, takes secrets out and makes text of
structured data; one transaction then stores the version, replaces the searched record and adds a line to the
audit log. Records leave for their age, for a capacity or by a call of `delete`, through writing/pruning.py: a
tombstone stays, and the file is rewritten so that the text is erased from disk.

A read goes through `SourcesDoor.retrieve`. One condition in SQL decides the visible records; the engine
applies it before it makes a view, so hidden records affect no statistic, suggestion or count. Filters and
policy (retrieval/table.py) are a second condition, applied before ranking and again when texts are read
(retrieval/search.py). `assemble` puts the results into the sections of a mode (retrieval/assembly.py), within
a token budget.

tasks/ makes envelopes from requests, and preferences from approved texts. Start at `SourcesDoor.retrieve`;
for tasks at `TasksDoor.envelope`. This package exports the public names of `dp.sources`, and imports them at
their first use.
"""

# ruff: noqa: F403 (type checkers find the names; others by `__getattr__`)
from __future__ import annotations

TYPE_CHECKING = False  # as in the package's own __init__
if TYPE_CHECKING:
    from typing import Any

    from daypack.doors.sources.tasks.types import *
    from daypack.doors.sources.types import *

_NAMES = {
    "daypack.doors.sources.types": "AssembleRequest AssembledSection Assembly AssemblyMode AuditEntry Confidentiality ContentClass ImportedSources LeftOut ModelTarget Retrieval RetrieveRequest RetrievedSource Source SourceAction SourceDraft SourceKind SourcePart SourcePolicy SourceRanking SourceReceipt SourceScope SourceSettings SourceStatus SourceType SourceWeights StoredSource StructuredField",
    "daypack.doors.sources.tasks.types": "Constraint Lesson Origin Preference Preferences RequestIntent TaskEnvelope Taught",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
