"""Rules of the sources door: what may be kept, what structured data says, how the weighted ranking scores,
which section an item belongs to.

Pure: values in, values out. Ages are given, not looked up.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any, TypeVar

from daypack.doors.sources.types import (
    AssemblyMode,
    Confidentiality,
    ContentClass,
    RetrievedSource,
    Source,
    SourceDraft,
    SourceKind,
    SourceScope,
    SourceType,
    SourceWeights,
    StructuredField,
)
from daypack.errors import InputError
from daypack.guard.fences import is_inert, one_line
from daypack.guard.secrets import redact, refuse_secret
from daypack.text import analysis

E = TypeVar("E")

LONGEST_NAME = 512
LONGEST_TEXT = 10_000_000
MOST_TAGS = 100
DEEPEST = 64
NEAR_DUPLICATE = 0.82  # Jaccard index of the words of two items, from which an assembly shows one of them
MOST_FIELDS = 2_000

# ---------------------------------------------------------------- checks


def member(kind: type[E], value: object) -> E:
    """A member of an enum from its value. Raises InputError with the choices."""
    try:
        return kind(value)  # type: ignore[call-arg]  # enums are called with a value
    except ValueError:
        names = ", ".join(item.value for item in kind)  # type: ignore[attr-defined]
        raise InputError(f"{one_line(repr(value), 60)} is none of {names}") from None


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
            f"the {what} {one_line(repr(text), 60)} must be one line without blanks around it or characters that are not seen"
        )
    if len(text) > LONGEST_NAME:
        raise InputError(f"the {what} has {len(text):,} characters, at most {LONGEST_NAME} are taken")
    refuse_secret(what, text)
    return text


def owner_of(scope: SourceScope, user: str, session: str, owner: str) -> str:
    """Whose a record is: without a user, the owner's, but in a named session everybody's there."""
    return user or ("" if scope is SourceScope.SESSION and session else owner)


def checked(draft: SourceDraft, *, owner: str) -> tuple[SourceDraft, int]:
    """The draft as it can be kept, with its text made and secrets taken out, and how many of those there
    were. Raises InputError.

    Without a user id it is the owner's, but for a record of a named session, which is then everybody's in
    that session.
    """
    scope = member(SourceScope, draft.scope)
    session = check_name("session id", draft.session_id)
    user = owner_of(scope, check_name("user id", draft.user_id), session, owner)
    if isinstance(draft.tags, str):
        raise InputError("tags must be a list of strings")
    tags = tuple(sorted({check_name("tag", tag) for tag in draft.tags} - {""}))
    if len(tags) > MOST_TAGS:
        raise InputError(f"{len(tags)} tags are too many; at most {MOST_TAGS} are taken")
    count = 0

    def clean(value: Any) -> Any:
        nonlocal count
        found = redact(value)
        count += found.count
        return found.text

    data = _mapped(_json("structured data", draft.structured_data), clean)
    text = clean(_text(draft.text))
    if not text.strip() and data is not None:
        primary = primary_paths(data, draft.data_schema)
        text = structured_text(searched_fields(fields_of(data), primary, draft.data_schema), primary)
    if not text.strip():
        raise InputError("there is nothing to keep: give a text, or structured data")
    policy = draft.policy
    confidentiality = Confidentiality.SHAREABLE if scope is SourceScope.GLOBAL else Confidentiality.PRIVATE
    for name, days in (("freshness_days", policy.freshness_days), ("retention_days", policy.retention_days)):
        if days is not None and not (math.isfinite(days) and days > 0):
            raise InputError(f"{name} must be a number of days above 0")
    return (
        replace(
            draft,
            text=text,
            kind=member(SourceKind, draft.kind),
            scope=scope,
            user_id=user,
            session_id=session if scope is SourceScope.SESSION else "",
            source_key=check_name("source key", draft.source_key),
            title=one_line(clean(draft.title), LONGEST_NAME),
            summary=clean(draft.summary),
            source_type=member(SourceType, draft.source_type),
            content_class=member(ContentClass, draft.content_class),
            tags=tags,
            urls=tuple(clean(url) for url in draft.urls),
            metadata=_mapped(_json("metadata", dict(draft.metadata)), clean),
            structured_data=data,
            data_schema=None
            if draft.data_schema is None
            else _mapped(_json("the schema", dict(draft.data_schema)), clean),
            policy=replace(
                policy,
                confidentiality=member(Confidentiality, policy.confidentiality)
                if policy.confidentiality
                else confidentiality,
                allowed_user_ids=tuple(
                    sorted({check_name("user id", one) for one in policy.allowed_user_ids})
                ),
                allowed_session_ids=tuple(
                    sorted({check_name("session id", one) for one in policy.allowed_session_ids})
                ),
            ),
            external_id=check_name("external id", draft.external_id),
        ),
        count,
    )


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"the text must be a string, not {one_line(repr(text), 60)}")
    if len(text) > LONGEST_TEXT:
        raise InputError(f"the text has {len(text):,} characters, at most {LONGEST_TEXT:,} are taken")
    return text.encode("utf-8", "replace").decode()


def _json(what: str, value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what} cannot be JSON: {one_line(str(error), 80)}") from None


def _mapped(value: Any, clean: Any, depth: int = 0) -> Any:
    """JSON data with every string in it, names included, passed through `clean`."""
    if depth > DEEPEST:
        raise InputError(f"the data is nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        return clean(_text(value))
    if isinstance(value, list):
        return [_mapped(item, clean, depth + 1) for item in value]
    if isinstance(value, dict):
        return {clean(_text(name)): _mapped(item, clean, depth + 1) for name, item in value.items()}
    return value


def checksum(draft: SourceDraft) -> str:
    """What decides whether an upsert changes anything: SHA-256 of everything that is kept but for who keeps
    it.
    """
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
    """Leaves of structured data in the order in which they stand, at most 2,000."""
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
    """Paths whose values are the text of a record: those that the schema declares, else leaves named text,
    body, title and the like.
    """
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
    """Those that are words of the record: of what a user wants, a schema named user_intent, the primary ones
    alone.
    """
    named = (schema or {}).get("schema_name") == "user_intent"
    return [item for item in fields if item.path in primary] if named else fields


def schema_of(data: Any, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The schema as it is kept: declared, or inferred from the data."""
    if data is None and schema is None:
        return None
    root = "object" if isinstance(data, dict) else "array" if isinstance(data, list) else "value"
    inferred = {
        "schema_name": "inferred", "schema_mode": "inferred", "root_type": root, "field_paths": [item.path for item in fields_of(data)],
        "primary_text_paths": [*primary_paths(data, schema)],
    }  # fmt: skip
    return inferred if schema is None else {**inferred, "schema_mode": "declared", **schema}


