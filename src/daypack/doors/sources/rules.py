"""Rules for records: checks of a draft, and the fields and text of structured data. Pure: values in, values out."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from daypack.doors.sources.retrieval.visibility import DOOR
from daypack.doors.sources.types import (
    Confidentiality,
    ContentClass,
    Source,
    SourceDraft,
    SourceKind,
    SourcePolicy,
    SourceScope,
    SourceStatus,
    SourceType,
    SourceWeights,
    StructuredField,
)
from daypack.errors import InputError
from daypack.guard.arguments import check_fields
from daypack.guard.fences import is_inert, one_line
from daypack.guard.secrets import redact, redact_json, refuse_secret
from daypack.text.checks import check_kind, check_text, check_texts, member
from daypack.types import Record, RecordKind, Trust

URI = "source:"
LONGEST_NAME = 512
LONGEST_TEXT = 10_000_000
MOST_TAGS = 100
DEEPEST = 64
MOST_FIELDS = 2_000
MOST_LISTED = 1_000  # items of an answer, records of a list
MOST_OFFSET = 1_000_000_000

# ---------------------------------------------------------------- checks


def check_limit(limit: int, offset: int = 0) -> None:
    if not 1 <= limit <= MOST_LISTED:
        raise InputError(f"limit {limit} is not from 1 to {MOST_LISTED}")
    if not 0 <= offset <= MOST_OFFSET:
        raise InputError(f"offset {offset} is not from 0 to {MOST_OFFSET}")


def check_name(what: str, text: object) -> str:
    """An id, a key or a tag: one visible line. "" and None are "". Raises InputError."""
    if text is None or text == "":
        return ""
    if (
        not isinstance(text, str)
        or text != text.strip()
        or not text
        or "\n" in text
        or "\t" in text
        or not is_inert(text)
    ):
        raise InputError(
            f"the {what} {one_line(repr(text), 60)} must be one line without surrounding blanks or "
            f"invisible characters"
        )
    if len(text) > LONGEST_NAME:
        raise InputError(f"the {what} has {len(text):,} characters; at most {LONGEST_NAME} are allowed")
    refuse_secret(what, text)
    return text


def owner_of(scope: SourceScope, user: str, session: str, owner: str) -> str:
    """The user that a record belongs to: without one the owner, but in a named session "", all its users."""
    return user or ("" if scope is SourceScope.SESSION and session else owner)


def checked(draft: SourceDraft, *, owner: str) -> tuple[SourceDraft, int]:
    """The draft in its stored form, with its text made and secrets removed, and the number of secrets. Raises
    InputError.

    Without a user id it is the owner's, but for a record of a named session, which then belongs to all users
    of that session.
    """
    _check_kinds(draft)
    scope = member(SourceScope, draft.scope)
    session = check_name("session id", draft.session_id)
    user = owner_of(scope, check_name("user id", draft.user_id), session, owner)
    tags = tuple(sorted({check_name("tag", tag) for tag in draft.tags} - {""}))
    if len(tags) > MOST_TAGS:
        raise InputError(f"{len(tags)} tags are too many; at most {MOST_TAGS} are allowed")
    redactor = _Redactor()
    data = redactor.json("structured data", draft.structured_data)
    text = redactor.text(_text(draft.text))
    if not text.strip() and data is not None:
        primary = primary_paths(data, draft.data_schema)
        text = structured_text(searched_fields(fields_of(data), primary, draft.data_schema), primary)
    if not text.strip():
        raise InputError("the record is empty: give a text, or structured data")
    schema = draft.data_schema
    made = replace(
        draft,
        text=text,
        kind=member(SourceKind, draft.kind),
        scope=scope,
        user_id=user,
        session_id=session if scope is SourceScope.SESSION else "",
        source_key=check_name("source key", draft.source_key),
        title=one_line(redactor.text(draft.title), LONGEST_NAME),
        summary=redactor.text(draft.summary),
        source_type=member(SourceType, draft.source_type),
        content_class=member(ContentClass, draft.content_class),
        tags=tags,
        urls=tuple(map(redactor.text, draft.urls)),
        metadata=redactor.json("metadata", dict(draft.metadata)),
        structured_data=data,
        data_schema=None if schema is None else redactor.json("the schema", dict(schema)),
        policy=_checked_policy(draft.policy, scope),
        external_id=check_name("external id", draft.external_id),
    )
    return made, redactor.count


def check_request(request: object, kind: type) -> None:
    """Raise InputError for anything but a request of this kind, and for a field of another type than its own."""
    check_kind("the request", request, kind, f'one, as {kind.__name__}("draft an update", user_id="u1")')
    check_fields(request)


KEY_TO_FIND = "name a key or an id, as `daypack source list` shows them"
KEY_TO_WRITE = "give it a name that stays when the text changes"


def named_key(source_key: str, advice: str = KEY_TO_FIND) -> str:
    """The key. Raises InputError for an empty one: records without a key share it, and are not versions of one thing."""
    check_text("the source key", source_key, "a key, or the id of a record")
    if not source_key:
        raise InputError(f"the source key is empty; {advice}")
    return source_key


def _check_kinds(draft: SourceDraft) -> None:
    """Raise InputError for a field of another type than its own."""
    check_kind("the draft", draft, SourceDraft, "a SourceDraft, or call store(kind, text)")
    check_text("title", draft.title)
    check_text("summary", draft.summary)
    check_texts("tags", draft.tags)
    check_texts("urls", draft.urls)
    check_kind("metadata", draft.metadata, Mapping, 'a mapping, as {"project": "pier"}')
    if draft.data_schema is not None:
        check_kind("data_schema", draft.data_schema, Mapping, "a mapping, or None")
    policy = draft.policy
    check_kind("policy", policy, SourcePolicy, "a SourcePolicy, as SourcePolicy(freshness_days=30)")
    check_texts("allowed_user_ids", policy.allowed_user_ids)
    check_texts("allowed_session_ids", policy.allowed_session_ids)


def check_weights(weights: SourceWeights) -> None:
    """Raise InputError for weights of the weighted ranking that are of another type."""
    check_kind("weights", weights, SourceWeights, "a SourceWeights, as SourceWeights(lexical=0.5)")
    for name, usual in asdict(SourceWeights()).items():
        value = getattr(weights, name)
        if not isinstance(usual, dict):
            _check_number(f"weights.{name}", value)
            continue
        check_kind(f"weights.{name}", value, Mapping, f"a mapping, as {usual}")
        for one, number in value.items():
            _check_number(f"weights.{name}[{one!r}]", number)


def _check_number(what: str, value: object) -> None:
    """Raise InputError for a value that is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{what} must be a finite number, not {value!r:.40}")


