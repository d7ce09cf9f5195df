"""The named arguments of `store` and `list` of the sources door: type checkers refuse any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from daypack.doors.sources.types import (
    ContentClass,
    SourceKind,
    SourcePolicy,
    SourceScope,
    SourceStatus,
    SourceType,
)


class DraftFields(TypedDict, total=False):
    """The fields of a SourceDraft besides its text and kind."""

    scope: SourceScope | str
    user_id: str | None
    session_id: str | None
    source_key: str | None
    title: str
    summary: str
    source_type: SourceType | str
    content_class: ContentClass | str
    tags: tuple[str, ...] | list[str]
    urls: tuple[str, ...] | list[str]
    metadata: Mapping[str, Any]
    structured_data: Any
    data_schema: Mapping[str, Any] | None
    policy: SourcePolicy
    external_id: str
    source_updated_at: float | None


class Listing(TypedDict, total=False):
    """The records to list, and how many."""

    kind: SourceKind | str | None
    scope: SourceScope | str | None
    status: SourceStatus | str | None
    source_key: str | None
    limit: int
    offset: int
    user_id: str | None
    session_id: str | None
