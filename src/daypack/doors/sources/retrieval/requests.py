"""Requests, from the options of verbs and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from daypack.doors.sources.types import RetrieveRequest

if TYPE_CHECKING:
    from daypack.doors.sources.options import Filters, Kind

Request = TypeVar("Request", bound=RetrieveRequest)


class Asked(TypedDict, total=False):
    """Fields of a request that both sides set, beside its question."""

    user_id: str
    session_id: str
    limit: int | None
    ranking: str
    kinds: list[Kind] | None
    tags: list[str] | None
    source_keys: list[str] | None
    include_user_scope: bool
    include_global_scope: bool
    model_target: str
    intent_data: Any
    assembly_mode: str | None
    token_budget: int


def request_of(kind: type[Request], filters: Filters, query: str, **asked: Unpack[Asked]) -> Request:
    """A request of the fields asked for and the options that are given."""
    given: dict[str, Any] = {name: value for name, value in {**asked, **filters}.items() if value is not None}
    if scopes := given.pop("scopes", ()):
        given |= {f"include_{scope}_scope": scope in scopes for scope in ("user", "global")}
    return kind(query_text=query, **given)