class _Redactor:
    """Removes secrets from the fields of a draft, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def text(self, value: str) -> str:
        found = redact(value)
        self.count += found.count
        return found.text

    def json(self, what: str, value: Any) -> Any:
        without, count = redact_json(_checked_texts(_json(what, value)))
        self.count += count
        return without


def _checked_policy(policy: SourcePolicy, scope: SourceScope) -> SourcePolicy:
    usual = Confidentiality.SHAREABLE if scope is SourceScope.GLOBAL else Confidentiality.PRIVATE
    check_days("freshness_days", policy.freshness_days)
    check_days("retention_days", policy.retention_days)
    given = policy.confidentiality
    return replace(
        policy,
        confidentiality=member(Confidentiality, given) if given else usual,
        allowed_user_ids=tuple(sorted({check_name("user id", one) for one in policy.allowed_user_ids})),
        allowed_session_ids=tuple(
            sorted({check_name("session id", one) for one in policy.allowed_session_ids})
        ),
    )


def check_days(name: str, days: float | None) -> None:
    """Raise InputError for days that no record can keep to."""
    number = isinstance(days, (int, float)) and not isinstance(days, bool) and math.isfinite(days)
    if days is not None and not (number and days > 0):
        raise InputError(f"{name} must be a number of days above 0")


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"the text must be a string, not {one_line(repr(text), 60)}")
    if len(text) > LONGEST_TEXT:
        raise InputError(f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed")
    return text.encode("utf-8", "replace").decode()


def _json(what: str, value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what} cannot be JSON: {one_line(str(error), 80)}") from None


def _checked_texts(value: Any, depth: int = 0) -> Any:
    """JSON data with every string in it, names included, in its stored form. Raises InputError."""
    if depth > DEEPEST:
        raise InputError(f"the data is nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return [_checked_texts(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_text(name): _checked_texts(item, depth + 1) for name, item in value.items()}
    return value


def checksum(draft: SourceDraft | Source) -> str:
    """SHA-256 of everything stored but the owner: an upsert with an equal one changes nothing."""
    facts = [
        draft.text, draft.title, draft.summary, draft.kind, [*draft.tags], [*draft.urls], dict(draft.metadata), draft.structured_data, draft.data_schema,
        [
            draft.policy.confidentiality, draft.policy.allowed_user_ids, draft.policy.allowed_session_ids, draft.policy.allow_local_model_egress,
            draft.policy.allow_remote_model_egress, draft.policy.freshness_days, draft.policy.retention_days,
        ],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode("utf-8", "replace")).hexdigest()


# ---------------------------------------------------------------- structured data

_PRIMARY = frozenset(
    {"text", "body", "content", "summary", "description", "name", "title", "message", "note", "notes"}
)


def fields_of(data: Any) -> tuple[StructuredField, ...]:
    """Leaves of structured data in their order, at most 2,000."""
    found: list[StructuredField] = []
    for item in _leaves(data, ""):
        found.append(item)
        if len(found) == MOST_FIELDS:
            break
    return tuple(found)


def _leaves(value: Any, path: str) -> Iterator[StructuredField]:
    match value:
        case dict():
            for name, item in value.items():
                yield from _leaves(item, f"{path}.{name}" if path else str(name))
        case list():
            for number, item in enumerate(value):
                yield from _leaves(item, f"{path}[{number}]")
        case None:
            return
        case bool():
            yield StructuredField(path, "true" if value else "false", "boolean")
        case int() | float():
            yield StructuredField(path, json.dumps(value), "integer" if isinstance(value, int) else "number")
        case _:
            yield StructuredField(path, str(value), "string")


def primary_paths(data: Any, schema: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Paths whose values are a record's text: declared by its schema, else leaves named text, title …."""
    declared = (schema or {}).get("primary_text_paths")
    if isinstance(declared, list):
        return tuple(str(path) for path in declared)
    return tuple(item.path for item in fields_of(data) if _leaf_name(item.path) in _PRIMARY)