def intent_words(data: Any, schema: Mapping[str, Any] | None) -> list[str]:
    """What intent data adds to a question: the values of its primary paths when a schema is given, else all."""
    fields = fields_of(data)
    primary = frozenset(primary_paths(data, schema)) if schema is not None else None
    return [item.value_text for item in fields if primary is None or item.path in primary]


def indexed_text(text: str, fields: Sequence[StructuredField], primary: Collection[str]) -> str:
    """What is searched of a record: its text, and behind it the fields that the text does not say already."""
    rest = [item for item in fields if f"{item.path}: {item.value_text}" not in text]
    return f"{text.rstrip()}\n\n{structured_text(rest, primary)}" if rest else text


# ---------------------------------------------------------------- names

_WORD = re.compile(r"\w[\w'’-]*")


def naming(query: str, items: Sequence[RetrievedSource]) -> list[RetrievedSource]:
    """Of items in whose texts nothing lies near a question, those that hold every name in it, in their order;
    none for a question without a name.

    A name is a word with a capital that some of the texts write so and none writes without: who or what it
    calls is known here, even where all that is said about it is said in other words.
    """
    words = [set(_WORD.findall(item.text)) for item in items]
    known = set().union(*words)
    names = {
        word
        for word in _WORD.findall(query)
        if word[:1].isupper() and len(word) > 1 and word in known and word.lower() not in known
    }
    return [item for item, found in zip(items, words, strict=True) if names <= found] if names else []


# ---------------------------------------------------------------- lists

