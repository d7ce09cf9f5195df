"""Daypack packs what an LLM agent's task needs, and no more.

from daypack import Daypack
with Daypack.open(".daypack") as dp:
    dp.files.add("docs/")
    print(dp.pack("how are refunds retried?", budget=1500).to_markdown())
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from `typing`, which a hook has no time to import; type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    from daypack.adapters.service import (
        DaypackAssembleRequest,
        DaypackPolicy,
        DaypackRetrieveRequest,
        DaypackService,
        DaypackSourceCreate,
        SyncDaypackService,
    )
    from daypack.aio import AsyncDaypack
    from daypack.api import Daypack
    from daypack.errors import DaypackError
    from daypack.settings import Settings
    from daypack.types import Budget, Pack, Packing, Record, RecordKind, SearchResult, Tokenizer, VectorMode

__version__ = "0.1.0"
__all__ = [
    "AsyncDaypack",
    "Budget",
    "Daypack",
    "DaypackAssembleRequest",
    "DaypackError",
    "DaypackPolicy",
    "DaypackRetrieveRequest",
    "DaypackService",
    "DaypackSourceCreate",
    "Pack",
    "Packing",
    "Record",
    "RecordKind",
    "SearchResult",
    "Settings",
    "SyncDaypackService",
    "Tokenizer",
    "VectorMode",
]

_HOMES = {
    **{name: "daypack.adapters.service" for name in __all__ if "Daypack" in name},
    "AsyncDaypack": "daypack.aio",
    "Daypack": "daypack.api",
    "DaypackError": "daypack.errors",
    "Settings": "daypack.settings",
}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first used: `import daypack` itself costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'daypack' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES.get(name, "daypack.types")), name)


def __dir__() -> list[str]:
    return __all__