def _leaf_name(path: str) -> str:
    return re.sub(r"\[\d+\]", "", path.rpartition(".")[2]).lower()


def structured_text(fields: Sequence[StructuredField], primary: Collection[str]) -> str:
    """Lines of `path: value`, those of the primary paths first."""
    ordered = [
        *(item for item in fields if item.path in primary),
        *(item for item in fields if item.path not in primary),
    ]
    return "\n".join(f"{item.path}: {item.value_text}" for item in ordered)


def searched_fields(
    fields: Sequence[StructuredField], primary: Collection[str], schema: Mapping[str, Any] | None
) -> Sequence[StructuredField]:
    """The paths that are searched; of a schema named user_intent the primary ones alone."""
    named = (schema or {}).get("schema_name") == "user_intent"
    return [item for item in fields if item.path in primary] if named else fields


def schema_of(data: Any, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The stored schema: declared, or inferred from the data."""
    if data is None and schema is None:
        return None
    root = "object" if isinstance(data, dict) else "array" if isinstance(data, list) else "value"
    inferred = {
        "schema_name": "inferred", "schema_mode": "inferred", "root_type": root, "field_paths": [item.path for item in fields_of(data)],
        "primary_text_paths": [*primary_paths(data, schema)],
    }  # fmt: skip
    return inferred if schema is None else {**inferred, "schema_mode": "declared", **schema}


def intent_words(data: Any, schema: Mapping[str, Any] | None) -> list[str]:
    """The words that intent data adds to a question: values of its primary paths with a schema, else all."""
    fields = fields_of(data)
    primary = frozenset(primary_paths(data, schema)) if schema is not None else None
    return [item.value_text for item in fields if primary is None or item.path in primary]


def indexed_text(text: str, fields: Sequence[StructuredField], primary: Collection[str]) -> str:
    """The searched text of a record: its text, then the fields that the text lacks."""
    rest = [item for item in fields if f"{item.path}: {item.value_text}" not in text]
    return f"{text.rstrip()}\n\n{structured_text(rest, primary)}" if rest else text


# ---------------------------------------------------------------- records


def new_version(
    draft: SourceDraft,
    *,
    space: str,
    number: int,
    version: int,
    previous: Source | None,
    tokens: int,
    now: float,
    trust: Trust,
) -> Source:
    """The record of a checked draft; its id holds a hash of the number, which no other record has."""
    said = checksum(draft)
    mark = json.dumps([number, space, draft.source_key or "", said, now]).encode()
    return Source(
        id=f"src-{hashlib.blake2b(mark, digest_size=8).hexdigest()}",
        kind=SourceKind(draft.kind),
        scope=SourceScope(draft.scope),
        user_id=draft.user_id or "",
        session_id=draft.session_id or "",
        source_key=draft.source_key or "",
        source_version=version,
        source_status=SourceStatus.ACTIVE,
        source_type=SourceType(draft.source_type),
        content_class=ContentClass(draft.content_class),
        text=draft.text,
        title=draft.title,
        summary=draft.summary,
        tags=tuple(draft.tags),
        urls=tuple(draft.urls),
        metadata=draft.metadata,
        structured_data=draft.structured_data,
        data_schema=schema_of(draft.structured_data, draft.data_schema),
        structured_fields=fields_of(draft.structured_data),
        policy=draft.policy,
        content_checksum=said,
        token_count=tokens,
        created_at=now,
        previous_record_id=previous.id if previous else "",
        external_id=draft.external_id,
        source_updated_at=draft.source_updated_at,
        trust=trust,
    )


def searched_record(item: Source, space: str) -> Record:
    """The record of the common index for an active version."""
    primary = (item.data_schema or {}).get("primary_text_paths", ())
    fields = searched_fields(item.structured_fields, primary, item.data_schema)
    return Record(
        uid=item.id,
        text=indexed_text(item.text, fields, primary),
        kind=RecordKind.DOCUMENT,
        door=DOOR,
        uri=f"{URI}{item.source_key or item.id}",
        title=item.title or item.source_key,
        scope=space,
        time=item.created_at,
        tags=item.tags,
        metadata={"source_key": item.source_key} if item.source_key else {},
        trust=item.trust,
    )