_BETWEEN = re.compile(r"[,;:]|\b(?:and|or)\b")
MOST_LISTED = 4  # things of a question that are asked one by one; each costs a ranking


def listed_things(query: str) -> list[str]:
    """What a question lists, each with the names that stand in the question, as questions of their own; none
    when it asks for one thing.

    "What did Okonkwo say of locked gates, river tolls and the new weir?" asks for three things, and what
    answers one of them says nothing of the others. A thing is a part between commas or "and" that has two
    words of its own beside stop words; a name is a word with a capital that does not begin the question.
    """
    names = [word for word in _WORD.findall(query)[1:] if word[:1].isupper()]
    found = []
    for part in _BETWEEN.split(query):
        words = _WORD.findall(part)
        own = [
            term
            for word in words
            if word not in names
            for term in analysis.terms(word)
            if term not in analysis.STOP_TERMS
        ]
        if len(own) >= 2:
            found.append(
                " ".join([part.strip(" ?.!"), *(name for name in dict.fromkeys(names) if name not in words)])
            )
    return found[:MOST_LISTED] if len(found) > 1 else []


def in_turn(rankings: Sequence[Sequence[RetrievedSource]]) -> list[RetrievedSource]:
    """The best of each ranking, then the second of each, and so on; a part that came already does not come
    again.
    """
    found: dict[int, RetrievedSource] = {}
    for item in chain.from_iterable(zip_longest(*rankings)):
        if item is not None:
            found.setdefault(item.chunk_id, item)
    return [*found.values()]


# ---------------------------------------------------------------- the weighted ranking

_TOKEN = re.compile(r"[a-z0-9]{2,}")


def words_of(text: str) -> frozenset[str]:
    """Runs of two and more ASCII letters and digits: the words of the weighted ranking."""
    return frozenset(_TOKEN.findall(text.lower()))


def overlap(query: Collection[str], text: Collection[str]) -> float:
    """Common words over the geometric mean of how many each has; 0 when either has none."""
    a, b = set(query), set(text)
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    a, b = set(one), set(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def keyword_parts(query: Collection[str], record: Source, ordinal: int, weights: SourceWeights) -> float:
    """The sum of the keyword bonuses, not yet weighed."""
    words = set(query)
    paths = [item.path for item in record.structured_fields]
    return (
        weights.title_words * bool(words & words_of(record.title))
        + weights.tag_words * bool(words & words_of(" ".join(record.tags)))
        + weights.field_words * bool(words & words_of(" ".join(paths)))
        + weights.key_words * bool(words & words_of(record.source_key))
        + weights.first_chunk * (ordinal == 0)
    )


def age_bonus(kind: str, age_days: float, weights: SourceWeights) -> float:
    """`fresh` up to the share `decay_start` of the largest age of the kind, then linear down to `stale` at
    that age and beyond.
    """
    most = weights.max_age_days_of.get(kind, weights.max_age_days)
    share = age_days / most if most > 0 else 1.0
    if share <= weights.decay_start:
        return weights.fresh
    if share >= 1:
        return weights.stale
    return weights.fresh + (weights.stale - weights.fresh) * (share - weights.decay_start) / (
        1 - weights.decay_start
    )


def signals(
    query: str, text: str, record: Source, *, ordinal: int, semantic: float, weights: SourceWeights
) -> dict[str, float]:
    """What is known of one chunk before anything is weighed; `semantic` is a cosine, negative ones count as
    0.
    """
    words = words_of(query)
    return {
        "semantic_score": max(0.0, semantic),
        "lexical_score": overlap(words, words_of(text)),
        "keyword_bonus": keyword_parts(words, record, ordinal, weights),
    }


def weighted_parts(
    found: Mapping[str, float],
    record: Source,
    *,
    age_days: float,
    source_keys: Collection[str],
    tags: Collection[str],
    weights: SourceWeights,
) -> dict[str, float]:
    """What each part of the weighted ranking adds to the score of one chunk: its signals as they are weighed,
    then what is added as it is.
    """
    kind, scope = record.kind.value, record.scope.value
    return {
        "semantic": weights.semantic * found["semantic_score"],
        "lexical": weights.lexical * found["lexical_score"],
        "keyword": weights.keyword * found["keyword_bonus"],
        "metadata_bonus": weights.key_match * (record.source_key in source_keys)
        + weights.tag_match * bool(set(tags) & set(record.tags)),
        "record_rank_bonus": weights.kinds.get(kind, 0.0),
        "scope_priority_bonus": weights.scopes.get(scope, 0.0),
        "age_decay_factor": age_bonus(kind, age_days, weights),
    }


def reranked(items: Sequence[RetrievedSource], limit: int, weights: SourceWeights) -> list[RetrievedSource]:
    """The items by their weighted scores, best first: of those with the largest share of meaning, and of
    words, a multiple of the limit.
    """
    pools = (("semantic", weights.semantic_candidates), ("lexical", weights.lexical_candidates))
    pooled = {item.chunk_id for part, times in pools for item in _by(items, part)[: limit * times]}
    return sorted(
        (item for item in items if item.chunk_id in pooled), key=lambda item: (-item.score, item.chunk_id)
    )


def _by(items: Sequence[RetrievedSource], part: str) -> list[RetrievedSource]:
    return sorted(items, key=lambda item: (-item.parts[part], item.chunk_id))


# ---------------------------------------------------------------- sections

_ASKED = frozenset({SourceKind.USER_PROMPT, SourceKind.NORMALIZED_QUERY})
_PLANNED = frozenset({SourceKind.RESEARCH_PLAN, SourceKind.ROUTING_DECISION})
_DECIDED = frozenset({SourceKind.DECISION_OUTCOME, SourceKind.DECISION_TRACE})
_FOUND = frozenset({SourceKind.EVIDENCE_SUMMARY, SourceKind.RESEARCH_FINDING, SourceKind.RESEARCH_REPORT})
_PROFILE = frozenset({SourceKind.USER_PROFILE_NOTE})
_ALL_KINDS = frozenset(SourceKind)
_ALL_SCOPES = frozenset(SourceScope)
_NEAR = frozenset({SourceScope.SESSION, SourceScope.USER})

SECTIONS: Mapping[AssemblyMode, tuple[tuple[str, frozenset[SourceKind], frozenset[SourceScope]], ...]] = {
    AssemblyMode.ASSISTANT: (
        ("priority_context", _ASKED | _DECIDED | _PROFILE, _NEAR),
        ("supporting_context", _FOUND | _PLANNED | _DECIDED, _ALL_SCOPES),
        ("background_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.PLANNER: (
        ("objective_context", _ASKED | _PLANNED, _ALL_SCOPES),
        ("active_constraints", _DECIDED | _PROFILE, _ALL_SCOPES),
        ("reference_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.RESEARCH: (
        ("key_evidence", _FOUND, _ALL_SCOPES),
        (
            "supporting_context",
            _PLANNED | _DECIDED | frozenset({SourceKind.SEARCH_QUERY, SourceKind.TOPIC_PATTERN}),
            _ALL_SCOPES,
        ),
        ("background_memory", _ALL_KINDS, _ALL_SCOPES),
    ),
    AssemblyMode.DRAFTING: (
        ("drafting_instructions", _ASKED | _PROFILE | frozenset({SourceKind.DECISION_OUTCOME}), _ALL_SCOPES),
        ("matter_context", _FOUND | _PLANNED | _DECIDED, _NEAR),
        ("reference_material", _ALL_KINDS, _ALL_SCOPES),
    ),
}
"""Sections of each mode, most needed first; an item stands in the first one that takes its kind and scope."""


def section_of(mode: AssemblyMode, record: Source) -> str:
    return next(
        name for name, kinds, scopes in SECTIONS[mode] if record.kind in kinds and record.scope in scopes
    )


def without_near_duplicates(
    items: Sequence[RetrievedSource],
) -> tuple[list[RetrievedSource], list[RetrievedSource]]:
    """(kept, near duplicates of one that is kept), in order."""
    kept: list[tuple[RetrievedSource, frozenset[str]]] = []
    dropped: list[RetrievedSource] = []
    for item in items:
        words = words_of(item.text)
        if words and any(jaccard(words, other) >= NEAR_DUPLICATE for _, other in kept):
            dropped.append(item)
        else:
            kept.append((item, words))
    return [item for item, _ in kept], dropped
